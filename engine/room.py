"""Room for arrays that grow, and slices of long work on them.

NumPy lets other threads run while it copies and sorts. It does not while `ndarray.resize` clears what is new, nor in
`repeat` and `add.at`, nor does Python while it decodes a text; in a large corpus each may take a tenth of a second.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Array = TypeVar("Array", bound=NDArray[Any])

_SLICE = 1 << 18  # elements, or code points that are decoded, at a time: about a millisecond


def larger(array: Array, used: int, size: int) -> Array:
    """Return an array of `size` rows that starts with the `used` ones of another; what follows them is not set."""
    grown: Array = np.empty_like(array, shape=(size, *array.shape[1:]))
    grown[:used] = array[:used]
    return grown


def repeated(values: Array, sizes: NDArray[np.int64]) -> Array:
    """Repeat each value as often as its size says.

    >>> repeated(np.array([7, 8, 9]), np.array([1, 0, 2])).tolist()
    [7, 9, 9]
    """
    stops = np.cumsum(sizes)
    total = int(sizes.sum())
    result: Array = np.empty_like(values, shape=total)
    cuts = np.searchsorted(stops, np.arange(_SLICE, total, _SLICE)).tolist()
    end = 0
    for first, last in pairwise([0, *cuts, len(values)]):
        part = np.repeat(values[first:last], sizes[first:last])
        result[end : end + len(part)] = part
        end += len(part)
    return result


def count_values(values: NDArray[np.uint32], weights: NDArray[np.int64]) -> NDArray[np.int64]:
    """Add up the weights of each value, from 0 to the largest.

    >>> count_values(np.array([2, 0, 2], np.uint32), np.array([5, 1, 2])).tolist()
    [1, 0, 7]
    """
    totals = np.zeros(int(values.max(initial=0)) + 1, np.int64)
    for at in range(0, len(values), _SLICE):
        np.add.at(totals, values[at : at + _SLICE], weights[at : at + _SLICE])
    return totals


def to_text(points: NDArray[np.uint32]) -> str:
    """Turn code points into a text.

    >>> to_text(np.array([8364, 49], np.uint32))
    '€1'
    """
    slices = (points[at : at + _SLICE] for at in range(0, len(points), _SLICE))
    return "".join(each.tobytes().decode("utf-32-le") for each in slices)


def starts_of_code_points(raw: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return int64[code points], the first byte of each in UTF-8."""
    return np.flatnonzero((raw & 0xC0) != 0x80)


def to_code_points(raw: NDArray[np.uint8]) -> NDArray[np.uint32]:
    """Turn UTF-8 into code points.

    >>> to_code_points(np.frombuffer("€1".encode(), np.uint8)).tolist()
    [8364, 49]
    """
    starts = starts_of_code_points(raw)
    points = np.empty(len(starts), np.uint32)
    cuts = [*starts[::_SLICE].tolist(), len(raw)]
    for i, (start, stop) in enumerate(pairwise(cuts)):
        text = raw[start:stop].tobytes().decode()
        points[i * _SLICE : i * _SLICE + len(text)] = np.frombuffer(text.encode("utf-32-le"), np.uint32)
    return points
