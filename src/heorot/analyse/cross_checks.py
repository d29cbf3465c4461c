"""Holds quantities that were measured in two ways against each other."""

from __future__ import annotations

from collections.abc import Sequence

from heorot.analyse.rows import best, find, largest
from heorot.model.result import CrossCheck, Result
from heorot.model.series import Series

# What counts as agreement, and why.
_CLOCKS = 1.001  # two clocks of one machine differ by parts in a million; 0.1 % would be a fault
_CHAINS = 1.03  # two dependent chains on one core, measured a moment apart while the clock moves
_ROUND_TRIPS = 1.35  # single round trips pay for the clock's own calls, and see a cold cache
_MEMORY = 1.2  # array sizes and alignment differ between the two programs
_LAYOUTS = 1.1  # ranks and threads do the same work on the same cores


def cross_check(series: Sequence[Series], results: Sequence[Result]) -> list[CrossCheck]:
    """All cross-checks for which both ways were measured."""
    checks = [_clocks(series)]
    chains = (
        best(find(results, "compute/peak", "clock_multiply", "clock", cores=1)),
        best(find(results, "compute/peak", "clock_xor", "clock", cores=1)),
    )
    checks.append(_pair("core clock", chains, ("multiply chain", "exclusive-or chain"), _CHAINS))
    for toolchain in dict.fromkeys(row.toolchain for row in results):
        checks.append(_latency(results, toolchain))
        memory = (
            best(find(results, "memory/stream", "triad", "bandwidth", cores=1)),
            largest(
                find(
                    results,
                    "compute/vector_kernels",
                    "triad",
                    "bandwidth",
                    point={"access": "contiguous"},
                    toolchain=toolchain,
                ),
                "working_set_bytes",
            ),
        )
        names = ("memory/stream", "compute/vector_kernels, longest vectors")
        checks.append(_pair("memory bandwidth of one core, triad", memory, names, _MEMORY))
    checks += _ep_layouts(results)
    return [check for check in checks if check is not None]


def _pair(
    quantity: str,
    rows: tuple[Result | None, Result | None],
    names: tuple[str, str],
    allowed: float,
) -> CrossCheck | None:
    first, second = rows
    if first is None or second is None or first.median <= 0.0:
        return None
    return CrossCheck(
        quantity=quantity,
        first_name=names[0],
        first=first.median,
        second_name=names[1],
        second=second.median,
        unit=first.unit,
        ratio=second.median / first.median,
        allowed=allowed,
    )


def _clocks(series: Sequence[Series]) -> CrossCheck | None:
    """The summed length of all sampling loops on the main and on the second clock."""
    both = [one for one in series if one.second_clock is not None and one.elapsed_seconds > 0.0]
    main = sum(one.elapsed_seconds for one in both)
    other = sum(one.second_clock.elapsed_seconds for one in both if one.second_clock is not None)
    if not both or main <= 0.0:
        return None
    name = both[0].second_clock.name if both[0].second_clock else ""
    return CrossCheck(
        quantity="time spent sampling",
        first_name="main clock",
        first=main,
        second_name=f"{name} clock",
        second=other,
        unit="s",
        ratio=other / main,
        allowed=_CLOCKS,
    )


def _latency(results: Sequence[Result], toolchain: str) -> CrossCheck | None:
    batch = find(
        results,
        "messages/pingpong",
        "pingpong",
        "latency",
        point={"bytes": 8},
        toolchain=toolchain,
    )
    single = find(
        results,
        "messages/pingpong",
        "single_round_trip",
        "latency",
        point={"bytes": 8},
        toolchain=toolchain,
    )
    names = ("back-to-back round trips", "round trips timed one by one")
    return _pair(f"latency of 8 bytes, {toolchain}", (best(batch), best(single)), names, _ROUND_TRIPS)


def _ep_layouts(results: Sequence[Result]) -> list[CrossCheck | None]:
    rows = find(results, "npb/ep", "ep", "operation_rate")
    by_case = {(row.toolchain, row.case): row for row in rows}
    checks = []
    for (toolchain, case), threads in by_case.items():
        if case.endswith("_all_cores_threads"):
            ranks = by_case.get((toolchain, case.replace("_threads", "_ranks")))
            size = case.partition("_")[0]
            quantity = f"EP class {size} on {threads.cores} cores, {toolchain}"
            checks.append(_pair(quantity, (threads, ranks), ("threads", "ranks"), _LAYOUTS))
    return checks
