"""Unusable outputs yield a reason, at once, never a figure."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from heorot.jobs.commands import work_folder
from heorot.recipes.output import UnreadableError, matches_of, read_output
from heorot.recipes.transcript import transcribe
from tests.unit.recipes.conftest import a_launch, a_record, changed, read, with_metrics
from tests.unit.recipes.test_transcript import RATE, SPEED, TABLE, record_of
from tests.yardstick import processor_time

_GREEDY = "name: rate, unit: MB/s, better: higher, pattern: '(?P<value>(a+)+b)'"


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("nan", "not finite"),
        ("-nan", "not finite"),
        ("NaN(0x8)", "no number"),
        ("inf", "not finite"),
        ("Infinity", "not finite"),
        ("1e400", "not finite"),
        ("fast", "no number"),
        ("1,5", "no number"),
        ("1_000", "no number"),
        ("12MB/s", "no number"),
        ("nane", "no number"),
        ("********", "no number"),
        ("0x10", "no number"),
        ("٣", "no number"),
        ("-3", "too small"),
        ("-1e300", "too small"),
        ("0", "too small"),
        ("0.00", "too small"),
        ("1e-70", "too small"),
        ("1e70", "too large"),
        ("x" * 5000, "no number"),
        ("\x1c1\x1b[2J\u2028", "`1[2J`: no number"),
    ],
)
def test_values_that_nothing_can_have_reached(tmp_path: Path, value: str, why: str) -> None:
    record = record_of(tmp_path, f"rate {value}\n", RATE)
    assert record.problem.startswith("its `rate` is ")
    assert why in record.problem
    assert len(record.problem) < 200
    assert record.problem.isprintable()
    assert [region.name for region in record.regions] == ["whole_run"]


@pytest.mark.parametrize(
    ("output", "metrics", "why"),
    [
        ("", [RATE], "nothing it printed matches the pattern of `rate`"),
        ("rate: 1", [RATE], "nothing it printed matches the pattern of `rate`"),
        (
            "rate 1\nrate 2",
            [RATE],
            "its `rate` of program, size 8, kind big is there twice: set `pick: first` or `last`",
        ),
        (
            "A: 1\nA: 2",
            [SPEED],
            "its `speed` of a, size 8, kind big is there twice: set `pick: first` or `last`",
        ),
        (
            "8 x 1\n8 x 2",
            [TABLE],
            "its `latency` of table, size 8, kind x, bytes 8 is there twice: set `pick: first`",
        ),
        ("rate 1", [RATE, RATE], "`rate` is printed for program by two patterns"),
        ("WHOLE RUN: 1", [SPEED], "`speed` is printed for whole_run, a name of Heorot"),
        ("rate 1\n" * 2001, [RATE], "the pattern `rate (?P<value>\\S+)` matches more than 2000"),
        ("a" * 100_000, [_GREEDY], "nothing it printed matches the pattern of `rate`"),
        ("a" * 100_000 + "b", [_GREEDY], "its `rate` is `aaaa"),
    ],
    ids=lambda each: str(each)[:20],
)
def test_problems(tmp_path: Path, output: str, metrics: list[str], why: str) -> None:
    record = record_of(tmp_path, output, *metrics)
    assert record.problem.startswith(why)
    assert record.checks == ()
    assert len(record.problem) < 200


@pytest.mark.timed
@pytest.mark.parametrize("metric", [RATE, SPEED, TABLE, _GREEDY])
def test_a_mebibyte_of_noise_is_no_figure(tmp_path: Path, metric: str) -> None:
    noise = random.Random(1).randbytes(1 << 20).decode(errors="replace")  # noqa: S311 (noise)
    with processor_time(2.0):
        assert record_of(tmp_path, noise, metric).problem


@pytest.mark.timed
def test_no_pattern_makes_reading_slow(tmp_path: Path) -> None:
    with processor_time(2.0):
        assert record_of(tmp_path, "a" * 100_000, _GREEDY).problem


def test_as_many_matches_as_may_be() -> None:
    assert len(matches_of("x", "x" * 2000)) == 2000
    with pytest.raises(UnreadableError, match="matches more than 2000 times"):
        matches_of("x", "x" * 2001)


def _printed(job: Path, content: bytes) -> Path:
    (job / "outputs").mkdir(parents=True)
    (job / "outputs" / "S0001.txt").write_bytes(content)
    return job


def test_what_is_printed_is_read_whatever_it_is(tmp_path: Path) -> None:
    recipe = read(tmp_path, with_metrics(RATE))
    job = _printed(tmp_path, b"rate 1\n\xff\0\n")
    assert read_output(recipe, a_launch(), job, 1 << 20) == "rate 1\n\ufffd\ufffd\n"


def test_an_output_that_was_not_kept_whole_is_refused(tmp_path: Path) -> None:
    recipe = read(tmp_path, with_metrics(RATE))
    job = _printed(tmp_path, b"x" * (1 << 20))
    with pytest.raises(UnreadableError, match="wrote more than 1 MiB: the rest is not"):
        read_output(recipe, a_launch(), job, 1 << 20)
    assert len(read_output(recipe, a_launch(), job, (1 << 20) + 1)) == 1 << 20


def test_an_output_that_is_gone_is_a_reason(tmp_path: Path) -> None:
    recipe = read(tmp_path, with_metrics(RATE))
    with pytest.raises(UnreadableError, match="what it printed cannot be read: No such file"):
        read_output(recipe, a_launch(), tmp_path, 1 << 20)


def _with_output(folder: Path, output: str) -> str:
    """The content of a recipe's output file."""
    recipe = read(folder, with_metrics(RATE, more=f"output: '{output}'\n"))
    return read_output(recipe, a_launch(), folder, 10)


def test_figures_may_be_in_a_file(tmp_path: Path) -> None:
    folder = work_folder(tmp_path, a_launch())
    folder.mkdir(parents=True)
    (folder / "big.out").write_text("rate 12345678901234567890")
    assert _with_output(tmp_path, "{kind}.out") == "rate 12345678901234567890"
    assert _with_output(tmp_path, "{folder}/{kind}.out") == "rate 12345678901234567890"


def test_a_file_with_figures_must_be_one(tmp_path: Path) -> None:
    folder = work_folder(tmp_path, a_launch())
    with pytest.raises(UnreadableError, match=r"its file big.out cannot be read: No such file"):
        _with_output(tmp_path, "{kind}.out")
    folder.mkdir(parents=True)
    os.mkfifo(folder / "pipe")
    with pytest.raises(UnreadableError, match="its file pipe cannot be read: it is not a regular"):
        _with_output(tmp_path, "pipe")
    (folder / "loop").symlink_to("loop")
    with pytest.raises(UnreadableError, match="its file loop cannot be read: it is a link"):
        _with_output(tmp_path, "loop")
    (folder / "out").symlink_to(tmp_path / "small.yaml")
    with pytest.raises(UnreadableError, match="its file out is outside of its folder"):
        _with_output(tmp_path, "out")


def test_a_file_that_is_too_long_is_refused(tmp_path: Path) -> None:
    folder = work_folder(tmp_path, a_launch())
    folder.mkdir(parents=True)
    with (folder / "out").open("wb") as file:
        file.truncate((16 << 20) + 1)
    with pytest.raises(UnreadableError, match="wrote more than 16 MiB"):
        _with_output(tmp_path, "out")


def test_the_small_recipe_reads_its_own_file(tmp_path: Path) -> None:
    text = changed("    beside:", "    pick: last\n    beside:")
    output = "Copy at 8: 5\nCopy at 8: 6\ntime 7\nresidual 1.2\nPASSED\n"
    step = a_launch(options={"program": "ep", "size": 16})
    record = transcribe(read(tmp_path, text), step, a_record(), output)
    assert record.problem == ""
    assert [(each.name, dict(each.point)) for each in record.regions] == [
        ("whole_run", {"size": 16}),
        ("copy", {"size": 16, "bytes": 8}),
        ("ep", {"size": 16}),
    ]
    assert record.end is not None
    assert (record.end.passed, record.end.checks, record.end.failed) == (True, 3, 0)
