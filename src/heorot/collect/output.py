"""Extracts printable text and causes of failures from the output of programs."""

from __future__ import annotations

import re
from itertools import dropwhile, takewhile
from pathlib import Path

from heorot.files import open_regular
from heorot.printable import one_line, printable

_LAST_BYTES = 2048
_CAUSE_BYTES = 65536
_CAUSE_LETTERS = 200
_LAST_LINES = 20
_WIDTH = 200
_TERMINAL_SEQUENCE = re.compile(r"\x1b(\[[0-9;?]*[A-Za-z]|\][^\x07]*\x07|.)")


def last_output(path: Path) -> str:
    """The last lines of a program's output without control characters.

    Args:
        path: the output; empty if it is missing.
    """
    try:
        with open_regular(path) as file:
            size = file.seek(0, 2)
            file.seek(max(0, size - _LAST_BYTES))
            text = file.read().decode(errors="replace")
    except OSError:
        return ""
    text = _TERMINAL_SEQUENCE.sub("", text.replace("\t", "    "))
    lines = [printable(line)[:_WIDTH].rstrip() for line in text.split("\n")]
    return "\n".join([line for line in lines if line][-_LAST_LINES:])


# Prefixes of messages of Open MPI's launcher, and of other launchers and agents.
_RULE = re.compile(r"-{40,}")
_LAUNCHERS = re.compile(
    r"\[(?:mpiexec|proxy|prterun|prted|orted)[\w:]*@|(?:srun|slurmstepd): error|flux-\w+: ERROR"
    r"|(?:ssh|blaunch|pbs_\w+|pbsdsh|mpiexec\S*|mpirun|prterun|prted|orted): "
    r"|heorot: cannot stage "
)
# Messages that follow a failure, and warnings.
_BESIDE = re.compile(
    r"WARNING|Primary job|\S+ (?:detected|noticed) that|MPI_ABORT was", re.IGNORECASE
)


def cause_of(path: Path) -> str:
    """A launcher's first message about its failure, in one line; empty if there is none."""
    try:
        with open_regular(path) as file:
            text = file.read(_CAUSE_BYTES).decode(errors="replace")
    except OSError:
        return ""
    lines = [line.strip() for line in _TERMINAL_SEQUENCE.sub("", text).splitlines()]
    for number, line in enumerate(lines):
        if _LAUNCHERS.match(line):
            return one_line(line)[:_CAUSE_LETTERS]
        if _RULE.fullmatch(line):
            paragraph = " ".join(
                takewhile(_is_said, dropwhile(lambda one: not one, lines[number + 1 :]))
            )
            if paragraph and not _BESIDE.match(paragraph):
                return one_line(paragraph)[:_CAUSE_LETTERS].rstrip(":")
    return ""


def _is_said(line: str) -> bool:
    return bool(line) and not _RULE.fullmatch(line)
