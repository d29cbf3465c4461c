"""The documented commands that sign a run and check the signature, run as a site would."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from heorot.session.verification.verify import verify
from heorot.store.directory import RunDirectory

_PAGE = Path(__file__).parents[4] / "docs" / "running.md"


def _documented(page: str, word: str) -> str:
    """The one command line of a page that begins so."""
    (line,) = [line for line in page.splitlines() if line.startswith(word)]
    return line


def _shell(line: str, home: Path) -> int:
    """The exit code of a command line, run where the documentation assumes to be."""
    environment = {"HOME": str(home), "PATH": "/usr/local/bin:/usr/bin:/bin"}
    command = ["sh", "-c", line]
    return subprocess.run(command, cwd=home, env=environment, check=False).returncode


@pytest.mark.waiting
@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="there is no ssh-keygen")
def test_the_documented_commands_of_ssh_keygen(concluded: RunDirectory, tmp_path: Path) -> None:
    page = _PAGE.read_text(encoding="utf-8")
    home = tmp_path / "home"
    shutil.copytree(concluded.path, home / "runs/first")
    (home / ".ssh").mkdir()
    assert _shell("ssh-keygen -q -t ed25519 -N '' -f .ssh/id_ed25519", home) == 0
    shutil.copy(home / ".ssh/id_ed25519.pub", home / "owner.pub")
    assert _shell(_documented(page, "ssh-keygen -Y sign"), home) == 0
    assert _shell(_documented(page, 'echo "owner@example.org'), home) == 0
    check = _documented(page, "ssh-keygen -Y verify")
    assert _shell(check, home) == 0
    # The signature is not one of the files with digests.
    assert all(one.agrees for one in verify(home / "runs/first"))
    digests = home / "runs/first/digests.json"
    digests.write_text(digests.read_text().replace("sha256", "sha256 ", 1))
    assert _shell(check, home) != 0
