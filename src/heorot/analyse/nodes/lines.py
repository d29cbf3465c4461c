"""The map of all nodes: a line for each, a column for each case of a program that ran on all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from heorot.analyse.nodes import robust
from heorot.analyse.nodes.hardware import Hardware
from heorot.analyse.nodes.outliers import BoolArray
from heorot.analyse.nodes.sheets import Sheet
from heorot.analyse.statistics.summary import FloatArray
from heorot.model.analysis.studies.nodes import NodeColumn, NodeLine


@dataclass(frozen=True)
class Values:
    """The part of the map that comes from one sheet.

    Attributes:
        speeds: relative to the median of the kind [1], shape (n_nodes, n_columns), NaN if missing.
        disturbed: whether a value rests on perturbed samples only, same shape.
    """

    nodes: tuple[str, ...]
    columns: tuple[NodeColumn, ...]
    speeds: FloatArray
    disturbed: BoolArray


def make_values(sheet: Sheet, speeds: FloatArray, *, of_pairs: bool = False) -> Values:
    """Bring the quantities of each program and case together by the median of the speeds.

    Args:
        speeds: relative to the median of the kind [1], shape (n_items, n_quantities).
        of_pairs: whether the nodes' values come from their pairs.
    """
    setups = sheet.setups
    place = np.array([setups.index(key.setup) for key, _ in sheet.quantities], dtype=int)
    shape = (len(sheet.items), len(setups))
    together, disturbed = np.full(shape, np.nan), np.zeros(shape, dtype=bool)
    for j in range(len(setups)):
        together[:, j] = robust.median(speeds[:, place == j], 1)
        disturbed[:, j] = sheet.disturbed[:, place == j].all(axis=1)
    counts = Counter(place.tolist())
    columns = tuple(
        NodeColumn(setup=setup, n_metrics=counts[j], of_pairs=of_pairs)
        for j, setup in enumerate(setups)
    )
    return Values(sheet.items, columns, together, disturbed)


def draw_lines(hardware: Hardware, parts: Sequence[Values]) -> tuple[NodeLine, ...]:
    """The lines of the map, with the columns of all parts behind each other.

    Args:
        parts: values of nodes; a node missing in a part has no value in its columns.
    """
    places = [{node: i for i, node in enumerate(part.nodes)} for part in parts]
    lines = []
    for kind, members in enumerate(hardware.kinds):
        for node in members.nodes:
            speeds: list[float | None] = []
            disturbed: list[bool] = []
            for part, place in zip(parts, places, strict=True):
                if node in place:
                    speeds += [_known(value) for value in part.speeds[place[node]].tolist()]
                    disturbed += part.disturbed[place[node]].tolist()
                else:
                    speeds += [None] * len(part.columns)
                    disturbed += [False] * len(part.columns)
            known = [speed for speed in speeds if speed is not None]
            lines.append(
                # Built by this module: validating every value again would be slow.
                NodeLine.model_construct(
                    name=node,
                    kind=kind,
                    typical=float(np.median(known)) if known else None,
                    speeds=tuple(speeds),
                    disturbed=tuple(disturbed),
                )
            )
    return tuple(lines)


def _known(value: float) -> float | None:
    return value if np.isfinite(value) else None
