"""Directories of labs, their owners, and the required programs."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from heorot.errors import SetupError, UsageError
from heorot.lab import lifecycle, processes, requirements, storage
from heorot.lab.client import LabClient
from heorot.lab.inside.node_server import open_socket
from heorot.lab.model import Laboratory
from heorot.lab.processes import kill_marked, marked
from tests.unit.turned import TurnedClock

_NOBODY = 1 << 22  # above the largest process id


def test_labs_live_where_the_user_has_a_place(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert storage.directory_of("a") == home / "heorot/labs/a"
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(home / "missing"))
    usual = f"/var/tmp/heorot-{os.geteuid()}/labs/a"  # noqa: S108 (a name only)
    assert storage.directory_of("a") == Path(usual)


def test_a_mark_is_that_of_one_directory(tmp_path: Path) -> None:
    marks = {storage.mark_of(tmp_path / name) for name in ("a", "b", "c/a")}
    assert len(marks) == 3


def test_what_a_lab_is_is_kept(home: Path, paper: Laboratory) -> None:
    assert storage.names() == []
    directory = storage.directory_of("paper")
    assert directory.is_relative_to(home)
    storage.make_private(directory)
    assert directory.stat().st_mode & 0o777 == 0o700
    storage.save(directory, paper)
    assert storage.load("paper") == paper
    assert storage.names() == ["paper"]
    (directory / "lab.json").write_text('{"name": 1}')
    with pytest.raises(UsageError, match="damaged"):
        storage.load("paper")
    storage.clear(directory)
    with pytest.raises(UsageError, match="there is no lab paper"):
        storage.load("paper")
    assert storage.remove(directory)
    assert not storage.remove(directory)
    assert list(home.iterdir()) == []
    with pytest.raises(UsageError, match="there is no lab"), storage.locked(directory):
        pass


def test_what_a_dead_lab_left_goes_but_for_the_lock(home: Path) -> None:
    directory = storage.directory_of("a")
    assert home in directory.parents
    storage.make_private(directory)
    (directory / "slurm/state").mkdir(parents=True)
    (directory / "hosts").touch()
    with storage.locked(directory):
        storage.clear(directory)
    assert [path.name for path in directory.iterdir()] == ["lock"]


def test_one_command_at_a_time_changes_a_lab(home: Path) -> None:
    directory = storage.directory_of("a")
    assert home in directory.parents
    storage.make_private(directory)
    order = []

    def second() -> None:
        with storage.locked(directory):
            order.append("second")

    with storage.locked(directory):
        waits = threading.Thread(target=second)
        waits.start()
        waits.join(0.1)
        order.append("first")
    waits.join()
    assert order == ["first", "second"]


def test_a_directory_of_somebody_else_is_refused(home: Path, tmp_path: Path) -> None:
    (tmp_path / "theirs").mkdir()
    (home / "heorot").symlink_to(tmp_path / "theirs")
    with pytest.raises(SetupError, match="another user"):
        storage.make_private(storage.directory_of("a"))


@pytest.mark.race
def test_only_processes_with_the_very_mark_are_killed() -> None:
    own = subprocess.Popen(["sleep", "60"], env={storage.MARK: "here-1"})
    other = subprocess.Popen(["sleep", "60"], env={storage.MARK: "here-12"})
    try:
        assert marked("here-1") == [own.pid]
        reaper = threading.Thread(target=own.wait)
        reaper.start()
        assert kill_marked("here-1")
        reaper.join()
        assert other.poll() is None
        assert not kill_marked("here-1")
    finally:
        other.kill()
        other.wait()


def test_one_look_may_miss_a_process(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = iter([[], [_NOBODY], [], [_NOBODY], [], []])
    monkeypatch.setattr(processes, "marked", lambda _mark: next(seen))
    assert kill_marked("here-1", TurnedClock())
    assert next(seen, None) is None


def test_a_lab_whose_processes_do_not_end_is_told_and_its_directory_stays(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    directory, clock = storage.directory_of("a"), TurnedClock()
    assert home in directory.parents
    storage.make_private(directory)
    monkeypatch.setattr(processes, "marked", lambda _mark: [_NOBODY])
    with pytest.raises(SetupError, match=f"processes of the lab do not end: {_NOBODY}$"):
        lifecycle.down("a", clock)
    assert directory.is_dir()
    assert clock.monotonic() == pytest.approx(10.0, abs=0.1)


def test_a_node_that_takes_its_time_is_not_taken_for_dead(tmp_path: Path) -> None:
    (tmp_path / "doors").mkdir()
    client = LabClient(tmp_path, patience_seconds=0.02)
    with open_socket(tmp_path / "doors", "n1"):  # without a server
        for ask in (
            lambda: client.operate("n1", "look"),
            lambda: client.command("n1", ["true"]),
            lambda: client.detach("n1", ["true"], tmp_path / "log"),
        ):
            with pytest.raises(SetupError, match="is alive, but has not answered for 20 ms"):
                ask()
    with pytest.raises(UsageError, match="is dead"):
        client.command("n1", ["true"])


def test_we_and_those_who_started_us_are_never_killed() -> None:
    code = (
        "from heorot.lab.processes import kill_marked, marked\n"
        "print(marked('us-1'), kill_marked('us-1'))"
    )
    environment = os.environ | {storage.MARK: "us-1"}
    done = subprocess.run(
        ["bash", "-c", f'"{sys.executable}" -c "{code}"; true'],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.returncode) == ("[] False\n", 0)


def test_what_is_missing_is_named_with_the_command_that_brings_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    there = {"ip", "tc"}
    monkeypatch.setattr(requirements, "find", lambda name: name if name in there else None)
    requirements.require(slurm=False)
    with pytest.raises(SetupError, match="slurmctld is missing") as refused:
        requirements.require(slurm=True)
    assert "slurm" in refused.value.hint
    there |= {"slurmctld", "slurmd", "munged", *requirements.slurm_commands("file")}
    requirements.require(slurm=True)
    for name, package in (
        ("slurmdbd", "slurmdbd"),
        ("mariadbd", "mariadb-server"),
        ("mariadb-install-db", "mariadb-server"),
        ("sacctmgr", "slurm"),
    ):
        with pytest.raises(SetupError, match=f"{name} is missing") as refused:
            requirements.require(slurm=True, accounting="slurmdbd")
        assert package in refused.value.hint
        there.add(name)
    requirements.require(slurm=True, accounting="slurmdbd")
    there.remove("tc")
    with pytest.raises(SetupError, match="tc is missing") as refused:
        requirements.require(slurm=False)
    assert "iproute" in refused.value.hint


@pytest.mark.parametrize(
    ("manager", "command"),
    [
        ("dnf", "dnf install -y iproute"),
        ("zypper", "zypper install -y iproute2"),
        ("apt", "apt-get"),
    ],
)
def test_each_system_has_its_own_command(
    monkeypatch: pytest.MonkeyPatch, manager: str, command: str
) -> None:
    monkeypatch.setattr(
        "heorot.lab.requirements.shutil.which", lambda name: name if name == manager else None
    )
    assert command in requirements.command("iproute2")


def test_programs_are_found_where_administrators_have_them_and_not_in_labs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin/sbatch-of-a-test"
    program.touch(0o755)
    monkeypatch.setenv("PATH", str(program.parent))
    assert requirements.tool("sbatch-of-a-test") == str(program)
    (tmp_path / "lab.json").touch()
    assert requirements.find("sbatch-of-a-test") is None
    assert requirements.tool("sbatch-of-a-test") == "sbatch-of-a-test"


def test_what_lies_below_the_nodes_own_directories_is_shared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lifecycle, "OWN", (str(tmp_path),))
    for name in ("a/b", "c", "lab"):
        (tmp_path / name).mkdir(parents=True)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "missing"))
    monkeypatch.chdir("/")
    wanted = [tmp_path / "a", tmp_path / "a/b", Path("/usr"), tmp_path]
    shared = lifecycle.shared_directories(wanted, tmp_path / "lab")
    assert shared == [str(tmp_path / "a"), str(tmp_path / "lab")]
