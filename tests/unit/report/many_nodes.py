"""Builds the evaluation of a cluster on every node of which all programs ran."""

from __future__ import annotations

from heorot.analyse.analysis import analyse
from heorot.model.evaluation import Evaluation, RunFacts
from heorot.model.run.outcome import Outcome
from heorot.model.run.plan import Plan
from heorot.model.run.request import Request
from tests.unit.analyse.builders import a_collection
from tests.unit.analyse.nodes.cluster import Cluster


def evaluate(cluster: Cluster) -> Evaluation:
    """The run of a cluster, analysed."""
    series = tuple(cluster.series())
    steps = cluster.steps(series)
    outcomes = tuple(Outcome(step=step.id, state="completed") for step in steps)
    collected = a_collection(series, outcomes)
    families = cluster.families
    return Evaluation(
        facts=RunFacts(
            name="nodes",
            heorot_version="0.1.0",
            python_version="3.11",
            request=Request(command=("heorot", "evaluate")),
            source_digest="0",
            started=1.79e9,
            ended=1.79e9 + 1000.0,
        ),
        machine=cluster.machine,
        plan=Plan(
            profile="standard", seed=1, budget_seconds=None, seconds=900.0, steps=steps, skipped=()
        ),
        steps=steps,
        outcomes=outcomes,
        account=collected.account,
        disturbed={},
        analysis=analyse(collected, steps, families, cluster.machine, run="nodes", seed=1),
        families=families,
        benchmarks=tuple(one for family in families for one in family.benchmarks),
        headers={},
    )
