"""The stand-in for the native core, for sessions."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from heorot.throughput.simulations import simulation

FAKE = Path(__file__).resolve().parents[1] / "simulate" / "fake_core.py"


@pytest.fixture
def core(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program that stands in for the native core, found without any build."""
    program = tmp_path / "core"
    words = shlex.join([sys.executable, "-S", str(FAKE)])
    program.write_text(f'#!/bin/sh\nexec {words} "$@"\n')
    program.chmod(0o755)
    monkeypatch.setattr(simulation, "find_schedule", lambda *_: program)
    return program


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    """Three jobs on four nodes; the second line is none."""
    path = tmp_path / "trace.swf"
    fields = " -1" * 6
    path.write_text(
        "; MaxNodes: 4\n; MaxProcs: 8\n"
        f"1 0 -1 10 6 -1 -1 6 20{fields} -1 -1 -1\n"
        "this is no job\n"
        f"2 1 -1 5 4 -1 -1 4 20{fields} -1 -1 -1\n"
        f"3 2 -1 5 2 -1 -1 2 20{fields} -1 -1 -1\n"
    )
    return path
