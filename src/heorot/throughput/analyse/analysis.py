"""The analysis of a throughput test, each part after those that it needs."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from heorot.throughput.analyse.account import reconcile
from heorot.throughput.analyse.claims.throughput_findings import find_findings
from heorot.throughput.analyse.claims.throughput_verdict import make_verdict
from heorot.throughput.analyse.delays import find_delays, find_responses
from heorot.throughput.analyse.interference import find_by_co_located, find_interference
from heorot.throughput.analyse.measures import measure
from heorot.throughput.analyse.node_sharing import alone_seconds, describe_lifecycles
from heorot.throughput.analyse.projections import find_components, project_faster, project_orders
from heorot.throughput.analyse.timeline import ordered_jobs, timeline_of
from heorot.throughput.model.explanation import ThroughputExplanation
from heorot.throughput.model.measures import ThroughputAnalysis
from heorot.throughput.model.throughput import ThroughputTest
from heorot.throughput.model.timeline import Timeline

# Speed-up of a program in the projections.
_FACTOR = 4.0


def analyse_throughput(
    test: ThroughputTest, simulated: Mapping[str, Timeline] | None = None
) -> ThroughputAnalysis:
    """Analyse a throughput test.

    Args:
        simulated: timelines of the same jobs, by the name of a policy.
    """
    timeline, jobs = timeline_of(test), ordered_jobs(test)
    lifecycles = describe_lifecycles(test, jobs)
    alone = alone_seconds(test)
    ran = [lifecycle.application_seconds for lifecycle in lifecycles]
    # The single-user time is the work of a completed job only.
    ideal = [alone.get(job.kind, np.nan) if job.fate == "ok" else np.nan for job in jobs]
    measures = measure(
        timeline,
        busy=np.array([np.nan if x is None else x for x in ran], dtype=float),
        alone=np.array(ideal, dtype=float),
    )
    measured = {name: measure(each) for name, each in (simulated or {}).items()}
    components = find_components(test)
    found = ThroughputExplanation(
        interference=find_interference(test, jobs),
        by_co_located=find_by_co_located(test, jobs, lifecycles),
        account=reconcile(test, measures.use.makespan),
        components=components,
        faster=project_faster(jobs, timeline, measures, components, _FACTOR),
        orders=project_orders(timeline, measures),
        delays=find_delays(jobs),
        responses=find_responses(test),
    )
    explanation = found.model_copy(
        update={
            "verdict": make_verdict(found, measures, measured),
            "findings": find_findings(test, found, measures, timeline, jobs, lifecycles),
        }
    )
    return ThroughputAnalysis(timeline, measures, lifecycles, explanation, measured)
