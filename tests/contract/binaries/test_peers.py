"""Own code compared with libraries that Debian or PyPI have: no ratio falls below its floor.

A ratio is the library's shortest time over ours, of rounds that alternate. Floors are a tenth below
ratios measured on a core with AVX-512 (Zen 4). The table of all ratios, with versions and settings
of the libraries, is written to build/peers.txt.
"""

from __future__ import annotations

import ctypes.util
import json
import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from heorot import process
from heorot.model.run.records import Line, NoteLine, RegionLine
from tests import builds
from tests.contract.launches import AS_ROOT

pytestmark = [pytest.mark.nightly, pytest.mark.slow, pytest.mark.timeout(900)]

_LINE: TypeAdapter[Line] = TypeAdapter(Line)
_TABLE = builds.ROOT / "build" / "peers.txt"
_ROUNDS = 5
_ALONE = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
_Point = tuple[str, str]


@dataclass
class Measured:
    """The shortest time by region and size [s], and what was noted."""

    seconds: dict[_Point, float] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)

    def add(self, region: str, size: str, seconds: float) -> None:
        at = region, size
        self.seconds[at] = min(seconds, self.seconds.get(at, seconds))


def _command(words: Sequence[str | os.PathLike[str]]) -> str:
    """The output of a command of one thread, in which libraries take their best kernels."""
    kept = {name: text for name, text in os.environ.items() if name != "OPENBLAS_CORETYPE"}
    done = process.run(words, timeout_seconds=120.0, environment=kept | AS_ROOT | _ALONE)
    assert done.code == 0, done.err
    return done.out


def _run(name: str, options: str, size: str, record: Path, into: Measured) -> None:
    """One launch of a program; `size` is the coordinate of its points."""
    words: list[str | Path] = [
        builds.release([name]).paths[name],
        *options.split(),
        "--record",
        record,
    ]
    _command(words)
    for text in record.read_text(encoding="utf-8").splitlines():
        line = _LINE.validate_json(text)
        if isinstance(line, RegionLine):
            into.add(line.name, str(line.point[size]), min(line.seconds) / line.repetitions)
        elif isinstance(line, NoteLine):
            into.notes[line.name] = str(line.value)


def _judge(what: str, peer: str, ratios: Mapping[str, float], floor: float) -> None:
    """Writes the ratios into the table and compares them with their floor."""
    _TABLE.parent.mkdir(exist_ok=True)
    with _TABLE.open("a", encoding="utf-8") as table:
        for size, ratio in ratios.items():
            table.write(f"{what:32} {size:>9} {ratio:6.2f}  floor {floor:4.2f}  {peer}\n")
    assert ratios
    assert min(ratios.values()) >= floor, (ratios, peer)


_BLAS = "--budget 0.2 --blas "
_FFTW = "--budget 0.5 --mixed 60 --fftw libfftw3.so.3"


@pytest.mark.parametrize(
    ("name", "regions", "options", "note", "floor"),
    [
        ("algorithms/matrix_multiply", "blocked,blas", "--n 64", "blas", 0.65),
        ("algorithms/matrix_multiply", "blocked,blas", "--n 250,500,1000", "blas", 1.0),
        ("algorithms/dense_solve", "blocked,lapack", "--n 100,300,1000", "blas", 1.1),
        ("algorithms/dense_eigen", "values,lapack_values", "--n 100,300,600", "blas", 0.9),
        ("algorithms/dense_eigen", "vectors,lapack_vectors", "--n 100,300,600", "blas", 0.93),
        *(
            ("algorithms/fft", f"{kind},fftw_{kind}", f"--min-n {least} --max-n {most}", "fftw", at)
            for kind, least, most, at in (
                ("complex_1d", 256, 1 << 18, 1.05),
                ("complex_3d", 1 << 15, 1 << 18, 0.75),
            )
        ),
    ],
)
def test_own_code_holds_against_a_library_that_its_program_measures(
    tmp_path: Path, name: str, regions: str, options: str, note: str, floor: float
) -> None:
    if note == "fftw" and not ctypes.util.find_library("fftw3"):
        pytest.skip("no libfftw3.so.3: apt-get install libfftw3-double3")
    library = _FFTW if note == "fftw" else f"{_BLAS}{builds.release([name]).toolchain.blas_library}"
    measured = Measured()
    for _ in range(_ROUNDS):
        words = f"--regions {regions} {options} {library}"
        _run(name, words, "n", tmp_path / "record", measured)
    ours, theirs = regions.split(",")
    ratios = {
        size: measured.seconds[theirs, size] / seconds
        for (region, size), seconds in measured.seconds.items()
        if region == ours
    }
    peer = f"{measured.notes[note]}, {measured.notes[f'{note}_effort']}"
    _judge(f"{name.partition('/')[2]} {ours}", peer, ratios, floor)


_SORTED = (
    "--regions quick --orders random --types integers --min-keys 1024 --max-keys 4M "
    "--points-per-octave 0.25 --budget 0.2"
)
_MULTIPLIED = "--formats csr --matrices laplace2d --min-bytes 1M --max-bytes 64M --budget 0.2"
_SORT = """
import json, sys, time, numpy
random = numpy.random.default_rng(1)
best = {}
for n in map(int, sys.argv[1].split(",")):
    for _ in range(max(3, min(1000, 2_000_000 // n))):
        keys = random.integers(-(2**62), 2**62, n)
        start = time.perf_counter()
        keys.sort()
        best[n] = min(best.get(n, 9.0), time.perf_counter() - start)
print(json.dumps({"peer": f"numpy {numpy.__version__} sort, one thread", "seconds": best}))
"""
_SPMV = """
import json, sys, time, numpy, scipy, scipy.sparse as sparse
best = {}
for n in map(int, sys.argv[1].split(",")):
    side = round(n**0.5)
    line = sparse.diags([-1.0, 2.0, -1.0], [-1, 0, 1], shape=(side, side))
    one = sparse.identity(side)
    a = sparse.csr_array(sparse.kron(line, one) + sparse.kron(one, line))
    x = numpy.ones(a.shape[0])
    for _ in range(max(5, min(2000, 20_000_000 // n))):
        start = time.perf_counter()
        a @ x
        best[n] = min(best.get(n, 9.0), time.perf_counter() - start)
print(json.dumps({"peer": f"scipy {scipy.__version__} csr_array @ x, one thread", "seconds": best}))
"""


@pytest.mark.parametrize(
    ("name", "region", "options", "size", "package", "script", "floor"),
    [
        (
            "algorithms/sort",
            "quick",
            _SORTED,
            "n",
            "numpy",
            _SORT,
            1.2,
        ),
        (
            "algorithms/sparse_matrix_vector",
            "csr",
            _MULTIPLIED,
            "rows",
            "scipy",
            _SPMV,
            0.75,
        ),
    ],
)
def test_own_code_holds_against_a_package_of_python(
    tmp_path: Path,
    name: str,
    region: str,
    options: str,
    size: str,
    package: str,
    script: str,
    floor: float,
) -> None:
    if find_spec(package) is None:
        pytest.skip(f"no {package}: pip install {package}")
    ours, theirs = Measured(), Measured()
    for _ in range(_ROUNDS):
        _run(name, options, size, tmp_path / "record", ours)
        sizes = ",".join(at for _, at in ours.seconds)
        said = json.loads(_command([sys.executable, "-c", script, sizes]))
        for at, seconds in said["seconds"].items():
            theirs.add(region, at, seconds)
    ratios = {at: theirs.seconds[region, at] / own for (_, at), own in ours.seconds.items()}
    _judge(f"{name.partition('/')[2]} {region}", said["peer"], ratios, floor)


@pytest.mark.mpi
def test_allreduce_agrees_with_osu(tmp_path: Path) -> None:
    """By OSU's definition, the mean over the ranks, at sizes at which the clock does not matter."""
    if shutil.which("osu_allreduce") is None:
        pytest.skip("no osu_allreduce on PATH: neither Debian nor PyPI has it; see its recipe")
    ours, theirs = Measured(), Measured()
    release = builds.release(["messages/collectives"])
    assert release.toolchain.mpi is not None
    launch: list[str | Path] = [release.toolchain.mpi.mpiexec, "-n", "2"]
    for _ in range(_ROUNDS):
        for line in _command([*launch, "osu_allreduce", "-m", "8192:1048576"]).splitlines():
            words = line.split()
            if len(words) == 2 and words[0].isdigit():
                theirs.add("allreduce", words[0], 1e-6 * float(words[1]))
        record = tmp_path / "record"
        program = release.paths["messages/collectives"]
        options = ["--operations", "allreduce", "--sizes", "8192,65536,1048576"]
        _command([*launch, program, *options, "--budget", "0.3", "--record", record])
        for text in record.read_text(encoding="utf-8").splitlines():
            one = _LINE.validate_json(text)
            if isinstance(one, RegionLine) and one.starts:
                seconds = sorted(one.starts.mean_seconds)[len(one.seconds) // 2]
                ours.add(one.name, str(one.point["bytes"]), seconds / one.repetitions)
    ratios = {at: theirs.seconds["allreduce", at] / own for (_, at), own in ours.seconds.items()}
    _judge("collectives allreduce", "osu_allreduce as installed, Avg Latency", ratios, 0.85)
