"""Draw conditions on what cells say: a text, one of two, another one; yes and no."""

from neural_programmer.data.english.conditions import Condition, said
from neural_programmer.data.english.phrases import forms
from neural_programmer.data.english.speech import mistyped, plural, with_article
from neural_programmer.data.english.tables import Column, Scene
from neural_programmer.programs.program import Step

WITHIN = ("in ", "at ", "on ", "from ")  # what makes sense with "not", "outside", "neither"


def value_said(scene: Scene, cell: str) -> str:
    """Return a cell as people write it."""
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
    """Return the rows with a text."""
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
        made.post = [*made.post, f"in the {value} {name}", f"({value})", f"with {value} {name}", f"in {name} {value}"]
    if "pre" in source.flags and alone:
        made.pre = [value]
        made.verb = [f"are {value}"] * 3 + list(made.verb[:1])
        made.post = [*made.post, f"that are {value}", f"which are {value}"]
    if "noun" in source.flags and alone:
        made.noun = [plural(value)]
        made.verb = [f"are {plural(value)}"] * 3 + list(made.verb[:1])
    return made


def _pair(scene: Scene, column: Column, one: str, two: str, plain: bool) -> Condition:
    """Return the rows with one of two texts."""
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
    """Return the rows with another text, or with neither of two."""
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
            made.pre = [f"non {value}", f"non-{value}"]
            made.verb += [f"are not {value}", f"aren't {value}"]
            made.post += [f"that are not {value}", f"that aren't {value}"]
    return made


def other_name(scene: Scene, column: Column) -> Condition | None:
    """Return all rows but one that is named."""
    cells = scene.cells(column)
    if not cells:
        return None
    cell = scene.pick(cells)
    fields = {"name": column.said, "value": value_said(scene, cell)}
    steps = [Step("text other", column.name, (cell,))]
    return Condition(
        steps, forms("other clause", **fields), [*forms("other free", **fields), f"besides {fields['value']}"]
    )


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
        if " " not in name:
            made.pre = [f"un{name}", f"non-{name}"]
    return made
