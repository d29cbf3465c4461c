"""Evaluations of recorded runs, from real samples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from heorot.families import FAMILIES
from heorot.model.evaluation import Evaluation
from heorot.model.run.experiment import Experiment
from heorot.model.run.identity import Setup
from heorot.model.run.series import Series
from tests.unit.analyse.builders import a_machine, a_step
from tests.unit.analyse.evaluations import an_evaluation

_RUNS = Path(__file__).resolve().parents[2] / "samples/runs"
RECORDED, MEDIANS = _RUNS / "twelve_launches.parquet", _RUNS / "quick_medians.parquet"


def evaluate(series: Sequence[Series]) -> Evaluation:
    """Series of a machine of two cores."""
    steps = {
        one.step: a_step(
            id=one.step,
            benchmark=one.benchmark,
            case=one.case,
            launch=one.launch,
            ranks=one.ranks,
            threads=one.threads,
            options=one.options,
            toolchain=one.toolchain,
        )
        for one in series
    }
    asked = list(scaled(series))
    return an_evaluation(series, [*steps.values()], FAMILIES, a_machine(2), experiments=asked)


def scaled(series: Iterable[Series]) -> Iterator[Experiment]:
    """How every program of NPB scales from one rank to two, class by class."""
    problems: dict[tuple[str, object], dict[int, Setup]] = {}
    for one in series:
        if one.benchmark.startswith("npb/") and one.threads == 1 and "star" not in one.options:
            setups = problems.setdefault((one.benchmark, one.options.get("class")), {})
            setups[one.ranks] = one.setup
    for (name, _), setups in problems.items():
        if {1, 2} <= setups.keys():
            both = setups[1], setups[2]
            yield Experiment(question="cores", benchmark=name, setups=both, fewest=3, seconds=1.0)
