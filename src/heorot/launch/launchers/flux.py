"""Flux's `flux run`, which starts ranks without the MPI's launcher."""

from __future__ import annotations

import shlex
from collections.abc import Mapping

from heorot.launch.launchers.launcher import Launch, Launcher


class Flux(Launcher):
    """Flux's own launcher."""

    local_rank = "FLUX_TASK_LOCAL_ID"

    def words(self, launch: Launch, environment: Mapping[str, str]) -> tuple[str, ...]:
        """The words before the program; ranks bind themselves.

        Args:
            environment: of the step; Flux passes the whole environment to all ranks.
        """
        del environment
        step, own = launch.step, launch.mpiexec
        start: tuple[str, ...] = (str(own) if own.name == "flux" else "flux", "run")
        if launch.hosts is not None:
            # It takes names rather than a file, and they are known only when the job runs.
            names = f"$(paste -sd, {shlex.quote(str(launch.hosts))})"
            script = f'exec {shlex.join(start)} --requires="hosts:{names}" "$@"'
            start = ("bash", "-c", script, "flux")
        # It takes the total of ranks or ranks per node, not both.
        even = launch.local * step.nodes == step.ranks
        return (
            *(*start, "-N", str(step.nodes)),
            *((f"--tasks-per-node={launch.local}",) if even else ("-n", str(step.ranks))),
            *("--exclusive", "-o", "cpu-affinity=off"),
            # It grants all devices of a node; ranks select theirs.
            *(("-o", "gpu-affinity=off") if launch.devices else ()),
            *launch.options,
        )

    def host_line(self, launch: Launch) -> str:
        """A host; the number of ranks is an option."""
        del launch
        return "{host}"
