"""Operations on memory whose rate differs between programs, with the cause if it was measured.

Two causes can be measured. Working set: the other program had less or more in its caches, and its
rate still changes from one working set to the next, towards that of memory/stream. Write-allocate:
reading agrees, and all operations that store differ by the lines that a cache loads before storing,
which is 3/2 of the bytes of copy and 4/3 of those of triad; one of the programs uses non-temporal
stores.
"""

from __future__ import annotations

from collections.abc import Sequence

from heorot.analyse.templates.quantities import exactly, keys
from heorot.families.memory import templates
from heorot.families.memory.checks import Compared, compared
from heorot.model.analysis.claims import Claim
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import CrossCheck, Result
from heorot.model.grouping import group_by

# Bytes moved with write-allocate, over those counted.
_ALLOCATED = {"copy": 3 / 2, "add": 4 / 3, "triad": 4 / 3}
_ALIKE = 1.1
_LEAST_STORING = 2


def cross_check(context: Context) -> list[CrossCheck]:
    """Every operation that was measured in two ways, on every core count, with causes."""
    places = group_by(compared(context), lambda each: (each.row.cores, each.row.stack))
    return [_explained(each, every) for every in places.values() for each in every]


def _explained(each: Compared, every: Sequence[Compared]) -> CrossCheck:
    """A cross-check with its cause and remedy, if it disagrees."""
    if each.check.agrees:
        return each.check
    return each.check.model_copy(
        update={
            "evidence": keys(each.row, each.other, _stated_before(each)),
            "cause": _cause(each, every),
            "remedy": (
                f"quote {each.row.benchmark}, which is what this report calls the bandwidth of "
                "memory, and give the working set with it"
            ),
        }
    )


def _cause(each: Compared, every: Sequence[Compared]) -> Claim | None:
    """The measured cause; None if unknown."""
    before = _stated_before(each)
    if before is not None:
        return templates.STILL_FALLS.claim(rate=before, size=exactly(each.other_size, "B"))
    own = [one for one in every if one.other.benchmark == each.other.benchmark]
    if _is_allocation(own):
        loading, storing = each.row.benchmark, each.other.benchmark
        if each.check.ratio < 1.0:
            loading, storing = storing, loading
        return templates.WRITE_ALLOCATE.claim(loading=loading, storing=storing)
    return None


def _stated_before(each: Compared) -> Result | None:
    """The row from which the other program's rate still falls, towards that of a larger set."""
    if each.before is None or each.size is None or each.other_size >= each.size / _ALIKE:
        return None
    falls = each.check.ratio > 1.0 and each.other.ci_high * _ALIKE < each.before.ci_low
    return each.before if falls else None


def _is_allocation(own: Sequence[Compared]) -> bool:
    """Whether one program's operations differ from memory/stream's by write-allocate."""
    reading = [one for one in own if one.operation == "read"]
    storing = [one for one in own if one.operation in _ALLOCATED]
    if len(storing) < _LEAST_STORING or not reading:
        return False
    faster = storing[0].check.ratio > 1.0
    factors = [
        (one.check.ratio if faster else 1.0 / one.check.ratio) / _ALLOCATED[one.operation]
        for one in storing
    ]
    factors += [one.check.ratio for one in reading]
    return all(1.0 / _ALIKE <= factor <= _ALIKE for factor in factors)
