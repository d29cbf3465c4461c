"""Digests of a run: every changed, missing or added file is named; nothing else is opened."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from heorot.model.run.agreement import Agreement
from heorot.store.digests import check_digests, write_digests

RECORD = "jobs/J0001/records/S0001.jsonl"
FILES = (
    *("run.json", "plan.json", "machine.json", "findings.json"),
    *("samples.parquet", "results.parquet", "recipes/one.yaml"),
    *("jobs/J0001/steps.json", "jobs/J0001/dropped.json", "jobs/J0001/status.jsonl"),
    *("jobs/J0001/batch.json", "jobs/J0001/stderr", RECORD, "jobs/J0001/outputs/S0001.txt"),
    "jobs/J0000/nodes/J0000/n1",
    *("request.json", "day.json", "kinds.json", "arrivals.json", "responses.jsonl"),
    *("settled.json", "monitoring/n1.samples", "alone/sort-1/status.jsonl"),
    *("acceptance.json", "jobs/submit-1/events/began"),
)
OTHERS = (
    *(".lock", "report.html", "digests.json.sig", "rows.csv", "builds/one/main.c"),
    *("jobs/J0001/.hidden", "jobs/J0001/script.part", "jobs/J0001/work/S0001/grid.out"),
)


def write(run: Path, name: str, text: str = "1") -> None:
    (run / name).parent.mkdir(parents=True, exist_ok=True)
    (run / name).write_text(text)


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """The directory of a run with digests."""
    for name in (*FILES, *OTHERS):
        write(tmp_path / "run", name)
    write_digests(tmp_path / "run")
    return tmp_path / "run"


def test_as_it_was_concluded_everything_agrees(run: Path) -> None:
    found = check_digests(run)
    assert found.files == len(FILES)
    assert found.agrees
    assert found.lines == ()


@pytest.mark.parametrize("name", FILES)
def test_every_file_that_numbers_come_from_counts(run: Path, name: str) -> None:
    (run / name).write_text("2")
    assert check_digests(run).changed == (name,)
    (run / name).unlink()
    gone = check_digests(run)
    assert (gone.changed, gone.missing, gone.agrees) == ((), (name,), False)


@pytest.mark.parametrize("name", OTHERS)
def test_other_files_do_not_count(run: Path, name: str) -> None:
    (run / name).unlink()
    assert check_digests(run).agrees


def test_a_file_that_came_later_counts(run: Path) -> None:
    write(run, "jobs/J0002/records/S0001.jsonl")
    assert check_digests(run).added == ("jobs/J0002/records/S0001.jsonl",)


def test_files_that_recipes_name_count(run: Path) -> None:
    figures = run / "jobs/J0001/work/S0001/grid.out"
    outside = run.parent / "other"
    write_digests(run, [figures, outside, run / "jobs/../../other"])
    assert check_digests(run, [figures]).files == len(FILES) + 1
    figures.write_text("2")
    assert check_digests(run, [figures]).changed == ("jobs/J0001/work/S0001/grid.out",)


def test_a_line_for_each_kind_names_the_first() -> None:
    many = tuple(f"jobs/J0001/records/S{number:04d}.jsonl" for number in range(7))
    lines = Agreement(files=9, changed=("run.json",), missing=many, added=("plan.json",)).lines
    assert lines == (
        "1 file changed since the run was concluded: run.json",
        f"7 files missing since the run was concluded: {', '.join(many[:5])} and 2 more",
        "1 file added since the run was concluded: plan.json",
    )


def test_a_run_of_an_earlier_version_has_none(run: Path) -> None:
    (run / "digests.json").unlink()
    found = check_digests(run)
    assert found.files is None
    assert found.agrees


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b'{"files": {"run.json": "12"}}', b'{"files": {}, "algorithm": "md5"}'],
)
def test_damaged_digests_are_a_line(run: Path, content: bytes) -> None:
    (run / "digests.json").write_bytes(content)
    found = check_digests(run)
    assert not found.agrees
    (line,) = found.lines
    assert "digests.json is damaged" in line


def test_what_is_no_file_has_no_digest_and_keeps_nobody_waiting(run: Path) -> None:
    (run / RECORD).unlink()
    os.mkfifo(run / RECORD)
    assert check_digests(run).changed == (RECORD,)
    write_digests(run)
    assert check_digests(run).agrees
    (run / RECORD).unlink()
    write(run, RECORD)
    assert check_digests(run).changed == (RECORD,)


def test_links_are_not_followed(run: Path, tmp_path: Path) -> None:
    """Targets of links may be endless, or outside of the run."""
    (run / RECORD).rename(tmp_path / "S0001.jsonl")
    (run / RECORD).symlink_to(tmp_path / "S0001.jsonl")
    assert check_digests(run).changed == (RECORD,)
    (run / RECORD).unlink()
    (run / RECORD).parent.rmdir()
    (run / RECORD).parent.symlink_to(tmp_path)
    assert check_digests(run).missing == (RECORD,)


def test_names_that_are_only_listed_are_not_opened(run: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    digests = json.loads((run / "digests.json").read_text())
    digests["files"] |= {"../pipe": "0" * 64, str(tmp_path / "pipe"): "0" * 64}
    (run / "digests.json").write_text(json.dumps(digests))
    assert check_digests(run).missing == ("../pipe", str(tmp_path / "pipe"))


def test_a_file_without_blocks_is_not_read_for_ever(run: Path) -> None:
    with (run / RECORD).open("wb") as file:
        file.truncate(1 << 40)
    assert check_digests(run).changed == (RECORD,)


def test_names_of_any_bytes(run: Path) -> None:
    odd = os.fsencode(run / "jobs/J0001/records") + b"/\xff\x1b[2J\n"
    with open(odd, "wb"):  # noqa: PTH123 (bytes)
        pass
    (line,) = check_digests(run).lines
    assert line.isprintable()
    write_digests(run)
    assert check_digests(run).agrees
