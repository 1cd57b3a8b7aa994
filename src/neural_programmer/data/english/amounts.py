"""Draw conditions on numbers and times: above, below, between, in a year."""

import numpy as np

from neural_programmer.data.english.conditions import Condition, said
from neural_programmer.data.english.phrases import forms
from neural_programmer.data.english.speech import number_said, past, time_said, with_article
from neural_programmer.data.english.tables import Column, Scene
from neural_programmer.programs.program import Step
from neural_programmer.questions.times import time_of

COMPARED = {  # what stands between a column's name and a number
    "greater": "greater than|more than|over|above|larger than|higher than|exceeding|in excess of|beyond|>".split("|"),
    "lesser": "less than|under|below|smaller than|lower than|<|beneath|short of".split("|"),
    "at least": "at least|no less than|not less than|>=|greater than or equal to|not below|not under".split("|"),
    "at most": "at most|no more than|not more than|up to|<=|less than or equal to|not above|not over".split("|"),
    "equal": "exactly|equal to|precisely|=".split("|"),
    "not equal": "not equal to|other than|different from|not exactly|!=|anything but|not".split("|"),
}
SPOKEN = {  # what stands between a verb and a number
    "greater": "over|more than|above|more than|over|north of".split("|"),
    "lesser": "under|less than|below|less than".split("|"),
    "at least": "at least|no less than|a minimum of|at least".split("|"),
    "at most": "at most|no more than|up to|a maximum of|not more than".split("|"),
    "equal": ["exactly", "", "", "precisely"],
    "not equal": ["other than", "anything but"],
}
ENDED = {  # what stands after a number
    "at least": "or more|or more|or more|or higher|or above|and up|and over".split("|"),
    "at most": "or less|or less|or less|or lower|or below|and under".split("|"),
}
TIMES = {
    "greater": "after|after|later than|past".split("|"),
    "lesser": "before|before|earlier than|prior to".split("|"),
    "at least": "since|on or after|not before|no earlier than|as of|since".split("|"),
    "at most": "until|up to|on or before|by|no later than|not after|by the end of".split("|"),
    "equal": ["in"],
    "not equal": ["not in", "outside"],
}
COMPARISONS = ("greater",) * 4 + ("lesser",) * 4 + ("at least",) * 2 + ("at most", "at most", "equal", "not equal")


def near(scene: Scene, column: Column) -> float | None:
    """Return a number that divides the rows of the first table: one of its cells, or a rounder one near it."""
    cells = scene.first.column(column.name)
    cells = cells[~np.isnan(cells)]
    if not len(cells):
        return None
    source, cell = column.source, float(scene.pick(cells.tolist()))
    if "year" in source.flags or scene.chance(0.3) or not cell:
        return cell
    if abs(cell) < 10:
        return float(round(cell)) if scene.chance(0.5) else round(cell, source.decimals)
    digits = int(np.floor(np.log10(abs(cell))))
    return float(round(cell, -max(0, digits - (1 if scene.chance(0.6) else 0))))


def _written(scene: Scene, column: Column, value: float, unit: bool = True) -> str:
    source = column.source
    units = source.unit if unit else ()
    return number_said(value, scene.random, units, "money" in source.flags, "year" in source.flags)


def number_condition(scene: Scene, column: Column, plain: bool) -> Condition | None:
    value = near(scene, column)
    if value is None:
        return None
    year = "year" in column.source.flags
    roll = scene.random.random()
    if roll < 0.14:
        return _between(scene, column, value, plain)
    others = [other for other in scene.of("number") if other is not column and "year" not in other.source.flags]
    if roll < 0.19 and (year or "count" in column.source.flags):
        return _two(scene, column, value, plain)
    if roll < 0.18 and others and not year:
        return _both(scene, column, scene.pick(others), value)
    if year and column.bare and not (plain and scene.chance(0.5)):
        return _year(scene, column, value, plain)
    return _compared(scene, column, scene.pick(COMPARISONS), value, plain)


def _compared(scene: Scene, column: Column, operation: str, value: float, plain: bool) -> Condition:
    source, name = column.source, said(scene, column, plain)
    number, way, spoken = _written(scene, column, value), scene.pick(COMPARED[operation]), scene.pick(SPOKEN[operation])
    fields = {"name": name, "a_name": with_article(name), "number": number, "way": way, "spoken": spoken}
    if operation == "not equal":
        fields["spoken"] = spoken = "other than"
    kind = "compared"
    if operation in ENDED and scene.chance(0.4) and "year" not in source.flags:
        number = fields["number"] = f"{number} {scene.pick(ENDED[operation])}"
        kind, spoken = "ended", ""
    made = Condition([Step(operation, column.name, value)])
    made.clause, made.post, made.verb = (forms(f"{kind} {place}", **fields) for place in ("clause", "post", "verb"))
    if operation == "equal":
        made.post += [f"{before} {name} {number}" for before in ("on", "in", "of", "for", "at")]
    if "count" in source.flags and name.endswith("s"):
        ending = {"at least": "or more", "at most": "or fewer"}.get(operation, "") if kind == "ended" else ""
        few = "fewer than" if operation == "lesser" and scene.chance(0.5) else spoken
        bare = f"{_written(scene, column, value, unit=False)} {ending}"
        made.post = [*made.post[:3], *forms("several post", few=few, number=bare, names=name)]
        made.verb = [*made.verb[:1], *forms("several verb", few=few, number=bare, names=name)]
        got = [f"{past(each)} {few} {bare} {name}" for each in source.got if not plain]
        made.verb, made.post = [*made.verb, *got, *got], [*made.post, *(f"that {each}" for each in got)]
    if plain or operation == "not equal" or "year" in source.flags:
        return made
    amount = f"{spoken} {number}"
    ways = [way.format(amount) for way in source.ways]
    verbs = [(past(verb) if scene.chance(0.3) else verb).format(amount) for verb in source.verbs]
    more = {"greater": source.more, "lesser": source.less}.get(operation, ())
    if more:
        ways += [f"{scene.pick(more)} than {number}"] * 3
        verbs += [f"are {scene.pick(more)} than {number}"] * 2
    if "bare" in source.flags and operation in ("greater", "lesser") and _only(scene, "bare"):
        ways += [f"{scene.pick(('over', 'above') if operation == 'greater' else ('under', 'below'))} {number}"] * 3
    if ways or verbs:
        made.post = ways * 2 + [f"that {verb}" for verb in verbs] + list(made.post[:2])
        made.verb = verbs * 2 + list(made.verb[:2])
    return made


def _only(scene: Scene, flag: str) -> bool:
    return sum(flag in column.source.flags for column in scene.columns) == 1


def _between(scene: Scene, column: Column, value: float, plain: bool) -> Condition | None:
    other = near(scene, column)
    if other is None or other == value:
        return None
    source, (low, high) = column.source, sorted((value, other))
    a, b = f"{low:g}" if low < 1000 else _written(scene, column, low, unit=False), _written(scene, column, high)
    strict = scene.chance(0.15)
    if strict:
        amount = scene.pick((f"strictly between {a} and {b}", f"above {a} and below {b}", f"over {a} but under {b}"))
    else:
        amount = scene.pick((f"between {a} and {b}",) * 5 + (f"from {a} to {b}",) * 2 + (f"in the range {a} to {b}",))
        amount = f"at least {a} and at most {b}" if scene.chance(0.1) else amount
    steps = [Step("greater" if strict else "at least", column.name, low),
             Step("lesser" if strict else "at most", column.name, high)]  # fmt: skip
    name = said(scene, column, plain)
    made = _spanned(Condition(steps), name, amount)
    if not plain and (column.bare or "year" not in source.flags):
        ways = list(source.ways)
        if "year" in source.flags or ("bare" in source.flags and _only(scene, "bare")):
            ways += ["{}", *(f"{verb} {{}}" for verb in source.past)]
        made.post = [*made.post, *(way.format(amount) for way in ways), *(way.format(amount) for way in ways)]
        made.verb = [*made.verb, *(verb.format(amount) for verb in source.verbs)]
    return made


def _spanned(made: Condition, name: str, amount: str) -> Condition:
    fields = {"name": name, "a_name": with_article(name), "amount": amount}
    made.clause, made.post, made.verb = (forms(f"span {place}", **fields) for place in ("clause", "post", "verb"))
    return made


def _two(scene: Scene, column: Column, value: float, plain: bool) -> Condition | None:
    """One of two numbers: in 2019 or 2020, with 2 or 3 bedrooms."""
    other = near(scene, column)
    if other is None or other == value:
        return None
    name, a, b = said(scene, column, plain), f"{value:g}", f"{other:g}"
    steps = [Step("equal", column.name, number) for number in (value, other)]
    made = Condition(steps, [f"{name} is {a} or {b}", f"{name} is either {a} or {b}", f"{name} = {a} or {name} = {b}"])
    made.post, made.verb, made.either = [f"with {name} {a} or {b}"], [f"have {name} {a} or {b}"], True
    if "year" in column.source.flags and column.bare and not plain:
        made.post = [f"in {a} or {b}", f"from {a} or {b}", f"from either {a} or {b}"]
        made.verb = [f"were {verb} in {a} or {b}" for verb in column.source.past] or made.verb
    elif name.endswith("s"):
        made.post, made.verb = [f"with {a} or {b} {name}"], [f"have {a} or {b} {name}"]
    return made


def _both(scene: Scene, one: Column, two: Column, value: float) -> Condition:
    """Return the same bound on two columns."""
    operation = scene.pick(("at least", "greater", "at most", "lesser"))
    fields = {"name": said(scene, one), "other": said(scene, two), "way": scene.pick(COMPARED[operation])}
    fields["number"] = number_said(value, scene.random)
    clause, post, verb = (forms(f"both {place}", **fields) for place in ("clause", "post", "verb"))
    return Condition([Step(operation, one.name, value), Step(operation, two.name, value)], clause, post, verb)


def _year(scene: Scene, column: Column, value: float, plain: bool) -> Condition:
    """Return a year in a column of numbers."""
    operation = scene.pick(("greater", "lesser", "equal", "equal", "equal", "at least", "at most", "not equal"))
    name, number, verbs = said(scene, column, plain), str(int(value)), column.source.past
    way = scene.pick(TIMES[operation])
    way = {"on or after": "since", "as of": "since", "on or before": "up to", "by the end of": "until"}.get(way, way)
    when = f"{way} {scene.pick(('', '', '', 'the year '))}{number}"
    made = Condition([Step(operation, column.name, value)])
    made.clause = [f"{name} is {scene.pick(COMPARED[operation])} {number}", f"{name} is {when}"]
    made.verb = [f"were {verb} {when}" for verb in verbs] or [f"have {with_article(name)} {when}"]
    ways = [when, when]
    if operation == "equal":
        made.clause = [f"{name} is {number}", f"{name} = {number}", f"{name} {number}", f"the {name} is {number}"]
        ways += [f"from {number}", f"of {number}"]
        made.pre = [number] if not plain else []
    elif operation == "at least":
        ways += [f"from {number} on", f"from {number} onwards"]
    made.post = [*ways, *(f"{verb} {when}" for verb in verbs), *(f"{verb} {when}" for verb in verbs)]
    if plain:
        made.post = [f"with {name} {clause.split(name, 1)[1].removeprefix(' is')}" for clause in made.clause]
    more = {"greater": column.source.more, "lesser": column.source.less}.get(operation, ())
    if more and not plain:
        made.post += [f"{scene.pick(more)} than {number}"]
    return made


def date_condition(scene: Scene, column: Column, plain: bool) -> Condition | None:
    cells = scene.first.column(column.name)
    cells = cells[~np.isnat(cells)]
    if not len(cells):
        return None
    days = cells.astype(str).tolist()
    text, unit = time_said(scene.pick(days), scene.random)
    name, verbs = said(scene, column, plain), column.source.past
    if scene.chance(0.1):
        return _span(scene, column, text, time_said(scene.pick(days), scene.random)[0], plain)
    operation = scene.pick(
        ("greater", "greater", "lesser", "lesser", "equal", "equal", "at least", "at most", "not equal")
    )
    if operation == "not equal" and unit == "day":
        operation = "equal"
    way = scene.pick(TIMES[operation])
    if operation == "equal":
        way = "on" if unit == "day" else scene.pick(("in", "in", "during"))
    elif unit != "day":
        way = {"on or before": "by", "on or after": "since"}.get(way, way)
    else:
        way = {"by the end of": "by"}.get(way, way)
    when = f"{way} {'the year ' if unit == 'year' and scene.chance(0.15) else ''}{text}"
    fields = {"name": name, "a_name": with_article(name), "when": when}
    made = Condition([Step(operation, column.name, time_of(text))], forms("time clause", **fields))
    made.post, made.verb = forms("time post", **fields), [f"have {with_article(name)} {when}"]
    if operation == "equal" and unit == "day":
        made.clause = [*made.clause, f"{name} is {text}", f"{name} = {text}"]
    if not plain:
        made.post = (
            [f"{verb} {when}" for verb in verbs] * 4 + [f"that were {verb} {when}" for verb in verbs] + made.post[:1]
        )
        made.verb = [f"were {verb} {when}" for verb in verbs] * 4 + made.verb
        if column.bare and operation != "not equal":
            made.post += [when]
    return made


def _span(scene: Scene, column: Column, text: str, other: str, plain: bool) -> Condition | None:
    """Between two times."""
    one, two = sorted((time_of(text), time_of(other)), key=lambda period: period.first)
    if one.first == two.first or one.last >= two.last:
        return None
    span = scene.pick((f"between {one.text} and {two.text}",) * 2 + (f"from {one.text} to {two.text}",))
    made = _spanned(Condition([Step("at least", column.name, one), Step("at most", column.name, two)]),
                    said(scene, column, plain), span)  # fmt: skip
    made.post = [*made.post, *(f"{verb} {span}" for verb in column.source.past)]
    made.verb = [*made.verb, *(f"were {verb} {span}" for verb in column.source.past)]
    return made
