"""A launch by recipe in its job: input files, several commands, phases, hosts of ranks."""

from __future__ import annotations

import hashlib
import os
import signal
from functools import partial
from pathlib import Path

import pytest

from heorot.collect.collect import collect
from heorot.launch.job import Job, write_job
from heorot.model.batch.allocation import Allocation
from heorot.model.machine.toolchain import Toolchain
from heorot.model.recipe import Recipe
from heorot.model.run.outcome import Outcome
from heorot.model.run.plan import Step
from heorot.model.run.program_record import ProgramRecord
from heorot.recipes.read import read_recipe
from heorot.session.external_programs import launches
from heorot.session.recipe_check import commands_in
from tests.toolchains import some_compilers
from tests.unit.collect.conftest import make_step
from tests.unit.launch.conftest import Jobs
from tests.unit.recipes.conftest import a_record
from tests.unit.session.conftest import NODE
from tests.waiting import text_of, wait_until

PHASES = ("read", "partition", "assemble", "precondition", "solve", "correct", "gather", "write")
MESH = "8 cells\n"
RECIPE = r"""
name: flow
question: How long does a step take?
source: a test
licence: none
mpi: none
input_files:
  - {{path: data/mesh.dat, sha256: {sha256}, name: in/mesh.dat}}
  - {{path: data/mesh.dat, sha256: {sha256}, name: linked, stage: link}}
executables:
  - {{name: mesh, command: ./mesh in/mesh.dat, serial: true}}
  - {{name: solve, command: "./solve {{steps}}"}}
cases:
  - {{name: case, set: {{steps: 3}}, time: 1s}}
phases:
  pattern: '^phase (?P<region>\w+) +(?P<value>\S+) ms$'
  unit: ms
  names: [{names}]
verification:
  - {{name: cells, pattern: 'cells: (?P<value>\d+)', expected: 8}}
metrics:
  - {{name: rate, unit: step/s, better: higher, pattern: 'rate (?P<value>\S+)', region: solve}}
"""
# Its input file is a copy, which it may change.
PROGRAMS = {
    "mesh": 'echo "cells: $(head -c 1 "$1")"; echo spoilt >"$1"',
    "solve": 'i=0; for name in {names}; do i=$((i + 1)); echo "phase $name  $i.5 ms"; done\n'
    "echo rate 250.5; cat linked; [[ ! -e ../../wait ]] || sleep 30; exit $(cat ../../code)",
}
# Output of the watching program for a run of two seconds.
WATCH = """#!/bin/bash
while [[ $1 != -- ]]; do [[ $1 != --record ]] || record=$2; shift; done
shift
echo '{run}' >"$record"
"$@"
code=$?
echo '{region}' >>"$record"
((code == 0)) && passed=true || passed=false
echo '{end}' | sed "s/\\"passed\\":true/\\"passed\\":$passed/" >>"$record"
exit $code
"""


def a_file(path: Path, text: str, mode: int = 0o644) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)
    return path


@pytest.fixture
def recipe(tmp_path: Path) -> Recipe:
    """A recipe with all features, its program built, its input file in place."""
    mesh = a_file(tmp_path / "data/mesh.dat", MESH, 0o444)
    names = ", ".join(PHASES)
    checksum = hashlib.sha256(mesh.read_bytes()).hexdigest()
    for name, text in PROGRAMS.items():
        script = "#!/bin/bash\n" + text.replace("{names}", " ".join(PHASES)) + "\n"
        a_file(tmp_path / "builds/flow/gnu" / name, script, 0o755)
    return read_recipe(a_file(tmp_path / "flow.yaml", RECIPE.format(sha256=checksum, names=names)))


STEP = make_step(
    benchmark="others/flow",
    case="case",
    options={"steps": 3},
    ranks=1,
    per_node=1,
    memory_bytes=0,
    timeout_seconds=20.0,
)


def a_job(recipe: Recipe, jobs: Jobs, step: Step = STEP, code: int = 0) -> Job:
    """The job of one launch, whose second command ends with a code."""
    base, place = jobs.base, jobs.base / "jobs/J0001"
    written = a_record()
    assert written.run
    assert written.end
    run = written.run.model_copy(update={"benchmark": step.benchmark, "placement": ()})
    lines = {"run": run, "region": written.regions[0], "end": written.end}
    text = WATCH
    for name, line in lines.items():
        text = text.replace(f"{{{name}}}", line.model_dump_json(by_alias=True))
    a_file(place / "code", str(code))
    command = launches.command(
        recipe,
        step,
        Toolchain(name="gnu", compilers=some_compilers("g++", "GNU 12"), mpi=None),
        Allocation(node=NODE),
        place / "records" / f"{step.id}.jsonl",
        watch=a_file(base / "watch", text, 0o755),
        builds=base / "builds",
    )
    jobs.made.append(write_job(place, [command]))
    return jobs.made[-1]


def collected(recipe: Recipe, job: Job, step: Step = STEP) -> tuple[Outcome, ProgramRecord]:
    read = launches.reader([recipe])
    (outcome,) = collect([step], job.directory.parent, read).outcomes
    return outcome, read(step, job.directory)


def values(record: ProgramRecord, count: str) -> dict[str, float]:
    """The time metric, by region [s]."""
    return {
        region.name: region.seconds[0] / region.counts[count]
        for region in record.regions
        if count in region.counts
    }


@pytest.mark.slow
def test_eight_phases_two_commands_and_an_input_file(recipe: Recipe, jobs: Jobs) -> None:
    job = a_job(recipe, jobs)
    jobs.run_to_end(job)
    outcome, record = collected(recipe, job)
    assert (outcome.state, outcome.reason) == ("completed", "")
    phases = values(record, "phase_time")
    assert phases == pytest.approx({name: (i + 1.5) * 1e-3 for i, name in enumerate(PHASES)})
    took = values(record, "command_time")
    assert took.keys() == {"mesh", "solve"}
    assert all(0.0 < seconds < 20.0 for seconds in took.values())
    folder = job.directory / "work/S0001"
    assert (folder / "in/mesh.dat").read_text() == "spoilt\n"
    assert (folder / "linked").readlink() == jobs.base / "data/mesh.dat"
    assert (jobs.base / "data/mesh.dat").read_text() == MESH
    (place,) = outcome.run.placement if outcome.run else ()
    assert (place.host, place.rank) == (os.uname().nodename, 0)
    assert set(place.cpus) <= os.sched_getaffinity(0)


def test_what_was_started_is_reported_command_by_command(recipe: Recipe, jobs: Jobs) -> None:
    job = a_job(recipe, jobs)
    mesh, solve = commands_in(job.script.read_text(), STEP)
    assert mesh.endswith("flow/gnu/mesh in/mesh.dat")
    assert solve.endswith("flow/gnu/solve 3")
    assert "bash" not in mesh + solve  # the wrapper around them is ours


@pytest.mark.slow
def test_the_command_that_fails_is_named_and_ends_its_launch(recipe: Recipe, jobs: Jobs) -> None:
    job = a_job(recipe, jobs, code=7)
    jobs.run_to_end(job)
    outcome, _ = collected(recipe, job)
    assert outcome.state == "failed"
    assert outcome.reason == "verification failed: exit code of `solve` 7 > 0"
    assert jobs.output(job).endswith("heorot: command 2 of 2, solve, failed with exit code 7\n")
    (jobs.base / "builds/flow/gnu/mesh").write_text("#!/bin/bash\nexit 3\n")
    again = a_job(recipe, jobs)
    again.status.unlink()
    jobs.run_to_end(again)
    outcome, _ = collected(recipe, again)
    assert outcome.reason == "verification failed: exit code of `mesh` 3 > 0"
    assert "phase" not in jobs.output(again)


@pytest.mark.slow
@pytest.mark.waiting
def test_killed_in_the_second_command_all_of_it_runs_again(recipe: Recipe, jobs: Jobs) -> None:
    job = a_job(recipe, jobs)
    wait = a_file(job.directory / "wait", "")
    jobs.adapter.start(job)
    log = job.directory / "records/S0001.commands"
    wait_until(lambda: '"start","command":"solve"' in text_of(log), seen=partial(text_of, log))
    wait_until(lambda: "rate" in jobs.output(job))
    os.kill(jobs.pid(job), signal.SIGKILL)
    wait_until(lambda: not jobs.adapter.alive(job))
    outcome, record = collected(recipe, job)
    assert (outcome.state, record.at) == ("lost", "solve")
    wait.unlink()
    jobs.run_to_end(job)
    outcome, record = collected(recipe, job)
    assert (outcome.state, outcome.reason) == ("completed", "")  # its input file was whole again
    assert len(record.run.placement if record.run else ()) == 1
    assert text_of(log).count('"start"') == 2
    assert jobs.left(job) == []


@pytest.mark.slow
@pytest.mark.waiting
def test_a_launch_that_takes_too_long_names_the_command(recipe: Recipe, jobs: Jobs) -> None:
    step = STEP.model_copy(update={"timeout_seconds": 1.0})
    job = a_job(recipe, jobs, step)
    a_file(job.directory / "wait", "")
    jobs.run_to_end(job)
    outcome, _ = collected(recipe, job, step)
    assert outcome.state == "timed_out"
    assert outcome.reason.endswith(" s in `solve`, without an end")


@pytest.mark.slow
def test_what_cannot_be_staged_is_the_reason(recipe: Recipe, jobs: Jobs) -> None:
    job = a_job(recipe, jobs)
    mesh = jobs.base / "data/mesh.dat"
    mesh.unlink()
    jobs.run_to_end(job)
    outcome, _ = collected(recipe, job)
    reason = f"wrote no record (exit code 1): heorot: cannot stage {mesh}"
    assert (outcome.state, outcome.reason) == ("failed", reason)


@pytest.mark.slow
def test_a_time_that_was_not_noted_is_missing(recipe: Recipe, jobs: Jobs) -> None:
    job = a_job(recipe, jobs)
    jobs.run_to_end(job)
    log = job.directory / "records/S0001.commands"
    log.write_text(text_of(log).replace('"solve"', '"other"'))
    outcome, record = collected(recipe, job)
    assert outcome.reason == "verification failed: command_time: missing values 1 > 0 (solve)"
    assert values(record, "phase_time").keys() == set(PHASES)


@pytest.mark.slow
def test_phases_that_take_longer_than_the_run_are_no_phases(recipe: Recipe, jobs: Jobs) -> None:
    solve = jobs.base / "builds/flow/gnu/solve"
    solve.write_text(solve.read_text().replace("$i.5 ms", "260 ms"))  # each is within two seconds
    job = a_job(recipe, jobs)
    jobs.run_to_end(job)
    outcome, _ = collected(recipe, job)
    assert outcome.reason.startswith("verification failed: time of all phases as a share of the")
