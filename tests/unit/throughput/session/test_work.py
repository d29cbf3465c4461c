"""Layouts of the programs of a job, and their command lines."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from heorot.model.batch.allocation import Allocation
from heorot.model.catalogue.need import CheckedFile
from heorot.throughput.model.kinds import JobKind, Part
from heorot.throughput.session.work import COMMAND, Work, commands_of, work_of
from tests.unit.throughput.session.conftest import NODE, PROGRAMS, Make


def _work(*parts: Part, **facts: object) -> Work:
    kind = JobKind.model_validate({"parts": parts, **facts})
    return work_of(
        Path("/day/jobs/J0001"),
        "one1",
        "one",
        kind,
        exclusive=False,
        cores_per_node=4,
        toolchains={"": "gnu", "others/app": "gcc"},
    )


@pytest.mark.parametrize(
    ("part", "nodes", "layout"),
    [
        (Part(program="family/one"), 2, (2, 8, 4)),
        (Part(program="family/one", threads=2), 2, (2, 4, 2)),
        (Part(program="family/one", per_node=1), 3, (3, 3, 1)),
        (Part(program="family/one", ranks=5), 2, (2, 5, 3)),
        (Part(program="family/one", ranks=4, per_node=4), 2, (1, 4, 4)),
        (Part(command=("date",)), 3, (1, 1, 1)),
        (Part(command=("./app",), launcher=True, ranks=6), 3, (3, 6, 2)),
    ],
)
def test_ranks_are_spread_over_the_nodes(
    part: Part, nodes: int, layout: tuple[int, int, int]
) -> None:
    (step,) = _work(part, nodes=nodes).steps
    assert (step.nodes, step.ranks, step.per_node) == layout


def test_a_job_uses_as_many_cores_as_its_largest_part() -> None:
    work = _work(Part(command=("date",)), Part(program="family/one", ranks=3, threads=1))
    assert work.cores_per_node == 3
    assert [step.id for step in work.steps] == ["P1", "P2"]
    assert [step.benchmark for step in work.steps] == [COMMAND, "family/one"]


def test_a_recipe_has_its_own_toolchain() -> None:
    (step,) = _work(Part(recipe="app")).steps
    assert (step.benchmark, step.toolchain) == ("others/app", "gcc")


def test_a_kind_may_want_its_nodes_for_itself() -> None:
    assert not _work(Part(command=("date",))).exclusive
    assert _work(Part(command=("date",)), exclusive=True).exclusive


def test_programs_find_the_files_that_they_read_in_a_folder_of_their_own(
    make: Make, tmp_path: Path
) -> None:
    mesh = CheckedFile(path=tmp_path / "mesh.txt", sha256="0f" * 32)
    work = work_of(
        make("one1", "date").place,
        "one1",
        "one",
        JobKind(parts=(Part(program="family/one", ranks=1), Part(command=("date",)))),
        exclusive=False,
        cores_per_node=4,
        toolchains={"": "gnu"},
        inputs=((mesh,), ()),
    )
    assert [step.inputs for step in work.steps] == [(mesh,), ()]
    programs = replace(PROGRAMS, paths={("gnu", "family/one"): Path("/b/one")})
    first, _ = commands_of(work, programs, Allocation(node=NODE))
    assert first.cwd == work.place / "work" / "P1"
    assert first.cwd.is_dir()
    assert str(first.cwd / "mesh.txt") in first.argv


def test_commands_run_in_a_folder_of_their_own_with_their_variables(make: Make) -> None:
    work = make("one1", "date", "true")
    part = work.kind.parts[0].model_copy(update={"environment": {"A": "b"}})
    kind = work.kind.model_copy(update={"parts": (part, *work.kind.parts[1:])})
    work = Work(**{**vars(work), "kind": kind})
    first, second = commands_of(work, PROGRAMS, Allocation(node=NODE, shared=True))
    assert first.argv[-3:] == ("bash", "-c", "date")
    assert first.cwd == work.place / "work" / "P1"
    assert first.cwd.is_dir()
    assert first.environment["A"] == "b"
    assert "A" not in second.environment
    assert "taskset" not in first.argv  # free cores of a shared node are unknown
    bound, _ = commands_of(work, PROGRAMS, Allocation(node=NODE))
    assert bound.argv[0] == "taskset"
