"""What programs publish is found by its name alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from heorot.model.catalogue.benchmark import Benchmark
from heorot.model.catalogue.metrics import Reference
from heorot.model.resource import CORES
from heorot.model.run.identity import Stack
from tests.unit.analyse.builders import a_benchmark, a_context, a_result
from tests.unit.model.keys import but

if TYPE_CHECKING:
    from heorot.model.analysis.context import Context

ALL = Reference(name="rates", metric="rate", regions=("mild", "sharp"))
FIRST = Reference(name="clock", metric="ticks", regions=("sure", "likely"), first=True)
AT_A_POINT = Reference(name="edge", metric="rate", regions=("mild",), point={"side": "left"})


@pytest.fixture
def publisher() -> Benchmark:
    return a_benchmark("tools/knife", title="the knife", publishes=(ALL, FIRST, AT_A_POINT))


@pytest.fixture
def context(publisher: Benchmark) -> Context:
    def row(region: str, metric: str, median: float, **changes: Any) -> Any:
        return a_result(
            benchmark="tools/knife", region=region, metric=metric, median=median, **changes
        )

    rows = [
        row("sharp", "rate", 4.0, threads=2),
        row("mild", "rate", 1.0),
        row("mild", "rate", 2.0, point={"side": "left", "n": 1}, toolchain="other"),
        row("likely", "ticks", 3.0),
        row("sure", "ticks", 3.1, toolchain="other"),
        row("sharp", "rate", 9.0, case="wrong", verified="failed"),
    ]
    return a_context(rows, benchmarks=(publisher, a_benchmark("tools/spoon")))


def medians(context: Context, name: str, **wanted: Any) -> list[float]:
    return [row.median for row in context.references.find(name, **wanted)]


def test_all_regions_count_in_their_order(context: Context) -> None:
    assert medians(context, "rates") == [1.0, 2.0, 4.0]
    assert medians(context, "rates", of=CORES.of(2)) == [4.0]
    assert medians(context, "rates", stack=Stack("other")) == [2.0]


def test_the_first_region_that_was_measured_counts_alone(context: Context) -> None:
    assert medians(context, "clock") == [3.1]
    # The more precise one was measured with another toolchain only.
    assert medians(context, "clock", stack=Stack("gnu-12")) == [3.0]


def test_a_reference_may_want_coordinates(context: Context) -> None:
    assert medians(context, "edge") == [2.0]


def test_what_nobody_publishes_has_no_rows(context: Context) -> None:
    assert medians(context, "weight") == []
    assert context.references.publisher("weight") is None


def test_the_publisher_is_known(context: Context) -> None:
    assert context.references.publisher("clock") == ("tools/knife", FIRST)


def test_rows_that_come_later_are_found_and_those_replaced_are_not(context: Context) -> None:
    (row,) = context.references.find("rates", of=CORES.of(2))
    context = context.replacing([row.model_copy(update={"plausible": False})])
    context = context.adding([but(row, case="again", median=5.0)])
    assert medians(context, "rates", of=CORES.of(2)) == [5.0]


def test_a_context_knows_toolchains_and_how_programs_are_called(context: Context) -> None:
    assert context.stacks == [Stack("gnu-12"), Stack("other")]
    assert context.display_name("tools/knife") == "the knife"
    assert context.display_name("tools/spoon") == "tools/spoon"
    assert context.display_name("tools/unknown") == "tools/unknown"
