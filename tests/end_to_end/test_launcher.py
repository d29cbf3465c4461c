"""The launcher at the root: it sets itself up once, names what is missing, starts the program.

Every test works on a checkout of its own with a package that needs only the standard library:
real venv, real pip, no network.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.yardstick import speed_factor

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.timeout(600)  # a set-up makes a whole environment of Python

COMPILER = "a C++20 compiler (g++ >= 12 or clang++ >= 15)"

PYPROJECT = """\
[project]
name = "heorot"
version = "1.0"
dependencies = []
optional-dependencies = { test = [], check = [] }
"""

MAIN = """\
import sys

print("started with", sys.argv[1:])
sys.exit(7)
"""


def make_checkout(folder: Path) -> Path:
    """Create a checkout with the real launcher and a package without dependencies."""
    (folder / "src/heorot/cli").mkdir(parents=True)
    (folder / "pyproject.toml").write_text(PYPROJECT)
    (folder / "src/heorot/__init__.py").touch()
    (folder / "src/heorot/cli/__init__.py").touch()
    (folder / "src/heorot/cli/main.py").write_text(MAIN)
    shutil.copy(ROOT / "heorot", folder / "heorot")
    return folder


def offline(**changes: str) -> dict[str, str]:
    """Build an environment in which pip has no index, with changes."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PIP_", "PYTHON")) and name != "HEOROT_PYTHON"
    }
    base = getattr(sys, "_base_executable", sys.executable)
    return kept | {"PIP_NO_INDEX": "1", "HEOROT_PYTHON": base} | changes


def start(
    checkout: Path, *words: str, cwd: Path | None = None, **changes: str
) -> subprocess.CompletedProcess[str]:
    """Call the launcher and wait for it."""
    return subprocess.run(
        [str(checkout / "heorot"), *words],
        cwd=cwd or checkout,
        env=offline(**changes),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Set up one checkout, in a folder with a space, with a home that cannot be written."""
    folder = make_checkout(tmp_path_factory.mktemp("with space"))
    first = start(folder, "evaluate", "--out", "a b", HOME="/proc/nowhere")
    assert first.returncode == 7, first.stderr
    assert first.stdout == "started with ['evaluate', '--out', 'a b']\n"
    assert "creating .venv" in first.stderr
    assert "set up in" in first.stderr
    return folder


@pytest.mark.slow
@pytest.mark.alone
def test_second_use_sets_nothing_up_and_starts_at_once(checkout: Path) -> None:
    def timed() -> float:
        begin = time.perf_counter()
        again = start(checkout, "setup")
        assert (again.returncode, again.stdout, again.stderr) == (0, "", "")
        return time.perf_counter() - begin

    assert min(timed() for _ in range(10)) < 0.030 * speed_factor()


@pytest.mark.slow
def test_runs_from_another_folder_through_a_link_despite_a_foreign_pythonpath(
    checkout: Path, tmp_path: Path
) -> None:
    link = tmp_path / "bin/heorot"
    link.parent.mkdir()
    link.symlink_to(os.path.relpath(checkout / "heorot", link.parent))
    poison = tmp_path / "heorot"
    poison.mkdir()
    (poison / "__init__.py").write_text("raise SystemExit('the wrong package')\n")
    done = subprocess.run(
        ["/usr/bin/env", "heorot", "list"],
        cwd=tmp_path,
        env=offline(PATH=f"{link.parent}:{os.environ['PATH']}", PYTHONPATH=str(tmp_path)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (7, "started with ['list']\n")


@pytest.mark.slow
def test_changed_requirements_are_installed_into_the_same_venv(checkout: Path) -> None:
    pyproject = checkout / "pyproject.toml"
    witness = checkout / ".venv/witness"
    witness.touch()
    pyproject.write_text(PYPROJECT + "# changed\n")
    changed = start(checkout, "list")
    assert changed.returncode == 7
    assert "installing" in changed.stderr
    assert witness.exists()
    assert start(checkout, "list").stderr == ""


@pytest.mark.slow
def test_extras_are_set_up_when_they_are_first_needed(checkout: Path) -> None:
    extra = start(checkout, "setup", "test", "check")
    assert extra.returncode == 0
    assert "for test check" in extra.stderr
    assert start(checkout, "setup", "check").stderr == ""
    wrong = start(checkout, "setup", "tests")
    assert wrong.returncode == 2
    assert wrong.stderr.splitlines()[1].startswith("hint: ")


@pytest.mark.slow
def test_a_moved_checkout_and_an_interrupted_set_up_are_made_anew(
    checkout: Path, tmp_path: Path
) -> None:
    moved = tmp_path / "moved"
    shutil.copytree(checkout, moved, symlinks=True)
    assert start(moved, "list").stdout == "started with ['list']\n"
    assert str(moved) in (moved / ".venv/bin/pip").read_text()

    (moved / ".venv/heorot-stamp-base").unlink()
    (moved / ".venv/heorot-unfinished").touch()
    (moved / ".venv/bin/python").unlink()
    repaired = start(moved, "list")
    assert repaired.returncode == 7
    assert "creating .venv" in repaired.stderr


@pytest.mark.slow
def test_concurrent_first_uses_set_up_once(tmp_path: Path) -> None:
    folder = make_checkout(tmp_path / "fresh")
    children = [
        subprocess.Popen(
            [str(folder / "heorot"), "list"],
            env=offline(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    ends = [child.communicate(timeout=300) for child in children]
    assert [child.returncode for child in children] == [7, 7, 7], ends
    assert sum("creating .venv" in err for _, err in ends) == 1
    assert any("waiting for another set-up" in err for _, err in ends)


@pytest.mark.slow
def test_a_failing_installation_shows_what_pip_said_and_how_to_do_without_a_network(
    tmp_path: Path,
) -> None:
    folder = make_checkout(tmp_path / "unlucky")
    (folder / "pyproject.toml").write_text(PYPROJECT.replace("[]", '["no-such-tool"]', 1))
    failed = start(folder, "evaluate")
    assert failed.returncode == 2
    assert "no-such-tool" in failed.stderr
    assert failed.stderr.splitlines()[-1].startswith("hint: without a network: PIP_NO_INDEX=1")
    assert not (folder / ".venv/heorot-stamp-base").exists()


def make_bare_path(folder: Path, *names: str) -> str:
    """Create a PATH with the basic commands and the fake ones named: a machine without tools."""
    folder.mkdir()
    for name in ("sh", "cksum", "date", "grep", "id", "mkdir", "rm", "tail", "tr"):
        found = shutil.which(name)
        assert found is not None
        (folder / name).symlink_to(found)
    for name in names:
        fake = folder / name
        fake.write_text("#!/bin/sh\nexit 1\n")
        fake.chmod(0o755)
    return str(folder)


@pytest.mark.parametrize(
    ("package_manager", "command"),
    [
        ("apt-get", "apt-get install -y python3-venv g++"),
        ("zypper", "zypper install -y python311 gcc13-c++"),
        ("apk", "apk add python3 g++"),
        ("pacman", "pacman -S --needed python gcc"),
        ("brew", "brew install python@3.13 gcc"),
    ],
)
def test_what_is_missing_is_named_with_the_one_command_that_brings_it(
    tmp_path: Path, package_manager: str, command: str
) -> None:
    folder = make_checkout(tmp_path / "bare")
    path = make_bare_path(tmp_path / "bin", package_manager)
    refused = start(folder, "evaluate", PATH=path, HEOROT_PYTHON="", CXX="")
    missing, hint = refused.stderr.splitlines()
    assert refused.returncode == 2
    assert missing == f"heorot: missing: Python >= 3.11 with venv and {COMPILER}"
    assert hint.removeprefix("hint: ").removeprefix("sudo ") == command
    assert not (folder / ".venv").exists()


@pytest.mark.parametrize(
    ("known", "package"),
    [
        ({"g++": "4:12.2.0-3"}, "g++"),
        ({"g++": "4:13.2.0-7ubuntu1", "g++-14": "14.2.0-4"}, "g++"),
        ({"g++": "4:11.2.0-1ubuntu1", "g++-12": "12.3.0-1"}, "g++-12"),
        ({"g++": "4:10.2.1-1", "clang-16": "1:16.0.6-15"}, "clang-16"),
    ],
)
def test_apt_is_asked_for_a_compiler_that_is_new_enough(
    tmp_path: Path, known: dict[str, str], package: str
) -> None:
    folder = make_checkout(tmp_path / "bare")
    path = make_bare_path(tmp_path / "bin", "apt-get")
    answers = "\n".join(
        f"{name}) echo 'Package: {name}'; echo 'Version: {version}' ;;"
        for name, version in known.items()
    )
    fake = tmp_path / "bin/apt-cache"
    # What apt does not know, it takes for a pattern.
    fake.write_text(
        f"#!/bin/sh\nfor name; do :; done\ncase $name in\n{answers}\n"
        "*) echo 'Package: other'; echo 'Version: 99' ;;\nesac\n"
    )
    fake.chmod(0o755)
    refused = start(folder, "evaluate", PATH=path, CXX="")
    hint = refused.stderr.splitlines()[-1]
    assert hint.removeprefix("hint: ").removeprefix("sudo ") == f"apt-get install -y {package}"


def test_an_old_compiler_alone_is_missing(tmp_path: Path) -> None:
    folder = make_checkout(tmp_path / "old")
    path = make_bare_path(tmp_path / "bin", "apk")
    old = tmp_path / "bin/g++"
    old.write_text("#!/bin/sh\necho 11.4.0\n")
    old.chmod(0o755)
    refused = start(folder, "evaluate", PATH=path, CXX="")
    missing, hint = refused.stderr.splitlines()
    assert refused.returncode == 2
    assert missing == f"heorot: missing: {COMPILER}"
    assert hint.removeprefix("hint: ").removeprefix("sudo ") == "apk add g++"


@pytest.mark.parametrize(
    "name", ["it's", 'a "b"', "$HOME", "a,b", "a (1)", "a[1]", "a]", "a\tb", "a\\b"]
)
def test_a_path_that_tools_trip_over_is_refused(tmp_path: Path, name: str) -> None:
    folder = make_checkout(tmp_path / name)
    refused = start(folder, "evaluate")
    message, hint = refused.stderr.splitlines()
    assert refused.returncode == 2
    assert name in message
    assert hint.startswith("hint: move the checkout")
    assert not (folder / ".venv").exists()


def test_an_unusable_chosen_python_is_named(tmp_path: Path) -> None:
    folder = make_checkout(tmp_path / "chosen")
    refused = start(folder, "evaluate", HEOROT_PYTHON="/bin/false")
    assert refused.returncode == 2
    assert "HEOROT_PYTHON=/bin/false" in refused.stderr
