"""Every command line of README, documents and helps is valid.

Each is parsed in a place with the files and runs that it names; commands that only print are run.
Those without a lab and long runs are run by tests/end_to_end/documents.
"""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from heorot.cli.main import cli
from heorot.session import laboratory
from tests.unit.cli.documented import LINES, ROOT

# Home directories in examples, which exist on their own computer only.
_ELSEWHERE = ("~eve/", "=~/", "=DIR")
_PRINTS = (
    "list",
    "list memory/stream",
    "list --family compute --json",
    "recipe list",
    "recipe show stream",
    "recipe new mine",
    "schema site",
    "batch check --list",
)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A place with the files that command lines name, and a lab of every name."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lyra.yaml").write_text("system: lyra\n")
    shutil.copytree(ROOT / "docs/examples", tmp_path / "docs/examples")
    for line in LINES:
        words = shlex.split(line)
        for before, word in zip(["", *words], words, strict=False):
            path = tmp_path / word
            if before == "--out" or word.startswith(("-", "/", "~")) or path.exists():
                continue
            if re.fullmatch(r"runs/[\w-]+", word):
                path.mkdir(parents=True)
            elif re.fullmatch(r"[\w.-]+\.(?:yaml|schedule|swf|sacct)", word):
                path.touch()
    monkeypatch.setattr(laboratory, "find_site_file", lambda _: tmp_path / "lyra.yaml")
    return tmp_path


def test_there_are_as_many_as_are_seen_at_a_glance() -> None:
    assert len(LINES) > 100
    assert "throughput steen2000 --site lab --time-scale 0.1" in LINES
    assert "lab up --nodes 4 --slurm --bandwidth 100mbit" in LINES


@pytest.mark.parametrize("line", [each for each in LINES if not any(x in each for x in _ELSEWHERE)])
@pytest.mark.usefixtures("place")
def test_every_documented_command_line_is_understood(line: str) -> None:
    command: click.Command = cli
    parent: click.Context | None = None
    words = shlex.split(line)
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        parent = click.Context(command, parent=parent, info_name=command.name)
        found = command.get_command(parent, words.pop(0))
        assert found is not None, f"{LINES[line]}: there is no such command"
        command = found
    if words != ["--help"]:
        command.make_context(command.name, words, parent=parent)


@pytest.mark.parametrize("line", [line for line in _PRINTS if line in LINES])
@pytest.mark.usefixtures("place")
def test_what_only_prints_does_so(line: str) -> None:
    done = CliRunner().invoke(cli, shlex.split(line))
    assert done.exit_code == 0, done.output
    assert done.output
