"""Builds the parts of a whole run: its facts, its collected samples, its evaluation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from heorot.analyse.analysis import analyse
from heorot.model.catalogue.family import Family
from heorot.model.evaluation import Evaluation, RunFacts
from heorot.model.machine.machine import Machine
from heorot.model.run.account import Account
from heorot.model.run.collected import Collected
from heorot.model.run.experiment import Experiment
from heorot.model.run.outcome import Outcome
from heorot.model.run.plan import Plan, Step
from heorot.model.run.request import Request
from heorot.model.run.series import Series


def a_collection(series: Iterable[Series] = (), outcomes: Iterable[Outcome] = ()) -> Collected:
    """Samples and ends of steps with an account in which every step ended once."""
    ended = tuple(outcomes)
    states = Counter(outcome.state for outcome in ended)
    account = Account(
        submitted=len(ended),
        completed=states["completed"],
        failed=states["failed"],
        timed_out=states["timed_out"],
        lost=states["lost"],
        refused=states["refused"],
    )
    return Collected(ended, tuple(series), account)


def run_facts(**changes: object) -> RunFacts:
    """Identity of a run of a quarter of an hour; any field can be changed."""
    fields: dict[str, Any] = {
        "name": "run",
        "heorot_version": "0.1.0",
        "python_version": "3.11",
        "request": Request(profile="standard", command=("heorot", "evaluate")),
        "source_digest": "0",
        "started": 1.79e9,
        "ended": 1.79e9 + 1000.0,
    }
    return RunFacts(**(fields | changes))


def a_plan(steps: Iterable[Step], **changes: object) -> Plan:
    """A plan of these steps that skips nothing; any field can be changed."""
    planned = tuple(steps)
    fields: dict[str, Any] = {
        "profile": "standard",
        "seed": 1,
        "budget_seconds": None,
        "seconds": sum(step.seconds for step in planned),
        "steps": planned,
        "skipped": (),
    }
    return Plan(**(fields | changes))


def an_evaluation(
    series: Iterable[Series],
    steps: Sequence[Step],
    families: Sequence[Family],
    machine: Machine,
    outcomes: Iterable[Outcome] | None = None,
    experiments: Sequence[Experiment] = (),
    **changes: object,
) -> Evaluation:
    """A run of these samples, analysed; without outcomes every step ended well.

    Any other field of it can be changed.
    """
    ends = (
        tuple(Outcome(step=step.id, state="completed") for step in steps)
        if outcomes is None
        else tuple(outcomes)
    )
    collected = a_collection(series, ends)
    facts = run_facts()
    fields: dict[str, Any] = {
        "facts": facts,
        "machine": machine,
        "plan": a_plan(steps),
        "steps": tuple(steps),
        "outcomes": ends,
        "account": collected.account,
        "disturbed": {},
        "analysis": analyse(
            collected, steps, families, machine, run=facts.name, seed=1, experiments=experiments
        ),
        "families": tuple(families),
        "benchmarks": tuple(one for family in families for one in family.benchmarks),
        "headers": {},
    }
    return Evaluation(**(fields | changes))
