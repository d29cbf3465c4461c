"""Findings as a page shows them: many of one kind stand together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from heorot.model.analysis.result import Finding
from heorot.model.grouping import group_by

MOST_OF_A_KIND = 3
"""More findings of one kind are shown as one."""

_RANKS = {"error": 0, "warning": 1, "note": 2}


@dataclass(frozen=True)
class FindingGroup:
    """A finding, or several of one kind.

    Attributes:
        members: the most severe first, each with its place in the analysis: `finding-N` is its
            fragment of the page.
    """

    members: tuple[tuple[int, Finding], ...]

    @property
    def number(self) -> int:
        """The place of the first in the analysis."""
        return self.members[0][0]

    @property
    def first(self) -> Finding:
        """The most severe."""
        return self.members[0][1]

    @property
    def text(self) -> str:
        """The first, with the number of the others."""
        return self.first.text + self._more

    @property
    def short(self) -> str:
        """The same in few words."""
        return self.first.short + self._more

    @property
    def _more(self) -> str:
        n = len(self.members) - 1
        return f", and {n} more of this kind" if n else ""


def group_findings(findings: Sequence[Finding]) -> list[FindingGroup]:
    """Findings by severity; those of one kind are one group if they are more than three."""
    ordered = sorted(enumerate(findings), key=lambda each: _RANKS[each[1].severity])
    groups: list[FindingGroup] = []
    for kind, members in group_by(ordered, lambda each: each[1].kind).items():
        if kind and len(members) > MOST_OF_A_KIND:
            groups.append(FindingGroup(tuple(members)))
        else:
            groups += [FindingGroup((each,)) for each in members]
    return sorted(groups, key=lambda each: (_RANKS[each.first.severity], each.number))
