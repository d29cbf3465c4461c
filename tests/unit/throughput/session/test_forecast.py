"""What a day will take, said before anything runs."""

from __future__ import annotations

import pytest

from heorot.throughput.model.kinds import JobsFile
from heorot.throughput.session.forecast import foresee
from heorot.throughput.session.prepare import Prepared
from heorot.units import format_duration
from tests.unit.throughput.session.conftest import MACHINE, Make, kind_of_words, make_arrival


def _prepared(make: Make, *moments: float) -> Prepared:
    arrivals = tuple(
        make_arrival(serial, at_seconds=moment) for serial, moment in enumerate(moments, start=1)
    )
    kinds = JobsFile(jobs={"one": kind_of_words("true", time_limit_seconds=60.0)})
    return Prepared(arrivals, {}, (make("one1", "true"), make("one2", "true")), kinds)


def test_known_times_give_those_of_the_whole(make: Make) -> None:
    ahead = foresee(_prepared(make, 0.0, 0.0, 10.0), MACHINE, 2, "slurm", {"one": 30.0})
    assert ahead.kinds == (("one", 3, 1, 30.0),)
    assert (ahead.n_jobs, ahead.n_alone, ahead.alone_seconds) == (3, 2, 60.0)
    # Two at once, and the third when these have ended.
    assert ahead.load_seconds == pytest.approx(60.0)
    (line,) = ahead.lines
    assert line.startswith(f"2 single runs first, about {format_duration(60.0)}; then 3 jobs")


def test_what_cannot_be_foreseen_is_named_and_not_guessed(make: Make) -> None:
    ahead = foresee(_prepared(make, 0.0, 20.0), MACHINE, 2, "slurm", {})
    assert (ahead.unknown, ahead.alone_seconds, ahead.load_seconds) == (("one",), 0.0, None)
    assert ahead.lines[-1] == "not foreseen, and not in these times: one"
