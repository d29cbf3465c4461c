"""What the manuals of PBS, LSF and Flux say beyond running jobs: none of it was ever tried.

Source: OpenPBS, doc/man1/qhold.1B, qrls.1B, qsub.1B, doc/man8/pbsnodes.8B; IBM Spectrum LSF 10.1
Command Reference, bstop, bresume, bsub, badmin; flux-job(1), flux-submit(1), flux-resource(1).
"""

from __future__ import annotations

from collections.abc import Mapping

from heorot.launch.batch.controls import After, Controls, complaint
from heorot.launch.batch.dialect import Dialect, Question
from heorot.launch.batch.pbs import Pbs
from heorot.launch.batch.slurm_controls import SlurmControls


class _Told(Controls):
    """Commands and directives as texts; `@` stands for the job or the node.

    Args:
        commands: words by what they do.
        directives: options by what they do.
        index: variable of a task's index.
        granted: what a job has.
    """

    def __init__(
        self,
        commands: Mapping[str, tuple[str, ...]],
        directives: Mapping[str, str],
        index: str = "",
        granted: str = "",
    ) -> None:
        self._commands, self._directives = commands, directives
        self.index, self.granted = index, granted

    def _question(self, what: str, about: str) -> Question[str] | None:
        words = self._commands.get(what)
        return Question(tuple(w.replace("@", about) for w in words), complaint) if words else None

    def _directive(self, what: str, about: str = "") -> str | None:
        text = self._directives.get(what)
        return text.replace("@", about) if text else None

    def held(self) -> str | None:
        """Submit held."""
        return self._directive("held")

    def hold(self, job: str) -> Question[str] | None:
        """Hold a job that waits."""
        return self._question("hold", job)

    def release(self, job: str) -> Question[str] | None:
        """Release a held job."""
        return self._question("release", job)

    def after(self, which: After, job: str) -> str | None:
        """Depend on another job."""
        return self._directive(f"after {which}", job)

    def array(self, last: int) -> str | None:
        """Make an array."""
        return self._directive("array", str(last))

    def less_urgent(self) -> str | None:
        """Be less urgent."""
        return self._directive("less urgent")

    def drain(self, node: str) -> Question[str] | None:
        """Drain a node."""
        return self._question("drain", node)

    def resume(self, node: str) -> Question[str] | None:
        """Resume a node."""
        return self._question("resume", node)


_PBS = {"hold": ("qhold", "@"), "release": ("qrls", "@"), "drain": ("pbsnodes", "-o", "@")}
_PBS_DIRECTIVES = {
    "held": "-h",
    "after ok": "-W depend=afterok:@",
    "after any": "-W depend=afterany:@",
    "less urgent": "-p -100",
}
_LSF = {
    "hold": ("bstop", "@"),
    "release": ("bresume", "@"),
    "drain": ("badmin", "hclose", "@"),
    "resume": ("badmin", "hopen", "@"),
}
_LSF_DIRECTIVES = {
    "held": "-H",
    "after ok": '-w "done(@)"',
    "after any": '-w "ended(@)"',
}
_FLUX = {
    "hold": ("flux", "job", "urgency", "@", "hold"),
    "release": ("flux", "job", "urgency", "@", "default"),
    "drain": ("flux", "resource", "drain", "@"),
    "resume": ("flux", "resource", "undrain", "@"),
}
_FLUX_DIRECTIVES = {
    "held": "--urgency=hold",
    "after ok": "--dependency=afterok:@",
    "after any": "--dependency=afterany:@",
    "less urgent": "--urgency=8",
}


def controls_of(dialect: Dialect) -> Controls:
    """What is known of a batch system beyond its dialect.

    Args:
        dialect: of it.
    """
    if dialect.system == "slurm":
        return SlurmControls()
    if isinstance(dialect, Pbs):
        is_torque = dialect.flavour == "torque"
        resume = ("pbsnodes", "-c" if is_torque else "-r", "@")
        array = {"array": "-t 1-@" if is_torque else "-J 1-@"}
        index = "PBS_ARRAYID" if is_torque else "PBS_ARRAY_INDEX"
        return _Told(_PBS | {"resume": resume}, _PBS_DIRECTIVES | array, index)
    if dialect.system == "lsf":
        return _Told(_LSF, _LSF_DIRECTIVES, granted="$LSB_MCPU_HOSTS")
    return _Told(_FLUX, _FLUX_DIRECTIVES)
