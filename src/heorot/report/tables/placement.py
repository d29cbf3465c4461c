"""Placement, processor time and memory: by rank, or by step where there are many."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from heorot.model.machine.cpulist import format_cpulist
from heorot.model.run.records import EndLine, Placement
from heorot.report.sections.steps import Ending
from heorot.report.tables.table import Allowance, Cell, Column, Row, Table, make_table
from heorot.report.wording import count
from heorot.units import NOTHING, format_binary, format_quantity

MOST_RANKS = 16
"""A step with more of them has one row; the record of the step has them all."""

_COLUMNS = (
    *map(Column, ("step", "program", "rank", "host", "processors", "NUMA nodes")),
    Column("user time", numeric=True, copied="user time [s]"),
    Column("system time", numeric=True, copied="system time [s]"),
    Column("system share", numeric=True),
    Column("peak memory", numeric=True, copied="peak memory [B]"),
    Column("involuntary switches", numeric=True),
)


def placement_table(endings: Sequence[Ending], allowance: Allowance) -> Table:
    """The table of the configuration section."""
    rows = [row for ending in endings for row in _rows(ending)]
    many = any(
        ending.outcome.run and len(ending.outcome.run.placement) > MOST_RANKS for ending in endings
    )
    caption = "Placement, processor time and memory of ranks"
    if many:
        caption += f"; of more than {MOST_RANKS} ranks together the largest values of any"
    table = make_table("placement", caption, _COLUMNS, rows, allowance, folded=True)
    return table.narrow(("system share", "system time"))


def cpus_cell(cpus: Iterable[int]) -> Cell:
    """Processor numbers as ranges: `0-3,8`."""
    return Cell(format_cpulist(cpus) or NOTHING, tone="mono")


def _rows(ending: Ending) -> Iterator[Row]:
    outcome = ending.outcome
    if outcome.run is None:
        return
    places = outcome.run.placement
    if len(places) > MOST_RANKS:
        yield Row((*_names(ending), *_together(places), *_taken(outcome.end, range(len(places)))))
        return
    for i, place in enumerate(places):
        cells = (
            Cell(str(place.rank), place.rank),
            Cell(place.host),
            cpus_cell(place.cpus),
            cpus_cell(place.numa),
        )
        yield Row((*_names(ending), *cells, *_taken(outcome.end, range(i, i + 1))))


def _names(ending: Ending) -> tuple[Cell, Cell]:
    return Cell(ending.step.id), Cell(ending.step.benchmark)


def _together(places: Sequence[Placement]) -> tuple[Cell, ...]:
    """Ranks, hosts and processors of a whole step."""
    hosts = list(dict.fromkeys(place.host for place in places))
    ends = hosts[0] if len(hosts) == 1 else f"{hosts[0]} … {hosts[-1]}"
    return (
        Cell(f"{places[0].rank}-{places[-1].rank}", places[0].rank),
        Cell(ends if len(hosts) == 1 else f"{count(len(hosts), 'host')}: {ends}"),
        cpus_cell(cpu for place in places for cpu in place.cpus),
        cpus_cell(node for place in places for node in place.numa),
    )


def _taken(end: EndLine | None, ranks: range) -> tuple[Cell, ...]:
    """The largest of what any of the ranks took; unknown if the step wrote no end."""
    if end is None or ranks.stop > len(end.user_seconds):
        return (Cell(NOTHING),) * 5
    user = max(end.user_seconds[rank] for rank in ranks)
    system = max(end.system_seconds[rank] for rank in ranks)
    memory = max(end.peak_memory_bytes[rank] for rank in ranks)
    switches = max(end.involuntary_switches[rank] for rank in ranks)
    share = system / (user + system) if user + system > 0.0 else None
    return (
        Cell(format_quantity(user, "s"), user),
        Cell(format_quantity(system, "s"), system),
        Cell(format_quantity(share, "%", 2), share),
        Cell(format_binary(memory), memory),
        Cell(str(switches), switches),
    )
