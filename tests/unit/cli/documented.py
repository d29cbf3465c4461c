"""The command lines of README, of the documents, of all helps and of the sources of programs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click

from heorot.build.sources import native_directory
from heorot.catalogue.header import read_header
from heorot.cli.main import cli
from heorot.families import BENCHMARKS

ROOT = Path(__file__).resolve().parents[3]
# The launcher itself sets up, and tests the checkout.
_NOT_OURS = ("COMMAND", "setup", "test")


def _commands(
    command: click.Command, words: tuple[str, ...]
) -> Iterator[tuple[str, click.Command]]:
    yield " ".join(words), command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            yield from _commands(found, (*words, name))


def _lines(text: str) -> Iterator[str]:
    """The command lines of a text, without comments, redirections and `./`."""
    for line in text.replace("Examples:", "\n").replace("Example:", "\n").splitlines():
        code = re.split(r"\s#\s| {2,}", line.strip().removeprefix("$ "))[0]
        for piece in re.split(r";|&&", code):
            words = re.sub(r">.*", "", piece).strip()
            words = re.sub(r"^watch -n \d+ ", "", words)
            if match := re.match(r"(?:\./)?heorot (.*)", words):
                yield match[1]


def _documented() -> dict[str, str]:
    """Command lines with their places."""
    found: dict[str, str] = {}
    for file in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))):
        text = file.read_text(encoding="utf-8")
        for block in re.findall(r"^```(?:sh|console)\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
            for line in _lines(block):
                found.setdefault(line, file.name)
    for name, command in _commands(cli, ()):
        for line in _lines(command.epilog or ""):
            found.setdefault(line, f"heorot {name} --help")
    for benchmark in BENCHMARKS:
        header = read_header(native_directory(), benchmark.name)
        for line in _lines(header.sections["Example"]):
            found.setdefault(line, benchmark.name)
    return {line: where for line, where in found.items() if line.split()[0] not in _NOT_OURS}


LINES = _documented()
"""The first place of each."""
