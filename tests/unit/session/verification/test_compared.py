"""A comparison reads the needed files of two consistent runs, each once."""

from __future__ import annotations

from pathlib import Path

import pytest

from heorot.collect import records
from heorot.files import read_regular
from heorot.session import runs
from heorot.session.verification.compared import compare
from heorot.store import samples
from heorot.store.directory import RunDirectory

pytestmark = pytest.mark.slow


def test_nothing_is_made_of_stored_samples_or_analysed_again(
    concluded: RunDirectory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Samples come from the records, launch by launch, which the tests are of."""

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("what is stored is read as samples")

    for module, name in (
        *((samples, "read_samples"), (samples, "_all_series")),
        *((runs, "reopen_agreeing"), (runs, "analyse")),
    ):
        monkeypatch.setattr(module, name, refuse)
    compared = compare(concluded.path, concluded.path)
    assert {one.benchmark for one in compared.metrics} == {"memory/stream", "messages/pingpong"}
    assert not compared.disagreements


def test_every_record_is_read_once(
    concluded: RunDirectory, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[Path] = []

    def note(path: Path, *more: int, **named: bool) -> bytes:
        read.append(path)
        return read_regular(path, *more, **named)

    monkeypatch.setattr(records, "read_regular", note)
    compare(concluded.path, concluded.path)
    written = sorted(concluded.jobs.glob("J*/records/*.jsonl"))
    assert sorted(read) == sorted([*written, *written])  # a side each
