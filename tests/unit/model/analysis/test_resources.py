"""Bounds of resources other than cores: memory, devices, file systems, the link between nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from heorot.analyse.validity.ceilings import apply_ceilings
from heorot.model.catalogue.metrics import Ceiling, Reference
from heorot.model.machine.machine import FileSystem
from heorot.model.resource import (
    CORES,
    FILESYSTEM,
    LINK,
    MEMORY,
    ONE_CORE,
    Resource,
    device,
    filesystem,
)
from tests.unit.analyse.builders import a_benchmark, a_context, a_machine, a_steady_result, a_step

if TYPE_CHECKING:
    from heorot.model.analysis.context import Context
    from heorot.model.analysis.result import Result

GPU, SCRATCH = device("gpu"), filesystem("scratch")
Used = tuple["Result", tuple[Resource, ...]]


def top(median: float, *used: Resource, **changes: Any) -> Used:
    """A measurement of a resource, by a case that used these."""
    fields = {"benchmark": "units/top", "region": "main", "metric": "rate", "median": median}
    return a_steady_result(**(fields | changes)), used


def work(*used: Resource, median: float = 10.0, **changes: Any) -> Used:
    """A row limited by it."""
    return top(median, *used, **({"benchmark": "work/some"} | changes))


def run_of(of: Resource, *rows: Used, kind: str = "lustre") -> Context:
    """A run of a program that publishes its rate, and of one that a resource of it limits."""
    publishes = (Reference(name="top", metric="rate", regions=("main",)),)
    rule = Ceiling(metric="rate", by="top", of=of, reason="there is no more of it")
    place = FileSystem(role="scratch", path="/scratch", kind=kind)
    return a_context(
        [row for row, _ in rows],
        machine=a_machine(8).model_copy(update={"filesystems": (place,)}),
        steps=[
            a_step().model_copy(update={"setup": row.setup, "resources": used})
            for row, used in rows
        ],
        benchmarks=(
            a_benchmark("units/top", publishes=publishes),
            a_benchmark("work/some", ceilings=(rule,)),
        ),
    )


def share(of: Resource, *rows: Used, kind: str = "lustre") -> float | None:
    """The share of its bound, of the last row."""
    context = run_of(of, *rows, kind=kind)
    last = [*context.rows][-1].id
    judged = {row.id: row.share_of_ceiling for row in apply_ceilings(context)}
    return judged.get(last)


def test_devices_limit_by_as_many_of_them_and_not_by_cores() -> None:
    one, two = top(40.0, GPU.of(1), case="one"), top(70.0, GPU.of(2), case="two", ranks=2)
    assert share(GPU, one, two, work(GPU.of(1), threads=8)) == pytest.approx(10 / 40)
    assert share(GPU, one, two, work(GPU.of(2))) == pytest.approx(10 / 70)
    assert share(GPU, one, work(GPU.of(4), ranks=4)) == pytest.approx(10 / 160)
    assert share(GPU, one, two, work(GPU.of(4), nodes=2, ranks=4)) == pytest.approx(10 / 140)


def test_what_uses_no_device_has_no_bound_of_one_nor_is_one() -> None:
    assert share(GPU, top(40.0, GPU.of(1)), work()) is None
    assert share(GPU, top(40.0), work(GPU.of(1))) is None
    assert share(GPU, top(40.0, device("fpga").of(1)), work(GPU.of(1))) is None


def test_the_memory_of_a_node_is_one_however_many_cores_draw_from_it() -> None:
    some, every = top(30.0, threads=2), top(40.0, threads=8, case="all")
    assert share(MEMORY, some, every, work(threads=4)) == pytest.approx(10 / 40)
    assert share(MEMORY, every, work(nodes=2, ranks=2)) == pytest.approx(10 / 80)


def test_a_file_system_of_all_nodes_is_reported_by_at_least_as_many_of_them() -> None:
    alone = top(5.0, SCRATCH)
    wide = top(20.0, SCRATCH, nodes=4, ranks=4, case="wide")
    two = work(SCRATCH, nodes=2, ranks=2)
    assert share(SCRATCH, alone, wide, two) == pytest.approx(10 / 20)
    assert share(SCRATCH, alone, two) is None
    assert share(SCRATCH, top(5.0, filesystem("work")), work(SCRATCH)) is None


def test_of_a_file_system_that_each_node_has_there_is_more_on_more_nodes() -> None:
    two = work(SCRATCH, nodes=2, ranks=2)
    assert share(SCRATCH, top(20.0, SCRATCH), two, kind="xfs") == pytest.approx(10 / 40)


def test_a_file_system_without_a_name_is_the_one_that_a_row_used() -> None:
    here, there = top(20.0, SCRATCH), top(40.0, filesystem("work"), case="there")
    assert share(FILESYSTEM, here, there, work(SCRATCH)) == pytest.approx(10 / 20)
    assert share(FILESYSTEM, here, there, work(filesystem("work"))) == pytest.approx(10 / 40)
    assert share(FILESYSTEM, here, work(filesystem("work"))) is None
    assert share(FILESYSTEM, here, there, work()) is None
    uses = run_of(FILESYSTEM, here).uses
    assert uses.which(here[0], FILESYSTEM) == SCRATCH
    assert uses.which(here[0], MEMORY) == MEMORY


def test_the_link_limits_what_is_between_nodes() -> None:
    seen = top(25.0, nodes=2, ranks=2)
    assert share(LINK, seen, work(nodes=2, ranks=16)) == pytest.approx(10 / 25)
    assert share(LINK, seen, work()) is None


def test_more_than_a_device_does_is_impossible() -> None:
    context = run_of(GPU, top(40.0, GPU.of(1)), work(GPU.of(1), median=400.0))
    *_, judged = apply_ceilings(context)
    assert judged.plausible is False
    assert judged.share_of_ceiling == pytest.approx(10.0)


def test_references_are_found_by_what_they_used() -> None:
    rows = (top(1.0, GPU.of(1), case="a"), top(2.0, GPU.of(2), case="b"), top(3.0, SCRATCH))
    find = run_of(GPU, *rows).references.find
    assert [row.median for row in find("top", of=GPU.of(2))] == [2.0]
    assert [row.median for row in find("top", of=GPU)] == [1.0, 2.0]
    assert [row.median for row in find("top", of=SCRATCH)] == [3.0]
    assert len(find("top", of=ONE_CORE)) == 3
    assert find("top", of=CORES.of(2)) == []


def test_rates_of_devices_are_distinguished_from_rates_of_cores() -> None:
    (on_device, used), (on_cores, _) = work(GPU.of(2), case="a"), work(case="b", threads=3)
    uses = run_of(GPU, (on_device, used), (on_cores, ())).uses
    assert uses.computing(on_device) == GPU.of(2)
    assert uses.computing(on_cores) == CORES.of(3)


@pytest.mark.parametrize(
    ("resource", "text", "noun"),
    [
        (CORES.of(8), "cores:8", "core"),
        (SCRATCH, "filesystem:scratch", "scratch"),
        (GPU.of(2), "device:gpu:2", "gpu"),
        (MEMORY, "memory", "memory"),
        (LINK, "link", "link"),
    ],
)
def test_resources_have_short_names(resource: Resource, text: str, noun: str) -> None:
    assert (str(resource), resource.noun) == (text, noun)
