"""Labs as users have them: made, used, damaged and ended by the command line."""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from heorot.lab.storage import mark_of
from tests.end_to_end.lab.conftest import USER, Lab, LabMaker
from tests.end_to_end.labs import need, slurm_lab
from tests.end_to_end.running import N_KILLS_AT_NIGHT, started
from tests.waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.waiting, pytest.mark.timeout(600)]

PROBE = Path(__file__).with_name("probe.py")
ALL_PROTOCOLS = 3
# How all hardware addresses of labs begin.
OF_A_LAB = bytes((2, 0, 0x0A, 0x49, 0))


def outside() -> tuple[list[str], list[str]]:
    """Interfaces and mounts of this computer, as seen from outside, except mounts of tests."""
    interfaces = sorted(name for _, name in socket.if_nameindex())
    mounts = Path("/proc/self/mounts").read_text(encoding="utf-8").splitlines()
    return interfaces, [line for line in mounts if not line.split()[1].endswith("/small")]


def frames(wire: socket.socket) -> Iterator[bytes]:
    """The addresses of all that has come so far; there is always more on some computers."""
    deadline = time.monotonic() + 10.0
    with suppress(BlockingIOError):
        while time.monotonic() < deadline:
            yield wire.recv(1 << 16)[:12]


def probe(lab: Lab, there: str = "n2", here: str = "n1") -> tuple[float, float]:
    """The one-way latency [s] and the rate [B/s] between two nodes."""
    server = lab.start(there, sys.executable, PROBE, "serve")
    assert server.stdout is not None
    assert server.stdout.readline() == "ready\n"
    latency = float(lab.on(here, sys.executable, PROBE, "ask", there))
    rate, _ = server.communicate(timeout=30.0)
    return latency, float(rate)


def test_what_is_missing_skips_a_test_and_what_does_not_come_up_fails_it() -> None:
    with pytest.raises(pytest.skip.Exception, match="no-such-program is not here"):
        need("no-such-program")
    with (
        pytest.raises(AssertionError, match="the lab did not come up: "),
        slurm_lab("--nodes", "none"),
    ):
        pass


def test_who_waits_in_vain_says_what_there_was() -> None:
    with pytest.raises(AssertionError, match=r"not within 0\.2 s, there is: 'nothing'"):
        wait_until(lambda: False, 0.2, lambda: "nothing")


def test_a_lab_comes_and_goes_and_leaves_nothing(make: LabMaker) -> None:
    before = outside()
    lab = make("a", "--nodes", "3", "--cpus", "1")
    assert lab.do("run", "--", "hostname") == "head\n"
    lines = lab.do("run", "--nodes", "n1,n3", "--", "hostname").splitlines()
    assert sorted(lines) == ["n1: n1", "n3: n3"]
    assert lab("run", "--nodes", "all", "--", "sh", "-c", "exit $(hostname | tr -d n)").code == 3
    status = lab.do("status")
    assert status.count(" alive ") == 4
    assert outside() == before
    assert "is gone" in lab.do("down")
    assert outside() == before
    assert lab.processes() == []
    assert not lab.directory.exists()
    assert "there is no lab" in lab.do("down")
    assert "hint: make one" in lab("status").err


def test_nodes_have_their_own_temporary_directories_and_share_the_rest(
    make: LabMaker, tmp_path: Path
) -> None:
    (tmp_path / "seen").mkdir()
    lab = make("a", "--nodes", "2", "--shared", tmp_path / "seen")
    lab.on("n1", "touch /tmp/mine /dev/shm/mine", tmp_path / "seen/ours")
    assert "mine" not in lab.on("n2", "ls /tmp /dev/shm")
    assert lab.on("n2", "ls", tmp_path / "seen") == "ours\n"
    assert not Path("/dev/shm/mine").exists()  # noqa: S108 (it is not there)
    # Each node sees its own processes and interfaces alone.
    assert lab.on("n1", "ls /sys/class/net").split() == ["eth0", "lo"]
    assert int(lab.on("n1", "ls -d /proc/[0-9]* | wc -l")) < 10


def test_the_agent_is_like_rsh(make: LabMaker) -> None:
    lab = make("a", "--nodes", "2")
    agent = lab.directory / "agent"
    done = subprocess.run(
        [agent, "n1", "cat; exit 7"], input="words", capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (7, "words")
    assert lab.on("n1", agent, "n2", "hostname") == "n2\n"  # from node to node, too
    assert lab.on("10.73.0.2", "hostname") == "n2\n"
    assert subprocess.run([agent, "n9", "true"], capture_output=True, check=False).returncode == 255
    for number in (signal.SIGTERM, signal.SIGKILL):
        client = lab.start("n1", "echo here; sleep 1234; true")
        assert client.stdout is not None
        assert client.stdout.readline() == "here\n"
        wait_until(lambda: "sleep" in lab.running("n1"))
        client.send_signal(number)
        client.wait(timeout=10.0)
        client.stdout.close()
        wait_until(lambda: "sleep" not in lab.running("n1"))


def test_two_labs_never_meet_and_nothing_gets_out(make: LabMaker) -> None:
    need("setpriv")
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ALL_PROTOCOLS)) as wire:
        wire.setblocking(False)
        one, other = make("a", "--nodes", "2"), make("b", "--nodes", "2")
        server = one.start("n2", sys.executable, PROBE, "serve")
        assert server.stdout is not None
        assert server.stdout.readline() == "ready\n"
        connect = "exec 3<>/dev/tcp/10.73.0.2/5000"
        assert one("run", "--nodes", "n1", "--", "bash", "-c", connect).code == 0
        assert other("run", "--nodes", "n1", "--", "bash", "-c", connect).code != 0
        server.kill()
        server.communicate()
        probe(one)
        assert [frame for frame in frames(wire) if OF_A_LAB in frame] == []
    one.do("down")
    assert other.do("run", "--", "hostname") == "head\n"


def test_nodes_die_are_cut_off_and_come_back(make: LabMaker) -> None:
    lab = make("a", "--nodes", "2")
    reach = ("run", "--nodes", "n1", "--", "timeout", "2", "bash", "-c", "</dev/tcp/n2/1")
    assert "refused" in lab(*reach).err
    assert "is dead" in lab.do("kill", "n2")
    assert "dead already" in lab.do("kill", "n2")
    dead = lab("run", "--nodes", "n2", "--", "true")
    assert dead.code == 2
    assert "lab heal n2" in dead.err
    assert "  n2   dead" in lab.do("status")
    assert "started" in lab.do("heal", "n2")
    assert "refused" in lab(*reach).err
    assert "is cut off" in lab.do("cut", "n2")
    assert "cut off already" in lab.do("cut", "n2")
    assert lab(*reach).code == 124  # no answer at all
    assert "connected" in lab.do("heal", "n2")
    assert "refused" in lab(*reach).err
    assert "is well" in lab.do("heal", "n2")
    assert "has no node n7" in lab("heal", "n7").err


@pytest.mark.alone
def test_links_are_as_fast_and_as_long_as_asked_for(make: LabMaker) -> None:
    need("c++")
    lab = make("a", "--nodes", "2")
    base, free = probe(lab)
    assert free > 100e6
    lab.do("shape", "--bandwidth", "100mbit", "--latency", "200us")
    latency, rate = probe(lab)
    assert latency - base == pytest.approx(200e-6, rel=0.25)
    assert 11.0e6 < rate < 12.5e6
    assert "rate_bits: 100.0e" in (lab.directory / "site.yaml").read_text()
    # Both ways, and one node alone.
    assert 11.0e6 < probe(lab, "n1", "n2")[1] < 12.5e6
    lab.do("shape", "n2", "--bandwidth", "40mbit", "--latency", "none")
    latency, rate = probe(lab)
    assert latency - base == pytest.approx(100e-6, rel=0.4)  # half of that of n1
    assert 4.4e6 < rate < 5.0e6
    lab.do("shape", "--bandwidth", "none", "--latency", "none")
    assert probe(lab)[1] > 100e6


def test_without_root_a_lab_is_the_same_but_for_slurm(make: LabMaker) -> None:
    need("setpriv", "c++")
    lab = make("u", "--nodes", "2", "--latency", "100us", "--bandwidth", "1gbit", prefix=USER)
    assert "without root" in lab.do("status")
    assert lab.do("run", "--nodes", "n1", "--", "hostname") == "n1\n"
    assert probe(lab)[0] > 90e-6
    refused = Lab(f"{lab.name}s", USER)("up", "--slurm")
    assert refused.code == 2
    assert "needs root" in refused.err
    lab.do("kill", "n1")
    lab.do("heal", "n1")
    lab.do("down")
    assert lab.processes() == []


@pytest.mark.parametrize("damage", ["supervisor", "node", "record", "directory"])
def test_down_works_whatever_is_broken(make: LabMaker, damage: str) -> None:
    lab = make("a", "--nodes", "2")
    directory, mark = lab.directory, mark_of(lab.directory)
    assert mark.startswith(lab.name)
    busy = lab.start("n2", "sleep 1234")
    if damage in {"supervisor", "node"}:
        holders = sorted(lab.processes())
        os.kill(holders[0] if damage == "supervisor" else holders[-2], signal.SIGKILL)
    elif damage == "record":
        (directory / "lab.json").write_text("{")
        assert "is damaged" in lab("status").err
    else:
        for path in directory.iterdir():
            if path.is_file():
                path.unlink()
    assert "is gone" in lab.do("down")
    busy.communicate(timeout=10.0)
    assert lab.processes() == []
    assert not directory.exists()


@pytest.mark.race
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_whatever_ends_heorot_amid_up_down_leaves_nothing(
    make: LabMaker, number: signal.Signals
) -> None:
    lab = make("a", "--nodes", "1")
    lab.do("down")
    with started("lab", "up", "--name", lab.name, "--nodes", "64") as command:
        wait_until(lab.processes)
        command.send_signal(number)
        command.wait(timeout=20.0)
    if number == signal.SIGKILL:
        lab.do("down")
    assert lab.processes() == []
    assert not lab.directory.exists()


@pytest.mark.nightly
@pytest.mark.race
@pytest.mark.timeout(6 * 3600)
def test_hundreds_of_kills_leave_nothing(make: LabMaker) -> None:
    lab = make("a", "--nodes", "1")
    lab.do("down")
    moments = random.Random(N_KILLS_AT_NIGHT)  # noqa: S311 - moments, not secrets
    for number in range(200 * N_KILLS_AT_NIGHT // 1000):
        words = ("down",) if number % 3 == 2 and lab.directory.exists() else ("up", "--nodes", "4")
        with started("lab", words[0], "--name", lab.name, *words[1:]) as command:
            time.sleep(0.05 * 60.0 ** moments.random())
            command.kill()
        if moments.random() < 0.5 and lab.directory.exists():
            lab.do("down")
        if not lab.directory.exists():
            assert lab.processes() == []
    if lab.directory.exists():
        lab.do("down")
    assert lab.processes() == []
