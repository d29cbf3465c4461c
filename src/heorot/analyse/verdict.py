"""Says in plain sentences what the numbers mean, each sentence with its evidence."""

from __future__ import annotations

from collections.abc import Sequence

from heorot.analyse.peak import core_clock
from heorot.analyse.rows import CLASSES, Rows, best, best_on_most_cores, largest
from heorot.model.analysis.breakdown import Attribution
from heorot.model.analysis.result import CrossCheck, Finding, Result, Sentence
from heorot.model.run.outcome import Outcome
from heorot.units import format_binary, format_interval, format_quantity

_VECTORS = "compute/vector_kernels"
_CONTIGUOUS = {"access": "contiguous"}
# A smaller loss is no news to a director.
_WORTH_SAYING = 0.10


def make_verdict(
    rows: Rows,
    outcomes: Sequence[Outcome],
    findings: Sequence[Finding],
    checks: Sequence[CrossCheck],
    attributions: Sequence[Attribution] = (),
) -> list[Sentence]:
    """Sentences a director can quote and an engineer can check: one per thing that was measured.

    A whole evaluation has five to ten of them.

    Args:
        rows: all rows.
        outcomes: how every step ended.
        findings: all findings.
        checks: all cross-checks.
        attributions: what programs lose their time to.
    """
    sentences = [
        _peak(rows),
        _all_cores(rows),
        _memory(rows),
        _caches(rows),
        _vectors(rows),
        _messages(rows),
        _toolchains(rows),
        _ep(rows),
        _lost(attributions),
        _agreement(checks),
        _trust(rows, outcomes, findings),
    ]
    return [sentence for sentence in sentences if sentence is not None]


def interval(row: Result) -> str:
    """A row's value with unit and interval, and with a warning if it was disturbed."""
    text = format_interval(row.median, row.ci_low, row.ci_high, row.unit)
    return f"{text} (disturbed)" if row.disturbed else text


def _keys(*rows: Result | None) -> tuple[str, ...]:
    return tuple(row.key for row in rows if row is not None)


def _cores(row: Result) -> str:
    return "one core" if row.cores == 1 else f"{row.cores} cores"


def _peak(rows: Rows) -> Sentence | None:
    peak = best(rows.find("compute/peak", "fma_double", "flop_rate", cores=1))
    if peak is None:
        return None
    clock = core_clock(rows, toolchain=peak.toolchain, cores=1)
    text = f"One core computes {interval(peak)} in double precision"
    if clock is not None:
        per_cycle = peak.median / clock.median
        text += f": {per_cycle:.1f} flop in every cycle of its true clock of {interval(clock)}"
    if clock is not None and peak.share_of_ceiling is not None:
        text += f", {100.0 * peak.share_of_ceiling:.0f} % of what its units can do at that clock"
    return Sentence(text=text + ".", evidence=_keys(peak, clock))


def _all_cores(rows: Rows) -> Sentence | None:
    peaks = rows.find("compute/peak", "fma_double", "flop_rate")
    one = best([row for row in peaks if row.cores == 1])
    every = best_on_most_cores(peaks)
    if one is None or every is None or every.cores == 1:
        return None
    speedup = every.median / one.median
    return Sentence(
        text=(
            f"{every.cores} cores together compute {interval(every)}, {speedup:.2f} times as much "
            "as one."
        ),
        evidence=_keys(every, one),
    )


def _memory(rows: Rows) -> Sentence | None:
    triads = rows.find("memory/stream", "triad", "bandwidth")
    every = best_on_most_cores(triads)
    if every is None:
        return None
    one = best([row for row in triads if row.cores == 1])
    peak = best(rows.find("compute/peak", "fma_double", "flop_rate", cores=every.cores))
    text = f"Memory feeds {_cores(every)} {interval(every)} in triad"
    if one is not None and every.cores > 1:
        text += f", {every.median / one.median:.2f} times what it feeds one"
    if peak is not None:
        balance = every.median / peak.median
        text += (
            f"; that is {balance:.2g} byte per flop of peak, so whatever does fewer than "
            f"{1.0 / balance:.2g} flops per byte waits for memory"
        )
    return Sentence(text=text + ".", evidence=_keys(every, one if one != every else None, peak))


def _caches(rows: Rows) -> Sentence | None:
    """The two ends of the memory, and where the fast end ends."""
    near = best(rows.find(_VECTORS, "axpy", "r_max_l1", point=_CONTIGUOUS))
    if near is None:
        return None

    def same(metric: str) -> Result | None:
        found = rows.find(_VECTORS, "axpy", metric, point=_CONTIGUOUS, toolchain=near.toolchain)
        return best(found)

    far, end = same("r_max_memory"), same("first_level_end")
    text = f"Vectors in the first-level cache are combined (axpy) at {interval(near)}"
    if far is not None:
        text += (
            f", vectors in memory at {interval(far)}: {near.median / far.median:.2g} times slower"
        )
    if end is not None:
        low, high = format_binary(end.ci_low), format_binary(end.ci_high)
        text += f"; the fast cache ends between {low} and {high}"
    return Sentence(text=text + ".", evidence=_keys(near, far, end))


def _vectors(rows: Rows) -> Sentence | None:
    """What a short vector costs."""
    start = best(rows.find(_VECTORS, "axpy", "latency", point=_CONTIGUOUS))
    if start is None:
        return None
    found = {
        metric: best(
            rows.find(_VECTORS, "axpy", metric, point=_CONTIGUOUS, toolchain=start.toolchain)
        )
        for metric in ("cycles_per_element", "n_half")
    }
    each, half = found["cycles_per_element"], found["n_half"]
    text = f"To start axpy costs {_cycles(start)}"
    if each is not None:
        text += f", every element {_cycles(each)}"
    if half is not None:
        text += f", so that vectors of {half.median:.0f} elements run at half speed"
    return Sentence(text=text + ".", evidence=_keys(start, each, half))


def _cycles(row: Result) -> str:
    return format_interval(row.median, row.ci_low, row.ci_high, "cycles")


def _messages(rows: Rows) -> Sentence | None:
    name = "messages/pingpong"
    short = best(rows.find(name, "pingpong", "latency", point={"bytes": 8}))
    if short is None:
        return None
    long = largest(rows.find(name, "pingpong", "bandwidth", toolchain=short.toolchain), "bytes")
    halves = rows.find(name, "pingpong", "n_half", toolchain=short.toolchain)
    half = next((row for row in halves if not row.point), None)
    where = "between two nodes" if short.nodes > 1 else "inside a node"
    text = f"A message of 8 B {where} takes {interval(short)} with {short.toolchain}"
    if long is not None:
        size = format_binary(float(long.point["bytes"]))
        text += f", and one of {size} travels at {interval(long)}"
    if half is not None:
        text += f"; half the asymptotic speed takes {format_quantity(half.median, 'B')}"
    return Sentence(text=text + ".", evidence=_keys(short, long, half))


def _toolchains(rows: Rows) -> Sentence | None:
    """The fastest and the slowest toolchain for short messages, if there are several."""
    found = rows.find("messages/pingpong", "pingpong", "latency", point={"bytes": 8})
    fast = min(found, key=lambda row: row.median, default=None)
    slow = max(found, key=lambda row: row.median, default=None)
    if fast is None or slow is None or fast.ci_high >= slow.ci_low:
        return None
    if fast.toolchain == slow.toolchain:
        return None
    return Sentence(
        text=(
            f"The toolchain matters: a message of 8 B takes {slow.median / fast.median:.1f} times "
            f"as long with {slow.toolchain} ({interval(slow)}) as with {fast.toolchain} "
            f"({interval(fast)})."
        ),
        evidence=_keys(slow, fast),
    )


def _ep(rows: Rows) -> Sentence | None:
    """The largest class on the most cores."""
    found = [row for row in rows.find("npb/ep", "ep", "operation_rate") if not row.is_star]
    if not found:
        return None
    size = max((str(row.point.get("class", "S")) for row in found), key=CLASSES.index)
    found = [row for row in found if row.point.get("class", "S") == size]
    top = best_on_most_cores(found)
    if top is None:
        return None
    one = best([row for row in found if row.cores == 1 and row.toolchain == top.toolchain])
    flops = rows.find("npb/ep", "ep", "flop_rate", cores=top.cores, toolchain=top.toolchain)
    share = next((row.share_of_ceiling for row in flops if row.case == top.case), None)
    text = f"NPB EP class {size} runs at {interval(top)} on {_cores(top)}"
    if share is not None:
        text += f" ({100.0 * share:.2g} % of peak)"
    if one is not None and top.cores > 1:
        efficiency = top.median / one.median / top.cores
        text += f" with a parallel efficiency of {100.0 * efficiency:.0f} %"
    return Sentence(text=text + ".", evidence=_keys(top, one if one != top else None))


def _lost(attributions: Sequence[Attribution]) -> Sentence | None:
    """The program that loses most; the sections of the others have their own sentences."""
    worst = max(attributions, key=lambda each: each.lost, default=None)
    if worst is None or worst.lost < _WORTH_SAYING:
        return None
    return Sentence(text=worst.text, evidence=worst.evidence)


def _agreement(checks: Sequence[CrossCheck]) -> Sentence | None:
    if not checks:
        return None
    apart = [check.quantity for check in checks if not check.agrees]
    pairs = "one pair" if len(checks) == 1 else f"{len(checks)} pairs"
    if not apart:
        text = f"What was measured in two ways agrees ({pairs})."
    else:
        names = ", ".join(dict.fromkeys(apart))
        verb = "does" if len(apart) == 1 else "do"
        text = f"Of {pairs} of numbers that ought to agree, {len(apart)} {verb} not: {names}."
    return Sentence(text=text)


def _trust(rows: Rows, outcomes: Sequence[Outcome], findings: Sequence[Finding]) -> Sentence:
    n_checks = sum(len(outcome.checks) for outcome in outcomes)
    n_failed = sum(not check.passed for outcome in outcomes for check in outcome.checks)
    n_completed = sum(outcome.state == "completed" for outcome in outcomes)
    measured = [row for row in rows if not row.derived]
    n_disturbed = sum(row.disturbed for row in measured)
    n_errors = sum(finding.severity == "error" for finding in findings)
    passed = _share(n_checks - n_failed, n_checks, "check", "passed")
    completed = _share(n_completed, len(outcomes), "step", "completed")
    clean = "no result was disturbed"
    if n_disturbed:
        clean = f"{n_disturbed} of {len(measured)} results rest on disturbed samples"
    text = f"{passed}, {completed}, {clean}"
    if n_errors:
        text += f"; {n_errors} error{'s' if n_errors > 1 else ''} must be settled first"
    return Sentence(text=text[0].upper() + text[1:] + ".")


def _share(part: int, whole: int, noun: str, verb: str) -> str:
    """Such as `all 5 checks passed` or `3 of 4 steps completed`."""
    if whole == 0:
        return f"there was no {noun}"
    if whole == 1:
        return f"the only {noun} {verb}" if part else f"the only {noun} has not {verb}"
    return f"all {whole} {noun}s {verb}" if part == whole else f"{part} of {whole} {noun}s {verb}"
