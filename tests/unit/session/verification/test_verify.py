"""`heorot verify`: everything stored is recomputed from the records, and differences are named."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from heorot.cli.runs.verify import command
from heorot.errors import RunError
from heorot.session.verification.verify import Verified, verify
from heorot.store.digests import write_digests
from heorot.store.directory import RunDirectory
from heorot.store.results import read_results, write_results
from heorot.store.samples import read_samples, write_samples
from tests.unit.model.keys import but
from tests.unit.session.verification.conftest import record_of

pytestmark = pytest.mark.slow


def _reported(run: RunDirectory) -> dict[str, Verified]:
    return {one.what: one for one in verify(run.path)}


def test_what_agrees_is_counted(concluded: RunDirectory) -> None:
    reported = _reported(concluded)
    assert list(reported) == ["digests", "samples", "results"]
    assert all(one.agrees and not one.lines for one in reported.values())
    series = read_samples(concluded.samples_file)
    n_samples = sum(len(one.seconds) for one in series)
    assert reported["samples"].summary == (
        f"{len(series)} series with {n_samples} samples agree with the records"
    )
    n_rows = len(read_results(concluded.results_file))
    assert reported["results"].summary == f"{n_rows} rows agree with the records"
    done = CliRunner().invoke(command, [str(concluded.path)], standalone_mode=False)
    assert done.return_value == 0
    assert done.stdout.splitlines()[0].startswith("digests  ")


def test_changed_samples_with_untouched_records(
    concluded: RunDirectory, make_faster: Callable[[RunDirectory], None]
) -> None:
    before = read_samples(concluded.samples_file)[0]
    point = ",".join(f"{name}={value}" for name, value in before.point.items())
    make_faster(concluded)
    write_digests(concluded.path)
    reported = _reported(concluded)
    assert (reported["digests"].agrees, reported["results"].agrees) == (True, True)
    assert reported["samples"].summary.endswith(" values differ")
    first, *_, last = reported["samples"].lines
    assert first == (
        f"samples.parquet series 0 (S0001 memory/stream:{before.region}[{point}]) "
        f"sample 0 seconds: stored {float(before.seconds[0]) / 3.0}, "
        f"recomputed {float(before.seconds[0])}"
    )
    assert last.startswith("and ")
    done = CliRunner().invoke(command, [str(concluded.path)], standalone_mode=False)
    assert done.return_value == 1
    assert f"  {first}\n" in done.stdout


def test_a_changed_record_with_untouched_samples(concluded: RunDirectory) -> None:
    path = record_of(concluded, "S0001")
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(
        b"".join(line.replace(b'"repetitions":', b'"repetitions":1') for line in lines)
    )
    write_digests(concluded.path)
    reported = _reported(concluded)
    assert " repetitions: stored " in reported["samples"].lines[0]
    assert not reported["results"].agrees


def test_series_that_are_missing_or_there_too_often(concluded: RunDirectory) -> None:
    series = read_samples(concluded.samples_file)
    odd = but(series[-1], region="odd", seconds=np.ones(3))
    shorter = replace(series[1], seconds=series[1].seconds[:-1])
    write_samples(concluded.samples_file, (shorter, *series[2:], odd))
    said = _reported(concluded)["samples"]
    n = len(series[1].seconds)
    assert said.summary == "3 values differ"
    assert said.lines[0].endswith(f": stored {n - 1} samples, recomputed {n} samples")
    assert said.lines[1].endswith(": stored 3 samples, recomputed none")
    assert said.lines[2].endswith(f": stored none, recomputed {len(series[0].seconds)} samples")


def test_results(concluded: RunDirectory) -> None:
    first, second, *others = read_results(concluded.results_file)
    better = second.model_copy(update={"median": second.median * 3.0, "verified": "unchecked"})
    write_results(concluded.results_file, (better, *others))
    said = _reported(concluded)["results"]
    assert said.summary == "3 values differ"
    assert said.lines[0].startswith(f"results.parquet row 1 ({second.benchmark}:{second.case}:")
    median = f" median: stored {better.median!r}, recomputed {second.median!r}"
    assert said.lines[0].endswith(median)
    assert said.lines[1].endswith(" verified: stored unchecked, recomputed passed")
    assert said.lines[2].endswith(f" median: stored no such row, recomputed {first.median!r}")


def test_a_difference_of_rounding_is_none(concluded: RunDirectory) -> None:
    rows = read_results(concluded.results_file)
    near = (row.model_copy(update={"median": float(np.nextafter(row.median, 1.0))}) for row in rows)
    write_results(concluded.results_file, tuple(near))
    reported = _reported(concluded)
    assert reported["results"].agrees
    assert not reported["digests"].agrees


@pytest.mark.parametrize("name", ["samples", "results"])
def test_what_cannot_be_read_differs(concluded: RunDirectory, name: str) -> None:
    path = concluded.path / f"{name}.parquet"
    path.write_bytes(b"PAR1")
    assert not _reported(concluded)[name].agrees
    path.unlink()
    reported = _reported(concluded)
    assert f"{name}.parquet is missing" in reported[name].summary
    assert reported["digests"].lines == (
        f"1 file missing since the run was concluded: {name}.parquet",
    )


def test_missing_digests_are_reported(concluded: RunDirectory) -> None:
    (concluded.path / "digests.json").unlink()
    reported = _reported(concluded)
    assert reported["digests"].summary.startswith("none: ")
    assert all(one.agrees for one in reported.values())


def test_nothing_is_written(concluded: RunDirectory) -> None:
    def all_files() -> dict[Path, int]:
        return {path: path.stat().st_mtime_ns for path in concluded.path.rglob("*")}

    before = all_files()
    verify(concluded.path)
    assert all_files() == before


def test_a_run_that_has_not_ended_is_refused(run: RunDirectory, tmp_path: Path) -> None:
    with pytest.raises(RunError, match="has not ended"):
        verify(run.path)
    with pytest.raises(RunError, match="is not a run"):
        verify(tmp_path)


def test_a_check_of_a_batch_system_has_digests_only(tmp_path: Path) -> None:
    (tmp_path / "acceptance.json").write_text("{}")
    write_digests(tmp_path)
    digests, verdicts = verify(tmp_path)
    assert (digests.summary, verdicts.what) == ("of 1 file agree", "verdicts")
    (tmp_path / "acceptance.json").write_text("{ }")
    digests, _ = verify(tmp_path)
    assert digests.lines == ("1 file changed since the run was concluded: acceptance.json",)


def test_a_run_is_no_check_whatever_lies_in_it(concluded: RunDirectory) -> None:
    (concluded.path / "acceptance.json").write_text("{}")
    assert list(_reported(concluded)) == ["digests", "samples", "results"]
