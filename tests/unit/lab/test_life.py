"""A real lab, from within this process: made, changed, looked at, ended."""

from __future__ import annotations

import os
import socket
import stat
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from heorot.errors import SetupError, UsageError
from heorot.lab import changes, life, network, parts, place, status
from heorot.lab.doors import KEEPER, Doors
from heorot.lab.model import Laboratory, Link
from heorot.lab.processes import kill_marked
from heorot.lab.slurm import accounting, daemons, programs
from heorot.lab.switch import PROGRAM, Switch, wiring_for
from heorot.session import laboratory as session


def doors_of(lab: Laboratory) -> Doors:
    return Doors(place.directory_of(lab.name))


def test_a_lab_lives_and_is_one_of_its_name(lab: Laboratory, switch: Switch) -> None:
    seen = status.status(lab.name)
    assert seen.alive
    assert [node.alive for node in seen.nodes] == [True] * 3
    assert all(node.load < 0.5 for node in seen.nodes)
    with pytest.raises(UsageError, match="up already"):
        life.up(life.Order(name=lab.name, n_nodes=1, switch=switch))
    done = doors_of(lab).command("n1", ["sh", "-c", "cat; pwd; exit 3"], "text ", directory="/usr")
    assert (done.code, done.out) == (3, "text /usr\n")


def test_a_lab_is_not_ended_from_inside(lab: Laboratory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(place.MARK, place.mark_of(place.directory_of(lab.name)))
    with pytest.raises(UsageError, match="inside the lab"):
        life.down(lab.name)
    monkeypatch.delenv(place.MARK)
    assert status.status(lab.name).alive


def test_nodes_die_and_come_back(lab: Laboratory, switch: Switch) -> None:
    assert changes.kill(lab.name, "n2")
    assert not changes.kill(lab.name, "n2")
    assert [node.alive for node in status.status(lab.name).nodes] == [True, True, False]
    doors = doors_of(lab)
    for ask in (
        lambda: doors.require("n2"),
        lambda: doors.command("n2", ["true"]),
        lambda: doors.operate("n2", "look"),
        lambda: doors.detach("n2", ["true"], Path(os.devnull)),
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
        doors.operate(KEEPER, "nonsense")


def test_links_are_cut_and_shaped(lab: Laboratory, switch: Switch) -> None:
    doors = doors_of(lab)
    assert changes.cut(lab.name, "n1")
    assert not changes.cut(lab.name, "n1")
    assert "DOWN" in doors.command(KEEPER, ["ip", "-br", "link", "show", "n1"]).out
    assert changes.heal(lab.name, "n1", switch) == ["connected"]
    changes.shape(lab.name, ["n1"], switch, {"rate_bits": 1e8})
    for where, card in ((KEEPER, "n1"), ("n1", "eth0")):
        assert "rate 100Mbit" in doors.command(where, ["tc", "qdisc", "show", "dev", card]).out
    assert "tbf" not in doors.command("n2", ["tc", "qdisc", "show", "dev", "eth0"]).out
    with pytest.raises(UsageError, match="head"):
        changes.shape(lab.name, ["head"], switch, {"rate_bits": 1e8})
    with pytest.raises(SetupError, match="ip cannot set up"):
        network.connect(lab, doors, lab.nodes)  # a second time


def test_delays_come_and_go(lab: Laboratory, switch: Switch) -> None:
    doors = doors_of(lab)
    changes.shape(lab.name, [], switch, {"latency_seconds": 1e-3})
    changed = place.load(lab.name)
    assert changed.wiring == wiring_for(doors, Link(latency_seconds=1e-3))
    if changed.wiring == "program":
        (pid,) = doors.operate(KEEPER, "look")["programs"][PROGRAM]
        changes.shape(lab.name, ["n1"], switch, {"latency_seconds": 2e-3})
        assert doors.operate(KEEPER, "look")["programs"][PROGRAM] == [pid]
    changes.shape(lab.name, [], switch, {"latency_seconds": 0.0})
    assert place.load(lab.name).wiring == "bridge"
    assert PROGRAM not in doors.operate(KEEPER, "look")["programs"]


def test_commands_run_where_they_should(lab: Laboratory, capfd: pytest.CaptureFixture[str]) -> None:
    assert session.run(lab.name, [], ["sh", "-c", "hostname; exit 2"]) == 2
    assert capfd.readouterr().out == "head\n"
    assert session.run(lab.name, ["n1", "n2"], ["sh", "-c", "exit $(hostname | tr -d n)"]) == 2
    assert session.run(lab.name, ["all"], ["hostname"]) == 0
    assert sorted(capfd.readouterr().out.splitlines()) == ["n1: n1", "n2: n2"]
    killer = threading.Timer(0.3, changes.kill, (lab.name, "n2"))
    killer.start()
    with pytest.raises(UsageError, match="died meanwhile"):
        session.run(lab.name, ["n2"], ["sleep", "60"])
    killer.join()


def test_a_lab_without_its_keeper_is_dead(lab: Laboratory) -> None:
    kill_marked(place.mark_of(place.directory_of(lab.name)))
    assert not status.status(lab.name).alive
    with pytest.raises(UsageError, match="is dead: its keeper ended"):
        changes.kill(lab.name, "n1")
    assert life.down(lab.name)
    assert not life.down(lab.name)


def test_what_cannot_be_made_leaves_nothing(
    home: Path, switch: Switch, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = life.Order(name="never", n_nodes=1, switch=switch, slurm=True)
    monkeypatch.setattr(life, "may_administer", lambda _status: False)
    monkeypatch.setattr("heorot.lab.parts.require", lambda **_given: None)
    with pytest.raises(SetupError, match="needs root"):
        life.up(order)

    with pytest.raises(UsageError, match="without Slurm keeps no accounts"):
        life.up(replace(order, slurm=False, accounting="slurmdbd"))

    def refuse(*_given: object) -> None:
        raise SetupError("no", "never mind")

    monkeypatch.setattr(life, "may_administer", lambda _status: True)
    monkeypatch.setattr(network, "connect", refuse)
    with pytest.raises(SetupError, match="no"):
        life.up(order)
    assert list(home.iterdir()) == []


def a_program(path: Path, text: str) -> None:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


def test_the_switch_is_built_once_or_says_why_not(
    switch: Switch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: dict[str, str] = {}
    monkeypatch.setattr("heorot.lab.parts.find", found.get)
    with pytest.raises(SetupError, match="no netem") as refused:
        switch.build()
    assert refused.value.hint == "get a compiler; or leave out --latency"
    found["c++"] = str(tmp_path / "c++")
    a_program(tmp_path / "c++", "echo 'switch.cpp:1: error: what is this' >&2; exit 1")
    with pytest.raises(SetupError, match=r"does not compile: switch.cpp:1: error"):
        switch.build()
    a_program(tmp_path / "c++", 'while [ "$1" != -o ]; do shift; done; echo built > "$2"')
    program = switch.build()
    assert program.read_text() == "built\n"
    found.clear()
    assert switch.build() == program


def test_slurm_that_does_not_start_is_told(
    lab: Laboratory, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    a_program(tmp_path / "fails", "echo no key >&2; exit 1")
    monkeypatch.setattr(programs, "tool", lambda _name: str(tmp_path / "fails"))
    monkeypatch.setattr(daemons, "require_short", lambda _folder: None)
    with pytest.raises(SetupError, match="munged does not start on lab"):
        daemons.start(lab, doors_of(lab))


def test_a_data_base_that_does_not_start_is_told(
    lab: Laboratory, monkeypatch: pytest.MonkeyPatch
) -> None:
    doors = doors_of(lab)
    folder = doors.directory / "slurm"  # where the nodes see it
    folder.mkdir()
    for module in (accounting, programs):
        monkeypatch.setattr(module, "tool", lambda name: str(folder / name))
    (folder / "env").symlink_to("/usr/bin/env")
    a_program(folder / "mariadbd", "echo the table is full; exit 1")
    with pytest.raises(SetupError, match="mariadbd does not start on head: the table is full"):
        accounting.start(lab, doors)
    monkeypatch.setattr(accounting, "_greets", lambda _path: True)
    a_program(folder / "sacctmgr", "exit 1")
    a_program(folder / "slurmdbd", 'echo "fatal: no plugin" >> "$0.log"')
    with pytest.raises(SetupError, match="slurmdbd does not start on head: fatal: no plugin"):
        accounting.start(lab, doors)


def test_a_data_base_that_was_killed_does_not_greet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(accounting, "_GREETING_SECONDS", 0.1)
    path = tmp_path / "socket"
    assert not accounting._greets(path)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()
        assert not accounting._greets(path)  # connected to by the kernel alone
        listener.accept()[0].close()

        def greet() -> None:
            with listener.accept()[0] as asked:
                asked.sendall(b"5.5.5-10")

        with ThreadPoolExecutor(1) as pool:
            pool.submit(greet)
            assert accounting._greets(path)
    assert not accounting._greets(path)


def test_who_waits_for_slurm_is_told_for_what(
    lab: Laboratory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(programs, "_PATIENCE_SECONDS", 0.1)
    monkeypatch.setattr(daemons, "states", lambda _doors: {"n1": "idle", "n2": "down*"})
    with pytest.raises(SetupError, match=r"Slurm waits for node n2: it is down\*"):
        daemons._await(doors_of(lab), ["n1", "n2"])
    doors_of(lab).detach("n1", ["sleep", "60"], Path(os.devnull))
    while "sleep" not in programs.running(doors_of(lab), "n1"):
        time.sleep(0.01)
    with pytest.raises(SetupError, match="Slurm waits for sleep"):
        programs.has_ended(doors_of(lab), "n1", "sleep", lambda: False)
    assert not programs.has_ended(doors_of(lab), "n1", "sleep", lambda: True)
    assert programs.has_ended(doors_of(lab), "n2", "sleep", lambda: False)


def test_a_controller_asks_again_for_nodes_that_it_has_lost(
    lab: Laboratory, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = {"n1": "down*", "n2": "drained", "n3": "down*"}

    def command(_doors: Doors, argv: list[str]) -> None:
        assert argv[-2:] == ["nodename=n1", "state=resume"]
        seen["n1"] = "idle"

    monkeypatch.setattr(daemons, "states", lambda _doors: dict(seen))
    monkeypatch.setattr(programs, "command", command)
    daemons._settle(doors_of(lab), ["n1", "n2"])
    assert seen["n1"] == "idle"


@pytest.fixture
def short_paths() -> Iterator[None]:
    """Labs where they usually are: the path of a test is too long for the sockets of Slurm."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("XDG_RUNTIME_DIR")
        yield


def test_slurm_starts_and_comes_back(switch: Switch, lab: Laboratory, short_paths: None) -> None:
    del short_paths
    if any(parts.find(name) is None for name in ("slurmctld", "slurmd", "munged")):
        pytest.skip("Slurm and munge are not here")
    name = f"{lab.name}-s"
    try:
        made = life.up(life.Order(name=name, n_nodes=2, switch=switch, slurm=True))
        doors = doors_of(made)
        assert daemons.states(doors) == {"n1": "idle", "n2": "idle"}
        doors.command("head", ["pkill", "-x", "slurmctld"])
        doors.command(KEEPER, ["pkill", "-x", "munged"])
        while {"munged"} & set(doors.operate(KEEPER, "look")["programs"]):
            time.sleep(0.01)
        while {"slurmctld"} & set(doors.operate("head", "look")["programs"]):
            time.sleep(0.01)
        assert changes.heal(name, "head", switch) == ["munged started", "slurmctld started"]
        assert changes.kill(name, "n2")
        assert changes.heal(name, "n2", switch)[:2] == ["started", "slurmd started"]
        doors.command("head", ["scontrol", "update", "nodename=n1", "state=drain", "reason=x"])
        assert changes.heal(name, "n1", switch) == ["back in Slurm"]
        doors.operate(KEEPER, "kill", nodes=["head"])
        with pytest.raises(UsageError, match=r"head .* is dead"):
            changes.heal(name, "n1", switch)
    finally:
        assert life.down(name)


def test_a_head_heals_whatever_is_the_matter_with_others(
    switch: Switch, lab: Laboratory, short_paths: None
) -> None:
    del short_paths
    needed = ("slurmctld", "slurmd", "munged", "slurmdbd", "mariadbd", "mariadb-install-db")
    if missing := [name for name in needed if parts.find(name) is None]:
        pytest.skip(f"{missing[0]} is not here")
    name = f"{lab.name}-d"
    order = life.Order(name=name, n_nodes=3, switch=switch, slurm=True, accounting="slurmdbd")
    try:
        doors = doors_of(life.up(order))
        cluster = doors.command("head", ["sacctmgr", "-n", "-P", "show", "cluster"]).out
        assert cluster.split("|")[0] == name
        assert changes.unwell(name) == {}
        doors.command("head", ["pkill", "-9", "-x", "mariadbd"])
        assert changes.heal(name, "head", switch) == ["mariadbd started"]
        changes.cut(name, "n1")
        changes.kill(name, "n2")
        doors.operate(KEEPER, "kill", nodes=["head"])
        assert changes.unwell(name) == {"head": "dead", "n1": "cut off", "n2": "dead"}
        services = ["mariadbd started", "slurmdbd started", "slurmctld started"]
        begun = time.monotonic()
        assert changes.heal(name, "head", switch) == ["started", *services]
        doors.command("head", ["scontrol", "update", "nodename=n3", "state=drain", "reason=x"])
        assert changes.heal(name, "head", switch) == []
        assert time.monotonic() - begun < daemons._SETTLE_SECONDS
        ills = {"n1": "cut off", "n2": "dead", "n3": "drained in Slurm"}
        assert changes.unwell(name) == ills
        changes.cut(name, "head")
        assert changes.heal(name, "n1", switch) == ["connected"]  # Slurm cannot hear of it
        assert changes.heal(name, "head", switch) == ["connected"]
    finally:
        assert life.down(name)
