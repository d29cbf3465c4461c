"""Tables of compared tests: a row for each quantity, with the ratios to the first system."""

from __future__ import annotations

from collections.abc import Sequence

from heorot.report.tables.columns import Field, lay_out, numbers, text
from heorot.report.tables.table import Allowance, Cell, Column, Row, Table, make_table
from heorot.throughput.model.comparison import (
    Against,
    ComparedQuantity,
    ComparedSystem,
    Part,
    ThroughputComparison,
)
from heorot.throughput.report.tables.measured import cell_of
from heorot.units import NOTHING, plural

_CAPTIONS: dict[Part, str] = {
    "whole": "Metrics of the tests",
    "interference": "Run time under load / dedicated, by program",
    "waits": "Median queue wait by job class",
    "runs": "Median run time by job class",
    "responses": "Median response time under load",
}
_TONES = {"better": "good", "worse": "bad", "indistinguishable": "muted", "not judged": "muted"}


def compared_tables(comparison: ThroughputComparison, allowance: Allowance) -> list[Table]:
    """A table for each part with quantities."""
    fields: list[Field[ComparedQuantity]] = [text("", lambda one: one.name)]
    for place in range(len(comparison.systems)):
        fields += _columns(comparison.systems, place)
    return [
        make_table(
            f"compared-{part}", caption, *lay_out(own, fields), allowance, folded=part != "whole"
        )
        for part, caption in _CAPTIONS.items()
        if (own := comparison.of(part))
    ]


def _columns(systems: Sequence[ComparedSystem], place: int) -> list[Field[ComparedQuantity]]:
    """Columns of a system: its value, and the ratio to that of the first."""
    name, n = systems[place].name, len(systems[place].tests)
    title = f"{name} ({plural(n, 'test')})" if n > 1 else name
    value: Field[ComparedQuantity] = numbers(title, lambda one: _value(one, place))
    if not place:
        return [value]
    copied = "\t".join(f"{name} {what}" for what in ("ratio", "ratio_low", "ratio_high", "verdict"))
    ratio = Column(f"{name} / {systems[0].name}", copied=copied)
    return [value, Field(ratio, lambda one: _ratio(one.against[place]))]


def _value(one: ComparedQuantity, place: int) -> Cell:
    """The centre of a system's tests; of several with the smallest and the largest."""
    values, centre = one.values[place], one.centre(place)
    shown = cell_of(centre, one.form)
    if len(values) == 1 or centre is None:
        return shown
    known = [value for value in values if value is not None]
    ends = (cell_of(end, one.form).text for end in (min(known), max(known)))
    return Cell(f"{shown.text} [{', '.join(ends)}]", shown.number)


def _ratio(against: Against | None) -> Cell:
    if against is None:
        return Cell(NOTHING, tone="muted")
    ends = () if against.low is None else (against.low, against.high)
    interval = f" [{', '.join(f'{end:.2f}' for end in ends if end is not None)}]" if ends else ""
    why = f" ({against.why})" if against.why else ""
    numbers = (against.ratio, against.low, against.high)
    return Cell(
        f"{against.ratio:.2f}{interval} {against.verdict}{why}",
        against.ratio,
        _TONES[against.verdict],
        copied="\t".join(
            [*("" if x is None else f"{x:.6g}" for x in numbers), against.verdict + why]
        ),
    )


def differing_table(comparison: ThroughputComparison, allowance: Allowance) -> Table:
    """Properties other than the quantities in which the systems differ."""
    columns = [Column(""), *(Column(one.name) for one in comparison.systems)]
    rows = [
        Row((Cell(one.what), *(Cell(value, tone="mono") for value in one.values)))
        for one in comparison.differing
    ]
    return make_table("differing", "What else differs", columns, rows, allowance)
