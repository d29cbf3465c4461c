"""A real lab, from within this process: started, changed, inspected, ended."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import pytest

from heorot.build.sources import native_directory
from heorot.errors import SetupError, UsageError
from heorot.lab import changes, lifecycle, network, status, storage
from heorot.lab.client import SUPERVISOR
from heorot.lab.model import Laboratory, Link
from heorot.lab.processes import kill_marked
from heorot.lab.requirements import tool
from heorot.lab.switch import PROGRAM, Switch, wiring_for
from heorot.session import laboratory as session
from tests.unit.lab.conftest import a_program, doors_of
from tests.unit.turned import TurnedClock
from tests.waiting import wait_until


def test_a_lab_lives_and_is_one_of_its_name(lab: Laboratory, switch: Switch) -> None:
    seen = status.status(lab.name, TurnedClock())
    assert seen.alive
    assert [node.alive for node in seen.nodes] == [True] * 3
    assert all(node.load < 0.5 for node in seen.nodes)
    with pytest.raises(UsageError, match="up already"):
        lifecycle.up(lifecycle.LabRequest(name=lab.name, n_nodes=1, switch=switch))
    done = doors_of(lab).command("n1", ["sh", "-c", "cat; pwd; exit 3"], "text ", directory="/usr")
    assert (done.code, done.out) == (3, "text /usr\n")


def test_a_lab_is_not_ended_from_inside(lab: Laboratory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(storage.MARK, storage.mark_of(storage.directory_of(lab.name)))
    with pytest.raises(UsageError, match="inside the lab"):
        lifecycle.down(lab.name)
    monkeypatch.delenv(storage.MARK)
    assert status.status(lab.name, TurnedClock()).alive


@pytest.mark.race
def test_nodes_die_and_come_back(lab: Laboratory, switch: Switch) -> None:
    assert changes.kill(lab.name, "n2")
    assert not changes.kill(lab.name, "n2")
    assert [node.alive for node in status.status(lab.name, TurnedClock()).nodes] == [
        True,
        True,
        False,
    ]
    client = doors_of(lab)
    for ask in (
        lambda: client.require("n2"),
        lambda: client.command("n2", ["true"]),
        lambda: client.operate("n2", "look"),
        lambda: client.detach("n2", ["true"], client.directory / "true.log"),
        lambda: changes.cut(lab.name, "n2"),
        lambda: changes.shape(lab.name, ["n2"], switch, {"rate_bits": 1e8}),
    ):
        with pytest.raises(UsageError, match=r"n2 .* is dead"):
            ask()
    assert changes.heal(lab.name, "n2", switch) == ["started"]
    assert changes.heal(lab.name, "n2", switch) == []
    with pytest.raises(UsageError, match="has no node n9"):
        changes.kill(lab.name, "n9")
    with pytest.raises(SetupError, match="cannot nonsense"):
        client.operate(SUPERVISOR, "nonsense")


def test_links_are_cut_and_shaped(lab: Laboratory, switch: Switch) -> None:
    client = doors_of(lab)
    assert changes.cut(lab.name, "n1")
    assert not changes.cut(lab.name, "n1")
    assert "DOWN" in client.command(SUPERVISOR, [tool("ip"), "-br", "link", "show", "n1"]).out
    assert changes.heal(lab.name, "n1", switch) == ["connected"]
    changes.shape(lab.name, ["n1"], switch, {"rate_bits": 1e8})
    for where, card in ((SUPERVISOR, "n1"), ("n1", "eth0")):
        assert (
            "rate 100Mbit" in client.command(where, [tool("tc"), "qdisc", "show", "dev", card]).out
        )
    assert "tbf" not in client.command("n2", [tool("tc"), "qdisc", "show", "dev", "eth0"]).out
    with pytest.raises(UsageError, match="head"):
        changes.shape(lab.name, ["head"], switch, {"rate_bits": 1e8})
    with pytest.raises(SetupError, match="ip cannot set up"):
        network.connect(lab, client, lab.nodes)  # a second time


@pytest.mark.slow
def test_delays_come_and_go(lab: Laboratory, switch: Switch) -> None:
    client = doors_of(lab)
    changes.shape(lab.name, [], switch, {"latency_seconds": 1e-3})
    changed = storage.load(lab.name)
    assert changed.wiring == wiring_for(client, Link(latency_seconds=1e-3))
    if changed.wiring == "program":
        (pid,) = client.operate(SUPERVISOR, "look")["programs"][PROGRAM]
        changes.shape(lab.name, ["n1"], switch, {"latency_seconds": 2e-3})
        assert client.operate(SUPERVISOR, "look")["programs"][PROGRAM] == [pid]
    changes.shape(lab.name, [], switch, {"latency_seconds": 0.0})
    assert storage.load(lab.name).wiring == "bridge"
    assert PROGRAM not in client.operate(SUPERVISOR, "look")["programs"]


@pytest.mark.race
def test_commands_run_where_they_should(lab: Laboratory, capfd: pytest.CaptureFixture[str]) -> None:
    assert session.run(lab.name, [], ["sh", "-c", "hostname; exit 2"]) == 2
    assert capfd.readouterr().out == "head\n"
    assert session.run(lab.name, ["n1", "n2"], ["sh", "-c", "exit $(hostname | tr -d n)"]) == 2
    assert session.run(lab.name, ["all"], ["hostname"]) == 0
    assert sorted(capfd.readouterr().out.splitlines()) == ["n1: n1", "n2: n2"]
    client = doors_of(lab)

    def kill() -> None:
        wait_until(lambda: "sleep" in client.operate("n2", "look")["programs"])
        changes.kill(lab.name, "n2")

    killer = threading.Thread(target=kill)
    killer.start()
    with pytest.raises(UsageError, match="died meanwhile"):
        session.run(lab.name, ["n2"], ["sleep", "60"])
    killer.join()


@pytest.mark.race
def test_a_lab_without_its_keeper_is_dead(lab: Laboratory) -> None:
    kill_marked(storage.mark_of(storage.directory_of(lab.name)))
    assert not status.status(lab.name, TurnedClock()).alive
    with pytest.raises(UsageError, match="is dead: its supervisor ended"):
        changes.kill(lab.name, "n1")
    assert lifecycle.down(lab.name)
    assert not lifecycle.down(lab.name)


def test_what_cannot_be_made_leaves_nothing(
    home: Path, switch: Switch, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = lifecycle.LabRequest(name="never", n_nodes=1, switch=switch, slurm=True)
    monkeypatch.setattr(lifecycle, "may_administer", lambda _status: False)
    monkeypatch.setattr("heorot.lab.requirements.require", lambda **_given: None)
    with pytest.raises(SetupError, match="needs root"):
        lifecycle.up(order)

    with pytest.raises(UsageError, match="without Slurm keeps no accounts"):
        lifecycle.up(replace(order, slurm=False, accounting="slurmdbd"))

    def refuse(*_given: object) -> None:
        raise SetupError("no", "never mind")

    monkeypatch.setattr(lifecycle, "may_administer", lambda _status: True)
    monkeypatch.setattr(network, "connect", refuse)
    with pytest.raises(SetupError, match="no"):
        lifecycle.up(order)
    assert list(home.iterdir()) == []


def test_a_lab_that_takes_too_long_to_begin_is_not_what_the_kernel_refuses(
    home: Path, switch: Switch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("heorot.lab.requirements.require", lambda **_given: None)
    monkeypatch.setattr(lifecycle, "_START_SECONDS", 0.0)
    with pytest.raises(SetupError, match="the lab has not begun within"):
        lifecycle.up(lifecycle.LabRequest(name="late", n_nodes=1, switch=switch))
    assert list(home.iterdir()) == []


def test_a_switch_that_ends_at_once_is_not_waited_for(
    lab: Laboratory, switch: Switch, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = TurnedClock()
    monkeypatch.setattr(Switch, "build", lambda _self: Path("/bin/false"))
    with pytest.raises(SetupError, match="the switch of the lab does not start"):
        switch._start(doors_of(lab, clock))
    assert clock.monotonic() < 60.0


def test_the_switch_is_built_once_or_says_why_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    switch = Switch(native_directory(), lambda: tmp_path / "cache", lambda: "get a compiler")
    found: dict[str, str] = {}
    monkeypatch.setattr("heorot.lab.requirements.find", found.get)
    with pytest.raises(SetupError, match="no netem") as refused:
        switch.build()
    assert refused.value.hint == "get a compiler; or leave out --latency"
    found["c++"] = str(tmp_path / "c++")
    a_program(tmp_path / "c++", "echo 'switch.cpp:1: error: what is this' >&2; exit 1")
    with pytest.raises(SetupError, match=r"does not compile: switch.cpp:1: error"):
        switch.build()
    a_program(tmp_path / "c++", "exec sleep 60")
    with monkeypatch.context() as patch:
        patch.setattr("heorot.lab.switch._COMPILE_SECONDS", 0.0)
        with pytest.raises(SetupError, match="does not compile: not within 0 s"):
            switch.build()
    a_program(tmp_path / "c++", 'while [ "$1" != -o ]; do shift; done; echo built > "$2"')
    program = switch.build()
    assert program.read_text() == "built\n"
    found.clear()
    assert switch.build() == program
