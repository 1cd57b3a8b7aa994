"""A step of a program in words that people use: "city is Oslo", "the rows with the smallest rent"."""

import numpy as np

from neural_programmer.programs.program import Step
from neural_programmer.programs.values import for_people, with_unit
from neural_programmer.tables.period import Period
from neural_programmer.tables.table import Kind

NAMED = 3  # texts of a step that are named, of more of them
WORDS = {  # of each operation; one, two and three are the numbers of the steps before, `these` the rows they select
    "sum": "the total of {column}",
    "count": "the number of rows",
    "difference": "the number of step {three} minus the number of step {one}",
    "greater": "{column} is more than {argument}",
    "lesser": "{column} is less than {argument}",
    "and": "the rows of both step {two} and step {one}",
    "or": "the rows of step {two} or step {one}",
    "assign": "the {column} of {these}",
    "reset": "all rows",
    "text match": "{column} is {argument}",
    "text other": "{column} is not {argument}",
    "equal": "{column} is {argument}",
    "not equal": "{column} is not {argument}",
    "at least": "{column} is {argument} or more",
    "at most": "{column} is {argument} or less",
    "not": "all rows but those of step {one}",
    "average": "the average {column}",
    "maximum": "the largest {column}",
    "minimum": "the smallest {column}",
    "greatest": "the rows with the largest {column}",
    "least": "the rows with the smallest {column}",
    "decline": "no answer",
    "first": "the first of {these}",
    "last": "the last of {these}",
    "previous": "the row before {these}",
    "next": "the row after {these}",
    "above": "all rows before {these}",
    "below": "all rows after {these}",
    "more": "the rows with a larger {column} than {these}",
    "fewer": "the rows with a smaller {column} than {these}",
    "same": "the other rows with the same {column} as {these}",
    "most common": "the rows with the most common {column}",
    "distinct": "the number of different {column}",
    "whether": "whether there is such a row",
    "least common": "the rows with the least common {column}",
    "years": "the number of step {one}, in years",
    "more or less": "more if there is such a row, else less",
    "above or below": "above if there is such a row, else below",
    "before or after": "before if there is such a row, else after",
}
OF_TIMES = {
    "greater": "{column} is after {argument}",
    "lesser": "{column} is before {argument}",
    "equal": "{column} is {at} {argument}",
    "not equal": "{column} is not {at} {argument}",
    "at least": "{column} is {argument} or later",
    "at most": "{column} is {argument} or earlier",
    "greatest": "the rows with the latest {column}",
    "least": "the rows with the earliest {column}",
    "more": "the rows with a later {column} than {these}",
    "fewer": "the rows with an earlier {column} than {these}",
}
TRUTHS = {"true": "yes", "false": "no"}


def in_words(step: Step, number: int = 1, kind: Kind = "number", unit: str = "") -> str:
    """Return a step as people say it: the `number` of the step in its program counts from 1, and `kind` and `unit` are
    those of its column. One's own operations are called by their names.

    >>> in_words(Step("text match", "city", ("Oslo",))), in_words(Step("least", "rent"))
    ('city is Oslo', 'the rows with the smallest rent')
    >>> in_words(Step("greater", "rent", 1200.0), unit="€"), in_words(Step("greatest", "built"), kind="date")
    ('rent is more than €1,200', 'the rows with the latest built')
    >>> in_words(Step("and"), 3)
    'the rows of both step 1 and step 2'
    """
    words = OF_TIMES.get(step.operation) if kind == "date" else None
    words = words or WORDS.get(step.operation)
    if words is None:
        return str(step)
    argument, several = step.argument, isinstance(step.argument, tuple) and len(step.argument) > 1
    if several and step.operation == "text other":
        words = "{column} is none of {argument}"
    return words.format(
        column=step.column,
        argument=_argument(step, kind, unit),
        at="on" if isinstance(argument, Period) and _is_a_day(argument) else "in",
        these="the rows" if number == 1 else "these rows",
        one=number - 1,
        two=number - 2,
        three=number - 3,
    )


def _argument(step: Step, kind: Kind, unit: str) -> str:
    """What a step compares with, as people write it."""
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
