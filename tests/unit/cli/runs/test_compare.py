"""Errors in the arguments of a comparison: one line and a hint, exit code 2."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from heorot.cli.main import main


@pytest.mark.parametrize(
    ("arguments", "fragment"),
    [
        ((), "no run is given"),
        (("absent",), "only absent is given"),
        (("absent", "absent"), "absent is not a run"),
        (("absent", "other", "absent"), "absent is not a run"),
        (tuple(f"run-{number}" for number in range(13)), "13 systems are too many"),
        (("a.yaml", "run-1", "run-2"), "a.yaml is no run"),
    ],
)
def test_a_mistake_is_one_line_and_a_hint(
    arguments: tuple[str, ...],
    fragment: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["heorot", "compare", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    said = capsys.readouterr()
    assert (ended.value.code, said.out) == (2, "")
    line, hint = said.err.splitlines()
    assert fragment in line
    assert hint.startswith("hint: ")
