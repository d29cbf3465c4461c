"""Parts inside of a lab, here outside of one: node server, agent, inspection."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from heorot.lab.inside import agent, kernel, supervisor
from heorot.lab.inside.inspection import inspect, traffic
from heorot.lab.inside.node import LabSettings
from heorot.lab.inside.node_server import NodeServer, ServedNode, environment_of, open_socket
from heorot.lab.inside.supervisor import Supervisor, may_administer
from tests.waiting import wait_until

# Output of a Linux 6.1.
TABLE = """\
Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop
    lo:     120       2    0    0    0     0          0         0      120       2    0    0
  eth0: 2665880    1863    0    0    0     0          0         0   180224    1302    0    0
"""
SERVE = """
from pathlib import Path
from heorot.lab.inside.node_server import NodeServer, ServedNode, open_socket
added, default = {"MARK": "lab", "GONE": ""}, {"MINE": "default"}
node = ServedNode(added, default, {"echo": lambda request: request})
NodeServer(open_socket(Path("doors"), "n1"), node).serve()
"""


class _Done(Exception):  # noqa: N818 (no error: it ends an endless server)
    """The test has seen enough."""


def test_traffic_is_that_of_one_interface() -> None:
    assert traffic(TABLE, "eth0") == (2665880, 180224)
    assert traffic(TABLE, "eth1") == (0, 0)


def test_a_node_knows_its_processes() -> None:
    child = subprocess.Popen(["sleep", "60"])
    try:
        seen = inspect({})
        assert child.pid in seen["programs"]["sleep"]
        assert os.getpid() not in [pid for pids in seen["programs"].values() for pid in pids]
        assert seen["memory_bytes"] > 0
        assert seen["cpu_seconds"] >= 0.0
    finally:
        child.kill()
        child.wait()


@pytest.mark.parametrize(
    ("status", "may"),
    [
        ("Name:\tx\nCapEff:\t000001ffffffffff\n", True),
        ("CapEff:\t0000000000201000\n", True),
        ("CapEff:\t0000000000001000\n", False),
        ("CapEff:\t0000000000000000\n", False),
        ("", False),
    ],
)
def test_who_is_an_administrator(status: str, may: bool) -> None:
    assert may_administer(status) is may


def test_what_the_kernel_refuses_is_an_error_with_words(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="cannot mount nothing"):
        kernel.mount("", str(tmp_path), "nothing")
    with pytest.raises(OSError, match="namespaces"):
        kernel.separate(1)
    kernel.set_offloads("no-such-card", segmentation=True, checksum=True)


def test_the_environment_of_a_command(tmp_path: Path) -> None:
    node = ServedNode({"MARK": "lab", "GONE": ""}, {"MINE": "default", "OTHER": "x"}, {})
    asked = {"MARK": "old", "GONE": "1", "MINE": "own", "TMPDIR": "/missing", "TMP": str(tmp_path)}
    assert environment_of(asked, node) == {
        "MARK": "lab",
        "MINE": "own",
        "OTHER": "x",
        "TMP": str(tmp_path),
    }


@pytest.fixture
def laboratory(tmp_path: Path) -> Iterator[Path]:
    """A directory with the open socket of n1."""
    (tmp_path / "doors").mkdir()
    (tmp_path / "hosts").write_text("127.0.0.1 localhost\n10.73.0.1 n1\n")
    with subprocess.Popen([sys.executable, "-c", SERVE], cwd=tmp_path) as server:
        try:
            wait_until((tmp_path / "doors/n1").exists)
            yield tmp_path
        finally:
            server.kill()


def command(laboratory: Path, *words: str) -> list[str]:
    """The arguments of the agent."""
    return [sys.executable, "-I", "-S", agent.__file__, str(laboratory), *words]


def ask(laboratory: Path, *words: str, text: str = "") -> tuple[int, str, str]:
    """Exit code, output and errors of the agent."""
    done = subprocess.run(
        command(laboratory, *words), input=text, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout, done.stderr


def test_the_agent_hands_over_streams_and_exit_codes(laboratory: Path) -> None:
    assert ask(laboratory, "n1", "cat;", "exit 5", text="words") == (5, "words", "")
    assert ask(laboratory, "-l", "me", "-x", "10.73.0.1", "echo $MARK$MINE$GONE")[1] == (
        "labdefault\n"
    )
    assert ask(laboratory, "n1.cluster", "kill -9 $$")[0] == 128 + 9
    assert ask(laboratory, "--exactly", "n1", "echo", "$MARK", "a b")[1] == "$MARK a b\n"
    assert ask(laboratory, "--exactly", "n1", "no-such-program") == (
        127,
        "",
        "no-such-program: No such file or directory\n",
    )


def test_nobody_is_waited_for_in_vain(laboratory: Path) -> None:
    assert ask(laboratory, "n2", "true") == (255, "", "heorot lab: node n2 does not answer\n")
    assert ask(laboratory)[0] == 255
    assert ask(laboratory / "missing", "n1", "true")[0] == 255


@pytest.mark.race
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_the_end_of_the_agent_is_that_of_the_command(laboratory: Path, number: int) -> None:
    many = "$(seq 2000)"  # it ends by itself if it is not killed
    line = f"trap 'echo caught; exit 3' TERM HUP; echo $$; for i in {many}; do sleep 0.02; done"
    with subprocess.Popen(
        command(laboratory, "n1", line), stdout=subprocess.PIPE, text=True
    ) as caller:
        assert caller.stdout is not None
        pid = int(caller.stdout.readline())
        caller.send_signal(number)
        said = caller.stdout.read()
        code = caller.wait(timeout=30.0)
    assert (code, said) == ((-9, "") if number == signal.SIGKILL else (3, "caught\n"))
    wait_until(lambda: not Path(f"/proc/{pid}").exists())


EARLY = """
import os, signal, sys
from heorot.lab.inside import agent
send = agent.ask
def ask(*request):
    send(*request)
    os.kill(os.getpid(), signal.SIGHUP)
agent.ask = ask
sys.exit(agent.main())
"""


def test_a_signal_that_comes_before_it_is_expected_is_passed_on(laboratory: Path) -> None:
    words = [str(laboratory), "n1", "exec sleep 60"]
    done = subprocess.run([sys.executable, "-c", EARLY, *words], check=False, timeout=30.0)
    assert done.returncode == 128 + signal.SIGHUP


def served(folder: Path, caller: Callable[[], None], stop: Callable[[], bool]) -> None:
    """Serve a socket in this process until a client has its answer."""

    def end(_request: object) -> dict[str, Any]:
        raise _Done

    def hard(_request: object) -> dict[str, Any]:
        raise OSError(1, "too hard")

    node = ServedNode({}, {}, {"end": end, "hard": hard, "easy": lambda _request: {"done": 1}})

    def call() -> None:
        try:
            caller()
            wait_until(stop)
        finally:
            with closing(agent.connect(folder.parent, "n1")) as connection:
                agent.ask(connection, {"operation": "end"}, (0, 1, 2))

    listener = open_socket(folder, "n1")
    thread = threading.Thread(target=call)
    before = signal.getsignal(signal.SIGCHLD)
    thread.start()
    try:
        with pytest.raises(_Done):
            NodeServer(listener, node).serve()
    finally:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, before)
        thread.join()
        listener.close()


def test_a_door_answers_every_kind_of_caller(tmp_path: Path) -> None:
    folder = tmp_path / "doors"
    folder.mkdir()
    answers: list[dict[str, Any]] = []
    out = tmp_path / "out"
    line = f"echo $$ > {tmp_path}/.pid; mv {tmp_path}/.pid {tmp_path}/pid; sleep 60"

    def one(request: dict[str, Any]) -> None:
        with out.open("ab") as file, closing(agent.connect(tmp_path, "n1")) as connection:
            agent.ask(connection, request, (0, file.fileno(), file.fileno()))
            answers.append(agent.answer(connection))

    def calls() -> None:
        for operation in ("easy", "hard", "unknown"):
            one({"operation": operation})
        one(agent.request_to_run(["sh", "-c", "exit 4"]))
        one(agent.request_to_run(["sh", "-c", "echo later"], detached=True))
        agent.connect(tmp_path, "n1").close()
        with closing(agent.connect(tmp_path, "n1")) as connection:
            socket.send_fds(connection, [agent.LENGTH.pack(100)], [0, 1, 2])
            connection.sendall(b"{")
        with closing(agent.connect(tmp_path, "n1")) as connection:
            agent.ask(connection, agent.request_to_run(["sleep", "60"]), (0, 1, 2))
            connection.send(bytes([signal.SIGTERM]))
            answers.append(agent.answer(connection))
        with closing(agent.connect(tmp_path, "n1")) as connection:
            agent.ask(connection, agent.request_to_run(["sh", "-c", line]), (0, 1, 2))
            wait_until((tmp_path / "pid").exists)

    def is_over() -> bool:
        pid = (tmp_path / "pid").read_text().strip()
        return out.read_text() == "later\n" and not Path(f"/proc/{pid}").exists()

    served(folder, calls, is_over)
    assert answers[0] == {"done": 1}
    assert "too hard" in answers[1]["error"]
    assert "unknown" in answers[2]["error"]
    assert answers[3] == {"exit": 4}
    assert answers[4]["pid"] > 0
    assert answers[5] == {"exit": 128 + signal.SIGTERM}


def test_a_node_that_dies_amid_an_answer_is_dead() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall(b'{"exit"')
        theirs.close()
        with pytest.raises(agent.DeadNodeError):
            agent.answer(ours)


@pytest.mark.waiting
@pytest.mark.timeout(20)
def test_a_node_that_cannot_be_killed_is_not_waited_for_without_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor, "_KILL_SECONDS", 0.1)
    monkeypatch.setattr(os, "kill", lambda *_: None)
    with subprocess.Popen(["sleep", "60"]) as stuck:
        one = Supervisor(LabSettings(tmp_path, (), {}, {}))
        one._nodes["n1"] = stuck.pid
        assert one.kill({"nodes": ["n1"]}) == {"nodes": {}}
        assert stuck.poll() is None
        monkeypatch.undo()
        stuck.kill()
