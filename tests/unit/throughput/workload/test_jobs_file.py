"""Files of jobs: short and long forms, sizes that follow from ranks, mistakes with their lines."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from heorot.errors import WorkloadError
from heorot.families import BENCHMARKS
from heorot.throughput.model.kinds import JobsFile
from heorot.throughput.workload.jobs_file import line_of_kind, read_jobs
from heorot.throughput.workload.schedule import shipped

BOTH = """\
jobs:
  adf_run:
    program: stones/flint
    options: {class: W, precision: 0.01}
    ranks: 16
    per_node: 2
    time_limit: 10min
    queue: short
  euroben:
    nodes: 3
    time_limit: 90
    after: [adf]
    think_time: 1min30s
    exclusive: true
    parts:
      - {program: stones/flint, ranks: 4}
      - {program: stones/flint, ranks: 6}
      - {recipe: others/own.yaml}
      - {name: tidy, command: [rm, -f, x], output: [log]}
      - {command: [./run.sh, now]}
interactive:
  - {name: look, command: [ls, -l], think_time: 2s}
exclusive: true
"""
# Pieces of invalid files.
M = "{name: m, program: x}"
NODES = "    program: x\n    nodes: 2\n    per_node: 2\n"
LOOKS = "jobs: {a: {program: x}}\ninteractive:\n"


def read(folder: Path, text: str, cores: int | None = None) -> JobsFile:
    path = folder / "jobs.yaml"
    path.write_text(dedent(text))
    return read_jobs(path, cores)


def test_short_and_long_forms(tmp_path: Path) -> None:
    jobs = read(tmp_path, BOTH)
    assert jobs.exclusive
    adf, euroben = jobs.jobs["adf"], jobs.jobs["euroben"]
    assert not adf.is_composite
    assert (adf.nodes, adf.time_limit_seconds, adf.queue, adf.exclusive) == (
        8,
        600.0,
        "short",
        None,
    )
    assert adf.parts[0].name == "flint"
    assert adf.parts[0].options == {"class": "W", "precision": 0.01}
    assert euroben.is_composite
    assert (euroben.nodes, euroben.time_limit_seconds, euroben.think_seconds) == (3, 90.0, 90.0)
    assert euroben.after == ("adf",)
    names = [part.name for part in euroben.parts]
    assert names == ["flint-1", "flint-2", "own", "tidy", "run_sh"]
    (look,) = jobs.interactive
    assert (look.command, look.think_seconds, look.where) == (("ls", "-l"), 2.0, "here")


@pytest.mark.parametrize(
    ("keys", "cores", "nodes"),
    [
        ("ranks: 7, per_node: 2", None, 4),
        ("ranks: 7, per_node: 2", 16, 4),
        ("ranks: 7", None, 1),
        ("ranks: 7", 4, 2),
        ("ranks: 7, threads: 2", 4, 4),
        ("ranks: 7, threads: 8", 4, 7),
        ("per_node: 2", 4, 1),
        ("ranks: 4, per_node: 2, nodes: 3", 4, 3),
    ],
)
def test_nodes_follow_from_ranks(tmp_path: Path, keys: str, cores: int | None, nodes: int) -> None:
    jobs = read(tmp_path, f"jobs: {{a: {{program: x, {keys}}}}}", cores)
    assert jobs.jobs["a"].nodes == nodes


def test_the_largest_part_decides(tmp_path: Path) -> None:
    parts = "[{program: x, ranks: 2, per_node: 1}, {program: y, ranks: 8, per_node: 2}]"
    assert read(tmp_path, f"jobs: {{a: {{parts: {parts}}}}}").jobs["a"].nodes == 4


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("jobs:\n  a: {program: x, rank: 3}", 2, "unknown key `jobs.a.rank`"),
        ("jobs:\n  a: {program: x}\n  a: {program: y}", 3, "duplicate key `a`"),
        ("jobs:\n  a: {program: x}\n  a_run: {program: y}", 3, "`a_run` is the same job as `a`"),
        ("jobs:\n  a: {ranks: 3}", 2, "has neither `program:` nor `recipe:` nor `command:`"),
        ("jobs:\n  a:\n    program: x\n    command: [y]", 4, "`program` and `command`: a part is"),
        ("jobs:\n  a:\n    recipe: x\n    program: y", 3, "`program` and `recipe`: a part is"),
        ("jobs:\n  a:\n    command: []", 3, "a command has at least one word"),
        ("jobs:\n  a:\n    command: [' ']", 3, "a command has at least one word"),
        ("jobs:\n  a:\n    command: [x]\n    options: {n: 1}", 4, "has its options among its"),
        ("jobs:\n  a:\n    parts: []", 3, "`jobs.a.parts`"),
        ("jobs:\n  a:\n    ranks: 3\n    parts: [{program: x}]", 3, "`ranks` belongs to one of"),
        ("jobs:\n  a:\n    parts:\n    - program: x\n    - ranks: 2", 5, "has neither"),
        (f"jobs:\n  a:\n    parts:\n    - {M}\n    - {M}", 4, "a second part of the name `m`"),
        (f"jobs:\n  a:\n{NODES}    ranks: 5", 6, "5 ranks, but 2 x 2 are 4"),
        ("jobs:\n  a:\n    program: x\n    nodes: 0", 4, "`jobs.a.nodes`"),
        ("jobs:\n  a:\n    program: x\n    time_limit: soon", 4, "not a duration: 'soon'"),
        ("jobs:\n  a:\n    program: x\n    time_limit: -5", 4, "`jobs.a.time_limit`"),
        ("jobs:\n  a:\n    program: x\n    options: {n: .nan}", 4, "`n` is not finite"),
        ("jobs:\n  a:\n    command: [x]\n    output: [../y]", 4, "`../y` is no path inside"),
        ("jobs:\n  a:\n    program: x\n    after:\n    - b", 5, "there is no job `b` to wait for"),
        ("jobs:\n  a b: {program: x}", 2, "`jobs.a b`: must be up to 100 letters"),
        ("jobs: {}", 1, "`jobs`"),
        ("exclusive: true", 1, "`jobs` is missing"),
        ("- a", 1, "not a jobfile: keys such as `jobs:` are missing"),
        (f"{LOOKS}- {{name: a, command: [x]}}\n- {{name: a, command: [y]}}", 3, "a second one"),
        (f"{LOOKS}- {{name: a, command: []}}", 3, "`interactive.0.command`"),
    ],
)  # fmt: skip
def test_a_mistake_is_one_line_with_its_number(
    tmp_path: Path, text: str, line: int, message: str
) -> None:
    with pytest.raises(WorkloadError) as caught:
        read(tmp_path, text)
    assert str(caught.value).startswith(f"{tmp_path / 'jobs.yaml'}:{line}: ")
    assert message in str(caught.value)
    assert caught.value.hint


def test_the_line_of_a_kind(tmp_path: Path) -> None:
    path = tmp_path / "jobs.yaml"
    path.write_text(BOTH)
    assert line_of_kind(path, "adf") == 2
    assert line_of_kind(path, "euroben") == 9
    assert line_of_kind(path, "other") is None
    path.write_text("jobs: 5")
    assert line_of_kind(path, "adf") is None


def test_the_shipped_file_maps_the_published_names_to_programs_that_exist() -> None:
    jobs = read_jobs(shipped()["steen2000"].with_suffix(".yaml")).jobs
    known = {benchmark.name for benchmark in BENCHMARKS}
    assert {part.program for kind in jobs.values() for part in kind.parts} <= known
    ranks = {
        name: sorted({part.ranks for part in kind.parts if part.ranks})
        for name, kind in jobs.items()
        if name != "euroben"
    }
    assert ranks == {"adf": [16], "maya5": [6], "primmod": [8], "rboltz": [4], "vasp": [8]}
    euroben: dict[str, list[int]] = {}
    for part in jobs["euroben"].parts:
        assert part.name
        assert part.ranks
        euroben.setdefault(part.name.partition("-")[0], []).append(part.ranks)
    assert euroben == {"mod1h": [4, 6, 8], "mod1i": [1, 2, 3, 4, 5, 6, 7, 8], "mod1j": [2]}
    assert jobs["adf"].nodes == 8


def test_options_of_the_shipped_file_are_those_of_the_programs() -> None:
    jobs = read_jobs(shipped()["steen2000"].with_suffix(".yaml")).jobs
    fixed = {"samples-min", "samples-max", "budget", "precision"}
    for kind in jobs.values():
        for part in kind.parts:
            assert fixed <= part.options.keys()
            assert part.options["samples-min"] == part.options["samples-max"]
