"""Operations, programs of them, and answers."""
