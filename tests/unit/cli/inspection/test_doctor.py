"""`heorot doctor` distinguishes missing parts from settings that are only noted."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from heorot.build.diagnosis import Diagnosis
from heorot.cli.inspection.doctor import command
from heorot.machine.description.conditions import Condition
from heorot.model.machine.machine import Machine, Node, Processor
from heorot.model.machine.nodes import NodeCopy, NodeState
from heorot.session import inspection
from heorot.session.cluster import checkup
from heorot.session.cluster.checkup import Checked

NODE = Node(names=("here",), processor=Processor(isa="x86_64", governor="ondemand"))
NOTES = (
    Condition("governor", "note", "ondemand: it varies", "set another"),
    Condition("boost", "unknown", "unknown"),
)
COMPILER = Diagnosis("C++20 compiler", "gnu 12", needed=True)
BATCH = Diagnosis("batch system", "", needed=False, remedy="none needed on one machine")


@pytest.fixture
def parts(monkeypatch: pytest.MonkeyPatch) -> list[Diagnosis]:
    """The installation of a machine with two notes."""
    found = [COMPILER, BATCH]
    monkeypatch.setattr(
        inspection, "describe_machine", lambda *_: Machine(hostname="here", nodes=(NODE,))
    )
    monkeypatch.setattr(inspection, "diagnose", lambda _: found)
    monkeypatch.setattr(inspection, "conditions_here", lambda _: NOTES)
    monkeypatch.setattr(inspection, "list_toolchains", lambda *_: ())
    return found


def test_notes_change_no_exit_code(parts: list[Diagnosis]) -> None:
    done = CliRunner().invoke(command, standalone_mode=False)
    assert done.return_value == 0
    lines = done.output.splitlines()
    assert "none    batch system    none needed on one machine" in lines
    at = lines.index("note    governor  ondemand: it varies")
    assert lines[at + 1 : at + 3] == [
        "                  -> set another",
        "unknown boost     unknown",
    ]
    parts[0] = Diagnosis("C++20 compiler", "", needed=True, remedy="install g++")
    done = CliRunner().invoke(command, standalone_mode=False)
    assert done.return_value == 2
    assert "MISSING C++20 compiler  install g++" in done.output


def test_nodes_of_a_probe_have_conditions_of_their_own(
    parts: list[Diagnosis], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copies = [NodeCopy(name=name, node=NODE, state=NodeState(load=(0.0,))) for name in ("n1", "n2")]
    busy = NodeCopy(name="n3", node=NODE, state=NodeState(load=(7.5,)))
    checked = Checked(parts, [*copies, busy])
    monkeypatch.setattr(checkup, "check_site", lambda *_, **__: checked)
    (tmp_path / "site.yaml").write_text("system: here\n")
    words = ["--site", str(tmp_path / "site.yaml"), "--probe"]
    done = CliRunner().invoke(command, words, standalone_mode=False)
    assert done.return_value == 0, done.output
    _, first, second = done.output.split("measuring conditions of n")
    assert first.startswith("1, n2:\n")
    assert "ok      other load" in first
    assert second.startswith("3:\n")
    assert "load average 7.50" in second
