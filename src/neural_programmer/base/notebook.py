"""Show values in a terminal as one short line, and in a notebook as safe HTML."""

import html
from collections.abc import Iterable, Sequence

LINE = 80  # characters of a value in a line


def shortened(text: str, most: int = LINE) -> str:
    """Return a text in one line of at most so many characters.

    >>> shortened("what is the average rent of flats?", 20)
    'what is the avera...'
    """
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 3]}..."


def line(name: str, *parts: str) -> str:
    """Return what `repr` shows of a value: its type and what matters of it.

    >>> line("Answer", "'900'", "confidence=0.99")
    "Answer('900', confidence=0.99)"
    """
    return f"{name}({', '.join(filter(None, parts))})"


def tag(name: str, text: str) -> str:
    """Return an HTML element that holds a text, which is escaped; nothing where there is no text.

    >>> tag("p", "1 < 2")
    '<p>1 &lt; 2</p>'
    """
    return f"<{name}>{html.escape(text)}</{name}>" if text else ""


def grid(heads: Sequence[str], rows: Iterable[Sequence[str]], caption: str = "") -> str:
    """Return an HTML table with a row of heads; all texts are escaped, and there is neither script nor style."""
    cells = ["".join(f"<td>{html.escape(text)}</td>" for text in row) for row in rows]
    body = "".join(f"<tr>{row}</tr>" for row in cells)
    head = "".join(f"<th>{html.escape(text)}</th>" for text in heads)
    return f"<table>{tag('caption', caption)}<tr>{head}</tr>{body}</table>"
