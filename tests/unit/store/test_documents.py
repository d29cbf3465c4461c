"""Unreadable JSON of a run yields one line, with an appropriate hint."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from heorot.errors import RunError
from heorot.store.documents import read_document


def test_a_file_of_somebody_else_hints_at_its_owner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(path: Path) -> bytes:
        raise PermissionError(errno.EACCES, "Permission denied", path)

    monkeypatch.setattr("heorot.store.documents.read_regular", refused)
    with pytest.raises(RunError, match=r"plan\.json cannot be read: Permission denied") as caught:
        read_document(tmp_path / "plan.json", TypeAdapter(int))
    assert caught.value.hint.endswith("ask its owner")
