"""Labs that another user created first, or can change: none of their files is read or run."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from heorot.cli.main import cli
from heorot.errors import SetupError
from heorot.lab import changes, lifecycle, site, status, storage
from heorot.lab.model import Laboratory
from heorot.lab.switch import Switch
from heorot.session import laboratory

NOBODY = 65534
REFUSED = "the lab paper may be another user's"


@pytest.fixture
def directory(home: Path, paper: Laboratory) -> Path:
    """A lab of ours without processes, with all its files."""
    directory = storage.directory_of(paper.name)
    storage.make_private(directory)
    storage.save(directory, paper)
    site.write(directory, paper)
    storage.require_own(directory)
    assert home in directory.parents
    return directory


def _require_root() -> None:
    if os.geteuid() != 0:
        pytest.skip("only root gives files to others")


@pytest.mark.parametrize(
    "which", ["../..", "..", ".", "site.yaml", "agent", "lab.json", "bin", "bin/scontrol"]
)
def test_what_belongs_to_another_is_refused(directory: Path, which: str, home: Path) -> None:
    _require_root()
    taken = Path(os.path.normpath(directory / which))
    assert home in taken.parents
    os.chown(taken, NOBODY, -1)
    with pytest.raises(SetupError, match=f"{REFUSED}: {taken} belongs to"):
        storage.load("paper")
    assert storage.names() == []


@pytest.mark.parametrize(
    "which", ["../..", "..", ".", "site.yaml", "agent", "lab.json", "bin", "bin/scontrol"]
)
def test_a_link_in_the_place_of_anything_is_refused(
    directory: Path, which: str, tmp_path: Path
) -> None:
    moved, there = tmp_path / "elsewhere", Path(os.path.normpath(directory / which))
    there.rename(moved)
    there.symlink_to(moved)
    with pytest.raises(SetupError, match=f"{REFUSED}: {there} is a symbolic link"):
        storage.load("paper")


@pytest.mark.parametrize(("which", "mode"), [("../..", 0o777), ("..", 0o757), (".", 0o750)])
def test_folders_that_others_may_look_into_or_write_are_refused(
    directory: Path, which: str, mode: int
) -> None:
    Path(os.path.normpath(directory / which)).chmod(mode)
    with pytest.raises(SetupError, match=REFUSED):
        storage.load("paper")


def test_whoever_uses_a_lab_looks_first(directory: Path, switch: Switch) -> None:
    directory.chmod(0o777)
    uses = (
        lambda: status.status("paper"),
        lambda: changes.kill("paper", "n1"),
        lambda: changes.cut("paper", "n1"),
        lambda: changes.heal("paper", "n1", switch),
        lambda: changes.unwell("paper"),
        lambda: changes.shape("paper", [], switch, {}),
        lambda: laboratory.run("paper", [], ["true"]),
        lambda: laboratory.find_site_file("paper"),
        lambda: lifecycle.down("paper"),
        lambda: storage.make_private(directory),
    )
    for use in uses:
        with pytest.raises(SetupError, match=REFUSED):
            use()
    assert (directory / "agent").exists()
    assert not (directory / "lock").exists()


@pytest.mark.parametrize("words", ["doctor --probe", "evaluate --dry-run", "batch check --list"])
def test_no_command_takes_such_a_lab_for_a_site(directory: Path, words: str) -> None:
    directory.chmod(0o777)
    done = CliRunner().invoke(cli, [*words.split(), "--trust", "--site", "lab:paper"])
    assert isinstance(done.exception, SetupError)
    assert REFUSED in str(done.exception)


def test_a_lab_has_a_name_and_no_path(directory: Path) -> None:
    assert laboratory.find_site_file("paper") == directory / "site.yaml"
    assert laboratory.find_site_file("../labs/paper") is None
    assert laboratory.find_site_file("missing") is None


def test_nothing_is_made_below_what_is_anothers(home: Path, tmp_path: Path) -> None:
    (home / "heorot").symlink_to(tmp_path)
    with pytest.raises(SetupError, match="is a symbolic link"):
        storage.make_private(storage.directory_of("a"))
    assert list(tmp_path.iterdir()) == []


def test_the_place_of_another_is_not_taken(home: Path) -> None:
    _require_root()
    assert storage.directory_of("a").is_relative_to(home)
    os.chown(home, NOBODY, -1)  # as after `su`
    assert not storage.directory_of("a").is_relative_to(home)


# A file system of its own for shared directories, and a user who was there first.
_FIRST = """
mount -t tmpfs -o mode=1777 none /var/tmp && unset XDG_RUNTIME_DIR || exit 9
setpriv --reuid=65534 --regid=65534 --clear-groups sh -c '
    there=/var/tmp/heorot-0/labs/lab; mkdir -p $there; cd $there || exit 9
    printf "#!/bin/sh\\ntouch /var/tmp/ran\\nexit 1\\n" >agent; chmod 755 agent
    printf "hosts:\\n  - name: n1\\nagent: $there/agent\\n" >site.yaml' || exit 9
"$@"; echo "exit $?"
[ -e /var/tmp/ran ] && echo ran
exit 0
"""


@pytest.mark.slow
@pytest.mark.waiting
def test_the_agent_of_who_was_first_does_not_run() -> None:
    _require_root()
    if not all(map(shutil.which, ("unshare", "setpriv", "mount"))):
        pytest.skip("unshare, setpriv or mount is not here")
    words = [sys.executable, "-m", "heorot.cli.main", "doctor", "--site", "lab", "--probe"]
    done = subprocess.run(
        ["unshare", "--mount", "sh", "-c", _FIRST, "sh", *words],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        pytest.skip(f"no namespaces: {done.stderr.strip()}")
    assert done.stdout == "exit 2\n"
    assert "heorot: the lab lab may be another user's: /var/tmp/heorot-0 belongs to" in done.stderr
