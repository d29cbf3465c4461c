"""The scope of a run: what it covers, and what it therefore does not cover."""

from __future__ import annotations

from dataclasses import replace

import pytest

from heorot.model.evaluation import Evaluation
from heorot.model.run.identity import Setup
from heorot.model.run.plan import SkippedCase
from heorot.report.sections.scope import scope_of
from tests.unit.report.many_programs import make_cluster_evaluation


@pytest.fixture(scope="module")
def evaluation() -> Evaluation:
    return make_cluster_evaluation(n_launches=1, node_counts=(1, 64))


def without(evaluation: Evaluation, family: str, *, steps: bool = False) -> Evaluation:
    """The run as if a family had yielded nothing."""
    results = tuple(
        row for row in evaluation.analysis.results if not row.benchmark.startswith(family)
    )
    kept = evaluation.steps
    if not steps:
        kept = tuple(step for step in kept if not step.benchmark.startswith(family))
    analysis = evaluation.analysis.model_copy(update={"results": results})
    return replace(evaluation, analysis=analysis, steps=kept)


def test_a_full_run_names_nodes_and_families(evaluation: Evaluation) -> None:
    scope = scope_of(evaluation)
    assert scope.nodes == (
        "60 nodes: EPYC 9554, 128 cores, 384 GiB",
        "4 nodes: EPYC 9554, 128 cores, 1.5 TiB",
    )
    assert scope.used == "up to 64 nodes and 512 cores at a time, 1 toolchain"
    assert len(scope.ran) == 9
    assert scope.ran[0] == ("Cores", "7 of 7 programs")
    assert (scope.absent, scope.silent) == ((), ())


def test_a_family_that_was_not_asked_for_is_named(evaluation: Evaluation) -> None:
    scope = scope_of(without(evaluation, "family7/"))
    assert scope.absent == (("Storage", "not asked for"),)
    assert scope.silent == ("what storage are about",)


def test_a_family_that_was_skipped_says_why(evaluation: Evaluation) -> None:
    skipped = tuple(
        SkippedCase(
            setup=Setup(benchmark="family7/program0", case=case, toolchain="gnu"), reason="no disk"
        )
        for case in ("a", "b")
    )
    plan = evaluation.plan.model_copy(update={"skipped": skipped})
    scope = scope_of(replace(without(evaluation, "family7/"), plan=plan))
    assert scope.absent == (("Storage", "left out: no disk"),)


def test_of_many_reasons_the_first_is_stated(evaluation: Evaluation) -> None:
    skipped = tuple(
        SkippedCase(
            setup=Setup(benchmark="family7/program0", case=str(n), toolchain="gnu"),
            reason=f"needs {n} cores, 1 may be used: {n - 1} too many",
        )
        for n in (2, 3, 4, 4)
    )
    plan = evaluation.plan.model_copy(update={"skipped": skipped})
    ((_, why),) = scope_of(replace(without(evaluation, "family7/"), plan=plan)).absent
    assert why == f"left out: {skipped[0].reason} (and 2 more reasons)"


def test_a_family_that_failed_did_run(evaluation: Evaluation) -> None:
    scope = scope_of(without(evaluation, "family7/", steps=True))
    assert ("Storage", "6 of 6 programs, no result") in scope.ran
    assert scope.absent == ()


def test_missing_programs_of_a_family_are_named(evaluation: Evaluation) -> None:
    scope = scope_of(without(evaluation, "family7/program0"))
    assert ("Storage", "5 of 6 programs") in scope.ran
    assert scope.silent == ("program 0 of family7 (Storage)",)


def test_a_run_inside_a_node_says_nothing_about_the_network(evaluation: Evaluation) -> None:
    inside = tuple(row for row in evaluation.analysis.results if row.nodes == 1)
    analysis = evaluation.analysis.model_copy(update={"results": inside})
    scope = scope_of(replace(evaluation, analysis=analysis))
    assert scope.silent[0].startswith("anything between nodes")
    assert scope.silent[1].startswith("differences among the 64 nodes")


def test_a_run_without_results_covers_nothing(evaluation: Evaluation) -> None:
    analysis = evaluation.analysis.model_copy(update={"results": ()})
    scope = scope_of(replace(evaluation, analysis=analysis))
    assert scope.used == "no program yielded a result"
    assert all(programs.endswith(", no result") for _, programs in scope.ran)
    assert len(scope.silent) == 9
