"""The synthetic grammar of the paper's appendix: clauses put together to question templates with their programs.

A template is a question whose numbers are still open, such as `greater [number] C and lesser [number] E sum H`. A
grammar knows how many templates each category has and builds any one of them from its number, so that 116,368 of them
need not be written out to draw one.
"""

from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import product

from neural_programmer.programs.program import Program, Step

NUMBER = "[number]"
CATEGORIES = ("aggregation", "comparison", "logic", "arithmetic")

# The ways to say an operation: one each, or those of the word variability table of the appendix.
PLAIN = {
    "sum": ("sum",),
    "count": ("count",),
    "greater": ("greater",),
    "lesser": ("lesser",),
    "assign": ("print",),
    "difference": ("diff",),
}
VARIED = {
    "sum": ("sum", "total", "total of", "sum of"),
    "count": ("count", "count of", "how many"),
    "greater": ("greater", "greater than", "bigger", "bigger than", "larger", "larger than"),
    "lesser": ("lesser", "lesser than", "smaller", "smaller than", "under"),
    "assign": ("print", "display", "show"),
    "difference": ("difference", "difference between"),
}
TEXTS = tuple(f"word:{place}" for place in range(10))


@dataclass(frozen=True)
class Clause:
    """A few words and the operation they ask for."""

    words: tuple[str, ...]
    operation: str
    column: str | None = None
    argument: tuple[str, ...] | None = None

    def step(self, numbers: list[float]) -> Step:
        """Return the step of a program; a comparison takes the next of the question's numbers."""
        argument = numbers.pop(0) if NUMBER in self.words else self.argument
        return Step(self.operation, self.column, argument)


@dataclass(frozen=True)
class Template:
    """A question with open numbers, as the clauses that its program executes in order."""

    category: str
    words: tuple[str, ...]
    clauses: tuple[Clause, ...]

    @cached_property
    def text(self) -> str:
        return " ".join(self.words)

    @cached_property
    def number_count(self) -> int:
        return self.words.count(NUMBER)

    def question(self, numbers: list[str]) -> str:
        """Return the question with its numbers filled in."""
        parts = iter(numbers)
        return " ".join(next(parts) if word == NUMBER else word for word in self.words)

    def program(self, numbers: list[float], steps: int = 4) -> Program:
        """Return the program, led by as many resets as fill it up to `steps`."""
        numbers = list(numbers)
        own = tuple(clause.step(numbers) for clause in self.clauses)
        return Program((Step("reset"),) * (steps - len(own)) + own)


@dataclass(frozen=True)
class Grammar:
    """All templates over these columns. A table of one column needs no column names in its questions."""

    numbers: tuple[str, ...]
    texts: tuple[str, ...]
    varied: bool = False
    names: bool = True
    lookups: bool = True
    same_comparison: bool = False

    @cached_property
    def outputs(self) -> tuple[Clause, ...]:
        """sum of a column of numbers, count, print any column"""
        columns = (*self.texts, *self.numbers)
        return (
            *(clause for name in self.numbers for clause in self._say("sum", name)),
            *self._say("count"),
            *(clause for name in columns for clause in self._say("assign", name) if self.lookups),
        )

    @cached_property
    def conditions(self) -> tuple[Clause, ...]:
        """greater, lesser on a column of numbers; a word in a column of text"""
        return (
            *(self._compare("greater")),
            *(self._compare("lesser")),
            *(
                Clause((text, name), "text match", name, (text,))
                for name in self.texts
                for text in TEXTS
            ),
        )  # fmt: skip

    @cached_property
    def pairs(self) -> tuple[tuple[Clause, Clause], ...]:
        """Two conditions to join: greater and lesser, or any two of which one matches a word; or two of a kind."""

        def fit(one: Clause, other: Clause) -> bool:
            if self.same_comparison:
                return one.operation == other.operation
            return one.operation != other.operation or one.operation == "text match"

        return tuple(pair for pair in product(self.conditions, self.conditions) if fit(*pair))

    @cached_property
    def arithmetic(self) -> tuple[tuple[Clause, Clause, Clause], ...]:
        """sum diff count, count diff sum"""
        sums = [clause for clause in self.outputs if clause.operation == "sum"]
        counts = self._say("count")
        return tuple(
            (one, other, difference)
            for pair in product(sums, counts)
            for one, other in (pair, pair[::-1])
            for difference in self._say("difference")
        )

    @cached_property
    def counts(self) -> dict[str, int]:
        """How many templates each category has."""
        outputs = len(self.outputs)
        sizes = (outputs, len(self.conditions) * outputs, len(self.pairs) * 2 * outputs, len(self.arithmetic))
        return dict(zip(CATEGORIES, sizes, strict=True))

    @property
    def count(self) -> int:
        return sum(self.counts.values())

    @cache  # noqa: B019  a grammar is frozen and few are made
    def template(self, category: str, number: int) -> Template:
        """Return the template of this number in its category."""
        rest, place = divmod(number, len(self.outputs))
        output = self.outputs[place]
        if category == "aggregation":
            return Template(category, output.words, (output,))
        if category == "comparison":
            condition = self.conditions[rest]
            return Template(category, condition.words + output.words, (condition, output))
        if category == "logic":
            place, joined = divmod(rest, 2)
            one, other = self.pairs[place]
            join = Clause((("and", "or")[joined],), ("and", "or")[joined])
            words = one.words + join.words + other.words + output.words
            return Template(category, words, (one, other, join, output))
        one, other, difference = self.arithmetic[number]
        words = one.words + difference.words + other.words
        return Template(category, words, (one, Clause((), "reset"), other, difference))

    def numbered(self, number: int) -> Template:
        """Return the template of this number among all, category by category."""
        for category, size in self.counts.items():
            if 0 <= number < size:
                return self.template(category, number)
            number -= size
        raise IndexError(number)

    def _say(self, operation: str, column: str | None = None) -> tuple[Clause, ...]:
        return tuple(
            Clause((*way.split(), *self._name(column)), operation, column)
            for way in (VARIED if self.varied else PLAIN)[operation]
        )

    def _compare(self, operation: str) -> tuple[Clause, ...]:
        return tuple(
            Clause((*clause.words, NUMBER, *self._name(name)), operation, name)
            for name in self.numbers
            for clause in self._say(operation)
        )

    def _name(self, column: str | None) -> tuple[str, ...]:
        return tuple(column.split()) if column is not None and self.names else ()


@lru_cache(maxsize=4096)
def grammar(
    numbers: tuple[str, ...],
    texts: tuple[str, ...] = (),
    varied: bool = False,
    names: bool = True,
    lookups: bool = True,
    same_comparison: bool = False,
) -> Grammar:
    """Return the grammar over these columns, made once."""
    return Grammar(numbers, texts, varied, names, lookups, same_comparison)
