"""A run as a published machine: what the file has, and what it must not have."""

from __future__ import annotations

from pathlib import Path

import pytest

from heorot.errors import UsageError
from heorot.families import BENCHMARKS
from heorot.session.verification.compared import compare
from heorot.session.verification.publications import is_published, read_publication
from heorot.session.verification.publishing import as_yaml, publish
from heorot.store.directory import RunDirectory

pytestmark = pytest.mark.slow


def test_a_published_run_is_compared_with_itself(concluded: RunDirectory, tmp_path: Path) -> None:
    file = tmp_path / "own.yaml"
    machine = publish(concluded.path, "Cluster A")
    file.write_text(as_yaml(machine))
    assert is_published(file)
    assert read_publication(file, BENCHMARKS) == machine
    compared = compare(concluded.path, file)
    assert len(compared.metrics) == len(machine.quantities)
    assert {one.ratio for one in compared.metrics} == {1.0}


def test_names_of_hosts_stay_here(concluded: RunDirectory) -> None:
    described = concluded.machine()
    text = as_yaml(publish(concluded.path, "Cluster A"))
    for name in (described.hostname, described.system, *described.node.names):
        assert name not in text


def test_a_shipped_system_stands_in_for_a_file(concluded: RunDirectory) -> None:
    reference = Path("steen2000:xp1000")
    assert is_published(reference)
    compared = compare(concluded.path, reference)
    assert compared.b_name == "Compaq XP1000 cluster"
    assert "van der Steen" in compared.remarks[0]
    with pytest.raises(UsageError):
        compare(concluded.path, Path("steen2000:hal"))
