"""Flops per second over flops per byte, below the roofs of the units and of each level of memory.

A roof slopes upwards where its bandwidth is the limit, and is level where the units are. Points
have the colour and the marker of the level that holds their working set, and a number that a table
explains. Where the bytes that memory moves were counted, a ring with the same number shows the
flops per such byte.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from heorot.model.analysis.extremes import may_equal, overlap
from heorot.model.analysis.node_roofline.levels import LEVELS, MEMORY
from heorot.model.analysis.node_roofline.roofs import BandwidthRoof, FlopPeak, RooflinePoint, Roofs
from heorot.model.catalogue.figure import Figure
from heorot.model.catalogue.labels import label_of
from heorot.report.figures.captions import read_disturbed
from heorot.report.figures.drawing import Drawing, Key, Line, Panel
from heorot.report.figures.kind import Kind, Material
from heorot.report.figures.svg.roofline import svg_roofline
from heorot.report.wording import count, split_interval
from heorot.units import format_quantity

_STYLES = {level: style for style, level in enumerate(LEVELS)}
_UNITS, _UNKNOWN, _BETWEEN, _WAITING = 4, 5, 6, 7
# How far the axes reach beyond the points.
_BEYOND = 2.0
_LEAST_REACH = 4.0
_SAME_PEAK = 1.05
_UNKNOWN_LEVEL = "level unknown"
_TWO_LEVELS = "two levels hold a part each"


def numbered(places: Sequence[RooflinePoint]) -> list[tuple[int, RooflinePoint]]:
    """The places that are drawn, by flops per byte, with the numbers that they have there."""
    drawn = sorted(
        (point for point in places if point.headline and point.share is not None),
        key=lambda point: (point.intensity, point.rate.median),
    )
    return list(enumerate(drawn, start=1))


def _draw(figure: Figure, material: Material, identifier: str) -> Drawing | None:
    """The first roofs of the material, with all its places that stand for programs; None of none.

    Roofs without a place below them are drawn all the same.
    """
    depth = material.depth
    if depth is None or not depth.roofs:
        return None
    roofs = depth.roofs[0]
    places = numbered(depth.points)
    left, right, low = _reach(roofs, [point for _, point in places])
    lines = [*_roof_lines(roofs, left, right, low), *_point_lines(places)]
    return Drawing(
        id=identifier,
        figure=figure,
        unit="flop/s",
        panels=(Panel("", tuple(lines)),),
        keys=tuple(_keys(roofs, lines, [point for _, point in places])),
        summary=_summarise(roofs, [point for _, point in places]),
    )


def _reach(roofs: Roofs, places: Sequence[RooflinePoint]) -> tuple[float, float, float]:
    """The least and the largest intensity, and the least rate, that the axes have room for."""
    peak, rates = roofs.highest.most, [bandwidth.most for bandwidth in roofs.bandwidths]
    # Where the steepest roof ends there is something to see without points, too.
    known = [each for point in places for each in _intensities(point)] or [peak / max(rates)]
    left = min(known) / _BEYOND
    right = max(peak / min(rates) * _LEAST_REACH, _BEYOND * max(known))
    low = min([min(rates) * left, *(point.rate.median / _BEYOND for point in places)])
    return left, right, low


def _intensities(point: RooflinePoint) -> list[float]:
    """By the algorithm, and by what memory moves if that was counted."""
    measured = point.measured_intensity
    return [point.intensity, *([measured] if measured is not None else [])]


def _keys(roofs: Roofs, lines: Sequence[Line], places: Sequence[RooflinePoint]) -> Iterator[Key]:
    """All roofs by name, and what points are in that have none."""
    yield from dict.fromkeys(
        (line.name, line.style) for line in lines if line.shape == "bare" and line.name
    )
    if any(point.neighbour for point in places):
        yield _TWO_LEVELS, _BETWEEN
    for level in dict.fromkeys(point.level for point in places if not point.neighbour):
        if roofs.bandwidth(level) is None:
            name = f"{level}, bandwidth not measured" if level else _UNKNOWN_LEVEL
            yield name, _STYLES.get(level, _UNKNOWN)


def _roof_lines(roofs: Roofs, left: float, right: float, low: float) -> Iterator[Line]:
    peak = roofs.highest.most
    for bandwidth in roofs.bandwidths:
        ridge = min(right, peak / bandwidth.most)
        if ridge > left:
            most = format_quantity(bandwidth.most, "B/s")
            name = f"{bandwidth.level}, up to {most}{_word_kernel(bandwidth)}"
            style = _STYLES.get(bandwidth.level, _UNKNOWN)
            yield _bare(name, style, (left, ridge), (left * bandwidth.most, ridge * bandwidth.most))
    fastest = max(bandwidth.most for bandwidth in roofs.bandwidths)
    name = f"units, up to {format_quantity(peak, 'flop/s')}"
    for label, rate in _widths(roofs.peaks):
        begin = max(left, rate / fastest)
        line = _bare(name, _UNITS, (begin, right), (rate, rate))
        yield replace(line, labels=("", label))  # at its right end
    if roofs.waiting is not None:
        begin = max(left, low / roofs.waiting.rate)
        end = min(right, peak / roofs.waiting.rate)
        if begin < end:
            name = f"dependent loads, {format_quantity(roofs.waiting.rate, 'B/s')}"
            rates = (begin * roofs.waiting.rate, end * roofs.waiting.rate)
            yield _bare(name, _WAITING, (begin, end), rates)


def _word_kernel(bandwidth: BandwidthRoof) -> str:
    """Which kernel reached a roof of memory, and whether its bytes are all of the traffic."""
    if bandwidth.level != MEMORY or not bandwidth.kernel:
        return ""
    missing = ", write-allocate not counted" if bandwidth.traffic > 1.0 else ", all traffic"
    return f" ({label_of(bandwidth.kernel)}{missing})"


def _widths(peaks: Sequence[FlopPeak]) -> list[tuple[str, float]]:
    """What stands at each level roof: widths that compute equally fast have one."""
    groups: list[list[FlopPeak]] = []
    for peak in peaks:
        if groups and groups[-1][0].most <= _SAME_PEAK * peak.most:
            groups[-1].append(peak)
        else:
            groups.append([peak])
    return [(_word_widths(group), group[0].most) for group in groups]


def _word_widths(group: Sequence[FlopPeak]) -> str:
    widths = sorted(peak.vector_bytes for peak in group if peak.vector_bytes)
    return f"vectors of {' and '.join(map(str, widths))} bytes" if widths else "vectors"


def _bare(name: str, style: int, x: tuple[float, ...], y: tuple[float, ...]) -> Line:
    """A roof."""
    return Line.exact(name, x, y, style=style, shape="bare")


def _point_lines(places: Sequence[tuple[int, RooflinePoint]]) -> Iterator[Line]:
    """The points of each level, and those of which two levels hold a part."""
    styles: dict[int, list[tuple[int, RooflinePoint]]] = {}
    for number, point in places:
        style = _BETWEEN if point.neighbour else _STYLES.get(point.level, _UNKNOWN)
        styles.setdefault(style, []).append((number, point))
    for style, members in styles.items():
        points = [(point.intensity, _word(number, point)) for number, point in members]
        yield _points(style, members, points)
        moved = [each for each in members if each[1].measured_intensity is not None]
        if moved:
            points = [
                (point.measured_intensity or 0.0, _word_moved(n, point)) for n, point in moved
            ]
            yield replace(_points(style, moved, points), shape="hollow")


def _points(
    style: int, members: Sequence[tuple[int, RooflinePoint]], points: Sequence[tuple[float, str]]
) -> Line:
    """Points of one level with their intensities and words."""
    places = [point for _, point in members]
    return Line(
        name="",
        style=style,
        x=tuple(x for x, _ in points),
        y=tuple(point.rate.median for point in places),
        low=tuple(point.rate.low for point in places),
        high=tuple(point.rate.high for point in places),
        bounds=(None,) * len(places),
        perturbed=tuple(point.disturbed for point in places),
        texts=tuple(text for _, text in points),
        labels=tuple(str(number) for number, _ in members),
    )


def _word_moved(number: int, point: RooflinePoint) -> str:
    moved = format_quantity(point.measured_intensity)
    name = f"{point.benchmark} {label_of(point.region)}"
    return f"{number}: {name}: {moved} flop/B by measured memory traffic"


def _word(number: int, point: RooflinePoint) -> str:
    rate = point.rate
    value = " ".join(split_interval(rate.median, rate.low, rate.high, "flop/s", point.n_launches))
    where = f" in {point.resident_in}" if point.level else ""
    return (
        f"{number}: {point.benchmark} {label_of(point.region)}, {point.stack}{where}: "
        f"{format_quantity(point.intensity)} flop/B, {value}, "
        f"{_share(point)} of its bound"
    )


def _share(point: RooflinePoint) -> str:
    """Of its bound, with the interval of its launches."""
    share = point.of_bound
    return " ".join(split_interval(share.median, share.low, share.high, "%", point.n_launches))


def _summarise(roofs: Roofs, places: Sequence[RooflinePoint]) -> str:
    who, peak = count(roofs.of.n or 1, roofs.of.noun), format_quantity(roofs.highest.rate, "flop/s")
    limits = f"a peak of {peak} and {count(len(roofs.bandwidths), 'bandwidth')}"
    if not places:
        return f"Of {who} {limits}; no problem that stands for a program was placed below them."
    ordered = sorted(places, key=lambda point: point.share or 0.0)
    first, last = ordered[-1], ordered[0]
    text = (
        f"{count(len(places), 'problem')} on {who} below {limits}. Nearest to its bound: "
        f"{_word_end(first, places)}"
    )
    if len(places) > 1:
        text += f"; farthest: {_word_end(last, places)}"
    return f"{text}."


def _word_end(point: RooflinePoint, places: Sequence[RooflinePoint]) -> str:
    """A share of a bound, and whose it is if no other may equal it."""
    ends = {id(each): (each.of_bound.low, each.of_bound.high) for each in places}
    n_alike = sum(overlap(ends[id(point)], each) for each in ends.values()) - 1
    if n_alike:
        return f"{_share(point)}, {may_equal(n_alike)}"
    return f"{point.benchmark} {label_of(point.region)} with {_share(point)}"


def _read(drawing: Drawing) -> str:
    """Explains lines, colours and numbers."""
    text = (
        "Lines: the measured bandwidth of each level of the memory, and the measured peaks. A "
        "program has the colour and marker of the level that holds its working set, and lies below "
        "its line; with a working set in two levels it lies between their lines or below."
    )
    points = any(line.shape != "bare" for line in drawing.lines)
    text += " Numbers: see the table." if points else ""
    moved = "Rings with a dot: the same by the bytes that memory was seen to move."
    rings = [moved] if any(line.shape == "hollow" for line in drawing.lines) else []
    return " ".join((text, *rings, *read_disturbed(drawing)))


ROOFLINE = Kind(name="roofline", draw=_draw, read=_read, svg=svg_roofline, keys="lines")
