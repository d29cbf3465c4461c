"""Counts of programs' messages follow from sizes, ranks and options."""

from __future__ import annotations

import pytest

from heorot.catalogue.asked import Asked
from heorot.model.catalogue.benchmark import Case


def count(program: str, what: str, ranks: int = 2, /, **options: str | int) -> float:
    named = {name.replace("_", "-"): value for name, value in options.items()}
    case = Case(name="one", options=dict(named), ranks=ranks)
    return Asked(f"messages/{program}", case).amount(what)


def n_sizes(**options: str | int) -> float:
    return count("exchange", "points", **options)


def test_sizes_are_nothing_and_powers_of_two_from_the_smallest_to_the_largest() -> None:
    assert n_sizes() == 24
    assert n_sizes(min_bytes=4, max_bytes="1k") == 9
    assert n_sizes(sizes="65536,3") == 2
    assert count("loggp", "points") == 5 * 17


def test_only_whole_numbers_of_doubles_are_vectors() -> None:
    assert count("ring", "points", max_bytes=64) == 4 * 4
    assert count("ring", "points", max_bytes=64, points_per_octave=2) == 4 * 4
    assert count("ring", "points", sizes="0,3,24,8") == 4 * 2


@pytest.mark.parametrize(("ranks", "pairs"), [(2, [1]), (12, [1, 2, 4, 6]), (16, [1, 2, 4, 8])])
def test_pairs_double_up_to_all_of_them(ranks: int, pairs: list[int]) -> None:
    asked: dict[str, str | int] = {"sizes": "8,16", "window": 10}
    assert count("multi_pair", "points", ranks, **asked) == 2 * 2 * len(pairs)
    assert count("multi_pair", "messages", ranks, **asked) == 2 * 3 * 10 * sum(pairs)
    assert count("multi_pair", "messages", ranks, pairs="1", **asked) == 2 * 3 * 10


@pytest.mark.parametrize(("ranks", "vectors"), [(2, 2), (3, 4), (4, 8), (6, 12), (8, 24)])
def test_a_hypercube_sends_its_vectors_in_every_step(ranks: int, vectors: int) -> None:
    assert count("global_sum", "bytes", ranks, sizes="80") == 6 * vectors * 80


@pytest.mark.parametrize(
    ("ranks", "of_a_torus"), [(2, 2), (3, 2), (4, 4), (8, 6), (12, 6), (13, 2)]
)
def test_neighbours_are_as_many_as_extents_allow(ranks: int, of_a_torus: int) -> None:
    asked = {"sizes": "80", "patterns": "neighbours_3d"}
    assert count("patterns", "bytes", ranks, **asked) == ranks * of_a_torus * 80


def test_operations_are_counted_whose_buffers_have_room() -> None:
    asked = {"operations": "barrier,bcast,alltoall", "sizes": "8,4096"}
    assert count("collectives", "points", 4, **asked) == 1 + 2 + 2
    assert count("collectives", "points", 4, memory=8192, **asked) == 1 + 2 + 1
    assert count("collectives", "bytes", 4, **asked) == (3 + 12) * (8 + 4096)
    assert count("collectives", "points", 4, operations="blocking", sizes="8") == 24
    # Four regions for each of eight nonblocking ones, and a computation before.
    assert count("collectives", "points", 4, operations="all", sizes="8") == 24 + 4 * 8 + 1
    assert count("collectives", "points", 4, integer_types="true") == 10
