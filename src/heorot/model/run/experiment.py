"""Experiments of a plan: questions, each with the smallest set of cases that answers it."""

from __future__ import annotations

from collections.abc import Container
from typing import Literal

from heorot.model.base import Count, Record, Seconds
from heorot.model.run.identity import Setup
from heorot.units import format_duration

Question = Literal[
    "speed", "links", "equals", "nodes", "spread", "networks", "cores", "copies", "layouts",
    "toolchains", "details",
]  # fmt: skip
ASKED: dict[Question, str] = {
    "speed": "How fast is it?",
    "links": "Does the link of every node carry messages?",
    "equals": "Are nodes with equal hardware equally fast?",
    "nodes": "How does it scale over nodes?",
    "spread": "What is the ranks-per-node penalty?",
    "networks": "How do networks compare?",
    "cores": "How does it scale over the cores of a node?",
    "copies": "What does contention cost (rate mode)?",
    "layouts": "Ranks or threads?",
    "toolchains": "How do toolchains compare?",
    "details": "Further cases",
}
"""The questions in words."""


Answer = Literal["answered", "in part", "left open"]


def budget_option(seconds: float) -> str:
    """The command-line option for a budget, such as `--budget 4min10s`."""
    return f"--budget {format_duration(seconds).replace(' ', '')}"


class Experiment(Record):
    """A question about a program, with the smallest set of cases that answers it.

    Attributes:
        setups: setups that are required for an answer; the plan has all of them or none.
        further: setups that refine the answer, such as numbers of cores in between.
        fewest: launches of each setup that the answer needs.
        seconds: estimate of one launch of all setups [s].
        budget_seconds: smallest budget that would include it, if the plan does not; else 0 [s].
    """

    question: Question
    benchmark: str
    setups: tuple[Setup, ...]
    further: tuple[Setup, ...] = ()
    fewest: Count
    seconds: Seconds
    budget_seconds: Seconds = 0.0

    def answer(self, ran: Container[Setup]) -> Answer:
        """The state of its answer."""
        had = [setup in ran for setup in self.setups]
        return "answered" if all(had) else "in part" if any(had) else "left open"
