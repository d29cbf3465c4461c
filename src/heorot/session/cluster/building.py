"""Builds programs in a job on a node, for compilers without flags for its processor."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

from heorot.build.processors import flags_for, identify
from heorot.build.work import NODE_SCRIPT, STAGE_SECONDS, Ended, Stage, Work, find_tool
from heorot.collect.output import last_output
from heorot.errors import SetupError
from heorot.jobs.events import StepEvent
from heorot.jobs.facts import read_facts
from heorot.jobs.outcome import has_ended
from heorot.jobs.status import read_status
from heorot.launch.command import StepCommand
from heorot.launch.job import Job, find_job, write_job
from heorot.launch.target import ExecutionTarget
from heorot.machine.nodes.read import read_copies
from heorot.model.machine.machine import Machine, Node
from heorot.model.machine.toolchain import Toolchain
from heorot.session.cluster.describe_nodes import DESCRIBING
from heorot.session.progress import Progress
from heorot.store.atomic import cannot_write
from heorot.store.directory import RunDirectory
from heorot.suggestion import suggest
from heorot.writing import write

# The exit code of `node.sh` where no build is possible.
_REFUSED = 69
# Time of the job besides its stages [s].
_JOB_SECONDS = 60.0
_SCRIPT = "build.sh"
# On other architectures /proc/cpuinfo names model and features differently.
_COMPARED_ISAS = frozenset({"x86_64", "aarch64"})


def for_nodes(toolchain: Toolchain, machine: Machine, here: Node) -> Toolchain:
    """The toolchain with flags, or a place, to build for every type of node in use.

    Args:
        toolchain: of the site or the user.
        here: this node.

    Returns:
        Its flags name the processor, or it builds on a node of the first type they cannot name.
    """
    found: Toolchain | None = toolchain
    for node in machine.nodes:
        found = flags_for(found or toolchain, node, here)
        if found is None:
            return toolchain.model_copy(update={"built_on": identify(node.processor)})
    return found or toolchain


class NodeBuilder:
    """Runs builds on a node, each as a job."""

    def __init__(
        self, directory: RunDirectory, machine: Machine, target: ExecutionTarget, progress: Progress
    ) -> None:
        self._directory = directory
        self._machine = machine
        self._target = target
        self._progress = progress

    def __call__(self, work: Work) -> Ended:
        """Build, or resume an earlier job.

        Args:
            work: what to build; the node must see its directory.

        Raises:
            SetupError: the job did not end, or its node cannot build.
        """
        job = self._find_or_write(work)

        def on_event(event: StepEvent) -> None:
            if (event.event, event.step) == ("start", job.steps[0]):
                n, where = len(work.names), self._where(job)
                self._progress.stage(f"building {n} program{'s' * (n > 1)} on {where}")

        self._target.run(job, on_event)
        return self._ended(job)

    def _find_or_write(self, work: Work) -> Job:
        """The job of a build: an interrupted one is resumed, an ended one repeated."""
        asked = repr((work.directory.name, work.names))
        place = self._directory.build_job(hashlib.sha256(asked.encode()).hexdigest()[:8])
        job = find_job(place)
        if job is not None and not has_ended(place, job.steps):
            return job
        shutil.rmtree(place, ignore_errors=True)
        try:
            place.mkdir(parents=True)
            write(place / _SCRIPT, NODE_SCRIPT)
        except OSError as error:
            raise cannot_write(place, error) from error
        number = self._number_of_host(work.toolchain.built_on)
        commands = [self._command(work, stage, place, number) for stage in work.stages]
        seconds = _JOB_SECONDS + sum(STAGE_SECONDS[stage] for stage in work.stages)
        limit = self._target.batch.time_limit_seconds if self._target.batch else None
        around = self._target.job_environment(number + 1, min(seconds, limit or seconds))
        return write_job(place, commands, around)

    def _command(self, work: Work, stage: Stage, place: Path, number: int) -> StepCommand:
        arguments = (work.native, work.directory, self._required(work.toolchain.built_on), stage)
        tools = (find_tool("cmake"), find_tool("ninja"))
        return StepCommand(
            step=stage,
            argv=(
                "bash",
                str(place / _SCRIPT),
                *map(str, (*arguments, *tools)),
                *work.words(stage),
            ),
            environment=work.toolchain.environment,
            cwd=place,
            timeout_seconds=STAGE_SECONDS[stage],
            record=place / "records" / stage,
            place=(number,),
            taken=True,
        )

    def _required(self, processor: str) -> str:
        """Model and features of a processor as `node.sh` checks them; empty for any."""
        for node in self._machine.nodes:
            if identify(node.processor) == processor and node.processor.isa in _COMPARED_ISAS:
                found = node.processor
                return f"{found.model or ''}|{' '.join(found.features)}"
        return ""

    def _number_of_host(self, processor: str) -> int:
        """The first host with a processor; a batch system chooses the node itself."""
        if self._target.batch is not None:
            return 0
        place = self._directory.job(DESCRIBING)
        for number, host in enumerate(read_status(place).allocated):
            copies = read_copies(place / "nodes" / host)
            if any(identify(copy.node.processor) == processor for copy in copies):
                return number
        return 0

    def _where(self, job: Job) -> str:
        """The node and id of a job, as its users know them."""
        hosts = ", ".join(read_status(job.directory).placed.get(job.steps[0], ()))
        facts = read_facts(job.directory) if self._target.batch else None
        return f"{hosts or 'a node'} (job {facts.id if facts and facts.id else job.id})"

    def _ended(self, job: Job) -> Ended:
        exits = read_status(job.directory).exits
        for stage in (stage for stage in STAGE_SECONDS if stage in job.steps):
            if stage not in exits:
                complaint = self._target.adapter.complaint(job) or "its job did not complete"
                raise SetupError(
                    f"programs cannot be built on a node: {complaint}",
                    f"{suggest('doctor')} looks at the site; or give a toolchain in the site file "
                    "with flags that name the nodes' processor",
                )
            code = exits[stage].code
            if code == _REFUSED:
                output = last_output(job.directory / "outputs" / f"{stage}.txt")
                reason, _, hint = output.partition("\n")
                raise SetupError(f"programs cannot be built on a node: {reason}", hint)
            if code:
                return Ended(stage, code)
        return Ended("build", 0)
