"""The rows that a question is about: their conditions, and the words for them."""

from dataclasses import dataclass

from neural_programmer.program import Step
from neural_programmer.tasks.english.conditions import Condition, draw, singular
from neural_programmer.tasks.english.tables import Scene

MOST_CONDITIONS = 4  # steps with an argument
MARKS = "\ue000\ue001\ue002\ue003"  # stand before each condition in the text, to see their order
ANYTHING = (("ones", "one"), ("entries", "entry"), ("records", "record"), ("rows", "row"), ("items", "item"))
LAST = ("that ", "who ", "which ", "whose ", "where ", "having ")
WHERE = ("where", "where", "where", "with", "for which", "when", "having", "if", "whose", "such that")


@dataclass
class Rows:
    """Conditions in the places of a sentence that they were given."""

    scene: Scene
    conditions: list[Condition]
    either: bool = False  # two conditions joined by or
    plain: bool = False

    def __post_init__(self) -> None:
        self.places: list[str] = []
        scene, taken = self.scene, set()
        for condition in self.conditions:
            places = [place for place in ("pre", "noun", "post") if getattr(condition, place)]
            place = scene.pick(
                [p for p in places if p == "post" or not (self.either or (p in taken and p == "noun"))] or ["post"]
            )
            if place == "pre" and "pre" in taken and scene.chance(0.4):
                place = "post"
            taken.add(place)
            self.places.append(place)

    def _said(self, number: int, place: str) -> str:
        forms = getattr(self.conditions[number], place) or self.conditions[number].post
        return MARKS[number] + self.scene.pick(forms)

    def where(self) -> str:
        """All conditions as one clause."""
        scene = self.scene
        clauses = [MARKS[n] + scene.pick(condition.clause) for n, condition in enumerate(self.conditions)]
        if not clauses:
            return ""
        joint = (
            " or " if self.either else scene.pick((" and ", " and ", " and ", ", ")) if len(clauses) > 2 else " and "
        )
        start = scene.pick(WHERE)
        if start == "whose" and len(clauses) > 1:
            start = "where"
        both = f"either {clauses[0]}" if self.either and scene.chance(0.4) else clauses[0]
        return f"{start} {joint.join([both, *clauses[1:]])}"

    def phrase(self, one: bool = False, article: bool = False, things: bool = True) -> str:
        """The things with all conditions around them."""
        scene = self.scene
        if self.plain and scene.chance(0.6):
            what = self._things(one)
            return f"{what} {self.where()}"
        pre = [self._said(n, "pre") for n, place in enumerate(self.places) if place == "pre"]
        nouns = [self._said(n, "noun") for n, place in enumerate(self.places) if place == "noun"]
        noun = nouns[0] if nouns else self._things(one)
        if nouns and one:
            noun = noun.removesuffix("s") if not noun.endswith("ss") else noun
        if not nouns and not things:
            noun = ""
        post = self.after()
        scene.random.shuffle(pre)
        joint = scene.pick((" ", " ", ", "))
        return " ".join(f"{'the ' if article else ''}{joint.join(pre)} {noun} {post}".split())

    def after(self) -> str:
        """The conditions that stand after the things."""
        scene = self.scene
        post = [self._said(n, "post") for n, place in enumerate(self.places) if place == "post"]
        if self.either:
            start = "either " if scene.chance(0.3) else ""
            return start + " or ".join(post)
        post.sort(key=lambda text: text[1:].startswith(LAST))
        joint = scene.pick((" ", " ", " and ", " and ", ", "))
        return joint.join(post)

    def _things(self, one: bool) -> str:
        scene = self.scene
        many, single = (scene.things, scene.thing) if scene.chance(0.85) else scene.pick(scene.domain.things)
        if scene.chance(0.06):
            many, single = scene.pick(ANYTHING)
        return single if one else many

    def predicate(self, one: bool = False) -> tuple[str, str] | None:
        """The things with all conditions but one, and that one as what is said of them."""
        last = len(self.conditions) - 1
        if self.either or last < 0 or not self.conditions[last].predicate:
            return None
        said = self.scene.pick(self.conditions[last].predicate)
        rest = Rows(self.scene, self.conditions[:last], plain=False)
        return rest.phrase(one), MARKS[last] + (singular(said) if one else said)

    def steps(self, text: str) -> list[Step]:
        """The steps that select the rows, in the order in which the text has the conditions."""
        found = sorted(range(len(self.conditions)), key=lambda number: text.find(MARKS[number]))
        ordered = [self.conditions[number] for number in found]
        ordered.sort(key=lambda condition: not condition.either)
        steps: list[Step] = []
        for place, step in enumerate(step for condition in ordered for step in condition.steps):
            steps.append(step)
            if place:
                steps.append(Step("or" if place == 1 and (self.either or ordered[0].either) else "and"))
        return steps

    @property
    def values(self) -> list[Condition]:
        return [condition for condition in self.conditions if condition.value]


def unmarked(text: str) -> str:
    for mark in MARKS:
        text = text.replace(mark, "")
    return " ".join(text.split())


def draw_rows(
    scene: Scene, plain: bool, least: int = 0, most: int = 3, counts: tuple[int, ...] = (0, 1, 1, 1, 1, 1, 2, 2, 2, 3)
) -> Rows:
    """Conditions on different columns; sometimes two of them joined by or."""
    wanted = min(max(scene.pick(counts), least), most)
    found: list[Condition] = []
    pairs = 0
    for _ in range(4 * wanted):
        one = draw(scene, plain) if len(found) < wanted else None
        if one is None or sum(len(each.steps) for each in (*found, one)) > min(MOST_CONDITIONS, most + 1):
            continue
        if any(one.columns & each.columns for each in found) or (one.either and pairs):
            continue
        found.append(one)
        pairs += one.either
    either = len(found) == 2 and all(len(each.steps) == 1 for each in found) and scene.chance(0.22)
    return Rows(scene, found, either, plain)
