"""One table and one set of words: results.parquet, exports, page and terminal agree."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import duckdb
import pytest

from heorot.cli.terminal.summary import print_summary
from heorot.launch.target import ExecutionTarget
from heorot.model.analysis.result import EXPORT_COLUMNS
from heorot.model.machine.site import Site
from heorot.report.sections.scope import scope_of, state_words
from heorot.session import runs
from heorot.session.blocks import measure
from heorot.session.runs import Ended, conclude, reopen
from heorot.session.verification.exported import export
from heorot.store.directory import RunDirectory
from heorot.store.results import ExportFormat, write_results
from heorot.store.results import export as export_rows
from tests.unit.session.conftest import FakeAdapter, Reported

pytestmark = pytest.mark.slow


@pytest.fixture
def ended(run: RunDirectory, adapter: FakeAdapter, reported: Reported) -> Ended:
    measure(run, ExecutionTarget(adapter, Site(), 1), reported)
    return conclude(run)


def parquet_rows(path: Path) -> list[tuple[Any, ...]]:
    """The rows of a Parquet file, whose columns are those of the table."""
    with duckdb.connect() as connection:
        relation = connection.read_parquet(str(path))
        assert relation.columns == EXPORT_COLUMNS
        return relation.fetchall()


def test_exports_and_stored_results_are_one_table(
    ended: Ended, run: RunDirectory, tmp_path: Path
) -> None:
    stored = parquet_rows(run.results_file)
    (tmp_path / "export.parquet").write_bytes(export(run.path, "parquet")[0])
    assert parquet_rows(tmp_path / "export.parquet") == stored
    from_csv = list(csv.DictReader(io.StringIO(export(run.path, "csv")[0].decode())))
    from_json = json.loads(export(run.path, "json")[0])
    assert len(from_csv) == len(from_json) == len(stored) == len(ended.evaluation.table)
    for row, text, values in zip(stored, from_csv, from_json, strict=True):
        facts = dict(zip(EXPORT_COLUMNS, row, strict=True))
        assert list(text) == list(values) == EXPORT_COLUMNS
        for name in ("point", "options"):
            assert json.loads(facts[name]) == json.loads(text[name]) == values[name]
        for name in ("metric", "case", "toolchain", "verified"):
            assert facts[name] == text[name] == values[name]
        assert float(text["median"]) == facts["median"] == values["median"]
        assert text["derived"] == str(facts["derived"]).lower() == str(values["derived"]).lower()
    costs = [row for row in from_json if row["benchmark"] == "heorot/job"]
    assert costs
    assert {row["verified"] for row in costs} == {"unchecked"}


@pytest.mark.parametrize("format_", ["csv", "json"])
def test_what_agrees_is_exported_as_it_is_stored(
    ended: Ended, run: RunDirectory, format_: ExportFormat, monkeypatch: pytest.MonkeyPatch
) -> None:
    analysed = export_rows(ended.evaluation.table, format_)
    again = runs.reopen_agreeing
    monkeypatch.setattr(runs, "reopen_agreeing", None)
    assert export(run.path, format_) == (analysed, ())
    monkeypatch.setattr(runs, "reopen_agreeing", again)
    # A changed run is analysed again, with a message.
    write_results(run.results_file, ended.evaluation.table[1:])
    content, lines = export(run.path, format_)
    assert content == analysed
    assert "results.parquet" in "".join(lines)


def test_everybody_counts_the_same(
    ended: Ended, run: RunDirectory, capsys: pytest.CaptureFixture[str]
) -> None:
    evaluation = reopen(run.path).evaluation
    rows = json.loads(export(run.path, "json")[0])
    n_derived = sum(row["derived"] for row in rows)
    results = f"{len(rows) - n_derived} measured results and {n_derived} derived results"
    n_checks = sum(len(outcome.checks) for outcome in evaluation.outcomes)
    checks = f"all {n_checks} checks passed"
    assert n_derived
    assert n_checks
    assert evaluation.analysis.disturbances.n_results == len(rows) - n_derived
    said = [text for text, _ in state_words(evaluation)]
    assert said[:2] == [results, checks]
    assert "3 launches, none failed" in said
    assert not any("verified" in text or "skipped" in text for text in said)
    n_all = sum(len(family.benchmarks) for family in evaluation.families)
    programs = f"1 program run, {n_all - 1} left out"
    assert programs in said
    assert sum(int(text.split()[0]) for _, text in scope_of(evaluation).ran) == 1
    print_summary(ended)
    assert f"{programs}; 3 launches; {results}; {checks}" in capsys.readouterr().out
