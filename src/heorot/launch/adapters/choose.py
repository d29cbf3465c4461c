"""The batch system or adapter that a site or user has chosen, and an existing allocation."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

from heorot import process
from heorot.errors import SetupError
from heorot.launch.adapters.batch_client import BatchClient
from heorot.launch.batch.dialect import Dialect, Wants
from heorot.launch.batch.flux.flux import Flux
from heorot.launch.batch.lsf import Lsf
from heorot.launch.batch.pbs import Pbs
from heorot.launch.batch.slurm import Slurm
from heorot.model.base import Record
from heorot.model.machine.site import BatchName

_DIALECTS: dict[BatchName, Callable[[], Dialect]] = {
    "slurm": Slurm,
    "pbs": Pbs,
    "lsf": Lsf,
    "flux": Flux,
}


class Inside(Record):
    """An allocation of a batch system in which Heorot was started.

    Attributes:
        system: the batch system.
        id: id of the allocating job.
        hosts: its nodes, in order.
    """

    system: BatchName
    id: str
    hosts: tuple[str, ...]


def find_dialect(system: BatchName, commands: Path | None = None) -> Dialect:
    """The dialect of a batch system.

    Raises:
        SetupError: a command that it needs is missing.
    """
    dialect = _DIALECTS[system]()
    search = str(commands) if commands else None
    for command in dialect.needs:
        if shutil.which(command, path=search) is None:
            place = f"in {commands}" if commands else "in PATH"
            raise SetupError(
                f"{command} of {system} is not {place}",
                "set `commands:` of `batch:` in the site file to its directory, or name another "
                "batch system (--batch local: this machine alone)",
            )
    if isinstance(dialect, Pbs) and _is_torque(commands):
        return Pbs("torque")
    return dialect


def _is_torque(commands: Path | None) -> bool:
    """Torque prints its version as `Version: 6.1.2`, others as `pbs_version = 22.05.11`."""
    place = str(commands / "pbsnodes") if commands else "pbsnodes"
    answer = process.run([place, "--version"])
    output = answer.out + answer.err
    return "pbs_version" not in output and re.search(r"[Vv]ersion:? \d", output) is not None


def find_inside(environment: Mapping[str, str], commands: Path | None = None) -> Inside | None:
    """The allocation that a process with this environment is in; None if it is in none."""
    for system, make in _DIALECTS.items():
        dialect = make()
        job = dialect.inside(environment)
        if job is None:
            continue
        listing = dialect.job_environment(Wants()).list_hosts
        search = BatchClient(dialect, commands).environment().get("PATH", "")
        env = dict(environment, PATH=search)
        answer = process.run(["bash", "-c", listing], environment=env)
        hosts = tuple(
            dict.fromkeys(line.strip() for line in answer.out.splitlines() if line.strip())
        )
        if not answer.ok or not hosts:
            continue
        return Inside(system=system, id=job, hosts=hosts)
    return None
