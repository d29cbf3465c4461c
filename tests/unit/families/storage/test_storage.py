"""Storage: which file systems are tested with how much, and what is reported of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from heorot.families.storage import FAMILY, templates
from heorot.families.storage.findings import find
from heorot.families.storage.latency import LATENCY
from heorot.families.storage.places import roles
from heorot.families.storage.posix import POSIX
from heorot.families.storage.sentences import sentences
from heorot.families.storage.tails import explain
from heorot.families.storage.writing import foresee
from heorot.model.machine.machine import FileSystem
from heorot.model.resource import filesystem
from heorot.model.run.outcome import Outcome
from heorot.model.run.records import NoteLine
from tests.unit.analyse.builders import (
    a_context,
    a_machine,
    a_measured_context,
    a_result,
    a_series,
    a_step,
)
from tests.unit.families.planning import plan_of

if TYPE_CHECKING:
    from heorot.model.analysis.result import Result
    from heorot.model.machine.machine import Machine

MIB = 1 << 20
SCRATCH = filesystem("scratch")


def on(region: str, median: float, access: str = "buffered", **changes: Any) -> Result:
    """A row of one client on scratch, in blocks of 1 MiB."""
    point = {"access": access, "block_bytes": MIB, "depth": 1} | changes.pop("point", {})
    usual = {"benchmark": POSIX.name, "case": "scratch", "options": {"directory": "scratch"}}
    return a_result(region=region, median=median, point=point, **(usual | changes))


def steps(*rows: Result) -> list[Any]:
    return [
        a_step(id=f"S{i}", resources=(SCRATCH,)).model_copy(update={"setup": row.setup})
        for i, row in enumerate(rows)
    ]


def texts(*rows: Result) -> list[str]:
    return [one.text for one in sentences(a_context(rows, steps=steps(*rows)))]


def with_file_systems(*places: tuple[str, str]) -> Machine:
    """A machine of two cores with these roles and mount points."""
    found = (
        FileSystem(role=role, path=f"{mount}/{role}", mount_point=mount, free_bytes=1 << 40)
        for role, mount in places
    )
    return a_machine(2).model_copy(update={"filesystems": tuple(found)})


def test_every_file_system_is_tested_once_and_home_never() -> None:
    machine = with_file_systems(
        ("work", "/"), ("tmp", "/"), ("home", "/home"), ("scratch", "/lustre")
    )
    assert roles(machine) == ["work", "scratch"]
    cases = {case.name: case for case in POSIX.cases(machine, "standard")}
    assert {"work", "scratch", "scratch_blocks", "scratch_2_clients"} <= cases.keys()
    need = cases["scratch_2_clients"].needs
    assert need.exclusive == (SCRATCH,)
    assert need.files["scratch"].bytes == 256 * MIB
    assert need.files["scratch"].inodes == 4
    (only,) = POSIX.cases(machine, "quick")
    assert (only.name, only.options["directory"], only.priority) == ("work", "work", "headline")


def test_a_plan_says_how_much_it_writes() -> None:
    plan = plan_of([POSIX], "quick")
    launches = len(plan.steps)
    # In each launch three samples, and the file before the first read.
    gigabytes = launches * 4 * 16 * MIB / 1e9
    assert gigabytes < 0.5
    (text,) = foresee(plan)
    assert text.startswith(
        f"storage writes up to {gigabytes:.2g} GB in {launches} launches to work;"
    )


def test_one_client_and_many() -> None:
    rows = [
        on("write", 1e9),
        on("read", 2e9),
        on("cached_read", 8e9),
        on("write", 1.5e9, ranks=2, case="scratch_2_clients"),
    ]
    client, clients = texts(*rows)
    assert client.startswith("File system scratch: one client writes 1.00 GB/s")
    assert "reads 2.00 GB/s" in client
    assert "from the page cache 8.00 GB/s" in client
    assert clients.startswith("File system scratch: 2 clients write 1.50 GB/s")
    assert "1.50 [" in clients
    assert texts(on("read", 2e9)) == []


def test_blocks_and_direct_transfers() -> None:
    small = {"block_bytes": 4096}
    rows = [
        on("read", 2e9),
        on("read", 1e9, "direct"),
        on("read", 40e6, "direct", point=small),
        on("random_read", 38e6, "direct", point=small),
        on("random_read", 300e6, "direct", point=small | {"depth": 16}),
        on("random_read", 90e6, point=small),
    ]
    blocks, direct = texts(*rows)
    assert blocks.startswith("File system scratch, direct reads: 40.0 MB/s")
    assert "in blocks of 4 KiB, 1.00 GB/s" in blocks
    assert "with 16 at a time 300 MB/s" in blocks
    assert "cold reads reach 2.00 GB/s" in direct
    # No difference, no sentence.
    assert texts(on("read", 2e9), on("read", 2e9, "direct")) == []


@pytest.mark.parametrize(("write", "found"), [(0.9e9, True), (1.1e9, False), (5e9, True)])
def test_asymmetry_is_a_finding_beyond_a_factor(write: float, found: bool) -> None:
    rows = [on("write", write), on("read", 2e9)]
    context = a_context(rows, steps=steps(*rows))
    assert [one.kind for one in find(context)] == [templates.ASYMMETRIC.kind] * found


def noted(**notes: str) -> list[Any]:
    """Findings of a launch with these notes."""
    row = on("write", 1e9)
    lines = tuple(NoteLine(type="note", name=name, value=value) for name, value in notes.items())
    outcome = Outcome(step="S0", state="completed", notes=lines)
    return find(a_context([row], steps=steps(row), outcomes=[outcome]))


def test_notes_become_findings() -> None:
    assert noted(cold_reads="yes") == []
    (memory,) = noted(cold_reads="no: the page cache keeps what is dropped")
    assert memory.text.startswith("File system scratch keeps its files in memory")
    (left,) = noted(cold_reads="yes", left_behind="/scratch/heorot-files.a.1.2.3 of process 1 on a")
    assert "heorot-files.a.1.2.3 of process 1 on a" in left.text
    assert "remove-stale" in left.remedy


def synced(median: float, cold: str = "yes") -> list[Any]:
    """Findings of a file system with this time of an append with fsync."""
    row = appended(median)
    outcome = Outcome(
        step="S0",
        state="completed",
        notes=(NoteLine(type="note", name="cold_reads", value=cold),),
    )
    return [one.kind for one in find(a_context([row], steps=steps(row), outcomes=[outcome]))]


def appended(median: float, metric: str = "latency", region: str = "append_fsync") -> Result:
    """A row of storage/latency on scratch."""
    return a_result(
        benchmark=LATENCY.name,
        region=region,
        metric=metric,
        median=median,
        unit="s",
        better="lower",
        point={},
        options={"directory": "scratch"},
    )


def test_a_flush_faster_than_devices_is_implausible() -> None:
    assert synced(10e-6) == [templates.IMPLAUSIBLE_SYNC.kind]
    assert synced(200e-6) == []
    assert synced(1e-6, "no: the page cache keeps what is dropped") == [
        templates.ALWAYS_CACHED.kind
    ]


def test_appends_in_a_sentence() -> None:
    (text,) = texts(
        appended(200e-6), appended(3e-3, "latency_p99"), appended(150e-6, region="append_fdatasync")
    )
    assert text.startswith("File system scratch: an append of a page with fsync takes 200 µs")
    assert "p99 3.00 ms" in text
    assert "with fdatasync 150 µs" in text


@pytest.mark.parametrize("repetitions", [1, 4])
def test_percentiles_are_those_of_single_operations(repetitions: int) -> None:
    launches = [
        a_series(
            benchmark=LATENCY.name,
            region="append_fsync",
            step=f"S{launch}",
            launch=launch,
            point={},
            counts={"operations": 1.0},
            repetitions=repetitions,
            seconds=np.arange(1, 201) * 1e-3 * launch,
        )
        for launch in (1, 2)
    ]
    rows = {row.metric: row for row in explain(a_measured_context(launches))}
    if repetitions > 1:  # a sample is a mean: its percentiles are not those of operations
        assert rows == {}
        return
    # 400 operations: none lies beyond the 99.9th percentile.
    assert rows.keys() == {"latency_p95", "latency_p99", "latency_max"}
    assert rows["latency_max"].median == pytest.approx(0.4)
    assert (rows["latency_max"].ci_low, rows["latency_max"].ci_high) == pytest.approx((0.2, 0.4))
    every = np.sort(np.concatenate([one.seconds for one in launches]))
    assert np.mean(every <= rows["latency_p95"].median) == pytest.approx(0.95, abs=0.006)


def test_the_analysis_is_the_family_s() -> None:
    analysis = FAMILY.analysis()
    assert (analysis.foresee, analysis.find) == ((foresee,), (find,))
