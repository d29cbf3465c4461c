"""Simulates a workload under a policy, by the native core."""

from __future__ import annotations

import math
import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from heorot import interruption, process
from heorot.clock import SYSTEM_CLOCK, Clock
from heorot.errors import SetupError, UsageError
from heorot.ownership.scratch import scratch_folder
from heorot.throughput.model.timeline import Integers, Timeline
from heorot.throughput.model.workload import Workload
from heorot.throughput.simulate.demand import MICROSECONDS, Demand, begin_of, demand_of
from heorot.throughput.simulate.exchange import NEVER, CoreOutcome, read_outcome, write_workload
from heorot.throughput.simulate.setting import Setting
from heorot.units import plural

STATE_CLAUSES = ("ok", "timeout", "rejected", "cancelled")
"""Final states of jobs: completed; ended at their limit; too large for the machine; without a
recorded run time or size, so that they cannot be simulated."""
_OK, _TIMEOUT, _REJECTED, _CANCELLED = range(len(STATE_CLAUSES))
MOST_NAMED = 5000
"""Maximum number of jobs with labels."""
_POLL_SECONDS = 0.5
_SHORTEST_POLL_SECONDS = 0.002


class TooSlowError(UsageError):
    """A simulation exceeded its time limit."""


def simulate(
    workload: Workload,
    setting: Setting,
    program: Path,
    report: Callable[[str], None] = lambda _: None,
    most_seconds: float = math.inf,
    clock: Clock = SYSTEM_CLOCK,
) -> Timeline:
    """Simulate a workload on a machine under a policy.

    Args:
        program: the native core, `harness/schedule`.
        report: receives the progress of a long simulation.
        most_seconds: time limit of the simulation [s].

    Raises:
        TooSlowError: the time limit was reached.
        UsageError: the workload or the setting cannot be simulated.
        SetupError: the core cannot be started, or its files do not fit.
        BuildError: the output of the core is damaged.
    """
    demand = demand_of(workload, setting)
    try:
        with scratch_folder() as folder:
            given, outcome = folder / "workload", folder / "outcome"
            write_workload(demand.jobs, setting, given)
            demand = demand.without_jobs()
            _run(program, given, outcome, report, most_seconds, clock)
            core = read_outcome(outcome, demand.which.size, places=setting.places)
    except BrokenPipeError:  # the reader of the progress is gone
        raise
    except OSError as error:
        raise SetupError(
            f"the simulator cannot be run: {error}",
            "its files need some space; TMPDIR sets the directory",
        ) from error
    return _timeline(workload, setting, demand, core)


def _run(
    program: Path,
    given: Path,
    outcome: Path,
    report: Callable[[str], None],
    most_seconds: float,
    clock: Clock,
) -> None:
    """Run the core to its end.

    Raises:
        TooSlowError: the time limit was reached.
        UsageError: the core refuses the workload.
        KeyboardInterrupt: the user interrupted it.
    """
    interruption.raise_if_asked()
    words = given.with_name("words")
    child = process.detach(
        [program, given, outcome],
        cwd=given.parent,
        environment=dict(os.environ, LC_ALL="C"),
        out=given.with_name("out"),
        err=words,
    )
    try:
        _follow(child, words, report, most_seconds, clock)
    except BaseException:
        process.end(child)
        raise
    if child.returncode != 0:
        said = words.read_text(encoding="utf-8", errors="replace")
        reason = re.search(r"^heorot: (.*)\nhint: (.*)$", said, re.MULTILINE)
        raise UsageError(
            f"it cannot be simulated: {reason[1] if reason else f'exit code {child.returncode}'}",
            reason[2] if reason else "simulate fewer jobs",
        )


def _follow(
    child: subprocess.Popen[bytes],
    words: Path,
    report: Callable[[str], None],
    most_seconds: float,
    clock: Clock,
) -> None:
    """Wait for the core, and pass on its messages."""
    last, wait, end = "", _SHORTEST_POLL_SECONDS, clock.monotonic() + most_seconds
    while True:
        try:
            child.wait(timeout=wait)
        except subprocess.TimeoutExpired:
            wait = min(2.0 * wait, _POLL_SECONDS)
        else:
            return
        interruption.raise_if_asked()
        if clock.monotonic() > end:
            raise TooSlowError(
                f"the simulation takes longer than {most_seconds:g} s", "simulate fewer jobs"
            )
        lines = words.read_text(encoding="utf-8", errors="replace").splitlines()
        if lines and lines[-1] != last and lines[-1].startswith("ended "):
            last = lines[-1]
            report(last)


def _timeline(workload: Workload, setting: Setting, demand: Demand, core: CoreOutcome) -> Timeline:
    n, which = workload.jobs.size, demand.which
    submit = workload.jobs["submit"] - begin_of(workload.jobs)
    start, end = np.full(n, np.nan), np.full(n, np.nan)
    started = core.start != NEVER
    start[which[started]] = core.start[started] / MICROSECONDS
    end[which[started]] = (core.start + demand.run)[started] / MICROSECONDS
    came = core.submit != NEVER
    submit[which[came]] = core.submit[came] / MICROSECONDS
    eligible = submit
    if not came.all():
        eligible = submit.copy()
        eligible[which[~came]] = np.nan
    states = np.full(n, _CANCELLED)
    states[which] = np.where(started, np.where(demand.killed, _TIMEOUT, _OK), _REJECTED)
    kinds, kind_names = _kinds(workload)
    order = np.argsort(submit, kind="stable")  # jobs with predecessors were submitted later
    places, offsets = _places(core, which, n, order)
    is_in_order = (order[1:] > order[:-1]).all()

    def by_submission(column: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return column if is_in_order else column[order]

    return Timeline(
        kinds=by_submission(kinds),
        kind_names=kind_names,
        submit=by_submission(submit),
        eligible=by_submission(eligible),
        start=by_submission(start),
        end=by_submission(end),
        nodes=by_submission(demand.nodes),
        cores=by_submission(demand.cores),
        limit=by_submission(demand.limit),
        states=by_submission(states),
        state_names=STATE_CLAUSES,
        n_nodes=setting.n_nodes,
        cores_per_node=setting.cores_per_node,
        labels=_labels(kinds, kind_names, order),
        places=places,
        offsets=offsets,
    )


def _labels(kinds: Integers, names: tuple[str, ...], order: Integers) -> tuple[str, ...]:
    """Labels of the jobs in another order, by their numbers in this one; none of many jobs."""
    few = order if order.size <= MOST_NAMED else ()
    return tuple(f"{names[kinds[i]]}-{i + 1}" for i in few)


def _kinds(workload: Workload) -> tuple[Integers, tuple[str, ...]]:
    """Index of each job's class, and the class names in the order of their first job."""
    numbers = workload.jobs["executable"]
    n_jobs = numbers.size
    if n_jobs and (numbers == numbers[0]).all():
        numbers = numbers[:1]
    found, first, inverse = np.unique(numbers, return_index=True, return_inverse=True)
    by_first = np.argsort(first)
    position = np.empty(found.size, dtype=np.int64)
    position[by_first] = np.arange(found.size)
    known = workload.names.get("executable", {})
    names = [
        known.get(int(number), f"program {number}" if number >= 0 else "job")
        for number in found[by_first]
    ]
    kinds = position[inverse]
    return kinds if kinds.size == n_jobs else np.broadcast_to(kinds, n_jobs), tuple(names)


def _places(
    core: CoreOutcome, which: Integers, n: int, order: Integers
) -> tuple[Integers, Integers]:
    """Node numbers of all jobs in another order, and the begin of each job's."""
    if not core.offsets.size:
        return core.places, core.offsets
    lengths, begins = np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64)
    lengths[which] = np.diff(core.offsets)
    begins[which] = core.offsets[:-1]
    lengths, begins = lengths[order], begins[order]
    offsets = np.concatenate(([0], np.cumsum(lengths)))
    index = np.arange(offsets[-1]) + np.repeat(begins - offsets[:-1], lengths)
    return core.places[index], offsets


def never_started(timeline: Timeline) -> tuple[str, ...]:
    """Reasons and numbers of jobs that never start, a line each.

    Args:
        timeline: a result of `simulate`.
    """
    states = np.array(timeline.state_names)[timeline.states]
    left_out, refused = states == "cancelled", states == "rejected"
    large = refused & (timeline.nodes > timeline.n_nodes)
    orphans = refused & ~large & np.isnan(timeline.eligible)
    there = plural(timeline.n_nodes, "node")
    reasons = {
        "no number of processors is known": left_out & (timeline.nodes <= 0),
        "no run time is known": left_out & (timeline.nodes > 0),
        f"larger than the machine of {there} x {timeline.cores_per_node}": large,
        "waits for a job that never starts": orphans,
        "no room on the machine": refused & ~large & ~orphans,
    }
    counts = {reason: int(np.count_nonzero(which)) for reason, which in reasons.items()}
    return tuple(
        f"{plural(n, 'job')} never {'starts' if n == 1 else 'start'}: {reason}"
        for reason, n in counts.items()
        if n
    )
