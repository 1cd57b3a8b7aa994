"""A step of a program in words that people use: "city is Oslo", "the rows with the smallest rent".

The phrase of an operation stands with it (operations.py): {column} and {argument} are those of the step, {one}, {two}
and {three} the numbers of the steps before it, {these} the rows that they select, {at} on a day or in a longer time.
"""

import numpy as np

from neural_programmer.programs.operations import BUILT_IN
from neural_programmer.programs.program import Step
from neural_programmer.programs.values import for_people, with_unit
from neural_programmer.tables.period import Period
from neural_programmer.tables.table import Kind

NAMED = 3  # texts of a step that are named, of more of them
TRUTHS = {"true": "yes", "false": "no"}


def in_words(step: Step, number: int = 1, kind: Kind = "number", unit: str = "", column: str | None = None) -> str:
    """Return a step as people say it. `number` is the place of the step in its program, from 1; `kind` and `unit` are
    those of its column; `column` is another name for it. One's own operations are called by their names.

    >>> in_words(Step("text match", "city", ("Oslo",))), in_words(Step("least", "rent"))
    ('city is Oslo', 'the rows with the smallest rent')
    >>> in_words(Step("greater", "rent", 1200.0), unit="€"), in_words(Step("greatest", "built"), kind="date")
    ('rent is more than €1,200', 'the rows with the latest built')
    >>> in_words(Step("and"), 3)
    'the rows of both step 1 and step 2'
    """
    operation = BUILT_IN.get(step.operation)
    if operation is None:
        return str(step)
    words = (kind == "date" and operation.of_times) or operation.phrase
    argument, several = step.argument, isinstance(step.argument, tuple) and len(step.argument) > 1
    if several and step.operation == "text other":
        words = "{column} is none of {argument}"
    return words.format(
        column=column or step.column,
        argument=_argument(step, kind, "" if operation.argument == "count" else unit),
        at="on" if isinstance(argument, Period) and _is_a_day(argument) else "in",
        these="the rows" if number == 1 else "these rows",
        one=number - 1,
        two=number - 2,
        three=number - 3,
    )


def _argument(step: Step, kind: Kind, unit: str) -> str:
    """Return the argument of a step as people write it."""
    argument = step.argument
    if isinstance(argument, float | int):
        return with_unit(for_people(argument, unit), unit).strip()
    if not isinstance(argument, tuple):
        return str(argument)
    texts = [TRUTHS.get(text, text) if kind == "boolean" else text for text in argument]
    last = f"{len(texts) - NAMED + 1} others" if len(texts) > NAMED else texts.pop() if texts else "nothing"
    texts, joined = texts[: NAMED - 1], "and" if step.operation == "text other" else "or"
    return f"{', '.join(texts)} {joined} {last}" if texts else last


def _is_a_day(period: Period) -> bool:
    return bool(period.first.astype("M8[D]") == period.last.astype("M8[D]")) and not np.isnat(period.first)
