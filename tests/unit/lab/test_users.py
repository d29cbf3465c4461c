"""Another user's command in an open lab: it has that user's rights, or does not run."""

from __future__ import annotations

import os
import pwd
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from heorot.lab.client import LabClient
from heorot.lab.inside import agent
from heorot.lab.model import Laboratory
from heorot.lab.slurm import users
from tests.waiting import wait_until

SERVE = """
from pathlib import Path
from heorot.lab.inside.node_server import NodeServer, ServedNode, open_socket
node = ServedNode({"MARK": "lab"}, {"AGENT": "root's"}, {})
NodeServer(open_socket(Path("doors"), "head"), node).serve()
"""


@pytest.fixture
def paper(paper: Laboratory) -> Laboratory:
    """The same lab, open."""
    return paper.model_copy(update={"is_open": True})


@pytest.fixture
def head(tmp_path: Path) -> Iterator[Path]:
    """The directory of a lab with the open socket of its head."""
    directory = tmp_path / "lab"
    directory.mkdir(mode=0o700)
    (directory / "doors").mkdir()
    with subprocess.Popen([sys.executable, "-c", SERVE], cwd=directory) as server:
        try:
            wait_until(lambda: LabClient(directory).lives("head"))
            yield directory
        finally:
            server.kill()


SHOW = (
    "id -ru; id -rg; id -G; umask; pwd; env | sort | cut -d= -f1 | xargs; "
    "grep CapEff /proc/self/status | cut -f2"
)


def ask(head: Path, paper: Laboratory, out: Path, *words: str) -> tuple[int, list[str]]:
    """Run a command as an unprivileged user; its exit code and lines."""
    request = agent.request_to_run(words) | dict(users.request_as("nobody", paper, head))
    with out.open("wb") as file, closing(agent.connect(head, "head")) as connection:
        agent.ask(connection, request, (0, file.fileno(), file.fileno()))
        code = agent.answer(connection)["exit"]
    return code, out.read_text().splitlines()


def test_a_command_of_another_user_has_his_rights_and_nothing_of_ours(
    head: Path, paper: Laboratory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root becomes another user")
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setenv("SECRET", "ours")
    monkeypatch.chdir(head)  # where that user has no access
    code, lines = ask(head, paper, tmp_path / "out", "/bin/sh", "-c", SHOW)
    account = pwd.getpwnam("nobody")
    groups = os.getgrouplist("nobody", account.pw_gid)
    assert code == 0
    assert lines[:2] == [str(account.pw_uid), str(account.pw_gid)]
    assert set(map(int, lines[2].split())) == set(groups)
    assert lines[3:5] == ["0022", "/"]
    names = {"HOME", "LOGNAME", "MARK", "PATH", "SHELL", "TERM", "USER"}
    kept = {"LANG", "LC_ALL", "TZ"} & set(os.environ)
    assert set(lines[5].split()) - {"PWD", "OLDPWD", "SHLVL", "_"} == names | kept
    assert int(lines[6], 16) == 0


def test_what_cannot_become_another_user_does_not_run(
    head: Path, paper: Laboratory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    as_nobody = dict(users.request_as("nobody", paper, head))
    for broken in ({"uid": -2}, {"gid": -2}, {"groups": [-2]}, {"groups": None}):
        user = as_nobody["user"] | broken
        monkeypatch.setattr(users, "request_as", lambda *_: as_nobody | {"user": user})  # noqa: B023
        code, _ = ask(head, paper, tmp_path / "out", "touch", str(tmp_path / "ran"))
        assert code == 127
    assert not (tmp_path / "ran").exists()
