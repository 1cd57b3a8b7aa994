"""Conditions on rows: what they select, and the ways to say so."""

from dataclasses import dataclass, field

import numpy as np

from neural_programmer.link import time_of
from neural_programmer.program import Step
from neural_programmer.tasks.english.speech import mistyped, number_said, plural, third, time_said, with_article
from neural_programmer.tasks.english.tables import Column, Scene

GREATER = "greater than|more than|over|above|larger than|higher than|exceeding|in excess of|beyond|>|bigger than".split(
    "|"
)
LESSER = "less than|under|below|smaller than|lower than|<|beneath|short of".split("|")
AT_LEAST = "at least|no less than|not less than|a minimum of|not below|>=|greater than or equal to|not under".split("|")
AT_MOST = "at most|no more than|not more than|a maximum of|up to|not above|<=|less than or equal to|not over".split("|")
EQUAL = "exactly|equal to|precisely|=|of".split("|")
NOT_EQUAL = "not equal to|other than|different from|not exactly|!=|anything but|not".split("|")
COMPARED = {"greater": GREATER, "lesser": LESSER, "at least": AT_LEAST, "at most": AT_MOST, "equal": EQUAL,
            "not equal": NOT_EQUAL}  # fmt: skip
FREELY = {  # what stands between a verb and a number: "cost over 5"
    "greater": ["over", "more than", "above", "more than", "over", "north of"],
    "lesser": ["under", "less than", "below", "less than"],
    "at least": ["at least", "no less than", "a minimum of"],
    "at most": ["at most", "no more than", "up to", "a maximum of", "not more than"],
    "equal": ["exactly", "", "precisely"],
    "not equal": ["other than", "anything but"],
}
TIMES = {
    "greater": ["after", "later than", "past"], "lesser": ["before", "earlier than", "prior to"],
    "at least": ["since", "from", "on or after", "not before", "no earlier than", "as of"],
    "at most": ["until", "up to", "on or before", "by", "no later than", "not after", "by the end of"],
    "equal": ["in"], "not equal": ["not in", "outside", "other than in"],
}  # fmt: skip


@dataclass
class Condition:
    """Steps that select rows, and how to say it in each place of a sentence."""

    steps: list[Step]
    clause: list[str] = field(default_factory=list)  # after "where": "price is over 5"
    post: list[str] = field(default_factory=list)  # after the things: "costing over 5"
    predicate: list[str] = field(default_factory=list)  # after "which things": "cost over 5"
    pre: list[str] = field(default_factory=list)  # before the things: "blue"
    noun: list[str] = field(default_factory=list)  # instead of the things: "thrillers"
    either: bool = False  # the two steps are joined by or
    value: str = ""  # the text that it is about, where it is one

    @property
    def columns(self) -> set[str | None]:
        return {step.column for step in self.steps}


def draw(scene: Scene, plain: bool, names: bool = False) -> Condition | None:
    """A condition on some column."""
    roll = scene.random.random()
    if names and scene.name is not None:
        return text_condition(scene, scene.name, plain)
    kind = "text" if roll < 0.45 else "number" if roll < 0.8 else "date" if roll < 0.9 else "truth"
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
    """A column as people call it."""
    if not plain and scene.chance(0.08):
        others = [name.split("~")[-1] for name in column.source.names]
        other = scene.pick(others)
        if not set(other.split()) & scene.taken:
            return other
    if scene.chance(0.04):
        return column.name
    if scene.chance(0.02):
        return mistyped(column.said, scene.random)
    return column.said


# ---- texts ------------------------------------------------------------------------------------------------------------


def value_said(scene: Scene, cell: str) -> str:
    """A cell as people write it."""
    roll = scene.random.random()
    if roll < 0.03 and len(cell) >= 7:
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
    if column.kind == "text" and roll < 0.27:
        return _other(scene, column, cell, plain)
    return match(scene, column, cell, value_said(scene, cell), plain)


def match(scene: Scene, column: Column, cell: str, value: str, plain: bool) -> Condition:
    """The rows with a text."""
    name, source = said(scene, column, plain), column.source
    made = Condition([Step("text match", column.name, (cell,))], value=value)
    made.clause = [f"{name} {scene.pick(('is', 'is', '=', 'equals', 'was', 'being', ''))} {value}"]
    made.post = [f"with {name} {value}", f"for {name} {value}", f"in {name} {value}", f"whose {name} is {value}",
                 f"where {name} is {value}", f"where the {name} is {value}", f"with {value} as {name}"]  # fmt: skip
    made.predicate = [f"have {name} {value}", f"have {value} as {name}"]
    if plain:
        return made
    free = [way.format(value) for way in source.ways]
    verbs = [verb.format(value) for verb in source.verbs]
    alone = value.casefold() not in scene.shared and cell.casefold() not in scene.shared
    if column.kind == "text" and alone and not free and "pre" not in source.flags:
        free = [f"of {value}", f"for {value}"]
    if alone and column.kind == "text":
        made.post += [f"in the {value} {name}", f"({value})"] if scene.chance(0.3) else []
    if free:
        made.post = free * 3 + scene.some(made.post, 1, 1) + [f"that {verb}" for verb in verbs]
        made.predicate = (
            verbs * 3
            + [f"are {way}" for way in free if not way.startswith(("with ", "of ", "for "))]
            + made.predicate[:1]
        )
    if "pre" in source.flags and alone:
        made.pre = [value]
        made.predicate = [f"are {value}"] * 4 + made.predicate[:1]
        made.post += [f"that are {value}", f"which are {value}"]
    if "noun" in source.flags and alone:
        made.noun = [value if value.endswith("s") else plural(value)]
        made.predicate = [f"are {made.noun[0]}"] * 3 + made.predicate
    if column.kind in ("name", "id"):
        made.post = [f"for {value}", f"of {value}"]
        made.predicate = []
    return made


def _pair(scene: Scene, column: Column, one: str, two: str, plain: bool) -> Condition:
    """The rows with one of two texts."""
    a, b = value_said(scene, one), value_said(scene, two)
    value = scene.pick((f"{a} or {b}", f"{a} or {b}", f"either {a} or {b}"))
    made = match(scene, column, one, value, plain)
    made.steps = [Step("text match", column.name, (one,)), Step("text match", column.name, (two,))]
    made.either = True
    if made.noun:
        made.noun = [scene.pick((f"{plural(a)} or {plural(b)}", f"{plural(a)} and {plural(b)}"))]
    if made.pre and not value.startswith("either"):
        made.pre = [scene.pick((f"{a} or {b}", f"{a} and {b}"))]
    name = column.said
    made.clause += [f"{name} is {a} or {name} is {b}", f"{name} in {a}, {b}", f"{name} is one of {a}, {b}"]
    return made


def _other(scene: Scene, column: Column, cell: str, plain: bool) -> Condition:
    """The rows with another text, or with neither of two."""
    value, name, source = value_said(scene, cell), said(scene, column, plain), column.source
    steps = [Step("text other", column.name, (cell,))]
    cells = [other for other in scene.cells(column) if other != cell]
    alone = not plain and value.casefold() not in scene.shared
    if cells and scene.chance(0.3):
        second = scene.pick(cells)
        other = value_said(scene, second)
        steps.append(Step("text other", column.name, (second,)))
        made = Condition(steps, [f"{name} is neither {value} nor {other}", f"{name} is not {value} and not {other}"])
        made.post = [f"whose {name} is neither {value} nor {other}", f"with {name} neither {value} nor {other}"]
        made.predicate = [f"have neither {value} nor {other} as {name}"]
        if alone:
            ways = [way for way in source.ways if way.count(" ") == 1]
            made.post += [scene.pick(ways).replace("{}", f"neither {value} nor {other}")] * 2 if ways else []
            made.post += [
                f"that are neither {value} nor {other}",
                f"except {value} and {other}",
                f"excluding {value} and {other}",
            ]
            made.predicate = [f"are neither {value} nor {other}"] * 2 + made.predicate
        return made
    no = scene.pick(
        ("is not", "isn't", "is other than", "!=", "is different from", "is anything but", "is not equal to")
    )
    made = Condition(steps, [f"{name} {no} {value}"])
    made.post = [f"whose {name} is not {value}", f"with a {name} other than {value}", f"where {name} isn't {value}",
                 f"with {name} other than {value}", f"that do not have {name} {value}", f"where {name} {no} {value}"]  # fmt: skip
    made.predicate = [f"don't have {name} {value}", f"have a {name} other than {value}"]
    if alone:
        ways = [way.format(value) for way in source.ways]
        made.post += [f"not {way}" for way in ways] * 2 + [f"which are not {way}" for way in ways[:1]]
        made.post += [f"that don't {verb.format(value)}" for verb in source.verbs]
        made.post += [
            f"other than {value}",
            f"except {value}",
            f"excluding {value}",
            f"that are not {value}",
            f"apart from {value}",
        ]
        made.post += (
            [f"outside {value}", f"outside of {value}"] if any(way.startswith("in ") for way in source.ways) else []
        )
        made.predicate += [f"do not {verb.format(value)}" for verb in source.verbs] * 2 + [
            f"don't {verb.format(value)}" for verb in source.verbs
        ]
        made.predicate += [f"are not {way}" for way in ways] or [f"are not {value}", f"aren't {value}"]
        made.pre = [f"non {value}"] if "pre" in source.flags else []
    return made


# ---- numbers ------------------------------------------------------------------------------------------------------------


def near(scene: Scene, column: Column) -> float | None:
    """A number that divides the rows of the first table: one of its cells, or a rounder one near it."""
    cells = scene.first.column(column.name)
    cells = cells[~np.isnan(cells)]
    if not len(cells):
        return None
    source, cell = column.source, float(scene.pick(cells))
    if "year" in source.flags or scene.chance(0.3) or not cell:
        return cell
    if abs(cell) < 10:
        return float(round(cell)) if scene.chance(0.5) else round(cell, source.decimals)
    digits = int(np.floor(np.log10(abs(cell))))
    return float(round(cell, -max(0, digits - (1 if scene.chance(0.6) else 0))))


def _written(scene: Scene, column: Column, value: float) -> str:
    source = column.source
    return number_said(value, scene.random, source.unit, "money" in source.flags, "year" in source.flags)


def number_condition(scene: Scene, column: Column, plain: bool) -> Condition | None:
    value = near(scene, column)
    if value is None:
        return None
    roll = scene.random.random()
    if roll < 0.14:
        return _between(scene, column, value, plain)
    others = [other for other in scene.of("number") if other is not column and "year" not in other.source.flags]
    if roll < 0.18 and others and "year" not in column.source.flags:
        return _both(scene, column, scene.pick(others), value, plain)
    if "year" in column.source.flags and (column.bare or plain):
        return _year(scene, column, value, plain)
    operation = scene.pick(
        ("greater",) * 4 + ("lesser",) * 4 + ("at least",) * 2 + ("at most", "at most", "equal", "not equal")
    )
    return _compared(scene, column, operation, value, plain)


def _compared(scene: Scene, column: Column, operation: str, value: float, plain: bool) -> Condition:
    name, source, number = said(scene, column, plain), column.source, _written(scene, column, value)
    way = scene.pick(COMPARED[operation])
    be = scene.pick(("is", "is", "was", "")) if way.isalpha() or " " in way else ""
    made = Condition([Step(operation, column.name, value)], [f"{name} {be} {way} {number}"])
    bare = number.split(" ")[0] if " " in number and source.unit else number
    spoken = scene.pick(FREELY[operation])
    if operation == "at least" and scene.chance(0.4):
        end = scene.pick(("or more", "or more", "or higher", "or above", "or over", "and up", "plus"))
        made.clause.append(f"{name} is {number} {end}")
        spoken, number = "", f"{number} {end}"
    elif operation == "at most" and scene.chance(0.4):
        end = scene.pick(("or less", "or less", "or lower", "or below", "or under", "or fewer", "and below"))
        made.clause.append(f"{name} is {number} {end}")
        spoken, number = "", f"{number} {end}"
    made.post = [f"with {name} {way} {number}", f"with {with_article(name)} {way} {number}", f"whose {name} is {way} {number}",
                 f"where {name} is {way} {number}", f"having {name} {way} {number}", f"with {name} {spoken} {number}"]  # fmt: skip
    made.predicate = [f"have {name} {spoken} {number}", f"have {with_article(name)} {way} {number}", f"have {name} {way} {number}",
                      f"have {with_article(name)} of {spoken} {number}"]  # fmt: skip
    if "count" in source.flags:
        few = "fewer than" if operation == "lesser" and scene.chance(0.5) else spoken
        made.post += [f"with {few} {bare} {name}", f"having {few} {bare} {name}", f"that have {few} {bare} {name}"] * 2
        made.predicate += [f"have {few} {bare} {name}"] * 3
    if plain:
        return made
    amount = f"{spoken} {number}"
    free = [form.format(amount) for form in source.ways if "year" not in source.flags]
    verbs = [verb.format(amount) for verb in source.verbs]
    if operation == "not equal":
        return made
    compared = {"greater": source.more, "lesser": source.less}.get(operation, ())
    if "year" not in source.flags:
        free += [f"{scene.pick(compared)} than {number}"] * 3 if compared else []
    verbs += [f"are {scene.pick(compared)} than {number}"] * 2 if compared else []
    if "bare" in source.flags and operation != "equal" and _only(scene, "bare"):
        free += [f"{spoken} {number}"]
    if free or verbs:
        made.post = free * 2 + [f"that {verb}" for verb in verbs] + scene.some(made.post, 1, 1)
        made.predicate = (
            verbs * 2
            + [f"are {form}" for form in free if form.startswith(scene.pick(("older", "aged")))]
            + made.predicate[:1]
        )
    return made


def _only(scene: Scene, flag: str) -> bool:
    return sum(flag in column.source.flags for column in scene.columns) == 1


def _between(scene: Scene, column: Column, value: float, plain: bool) -> Condition | None:
    other = near(scene, column)
    if other is None or other == value:
        return None
    name, source = said(scene, column, plain), column.source
    low, high = min(value, other), max(value, other)
    a, b = (
        number_said(low, scene.random, (), "money" in source.flags, "year" in source.flags),
        _written(scene, column, high),
    )
    strict = scene.chance(0.12)
    steps = [
        Step("greater" if strict else "at least", column.name, low),
        Step("lesser" if strict else "at most", column.name, high),
    ]
    forms = (
        [f"strictly between {a} and {b}"]
        if strict
        else [f"between {a} and {b}"] * 3 + [f"from {a} to {b}", f"in the range {a} to {b}"]
    )
    amount = scene.pick(forms)
    if strict and scene.chance(0.4):
        amount = f"above {a} and below {b}"
    elif not strict and scene.chance(0.12):
        amount = f"at least {a} and at most {b}"
    made = Condition(steps, [f"{name} {scene.pick(('is', '', 'is'))} {amount}"])
    made.post = [f"with {name} {amount}", f"whose {name} is {amount}", f"with {with_article(name)} {amount}"]
    made.predicate = [f"have {with_article(name)} {amount}", f"have {name} {amount}"]
    if not plain and ("year" not in source.flags or column.bare):
        free = ["{}"] if "year" in source.flags else source.ways
        made.post += [form.format(amount) for form in free] * 2 + [
            f"that {verb.format(amount)}" for verb in source.verbs
        ]
        made.predicate += [verb.format(amount) for verb in source.verbs] * 2
        if "bare" in source.flags and _only(scene, "bare"):
            made.post.append(amount)
    return made


def _both(scene: Scene, one: Column, two: Column, value: float, plain: bool) -> Condition:
    """The same bound on two columns."""
    operation = scene.pick(("at least", "greater", "at most", "lesser"))
    number = number_said(value, scene.random)
    way, a, b = scene.pick(COMPARED[operation]), said(scene, one), said(scene, two)
    steps = [Step(operation, one.name, value), Step(operation, two.name, value)]
    made = Condition(steps, [f"both {a} and {b} are {way} {number}", f"{a} and {b} are both {way} {number}"])
    made.post = [
        f"with both {a} and {b} {way} {number}",
        f"with {a} and {b} both {way} {number}",
        f"with {way} {number} in both {a} and {b}",
    ]
    made.predicate = [f"have both {a} and {b} {way} {number}", f"have {way} {number} in both {a} and {b}"]
    return made


# ---- times ------------------------------------------------------------------------------------------------------------


def _year(scene: Scene, column: Column, value: float, plain: bool) -> Condition:
    """A year in a column of numbers."""
    operation = scene.pick(("greater", "lesser", "equal", "equal", "equal", "at least", "at most", "not equal"))
    if plain and scene.chance(0.5):
        return _compared(scene, column, operation, value, plain)
    name, number = said(scene, column, plain), str(int(value))
    way = scene.pick(TIMES[operation])
    way = "from" if way in ("on or after", "as of") else "up to" if way in ("on or before", "by the end of") else way
    made = Condition([Step(operation, column.name, value)])
    the = scene.pick(("", "", "the year "))
    made.clause = [f"{name} is {scene.pick(COMPARED[operation])} {number}"]
    if operation == "equal":
        made.clause = [f"{name} is {number}", f"{name} = {number}", f"{name} {number}"]
    verbs = column.source.past
    made.post = [f"{way} {the}{number}", f"{way} {number}"]
    made.post += [f"from {number}", f"of {number}"] if operation == "equal" else []
    made.post += (
        [f"{number} and later", f"from {number} on", f"from {number} onwards"] if operation == "at least" else []
    )
    made.post += [f"{past} {way} {the}{number}" for past in verbs] * 3
    made.predicate = [f"were {past} {way} {the}{number}" for past in verbs] or [
        f"are from {number}" if operation == "equal" else f"are {way} {number}"
    ]
    made.predicate += [verb.format(f"{way} {number}") for verb in column.source.verbs] * 2
    made.pre = [number] if operation == "equal" and not plain and column.bare else []
    return made


def date_condition(scene: Scene, column: Column, plain: bool) -> Condition | None:
    cells = scene.first.column(column.name)
    cells = cells[~np.isnat(cells)]
    if not len(cells):
        return None
    text, unit = time_said(str(scene.pick(cells)), scene.random)
    name, past = said(scene, column, plain), column.source.past
    if scene.chance(0.1):
        return _span(scene, column, text, plain)
    operation = scene.pick(
        ("greater", "greater", "lesser", "lesser", "equal", "equal", "at least", "at most", "not equal")
    )
    if operation == "not equal" and unit == "day":
        operation = "equal"
    way = scene.pick(TIMES[operation])
    if operation == "equal":
        way = "on" if unit == "day" else scene.pick(("in", "in", "during"))
    elif unit != "day" and way in ("on or before", "on or after"):
        way = "by" if way == "on or before" else "since"
    elif unit == "day" and way == "by the end of":
        way = "by"
    the = "the year " if unit == "year" and scene.chance(0.15) else ""
    when = f"{way} {the}{text}"
    made = Condition(
        [Step(operation, column.name, time_of(text))], [f"{name} {scene.pick(('is', 'is', 'was', ''))} {when}"]
    )
    made.post = [f"with {name} {when}", f"whose {name} is {when}", f"with {with_article(name)} {when}"]
    made.predicate = [f"have {with_article(name)} {when}"]
    if operation == "equal" and unit == "day":
        made.clause += [f"{name} is {text}", f"{name} = {text}"]
    if not plain:
        made.post = (
            [f"{verb} {when}" for verb in past] * 4 + [f"that were {verb} {when}" for verb in past] + made.post[:1]
        )
        made.predicate = [f"were {verb} {when}" for verb in past] * 4 + made.predicate
        if column.bare and operation != "not equal":
            made.post += [when]
    return made


def _span(scene: Scene, column: Column, text: str, plain: bool) -> Condition | None:
    """Between two times."""
    cells = scene.first.column(column.name)
    other, _ = time_said(str(scene.pick(cells[~np.isnat(cells)])), scene.random)
    one, two = sorted((time_of(text), time_of(other)), key=lambda period: period.first)
    if one.first == two.first:
        return None
    steps = [Step("at least", column.name, one), Step("at most", column.name, two)]
    span = scene.pick(
        (f"between {one.text} and {two.text}", f"from {one.text} to {two.text}", f"between {one.text} and {two.text}")
    )
    name = said(scene, column, plain)
    made = Condition(
        steps, [f"{name} is {span}", f"{name} {span}"], [f"with {name} {span}"], [f"have {with_article(name)} {span}"]
    )
    made.post += [f"{past} {span}" for past in column.source.past] * 3
    made.predicate += [f"were {past} {span}" for past in column.source.past] * 3
    return made


# ---- truths -----------------------------------------------------------------------------------------------------------


def truth_condition(scene: Scene, column: Column, plain: bool) -> Condition:
    name, flags = column.said, column.source.flags
    where = f"{name} is"
    if scene.chance(0.6):
        made = Condition(
            [Step("text match", column.name, ("true",))],
            [f"{where} {scene.pick(('yes', 'true', 'yes'))}", f"{name} = yes"],
        )
        made.post = [f"with {name} yes", f"where {where} true"]
        made.predicate = [f"have {name} yes"]
        if plain:
            return made
        if "pre" in flags:
            made.pre, made.post, made.predicate = (
                [name],
                [f"that are {name}", f"which are {name}", name],
                [f"are {name}"],
            )
        elif "noun" in flags:
            made.post = [
                f"with {with_article(name)}",
                f"with {name}",
                f"that have {with_article(name)}",
                *column.source.ways,
            ]
            made.predicate = [f"have {with_article(name)}", f"come with {with_article(name)}"]
        elif "noun-" in flags:
            made.post, made.predicate, made.noun = [f"that are {plural(name)}"], [f"are {plural(name)}"], [plural(name)]
        elif "pre-" in flags:
            made.post, made.predicate = [f"that have {name}", f"that {name}"], [name, f"have {name}"]
        made.post += [way for way in column.source.ways if name in way] * 2
        return made
    if scene.chance(0.35):
        no = scene.pick(("no", "false"))
        return Condition([Step("text match", column.name, ("false",))], [f"{where} {no}", f"{name} = {no}"],
                         [f"with {name} {no}", f"where {where} {no}"], [f"have {name} {no}"])  # fmt: skip
    made = Condition([Step("text other", column.name, ("true",))], [f"{where} not true", f"{where} not yes"])
    made.post = [f"without {name}", f"that are not {name}"]
    made.predicate = [f"are not {name}", f"aren't {name}"]
    if "pre" in flags:
        made.post = [f"that are not {name}", f"that aren't {name}", f"not {name}", f"which are not {name}"]
    elif "noun" in flags:
        made.post = [
            f"without {with_article(name)}",
            f"without {name}",
            f"that have no {name}",
            f"with no {name}",
            f"that don't have {with_article(name)}",
        ]
        made.predicate = [f"have no {name}", f"don't have {with_article(name)}"]
    elif "noun-" in flags:
        made.post, made.predicate = (
            [f"that are not {plural(name)}", f"except the {plural(name)}"],
            [f"are not {plural(name)}"],
        )
    elif "pre-" in flags:
        made.post, made.predicate = (
            [f"that have not {name}", f"that are not {name}"],
            [f"have not {name}", f"are not {name}"],
        )
    made.clause += [f"not {name}"]
    return made


def singular(predicate: str) -> str:
    """What is said of one instead of several."""
    for start in ("don't ", "do not "):
        if predicate.startswith(start):
            return start.replace("do", "does", 1) + predicate.removeprefix(start)
    return predicate.replace("aren't ", "isn't ", 1) if predicate.startswith("aren't ") else third(predicate)
