"""First screens of comparisons: of two runs, and of several systems."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from heorot.model.analysis.claims import format_uncertainty
from heorot.model.analysis.comparison import WHYS, ComparedGroup, Comparison
from heorot.model.analysis.disturbance import Disturbances
from heorot.model.analysis.result import Sentence
from heorot.model.analysis.studies.systems import SideBySide, System, letter_of
from heorot.report.screens.first_screen import (
    MOST_TROUBLES,
    FirstScreen,
    Tile,
    Trouble,
)
from heorot.report.sections.configuration import format_time
from heorot.report.wording import count, group_digits
from heorot.units import format_ratio, noun_for

MOST_SENTENCES = 7
_MOST_TILES = 8
_TONES = {"better": "good", "worse": "bad"}


def pair_screen(comparison: Comparison, *, builds_known: bool) -> FirstScreen:
    """What a reader sees first of two runs.

    Args:
        builds_known: whether both runs record what their programs were built from.
    """
    runs = zip("AB", comparison.disturbances, strict=True)
    return FirstScreen(
        tiles=tuple(_pair_tiles(comparison))[:_MOST_TILES],
        trust=(
            *(_of_launches(comparison)),
            *(_perturbed(letter, one) for letter, one in runs),
            *_builds([comparison], known=builds_known),
            *_digests(comparison.disagreements),
        ),
        troubles=tuple(_troubles([comparison]))[:MOST_TROUBLES],
        open=tuple(_open(comparison)),
    )


def systems_screen(side: SideBySide) -> FirstScreen:
    """What a reader sees first of several systems."""
    runs = [
        _perturbed(letter_of(i), system.disturbances)
        for i, system in enumerate(side.systems)
        if not system.is_published
    ]
    noisy = [each for each in runs if each[1] != "good"]
    quiet = [("no launch perturbed", "good")] if len(noisy) < len(runs) else []
    words = ["Systems other than A are not compared with each other", *side.open]
    return FirstScreen(
        tiles=tuple(_system_tiles(side)),
        trust=(
            (count(len(side.rows), "metric") + " of A compared", ""),
            *(noisy or quiet),
            *_builds(side.comparisons, known=side.builds_known),
            *_digests(side.disagreements),
        ),
        troubles=tuple(_troubles(side.comparisons))[:MOST_TROUBLES],
        open=tuple(f"{text[0].upper()}{text[1:]}." for text in words),
    )


def word_date(system: System) -> str:
    """The date on which the run of a system began, after a comma; empty if unknown."""
    return "" if system.begun is None else f", {format_time(system.begun)[:10]}"


def first_sentences(sentences: Sequence[Sentence], n_before: int = 0) -> Sequence[Sentence]:
    """The first of them; a verdict has at most seven.

    Args:
        n_before: number of sentences before them.
    """
    return sentences[: max(0, MOST_SENTENCES - n_before)]


def _pair_tiles(comparison: Comparison) -> Iterator[Tile]:
    """Metrics by verdict, then the families that differ most."""
    n = len(comparison.metrics)
    for verdict in comparison.verdicts:
        found = sum(metric.verdict == verdict for metric in comparison.metrics)
        yield Tile(
            "Not significantly different" if verdict == "indistinguishable" else f"B {verdict}",
            group_digits(found),
            f"of {group_digits(n)}",
            share=found / n if n else None,
            note=noun_for(n, "metric"),
            target="metrics",
            tone=_TONES.get(verdict, "muted") if found else "muted",
        )
    families = [group for group in comparison.groups if "/" not in group.name]
    for group in sorted(families, key=_distance, reverse=True):
        yield _ratio_tile(group, f"{group.name}: B / A", "programs")


def _system_tiles(side: SideBySide) -> Iterator[Tile]:
    """Of each further system how many of its metrics are better than those of A."""
    for number, one in enumerate(side.comparisons, start=1):
        n = len(one.metrics)
        better, worse = (
            sum(metric.verdict == verdict for metric in one.metrics)
            for verdict in ("better", "worse")
        )
        decided = [metric for metric in one.metrics if metric.verdict in ("better", "worse")]
        perturbed = sum(bool(metric.disturbed) for metric in decided)
        tone = "good" if better > worse else "bad" if worse > better else "muted"
        yield Tile(
            f"{letter_of(number)} better than A",
            group_digits(better),
            f"of {group_digits(n)}",
            share=better / n if n else None,
            note=f"{noun_for(n, 'metric')}; {group_digits(worse)} worse"
            + (f"; {group_digits(perturbed)} perturbed" if perturbed else ""),
            target="programs",
            # As in the verdict: perturbed samples that decide half of them decide nothing.
            tone="muted" if 2 * perturbed >= len(decided) else tone,
        )


def _ratio_tile(group: ComparedGroup, name: str, target: str) -> Tile:
    mean = group.geometric_mean_ratio
    ends = ", ".join(map(format_ratio, (group.low, group.high)))
    return Tile(
        name,
        format_ratio(mean),
        "times",
        uncertainty=format_uncertainty(mean, group.low, group.high),
        interval=f"95 % interval {ends}; geometric mean of {count(group.n, 'metric')}",
        note="not significant" if group.verdict == "indistinguishable" else group.verdict,
        target=target,
        tone=_TONES.get(group.verdict, ""),
    )


def _distance(group: ComparedGroup) -> float:
    return abs(math.log(group.geometric_mean_ratio))


def _of_launches(comparison: Comparison) -> Iterator[tuple[str, str]]:
    launches = [min(one.a_launches, one.b_launches) for one in comparison.metrics]
    known = [n for n in launches if n]
    if known:
        fewest, most = min(known), max(known)
        several = f"{fewest} to {count(most, 'launch')}" if fewest < most else count(most, "launch")
        yield f"{several} per metric", "warn" if fewest == 1 else ""


def _perturbed(letter: str, one: Disturbances) -> tuple[str, str]:
    if one.none:
        return f"{letter}: no launch perturbed", "good"
    n = f"{group_digits(one.n_disturbed)} of {count(one.n_launches, 'launch')} perturbed"
    again = f", {group_digits(one.n_repeated)} repeated" if one.n_repeated else ""
    return f"{letter}: {n}{again}", "bad" if one.is_heavy else "warn"


def _builds(comparisons: Sequence[Comparison], *, known: bool) -> Iterator[tuple[str, str]]:
    differing = dict.fromkeys(each.what for one in comparisons for each in one.differences)
    if differing:
        yield f"differs: {', '.join(differing)}", "warn"
    elif not known:
        yield "builds not recorded", "warn"
    else:
        yield "equal builds", "good"


def _digests(disagreements: Sequence[str]) -> Iterator[tuple[str, str]]:
    if disagreements:
        yield "files contradict their digests", "bad"


def _troubles(comparisons: Sequence[Comparison]) -> Iterator[Trouble]:
    """Runs that decide nothing, then programs that are slower, the most first."""
    heavy = {
        (letter_of(number * place), one.is_heavy)
        for number, comparison in enumerate(comparisons, start=1)
        for place, one in enumerate(comparison.disturbances)
    }
    for letter in sorted(letter for letter, is_heavy in heavy if is_heavy):
        yield Trouble("error", f"Most launches of {letter} were perturbed: measure again.")
    worse = [
        (group, letter_of(number))
        for number, comparison in enumerate(comparisons, start=1)
        for group in comparison.groups
        if "/" in group.name and group.verdict == "worse"
    ]
    for group, letter in sorted(worse, key=lambda each: -_distance(each[0])):
        ends = ", ".join(map(format_ratio, (group.low, group.high)))
        said = f"{letter} is worse at {group.name}: {format_ratio(group.geometric_mean_ratio)} "
        spoilt = "; perturbed samples decide it" if group.is_spoilt else ""
        yield Trouble("warning", f"{said}[{ends}] times A{spoilt}.", "programs")


def _open(comparison: Comparison) -> Iterator[str]:
    n = count(len(comparison.metrics), "metric")
    for verdict, words in (
        ("indistinguishable", "show no significant difference"),
        ("untested", "have no interval on one side and are not tested"),
    ):
        found = sum(metric.verdict == verdict for metric in comparison.metrics)
        if found:
            yield f"{group_digits(found)} of {n} {words}."
    n_disturbed = sum(bool(metric.disturbed) for metric in comparison.metrics)
    if n_disturbed:
        yield f"{group_digits(n_disturbed)} of {n} rest on perturbed samples."
    undecided = sum(bool(group.lacks) and "/" in group.name for group in comparison.groups)
    if undecided:
        yield f"Launches do not decide {count(undecided, 'program')}."
    left_out = sum(len(comparison.left_out(why)) for why in WHYS)
    if left_out:
        verb = "has" if left_out == 1 else "have"
        yield f"{count(left_out, 'row')} of one run {verb} no partner."
