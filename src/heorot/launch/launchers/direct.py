"""Programs without a launcher, and launchers of which only the MPI standard's options are known."""

from __future__ import annotations

from collections.abc import Mapping

from heorot.launch.launchers.launcher import Launch, Launcher, bind_by_hand, cpu_list
from heorot.launch.placement import allowed_cpus


class Direct(Launcher):
    """No launcher: the job's script takes the program to another host if necessary."""

    stays = True

    def words(self, launch: Launch, environment: Mapping[str, str]) -> tuple[str, ...]:
        """The words in front of the program.

        Args:
            environment: of the step, which goes with it.
        """
        del environment
        if not launch.cpus:
            return ()
        if launch.hosts is not None:
            return bind_by_hand("", launch.cpus, allowed_cpus(launch.allocation.node))
        return ("taskset", "-c", cpu_list(launch.cpus[0]))


class Plain(Launcher):
    """Any mpiexec: it gets the number of ranks and finds hosts by itself."""

    binds = False

    def words(self, launch: Launch, environment: Mapping[str, str]) -> tuple[str, ...]:
        """The words in front of the program.

        Args:
            environment: of the step; it may not reach other hosts.
        """
        del environment
        return (str(launch.mpiexec), "-n", str(launch.step.ranks))
