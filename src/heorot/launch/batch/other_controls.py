"""Controls of PBS, LSF and Flux, tested with OpenPBS 23.06 and Flux 0.88.

Source: OpenPBS, doc/man1/qhold.1B, qrls.1B, qsub.1B, doc/man8/pbsnodes.8B; Torque 6.1.2
Administrator Guide, qsub; IBM Spectrum LSF 10.1 Command Reference, bstop, bresume, bsub, badmin;
flux-job(1), flux-submit(1), flux-resource(1).
"""

from __future__ import annotations

import re
import time
from collections.abc import Sequence

from heorot.launch.batch.controls import (
    Action,
    Controls,
    Holding,
    Option,
    Policy,
    read_split_reasons,
)
from heorot.launch.batch.dialect import Dialect, Question
from heorot.launch.batch.parsing import count, moment, one_line, unix_time
from heorot.launch.batch.pbs import Pbs
from heorot.launch.batch.pbs_answers import TIME, blocks
from heorot.launch.batch.slurm_controls import SlurmControls
from heorot.process import Finished

_PBS: dict[Action, tuple[str, ...]] = {
    "hold": ("qhold", "@"),
    "release": ("qrls", "@"),
    "drain": ("pbsnodes", "-o", "@"),
}
_PBS_DIRECTIVES: dict[Option, str] = {
    "held": "-h",
    "after ok": "-W depend=afterok:@",
    "after any": "-W depend=afterany:@",
    "less urgent": "-p -100",
    "requeue": "-r y",
}
_PBS_SETTINGS = (
    "scheduling",
    "backfill_depth",
    "job_sort_formula",
    "eligible_time_enable",
    "node_fail_requeue",
    "job_requeue_timeout",
    "job_history_enable",
    "scheduler_iteration",
    "max_array_size",
    "kill_delay",
)


class PbsControls(Controls):
    """Controls of PBS; entries of `pro` are of OpenPBS and PBS Pro only.

    Args:
        is_torque: whether it is Torque.
    """

    granted = '$(sort "$PBS_NODEFILE" | uniq -c | xargs)'

    def __init__(self, *, is_torque: bool) -> None:
        resume = ("pbsnodes", "-c" if is_torque else "-r", "@")
        array = "-t 1-@" if is_torque else "-J 1-@"
        memory = "-l mem=@mb" if is_torque else "mem=@mb"
        super().__init__(
            _PBS | {"resume": resume},
            _PBS_DIRECTIVES | {"array": array, "memory": memory},
        )
        self.index = "PBS_ARRAYID" if is_torque else "PBS_ARRAY_INDEX"
        self._is_torque = is_torque
        self.mixes = not is_torque
        self.parts = "" if is_torque else _PBS_PARTS

    def option(self, what: Option, about: object = "") -> str | None:
        """The directive; a delayed start is a local time of this host."""
        if what == "later":
            return time.strftime("-a %Y%m%d%H%M.%S", time.localtime(time.time() + _HOUR_SECONDS))
        return super().option(what, about)

    def on_nodes(self, names: Sequence[str]) -> str | None:
        """Request these hosts, one for each node."""
        return None if self._is_torque else "+".join(f"host={name}" for name in names)

    def reasons(self) -> Question[tuple[str, ...]]:
        """Query nodes that take no jobs, and the comments on them."""
        return Question(("pbsnodes", "-l"), read_reasons)

    def holding(self, job: str) -> Question[Holding]:
        """Query the server, which may still know a job that has ended."""
        return Question(("qstat", *(() if self._is_torque else ("-x",)), "-f", job), read_holding)

    def interactive(
        self, name: str, options: Sequence[str], asked: Sequence[str]
    ) -> tuple[str, ...] | None:
        """Wait for the end of a job; `qsub -I` needs a terminal, and hides the exit code."""
        del options
        block = ("-W", "block=true", "-j", "oe", "-o", "/dev/null", "--", "/usr/bin/env")
        return None if self._is_torque else ("qsub", "-N", name, *asked, *block)

    def policy(self) -> Question[Policy]:
        """Query the settings of the server; the scheduler's are in a file there."""
        return Question(("qmgr", "-c", "print server"), read_policy)


_HOUR_SECONDS = 3600.0
# The first host is the first component, all others are the second.
_PBS_PARTS = (
    "mapfile -t them < <(awk '!seen[$0]++' \"$PBS_NODEFILE\"); "
    'cpus() { grep -cxF -- "$1" "$PBS_NODEFILE"; }; '
    'record part 0 "$(cpus "${them[0]}")" "${them[0]}"; '
    'record part 1 "$(cpus "${them[1]}")" "${them[@]:1}"'
)


def read_reasons(answer: Finished) -> tuple[str, ...]:
    """Nodes that take no jobs, their states and the comments on them."""
    rows = (line.split(None, 1) for line in answer.out.splitlines() if answer.ok)
    return tuple(one_line(": ".join(words)) for words in rows if words)


def read_holding(answer: Finished) -> Holding:
    """Nodes and processors in the output of qstat -f: allocated, or requested if pending."""
    _, fields = next(iter(blocks(answer.out, "Job Id: ")), ("", {}))
    vnodes, hosts = fields.get("exec_vnode", ""), fields.get("exec_host", "")
    names = re.findall(r"(?:^|[(+])([^():+/\[]+)", vnodes or hosts)
    if vnodes:
        cpus = [int(n) for n in re.findall(r":ncpus=(\d{1,9})", vnodes)]
    else:
        cpus = [int(n or 1) for n in re.findall(r"/\d+(?:\*(\d{1,9}))?", hosts)]
    runs = count(fields.get("run_count", ""))
    return Holding(
        nodes=len(set(names)) or count(fields.get("Resource_List.nodect", "")),
        cpus=sum(cpus) or count(fields.get("Resource_List.ncpus", "")),
        planned=moment(fields.get("estimated.start_time", ""), TIME),
        restarts=None if runs is None else max(0, runs - 1),
    )


def read_policy(answer: Finished) -> Policy:
    """The settings that a server shows; settings at their defaults are not shown."""
    lines = {
        line[1]: one_line(line[2])
        for line in re.finditer(r"^set server ([\w.]+) = (.*)$", answer.out, re.MULTILINE)
        if line[1] in _PBS_SETTINGS
    }
    depth = count(lines.get("backfill_depth", ""))
    formula = lines.get("job_sort_formula", "")
    return Policy(
        lines=lines,
        backfills=None if depth is None else depth > 0,
        fair_share=True if "fairshare" in formula.lower() else None,
    )


_LSF: dict[Action, tuple[str, ...]] = {
    "hold": ("bstop", "@"),
    "release": ("bresume", "@"),
    "drain": ("badmin", "hclose", "@"),
    "resume": ("badmin", "hopen", "@"),
}
_LSF_DIRECTIVES: dict[Option, str] = {
    "held": "-H",
    "after ok": '-w "done(@)"',
    "after any": '-w "ended(@)"',
}
_FLUX: dict[Action, tuple[str, ...]] = {
    "hold": ("flux", "job", "urgency", "@", "hold"),
    "release": ("flux", "job", "urgency", "@", "default"),
    "drain": ("flux", "resource", "drain", "@"),
    "resume": ("flux", "resource", "undrain", "@"),
}
_FLUX_DIRECTIVES: dict[Option, str] = {
    "held": "--urgency=hold",
    "after ok": "--dependency=afterok:@",
    "after any": "--dependency=afterany:@",
    "less urgent": "--urgency=8",
    "later": "--begin-time=+1h",
    "nodes": "--requires=hosts:@",
}
_HOLDING = "{nnodes}|{ncores}|{annotations.sched.t_estimate}|{state}"


class LsfControls(Controls):
    """Controls of LSF."""

    granted = "$LSB_MCPU_HOSTS"

    def __init__(self) -> None:
        super().__init__(_LSF, _LSF_DIRECTIVES)


class FluxControls(Controls):
    """Controls of Flux."""

    def __init__(self) -> None:
        super().__init__(_FLUX, _FLUX_DIRECTIVES)

    def reasons(self) -> Question[tuple[str, ...]]:
        return Question(
            ("flux", "resource", "drain", "-n", "-o", "{nodelist}|{reason}"), read_split_reasons
        )

    def holding(self, job: str) -> Question[Holding]:
        """Query the queue, which keeps jobs that have ended."""
        return Question(("flux", "jobs", "-n", "-o", _HOLDING, job), _read_flux_holding)

    def interactive(
        self, name: str, options: Sequence[str], asked: Sequence[str]
    ) -> tuple[str, ...]:
        del options
        return ("flux", "run", f"--job-name={name}", *asked)


def _read_flux_holding(answer: Finished) -> Holding:
    fields = answer.out.strip().split("|")
    if len(fields) != 4:  # noqa: PLR2004 (our format)
        return Holding()
    nodes, cores, planned, state = fields
    when = unix_time(planned) if state == "SCHED" else None
    return Holding(nodes=count(nodes), cpus=count(cores), planned=when)


def controls_of(dialect: Dialect) -> Controls:
    """The controls of a batch system."""
    if dialect.system == "slurm":
        return SlurmControls()
    if isinstance(dialect, Pbs):
        return PbsControls(is_torque=dialect.flavour == "torque")
    if dialect.system == "lsf":
        return LsfControls()
    return FluxControls()
