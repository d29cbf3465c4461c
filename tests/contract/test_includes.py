"""Includes under native/: benchmarks -> numerics -> harness, and MPI only in the world.

A room of tests/ is bound like what it tests: tests/harness/ like harness/, tests/npb/ like
benchmarks/npb/.
The rules are functions from a tree to its violations, so that each is also shown to fail.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

NATIVE = Path(__file__).resolve().parents[2] / "native"

MAY_INCLUDE = {
    "harness": {"harness"},
    "numerics": {"numerics", "harness"},
    "benchmarks": {"benchmarks", "numerics", "harness"},
    "watch": {"watch", "harness"},
    "monitor": {"monitor"},
    "scheduler": {"scheduler"},
    "tests": {"tests", "benchmarks", "watch", "monitor", "scheduler", "numerics", "harness"},
}

WORLD = Path("harness/world")
# Its programs measure the calls of MPI, and are not built without it.
MESSAGES = Path("benchmarks/messages")

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
MPI_HEADER = re.compile(r"^\s*#\s*include\s*[<\"]mpi\.h[>\"]", re.MULTILINE)
MPI_CONDITION = re.compile(r"^\s*#\s*(?:el)?if\w*\b.*MPI", re.MULTILINE)


def sources(native: Path) -> Iterator[tuple[Path, str]]:
    """Yield every C++ file, relative to native/, with its text."""
    for path in sorted(native.rglob("*")):
        inside = path.relative_to(native)
        if path.suffix in {".cpp", ".hpp"} and inside.parts[0] in MAY_INCLUDE:
            yield inside, path.read_text(encoding="utf-8")


def resolve(native: Path, source: Path, name: str) -> Path | None:
    """Find an included file, relative to native/; generated headers have a template `.in`."""
    for folder in (source.parent, Path()):
        candidate = folder / name
        if (native / candidate).is_file() or (native / f"{candidate}.in").is_file():
            return Path(*(native / candidate).resolve().relative_to(native.resolve()).parts)
    return None


def subject_of(source: Path) -> Path:
    """Give a test the path of its subject for the rules; keep other paths."""
    if source.parts[0] != "tests" or len(source.parts) < 3:
        return source
    inside = source.relative_to("tests")
    return inside if inside.parts[0] in MAY_INCLUDE else "benchmarks" / inside


def crosses_families(source: Path, included: Path) -> bool:
    """Return whether a benchmark, or its test, includes another family's file."""
    return (
        subject_of(source).parts[0] == included.parts[0] == "benchmarks"
        and subject_of(source).parts[1] != included.parts[1]
    )


def direction_violations(native: Path) -> list[str]:
    """List includes that run sideways or up, or to a file that is not there."""
    found = []
    for source, text in sources(native):
        for name in INCLUDE.findall(text):
            included = resolve(native, source, name)
            if included is None:
                found.append(f"{source} includes {name}, which is not under native/")
            elif included.parts[0] not in MAY_INCLUDE[subject_of(source).parts[0]] | {
                source.parts[0]
            }:
                found.append(f"{source} includes {included}: {subject_of(source).parts[0]} may not")
            elif crosses_families(source, included):
                found.append(f"{source} includes {included} of another family")
    return found


def mpi_violations(native: Path) -> list[str]:
    """List files that know whether there is MPI, and callers of MPI, that may not."""
    return [
        str(source)
        for source, text in sources(native)
        if source.with_suffix("") not in {WORLD / "world", WORLD / "communicator"}
        and (
            MPI_CONDITION.search(text)
            or (MPI_HEADER.search(text) and not source.is_relative_to(MESSAGES))
        )
    ]


def test_there_is_something_to_check() -> None:
    columns = {source.parts[0] for source, _ in sources(NATIVE)}
    assert {"harness", "numerics", "benchmarks"} <= columns


def test_includes_run_downwards_only() -> None:
    assert direction_violations(NATIVE) == []


def test_only_the_world_knows_mpi() -> None:
    assert mpi_violations(NATIVE) == []


@pytest.mark.parametrize(
    ("source", "included"),
    [
        ("harness/measure/clock.cpp", "numerics/random.hpp"),
        ("harness/measure/clock.cpp", "benchmarks/memory/stream.hpp"),
        ("numerics/random.cpp", "benchmarks/memory/stream.hpp"),
        ("benchmarks/npb/ep.cpp", "benchmarks/memory/stream.hpp"),
        ("benchmarks/npb/ep.cpp", "../memory/stream.hpp"),
        ("benchmarks/npb/ep.cpp", "nowhere/absent.hpp"),
        ("tests/harness/measure/test_clock.cpp", "numerics/random.hpp"),
        ("tests/numerics/test_random.cpp", "benchmarks/memory/stream.hpp"),
        ("tests/npb/test_ep.cpp", "benchmarks/memory/stream.hpp"),
    ],
)
def test_a_wrong_include_is_found(tmp_path: Path, source: str, included: str) -> None:
    for name in ("numerics/random.hpp", "benchmarks/memory/stream.hpp", source):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("// Nothing.\n")
    (tmp_path / source).write_text(f'#include "{included}"\n')
    (violation,) = direction_violations(tmp_path)
    assert violation.startswith(source)


@pytest.mark.parametrize(
    "line", ["#include <mpi.h>", "#if HEOROT_WITH_MPI", "# ifdef OMPI_MPI_H", "#elif defined(MPI)"]
)
def test_mpi_outside_the_world_is_found(tmp_path: Path, line: str) -> None:
    elsewhere = ["harness/measure/clock.cpp", "harness/world.cpp", "numerics/world/world.cpp"]
    for name in [*elsewhere, "harness/world/world.cpp", "harness/world/communicator.hpp"]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(f"// A clock.\n{line}\n")
    assert mpi_violations(tmp_path) == elsewhere


@pytest.mark.parametrize(("line", "n_found"), [("#include <mpi.h>", 0), ("#if HEOROT_WITH_MPI", 1)])
def test_programs_that_measure_mpi_call_it(tmp_path: Path, line: str, n_found: int) -> None:
    (tmp_path / "benchmarks" / "messages").mkdir(parents=True)
    (tmp_path / "benchmarks" / "messages" / "collectives.cpp").write_text(f"// Calls.\n{line}\n")
    assert len(mpi_violations(tmp_path)) == n_found
