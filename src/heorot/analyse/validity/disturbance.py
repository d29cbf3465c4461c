"""Judges whether other load on the machine perturbed a measurement."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from heorot.model.analysis.disturbance import Disturbances
from heorot.model.analysis.result import Result
from heorot.model.analysis.studies.nodes import NODE, PAIR
from heorot.model.grouping import group_by
from heorot.model.run.identity import Setup
from heorot.model.run.plan import Step
from heorot.model.run.records import Disturbance
from heorot.model.run.series import Series
from heorot.units import format_quantity

# A reference probe slower than its best by this factor shows that the core was shared.
SENTINEL_SLOWDOWN = 1.25
# CPU time of other processes, or stolen by a hypervisor, as a share of the measured cores.
FOREIGN_SHARE = 0.05
STEAL_SHARE = 0.02
# The kernel's own housekeeping takes the CPU away a few times a second on every machine.
SWITCHES_PER_SECOND = 50.0
FEWEST_SWITCHES = 10.0
# The kernel counts in ticks of 10 ms, so both ends of a window may be off by one: three are
# significant.
ACCOUNTING_SECONDS = 0.03
# The scheduler counts in nanoseconds how long processes were ready and had no core. The kernel's
# own housekeeping takes microseconds at a time.
WAITING_SHARE = 0.02
WAITING_SECONDS = 0.001
# Nodes that pass messages receive no more than they send. Counters of sent bytes may leave out the
# headers of packets that an adapter makes itself, 5 % of them. The least rate is 2 % of a line of 1
# Gbit/s.
FOREIGN_TRAFFIC_SHARE = 0.1
FOREIGN_TRAFFIC_RATE = 2e6
# Share of a step's sampling time: with less the step is not perturbed.
DISTURBED_SHARE = 0.1


def reasons(series: Series) -> tuple[str, ...]:
    """Why a series counts as perturbed, one clause each; empty if it does not.

    If a window is too short for the kernel's ticks, the whole step decides: a perturbed step had
    perturbed short regions.
    """
    window, cores = series.disturbance, series.cores
    found = []
    slowdown = max(window.sentinel_before, window.sentinel_after)
    if slowdown > SENTINEL_SLOWDOWN:
        found.append(f"the reference probe ran {slowdown:.2f} times slower than its best")
    waited = window.waited_seconds or 0.0
    if waited > max(WAITING_SECONDS, WAITING_SHARE * window.window_seconds * cores):
        found.append(f"waited {1e3 * waited:.1f} ms for a core")
    found += _taken(window, cores)
    switches = window.involuntary_switches
    if switches > max(FEWEST_SWITCHES, SWITCHES_PER_SECOND * window.window_seconds * cores):
        found.append(f"{switches} involuntary context switches")
    step = series.step_disturbance
    if window.other_cpu_seconds is None and step is not None:
        found += [f"{clause} during the step" for clause in _taken(step, cores)]
    found += _traffic(series)
    return tuple(found)


def _traffic(series: Series) -> list[str]:
    """Traffic from outside while a step passed messages between its nodes.

    Traffic from the nodes to other hosts cannot be distinguished from lost and repeated packets.
    """
    foreign, step = series.foreign, series.step_disturbance
    if foreign is None or step is None:
        return []
    allowed = max(
        FOREIGN_TRAFFIC_RATE * step.window_seconds, FOREIGN_TRAFFIC_SHARE * foreign.sent_bytes
    )
    if foreign.unsent_bytes <= allowed:
        return []
    came = format_quantity(foreign.unsent_bytes, "B")
    return [f"{foreign.interface} received {came} during the step that none of its nodes had sent"]


def _taken(window: Disturbance, cores: int) -> list[str]:
    """Use of the measured cores by other processes, by the kernel's ticks."""
    found = []
    core_seconds = window.window_seconds * cores
    foreign = window.other_cpu_seconds or 0.0
    if foreign > max(ACCOUNTING_SECONDS, FOREIGN_SHARE * core_seconds):
        found.append(f"other processes used {foreign:.2f} s of CPU time")
    if window.steal_seconds > max(ACCOUNTING_SECONDS, STEAL_SHARE * core_seconds):
        found.append(f"the hypervisor took {window.steal_seconds:.2f} s of CPU time")
    return found


def disturbed_steps(series: Sequence[Series]) -> dict[str, str]:
    """Steps with too large a perturbed share of the measured time, with the main reason.

    The main reason is the first one of the longest perturbed series.
    """
    total: dict[str, float] = {}
    disturbed: dict[str, list[tuple[float, str]]] = {}
    for one in series:
        total[one.step] = total.get(one.step, 0.0) + one.elapsed_seconds
        found = reasons(one)
        if found:
            disturbed.setdefault(one.step, []).append((one.elapsed_seconds, found[0]))
    return {
        step: max(windows, key=lambda window: window[0])[1]
        for step, windows in disturbed.items()
        if sum(seconds for seconds, _ in windows) > DISTURBED_SHARE * total[step]
    }


Attempt = tuple[str, int, int]
"""Step, launch, and number of the attempt."""


def attempt_of(series: Series) -> Attempt:
    """The attempt of a series."""
    return series.step, series.launch, series.attempt


def counted_attempts(series: Iterable[Series]) -> frozenset[Attempt]:
    """The attempts whose samples count: one of each launch, with all its regions.

    Measured values play no part. The attempt with most series counts, as one that was cut off has
    fewer; of equals the one with the smallest perturbed share of its sampling time, taken as zero
    below the limit for a step; of equals the first.
    """
    attempts = group_by(series, attempt_of)
    best: dict[tuple[object, ...], tuple[tuple[float, ...], Attempt]] = {}
    for attempt, members in attempts.items():
        one = members[0]
        place = (one.point.get(NODE), one.point.get(PAIR))
        whole = sum(each.elapsed_seconds for each in members)
        lost = sum(each.elapsed_seconds for each in members if reasons(each))
        share = lost / whole if lost > DISTURBED_SHARE * whole else 0.0
        rank = (-float(len(members)), share, float(one.attempt))
        launch = (one.setup, one.launch, *place)
        best[launch] = min(best.get(launch, (rank, attempt)), (rank, attempt))
    return frozenset(attempt for _, attempt in best.values())


Launch = tuple[Setup, int, tuple[int, ...]]
"""Case, number and nodes: shared by all attempts at a launch.
The nodes distinguish the copies of a case that run on every node; for other cases they are empty,
as a repeat may be placed elsewhere.
"""


def launch_of(step: Step) -> Launch:
    """The launch of a step."""
    return step.setup, step.launch, step.place if step.each_node else ()


def repeated_launches(steps: Iterable[Step], disturbed: Collection[str]) -> set[Launch]:
    """The launches with a perturbed attempt and a later unperturbed one."""
    first: dict[Launch, int] = {}
    last: dict[Launch, int] = {}
    for step in steps:
        launch = launch_of(step)
        if step.id in disturbed:
            first[launch] = min(first.get(launch, step.attempt), step.attempt)
        else:
            last[launch] = max(last.get(launch, step.attempt), step.attempt)
    return {launch for launch, attempt in first.items() if last.get(launch, 0) > attempt}


def account(
    steps: Iterable[Step], disturbed: Collection[str], results: Iterable[Result]
) -> Disturbances:
    """The perturbed part of a run."""
    measured = list(steps)
    rows = [row for row in results if not row.derived]
    return Disturbances(
        n_launches=len({launch_of(step) for step in measured}),
        n_disturbed=len({launch_of(step) for step in measured if step.id in disturbed}),
        n_repeated=len(repeated_launches(measured, disturbed)),
        n_results=len(rows),
        n_spoilt=sum(row.disturbed for row in rows),
    )
