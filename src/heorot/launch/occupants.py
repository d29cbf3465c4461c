"""Queries the jobs of all users on the nodes of a batch system.

Sources: squeue.html (slurm.schedmd.com); OpenPBS doc/man1/qstat.1B (exec_host: `host/index*cores`);
Torque 6.1.2 Administrator Guide (exec_host: `host/core+host/core`); IBM LSF, bjobs -o;
flux-jobs(1).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from heorot.jobs.batch_states import meaning_of
from heorot.jobs.hosts import expand_hosts
from heorot.launch.batch.dialect import Dialect, Question
from heorot.launch.batch.parsing import count, one_line
from heorot.printable import printable
from heorot.process import Finished

# A marker of a job script, as `write_job` makes it, or its rest in PBS. The last part of a UUID
# looks alike, but follows four characters.
_OURS = re.compile(r"(?:J\d{4,7}|[\w.-]*-\d{1,3}|h\d?)-[0-9a-f]{12}(?:\.\d{1,3})?", re.ASCII)
_MOST_CORES = 1 << 20


@dataclass(frozen=True)
class Occupant:
    """A job of any user.

    Attributes:
        id: its id in the batch system.
        waits: whether it waits for nodes.
        cores: its cores on each of its nodes, by name; 0 if unknown.
    """

    id: str
    name: str
    waits: bool = False
    cores: Mapping[str, int] = field(default_factory=dict)

    @property
    def is_of_heorot(self) -> bool:
        """Whether its name has the form of names that Heorot gives to jobs."""
        return bool(_OURS.fullmatch(self.name))


Occupants = tuple[Occupant, ...] | None
"""None: there was no answer."""


def occupants(dialect: Dialect, *, waiting: bool = False) -> Question[Occupants]:
    """A query for the jobs of all users that have nodes.

    Args:
        waiting: whether waiting jobs are included.
    """
    match dialect.system:
        case "slurm":
            states = "RUNNING,COMPLETING,CONFIGURING" + ",PENDING" * waiting
            columns = "%i|%T|%C|%N|%j"
            argv: tuple[str, ...] = ("squeue", "-h", "-a", "-t", states, "-o", columns)
            return Question(argv, _reader(_slurm, waiting=waiting))
        case "pbs":
            return Question(("qstat", "-f"), _reader(_pbs, waiting=waiting))
        case "lsf":
            columns = "jobid stat slots exec_host job_name delimiter='|'"
            which = ("-u", "all", *(() if waiting else ("-r",)))
            return Question(
                ("bjobs", *which, "-noheader", "-o", columns), _reader(_lsf, waiting=waiting)
            )
        case _:
            columns = "{id.dec}|{status}|{ncores}|{nodelist}|{name}"
            which = ("-A", f"--filter={'pending,' * waiting}running")
            return Question(
                ("flux", "jobs", "-n", *which, "-o", columns), _reader(_flux, waiting=waiting)
            )


def _reader(
    read: Callable[[str], Iterator[Occupant]], *, waiting: bool
) -> Callable[[Finished], Occupants]:
    def answer(finished: Finished) -> Occupants:
        if not finished.ok:
            # LSF's message without jobs.
            return () if "No unfinished job found" in finished.err else None
        return tuple(each for each in read(finished.out) if each.cores or (waiting and each.waits))

    return answer


def _rows(text: str) -> Iterator[tuple[str, str, int, str, str]]:
    """Lines `id|state|cores|hosts|name`; a name may contain the separator."""
    for line in text.splitlines():
        fields = [printable(part).strip() for part in line.split("|", 4)]
        if len(fields) == 5 and fields[0]:  # noqa: PLR2004 (the fields above)
            job, state, cores, hosts, name = fields
            yield job, state.upper(), count(cores) or 0, hosts, one_line(name)


def _evenly(names: tuple[str, ...], cores: int) -> dict[str, int]:
    """The cores of a job divided equally among its nodes, rounded up."""
    each = -(-min(cores, _MOST_CORES) // len(names)) if names else 0
    return dict.fromkeys(names, each)


def _slurm(text: str) -> Iterator[Occupant]:
    for job, state, cores, hosts, name in _rows(text):
        waits = meaning_of("slurm", state)[0] == "pending"
        names = () if waits else expand_hosts(hosts)
        yield Occupant(job, name, waits, _evenly(names, cores))


def _flux(text: str) -> Iterator[Occupant]:
    for job, state, cores, hosts, name in _rows(text):
        names = expand_hosts(hosts)
        waits = meaning_of("flux", state)[0] != "running" and not names
        yield Occupant(job, name, waits, _evenly(names, cores))


def _lsf(text: str) -> Iterator[Occupant]:
    for job, state, cores, hosts, name in _rows(text):
        had: Counter[str] = Counter()
        for word in [] if hosts == "-" else hosts.split(":"):
            number, star, host = word.partition("*")
            had[host if star else word] += (count(number) or 1) if star else 1
        if len(had) == 1 and cores:
            had = Counter(dict.fromkeys(had, cores))
        yield Occupant(job, name, meaning_of("lsf", state)[0] == "pending", dict(had))


def _pbs(text: str) -> Iterator[Occupant]:
    """Jobs in the output of qstat -f; lines that begin with a tabulator continue the last one."""
    for block in re.split(r"^Job Id: ", text, flags=re.MULTILINE)[1:]:
        fields: dict[str, str] = {}
        job, *lines = block.replace("\n\t", "").splitlines() or [""]
        for line in lines:
            if match := re.match(r" {4}(Job_Name|job_state|exec_host) = (.*)", line):
                fields.setdefault(match[1], printable(match[2]).strip())
        state = fields.get("job_state", "")
        hosts = _pbs_hosts(fields.get("exec_host", "")) if state in set("RE") else {}
        waits = meaning_of("pbs", state)[0] == "pending"
        yield Occupant(printable(job).strip(), one_line(fields.get("Job_Name", "")), waits, hosts)


def _pbs_hosts(text: str) -> dict[str, int]:
    """Cores by node of `n1/0*4+n2/1`, and of Torque's `n1/0-3,6+n2/0`."""
    had: Counter[str] = Counter()
    for word in text.split("+") if text else ():
        host, _, index = word.partition("/")
        _, star, number = index.partition("*")
        had[host] += (count(number) or 1) if star else _indices(index)
    return dict(had)


def _indices(text: str) -> int:
    """The number of indices in a list such as `0-3,6`."""
    n = 0
    for part in text.split(","):
        first, dash, last = part.partition("-")
        low, high = count(first), count(last)
        n += max(1, high - low + 1) if dash and low is not None and high is not None else 1
    return n
