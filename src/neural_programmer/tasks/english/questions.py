"""Questions that a table answers: what is wanted of the rows, and how people ask for it."""

from collections.abc import Callable

from neural_programmer.program import Step
from neural_programmer.tasks.english.conditions import said, value_said
from neural_programmer.tasks.english.rows import Rows, draw_rows
from neural_programmer.tasks.english.speech import plural, third
from neural_programmer.tasks.english.tables import Column, Scene

Said = tuple[str, list[Step]] | None
SUM = ("total {}|sum of {}|the sum of {}|sum {}|total of {}|combined {}|overall {}|{} in total|total {}|total {}|the total {}|"
       "sum of the {}|sum of all {}|grand total of {}").split("|")  # fmt: skip
AVERAGE = "average {}|mean {}|the average {}|average of {}|mean of {}|average {}|avg {}|typical {}|average {}".split(
    "|"
)
MAXIMUM = (
    "maximum {}|highest {}|largest {}|greatest {}|biggest {}|max {}|top {}|highest {}|maximum of {}|peak {}".split("|")
)
MINIMUM = "minimum {}|lowest {}|smallest {}|least {}|min {}|minimum of {}|lowest {}".split("|")
AGGREGATES = {"sum": SUM, "average": AVERAGE, "maximum": MAXIMUM, "minimum": MINIMUM}
WHAT = ("what is the {}|what's the {}|{}|{}|{}|give me the {}|tell me the {}|the {}|find the {}|show the {}|calculate the {}|"
        "compute the {}|get the {}|whats the {}|what was the {}|i need the {}|show me the {}").split("|")  # fmt: skip
LIST = ("list {}|show {}|list the {}|display the {}|give me the {}|what are the {}|{}|find the {}|get the {}|name the {}|"
        "tell me the {}|the {}|show me the {}|print the {}|i need the {}|i'd like the {}|could you list the {}|return {}").split("|")  # fmt: skip
COUNT = ("how many {}|how many {}|how many {}|number of {}|count of {}|count {}|count the {}|the number of {}|what is the number of {}|"
         "how many {} are there|how many {} are there|total number of {}|give me the number of {}|tell me how many {} there are|"
         "how many {} do we have|how many {} are in the table|what number of {} is there|how many different {}|"
         "{}, how many|{}: how many|{} - how many are there|{}, how many are there|how many of the {} are there").split("|")  # fmt: skip
WHO_ALL = "everybody|everyone|all people|people|anyone|anybody".split("|")
DIFFERENCES = (
    "what is the difference between the {h} of {a} and the {h} of {b}|difference between the {h} of {a} and {b}|"
    "difference in {h} between {a} and {b}|{h} of {a} minus {h} of {b}|the {h} for {a} minus the {h} for {b}|"
    "by how much does the {h} of {a} exceed that of {b}|how much higher is the {h} of {a} than that of {b}|"
    "{h} of {a} less {h} of {b}|subtract the {h} of {b} from the {h} of {a}|{a} minus {b} in {h}|"
    "how much greater is the {h} for {a} than for {b}|how far is the {h} of {a} above that of {b}|"
    "{h}: {a} minus {b}|{a} compared with {b}: difference in {h}|by how much is the {h} of {a} higher than the {h} of {b}"
).split("|")  # fmt: skip


class Asker:
    """Asks about one scene, plainly or freely."""

    def __init__(self, scene: Scene, plain: bool) -> None:
        self.scene, self.plain = scene, plain
        self.pick, self.chance = scene.pick, scene.chance

    def column(self, *kinds: str) -> Column | None:
        found = self.scene.of(*kinds)
        return self.pick(found) if found else None

    def said(self, column: Column) -> str:
        return said(self.scene, column, self.plain)

    def of(self, rows: Rows) -> str:
        """The rows as what something is a property of."""
        if not rows.conditions:
            scene = self.scene
            return self.pick(
                ("", "", f"of all {scene.things}", f"of the {scene.things}", "over all rows", "in the table", "overall")
            )
        if self.plain and self.chance(0.65):
            return rows.where()
        if not self.plain and len(rows.conditions) == 1 and self.chance(0.3):
            return rows.after() if rows.places == ["post"] else f"for {rows.phrase()}"
        return self.pick(
            ("of {}", "of {}", "for {}", "of the {}", "for the {}", "of all {}", "for all {}", "across {}", "among {}")
        ).format(rows.phrase())

    def around(self, head: str, rows: Rows) -> str:
        """What is wanted and of which rows, in one of the two orders."""
        of = self.of(rows)
        if rows.conditions and self.chance(0.1) and " " in head:
            if of.startswith(("where", "whose", "having", "such")):
                of = f"for {rows.phrase()}"
            return f"{of}{self.pick((',', ',', ':', ' -'))} {head}"
        if not self.plain and rows.conditions and self.chance(0.06):
            return self.pick((f"{rows.phrase()}: {head}", f"{rows.phrase()} ({head})", f"{rows.phrase()}, {head}"))
        return f"{head} {of}"

    # ---- numbers ----------------------------------------------------------------------------------------------------

    def count(self) -> Said:
        rows = draw_rows(self.scene, self.plain)
        split = rows.predicate() if self.chance(0.5) else None
        if split:
            things, verb = split
            forms = [
                "how many {t} {v}",
                "how many {t} {v}",
                "number of {t} that {v}",
                "count {t} that {v}",
                "how many of the {t} {v}",
            ]
            text = self.pick(forms).format(t=things, v=verb)
        elif self.plain and rows.conditions and self.chance(0.5):
            head = self.pick(
                (
                    "count rows",
                    "count",
                    "number of rows",
                    "how many rows",
                    f"count {self.scene.things}",
                    "number of entries",
                )
            )
            text = f"{head} {rows.where()}"
        else:
            text = self.pick(COUNT).format(rows.phrase())
        return text, [*rows.steps(text), Step("count")]

    def aggregate(self, operation: str) -> Said:
        column = self.column("number")
        if column is None or (operation == "sum" and "year" in column.source.flags):
            return None
        rows = draw_rows(self.scene, self.plain)
        if any(column.name in condition.columns for condition in rows.conditions) and self.chance(0.7):
            return None
        free = None if self.plain or self.chance(0.55) else self._freely(operation, column, rows)
        text = free or self.around(self._head(operation, column), rows)
        return text, [*rows.steps(text), Step(operation, column.name)]

    def _head(self, operation: str, column: Column) -> str:
        name = self.said(column)
        if operation == "maximum" and "count" in column.source.flags and self.chance(0.2):
            return f"the most {name}"
        if operation == "minimum" and "count" in column.source.flags and self.chance(0.2):
            return f"the fewest {name}"
        if operation in ("maximum", "minimum") and column.source.like == "rating" and self.chance(0.4):
            return f"{'best' if operation == 'maximum' else 'worst'} {name}"
        head = self.pick(AGGREGATES[operation]).format(name)
        return self.pick(WHAT).format(head.removeprefix("the ")) if self.chance(0.6) else head

    def _freely(self, operation: str, column: Column, rows: Rows) -> str | None:
        """Without the usual words: how much do the blue ones cost altogether, how old is the oldest."""
        source, name, scene = column.source, self.said(column), self.scene
        forms: list[str] = []
        verb = next((verb.removesuffix(" {}") for verb in source.verbs if verb.endswith(" {}")), "")
        things = self.pick((f"the {rows.phrase()}", rows.phrase(), f"all {rows.phrase()}"))
        if operation == "sum":
            together = self.pick(("altogether", "in total", "all together", "in all", "taken together", "combined"))
            forms += [f"how much do {things} {verb} {together}", f"what do {things} {verb} {together}"] if verb else []
            if "count" in source.flags:
                got = self.pick([each for each in source.got if each] or ["have"])
                did = self.pick(("did", "do", "did")) if got != "have" else "do"
                forms += [f"how many {name} {did} {things} {got}{self.pick(('', ' altogether', ' in total'))}"] * 2
                forms += [f"how many {name} do {things} have {together}", f"how many {name} are there for {things}"]
            else:
                forms += [f"how much {name} {self.pick(('do', 'did'))} {things} have {together}"]
            forms += [f"all the {name} of {things} added up", f"add up the {name} of {things}", f"{name} of {things} {together}",
                      f"what does the {name} of {things} come to", f"what do the {plural(name)} of {things} add up to"]  # fmt: skip
        elif operation == "average":
            forms += (
                [f"how much do {things} {verb} on average", f"what do {things} {verb} on average"] * 2 if verb else []
            )
            forms += [
                f"on average, what {name} do {things} have",
                f"{name} of {things} on average",
                f"what {name} do {things} have on average",
            ]
            if "count" in source.flags:
                forms += [
                    f"on average, how many {name} do {things} have",
                    f"how many {name} do {things} have on average",
                ]
            if source.like == "age":
                forms += [f"how old are {things} on average", f"on average, how old are {things}"] * 2
            if verb and rows.conditions:
                forms.append(f"what does the average {rows.phrase(one=True)} {verb}")
        else:
            adjectives = source.most if operation == "maximum" else source.least
            most = (
                "most"
                if operation == "maximum"
                else self.pick(("least", "fewest") if "count" in source.flags else ("least",))
            )
            if adjectives and source.ask:
                asks = [ask for ask in source.ask if not ask.startswith(("which", "who", "where"))]
                forms += (
                    [self.pick(asks).format(f"the {self.pick(adjectives)} {rows.phrase(one=True)}")] * 3 if asks else []
                )
            forms += (
                [f"the {most} that any {rows.phrase(one=True)} {self.pick(('costs', 'cost'))}"]
                if source.like == "price"
                else []
            )
            forms += [
                f"the {most} {name} any of the {rows.phrase()} has",
                f"how {'high' if operation == 'maximum' else 'low'} can the {name} of {things} get",
            ]
            forms += [f"how {'high' if operation == 'maximum' else 'low'} does the {name} of {things} go"]
        text = self.pick(forms) if forms else None
        return text if text and scene else None

    def together(self) -> Said:
        """One thing about two named ones, taken together."""
        column, name = self.column("number"), self.column("name", "text")
        cells = self.scene.cells(name) if name else []
        if column is None or name is None or len(cells) < 2 or "year" in column.source.flags:
            return None
        one, two = self.scene.random.sample(cells, 2)
        a, b, head = value_said(self.scene, one), value_said(self.scene, two), self.said(column)
        forms = [f"{head} of {a} and {b} taken together", f"what is the combined {head} of {a} and {b}", f"{head} of {a} and {b} combined",
                 f"how much {head} do {a} and {b} have together", f"total {head} of {a} and {b}", f"{a} and {b} together: {head}",
                 f"{a} plus {b}, {head}", f"sum of {head} for {a} and {b}", f"add the {head} of {a} to that of {b}",
                 f"what do {a} and {b} have in {head} altogether"]  # fmt: skip
        steps = [
            Step("text match", name.name, (one,)),
            Step("text match", name.name, (two,)),
            Step("or"),
            Step("sum", column.name),
        ]
        return self.pick(forms), steps

    def had(self) -> Said:
        """How many goals did Anna score: the sum over the rows of Anna."""
        column = self.pick([c for c in self.scene.of("number") if "count" in c.source.flags] or [None])
        about = self.scene.name if self.chance(0.7) else self.column("text")
        if column is None or about is None:
            return None
        cell = self.pick(self.scene.cells(about))
        value, name = value_said(self.scene, cell), self.said(column)
        got = self.pick([each for each in column.source.got if each] or ["have"])
        forms = [f"how many {name} did {value} {got}", f"how many {name} did {value} {got}", f"how many {name} does {value} have",
                 f"how many {name} has {value}", f"how many {name} are there for {value}", f"how many {name} did {value} have in total"]  # fmt: skip
        if got != "have":
            forms += [f"how many {name} does {value} {got}"]
        return self.pick(forms), [Step("text match", about.name, (cell,)), Step("sum", column.name)]

    def difference(self) -> Said:
        numbers, about = self.scene.of("number"), self.column("text", "text", "name")
        numbers = [column for column in numbers if "year" not in column.source.flags]
        cells = self.scene.cells(about) if about else []
        if not numbers or about is None or len(cells) < 2:
            return None
        column = self.pick(numbers)
        if self.chance(0.12):
            return self._range(column)
        one, two = self.scene.random.sample(cells, 2)
        a, b = value_said(self.scene, one), value_said(self.scene, two)
        steps = [Step("text match", about.name, (one,)), Step("text match", about.name, (two,))]
        if about.kind == "text" and self.chance(0.2):
            things = self.scene.things
            forms = [f"how many more {things} are there in {a} than in {b}", f"how many more {things} for {a} than for {b}",
                     f"number of {things} of {a} minus number of {things} of {b}", f"difference in the number of {things} between {a} and {b}"]  # fmt: skip
            out = Step("count")
            text = self.pick(forms)
        else:
            name = self.said(column)
            operations = ("sum", "sum", "sum", "average", "maximum", "minimum") if about.kind == "text" else ("sum",)
            operation = self.pick(operations)
            head = (
                name
                if operation == "sum" and self.chance(0.6)
                else self.pick(AGGREGATES[operation]).format(name).removeprefix("the ")
            )
            text = self.pick(DIFFERENCES).format(h=head, a=a, b=b)
            out = Step(operation, column.name)
            if operation == "sum" and not self.plain and self.chance(0.3):
                got = self.pick([each for each in column.source.got if each] or ["have"])
                many = "how many more" if "count" in column.source.flags else "how much more"
                text = self.pick(
                    (
                        f"{many} {name} {self.pick(('did', 'does'))} {a} {got} than {b}",
                        f"{many} {name} than {b} {self.pick(('did', 'does'))} {a} {got}",
                    )
                )
                if text.find(b) < text.find(a):
                    return text, [steps[0], out, steps[1], out, Step("difference")]
        return text, [steps[0], out, steps[1], out, Step("difference")]

    def _range(self, column: Column) -> Said:
        name = self.said(column)
        forms = [f"difference between the highest and the lowest {name}", f"range of {name}", f"how far apart are the highest and lowest {name}",
                 f"maximum {name} minus minimum {name}", f"gap between the biggest and the smallest {name}", f"what is the spread of {name}"]  # fmt: skip
        return self.pick(forms), [
            Step("maximum", column.name),
            Step("reset"),
            Step("minimum", column.name),
            Step("difference"),
        ]

    # ---- cells ------------------------------------------------------------------------------------------------------

    def look_up(self) -> Said:
        """A column of the rows with conditions."""
        column = self.pick(self.scene.columns)
        rows = draw_rows(self.scene, self.plain, least=1)
        if not rows.conditions or any(column.name in condition.columns for condition in rows.conditions):
            return None
        name = self.said(column)
        name = plural(name) if self.chance(0.5) and column.kind != "truth" else name
        head = self.pick(LIST).format(name)
        if not self.plain and self.chance(0.25):
            who = self.pick(WHO_ALL) if self.scene.domain.who else "everything"
            forms = [f"{name} please, {rows.phrase()}", f"{rows.phrase()}: {name} please", f"i'd like the {name} of {who} {rows.after()}",
                     f"what {name} do the {rows.phrase()} have", f"which {name} do {rows.phrase()} have", f"{rows.phrase()} - {name}",
                     f"could you give me the {name} of all {rows.phrase()}", f"{name} only: {rows.phrase()}"]  # fmt: skip
            if "noun" in rows.places or "pre" in rows.places:
                forms = [form for form in forms if who not in form]
            text = self.pick(forms)
        else:
            text = self.around(head, rows)
        return text, [*rows.steps(text), Step("assign", column.name)]

    def everything(self) -> Said:
        """A whole column."""
        column = self.pick(self.scene.columns)
        name = plural(self.said(column))
        forms = [f"list all {name}", f"show me all the {name}", f"what are the {name} of all {self.scene.things}", f"all {name}", f"give me every {column.said}",
                 f"list the {name} in the table", f"which {name} are there"]  # fmt: skip
        return self.pick(forms), [Step("assign", column.name)]

    def of_one(self) -> Said:
        """One thing about a row that is named."""
        about = self.scene.name if self.chance(0.85) else self.column("text")
        others = [column for column in self.scene.columns if column is not about]
        if about is None or not others:
            return None
        column, cell = self.pick(others), self.pick(self.scene.cells(about))
        value, name = value_said(self.scene, cell), self.said(column)
        step = Step("text match", about.name, (cell,))
        asks = () if self.plain or about.kind == "text" else column.source.ask
        if asks and self.chance(0.75):
            text = self.pick(asks).format(self.pick((value, value, f"the {self.scene.thing} {value}")))
            if column.source.like in ("stock", "people") or text.startswith("how many"):
                return text, [step, Step("sum", column.name)]
            return text, [step, Step("assign", column.name)]
        possessive = f"{value}'s {name}"
        forms = [f"what is the {name} of {value}", f"{name} of {value}", f"what is {possessive}", f"{name} for {value}", f"show me the {name} of {value}",
                 f"whats the {name} of {value}", f"which {name} does {value} have", f"give me the {name} for {value}", f"tell me the {name} of {value}",
                 f"what {name} does {value} have", possessive, f"{value}: {name}", f"{value} {name}", f"the {name} of {self.scene.thing} {value}",
                 f"what was the {name} of {value}", f"look up the {name} of {value}", f"what's the {name} for {self.scene.thing} {value}"]  # fmt: skip
        forms += [
            f"{name} where {about.said} is {value}",
            f"what is the {name} when {about.said} is {value}",
            f"show {name} for {about.said} {value}",
        ]
        if about.kind == "text":
            forms = [f"{plural(name)} of {value}", f"list the {plural(name)} for {value}", f"what {plural(name)} does {value} have",
                     f"{name} where {about.said} is {value}", f"the {plural(name)} of the {value} {self.scene.things}"]  # fmt: skip
        return self.pick(forms), [step, Step("assign", column.name)]

    def asked(self) -> Said:
        """A verb says which column is wanted, conditions which row: who wrote the longest thriller."""
        columns = [column for column in self.scene.columns if column.source.ask]
        if self.plain or not columns:
            return None
        column = self.pick(columns)
        rows = draw_rows(self.scene, False, least=1, most=2)
        if not rows.conditions or any(column.name in condition.columns for condition in rows.conditions):
            return None
        ask = self.pick(column.source.ask)
        if ask.startswith("how many") or "'s" in ask:
            return None
        if self.chance(0.35):
            return self._extreme_asked(column, ask)
        text = ask.format(f"the {rows.phrase(one=True)}")
        return text, [*rows.steps(text), Step("assign", column.name)]

    def _extreme_asked(self, column: Column, ask: str) -> Said:
        found = [c for c in self.scene.of("number", "date") if c is not column and (c.source.most or c.source.least)]
        if not found:
            return None
        other, rows = self.pick(found), draw_rows(self.scene, False, most=1)
        most = self.chance(0.5)
        adjectives = other.source.most if most else other.source.least
        if not adjectives or any(condition.columns & {other.name, column.name} for condition in rows.conditions):
            return None
        text = ask.format(f"the {self.pick(adjectives)} {rows.phrase(one=True)}")
        return text, [*rows.steps(text), Step("greatest" if most else "least", other.name), Step("assign", column.name)]

    def which(self) -> Said:
        """The things themselves: what answers is the column that names them."""
        target, scene = self.scene.name, self.scene
        rows = draw_rows(scene, self.plain, least=1)
        if (
            target is None
            or not rows.conditions
            or any(target.name in condition.columns for condition in rows.conditions)
        ):
            return None
        steps = Step("assign", target.name)
        split = rows.predicate(one=False) if self.chance(0.6) else None
        if split:
            things, verb = split
            forms = [
                f"which {things} {verb}",
                f"what {things} {verb}",
                f"which {things} {verb}",
                f"list the {things} that {verb}",
                f"show me all {things} that {verb}",
            ]
            if len(rows.conditions) == 1:
                forms += [f"which ones {verb}", f"which of the {things} {verb}", f"which of them {verb}"]
                if scene.domain.who:
                    alone = rows.predicate(one=True)
                    forms += (
                        [
                            f"who {alone[1]}",
                            f"who {alone[1]}",
                            f"who all {verb}",
                            f"everyone who {alone[1]}",
                            f"name everybody who {alone[1]}",
                        ]
                        if alone
                        else []
                    )
            text = self.pick(forms)
        else:
            what = rows.phrase()
            forms = [f"list the {what}", f"show all {what}", what, f"name the {what}", f"find {what}", f"give me {what}", f"list all {what}", f"which are the {what}",
                     f"show me {what}", f"names of {what}", f"name all {what}", f"what are the {what}", f"are there any {what}? which", f"could you list {what}",
                     f"i'm looking for {what}", f"find me all {what}", f"the {what}"]  # fmt: skip
            if scene.domain.who:
                forms += [f"who are the {what}", f"i'd like the names of {what}", f"names of all {what}"]
            if rows.places == ["post"] and not self.plain and not scene.domain.who:
                forms += [
                    f"anything {rows.after()}",
                    f"show me everything {rows.after()}",
                    f"which ones {rows.after()}",
                ]
            elif rows.places == ["post"] and not self.plain:
                forms += [f"everybody {rows.after()}", f"anyone {rows.after()}", f"names of everybody {rows.after()}"]
            text = self.pick(forms)
        return text, [*rows.steps(text), steps]

    def extreme(self) -> Said:
        """The thing with the most of something, or another column of it."""
        scene = self.scene
        column = self.column("number", "number", "date") if self.chance(0.85) else self.column("date")
        if column is None:
            return None
        most = self.chance(0.55)
        rows = draw_rows(scene, self.plain, most=2, counts=(0, 0, 0, 1, 1, 1, 2))
        if any(column.name in condition.columns for condition in rows.conditions):
            return None
        source, name = column.source, self.said(column)
        step = Step("greatest" if most else "least", column.name)
        if column.kind == "date" or "year" in source.flags:
            degree = self.pick(("latest", "most recent", "last", "newest") if most else ("earliest", "first", "oldest"))
        else:
            degree = self.pick(("highest", "highest", "greatest", "largest", "biggest", "top", "best", "maximum") if most else
                               ("lowest", "lowest", "smallest", "least", "minimum"))  # fmt: skip
            if "count" in source.flags:
                degree = self.pick(("most", "most", degree) if most else ("fewest", "least", degree))
            elif degree == "best" and source.like != "rating":
                degree = "highest"
        adjectives = () if self.plain else source.most if most else source.least
        verb = (
            next((verb.removesuffix(" {}") for verb in source.verbs if verb.endswith(" {}")), "")
            if not self.plain
            else ""
        )
        targets = [
            other
            for other in scene.columns
            if other is not column and not any(other.name in c.columns for c in rows.conditions)
        ]
        target = scene.name if scene.name in targets and self.chance(0.72) else self.pick(targets) if targets else None
        if target is None:
            return None
        one = rows.phrase(one=True)
        with_it = f"the {degree} {name}"
        if target is scene.name:
            forms = [f"which {one} has {with_it}", f"what {one} has {with_it}", f"the {one} with {with_it}", f"{one} with {with_it}",
                     f"which is the {one} with {with_it}", f"{target.said} of the {one} with {with_it}", f"name the {one} with {with_it}"]  # fmt: skip
            if not rows.conditions:
                forms += [f"which one has {with_it}", f"{with_it}: which {scene.thing}"]
            if scene.domain.who:
                who = self.pick(("who has {}", "who got {}", "who had {}", "who is the one with {}")).format(with_it)
                after = rows.after() if set(rows.places) <= {"post"} else ""
                forms += [f"who of the {rows.phrase()} has {with_it}"] + (
                    [f"{who} {after}"] * 3 if after or not rows.conditions else []
                )
            if verb:
                much = self.pick(("the most", "most")) if most else self.pick(("the least", "least"))
                forms += [f"which {one} {third(verb + ' ' + much)}"] * 3
                forms += (
                    [f"who {third(verb + ' ' + much)} {rows.after()}"] * 3
                    if scene.domain.who and set(rows.places) <= {"post"}
                    else []
                )
            if adjectives:
                adjective = self.pick(adjectives)
                forms = forms[:4] + [f"which {one} is the {adjective}", f"the {adjective} {one}", f"which is the {adjective} {one}", f"what is the {adjective} {one}",
                         f"{adjective} {one}", f"{adjective} {one}", f"whats the {adjective} {one}", f"find the {adjective} {one}",
                         f"what is the {adjective} {one}? give me the {target.said}", f"{target.said} of the {adjective} {one}"]  # fmt: skip
                forms += (
                    [f"who is the {adjective} {one}", f"who is the {adjective} of the {rows.phrase()}"] * 2
                    if scene.domain.who
                    else []
                )
        else:
            head = self.said(target)
            asked = self.pick(
                (
                    head,
                    f"what is the {head}",
                    f"the {head}",
                    f"give me the {head}",
                    f"which {head}",
                    f"tell me the {head}",
                )
            )
            forms = [
                f"{asked} of the {one} with {with_it}",
                f"{asked} of the {one} with {with_it}",
                f"{asked} with {with_it} {self.of(rows)}",
            ]
            if target.kind == "text":
                forms += [f"which {head} has the {one} with {with_it}", f"which {head} has {with_it} {self.of(rows)}"]
            if adjectives:
                forms += [f"{asked} of the {self.pick(adjectives)} {one}"] * 3
        text = self.pick(forms)
        if self.chance(0.03) and not rows.conditions:
            text, output = (
                self.pick((f"how many {scene.things} share {with_it}", f"how many {scene.things} have {with_it}")),
                Step("count"),
            )
            return text, [step, output]
        return text, [*rows.steps(text), step, Step("assign", target.name)]

    def degree(self) -> Said:
        """The latest date itself."""
        column = self.column("date")
        if column is None:
            return None
        most, rows = self.chance(0.5), draw_rows(self.scene, self.plain, most=2)
        if any(column.name in condition.columns for condition in rows.conditions):
            return None
        degree = self.pick(("latest", "most recent", "last") if most else ("earliest", "first", "oldest"))
        text = self.around(self.pick(WHAT).format(f"{degree} {self.said(column)}"), rows)
        past = column.source.past
        if past and not self.plain and self.chance(0.4):
            text = f"when was the {degree.replace('oldest', 'first')} {rows.phrase(one=True)} {self.pick(past)}"
        return text, [
            *rows.steps(text),
            Step("greatest" if most else "least", column.name),
            Step("assign", column.name),
        ]


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
    "degree": Asker.degree,
}
