"""Hydra, the launcher of MPICH and its derivatives MVAPICH and Intel MPI."""

from __future__ import annotations

from collections.abc import Mapping

from heorot.launch.launchers.launcher import INSIDE_SLURM, Launch, Launcher


class Hydra(Launcher):
    """The launcher of MPICH and MVAPICH."""

    local_rank = "MPI_LOCALRANKID"

    def words(self, launch: Launch, environment: Mapping[str, str]) -> tuple[str, ...]:
        """The words in front of the program.

        Args:
            environment: of the step; Hydra passes its whole environment to all ranks.
        """
        del environment
        start = start_words(launch, "-f", "-launcher", "-launcher-exec")
        return (*start, "-bind-to", "none")

    def environment(self, launch: Launch) -> dict[str, str]:
        """Variables of the srun that it calls."""
        return {} if launch.hosts is None else dict(INSIDE_SLURM)

    def host_line(self, launch: Launch) -> str:
        del launch
        return "{host}:{n}"


def start_words(launch: Launch, hosts: str, launcher: str, launcher_exec: str) -> tuple[str, ...]:
    """The launcher, the number of ranks, and with several hosts the way to reach them.

    Args:
        hosts: the option for the file of hosts.
        launcher: the option for the type of launch agent.
        launcher_exec: the option for the agent's path.
    """
    start = (str(launch.mpiexec), "-n", str(launch.step.ranks))
    if launch.hosts is None:
        return start
    agent = launch.allocation.agent
    given: tuple[str, ...] = ()  # Hydra detects a batch system
    if agent is not None:
        given = (launcher, "rsh", launcher_exec, str(agent))
    elif launch.allocation.hosts:
        given = (launcher, "ssh")
    return (*start, hosts, str(launch.hosts), *given)


class IntelMpi(Hydra):
    """The launcher of Intel MPI."""

    def words(self, launch: Launch, environment: Mapping[str, str]) -> tuple[str, ...]:
        """The words in front of the program.

        Args:
            environment: of the step; all of it is passed to all ranks.
        """
        del environment
        everything = () if launch.hosts is None else ("-genvall",)
        start = start_words(launch, "-machinefile", "-bootstrap", "-bootstrap-exec")
        return (*start, *everything)

    def environment(self, launch: Launch) -> dict[str, str]:
        """Variables: ranks are not pinned, and the file of hosts also counts in a batch system."""
        environment = {"I_MPI_PIN": "0"}
        if launch.hosts is not None:
            environment |= {"I_MPI_JOB_RESPECT_PROCESS_PLACEMENT": "0", **INSIDE_SLURM}
        return environment
