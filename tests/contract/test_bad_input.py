"""What programs make of sizes and names that make no sense: one clear line, exit 2 or 3, no result.

Options are found through --describe; only what is meant to be 0, or has no upper end, is listed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from heorot import process
from heorot.families import BENCHMARKS
from heorot.model.catalogue.benchmark import Benchmark
from tests import builds

_PROGRAMS = [
    one for one in BENCHMARKS if one.name.split("/")[0] in {"compute", "memory", "algorithms"}
]
every_program = pytest.mark.parametrize("benchmark", _PROGRAMS, ids=lambda one: one.name)
_USAGE, _CANNOT_RUN = 2, 3
_AT_ONCE = 6
_BRIEF = ("--budget", "1e-3", "--samples-min", "1", "--samples-max", "1")
_ENORMOUS = str(1 << 50)
# Lists of numbers, which are texts to the command line.
_LISTS_OF_SIZES = {"n", "unknowns", "mixed"}
# Options that may be 0: none of it, or as much as the program chooses.
_MAY_BE_ZERO = {
    ("memory/stream", "n"),
    ("memory/stream", "max-bytes"),
    ("memory/hierarchy", "places"),
    ("algorithms/dense_eigen", "rotations-max-n"),
    ("algorithms/matrix_multiply", "textbook-max-n"),
    ("algorithms/sort", "gathered-bytes"),
    *(("algorithms/stencil", name) for name in ("nx", "ny", "nz", "block-bytes")),
}
# Options that only say up to where.
_MAY_BE_ENORMOUS = {
    ("memory/atomics", "max-pairs"),
    ("algorithms/dense_eigen", "rotations-max-n"),
    ("algorithms/matrix_multiply", "textbook-max-n"),
    ("algorithms/sort", "gathered-bytes"),
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
    return builds.release().paths


def _run(program: Path, *words: str, before: tuple[str, ...] = ()) -> process.Finished:
    environment = dict(
        os.environ,
        OMPI_ALLOW_RUN_AS_ROOT="1",
        OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
        OMP_NUM_THREADS="1",
        HEOROT_BLAS="none",
    )
    argv: list[str | os.PathLike[str]] = [*before, program, *words, *_BRIEF]
    return process.run(argv, timeout_seconds=60, environment=environment)


def _bad_values(name: str, option: dict[str, str]) -> Iterator[str]:
    """What makes no sense of an option."""
    place = (name, option["name"])
    if option["type"] == "string":
        yield "no_such_one"
    is_number = option["type"] in {"size", "int", "double"} or option["name"] in _LISTS_OF_SIZES
    if not is_number:
        return
    yield "-1"
    if place not in _MAY_BE_ZERO:
        yield "0"
    if option["type"] != "double" and place not in _MAY_BE_ENORMOUS:
        yield _ENORMOUS


def _expect_refusal(done: process.Finished, where: str) -> None:
    """One line and a hint, or one line that says why it cannot run here; and no result."""
    assert done.code in {_USAGE, _CANNOT_RUN}, f"{where}: exit {done.code}\n{done.err}"
    first, *hints = done.err.strip().splitlines()
    assert first.startswith("heorot: "), where
    assert len(hints) == (1 if done.code == _USAGE else 0), f"{where}\n{done.err}"
    assert all(hint.startswith("hint: ") for hint in hints), where
    assert '"type":"end"' not in done.out, where


@every_program
def test_what_makes_no_sense_is_refused(paths: dict[str, Path], benchmark: Benchmark) -> None:
    program = paths[benchmark.name]
    options = json.loads(process.run([program, "--describe"]).out)["options"]
    assert options
    words = [
        f"--{option['name']}={value}"
        for option in options
        for value in _bad_values(benchmark.name, option)
    ]
    # Most of their time they wait for the start of MPI.
    with ThreadPoolExecutor(_AT_ONCE) as several:
        for word, done in zip(words, several.map(partial(_run, program), words), strict=True):
            _expect_refusal(done, f"{benchmark.name} {word}")


@pytest.mark.parametrize("name", _BEYOND_MEMORY)
def test_what_is_beyond_memory_is_refused_at_once(paths: dict[str, Path], name: str) -> None:
    words = _BEYOND_MEMORY[name]
    done = _run(paths[name], *words.split(), before=_CONFINED)
    _expect_refusal(done, f"{name} {words}")
    assert done.code == _CANNOT_RUN
    assert "no memory for" in done.err


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("algorithms/matrix_multiply", "--regions blas --blas none"),
        ("algorithms/matrix_vector", "--regions blas --blas none"),
        ("algorithms/dense_solve", "--regions lapack --blas none"),
        ("algorithms/dense_eigen", "--regions lapack_values --blas none"),
        ("algorithms/dense_eigen", "--regions rotations --n 500"),
        ("algorithms/random", "--generators npb --outputs words"),
    ],
)
def test_nothing_measured_is_no_success(paths: dict[str, Path], name: str, words: str) -> None:
    done = _run(paths[name], *words.split())
    _expect_refusal(done, f"{name} {words}")
    assert "nothing of what was asked for can be measured" in done.err
