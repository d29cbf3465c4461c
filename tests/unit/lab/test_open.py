"""Labs open to other users of the computer: visible files, and the entrance."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from heorot.errors import SetupError, UsageError
from heorot.lab import lifecycle, requirements, storage
from heorot.lab.inside import node
from heorot.lab.model import Laboratory
from heorot.lab.slurm import users
from heorot.lab.slurm.configuration import environment, slurm_conf, slurmdbd_conf
from heorot.lab.switch import Switch
from heorot.model.machine.site import Site
from heorot.session import laboratory as session
from tests.unit.lab.conftest import a_program

NOBODY = 65534


@pytest.fixture
def paper(paper: Laboratory) -> Laboratory:
    """The same lab, open."""
    return paper.model_copy(update={"is_open": True})


@pytest.fixture
def parent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A place where all users may write, and only owners rename."""
    folder = tmp_path / "var"
    folder.mkdir()
    folder.chmod(0o1777)
    monkeypatch.setattr(users, "PARENT", folder)
    return folder


@pytest.fixture
def directory(home: Path, parent: Path, paper: Laboratory) -> Path:
    """A lab without processes, and its files for other users."""
    assert parent.is_dir()
    directory = storage.directory_of(paper.name)
    assert home in directory.parents
    storage.make_private(directory)
    storage.save(directory, paper)
    users.make(directory)
    users.furnish(paper, directory, ["/tmp/a"])  # noqa: S108 (a name only)
    return directory


def require_root() -> None:
    if os.geteuid() != 0:
        pytest.skip("only root gives files to others, and becomes another user")


def test_daemons_keep_their_files_and_users_see_what_they_need(
    paper: Laboratory, tmp_path: Path
) -> None:
    folder = users.folder_of(tmp_path)
    lines = slurm_conf(paper, tmp_path, 4e9).splitlines()
    assert f"AuthInfo=socket={folder}/munge.socket" in lines
    assert f"JobCompLoc={folder}/jobs.txt" in lines
    assert f"StateSaveLocation={tmp_path}/slurm/state" in lines
    assert f"SlurmdPidFile={tmp_path}/slurm/%n.pid" in lines
    assert environment(tmp_path, paper) == {"SLURM_CONF": f"{folder}/slurm.conf"}
    kept = paper.model_copy(update={"accounting": "slurmdbd"})
    socket = f"socket={folder}/munge.socket"
    assert f"AccountingStoragePass={socket}" in slurm_conf(kept, tmp_path, 4e9).splitlines()
    assert f"AuthInfo={socket}" in slurmdbd_conf(kept, tmp_path).splitlines()
    closed = paper.model_copy(update={"is_open": False})
    assert str(folder) not in slurm_conf(closed, tmp_path, 4e9)


def test_each_lab_has_a_folder_of_its_own(tmp_path: Path) -> None:
    folders = {users.folder_of(tmp_path / name) for name in ("lab", "other", "else/lab")}
    assert len(folders) == 3
    assert {folder.parent for folder in folders} == {Path("/var/tmp")}  # noqa: S108 (a name only)


def test_everybody_can_read_it_and_nobody_write_it_whatever_the_umask(
    home: Path, parent: Path, paper: Laboratory
) -> None:
    assert home.is_dir()
    before = os.umask(0o077)
    try:
        directory = storage.directory_of(paper.name)
        storage.make_private(directory)
        users.make(directory)
        users.furnish(paper, directory, [])
        users.show(users.folder_of(directory) / "slurm.conf", "A=b\n")
    finally:
        os.umask(before)
    (folder,) = parent.iterdir()
    modes = {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()}
    plain = dict.fromkeys(("slurm.conf", "site.yaml", "jobs.txt", "sharing.json"), 0o644)
    assert modes == {"bin": 0o755, **plain}
    assert folder.stat().st_mode & 0o777 == 0o755
    scripts = list((folder / "bin").iterdir())
    assert {path.name for path in scripts} == set(requirements.slurm_commands("file"))
    assert {path.stat().st_mode & 0o777 for path in scripts} == {0o755}
    assert directory.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("what", ["folder", "writable", "file", "link", "loose"])
def test_what_somebody_else_made_first_is_neither_used_nor_removed(
    home: Path, parent: Path, what: str, tmp_path: Path
) -> None:
    directory = home / "heorot/labs/lab"
    folder = users.folder_of(directory)
    (tmp_path / "there").mkdir()
    if what == "folder":
        require_root()
        folder.mkdir()
        os.chown(folder, NOBODY, -1)
    elif what == "writable":
        folder.mkdir()
        folder.chmod(0o777)
    elif what == "file":
        folder.touch()
    elif what == "link":
        folder.symlink_to(tmp_path / "there")
    else:  # where others may rename what is ours
        parent.chmod(0o777)
    with pytest.raises(SetupError, match="the lab is not opened to other users: ") as refused:
        users.make(directory)
    assert str(folder) in refused.value.hint
    assert users.remove(directory) == (what == "loose")
    assert list((tmp_path / "there").iterdir()) == []
    assert os.path.lexists(folder) == (what != "loose")


def test_what_a_lab_that_died_left_is_made_anew_and_removed_with_it(directory: Path) -> None:
    folder = users.folder_of(directory)
    (folder / "munge.socket").touch()
    users.make(directory)
    assert list(folder.iterdir()) == []
    assert lifecycle.down("paper")
    assert not folder.exists()
    users.make(directory)  # and if nothing but it is left
    assert lifecycle.down("paper")
    assert not lifecycle.down("paper")


def test_the_list_of_jobs_stays_when_links_change(directory: Path, paper: Laboratory) -> None:
    folder = users.folder_of(directory)
    (folder / "jobs.txt").write_text("JobId=1\n")
    users.furnish(paper, directory, [])
    assert (folder / "jobs.txt").read_text() == "JobId=1\n"


def test_their_site_file_names_nothing_of_the_owners(directory: Path) -> None:
    folder = users.folder_of(directory)
    text = (folder / "site.yaml").read_text()
    read = Site.model_validate(YAML(typ="safe").load(text))
    assert (read.agent, read.networks[0].counters) == (None, None)
    assert read.batch is not None
    assert read.batch.commands == folder / "bin"
    assert str(directory) not in text
    assert [host.name for host in read.hosts] == ["n1", "n2", "n3"]


def test_their_commands_say_that_they_work_inside(
    directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    squeue = users.folder_of(directory) / "bin/squeue"
    done = subprocess.run([squeue], env={"PATH": ""}, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "lab run --name paper --user USER -- squeue" in done.stderr
    monkeypatch.setattr(requirements, "tool", lambda _name: "/bin/echo")
    users.furnish(storage.load("paper"), directory, [])
    for variable in (storage.MARK, "SLURM_JOB_ID"):
        said = subprocess.check_output([squeue, "a b", "$c"], env={variable: "1"})
        assert said == b"a b $c\n"


def test_who_asks_for_accounts_has_a_copy_of_the_list_of_jobs(
    directory: Path, paper: Laboratory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = users.folder_of(directory)
    show = (
        'echo "$@"; grep -c JobComp "$SLURM_CONF"; cat "$(sed -n s/^JobCompLoc=//p "$SLURM_CONF")"'
    )
    a_program(tmp_path / "sacct", f"{show}; echo $SLURM_CONF; exit 3")
    monkeypatch.setattr(requirements, "tool", lambda _name: str(tmp_path / "sacct"))
    users.furnish(paper, directory, [])
    users.show(folder / "slurm.conf", slurm_conf(paper, directory, 4e9))
    (folder / "jobs.txt").write_text("JobId=1\n")
    words = [str(folder / "bin/sacct"), "-n", "a b"]
    environment = os.environ | {storage.MARK: "1"}
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (3, "")
    *lines, conf = done.stdout.splitlines()
    assert lines == ["--completion -n a b", "2", "JobId=1"]
    assert not Path(conf).parent.exists()


def test_a_run_directory_that_nodes_cannot_see_is_told_to_them_as_well(
    directory: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = users.folder_of(directory)
    own = tmp_path / "own"
    monkeypatch.setattr(session, "OWN", (str(own),))
    monkeypatch.setattr(session, "names", list)  # as of another user, who has no lab
    sharing = {"name": "paper", "shared": [str(own / "seen")]}
    users.show(folder / "sharing.json", json.dumps(sharing))
    session.require_seen(folder / "site.yaml", own / "seen/run")
    with pytest.raises(UsageError, match="the nodes of the lab paper cannot see"):
        session.require_seen(folder / "site.yaml", own / "run")
    users.show(folder / "sharing.json", "[]")
    session.require_seen(folder / "site.yaml", own / "run")


def test_only_root_opens_a_lab_and_only_one_with_slurm(
    home: Path, parent: Path, switch: Switch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("heorot.lab.requirements.require", lambda **_given: None)
    order = lifecycle.LabRequest(name="never", n_nodes=1, switch=switch, is_open=True)
    with pytest.raises(UsageError, match="without Slurm cannot be opened to other users"):
        lifecycle.up(order)
    monkeypatch.setattr(os, "geteuid", lambda: NOBODY)
    order = lifecycle.LabRequest(name="never", n_nodes=1, switch=switch, slurm=True, is_open=True)
    with pytest.raises(SetupError, match="only root can open a lab to other users"):
        lifecycle.up(order)
    assert list(home.iterdir()) == list(parent.iterdir()) == []


@pytest.mark.parametrize(
    ("nodes", "user", "said"),
    [
        ([], "no-such-user", "this computer has no user 'no-such-user'"),
        ([], "a\0b", "this computer has no user"),
        (["n1"], "nobody", "other users log in on the head"),
        (["all"], "nobody", "other users log in on the head"),
    ],
)
def test_nobody_comes_in_otherwise(directory: Path, nodes: list[str], user: str, said: str) -> None:
    assert directory.is_dir()
    with pytest.raises(UsageError, match=said):
        session.run("paper", nodes, ["true"], user)


def test_a_closed_lab_lets_nobody_in(directory: Path, paper: Laboratory) -> None:
    storage.save(directory, paper.model_copy(update={"is_open": False}))
    with pytest.raises(UsageError, match="the lab paper is not open to other users"):
        session.run("paper", [], ["true"], "nobody")


def test_folders_above_what_nodes_share_are_as_outside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside, inside = tmp_path / "outside", tmp_path / "inside"
    (outside / "closed/work").mkdir(parents=True)
    (outside / "closed").chmod(0o700)
    inside.mkdir()
    monkeypatch.setattr(node, "OWN", (str(outside),))
    (folder,) = node._between(outside / "closed/work")
    before = os.umask(0)
    try:
        node._make_like(inside / folder.name, folder.stat())
    finally:
        os.umask(before)
    assert (inside / "closed").stat().st_mode & 0o777 == 0o700
    assert node._between(Path("/usr/share")) == []
