"""Garbled outputs of shipped programs: good values are kept, and no launch is complete."""

from __future__ import annotations

import re
from functools import cache

import pytest

from heorot.jobs.commands import CommandEnd
from heorot.model.recipe import Recipe
from heorot.model.run.program_record import ProgramRecord
from heorot.recipes.expand import expand
from heorot.recipes.printed import plain
from heorot.recipes.read import read_recipe, shipped
from heorot.recipes.transcript import transcribe
from tests.unit.recipes.conftest import a_launch, a_record
from tests.unit.recipes.test_shipped import OUTPUTS

OPTIONS: dict[str, dict[str, object]] = {
    "npb": {"program": "cg", "class": "W"},
    "npb-mz": {"program": "bt", "class": "W"},
    "hpl": {"n": 2000},
}
RANKS = {"hpcg": 2, "gromacs-mpi": 2}
IMB_ZERO = """\
#---------------------------------------------------
# Benchmarking Bcast
# #processes = 2
#---------------------------------------------------
       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
            0         1000         0.02         0.03         0.02
            1         1000         0.00         0.00         0.00
            2         1000         0.21         0.25         0.23
"""


@cache
def _recipe(name: str) -> Recipe:
    return read_recipe(shipped()[name])


def record_of(name: str, content: bytes, **options: object) -> ProgramRecord:
    """The record of a long launch of a shipped recipe's first case with this output."""
    recipe = _recipe(name)
    case = next(expand(recipe.cases[0], 2))
    own = {**case.options, **OPTIONS.get(name, {}), **options}
    ranks = RANKS.get(name, case.ranks)
    step = a_launch(benchmark=recipe.benchmark, options=own, ranks=ranks)
    ends = [CommandEnd(each.name, 1.0, 0) for each in recipe.commands]
    return transcribe(recipe, step, a_record(1000.0), plain(content), ends)


def values(record: ProgramRecord) -> dict[tuple[str, object, str], float]:
    """The counts, by region, coordinates other than the case's, and metric."""
    return {
        (region.name, region.point.get("bytes"), metric): count
        for region in record.regions[1:]
        for metric, count in region.counts.items()
    }


def failures(record: ProgramRecord) -> set[str]:
    """The failed checks, with their places."""
    return {f"{each.name} ({each.region})" for each in record.checks if not each.passed}


def sample(name: str) -> bytes:
    """Captured output of a shipped recipe's program."""
    return OUTPUTS[name].read_bytes()


@pytest.mark.parametrize("name", sorted(OUTPUTS))
def test_what_was_really_printed_is_whole(name: str) -> None:
    record = record_of(name, sample(name))
    assert record.problem == ""
    assert failures(record) == set()
    assert record.end is not None
    assert record.end.passed


@pytest.mark.parametrize("name", sorted(OUTPUTS))
@pytest.mark.parametrize(
    "dress",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: "".join(f"\x1b[32m{line}\x1b[0m\n" for line in text.splitlines()),
        lambda text: "".join(f"\x1b]0;a title\x07{line}\x1b[K\n" for line in text.splitlines()),
        lambda text: "working 10 %\rworking 99 %\r" + text,
        lambda text: "\ufeff" + text,
        lambda text: "|\b/\b-\b\\\b" + text,
    ],
    ids=("crlf", "colours", "titles", "progress", "mark", "spinner"),
)
def test_how_it_is_dressed_does_not_matter(name: str, dress: object) -> None:
    assert callable(dress)
    text = dress(sample(name).decode(errors="replace"))
    record = record_of(name, text.encode())
    assert record == record_of(name, sample(name))


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_files_in_two_bytes_a_letter_are_read(encoding: str) -> None:
    assert record_of("stream", sample("stream").decode().encode(encoding)) == record_of(
        "stream", sample("stream")
    )


@pytest.mark.parametrize(
    ("name", "old", "new", "gap"),
    [
        ("stream", "Copy: ", "[n2] warning: Copy: ", "bandwidth: missing values (copy)"),
        ("stream", "Copy: ", "Co\nWARNING\npy: ", "bandwidth: missing values (copy)"),
        ("stream", "6229.8", "62WARN29.8", "bandwidth is `62WARN29.8`: no number (copy)"),
        ("stream", "6229.8", "6229,8", "bandwidth is `6229,8`: no number (copy)"),
        ("stream", "6229.8", "6,229", "bandwidth is `6,229`: no number (copy)"),
        ("stream", "6229.8", "62\x0029.8", "bandwidth is `62\ufffd29.8`: no number (copy)"),
        ("stream", "6229.8", "-1", "bandwidth is `-1`: too small to be measured so (copy)"),
        ("stream", "6229.8", "0.00", "bandwidth is `0.00`: too small to be measured so (copy)"),
        ("stream", "6229.8", "nan", "bandwidth is `nan`: not finite (copy)"),
        ("stream", "6229.8", "inf", "bandwidth is `inf`: not finite (copy)"),
        ("stream", "6229.8", "********", "bandwidth is `********`: no number (copy)"),
        ("stream", "0.095978", "", "bandwidth: missing values (copy)"),
        ("stream", "Rate MB/s", "Rate GB/s", "rates in MB/s: missing lines (None)"),
        ("osu", "16384  ", "1638\x004  ", "latency: missing values (pingpong)"),
        ("osu", "86.64 ", "86.64 [0]", "latency: missing values (pingpong)"),
        ("imb", "74.93        54.66", "74.", "latency: missing values (pingpong)"),
        ("imb", "74.93 ", "nan ", "latency: missing values (pingpong)"),
        ("imb", "         4096   ", "          409   ", "latency: missing values (pingpong)"),
        ("mdtest", "File stat  ", "File st\b\b ", "rate: missing values (stat)"),
        ("ior", "\nread      2730.31", "\nread      2,73e1", "bandwidth is `2,73e1`: no num"),
        ("hpcg", "GFLOP/s Summary::Raw DDOT=", "GFLOP/s Summary::Raw DDOT=[1] ", "flop_rate: m"),
        ("hpcg", "Distributed Processes=2", "Distributed Processes=1", "number of ranks: other"),
        ("lammps", " on 1 procs", " on 2 procs", "number of ranks: other than `1`"),
        ("hpcc", "MPIFFT_Gflops=", "MPIFFT_Gflops=-1 of ", "flop_rate: missing values (mpifft)"),
        ("npb", " CG Benchmark Completed", " MG Benchmark Completed", "program: other than `cg`"),
        ("npb", "=                        W", "=   A", "class: other than `W` (None)"),
        ("npb-mz", " BT-MZ Benchmark", " SP-MZ Benchmark", "program: other than `bt` (None)"),
        ("hpl", "WR11C2R4        2000", "WR11C2R4        1000", "size of the problem: other than"),
    ],
)  # fmt: skip
def test_one_value_is_missing_and_said_to_be(name: str, old: str, new: str, gap: str) -> None:
    text = sample(name).decode(errors="replace")
    assert old in text
    whole = record_of(name, text.encode())
    record = record_of(name, text.replace(old, new, 1).encode())
    assert record.problem == ""
    assert any(each.startswith(gap) for each in failures(record)), failures(record)
    assert record.end is not None
    assert not record.end.passed
    kept = values(record)
    assert kept.items() <= values(whole).items()
    assert len(kept) >= len(values(whole)) - 2  # two columns may be of one row


def test_one_zero_refuses_one_value() -> None:
    record = record_of("imb", IMB_ZERO.encode(), program="bcast", octaves=1)
    assert list(values(record)) == [("bcast", 2, "latency")]
    assert failures(record) == {"latency is `0.00`: too small to be measured so (bcast)"}


def test_a_part_that_was_left_out_is_the_only_one_refused() -> None:
    text = sample("hpcc").decode(errors="replace")
    for name in ("N", "Gflops", "maxErr"):
        text = re.sub(rf"(?m)^MPIFFT_{name}=.*$", f"MPIFFT_{name}=-1", text)
    record = record_of("hpcc", text.encode())
    whole = values(record_of("hpcc", sample("hpcc")))
    assert values(record) == {key: value for key, value in whole.items() if key[0] != "mpifft"}
    assert failures(record) == {
        "error of MPIFFT (mpifft)",
        "flop_rate is `-1`: too small to be measured so (mpifft)",
    }


def test_the_summary_of_another_version_is_read() -> None:
    text = sample("hpcg").decode()
    with_blanks = re.sub(r"(?m)^([A-Z][^:=]*)::", r"\1 ::", text)
    assert with_blanks != text
    assert record_of("hpcg", with_blanks.encode()) == record_of("hpcg", text.encode())


@pytest.mark.parametrize(
    "name", sorted(set(OUTPUTS) - {"gromacs", "gromacs-mpi", "hpcg", "fio", "lammps"})
)
def test_an_output_that_was_cut_is_not_whole(name: str) -> None:
    lines = sample(name).decode(errors="replace").splitlines(keepends=True)
    for n in range(len(lines) // 2, len(lines), max(1, len(lines) // 20)):
        record = record_of(name, "".join(lines[:n]).encode())
        whole = values(record) == values(record_of(name, sample(name)))
        assert record.problem or failures(record) or whole


@pytest.mark.parametrize("name", sorted(OUTPUTS))
def test_two_outputs_in_one_are_none(name: str) -> None:
    record = record_of(name, sample(name) * 2)
    assert record.problem or failures(record)


def test_bytes_as_plain_text() -> None:
    assert plain(b"a\r\nb\rc\x1b[0m\0") == "a\nb\nc\ufffd"
    assert plain("é".encode("latin-1")) == "\ufffd"
    assert plain(b"") == ""
    assert plain(b"\x1b[31;1mred\x1b(B") == "red"
