"""The perturbed part of a run: one account, in one wording wherever it is reported."""

from __future__ import annotations

from heorot.model.base import Count, NonNegative, Record
from heorot.model.run.identity import InSetup, Setup
from heorot.units import plural


class Disturbances(Record):
    """How much of a run was perturbed by other load, and how much of that was repeated.

    A launch is perturbed if one of its attempts was for more than a tenth of its time; a result, if
    no launch of it has unperturbed samples. So either may occur without the other.

    Attributes:
        n_launches: launches that were measured, repeats not counted again.
        n_disturbed: perturbed launches.
        n_repeated: perturbed launches with an unperturbed repeat.
        n_spoilt: results that rest on perturbed samples.
    """

    n_launches: int = 0
    n_disturbed: int = 0
    n_repeated: int = 0
    n_results: int = 0
    n_spoilt: int = 0

    @property
    def none(self) -> bool:
        """Whether nothing was perturbed."""
        return not (self.n_disturbed or self.n_spoilt)

    @property
    def is_heavy(self) -> bool:
        """Whether most launches were perturbed and not repeated: no conclusion is possible."""
        return 2 * (self.n_disturbed - self.n_repeated) > self.n_launches

    @property
    def launches(self) -> str:
        """Such as `4 of 34 launches were perturbed, 2 of them repeated unperturbed`."""
        if not self.n_disturbed:
            return "no launch was perturbed for long"
        verb = "was" if self.n_disturbed == 1 else "were"
        text = f"{self.n_disturbed} of {plural(self.n_launches, 'launch')} {verb} perturbed"
        if self.n_repeated == 0:
            return f"{text}, none repeated unperturbed"
        return f"{text}, {self.n_repeated} of them repeated unperturbed"

    @property
    def results(self) -> str:
        """Such as `3 of 120 measured results rest on perturbed samples`."""
        if not self.n_spoilt:
            return "every measured result rests on unperturbed samples"
        verb = "rests" if self.n_spoilt == 1 else "rest"
        measured = plural(self.n_results, "measured result")
        return f"{self.n_spoilt} of {measured} {verb} on perturbed samples"

    @property
    def text(self) -> str:
        """The account as a clause."""
        return "nothing was perturbed" if self.none else f"{self.launches}; {self.results}"


class StartQuality(InSetup, Record):
    """Start skew of a program's bodies that all ranks start at a common instant.

    Attributes:
        by: `window` or `barrier`.
        bodies: timed in all launches.
        late: bodies for which some rank came too late for the start; they were left out.
        clock_error_seconds: largest error bound of any rank's global clock [s].
    """

    setup: Setup
    by: str
    regions: Count
    bodies: Count
    late: Count
    clock_error_seconds: NonNegative
    steps: tuple[str, ...]

    @property
    def kept(self) -> float:
        """Share of the bodies that began in time."""
        return 1.0 - self.late / self.bodies if self.bodies else 1.0
