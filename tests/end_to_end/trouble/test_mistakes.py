"""A user's mistake is one clear line and a hint, exit code 2, and nothing is lost."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from heorot import process
from tests.end_to_end.running import command_line, heorot

pytestmark = [pytest.mark.mpi, pytest.mark.slow, pytest.mark.timeout(600)]

# One of them all, and those that show once the machine or a program was asked; the others are in
# unit/cli/test_mistakes.py.
_MISTAKES: tuple[tuple[tuple[str, ...], str], ...] = (
    (("evaluat",), "no such command"),
    (("machine", "--write", "absent/machine.yaml"), "absent/machine.yaml"),
    (("evaluate", "--only", "memory/strem"), "memory/strem"),
    (("evaluate", "--toolchain", "pgi"), "pgi"),
    (("evaluate", "--budget", "100ms"), "budget"),
    (("run", "npb/ep", "--ranks", "4096"), "4096 cores"),
    (("run", "npb/ft", "--set", "class=E"), "of memory"),
    (("run", "npb/ep", "--quiet", "--set", "class=Z"), "class 'Z'"),
    (("run", "npb/ep", "--quiet", "--set", "budget=abc"), "--budget"),
    (("run", "npb/ep", "--quiet", "--set", "clas=S"), "--clas"),
)


def _assert_one_line(done: process.Finished, fragment: str) -> None:
    assert done.code == 2, done.err
    lines = done.err.strip().splitlines()
    assert "Traceback" not in done.err
    assert len(lines) == 2, done.err
    assert len(lines[0]) < 500
    assert lines[1].startswith("hint: ")
    assert lines[0].startswith("heorot: ")
    assert fragment in lines[0]


@pytest.mark.parametrize(("arguments", "fragment"), _MISTAKES, ids=lambda value: str(value)[:60])
def test_mistake(arguments: tuple[str, ...], fragment: str, tmp_path: Path) -> None:
    _assert_one_line(heorot(*arguments, cwd=tmp_path), fragment)
    assert not list(tmp_path.iterdir())


def test_an_existing_directory_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("precious")
    done = heorot("evaluate", "--profile", "smoke", "--out", tmp_path)
    _assert_one_line(done, str(tmp_path))
    assert (tmp_path / "thesis.tex").read_text() == "precious"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that ended well."""
    run = tmp_path_factory.mktemp("whole") / "run"
    done = heorot("run", "npb/ep", "--set", "class=S", "--set", "budget=0.2", "--out", run)
    assert done.code == 0, done.err
    return run


@pytest.mark.parametrize("damage", ["missing", "truncated", "garbage"])
def test_a_damaged_run_is_refused(damage: str, whole: Path, tmp_path: Path) -> None:
    run = Path(shutil.copytree(whole, tmp_path / "run"))
    samples = run / "samples.parquet"
    if damage == "missing":
        (run / "run.json").unlink()
    elif damage == "truncated":
        samples.write_bytes(samples.read_bytes()[:200])
    else:
        (run / "plan.json").write_bytes(os.urandom(500))
    _assert_one_line(heorot("report", run), "run")


def test_a_file_that_cannot_be_written(whole: Path, tmp_path: Path) -> None:
    nowhere = tmp_path / "absent" / "file"
    for arguments in (("report", whole), ("export", whole), ("compare", whole, whole)):
        _assert_one_line(heorot(*arguments, "--out", nowhere), str(nowhere))


def test_missing_compiler(tmp_path: Path) -> None:
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in ("bash", "env", "timeout", "uname"):
        found = shutil.which(name)
        if found:
            (tools / name).symlink_to(found)
    done = heorot("evaluate", "--profile", "smoke", "--out", tmp_path / "run", PATH=str(tools))
    _assert_one_line(done, "compiler")
    assert not (tmp_path / "run").exists()


def test_no_place_for_temporary_files(tmp_path: Path) -> None:
    nowhere = str(tmp_path / "absent")
    run = tmp_path / "run"
    done = heorot("run", "npb/ep", "--quiet", "--out", run, TMPDIR=nowhere)
    _assert_one_line(done, "which TMPDIR names")
    assert not run.exists()


def test_no_second_core(tmp_path: Path) -> None:
    first = min(os.sched_getaffinity(0))
    pin = ["taskset", "-c", str(first)]
    out = str(tmp_path / "run")
    arguments = ["evaluate", "--profile", "smoke", "--only", "messages/pingpong", "--out", out]
    done = process.run([*pin, *command_line(*arguments)], timeout_seconds=60)
    _assert_one_line(done, "needs 2 cores")


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    place = tmp_path / "small"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=96k", "tmpfs", place], check=False, capture_output=True
    )
    if mounted.returncode != 0:
        pytest.skip("needs the right to mount a small tmpfs")
    yield place
    subprocess.run(["umount", "-l", place], check=True)


def test_no_room_for_builds(small_disk: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    done = heorot("run", "npb/ep", "--quiet", "--out", run, XDG_CACHE_HOME=str(small_disk))
    _assert_one_line(done, "No space left on device")
    assert not run.exists()


def test_full_disk(small_disk: Path) -> None:
    done = heorot(
        "evaluate", "--profile", "smoke", "--only", "compute/*", "--launches", "1",
        "--out", small_disk / "run",
    )  # fmt: skip
    assert done.code == 2, done.err
    assert "Traceback" not in done.err
    last = [line for line in done.err.splitlines() if "space" in line.lower()]
    assert last, done.err
