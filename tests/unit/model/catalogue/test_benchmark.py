"""Records of programs: sizes in words and in order, bounds with one limit, names."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from heorot.model.catalogue.benchmark import Case, Size, tiny_case
from heorot.model.catalogue.metrics import Ceiling, Metric
from heorot.model.catalogue.need import CheckedFile, Need, Space
from tests.unit.analyse.builders import a_benchmark

CLASSES = Size(coordinate="class", order=("S", "W", "A"))
UNKNOWNS = Size(coordinate="grid_points")


def test_words_are_ranked_by_their_order_and_not_by_the_alphabet() -> None:
    ranks = [CLASSES.rank({"class": word}) for word in ("S", "W", "A")]
    assert all(small < large for small, large in pairwise(ranks))


def test_numbers_are_ranked_by_their_value() -> None:
    sizes = (512, 4096, 1e6, "20000000")
    ranks = [UNKNOWNS.rank({"grid_points": size}) for size in sizes]
    assert all(small < large for small, large in pairwise(ranks))


def test_a_word_that_the_order_lacks_has_no_rank() -> None:
    with pytest.raises(ValueError, match="not in tuple"):
        CLASSES.rank({"class": "X"})


def test_sizes_are_said_in_words() -> None:
    assert CLASSES.word({"class": "A", "n": 1}) == "class A"
    assert UNKNOWNS.word({"grid_points": 4096}) == "with 4096 grid points"
    each = UNKNOWNS.model_copy(update={"of": "rank"})
    assert each.word({"grid_points": 4096}) == "with 4096 grid points for each rank"


@pytest.mark.parametrize("limits", [{}, {"by": "flop_peak", "most": 1.0}])
def test_a_bound_is_either_measured_or_a_constant(limits: dict[str, Any]) -> None:
    with pytest.raises(ValidationError, match="either measured or a constant"):
        Ceiling(metric="rate", **limits)


@pytest.mark.parametrize("limits", [{"by": "flop_peak"}, {"most": 0.0}])
def test_a_bound_has_one_limit(limits: dict[str, Any]) -> None:
    assert Ceiling(metric="rate", **limits).metric == "rate"


def test_the_name_of_a_program_is_its_path() -> None:
    program = a_benchmark("stones/river_bed")
    assert (program.family, program.target) == ("stones", "stones_river_bed")
    assert program.display_name == "stones/river_bed"
    assert a_benchmark("stones/river_bed", title="the bed").display_name == "the bed"


def test_metrics_are_found_by_name() -> None:
    rate = Metric(name="rate", unit="1/s", better="higher", count="stones")
    time = Metric(name="time", unit="s", better="lower")
    program = a_benchmark(metrics=(rate, time))
    assert program.metric("time") is time
    assert program.metric("weight") is None
    assert (rate.is_rate, time.is_rate) == (True, False)


@pytest.mark.parametrize(("ranks", "nodes", "per_node"), [(4, 2, 2), (7, 2, 4), (3, 3, 1)])
def test_the_fullest_node_counts(ranks: int, nodes: int, per_node: int) -> None:
    case = Case(name="c", options={}, ranks=ranks, nodes=nodes)
    assert case.per_node == per_node


def test_a_tiny_case_is_one_core_unless_it_needs_ranks() -> None:
    assert (tiny_case().ranks, tiny_case().threads, tiny_case().options) == (1, 1, {})
    assert tiny_case({"n": 8}, ranks=2).ranks == 2


def test_threads_have_cores_of_their_own_unless_they_may_share_them() -> None:
    case = Case(name="c", options={}, ranks=6, threads=2, nodes=3)
    assert case.needs_cores == 12
    shared = case.model_copy(update={"needs": Need(shared_cores=True)})
    assert shared.needs_cores == 3


def test_an_estimate_leaves_the_other_needs_as_they_are() -> None:
    needs = Need(devices={"gpu": 2}, files={"scratch": Space(bytes=8)})
    case = Case(name="c", options={}, needs=needs, working_set_bytes=7)
    reported = case.estimated(memory_bytes=5, seconds=2.5)
    assert (reported.needs.memory_bytes, reported.needs.seconds, reported.working_set_bytes) == (
        5,
        2.5,
        7,
    )
    assert (reported.needs.devices, reported.needs.files) == (needs.devices, needs.files)
    assert (
        reported.estimated(memory_bytes=5, seconds=2.5, working_set_bytes=0).working_set_bytes == 0
    )
    assert [str(one) for one in needs.resources] == ["device:gpu:2", "filesystem:scratch"]


def test_digests_are_those_of_sha256() -> None:
    assert CheckedFile(path=Path("mesh"), sha256="0f" * 32).sha256 == "0f" * 32
    for text in ("", "0f", "0F" * 32, "0g" * 32):
        with pytest.raises(ValidationError):
            CheckedFile(path=Path("mesh"), sha256=text)
