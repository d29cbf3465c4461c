"""Bars of the load on the terminal."""

from __future__ import annotations

from io import StringIO

import numpy as np
from rich.console import Console

from heorot.cli.terminal.bars import live_bars
from heorot.monitoring.model import Monitoring
from tests.unit.monitoring.analyse.synthetic import make_node


def shown(monitoring: Monitoring) -> list[str]:
    out = StringIO()
    Console(file=out, width=140).print(live_bars(monitoring))
    return out.getvalue().splitlines()


def test_a_row_for_each_node() -> None:
    cores = np.array([[0.0, 0.5, 1.0, np.nan]] * 10)
    full = make_node("n1", busy=2.0, memory=50.0, load=2.5, received=1e6, sent=5e5, cores=cores)
    empty = make_node("n2", busy=np.nan, memory=np.nan, load=np.nan, contained=True)
    unknown = make_node("n3", memory_bytes=float("nan"), cores=np.empty((10, 0)))
    head, *rows = shown(Monitoring(nodes=(full, empty, unknown)))
    assert head.split() == ["node", "CPUs", "cores", "memory", "load", "network", "paging"]
    assert "2.0/4" in rows[0]
    assert " ▄█?" in rows[0]
    assert rows[0].split()[-7:] == ["50", "B", "2.5", "1.5", "MB/s", "0", "B/s"]
    assert "–/4" in rows[1]
    assert "–" in rows[2]


def test_many_nodes_are_counted() -> None:
    rows = shown(Monitoring(nodes=tuple(make_node(f"n{i}") for i in range(45))))
    assert rows[-1] == "and 5 more nodes"
    assert len(rows) == 42
