"""PBS: OpenPBS, PBS Pro and Torque share their commands and differ in the names of nodes.

Limits are whole seconds. A job's name has at most 15 characters in older versions, so it is the end
of the marker.
Source: OpenPBS, doc/man1/qsub.1B, qstat.1B, qsig.1B and pbs_resources.7B; PBS Professional
Administrator's Guide (`ngpus` of hosts); Torque 6.1.2 Administrator Guide, commands overview and
requesting resources.
"""

from __future__ import annotations

import os
import pwd
import re
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final, Literal

from heorot.jobs.facts import States
from heorot.launch.batch.dialect import Dialect, NodeState, Part, Question, Queue, Submission, Wants
from heorot.launch.batch.parsing import (
    agent_text,
    clock_time,
    directive,
    expression,
    plain,
    read_text,
    rounded_up,
)
from heorot.launch.batch.pbs_answers import (
    read_cancel,
    read_jobs,
    read_nodes,
    read_queues,
    read_selected,
    read_submission,
)
from heorot.launch.job_environment import JobEnvironment

Flavour = Literal["pro", "torque"]
_MOST_NAME = 15
# Neither command passes standard streams through, so they go by files that both hosts see; Torque's
# does not pass the exit code either.
_ON_HOST = (
    "bash -c '"
    'f=$(mktemp "$PWD/.host.XXXXXXXX") && cat >"$f" || exit 74; h=$1; shift; '
    '%s "$h" /bin/bash -c '
    '"\\"\\${@:2}\\" <\\"\\$1\\" >\\"\\$1.out\\" 2>\\"\\$1.err\\"; echo \\$? >\\"\\$1.code\\"" '
    'bash "$f" "$@" >&2; own=$?; '
    'cat "$f.out"; cat "$f.err" >&2; code=$(cat "$f.code" 2>/dev/null) || code=$own; '
    'rm -f "$f" "$f".*; exit "${code:-255}"\' on_host'
)
# Launchers start their daemons through the batch system. Open MPI's own detection of slots is
# switched off, too: it would use no more slots than requested and place ranks by them, ignoring its
# file of hosts. The batch system's commands are searched in the PATH of the submitting shell.
_AGENT = (
    "PATH+=${PBS_O_PATH:+:$PBS_O_PATH}; if command -v pbs_tmrsh >/dev/null; then "
    + agent_text(
        'pbs_tmrsh "$host" /bin/bash -c "$*"',
        "export OMPI_MCA_plm=${OMPI_MCA_plm:-^tm} PRTE_MCA_plm=${PRTE_MCA_plm:-^tm} "
        "OMPI_MCA_ras=${OMPI_MCA_ras:-^tm} PRTE_MCA_ras=${PRTE_MCA_ras:-^tm,pbs}; ",
    )
    + "; fi"
)
_COMMANDS: dict[Flavour, str] = {"pro": "pbs_tmrsh", "torque": "pbsdsh -h"}


class Pbs(Dialect):
    """The dialect of PBS.

    Args:
        flavour: `pro` for OpenPBS and PBS Pro, `torque` for Torque.
    """

    system: Final = "pbs"
    needs: Final = ("qsub", "qstat", "qdel", "qselect", "pbsnodes")
    mark: Final = "#PBS"
    own_id: Final = "$PBS_JOBID"
    counts_cores: Final = True
    mute: Final = ("PBS_DPREFIX", "QSTAT_")

    def __init__(self, flavour: Flavour = "pro") -> None:
        self.flavour = flavour

    @property
    def device_words(self) -> Mapping[str, str]:
        """The words by which jobs ask for devices, by kind."""
        return {"gpu": "ngpus" if self.flavour == "pro" else "gpus"}

    def header(self, wants: Wants) -> tuple[str, ...]:
        """Directive lines.

        Raises:
            UsageError: a request that its options cannot express.
        """
        chunks = "+".join(self._chunk(part, wants) for part in wants.parts)
        if self.flavour == "pro":
            options = [f"-l select={chunks}"]
            options.append(f"-l place={'scatter:excl' if wants.exclusive else 'scatter'}")
        else:
            options = [f"-l nodes={chunks}"]
            options += ["-l naccesspolicy=singlejob"] * wants.exclusive
        if wants.limit_seconds is not None:
            options.append(f"-l walltime={clock_time(wants.limit_seconds)}")
        if wants.queue:
            options.append(f"-q {plain(wants.queue, 'the queue')}")
        if wants.account:
            options.append(f"-A {plain(wants.account, 'the account')}")
        more = [directive(text) for text in wants.directives]
        # Arrays that are not rerunnable are refused.
        options += ["-r n"] * (not any(re.match(r"-[rJt]", text) for text in more))
        options += ["-V", "-S /bin/bash", *more]
        return tuple(f"{self.mark} {option}" for option in options)

    def _chunk(self, part: Part, wants: Wants) -> str:
        """Nodes of one type; a feature is a property for Torque, a value for the others."""
        cores = part.cores or wants.cores_per_node or 1
        if self.flavour == "pro":
            text = f"{part.nodes}:ncpus={cores}:mpiprocs={cores}"
        else:
            text = f"{part.nodes}:ppn={cores}"
        text += "".join(f":{expression(w, 'a device')}={n}" for w, n in wants.devices.items())
        for word, what in ((wants.constraint, "the constraint"), (part.feature, "the feature")):
            if word:
                asked = expression(word, what)
                text += f":{asked}" if "=" in asked or self.flavour != "pro" else f":{asked}=True"
        return text

    def job_environment(self, wants: Wants) -> JobEnvironment:
        return JobEnvironment(
            header=self.header(wants),
            limit_seconds=rounded_up(wants.limit_seconds, 1.0),
            list_hosts='cat "$PBS_NODEFILE"',
            on_host=_ON_HOST % _COMMANDS[self.flavour],
            prepare=_AGENT if self.flavour == "pro" else "",
        )

    def name(self, marker: str, attempt: int) -> str:
        tail = super().name(marker, attempt)
        return tail if len(tail) <= _MOST_NAME else f"h{tail[1 - _MOST_NAME :]}"

    def submit(self, script: Path, name: str, after: str | None = None) -> Question[Submission]:
        output = str(script.with_suffix(".out"))
        # A colon would end the host name, a comma the value; a backslash escapes them.
        output = output if not set(output) & set(":,^\\") else "/dev/null"
        dependency = ("-W", f"depend=afterany:{after}") if after else ()
        argv = ("qsub", "-N", name, "-j", "oe", "-o", output, *dependency, str(script))
        return Question(argv, read_submission)

    def query(self, ids: Sequence[str]) -> Question[States]:
        return Question(("qstat", "-f", *ids), partial(read_jobs, tuple(ids)))

    def find(self, name: str) -> tuple[Question[States], ...]:
        ours = ("-N", name, "-u", pwd.getpwuid(os.getuid()).pw_name)
        read = partial(read_selected, name)
        questions = [Question(("qselect", *ours), read)]
        if self.flavour == "pro":
            questions.append(Question(("qselect", "-x", *ours), read))
        return tuple(questions)

    def account(self, ids: Sequence[str]) -> tuple[Question[States], ...]:
        """Query jobs that have ended, for as long as the server keeps them."""
        history = ("-x",) if self.flavour == "pro" else ()  # -x requests XML from Torque
        return (Question(("qstat", *history, "-f", *ids), partial(read_jobs, tuple(ids))),)

    def interrupt(self, job: str) -> Question[str]:
        """Send a signal to the job's first shell."""
        return Question(("qsig", "-s", "SIGTERM", job), read_cancel)

    def cancel(self, job: str) -> Question[str]:
        return Question(("qdel", job), read_cancel)

    def queues(self) -> Question[tuple[Queue, ...]]:
        """Query the queues; only the server knows the default."""
        return Question(("qstat", "-Q", "-f"), read_queues)

    def nodes(self) -> Question[tuple[NodeState, ...]]:
        return Question(("pbsnodes", "-a"), read_nodes)

    def policy(self) -> tuple[Question[str], ...]:
        return (
            Question(("qstat", "-Q", "-f"), read_text),
            Question(("qmgr", "-c", "print server"), read_text),
        )

    def inside(self, environment: Mapping[str, str]) -> str | None:
        return environment.get("PBS_JOBID") if environment.get("PBS_NODEFILE") else None
