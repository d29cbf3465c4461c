"""Protocol of launchers: the words before a program, and its environment."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from heorot.launch.launchers.devices import HostDevices
from heorot.launch.placement import CpuSet
from heorot.model.base import Record
from heorot.model.batch.allocation import Allocation
from heorot.model.run.plan import Step

# Set by the job's script rather than by a step: its mark and the directory of temporary files, on
# every host.
MARKS = ("HEOROT_JOB", "HEOROT_STEP", "TMPDIR")
# Inside Slurm, launchers start one daemon on each host by srun. It needs all cores of its host, and
# must not wait for the end of other steps of the job.
INSIDE_SLURM = {"SLURM_OVERLAP": "1", "SLURM_WHOLE": "1", "SLURM_CPU_BIND": "none"}


class Launch(Record):
    """The ranks, hosts and devices of one start.

    Attributes:
        version: of the MPI.
        options: further options of the toolchain.
        allocation: the hosts of the job.
        local: ranks on one host; the last host may have fewer.
        cpus: the CPUs of each rank of a host; empty if there are too few to bind.
        devices: of each host, by kind.
        hosts: file with the hosts of the step, written by the job's script; None if the job has
            only the script's host.
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
        """Whether there are more ranks and threads than cores, so that they have to yield."""
        at_once = self.allocation.at_once
        usable = self.allocation.node.limits.n_usable_cores
        shared = at_once is not None and self.step.nodes > at_once
        return shared or self.local * self.step.threads > usable


class Launcher(Protocol):
    """A launcher's dialect; most need no variables, and some no file of hosts.

    Attributes:
        local_rank: variable with a rank's number on its host; empty if not known.
        binds: whether ranks with enough cores are bound.
        stays: whether it starts programs only on its own host, and has to be started there.
    """

    local_rank: str = ""
    binds: bool = True
    stays: bool = False

    def words(self, launch: Launch, environment: Mapping[str, str]) -> tuple[str, ...]:
        """The words before the program.

        Args:
            environment: of the step; the words pass it to every rank.
        """

    def environment(self, launch: Launch) -> dict[str, str]:
        """Variables of the launcher itself; the toolchain's take precedence."""
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
        allowed: the CPUs from which those were chosen, if other hosts may allow others: each rank
            then takes the CPUs at the same positions of its host's list. None takes the CPUs as
            given.
    """
    number = local_rank or "0"
    if allowed is None:
        sets = " ".join(cpu_list(cpu_set) for cpu_set in cpus)
        text = f'cpus=({sets}); exec taskset -c "${{cpus[{number}]}}" "$@"'
        return ("bash", "-c", text, "rank")
    places = " ".join(cpu_list(tuple(map(allowed.index, cpu_set))) for cpu_set in cpus)
    return ("bash", "-c", _BIND_IN_PLACES.format(places=places, number=number, cpus=_CPUS), "rank")


_CPUS = "/sys/devices/system/cpu/cpu"
# The kernel lists topologies of CPUs that are online only, and may allow others. Without a CPU at
# these positions a rank is not bound, as its record shows.
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
