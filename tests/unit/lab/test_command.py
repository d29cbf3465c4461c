"""`heorot lab` on the command line, with a lab without processes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from heorot.cli import lab as cli
from heorot.errors import UsageError
from heorot.lab.model import Laboratory
from heorot.lab.status import LabStatus, NodeStatus
from heorot.session import laboratory as session


class Session:
    """The requests of commands."""

    def __init__(self, paper: Laboratory) -> None:
        self.paper = paper
        self.asked: list[tuple[Any, ...]] = []
        self.changes = True
        self.ills: dict[str, str] = {}

    def up(self, order: session.LabRequest) -> Laboratory:
        batch = (order.slurm, order.accounting)
        self.asked.append((order.name, order.n_nodes, order.cpus_per_node, order.link, batch))
        order.report("starting")
        return self.paper

    def note(self, *given: Any, **fields: Any) -> bool:
        self.asked.append((*given, fields) if fields else given)
        return self.changes

    def heal(self, *given: Any) -> list[str]:
        self.asked.append(given)
        return ["started"] if self.changes else []

    def look(self, name: str) -> LabStatus:
        self.asked.append((name,))
        nodes = [NodeStatus(self.paper.head, alive=True, processes=2, load=1.5)]
        nodes += [NodeStatus(node) for node in self.paper.nodes]
        return LabStatus(self.paper, "/labs/paper", self.changes, tuple(nodes))


@pytest.fixture
def asked(paper: Laboratory, monkeypatch: pytest.MonkeyPatch) -> Session:
    """The fake session of the commands."""
    noted = Session(paper)
    monkeypatch.setattr(session, "up", noted.up)
    monkeypatch.setattr(session, "look", noted.look)
    monkeypatch.setattr(session, "heal", noted.heal)
    monkeypatch.setattr(session, "unwell", lambda _name: noted.ills)
    for name in ("down", "kill", "cut", "shape", "run"):
        monkeypatch.setattr(session, name, noted.note)
    return noted


def call(*words: str) -> Result:
    return CliRunner().invoke(cli.command, list(words), standalone_mode=False)


def test_up(asked: Session) -> None:
    done = call(
        "up", "--nodes", "3", "--cpus", "2", "--bandwidth", "100mbit", "--latency", "200us",
        "--slurm", "--name", "paper",
    )  # fmt: skip
    ((name, n_nodes, cpus, link, batch),) = asked.asked
    assert (name, n_nodes, cpus, batch) == ("paper", 3, 2, (True, "file"))
    assert (link.rate_bits, link.latency_seconds) == (100e6, pytest.approx(200e-6))
    assert "paper: 3 nodes and a head, 1 processor each, nominal; 2 in all; Slurm" in done.output
    assert "lab down --name paper" in done.output


def test_up_without_anything_has_free_links(asked: Session) -> None:
    call("up")
    ((name, _, cpus, link, batch),) = asked.asked
    assert (name, cpus, batch) == ("lab", None, (False, "file"))
    assert (link.rate_bits, link.latency_seconds) == (None, 0.0)


def test_up_with_a_data_base(asked: Session) -> None:
    asked.paper = asked.paper.model_copy(update={"accounting": "slurmdbd"})
    assert "; Slurm with slurmdbd\n" in call("up", "--slurm", "--accounting", "slurmdbd").output
    assert asked.asked[0][-1] == (True, "slurmdbd")


@pytest.mark.parametrize(
    "words",
    [
        ("up", "--nodes", "0"),
        ("up", "--name", "No Name"),
        ("up", "--bandwidth", "fast"),
        ("up", "--latency", "soon"),
        ("up", "--shared", "/missing"),
        ("up", "--slurm", "--accounting", "paper"),
        ("status", "--name", "No Name"),
        ("run",),
        ("kill",),
    ],
)
def test_mistakes(asked: Session, words: tuple[str, ...]) -> None:
    done = call(*words)
    assert done.exception is not None
    assert asked.asked == []


def test_run_hands_the_words_over(asked: Session) -> None:
    call("run", "--nodes", "n1,n2", "--", "mpiexec", "-n", "2", "--name", "x")
    call("run", "srun", "-N2", "hostname")
    assert asked.asked == [
        ("lab", ["n1", "n2"], ("mpiexec", "-n", "2", "--name", "x"), None),
        ("lab", [], ("srun", "-N2", "hostname"), None),
    ]


def test_shape_changes_what_is_named(asked: Session) -> None:
    assert "n1, n2" in call("shape", "n1", "n2", "--bandwidth", "1gbit").output
    assert "all nodes" in call("shape", "--bandwidth", "none", "--latency", "none").output
    assert asked.asked == [
        ("lab", ("n1", "n2"), {"rate_bits": 1e9}),
        ("lab", (), {"rate_bits": None, "latency_seconds": 0.0}),
    ]
    assert isinstance(call("shape", "n1").exception, UsageError)


@pytest.mark.parametrize(
    ("command", "yes", "no"),
    [
        ("kill", "n1 is dead; bring it back", "n1 was dead already"),
        ("cut", "n1 is cut off; connect it", "n1 was cut off already"),
        ("heal", "n1: started", "n1 is well"),
    ],
)
def test_trouble_is_reported(asked: Session, command: str, yes: str, no: str) -> None:
    assert yes in call(command, "n1", "--name", "paper").output
    asked.changes = False
    assert no in call(command, "n1", "--name", "paper").output
    assert asked.asked == [("paper", "n1")] * 2


def test_heal_says_what_else_is_not_well(asked: Session) -> None:
    asked.ills = {"n2": "cut off", "n3": "drained in Slurm"}
    first, second, third = call("heal", "head", "--name", "paper").output.splitlines()
    assert first == "head: started"
    assert second.startswith("n2 is cut off; bring it back: ")
    assert second.endswith(" lab heal n2 --name paper")
    assert third.startswith("n3 is drained in Slurm; ")


def test_down_is_reported(asked: Session) -> None:
    assert call("down").output == "the lab lab is gone\n"
    asked.changes = False
    assert call("down").output == "there is no lab lab\n"


def test_status_shows_every_node(asked: Session) -> None:
    lines = call("status", "--name", "paper").output.splitlines()
    assert lines[1] == "site     /labs/paper/site.yaml"
    assert lines[3].split()[:4] == ["head", "alive", "1.50", "2"]
    assert lines[4].split()[:2] == ["n1", "dead"]
    assert lines[4].endswith("100 Mbit/s 200 µs")
    asked.changes = False
    assert "its supervisor ended" in call("status", "--name", "paper").output


def test_status_is_that_of_all_labs(
    asked: Session, monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    assert home.is_dir()
    assert isinstance(call("status").exception, UsageError)
    monkeypatch.setattr(session, "names", lambda: ["a", "b"])
    call("status")
    assert asked.asked == [("a",), ("b",)]


def test_the_site_file_of_a_lab(home: Path) -> None:
    assert session.site_file("a") == home / "heorot/labs/a/site.yaml"
