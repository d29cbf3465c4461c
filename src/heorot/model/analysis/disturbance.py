"""What of a run was disturbed: one account, in one wording for all who tell of it."""

from __future__ import annotations

from heorot.model.base import Count, NonNegative, Record
from heorot.model.run.identity import InSetup, Setup
from heorot.units import plural


class Disturbances(Record):
    """How much of a run something else disturbed, and what became of it.

    A launch is disturbed if one of its attempts was for more than a tenth of its time; a result,
    if no launch of it has undisturbed samples. So there may be one without the other.

    Attributes:
        n_launches: launches that were measured, repeats not counted again.
        n_disturbed: those of them that were disturbed.
        n_repeated: those of these that were repeated undisturbed.
        n_spoilt: those of them that rest on disturbed samples.
    """

    n_launches: int = 0
    n_disturbed: int = 0
    n_repeated: int = 0
    n_results: int = 0
    n_spoilt: int = 0

    @property
    def none(self) -> bool:
        """Whether nothing was disturbed."""
        return not (self.n_disturbed or self.n_spoilt)

    @property
    def is_heavy(self) -> bool:
        """Whether most launches were disturbed and not repeated: nothing follows then."""
        return 2 * (self.n_disturbed - self.n_repeated) > self.n_launches

    @property
    def launches(self) -> str:
        """Such as `4 of 34 launches were disturbed, 2 of them repeated undisturbed`."""
        if not self.n_disturbed:
            return "no launch was disturbed for long"
        verb = "was" if self.n_disturbed == 1 else "were"
        text = f"{self.n_disturbed} of {plural(self.n_launches, 'launch')} {verb} disturbed"
        if self.n_repeated == 0:
            return f"{text}, none repeated undisturbed"
        return f"{text}, {self.n_repeated} of them repeated undisturbed"

    @property
    def results(self) -> str:
        """Such as `3 of 120 measured results rest on disturbed samples`."""
        if not self.n_spoilt:
            return "every measured result rests on undisturbed samples"
        verb = "rests" if self.n_spoilt == 1 else "rest"
        measured = plural(self.n_results, "measured result")
        return f"{self.n_spoilt} of {measured} {verb} on disturbed samples"

    @property
    def text(self) -> str:
        """What happened, as a clause."""
        return "nothing was disturbed" if self.none else f"{self.launches}; {self.results}"


class StartQuality(InSetup, Record):
    """How bodies of a program began that all ranks start at a common instant.

    Attributes:
        by: `window` or `barrier`.
        bodies: timed in all launches.
        late: of which some rank came too late for the start; they were left out.
        clock_error_seconds: largest bound of the error of any rank's global clock [s].
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
