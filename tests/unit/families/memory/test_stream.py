"""The policy of memory/stream: its layouts, and its bound, which is its own best operation."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from heorot.analyse.validity.ceilings import apply_ceilings
from heorot.families.memory.stream import STREAM
from heorot.report.figures.kind import Material
from heorot.report.figures.show import draw
from heorot.store.samples import read_samples
from tests.unit.analyse.builders import a_context, a_machine, a_result
from tests.unit.model.keys import but

if TYPE_CHECKING:
    from heorot.model.catalogue.benchmark import Profile

RECORDED = Path(__file__).resolve().parents[3] / "samples/runs/twelve_launches.parquet"


@pytest.mark.parametrize(
    ("n_cores", "profile", "layouts"),
    [
        (1, "full", {"one_core": (1, 1)}),
        (4, "smoke", {"one_core": (1, 1), "all_cores": (1, 4)}),
        (4, "quick", {"one_core": (1, 1), "all_cores": (1, 4), "all_cores_copies": (4, 1)}),
        (
            8,
            "standard",
            {
                "one_core": (1, 1),
                "all_cores": (1, 8),
                "all_cores_ranks": (8, 1),
                "2_copies": (2, 1),
                "4_copies": (4, 1),
                "all_cores_copies": (8, 1),
            },
        ),
    ],
)
def test_cores_share_the_memory_as_threads_as_copies_and_later_as_ranks(
    n_cores: int, profile: Profile, layouts: dict[str, tuple[int, int]]
) -> None:
    cases = STREAM.cases(a_machine(n_cores), profile)
    assert {case.name: (case.ranks, case.threads) for case in cases} == layouts


def test_ranks_share_what_threads_have_together() -> None:
    cases = {case.name: case for case in STREAM.cases(a_machine(4), "full")}
    threads, ranks = (int(cases[name].options["max-bytes"]) for name in
                      ("all_cores", "all_cores_ranks"))  # fmt: skip
    assert ranks == threads // 4
    assert (
        len({case.needs.memory_bytes for case in cases.values() if not case.options.get("n")}) == 1
    )


def test_copies_know_their_size_and_run_for_themselves() -> None:
    cases = {case.name: case for case in STREAM.cases(a_machine(4), "full")}
    copies, ranks = cases["all_cores_copies"], cases["all_cores_ranks"]
    assert copies.options["star"] is True
    assert "star" not in ranks.options
    assert 24 * int(copies.options["n"]) <= int(ranks.options["max-bytes"])
    assert copies.needs.memory_bytes == pytest.approx(ranks.needs.memory_bytes, rel=1e-6)
    assert (copies.priority, cases["2_copies"].priority) == ("main", "detail")


@pytest.mark.parametrize(
    ("region", "median", "plausible"),
    [
        ("triad", 14e9, True),
        ("triad", 22e9, True),  # a processor without write-allocate
        ("triad", 150e9, False),
        ("copy", 24e9, True),
        ("copy", 40e9, False),
        ("memcpy", 30e9, True),
        ("memcpy", 60e9, False),
        ("fortran_triad", 14e9, True),
        ("fortran_triad", 150e9, False),
    ],
)
def test_writing_is_held_against_reading(region: str, median: float, plausible: bool) -> None:
    rows = [a_result(region="read", median=15e9), a_result(region=region, median=median)]
    judged = {row.region: row for row in apply_ceilings(a_context(rows))}
    assert judged[region].plausible is plausible


def test_figures_draw_what_real_runs_measured() -> None:
    series = [one for one in read_samples(RECORDED) if one.benchmark == STREAM.name]
    for figure in STREAM.figures:
        known = {one.region for one in series}
        # The run was made before there were non-temporal stores and arrays in base pages.
        new = {each for each in figure.regions if each.startswith(("nontemporal_", "base_pages_"))}
        assert set(figure.regions) - set(STREAM.fortran_regions) - new <= known
        drawn = [one for one in series if one.region in figure.regions]
        assert all(figure.x in one.point for one in drawn if figure.x)
        if figure.x:
            assert len({one.point[figure.x] for one in drawn}) > figure.least_values


def test_languages_are_drawn_beside_each_other_where_there_is_fortran() -> None:
    (figure,) = (one for one in STREAM.figures if set(STREAM.fortran_regions) & set(one.regions))
    loops = ("copy", "scale", "add", "triad")
    rows = [a_result(region=name) for name in loops]
    assert draw(figure, Material(rows), "f") is None
    rows += [a_result(region=name) for name in STREAM.fortran_regions]
    rows += [but(row, toolchain="clang") for row in rows]
    drawing = draw(figure, Material(rows), "f")
    assert drawing is not None
    assert len(drawing.bars) == 8
    assert [name for name, _ in drawing.keys] == ["gnu-12", "clang"]
