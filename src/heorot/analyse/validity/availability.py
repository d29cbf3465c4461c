"""The share of time that programs had their cores on each node, comparable between nodes.

A persistent background load on a node may go undetected in samples: perturbed samples are left out
if others exist, and a short sample may fit between two time slices of the scheduler. It shows in
the time that processes were ready to run without a core, which the kernel accounts for each
process. On a healthy node that is almost zero, whatever the program.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from heorot.analyse.nodes.outliers import LEAST_LAG
from heorot.analyse.nodes.summaries import NodeRow
from heorot.analyse.results import make_row
from heorot.analyse.statistics.summary import summarise_values
from heorot.model.analysis.group import Group
from heorot.model.analysis.studies.nodes import AVAILABILITY, NODE
from heorot.model.catalogue.metrics import Metric
from heorot.model.point import Point
from heorot.model.run.identity import Key, Setup
from heorot.model.run.series import Series

_METRIC = Metric(name=AVAILABILITY, unit="1", better="higher")
_REGION = "core availability"
# A core that was never available would have no logarithm.
_LEAST = 1e-3

_Shares = dict[str, dict[str, list[Series]]]


def availability_rows(series: Iterable[Series], *, run: str, system: str) -> list[NodeRow]:
    """Rows of the cases that ran on each node, if any node lacked cores.

    The value of a launch is the share of its timed windows in which its threads had a core: in the
    rest they waited for one.

    Args:
        series: those of single nodes; others are passed over.
    """
    cases: dict[Setup, _Shares] = {}
    for one in series:
        if NODE in one.point and one.disturbance.waited_seconds is not None:
            steps = cases.setdefault(one.setup, {}).setdefault(str(one.point[NODE]), {})
            steps.setdefault(one.step, []).append(one)
    return [row for nodes in cases.values() for row in _rows(nodes, run, system)]


def _rows(nodes: _Shares, run: str, system: str) -> list[NodeRow]:
    """The rows of a case; none if every node had its cores."""
    found = {
        node: np.array([_share(members) for members in steps.values()])
        for node, steps in nodes.items()
    }
    if all(np.median(shares) > np.exp(-LEAST_LAG) for shares in found.values()):
        return []
    return [
        NodeRow(
            make_row(
                _group(node, [one for members in nodes[node].values() for one in members]),
                _METRIC,
                summarise_values(shares),
                run,
                system,
            ),
            shares,
            is_first=True,
        )
        for node, shares in found.items()
    ]


def _share(members: Sequence[Series]) -> float:
    """The share of the time of a launch in which its threads had a core [1]."""
    waited = sum(one.disturbance.waited_seconds or 0.0 for one in members)
    had = sum(one.disturbance.window_seconds * one.cores for one in members)
    return float(np.clip(1.0 - waited / had, _LEAST, 1.0)) if had > 0.0 else 1.0


def _group(node: str, members: Sequence[Series]) -> Group:
    """The status of a row: it measures perturbations, so they do not invalidate it."""
    first = replace(members[0], key=Key(members[0].setup, _REGION, Point({NODE: node})))
    failed = any(one.verified == "failed" for one in members)
    return Group(series=(first,), disturbed=False, verified="failed" if failed else "passed")
