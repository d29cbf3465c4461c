"""The directory of a throughput test: a run directory whose jobs are those of the test."""

from __future__ import annotations

from pathlib import Path

from pydantic import TypeAdapter

from heorot.errors import RunError
from heorot.store.atomic import write_bytes
from heorot.store.directory import RunDirectory
from heorot.store.documents import read_document, read_lines
from heorot.throughput.model.kinds import Arrival, JobsFile
from heorot.throughput.model.throughput import (
    Response,
    ThroughputFacts,
    ThroughputRequest,
    ThroughputTest,
)

_ARRIVALS = TypeAdapter(tuple[Arrival, ...])


class ThroughputDirectory(RunDirectory):
    """The directory of a throughput test.

    It has the files of a run and `request.json`, `day.json`, `kinds.json`, `arrivals.json`,
    `responses.jsonl` and `monitoring/`; jobs of the test are `jobs/J0001` and so on by their serial
    numbers, dedicated jobs `alone/KIND-1`.
    """

    before_facts = RunDirectory.before_facts | {"request.json"}
    resumed_by = "day.json"

    def require_kind(self) -> None:
        """Refuse a run that is no throughput test.

        Raises:
            RunError: it is not.
        """
        if self.command != "throughput":
            raise RunError(
                f"{self.path} is not the directory of a throughput test",
                "name a directory that throughput has made",
            )

    @property
    def is_prepared(self) -> bool:
        """Whether its preparation is complete: only then is there a `day.json`."""
        return (self.path / self.resumed_by).exists()

    def discard_if_unplanned(self) -> None:
        if self.is_prepared:
            return
        for name in ("request.json", "kinds.json", "arrivals.json"):
            (self.path / name).unlink(missing_ok=True)
        super().discard_if_unplanned()

    @property
    def alone(self) -> Path:
        """Holds the dedicated jobs."""
        return self.path / "alone"

    @property
    def monitoring(self) -> Path:
        return self.path / "monitoring"

    @property
    def responses_file(self) -> Path:
        """`responses.jsonl`: response times of interactive commands, a line each."""
        return self.path / "responses.jsonl"

    def alone_job(self, kind: str, number: int) -> Path:
        """The directory of a dedicated job; the number counts from 1."""
        return self.alone / f"{kind}-{number}"

    def write_request(self, request: ThroughputRequest) -> None:
        self._write(self.path / "request.json", request)

    def request(self) -> ThroughputRequest:
        return read_document(self.path / "request.json", TypeAdapter(ThroughputRequest))

    def write_throughput_facts(self, facts: ThroughputFacts) -> None:
        """Write `day.json`, replacing an earlier one."""
        self._write(self.path / "day.json", facts)

    def throughput_facts(self) -> ThroughputFacts:
        return read_document(self.path / "day.json", TypeAdapter(ThroughputFacts))

    def write_kinds(self, jobs: JobsFile) -> None:
        """Write `kinds.json`: the file of jobs as read."""
        self._write(self.path / "kinds.json", jobs)

    def kinds(self) -> JobsFile:
        return read_document(self.path / "kinds.json", TypeAdapter(JobsFile))

    def write_arrivals(self, arrivals: tuple[Arrival, ...]) -> None:
        write_bytes(self.path / "arrivals.json", _ARRIVALS.dump_json(arrivals) + b"\n")

    def arrivals(self) -> tuple[Arrival, ...]:
        return read_document(self.path / "arrivals.json", _ARRIVALS)

    def write_settled(self, test: ThroughputTest) -> None:
        """Write `settled.json`: the final states of all jobs."""
        self._write(self.path / "settled.json", test)

    def settled(self) -> ThroughputTest:
        return read_document(self.path / "settled.json", TypeAdapter(ThroughputTest))

    def responses(self) -> tuple[Response, ...]:
        return tuple(read_lines(self.responses_file, Response))

    @classmethod
    def open_prepared(cls, path: Path) -> ThroughputDirectory:
        """Find the directory of an earlier throughput test.

        Raises:
            RunError: there is none, or it is damaged.
        """
        found = cls.open(path)
        if not found.is_prepared:
            if found.holder() is not None:
                raise RunError(f"the test in {path} is being prepared", "look again in a moment")
            raise RunError(
                f"the test in {path} was stopped before it was prepared",
                "remove it and start again",
            )
        return found
