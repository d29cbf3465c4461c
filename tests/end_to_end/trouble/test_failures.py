"""Programs that hang, crash, print nothing or write garbage are data in the report, exit code 1."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from heorot.build.work import CarryOut
from heorot.model.machine.machine import Machine
from heorot.model.machine.toolchain import Toolchain
from heorot.model.run.plan import Step
from heorot.model.run.request import Request
from heorot.plan import planner
from heorot.session import conductor, programs
from heorot.session.progress import Progress
from tests.end_to_end.running import marked_processes

pytestmark = [
    pytest.mark.mpi,
    pytest.mark.slow,
    pytest.mark.waiting,
    pytest.mark.timeout(600),
]

_FAKES = {
    "hung": "trap '' TERM\nsetsid sleep 1000 &\nfor i in {1..1000}; do sleep 1; done\n",
    "crashing": "echo about to crash\nkill -SEGV $$\n",
    "silent": "exit 0\n",
    "unfinished": '"$REAL" "$@"; sed -i "$ d" "${@: -1}"\n',
    "garbage": 'for word; do [[ $previous == --record ]] && head -c 20000 /dev/urandom >"$word"; '
    "previous=$word; done\nhead -c 20000 /dev/urandom\n",
}
_EXPECTED = {
    "hung": ("timed_out", ""),
    "crashing": ("failed", "SEGV"),
    "silent": ("failed", "no record"),
    "unfinished": ("failed", "end line"),
    "garbage": ("failed", "not valid"),
}


@pytest.mark.parametrize("kind", list(_FAKES))
def test_a_bad_program_is_reported(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / kind
    program.write_text("#!/bin/bash\n" + _FAKES[kind])
    program.chmod(0o755)

    really_build = programs.build_programs

    def fake_build(
        steps: Sequence[Step],
        chains: Sequence[Toolchain],
        machine: Machine,
        progress: Progress,
        on_node: CarryOut,
    ) -> tuple[dict[tuple[str, str], Path], dict[tuple[str, str], str]]:
        real, _ = really_build(steps, chains, machine, progress, on_node)
        monkeypatch.setenv("REAL", str(next(iter(real.values()))))
        return dict.fromkeys(real, program), {}

    monkeypatch.setattr(programs, "build_programs", fake_build)
    monkeypatch.setattr(planner, "_TIMEOUT_FLOOR_SECONDS", 2.0)
    monkeypatch.setattr(planner, "_TIMEOUT_FACTOR", 0.0)
    directory = tmp_path / "run"
    request = Request(profile="smoke", only=("compute/peak",), launches=1, out=directory)
    ended = conductor.evaluate(request, Progress(), anyway=True)
    state, reason = _EXPECTED[kind]
    assert ended.code == 1
    assert {outcome.state for outcome in ended.evaluation.outcomes} == {state}
    assert all(reason in outcome.reason for outcome in ended.evaluation.outcomes)
    page = (directory / "report.html").read_text(encoding="utf-8")
    assert state.replace("_", " ") in page
    assert not marked_processes(directory)


def test_a_program_that_does_not_compile_stops_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    really_build = programs.build_programs

    def broken_build(
        steps: Sequence[Step],
        chains: Sequence[Toolchain],
        machine: Machine,
        progress: Progress,
        on_node: CarryOut,
    ) -> tuple[dict[tuple[str, str], Path], dict[tuple[str, str], str]]:
        programs, _ = really_build(steps, chains, machine, progress, on_node)
        broken = {key: "peak.cpp:1: error" for key in programs if key[1] == "compute/peak"}
        return {key: path for key, path in programs.items() if key not in broken}, broken

    monkeypatch.setattr(programs, "build_programs", broken_build)
    directory = tmp_path / "run"
    only = ("compute/peak", "npb/ep")
    ended = conductor.evaluate(
        Request(profile="smoke", only=only, launches=1, out=directory), Progress(), anyway=True
    )
    assert ended.code == 1
    assert {step.benchmark for step in ended.evaluation.steps} == {"npb/ep"}
    assert all(outcome.state == "completed" for outcome in ended.evaluation.outcomes)
    assert {case.benchmark for case in ended.evaluation.plan.skipped} == {"compute/peak"}
    assert "peak.cpp:1: error" in (directory / "report.html").read_text(encoding="utf-8")
