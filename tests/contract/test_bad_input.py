"""Programs refuse senseless sizes and names: one clear line, exit 2 or 3, no result.

Options are found through --describe; only what is meant to be 0, or has no upper end, is listed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from heorot import process
from heorot.model.catalogue.benchmark import Benchmark
from heorot.model.run.records import EndLine
from tests import builds
from tests.builds import TRIED
from tests.contract.launches import AS_ROOT, Ended, join_runs, read_runs, words_of

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]  # the first may have to build

_PROGRAMS = [one for one in TRIED if one.name.split("/")[0] in {"compute", "memory", "algorithms"}]
every_program = pytest.mark.parametrize("benchmark", _PROGRAMS, ids=lambda one: one.name)
_USAGE, _CANNOT_RUN = 2, 3
_BRIEF = ("--budget", "1e-3", "--samples-min", "1", "--samples-max", "1")
_ENORMOUS = str(1 << 50)
# Options that may be 0: none of it, or as much as the program chooses.
_MAY_BE_ZERO = {
    ("memory/stream", "n"),
    ("memory/stream", "max-bytes"),
    ("memory/hierarchy", "places"),
    ("algorithms/dense_eigen", "rotations-max-n"),
    ("algorithms/matrix_multiply", "textbook-max-n"),
    ("algorithms/matrix_multiply", "block-rows"),
    ("algorithms/matrix_multiply", "block-depth"),
    *(("algorithms/stencil", name) for name in ("nx", "ny", "nz", "block-bytes")),
}
# Options that are only upper limits.
_MAY_BE_ENORMOUS = {
    ("memory/atomics", "max-pairs"),
    ("algorithms/dense_eigen", "rotations-max-n"),
    ("algorithms/matrix_multiply", "textbook-max-n"),
    ("algorithms/stencil", "block-bytes"),
}
# Runs a program in no more than so much address space, so that no machine has room for all.
_CONFINED = ("sh", "-c", 'ulimit -v 24000000 && exec "$@"', "sh")
# Sizes that programs take, and that need more: 34 GB at least.
_BEYOND_MEMORY = {
    "algorithms/matrix_vector": "--max-n 100000",
    "algorithms/matrix_multiply": "--n 16,46340",
    "algorithms/dense_solve": "--n 16,46340",
    "algorithms/dense_eigen": "--n 16,30000",
    "algorithms/sparse_matrix_vector": "--max-bytes 32G",
    "algorithms/sparse_solve": "--n 4,840",
    "algorithms/sparse_eigen": "--unknowns 200,500000000",
    "algorithms/linear_solver": "--n 1000000",
    "algorithms/fft": "--max-n 512M",
    "algorithms/stencil": "--nx 20001 --ny 20001 --nz 20001",
    "algorithms/random": "--n 256G",
    "algorithms/sort": "--max-keys 256G",
}


@pytest.fixture(scope="module")
def paths() -> dict[str, Path]:
    """The programs built with the default toolchain, as all tests of the contract have them."""
    return builds.release([each.name for each in _PROGRAMS]).paths


def _run(program: Path, *words: str, before: tuple[str, ...] = ()) -> process.Finished:
    environment = {**os.environ, **AS_ROOT, "OMP_NUM_THREADS": "1", "HEOROT_BLAS": "none"}
    argv: list[str | os.PathLike[str]] = [*before, program, *words]
    return process.run(argv, timeout_seconds=120, environment=environment)


def _run_each(
    program: Path, runs: Sequence[Sequence[str]], before: tuple[str, ...] = ()
) -> list[Ended]:
    """Try options, one set after another, in one process, which joins its job only once."""
    words = join_runs([(*run, *_BRIEF) for run in runs])
    return read_runs(_run(program, *words, before=before), len(runs))


def _bad_values(name: str, option: dict[str, str]) -> Iterator[str]:
    """Senseless values of an option."""
    place = (name, option["name"])
    if option["type"] in {"string", "items", "numbers"}:
        yield "no_such_one"
    if option["type"] not in {"size", "int", "double", "numbers"}:
        return
    yield "-1"
    if place not in _MAY_BE_ZERO:
        yield "0"
    if option["type"] != "double" and place not in _MAY_BE_ENORMOUS:
        yield _ENORMOUS


def _expect_refusal(ended: Ended, where: str) -> None:
    """One line and a hint, or one line with the reason why it cannot run here; and no result."""
    assert ended.code in {_USAGE, _CANNOT_RUN}, f"{where}: exit {ended.code}\n{ended.err}"
    first, *hints = ended.err.strip().splitlines()
    assert first.startswith("heorot: "), where
    assert len(hints) == (1 if ended.code == _USAGE else 0), f"{where}\n{ended.err}"
    assert all(hint.startswith("hint: ") for hint in hints), where
    assert not any(isinstance(line, EndLine) for line in ended.lines), where


@every_program
def test_what_makes_no_sense_is_refused(paths: dict[str, Path], benchmark: Benchmark) -> None:
    program = paths[benchmark.name]
    options = json.loads(process.run([program, "--describe"]).out)["options"]
    assert options
    runs = [
        [f"--{option['name']}={value}"]
        for option in options
        for value in _bad_values(benchmark.name, option)
    ]
    *refused, good = _run_each(program, [*runs, words_of(benchmark.tiny)])
    for run, ended in zip(runs, refused, strict=True):
        _expect_refusal(ended, f"{benchmark.name} {run}")
    # What was refused has left nothing behind.
    assert good.code == 0, good.err


@pytest.mark.parametrize("name", _BEYOND_MEMORY)
def test_what_is_beyond_memory_is_refused_at_once(paths: dict[str, Path], name: str) -> None:
    words = _BEYOND_MEMORY[name]
    (ended,) = _run_each(paths[name], [words.split()], before=_CONFINED)
    _expect_refusal(ended, f"{name} {words}")
    assert ended.code == _CANNOT_RUN
    assert "no memory for" in ended.err


@pytest.mark.parametrize(
    ("name", "runs"),
    [
        ("algorithms/matrix_multiply", ["--regions blas --blas none"]),
        ("algorithms/matrix_vector", ["--regions blas --blas none"]),
        ("algorithms/dense_solve", ["--regions lapack --blas none"]),
        (
            "algorithms/dense_eigen",
            ["--regions lapack_values --blas none", "--regions rotations --n 500"],
        ),
        ("algorithms/random", ["--generators npb --outputs words"]),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_nothing_measured_is_no_success(
    paths: dict[str, Path], name: str, runs: Sequence[str]
) -> None:
    for run, ended in zip(
        runs, _run_each(paths[name], [each.split() for each in runs]), strict=True
    ):
        _expect_refusal(ended, f"{name} {run}")
        assert "nothing of what was asked for can be measured" in ended.err
