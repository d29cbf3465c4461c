"""A user's error is one clear line and a hint, exit code 2, and nothing is written."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from heorot.cli.main import main

Complaint = Callable[..., str]

_MISTAKES: tuple[tuple[tuple[str, ...], str], ...] = (
    (("evaluate", "--profil", "smoke"), "--profil"),
    (("evaluate", "--profile", "tiny"), "tiny"),
    (("evaluate", "--launches", "0"), "0"),
    (("evaluate", "--per-node", "0"), "0 must be numbers of ranks on a node or all"),
    (("evaluate", "--per-node", "1,,2"), "1,,2 must be numbers of ranks"),
    (("evaluate", "--per-node", "every"), "every must be numbers of ranks"),
    (("evaluate", "--per-node", "2,all,2"), "2,all,2 has 2 twice"),
    (("evaluate", "--site", "absent.yaml"), "absent.yaml"),
    (("evaluate", "--resume", "absent"), "absent"),
    (("evaluate", "--resume", "a", "--out", "b"), "--resume"),
    (("run", "npb/ep", "--set", "class"), "NAME=VALUE"),
    (("run", "npb/ep", "--ranks", "1", "--nodes", "2"), "1 rank cannot be spread evenly over 2"),
    (("run", "npb/ep", "--ranks", "3", "--nodes", "2", "--per-node", "2"), "is not --nodes 2"),
    (("list", "--family", "weather"), "weather"),
    (("report", "absent"), "absent"),
    (("export", "absent"), "absent"),
    (("compare", "absent", "absent"), "absent"),
    (("machine", "--site", "absent.yaml"), "absent.yaml"),
)


@pytest.fixture
def complaint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[Complaint]:
    """Runs a command line in an empty folder, and returns its one line of output."""
    before = signal.getsignal(signal.SIGTERM)

    def complain(*arguments: str) -> str:
        # Other jobs on this machine are checked first.
        anyway = ["--anyway"] if arguments[0] in {"evaluate", "run"} else []
        monkeypatch.setattr(sys, "argv", ["heorot", *arguments, *anyway])
        with pytest.raises(SystemExit) as ended:
            main()
        assert ended.value.code == 2
        said = capsys.readouterr()
        assert said.out == ""
        line, hint = said.err.splitlines()
        assert line.startswith("heorot: ")
        assert len(line) < 500
        assert hint.startswith("hint: ")
        return line

    monkeypatch.chdir(tmp_path)
    yield complain
    signal.signal(signal.SIGTERM, before)


@pytest.mark.parametrize(("arguments", "fragment"), _MISTAKES, ids=lambda value: str(value)[:60])
def test_mistake(
    complaint: Complaint, arguments: tuple[str, ...], fragment: str, tmp_path: Path
) -> None:
    assert fragment in complaint(*arguments)
    assert not list(tmp_path.iterdir())


_ODD_COMPILER = """toolchains:
  - name: x
    mpi: null
    compilers:
    - {language: c++, command: c,
       flgs: 1}
"""


def _two_toolchains(*names: str) -> str:
    gnu = "[{language: c++, command: g++}]"
    lines = (f"  - {{name: {name}, compilers: {gnu}, mpi: null}}\n" for name in names)
    return "toolchains:\n" + "".join(lines)


@pytest.mark.parametrize(
    ("text", "fragment"),
    [
        ("system: a\ntoolchain: []\n", ":2:"),
        ("system: [a\n", "site.yaml:"),
        (_ODD_COMPILER, ":6:"),
        ("- a\n- b\n", ":1:"),
        (_two_toolchains("a", "a"), ":3: a second toolchain `a`"),
        (_two_toolchains("a", "../../x"), ":3: `toolchains.1.name`"),
    ],
)
def test_site_file_errors_name_the_line(
    complaint: Complaint, text: str, fragment: str, tmp_path: Path
) -> None:
    (tmp_path / "site.yaml").write_text(text)
    assert fragment in complaint("evaluate", "--site", "site.yaml", "--dry-run")


def test_a_pipe_as_site_file(complaint: Complaint, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "site.yaml")
    assert "not a regular file" in complaint("machine", "--site", "site.yaml")
