"""Draw questions that a table does not answer, as similar as possible to those that it answers."""

from neural_programmer.data.english.conditions import said
from neural_programmer.data.english.lexicon import Source
from neural_programmer.data.english.phrases import Field, filled, phrases
from neural_programmer.data.english.rows import draw_rows, unmarked
from neural_programmer.data.english.speech import number_said, plural
from neural_programmer.data.english.tables import Column, Scene
from neural_programmer.data.english.texts import value_said

VAGUE = frozenset("biggest|largest|smallest|best|worst|strongest|weakest|most popular|least popular".split("|"))
TIMELY = frozenset("oldest|newest|youngest|latest|earliest|most recent|first|last".split("|"))


def decline(scene: Scene) -> str | None:
    """Return a question without an answer."""
    roll = scene.random.random()
    if roll < 0.06:
        section = "chat"
    elif roll < 0.24:
        section = "opinion"
    elif roll < 0.5:
        section = "beyond"
    elif roll < 0.64:
        return _deed(scene)
    elif roll < 0.84:
        return _missing(scene)
    else:
        return _absent(scene)
    return about(scene, section)


def about(scene: Scene, section: str, **given: Field) -> str | None:
    """Return a form of a section, with the things, columns and cells of a scene in its places."""
    form = scene.pick(phrases()[section])
    numbers, texts = scene.of("number"), scene.of("text")
    named = scene.name if scene.name and scene.chance(0.6) and "{k}" not in form else None
    column = named or (scene.pick(texts) if texts else scene.name)
    rows = draw_rows(scene, scene.chance(0.3), least=1, most=2)
    if (
        column is None
        or not rows.conditions
        or len(cells := scene.cells(column)) < 2
        or len(numbers) < form.count("{d}") + 1
    ):
        return None
    one, *others = scene.random.sample(numbers, len(numbers))
    v, w = scene.random.sample(cells, 2)
    group = column.said if column.kind == "text" else scene.pick(texts).said if texts else column.said
    fields: dict[str, Field] = {
        "t": scene.things, "o": scene.thing, "c": lambda: said(scene, one), "d": lambda: said(scene, others[0]),
        "k": group, "ks": plural(group), "v": value_said(scene, v), "w": value_said(scene, w),
        "n": scene.name.said if scene.name else scene.thing, "y": str(scene.random.randint(2026, 2040)),
        "i": lambda: _amount(scene, one), "p": rows.phrase, "s": lambda: rows.phrase(one=True), "a": rows.where,
    }  # fmt: skip
    return unmarked(filled(form, **(fields | given)))


def _amount(scene: Scene, column: Column) -> str:
    small = scene.pick((2, 3, 3, 4, 5, 5, 10, 20, 50, 100))
    return number_said(float(small), scene.random, column.source.unit if scene.chance(0.2) else ())


def _missing(scene: Scene) -> str | None:
    """About what no column holds."""
    domain = scene.domain
    if domain.odd and scene.chance(0.3) and scene.name and scene.cells(scene.name):
        return scene.pick(domain.odd).format(value_said(scene, scene.pick(scene.cells(scene.name))))
    present = set(scene.columns)
    left_out = [source for source in domain.columns if source.kind in ("number", "text") and
                not any(column.source is source for column in present)]  # fmt: skip
    if left_out and scene.chance(0.35):
        return _implied(scene, scene.pick(left_out))
    if left_out and scene.chance(0.35):
        what = scene.pick(left_out).names[0].split("~")[-1]
    else:
        what = scene.pick(domain.missing if domain.missing and scene.chance(0.65) else phrases()["elsewhere"])
    words = set(what.split())
    claims = {word for column in scene.columns for claim in column.source.claims for word in claim.split()}
    if words & (scene.taken | claims | {plural(word) for word in scene.taken}):
        return None
    return about(scene, "missing", m=what)


def _deed(scene: Scene) -> str | None:
    """About what nobody wrote down: who did it, how many did, when it was done."""
    done, bare = scene.pick(phrases()["deeds"]).split("=")
    claims = " ".join(claim for column in scene.columns for claim in column.source.claims)
    cells = " ".join(part for column in scene.columns for part in column.pool if isinstance(part, str))
    if any(word in f"{claims} {cells}".casefold() for word in (done.split(" ")[0][:4], bare[:4])):
        return None
    missing = scene.pick(phrases()["elsewhere"])
    if set(missing.split()) & scene.taken:
        return None
    return about(scene, "deed", e=done, b=bare, u=scene.pick(phrases()["doers"]), m=missing)


def _implied(scene: Scene, source: Source) -> str | None:
    """About a column that this table does not have, without naming it: which is the heaviest."""
    claims = {claim for column in scene.columns for claim in column.source.claims}
    rows = draw_rows(scene, False, most=1)
    one = rows.phrase(one=True)
    cells = scene.cells(scene.name) if scene.name else []
    forms = [
        ask.format(value_said(scene, scene.pick(cells)) if cells else f"the {one}")
        for ask in source.ask
        if ask not in claims
    ]
    forms += [ask.format(f"the {one}") for ask in source.ask if ask not in claims]
    timed = any(column.kind == "date" or "year" in column.source.flags for column in scene.columns)
    for adjective in (*source.most, *source.least):
        if adjective not in claims and adjective not in VAGUE and not (timed and adjective in TIMELY):
            forms += [f"which {one} is the {adjective}", f"{adjective} {one}", f"what is the {adjective} {one}"]
    if source.kind == "number":
        number = number_said(float(round(source.high / 2)), scene.random, source.unit)
        amount = f"{scene.pick(('over', 'under', 'more than', 'at least'))} {number}"
        things = rows.phrase()
        for verb in (verb for verb in source.verbs if verb not in claims):
            forms += [f"which {things} {verb.format(amount)}", f"how many {things} {verb.format(amount)}"]
        for way in (way for way in source.ways if way not in claims):
            forms += [f"{things} {way.format(amount)}", f"number of {things} {way.format(amount)}"]
    return unmarked(scene.pick(forms)) if forms else None


def _absent(scene: Scene) -> str | None:
    """About what no cell says."""
    found = [column for column in scene.of("name", "id", "text") if column.absent]
    if not found:
        return None
    column = scene.pick(found)
    cell = scene.pick(column.absent)
    words = {part for text in scene.columns for part in text.pool}
    if cell in words or set(cell.casefold().split()) & scene.taken:
        return None
    value = cell if scene.chance(0.6) else cell.lower()
    if column.kind != "text":
        return about(scene, "absent", x=value)
    way = scene.pick(column.source.ways or ("with {}",)).format(value)
    return about(scene, "absent group", x=value, f=way, k=column.said)
