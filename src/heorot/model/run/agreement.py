"""How the files of a run agree with the digests that were taken when it was concluded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from heorot.units import plural

_NAMED = 5


@dataclass(frozen=True)
class Agreement:
    """How the files of a run agree with their digests.

    Attributes:
        files: number of files with digests; None if there are no digests.
        changed: files whose content changed, or that cannot be read.
        missing: files that no longer exist.
        added: files without a digest.
        damage: why the digests themselves cannot be used; empty if they can.
    """

    files: int | None = None
    changed: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    damage: str = ""

    @property
    def differing(self) -> tuple[str, ...]:
        """All files that differ from the digests."""
        return (*self.changed, *self.missing, *self.added)

    @property
    def agrees(self) -> bool:
        """Whether no file contradicts the digests; true without digests."""
        return not self.differing and not self.damage

    @property
    def lines(self) -> tuple[str, ...]:
        """The disagreements, one line for each kind."""
        kinds = (("changed", self.changed), ("missing", self.missing), ("added", self.added))
        lines = [
            f"{plural(len(files), 'file')} {kind} since the run was concluded: {name_some(files)}"
            for kind, files in kinds
            if files
        ]
        return (*([self.damage] if self.damage else []), *lines)


def name_some(names: Sequence[str]) -> str:
    """The first of some names, and how many more there are.

    Args:
        names: at least one.
    """
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more
