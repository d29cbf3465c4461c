"""Labs for the tests: each has a name of its own and is always removed."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from heorot.lab.processes import marked
from heorot.lab.storage import directory_of, mark_of
from heorot.process import Finished
from tests.end_to_end.labs import NETWORK, need, new_name
from tests.end_to_end.running import command_line, heorot

# A user without the rights of an administrator; that he may become root of his own needs one.
USER = ("setpriv", "--bounding-set=-all,+setfcap", "--inh-caps=-all,+setfcap")


@dataclass(frozen=True)
class Lab:
    """A lab of a test.

    Attributes:
        name: of the lab.
        prefix: words in front of every command.
    """

    name: str
    prefix: tuple[str, ...] = ()

    @property
    def directory(self) -> Path:
        """Where it is."""
        return directory_of(self.name)

    def __call__(self, command: str, *words: str | Path) -> Finished:
        """Run `heorot lab COMMAND` on it to its end."""
        name = ("--name", self.name)
        if not self.prefix:
            return heorot("lab", command, *name, *words, timeout_seconds=60.0)
        done = subprocess.run(
            [*self.prefix, *command_line("lab", command, *name, *words)],
            capture_output=True,
            text=True,
            timeout=60.0,
            check=False,
        )
        return Finished(done.returncode, done.stdout, done.stderr)

    def do(self, command: str, *words: str | Path) -> str:
        """Run a command that has to succeed; return its output."""
        done = self(command, *words)
        assert done.code == 0, f"{command} {words}: {done}"
        return done.out

    def on(self, node: str, *words: str | Path) -> str:
        """Run a command on a node by the agent; return its output."""
        done = subprocess.run(
            [self.directory / "agent", node, *words], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def running(self, node: str) -> str:
        """Names of the processes on a node, without those that end while they are read."""
        return self.on(node, "cat /proc/[0-9]*/comm 2>/dev/null; true")

    def start(self, node: str, *words: str | Path) -> subprocess.Popen[str]:
        """Start a command on a node by the agent."""
        return subprocess.Popen(
            [self.directory / "agent", node, *words], stdout=subprocess.PIPE, text=True
        )

    def processes(self) -> list[int]:
        """Those of the lab that live."""
        return marked(mark_of(self.directory))


LabMaker = Callable[..., Lab]


@pytest.fixture
def shared() -> Iterator[Path]:
    """A folder that all nodes see: not below /tmp, of which each has its own."""
    path = Path(tempfile.mkdtemp(prefix="heorot-tests-", dir="/var/tmp"))
    yield path
    shutil.rmtree(path, ignore_errors=True)


@pytest.fixture
def make() -> Iterator[LabMaker]:
    """Make labs: `make("a", "--nodes", "2")`."""
    need(*NETWORK)
    made: list[Lab] = []

    def maker(letter: str, *options: str | Path, prefix: Sequence[str] = ()) -> Lab:
        lab = Lab(f"{new_name()}-{letter}", tuple(prefix))
        made.append(lab)
        lab.do("up", *options)
        return lab

    yield maker
    for lab in made:
        lab("down")
