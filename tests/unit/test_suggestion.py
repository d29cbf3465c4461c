"""Suggested commands can be copied to the terminal as they are."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from heorot.suggestion import name_as_typed, nearest, suggest


@pytest.mark.parametrize(
    ("typed", "argv", "found", "name"),
    [
        ("./heorot", "/x/.venv/bin/heorot", None, "./heorot"),
        ("../a b/heorot", "/x/.venv/bin/heorot", None, "'../a b/heorot'"),
        ("/usr/local/bin/heorot", "/x/.venv/bin/heorot", "/usr/local/bin/heorot", "heorot"),
        (
            "/opt/heorot/heorot",
            "/x/.venv/bin/heorot",
            "/usr/local/bin/heorot",
            "/opt/heorot/heorot",
        ),
        ("", "/usr/bin/heorot", "/usr/bin/heorot", "heorot"),
        ("", "venv/bin/heorot", None, "venv/bin/heorot"),
        ("", "/x/heorot/cli/main.py", None, "heorot"),
    ],
)
def test_the_name_is_the_one_that_was_typed(
    typed: str, argv: str, found: str | None, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEOROT_TYPED", typed)
    monkeypatch.setattr(sys, "argv", [argv])
    monkeypatch.setattr(shutil, "which", lambda _: found)
    assert name_as_typed() == name


def test_arguments_are_quoted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEOROT_TYPED", "./heorot")
    said = suggest("evaluate", "--resume", Path("/my runs/it's"))
    assert said == "./heorot evaluate --resume '/my runs/it'\"'\"'s'"


OPTIONS = ("--out", "--only", "--nodes", "--site", "--timeout", "--no-wait", "--wait", "--trust")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("--outt", "--out"),
        ("--ot", "--out"),
        ("--output", "--out"),
        ("--nod", "--nodes"),
        ("--NODES", "--nodes"),
        ("-site", "--site"),
        ("--site-file", "--site"),
        ("--time", "--timeout"),
        ("--tiemout", "--timeout"),
        ("--nowait", "--no-wait"),
        ("--stie", "--site"),
        ("--bogus", None),
        ("--about", None),
        ("--input", None),
        ("--no", None),
        ("--o", None),
        ("--", None),
        ("--verbose", None),
    ],
)
def test_only_what_is_really_near_is_meant(typed: str, meant: str | None) -> None:
    assert nearest(typed, OPTIONS) == meant


def test_nothing_is_near_to_nothing() -> None:
    assert nearest("--out", []) is None
