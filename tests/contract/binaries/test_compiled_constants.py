"""Constants that are compiled into programs: each default is near the best of a sweep.

A copy of the sources is built with other values of one constant after the other. Constants that
programs choose when they run are swept in test_tuned_constants.py.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from heorot import process
from heorot.build.sources import native_directory
from heorot.build.work import find_tool
from heorot.model.run.records import Line, RegionLine

_LINE: TypeAdapter[Line] = TypeAdapter(Line)
_WITHIN = 1.10
_ROUNDS = 7
_BUILD_SECONDS = 600.0


@dataclass(frozen=True)
class Constant:
    """A constant of a source file, and a run of a program whose time depends on it.

    Attributes:
        factors: of the other values, by the default; a block holds two panels of reflections.
    """

    file: str
    name: str
    program: str
    options: str
    factors: tuple[float, ...] = (0.25, 0.5, 2.0, 4.0)

    @property
    def text(self) -> str:
        """The source file."""
        return (native_directory() / self.file).read_text(encoding="utf-8")

    @property
    def place(self) -> re.Pattern[str]:
        """The definition, with the value as a group."""
        return re.compile(rf"(?<=\b{self.name} = )(\d+)(?=;)")


CONSTANTS = (
    Constant(
        "numerics/sparse/csr.hpp",
        "ahead_bytes",
        "algorithms/sparse_matrix_vector",
        "--formats csr --matrices laplace3d --min-bytes 64M --max-bytes 64M",
    ),
    Constant(
        "numerics/sparse/vectors.hpp",
        "usual_block",
        "algorithms/sparse_solve",
        "--methods cg_jacobi",
    ),
    Constant("numerics/sparse/basis.hpp", "block", "algorithms/sparse_eigen", ""),
    Constant(
        "numerics/eigen/tridiagonal.cpp",
        "panel",
        "algorithms/dense_eigen",
        "--regions values --n 600",
        (0.25, 0.5),
    ),
    Constant(
        "numerics/eigen/tridiagonal.cpp",
        "block",
        "algorithms/dense_eigen",
        "--regions vectors --n 600",
        (2.0, 4.0),
    ),
    Constant(
        "numerics/generators/normal.hpp",
        "pairs_per_block",
        "algorithms/random",
        "--generators xoshiro256 --outputs normals",
    ),
    Constant("benchmarks/npb/cg/matrix.cpp", "wanted_columns", "npb/cg", "--class A"),
    Constant("benchmarks/npb/cg/matrix.cpp", "prefetch_distance", "npb/cg", "--class A"),
)
Build = Callable[[Constant, int], Path]


@pytest.mark.parametrize("constant", CONSTANTS, ids=lambda one: f"{one.file}:{one.name}")
def test_a_constant_has_one_definition(constant: Constant) -> None:
    assert len(constant.place.findall(constant.text)) == 1


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    """Builds a program with another value of a constant, in a copy of the sources."""
    folder = tmp_path_factory.mktemp("constants")
    shutil.copytree(native_directory(), folder / "native")
    ninja = f"-DCMAKE_MAKE_PROGRAM={find_tool('ninja')}"
    options = ("-G", "Ninja", ninja, "-DHEOROT_WITH_MPI=OFF")
    _must(find_tool("cmake"), "-S", folder / "native", "-B", folder / "build", *options)

    def make(constant: Constant, value: int) -> Path:
        source = folder / "native" / constant.file
        source.write_text(constant.place.sub(str(value), constant.text), encoding="utf-8")
        target = constant.program.replace("/", "_")
        _must(find_tool("cmake"), "--build", folder / "build", "--target", target)
        source.write_text(constant.text, encoding="utf-8")
        made = folder / f"{target}-{constant.name}-{value}"
        return Path(shutil.copy(folder / "build" / "bin" / constant.program, made))

    return make


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("constant", CONSTANTS, ids=lambda one: f"{one.file}:{one.name}")
def test_a_compiled_constant_is_near_the_best(
    build: Build, tmp_path: Path, constant: Constant
) -> None:
    """Builds take turns, as launches are bimodal on some machines."""
    found = constant.place.search(constant.text)
    assert found is not None
    default = int(found[1])
    values = (default, *(round(default * factor) for factor in constant.factors))
    paths = {value: build(constant, value) for value in values}
    best: dict[int, float] = {}
    for _ in range(_ROUNDS):
        for value, path in paths.items():
            seconds = _best_seconds(path, tmp_path / "record", constant.options)
            best[value] = min(seconds, best.get(value, seconds))
    assert best[default] <= _WITHIN * min(best.values()), best


def _best_seconds(path: Path, record: Path, options: str) -> float:
    """The sum of the shortest times of all points [s]."""
    _must(path, *options.split(), "--budget", "0.2", "--record", record)
    lines = [_LINE.validate_json(line) for line in record.read_text(encoding="utf-8").splitlines()]
    regions = [line for line in lines if isinstance(line, RegionLine)]
    return sum(min(one.seconds) / one.repetitions for one in regions)


def _must(*words: str | Path) -> None:
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    done = process.run(words, timeout_seconds=_BUILD_SECONDS, environment=environment)
    assert done.code == 0, done.out[-2000:] + done.err[-2000:]
