"""The place of a headline among earlier runs and published machines."""

from __future__ import annotations

import pytest

from heorot.model.analysis.result import Result
from heorot.model.evaluation import Peer
from heorot.report.place import word_place
from tests.unit.report.samples import make_evaluation

BEGUN = 1_700_000_000.0


def row(better: str = "higher") -> Result:
    """A row of 100 B/s with the interval from 95 to 105."""
    first = make_evaluation(2).analysis.scores[0].result
    values = {"median": 100.0, "ci_low": 95.0, "ci_high": 105.0, "unit": "B/s", "better": better}
    return first.model_copy(update=values)


def runs(*medians: float) -> list[Peer]:
    """Earlier runs with these values, each within 5 B/s."""
    return [
        Peer(f"run-{i}", each, each - 5, each + 5, launches=5, begun=BEGUN - i)
        for i, each in enumerate(medians)
    ]


@pytest.mark.parametrize(
    ("medians", "text"),
    [
        ((101.0,), "like 1 earlier run"),
        ((99.0, 101.0, 108.0), "like 3 earlier runs"),
        ((80.0, 120.0), "2nd of 3 runs"),
        ((80.0, 100.0, 120.0), "2nd to 3rd of 4 runs"),
        ((80.0, 81.0, 82.0), "1st of 4 runs"),
        (tuple(120.0 + i for i in range(11)), "12th of 12 runs"),
    ],
)
def test_runs_that_overlap_share_their_places(medians: tuple[float, ...], text: str) -> None:
    place = word_place(row(), runs(*medians))
    assert place is not None
    assert place.text == text


def test_of_times_the_shorter_is_better() -> None:
    place = word_place(row("lower"), runs(80.0, 120.0, 121.0))
    assert place is not None
    assert place.text == "2nd of 4 runs"


def test_published_values_count_where_there_are_no_runs() -> None:
    published = [Peer("old", 50.0), Peer("older", 40.0), Peer("new", 500.0), Peer("like", 101.0)]
    place = word_place(row(), published)
    assert place is not None
    assert place.text == "better than 2 of 4 published"
    assert place.peers.splitlines()[0] == "published, old: 50.0 B/s"
    both = word_place(row(), [*runs(80.0), *published])
    assert both is not None
    assert both.text == "1st of 2 runs"
    assert "2023-11-14, run-0: 80.0 B/s [75.0, 85.0; 5 launches]" in both.peers
    assert "published, new: 500 B/s" in both.peers


def test_without_others_there_is_no_place_and_of_many_some_are_listed() -> None:
    assert word_place(row(), []) is None
    many = word_place(row(), runs(*[80.0] * 20))
    assert many is not None
    assert many.peers.splitlines()[-1] == "and 8 more"
