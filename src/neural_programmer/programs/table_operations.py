"""Operations that answer with tables, and those that people's questions need beside them: groups and their measures,
orders, shares, growth, parts of texts, and numbers that are compared with each other.

A step reads what those before it left (see operation.Below): rows, groups, the numbers that were computed. What selects
rows, and what makes a number of them, acts on groups where there are groups: conditions on a measure or a key filter
them, conditions on another column restrict the next measure.
"""

from neural_programmer.programs.building import both
from neural_programmer.programs.expressions import Arithmetic, Compare, Exists, Filter, Missing, Not, Scan
from neural_programmer.programs.operation import Operation, column_of
from neural_programmer.programs.row_operations import aggregated
from neural_programmer.programs.table_builders import (
    along,
    among,
    at_place,
    changed,
    computed,
    correlation,
    divided_by_number,
    extremes,
    first,
    first_of_each,
    for_each,
    growth,
    like,
    not_among,
    of_numbers,
    once,
    ordered,
    overall,
    percentage,
    ranked,
    share,
    share_of,
    share_within,
    show,
    spread,
    total,
    with_cells,
    with_number,
)

TABLE_OPERATIONS: dict[str, Operation] = {
    operation.name: operation
    for operation in (
        Operation(
            "for each", "table", "any", "none", for_each,
            "the selected rows, grouped by a column",
            phrase="for each {column}",
        ),
        Operation(
            "overall", "table", "none", "none", overall,
            "the selected rows as one group, to take several measures of",
            phrase="of all of them",
        ),
        Operation(
            "median", "scalar", "number", "none", aggregated("median"),
            "the median of a column over the selected rows, or of each group",
            phrase="the median {column}",
        ),
        Operation(
            "deviation", "scalar", "number", "none", aggregated("deviation"),
            "the standard deviation of a column over the selected rows, or of each group",
            phrase="the standard deviation of {column}",
        ),
        Operation(
            "range", "scalar", "number", "none", spread,
            "the greatest cell of a column less the least",
            phrase="the range of {column}",
        ),
        Operation(
            "take", "cells", "number", "none", column_of,
            "the number in a column of each row, to compute with",
            phrase="take {column} of each row",
        ),
        Operation(
            "plus", "cells", "number", "none", computed("+", "sum of measures"),
            "what was taken plus a column in each row; of groups, a measure plus the last one",
            phrase="plus {column}",
        ),
        Operation(
            "less", "cells", "number", "none", computed("-", "difference"),
            "what was taken less a column in each row; of groups, a measure less the last one",
            phrase="less {column}",
        ),
        Operation(
            "times", "cells", "number", "none", computed("*", "product"),
            "what was taken times a column in each row; of groups, a measure times the last one",
            phrase="times {column}",
        ),
        Operation(
            "divided by", "cells", "number", "none", computed("/", "ratio"),
            "what was taken divided by a column in each row; of groups, a measure divided by the last one",
            phrase="divided by {column}",
        ),
        Operation(
            "divided by number", "cells", "none", "number", divided_by_number,
            "what was taken divided by a number in each row; of groups, the last measure divided by a number",
            phrase="divided by {argument}",
        ),
        Operation(
            "correlation", "scalar", "number", "none", correlation,
            "the correlation of what was taken with a column",
            phrase="the correlation with {column}",
        ),
        Operation(
            "share", "scalar", "none", "none", share,
            "how many percent of the rows of the step before the last one selects; of each group, its condition, or of"
            " all groups",
            ("%", "%"),
            phrase="their percentage",
        ),
        Operation(
            "share of", "scalar", "number", "none", share_of,
            "how many percent of a column's sum the selected rows have; of each group, of a measure of all groups",
            ("%", "%"),
            phrase="their percentage of {column}",
        ),
        Operation(
            "share within", "table", "number", "none", share_within,
            "a measure as a percentage of the groups that share the first key",
            phrase="as a percentage of each",
        ),
        Operation(
            "ascending", "table", "any", "none", ordered(descending=False),
            "rows or groups in the order of a column, the least first",
            phrase="by {column}, the least first",
        ),
        Operation(
            "descending", "table", "any", "none", ordered(descending=True),
            "rows or groups in the order of a column, the greatest first",
            phrase="by {column}, the greatest first",
        ),
        Operation(
            "top", "table", "ordered", "count", first(descending=True),
            "so many rows or groups with the greatest cells of a column",
            phrase="the {argument} with the largest {column}",
        ),
        Operation(
            "bottom", "table", "ordered", "count", first(descending=False),
            "so many rows or groups with the least cells of a column",
            phrase="the {argument} with the smallest {column}",
        ),
        Operation(
            "top of each", "table", "ordered", "count", first_of_each(descending=True),
            "so many of each group with the greatest cells of a column",
            phrase="the {argument} of each with the largest {column}",
        ),
        Operation(
            "bottom of each", "table", "ordered", "count", first_of_each(descending=False),
            "so many of each group with the least cells of a column",
            phrase="the {argument} of each with the smallest {column}",
        ),
        Operation(
            "place from the top", "rows", "ordered", "count", at_place(descending=True),
            "the rows or groups at a place, counted from the greatest cell of a column",
            phrase="number {argument} by {column}, from the largest",
        ),
        Operation(
            "place from the bottom", "rows", "ordered", "count", at_place(descending=False),
            "the rows or groups at a place, counted from the least cell of a column",
            phrase="number {argument} by {column}, from the smallest",
        ),
        Operation(
            "extremes", "rows", "ordered", "none", extremes,
            "of the selected rows or groups, those with the least and those with the greatest cell of a column",
            phrase="the rows with the smallest and the largest {column}",
            of_times="the rows with the earliest and the latest {column}",
        ),
        Operation(
            "show", "table", "any", "none", show,
            "a column of the rows or groups, beside those that were shown before",
            phrase="show {column}",
        ),
        Operation(
            "once", "table", "none", "none", once,
            "each row of what is shown once",
            phrase="each of them once",
        ),
        Operation(
            "total", "table", "number", "none", total,
            "the sum of a measure over all groups, beside each",
            phrase="beside the total of all",
        ),
        Operation(
            "running total", "table", "number", "none", along("sum", "running total"),
            "a measure of the groups up to each, added up along their times",
            phrase="added up over time",
        ),
        Operation(
            "moving average", "table", "number", "count", along("average", "moving average"),
            "the average of a measure over so many of the last groups, along their times",
            phrase="the average of the last {argument}",
        ),
        Operation(
            "change", "table", "number", "none",
            changed(lambda before, after: Arithmetic("-", after, before), "change"),
            "a measure less that of the time before",
            phrase="the change since the time before",
        ),
        Operation(
            "percent change", "table", "number", "none", changed(growth, "percent change"),
            "by how many percent a measure has grown since the time before",
            phrase="the change since the time before in percent",
        ),
        Operation(
            "rank", "table", "number", "none", ranked,
            "the place of each group by a measure",
            phrase="its place by {column}",
        ),
        Operation(
            "number", "scalar", "none", "number", lambda b: b.low,
            "a number that the question says",
            phrase="the number {argument}",
        ),
        Operation(
            "sum of both", "scalar", "none", "none", of_numbers(lambda one, other: Arithmetic("+", one, other)),
            "the last two numbers added",
            phrase="both numbers added",
        ),
        Operation(
            "minus", "scalar", "none", "none", of_numbers(lambda one, other: Arithmetic("-", one, other)),
            "the number before the last one less the last",
            phrase="the first number less the second",
        ),
        Operation(
            "ratio", "scalar", "none", "none", of_numbers(lambda one, other: Arithmetic("/", one, other)),
            "the number before the last one divided by the last",
            phrase="the first number divided by the second",
        ),
        Operation(
            "percent of", "scalar", "none", "none",
            of_numbers(lambda one, other: percentage(Arithmetic("/", one, other))),
            "the number before the last one in percent of the last",
            ("%", "%"),
            phrase="the first number in percent of the second",
        ),
        Operation(
            "growth", "scalar", "none", "none", of_numbers(growth),
            "by how many percent the last number is more than that before it",
            ("%", "%"),
            phrase="the growth from the first number to the second in percent",
        ),
        Operation(
            "is more", "truth", "none", "none", of_numbers(lambda one, other: Compare(">", one, other)),
            "whether the number before the last one is more than the last",
            phrase="whether the first number is more than the second",
        ),
        Operation(
            "is less", "truth", "none", "none", of_numbers(lambda one, other: Compare("<", one, other)),
            "whether the number before the last one is less than the last",
            phrase="whether the first number is less than the second",
        ),
        Operation(
            "is the same", "truth", "none", "none", of_numbers(lambda one, other: Compare("=", one, other)),
            "whether the last two numbers are the same",
            phrase="whether both numbers are the same",
        ),
        Operation(
            "whether all", "truth", "none", "none",
            lambda b: Not(Exists(Filter(Scan(), both(b.rows_before, Not(b.rows))))),
            "whether the last step selects all rows of the step before it",
            phrase="whether all of them are",
        ),
        Operation(
            "more than it", "rows", "ordered", "none", with_number(">"),
            "the rows or groups whose cell is more than the last number",
            phrase="{column} is more than that",
        ),
        Operation(
            "less than it", "rows", "ordered", "none", with_number("<"),
            "the rows or groups whose cell is less than the last number",
            phrase="{column} is less than that",
        ),
        Operation(
            "same as it", "rows", "ordered", "none", with_number("="),
            "the rows or groups whose cell is the last number",
            phrase="{column} is that",
        ),
        Operation(
            "exceeds", "rows", "number", "none", with_cells(">"),
            "the rows where what was taken is more than a column",
            phrase="it is more than {column}",
        ),
        Operation(
            "equals", "rows", "number", "none", with_cells("="),
            "the rows where what was taken is the same as a column",
            phrase="it is the same as {column}",
        ),
        Operation(
            "among", "rows", "any", "none", among,
            "all rows that have a cell of the selected ones in a column, or a key of the groups",
            phrase="all rows with a {column} of {these}",
        ),
        Operation(
            "not among", "rows", "any", "none", not_among,
            "all rows that have no cell of the selected ones in a column, and no key of the groups",
            phrase="all rows with a {column} that none of {these} has",
        ),
        Operation(
            "contains", "rows", "text", "text", like("contains"),
            "the rows whose text contains another",
            phrase="{column} contains {argument}",
        ),
        Operation(
            "has the word", "rows", "text", "text", like("has the word"),
            "the rows whose text has a word, or several that follow each other",
            phrase="{column} has the word {argument}",
        ),
        Operation(
            "begins with", "rows", "text", "text", like("begins with"),
            "the rows whose text begins with another",
            phrase="{column} begins with {argument}",
        ),
        Operation(
            "ends with", "rows", "text", "text", like("ends with"),
            "the rows whose text ends with another",
            phrase="{column} ends with {argument}",
        ),
        Operation(
            "missing", "rows", "any", "none", lambda b: Missing(column_of(b)),
            "the rows without a cell in a column",
            phrase="{column} is missing",
        ),
        Operation(
            "present", "rows", "any", "none", lambda b: Not(Missing(column_of(b))),
            "the rows with a cell in a column",
            phrase="{column} is there",
        ),
    )
}  # fmt: skip
