"""Heorot set up without a network, then in many surroundings: paths, locales, homes, terminals.

The set-up is that of docs/running.md, word for word, below a folder whose name is as difficult as
the launcher accepts. `pytest -s` prints the table of surroundings.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from heorot import process
from tests.end_to_end.test_launcher import make_checkout, offline

ROOT = Path(__file__).resolve().parents[2]
_CHECKOUT = ("heorot", "src", "native", "pyproject.toml", "README.md", "CHANGELOG.md", "LICENSE")

pytestmark = [
    pytest.mark.mpi,
    pytest.mark.slow,
    pytest.mark.waiting,
    pytest.mark.timeout(600),
]


def _documented() -> tuple[str, str]:
    """The commands of the document: those with a network, those without."""
    text = (ROOT / "docs/running.md").read_text(encoding="utf-8")
    _, _, section = text.partition("### Without a network\n")
    online, offline = re.findall(r"^```sh\n(.*?)^```", section, re.MULTILINE | re.DOTALL)[:2]
    return online, offline


def _without_network() -> list[str]:
    """The words that cut a command off from the network."""
    words = ["unshare", "--net", *(["--map-root-user"] if os.getuid() else [])]
    if subprocess.run([*words, "true"], check=False, capture_output=True).returncode:
        pytest.skip("needs the right to make a network namespace")
    return words


@pytest.fixture(scope="module")
def far(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout set up without a network and at home nowhere, below a difficult folder."""
    cut_off = _without_network()
    place = tmp_path_factory.mktemp("far") / ("größe 日本 " + "x" * 150) / "heorot"
    place.mkdir(parents=True)
    subprocess.run(["cp", "-r", *(ROOT / name for name in _CHECKOUT), place], check=True)
    tools, home = place.parent / "bin", place.parent / "home"
    for folder in (tools, home):
        folder.mkdir()
    # The python3 of the document: pip fetches wheels for the version it is run by.
    (tools / "python3").symlink_to(getattr(sys, "_base_executable", sys.executable))
    online, offline = _documented()
    path = f"{tools}:{os.environ['PATH']}"
    subprocess.run(
        ["sh", "-ec", online], cwd=place, env=dict(os.environ, PATH=path), check=True, timeout=600
    )
    shutil.rmtree(place / "fetch")
    alone = {"PATH": path, "HOME": str(home), "LC_ALL": "C", "PIP_NO_COMPILE": "1"}
    alone["HEOROT_PYTHON"] = str(tools / "python3")
    done = subprocess.run(
        [*cut_off, "sh", "-ec", offline],
        cwd=place, env=alone, check=False, timeout=600, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "note:" not in done.stderr  # MPICH, too, was in the folder
    shutil.rmtree(place / "wheels")
    return place


@dataclass(frozen=True)
class Surroundings:
    """The environment of one user's machine.

    Attributes:
        path: `plain` or `far`.
        locale: LC_ALL, None if it is unset.
        home: HOME, None if it is unset; `new` is an empty folder.
        term: TERM, None if it is unset.
        terminal: whether a terminal is there at all.
        umask: of what is written.
    """

    path: str
    locale: str | None
    home: str | None
    term: str | None
    terminal: bool
    umask: int

    def environment(self, home: Path) -> dict[str, str]:
        """The whole environment."""
        named = {
            "PATH": os.environ["PATH"],
            "LC_ALL": self.locale,
            "HOME": str(home) if self.home == "new" else self.home,
            "TERM": self.term,
        }
        # Where the build server's compilers keep what they have compiled before: no user has that.
        kept = ("CCACHE_", "CMAKE_", "HEOROT_WERROR") if "CCACHE_DIR" in os.environ else ()
        cache = {name: value for name, value in os.environ.items() if name.startswith(kept)}
        return cache | {name: value for name, value in named.items() if value is not None}


_NOWHERE = "/proc/nowhere"
_TABLE = (
    Surroundings("plain", None, None, None, terminal=False, umask=0o022),
    Surroundings("plain", "C", _NOWHERE, "dumb", terminal=False, umask=0o077),
    Surroundings("plain", "POSIX", "", "xterm", terminal=True, umask=0o000),
    Surroundings("plain", "C.UTF-8", "new", "dumb", terminal=True, umask=0o022),
    Surroundings("plain", "de_DE.UTF-8", "/nonexistent", "xterm", terminal=True, umask=0o077),
    Surroundings("plain", "nonsense", None, None, terminal=True, umask=0o000),
    Surroundings("plain", "", "new", "nonsense", terminal=True, umask=0o777),
    Surroundings("plain", "tr_TR.UTF-8", "new", "xterm-256color", terminal=True, umask=0o027),
    Surroundings("plain", "ja_JP.eucJP", "/", "vt100", terminal=False, umask=0o002),
    Surroundings("plain", "en_US", "~", "", terminal=True, umask=0o077),
    Surroundings("far", None, _NOWHERE, "xterm", terminal=True, umask=0o077),
    Surroundings("far", "C", "", None, terminal=False, umask=0o000),
    Surroundings("far", "C", "new", "xterm", terminal=True, umask=0o022),
    Surroundings("far", "POSIX", None, "dumb", terminal=True, umask=0o022),
    Surroundings("far", "C.UTF-8", "/nonexistent", None, terminal=False, umask=0o000),
    Surroundings("far", "de_DE.UTF-8", "new", "dumb", terminal=False, umask=0o077),
    Surroundings("far", "nonsense", "", "xterm", terminal=False, umask=0o022),
    Surroundings("far", "de_DE.ISO-8859-1", None, None, terminal=True, umask=0o777),
    Surroundings("far", "zh_CN.GB18030", "here", "linux", terminal=True, umask=0o027),
    Surroundings("far", "C.UTF-8", "/", "screen", terminal=True, umask=0o002),
)


def _start(
    checkout: Path, around: Surroundings, home: Path, words: tuple[str, ...]
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end; the output on a terminal becomes its standard output."""
    argv = [str(checkout / "heorot"), *words]
    if around.terminal:
        quoted = " ".join(f"'{word}'" for word in argv)
        argv = ["script", "--quiet", "--return", "--command", quoted, "/dev/null"]
    return subprocess.run(
        argv,
        cwd=home,
        env=around.environment(home),
        umask=around.umask,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",  # whatever the locale
        timeout=300,
        check=False,
    )


def place_of(around: Surroundings, request: pytest.FixtureRequest) -> Path:
    """The checkout that is used; the far one is set up when it is first needed."""
    place: Path = ROOT if around.path == "plain" else request.getfixturevalue("far")
    return place


# With and without a terminal, with what is unset or unusual. The others are for the night, with all
# that is far:
# its wheels are fetched, and no other test needs a network.
_BY_DAY = {0, 3, 5, 6}


@pytest.mark.parametrize(
    "around",
    [
        pytest.param(one, marks=() if number in _BY_DAY else pytest.mark.nightly, id=str(one))
        for number, one in enumerate(_TABLE)
    ],
)
def test_looking_works_everywhere(
    around: Surroundings, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    checkout = place_of(around, request)
    answers = {"list": "memory/stream", "doctor": "openmpi", "machine": "Compilers"}
    for word, expected in answers.items():
        done = _start(checkout, around, tmp_path, (word,))
        said = done.stdout + done.stderr
        print(f"{done.returncode} {word:8}{around}")  # noqa: T201 - the table, on demand
        assert done.returncode == 0, said
        assert expected in said
        assert "Traceback" not in said
        assert "warning" not in said.lower()


@pytest.mark.parametrize(
    "around",
    [
        Surroundings("plain", "nonsense", None, "xterm", terminal=True, umask=0o077),
        pytest.param(
            Surroundings("far", "C", "new", None, terminal=False, umask=0o077),
            marks=pytest.mark.nightly,
        ),
    ],
    ids=str,
)
def test_building_and_measuring_work(
    around: Surroundings, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    checkout = place_of(around, request)
    words = ("run", "npb/ep", "--set", "class=S", "--set", "budget=0.2", "--anyway", "--out", "ä b")
    done = _start(checkout, around, tmp_path, words)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "passed" in done.stdout
    assert (tmp_path / "ä b/report.html").is_file()


@pytest.mark.parametrize("home", ["", "/", _NOWHERE])
def test_without_a_home_builds_need_another_place(home: str, tmp_path: Path) -> None:
    around = Surroundings("plain", "C", home, None, terminal=False, umask=0o022)
    done = _start(ROOT, around, tmp_path, ("run", "npb/ep", "--quiet", "--anyway"))
    assert done.returncode == 2
    message, hint = done.stderr.splitlines()
    assert "keep builds in" in message
    assert hint == "hint: set XDG_CACHE_HOME to a directory you can write"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can act for another user")
def test_a_python_that_others_cannot_reach_is_named() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder, hidden = make_checkout(Path(name) / "shared"), Path(name) / "hidden"
        hidden.mkdir(mode=0o700)
        (hidden / "python").symlink_to(sys.executable)
        (folder / ".venv/bin").mkdir(parents=True)
        (folder / ".venv/bin/python").symlink_to(hidden / "python")
        (folder / ".venv/pyvenv.cfg").write_text(f"home = {hidden}\n")
        Path(name).chmod(0o755)
        other = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        refused = process.run([*other, folder / "heorot", "doctor"], environment=offline())
    message, hint = refused.err.splitlines()
    assert refused.code == 2
    assert message == f"heorot: you cannot run the Python of {folder}/.venv, in {hidden}"
    assert hint.startswith("hint: clone Heorot to a folder of your own")
