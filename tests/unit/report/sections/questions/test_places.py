"""As many ranks in several layouts: a column for each, and the cause of what changes."""

from __future__ import annotations

from heorot.model.analysis.claims import Claim
from heorot.model.analysis.studies.answers import Answer, Placed
from heorot.report.tables.table import MOST_COLUMNS
from tests.unit.report.sections.questions.test_section import NETWORKS, a_line, about, section
from tests.unit.report.tables.reading import column_of, lines_of, named

SPREAD = Answer(
    question="spread",
    n_answered=3,
    lines=(
        a_line(
            "flint",
            3.0,
            places=(
                Placed(nodes=1, per_node=4),
                Placed(nodes=2, per_node=2, change=about(-0.2, "%")),
                Placed(nodes=4, per_node=1, change=about(2.0, "%")),
            ),
            reasons=(Claim(text="communication takes 70 %"),),
        ),
        a_line("mesh", 2.0, places=(Placed(nodes=2, per_node=4), Placed(nodes=4, per_node=2))),
        a_line("tile", 1.0, places=(Placed(nodes=1, per_node=4, threads=2),)),
    ),
)


def test_the_layouts_of_as_many_ranks_are_columns_and_an_unknown_cause_is_said() -> None:
    table = named(section(SPREAD).tables, "t-spread")
    assert [column.title for column in table.columns] == [
        *("program", "1x4", "2x2", "4x1", "2x4", "4x2", "1x4x2"),
        "cause",
    ]
    flint, mesh, tile = lines_of(table)
    assert flint["1x4"] == "compared with"
    assert flint["2x2"].startswith("-20.0 % [")
    assert flint["4x1"] == "+200 % [199, 201; 5 launches]"
    assert flint["2x4"] == "–"
    assert [one["cause"] for one in (flint, mesh, tile)] == [
        "communication takes 70 %",
        "unknown",
        "–",
    ]


def test_slow_messages_are_a_cause_where_no_phase_says_more() -> None:
    slow = {"cause": NETWORKS.lines[0].cause, "reasons": ()}
    flint = SPREAD.lines[0].model_copy(update=slow)
    less = flint.model_copy(update={"value": about(0.5)})
    table = named(section(SPREAD.model_copy(update={"lines": (flint, less)})).tables, "t-spread")
    assert column_of(table, "cause") == ["messages: the latency of a message", "unknown"]
    assert column_of(table, "messages, times as long") == ["10.0 [10.0, 10.0; 5 launches]"] * 2
    wide = SPREAD.model_copy(update={"lines": (flint, *SPREAD.lines[1:])})
    assert len(named(section(wide).tables, "t-spread").columns) == MOST_COLUMNS
