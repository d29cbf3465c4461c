"""A launcher of which no more is known than what the MPI standard says of every mpiexec."""

from __future__ import annotations

from collections.abc import Mapping

from heorot.launch.launchers.launcher import Launch, Launcher


class Plain(Launcher):
    """Any mpiexec: it is told the number of ranks and finds hosts by itself, in its own words."""

    local_rank = ""
    binds = False
    stays = False

    def words(self, launch: Launch, environment: Mapping[str, str]) -> tuple[str, ...]:
        """The words in front of the program.

        Args:
            environment: of the step; nobody knows whether it reaches other hosts.
        """
        del environment
        return (str(launch.mpiexec), "-n", str(launch.step.ranks))
