"""Holds quantities that were measured in two ways against each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from heorot.analyse.peak import CLOCK_REGIONS
from heorot.analyse.rows import Rows, best, largest
from heorot.model.analysis.result import CrossCheck, Result
from heorot.model.run.series import Series

# What counts as agreement, and why.
_CLOCKS = 1.001  # two clocks of one machine differ by parts in a million; 0.1 % would be a fault
_CHAINS = 1.05  # dependent chains on one core, measured a moment apart while the clock moves
_ROUND_TRIPS = 2.0  # a broadcast among two ranks is one message, plus what collectives decide
_MEMORY = 1.25  # array sizes, alignment and the share of the last cache differ
_LAYOUTS = 1.1  # ranks and threads do the same work on the same cores


def cross_check(series: Sequence[Series], rows: Rows) -> list[CrossCheck]:
    """All cross-checks for which both ways were measured.

    Args:
        series: all samples.
        rows: all rows.
    """
    toolchains = list(dict.fromkeys(row.toolchain for row in rows))
    checks = [_clocks(series)]
    for toolchain in toolchains:
        # The reader need not be told which one if there is no other.
        suffix = f", {toolchain}" if len(toolchains) > 1 else ""
        checks += _chains(rows, toolchain, suffix)
        checks.append(_latency(rows, toolchain, suffix))
        checks += _memory(rows, toolchain, suffix)
        checks += _ep_layouts(rows, toolchain, suffix)
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


def _clocks(series: Iterable[Series]) -> CrossCheck | None:
    """The summed length of all sampling loops on the main and on the second clock."""
    main = other = 0.0
    name = ""
    for one in series:
        if one.second_clock is not None and one.elapsed_seconds > 0.0:
            main += one.elapsed_seconds
            other += one.second_clock.elapsed_seconds
            name = name or one.second_clock.name
    if main <= 0.0:
        return None
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


def _chains(rows: Rows, toolchain: str, suffix: str) -> list[CrossCheck | None]:
    """The core clock by every dependent chain, against the most trustworthy one."""
    found = [
        (region, best(rows.find("compute/peak", region, "clock", cores=1, toolchain=toolchain)))
        for region in CLOCK_REGIONS
    ]
    measured = [(region.removeprefix("clock_"), row) for region, row in found if row is not None]
    return [
        _pair(
            f"core clock{suffix}",
            (measured[0][1], row),
            (f"chain of {measured[0][0]}", f"chain of {name}"),
            _CHAINS,
        )
        for name, row in measured[1:]
    ]


def _latency(rows: Rows, toolchain: str, suffix: str) -> CrossCheck | None:
    def one_way(region: str) -> Result | None:
        return best(
            rows.find(
                "messages/pingpong", region, "latency", point={"bytes": 8}, toolchain=toolchain
            )
        )

    names = ("half a ping-pong", "half of two broadcasts in turn")
    ways = (one_way("pingpong"), one_way("turning_broadcast"))
    return _pair(f"latency of 8 bytes{suffix}", ways, names, _ROUND_TRIPS)


def _memory(rows: Rows, toolchain: str, suffix: str) -> list[CrossCheck | None]:
    """Memory bandwidth of one core by stream and by the longest vectors: writing, and reading."""
    name = "compute/vector_kernels"
    checks = []
    for stream_region, region in (("triad", "triad"), ("read", "dotproduct")):
        in_memory = {
            row.case
            for row in rows.find(name, region, "r_max_memory", toolchain=toolchain)
            if row.point.get("access") == "contiguous"
        }
        vectors = rows.find(
            name, region, "bandwidth", point={"access": "contiguous"}, toolchain=toolchain
        )
        ways = (
            best(
                rows.find("memory/stream", stream_region, "bandwidth", cores=1, toolchain=toolchain)
            ),
            largest([row for row in vectors if row.case in in_memory], "working_set_bytes"),
        )
        names = (f"memory/stream, {stream_region}", f"{name}, longest {region}")
        checks.append(_pair(f"memory bandwidth of one core{suffix}", ways, names, _MEMORY))
    return checks


def _ep_layouts(rows: Rows, toolchain: str, suffix: str) -> list[CrossCheck | None]:
    found = rows.find("npb/ep", "ep", "operation_rate", toolchain=toolchain)
    by_case = {row.case: row for row in found}
    checks = []
    for case, threads in by_case.items():
        if case.endswith("_all_cores_threads"):
            ranks = by_case.get(case.replace("_threads", "_ranks"))
            quantity = f"EP class {case.partition('_')[0]} on {threads.cores} cores{suffix}"
            checks.append(_pair(quantity, (threads, ranks), ("threads", "ranks"), _LAYOUTS))
    return checks
