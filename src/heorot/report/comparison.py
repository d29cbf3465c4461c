"""The page of two runs compared: first screen, verdict, programs, what differs, all metrics."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from heorot.model.analysis.comparison import (
    ComparedGroup,
    ComparedMetric,
    Comparison,
    Difference,
    MetricVerdict,
    Uncompared,
    Why,
    word_places,
)
from heorot.model.analysis.extremes import Ends
from heorot.model.analysis.result import Result
from heorot.model.analysis.studies.systems import SideBySide
from heorot.model.catalogue.family import Family
from heorot.report.render import render_page
from heorot.report.screens.comparison_screens import first_sentences, pair_screen, word_date
from heorot.report.sections.difference import say
from heorot.report.systems.page import make_beside
from heorot.report.tables.courses import course_table
from heorot.report.tables.table import Allowance, Cell, Column, IntervalMark, Row, Table, make_table
from heorot.report.wording import split_interval, word_name, word_point
from heorot.units import format_ratio
from heorot.writing import write

_TONES: dict[MetricVerdict, str] = {
    "better": "good",
    "worse": "bad",
    "indistinguishable": "muted",
    "untested": "warn",
}
_DIFFERENT = ("better", "worse")
_GROUPS = "Families, and the programs that differ most: geometric mean of the ratios"
_MOST_GROUPS = 12
_MOST_METRICS = 12
_UNKNOWN = "unknown"
_LEAST_REACH = math.log(1.1)
_MOST_REACH = math.log(4.0)


def write_comparison(comparison: Comparison, path: Path) -> None:
    """Writes the comparison of a run with another, or with a published machine."""
    write(path, format_comparison(comparison))


def write_pair(
    side: SideBySide, families: Sequence[Family], rows: Sequence[Result], path: Path
) -> None:
    """Writes two runs side by side, with their machines and figures.

    Args:
        rows: of both runs, for figures; `system` of each is a label.
    """
    allowance = Allowance()
    parts = make_beside(side, families, rows, allowance)
    write(path, format_comparison(side.pair, parts, allowance))


def format_comparison(
    comparison: Comparison,
    parts: tuple[dict[str, Any], dict[str, Table]] = ({}, {}),
    allowance: Allowance | None = None,
) -> str:
    """Two runs side by side as HTML.

    Args:
        parts: machines, builds, cores and figures with their tables, from `make_beside`.
    """
    allowance = allowance or Allowance()
    metrics = comparison.metrics
    reach = _reach([(group.low, group.high) for group in comparison.groups])
    shown, others = _split_groups(comparison.groups)
    differing = [metric for metric in metrics if metric.verdict != "indistinguishable"]
    alike = [metric for metric in metrics if metric.verdict == "indistinguishable"]
    differing.sort(key=lambda metric: -abs(math.log(metric.ratio)))
    most, further = differing[:_MOST_METRICS], differing[_MOST_METRICS:]
    tables = parts[1] | {
        "groups": _group_table("groups", _GROUPS, shown, reach, allowance),
        "other_groups": _group_table("other-groups", "Other programs", others, reach, allowance),
        "differing": _metric_table("differing", "Metrics that differ most", most, allowance),
        "further": _metric_table("further", "Other metrics that differ", further, allowance),
        "courses": course_table({"B": comparison.courses}, allowance),
        "everything": _metric_table("everything", "Metrics that do not differ", alike, allowance),
        "differences": _difference_table(comparison.differences, allowance),
    }
    sentences = say(comparison)
    side = parts[0].get("side")
    content: dict[str, Any] = {
        "comparison": comparison,
        "first": pair_screen(comparison, builds_known=bool(side and side.builds_known)),
        "dates": [word_date(one) for one in side.systems] if side else ("", ""),
        "sentences": sentences,
        "more": first_sentences(side.beside, len(sentences)) if side else (),
        "reach": f"{math.exp(reach):.2f}",
        "uncompared": _uncompared(comparison),
        "beside": parts[0],
        **tables,
    }
    packed = {table.id: table for table in tables.values()}
    return render_page("systems/comparison.html.j2", content, tables=packed)


def _split_groups(
    groups: Sequence[ComparedGroup],
) -> tuple[list[ComparedGroup], list[ComparedGroup]]:
    """Families and the programs that differ most; all others."""
    families = [group for group in groups if "/" not in group.name]
    differing = [group for group in groups if "/" in group.name and group.verdict in _DIFFERENT]
    differing.sort(key=lambda group: -abs(math.log(group.geometric_mean_ratio)))
    shown = [*families, *differing[:_MOST_GROUPS]]
    names = {group.name for group in shown}
    return shown, [group for group in groups if group.name not in names]


def _uncompared(comparison: Comparison) -> list[tuple[str, str, tuple[Uncompared, ...]]]:
    """What was not compared: the reason, where, and the rows."""
    titles: dict[Why, str] = {
        "only in A": f"Only in {comparison.a_name}",
        "only in B": f"Only in {comparison.b_name}",
        "not the same work": "Not the same work",
        "not told apart": "Recorded too little to identify it",
        "several cases": "Several cases of one run measure the same",
    }
    found = [(title, comparison.left_out(why)) for why, title in titles.items()]
    return [(title, word_places(rows), rows) for title, rows in found if rows]


def _reach(intervals: Sequence[tuple[float, float]]) -> float:
    """How far the axis of the ratios reaches on both sides of 1, as a logarithm."""
    widest = max((abs(math.log(end)) for pair in intervals for end in pair if end > 0), default=0.0)
    return min(_MOST_REACH, max(_LEAST_REACH, 1.1 * widest))


def _span(ratio: float, ends: Ends, verdict: str, reach: float) -> IntervalMark:
    def place(value: float) -> float:
        scaled = math.log(value) / reach if value > 0 else -1.0
        return round(50 + 50 * min(1.0, max(-1.0, scaled)), 2)

    tone = verdict if verdict in {"better", "worse"} else ""
    return IntervalMark(place(ends[0]), place(ratio), place(ends[1]), tone)


def _ratio_cells(
    ratio: float, ends: Ends | None, judged: ComparedGroup | ComparedMetric, reach: float
) -> tuple[Cell, ...]:
    """The ratio, its interval, both as a picture, and the verdict; an unknown interval is none."""
    interval = f"[{', '.join(map(format_ratio, ends))}]" if ends else _UNKNOWN
    span = _span(ratio, ends or (ratio, ratio), judged.verdict, reach)
    is_marked = judged.verdict not in {judged.judgement, "indistinguishable"}
    copied = "\t".join(f"{end:.6g}" for end in ends) if ends else "\t"
    return (
        Cell(format_ratio(ratio), ratio),
        Cell(interval, ends[0] if ends else None, "muted", copied=copied),
        Cell(f"ratio {format_ratio(ratio)} {interval}", ratio, span=span),
        Cell(judged.judgement, tone="warn" if is_marked else _TONES[judged.verdict]),
    )


def _verdict_with_differences(verdict: Cell, metric: ComparedMetric) -> Cell:
    """The verdict and what else differs in one cell, as the table is wide enough; two if copied."""
    words = ", ".join(metric.differs)
    text = f"{verdict.text}; {words}" if words else verdict.text
    return replace(verdict, text=text, copied=f"{verdict.text}\t{words}")


_RATIO_COLUMNS = (
    Column("ratio", numeric=True),
    Column("95 % interval", numeric=True, copied="ratio_low\tratio_high"),
    Column("worse ← 1 → better"),
    Column("verdict"),
)


def _group_table(
    identifier: str,
    caption: str,
    groups: Sequence[ComparedGroup],
    reach: float,
    allowance: Allowance,
) -> Table:
    rows = []
    for group in groups:
        ends = (group.low, group.high)
        ratios = _ratio_cells(group.geometric_mean_ratio, ends, group, reach)
        rows.append(Row((Cell(group.name), Cell(str(group.n), group.n), *ratios)))
    columns = (Column("program or family"), Column("metrics", numeric=True), *_RATIO_COLUMNS)
    return make_table(identifier, caption, columns, rows, allowance)


def _difference_table(differences: Sequence[Difference], allowance: Allowance) -> Table:
    rows = [
        Row(
            (
                Cell(one.what),
                Cell(one.a, tone="mono"),
                Cell(one.b, tone="mono"),
                Cell(str(one.n), one.n),
            )
        )
        for one in differences
    ]
    columns = (*map(Column, ("what", "A", "B")), Column("metrics", numeric=True))
    return make_table("differences", "What else differs", columns, rows, allowance, folded=True)


def _metric_row(metric: ComparedMetric, reach: float) -> Row:
    a, a_interval = _split(
        metric.a_median, metric.a_low, metric.a_high, metric.unit, metric.a_launches
    )
    b, b_interval = _split(
        metric.b_median, metric.b_low, metric.b_high, metric.unit, metric.b_launches
    )
    where = ", ".join(filter(None, (word_point(metric.point), metric.layouts, metric.cases)))
    ratio, interval, span, verdict = _ratio_cells(metric.ratio, metric.ends, metric, reach)
    cells = (
        Cell(metric.benchmark),
        Cell(f"{word_name(metric.region)}, {word_name(metric.metric)}"),
        Cell(where),
        Cell(f"{a}\n{a_interval}", metric.a_median, copied=f"{metric.a_median:.6g}\t{metric.unit}"),
        Cell(f"{b}\n{b_interval}", metric.b_median, copied=f"{metric.b_median:.6g}\t{metric.unit}"),
        replace(
            ratio,
            text=f"{ratio.text}\n{interval.text}",
            copied=f"{metric.ratio:.6g}\t{interval.copied}",
        ),
        span,
        _verdict_with_differences(verdict, metric),
        _test_cell(metric),
    )
    return Row(cells)


def _split(
    median: float, low: float | None, high: float | None, unit: str, launches: int
) -> tuple[str, str]:
    """A value and its interval, which may be unknown."""
    value, interval = split_interval(median, low, high, unit, launches or None)
    return value, f"interval {_UNKNOWN}" if low is None else interval


def _test_cell(metric: ComparedMetric) -> Cell:
    """What a verdict rests on, as far as anything was tested."""
    effect, p_value = metric.effect_size, metric.p_value
    tested = effect is not None and p_value is not None
    shown = f"{effect:+.2f}\n{p_value:.1g}" if tested else "not tested"
    rests_on = (metric.a_n, metric.a_launches, metric.b_n, metric.b_launches)
    copied = f"{effect:.6g}\t{p_value:.6g}" if tested else "\t"
    n_samples = f"{metric.a_n or '?'}, {metric.b_n or '?'}"
    return Cell(
        f"{shown}\n{n_samples}",
        p_value,
        "muted",
        copied="\t".join((copied, *(str(n or "") for n in rests_on))),
    )


def _metric_table(
    identifier: str,
    caption: str,
    metrics: Sequence[ComparedMetric],
    allowance: Allowance,
) -> Table:
    reach = _reach([metric.ends or (metric.ratio, metric.ratio) for metric in metrics])
    rows = [_metric_row(metric, reach) for metric in metrics]
    columns = (
        *map(Column, ("program", "quantity", "where")),
        Column("A", numeric=True, copied="a\ta_unit"),
        Column("B", numeric=True, copied="b\tb_unit"),
        Column("ratio", numeric=True, copied="ratio\tratio_low\tratio_high"),
        _RATIO_COLUMNS[2],
        Column("verdict; what else differs", copied="verdict\tdiffers"),
        Column(
            "effect, p, samples",
            numeric=True,
            copied="effect_size\tp_value\ta_n\ta_launches\tb_n\tb_launches",
        ),
    )
    return make_table(identifier, caption, columns, rows, allowance)
