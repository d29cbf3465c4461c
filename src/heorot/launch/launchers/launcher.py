"""What every dialect of a launcher says: the words in front of a program, and its environment."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from heorot.launch.launchers.devices import HostDevices
from heorot.launch.placement import CpuSet
from heorot.model.base import Record
from heorot.model.batch.allocation import Allocation
from heorot.model.run.plan import Step

# Set by the script of a job rather than by a step: they tell its processes on every host, and
# where their temporary files go.
MARKS = ("HEOROT_JOB", "HEOROT_STEP", "TMPDIR")
# Launchers start one daemon on each host by srun where they run inside Slurm. It needs all cores of
# its host, and must not wait until whatever else the job has there ends.
INSIDE_SLURM = {"SLURM_OVERLAP": "1", "SLURM_WHOLE": "1", "SLURM_CPU_BIND": "none"}


class Launch(Record):
    """What a launcher has to do.

    Attributes:
        version: of the MPI.
        options: further words that the toolchain wants.
        allocation: the hosts of the job.
        local: ranks on one host; the last host may have fewer.
        cpus: the CPUs of each rank of a host; empty if there are too few to bind.
        devices: of each host, by kind.
        hosts: file with the hosts of the step, which the script of the job writes; None if the job
            has no host but the one its script runs on.
    """

    step: Step
    mpiexec: Path
    version: str
    options: tuple[str, ...]
    allocation: Allocation
    local: int
    cpus: tuple[CpuSet, ...]
    devices: tuple[HostDevices, ...] = ()
    hosts: Path | None

    @property
    def crowded(self) -> bool:
        """Whether ranks and threads have to let each other run: there are more than cores."""
        at_once = self.allocation.at_once
        usable = self.allocation.node.limits.n_usable_cores
        shared = at_once is not None and self.step.nodes > at_once
        return shared or self.local * self.step.threads > usable


class Launcher(Protocol):
    """A launcher's dialect; most need no variables, and some no file of hosts.

    Attributes:
        local_rank: variable in which a rank finds its number on its host; empty if not known.
        binds: whether ranks that have enough cores are bound to theirs.
        stays: whether it starts programs only where it runs, so that it has to be taken there.
    """

    local_rank: str = ""
    binds: bool = True
    stays: bool = False

    def words(self, launch: Launch, environment: Mapping[str, str]) -> tuple[str, ...]:
        """The words in front of the program.

        Args:
            environment: of the step; the words see to it that it reaches every rank.
        """

    def environment(self, launch: Launch) -> dict[str, str]:
        """Variables for the launcher itself; a toolchain may set them otherwise."""
        del launch
        return {}

    def host_line(self, launch: Launch) -> str:
        """A line of the file of hosts, with `{host}` and `{n}` for a name and its ranks.

        Returns:
            empty if it reads no such file.
        """
        del launch
        return ""


def bind_by_hand(
    local_rank: str, cpus: tuple[CpuSet, ...], allowed: CpuSet | None = None
) -> tuple[str, ...]:
    """The words that bind every rank with taskset.

    Args:
        local_rank: variable with the number of a rank on its host; empty for a single process.
        allowed: what those CPUs were chosen from, where a host may allow others: then each rank
            takes those in the same places of what its own host allows. None takes the CPUs as they
            are.
    """
    number = local_rank or "0"
    if allowed is None:
        sets = " ".join(cpu_list(cpu_set) for cpu_set in cpus)
        text = f'cpus=({sets}); exec taskset -c "${{cpus[{number}]}}" "$@"'
        return ("bash", "-c", text, "rank")
    places = " ".join(cpu_list(tuple(map(allowed.index, cpu_set))) for cpu_set in cpus)
    return ("bash", "-c", _BIND_IN_PLACES.format(places=places, number=number, cpus=_CPUS), "rank")


_CPUS = "/sys/devices/system/cpu/cpu"
# The kernel describes the CPUs that are on line only, and may allow others. Where nothing is left
# in those places, a rank is not bound: its record tells.
_BIND_IN_PLACES = (
    "places=({places}) allowed=() online=() own=; "
    "while read -r name list; do [[ $name == Cpus_allowed_list: ]] && break; "
    "done </proc/self/status; "
    "IFS=,; for part in $list; do "
    "for ((cpu = ${{part%-*}}; cpu <= ${{part#*-}}; cpu++)); do "
    '[[ -e {cpus}$cpu/topology ]] && online+=("$cpu"); allowed+=("$cpu"); done; done; '
    '[[ ${{online[0]}} ]] && allowed=("${{online[@]}}"); '
    "for place in ${{places[{number}]}}; do own+=${{allowed[place]:+,${{allowed[place]}}}}; done; "
    'unset IFS; [[ $own ]] || exec "$@"; exec taskset -c "${{own#,}}" "$@"'
)


def cpu_list(cpus: CpuSet) -> str:
    """CPUs as taskset reads them, such as `0,4`."""
    return ",".join(str(cpu) for cpu in cpus)
