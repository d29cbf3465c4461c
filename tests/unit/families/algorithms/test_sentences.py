"""Sentences on stencils, random number generators and sorts."""

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


def test_the_largest_grid_is_reported_with_what_blocks_and_steps_gain() -> None:
    rows = [
        swept("plain", 1 << 16, 2e9),
        swept("plain", 1 << 27, 0.8e9),
        swept("blocked", 1 << 27, 0.88e9),
        swept("steps_together", 1 << 27, 1.6e9),
        swept("steps_together", 1 << 16, 9e9),
    ]
    (text,) = said(*rows)
    assert text == (
        "7-point stencil on one core (128 MiB): temporal blocking 1.60 Gupdate/s [1.58…1.62 in 3 "
        "launches]; cache blocking 880 Mupdate/s [871…889 in 3 launches]; plain 800 Mupdate/s "
        "[792…808 in 3 launches]."
    )
    rows[2] = swept("blocked", 1 << 27, 0.805e9)
    (text,) = said(*rows)
    assert text.endswith("plain 800 Mupdate/s [792…808 in 3 launches].")


def test_a_grid_is_reported_alone() -> None:
    (text,) = said(swept("plain", 1 << 20, 0.8e9))
    assert text.endswith("one core (1 MiB): plain 800 Mupdate/s [792…808 in 3 launches].")
    assert said(swept("plain", 1 << 20, 0.8e9, threads=2)) == []


def test_words_are_reported_beside_those_of_the_library() -> None:
    rows = [
        drawn("xoshiro256", "words", 4e9),
        drawn("mt19937", "words", 0.8e9),
        drawn("xoshiro256", "normals", 0.5e9),
    ]
    (text,) = said(*rows)
    assert text == (
        "Random numbers of 64 bits on one core: xoshiro256++ 4.00 Gnumber/s [3.96…4.04 in 3 "
        "launches]; std::mt19937_64 (version not recorded, compiled "
        "like Heorot's own code) 800 Mnumber/s [792…808 in 3 launches]. Normal "
        "deviates: 500 Mnumber/s [495…505 in 3 launches]."
    )
    (text,) = said(rows[0])
    assert text.endswith("on one core: xoshiro256++ 4.00 Gnumber/s [3.96…4.04 in 3 launches].")
    assert said(rows[1]) == []


def test_the_most_keys_are_reported_beside_other_ways() -> None:
    rows = [
        ordered("quick", 1001, 400e6),
        ordered("quick", 4096001, 200e6),
        ordered("std_sort", 4096001, 15e6),
        ordered("merge", 4096001, 20e6),
        ordered("std_sort", 1001, 35e6),
    ]
    (text,) = said(*rows)
    assert text == (
        "Sorting 4096001 random integers: vectorised quicksort 200 Mkey/s [198…202 in 3 "
        "launches]; merge sort 20.0 Mkey/s [19.8…20.2 in 3 launches]; std::sort (version not "
        "recorded, compiled like Heorot's own code) 15.0 Mkey/s "
        "[14.8…15.2 in 3 launches]."
    )
    (text,) = said(rows[0])
    assert text.endswith("integers: vectorised quicksort 400 Mkey/s [396…404 in 3 launches].")
