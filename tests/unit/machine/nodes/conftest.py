"""Copies of captured trees made by the real script, for the tests of nodes."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from heorot.machine.nodes.read import COPY_SCRIPT, read_copy
from heorot.model.machine.nodes import NodeCopy

Runs = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def commands(tmp_path: Path) -> Path:
    """A folder that is looked in for commands first."""
    folder = tmp_path / "commands"
    folder.mkdir()
    return folder


@pytest.fixture
def command(commands: Path) -> Callable[[str, str], None]:
    """Puts a command of this name and of these lines before the real one."""

    def put(name: str, lines: str) -> None:
        (commands / name).write_text(f"#!/bin/sh\n{lines}\n")
        (commands / name).chmod(0o755)

    return put


@pytest.fixture
def copies(commands: Path) -> Runs:
    """Runs the script with these arguments, and with these variables besides."""

    def run(*arguments: Path, **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["bash", "-c", COPY_SCRIPT, "copy.sh", *map(str, arguments)],
            env={**os.environ, "PATH": f"{commands}:{os.environ['PATH']}", **variables},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    return run


@pytest.fixture
def captured(
    samples: Path, tmp_path: Path, copies: Runs, command: Callable[[str, str], None]
) -> Callable[..., NodeCopy]:
    """The copy of a captured tree, as if it had been made on a node of this name."""

    def take(sample: str, name: str = "node1", isa: str = "x86_64") -> NodeCopy:
        command("uname", f"echo {name} {isa}")
        # The captured machine's processor cannot be asked any more.
        command("lscpu", "exit 1")
        folder = tmp_path / "taken"
        answer = copies(folder, samples / sample)
        assert (answer.returncode, answer.stdout, answer.stderr) == (0, "", "")
        copy = read_copy(folder / f"{name}.gz")
        assert copy is not None
        return copy

    return take
