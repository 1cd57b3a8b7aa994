"""Draw the rows that a question is about: their conditions, and the words for them."""

import re

from neural_programmer.data.english.amounts import date_condition, number_condition
from neural_programmer.data.english.conditions import Condition, singular
from neural_programmer.data.english.speech import one_of
from neural_programmer.data.english.tables import Scene
from neural_programmer.data.english.texts import other_name, text_condition, truth_condition
from neural_programmer.programs.program import Step

MOST_CONDITIONS = 4  # steps with an argument
MARKS = "\ue000\ue001\ue002\ue003"  # stand before each condition in the text, to see their order
ANYTHING = (("ones", "one"), ("entries", "entry"), ("records", "record"), ("rows", "row"), ("items", "item"))
HARMLESS = "registered|listed|existing|known|current|individual|recorded|various|single".split("|")  # says nothing
CLAUSES = ("that ", "who ", "which ", "whose ", "where ", "having ")  # these stand after other phrases
ODD = ("except", "excluding", "other than", "apart", "not ", "outside", "but not", "besides", "non ")  # not after "or"
WHERE = ("where",) * 8 + ("with", "with", "for which", "when", "having", "if", "whose", "such that", "")
COUNTS = (0, 1, 1, 1, 1, 1, 2, 2, 2, 3)
IS = re.compile(r" (?:is|was|are|equals) ")


class Rows:
    """Conditions in the places of a sentence that they were given."""

    def __init__(self, scene: Scene, conditions: list[Condition], either: bool = False, plain: bool = False) -> None:
        self.scene, self.conditions, self.either, self.plain = scene, conditions, either, plain
        self.places: list[str] = []
        for condition in conditions:
            places = ["post"]
            if not either:
                places += ["pre"] * 2 if condition.pre and self.places.count("pre") < 2 else []
                places += ["noun"] * 2 if condition.noun and "noun" not in self.places else []
            self.places.append(scene.pick(places))

    @property
    def after_only(self) -> bool:
        """Whether all conditions stand after the things."""
        return set(self.places) <= {"post"}

    def asks_about(self, column: str) -> bool:
        """Return whether a condition says which cells of this column; that it is another one leaves the question
        open."""
        steps = (step for condition in self.conditions for step in condition.steps)
        return any(step.column == column and step.operation != "text other" for step in steps)

    def where(self) -> str:
        """Return all conditions as one clause."""
        if not self.conditions:
            return ""
        scene, start = self.scene, self.scene.pick(WHERE)
        clauses = [scene.pick(condition.clause) for condition in self.conditions]
        if start in ("with", "having", ""):
            clauses = [IS.sub(" ", clause, count=1) for clause in clauses]
        if start not in ("when", "if") and not all(" " in clause for clause in clauses):
            start = "where"  # where paid
        start = "where" if start == "whose" and (len(clauses) > 1 or clauses[0].startswith("the ")) else start
        clauses = [MARKS[number] + clause for number, clause in enumerate(clauses)]
        joint = " or " if self.either else scene.pick((" and ",) * 5 + (", ",))
        if self.either and scene.chance(0.4):
            clauses[0] = f"either {clauses[0]}"
        return f"{start} {joint.join(clauses)}"

    def phrase(self, one: bool = False) -> str:
        """Return the things with all conditions around them."""
        scene = self.scene
        if self.plain and scene.chance(0.6):
            return f"{self.things(one)} {self.where()}"
        noun = next((self._said(n, "noun") for n, place in enumerate(self.places) if place == "noun"), None)
        pre = [self._said(n, "pre") for n, place in enumerate(self.places) if place == "pre"]
        scene.random.shuffle(pre)
        if noun is None:
            noun = self.things(one)
        elif one:
            noun = one_of(noun)
        return f"{scene.pick((' ', ' ', ', ')).join(pre)} {noun} {self.after(one)}"

    def after(self, one: bool = False) -> str:
        """Return the conditions that stand after the things."""
        scene = self.scene
        post = [self._said(n, "post", one) for n, place in enumerate(self.places) if place == "post"]
        if self.either:
            return ("either " if scene.chance(0.3) else "") + " or ".join(post)
        post.sort(key=lambda text: text[1:].startswith(CLAUSES))
        return scene.pick((" ", " ", " and ", ", ")).join(post)

    def _said(self, number: int, place: str, one: bool = False) -> str:
        options = getattr(self.conditions[number], place)
        if self.either:
            options = [form for form in options if not form.startswith(ODD)] or options
        form = self.scene.pick(options)
        if form.startswith("that "):
            verb = singular(form.removeprefix("that ")) if one else form.removeprefix("that ")
            form = f"{'who' if self.scene.domain.who and self.scene.chance(0.7) else 'that'} {verb}"
        return MARKS[number] + form

    def things(self, one: bool = False) -> str:
        scene = self.scene
        many, single = (scene.things, scene.thing) if scene.chance(0.85) else scene.pick(scene.domain.things)
        if scene.chance(0.06):
            many, single = scene.pick(ANYTHING)
        if scene.chance(0.05):
            many, single = (f"{scene.pick(HARMLESS)} {word}" for word in (many, single))
        return single if one else many

    def split(self) -> tuple["Rows", str, str] | None:
        """Return all conditions but the last, and that one as what is said of several and of one."""
        last = len(self.conditions) - 1
        if self.either or last < 0 or not self.conditions[last].verb:
            return None
        verb = self.scene.pick(self.conditions[last].verb)
        return Rows(self.scene, self.conditions[:last]), MARKS[last] + verb, MARKS[last] + singular(verb)

    def steps(self, text: str) -> list[Step]:
        """Return the steps that select the rows, in the text's order; a pair with or comes first."""
        ordered = sorted(
            zip(MARKS, self.conditions, strict=False), key=lambda each: (not each[1].either, text.find(each[0]))
        )
        joined = "or" if self.either or (ordered and ordered[0][1].either) else "and"
        steps: list[Step] = []
        for place, step in enumerate(step for _, condition in ordered for step in condition.steps):
            steps += [step, Step(joined if place == 1 else "and")] if place else [step]
        return steps


def unmarked(text: str) -> str:
    """Return the text without the marks of its conditions."""
    for mark in MARKS:
        text = text.replace(mark, "")
    return " ".join(text.split())


def draw_rows(scene: Scene, plain: bool, least: int = 0, most: int = 3, counts: tuple[int, ...] = COUNTS) -> Rows:
    """Conditions on different columns; sometimes two of them joined by or."""
    wanted = min(max(scene.pick(counts), least), most)
    found: list[Condition] = []
    for _ in range(4 * wanted):
        one = _draw(scene, plain) if len(found) < wanted else None
        if one is None or sum(len(each.steps) for each in (*found, one)) > min(MOST_CONDITIONS, most + 1):
            continue
        if not any(one.columns & each.columns or (one.either and each.either) for each in found):
            found.append(one)
    single = len(found) == 2 and all(len(each.steps) == 1 for each in found)
    return Rows(scene, found, single and scene.chance(0.22), plain)


def _draw(scene: Scene, plain: bool) -> Condition | None:
    """Return a condition on some column."""
    roll = scene.random.random()
    if scene.name is not None and scene.chance(0.03):
        return other_name(scene, scene.name)
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
