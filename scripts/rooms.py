"""Draw which room of the package imports which: `python scripts/rooms.py` writes docs/pictures/rooms.svg.

Arrows lead from a room to those that it imports; one that is reached through others has no arrow of its own. The table
beside them has every import. tests/test_rooms.py fails where the picture is not that of the code.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from rooms import IMPORTED, ROOMS, level_of  # noqa: E402

PICTURE = ROOT / "docs" / "pictures" / "rooms.svg"
Imports = dict[int, set[int]]  # of each level of rooms the levels that it imports

BOX, HIGH, APART, DOWN, EDGE = 104, 26, 124, 50, 24  # width and height of a box, distances of boxes, margin
CELL = 22  # of the table
INK, QUIET, FILL = "#1f2933", "#9aa5b1", "#e8f0fa"


def rooms_imported() -> Imports:
    """Return which levels of rooms each level imports, by all imports of all files."""
    found: Imports = {level: set() for level in range(len(ROOMS))}
    for module, names in IMPORTED.items():
        found[level_of(module)] |= {level_of(name) for name in names} - {level_of(module)}
    return found


def arrows(imports: Imports) -> list[tuple[int, int]]:
    """Return the imports that are not reached through another one."""
    reached: Imports = {}
    for level in sorted(imports):  # which imports only those before it
        reached[level] = imports[level].union(*(reached[other] for other in imports[level]))
    return [
        (level, other)
        for level in sorted(imports)
        for other in sorted(imports[level])
        if not any(other in reached[between] for between in imports[level])
    ]


def picture(imports: Imports) -> str:
    """Return the picture as SVG."""
    places = _placed(imports)
    left = EDGE + BOX / 2 - min(x for x, _ in places.values())
    places = {level: (x + left, y + EDGE) for level, (x, y) in places.items()}
    table = max(x for x, _ in places.values()) + BOX / 2 + 2 * EDGE + BOX
    top = EDGE + 64
    width = table + CELL * len(imports) + EDGE
    height = max(*(y for _, y in places.values()), top + CELL * len(imports)) + HIGH + EDGE
    lines = [_arrow(places[level], places[other]) for level, other in arrows(imports)]
    boxes = [_box(_name(level), *place) for level, place in places.items()]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
            f'height="{height:g}" font-family="sans-serif" font-size="13" fill="{INK}">',
            "<title>Which room imports which</title>",
            f'<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" '
            f'orient="auto"><path d="M0 0L8 4L0 8z" fill="{INK}"/></marker></defs>',
            '<rect width="100%" height="100%" fill="white"/>',
            *lines,
            *boxes,
            *_table(imports, table, top),
            f'<text x="{table:g}" y="{top + CELL * len(imports) + 22:g}" text-anchor="start">'
            "a dot: the row imports the column</text>",
            "</svg>\n",
        ]
    )


def _placed(imports: Imports) -> dict[int, tuple[float, float]]:
    """Return where the boxes stand: each below all that it imports, and as near to these as there is room."""
    direct = {level: [other for one, other in arrows(imports) if one == level] for level in imports}
    depth: dict[int, int] = {}
    for level in sorted(imports):
        depth[level] = 1 + max((depth[other] for other in imports[level]), default=-1)
    across: dict[int, float] = {}
    for row in range(max(depth.values()) + 1):
        wanted = {
            level: sum(across[other] for other in direct[level]) / max(1, len(direct[level]))
            for level in imports
            if depth[level] == row
        }
        middle = sum(wanted.values()) / len(wanted)
        for place, level in enumerate(sorted(wanted, key=lambda level: (wanted[level], level))):
            across[level] = middle + APART * (place - (len(wanted) - 1) / 2)
    return {level: (across[level], DOWN * depth[level]) for level in imports}


def _name(level: int) -> str:
    """Return what a level of rooms is called: its folder, or its files beside the folders."""
    return {"errors": "errors.py", "front": "front, api"}.get(ROOMS[level][0], ROOMS[level][0])


def _box(name: str, x: float, y: float) -> str:
    return (
        f'<rect x="{x - BOX / 2:g}" y="{y:g}" width="{BOX}" height="{HIGH}" rx="5" fill="{FILL}" stroke="{INK}"/>'
        f'<text x="{x:g}" y="{y + 17:g}" text-anchor="middle">{name}</text>'
    )


def _arrow(start: tuple[float, float], end: tuple[float, float]) -> str:
    """Return an arrow from the top of a box to the bottom of one above it."""
    (x, y), (to_x, bottom) = start, (end[0], end[1] + HIGH)
    bend = (y - bottom) / 2
    return (
        f'<path d="M{x:g} {y:g}C{x:g} {y - bend:g} {to_x:g} {bottom + bend:g} {to_x:g} {bottom + 1:g}" fill="none" '
        f'stroke="{INK}" marker-end="url(#tip)"/>'
    )


def _table(imports: Imports, x: float, y: float) -> list[str]:
    """Return a table of all imports: a row imports the columns that have a dot."""
    parts = []
    for level in imports:
        middle = y + CELL * (level + 0.5)
        over = x + CELL * (level + 0.5)
        parts += [
            f'<text x="{x - 6:g}" y="{middle + 4:g}" text-anchor="end">{_name(level)}</text>',
            f'<text transform="translate({over + 4:g} {y - 6:g}) rotate(-60)">{_name(level)}</text>',
        ]
        for other in imports:
            at = x + CELL * (other + 0.5)
            if other in imports[level]:
                parts.append(f'<circle cx="{at:g}" cy="{middle:g}" r="5"/>')
            elif other < level:
                parts.append(f'<circle cx="{at:g}" cy="{middle:g}" r="1.5" fill="{QUIET}"/>')
    return parts


if __name__ == "__main__":
    PICTURE.write_text(picture(rooms_imported()), encoding="utf-8")
