"""Draw questions that a table answers: what is wanted of the rows, and how people ask for it."""

from collections.abc import Callable

from neural_programmer.data.english.conditions import said
from neural_programmer.data.english.phrases import Field, filled, phrases
from neural_programmer.data.english.rows import Rows, draw_rows
from neural_programmer.data.english.speech import past, plural, third
from neural_programmer.data.english.tables import Column, Scene
from neural_programmer.data.english.texts import value_said
from neural_programmer.programs.program import Step

Said = tuple[str, list[Step]] | None
TOGETHER = "altogether|in total|all together|in all|taken together|combined|together".split("|")
LATEST = {True: ("latest", "most recent", "last"), False: ("earliest", "first")}
HIGHEST = {
    True: ("highest", "highest", "highest", "greatest", "largest", "biggest", "top", "maximum"),
    False: ("lowest", "lowest", "lowest", "smallest", "least", "minimum"),
}


class Asker:
    """Asks about one scene, plainly or freely."""

    def __init__(self, scene: Scene, plain: bool) -> None:
        self.scene, self.plain = scene, plain
        self.pick, self.chance = scene.pick, scene.chance

    def say(self, *names: str, **fields: Field) -> str:
        """Return a form of one of these sections."""
        sections = [form for name in names for form in phrases()[name]]
        return filled(self.pick(sections), t=self.scene.things, o=self.scene.thing, **fields)

    def of_rows(self, rows: Rows) -> dict[str, Field]:
        """Return the fields that forms have for rows."""
        return {"p": rows.phrase, "s": lambda: rows.phrase(one=True), "w": rows.where, "q": rows.after,
                "of": lambda: self.of(rows)}  # fmt: skip

    def column(self, *kinds: str, times: bool = True) -> Column | None:
        found = [column for column in self.scene.of(*kinds) if times or "year" not in column.source.flags]
        return self.pick(found) if found else None

    def said(self, column: Column) -> str:
        return said(self.scene, column, self.plain)

    def of(self, rows: Rows) -> str:
        """Return the rows as what something is a property of."""
        if not rows.conditions:
            return self.say("of all")
        if self.plain and self.chance(0.65):
            return rows.where()
        if len(rows.conditions) == 1 and rows.after_only and self.chance(0.4):
            return rows.after()
        return self.say("of", p=rows.phrase)

    def around(self, head: str, rows: Rows) -> str:
        """Return what is wanted and of which rows, in one of the orders."""
        if rows.conditions and self.chance(0.1):
            start = self.pick(("for {}", "of all {}", "for all {}", "among the {}", "{}", "looking at {}"))
            return f"{start.format(rows.phrase())}{self.pick((',', ',', ':', ' -'))} {head}"
        return f"{head} {self.of(rows)}"

    # ---- numbers ----------------------------------------------------------------------------------------------------

    def count(self) -> Said:
        rows = draw_rows(self.scene, self.plain)
        split = rows.split() if self.chance(0.45) else None
        if split:
            text = filled(self.pick(phrases()["count verb"]), t=split[0].phrase, verb=split[1])
            if not split[0].conditions and self.chance(0.08):
                text = f"how many of them {split[1]}"
        elif self.plain and rows.conditions and self.chance(0.6):
            text = self.say("count where", **self.of_rows(rows))
        else:
            text = self.say("count", **self.of_rows(rows))
        return text, [*rows.steps(text), Step("count")]

    def aggregate(self, operation: str) -> Said:
        column = self.column("number", times=operation in ("maximum", "minimum"))
        if column is None:
            return None
        rows = draw_rows(self.scene, self.plain)
        if rows.asks_about(column.name) and self.chance(0.9):
            return None
        if self.plain or self.chance(0.5):
            text = self.around(self._head(operation, column), rows)
        else:
            text = self._freely(operation, column, rows)
        return text, [*rows.steps(text), Step(operation, column.name)]

    def _head(self, operation: str, column: Column) -> str:
        name, source = self.said(column), column.source
        extreme = {"maximum": ("most", "best"), "minimum": ("fewest", "worst")}.get(operation)
        head = self.say(operation, c=name, cs=plural(name))
        if extreme and "count" in source.flags and name.endswith("s") and self.chance(0.25):
            head = f"{extreme[0]} {name}"
        elif extreme and source.like in ("rating", "mark") and self.chance(0.5):
            head = f"{extreme[1]} {name}"
        elif extreme and "year" in source.flags:
            head = f"{self.pick(LATEST[operation == 'maximum'])} {name}"
        return self.say("what", h=head) if self.chance(0.65) else head

    def _freely(self, operation: str, column: Column, rows: Rows) -> str:
        """Without the usual words: how much do the blue ones cost altogether, how old is the oldest."""
        source, name = column.source, self.said(column)
        verb = _verb(column)
        several = "count" in source.flags and name.endswith("s")
        sections = [f"{operation} free"]
        if operation in ("sum", "average"):
            sections += [f"{operation} verb"] * 3 if verb else []
            sections += [f"{operation} several"] * 2 if several else ["sum much"] if operation == "sum" else []
            sections += ["average age"] * 2 if operation == "average" and source.like == "age" else []
        adjectives = {"maximum": source.most, "minimum": source.least}.get(operation, ())
        asks = [ask for ask in source.ask if ask.startswith(("how", "what does", "what did"))] if adjectives else []
        if asks and self.chance(0.7):
            return self.pick(asks).format(f"the {self.pick(adjectives)} {rows.phrase(one=True)}")
        return filled(
            self.pick(phrases()[self.pick(sections)]), **self.of_rows(rows), c=name, cs=plural(name), verb=verb,
            got=self._got(column), together=self.pick(TOGETHER),
        )  # fmt: skip

    def _got(self, column: Column) -> str:
        return self.pick(column.source.got or ("have",))

    def _two(self, about: Column) -> tuple[str, str] | None:
        cells = self.scene.cells(about)
        one, two = self.scene.random.sample(cells, 2) if len(cells) > 1 else ("", "")
        return (one, two) if one else None

    def together(self) -> Said:
        """One thing about two named ones, taken together."""
        column, about = self.column("number", times=False), self.column("name", "text")
        pair = self._two(about) if about else None
        if column is None or about is None or pair is None:
            return None
        one, two = (value_said(self.scene, cell) for cell in pair)
        steps = [Step("text match", about.name, (cell,)) for cell in pair]
        return self.say("together", c=self.said(column), v=one, x=two), [*steps, Step("or"), Step("sum", column.name)]

    def had(self) -> Said:
        """Return how many goals did Anna score: the sum over the rows of Anna."""
        columns = [column for column in self.scene.of("number") if "count" in column.source.flags]
        about = self.scene.name if self.chance(0.7) else self.column("text")
        if not columns or about is None or {"pre", "noun"} & about.source.flags or not self.scene.cells(about):
            return None
        column, cell = self.pick(columns), self.pick(self.scene.cells(about))
        name, value = self.said(column), value_said(self.scene, cell)
        if not name.endswith("s"):
            return None
        text = self.say("had", c=name, v=value, got=self._got(column))
        return text, [Step("text match", about.name, (cell,)), Step("sum", column.name)]

    def difference(self) -> Said:
        column, about = self.column("number", times=False), self.column("text", "text", "name")
        pair = self._two(about) if about else None
        if column is None or about is None or pair is None:
            return None
        name = self.said(column)
        if self.chance(0.1):
            steps = [Step("maximum", column.name), Step("reset"), Step("minimum", column.name), Step("difference")]
            return self.say("range", c=name), steps
        operation = self.pick(
            ("sum", "sum", "sum", "average", "maximum", "minimum", "count") if about.kind == "text" else ("sum",)
        )
        one, two = (value_said(self.scene, cell) for cell in pair)
        if operation == "count":
            text = self.say("difference count", v=one, x=two)
        elif operation == "sum" and not self.plain and self.chance(0.35):
            several = "count" in column.source.flags and name.endswith("s")
            got = self._got(column) if several else "have"
            text = self.say("difference got", v=one, x=two, c=name, got=got, many="many" if several else "much")
        else:
            head = name if operation == "sum" and self.chance(0.6) else self.say(operation, c=name, cs=plural(name))
            text = self.say("difference", v=one, x=two, h=head)
        first, second = (Step("text match", about.name, (cell,)) for cell in pair)
        out = Step(operation, None if operation == "count" else column.name)
        return text, [first, out, second, out, Step("difference")]

    # ---- cells ------------------------------------------------------------------------------------------------------

    def look_up(self) -> Said:
        """Return a column of the rows with conditions."""
        column, rows = self.column("name", "id", "text", "number", "date"), draw_rows(self.scene, self.plain, least=1)
        if column is None or not rows.conditions or rows.asks_about(column.name):
            return None
        name = self.said(column)
        if name in (self.scene.thing, self.scene.things):
            return None
        name = plural(name) if self.chance(0.5) and (column.kind != "date" or name.endswith("date")) else name
        if not self.plain and self.chance(0.3):
            text = self.say("list free", c=name, **self.of_rows(rows))
        else:
            text = self.around(self.say("list", h=name), rows)
        return text, [*rows.steps(text), Step("assign", column.name)]

    def everything(self) -> Said:
        """Return a whole column."""
        column = self.column("name", "id", "text", "number", "date")
        if column is None:
            return None
        return self.say("everything", c=column.said, cs=plural(self.said(column))), [Step("assign", column.name)]

    def of_one(self) -> Said:
        """One thing about a row that is named."""
        about = self.scene.name if self.chance(0.88) else self.column("text")
        others = [column for column in self.scene.of("name", "text", "number", "date") if column is not about]
        if about is None or not others or not self.scene.cells(about):
            return None
        column, cell = self.pick(others), self.pick(self.scene.cells(about))
        value, name, source = value_said(self.scene, cell), self.said(column), column.source
        step, output = Step("text match", about.name, (cell,)), Step("assign", column.name)
        if about.kind == "text":
            return self.say("of some", c=name, cs=plural(name), v=value, n=about.said), [step, output]
        if source.ask and not self.plain and self.chance(0.75):
            text = self.pick(source.ask).format(self.pick((value,) * 4 + (f"the {self.scene.thing} {value}",)))
            summed = text.startswith("how many") or source.like == "stock"
            return text, [step, Step("sum", column.name) if summed else output]
        return self.say("of one", c=name, v=value, n=about.said), [step, output]

    def asked(self) -> Said:
        """Return a verb says which column is wanted, conditions which row: who wrote the longest thriller."""
        columns = [column for column in self.scene.columns if column.source.ask]
        if self.plain or not columns:
            return None
        column = self.pick(columns)
        ask = self.pick(column.source.ask)
        if ask.startswith("how many") or "'s" in ask or column.source.like == "stock":
            return None
        found = [other for other in self.scene.of("number", "date") if other is not column]
        extreme, most = self.pick(found) if found and self.chance(0.45) else None, self.chance(0.5)
        rows = draw_rows(self.scene, False, least=0 if extreme else 1, most=1 if extreme else 2)
        adjectives = (extreme.source.most if most else extreme.source.least) if extreme else ()
        if rows.asks_about(column.name) or (extreme and (not adjectives or rows.asks_about(extreme.name))):
            return None
        if not extreme and not rows.conditions:
            return None
        text = ask.format(f"the {self.pick(adjectives) if extreme else ''} {rows.phrase(one=True)}")
        steps = [Step("greatest" if most else "least", extreme.name)] if extreme else []
        return text, [*rows.steps(text), *steps, Step("assign", column.name)]

    def which(self) -> Said:
        """Return the things themselves: what answers is the column that names them."""
        target, who = self.scene.name, self.scene.domain.who
        rows = draw_rows(self.scene, self.plain, least=1)
        if target is None or not rows.conditions or rows.asks_about(target.name):
            return None
        split = rows.split() if self.chance(0.55) else None
        if split and who and len(rows.conditions) == 1 and self.chance(0.6):
            text = self.say("who verb", verb=split[2])
        elif split and len(rows.conditions) == 1 and self.chance(0.25):
            text = self.say("which one verb", verb=split[1])
        elif split:
            text = filled(self.pick(phrases()["which verb"]), t=split[0].phrase, verb=split[1])
        else:
            sections = ["which", "which where"] if self.plain else ["which"] * 2
            sections += ["who"] if who else []
            sections += ["everybody" if who else "anything"] if rows.after_only and not self.plain else []
            text = self.say(self.pick(sections), **self.of_rows(rows))
        return text, [*rows.steps(text), Step("assign", target.name)]

    def extreme(self) -> Said:
        """Return the thing with the most of something, or another column of it."""
        scene, who = self.scene, self.scene.domain.who
        column = self.column("number", "number", "date") if self.chance(0.85) else self.column("date")
        most, rows = self.chance(0.55), draw_rows(self.scene, self.plain, most=2, counts=(0, 0, 0, 1, 1, 1, 2))
        if column is None or rows.asks_about(column.name):
            return None
        others = [each for each in scene.of("name", "id", "text", "number", "date") if each is not column]
        others = [each for each in others if not rows.asks_about(each.name)]
        if not others:
            return None
        source, name, steps = column.source, self.said(column), [Step("greatest" if most else "least", column.name)]
        degree = self._degree(column, name, most)
        adjectives = () if self.plain else source.most if most else source.least
        implied = bool(adjectives) and self.chance(0.65)
        target = scene.name if scene.name in others and self.chance(0.72) else self.pick(others)
        if not rows.conditions and self.chance(0.03):
            return self.say("extreme count", d=degree, c=name), [*steps, Step("count")]
        if target is scene.name:
            sections = ["extreme adjective"] if implied else ["extreme"]
            if who and (implied or rows.after_only):
                sections += ["extreme who adjective" if implied else "extreme who"]
            if not implied and not rows.conditions:
                sections += ["extreme one"]
            if not implied and "count" in source.flags and name.endswith("s") and source.got and not self.plain:
                sections += ["extreme who got", "extreme got"] if who and rows.after_only else ["extreme got"]
            if not implied and _verb(column) and not self.plain and self.chance(0.6):
                sections = ["extreme who verb"] if who and rows.after_only and self.chance(0.7) else ["extreme verb"]
        elif implied:
            sections = ["extreme other adjective"] + ["extreme text adjective"] * (target.kind == "text")
        else:
            sections = ["extreme other", "extreme text"] if target.kind == "text" else ["extreme other"]
        text = self.say(
            self.pick(sections), **self.of_rows(rows), c=name, k=self.said(target), n=target.said,
            d=self.pick(adjectives) if implied else degree, verb=self.pick((third, past))(_verb(column) + " ").strip(),
            most="most" if most else "least", got=past(self._got(column)),
        )  # fmt: skip
        return text, [*rows.steps(text), *steps, Step("assign", target.name)]

    def _degree(self, column: Column, name: str, most: bool) -> str:
        source = column.source
        if column.kind == "date" or "year" in source.flags:
            return self.pick(LATEST[most])
        if "count" in source.flags and name.endswith("s") and self.chance(0.6):
            return "most" if most else self.pick(("fewest", "fewest", "least"))
        if source.like in ("rating", "mark") and self.chance(0.4):
            return "best" if most else self.pick(("worst", "weakest"))
        return self.pick(HIGHEST[most])

    def latest(self) -> Said:
        """Return the latest date itself."""
        column, most, rows = self.column("date"), self.chance(0.5), draw_rows(self.scene, self.plain, most=2)
        if column is None or rows.asks_about(column.name):
            return None
        degree, past = self.pick(LATEST[most]), column.source.past
        if past and not self.plain and self.chance(0.5):
            text = f"when was the {degree} {rows.phrase(one=True)} {self.pick(past)}"
        else:
            text = self.around(self.say("what", h=f"{degree} {self.said(column)}"), rows)
        return text, [
            *rows.steps(text),
            Step("greatest" if most else "least", column.name),
            Step("assign", column.name),
        ]


def _verb(column: Column) -> str:
    """Return what several do to have so much: cost, weigh."""
    return next((verb.removesuffix(" {}") for verb in column.source.verbs if verb.endswith(" {}")), "")


KINDS: dict[str, Callable[[Asker], Said]] = {
    "count": Asker.count,
    "sum": lambda asker: asker.aggregate("sum"),
    "average": lambda asker: asker.aggregate("average"),
    "maximum": lambda asker: asker.aggregate("maximum"),
    "minimum": lambda asker: asker.aggregate("minimum"),
    "together": Asker.together,
    "had": Asker.had,
    "difference": Asker.difference,
    "look up": Asker.look_up,
    "everything": Asker.everything,
    "of one": Asker.of_one,
    "asked": Asker.asked,
    "which": Asker.which,
    "extreme": Asker.extreme,
    "latest": Asker.latest,
}
