"""Conditions on rows: what they select, and the ways to say so."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from neural_programmer.link import time_of
from neural_programmer.program import Step
from neural_programmer.tasks.english.phrases import forms
from neural_programmer.tasks.english.speech import mistyped, number_said, plural, third, time_said, with_article
from neural_programmer.tasks.english.tables import Column, Scene

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
    "at least": "since|from|on or after|not before|no earlier than|as of|since".split("|"),
    "at most": "until|up to|on or before|by|no later than|not after|by the end of".split("|"),
    "equal": ["in"],
    "not equal": ["not in", "outside"],
}
COMPARISONS = ("greater",) * 4 + ("lesser",) * 4 + ("at least",) * 2 + ("at most", "at most", "equal", "not equal")
WITHIN = ("in ", "at ", "on ", "from ")  # what makes sense with "not", "outside", "neither"


@dataclass
class Condition:
    """Steps that select rows, and how to say it in each place of a sentence."""

    steps: list[Step]
    clause: Sequence[str] = ()  # after "where": "price is over 5"
    post: Sequence[str] = ()  # after the things: "costing over 5"
    verb: Sequence[str] = ()  # after "which things": "cost over 5"
    pre: Sequence[str] = ()  # before the things: "blue"
    noun: Sequence[str] = ()  # instead of the things: "thrillers"
    either: bool = False  # the two steps are joined by or
    columns: set[str | None] = field(init=False)

    def __post_init__(self) -> None:
        self.columns = {step.column for step in self.steps}


def draw(scene: Scene, plain: bool) -> Condition | None:
    """A condition on some column."""
    roll = scene.random.random()
    kind = "text" if roll < 0.4 else "number" if roll < 0.7 else "date" if roll < 0.86 else "truth"
    found = scene.of(kind)
    if not found:
        return None
    column = scene.pick(found)
    if kind == "text":
        return text_condition(scene, column, plain)
    if kind == "number":
        return number_condition(scene, column, plain)
    return date_condition(scene, column, plain) if kind == "date" else truth_condition(scene, column, plain)


def said(scene: Scene, column: Column, plain: bool = True) -> str:
    """A column as people call it: by its name, by a part or another word for it, with a slip."""
    roll = scene.random.random()
    if roll < 0.04:
        return column.name
    if roll < 0.06:
        return mistyped(column.said, scene.random)
    if not plain and roll < 0.14:
        other = scene.pick(column.source.names).split("~")[-1]
        if not set(other.split()) & scene.taken:
            return other
    return column.said


# ---- texts -----------------------------------------------------------------------------------------------------------


def value_said(scene: Scene, cell: str) -> str:
    """A cell as people write it."""
    roll = scene.random.random()
    if roll < 0.03 and len(cell) >= 7 and cell.replace(" ", "").isalpha():
        return mistyped(cell, scene.random)
    return cell if roll < 0.55 else cell.lower() if roll < 0.95 else cell.title()


def text_condition(scene: Scene, column: Column, plain: bool) -> Condition | None:
    cells = scene.cells(column)
    if not cells:
        return None
    cell = scene.pick(cells)
    roll = scene.random.random()
    if len(cells) > 1 and roll < 0.13:
        return _pair(scene, column, cell, scene.pick([other for other in cells if other != cell]), plain)
    if roll < 0.26:
        return _other(scene, column, cell, plain)
    return _match(scene, column, cell, value_said(scene, cell), plain)


def _match(scene: Scene, column: Column, cell: str, value: str, plain: bool) -> Condition:
    """The rows with a text."""
    name, source = said(scene, column, plain), column.source
    post, verb = forms("match post", name=name, value=value), forms("match verb", name=name, value=value)
    made = Condition([Step("text match", column.name, (cell,))], forms("match clause", name=name, value=value))
    made.post, made.verb = post, verb
    if plain:
        return made
    ways = [way.format(value) for way in source.ways]
    verbs = [verb.format(value) for verb in source.verbs]
    alone = cell.casefold() not in scene.shared
    if ways or verbs:
        made.post = ways * 3 + [f"that {each}" for each in verbs] + [scene.pick(post)]
        places = [f"are {way}" for way in ways if not way.startswith(("with ", "of ", "for ", "by ", "the "))]
        made.verb = verbs * 3 + places + verb[:1]
    elif alone and "pre" not in source.flags and "noun" not in source.flags:
        made.post = [f"of {value}", f"for {value}", *post[:3]]
    if alone and scene.chance(0.15):
        made.post = [*made.post, f"in the {value} {name}", f"({value})"]
    if "pre" in source.flags and alone:
        made.pre = [value]
        made.verb = [f"are {value}"] * 3 + list(made.verb[:1])
        made.post = [*made.post, f"that are {value}", f"which are {value}"]
    if "noun" in source.flags and alone:
        made.noun = [plural(value)]
        made.verb = [f"are {plural(value)}"] * 3 + list(made.verb[:1])
    return made


def _pair(scene: Scene, column: Column, one: str, two: str, plain: bool) -> Condition:
    """The rows with one of two texts."""
    a, b = value_said(scene, one), value_said(scene, two)
    made = _match(scene, column, one, f"{a} or {b}", plain)
    made.steps = [Step("text match", column.name, (one,)), Step("text match", column.name, (two,))]
    made.either = True
    made.clause = forms("pair clause", name=column.said, value=a, other=b)
    if made.noun:
        made.noun = [f"{plural(a)} or {plural(b)}", f"{plural(a)} and {plural(b)}"]
    if made.pre:
        made.pre = [f"{a} or {b}", f"{a} and {b}"]
    if scene.chance(0.2):
        made.post = [form.replace(f" {a} or", f" either {a} or") if " the " not in form else form for form in made.post]
    return made


def _other(scene: Scene, column: Column, cell: str, plain: bool) -> Condition:
    """The rows with another text, or with neither of two."""
    value, source = value_said(scene, cell), column.source
    fields = {"name": said(scene, column, plain), "value": value}
    fields["a_name"] = with_article(fields["name"])
    steps = [Step("text other", column.name, (cell,))]
    cells = [other for other in scene.cells(column) if other != cell]
    alone = not plain and cell.casefold() not in scene.shared
    ways = [way for way in source.ways if way.startswith(WITHIN)] if alone else []
    if cells and scene.chance(0.3):
        second = scene.pick(cells)
        fields["other"] = value_said(scene, second)
        neither = f"neither {value} nor {fields['other']}"
        steps.append(Step("text other", column.name, (second,)))
        made = Condition(steps, forms("neither clause", **fields), forms("neither post", **fields))
        made.verb = [f"have {neither} as {fields['name']}"]
        if alone:
            made.post = [*made.post, *forms("neither free", **fields), *(way.format(neither) for way in ways)]
            made.verb = [f"are {neither}", f"are {neither}", *made.verb]
        return made
    made = Condition(
        steps, forms("other clause", **fields), forms("other post", **fields), forms("other verb", **fields)
    )
    if alone:
        verbs = [verb.format(value) for verb in source.verbs]
        not_so = [f"not {way.format(value)}" for way in ways]
        outside = [f"outside {value}", f"outside of {value}"] if any(way.startswith("in ") for way in ways) else []
        made.post = [*made.post[:3], *not_so, *not_so, *forms("other free", **fields), *outside]
        made.post += [f"that don't {verb}" for verb in verbs] + [f"that are {way}" for way in not_so[:2]]
        made.verb = [*made.verb, *(f"do not {verb}" for verb in verbs), *(f"don't {verb}" for verb in verbs)]
        made.verb += [f"are {way}" for way in not_so]
        if "pre" in source.flags:
            made.pre = [f"non {value}"]
            made.verb += [f"are not {value}", f"aren't {value}"]
            made.post += [f"that are not {value}", f"that aren't {value}"]
    return made


# ---- numbers ---------------------------------------------------------------------------------------------------------


def near(scene: Scene, column: Column) -> float | None:
    """A number that divides the rows of the first table: one of its cells, or a rounder one near it."""
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
    if "count" in source.flags and name.endswith("s"):
        ending = {"at least": "or more", "at most": "or fewer"}.get(operation, "") if kind == "ended" else ""
        few = "fewer than" if operation == "lesser" and scene.chance(0.5) else spoken
        bare = f"{_written(scene, column, value, unit=False)} {ending}"
        made.post = [*made.post[:3], *forms("several post", few=few, number=bare, names=name)]
        made.verb = [*made.verb[:1], *forms("several verb", few=few, number=bare, names=name)]
    if plain or operation == "not equal" or "year" in source.flags:
        return made
    amount = f"{spoken} {number}"
    ways = [way.format(amount) for way in source.ways]
    verbs = [verb.format(amount) for verb in source.verbs]
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
            ways += ["{}", *(f"{past} {{}}" for past in source.past)]
        made.post = [*made.post, *(way.format(amount) for way in ways), *(way.format(amount) for way in ways)]
        made.verb = [*made.verb, *(verb.format(amount) for verb in source.verbs)]
    return made


def _spanned(made: Condition, name: str, amount: str) -> Condition:
    fields = {"name": name, "a_name": with_article(name), "amount": amount}
    made.clause, made.post, made.verb = (forms(f"span {place}", **fields) for place in ("clause", "post", "verb"))
    return made


def _both(scene: Scene, one: Column, two: Column, value: float) -> Condition:
    """The same bound on two columns."""
    operation = scene.pick(("at least", "greater", "at most", "lesser"))
    fields = {"name": said(scene, one), "other": said(scene, two), "way": scene.pick(COMPARED[operation])}
    fields["number"] = number_said(value, scene.random)
    places = (forms(f"both {place}", **fields) for place in ("clause", "post", "verb"))
    return Condition([Step(operation, one.name, value), Step(operation, two.name, value)], *places)


# ---- times -----------------------------------------------------------------------------------------------------------


def _year(scene: Scene, column: Column, value: float, plain: bool) -> Condition:
    """A year in a column of numbers."""
    operation = scene.pick(("greater", "lesser", "equal", "equal", "equal", "at least", "at most", "not equal"))
    name, number, past = said(scene, column, plain), str(int(value)), column.source.past
    way = scene.pick(TIMES[operation])
    way = {"on or after": "from", "as of": "since", "on or before": "up to", "by the end of": "until"}.get(way, way)
    when = f"{way} {scene.pick(('', '', '', 'the year '))}{number}"
    made = Condition([Step(operation, column.name, value)])
    made.clause = [f"{name} is {scene.pick(COMPARED[operation])} {number}", f"{name} is {when}"]
    made.verb = [f"were {verb} {when}" for verb in past] or [f"have {with_article(name)} {when}"]
    ways = [when, when]
    if operation == "equal":
        made.clause = [f"{name} is {number}", f"{name} = {number}", f"{name} {number}", f"the {name} is {number}"]
        ways += [f"from {number}", f"of {number}"]
        made.pre = [number] if not plain else []
    elif operation == "at least":
        ways += [f"from {number} on", f"from {number} onwards"]
    made.post = [*ways, *(f"{verb} {when}" for verb in past), *(f"{verb} {when}" for verb in past)]
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
    name, past = said(scene, column, plain), column.source.past
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
            [f"{verb} {when}" for verb in past] * 4 + [f"that were {verb} {when}" for verb in past] + made.post[:1]
        )
        made.verb = [f"were {verb} {when}" for verb in past] * 4 + made.verb
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
    made.post = [*made.post, *(f"{past} {span}" for past in column.source.past)]
    made.verb = [*made.verb, *(f"were {past} {span}" for past in column.source.past)]
    return made


# ---- truths ----------------------------------------------------------------------------------------------------------


def truth_condition(scene: Scene, column: Column, plain: bool) -> Condition:
    name, flags, roll = column.said, column.source.flags, scene.random.random()
    yes, match = scene.pick(("yes", "true", "yes")), Step("text match", column.name, ("true",))
    if roll < 0.15:
        no = scene.pick(("no", "false"))
        return Condition([Step("text match", column.name, ("false",))], [f"{name} is {no}", f"{name} = {no}"],
                         [f"with {name} {no}", f"where {name} is {no}"], [f"have {name} {no}"])  # fmt: skip
    if roll < 0.65:
        made = Condition([match], [f"{name} is {yes}", f"{name} = {yes}", f"{name}"], [f"with {name} {yes}"])
        made.verb = [f"have {name} {yes}"]
        if plain:
            return made
        if "noun" in flags:
            made.post = [f"with {with_article(name)}", f"with {name}", f"that have {with_article(name)}"]
            made.verb = [f"have {with_article(name)}", f"come with {with_article(name)}"]
        elif "noun-" in flags:
            made.post, made.verb, made.noun = [f"that are {plural(name)}"], [f"are {plural(name)}"], [plural(name)]
        elif "pre" in flags:
            made.post, made.verb, made.pre = [f"that are {name}", f"which are {name}"], [f"are {name}"], [name]
        made.post = [*made.post, *(way for way in column.source.ways if name in way)]
        return made
    made = Condition([Step("text other", column.name, ("true",))], [f"{name} is not true", f"not {name}"])
    made.post, made.verb = [f"without {name}", f"that are not {name}"], [f"are not {name}", f"aren't {name}"]
    if "noun" in flags:
        made.post = [f"without {with_article(name)}", f"without {name}", f"that have no {name}", f"with no {name}"]
        made.verb = [f"have no {name}", f"don't have {with_article(name)}"]
    elif "noun-" in flags:
        made.post, made.verb = [f"that are not {plural(name)}", f"except {plural(name)}"], [f"are not {plural(name)}"]
    elif "pre" in flags:
        made.post = [f"that are not {name}", f"that aren't {name}", f"not {name}", f"not {name} yet"]
    return made


def singular(verb: str) -> str:
    """What is said of one instead of several."""
    for start in ("don't ", "do not "):
        if verb.startswith(start):
            return start.replace("do", "does", 1) + verb.removeprefix(start)
    return verb.replace("aren't ", "isn't ", 1) if verb.startswith("aren't ") else third(verb)
