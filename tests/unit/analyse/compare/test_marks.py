"""Marks of a comparison: other builds, and perturbed samples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from heorot.analyse.compare.builds import Build, read_builds
from heorot.analyse.compare.runs import compare_runs
from heorot.analyse.compare.side import Side
from heorot.families import BENCHMARKS
from heorot.model.analysis.comparison import Comparison
from heorot.model.machine.toolchain import Toolchain
from heorot.model.run.outcome import Outcome
from heorot.model.run.series import Series
from tests.toolchains import some_compilers
from tests.unit.analyse.builders import QUIET, a_run_line, a_series, a_step
from tests.unit.analyse.evaluations import run_facts
from tests.unit.analyse.synthesis import Synthesis
from tests.unit.model.keys import but

BUILD = Build(
    sources="abc", compiler="GNU 12.2.0", flags="-O3", mpi="Open MPI v5.0.11", blas="OpenBLAS 1"
)
NOISY = QUIET.model_copy(update={"sentinel_after": 2.0})
SLOWER = 3.0


def launches(noisy: Sequence[int] = (), factor: float = 1.0, region: str = "triad") -> list[Series]:
    """Three launches of memory/stream, some of them perturbed."""
    return [
        but(
            a_series(step=f"S{n}", launch=n, disturbance=NOISY if n in noisy else QUIET),
            region=region,
            seconds=factor * a_series().seconds * (1 + 0.001 * n),
        )
        for n in (1, 2, 3)
    ]


def side(series: Sequence[Series], build: Build | None = BUILD) -> Side:
    builds = {} if build is None else {one.step: build for one in series}
    return Side(name="x", system="s", series=series, results=(), builds=builds)


def compared(a: Side, b: Side) -> Comparison:
    return compare_runs(a, b, BENCHMARKS)


@pytest.mark.parametrize(
    ("change", "mark", "summary"),
    [
        ({"sources": "def"}, "sources", "sources"),
        ({"compiler": "GNU 13.1.0"}, "compiler", "compiler (GNU 12.2.0 / GNU 13.1.0)"),
        ({"flags": "-O2"}, "flags", "flags"),
        ({"mpi": "MPICH 4"}, "MPI", "MPI (Open MPI v5.0.11 / MPICH 4)"),
        ({"blas": "none"}, "BLAS", "BLAS (OpenBLAS 1 / none)"),
    ],
)
def test_each_fact_that_differs_is_marked(change: dict[str, str], mark: str, summary: str) -> None:
    comparison = compared(side(launches()), side(launches(), replace(BUILD, **change)))
    (metric,) = comparison.metrics
    assert metric.differs == (mark,)
    assert comparison.differs == summary
    (difference,) = comparison.differences
    assert (difference.what, difference.n) == (mark, 1)


def test_facts_that_agree_or_are_not_known_are_not_marked() -> None:
    for build in (BUILD, None):
        comparison = compared(side(launches()), side(launches(), build))
        assert comparison.metrics[0].differs == ()
        assert comparison.differs == ""


def test_only_rows_that_differ_are_marked() -> None:
    regions = ("copy", "scale")
    a = side([*launches(), *(one for region in regions for one in launches(region=region))])
    other = [
        replace(one, step=f"T{one.launch}") for region in regions for one in launches(region=region)
    ]
    b = side([*launches(), *other])
    builds = {**b.builds} | {one.step: replace(BUILD, flags="-O2") for one in other}
    comparison = compared(a, replace(b, builds=builds))
    assert {m.region: m.differs for m in comparison.metrics} == {
        "triad": (),
        "copy": ("flags",),
        "scale": ("flags",),
    }
    assert [difference.n for difference in comparison.differences] == [2]


def test_several_differences_are_reported_at_a_glance() -> None:
    newer = replace(BUILD, compiler="Clang 16", flags="-O2", sources="def")
    comparison = compared(side(launches()), side(launches(), newer))
    assert comparison.differs == "sources, compiler (GNU 12.2.0 / Clang 16), flags"
    assert comparison.metrics[0].differs == ("sources", "compiler", "flags")


def test_builds_are_read_from_records_and_toolchains() -> None:
    line = a_run_line([("here", (0,))]).model_copy(
        update={"mpi_library": "Open MPI v5.0.11, package: Open MPI root@there Distribution"}
    )
    chains = tuple(
        Toolchain(name=name, compilers=some_compilers("c++", "planned"), mpi=None, blas=blas)
        for name, blas in (("x", "OpenBLAS 1"), ("y", "OpenBLAS 2"))
    )
    facts = run_facts(source_digest="abc", toolchains=chains)
    steps = [a_step(id="S1", toolchain="y"), a_step(id="S2", toolchain="x")]
    outcomes = [
        Outcome(step="S1", state="completed", run=line),
        Outcome(step="S2", state="failed"),
    ]
    assert read_builds(facts, steps, outcomes) == {
        "S1": Build("abc", "GNU 12.2.0", "-O3", "Open MPI v5.0.11", "OpenBLAS 2")
    }


@pytest.mark.parametrize(
    ("noisy_a", "noisy_b", "sides"),
    [
        ((1, 2, 3), (), ("A",)),
        ((), (1, 2, 3), ("B",)),
        ((1, 2, 3), (1, 2, 3), ("A", "B")),
        # An unperturbed launch stands for the others.
        ((1, 2), (3,), ()),
    ],
)
def test_perturbed_sides_are_marked(
    noisy_a: Sequence[int], noisy_b: Sequence[int], sides: tuple[str, ...]
) -> None:
    comparison = compared(side(launches(noisy_a)), side(launches(noisy_b, SLOWER)))
    (metric,) = comparison.metrics
    assert metric.verdict == "worse"
    assert metric.disturbed == sides
    assert metric.judgement == (f"worse ({' and '.join(sides)} perturbed)" if sides else "worse")
    assert comparison.tally("worse") == ("1 worse (1 perturbed)" if sides else "1 worse")


def test_a_program_says_on_how_many_perturbed_metrics_it_rests() -> None:
    quiet = [one for region in ("copy", "scale") for one in launches((), SLOWER, region)]
    before = [one for region in ("copy", "scale", "triad") for one in launches((), 1.0, region)]
    noisy = launches((1, 2, 3), SLOWER)
    (group,) = compared(side(before), side([*quiet, *noisy])).groups
    assert group.judgement == "worse (1 of 3 perturbed)"
    (group,) = compared(side(before), side(quiet)).groups
    assert group.judgement == "worse"


def test_perturbed_metrics_that_are_left_out_of_the_mean_do_not_count() -> None:
    steady = [one for region in ("copy", "scale") for one in launches(region=region)]
    wild = [replace(one, seconds=one.seconds * 3**one.launch) for one in launches((1, 2, 3))]
    (group,) = compared(side([*steady, *launches()]), side([*steady, *wild])).groups
    assert (group.n, group.n_disturbed) == (2, 0)


def test_a_whole_run_against_itself_has_no_marks() -> None:
    run = Synthesis(n_samples=8)
    comparison = compared(side(run.series), side(run.series))
    assert {(metric.differs, metric.disturbed) for metric in comparison.metrics} == {((), ())}
    assert comparison.differences == ()


def on_node(name: str, factor: float) -> list[Series]:
    return [but(one, point=one.point | {"node": name}) for one in launches((), factor)]


def test_the_middle_of_nodes_measured_by_themselves_meets_a_run_with_others_and_is_marked() -> None:
    nodes = [*on_node("n1", 1.0), *on_node("n2", 4.0), *on_node("n3", 2.0)]
    comparison = compare_runs(side(launches()), side(nodes), BENCHMARKS, by_cores=True)
    (metric,) = comparison.metrics
    assert metric.ratio == pytest.approx(0.5)
    assert metric.differs == ("node",)
    assert [(row.why, row.detail) for row in comparison.uncompared] == [
        ("several cases", "n3 is compared, the middle one"),
    ] * 2


def test_nodes_of_one_name_meet_each_other() -> None:
    a = side([*on_node("n1", 1.0), *on_node("n2", 2.0)])
    b = side([*on_node("n2", 2.0), *on_node("n3", 4.0)])
    comparison = compare_runs(a, b, BENCHMARKS, by_cores=True)
    assert [(m.point["node"], m.differs) for m in comparison.metrics] == [
        ("n2", ()),
        ("n1", ("node",)),
    ]
