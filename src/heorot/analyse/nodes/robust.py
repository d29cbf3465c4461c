"""Medians and scales that a minority of wrong values does not move, for whole tables at once.

All arrays are tables of items (nodes or pairs) x quantities; missing values, and results without
any value, are NaN.

Source: P. J. Rousseeuw, C. Croux, Alternatives to the Median Absolute Deviation, J. Am. Stat.
Assoc. 88 (1993): the scale, 1.4826 MAD. C. Croux, P. J. Rousseeuw, Time-efficient algorithms for
two highly robust estimators of scale, COMPSTAT 1992: its correction for few values.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from heorot.analyse.statistics.summary import FloatArray

# Factors from the MAD, and the difference of two, to a normal standard deviation.
NORMAL_MAD = 1.4826
_NORMAL_DIFFERENCE = NORMAL_MAD / math.sqrt(2.0)
# By the number of values, from 2; beyond them n / (n - 0.8).
_FEW = np.array([1.196, 1.495, 1.363, 1.206, 1.200, 1.140, 1.129, 1.107])


def median(table: FloatArray, axis: int) -> FloatArray:
    """The median along an axis, without NaN.

    Args:
        table: values, any shape with at least one value along the axis.
    """
    ordered = np.sort(np.moveaxis(table, axis, -1), axis=-1)  # NaN comes last
    n = np.isfinite(ordered).sum(axis=-1, keepdims=True)
    low = np.take_along_axis(ordered, np.maximum(n - 1, 0) // 2, axis=-1)
    high = np.take_along_axis(ordered, np.minimum(n // 2, ordered.shape[-1] - 1), axis=-1)
    middle: FloatArray = 0.5 * (low + high)[..., 0]
    return np.where(n[..., 0] > 0, middle, np.nan)


def median_of_others(table: FloatArray) -> FloatArray:
    """For every item the median of all others, shape (n_items, n_quantities).

    With few items it matters that the judged one is not compared with itself.
    """
    order = np.argsort(table, axis=0)
    ordered = np.take_along_axis(table, order, axis=0)
    rank = np.argsort(order, axis=0)
    n_others = np.isfinite(table).sum(axis=0) - 1
    last = table.shape[0] - 1

    def other(place: NDArray[np.int64]) -> FloatArray:
        """The value of that rank among the others."""
        own = place[None, :] + (place[None, :] >= rank)
        found: FloatArray = np.take_along_axis(ordered, np.clip(own, 0, last), axis=0)
        return found

    low, high = other((n_others - 1) // 2), other(n_others // 2)
    known = np.isfinite(table) & (n_others > 0)[None, :]
    return np.where(known, 0.5 * (low + high), np.nan)


def spread_between(table: FloatArray) -> FloatArray:
    """Standard deviation of the items by 1.4826 MAD, corrected for few; shape (n_quantities,)."""
    deviations = np.abs(table - median(table, 0)[None, :])
    n = np.isfinite(table).sum(axis=0)
    few = _FEW[np.clip(n - 2, 0, _FEW.size - 1)]
    correction = np.where(n < _FEW.size + 2, few, n / (n - 0.8))
    spread: FloatArray = NORMAL_MAD * correction * median(deviations, 0)
    return spread


def spread_within(launches: FloatArray) -> FloatArray:
    """Standard deviation of a launch about its item's value; shape (n_quantities,).

    Half of the absolute differences between two launches of one item are smaller than
    sqrt(2) sigma / 1.4826. NaN where no item has two launches.

    Args:
        launches: shape (n_items, n_quantities, n_launches).
    """
    n_items, n_quantities, n_launches = launches.shape
    first, second = np.triu_indices(n_launches, 1)
    if not first.size:
        return np.full(n_quantities, np.nan)
    differences = np.abs(launches[:, :, first] - launches[:, :, second])
    flat = np.moveaxis(differences, 1, -1).reshape(n_items * first.size, n_quantities)
    return _NORMAL_DIFFERENCE * median(flat, 0)
