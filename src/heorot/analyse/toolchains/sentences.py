"""Sentences on the comparison of toolchains."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from heorot.analyse.templates import node_roofline as templates
from heorot.analyse.templates.quantities import exactly, is_difference
from heorot.analyse.templates.template import SentenceTemplate
from heorot.analyse.toolchains.means import find_common_means
from heorot.analyse.toolchains.troubles import join_failures, size_of, word_check
from heorot.model.analysis.claims import Claim, Quantity
from heorot.model.analysis.extremes import overlap
from heorot.model.analysis.result import Sentence
from heorot.model.analysis.studies.toolchains import (
    TOOLCHAINS,
    Accuracy,
    Port,
    ToolchainField,
    ToolchainMean,
    ToolchainStudy,
)


def make_toolchain_sentences(comparison: ToolchainStudy | None) -> Iterator[Sentence]:
    """The fastest toolchain overall, wrong results, the largest gain and loss of a program."""
    if comparison is None or not comparison.fields:
        return
    if wrong := _of_kind(comparison, "wrong"):
        yield _wrong(wrong)
    for part in dict.fromkeys(field.part for field in comparison.fields):
        fields = [field for field in comparison.fields if field.part == part]
        if means := find_common_means(fields):
            yield _means(comparison.base, means)
    decided = [field for field in comparison.fields if field.verdict != "indistinguishable"]
    gains = [field for field in decided if field.ratio and field.ratio > 1.0]
    losses = [field for field in decided if field.ratio and field.ratio < 1.0]
    if gains:
        best = max(gains, key=lambda field: field.ratio or 0.0)
        yield _field(templates.GAIN, best, gains, comparison.base)
    if losses:
        worst = min(losses, key=lambda field: field.ratio or 0.0)
        yield _field(templates.LOSS, worst, losses, comparison.base)
    if comparison.accuracy:
        yield _accuracy(comparison.accuracy[0])
    if unbuilt := _of_kind(comparison, "did not compile"):
        combinations = [*unbuilt]
        yield templates.UNBUILT(family=TOOLCHAINS, n=len(unbuilt), combinations=combinations)


def _of_kind(comparison: ToolchainStudy, what: Port) -> dict[str, list[str]]:
    """The entries of every program and toolchain with that kind of trouble."""
    found: dict[str, list[str]] = {}
    for port in comparison.porting:
        if port.what == what:
            found.setdefault(f"{port.benchmark} with {port.toolchain}", []).append(port.detail)
    return found


def _field(
    template: SentenceTemplate, one: ToolchainField, fields: Sequence[ToolchainField], base: str
) -> Sentence:
    """The largest gain or loss by a toolchain, or one of the largest."""
    ends = [(field.low or 0.0, field.high or math.inf) for field in fields]
    n_alike = sum(overlap(ends[fields.index(one)], each) for each in ends) - 1
    return template(
        family=TOOLCHAINS,
        alike=n_alike > 0,
        one=one,
        ratio=_ratio(one),
        base=base,
    )


def _ratio(one: ToolchainField | ToolchainMean) -> Quantity:
    return Quantity(median=one.ratio or math.nan, low=one.low, high=one.high)


def _wrong(wrong: Mapping[str, Sequence[str]]) -> Sentence:
    """Results that must not be used, however fast."""
    return templates.WRONG(
        family=TOOLCHAINS,
        n=len(wrong),
        combinations=[
            templates.WRONG_IN.claim(combination=combination, failure=join_failures(failures))
            for combination, failures in wrong.items()
        ],
    )


def _means(base: str, means: Sequence[ToolchainMean]) -> Sentence:
    """The fastest and the slowest over the same programs."""
    first, last = means[0], means[-1]
    return templates.MEANS(
        family=TOOLCHAINS,
        first=first,
        of_first=_mean(first, base),
        last=last,
        of_last=None if last is first else _mean(last, None),
    )


def _mean(mean: ToolchainMean, base: str | None) -> Claim:
    known = is_difference(mean.low, mean.high)
    return (templates.MEAN if known else templates.SAME_MEAN).claim(ratio=_ratio(mean), base=base)


def _accuracy(one: Accuracy) -> Sentence:
    """The check on which toolchains disagree most."""
    order = sorted(one.values, key=lambda name: size_of(one.values[name]))
    best, worst = order[0], order[-1]
    return templates.ACCURACY(
        family=TOOLCHAINS,
        one=one,
        check=word_check(one.region, one.check),
        least=exactly(one.values[best]),
        best=best,
        most=exactly(one.values[worst]),
        worst=worst,
    )
