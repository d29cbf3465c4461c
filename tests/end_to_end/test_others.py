"""Third-party programs by recipe: a user's own application, and programs that misbehave."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from pathlib import Path

import pytest

from heorot.model.run.outcome import Outcome
from heorot.session.runs import reopen
from tests.end_to_end.running import heorot, marked_processes

pytestmark = [
    pytest.mark.mpi,
    pytest.mark.slow,
    pytest.mark.timeout(600),
]

EXAMPLE = Path(__file__).parents[2] / "docs/examples/jacobi"
PROGRAM = r"""#!/bin/bash
fine() { sleep 0.2; echo "time: 0.1 s"; echo "residual 1e-12"; }
case $1 in
fine) fine ;;
failing) fine; exit 3 ;;
hanging) fine; trap '' TERM; setsid sleep 1000 & for i in {1..1000}; do sleep 1; done ;;
unverified) echo "time: 0.1 s" ;;
inaccurate) echo "time: 0.1 s"; echo "residual 0.5" ;;
milliseconds) echo "time: 100000.0 s"; echo "residual 1e-12" ;;
infinite) echo "time: nan s"; echo "residual 1e-12" ;;
silent) ;;
garbage) head -c 10000000 /dev/urandom; fine ;;
leaving) fine; for i in 1 2; do env -i setsid sleep 1000 >/dev/null 2>&1 & done ;;
greedy) fine; head -c 800000000 /dev/zero | tail ;;
esac
"""
RECIPE = r"""
name: troubled
question: What becomes of a program that misbehaves?
source: a test
licence: none
mpi: none
build:
  steps: [chmod +x program]
command: ./program {kind}
cases:
  - name: case
    set:
      kind: [fine, failing, hanging, unverified, inaccurate, milliseconds, infinite, silent,
             garbage, leaving, greedy]
    memory: 200MB
    time: 1s
verification:
  - name: residual
    pattern: 'residual (?P<value>\S+)'
    tolerance: 1.0e-6
metrics:
  - {name: time, unit: s, better: lower, pattern: 'time: (?P<value>\S+) s'}
"""
STAGES = """#!/bin/bash
case $1 in
mesh) sleep 0.1; cut -d' ' -f1 mesh.dat >part ;;
flow) echo "cells $(<part)"; echo "phase read 10 ms"; echo "phase solve 20 ms"; sleep 0.1 ;;
esac
"""
FLOW = r"""
name: flow
question: How long does each part take?
source: a test
licence: none
mpi: none
build:
  steps: [chmod +x program]
input_files:
  - {{path: mesh.dat, sha256: {digest}}}
executables:
  - {{name: mesh, command: ./program mesh, serial: true}}
  - {{name: flow, command: ./program flow}}
cases:
  - {{name: case, time: 1s}}
phases:
  pattern: '^phase (?P<region>\w+) (?P<value>\S+) ms$'
  unit: ms
  names: [read, solve]
verification:
  - {{name: cells, pattern: 'cells (?P<value>\d+)', expected: 64}}
metrics: []
"""
EXPECTED = {
    "fine": ("completed", ""),
    "failing": ("failed", "exit code 3"),
    "hanging": ("timed_out", "killed after"),
    "unverified": ("failed", "residual: missing lines"),
    "inaccurate": ("failed", "verification failed: residual 0.5 > 1e-06"),
    "milliseconds": ("failed", "time as a share of the run's time"),
    "infinite": ("failed", "its `time` is `nan`: not finite"),
    "silent": ("failed", "nothing it printed matches the pattern of `time`"),
    "garbage": ("failed", "it wrote more than 1 MiB"),
    "leaving": ("completed", ""),
    "greedy": ("failed", "exit code"),
}


def outcomes_of(directory: Path) -> dict[str, Outcome]:
    evaluation = reopen(directory).evaluation
    cases = {step.id: step.case for step in evaluation.steps}
    return {cases[outcome.step]: outcome for outcome in evaluation.outcomes}


def test_whatever_a_program_does_is_data_in_the_report(tmp_path: Path) -> None:
    sources = tmp_path / "sources"
    sources.mkdir()
    (sources / "program").write_text(PROGRAM)
    recipe = tmp_path / "troubled.yaml"
    recipe.write_text(RECIPE)
    run = tmp_path / "run"
    done = heorot(
        *("evaluate", "--recipe", recipe, "--source", f"troubled={sources}", "--out", run),
        *("--only", "others/*", "--launches", "1", "--timeout", "6s"),
    )
    assert done.code == 1, done.err
    outcomes = outcomes_of(run)
    assert set(outcomes) == {f"case_{kind}" for kind in EXPECTED}
    for kind, (state, reason) in EXPECTED.items():
        outcome = outcomes[f"case_{kind}"]
        assert (outcome.state, reason in outcome.reason) == (state, True), (kind, outcome.reason)
    (left,) = outcomes["case_leaving"].left
    assert (left.n, left.names) == (2, ("sleep",))
    report = (run / "report.html").read_text()
    assert "residual: missing lines" in report
    assert re.search(r"\(case_leaving\) left \d processes \(sleep\) in \d launch", report)
    recipe.write_text(RECIPE.replace("leaving, ", "").replace("[fine", "[leaving, fine"))
    checked = heorot("recipe", "check", recipe, "--source", f"troubled={sources}", "--anyway")
    assert "left     2 processes" in checked.out, checked.err
    assert not marked_processes(run)
    assert not (sources / "builds").exists()


def test_an_application_of_the_user_is_measured_as_ours_are(tmp_path: Path) -> None:
    recipe, run = EXAMPLE / "jacobi.yaml", tmp_path / "run"
    source = f"jacobi={EXAMPLE}"
    checked = heorot("recipe", "check", recipe, "--source", source, "--anyway", "--ranks", "2")
    assert checked.code == 0, checked.err
    assert "metric update_rate [M/s]: 1 match\n  line 2: value = " in checked.out
    done = heorot(
        *("evaluate", "--recipe", recipe, "--source", source, "--only", "others/*"),
        *("--profile", "smoke", "--launches", "1", "--out", run),
    )
    assert done.code == 0, done.out + done.err
    shutil.rmtree(run / "builds")  # neither is needed any more
    exported = heorot("export", run, "--format", "json")
    rows = json.loads(exported.out)
    rates = [row for row in rows if row["metric"] == "update_rate"]
    assert {row["ranks"] for row in rates} >= {1}
    assert all(row["verified"] == "passed" and row["unit"] == "1/s" for row in rates)
    times = {row["ranks"]: row["median"] for row in rows if row["metric"] == "time"}
    for row in rates:
        updates = row["median"] * times[row["ranks"]]
        assert updates == pytest.approx(500 * 500 * 400, rel=0.01)
    same = heorot("compare", run, run)
    assert same.code == 0
    assert "others/jacobi" in same.out
    report = (run / "report.html").read_text()
    assert "Third-party benchmarks" in report
    assert "the Jacobi solver" in report


def test_a_launch_of_two_commands_with_an_input_file_and_phases(tmp_path: Path) -> None:
    sources, run = tmp_path / "sources", tmp_path / "run"
    sources.mkdir()
    (sources / "program").write_text(STAGES)
    mesh = tmp_path / "mesh.dat"
    mesh.write_text("64 cells\n")
    digest = hashlib.sha256(mesh.read_bytes()).hexdigest()
    recipe = tmp_path / "flow.yaml"
    recipe.write_text(FLOW.format(digest=digest))
    asked = ("--recipe", recipe, "--source", f"flow={sources}", "--only", "others/*")
    done = heorot("evaluate", *asked, "--launches", "1", "--out", run)
    assert done.code == 0, done.out + done.err
    rows = json.loads(heorot("export", run, "--format", "json").out)
    found = {(row["metric"], row["region"]): row["median"] for row in rows}
    for phase, seconds in {"read": 0.01, "solve": 0.02}.items():
        assert found["phase_time", phase] == pytest.approx(seconds)
    assert 0.1 < found["command_time", "mesh"] < found["run_time", "whole_run"]
    assert ("command_time", "flow") in found
    (outcome,) = outcomes_of(run).values()
    assert outcome.run
    assert [place.rank for place in outcome.run.placement] == [0]
    mesh.write_text("65 cells\n")
    again = heorot("evaluate", *asked, "--out", tmp_path / "other")
    assert again.code == 2
    assert f"needs the input file {mesh} with SHA-256 {digest[:12]}..., it has" in again.err
    assert not (tmp_path / "other").exists()


def test_a_source_that_does_not_compile_is_a_failed_case(tmp_path: Path) -> None:
    sources = Path(shutil.copytree(EXAMPLE, tmp_path / "jacobi"))
    broken = sources / "jacobi.c"
    broken.write_text(broken.read_text().replace("MPI_Init(", "MPI_Begin(("))
    run = tmp_path / "run"
    done = heorot(
        *("evaluate", "--recipe", EXAMPLE / "jacobi.yaml", "--source", f"jacobi={sources}"),
        *("--only", "others/*", "--profile", "smoke", "--out", run),
    )
    assert done.code == 2
    assert "nothing can run: did not compile: `make` failed: jacobi.c:" in done.err
    assert not run.exists()


@pytest.mark.parametrize(
    ("name", "command", "ranks", "region", "metric"),
    [
        ("hpcc", "hpcc", 2, "starstream_triad", "bandwidth"),
        ("lammps", "lmp", 2, "melt", "time"),
        ("fio", "fio", 1, "write", "bandwidth"),
    ],
)
def test_packaged_programs_run_by_the_recipes_that_come_with_heorot(
    name: str, command: str, ranks: int, region: str, metric: str, tmp_path: Path
) -> None:
    if shutil.which(command) is None:
        pytest.skip(f"{command} is not installed: apt-get install {name}")
    run = tmp_path / "run"
    done = heorot("run", f"others/{name}", "--ranks", str(ranks), "--out", run)
    assert done.code == 0, done.out + done.err
    rows = json.loads(heorot("export", run, "--format", "json").out)
    (row,) = (row for row in rows if (row["region"], row["metric"]) == (region, metric))
    assert (row["verified"], row["ranks"]) == ("passed", ranks)
    assert row["median"] > 0.0
