"""What a matrix of toolchains says, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from heorot.model.analysis.result import Sentence
from heorot.model.analysis.studies.toolchains import TOOLCHAINS, ToolchainField, ToolchainStudy
from heorot.units import plural

_MOST_NAMED = 3


def tell_toolchains(study: ToolchainStudy) -> Iterator[Sentence]:
    """Who is fastest in all, who is wrong, what a program gains and loses most.

    Args:
        study: all toolchains.
    """
    for text, weight in _texts(study):
        yield Sentence(text=text, weight=weight, family=TOOLCHAINS)


def _texts(study: ToolchainStudy) -> Iterator[tuple[str, float]]:
    wrong = [field for field in study.fields if field.state == "wrong"]
    if wrong:
        yield _tell_wrong(wrong), 0.7
    if study.means:
        yield _tell_means(study), 0.6
    decided = [field for field in study.fields if field.verdict != "indistinguishable"]
    gains = [field for field in decided if field.ratio and field.ratio > 1.0]
    losses = [field for field in decided if field.ratio and field.ratio < 1.0]
    if gains:
        best = max(gains, key=lambda field: field.ratio or 0.0)
        yield f"What gains most by a toolchain is {_tell_field(best)} as fast as {study.base}.", 0.5
    if losses:
        worst = min(losses, key=lambda field: field.ratio or 0.0)
        yield f"What loses most is {_tell_field(worst)} as fast as {study.base}.", 0.4
    unbuilt = [field for field in study.fields if field.state == "not built"]
    if unbuilt:
        named = ", ".join(
            f"{field.benchmark} with {field.toolchain}" for field in unbuilt[:_MOST_NAMED]
        )
        more = f" and {len(unbuilt) - _MOST_NAMED} more" * (len(unbuilt) > _MOST_NAMED)
        yield f"{plural(len(unbuilt), 'combination')} did not compile: {named}{more}.", 0.6


def _tell_field(field: ToolchainField) -> str:
    return (
        f"{field.benchmark}: with {field.toolchain} it is {field.ratio:.2f} "
        f"[{field.low:.2f}, {field.high:.2f}] times"
    )


def _tell_wrong(wrong: Sequence[ToolchainField]) -> str:
    """Results that must not be used, however fast they come."""
    named = "; ".join(
        f"{field.benchmark} with {field.toolchain} ({field.reason})"
        for field in wrong[:_MOST_NAMED]
    )
    more = f"; and {len(wrong) - _MOST_NAMED} more" * (len(wrong) > _MOST_NAMED)
    verb = "yields" if len(wrong) == 1 else "yield"
    return (
        f"{plural(len(wrong), 'combination')} of program and toolchain {verb} wrong results, "
        f"whose speed does not count: {named}{more}."
    )


def _tell_means(study: ToolchainStudy) -> str:
    """The fastest and the slowest over all programs."""
    first, last = study.means[0], study.means[-1]
    text = (
        f"Over {plural(first.n, 'program')}, {first.toolchain} is {first.ratio:.2f} times as fast "
        f"as {study.base} (geometric mean)"
    )
    if last is first:
        return f"{text}."
    return f"{text}; {last.toolchain}, over {plural(last.n, 'program')}, {last.ratio:.2f} times."
