"""A whole run over two nodes, from samples to the score card."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from heorot.analyse.analysis import analyse
from heorot.families import FAMILIES
from heorot.model.machine.network import NetworkInterface
from heorot.model.run.experiment import Experiment
from tests.unit.analyse.builders import a_machine, a_series, a_step
from tests.unit.analyse.evaluations import a_collection
from tests.unit.analyse.quotes import unfounded

if TYPE_CHECKING:
    from heorot.model.analysis.result import Analysis
    from heorot.model.run.plan import Step
    from heorot.model.run.series import Series

LINE = NetworkInterface(name="eth0", state="up", kind="ethernet", speed_bits=10e9)
# Seconds of a body by nodes, ranks and threads, and its time ratio between nodes.
SECONDS = {(1, 1, 1): 1.0, (1, 2, 1): 0.55, (1, 4, 1): 0.3, (1, 1, 4): 0.28}
FAR = {(2, 2, 1): 0.5, (2, 8, 1): 0.16, (2, 2, 4): 0.15}
PROGRAMS = {"cg": 3.0, "bt": 1.1}


class Run:
    """Collects the samples of three launches of every case."""

    def __init__(self) -> None:
        self.series: list[Series] = []
        self.steps: list[Step] = []
        self._random = np.random.default_rng(1)

    def add(
        self, program: str, layout: tuple[int, int, int], regions: dict[str, dict[float, float]]
    ) -> None:
        """Regions by name, each with the seconds of a body by its amount."""
        nodes, ranks, threads = layout
        case = f"{nodes}_{ranks}x{threads}"
        fields = {"benchmark": program, "case": case, "nodes": nodes, "ranks": ranks}
        fields |= {"threads": threads, "per_node": ranks // nodes}
        for launch in (1, 2, 3):
            step = a_step(id=f"S{len(self.steps):04d}", launch=launch, **fields)
            self.steps.append(step)
            for region, by_amount in regions.items():
                for amount, seconds in by_amount.items():
                    is_message = region == "pingpong"
                    noise = 1.0 + 0.002 * self._random.standard_normal(12)
                    counts = {"messages": 1.0, "bytes": amount} if is_message else {}
                    self.series.append(
                        a_series(
                            **fields,
                            step=step.id,
                            launch=launch,
                            region=region,
                            point={"bytes": int(amount)} if is_message else {"class": "W"},
                            counts=counts or {"operations": amount, "flops": amount},
                            repetitions=1,
                            seconds=seconds * noise,
                        )
                    )

    def asked(self, program: str) -> Experiment:
        """The loss of two ranks on two nodes."""
        setups = {
            (one.nodes, one.ranks): one.setup
            for one in self.steps
            if one.threads == 1 and one.benchmark == program
        }
        return Experiment(
            question="spread",
            benchmark=program,
            setups=(setups[1, 2], setups[2, 2]),
            fewest=3,
            seconds=1.0,
        )


@pytest.fixture(scope="module")
def analysis() -> Analysis:
    run = Run()
    for name, slower in PROGRAMS.items():
        for layout, seconds in SECONDS.items():
            run.add(f"npb/{name}", layout, {name: {1e9: seconds}})
        for layout, seconds in FAR.items():
            run.add(f"npb/{name}", layout, {name: {1e9: slower * seconds}})
    sizes = [1 << octave for octave in range(23)]
    for nodes, latency, rate in ((1, 3e-7, 10e9), (2, 2e-5, 1.1e9)):
        times = {float(size): latency + size / rate for size in sizes}
        run.add("messages/pingpong", (nodes, 2, 1), {"pingpong": times})
    machine = a_machine(4, interfaces=(LINE,))
    return analyse(
        a_collection(run.series),
        run.steps,
        FAMILIES,
        machine,
        run="r",
        seed=1,
        experiments=[run.asked(f"npb/{name}") for name in PROGRAMS],
    )


def test_the_verdict_tells_both_places_of_messages_and_what_spreading_costs(
    analysis: Analysis,
) -> None:
    reported = [sentence.text for sentence in analysis.verdict]
    starts = [
        "Latency of 8 B messages inside a node: ",
        "Latency of 8 B messages between two nodes: ",
        "NPB CG class W takes 2.73 [",
    ]
    assert [sum(text.startswith(start) for text in reported) for start in starts] == [1] * len(
        starts
    )
    assert "Between nodes 8 B take 66." in reported[1]
    families = {each.family for each in analysis.verdict if each.text.startswith(tuple(starts))}
    assert families == {"messages", ""}
    # Too long for a sentence of the verdict: it stays in its section.
    threads = "On 2 nodes, one rank of 4 threads on each takes, against 4 ranks: "
    assert sum(each.text.startswith(threads) for each in analysis.sentences) == 1


def test_evidence_exists_and_keys_are_unique(analysis: Analysis) -> None:
    keys = [row.id for row in analysis.results]
    assert len(keys) == len(set(keys))
    reported = [each.evidence for each in (*analysis.verdict, *analysis.sentences)]
    reported += [each.evidence for each in analysis.attributions]
    assert {key for evidence in reported for key in evidence} <= set(keys)


def test_programs_stand_on_the_score_card_by_what_one_node_does(analysis: Analysis) -> None:
    scores = {score.label: score.result for score in analysis.scores}
    assert scores["Message latency, 8 B"].nodes == 1
    # Class W is too small to judge.
    assert not any(label.startswith("NPB") for label in scores)
    between = scores["Message bandwidth between nodes, 4 MiB"]
    assert between.nodes == 2
    assert between.share_of_ceiling == pytest.approx(0.88, rel=0.02)


def test_curves_of_cores_end_at_the_node(analysis: Analysis) -> None:
    rows = [row for row in analysis.results if row.metric in {"speedup", "parallel_efficiency"}]
    assert {row.nodes for row in rows} == {1}
    full = [row for row in analysis.results if row.metric == "node_efficiency"]
    assert {(row.benchmark, row.ranks, row.threads): round(row.median, 2) for row in full} == {
        ("npb/cg", 8, 1): 0.31,
        ("npb/cg", 2, 4): 0.31,
        ("npb/bt", 8, 1): 0.85,
        ("npb/bt", 2, 4): 0.85,
    }


def test_no_sentence_claims_what_its_interval_does_not(analysis: Analysis) -> None:
    texts = [one.text for one in (*analysis.verdict, *analysis.sentences)]
    texts += [one.text for one in analysis.attributions]
    assert any("with 2 ranks on 2 nodes instead of one" in text for text in texts)
    assert [text for text in texts if unfounded(text)] == []
