"""The plan as it is printed before anything runs."""

from __future__ import annotations

import pytest

from heorot.cli.terminal.summary import print_plan
from heorot.model.run.experiment import Experiment
from heorot.model.run.plan import Plan, SkippedCase
from tests.unit.analyse.builders import a_step
from tests.unit.model.keys import a_setup


def test_each_network_has_a_row_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    networks = ("ib", "eth", "ib")
    steps = [a_step(id=f"S{n}", network=name, nodes=2) for n, name in enumerate(networks)]
    skipped = SkippedCase(setup=a_setup(case="far", network="eth"), reason="no time")
    plan = Plan(
        profile="quick", seed=1, budget_seconds=None, seconds=3.0, steps=tuple(steps),
        skipped=(skipped,),
    )  # fmt: skip
    print_plan(plan, ())
    said = capsys.readouterr().out
    rows = [line.split() for line in said.splitlines() if line.startswith("memory/stream")]
    assert [(row[2], row[6]) for row in rows] == [("gnu-12+eth", "1"), ("gnu-12+ib", "2")]
    assert "skipped: memory/stream far (gnu-12+eth): no time" in said


def test_memory_stands_for_all_ranks_and_for_each(capsys: pytest.CaptureFixture[str]) -> None:
    step = a_step(nodes=2, ranks=4, per_node=2, memory_bytes=12 << 20)
    plan = Plan(
        profile="quick", seed=1, budget_seconds=None, seconds=1.0, steps=(step,), skipped=()
    )
    print_plan(plan, ())
    row = capsys.readouterr().out.splitlines()[1]
    assert row.split()[-4:] == ["12", "MiB", "3", "MiB"]


def test_a_question_that_is_not_asked_has_its_reason(capsys: pytest.CaptureFixture[str]) -> None:
    step = a_step()
    experiment = Experiment(
        question="speed", benchmark=step.benchmark, setups=(step.setup,), fewest=1, seconds=1.0
    )
    plan = Plan(
        profile="quick", seed=1, budget_seconds=None, seconds=1.0, steps=(step,), skipped=(),
        experiments=(experiment,), unasked={"cores": "a node has one core"},
    )  # fmt: skip
    print_plan(plan, ())
    said = capsys.readouterr().out
    assert "not asked: How does it scale over the cores of a node? (a node has one core)" in said
