"""Operations on memory whose rate differs between programs, with the cause where it is seen.

Two causes show in what was measured. Working set: the other program had less or more in its
caches, and its rate still changes from one working set to the next, towards that of memory/stream.
Write-allocate: reading agrees, and all operations that store differ by what a cache loads before
it stores, which is 3/2 of the bytes of copy and 4/3 of those of triad; one of the programs stores
whole lines without loading them.
"""

from __future__ import annotations

from collections.abc import Sequence

from heorot.analyse.wording import cores, interval, keys
from heorot.families.memory.checks import Witnessed, witnessed
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Finding, Result
from heorot.units import format_binary

# Bytes that move if lines are loaded before they are stored into, over those counted.
_ALLOCATED = {"copy": 3 / 2, "add": 4 / 3, "triad": 4 / 3}
_ALIKE = 1.1
_LEAST_STORING = 2


def find(context: Context) -> list[Finding]:
    """One finding for every number of cores and toolchain where programs disagree.

    Args:
        context: the run.
    """
    places: dict[tuple[int, str], list[Witnessed]] = {}
    for each in witnessed(context):
        places.setdefault((each.row.cores, each.row.toolchain), []).append(each)
    apart = ((every, [one for one in every if not one.check.agrees]) for every in places.values())
    return [_find(every, some) for every, some in apart if some]


def _find(every: Sequence[Witnessed], apart: Sequence[Witnessed]) -> Finding:
    worst = max(apart, key=lambda each: max(each.check.ratio, 1.0 / each.check.ratio))
    row, witness = worst.row, worst.witness
    causes = {each.check.quantity + each.check.second_name: _cause(each, every) for each in apart}
    mine = causes[worst.check.quantity + worst.check.second_name]
    return Finding(
        observation=(
            f"On {cores(row)}, {worst.check.first_name} has {interval(row)} and "
            f"{worst.check.second_name} {interval(witness)}: "
            f"{mine or 'the measurements do not show why'}."
        ),
        severity="note",
        evidence=tuple(
            dict.fromkeys(
                key for one in apart for key in keys(one.row, one.witness, _told_before(one))
            )
        ),
        affected=tuple(dict.fromkeys(one.witness.benchmark for one in apart)),
        remedy=(
            f"quote {row.benchmark}, which is what this report calls the bandwidth of memory, and "
            "give the working set with it"
        ),
        columns=("cores", "operation and working set", "rate", "against", "rate", "cause seen"),
        rows=tuple(
            (
                cores(one.row),
                one.check.first_name,
                interval(one.row),
                one.check.second_name,
                interval(one.witness),
                causes[one.check.quantity + one.check.second_name] or "none",
            )
            for one in apart
        ),
    )


def _cause(each: Witnessed, every: Sequence[Witnessed]) -> str:
    """What the measurements show to be the cause; empty if they do not."""
    before = _told_before(each)
    if before is not None:
        return (
            f"the working sets differ, and the second still falls from {interval(before)} as its "
            f"own grows to {format_binary(each.witness_size)}"
        )
    own = [one for one in every if one.witness.benchmark == each.witness.benchmark]
    if _is_allocation(own):
        loading, storing = each.row.benchmark, each.witness.benchmark
        if each.check.ratio < 1.0:
            loading, storing = storing, loading
        return (
            f"write-allocate: reading agrees, and copy and triad differ as they do if {loading} "
            f"loads the lines that it stores into and {storing} does not"
        )
    return ""


def _told_before(each: Witnessed) -> Result | None:
    """The row from which a witness's rate still falls by its size, towards that of a larger set."""
    if each.before is None or each.size is None or each.witness_size >= each.size / _ALIKE:
        return None
    falls = each.check.ratio > 1.0 and each.witness.ci_high * _ALIKE < each.before.ci_low
    return each.before if falls else None


def _is_allocation(own: Sequence[Witnessed]) -> bool:
    """Whether one program's operations differ from memory/stream's as write-allocate makes them."""
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
