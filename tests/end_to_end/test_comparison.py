"""Two stored runs, from their directories to the page: differences and perturbed samples."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from heorot.session.verification import compared
from tests.end_to_end.synthetic_run import write_run
from tests.unit.analyse.builders import QUIET
from tests.unit.analyse.synthesis import Synthesis
from tests.unit.model.keys import but


@pytest.mark.slow
def test_stored_runs_of_other_sources_cores_and_a_disturbed_program(tmp_path: Path) -> None:
    four, eight = (Synthesis(seed=n, n_samples=8, n_cores=n) for n in (4, 8))
    noisy = QUIET.model_copy(update={"sentinel_after": 2.0})
    eight.series = [
        replace(one, disturbance=noisy) if one.benchmark == "memory/stream" else one
        for one in eight.series
    ]
    write_run(tmp_path / "four", four)
    directory = write_run(tmp_path / "eight", eight)
    directory.write_facts(directory.facts().model_copy(update={"source_digest": "1"}))
    comparison = compared.compare(tmp_path / "four", tmp_path / "eight")
    assert comparison.differs == "sources"
    assert {metric.differs for metric in comparison.metrics} == {("sources",)}
    assert {m.benchmark for m in comparison.metrics if m.disturbed == ("B",)} == {"memory/stream"}
    assert {(row.why, row.setup.layout) for row in comparison.uncompared} == {
        ("only in A", "1x4x1"),
        ("only in A", "1x1x4"),
        ("only in B", "1x8x1"),
        ("only in B", "1x1x8"),
    }
    compared.write_comparison(comparison, tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert '<span class="warn">differs: sources</span>' in page
    assert "(6 of 6 perturbed)" in page


def _in_boxes(run: Synthesis) -> Synthesis:
    """The run with a node for each of its ranks."""
    run.steps = [but(step, nodes=step.ranks, per_node=1) for step in run.steps]
    outcomes = []
    for outcome in run.outcomes:
        assert outcome.run is not None
        placement = tuple(
            place.model_copy(update={"host": f"n{place.rank}"}) for place in outcome.run.placement
        )
        line = outcome.run.model_copy(update={"placement": placement})
        outcomes.append(outcome.model_copy(update={"run": line}))
    run.outcomes = outcomes
    return run


@pytest.mark.slow
def test_one_box_of_four_beside_four_boxes_of_one_and_a_slower_box(tmp_path: Path) -> None:
    box, boxes, slow = (
        Synthesis(seed=seed, n_samples=8, n_cores=4, octave=0.3, launch_noise=0.001, slow=factors)
        for seed, factors in ((1, None), (2, {"npb/ep": 0.5}), (3, {"npb/ep": 2.0}))
    )
    paths = [tmp_path / name for name in ("box", "boxes", "slow")]
    for path, run in zip(paths, (box, _in_boxes(boxes), slow), strict=True):
        write_run(path, run)
    side = compared.compare_side_by_side(paths)
    (four,) = [row for row in side.rows if row.benchmark == "npb/ep" and row.ranks == 4]
    apart, beside = four.others
    assert apart is not None
    assert beside is not None
    assert apart.layouts == "1x4x1 / 4x4x1"
    assert (apart.ratio, beside.ratio) == pytest.approx((2.0, 0.5), rel=0.02)
    assert (apart.verdict, beside.verdict) == ("better", "worse")
    text = " ".join(sentence.text for sentence in side.sentences)
    assert "B is faster than A at npb/ep (" in text
    assert "compare other layouts on as many cores" in text
    compared.write_systems(side, paths, tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "as 4x4x1" in page
    assert "as 1x4x1 / 4x4x1: B by " in page
