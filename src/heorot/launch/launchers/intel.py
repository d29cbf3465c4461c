"""Intel MPI's Hydra: options of its own."""

from __future__ import annotations

from collections.abc import Mapping

from heorot.launch.launchers.hydra import Hydra, start_words
from heorot.launch.launchers.launcher import INSIDE_SLURM, Launch


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
