"""Chooses rows among results, and makes the rows that come from fits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from heorot.model.analysis.breakdown import Attribution
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Result
from heorot.model.catalogue.benchmark import Benchmark, Size
from heorot.model.catalogue.labels import label_of
from heorot.model.catalogue.metrics import Better
from heorot.model.point import Point, Scalar
from heorot.units import format_binary

TOO_SMALL = "too small to judge"
"""Remark on a problem too small for a verdict."""


def speeds(context: Context) -> Iterator[Result]:
    """The rates on one node of programs whose problems have a size, without copies.

    Rates on several nodes are excluded here; `rates` includes them.
    """
    return (row for row in rates(context) if row.nodes == 1)


def rates(context: Context) -> Iterator[Result]:
    """The rates, on any number of nodes, of programs whose problems have a size, without copies.

    The first metric of a program counts, as its others are the same samples in other units.
    """
    for row in context.rows:
        benchmark = context.benchmarks.get(row.benchmark)
        if benchmark is None or benchmark.size is None or row.derived or row.is_star:
            continue
        if (
            row.ranked
            and row.metric == first_rate(benchmark)
            and (benchmark.size.coordinate in row.point)
        ):
            yield row


def first_rate(benchmark: Benchmark) -> str:
    """The metric that stands for the speed of a program; empty if it has no rate."""
    return next((metric.name for metric in benchmark.metrics if metric.is_rate), "")


def size_of(context: Context, row: Result) -> Size:
    """The size of the problems of a row's program, which must have one."""
    size = context.benchmarks[row.benchmark].size
    if size is None:
        raise ValueError(f"the problems of {row.benchmark} have no size")
    return size


def is_for_trying(context: Context, program: str, point: Mapping[str, Scalar]) -> bool:
    """Whether a problem of a program is too small to judge a machine by."""
    benchmark = context.benchmarks.get(program)
    size = benchmark.size if benchmark else None
    return size is not None and size.is_for_trying(point)


def remark_small(context: Context, attributed: Sequence[Attribution]) -> list[Attribution]:
    """Marks sentences about problems too small to judge by, and keeps them out of the verdict."""
    small = {
        row.id: size_of(context, row).word(row.point)
        for row in context.rows
        if is_for_trying(context, row.benchmark, row.point)
    }
    return [
        _remark(each, [small[key] for key in each.evidence if key in small]) for each in attributed
    ]


def _remark(attributed: Attribution, sizes: Sequence[str]) -> Attribution:
    if not sizes:
        return attributed
    text = f"{attributed.text.removesuffix('.')} ({sizes[0]} is {TOO_SMALL})."
    return attributed.model_copy(update={"text": text, "lost": 0.0})


def problem(context: Context, row: Result) -> str:
    """A program and the size of its problem in words, such as `NPB BT class W`.

    With the region in between if the program has several, as one that holds many programs.
    """
    region = ""
    if not row.benchmark.endswith(f"/{row.region}"):
        regions = {other.region for other in rates(context) if other.benchmark == row.benchmark}
        region = f" {label_of(row.region)}" * (len(regions) > 1)
    return f"{context.display_name(row.benchmark)}{region} {size_of(context, row).word(row.point)}"


def named(context: Context, benchmark: str, point: Mapping[str, Scalar]) -> str:
    """A program as named in sentences, with its coordinates."""
    return f"{context.display_name(benchmark)}{word_point(context, benchmark, point)}"


def word_point(context: Context, benchmark: str, point: Mapping[str, Scalar]) -> str:
    """Coordinates behind the name of a program, each with a space before it, its size as such."""
    known = context.benchmarks.get(benchmark)
    size = known.size if known else None
    words = [
        size.word(point) if size and name == size.coordinate else _word_coordinate(name, value)
        for name, value in point.items()
    ]
    return "".join(f" {word}" for word in words)


def _word_coordinate(name: str, value: Scalar) -> str:
    """A coordinate with its value; of bytes the name without its unit, with binary prefixes."""
    if name.endswith("_bytes") and not isinstance(value, str):
        return f"{name.removesuffix('_bytes').replace('_', ' ')} {format_binary(float(value))}"
    return f"{name} {value}"


def best(rows: Sequence[Result]) -> Result | None:
    """The best of comparable rows by their median; None of none."""
    if not rows:
        return None
    choose: Callable[..., Result] = max if rows[0].better == "higher" else min
    return choose(rows, key=lambda row: row.median)


def capability(row: Result) -> float:
    """The capability of the machine by a row of rates: for bounds only.

    A bound is the best that a machine can do, not its typical speed: a slow launch does not lower
    it. So it is the upper end of the interval, of unperturbed launches where there are any: with
    fewer than six launches the fastest one, or slightly above it.
    """
    return max(row.median, row.ci_high)


def best_on_most_cores(rows: Sequence[Result]) -> Result | None:
    """The best of the rows that used the most cores of one node; None of none.

    More cores on several nodes are another machine, and count only without such rows.
    """
    rows = [row for row in rows if row.nodes == 1] or rows
    most = max((row.cores for row in rows), default=0)
    return best([row for row in rows if row.cores == most])


def largest(rows: Sequence[Result], coordinate: str) -> Result | None:
    """The row at the largest value of a numeric coordinate; None of none."""
    return max(rows, key=lambda row: float(row.point.get(coordinate, 0)), default=None)


def over(above: Result | float, below: Result | float) -> tuple[float, float, float]:
    """The ratio of two positive rows, or values, with an interval that encloses both intervals."""
    (centre, low, high), (other, least, most) = _ends(above), _ends(below)
    return centre / other, low / most, high / least


def _ends(one: Result | float) -> tuple[float, float, float]:
    return (one.median, one.ci_low, one.ci_high) if isinstance(one, Result) else (one, one, one)


def derive(
    sources: Sequence[Result],
    metric: str,
    unit: str,
    better: Better,
    values: tuple[float, float, float],
    *,
    point: Mapping[str, Scalar],
    share: float | None = None,
) -> Result:
    """A row from a fit, with the verification status of its source rows.

    Args:
        sources: the rows it rests on, at least one; it is of the case of the first.
        values: centre, lower and upper end of its interval.
    """
    centre, low, high = values
    return sources[0].model_copy(
        update={
            "metric": metric,
            "unit": unit,
            "better": better,
            "median": centre,
            "ci_low": low,
            "ci_high": high,
            "q10": low,
            "q90": high,
            "min": low,
            "max": high,
            "n": len(sources),
            "key": sources[0].key.but(point=Point(point)),
            "derived": True,
            "disturbed": any(row.disturbed for row in sources),
            "share_of_ceiling": share,
            "plausible": None,
            "is_ceiling": False,
            "modes": (),
        }
    )


def rename(
    source: Result,
    metric: str,
    point: Mapping[str, Scalar],
    share: float | None,
    *,
    is_ceiling: bool = False,
) -> Result:
    """A measured row under the name of the quantity that it measures."""
    return source.model_copy(
        update={
            "metric": metric,
            "key": source.key.but(point=Point(point)),
            "derived": True,
            "share_of_ceiling": share,
            "plausible": None,
            "is_ceiling": is_ceiling,
        }
    )
