"""Leftovers of a killed check, and their clean-up by a later one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from heorot.acceptance.session import registry, stale_checks
from heorot.acceptance.session.registry import Registry
from heorot.errors import SetupError
from heorot.session import laboratory
from tests.unit.acceptance.session.pretended.pretend import Pretend


@pytest.fixture
def killed(cache: Path, pretend: Pretend, monkeypatch: pytest.MonkeyPatch) -> Registry:
    """A check that left traces and is gone."""
    monkeypatch.setattr(stale_checks, "find_dialect", lambda *_: pretend.dialect)
    monkeypatch.setattr(stale_checks, "BatchClient", lambda *_: pretend)
    made = Registry(cache, {"system": "slurm", "commands": "", "lab": ""})
    made.leave()
    return made


def job(pretend: Pretend, folder: Path, name: str) -> str:
    """A job in the queue."""
    script = folder / f"{name}.sh"
    script.write_text("#!/bin/bash\n#SBATCH --time=100\nsleep 30\n")
    return pretend.send(pretend.dialect.submit(script, name), folder).id


def test_jobs_of_a_killed_check_are_cancelled(
    killed: Registry, cache: Path, pretend: Pretend, tmp_path: Path
) -> None:
    known, unknown, other = (job(pretend, tmp_path, name) for name in ("hca-1", "hca-2", "others"))
    killed.note("name", "hca-1")
    killed.note("job", "hca-1", known)
    killed.note("name", "hca-2")
    killed.note("name", "hca-3")
    killed.note("refused", "hca-3")
    # A reused number belongs to another user's job.
    killed.note("job", "hca-4", other)
    done = stale_checks.clean_up(cache, pretend.clock)
    assert sorted(pretend.cancelled) == sorted([known, unknown])
    assert len(done) == 2
    assert list(cache.iterdir()) == []


def test_nodes_of_a_killed_check_come_back(
    killed: Registry, cache: Path, pretend: Pretend, monkeypatch: pytest.MonkeyPatch
) -> None:
    healed: list[tuple[str, str]] = []
    monkeypatch.setattr(laboratory, "names", lambda: ["box"])
    monkeypatch.setattr(laboratory, "heal", lambda *given: healed.append(given))
    facts = killed.folder / "check.json"
    facts.write_text(json.dumps({"system": "slurm", "commands": "", "lab": "box"}))
    pretend.drained["n1"] = "heorot-check"
    for words in (("drained", "n1"), ("drained", "n2"), ("resumed", "n2"), ("killed", "n3")):
        killed.note(*words)
    done = stale_checks.clean_up(cache, pretend.clock)
    assert pretend.drained == {}
    assert healed == [("box", "n3")]
    assert len(done) == 2


def test_a_living_check_is_not_cleaned_up(cache: Path, pretend: Pretend) -> None:
    del pretend
    living = Registry(cache, {"system": "slurm"})
    living.note("drained", "n1")
    assert stale_checks.clean_up(cache) == []
    assert living.folder.exists()
    living.note("resumed", "n1")
    living.close()
    assert not living.folder.exists()


def test_no_answer_keeps_the_traces(
    killed: Registry, cache: Path, pretend: Pretend, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed.note("job", "hca-1", "7")
    monkeypatch.setattr(pretend, "ask", lambda _question: None)
    assert stale_checks.clean_up(cache, pretend.clock) == []
    assert killed.folder.exists()


def test_traces_that_cannot_be_read_are_removed(cache: Path) -> None:
    assert list(registry.left(cache)) == []
    (cache / "empty").mkdir(parents=True)
    (cache / "strange").mkdir()
    (cache / "strange/check.json").write_text('{"system": "nqs"}')
    (cache / "deep").mkdir()
    (cache / "deep/check.json").write_text("[" * 100_000)
    (cache / "file").touch()
    assert stale_checks.clean_up(cache) == []
    assert [path.name for path in cache.iterdir()] == ["file"]


def test_another_cluster_is_reported(
    killed: Registry, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(*_: object) -> None:
        raise SetupError("sbatch of slurm is not in PATH", "hint")

    monkeypatch.setattr(stale_checks, "find_dialect", missing)
    (line,) = stale_checks.clean_up(cache)
    assert "sbatch of slurm is not in PATH" in line
    assert killed.folder.exists()
    facts = {"system": "slurm", "commands": "/gone", "lab": "gone"}
    (killed.folder / "check.json").write_text(json.dumps(facts))
    stale_checks.clean_up(cache)
    assert not killed.folder.exists()


def test_a_node_that_cannot_be_resumed_is_left_to_the_next(
    killed: Registry, cache: Path, pretend: Pretend
) -> None:
    pretend.drained["n1"] = "heorot-check"
    pretend.faults.add("drain refused")
    killed.note("drained", "n1")
    killed.note("drained", "n2")  # an administrator has resumed it meanwhile
    (line,) = stale_checks.clean_up(cache, pretend.clock)
    assert "n1, drained by an earlier check, cannot be resumed" in line
    assert killed.folder.exists()
    pretend.faults.clear()
    stale_checks.clean_up(cache, pretend.clock)
    assert pretend.drained == {}
    assert list(cache.iterdir()) == []


def test_lines_that_were_cut_are_passed_over(
    killed: Registry, cache: Path, pretend: Pretend, tmp_path: Path
) -> None:
    number = job(pretend, tmp_path, "hca-1")
    (killed.folder / "traces").write_bytes(
        f"name hca-1\njob hca-1 {number}\n\n\0\xff\ndrained\nkilled\nname".encode("latin-1")
    )
    assert len(stale_checks.clean_up(cache, pretend.clock)) == 1
    assert pretend.cancelled == [number]
    assert list(cache.iterdir()) == []


def test_a_check_that_is_just_being_made_is_not_taken_for_a_dead_one(tmp_path: Path) -> None:
    (tmp_path / ".12345678").mkdir()
    assert list(registry.left(tmp_path)) == []
    assert (tmp_path / ".12345678").is_dir()
    mine = Registry(tmp_path, {})
    assert list(registry.left(tmp_path)) == []  # it lives
    mine.leave()
    assert [each.folder for each in registry.left(tmp_path)] == [mine.folder]
