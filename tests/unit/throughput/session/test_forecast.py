"""The estimate of a test before anything runs."""

from __future__ import annotations

import pytest

from heorot.throughput.model.kinds import JobsFile
from heorot.throughput.session.forecast import Forecast, foresee
from heorot.units import format_duration
from tests.unit.throughput.session.conftest import MACHINE, kind_of_words, make_arrival


def _forecast(known: dict[str, float], *moments: float) -> Forecast:
    arrivals = tuple(
        make_arrival(serial, at_seconds=moment) for serial, moment in enumerate(moments, start=1)
    )
    kinds = JobsFile(jobs={"one": kind_of_words("true", time_limit_seconds=60.0)})
    return foresee(arrivals, kinds, {"one": 2}, MACHINE, 2, "slurm", known)


def test_known_times_give_those_of_the_whole() -> None:
    ahead = _forecast({"one": 30.0}, 0.0, 0.0, 10.0)
    assert ahead.kinds == (("one", 3, 1, 30.0),)
    assert (ahead.n_jobs, ahead.n_alone, ahead.alone_seconds) == (3, 2, 60.0)
    # Two at once, and the third when these have ended.
    assert ahead.load_seconds == pytest.approx(60.0)
    (line,) = ahead.lines
    assert line.startswith(f"2 dedicated runs first, about {format_duration(60.0)}; then 3 jobs")


def test_what_cannot_be_foreseen_is_named_and_not_guessed() -> None:
    ahead = _forecast({}, 0.0, 20.0)
    assert (ahead.unknown, ahead.alone_seconds, ahead.load_seconds) == (("one",), 0.0, None)
    assert ahead.lines[-1] == "not estimated, and not in these times: one"
