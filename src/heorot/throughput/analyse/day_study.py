"""The analysis of a throughput test, each part after those that it needs."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from heorot.throughput.analyse.account import reconcile
from heorot.throughput.analyse.company import alone_seconds, tell_stories
from heorot.throughput.analyse.delays import find_delays, find_responses
from heorot.throughput.analyse.interference import find_beside, find_interference
from heorot.throughput.analyse.measures import measure
from heorot.throughput.analyse.projections import find_components, project_faster, project_orders
from heorot.throughput.analyse.telling.day_findings import find_findings
from heorot.throughput.analyse.telling.day_verdict import make_verdict
from heorot.throughput.analyse.timeline import ordered_jobs, timeline_of
from heorot.throughput.model.day import Day
from heorot.throughput.model.measures import DayAnalysis
from heorot.throughput.model.story import DayStory
from heorot.throughput.model.timeline import Timeline

# How much faster a program is imagined.
_FACTOR = 4.0


def study(day: Day, simulated: Mapping[str, Timeline] | None = None) -> DayAnalysis:
    """Study a day.

    Args:
        simulated: what would have become of them, by the name of a policy.
    """
    timeline, jobs = timeline_of(day), ordered_jobs(day)
    stories = tell_stories(day, jobs)
    alone = alone_seconds(day)
    ran = [story.application_seconds for story in stories]
    # A job that did not end well has not done the work that its single-user time stands for.
    ideal = [alone.get(job.kind, np.nan) if job.fate == "ok" else np.nan for job in jobs]
    measures = measure(
        timeline,
        busy=np.array([np.nan if x is None else x for x in ran], dtype=float),
        alone=np.array(ideal, dtype=float),
    )
    measured = {name: measure(each) for name, each in (simulated or {}).items()}
    components = find_components(day)
    story = DayStory(
        interference=find_interference(day, jobs),
        beside=find_beside(day, jobs, stories),
        account=reconcile(day, measures.use.makespan),
        components=components,
        faster=project_faster(jobs, timeline, measures, components, _FACTOR),
        orders=project_orders(timeline, measures),
        delays=find_delays(jobs),
        responses=find_responses(day),
    )
    told = story.model_copy(
        update={
            "verdict": make_verdict(story, measures, measured),
            "findings": find_findings(day, story, measures, timeline, jobs, stories),
        }
    )
    return DayAnalysis(timeline, measures, stories, told, measured)
