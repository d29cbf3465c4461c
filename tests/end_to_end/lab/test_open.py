"""An open lab: two ordinary users of this computer share its Slurm, and root keeps them apart."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import heorot as package
from heorot.lab.slurm.users import folder_of
from heorot.lab.storage import directory_of
from heorot.process import Finished
from tests.end_to_end.labs import need, slurm_lab
from tests.end_to_end.running import heorot
from tests.waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.waiting, pytest.mark.timeout(300)]

A, B = "nobody", "daemon"


@pytest.fixture
def work() -> Iterator[Path]:
    """A folder that all nodes see, with one of each user that no other user can enter."""
    need("setpriv")
    # Not below /tmp, where each node has its own.
    folder = Path(tempfile.mkdtemp(prefix="heorot-test-", dir="/var/tmp"))
    try:
        folder.chmod(0o755)
        for user in (A, B):
            (folder / user).mkdir(mode=0o700)
            shutil.chown(folder / user, user)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def as_user(lab: str, user: str, *words: str | Path) -> Finished:
    """Run a command in a lab as one of its users."""
    enter = ("lab", "run", "--name", lab, "--user", user, "--")
    return heorot(*enter, *words, HEOROT_WORD="of root")


def do(lab: str, user: str, *words: str | Path) -> str:
    """The same of a command that has to succeed; return its output."""
    done = as_user(lab, user, *words)
    assert done.ok, f"{user}: {words}: {done}"
    return done.out.strip()


def outside(user: str, *words: str | Path) -> Finished:
    """Run a command outside of all labs as a user."""
    own = ("setpriv", f"--reuid={user}", "--regid=65534", "--clear-groups")
    done = subprocess.run(
        [*own, *words], env={"PATH": "/usr/bin:/bin"}, capture_output=True, text=True, check=False
    )
    return Finished(done.returncode, done.stdout, done.stderr)


def submit(lab: str, user: str, folder: Path) -> str:
    """Submit a job that takes its time; its number, when it runs."""
    wrap = f"id -un; echo ${{HEOROT_WORD-none}}; touch {folder / 'mine'}; sleep 250"
    job = do(lab, user, "sbatch", "--parsable", "-n1", "-o", folder / "out", "--wrap", wrap)
    wait_until((folder / "mine").exists, 60.0)
    assert (folder / "out").read_text().split() == [user, "none"]
    assert (folder / "mine").owner() == user
    return job


def test_users_of_an_open_lab_are_kept_apart(work: Path) -> None:
    with slurm_lab("--open", "--nodes", "2", "--cpus", "1") as lab:
        directory, folder = directory_of(lab), folder_of(directory_of(lab))
        jobs = {user: submit(lab, user, work / user) for user in (A, B)}
        seen = do(lab, A, "squeue", "-h", "-t", "R", "-o", "%i %u").splitlines()
        assert sorted(seen) == sorted(f"{jobs[user]} {user}" for user in (A, B))
        look = ("squeue", "-h", "-j", jobs[B], "-o", "%T %l %N")
        before = do(lab, B, *look)
        # Neither touches what is the other's, or the administrator's.
        refused: list[tuple[str | Path, ...]] = [
            ("scancel", jobs[B]),
            ("scontrol", "requeue", jobs[B]),
            ("scontrol", "update", f"jobid={jobs[B]}", "timelimit=1"),
            ("srun", f"--jobid={jobs[B]}", "--overlap", "id"),
            ("scontrol", "update", "nodename=n1", "state=drain", "reason=x"),
            ("cat", work / B / "out"),
            ("ls", directory),
            ("touch", folder / "mine"),
            ("rm", folder / "slurm.conf"),
            ("rm", "-r", folder),
        ]
        done = {words: as_user(lab, A, *words).code for words in refused}
        assert 0 not in done.values(), done
        assert do(lab, B, *look) == before
        # Outside there is no way in: neither by the lab's own commands nor by those for users.
        assert not outside(A, directory / "agent", "n1", "id").ok
        assert "outside of the lab" in outside(A, folder / "bin/squeue").err
        do(lab, A, "scancel", jobs[A])
        assert do(lab, A, "srun", "-n1", "hostname") in {"n1", "n2"}
        wait_until(lambda: jobs[A] in do(lab, B, "sacct", "-n", "-o", "jobid"), 30.0)
    assert not folder.exists()
    assert not directory.exists()


def test_an_ordinary_user_checks_the_batch_system(work: Path) -> None:
    with slurm_lab("--open", "--nodes", "2", "--cpus", "1") as lab:
        # Python and Heorot may be where only root can read: the head, and no more, sees them here.
        packages = sysconfig.get_path("purelib")
        source = Path(package.__file__).parents[1]
        there = {"python": sys.base_prefix, "packages": packages, "src": source}
        for name, place in there.items():
            (work / name).mkdir()
            mount = ("mount", "--bind", str(place), str(work / name))
            assert heorot("lab", "run", "--name", lab, "--", *mount).ok
        python = work / "python/bin" / Path(sys.executable).resolve().name
        out, site = work / A / "check", folder_of(directory_of(lab)) / "site.yaml"
        own = (f"PYTHONPATH={work}/src:{work}/packages", f"XDG_CACHE_HOME={work / A}")
        chosen = ("exit-codes", "output", "accounting", "drain")
        only = [word for name in chosen for word in ("--only", name)]
        check = ("batch", "check", "--site", str(site), "--yes", "--out", str(out), *only)
        do(lab, A, "env", *own, python, "-m", "heorot.cli.main", *check)
        found = json.loads((out / "acceptance.json").read_text())
        assert (out / "acceptance.json").owner() == A
        statuses = {verdict["feature"]: verdict["status"] for verdict in found["verdicts"]}
        # Nodes are an administrator's to drain.
        assert statuses == dict.fromkeys(chosen, "passed") | {"drain": "untested"}
