"""Damaged records: its step has an outcome, and no number is invented."""

from __future__ import annotations

import math
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from heorot.collect.records import read_record
from heorot.model.run.collected import Collected
from heorot.model.run.plan import Step
from heorot.model.run.program_record import ProgramRecord
from heorot.model.run.series import Series
from tests.unit.collect.conftest import Remains, make_step
from tests.unit.damage import damaged_bytes, damaged_json_lines, damaged_lines, of_any

TESTS = Path(__file__).parents[2]
REAL = {path.stem: path.read_bytes() for path in (TESTS / "samples/records").glob("*.jsonl")}
# No program would write a refusal and an end, but it has lines of every kind.
ORIGINALS = REAL | {"golden": (TESTS / "contract/golden/record.jsonl").read_bytes()}
LARGEST = 2**63


def _matching_step(name: str) -> Step:
    """The step of the undamaged record."""
    run = _read(ORIGINALS[name]).run
    assert run is not None
    return make_step(
        benchmark=run.benchmark, ranks=run.ranks, per_node=run.ranks, threads=run.threads
    )


def _read(content: bytes) -> ProgramRecord:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "record.jsonl"
        path.write_bytes(content)
        return read_record(path)


@pytest.fixture(scope="module")
def job(tmp_path_factory: pytest.TempPathFactory) -> Remains:
    """A job whose program reported success."""
    remains = Remains(tmp_path_factory.mktemp("jobs"))
    remains.ended("S0001")
    return remains


@pytest.fixture(scope="module")
def undamaged(job: Remains) -> dict[str, Collected]:
    """The result of collecting complete records."""
    return {name: _collect(job, name, content) for name, content in ORIGINALS.items()}


def _collect(job: Remains, name: str, content: bytes) -> Collected:
    """Collect the step whose record this is."""
    (job.directory / "records" / "S0001.jsonl").write_bytes(content)
    return job.collect(STEPS[name])


def _key(series: Series) -> str:
    """The content of a series, as text."""
    return repr({**vars(series), "seconds": series.seconds.tolist()})


def _assert_outcome(collected: Collected) -> None:
    """One outcome, with one line of reason unless completed, and finite numbers."""
    (outcome,) = collected.outcomes
    assert (outcome.reason == "") == (outcome.state == "completed")
    assert len(outcome.reason.splitlines()) <= 1
    assert collected.account.balanced
    for series in collected.series:
        assert np.all((series.seconds > 0) & np.isfinite(series.seconds))
        assert np.all(np.isfinite(series.body_seconds))
        assert series.elapsed_seconds >= 0
        assert 1 <= series.repetitions < LARGEST
        counts = (*series.counts.values(), *vars(series.disturbance).values())
        assert all(math.isfinite(n) for n in counts if n is not None)
        numbers = [n for n in series.point.values() if not isinstance(n, str)]
        assert all(-LARGEST <= n < LARGEST for n in numbers if isinstance(n, int))
        assert all(math.isfinite(n) for n in numbers)


STEPS = {name: _matching_step(name) for name in ORIGINALS}


@given(of_any(ORIGINALS, damaged_json_lines))
def test_wrong_values_are_a_reason(job: Remains, damaged: tuple[str, bytes]) -> None:
    _assert_outcome(_collect(job, *damaged))


@pytest.mark.slow
@given(of_any(ORIGINALS, damaged_bytes))
def test_wrong_bytes_are_a_reason(job: Remains, damaged: tuple[str, bytes]) -> None:
    _assert_outcome(_collect(job, *damaged))


@given(of_any(REAL, damaged_lines))
def test_lost_doubled_and_torn_lines_change_no_number(
    job: Remains, undamaged: dict[str, Collected], damaged: tuple[str, bytes]
) -> None:
    """Collected values were measured, and once: a record has no checksum, but every line is whole.

    A step whose record lost the line of a region and those of its checks has less, and nothing
    else.
    """
    name, content = damaged
    collected, whole = _collect(job, name, content), undamaged[name]
    _assert_outcome(collected)
    keys = [_key(series) for series in collected.series]
    assert len(set(keys)) == len(keys)
    assert set(keys) <= {_key(series) for series in whole.series}
    if whole.outcomes[0].state != "completed":
        assert collected.outcomes[0].state != "completed"


@given(st.sampled_from(sorted(REAL)), st.data())
def test_a_record_that_was_cut_off_is_never_completed(
    job: Remains, name: str, data: st.DataObject
) -> None:
    content = ORIGINALS[name]
    cut = content[: data.draw(st.integers(0, len(content) - 1))]
    collected = _collect(job, name, cut)
    _assert_outcome(collected)
    assert collected.outcomes[0].state in {"failed", "refused"}
    assert collected.series == ()


@given(st.binary(max_size=300))
@example(b"[" * 100_000 + b"\n")
@example(b'{"type":"note","name":"x","value":' + b"9" * 5000 + b"}\n")
def test_any_bytes_are_a_record_or_a_reason(content: bytes) -> None:
    record = _read(content)
    assert record.problem or not record.regions
    assert len(record.problem.splitlines()) <= 1


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (b'"bytes":5592384', b'"bytes":1e400', "counts.bytes: Input should be"),
        (b'"bytes":5592384', b'"bytes":NaN', "counts.bytes: Input should be"),
        (b'"bytes":5592384', b'"bytes":1e308', "counts.bytes: Input should be"),
        (b'"repetitions":', b'"repetitions":' + b"9" * 25, "repetitions: Input should be"),
        (b'"sentinel_after":', b'"sentinel_after":Infinity,"x":', "sentinel_after: Input should"),
        (b'"failed":0', b'"failed":1', "in the record 0 checks failed, its end line counts 1"),
        (b'"name":"copy"', b'"name":"co\\npy"', "a check of region copy, but not the region"),
        (b'"type":"note"', b'"type":"no\\nte"', "line 2 of the record is not valid"),
    ],
)
def test_wrong_values_that_once_passed(job: Remains, old: bytes, new: bytes, reason: str) -> None:
    assert old in ORIGINALS["stream"]
    collected = _collect(job, "stream", ORIGINALS["stream"].replace(old, new))
    _assert_outcome(collected)
    assert collected.outcomes[0].state == "failed"
    assert reason in collected.outcomes[0].reason


@pytest.mark.parametrize(
    ("n_times", "reason"), [(0, "but not the region"), (2, "is in the record twice")]
)
def test_a_region_is_there_once(job: Remains, n_times: int, reason: str) -> None:
    lines = ORIGINALS["stream"].splitlines(keepends=True)
    (place,) = (i for i, line in enumerate(lines) if b'"region","name":"copy"' in line)
    lines[place : place + 1] = n_times * [lines[place]]
    (outcome,) = _collect(job, "stream", b"".join(lines)).outcomes
    assert outcome.state == "failed"
    assert reason in outcome.reason


def test_a_reason_of_the_program_is_one_line(job: Remains) -> None:
    refused = ORIGINALS["refused"].replace(b"needs at", b"needs\\n\\u001b[31m at")
    (outcome,) = _collect(job, "refused", refused).outcomes
    assert outcome.state == "refused"
    assert outcome.reason == "needs [31m at least 2 ranks, has 1"
