"""The cluster of a test, and its runs as recorded in their directories."""

from __future__ import annotations

import json
import os
import subprocess
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from heorot.jobs.facts import BatchFacts, read_facts
from heorot.lab.storage import directory_of
from heorot.model.run.outcome import Outcome
from heorot.process import Finished, run
from heorot.session.runs import reopen
from heorot.store.directory import RunDirectory
from tests.end_to_end.running import command_line, heorot

_LIMIT_SECONDS = 400.0  # a first use builds programs


@dataclass(frozen=True)
class Run:
    """A run over the cluster.

    Attributes:
        path: its directory.
    """

    path: Path

    @property
    def directory(self) -> RunDirectory:
        """The run's directory."""
        return RunDirectory(self.path)

    def events(self, number: int | None = None) -> list[dict[str, object]]:
        """Output of the scripts of all jobs, or of one."""
        job = "*" if number is None else f"J{number:04d}"
        return [
            json.loads(line)
            for file in sorted(self.path.glob(f"jobs/{job}/status.jsonl"))
            for line in file.read_text().splitlines()
        ]

    def exits(self) -> Counter[object]:
        """How often each step has ended."""
        return Counter(one["step"] for one in self.events() if one["event"] == "exit")

    def has_begun(self, number: int = 1) -> bool:
        """Whether a step of a job has."""
        return any(one["event"] == "start" for one in self.events(number))

    def outcomes(self) -> tuple[Outcome, ...]:
        """How each step ended, as a report is made of it."""
        return reopen(self.path).evaluation.outcomes

    def findings(self) -> str:
        """All that was found amiss, a line each."""
        return "\n".join(f"{one.severity}: {one.text}" for one in self.directory.claims().findings)

    def slurm_facts(self, number: int = 1) -> BatchFacts:
        """Facts from Slurm about a job."""
        facts = read_facts(self.directory.job(number))
        assert facts is not None
        return facts


@dataclass(frozen=True)
class Cluster:
    """A lab with Slurm.

    Attributes:
        name: of the lab.
        base: directory that all its nodes see.
    """

    name: str
    base: Path

    @property
    def site(self) -> str:
        """The words that name its site file."""
        return f"lab:{self.name}"

    def lab(self, command: str, *words: str | Path) -> str:
        """Call a command of the lab, which has to succeed; return its output."""
        done = heorot("lab", command, "--name", self.name, *words, timeout_seconds=60.0)
        assert done.ok, done.err
        return done.out

    def on(self, node: str, *words: str) -> str:
        """Run a command on a node; return its output."""
        return self.lab("run", "--nodes", node, "--", *words)

    def slurm(self, command: str, *words: str) -> str:
        """Call a command of Slurm's behind Heorot's back."""
        answer = run([directory_of(self.name) / "bin" / command, *words])
        assert answer.ok, answer.err
        return answer.out.strip()

    def write_site(self, name: str, *batch: str) -> Path:
        """A copy of the site file with further lines about the batch system."""
        text = (directory_of(self.name) / "site.yaml").read_text(encoding="utf-8")
        more = "".join(f"  {line}\n" for line in batch)
        file = self.base / name
        file.write_text(text.replace("batch:\n", f"batch:\n{more}"), encoding="utf-8")
        return file

    def heorot(self, *words: str | Path, site: str | Path | None = None) -> Finished:
        """Run `heorot evaluate` or `heorot run` over it to the end."""
        where = () if "--resume" in words else ("--site", site or self.site)
        return heorot(*words, *where, timeout_seconds=_LIMIT_SECONDS)

    @contextmanager
    def started(
        self, name: str, *words: str | Path, site: str | Path | None = None
    ) -> Iterator[tuple[Run, subprocess.Popen[str]]]:
        """A run that continues during the body and is ended afterwards."""
        path = self.base / name
        where = ("--site", site or self.site, "--out", path)
        child = subprocess.Popen(
            command_line(*words, *where),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        try:
            yield Run(path), child
        finally:
            child.kill()
            child.communicate()

    def processes_left(self) -> list[str]:
        """Processes on the nodes besides the lab's own."""
        return self._besides("ps -eo comm=", {"slurmd", "slurmctld", "slurmscriptd", "sh", "ps"})

    def files_left(self, nodes: str = "all") -> list[str]:
        """Temporary files on some nodes besides Slurm's."""
        listing = "cd /tmp && ls -A && ls -A /dev/shm"
        # A compiler's cache that the nodes share may be below their /tmp.
        shared = Path(os.environ.get("CCACHE_DIR", "")).parts[2:3]
        return self._besides(listing, {"slurmd", "slurmd.pid", *shared}, nodes)

    def _besides(self, command: str, known: set[str], nodes: str = "all") -> list[str]:
        """Words of a command's output on a node, except known ones and the node's name."""
        said = self.lab("run", "--nodes", nodes, "--", "sh", "-c", command)
        words = [line.partition(": ") for line in said.splitlines()]
        return [f"{n}: {word}" for n, _, word in words if word not in known | {f"lab:{n}"}]
