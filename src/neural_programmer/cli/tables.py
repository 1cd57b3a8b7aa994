"""Print an answer that is a table: aligned, at most a screen of it, with bars of characters on a terminal."""

from rich.cells import cell_len, set_cell_size
from rich.console import Console

from neural_programmer.cli.texts import printable
from neural_programmer.programs.answer import Answer
from neural_programmer.programs.charts.columns import Number, kind_of, number, texts_of
from neural_programmer.programs.charts.html_file import and_more
from neural_programmer.programs.charts.picture import Picture, bin_text, short
from neural_programmer.programs.result import Result

ROWS = 20  # of a table, at most
LINES = 4  # of a screen that are left for its head and what is said below it
WIDTH = 120  # of a line where there is no screen
CELL = 40  # letters of a cell of several
BAR = 30  # letters of a bar, at most; and fewer than SHORT are none
SHORT = 8
EIGHTHS = " ▏▎▍▌▋▊▉"


def table(out: Console, given: Answer, digits: int | None = None) -> None:
    """Print the first rows of a table and as many columns as there is room for; then how many more there are."""
    result, room = given.result, out.width if out.is_terminal else WIDTH
    rows = min(ROWS, max(out.height - LINES, 1)) if out.is_terminal else ROWS
    columns = _columns(result, rows, digits, room, room)
    if len(columns) < len(result.columns) or any("…" in cell for cells in columns for cell in cells):
        columns = _columns(result, rows, digits, room, CELL if len(result.columns) > 1 else room)
    widths = [max(map(cell_len, cells)) for cells in columns]
    numbers = [kind_of(cells[:rows]) == "number" for cells in result.held]
    bars = _bars(out, given, rows, room - sum(widths) - 2 * len(widths))
    for place, line in enumerate(zip(*columns, strict=True)):
        padded = [
            f"{' ' * (width - cell_len(text))}{text}" if right else f"{text}{' ' * (width - cell_len(text))}"
            for text, width, right in zip(line, widths, numbers, strict=False)
        ]
        out.print("  ".join([*padded, *bars[place : place + 1]]).rstrip())
    more = and_more(result, min(rows, result.length), len(columns))
    cut = any(cell.endswith("…") for cells in columns for cell in cells)
    if more or cut:
        out.print(f"{more or 'cells that are too long are cut, and whole'}{',' * bool(more)} with --json")
    if result.more:
        out.print(f"the answer holds the first {result.length:,} rows")
    if not result.length:
        out.print("no row")


def histogram(out: Console, given: Answer) -> None:
    """Print how often which numbers are in an answer, on a terminal, if it is a distribution."""
    picture = _picture(out, given)
    if picture is None or picture.mark != "histogram":
        return
    names = [bin_text(point, given.unit).removeprefix("of ") for point in picture.points]
    counts = [f"{point.value:,}" for point in picture.points]
    left, right = max(map(len, names)), max(map(len, counts))
    room = min(out.width - left - right - 4, BAR)
    out.print()
    for name, count, value in zip(names, counts, picture.numbers, strict=True):
        bar = f"  {_bar(out, value, 0, max(picture.numbers), room)}" if room >= SHORT else ""
        out.print(f"{name.ljust(left)}  {count.rjust(right)}{bar}".rstrip())


def _columns(result: Result, rows: int, digits: int | None, room: int, most: int) -> list[list[str]]:
    """The columns that there is room for, each with its name and its first cells, of at most so many letters."""
    columns: list[list[str]] = []
    for name, held in zip(result.columns, result.held, strict=True):
        made = [_cut(printable(text), min(most, room)) for text in (name, *texts_of(held[:rows], name, digits))]
        room -= max(map(cell_len, made)) + 2
        if columns and room + 2 < 0:
            break
        columns.append(made)
    return columns


def _cut(text: str, most: int) -> str:
    return text if cell_len(text) <= most else f"{set_cell_size(text, max(most - 1, 0)).rstrip()}…"


def _picture(out: Console, given: Answer) -> Picture | None:
    """The picture of an answer, if there is a terminal to show it on."""
    return given.chart.picture if out.is_terminal and given.chart is not None else None


def _bars(out: Console, given: Answer, rows: int, room: int) -> list[str]:
    """A bar for each of the first rows, under a place for the names of columns; none where there is no room."""
    picture = _picture(out, given)
    names = [short(name) for name in given.result.columns]
    if picture is None or picture.mark == "points" or len(names) == 1 or room < SHORT:
        return []
    drawn = names.index(picture.value)
    values = [number(cell) for cell in given.result.held[drawn][:rows]]
    known = [0, *(value for value in values if value is not None)]
    low, high, most = min(known), max(known), min(room, BAR)
    return ["", *("" if value is None else _bar(out, value, low, high, most) for value in values)]


def _bar(out: Console, value: Number, low: Number, high: Number, room: int) -> str:
    """A bar of characters from zero to a value, which is seen however small it is."""
    span = high / 2 - low / 2 or 1
    zero, end = (round((each / 2 - low / 2) / span * room * 8) for each in (0, value))
    if out.options.ascii_only or low < 0:
        first, last = sorted((round(zero / 8), round(end / 8)))
        return f"{' ' * first}{('#' if out.options.ascii_only else '█') * max(last - first, value != 0)}"
    full, part = divmod(max(end, int(value != 0)), 8)
    return "█" * full + EIGHTHS[part].strip()
