"""Writes a synthetic run to disk as a real one would lie there: records, status, plan, samples."""

from __future__ import annotations

import json
from pathlib import Path

from heorot.collect.collect import collect
from heorot.model.run.outcome import Outcome
from heorot.model.run.plan import Step
from heorot.model.run.records import CheckLine, EndLine, RegionLine
from heorot.model.run.series import Series
from heorot.store.directory import RunDirectory
from heorot.store.samples import write_samples
from tests.unit.analyse.builders import QUIET, a_machine
from tests.unit.analyse.evaluations import a_plan, run_facts
from tests.unit.analyse.synthesis import Synthesis
from tests.unit.model.keys import but


def write_run(path: Path, run: Synthesis) -> RunDirectory:
    """Write everything that measuring would have left behind, up to samples.parquet."""
    directory = RunDirectory.create(path)
    directory.write_machine(a_machine())
    steps = tuple(run.steps)
    directory.write_plan(a_plan(steps, profile="quick"))
    directory.write_facts(run_facts(name=path.name))
    job = directory.job(1)
    (job / "records").mkdir(parents=True)
    events = [
        {
            "event": "exit",
            "step": step.id,
            "time": 2.0,
            "code": 0,
            "timed_out": False,
            "started": 1.0,
        }
        for step in steps
    ]
    lines = "".join(json.dumps(event, separators=(",", ":")) + "\n" for event in events)
    (job / "status.jsonl").write_text(lines)
    for step, outcome in zip(steps, run.outcomes, strict=True):
        mine = [one for one in run.series if one.step == step.id]
        (job / "records" / f"{step.id}.jsonl").write_text(_record(step, outcome, mine))
    write_samples(directory.samples_file, collect(steps, directory.jobs).series)
    return directory


def _record(step: Step, outcome: Outcome, series: list[Series]) -> str:
    assert outcome.run is not None
    facts = but(outcome.run, benchmark=step.benchmark, ranks=step.ranks, threads=step.threads)
    check = CheckLine(type="check", name="deviation", value=0.0, tolerance=0.0, passed=True)
    end = EndLine(
        type="end",
        passed=True,
        checks=1,
        failed=0,
        elapsed_seconds=1.0,
        user_seconds=(1.0,) * step.ranks,
        system_seconds=(0.0,) * step.ranks,
        peak_memory_bytes=(1 << 24,) * step.ranks,
        involuntary_switches=(0,) * step.ranks,
        disturbance=QUIET,
    )
    regions = [
        RegionLine(
            type="region",
            name=one.region,
            point=one.point,
            seconds=tuple(one.seconds.tolist()),
            repetitions=one.repetitions,
            counts=one.counts,
            synchronisation="none",
            stopped="precision",
            warmup_seconds=0.0,
            elapsed_seconds=one.elapsed_seconds,
            second_clock=one.second_clock,
            disturbance=one.disturbance,
        )
        for one in series
    ]
    lines = [facts, *outcome.notes, *regions, check, end]
    return "".join(line.model_dump_json(by_alias=True) + "\n" for line in lines)
