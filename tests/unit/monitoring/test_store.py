"""The activity of nodes is read back unchanged from the directory of a run."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from heorot.errors import RunError
from heorot.monitoring.collect.node_loads import read_monitoring as collect
from heorot.monitoring.model import Monitoring, PortLoad
from heorot.monitoring.store import has_monitoring, read_monitoring, write_monitoring

SAMPLES = Path(__file__).resolve().parents[2] / "samples" / "monitoring"


@pytest.fixture
def monitoring() -> Monitoring:
    ones = np.ones(3)
    found = collect(SAMPLES, ["n1", "n2", "n9"])
    node = dataclasses.replace(
        found.nodes[0],
        clock_steps=((1.7e9, -3.5),),
        offset_seconds=-0.25,
        offset_error_seconds=0.125,
        memory_bytes=float("nan"),
    )
    ports = (PortLoad("p1", ones, 2 * ones, ones, ones, np.array([0, np.nan, 1])),)
    return dataclasses.replace(found, nodes=(node, *found.nodes[1:]), ports=ports)


def assert_same(one: Any, other: Any, where: str = "") -> None:
    if isinstance(one, np.ndarray):
        assert np.array_equal(one, other, equal_nan=one.dtype.kind == "f"), where
        assert one.dtype == other.dtype, where
    elif dataclasses.is_dataclass(one):
        for field in dataclasses.fields(one):
            name = f"{where}.{field.name}"
            assert_same(getattr(one, field.name), getattr(other, field.name), name)
    elif isinstance(one, tuple):
        assert len(one) == len(other), where
        for i, (a, b) in enumerate(zip(one, other, strict=True)):
            assert_same(a, b, f"{where}[{i}]")
    else:
        assert one == other or (one != one and other != other), where  # noqa: PLR0124 (NaN)


def test_everything_comes_back(tmp_path: Path, monitoring: Monitoring) -> None:
    assert not has_monitoring(tmp_path)
    write_monitoring(tmp_path, monitoring)
    assert has_monitoring(tmp_path)
    assert_same(monitoring, read_monitoring(tmp_path))
    write_monitoring(tmp_path, Monitoring(unwatched={"n1": "no route"}, complaints=("a: b",)))
    assert_same(
        read_monitoring(tmp_path), Monitoring(unwatched={"n1": "no route"}, complaints=("a: b",))
    )


@pytest.mark.slow
def test_files_that_are_missing_or_damaged(tmp_path: Path, monitoring: Monitoring) -> None:
    with pytest.raises(RunError, match=r"monitoring\.json cannot be read"):
        read_monitoring(tmp_path)
    write_monitoring(tmp_path, monitoring)
    for file in sorted(tmp_path.glob("*.parquet")):
        content = file.read_bytes()
        file.write_bytes(content[: len(content) // 2])
        with pytest.raises(RunError, match=f"{file.name} is damaged"):
            read_monitoring(tmp_path)
        file.unlink()
        with pytest.raises(RunError, match=f"{file.name} is missing"):
            read_monitoring(tmp_path)
        file.write_bytes(content)
    facts = tmp_path / "monitoring.json"
    facts.write_text(facts.read_text().replace('"interval_seconds":1.0', '"interval_seconds":-1'))
    facts.write_text(facts.read_text().replace('"interval_seconds": 1.0', '"interval_seconds": -1'))
    with pytest.raises(RunError, match="is damaged"):
        read_monitoring(tmp_path)


@pytest.mark.slow
def test_files_that_do_not_belong_together(tmp_path: Path, monitoring: Monitoring) -> None:
    write_monitoring(tmp_path, monitoring)
    other = tmp_path / "other"
    other.mkdir()
    write_monitoring(other, dataclasses.replace(monitoring, nodes=monitoring.nodes[:1]))
    (tmp_path / "monitoring.json").write_bytes((other / "monitoring.json").read_bytes())
    with pytest.raises(RunError, match="an invalid node"):
        read_monitoring(tmp_path)
    write_monitoring(tmp_path, monitoring)
    cores = tmp_path / "monitoring-cores.parquet"
    cores.write_bytes((other / "monitoring-cores.parquet").read_bytes())
    assert read_monitoring(tmp_path).nodes[3].cores.shape[1] == 0
    nothing = tmp_path / "monitoring-ports.parquet"
    nothing.write_bytes((tmp_path / "monitoring.parquet").read_bytes())
    with pytest.raises(RunError, match="is damaged"):
        read_monitoring(tmp_path)
