"""The first screen: how fast, whether to trust it, what is wrong, what is not covered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from heorot.model.analysis.node_roofline.node_roofline import NodeRoofline
from heorot.model.analysis.node_roofline.roofs import RooflinePoint, Roofs
from heorot.model.evaluation import Evaluation
from heorot.report.figures.drawing import Drawing
from heorot.report.screens.findings import group_findings
from heorot.report.screens.first_screen import MOST_TROUBLES, Trouble
from heorot.report.sections.node_roofline.section import draw_roofline
from heorot.report.sections.scorecard import ScoreLine
from heorot.report.sections.steps import find_skipped
from heorot.report.wording import count, group_digits
from heorot.units import LEAST_LAUNCHES

MOST_TILES = 8
LEAST_TILES = 6
_MOST_UNCOVERED = 6

Toned = tuple[str, str]
"""A clause, and its tone: `good`, `warn`, `bad` or `muted`."""


@dataclass(frozen=True)
class Summary:
    """What a reader sees before scrolling.

    Attributes:
        tiles: the headlines that stand for the machine.
        roofline: of as many cores as possible; None if nothing has a place below one.
        trust: checks, launches and noise, in clauses.
        wrong: the heaviest findings.
        n_findings: how many there are in all.
        uncovered: what no number of the run is about, in clauses.
    """

    tiles: tuple[ScoreLine, ...]
    roofline: Drawing | None
    trust: tuple[Toned, ...]
    wrong: tuple[Trouble, ...]
    n_findings: int
    uncovered: tuple[str, ...]


def summarise(evaluation: Evaluation, lines: Sequence[ScoreLine]) -> Summary:
    """The first screen of a run with this score card."""
    findings = evaluation.analysis.findings
    return Summary(
        tiles=tuple(choose_tiles(evaluation, lines)),
        roofline=_roofline(evaluation.analysis.depth),
        trust=tuple(_trust(evaluation)),
        wrong=tuple(
            Trouble(each.first.severity, each.short, f"finding-{each.number}")
            for each in group_findings(findings)[:MOST_TROUBLES]
        ),
        n_findings=len(findings),
        uncovered=tuple(_uncovered(evaluation)),
    )


def choose_tiles(evaluation: Evaluation, lines: Sequence[ScoreLine]) -> list[ScoreLine]:
    """The tiles that families name; if these are few, the first headlines of other programs.

    A headline measured inside a node and between nodes is shown between nodes.
    """
    chosen: list[ScoreLine] = []
    wanted = [each for family in evaluation.families for each in family.tiles]
    for program, metric, region in wanted:
        rows = [(line, line.score.result) for line in lines]
        found = [
            line
            for line, row in rows
            if (row.benchmark, row.metric, row.region) == (program, metric, region)
        ]
        if found:
            chosen.append(max(found, key=lambda line: line.score.result.nodes > 1))
    for line in lines:
        if len(chosen) >= LEAST_TILES:
            break
        if line.benchmark not in {each.benchmark for each in chosen}:
            chosen.append(line)
    order = {id(line): number for number, line in enumerate(lines)}
    return sorted(chosen[:MOST_TILES], key=lambda line: order[id(line)])


def _roofline(depth: NodeRoofline) -> Drawing | None:
    """That of the most cores that programs have a place below."""
    found = [(roofs, _places(depth, roofs)) for roofs in depth.roofs]
    known = [(roofs, places) for roofs, places in found if places]
    if not known:
        return None
    roofs, places = max(known, key=lambda each: each[0].of.n or 1)
    title = f"Roofline, {count(roofs.of.n or 1, roofs.of.noun)}"
    return draw_roofline(title, roofs, places, "summary-roofline")


def _places(depth: NodeRoofline, roofs: Roofs) -> list[RooflinePoint]:
    """The headlines below these roofs."""
    return [
        place
        for place in depth.points
        if place.headline and depth.roofs_of(place.of, place.stack) is roofs
    ]


def _trust(evaluation: Evaluation) -> Iterator[Toned]:
    """Checks, launches, noise."""
    results, counts, noise = (
        evaluation.analysis.results,
        evaluation.counts,
        evaluation.analysis.disturbances,
    )
    yield counts.verification, "good" if counts.all_passed else "bad"
    withheld = sum(not row.ranked for row in results)
    if withheld:
        yield f"{count(withheld, 'result')} withheld", "bad"
    failed = evaluation.account.troubled
    yield f"{counts.runs}, {failed or 'none'} failed", "bad" if failed else "good"
    if noise.none:
        yield "none perturbed", "good"
    else:
        again = f", {group_digits(noise.n_repeated)} repeated" if noise.n_repeated else ""
        yield f"{group_digits(noise.n_disturbed)} perturbed{again}", "warn"
    if noise.n_spoilt:
        yield f"{count(noise.n_spoilt, 'result')} of perturbed samples only", "bad"
    launches = [row.n_launches for row in results if not row.derived]
    few = sum(each < LEAST_LAUNCHES for each in launches)
    if few:
        share = 100 * few / len(launches)
        yield f"{share:.0f} % of results on fewer than {LEAST_LAUNCHES} launches", "warn"
    elif launches:
        yield f"at least {count(min(launches), 'launch')} per result", "good"


def _uncovered(evaluation: Evaluation) -> Iterator[str]:
    """What no number is about: between nodes, families, programs, cases."""
    rows = evaluation.analysis.results
    nodes = max((row.nodes for row in rows), default=0)
    n_nodes = sum(len(node.names) for node in evaluation.machine.nodes)
    if nodes == 1:
        yield "communication between nodes"
    if 0 < nodes < n_nodes and evaluation.analysis.nodes is None:
        yield f"{count(n_nodes - nodes, 'node')} of {n_nodes}"
    yielding = {row.benchmark for row in rows}
    missing = []
    for family in evaluation.families:
        n_missing = sum(one.name not in yielding for one in family.benchmarks)
        if n_missing == len(family.benchmarks):
            missing.append(family.title)
        elif n_missing:
            of_all = count(len(family.benchmarks), "program")
            missing.append(f"{n_missing} of {of_all} of {family.title}")
    yield from missing[:_MOST_UNCOVERED]
    if len(missing) > _MOST_UNCOVERED:
        yield f"programs of {len(missing) - _MOST_UNCOVERED} more families"
    left_out = len(find_skipped(evaluation))
    if left_out:
        yield f"{count(left_out, 'case')} left out"
