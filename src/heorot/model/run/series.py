"""All samples of one region at one point in one launch."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from heorot.model.run.identity import Key, Measured
from heorot.model.run.ranks import Own, Phase, Starts
from heorot.model.run.records import Disturbance, RegionLine, SecondClock, Traffic

Verified = Literal["passed", "failed", "unchecked"]


@dataclass(frozen=True)
class Series(Measured):
    """All samples of one region at one point in one launch.

    Attributes:
        attempt: 2 for the repeat of a perturbed launch.
        counts: work per body, all ranks and threads together.
        repetitions: bodies in one sample.
        seconds: raw length of every sample, shape (n_samples,) [s].
        elapsed_seconds: the sampling loop on the main clock [s].
        disturbance: other activity meanwhile.
        verified: verdict of the checks of this region.
        second_clock: the sampling loop on another clock.
        phases: the parts of a body; empty if the program does not record them.
        step_disturbance: other activity during the whole program; None in older files.
        own: times of the ranks themselves; None for one rank, and in older files.
        starts: start skew if every body was synchronised; None if only samples were.
        foreign: traffic of the interface with most bytes from other hosts; None if there was none,
            on one node, and in older files.
    """

    key: Key
    step: str
    launch: int
    attempt: int
    counts: dict[str, float]
    repetitions: int
    seconds: NDArray[np.float64]
    synchronisation: str
    stopped: str
    elapsed_seconds: float
    disturbance: Disturbance
    verified: Verified
    second_clock: SecondClock | None = None
    phases: tuple[Phase, ...] = ()
    step_disturbance: Disturbance | None = None
    own: Own | None = None
    starts: Starts | None = None
    foreign: Traffic | None = None

    @property
    def body_seconds(self) -> NDArray[np.float64]:
        """Time of one body in every sample, shape (n_samples,) [s]."""
        return self.seconds / self.repetitions

    @property
    def mean_body_seconds(self) -> NDArray[np.float64]:
        """Time of one body in every sample, mean over the ranks, shape (n_samples,) [s].

        Empty if only samples were synchronised, and in older files.
        """
        of_ranks = self.starts.mean_seconds if self.starts else ()
        return np.array(of_ranks, dtype=np.float64) / self.repetitions


SAMPLED = tuple(
    field.name
    for field in fields(Series)
    if field.name in RegionLine.model_fields.keys() - {"seconds"}
)
"""Fields of a series as the program wrote them, except the samples themselves."""
