"""Compares nodes and pairs of a run with those of equal hardware: outliers, and the map of all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from heorot.analyse.nodes.hardware import Hardware, find_hardware, natural, split_pairs
from heorot.analyse.nodes.lines import Values, draw_lines, make_values
from heorot.analyse.nodes.naming import Named, name_slow
from heorot.analyse.nodes.pairs import centre_pairs, distinguishable, nodes_of_pairs
from heorot.analyse.nodes.sheets import make_sheet
from heorot.analyse.nodes.summaries import NodeRow
from heorot.model.analysis.studies.nodes import NODE, PAIR, NodeStudy, Slow
from heorot.model.machine.machine import Machine

_TWO = 2


def analyse_nodes(rows: Sequence[NodeRow], machine: Machine) -> NodeStudy | None:
    """Compare nodes with each other; None if fewer than two were measured."""
    single = _items(rows, NODE)
    ends = split_pairs(sorted(_items(rows, PAIR), key=natural))
    hardware = find_hardware(machine, single | {host for both in ends.values() for host in both})
    if len(hardware.kind_of) <= 1:
        return None
    order = [host for kind in hardware.kinds for host in kind.nodes if host in single]
    found, values = [], []
    kinds_of_nodes = _of_kinds(order, hardware)
    kinds = _kinds_of_pairs(ends, hardware)
    pairs = make_sheet(rows, PAIR, list(ends))
    nodes = nodes_of_pairs(centre_pairs(pairs, kinds), ends) if ends else pairs
    kinds_by_pairs = _of_kinds(nodes.items, hardware) if ends else []
    # The false-alarm rate of all of them together is 5 %.
    n_sets = sum(len(kind) >= _TWO for kind in (*kinds_of_nodes, *kinds, *kinds_by_pairs))
    if order:
        sheet = make_sheet(rows, NODE, order)
        found.append(name_slow(sheet, kinds_of_nodes, n_sets=n_sets))
        values.append(make_values(sheet, found[0].speeds))
    alone = Named()
    if ends:
        alone = name_slow(pairs, kinds, n_sets=n_sets, is_pair=True)
        named = name_slow(nodes, kinds_by_pairs, n_sets=n_sets, of_pairs=True)
        found.append(replace(named, slow=distinguishable(_worst_first(named.slow), ends)))
        values.append(make_values(nodes, found[-1].speeds, of_pairs=True))
    return _put_together(hardware, found, alone, values, ends)


def _put_together(
    hardware: Hardware,
    found: Sequence[Named],
    alone: Named,
    values: Sequence[Values],
    ends: Mapping[str, tuple[str, str]],
) -> NodeStudy:
    slow = _merge(one for named in found for one in named.slow)
    guilty = {one.name for one in slow}
    columns = tuple(column for each in values for column in each.columns)
    return NodeStudy(
        kinds=hardware.kinds,
        columns=columns,
        lines=draw_lines(hardware, values),
        slow=tuple(_worst_first(slow)),
        slow_pairs=tuple(
            _worst_first(one for one in alone.slow if not guilty & set(ends[one.name]))
        ),
        apart=tuple(one for named in (*found, alone) for one in named.apart),
        n_pairs=len(ends),
        n_metrics=sum(column.n_metrics for column in columns),
    )


def _items(rows: Iterable[NodeRow], coordinate: str) -> set[str]:
    return {str(row.result.point[coordinate]) for row in rows if coordinate in row.result.point}


def _of_kinds(nodes: Sequence[str], hardware: Hardware) -> list[list[int]]:
    """Indices of the nodes of each kind."""
    groups: dict[int, list[int]] = {}
    for place, node in enumerate(nodes):
        groups.setdefault(hardware.kind_of[node], []).append(place)
    return list(groups.values())


def _kinds_of_pairs(ends: Mapping[str, tuple[str, str]], hardware: Hardware) -> list[list[int]]:
    """Indices of the pairs between nodes of the same two kinds."""
    groups: dict[tuple[int, ...], list[int]] = {}
    for place, both in enumerate(ends.values()):
        key = tuple(sorted(hardware.kind_of[host] for host in both))
        groups.setdefault(key, []).append(place)
    return list(groups.values())


def _merge(found: Iterable[Slow]) -> list[Slow]:
    """One for each name: a node that is slow by itself and in its pairs is listed once."""
    merged: dict[str, Slow] = {}
    for one in found:
        known = merged.get(one.name)
        if known is None:
            merged[one.name] = one
            continue
        metrics = tuple(sorted((*known.metrics, *one.metrics), key=lambda each: each.speed))
        merged[one.name] = known.model_copy(
            update={
                "speed": float(np.median([each.speed for each in metrics])),
                "z": float(np.median([each.z for each in metrics])),
                "p_value": min(known.p_value, one.p_value),
                "n_metrics": known.n_metrics + one.n_metrics,
                "metrics": metrics,
                "n_launches": max(known.n_launches, one.n_launches),
                "disturbed": known.disturbed and one.disturbed,
            }
        )
    return list(merged.values())


def _worst_first(found: Iterable[Slow]) -> list[Slow]:
    """Sorted by the loss over all quantities in which they are slow."""
    return sorted(found, key=lambda one: sum(float(np.log(each.speed)) for each in one.metrics))
