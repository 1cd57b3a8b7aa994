"""Files that crash what reads them or take all its memory: made when a test needs them, none is kept."""

import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
OPEN = "urn:oasis:names:tc:opendocument:xmlns:"
FIRST = '<row r="1"><c r="A1" t="inlineStr"><is><t>price</t></is></c></row><row r="2"><c r="A2"><v>5</v></c></row>'


def text(place: str, letters: str) -> str:
    """A cell of text in a sheet."""
    return f'<c r="{place}" t="inlineStr"><is><t>{letters}</t></is></c>'


def workbook(path: Path, *sheets: str, strings: str = "", styles: str = "", at: str = "worksheets/sheet{}.xml") -> None:
    """An .xlsx file of sheets, each the XML of its rows, called Sheet1, Sheet2, ...; `at` is where they lie."""
    numbered = list(enumerate(sheets, 1))
    listed = "".join(f'<sheet name="Sheet{n}" sheetId="{n}" r:id="r{n}"/>' for n, _ in numbered)
    files = {
        "_rels/.rels": _relations([("r1", "officeDocument", "xl/workbook.xml")]),
        "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets>{listed}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": _relations((f"r{n}", "worksheet", at.format(n)) for n, _ in numbered),
    }
    if strings:
        files["xl/sharedStrings.xml"] = f'<sst xmlns="{MAIN}">{strings}</sst>'
    if styles:
        files["xl/styles.xml"] = f'<styleSheet xmlns="{MAIN}">{styles}</styleSheet>'
    for n, rows in numbered:
        place = at.format(n)
        files[place.lstrip("/") if place.startswith("/") else f"xl/{place}"] = (
            f'<worksheet xmlns="{MAIN}"><sheetData>{rows}</sheetData></worksheet>'
        )
    _archive(path, files)


def ods(path: Path, rows: str) -> None:
    """An .ods file of one sheet called s, of the XML of its rows."""
    spaces = " ".join(f'xmlns:{name}="{OPEN}{name}:1.0"' for name in ("office", "table", "text"))
    content = f'<office:document-content {spaces}><office:body><office:spreadsheet><table:table table:name="s">'
    content += f"{rows}</table:table></office:spreadsheet></office:body></office:document-content>"
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    files = {"mimetype": kind, "content.xml": content}
    space = f"{OPEN}manifest:1.0"
    listed = f'<file-entry full-path="/" media-type="{kind}"/>'
    files["META-INF/manifest.xml"] = f'<manifest xmlns="{space}">{listed}</manifest>'
    _archive(path, files)


def _relations(every: Iterable[tuple[str, str, str]]) -> str:
    each = "".join(f'<Relationship Id="{key}" Type="{OFFICE}/{kind}" Target="{at}"/>' for key, kind, at in every)
    return f'<Relationships xmlns="{PACKAGE}">{each}</Relationships>'


def _archive(path: Path, files: dict[str, str]) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)


SPAN = (  # of style 1: a cell is a span of time, of that many days
    '<cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="46" applyNumberFormat="1"/></cellXfs>'
)


def _far(cell: str, row: str = "1048576", **options: str) -> Callable[[Path], None]:
    return lambda path: workbook(path, f'{FIRST}<row r="{row}">{cell}</row>', **options)


def _span(days: str) -> Callable[[Path], None]:
    rows = f'<row r="1">{text("A1", "took")}</row><row r="2"><c r="A2" s="1"><v>{days}</v></c></row>'
    return lambda path: workbook(path, rows, styles=SPAN)


def _repeated(rows: int, cells: int) -> Callable[[Path], None]:
    cell = f'<table:table-cell office:value-type="float" office:value="1" table:number-columns-repeated="{cells}"/>'
    return lambda path: ods(path, f'<table:table-row table:number-rows-repeated="{rows}">{cell}</table:table-row>')


LAST = '<c r="XFD1048576"><v>1</v></c>'
LARGE = r"take [\d,]+ megabytes, and [\d,]+ are allowed; delete what stands far"
LONG = "row 2 holds a time of millions of years; mend it"
WORKBOOKS: dict[str, tuple[Callable[[Path], None], str]] = {  # how to write it, what is said of it
    "far.xlsx": (_far(LAST), LARGE),
    "single_quotes.xlsx": (_far("<c r='XFD1048576'><v>1</v></c>"), LARGE),
    "spaces.xlsx": (_far('<c r = "XFD1048576"><v>1</v></c>'), LARGE),
    "earlier_attribute.xlsx": (_far('<c x="a>b" r="XFD1048576"><v>1</v></c>'), LARGE),
    "row_of_cells_without_places.xlsx": (_far("<c><v>1</v></c>", "4000000000"), LARGE),
    "moved.xlsx": (_far(LAST, at="media/image{}.png"), LARGE),
    "moved_to_the_root.xlsx": (_far(LAST, at="/elsewhere/sheet{}.xml"), LARGE),
    "repeated.ods": (_repeated(20_000, 4_000), LARGE),
    "repeated_more.ods": (_repeated(4_000_000_000, 4_000_000_000), "it is not a workbook, or a damaged"),
    "panics.xlsx": (_far('<c r="ZZZZZZZZ99999999999"><v>1</v></c>'), "it is damaged"),
    "spans.xlsx": (_span("2147483647"), LONG),
    "spans_back.xlsx": (_span("-2147483647"), LONG),
    "spans_without_end.xlsx": (_span("inf"), LONG),
    "no_such_text.xlsx": (
        lambda path: workbook(path, f'{FIRST}<row r="3"><c r="A3" t="s"><v>99</v></c></row>'),
        "it is not a workbook, or a damaged",
    ),
}
