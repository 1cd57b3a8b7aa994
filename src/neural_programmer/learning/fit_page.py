"""The report of a fit as one page of HTML that needs nothing else: no script, plots as SVG, every text escaped."""

import json
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from neural_programmer.learning.evaluation import percent

ROWS_SHOWN = 200  # rows of a table; all of them are in report.json
WIDTH, HEIGHT, MARGIN = 640, 220, 40
STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1b1f24; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2.5rem; }
table { border-collapse: collapse; width: 100%; font-size: 0.9rem; }
th, td { text-align: left; vertical-align: top; padding: 0.3rem 0.6rem 0.3rem 0; border-bottom: 1px solid #d8dee4; }
td.number, th.number { text-align: right; } code { font-size: 0.85rem; overflow-wrap: anywhere; }
p.note { color: #57606a; } svg { max-width: 100%; height: auto; } svg text { font: 12px system-ui, sans-serif; }
@media (prefers-color-scheme: dark) {
  body { background: #0d1117; color: #e6edf3; } th, td { border-color: #30363d; } p.note { color: #8b949e; }
  svg text { fill: #e6edf3; }
}
"""


def page(report: dict[str, Any]) -> str:
    """Return the report of a fit (see fit_report.FitReport.to_dict) as a page of HTML."""
    accuracy = report["accuracy"]
    wrong = [{**one, "part": part} for part in ("validation", "train") for one in report["wrong"][part]]
    parts = [
        f"<h1>{_text(report['data'])}</h1>",
        _summary(report),
        "<h2>Accuracy on the validation questions during training</h2>",
        _curve(report["curve"]),
        "<h2>Accuracy by kind of question</h2>",
        _kinds(report["kinds"]),
        f"<h2>Answered wrongly: {len(wrong)}</h2>",
        _wrong(wrong),
        f"<h2>Right programs that look lucky: {len(report['lucky'])}</h2>",
        "<p class='note'>Every program that gives the answer leaves out something that the question names. What is"
        " learnt from such a question may be wrong: look whether the answer is right, or whether the question needs"
        " what no operation does.</p>",
        _table(
            ("where", "question", "left out", "operations"),
            [(one["place"], one["question"], one["left_out"], _code(one["program"])) for one in report["lucky"]],
        ),
        f"<h2>No program answers: {sum(len(one['questions']) for one in report['uncovered'])}</h2>",
        "<p class='note'>Grouped by words that they share and others seldom have, and by what is wanted: a group of"
        " some size is an operation that is missing, or something in the tables that questions call otherwise.</p>",
        _uncovered(report["uncovered"]),
        _skipped(report),
    ]
    title = f"{_text(report['data'])}: {_share(accuracy['validation'])} of validation"
    head = f"<meta charset='utf-8'><meta name='viewport' content='width=device-width'><title>{title}</title>"
    return (
        f"<!doctype html>\n<html lang='en'><head>{head}<style>{STYLE}</style></head>\n<body>\n"
        + "\n".join(parts)
        + "\n</body></html>\n"
    )


def _text(value: Any) -> str:
    return escape(str(value), quote=True)


def _code(text: Any) -> str:
    return f"\0{text}"  # marks a cell that is shown as code


def _value(value: Any) -> str:
    if value is None:
        return "no answer"
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 200 else text[:197] + "..."


def _share(score: dict[str, Any]) -> str:
    return "-" if score["accuracy"] is None else f"{percent(score['accuracy'])} %"


def _table(heads: Sequence[str], rows: Sequence[Sequence[Any]], numbers: frozenset[int] = frozenset()) -> str:
    """Return a table as HTML. Cells are escaped here and nowhere else."""
    if not rows:
        return "<p>None.</p>"

    def cell(tag: str, place: int, value: Any) -> str:
        kind = " class='number'" if place in numbers else ""
        text = str(value)
        shown = f"<code>{_text(text[1:])}</code>" if text.startswith("\0") else _text(text)
        return f"<{tag}{kind}>{shown}</{tag}>"

    head = "".join(cell("th", place, text) for place, text in enumerate(heads))
    body = "".join(
        "<tr>" + "".join(cell("td", place, value) for place, value in enumerate(row)) + "</tr>\n"
        for row in rows[:ROWS_SHOWN]
    )
    more = f"<p class='note'>and {len(rows) - ROWS_SHOWN:,} more in report.json</p>" if len(rows) > ROWS_SHOWN else ""
    return f"<table><tr>{head}</tr>\n{body}</table>{more}"


def _summary(report: dict[str, Any]) -> str:
    accuracy = report["accuracy"]
    rows = [
        ("validation questions right", f"{_share(accuracy['validation'])} of {accuracy['validation']['total']:,}"),
        ("training questions right", f"{_share(accuracy['train'])} of {accuracy['train']['total']:,}"),
        ("split", report["split"]),
        ("started from", report["start"]),
        ("objective", report["objective"]),
        ("steps", f"{report['curve'][-1]['step']:,}" if report["curve"] else "0"),
    ]
    return _table(("", ""), rows)


def _wrong(wrong: Sequence[dict[str, Any]]) -> str:
    rows = [
        (
            f"{one['part']}, {one['place']}",
            one["question"],
            one["kind"],
            _code(one["program"]),
            f"{one['confidence']:.0%}",
            _value(one["said"]),
            _value(one["wanted"]),
        )
        for one in wrong
    ]
    return _table(("where", "question", "kind", "program it chose", "sure", "said", "right"), rows)


def _uncovered(groups: Sequence[dict[str, Any]]) -> str:
    rows = [
        (
            one["shared"] or "nothing",
            one["answer"],
            len(one["questions"]),
            " · ".join(one["questions"][:5]) + (" ..." if len(one["questions"]) > 5 else ""),
        )
        for one in groups
    ]
    return _table(("they share", "wanted", "how many", "questions"), rows, frozenset({2}))


def _skipped(report: dict[str, Any]) -> str:
    if not report["skipped"]:
        return ""
    return f"<h2>Lines that were left out: {len(report['skipped'])}</h2>" + _table(
        ("line",), [(one,) for one in report["skipped"]]
    )


def _curve(curve: Sequence[dict[str, Any]]) -> str:
    """Draw accuracy over steps as a line, with the ends of the axes written."""
    if not curve:
        return "<p>None: nothing was trained.</p>"
    last = curve[-1]["step"]

    def at(step: float, accuracy: float) -> str:
        x = MARGIN + (WIDTH - 2 * MARGIN) * step / last
        return f"{x:.1f},{HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * accuracy:.1f}"

    points = " ".join(at(one["step"], one["accuracy"]) for one in curve)
    marks = "".join(
        f"<circle cx='{at(one['step'], one['accuracy']).replace(',', chr(39) + ' cy=' + chr(39))}' r='2.5' "
        f"fill='#0969da'><title>step {one['step']}: {percent(one['accuracy'])} %</title></circle>"
        for one in curve
    )
    lines = _axes([(at(0, share), at(last, share), f"{share:.0%}") for share in (0, 0.5, 1)])
    ends = (
        f"<text x='{MARGIN}' y='{HEIGHT - MARGIN / 2}'>step 0</text>"
        f"<text x='{WIDTH - MARGIN}' y='{HEIGHT - MARGIN / 2}' text-anchor='end'>step {last:,}</text>"
    )
    line = f"<polyline points='{points}' fill='none' stroke='#0969da' stroke-width='2'/>"
    return _svg(HEIGHT, "validation accuracy by step", lines + line + marks + ends)


def _axes(lines: Iterable[tuple[str, str, str]]) -> str:
    result = ""
    for start, end, label in lines:
        (x, y), (right, _) = start.split(","), end.split(",")
        result += f"<line x1='{x}' y1='{y}' x2='{right}' y2='{y}' stroke='#d0d7de'/>"
        result += f"<text x='{float(x) - 6}' y='{float(y) + 4}' text-anchor='end'>{label}</text>"
    return result


def _kinds(kinds: dict[str, dict[str, dict[str, Any]]]) -> str:
    """Draw two bars for every kind of question: of the validation questions and of those that were learnt from."""
    row, left, right = 40, 130, 110
    bars = ""
    for place, (kind, parts) in enumerate(kinds.items()):
        y = row * place + 8
        bars += f"<text x='{left - 8}' y='{y + 18}' text-anchor='end'>{_text(kind)}</text>"
        for offset, (part, colour) in enumerate((("validation", "#0969da"), ("train", "#8c959f"))):
            one, top = parts[part], y + 13 * offset
            length = (WIDTH - left - right) * (one["accuracy"] or 0)
            said = f"{one['correct']:,} of {one['total']:,}" if one["total"] else "none"
            bars += f"<rect x='{left}' y='{top}' width='{length:.1f}' height='11' fill='{colour}'/>"
            bars += f"<text x='{left + length + 6:.1f}' y='{top + 10}'>{said}</text>"
    legend = "<p class='note'>blue: validation; grey: those that were learnt from</p>"
    return legend + _svg(row * max(len(kinds), 1) + 8, "accuracy by kind of question", bars)


def _svg(height: float, label: str, content: str) -> str:
    size = f"viewBox='0 0 {WIDTH} {height}' width='{WIDTH}' height='{height}'"
    return f"<svg xmlns='http://www.w3.org/2000/svg' {size} role='img' aria-label='{label}'>{content}</svg>"
