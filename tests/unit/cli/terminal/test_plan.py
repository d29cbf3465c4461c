"""The plan as it is printed before anything runs."""

from __future__ import annotations

import pytest

from heorot.cli.terminal.summary import print_plan
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
