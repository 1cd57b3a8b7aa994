"""Operations that neural-programmer has not: a median, how many different cells there are, what is above average."""

import numpy as np

from neural_programmer import operation


@operation(column="number", sql="MEDIAN")
def middle(cells):
    """the median of a column over the selected rows"""
    return np.median(cells)


@operation(column="any", sql="COUNT DISTINCT", of_nothing=0)
def different(cells):
    """how many different cells a column has in the selected rows"""
    return len(np.unique(cells))


@operation(column="number", updates="rows", sql=lambda q: q.column > q.aggregate("AVG", q.column, q.row_select_1))
def above_average(cells):
    """of the selected rows, those whose cell is above their average"""
    return cells > np.mean(cells)
