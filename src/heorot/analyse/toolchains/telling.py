"""What a matrix of toolchains says, in sentences."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from heorot.analyse.toolchains.means import find_common_means
from heorot.analyse.toolchains.troubles import join_failures, size_of, word_check
from heorot.analyse.wording import is_difference
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
from heorot.units import plural

_MOST_NAMED = 3


def tell_toolchains(study: ToolchainStudy | None) -> Iterator[Sentence]:
    """Who is fastest in all, who is wrong, what a program gains and loses most.

    Args:
        study: all toolchains; None if there is nothing to say of them.
    """
    for text, weight in _texts(study) if study else ():
        yield Sentence(text=text, weight=weight, family=TOOLCHAINS)


def _texts(study: ToolchainStudy) -> Iterator[tuple[str, float]]:
    if not study.fields:
        return
    if wrong := _of_kind(study, "wrong"):
        yield _tell_wrong(wrong), 0.7
    for part in dict.fromkeys(field.part for field in study.fields):
        fields = [field for field in study.fields if field.part == part]
        if means := find_common_means(fields):
            yield _tell_means(study.base, means), 0.6
    decided = [field for field in study.fields if field.verdict != "indistinguishable"]
    gains = [field for field in decided if field.ratio and field.ratio > 1.0]
    losses = [field for field in decided if field.ratio and field.ratio < 1.0]
    if gains:
        best = max(gains, key=lambda field: field.ratio or 0.0)
        yield f"{_most('gain', best, gains)} {_tell_field(best)} as fast as {study.base}.", 0.5
    if losses:
        worst = min(losses, key=lambda field: field.ratio or 0.0)
        yield f"{_most('lose', worst, losses)} {_tell_field(worst)} as fast as {study.base}.", 0.4
    if study.accuracy:
        yield _tell_accuracy(study.accuracy[0]), 0.4
    if unbuilt := _of_kind(study, "did not compile"):
        yield _tell_unbuilt(unbuilt), 0.6


def _most(verb: str, one: ToolchainField, fields: Sequence[ToolchainField]) -> str:
    """Of what gains or loses by a toolchain, whether it is the one that does most."""
    ends = [(field.low or 0.0, field.high or math.inf) for field in fields]
    n_alike = sum(overlap(ends[fields.index(one)], each) for each in ends) - 1
    by = "by a toolchain " if verb == "gain" else ""
    return f"One of those that {verb} most {by}is" if n_alike else f"What {verb}s most {by}is"


def _of_kind(study: ToolchainStudy, what: Port) -> dict[str, list[str]]:
    """What is said of every program and toolchain with that kind of trouble."""
    found: dict[str, list[str]] = {}
    for port in study.porting:
        if port.what == what:
            found.setdefault(f"{port.benchmark} with {port.toolchain}", []).append(port.detail)
    return found


def _tell_unbuilt(unbuilt: Mapping[str, Sequence[str]]) -> str:
    more = f" and {len(unbuilt) - _MOST_NAMED} more" * (len(unbuilt) > _MOST_NAMED)
    named = ", ".join([*unbuilt][:_MOST_NAMED])
    return f"{plural(len(unbuilt), 'combination')} did not compile: {named}{more}."


def _tell_field(field: ToolchainField) -> str:
    part = f" in its {field.part}" if field.part else ""
    return f"{field.benchmark}: with {field.toolchain} it is{part} {_tell_ratio(field)} times"


def _tell_ratio(one: ToolchainField | ToolchainMean) -> str:
    return f"{one.ratio:.2f} [{one.low:.2f}, {one.high:.2f}]"


def _tell_wrong(wrong: Mapping[str, Sequence[str]]) -> str:
    """Results that must not be used, however fast they come."""
    named = "; ".join(
        f"{combination} ({join_failures(failures)})"
        for combination, failures in [*wrong.items()][:_MOST_NAMED]
    )
    more = f"; and {len(wrong) - _MOST_NAMED} more" * (len(wrong) > _MOST_NAMED)
    verb = "yields" if len(wrong) == 1 else "yield"
    return (
        f"{plural(len(wrong), 'combination')} of program and toolchain {verb} wrong results, "
        f"whose speed does not count: {named}{more}."
    )


def _tell_means(base: str, means: Sequence[ToolchainMean]) -> str:
    """The fastest and the slowest over the same programs."""
    first, last = means[0], means[-1]
    part = f"the {first.part} of " if first.part else ""
    text = (
        f"Over {part}{plural(first.n, 'program')}, {first.toolchain} is "
        f"{_tell_mean(first, f'as fast as {base} in the geometric mean')}"
    )
    if last is first:
        return f"{text}."
    return f"{text}; {last.toolchain}, over the same, is {_tell_mean(last, 'as fast')}."


def _tell_mean(mean: ToolchainMean, words: str) -> str:
    if is_difference(mean.low, mean.high):
        return f"{_tell_ratio(mean)} times {words}"
    return f"{words} (no difference that these programs can show)"


def _tell_accuracy(one: Accuracy) -> str:
    """The check on which toolchains disagree most."""
    order = sorted(one.values, key=lambda name: size_of(one.values[name]))
    best, worst = order[0], order[-1]
    return (
        f"Accuracy differs most in {one.benchmark}, {word_check(one.region, one.check)}: "
        f"{one.values[best]:.2g} with {best} and {one.values[worst]:.2g} with {worst}."
    )
