"""The geometric mean over programs of a toolchain's ratio, with its interval."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from heorot.model.analysis.studies.toolchains import ToolchainField, ToolchainMean

# Least share of the programs of another toolchain for ranking both.
_LEAST_SHARE = 0.5

_Speeds = Mapping[str, ToolchainField]
"""Fields with a ratio, by program."""


def find_means(fields: Sequence[ToolchainField]) -> list[ToolchainMean]:
    """Every toolchain over all programs with a ratio, the fastest first."""
    return _sort(_mean(own) for own in _speeds(fields).values())


def find_common_means(fields: Sequence[ToolchainField]) -> list[ToolchainMean]:
    """Toolchains over the same programs, so that they can be ranked, the fastest first.

    A toolchain with less than half of the programs of another is left out: too few programs would
    be common to all.

    Args:
        fields: of all programs, and of toolchains compared by the same part of these.
    """
    speeds = _speeds(fields)
    most = max(map(len, speeds.values()), default=0)
    wide = [own for own in speeds.values() if len(own) >= _LEAST_SHARE * most]
    common = set.intersection(*(set(own) for own in wide)) if wide else set()
    return _sort(_mean({name: own[name] for name in common}) for own in wide if common)


def _speeds(fields: Sequence[ToolchainField]) -> dict[str, dict[str, ToolchainField]]:
    speeds: dict[str, dict[str, ToolchainField]] = {}
    for field in fields:
        if field.ratio is not None:
            speeds.setdefault(field.toolchain, {})[field.benchmark] = field
    return speeds


def _sort(means: Iterator[ToolchainMean]) -> list[ToolchainMean]:
    return sorted(means, key=lambda mean: -mean.ratio)


def _mean(own: _Speeds) -> ToolchainMean:
    """Errors of programs are independent: half-widths add in quadrature."""
    fields = [*own.values()]
    centre = [_log(field.ratio) for field in fields]
    below = [at - _log(field.low) for at, field in zip(centre, fields, strict=True)]
    above = [_log(field.high) - at for at, field in zip(centre, fields, strict=True)]
    n = len(fields)
    mean = sum(centre) / n
    return ToolchainMean(
        toolchain=fields[0].toolchain,
        ratio=math.exp(mean),
        low=math.exp(mean - math.hypot(*below) / n),
        high=math.exp(mean + math.hypot(*above) / n),
        n=n,
        part=fields[0].part,
    )


def _log(value: float | None) -> float:
    """Minus infinity for an unknown bound."""
    return math.log(value) if value else -math.inf
