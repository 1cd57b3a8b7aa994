"""A table with more texts than are prepared for questions, and questions that name some of its last ones."""

from neural_programmer.questions.indexing import PREPARED_TEXTS

SAID = {"Yellow House": [101], "zoo": [102], "Prague House": None}  # titles, and what is said to cost


def many_books() -> str:
    """The table as CSV."""
    books = [(f"Title {number} of the Sea", 5) for number in range(PREPARED_TEXTS)] + [
        ("Yellow House", 101),
        ("Zoo", 102),
    ]
    return "title,price\n" + "".join(f"{title},{price}\n" for title, price in books)
