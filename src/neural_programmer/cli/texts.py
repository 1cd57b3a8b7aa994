"""Texts of tables and people for a terminal."""


def printable(text: str, keep: str = "") -> str:
    """Return a text of a table without what would move the cursor or change colours."""
    return "".join(letter if letter.isprintable() or letter in keep else f"\\x{ord(letter):02x}" for letter in text)
