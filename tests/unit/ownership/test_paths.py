"""Whether only this user and root determine the file at a path."""

from __future__ import annotations

import grp
import os
import pwd
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from heorot.ownership.paths import stranger, stranger_among

NOBODY = 65534


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file of ours in two folders of ours."""
    path = tmp_path / "a" / "b" / "file"
    path.parent.mkdir(parents=True)
    path.touch()
    path.chmod(0o644)
    return path


def _give(path: Path, group: int = -1) -> None:
    """Give something to another user."""
    if os.geteuid() != 0:
        pytest.skip("only root gives files to others")
    os.chown(path, -1 if group >= 0 else NOBODY, group, follow_symlinks=False)


def test_what_only_we_can_write_is_ours(file: Path) -> None:
    assert stranger(file) is None  # although it is below /tmp
    assert stranger(Path("/etc/passwd")) is None
    assert stranger(file.parent / "missing" / "file") is None
    assert stranger(file / "below a file") is None
    assert stranger(file.parent / ".." / ".." / "a" / "b" / "file") is None


def test_a_path_counts_from_where_we_are(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(file.parent)
    file.chmod(0o666)
    assert stranger(Path("file")) == f"all users may write {file}"


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_every_component_has_to_be_ours(file: Path, depth: int) -> None:
    place = (file, *file.parents)[depth]
    _give(place)
    assert stranger(file) == f"{place} belongs to {pwd.getpwuid(NOBODY).pw_name}"


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_no_component_may_be_written_by_everybody(file: Path, depth: int) -> None:
    place = (file, *file.parents)[depth]
    place.chmod(0o757)
    assert stranger(file) == f"all users may write {place}"


def test_where_only_owners_rename_the_next_has_to_be_ours(file: Path) -> None:
    file.parent.chmod(0o1777)
    assert stranger(file) is None
    assert stranger(file.parent) == f"all users may write {file.parent}"
    _give(file)
    assert stranger(file) is not None


def test_the_owner_of_a_sticky_folder_renames_in_it(file: Path) -> None:
    file.parent.chmod(0o1777)
    _give(file.parent)
    assert stranger(file) == f"{file.parent} belongs to {pwd.getpwuid(NOBODY).pw_name}"


def test_a_group_may_write_only_if_nobody_else_is_in_it(file: Path) -> None:
    _give(file.parent, NOBODY)
    assert stranger(file) is None
    file.parent.chmod(0o775)
    name = grp.getgrgid(NOBODY).gr_name
    assert stranger(file) == f"group {name} may write {file.parent}"


def test_the_group_of_a_user_alone_is_himself(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    us, number = pwd.getpwuid(os.geteuid()).pw_name, file.stat().st_gid
    members: list[str] = []
    group = grp.struct_group((us, "x", number, members))
    monkeypatch.setattr(grp, "getgrgid", lambda _number: group)
    file.chmod(0o664)
    assert stranger(file) is None
    # With an access list the same bits mean the users in it.
    monkeypatch.setattr(os, "getxattr", lambda *_args, **_named: b"a list")
    assert stranger(file) == f"group {us} may write {file}"
    monkeypatch.undo()
    members.append("eve")
    monkeypatch.setattr(grp, "getgrgid", lambda _number: group)
    assert stranger(file) == f"group {us} may write {file}"


def test_links_are_followed_through_what_has_to_be_ours(file: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("a/b")
    (tmp_path / "round").symlink_to("round")
    assert stranger(tmp_path / "link" / "file") is None
    assert str(stranger(tmp_path / "round")).endswith("leads through too many symbolic links")
    (tmp_path / "a").chmod(0o777)
    assert stranger(tmp_path / "link" / "file") == f"all users may write {tmp_path}/a"
    (tmp_path / "a").chmod(0o755)
    assert stranger(tmp_path / "link" / ".." / "b" / "file") is None
    _give(tmp_path / "link")
    assert stranger(tmp_path / "link" / "file") is not None
    assert file.exists()


def test_of_several_the_way_to_them_does_not_count(file: Path, tmp_path: Path) -> None:
    tmp_path.joinpath("a").chmod(0o777)
    assert stranger_among([tmp_path / "missing", file.parent, file]) is None
    file.chmod(0o646)
    assert stranger_among([file.parent, file]) == f"all users may write {file}"
    file.parent.chmod(0o1777)  # others may put something there
    assert stranger_among([file.parent]) == f"all users may write {file.parent}"
    file.parent.chmod(0o755)
    _give(file)
    assert "belongs to" in str(stranger_among([file.parent, file]))


@pytest.mark.waiting
def test_in_a_container_of_a_user_root_has_no_number(file: Path, tmp_path: Path) -> None:
    _give(tmp_path / "a")
    code = "import sys; from pathlib import Path; from heorot.ownership.paths import stranger\n"
    code += "for each in sys.argv[1:]: print(stranger(Path(each)))"
    unshare = shutil.which("unshare") or pytest.skip("unshare is not here")
    done = subprocess.run(
        [unshare, "--user", "--map-user=5", sys.executable, "-c", code, file, tmp_path / "a"],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        pytest.skip(f"no user namespaces: {done.stderr.strip()}")
    above, itself = done.stdout.splitlines()
    assert above == "None"  # unknown whether root has it
    assert itself.startswith(f"{tmp_path}/a belongs to ")
