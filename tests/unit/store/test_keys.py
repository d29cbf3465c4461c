"""Keys in columns: as they were written, and as earlier versions wrote them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pytest

from heorot.errors import RunError
from heorot.model.analysis.result import Result
from heorot.model.catalogue.benchmark import Case
from heorot.model.catalogue.need import Need
from heorot.model.run.series import Series
from heorot.store.keys import KEY_COLUMNS, read_key, stored_part, with_needs, with_setups
from heorot.store.results import read_results, write_results
from heorot.store.samples import read_samples, write_samples
from tests.unit.model.keys import a_key, but


def row_of(**parts: Any) -> dict[str, Any]:
    key = a_key("triad", {"n": 8, "access": "stride 3"}, options={"star": True}, **parts)
    return {name: stored_part(key, name) for name in KEY_COLUMNS}


def test_a_key_is_read_as_it_was_stored() -> None:
    row = row_of(network="ib", ranks=7)
    assert read_key(row) == a_key(
        "triad", {"access": "stride 3", "n": 8}, options={"star": True}, network="ib", ranks=7
    )
    assert read_key(row).setup is read_key(row).setup


@pytest.mark.parametrize(
    ("label", "networks", "stack"),
    [
        ("gnu+mpich+ib", {"ib"}, ("gnu+mpich", "ib")),
        ("gnu+mpich", {"ib"}, ("gnu+mpich", "")),
        ("gnu+a+ib", {"ib", "a+ib"}, ("gnu", "a+ib")),
        ("gnu+ib", set(), ("gnu+ib", "")),
    ],
)
def test_earlier_versions_had_the_network_behind_the_toolchain(
    label: str, networks: set[str], stack: tuple[str, str]
) -> None:
    row = row_of(toolchain=label)
    del row["network"]
    assert read_key(row, networks).setup.stack == stack


def _without_network(path: Path) -> None:
    """Rewrite a file as an earlier version wrote it."""
    other = path.with_suffix(".old")
    with duckdb.connect() as connection:
        connection.execute("SET threads = 1")
        rows = connection.read_parquet(str(path))
        label = "toolchain || '+' || network AS toolchain"
        rows.project(f"* EXCLUDE network REPLACE ({label})").write_parquet(str(other))
    other.replace(path)


def test_samples_and_results_of_earlier_versions_are_read(
    tmp_path: Path, series: tuple[Series, ...], results: tuple[Result, ...]
) -> None:
    rows = tuple(but(one, network="ib") for one in results)
    measured = tuple(but(one, network="ib") for one in series)
    write_results(tmp_path / "results.parquet", rows)
    write_samples(tmp_path / "samples.parquet", measured)
    for name in ("results", "samples"):
        _without_network(tmp_path / f"{name}.parquet")
    found = read_results(tmp_path / "results.parquet", {"ib"})
    assert [one.key for one in found] == [one.key for one in rows]
    read = read_samples(tmp_path / "samples.parquet", {"ib"})
    assert [one.key for one in read] == [one.key for one in measured]


def test_a_row_of_no_rank_is_refused(tmp_path: Path, series: tuple[Series, ...]) -> None:
    write_samples(tmp_path / "samples.parquet", [but(series[0], ranks=0)])
    with pytest.raises(RunError, match="is damaged: a sample is of no rank"):
        read_samples(tmp_path / "samples.parquet")


def test_steps_of_earlier_versions_get_a_setup() -> None:
    old = {"id": "S0001", "benchmark": "a/b", "case": "c", "options": {"n": 1}, "toolchain": "gnu"}
    new = {
        "id": "S0001",
        "setup": {"benchmark": "a/b", "case": "c", "toolchain": "gnu", "options": {"n": 1}},
    }
    assert with_setups([old]) == [new]
    plan = {"seed": 1, "steps": [old], "skipped": [{**old, "reason": "no"}]}
    assert with_setups(plan) == {
        "seed": 1, "steps": [new], "skipped": [{**new, "reason": "no"}]
    }  # fmt: skip
    for other in (None, "text", [1, new], {"steps": [new]}, {"steps": None}):
        assert with_setups(other) == other


def test_a_plan_that_holds_itself_many_times_is_not_descended_into() -> None:
    deep: dict[str, Any] = {}
    for _ in range(5000):
        deep = {"steps": deep}
    assert with_setups(deep) is not None


@pytest.mark.parametrize(("needs_cores", "shared"), [(6, False), (1, True)])
def test_a_case_of_an_earlier_version_had_its_needs_beside_its_name(
    needs_cores: int, shared: bool
) -> None:
    fields: dict[str, Any] = {"name": "chosen", "options": {"n": 1}, "ranks": 3, "threads": 2}
    costs = {"memory_bytes": 5, "seconds": 60.0}
    case = with_needs(_request(fields | costs | {"needs_cores": needs_cores}))["request"]["chosen"]
    needs = Need(shared_cores=shared, memory_bytes=5, seconds=60.0)
    assert Case.model_validate(case["case"]) == Case(**fields, needs=needs)
    present = _request(fields | {"needs": costs})
    assert with_needs(present) == present


@pytest.mark.parametrize(
    "document", [None, 7, [], {}, {"request": 3}, {"request": {"chosen": None}}, {"request": [[]]}]
)
def test_what_holds_no_case_stays_as_it_is(document: Any) -> None:
    assert with_needs(document) == document
    odd = _request({"needs_cores": "x", "memory_bytes": 1, "seconds": 1, "ranks": 2, "threads": 1})
    assert with_needs(odd) == odd


def _request(case: dict[str, Any]) -> dict[str, Any]:
    return {"name": "run", "request": {"chosen": {"benchmark": "memory/stream", "case": case}}}
