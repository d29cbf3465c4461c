"""A green run means something: what is broken, flaky, slow or dear does not pass for well."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import pytest

from tests.tiers import changed, ledger
from tests.tiers.again import MOST_AGAIN, Alone
from tests.tiers.part import PYTEST, Part
from tests.tiers.running import Ran
from tests.tiers.verdict import Verdict, dear, verdict_on

ENVIRONMENT = dict(os.environ)


@dataclass
class Over:
    """A part that is over."""

    results: list[dict[str, Any]]
    code: int = 0
    seconds: float = 1.0
    slowdown: float = 1.0
    part: Part = field(default_factory=lambda: Part("unit", "", PYTEST, 10.0))

    @property
    def late(self) -> bool:
        return Ran.late.fget(cast(Ran, self))  # type: ignore[attr-defined, no-any-return]

    def progress(self) -> tuple[int, int]:
        return Ran.progress(cast(Ran, self))


def _test(name: str = "a.py::t", outcome: str = "passed", **more: Any) -> dict[str, Any]:
    return {"test": name, "outcome": outcome, "seconds": 0.1, "marks": [], "said": "", **more}


def _judge(*parts: Over) -> Verdict:
    return verdict_on(cast(list[Ran], list(parts)))


def test_a_part_that_passes_is_well() -> None:
    verdict = _judge(Over([{"tests": 1}, {"left_out": 3}, _test()]))
    assert (verdict.passed, verdict.left_out) == (1, 3)
    assert not verdict.broken


@pytest.mark.parametrize(
    ("over", "said"),
    [
        (Over([{"tests": 2}, _test()], code=-9), "ended with code -9 after 1 of 2 tests"),
        (Over([{"tests": 1}, _test()], code=2), "ended with code 2"),
        (Over([]), "ran no test"),
        (Over([{"tests": 1}, _test()], seconds=13.0), "its budget is 10 s"),
    ],
)
def test_what_is_broken_is_said(over: Over, said: str) -> None:
    (broken,) = _judge(over).broken
    assert said in broken


def test_budgets_are_those_of_a_machine_of_ones_own() -> None:
    assert not _judge(Over([{"tests": 1}, _test()], seconds=19.0, slowdown=2.0)).broken


def test_failures_skips_and_slow_tests_are_told_apart() -> None:
    lines = [
        {"tests": 5},
        _test("a", "failed", said="why", marks=["race"]),
        _test("b", "skipped", said="no lab: slurmctld is missing"),
        _test("c", seconds=0.6),
        _test("d", seconds=0.6, marks=["slow"]),
        _test("tests/contract/e.py::t[memory/stream]", seconds=21.0, marks=["slow"]),
    ]
    verdict = _judge(Over(lines, code=1))
    assert verdict.failed == {"a": "why"}
    assert verdict.races == {"a"}
    assert verdict.skipped == {"b": "no lab: slurmctld is missing"}
    assert verdict.slow == {"c": 0.6}
    assert verdict.programs == {"memory/stream": 21.0}
    assert not verdict.broken
    assert verdict.tests_of == {"memory/stream": ["tests/contract/e.py::t[memory/stream]"]}
    assert dear(verdict.programs) == ["memory/stream"]
    assert not dear({"npb/lu": 19.0})


def test_what_flakes_twice_in_ten_runs_is_too_often(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    lines = [
        {"when": f"{number:02d}", "flaky": ["t"] if number == 1 else []} for number in range(9)
    ]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    assert ledger.too_often(["t", "other"], ledger.recent([path])) == ["t"]
    # In the tenth run after it, it is forgiven.
    path.write_text(path.read_text() + '{"when": "09", "flaky": []}\n{"when": "10"}\n{"cut')
    assert ledger.too_often(["t"], ledger.recent([path])) == []


@pytest.mark.slow
@pytest.mark.waiting
def test_what_passes_alone_is_flaky_unless_it_is_a_race(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    tests = tmp_path / "test_them.py"
    tests.write_text("def test_well(): pass\ndef test_broken(): assert not 'as before'\n")
    names = [f"{tests}::test_well", f"{tests}::test_broken"]
    failed = dict.fromkeys(names, "what it said first")
    alone = Alone(tmp_path, ENVIRONMENT)
    flaky = alone.flaky_of(failed, set())
    assert list(flaky) == names[:1]
    kept = flaky[names[0]].read_text()
    assert "what it said first" in kept
    assert "1 passed" in kept
    assert not alone.flaky_of(failed, set(names))
    many = {f"{names[0]}{number}": "" for number in range(MOST_AGAIN + 1)}
    assert not alone.flaky_of(many, set())


@pytest.mark.slow
@pytest.mark.waiting
def test_what_is_slow_only_beside_others_is_not_slow(tmp_path: Path) -> None:
    tests = tmp_path / "test_them.py"
    tests.write_text(
        "import time\nfrom pathlib import Path\n"
        "def test_slow(): time.sleep(0.7)\ndef test_quick(): time.sleep(0.1)\n"
        "def test_slow_once():\n"
        "    seen = Path(__file__).with_name('seen')\n"
        "    time.sleep(0.1 if seen.exists() else 0.7)\n"
        "    seen.touch()\n"
    )
    names = [f"{tests}::test_{each}" for each in ("slow", "quick", "slow_once")]
    alone = Alone(tmp_path, ENVIRONMENT)
    assert len(alone.still_slow(names[:2], 0.05)) == 2
    (slow,) = alone.still_slow(names, 0.4)
    assert slow.endswith("test_slow")


@pytest.mark.parametrize(
    ("files", "wanted"),
    [
        (["src/heorot/units.py"], ["tests/unit/test_units.py"]),
        (["src/heorot/launch/adapters/watch.py"], ["tests/unit/launch/adapters"]),
        (["src/heorot/analyse/statistics/no_such_room/part.py"], ["tests/unit/analyse/statistics"]),
        (["tests/unit/test_units.py", "README.md"], ["tests/unit/test_units.py"]),
        (["src/heorot/plan/a.py", "tests/unit/plan/test_budget.py"], ["tests/unit/plan"]),
        (["docs/method.md", "native/harness/clock.cpp"], []),
    ],
)
def test_units_beside_what_has_changed(files: list[str], wanted: list[str]) -> None:
    assert changed.units(files) == wanted
