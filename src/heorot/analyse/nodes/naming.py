"""Names the items of a sheet that are slow, with the evidence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from heorot.analyse.nodes import robust
from heorot.analyse.nodes.outliers import Judged, Speeds, differ, judge
from heorot.analyse.nodes.sheets import Sheet
from heorot.analyse.statistics.summary import FloatArray
from heorot.model.analysis.studies.nodes import AVAILABILITY, Apart, Slow, SlowMetric

_TWO = 2


@dataclass(frozen=True)
class Named:
    """The judgement of a sheet.

    Attributes:
        apart: two items of a kind that has no third, if they differ.
        speeds: relative to the median of the kind [1], shape (n_items, n_quantities).
    """

    slow: list[Slow] = field(default_factory=list)
    apart: list[Apart] = field(default_factory=list)
    speeds: FloatArray = field(default_factory=lambda: np.empty((0, 0)))


def name_slow(
    sheet: Sheet,
    kinds: Sequence[Sequence[int]],
    *,
    n_sets: int = 1,
    is_pair: bool = False,
    of_pairs: bool = False,
) -> Named:
    """Judge the items of each kind among themselves.

    Args:
        n_sets: kinds that are judged in the run and share the false-alarm rate.
    """
    named = Named(speeds=np.full(sheet.low.shape, np.nan))
    for kind in kinds:
        places = list(kind)
        if len(places) < _TWO or not sheet.quantities:
            continue
        # All measurements are shown, even those that are no evidence.
        typical = robust.median(sheet.speeds[places], 2)
        named.speeds[places] = np.exp(typical - robust.median(typical, 0)[None, :])
        speeds = sheet.take(places)
        judged = judge(speeds, n_sets)
        for item in judged.named:
            one = _describe(sheet, places, item, judged, speeds)
            named.slow.append(one.model_copy(update={"is_pair": is_pair, "of_pairs": of_pairs}))
        # Two nodes with the same pairs do not differ by these pairs.
        if len(places) == _TWO and not of_pairs:
            named.apart.extend(_distinguish(sheet, places, speeds, n_sets, is_pair=is_pair))
    return named


def _describe(
    sheet: Sheet, places: Sequence[int], item: int, judged: Judged, speeds: Speeds
) -> Slow:
    """The record of a slow item."""
    known = np.isfinite(speeds.typical)
    slow = np.flatnonzero(judged.slow[item])
    metrics = _metrics(sheet, places[item], slow, judged.speed[item], judged.z[item])
    return Slow(
        name=sheet.items[places[item]],
        is_pair=False,
        n_equals=int(known.any(axis=1).sum()),
        speed=float(np.median(judged.speed[item, slow])),
        z=float(np.median(judged.z[item, slow])),
        p_value=float(judged.p_values[item]),
        n_metrics=int(known[item].sum()),
        metrics=metrics,
        n_launches=int(np.isfinite(speeds.launches[item, slow]).sum(axis=1).max()),
        disturbed=bool(sheet.all_disturbed[places[item]])
        or any(one.metric == AVAILABILITY for one in metrics),
    )


def _metrics(
    sheet: Sheet, item: int, chosen: Iterable[int], speed: FloatArray, z: FloatArray
) -> tuple[SlowMetric, ...]:
    """The quantities in which an item is slow, the slowest first."""
    ordered = sorted((int(j) for j in chosen), key=lambda j: float(speed[j]))
    found = []
    for j in ordered:
        key, metric = sheet.quantities[j]
        row = sheet.rows.get((item, j))
        found.append(
            SlowMetric(
                key=key,
                metric=metric,
                speed=float(speed[j]),
                z=float(z[j]),
                row=row.id if row else "",
            )
        )
    return tuple(found)


def _distinguish(
    sheet: Sheet, places: Sequence[int], speeds: Speeds, n_sets: int, *, is_pair: bool
) -> list[Apart]:
    """Quantities in which either of two items is slower than the other, significantly overall."""
    judged = differ(speeds, n_sets)
    n_metrics = int(np.isfinite(speeds.typical).all(axis=0).sum())
    found = []
    for one in judged.named:
        chosen = np.flatnonzero(judged.slow[one])
        speed = judged.speed[one]
        found.append(
            Apart(
                slower=sheet.items[places[one]],
                faster=sheet.items[places[1 - one]],
                is_pair=is_pair,
                ratio=float(np.median(speed[chosen])),
                n_metrics=n_metrics,
                metrics=_metrics(sheet, places[one], chosen, speed, judged.z[one]),
            )
        )
    return found
