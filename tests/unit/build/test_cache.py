"""The cache of builds, and errors where it cannot be."""

from __future__ import annotations

import os
import shlex
import stat
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from heorot import process
from heorot.build.programs import build, cache_directory
from heorot.build.work import Ended, Stage, Work
from heorot.errors import BuildError, SetupError
from tests.unit.build.conftest import GNU, STREAM


def test_the_cache_is_where_the_user_wants_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "x"))
    assert cache_directory() == tmp_path / "x" / "heorot"
    assert cache_directory().is_dir()
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_directory() == tmp_path / ".cache" / "heorot"


def test_programs_of_others_are_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    before = os.umask(0o002)
    try:
        cache = cache_directory()
    finally:
        os.umask(before)
    assert stat.S_IMODE(cache.stat().st_mode) == 0o700
    cache.chmod(0o777)
    with pytest.raises(SetupError, match=f"may be another user's: all users may write {cache}"):
        cache_directory()
    cache.chmod(0o755)
    assert cache_directory() == cache
    if os.geteuid() == 0:
        os.chown(cache, 65534, -1)
        with pytest.raises(SetupError, match=f"may be another user's: {cache} belongs to "):
            cache_directory()


def test_there_may_be_no_home_to_keep_builds_in(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody(_: type[Path]) -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", "/")
    with pytest.raises(SetupError, match="there is no home"):
        cache_directory()
    monkeypatch.setattr(Path, "home", classmethod(nobody))
    with pytest.raises(SetupError, match="there is no home") as caught:
        cache_directory()
    assert "XDG_CACHE_HOME" in caught.value.hint


def test_a_cache_that_cannot_be_made_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    with pytest.raises(SetupError, match="cannot keep builds"):
        cache_directory()


def test_a_relative_cache_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", "cache")
    with pytest.raises(SetupError, match="has to be an absolute path, and is cache") as caught:
        cache_directory()
    assert f"XDG_CACHE_HOME={tmp_path}/cache" in caught.value.hint
    assert list(tmp_path.iterdir()) == []


def test_a_relative_home_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", "here")
    with pytest.raises(SetupError, match=r"^HOME has to be an absolute path, and is here$"):
        cache_directory()
    assert list(tmp_path.iterdir()) == []


def test_a_cache_behind_a_link_that_leads_nowhere_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = tmp_path / "link"
    link.symlink_to("gone")
    monkeypatch.setenv("XDG_CACHE_HOME", str(link / "cache"))
    with pytest.raises(SetupError, match=rf": {link} is a link to gone, which does not exist$"):
        cache_directory()


def test_programs_can_run_from_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(os, "statvfs", lambda _: SimpleNamespace(f_flag=os.ST_NOEXEC))
    with pytest.raises(SetupError, match=r"programs cannot run from .* mounted with noexec"):
        cache_directory()


_MOUNTED = "mount -t tmpfs -o noexec none . && cd . && exec"
_CANNOT_MOUNT = not process.run(["unshare", "-m", "mount", "-t", "tmpfs", "none", "/mnt"]).ok


@pytest.mark.slow
@pytest.mark.skipif(_CANNOT_MOUNT, reason="nothing can be mounted")
def test_a_cache_on_noexec_is_told_as_users_meet_it(tmp_path: Path) -> None:
    heorot = [sys.executable, "-I", "-X", "utf8", "-m", "heorot.cli.main"]
    command = shlex.join([*heorot, "evaluate", "--profile", "smoke", "--dry-run", "--anyway"])
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    done = process.run(
        ["unshare", "-m", "sh", "-c", f"{_MOUNTED} {command}"],
        cwd=tmp_path,
        environment=environment,
        timeout_seconds=100.0,
    )
    assert done.code == 2
    line, hint = done.err.splitlines()
    assert line == (
        f"heorot: programs cannot run from {tmp_path}/heorot: "
        "its file system is mounted with noexec"
    )
    assert hint.startswith("hint: set XDG_CACHE_HOME")


@pytest.mark.parametrize("stage", ["configure", "build"])
def test_a_stage_that_takes_too_long_says_so(tmp_path: Path, stage: Stage) -> None:
    def slow(work: Work) -> Ended:
        work.log(stage).write_text("[1/2] something\nerror: killed\n")
        return Ended(stage, process.OUT_OF_TIME)

    if stage == "configure":
        with pytest.raises(BuildError, match="cannot be used: took longer than 5 min; try again"):
            build(tmp_path, GNU, [STREAM], tmp_path / "b", carry_out=slow)
    else:
        built = build(tmp_path, GNU, [STREAM], tmp_path / "b", carry_out=slow)
        assert built.failures[STREAM].startswith("took longer than 30 min")


@pytest.mark.parametrize("words", ["File too large", "File size limit exceeded (core dumped)"])
def test_a_limit_of_files_is_no_full_disk(tmp_path: Path, words: str) -> None:
    def limited(work: Work) -> Ended:
        work.log("build").write_text(f"FAILED: bin/x\n{words}\n")
        return Ended("build", 1)

    with pytest.raises(SetupError, match=r"cannot build in .*: File too large") as caught:
        build(tmp_path, GNU, [STREAM], tmp_path / "b", carry_out=limited)
    assert caught.value.hint == "allow longer files: ulimit -f unlimited"
