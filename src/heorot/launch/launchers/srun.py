"""Slurm's srun, which starts ranks without the MPI's launcher."""

from __future__ import annotations

from collections.abc import Mapping

from heorot.launch.launchers.launcher import Launch, Launcher


class Srun(Launcher):
    """Slurm's own launcher."""

    local_rank = "SLURM_LOCALID"

    def words(self, launch: Launch, environment: Mapping[str, str]) -> tuple[str, ...]:
        """The words in front of the program.

        Sites differ in Slurm's binding and numbering of CPUs: it is switched off, and ranks bind
        themselves.

        Args:
            environment: of the step; `--export=ALL` passes all of it to all ranks.
        """
        del environment
        own = launch.mpiexec
        # A list of hosts with a slash in it is taken as the name of a file.
        hosts = () if launch.hosts is None else (f"--nodelist={launch.hosts}",)
        return (
            str(own) if own.name == "srun" else "srun",
            *("-N", str(launch.step.nodes), "-n", str(launch.step.ranks)),
            *(f"--ntasks-per-node={launch.local}", *hosts, "--distribution=block"),
            # All cores of its hosts, even while another step of this job is still there.
            *("--overlap", "--whole", "--cpu-bind=none", "--export=ALL", "--kill-on-bad-exit=1"),
            *(() if launch.cpus else ("--overcommit",)),
            *launch.options,
        )

    def host_line(self, launch: Launch) -> str:
        """A host; the number of ranks is an option."""
        del launch
        return "{host}"
