"""What stencils, generators of random numbers and sorts say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from heorot.families.algorithms.sentences import sentences
from tests.unit.analyse.builders import a_context, a_result

if TYPE_CHECKING:
    from heorot.model.analysis.result import Result


def swept(region: str, size: int, median: float, **changes: Any) -> Result:
    fields = {
        "benchmark": "algorithms/stencil",
        "metric": "update_rate",
        "unit": "update/s",
        "point": {"points": 7, "nx": 100, "working_set_bytes": size},
    }
    return a_result(region=region, median=median, **(fields | changes))


def drawn(region: str, output: str, median: float) -> Result:
    return a_result(
        benchmark="algorithms/random",
        region=region,
        metric="number_rate",
        unit="number/s",
        point={"output": output, "working_set_bytes": 16008},
        median=median,
    )


def ordered(region: str, n: int, median: float, **changes: Any) -> Result:
    fields = {
        "benchmark": "algorithms/sort",
        "metric": "key_rate",
        "unit": "key/s",
        "point": {"type": "integers", "order": "random", "n": n},
    }
    return a_result(region=region, median=median, **(fields | changes))


def said(*rows: Result) -> list[str]:
    found = sentences(a_context(rows))
    known = {row.id for row in rows}
    assert all(each.evidence and set(each.evidence) <= known for each in found)
    return [each.text for each in found]


def test_the_largest_grid_is_told_with_what_blocks_and_steps_gain() -> None:
    rows = [
        swept("plain", 1 << 16, 2e9),
        swept("plain", 1 << 27, 0.8e9),
        swept("blocked", 1 << 27, 0.88e9),
        swept("steps_together", 1 << 27, 1.6e9),
        swept("steps_together", 1 << 16, 9e9),
    ]
    (text,) = said(*rows)
    assert text == (
        "One core updates 800 Mupdate/s [792…808 in 3 launches] by a 7-point stencil on two grids "
        "of 128 MiB in all, 2.00 [1.96…2.04 in 3 launches] times as many if a pass over the grid "
        "makes several steps and 1.10 [1.08…1.12 in 3 launches] times as many in blocks that stay "
        "in a cache."
    )
    rows[2] = swept("blocked", 1 << 27, 0.805e9)
    (text,) = said(*rows)
    assert text.endswith(
        "several steps and as many in blocks that stay in a cache (no difference that 3 launches "
        "can show)."
    )


def test_a_grid_is_told_alone() -> None:
    (text,) = said(swept("plain", 1 << 20, 0.8e9))
    assert text.endswith("on two grids of 1 MiB in all.")
    assert said(swept("plain", 1 << 20, 0.8e9, threads=2)) == []


def test_words_are_told_beside_those_of_the_library() -> None:
    rows = [
        drawn("xoshiro256", "words", 4e9),
        drawn("mt19937", "words", 0.8e9),
        drawn("xoshiro256", "normals", 0.5e9),
    ]
    (text,) = said(*rows)
    assert text == (
        "xoshiro256++ in vectors yields 4.00 Gnumber/s [3.96…4.04 in 3 launches] of 64 random "
        "bits on one core, 5.00 [4.90…5.10 in 3 launches] times as many as the library's Mersenne "
        "Twister does, and 500 Mnumber/s [495…505 in 3 launches] that are normally distributed."
    )
    (text,) = said(rows[0])
    assert text.endswith("of 64 random bits on one core.")
    assert said(rows[1]) == []


def test_the_most_keys_are_told_beside_other_ways() -> None:
    rows = [
        ordered("radix", 1001, 40e6),
        ordered("radix", 4096001, 30e6),
        ordered("std_sort", 4096001, 15e6),
        ordered("merge", 4096001, 20e6),
        ordered("std_sort", 1001, 35e6),
    ]
    (text,) = said(*rows)
    assert text == (
        "One core sorts 4096001 random integers at 30.0 Mkey/s [29.7…30.3 in 3 launches] by their "
        "digits, 2.00 [1.96…2.04 in 3 launches] times as fast as std::sort and 1.50 [1.47…1.53 in "
        "3 launches] times as fast as by merging."
    )
    (text,) = said(rows[0])
    assert text.endswith("by their digits.")
