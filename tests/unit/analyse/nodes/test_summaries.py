"""Rows of many groups at once equal those made one by one."""

from __future__ import annotations

import numpy as np
import pytest

from heorot.analyse.nodes import summaries
from heorot.analyse.nodes.summaries import make_node_rows
from heorot.analyse.results import group_series, make_results
from heorot.analyse.statistics.summary import median
from heorot.model.catalogue.metrics import Metric
from heorot.model.run.series import Series
from tests.unit.analyse.builders import a_benchmark, a_series

RATE = Metric(name="rate", unit="flop/s", better="higher", count="flops")
TIME = Metric(name="time", unit="s", better="lower")
OTHER = Metric(name="other", unit="op/s", better="higher", count="absent")
PROGRAM = a_benchmark("a/b", metrics=(OTHER, RATE, TIME))


def ragged(seed: int, n_groups: int = 40) -> list[Series]:
    """Launches of one to fifty samples, one to eight of each group, with counts that differ."""
    random = np.random.default_rng(seed)
    return [
        a_series(
            benchmark="a/b",
            launch=launch,
            point={"node": f"n{group}"},
            counts={"flops": float(random.integers(1, 5))},
            seconds=random.lognormal(0.0, 0.5, random.integers(1, 51)),
        )
        for group in range(n_groups)
        for launch in range(1, random.integers(2, 10))
    ]


@pytest.mark.parametrize("seed", range(5))
def test_they_are_those_made_one_by_one(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(summaries, "_MOST_SAMPLES", 500)
    groups = group_series(ragged(seed))
    found = make_node_rows(groups, {"a/b": PROGRAM}, run="r", system="s")
    expected = make_results(groups, {"a/b": PROGRAM}, run="r", system="s")
    assert len(found) == len(expected) == 80
    for row, other in zip(found, expected, strict=True):
        one = row.result
        assert one.id == other.id
        for name in ("median", "ci_low", "ci_high", "q10", "q90", "min", "max"):
            assert getattr(one, name) == pytest.approx(getattr(other, name), rel=1e-12)
        assert (one.n, one.n_launches) == (other.n, other.n_launches)
        assert row.is_first == (one.metric == "rate")
    (rate, time), group = found[:2], groups[0]
    assert rate.launches.tolist() == [median(samples) for samples in group.samples(RATE)]
    assert time.launches.size == len(group.series)


def test_programs_that_nobody_knows_have_no_rows() -> None:
    groups = group_series([a_series(benchmark="x/y")])
    assert make_node_rows(groups, {"a/b": PROGRAM}, run="r", system="s") == []
    assert make_node_rows([], {}, run="r", system="s") == []


def test_samples_that_are_no_numbers_are_refused() -> None:
    groups = group_series([a_series(benchmark="a/b", counts={}, seconds=np.array([1.0, np.nan]))])
    with pytest.raises(ValueError, match="finite"):
        make_node_rows(groups, {"a/b": PROGRAM}, run="r", system="s")
