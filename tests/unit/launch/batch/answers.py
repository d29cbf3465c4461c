"""Recorded texts as answers of commands."""

from __future__ import annotations

from pathlib import Path

from heorot.process import Finished

SAMPLES = Path(__file__).resolve().parents[3] / "samples/batch"


def text(name: str) -> str:
    """A recorded text."""
    return (SAMPLES / name).read_text(encoding="utf-8")


def said(name: str, code: int = 0) -> Finished:
    """The answer of a command that printed a recorded text."""
    return Finished(code, text(name), "")


def complained(name: str, code: int = 1) -> Finished:
    """The answer of a command that printed a recorded text as its complaint."""
    return Finished(code, "", text(name))
