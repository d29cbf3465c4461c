"""Slurm in a real lab: starts, failures, and repairs."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from heorot.errors import SetupError, UsageError
from heorot.lab import changes, lifecycle, requirements
from heorot.lab.client import SUPERVISOR, LabClient
from heorot.lab.model import Laboratory
from heorot.lab.slurm import accounting, daemons, programs
from heorot.lab.switch import Switch
from tests.unit.lab.conftest import a_program, doors_of
from tests.unit.turned import TurnedClock
from tests.waiting import wait_until


def test_slurm_that_does_not_start_is_reported(
    lab: Laboratory, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    a_program(tmp_path / "fails", "echo no key >&2; exit 1")
    monkeypatch.setattr(programs, "tool", lambda _name: str(tmp_path / "fails"))
    monkeypatch.setattr(daemons, "require_short", lambda _folder: None)
    with pytest.raises(SetupError, match="munged does not start on lab"):
        daemons.start(lab, doors_of(lab))


def test_a_data_base_that_does_not_start_is_reported(
    lab: Laboratory, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = doors_of(lab)
    folder = client.directory / "slurm"  # where the nodes see it
    folder.mkdir()
    for module in (accounting, programs):
        monkeypatch.setattr(module, "tool", lambda name: str(folder / name))
    (folder / "env").symlink_to("/usr/bin/env")
    a_program(folder / "mariadbd", "echo the table is full; exit 1")
    with pytest.raises(SetupError, match="mariadbd does not start on head: the table is full"):
        accounting.start(lab, client)
    monkeypatch.setattr(accounting, "_greets", lambda _path: True)
    a_program(folder / "sacctmgr", "exit 1")
    a_program(folder / "slurmdbd", 'echo "fatal: no plugin" >> "$0.log"')
    with pytest.raises(SetupError, match="slurmdbd does not start on head: fatal: no plugin"):
        accounting.start(lab, client)


def test_a_data_base_that_was_killed_does_not_greet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(accounting, "_GREETING_SECONDS", 0.1)
    path = tmp_path / "socket"
    assert not accounting._greets(path)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()
        assert not accounting._greets(path)  # only the kernel accepts the connection
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
    monkeypatch.setattr(programs, "_PATIENCE_SECONDS", 2.0)
    clock = TurnedClock()
    client = doors_of(lab, clock)
    monkeypatch.setattr(daemons, "states", lambda _sockets: {"n1": "idle", "n2": "down*"})
    with pytest.raises(SetupError, match=r"Slurm waits for node n2: it is down\*"):
        daemons._await(client, ["n1", "n2"])
    assert clock.monotonic() == pytest.approx(2.0, abs=0.2)
    client.detach("n1", ["sleep", "60"], client.directory / "sleep.log")
    wait_until(lambda: "sleep" in client.programs("n1"))
    with pytest.raises(SetupError, match="Slurm waits for sleep"):
        programs.has_ended(client, "n1", "sleep", lambda: False)
    assert not programs.has_ended(client, "n1", "sleep", lambda: True)
    assert programs.has_ended(client, "n2", "sleep", lambda: False)


def test_a_controller_asks_again_for_nodes_that_it_has_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = {"n1": "down*", "n2": "drained", "n3": "down*"}

    def command(_sockets: LabClient, argv: list[str]) -> None:
        assert argv[-2:] == ["nodename=n1", "state=resume"]
        seen["n1"] = "idle"

    monkeypatch.setattr(daemons, "states", lambda _sockets: dict(seen))
    monkeypatch.setattr(programs, "command", command)
    clock = TurnedClock()
    daemons._await_nodes(LabClient(tmp_path, clock), ["n1", "n2"])
    assert (seen["n1"], clock.monotonic()) == ("idle", 0.0)
    seen["n1"] = "unknown"  # waiting for a silent one has a limit
    daemons._await_nodes(LabClient(tmp_path, clock), ["n1", "n2"])
    assert clock.monotonic() == pytest.approx(15.0, abs=0.2)


@pytest.fixture
def short_paths() -> Iterator[None]:
    """Labs where they usually are: the path of a test is too long for the sockets of Slurm."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("XDG_RUNTIME_DIR")
        yield


@pytest.mark.slow
@pytest.mark.waiting
def test_slurm_starts_and_comes_back(switch: Switch, lab: Laboratory, short_paths: None) -> None:
    del short_paths
    if any(requirements.find(name) is None for name in ("slurmctld", "slurmd", "munged")):
        pytest.skip("Slurm and munge are not here")
    name = f"{lab.name}-s"
    try:
        made = lifecycle.up(lifecycle.LabRequest(name=name, n_nodes=2, switch=switch, slurm=True))
        client = doors_of(made)
        assert daemons.states(client) == {"n1": "idle", "n2": "idle"}
        client.command("head", ["pkill", "-x", "slurmctld"])
        client.command(SUPERVISOR, ["pkill", "-x", "munged"])
        wait_until(lambda: "munged" not in client.programs(SUPERVISOR))
        wait_until(lambda: "slurmctld" not in client.programs("head"))
        assert changes.heal(name, "head", switch) == ["munged started", "slurmctld started"]
        assert changes.kill(name, "n2")
        assert changes.heal(name, "n2", switch)[:2] == ["started", "slurmd started"]
        client.command("head", ["scontrol", "update", "nodename=n1", "state=drain", "reason=x"])
        assert changes.heal(name, "n1", switch) == ["back in Slurm"]
        client.operate(SUPERVISOR, "kill", nodes=["head"])
        with pytest.raises(UsageError, match=r"head .* is dead"):
            changes.heal(name, "n1", switch)
    finally:
        assert lifecycle.down(name)


@pytest.mark.slow
@pytest.mark.waiting
def test_a_head_heals_whatever_is_the_matter_with_others(
    switch: Switch, lab: Laboratory, short_paths: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    del short_paths
    needed = ("slurmctld", "slurmd", "munged", "slurmdbd", "mariadbd", "mariadb-install-db")
    if missing := [name for name in needed if requirements.find(name) is None]:
        pytest.skip(f"{missing[0]} is not here")
    name = f"{lab.name}-d"
    order = lifecycle.LabRequest(
        name=name, n_nodes=3, switch=switch, slurm=True, accounting="slurmdbd"
    )
    try:
        client = doors_of(lifecycle.up(order))
        cluster = client.command("head", ["sacctmgr", "-n", "-P", "show", "cluster"]).out
        assert cluster.split("|")[0] == name
        assert changes.unwell(name) == {}
        client.command("head", ["pkill", "-9", "-x", "mariadbd"])
        assert changes.heal(name, "head", switch) == ["mariadbd started"]
        changes.cut(name, "n1")
        changes.kill(name, "n2")
        client.operate(SUPERVISOR, "kill", nodes=["head"])
        assert changes.unwell(name) == {"head": "dead", "n1": "cut off", "n2": "dead"}
        services = ["mariadbd started", "slurmdbd started", "slurmctld started"]
        # It does not wait for daemons of other nodes: this would take longer than a test may.
        monkeypatch.setattr(daemons, "_SETTLE_SECONDS", 3600.0)
        assert changes.heal(name, "head", switch) == ["started", *services]
        client.command("head", ["scontrol", "update", "nodename=n3", "state=drain", "reason=x"])
        assert changes.heal(name, "head", switch) == []
        ills = {"n1": "cut off", "n2": "dead", "n3": "drained in Slurm"}
        assert changes.unwell(name) == ills
        changes.cut(name, "head")
        assert changes.heal(name, "n1", switch) == ["connected"]  # Slurm cannot see it
        assert changes.heal(name, "head", switch) == ["connected"]
    finally:
        assert lifecycle.down(name)


def test_a_program_that_goes_into_the_background_may_be_missed_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    looks = iter([{}, {"slurmdbd": [7]}])
    monkeypatch.setattr(LabClient, "programs", lambda *_: next(looks))
    assert programs.runs(LabClient(tmp_path), "head", "slurmdbd")
    monkeypatch.setattr(LabClient, "programs", lambda *_: {})
    assert not programs.runs(LabClient(tmp_path), "head", "slurmdbd")
