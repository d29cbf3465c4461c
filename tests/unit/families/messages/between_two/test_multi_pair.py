"""The policy of messages/multi_pair: one pair and all of them, over the halves of a job."""

from __future__ import annotations

from heorot.families.messages.between_two.multi_pair import MULTI_PAIR
from heorot.model.catalogue.benchmark import PROFILES
from tests.unit.analyse.builders import a_machine


def test_one_pair_and_all_pairs_are_there() -> None:
    for profile in PROFILES:
        (case,) = MULTI_PAIR.cases(a_machine(12), profile)
        assert (case.ranks, case.needs_cores) == (12, 12)
        # The longer ones have the numbers between, as the program has them by itself.
        assert case.options.get("pairs") == ("1,6" if profile in {"smoke", "quick"} else None)
        (two,) = MULTI_PAIR.cases(a_machine(2), profile)
        assert "pairs" not in two.options


def test_nodes_are_spanned_by_pairs() -> None:
    assert MULTI_PAIR.over_nodes is not None
    full, one_each = MULTI_PAIR.over_nodes(a_machine(8), "quick", 2)
    assert [(case.ranks, case.per_node) for case in (full, one_each)] == [(16, 8), (2, 1)]
    assert [case.options.get("pairs") for case in (full, one_each)] == ["1,8", None]


def test_a_window_needs_a_place_for_each_message() -> None:
    (case,) = MULTI_PAIR.cases(a_machine(8), "full")
    assert case.needs.memory_bytes >= 8 * 64 * (1 << 20)
    assert MULTI_PAIR.estimate is not None
    narrow = case.model_copy(update={"options": {**case.options, "window": 4}})
    assert (
        MULTI_PAIR.estimate(a_machine(8), narrow).needs.memory_bytes < case.needs.memory_bytes / 8
    )


def test_profiles_take_longer_one_after_the_other() -> None:
    seconds = [MULTI_PAIR.cases(a_machine(8), profile)[0].needs.seconds for profile in PROFILES]
    assert seconds == sorted(seconds)
    assert seconds[0] < 0.5
    assert seconds[1] < 4.0


def test_what_stands_on_the_score_card_comes_first_where_it_is_asked_for() -> None:
    for profile in PROFILES:
        (case,) = MULTI_PAIR.cases(a_machine(8), profile)
        assert (case.priority == "headline") == (profile in MULTI_PAIR.profiles)
        sizes = str(case.options.get("sizes", "8")).split(",")
        assert all(str(headline.point["bytes"]) in sizes for headline in MULTI_PAIR.headlines)
