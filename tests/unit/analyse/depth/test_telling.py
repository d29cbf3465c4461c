"""What the study of a node says."""

from __future__ import annotations

from heorot.analyse.depth.study import study_depth
from heorot.analyse.depth.telling import attribute, tell, word_place
from heorot.analyse.explain.copies import METRIC, explain
from heorot.model.analysis.depth.depth import DEPTH, Depth
from heorot.model.run.series import Series
from tests.unit.analyse.depth.machine_room import MIB, a_room, copies_of, grinding


def studied(*series: Series) -> tuple[Depth, list[str]]:
    """The study of a node, and what is said of it."""
    context = a_room(*series)
    context.rows.extend(explain(context))
    depth, rows = study_depth(context, METRIC, "test")
    context.rows.extend(rows)
    said = tell(context, depth)
    assert {one.family for one in said} == {DEPTH}
    keys = {row.key for row in context.rows}
    assert all(set(one.evidence) <= keys for one in said)
    assert all(set(one.evidence) <= keys for one in attribute(context, depth))
    return depth, [one.text for one in said]


def test_who_is_fed_by_memory() -> None:
    depth, said = studied(grinding(2.6e-4, 64 * MIB))
    assert said[1] == (
        "Mill (grind) runs at 6.0 % of the peak, because the 64 MiB it goes over come from memory "
        "at 96 % of what memory can give: it does 0.250 flop for each byte, and that allows 6.2 %."
    )
    assert said[2] == (
        "Of 1 problem on one core run 1 at 60 % or more of what they are fed (Mill (grind))."
    )
    assert len(depth.walls) == 8


def test_the_memory_wall() -> None:
    _, said = studied(grinding(2.6e-4, 64 * MIB))
    assert said[0].startswith(
        "To compute at the peak, one core must do 0.250 [0.245, 0.255] flops for each byte from "
        "L1, 1.00 [0.98, 1.02] from L2"
    )
    assert said[0].endswith("A number from memory has to be used 51.2 times.")


def test_who_is_limited_by_the_units() -> None:
    depth, said = studied(grinding(2e-5, 64 * MIB, moved=1e4))
    assert word_place(depth.places[0], depth) == (
        "runs at 78 % of the peak: it does 100 flop for each byte, so that the units alone limit it"
    )
    assert "of what the units compute" in said[-1]
    depth, _ = studied(grinding(2e-4, 64 * MIB, moved=1e4))
    assert "its operations wait for each other" in word_place(depth.places[0], depth)


def test_who_waits() -> None:
    # a line of 64 bytes in 100 ns feeds 0.64 GB/s: at a quarter flop for a byte 0.16 Gflop/s
    depth, said = studied(grinding(5e-3, 64 * MIB))
    assert "1.2 times what single loads that wait for each other would give" in word_place(
        depth.places[0], depth
    )
    assert "below both" in said[-1]
    depth, _ = studied(grinding(1e-3, 64 * MIB))
    assert word_place(depth.places[0], depth).endswith("but what its operations wait for")


def test_who_passes_what_its_level_feeds() -> None:
    depth, said = studied(grinding(1.25e-4, 64 * MIB))
    assert "it passes that" in word_place(depth.places[0], depth)
    assert "above what their level was seen to feed" in said[-1]


def test_company() -> None:
    series = grinding(2.5e-4, 64 * MIB)
    _, said = studied(series, copies_of(series, slower=1.6))
    assert said[-1].startswith(
        "With all 2 cores busy, a core loses up to 37.5 % [37.5, 37.5] of its speed; most in Mill "
        "(grind): memory feeds 10.0 GB/s to each"
    )
    _, said = studied(series, copies_of(series, slower=1.01))
    assert (
        said[-1] == "With 2 copies at once none of 1 program loses more than 0.99 % of its speed."
    )


def test_nothing_measured_nothing_said() -> None:
    context = a_room(rows=[])
    depth, rows = study_depth(context, METRIC, "test")
    assert (rows, tell(context, depth), depth.empty) == ([], [], True)
