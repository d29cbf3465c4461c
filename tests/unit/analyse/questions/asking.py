"""Runs with questions: invented rows, and the experiments that they answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from heorot.analyse.questions.answers import answer_questions
from heorot.model.analysis.breakdown import Breakdown
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Result
from heorot.model.analysis.studies.answers import Answer
from heorot.model.catalogue.benchmark import Benchmark
from heorot.model.catalogue.metrics import Metric, Reference
from heorot.model.catalogue.references import LATENCY
from heorot.model.run.experiment import Experiment, Question
from heorot.model.run.plan import Step
from tests.unit.analyse import builders
from tests.unit.analyse.explain.problems import DUST, SOLVER

LINK = builders.a_benchmark(
    "links/link",
    title="Link",
    metrics=(
        Metric(name="latency", unit="s", better="lower", count="messages"),
        Metric(name="bandwidth", unit="B/s", better="higher", count="bytes"),
    ),
    publishes=(Reference(name=LATENCY, metric="latency", regions=("there",)),),
)
"""A program that sends messages of many sizes."""
FEELING = replace(SOLVER, communicates_by=LATENCY)
"""The solver, whose communication is latency-bound."""


def a_message(seconds: float, size: int = 8, **changes: Any) -> Result:
    """The time of a message of one size between two nodes."""
    fields: dict[str, Any] = {
        "benchmark": LINK.name,
        "region": "there",
        "metric": "latency",
        "unit": "s",
        "better": "lower",
        "median": seconds,
        "point": {"bytes": size},
        "nodes": 2,
        "ranks": 2,
        "case": "two_nodes",
    }
    return builders.a_result(**(fields | changes))


def asked(question: Question, *rows: Result, **changes: Any) -> Experiment:
    """An experiment with the setups of these rows, the base first; further setups by name."""
    fields: dict[str, Any] = {
        "question": question,
        "benchmark": rows[0].benchmark,
        "setups": tuple(dict.fromkeys(row.setup for row in rows)),
        "fewest": 3,
        "seconds": 1.0,
    }
    return Experiment(**(fields | changes))


def a_run(
    *rows: Result,
    steps: Sequence[Step] = (),
    benchmarks: Sequence[Benchmark] = (FEELING,),
    **more: Any,
) -> Context:
    """A run of the solver, of dust and of messages."""
    known = (*benchmarks, DUST, LINK)
    return builders.a_context(rows, benchmarks=known, steps=steps, **more)


def answered(
    context: Context, *experiments: Experiment, breakdowns: Iterable[Breakdown] = ()
) -> Answer:
    """The answer to the one question of these experiments."""
    (answer,) = answer_questions(context, experiments, [*breakdowns])
    return answer


def sentences(answer: Answer) -> list[str]:
    """Its sentences."""
    return [claim.text for claim in answer.sentences]


def sentence(answer: Answer) -> str:
    """Its only sentence."""
    (only,) = sentences(answer)
    return only
