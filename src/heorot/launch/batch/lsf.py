"""LSF: bsub, bjobs, bhist, bqueues, bhosts; fields requested by name since version 9.1.

Limits and times are whole minutes, and times have no year. The reason of a pending job is not among
the fields that all versions know. GPUs are counted per host, and are exclusive only on request.
Source: IBM Spectrum LSF 10.1 Command Reference (bsub -gpu); "Compound resource requirements".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Final

from heorot.jobs.facts import States
from heorot.launch.batch.dialect import Dialect, NodeState, Question, Queue, Submission, Wants
from heorot.launch.batch.lsf_answers import (
    FIELDS,
    read_cancel,
    read_history,
    read_hosts,
    read_jobs,
    read_queues,
    read_submission,
)
from heorot.launch.batch.parsing import directive, expression, minutes, plain, read_text, rounded_up
from heorot.launch.job_environment import JobEnvironment

_HOSTS = (
    'if [[ -r ${LSB_DJOB_HOSTFILE:-} ]]; then cat "$LSB_DJOB_HOSTFILE"; '
    'else set -- $LSB_MCPU_HOSTS; while (($#)); do echo "$1"; shift 2 || shift; done; fi'
)
# Words with an option of their own; all others are resources of hosts.
_GPU = "gpu"
_LIST = ("bjobs", "-a", "-noheader", "-o", f"{FIELDS} delimiter='|'")


class Lsf(Dialect):
    """The dialect of LSF."""

    system: Final = "lsf"
    needs: Final = ("bsub", "bjobs", "bkill", "bqueues", "bhosts")
    mark: Final = "#BSUB"
    own_id: Final = "$LSB_JOBID"
    counts_cores: Final = True
    device_words: Final = MappingProxyType({"gpu": _GPU})
    mute: Final = ("LSB_BJOBS_", "LSB_DEFAULTQUEUE_", "BSUB_")

    def header(self, wants: Wants) -> tuple[str, ...]:
        """Directive lines.

        Raises:
            UsageError: a request that its options cannot express.
        """
        cores = wants.cores_per_node or 1
        devices = {expression(w, "a device"): n for w, n in wants.devices.items()}
        n_gpus = devices.pop(_GPU, None)
        usage = ":".join(f"{word}={n}" for word, n in devices.items())
        terms = []
        for part in wants.parts:
            words = [expression(wants.constraint, "the constraint")] if wants.constraint else []
            words += [expression(part.feature, "the feature")] if part.feature else []
            select = f"select[{'&&'.join(words)}] " if words else ""
            rusage = f" rusage[{usage}]" if usage else ""
            terms.append((part.nodes * cores, f"{select}span[ptile={cores}]{rusage}"))
        resources = terms[0][1]
        if len(terms) > 1:
            resources = " + ".join(f"{slots}*{{{term}}}" for slots, term in terms)
        options = [f"-n {wants.nodes * cores}", f'-R "{resources}"', "-rn"]
        options += [f'-gpu "num={n_gpus}:j_exclusive=yes"'] if n_gpus else []
        options += ["-x"] * wants.exclusive
        if wants.limit_seconds is not None:
            options.append(f"-W {minutes(wants.limit_seconds)}")
        if wants.queue:
            options.append(f"-q {plain(wants.queue, 'the queue')}")
        if wants.account:
            options.append(f"-P {plain(wants.account, 'the account')}")
        options += [directive(text) for text in wants.directives]
        return tuple(f"{self.mark} {option}" for option in options)

    def job_environment(self, wants: Wants) -> JobEnvironment:
        return JobEnvironment(
            header=self.header(wants),
            limit_seconds=rounded_up(wants.limit_seconds, 60.0),
            list_hosts=_HOSTS,
            on_host="blaunch",
        )

    def submit(self, script: Path, name: str, after: str | None = None) -> Question[Submission]:
        """Submit a script; its directives are read from standard input only."""
        dependency = ("-w", f"ended({after})") if after else ()
        output = str(script.with_suffix(".out")).replace("%", "_")
        argv = ("bsub", "-J", name, "-o", output, *dependency)
        return Question(argv, read_submission, stdin=script)

    def query(self, ids: Sequence[str]) -> Question[States]:
        """Query jobs, including those that ended recently."""
        return Question((*_LIST, *ids), read_jobs)

    def find(self, name: str) -> tuple[Question[States], ...]:
        return (Question((*_LIST, "-J", name), read_jobs),)

    def account(self, ids: Sequence[str]) -> tuple[Question[States], ...]:
        """Query the job history in memory, then the event files."""
        return self.query(ids), Question(("bhist", "-l", "-n", "0", *ids), read_history)

    def interrupt(self, job: str) -> Question[str]:
        """Send a signal; by default bkill sends two that can be caught before SIGKILL."""
        return Question(("bkill", "-s", "TERM", job), read_cancel)

    def cancel(self, job: str) -> Question[str]:
        return Question(("bkill", job), read_cancel)

    def queues(self) -> Question[tuple[Queue, ...]]:
        return Question(("bqueues", "-l"), read_queues)

    def nodes(self) -> Question[tuple[NodeState, ...]]:
        """Query the hosts, each separately: otherwise a group may have one row."""
        return Question(("bhosts", "-w", "-X"), read_hosts)

    def policy(self) -> tuple[Question[str], ...]:
        return Question(("bqueues", "-l"), read_text), Question(("bparams", "-a"), read_text)

    def inside(self, environment: Mapping[str, str]) -> str | None:
        return environment.get("LSB_JOBID") if environment.get("LSB_MCPU_HOSTS") else None
