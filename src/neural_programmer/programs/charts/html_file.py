"""A picture with its table as one HTML file, which fetches nothing and has no script."""

import html

from neural_programmer.base.notebook import tag
from neural_programmer.programs.charts.columns import kind_of, texts_of
from neural_programmer.programs.charts.drawing import COLOURS
from neural_programmer.programs.charts.shown import Chart
from neural_programmer.programs.charts.svg import PHONE
from neural_programmer.programs.result import Result

MOST_ROWS, MOST_COLUMNS = 1_000, 50  # of the table beside the picture
POLICY = "default-src 'none'; style-src 'unsafe-inline'"  # nothing of a text may do anything, were it not escaped
STYLE = """
:root { color-scheme: light dark; --paper: %s; --ink: %s; --quiet: %s; --line: %s; }
@media (prefers-color-scheme: dark) { :root { --paper: %s; --ink: %s; --quiet: %s; --line: %s; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 76rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif; }
h1 { font-size: 1.3rem; line-height: 1.3; overflow-wrap: anywhere; }
.both { display: grid; gap: 1.5rem; grid-template-columns: minmax(0, 1fr); align-items: start; }
figure { margin: 0; }
svg.picture { display: block; max-width: 100%%; height: auto; }
p, figcaption { color: var(--quiet); font-size: .925rem; overflow-wrap: anywhere; }
.table { overflow: auto; max-height: 90vh; border: 1px solid var(--line); border-radius: .5rem; }
table { border-collapse: collapse; width: 100%%; font-size: .925rem; }
th, td { padding: .3rem .7rem; text-align: start; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
th { color: var(--quiet); font-weight: 600; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.wide { display: none; }
@media (min-width: 44rem) { .wide { display: block; } .narrow { display: none; } }
@media (min-width: 68rem) { .both { grid-template-columns: 41.5rem minmax(0, 1fr); } }
""" % (*COLOURS["light"][:4], *COLOURS["dark"][:4])  # noqa: UP031  braces are those of the style


def html_file(chart: Chart, result: Result, notes: tuple[str, ...] = ()) -> str:
    """Return a page: the question, the picture for a phone and a wide window, what it says, and the table."""
    title = html.escape(chart.title or "An answer")
    pictures = (
        f'<div class="narrow">{chart.to_svg(width=PHONE)}</div><div class="wide">{chart.to_svg()}</div>'
        f"<figcaption>{html.escape(str(chart))}</figcaption>"
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<title>{title}</title><style>{STYLE}</style></head>\n<body><h1 dir="auto">{title}</h1>'
        f"{''.join(tag('p', note) for note in notes)}"
        f'<div class="both"><figure>{pictures}</figure><div>{table(result)}</div></div></body></html>\n'
    )


def table(result: Result, rows: int = MOST_ROWS, columns: int = MOST_COLUMNS) -> str:
    """Return the first rows and columns of a result as an HTML table, with how many more there are."""
    held = [cells[:rows] for cells in result.held[:columns]]
    numbers = [' class="number"' if kind_of(cells) == "number" else "" for cells in held]
    texts = [texts_of(cells, name) for cells, name in zip(held, result.columns, strict=False)]
    heads = "".join(
        f'<th scope="col" dir="auto"{kind}>{html.escape(name)}</th>'
        for name, kind in zip(result.columns, numbers, strict=False)
    )
    lines = [
        "".join(f'<td dir="auto"{kind}>{html.escape(text)}</td>' for text, kind in zip(row, numbers, strict=True))
        for row in zip(*texts, strict=True)
    ]
    body = "".join(f"<tr>{row}</tr>" for row in lines)
    return (
        f'<div class="table" tabindex="0"><table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table></div>'
        f"{tag('p', and_more(result, rows, columns))}"
    )


def and_more(result: Result, rows: int, columns: int) -> str:
    """Say how many rows and columns are not shown; nothing where all are.

    >>> and_more(Result.table(("a", "b"), [(1, 2)] * 12), 10, 1)
    'and 2 more rows, and 1 more column'
    """
    left = (result.total - rows, "row"), (len(result.columns) - columns, "column")
    return ", ".join(f"and {count:,} more {name}{'s' * (count > 1)}" for count, name in left if count > 0)
