"""Files named by a user that cannot be read or created are reported with the cause."""

from __future__ import annotations

import os
import signal
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from heorot.cli import options
from heorot.cli.main import main
from heorot.errors import UsageError
from heorot.model.machine.site import Site
from heorot.model.run.request import Request
from heorot.session.external_programs.chosen import sources_of

pytestmark = pytest.mark.slow

FILES = (
    *("machine --site @", "evaluate --dry-run --recipe ./@", "recipe show ./@"),
    *("simulate-batch @ --nodes 4", "throughput @ --dry-run"),
    "throughput lublin:9 --dry-run --jobs @",
)
RUNS = (
    *("report @", "export @", "compare @ @", "verify @", "status @", "stop @"),
    *("evaluate --anyway --resume @", "throughput --anyway --resume @"),
)
DIRECTORIES = (
    *RUNS,
    "simulate-batch poisson:9 --nodes 4 --out @",
    "evaluate --anyway --profile smoke --out @",
)
ODD = {
    "round": "round is a link that leads to itself",
    "about": "about is a link that leads to itself",
    "round/below": "round is a link that leads to itself",
    "dangling": "dangling is a link to nowhere, which does not exist",
    "dangling/below": "dangling is a link to nowhere, which does not exist",
    "long" * 70: "File name too long",
}
NO_FILE = dict.fromkeys(("pipe", "socket", "/dev/zero", "to-pipe"), "it is not a regular file")
NO_DIRECTORY = ("pipe", "socket", "file", "/dev/null")


@pytest.fixture(autouse=True)
def _place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    before = signal.getsignal(signal.SIGTERM)
    for name, target in (
        *(("round", "round"), ("about", "turn"), ("turn", "about")),
        *(("dangling", "nowhere"), ("to-pipe", "pipe")),
    ):
        Path(name).symlink_to(target)
    Path("directory").mkdir()
    Path("file").write_text("nothing")
    os.mkfifo("pipe")
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind("socket")
    yield
    signal.signal(signal.SIGTERM, before)


def _refusal(
    command: str, name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> tuple[str, str]:
    """The line and the hint of a command for a name; nothing is created."""
    command = command.replace("./@", "@" if name.startswith("/") else "./@")
    words = [word.replace("@", name) for word in command.split()]
    monkeypatch.setattr(sys, "argv", ["heorot", *words])
    before = sorted(Path().iterdir())
    with pytest.raises(SystemExit) as ended:
        main()
    shown = capsys.readouterr()
    assert ended.value.code == 2, shown
    line, hint = shown.err.splitlines()
    assert hint.startswith("hint: ")
    assert sorted(Path().iterdir()) == before
    return line, hint


@pytest.mark.parametrize("command", [*FILES, *DIRECTORIES])
@pytest.mark.parametrize("name", ODD, ids=lambda name: name[:20])
def test_a_name_that_leads_nowhere(
    command: str,
    name: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    line, hint = _refusal(command, name, monkeypatch, capsys)
    assert ODD[name] in line
    assert "chmod" not in hint


@pytest.mark.parametrize("command", FILES)
@pytest.mark.parametrize("name", [*NO_FILE, "directory", ""])
def test_what_is_no_file(
    command: str,
    name: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    line, hint = _refusal(command, name, monkeypatch, capsys)
    assert NO_FILE.get(name, "is a directory") in line
    assert "chmod" not in hint


@pytest.mark.parametrize("command", DIRECTORIES)
@pytest.mark.parametrize("name", NO_DIRECTORY)
def test_what_is_no_directory(
    command: str,
    name: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    line, _ = _refusal(command, name, monkeypatch, capsys)
    assert any(each in line for each in ("is a file", "is not a directory"))


@pytest.mark.parametrize("name", [*ODD, *NO_DIRECTORY])
def test_sources_are_in_a_directory(name: str) -> None:
    with pytest.raises((UsageError, OSError)) as caught:
        sources_of(Request(sources={"npb": Path(name)}), Site())
    assert ODD.get(name, "it is no directory") in str(caught.value)


def test_a_recipe_is_shown_only_if_it_is_text(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("file").write_bytes(b"\xff")
    line, _ = _refusal("recipe show ./@", "file", monkeypatch, capsys)
    assert line == "heorot: file: is not text in UTF-8"


@pytest.mark.parametrize("command", ["simulate-batch @", "evaluate --dry-run --recipe @"])
def test_the_home_of_nobody_is_no_place(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    line, _ = _refusal(command, "~no-such-user/a", monkeypatch, capsys)
    assert "~no-such-user/a" in line


@pytest.mark.parametrize("name", [*ODD, *NO_DIRECTORY, "missing"])
def test_what_nodes_share_is_a_directory(name: str) -> None:
    """Asked of the option alone: a command that took it would start nodes."""
    others = dict.fromkeys(NO_DIRECTORY, "is not a directory") | {
        "missing": "missing does not exist"
    }
    with pytest.raises(click.BadParameter) as caught:
        options.DIRECTORY.convert(name, None, None)
    assert (ODD | others)[name] in str(caught.value)
    assert options.DIRECTORY.convert("directory", None, None) == Path("directory")


def test_a_lab_is_offered_only_under_a_name_that_it_can_have(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    line, _ = _refusal("machine --site @", "lab:no/name", monkeypatch, capsys)
    assert line.endswith("no/name is not a name of a lab, such as lab or lab-2")
