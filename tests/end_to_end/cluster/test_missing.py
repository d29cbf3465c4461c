"""A computer without a batch system, or without the rights for a lab: the message names it."""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.end_to_end.running import command_line, heorot

pytestmark = pytest.mark.slow

# The limit is that of a user namespace of its own and affects no other process.
NO_NAMESPACES = "echo 0 >/proc/sys/user/max_user_namespaces && exec setpriv --bounding-set=-all "


@pytest.mark.parametrize(("system", "command"), [("slurm", "sbatch"), ("pbs", "qsub")])
def test_a_batch_system_that_is_not_there(system: str, command: str, tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    for name in ("bash", "sh", "env", "cat"):
        found = next(
            Path(folder, name)
            for folder in os.environ["PATH"].split(os.pathsep)
            if Path(folder, name).exists()
        )
        (tmp_path / "bin" / name).symlink_to(found)
    path = tmp_path / "run"
    words = ("evaluate", "--batch", system, "--nodes", "1,2", "--out", path)
    done = heorot(*words, PATH=str(tmp_path / "bin"))
    assert done.code == 2
    lines = done.err.splitlines()
    assert lines[0] == f"heorot: {command} of {system} is not in PATH"
    assert lines[1].startswith("hint: set `commands:` of `batch:` in the site file")
    assert not path.exists()


def test_a_lab_without_namespaces(tmp_path: Path) -> None:
    if shutil.which("unshare") is None or shutil.which("setpriv") is None:
        pytest.skip("unshare or setpriv is not here")
    inside = ("unshare", "--user", "--map-root-user")
    if subprocess.run([*inside, "true"], check=False).returncode:
        pytest.skip("there may be no user namespaces")
    name = f"test-{os.getpid()}-{secrets.token_hex(2)}"
    words = command_line("lab", "up", "--nodes", "2", "--name", name)
    done = subprocess.run(
        [*inside, "sh", "-c", NO_NAMESPACES + '--inh-caps=-all "$@"', "sh", *words],
        env=dict(os.environ, XDG_RUNTIME_DIR=str(tmp_path)),
        capture_output=True,
        text=True,
        timeout=60.0,
        check=False,
    )
    assert done.returncode == 2, done.stderr
    lines = done.stderr.splitlines()
    assert lines[0].startswith("heorot: the kernel refuses namespaces")
    assert lines[1].startswith("hint: as root, or: sysctl")
    assert not list(tmp_path.rglob("settings.json"))
