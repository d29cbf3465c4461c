"""Says in plain sentences what the numbers mean, each sentence with its evidence."""

from __future__ import annotations

from collections.abc import Sequence

from heorot.analyse.rows import best, find, largest
from heorot.model.outcome import Outcome
from heorot.model.result import Finding, Result, Sentence
from heorot.units import format_binary, format_interval, format_quantity


def make_verdict(
    results: Sequence[Result], outcomes: Sequence[Outcome], findings: Sequence[Finding]
) -> list[Sentence]:
    """Five to ten sentences a director can quote and an engineer can check."""
    sentences = [
        _peak(results),
        _all_cores(results),
        _memory(results),
        _caches(results),
        _messages(results),
        _toolchains(results),
        _ep(results),
        _trust(results, outcomes, findings),
    ]
    return [sentence for sentence in sentences if sentence is not None]


def interval(row: Result) -> str:
    """A row's value with unit and interval."""
    return format_interval(row.median, row.ci_low, row.ci_high, row.unit)


def _peak(results: Sequence[Result]) -> Sentence | None:
    peak = best(find(results, "compute/peak", "fma_double", "flop_rate", cores=1))
    clock = best(find(results, "compute/peak", "clock_multiply", "clock"))
    if peak is None or clock is None:
        return None
    per_cycle = peak.median / clock.median
    share = (
        f", {100.0 * peak.share_of_ceiling:.0f} % of what its units can do at that clock"
        if peak.share_of_ceiling
        else ""
    )
    return Sentence(
        text=(
            f"One core computes {interval(peak)} in double precision: {per_cycle:.1f} flop in "
            f"every cycle of its true clock of {interval(clock)}{share}."
        ),
        evidence=(peak.key, clock.key),
    )


def _all_cores(results: Sequence[Result]) -> Sentence | None:
    one = best(find(results, "compute/peak", "fma_double", "flop_rate", cores=1))
    rows = find(results, "compute/peak", "fma_double", "flop_rate")
    every = max(rows, key=lambda row: row.cores, default=None)
    if one is None or every is None or every.cores == 1:
        return None
    speedup = every.median / one.median
    return Sentence(
        text=(
            f"All {every.cores} cores together compute {interval(every)}, {speedup:.2f} times one "
            f"core: {100.0 * speedup / every.cores:.0f} % of {every.cores} cores' worth."
        ),
        evidence=(every.key, one.key),
    )


def _memory(results: Sequence[Result]) -> Sentence | None:
    triads = find(results, "memory/stream", "triad", "bandwidth")
    every = max(triads, key=lambda row: row.cores, default=None)
    if every is None:
        return None
    peaks = find(results, "compute/peak", "fma_double", "flop_rate", cores=every.cores)
    peak = best(peaks)
    one = best([row for row in triads if row.cores == 1])
    text = f"Memory feeds {_cores(every)} {interval(every)} (triad)"
    if one is not None and every.cores > 1:
        text += f", {every.median / one.median:.2f} times what it feeds one"
    if peak is not None:
        balance = every.median / peak.median
        text += (
            f"; that is {balance:.3f} byte per flop of peak, so whatever does fewer than "
            f"{1.0 / balance:.0f} flops per byte waits for memory"
        )
    evidence = tuple(row.key for row in (every, one, peak) if row is not None)
    return Sentence(text=text + ".", evidence=evidence)


def _cores(row: Result) -> str:
    return "the one core" if row.cores == 1 else f"all {row.cores} cores"


def _caches(results: Sequence[Result]) -> Sentence | None:
    point = {"access": "contiguous"}
    name = "compute/vector_kernels"
    near = best(find(results, name, "axpy", "r_max_l1", point=point))
    far = best(find(results, name, "axpy", "r_max_memory", point=point))
    end = best(find(results, name, "axpy", "first_level_end", point=point))
    if near is None or far is None:
        return None
    text = (
        f"Cache decides: axpy runs at {interval(near)} from the first-level cache and at "
        f"{interval(far)} from memory, a factor of {near.median / far.median:.0f}"
    )
    if end is not None:
        text += f"; the fast part ends at {format_binary(end.median)}"
    evidence = tuple(row.key for row in (near, far, end) if row is not None)
    return Sentence(text=text + ".", evidence=evidence)


def _messages(results: Sequence[Result]) -> Sentence | None:
    name = "messages/pingpong"
    short = best(find(results, name, "pingpong", "latency", point={"bytes": 8}))
    if short is None:
        return None
    long = largest(
        find(results, name, "pingpong", "bandwidth", toolchain=short.toolchain), "bytes"
    )
    half = best(find(results, name, "pingpong", "n_half", toolchain=short.toolchain))
    text = f"A message of 8 bytes inside the node takes {interval(short)} with {short.toolchain}"
    if long is not None:
        size = format_binary(float(long.point["bytes"]))
        text += f", and one of {size} travels at {interval(long)}"
    if half is not None:
        text += f"; half the asymptotic speed takes {format_quantity(half.median, 'B')}"
    evidence = tuple(row.key for row in (short, long, half) if row is not None)
    return Sentence(text=text + ".", evidence=evidence)


def _toolchains(results: Sequence[Result]) -> Sentence | None:
    """The fastest and the slowest MPI for short messages, if there are several."""
    rows = find(results, "messages/pingpong", "pingpong", "latency", point={"bytes": 8})
    if len(rows) < 2:  # noqa: PLR2004 - a comparison needs two
        return None
    fast = min(rows, key=lambda row: row.median)
    slow = max(rows, key=lambda row: row.median)
    if fast.ci_high >= slow.ci_low:
        return None
    return Sentence(
        text=(
            f"The MPI library matters: short messages take {slow.median / fast.median:.1f} times "
            f"as long with {slow.toolchain} ({interval(slow)}) as with {fast.toolchain}."
        ),
        evidence=(slow.key, fast.key),
    )


def _ep(results: Sequence[Result]) -> Sentence | None:
    rows = find(results, "npb/ep", "ep", "operation_rate")
    if not rows:
        return None
    size = str(rows[-1].options.get("class", ""))
    rows = [row for row in rows if str(row.options.get("class", "")) == size]
    top = max(rows, key=lambda row: (row.cores, row.median))
    one = best([row for row in rows if row.cores == 1])
    flops = find(results, "npb/ep", "ep", "flop_rate", cores=top.cores)
    share = next((row.share_of_ceiling for row in flops if row.case == top.case), None)
    text = f"NPB EP class {size} runs at {interval(top)} on {_cores(top)}"
    if share is not None:
        text += f" ({100.0 * share:.0f} % of peak)"
    if one is not None and top.cores > 1:
        efficiency = top.median / one.median / top.cores
        text += f" with a parallel efficiency of {100.0 * efficiency:.0f} %"
    evidence = tuple(row.key for row in (top, one) if row is not None)
    return Sentence(text=text + ".", evidence=evidence)


def _trust(
    results: Sequence[Result], outcomes: Sequence[Outcome], findings: Sequence[Finding]
) -> Sentence:
    checks = sum(len(outcome.checks) for outcome in outcomes)
    failed = sum(not check.passed for outcome in outcomes for check in outcome.checks)
    completed = sum(outcome.state == "completed" for outcome in outcomes)
    disturbed = sum(row.disturbed and not row.derived for row in results)
    rows = sum(not row.derived for row in results)
    errors = sum(finding.severity == "error" for finding in findings)
    passed = f"All {checks} checks passed" if not failed else f"{failed} of {checks} checks failed"
    ended = (
        f"all {completed} steps completed"
        if completed == len(outcomes)
        else f"{completed} of {len(outcomes)} steps completed"
    )
    clean = (
        "no result was disturbed" if not disturbed else f"{disturbed} of {rows} results are disturbed"
    )
    tail = f"; {errors} finding{'s' if errors > 1 else ''} must be settled first" if errors else ""
    return Sentence(text=f"{passed}, {ended}, {clean}{tail}.")
