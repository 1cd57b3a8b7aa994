"""The shapes of programs that are proposed: what fills their slots, and how their steps are made of it.

The steps stand in one order: conditions; keys; measures; what is computed; conditions on measures; an order; what is
put out. What makes no sense together gives no program.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from neural_programmer.candidates.slots import COMPUTED, Moves
from neural_programmer.programs.pointers import MeasureAt

FIRST, SECOND = MeasureAt(0), MeasureAt(1)
AND, RESET, COUNT, SHARE, ONCE = (("and", None, None), ("reset", None, None), ("count", None, None),
                                  ("share", None, None), ("once", None, None))  # fmt: skip
Build = Callable[..., Moves | None]


class Shape(NamedTuple):
    """Programs of one form: how likely it is, what fills its slots, and how the steps are made of them."""

    name: str
    score: float
    slots: Sequence[str]
    build: Build


def _shown(names: Sequence[Any]) -> Moves:
    return tuple(("show", name, None) for name in names)


def _cells(where: Moves, names: Sequence[str]) -> Moves:
    if len(names) == 1:
        return (*where, ("assign", names[0], None))
    return (*where, *_shown(names))


def _with(where: Moves, other: Moves) -> Moves:
    """Conditions, and others that hold too."""
    if other and other[0][0] in ("average", "take"):
        return (*other, *where, AND) if where else other
    return (*where, *other, AND) if where else other


def _is_one(condition: Moves) -> bool:
    """Whether a condition is one step."""
    return len(condition) == 1


def _keyed(groups: Sequence[Any]) -> Moves:
    return tuple(("for each", key, None) for key in groups)


def _fits(key: Sequence[Any], measure: Any) -> bool:
    """Whether a measure is of another column than the keys are."""
    return measure[1] is None or measure[1] not in key


def _cells_once(where: Moves, names: Sequence[str]) -> Moves:
    return (*where, *_shown(names), ONCE)


def _best_cells(where: Moves, order: tuple[str, bool], names: Sequence[str]) -> Moves:
    return _cells((*where, ("greatest" if order[1] else "least", order[0], None)), names)


def _top_cells(where: Moves, order: tuple[str, bool], top: tuple[int, int], names: Sequence[str]) -> Moves:
    column, descending = order
    count, first = top
    if first > 1 and count == 1:
        place = "place from the top" if descending else "place from the bottom"
        return _cells((*where, (place, column, float(first))), names)
    return (*where, ("top" if descending else "bottom", column, float(count)), *_shown(names))


def _ordered_cells(where: Moves, order: tuple[str, bool], names: Sequence[str]) -> Moves:
    return (*where, ("descending" if order[1] else "ascending", order[0], None), *_shown(names))


def _best_number(where: Moves, order: tuple[str, bool], names: Sequence[str]) -> Moves:
    return (*where, ("greatest" if order[1] else "least", order[0], None), COUNT)


def _grouped(where: Moves, groups: Sequence[Any], measure: Any) -> Moves | None:
    return (*where, *_keyed(groups), measure) if _fits(groups, measure) else None


def _grouped_several(where: Moves, groups: Sequence[Any], several: Sequence[Any]) -> Moves | None:
    if all(_fits(groups, each) for each in several):
        return (*where, *_keyed(groups), *several)
    return None


def _grouped_ordered(
    where: Moves, groups: Sequence[Any], measure: Any, order: tuple[str, bool], shown: str
) -> Moves | None:
    """Groups in the order of a measure or of a key, or those that are first."""
    made = _grouped(where, groups, measure)
    return None if made is None else (*made, ("descending" if order[1] else "ascending", _at(order[0], groups), None),
                                      *_put_out(groups, shown))  # fmt: skip


def _at(what: str, groups: Sequence[Any]) -> Any:
    return FIRST if what == "measure" else groups[0]


def _put_out(groups: Sequence[Any], shown: str) -> Moves:
    if shown == "key":
        return _shown(groups)
    if shown == "measure":
        return _shown([FIRST])
    if shown == "first key":
        return _shown(groups[:1])
    return ()


def _grouped_top(
    where: Moves, groups: Sequence[Any], measure: Any, direction: bool, top: tuple[int, int], shown: str
) -> Moves | None:
    made = _grouped(where, groups, measure)
    if made is None or (measure[0] in ("count",) and shown == "other"):
        return None
    count, first = top
    if first > 1 and count == 1:
        step = "place from the top" if direction else "place from the bottom", FIRST, float(first)
    elif count == 1:
        step = "greatest" if direction else "least", FIRST, None
    else:
        step = "top" if direction else "bottom", FIRST, float(count)
    return (*made, step, *_put_out(groups, shown))


def _grouped_beside(where: Moves, groups: Sequence[Any], measure: Any, direction: bool, beside: Any) -> Moves | None:
    """The first group by one measure, and another measure of it."""
    if measure == beside or not _fits(groups, measure) or not _fits(groups, beside):
        return None
    step = "greatest" if direction else "least", FIRST, None
    return (*where, *_keyed(groups), measure, beside, step, *_shown([*groups, SECOND]))


def _having(where: Moves, groups: Sequence[Any], measure: Any, limit: Any, shown: str) -> Moves | None:
    made = _grouped(where, groups, measure)
    if made is None:
        return None
    return (*made, *((name, FIRST, value) for name, value in limit), *_put_out(groups, shown))


def _having_counted(where: Moves, groups: Sequence[Any], measure: Any, limit: Any) -> Moves | None:
    made = _grouped(where, groups, measure)
    if made is None or len(limit) > 1:
        return None
    return (*made, *((name, FIRST, value) for name, value in limit), COUNT)


def _having_best(where: Moves, groups: Sequence[Any], measure: Any, limit: Any, direction: bool) -> Moves | None:
    made = _having(where, groups, measure, limit, "")
    return None if made is None else (*made, ("greatest" if direction else "least", FIRST, None), *_shown(groups))


def _within_groups(where: Moves, groups: Sequence[Any], condition: Moves, measure: Any) -> Moves | None:
    """A measure of each group, of the rows for which a condition holds."""
    if not _is_one(condition) or not _fits(groups, measure) or condition[0][1] in groups:
        return None
    return (*where, *_keyed(groups), condition[0], measure)


def _measure_of_measures(where: Moves, groups: Sequence[Any], measure: Any, aggregate: str) -> Moves | None:
    made = _grouped(where, groups, measure)
    return None if made is None else (*made, (aggregate, FIRST, None))


def _share(where: Moves, condition: Moves) -> Moves | None:
    if any(step[0] in ("average", "take", "and", "or") for step in condition[:1]):
        return None
    if not _is_one(condition):
        return None if where or condition[-1][0] not in ("and", "or") else (("reset", None, None), *condition, SHARE)
    return (*where, *condition, SHARE)


def _share_of(where: Moves, condition: Moves, column: str) -> Moves | None:
    if not _is_one(condition):
        return None if where else (*condition, ("share of", column, None))
    return (*where, *condition, ("share of", column, None))


def _shares(where: Moves, groups: Sequence[Any], condition: Moves) -> Moves | None:
    if not _is_one(condition) or condition[0][1] in groups:
        return None
    return (*where, *_keyed(groups), condition[0], SHARE)


def _shares_best(where: Moves, groups: Sequence[Any], condition: Moves, direction: bool) -> Moves | None:
    made = _shares(where, groups, condition)
    return None if made is None else (*made, ("greatest" if direction else "least", FIRST, None), *_shown(groups))


def _shares_of_all(where: Moves, groups: Sequence[Any], measure: Any) -> Moves | None:
    made = _grouped(where, groups, measure)
    if made is None or measure[0] not in ("count", "sum"):
        return None
    steps = (*made, SHARE) if measure[0] == "count" else (*made, ("share of", FIRST, None))
    return (*steps, *_shown([*groups, SECOND]))


def _shares_of_condition(where: Moves, groups: Sequence[Any], condition: Moves, column: str) -> Moves | None:
    if not _is_one(condition) or condition[0][1] in groups:
        return None
    return (*where, *_keyed(groups), condition[0], ("share of", column, None))


def _two(where: Moves, pair: tuple[Moves, Moves], measure: Any, operation: tuple[str, bool]) -> Moves | None:
    one, other = pair if operation[1] else pair[::-1]
    if measure[1] is not None and measure[1] == one[0][1]:
        return None
    return (*_with(where, one), measure, *_with(where, other), measure, (operation[0], None, None))


def _two_columns(where: Moves, one: Any, other: Any, operation: tuple[str, bool]) -> Moves | None:
    if one == other or one[1] == other[1]:
        return None
    again = where or (RESET,)
    return (*where, one, *again, other, (operation[0], None, None))


def _two_conditions(one: Moves, other: Moves, operation: tuple[str, bool]) -> Moves | None:
    """How many rows one condition holds for, with how many another does."""
    if one == other or not one or not other:
        return None
    return (*one, COUNT, *other, COUNT, (operation[0], None, None))


def _flags(first: str, other: str, operation: tuple[str, bool]) -> Moves | None:
    return None if first == other else (("sum", first, None), RESET, ("sum", other, None), (operation[0], None, None))


def _part_of_all(where: Moves, condition: Moves, measure: Any, operation: tuple[str, bool]) -> Moves | None:
    """A measure of some rows, with that of all of them."""
    if not condition or measure[1] is None:
        return None
    every = where or (RESET,)
    return (*_with(where, condition), measure, *every, measure, (operation[0], None, None))


def _changes(where: Moves, key: Any, measure: Any, what: str, top: Any) -> Moves | None:
    if not _fits((key,), measure):
        return None
    argument = float(top[0]) if what == "moving average" else None
    return (*where, ("for each", key, None), measure, (what, FIRST, argument), *_shown([key, SECOND]))


def _changes_best(where: Moves, key: Any, measure: Any, what: str, direction: bool) -> Moves | None:
    made = _changes(where, key, measure, what, (3, 1))
    if made is None or what == "moving average":
        return None
    return (*made[:-2], ("greatest" if direction else "least", SECOND, None), *_shown([key]))


def _ranks(where: Moves, groups: Sequence[Any], measure: Any) -> Moves | None:
    made = _grouped(where, groups, measure)
    return None if made is None else (*made, ("rank", FIRST, None))


def _whether(where: Moves) -> Moves | None:
    return (*where, ("whether", None, None)) if where else None


def _whether_all(where: Moves, condition: Moves) -> Moves | None:
    if not _is_one(condition):
        return None
    return (*where, *condition, ("whether all", None, None))


def _whether_number(where: Moves, measure: Any, limit: Any) -> Moves | None:
    [(operation, value), *rest] = limit
    name = {"greater": "is more", "lesser": "is less", "equal": "is the same", "at least": "is more",
            "at most": "is less"}.get(operation)  # fmt: skip
    if rest or name is None:
        return None
    return (*where, measure, ("number", None, value), (name, None, None))


def _best_is(where: Moves, order: tuple[str, bool], condition: Moves) -> Moves | None:
    """Whether a condition holds for the row that is first."""
    if not _is_one(condition):
        return None
    return (*where, ("greatest" if order[1] else "least", order[0], None), *condition, AND, ("whether", None, None))


def _arithmetic(where: Moves, computed: Moves, aggregate: str) -> Moves:
    return (*where, *computed, (aggregate, COMPUTED, None))


def _arithmetic_best(where: Moves, computed: Moves, direction: bool, names: Sequence[str]) -> Moves:
    return _cells((*where, *computed, ("greatest" if direction else "least", COMPUTED, None)), names)


def _arithmetic_top(
    where: Moves, computed: Moves, direction: bool, top: tuple[int, int], names: Sequence[str]
) -> Moves:
    return (*where, *computed, ("top" if direction else "bottom", COMPUTED, float(top[0])), *_shown(names))


def _arithmetic_shown(where: Moves, computed: Moves, names: Sequence[str]) -> Moves:
    return (*where, *computed, *_shown([*names, COMPUTED]))


def _arithmetic_alone(where: Moves, computed: Moves) -> Moves:
    return (*where, *computed, *_shown([COMPUTED]))


def _arithmetic_grouped(where: Moves, groups: Sequence[Any], computed: Moves, aggregate: str) -> Moves:
    return (*where, *computed, *_keyed(groups), (aggregate, COMPUTED, None))


def _arithmetic_chosen(where: Moves, groups: Sequence[Any], computed: Moves, aggregate: str, direction: bool) -> Moves:
    made = _arithmetic_grouped(where, groups, computed, aggregate)
    return (*made, ("greatest" if direction else "least", FIRST, None), *_shown(groups))


def _correlation(where: Moves, one: str, other: str) -> Moves | None:
    if one >= other:
        return None
    return (*where, ("take", one, None), ("correlation", other, None))


def _average_of_top(where: Moves, order: tuple[str, bool], top: tuple[int, int], measure: Any) -> Moves:
    return (*where, ("top" if order[1] else "bottom", order[0], float(top[0])), measure)


def _in_both(one: Moves, other: Moves, key: str) -> Moves | None:
    if one == other or not one or not other or key in (one[0][1], other[0][1]):
        return None
    return (*one, ("among", key, None), *other, AND, ("show", key, None), ONCE)


def _not_those(one: Moves, key: str) -> Moves | None:
    if not one or key == one[0][1]:
        return None
    return (*one, ("not among", key, None), ("show", key, None), ONCE)


def _not_those_counted(one: Moves, key: str) -> Moves | None:
    if not one or key == one[0][1]:
        return None
    return (*one, ("not among", key, None), ("distinct", key, None))


def _beyond(where: Moves, order: tuple[str, bool], names: Sequence[str]) -> Moves | None:
    """Rows beyond all that some conditions hold for."""
    return _cells((*where, ("more" if order[1] else "fewer", order[0], None)), names) if where else None


def _beyond_number(where: Moves, aggregate: Any, side: str, names: Sequence[str]) -> Moves | None:
    """Rows whose cell is more than an aggregate of some rows."""
    made = _counted_beyond_number(where, aggregate, side)
    return None if made is None else _cells(made[:-1], names)


def _counted_beyond_number(where: Moves, aggregate: Any, side: str) -> Moves | None:
    if aggregate[0] not in ("average", "median", "maximum", "minimum"):
        return None
    return (*where, aggregate, (side, aggregate[1], None), COUNT)


def _same(where: Moves, key: str, names: Sequence[str]) -> Moves | None:
    return _cells((*where, ("same", key, None)), names) if where and key not in names else None


def _counted_beyond(where: Moves, order: tuple[str, bool]) -> Moves | None:
    return (*where, ("more" if order[1] else "fewer", order[0], None), COUNT) if where else None


def _place(where: Moves, place: str, names: Sequence[str]) -> Moves:
    return _cells((*where, (place, None, None)), names)


SHAPES = (
    Shape("count", 0.2, ("where",), lambda where: (*where, COUNT)),
    Shape("number", 0.1, ("where", "measures"), lambda where, measure: (*where, measure)),
    Shape("cells", 0.0, ("where", "shown"), _cells),
    Shape("each once", -0.4, ("where", "shown"), _cells_once),
    Shape("best", 0.0, ("where", "orders", "shown"), _best_cells),
    Shape("top", -0.2, ("where", "orders", "tops", "shown"), _top_cells),
    Shape("ordered", -0.2, ("where", "orders", "shown"), _ordered_cells),
    Shape("beyond", -1.6, ("where", "orders", "shown"), _beyond),
    Shape("counted beyond", -1.6, ("where", "orders"), _counted_beyond),
    Shape("beyond a number", -0.3, ("where", "aggregates", "sides", "shown"), _beyond_number),
    Shape("counted beyond a number", -0.3, ("where", "aggregates", "sides"), _counted_beyond_number),
    Shape("same", -1.8, ("where", "columns by name", "shown"), _same),
    Shape("by place", -1.2, ("where", "places", "shown"), _place),
    Shape("several", -0.4, ("where", "several"), lambda where, several: (*where, ("overall", None, None), *several)),
    Shape("average of top", -1.5, ("where", "orders", "tops", "measures"), _average_of_top),
    Shape("groups", 0.1, ("where", "groups", "measures"), _grouped),
    Shape("groups, several", -0.4, ("where", "groups", "several"), _grouped_several),
    Shape("groups in order", -0.4, ("where", "groups", "measures", "group orders", "put out"), _grouped_ordered),
    Shape("best group", -0.2, ("where", "groups", "measures", "directions", "tops", "put out key"), _grouped_top),
    Shape("best group, beside", -1.2, ("where", "keys alone", "measures", "directions", "measures"), _grouped_beside),
    Shape("group condition", -0.3, ("where", "groups", "measures", "limits_of_measures", "put out key"), _having),
    Shape("group condition, counted", -1.0, ("where", "keys alone", "measures", "limits_of_measures"), _having_counted),
    Shape("group condition, best", -1.8, ("where", "keys alone", "measures", "limits_of_measures", "directions"),
          _having_best),
    Shape("within groups", -1.2, ("where", "groups", "conditions", "measures"), _within_groups),
    Shape("measure of measures", -1.0, ("where", "groups", "measures", "aggregates alone"), _measure_of_measures),
    Shape("share", 0.0, ("where", "conditions"), _share),
    Shape("share of", -0.1, ("where", "conditions", "numbers"), _share_of),
    Shape("shares", -0.2, ("where", "groups", "conditions"), _shares),
    Shape("best share", -0.4, ("where", "keys alone", "conditions", "directions"), _shares_best),
    Shape("shares of all", -0.2, ("where", "groups", "measures"), _shares_of_all),
    Shape("shares of a sum", -0.6, ("where", "keys alone", "conditions", "numbers"), _shares_of_condition),
    Shape("part of all", -0.8, ("where", "conditions", "measures", "two operations"), _part_of_all),
    Shape("two numbers", 0.0, ("where", "pairs", "measures", "two operations"), _two),
    Shape("two columns", -0.4, ("where", "aggregates", "aggregates", "two operations"), _two_columns),
    Shape("two counts", -0.8, ("where", "where", "two operations"), _two_conditions),
    Shape("two sums", -0.6, ("flags", "flags", "two operations"), _flags),
    Shape("change", 0.0, ("where", "time_keys", "measures", "changes", "tops"), _changes),
    Shape("best change", -0.5, ("where", "time_keys", "measures", "changes", "directions"), _changes_best),
    Shape("ranks", -1.0, ("where", "groups", "measures"), _ranks),
    Shape("whether", 0.3, ("where",), _whether),
    Shape("whether all", -0.4, ("where", "conditions"), _whether_all),
    Shape("whether a number", -0.2, ("where", "measures", "limits_of_measures"), _whether_number),
    Shape("whether two", 0.0, ("where", "pairs", "measures", "comparisons"), _two),
    Shape("whether two columns", -0.4, ("where", "aggregates", "aggregates", "comparisons"), _two_columns),
    Shape("whether part of all", -0.6, ("where", "conditions", "measures", "comparisons"), _part_of_all),
    Shape("whether best", -0.6, ("where", "orders", "conditions"), _best_is),
    Shape("arithmetic", -0.4, ("where", "computed", "aggregates alone"), _arithmetic),
    Shape("arithmetic, shown", -0.5, ("where", "computed"), _arithmetic_alone),
    Shape("arithmetic, beside", -0.6, ("where", "computed", "shown"), _arithmetic_shown),
    Shape("arithmetic, best", -0.4, ("where", "computed", "directions", "shown"), _arithmetic_best),
    Shape("arithmetic, top", -0.6, ("where", "computed", "directions", "tops", "shown"), _arithmetic_top),
    Shape("arithmetic, groups", -0.8, ("where", "keys alone", "computed", "aggregates alone"), _arithmetic_grouped),
    Shape("arithmetic, best group", -0.9, ("where", "keys alone", "computed", "aggregates alone", "directions"),
          _arithmetic_chosen),
    Shape("correlation", 0.0, ("where", "correlated", "numbers"), _correlation),
    Shape("in both", -0.4, ("conditions", "conditions", "columns by name"), _in_both),
    Shape("not those", -0.6, ("where", "columns by name"), _not_those),
    Shape("not those, counted", -1.2, ("where", "columns by name"), _not_those_counted),
)  # fmt: skip
KIND = {
    "count": "number", "number": "number", "counted beyond": "number", "beyond a number": "cells",
    "counted beyond a number": "number", "average of top": "number",
    "several": "rows", "cells": "cells", "each once": "cells", "best": "cells", "top": "cells", "ordered": "cells",
    "beyond": "cells", "same": "cells", "by place": "cells", "groups": "groups", "groups, several": "groups",
    "groups in order": "groups", "best group": "groups", "best group, beside": "groups", "group condition": "groups",
    "group condition, counted": "groups", "group condition, best": "groups", "within groups": "groups",
    "measure of measures": "groups", "share": "share", "share of": "share", "shares": "share", "best share": "share",
    "shares of all": "share", "shares of a sum": "share", "part of all": "two", "two numbers": "two",
    "two columns": "two", "two counts": "two", "two sums": "two", "change": "time", "best change": "time",
    "ranks": "time", "whether": "truth", "whether all": "truth", "whether a number": "truth", "whether two": "truth",
    "whether two columns": "truth", "whether part of all": "truth", "whether best": "truth", "arithmetic": "rows",
    "arithmetic, shown": "rows", "arithmetic, beside": "cells", "arithmetic, best": "cells",
    "arithmetic, top": "cells", "arithmetic, groups": "groups", "arithmetic, best group": "groups",
    "correlation": "rows", "in both": "sets", "not those": "sets", "not those, counted": "sets",
}  # fmt: skip
