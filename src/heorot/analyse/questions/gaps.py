"""Experiments without an answer: skipped for lack of time, or failed, with the reason."""

from __future__ import annotations

from collections.abc import Iterable

from heorot.analyse.questions.lines import word_place
from heorot.model.analysis.context import Context
from heorot.model.analysis.studies.answers import Gap
from heorot.model.run.experiment import Experiment
from heorot.model.run.identity import Setup
from heorot.model.run.outcome import Outcome

_GIVEN_UP = "given up as time got short"
_UNUSABLE = "none of its numbers may be compared"


def find_gaps(context: Context, experiments: Iterable[Experiment]) -> tuple[Gap, ...]:
    """The experiments with a missing or untrustworthy number."""
    ends = {outcome.step: outcome for outcome in context.outcomes}
    usable = {row.setup for row in context.rows if row.ranked}
    ran: dict[Setup, list[Outcome]] = {}
    for step in context.steps:
        ran.setdefault(step.setup, []).extend(filter(None, [ends.get(step.id)]))
        # Experiments of every node by itself have their numbers among those of the nodes.
        if step.each_node and any(end.state == "completed" for end in ran[step.setup]):
            usable.add(step.setup)
    found = []
    for one in experiments:
        missing = [setup for setup in one.setups if setup not in usable]
        if missing:
            open_ = one.budget_seconds > 0.0 and not any(setup in ran for setup in missing)
            found.append(
                Gap(
                    benchmark=one.benchmark,
                    layouts=tuple(map(word_place, one.setups)),
                    reason="" if open_ else _reason(ran, missing),
                    budget_seconds=one.budget_seconds if open_ else 0.0,
                )
            )
    return tuple(found)


def _reason(ran: dict[Setup, list[Outcome]], missing: Iterable[Setup]) -> str:
    """Why the first of some setups has no number."""
    setup = next(iter(missing))
    if setup not in ran:
        return _GIVEN_UP
    bad = next((end for end in ran[setup] if end.state != "completed"), None)
    if bad is None:
        return _UNUSABLE
    return bad.reason or bad.state.replace("_", " ")
