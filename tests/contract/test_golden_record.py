"""The golden record, written by the native record writer, is read line by line without a loss."""

from __future__ import annotations

import json
import math
from pathlib import Path

from pydantic import TypeAdapter

from heorot.model.run.ranks import OwnOfHosts, OwnOfRanks, Starts
from heorot.model.run.records import (
    SCHEMA,
    CheckLine,
    EndLine,
    Line,
    NoteLine,
    RefusedLine,
    RegionLine,
    RunLine,
    Traffic,
)

GOLDEN = Path(__file__).parent / "golden" / "record.jsonl"
ADAPTER: TypeAdapter[Line] = TypeAdapter(Line)


def read_golden() -> list[Line]:
    return [ADAPTER.validate_json(text) for text in GOLDEN.read_text("utf-8").splitlines()]


def test_every_type_of_line_is_there_in_order() -> None:
    types = [type(line) for line in read_golden()]
    assert types == [
        RunLine,
        NoteLine,
        NoteLine,
        RegionLine,
        RegionLine,
        RegionLine,
        RegionLine,
        CheckLine,
        CheckLine,
        CheckLine,
        RefusedLine,
        EndLine,
    ]


def test_run_line() -> None:
    line = read_golden()[0]
    assert isinstance(line, RunLine)
    assert line.schema_version == SCHEMA
    assert line.options == {"n": 1000, "kernels": "all", "precision": 0.01, "corrupt": False}
    assert (line.ranks, line.threads) == (2, 3)
    assert [place.cpus for place in line.placement] == [(0, 1), (64,)]
    assert [place.numa for place in line.placement] == [(0,), ()]
    assert line.flags == '-O3 -DTEXT="a b"'
    assert line.clock.resolution_seconds == 2e-8
    assert [(other.name, other.monotonic) for other in line.clock.others] == [
        ("tsc", True),
        ("mpi", False),
    ]


def test_region_lines() -> None:
    full, _, bare = read_golden()[3:6]
    assert isinstance(full, RegionLine)
    assert isinstance(bare, RegionLine)
    assert full.point == {"n": 1000, "share": 0.5, "access": "stride 3"}
    assert full.seconds == (1.25e-4, 1.5e-4, 1e-4, 1 / 3)
    assert full.counts == {"bytes": 24000.0, "flops": 2000.0}
    assert full.second_clock is not None
    assert full.second_clock.elapsed_seconds == 0.3400001
    assert full.disturbance.other_cpu_seconds == 0.125
    assert full.disturbance.waited_seconds == 0.0625
    assert full.phases
    (rest,) = full.phases
    assert (rest.name, rest.n_ranks) == ("rest", 2)
    assert (rest.computation_seconds, rest.communication_seconds) == ((1e-5, 2e-5), (5e-6, 0.0))
    assert (rest.messages, rest.bytes, rest.collectives) == ((1.0, 0.5), (800.0, 0.0), (0.0, 2.0))
    assert bare.phases == ()
    assert bare.second_clock is None
    assert bare.disturbance.other_cpu_seconds is None
    assert bare.disturbance.waited_seconds is None
    assert (dict(bare.point), bare.counts) == ({}, {})


def test_own_times() -> None:
    by_rank, _, by_host, alone = read_golden()[3:7]
    assert isinstance(by_rank, RegionLine)
    assert isinstance(by_host, RegionLine)
    assert isinstance(alone, RegionLine)
    assert by_rank.own == OwnOfRanks(by="rank", median_seconds=(2e-6, 2.25e-6), slowest=(1, 3))
    assert by_host.own == OwnOfHosts(
        by="host",
        hosts=("n1", "n2"),
        lowest_seconds=(1e-6, 1.5e-6),
        median_seconds=(2e-6, 2.25e-6),
        highest_seconds=(2.5e-6, 3e-6),
        slowest=(1, 3),
    )
    assert alone.own is None


def test_starts_of_bodies() -> None:
    together, each = read_golden()[3:5]
    assert isinstance(together, RegionLine)
    assert isinstance(each, RegionLine)
    assert (together.synchronisation, together.starts) == ("barrier", None)
    assert each.synchronisation == "window"
    assert each.starts == Starts(
        bodies=256,
        late=3,
        window_seconds=4e-6,
        clock_error_seconds=2.5e-7,
        local_seconds=(1.125e-4, 1.25e-4, 9e-5, 0.25),
        mean_seconds=(1e-4, 1.125e-4, 9e-5, 0.125),
    )


def test_check_lines() -> None:
    good, not_a_number, infinite = read_golden()[7:10]
    assert isinstance(good, CheckLine)
    assert isinstance(not_a_number, CheckLine)
    assert isinstance(infinite, CheckLine)
    assert (good.passed, good.region, dict(good.point or {})) == (True, "triad", {"n": 1000})
    assert math.isnan(not_a_number.value)
    assert (not_a_number.passed, not_a_number.region) == (False, None)
    assert math.isinf(infinite.value)


def test_end_line() -> None:
    line = read_golden()[-1]
    assert isinstance(line, EndLine)
    assert (line.checks, line.failed, line.passed) == (3, 2, False)
    assert line.user_seconds == (1.0, 1.125)
    assert line.peak_memory_bytes == (1048576, 2097152)
    assert line.traffic == (
        Traffic(
            interface="ib0",
            nodes=2,
            sent_bytes=6_000_000_000,
            received_bytes=5_999_999_000,
            least_bytes=5_999_999_400,
            most_bytes=5_999_999_600,
        ),
    )


def test_no_member_is_dropped() -> None:
    for text in GOLDEN.read_text("utf-8").splitlines():
        read = ADAPTER.validate_json(text)
        written = json.loads(ADAPTER.dump_json(read, by_alias=True))
        assert written.keys() == json.loads(text).keys()
