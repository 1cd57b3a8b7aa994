"""Workbooks as people and programs make them, and some whose XML no program writes."""

import contextlib
import datetime
from html import escape
from pathlib import Path
from typing import Any

import openpyxl

import hostile_files
from odd_cells import Chance, Content
from odd_texts import Kept, text_of

LAST = datetime.datetime(9999, 12, 31, 23, 59, 59, 999_999)


def write_xlsx(chance: Chance, made: Content, path: Path) -> Kept:
    """A workbook: cells of all types, formulas, faults, sheets that are empty or hidden, tables that begin anywhere."""
    path = path.with_name(path.name + chance.one([".xlsx", ".xlsx", ".xls", ".xlsm", ""]))
    book = openpyxl.Workbook()
    sheet: Any = book.active
    sheet.title = chance.one(["Sheet", "2024", "a.b", "Ünï", "x" * 31, "first & last"])
    if chance.happens(0.15):
        book.create_sheet("empty", chance.below(2))
    if chance.happens(0.1):
        book.create_sheet("hidden").sheet_state = "hidden"
    down, right = (chance.below(5), chance.below(3)) if chance.happens(0.1) else (0, 0)
    for y, row in enumerate([made.names, *made.rows], 1 + down):
        for x, cell in enumerate(row, 1 + right):
            with contextlib.suppress(ValueError, openpyxl.utils.exceptions.IllegalCharacterError):
                sheet.cell(y, x, _in_book(chance, cell) if y > 1 + down else cell)
    if chance.happens(0.05):
        sheet.merge_cells("A1:B2")
    book.save(path)
    return path, sheet.title if chance.happens(0.2) else ""


def _in_book(chance: Chance, cell: Any) -> Any:
    if not chance.happens(0.1):
        return cell[:32_000] if isinstance(cell, str) else cell
    moment = datetime.datetime(1900 + chance.below(200), 1 + chance.below(12), 1 + chance.below(28), chance.below(24))
    others = [moment, moment.date(), moment.time(), datetime.timedelta(days=chance.below(99), seconds=5), "=1/0", "=A1"]
    return chance.one(
        [*others, "#DIV/0!", "#N/A", True, 1e300, "'5", datetime.datetime(9999, 12, 31, 23, 59, 59, 999_999)]
    )


def write_xlsx_by_hand(chance: Chance, made: Content, path: Path) -> Kept:
    """A workbook whose XML is odd: places out of order, twice, without letters; kinds of cells that there are not."""
    path = path.with_name(path.name + ".xlsx")
    rows = []
    for y, row in enumerate([made.names, *made.rows[:40]], 1):
        cells = []
        for x, cell in enumerate(row[:26]):
            place = (
                f'r="{chr(65 + x)}{y}"'
                if chance.happens(0.97)
                else chance.one(["", 'r="A1"', 'r="1"', 'r="a0"', 'r=""'])
            )
            kind = chance.weighted({"inlineStr": 60, "d": 0.2, "b": 0.3, "e": 0.2, "s": 0.2, "str": 4, "odd": 0.1})
            kind = "n" if isinstance(cell, int | float) or chance.happens(0.002) else kind
            text = "".join(letter for letter in escape(text_of(cell))[:500] if letter >= " ")
            inside = f"<is><t>{text}</t></is>" if kind == "inlineStr" else f"<v>{text}</v>"
            style = ' s="1"' if chance.happens(0.03) else ""
            cells.append(f'<c {place} t="{kind}"{style}>{inside}</c>')
        number = y if chance.happens(0.99) else chance.one([0, -1, 1, 10**10, "x"])
        rows.append(f'<row r="{number}">{"".join(cells)}</row>')
    strings = "<si><t>one</t></si><si/>" if chance.happens(0.7) else ""
    styles = hostile_files.SPAN if chance.happens(0.7) else ""
    sheets = ["".join(rows), *(chance.one(["", "<row/>"]) for _ in range(chance.below(2)))]
    hostile_files.workbook(path, *sheets, strings=strings, styles=styles)
    return path, ""


def write_ods(chance: Chance, made: Content, path: Path) -> Kept:
    """A sheet of OpenDocument, with cells and rows that are repeated."""
    path = path.with_name(path.name + ".ods")
    kinds = ("float", "string", "date", "boolean", "percentage", "currency", "time", "odd", "")
    rows = ["".join(_ods_cell("string", name, "") for name in made.names)]
    for row in made.rows[:40]:
        repeated = f' table:number-columns-repeated="{chance.one([0, 1, 3])}"' if chance.happens(0.03) else ""
        rows.append(
            "".join(_ods_cell(chance.one(kinds) if chance.happens(0.3) else "string", cell, repeated) for cell in row)
        )
    again = [
        f' table:number-rows-repeated="{chance.one([0, 2, "x", -1])}"' if chance.happens(0.01) else "" for _ in rows
    ]
    hostile_files.ods(
        path, "".join(f"<table:table-row{n}>{row}</table:table-row>" for n, row in zip(again, rows, strict=True))
    )
    return path, ""


def _ods_cell(kind: str, cell: Any, repeated: str) -> str:
    text = "".join(letter for letter in escape(text_of(cell))[:500] if letter >= " ")
    value = {"string": "", "": ""}.get(kind, f' office:{"date-" if kind == "date" else ""}value="{text}"')
    typed = f' office:value-type="{kind}"' if kind else ""
    return f"<table:table-cell{typed}{value}{repeated}><text:p>{text}</text:p></table:table-cell>"
