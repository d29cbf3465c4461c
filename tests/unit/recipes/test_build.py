"""Builds with a real shell and a real make, in folders of their own."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from heorot.clock import SystemClock
from heorot.errors import UsageError
from heorot.model.catalogue.benchmark import Case
from heorot.model.machine.toolchain import Mpi, Toolchain
from heorot.model.recipe import Recipe
from heorot.recipes.build import build, compilers, write_files
from tests.toolchains import some_compilers, with_cxx
from tests.unit.recipes.conftest import SMALL, read

GNU = Toolchain(name="gnu", compilers=some_compilers("g++", "GNU", "-O1 -g"), mpi=None)


def a_recipe(folder: Path, *steps: str, files: str = "{}", seconds: str = "20s") -> Recipe:
    """A recipe with these steps."""
    start, end = SMALL.index("build:"), SMALL.index("parameters:")
    lines = "".join(f"    - {step}\n" for step in steps)
    own = f"build:\n  steps:\n{lines}  files: {files}\n  time: {seconds}\n"
    return read(folder, SMALL[:start] + own + SMALL[end:])


def cases(*programs: str) -> list[Case]:
    return [Case(name=name, options={"program": name, "size": 8}) for name in programs]


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """A copy of sources, in which is built."""
    folder = tmp_path / "builds" / "copy"
    folder.mkdir(parents=True)
    (folder / "Makefile").write_text("%:\n\tcp $@.sh $@\n\tchmod +x $@\n\techo made $@ >> order\n")
    for name in ("ep", "cg"):
        (folder / f"{name}.sh").write_text("echo hello\n")
    return folder


def log_of(folder: Path) -> str:
    return folder.with_name(f"{folder.name}.log").read_text()


def test_steps_run_one_after_the_other(tmp_path: Path, sources: Path) -> None:
    recipe = a_recipe(tmp_path, "make -s {program}", "shell: ./{program} > out && echo {flags}")
    assert build(recipe, cases("ep"), GNU, sources) == ""
    assert (sources / "out").read_text() == "hello\n"
    assert log_of(sources) == ("$ make -s ep\n\n$ bash -c ./ep > out && echo '-O1 -g'\n-O1 -g\n\n")


def test_what_has_no_build_is_built(tmp_path: Path, sources: Path) -> None:
    recipe = a_recipe(tmp_path, "make").model_copy(update={"build": None})
    assert build(recipe, cases("ep"), GNU, sources) == ""


def test_steps_that_do_not_differ_run_once(tmp_path: Path, sources: Path) -> None:
    recipe = a_recipe(tmp_path, "shell: echo once >> order", "make -s {program}")
    assert build(recipe, cases("ep", "cg", "ep"), GNU, sources) == ""
    assert (sources / "order").read_text().split("\n")[:-1] == ["once", "made ep", "made cg"]


def test_steps_run_again_where_their_files_differ(tmp_path: Path, sources: Path) -> None:
    recipe = a_recipe(tmp_path, "shell: cat config >> order", files='{config: "{program}."}')
    assert build(recipe, cases("ep", "cg"), GNU, sources) == ""
    assert (sources / "order").read_text() == "ep.cg."


def test_files_that_do_not_differ_are_written_once(tmp_path: Path, sources: Path) -> None:
    recipe = a_recipe(
        tmp_path, "make -s {program}", "shell: rm -f {program}/../config", files="{config: x}"
    )
    assert build(recipe, cases("ep", "cg"), GNU, sources) == ""
    assert (sources / "config").exists()


def test_files_are_there_before(tmp_path: Path, sources: Path) -> None:
    files = '{"config/make.{program}": "OPT = {flags} {{x}}\\n"}'
    recipe = a_recipe(tmp_path, "cp config/make.{program} used", files=files)
    assert build(recipe, cases("ep"), GNU, sources) == ""
    assert (sources / "used").read_text() == "OPT = -O1 -g {x}\n"


def test_a_command_of_the_sources_is_found_there(tmp_path: Path, sources: Path) -> None:
    (sources / "configure").write_text('#!/bin/sh\necho "$1" > configured\n')
    (sources / "configure").chmod(0o755)
    assert build(a_recipe(tmp_path, "./configure 'a b'"), cases("ep"), GNU, sources) == ""
    assert (sources / "configured").read_text() == "a b\n"


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        (
            "shell: echo start; echo 'a.c:1:2:error no x' >&2; echo 'error 2'; exit 3",
            "`bash` failed: a.c:1:2:error no x",
        ),
        ("shell: echo one; echo two; echo; exit 1", "`bash` failed: two"),
        ("shell: exit 7", "`bash` failed: exit code 7"),
        ("make nothing.o", "`make` failed: make: *** No rule to make target 'nothing.o'"),
        ("no-such-command", "`no-such-command` failed: [Errno 2]"),
        ("./no-such", "`no-such` failed: [Errno 2]"),
        ("shell: printf 'error %0999d' 1; exit 1", "`bash` failed: error 000"),
    ],
)
def test_the_first_error_is_the_reason(
    tmp_path: Path, sources: Path, step: str, reason: str
) -> None:
    said = build(a_recipe(tmp_path, step, "make -s ep"), cases("ep"), GNU, sources)
    assert said.startswith(reason)
    assert len(said) < 300
    assert not (sources / "ep").exists()


@pytest.mark.slow
def test_a_log_does_not_fill_the_disk(tmp_path: Path, sources: Path) -> None:
    # More than the log of all steps takes, and far more than that of one.
    steps = [f"shell: 'head -c 9000000 /dev/zero | tr \\\\0 {n:x}'" for n in range(16)]
    recipe = a_recipe(tmp_path, *steps, "shell: echo the error; exit 1", seconds="100s")
    assert build(recipe, cases("ep"), GNU, sources) == "`bash` failed: the error"
    log = log_of(sources)
    assert len(log) < 20 << 20
    assert "bytes are left out" in log
    assert log.endswith("the error\n\n")


@pytest.mark.slow
def test_a_time_limit_holds_whatever_a_step_leaves(tmp_path: Path, sources: Path) -> None:
    left = "shell: setsid sleep 3600 & echo $! >left; wait"
    said = build(a_recipe(tmp_path, left, seconds="1s"), cases("ep"), GNU, sources)
    os.kill(int((sources / "left").read_text()), signal.SIGKILL)  # it is there still
    assert said == "`bash` took longer than 1 s"


def test_the_log_has_everything(tmp_path: Path, sources: Path) -> None:
    steps = ("shell: echo first", "shell: echo out; echo err >&2; exit 1")
    assert build(a_recipe(tmp_path, *steps), cases("ep"), GNU, sources)
    assert log_of(sources) == (
        "$ bash -c echo first\nfirst\n\n$ bash -c echo out; echo err >&2; exit 1\nout\nerr\n\n"
    )


def test_all_steps_together_have_their_time(tmp_path: Path, sources: Path) -> None:
    recipe = a_recipe(tmp_path, "sleep 0.2", "sleep 0.3", "sleep 3600", seconds="0.4s")
    said = build(recipe, cases("ep"), GNU, sources)
    assert said == "`sleep` took longer than 0.4 s"


@pytest.mark.parametrize("asked", ["make FC={fc}", "shell: '{fc} -o x x.f'", "make"])
def test_a_missing_compiler_is_the_reason(
    tmp_path: Path, sources: Path, monkeypatch: pytest.MonkeyPatch, asked: str
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    files = "{config: 'FC={fc}'}" if asked == "make" else "{}"
    said = build(a_recipe(tmp_path, asked, files=files), cases("ep"), GNU, sources)
    assert said == "the toolchain has no `{fc}`: apt-get install gfortran"


@pytest.mark.parametrize(
    ("name", "package"),
    [
        ("mpicc", "build-essential libopenmpi-dev"),
        ("mpicxx", "build-essential libopenmpi-dev"),
        ("mpifc", "gfortran libopenmpi-dev"),
    ],
)
def test_a_missing_mpi_is_the_reason(
    tmp_path: Path, sources: Path, name: str, package: str
) -> None:
    said = build(a_recipe(tmp_path, f"make CC={{{name}}}"), cases("ep"), GNU, sources)
    assert said == f"the toolchain has no `{{{name}}}`: apt-get install {package}"


def _bin(folder: Path, *names: str) -> Path:
    folder.mkdir()
    for name in names:
        (folder / name).write_text("#!/bin/sh\n")
        (folder / name).chmod(0o755)
    return folder


@pytest.mark.parametrize(
    ("cxx", "c", "fortran"),
    [
        ("g++", "gcc", "gfortran"),
        ("g++-13", "gcc-13", "gfortran-13"),
        ("clang++-18.1", "clang-18.1", "flang"),
        ("icpx", "icx", "ifx"),
        ("CC", "cc", "ftn"),
        ("c++", "cc", "gfortran"),
    ],
)
def test_compilers_stand_beside_that_of_cxx(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cxx: str, c: str, fortran: str
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    here = _bin(tmp_path / "bin", cxx, c, fortran)
    found = compilers(with_cxx(GNU, here / cxx))
    wanted = {"cxx": cxx, "cc": c, "fc": fortran}
    assert found == {"flags": "-O1 -g"} | {key: str(here / name) for key, name in wanted.items()}


@pytest.mark.parametrize(
    ("cxx", "c", "fortran"),
    [
        ("mpicxx", "mpicc", "mpifort"),
        ("mpic++", "mpicc", "mpif90"),
        ("mpiCC", "mpicc", "mpifort"),
        ("mpicxx.openmpi", "mpicc.openmpi", "mpifort.openmpi"),
        ("mpiicpx", "mpiicx", "mpiifx"),
        ("mpiicpc", "mpiicc", "mpiifort"),
        ("CC", "cc", "ftn"),
        ("mpinvc++", "mpicc", "mpif90"),
    ],
)
def test_wrappers_stand_beside_that_of_cxx(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cxx: str, c: str, fortran: str
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    here = _bin(tmp_path / "bin", cxx, c, fortran)
    mpi = Mpi(flavour="openmpi", version="5", cxx=here / cxx, mpiexec=here / "mpiexec")
    found = compilers(GNU.model_copy(update={"mpi": mpi}))
    wanted = {"mpicxx": cxx, "mpicc": c, "mpifc": fortran}
    assert {key: found.get(key) for key in wanted} == {
        key: str(here / name) for key, name in wanted.items()
    }


def test_files_of_a_launch_are_written_into_its_folder(tmp_path: Path) -> None:
    recipe = read(tmp_path)
    values = {"program": "ep", "steps": "3"}
    write_files(recipe, values, tmp_path / "work" / "S0001")
    assert (tmp_path / "work/S0001/in/ep.txt").read_text() == "steps 3 of {all}"


def test_a_file_that_would_leave_its_folder_is_refused(tmp_path: Path, sources: Path) -> None:
    (sources / "config").symlink_to(tmp_path)
    recipe = a_recipe(tmp_path, "make -s ep", files="{config/x: y}")
    with pytest.raises(UsageError, match="the recipe's file config/x leads out of"):
        build(recipe, cases("ep"), GNU, sources)
    assert not (tmp_path / "x").exists()


def test_a_file_that_cannot_be_written_is_reported(tmp_path: Path, sources: Path) -> None:
    recipe = a_recipe(tmp_path, "make -s ep", files="{ep.sh/x: y}")
    with pytest.raises(UsageError, match=r"the recipe's file ep.sh/x cannot be written: "):
        build(recipe, cases("ep"), GNU, sources)


class _SlowClock(SystemClock):
    """The clock of a machine that checks a step long after its time limit."""

    def __init__(self) -> None:
        self._looks = iter((0.0, 0.0))

    def monotonic(self) -> float:
        return next(self._looks, 1e6)


def test_a_step_that_failed_in_time_has_failed(tmp_path: Path, sources: Path) -> None:
    recipe = a_recipe(tmp_path, "shell: exit 3")
    said = build(recipe, cases("ep"), GNU, sources, _SlowClock())
    assert said == "`bash` failed: exit code 3"
