"""The section of nodes and networks: sentences, map, tables; nothing of a node alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from heorot.model.analysis.studies.nodes import (
    NODE,
    NODES,
    NodeLine,
    NodeStudy,
    Slow,
    is_apart,
    is_of_nodes,
)
from heorot.model.catalogue.figure import Figure
from heorot.model.evaluation import Evaluation
from heorot.report.anchors import Anchors, Frame
from heorot.report.figures.drawing import Drawing
from heorot.report.figures.kind import Material
from heorot.report.figures.kinds.maps.node_map import (
    CLASSES,
    MOST_NODES,
    class_of,
    name_columns,
    shown_columns,
)
from heorot.report.figures.show import draw
from heorot.report.sections.section import Part, Section
from heorot.report.tables.networks import host_table, network_table
from heorot.report.tables.table import Allowance, Cell, Column, Row, Table, make_table
from heorot.units import NOTHING, format_quantity

ID = "nodes"

_MAP = Figure(title="How fast each node runs each program", kind="node_map")
_BANDS = Figure(title="How far the nodes lie apart", kind="node_bands")


def without_nodes(evaluation: Evaluation) -> Evaluation:
    """The run without the rows of each node and kind of core: tables of their own have them."""
    analysis = evaluation.analysis
    rows = tuple(row for row in analysis.results if not is_apart(row.point))
    if len(rows) == len(analysis.results):
        return evaluation
    return replace(evaluation, analysis=analysis.model_copy(update={"results": rows}))


def place_nodes(evaluation: Evaluation, anchors: Anchors) -> Anchors:
    """The anchors of all rows, with the lines of nodes as the places of theirs."""
    analysis = evaluation.analysis.nodes
    if analysis is None:
        return anchors
    lines = {line.name: _line_id(i) for i, line in enumerate(analysis.lines)}
    moved = {
        row.id: lines.get(str(row.point.get(NODE)), ID)
        for row in evaluation.analysis.results
        if is_of_nodes(row.point)
    }
    return replace(anchors, ids={**anchors.ids, **moved})


def nodes_section(evaluation: Evaluation, frame: Frame) -> Section | None:
    """The section; None if there was one node, no network and no host."""
    analysis, networks = evaluation.analysis.nodes, evaluation.analysis.networks
    machine = evaluation.machine
    if analysis is None and not networks and not machine.hosts:
        return None
    tables = list(_tables(analysis, frame)) if analysis else []
    if networks:
        tables.append(network_table(networks, frame.allowance, machine.networks))
    if machine.hosts:
        tables.append(host_table(machine.hosts, frame.allowance))
    drawings = tuple(_drawings(analysis)) if analysis else ()
    parts = [Part("", "", drawings[:1], ()), Part("", "", (), tuple(tables))]
    if drawings[1:]:
        parts.append(Part(_BANDS.title, "", drawings[1:], ()))
    return Section(
        ID, "Nodes", frame.anchors.sentences_of(evaluation.analysis, NODES), tuple(parts)
    )


def _tables(analysis: NodeStudy, frame: Frame) -> Iterator[Table]:
    """The tables of the nodes themselves."""
    if len(analysis.lines) > MOST_NODES:
        yield _classes(analysis, frame.allowance)
    yield _table(analysis, frame)
    if analysis.slow_pairs:
        yield _pairs(analysis, frame.allowance)


def _drawings(analysis: NodeStudy) -> Iterator[Drawing]:
    """The map, and of very many nodes the bands of each kind, which fill a page of paper each."""
    shown = [draw(_MAP, Material(nodes=analysis), f"{ID}-map")]
    if len(analysis.lines) > MOST_NODES:
        for number, kind in enumerate(analysis.kinds):
            lines = tuple(
                line.model_copy(update={"kind": 0})
                for line in analysis.lines
                if line.kind == number
            )
            part = analysis.model_copy(update={"kinds": (kind,), "lines": lines})
            shown.append(draw(_BANDS, Material(nodes=part), f"{ID}-bands-{number}"))
    yield from filter(None, shown)


def _line_id(place: int) -> str:
    return f"node-{place}"


def _table(analysis: NodeStudy, frame: Frame) -> Table:
    """All nodes; of so many that fit into the map the values of the map, too."""
    several = len(analysis.kinds) > 1
    few = len(analysis.lines) <= MOST_NODES
    places = shown_columns(analysis) if few else []
    names = name_columns([analysis.columns[j] for j in places])
    every = name_columns(analysis.columns)
    slow = {one.name: one for one in analysis.slow}
    entries = list(enumerate(analysis.lines))
    if not few:
        entries.sort(key=lambda entry: (entry[1].name not in slow, entry[1].typical or 1.0))
    rows = [
        Row(
            (
                Cell(line.name),
                *([Cell(analysis.kinds[line.kind].name)] if several else []),
                _speed(line.typical),
                *_slowest(line, every),
                *_judged(slow.get(line.name)),
                *(_speed(line.speeds[j]) for j in places),
            ),
            _line_id(place),
        )
        for place, line in entries
    ]
    columns = [
        Column("node"),
        *([Column("kind")] if several else []),
        Column("median of its speeds", numeric=True),
        Column("slowest in"),
        Column("there", numeric=True),
        Column("slow in", numeric=True),
        Column("z", numeric=True),
        *(Column(name, numeric=True) for name in names),
    ]
    caption = "Every node: speeds relative to the median of its kind"
    table = make_table(
        "node-table", caption, columns, rows, frame.allowance, chosen="the slowest",
        elsewhere=frame.export, folded=few,
    )  # fmt: skip
    return table.narrow()


def _speed(speed: float | None) -> Cell:
    if speed is None:
        return Cell(NOTHING, None, "muted")
    return Cell(format_quantity(speed, "%"), speed)


def _slowest(line: NodeLine, names: Sequence[str]) -> tuple[Cell, Cell]:
    """The program that a node is slowest in, and its speed there."""
    known = [(speed, name) for speed, name in zip(line.speeds, names, strict=True) if speed]
    if not known:
        return Cell(NOTHING), _speed(None)
    speed, name = min(known)
    return Cell(name), _speed(speed)


def _judged(slow: Slow | None) -> tuple[Cell, Cell]:
    """In how many quantities a node is slow, and how far from the others; dashes if it is not."""
    if slow is None:
        return Cell(NOTHING, None, "muted"), Cell(NOTHING, None, "muted")
    words = f"{len(slow.metrics)} of {slow.n_metrics}"
    return Cell(words, len(slow.metrics), "bad"), Cell(f"{slow.z:.1f}", slow.z, "bad")


def _pairs(analysis: NodeStudy, allowance: Allowance) -> Table:
    """The pairs that are slow although neither of their nodes is."""
    rows = [Row((Cell(one.name), _speed(one.speed), *_judged(one))) for one in analysis.slow_pairs]
    columns = [
        Column("pair"),
        Column("of the median", numeric=True),
        Column("slow in", numeric=True),
        Column("z", numeric=True),
    ]
    caption = "Pairs of nodes that are slow though neither node is"
    return make_table("node-pairs", caption, columns, rows, allowance)


def _classes(analysis: NodeStudy, allowance: Allowance) -> Table:
    """How many nodes of each kind have a median speed of each class."""
    tally = Counter(
        (class_of(line.typical) if line.typical is not None else -1, line.kind)
        for line in analysis.lines
    )
    words = [*(f"{text.removesuffix(' %')} %" for _, text in CLASSES), "not measured"]
    rows = [
        Row(
            (
                Cell(words[number], float(number)),
                *(
                    Cell(str(tally[number, kind]), tally[number, kind])
                    for kind in range(len(analysis.kinds))
                ),
            )
        )
        for number in [*range(len(CLASSES)), -1]
    ]
    kinds = [kind.name or "nodes" for kind in analysis.kinds]
    columns = [Column("median of its speeds"), *(Column(kind, numeric=True) for kind in kinds)]
    caption = "How many nodes are how fast, relative to the median of their kind"
    return make_table("node-classes", caption, columns, rows, allowance).narrow()
