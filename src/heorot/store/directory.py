"""The directory of a run: the paths of its files, and how they are written and read."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Self

from pydantic import BaseModel, ConfigDict, TypeAdapter

from heorot.errors import RunError, SetupError, UsageError
from heorot.files import leads_nowhere
from heorot.model.analysis.result import RecordedClaims
from heorot.model.evaluation import RunFacts
from heorot.model.machine.machine import Machine
from heorot.model.run.plan import DroppedLaunch, Plan, Step
from heorot.store.atomic import cannot_write, write_bytes
from heorot.store.documents import read_document
from heorot.store.folders import hint_at_runs, require_ours, require_own_folders
from heorot.store.keys import renewed_facts, with_setups
from heorot.store.lock import LOCK, Holder, doubt, exclusive, holder_of
from heorot.suggestion import suggest

_LATER = ConfigDict(defer_build=True)
_ALL_STEPS = TypeAdapter(tuple[Step, ...], config=_LATER)
_DROPPED = TypeAdapter(tuple[DroppedLaunch, ...], config=_LATER)
_STEPS = "steps.json"
_DROPPED_FILE = "dropped.json"
_SITE = "site.yaml"
_REQUEST = "request.json"
# Temporary file of a writer that was killed.
_PART = re.compile(r"\.(run\.json|request\.json|site\.yaml)\.[0-9a-f]+\.part")


class RunDirectory:
    """The directory of a run.

    Attributes:
        path: the directory, absolute.
        resumed_by: name of the file without which it cannot be resumed.
        jobs: holds one directory per job.
        recipes: recipes of external programs, one file each.
        builds: copies of the sources of external programs, in which they are built.
        facts_file: identification of the run.
        site_file: the site file as it was when the run began; missing if there was none.
        samples_file: all raw samples.
        results_file: one row per metric.
        report_file: the report.
    """

    before_facts = frozenset({"jobs", LOCK, _SITE})
    resumed_by = "run.json"

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        self.jobs = self.path / "jobs"
        self.recipes = self.path / "recipes"
        self.builds = self.path / "builds"
        self.facts_file = self.path / "run.json"
        self.site_file = self.path / _SITE
        self.samples_file = self.path / "samples.parquet"
        self.results_file = self.path / "results.parquet"
        self.report_file = self.path / "report.html"
        self._made: list[Path] = []  # by create, the innermost first

    @classmethod
    def create(cls, path: Path) -> Self:
        """Make the directory of a new run.

        Args:
            path: the directory; it must be missing, empty, or left by a run that was killed before
                it wrote run.json.

        Raises:
            UsageError: it is not empty, or others may write there.
            SetupError: it cannot be written.
        """
        run = cls(path)
        try:
            if run.path.exists() and not run.path.is_dir():
                raise UsageError(f"{path} is not a directory", "choose another one with --out")
            if run.facts_file.exists():
                go_on = suggest(run.command, "--resume", path)
                hint = f"resume it: {go_on}, or choose another directory with --out"
                raise UsageError(f"{path} already has a run", hint)
            if run.path.is_dir() and not run._holds_a_beginning():
                hint = "choose an empty or a new directory with --out"
                raise UsageError(f"{path} is not empty and holds no run", hint)
            require_ours(run.path)
            run._made = [place for place in (run.path, *run.path.parents) if not place.exists()]
            run.jobs.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise cannot_write(run.path, error) from error
        return run

    def _holds_a_beginning(self) -> bool:
        """Whether the directory holds only files that are written before run.json."""
        names = {entry.name for entry in self.path.iterdir()}
        parts = {name for name in names if _PART.fullmatch(name)}
        empty = not self.jobs.exists() or not any(self.jobs.iterdir())
        return empty and names - parts <= self.before_facts

    @classmethod
    def open(cls, path: Path) -> Self:
        """Find the directory of an earlier run and check that it is readable.

        Raises:
            RunError: there is no run of this kind, or it is damaged.
        """
        run = cls(path)
        if not run.facts_file.exists():
            other = leads_nowhere(path) or "there is no such directory"
            other = "it is a file" if path.exists() else other
            what = "it has no run.json" if path.is_dir() else other
            raise RunError(f"{path} is not a run: {what}", hint_at_runs(path))
        run.require_kind()
        run.facts()
        require_own_folders(run.path)
        return run

    @property
    def command(self) -> str:
        """The command that resumes the run: only a throughput test has a `request.json`."""
        return "throughput" if (self.path / _REQUEST).exists() else "evaluate"

    def require_kind(self) -> None:
        """Raise RunError if it is a throughput test, which has no plan of measurements."""
        if self.command == "throughput":
            go_on = suggest(self.command, "--resume", self.path)
            raise RunError(f"{self.path} holds a throughput test", f"resume it: {go_on}")

    def job_numbers(self) -> tuple[int, ...]:
        """The numbers of the jobs made so far, in order."""
        numbers = (path.name[1:] for path in self.jobs.glob("J*") if path.is_dir())
        return tuple(sorted(int(number) for number in numbers if number.isdecimal()))

    def next_job(self) -> int:
        """The number of the next job: 1, or the one after the last."""
        return max(self.job_numbers(), default=0) + 1

    def job(self, number: int) -> Path:
        """The directory of a job, such as `jobs/J0003`; it need not exist."""
        return self.jobs / f"J{number:04d}"

    def build_job(self, key: str) -> Path:
        """The directory of a job that builds programs, such as `jobs/B5d41402a`."""
        return self.jobs / f"B{key}"

    def build_jobs(self) -> tuple[Path, ...]:
        """The directories of all jobs that build programs; they measure nothing."""
        return tuple(sorted(path for path in self.jobs.glob("B*") if path.is_dir()))

    def write_steps(self, number: int, steps: tuple[Step, ...]) -> None:
        """Write the steps of a job, before the job itself is written."""
        self._write_in_job(number, _STEPS, _ALL_STEPS.dump_json(steps, indent=1))

    def write_dropped(self, number: int, dropped: tuple[DroppedLaunch, ...]) -> None:
        """Write the planned launches that a job drops, before its steps are written."""
        self._write_in_job(number, _DROPPED_FILE, _DROPPED.dump_json(dropped, indent=1))

    def _write_in_job(self, number: int, name: str, content: bytes) -> None:
        try:
            self.job(number).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise cannot_write(self.job(number), error) from error
        write_bytes(self.job(number) / name, content + b"\n")

    def steps(self, number: int) -> tuple[Step, ...]:
        """The steps of a job; empty if it was never begun."""
        path = self.job(number) / _STEPS
        return read_document(path, _ALL_STEPS, with_setups) if path.exists() else ()

    def dropped(self) -> tuple[DroppedLaunch, ...]:
        """Planned launches that were dropped, in the order of the jobs."""
        files = (self.job(number) / _DROPPED_FILE for number in self.job_numbers())
        return tuple(
            one
            for file in files
            if file.exists()
            for one in read_document(file, _DROPPED, with_setups)
        )

    def all_steps(self) -> tuple[Step, ...]:
        """The steps of the plan without dropped ones, then the steps that were added."""
        given_up = {one.step for one in self.dropped()}
        steps = {step.id: step for step in self.plan().steps if step.id not in given_up}
        for number in self.job_numbers():
            steps |= {step.id: step for step in self.steps(number)}
        return tuple(steps.values())

    @property
    def has_plan(self) -> bool:
        """Whether the run has a plan."""
        return (self.path / "plan.json").exists()

    def discard_if_unplanned(self) -> None:
        """Remove the files of a run that never had a plan."""
        if self.has_plan:
            return
        for name in (self.facts_file.name, _SITE, "machine.json", LOCK):
            (self.path / name).unlink(missing_ok=True)
        for place in (self.recipes, self.builds, self.job(0), *self.build_jobs()):
            shutil.rmtree(place, ignore_errors=True)
        with suppress(OSError):  # it has other files: the directory stays
            self.jobs.rmdir()
            for place in self._made:
                place.rmdir()

    def exclusive(self) -> AbstractContextManager[None]:
        """Let one heorot process work on a run; UsageError if another one does."""
        return exclusive(self.path)

    @contextmanager
    def begun(self) -> Iterator[None]:
        """As `exclusive`, for a new run, whose files are removed if it cannot be written."""
        with ExitStack() as held:
            try:
                held.enter_context(self.exclusive())
            except SetupError:
                self.discard_if_unplanned()
                raise
            yield

    def holder(self) -> Holder | None:
        """The process that works on the run now, None if there is none."""
        return holder_of(self.path)

    def doubt(self, holder: Holder) -> str:
        """Why it is not proven that a process works on the run; empty if it is.

        Args:
            holder: the process that the lock names.
        """
        return doubt(holder, self.path)

    def write_facts(self, facts: RunFacts) -> None:
        """Write run.json, replacing an earlier one."""
        self._write(self.facts_file, facts)

    def write_machine(self, machine: Machine) -> None:
        """Write machine.json."""
        self._write(self.path / "machine.json", machine)

    def write_plan(self, plan: Plan) -> None:
        """Write plan.json."""
        self._write(self.path / "plan.json", plan)

    def write_claims(self, analysis: RecordedClaims) -> None:
        """Write findings.json: verdict, sentences, attributions and findings of an analysis."""
        claims = {name: getattr(analysis, name) for name in RecordedClaims.model_fields}
        text = RecordedClaims.model_construct(**claims).model_dump_json(indent=1, exclude_none=True)
        write_bytes(self.path / "findings.json", text.encode() + b"\n")

    def facts(self) -> RunFacts:
        """Read run.json."""
        return read_document(self.facts_file, TypeAdapter(RunFacts), renewed_facts)

    def machine(self) -> Machine:
        """Read machine.json."""
        return read_document(self.path / "machine.json", TypeAdapter(Machine))

    def plan(self) -> Plan:
        """Read plan.json."""
        return read_document(self.path / "plan.json", TypeAdapter(Plan), with_setups)

    def claims(self) -> RecordedClaims:
        """Read findings.json."""
        return read_document(self.path / "findings.json", TypeAdapter(RecordedClaims))

    def _write(self, path: Path, record: BaseModel) -> None:
        write_bytes(path, record.model_dump_json(indent=1, by_alias=True).encode() + b"\n")
