"""Hydra, the launcher of MPICH and of what descends from it: MVAPICH and Intel MPI."""

from __future__ import annotations

from collections.abc import Mapping

from heorot.launch.launchers.launcher import INSIDE_SLURM, Launch, Launcher


class Hydra(Launcher):
    """The launcher of MPICH and MVAPICH."""

    local_rank = "MPI_LOCALRANKID"

    def words(self, launch: Launch, environment: Mapping[str, str]) -> tuple[str, ...]:
        """The words in front of the program.

        Args:
            environment: of the step; Hydra hands its whole environment to all ranks.
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
    """The launcher, the number of ranks, and where there are several hosts, how to get there.

    Args:
        hosts: the option that takes the file of hosts.
        launcher: the option that takes the kind of launch agent.
        launcher_exec: the option that takes its path.
    """
    start = (str(launch.mpiexec), "-n", str(launch.step.ranks))
    if launch.hosts is None:
        return start
    agent = launch.allocation.agent
    given: tuple[str, ...] = ()  # a batch system is found by itself
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
            environment: of the step; all of it goes to all ranks.
        """
        del environment
        everything = () if launch.hosts is None else ("-genvall",)
        start = start_words(launch, "-machinefile", "-bootstrap", "-bootstrap-exec")
        return (*start, *everything)

    def environment(self, launch: Launch) -> dict[str, str]:
        """That ranks are not pinned, and that the file of hosts counts in a batch system, too."""
        environment = {"I_MPI_PIN": "0"}
        if launch.hosts is not None:
            environment |= {"I_MPI_JOB_RESPECT_PROCESS_PLACEMENT": "0", **INSIDE_SLURM}
        return environment
