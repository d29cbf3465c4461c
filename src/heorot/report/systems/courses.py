"""Several systems over sizes: by how much each is ahead of the first, a colour for each system."""

from __future__ import annotations

import math

from heorot.model.analysis.studies.courses import Course
from heorot.model.analysis.studies.systems import SideBySide, lead_of
from heorot.model.catalogue.figure import Figure
from heorot.report.figures.drawing import Drawing, Line, Panel
from heorot.report.wording import count, word_name, word_point

_MOST_PANELS = 24


def draw_courses(side: SideBySide) -> list[Drawing]:
    """A drawing for each coordinate, such as the size of messages, with a panel for each quantity.

    Quantities whose better side changes come first, then those that differ most.
    """
    drawn: dict[str, dict[str, list[tuple[int, Course]]]] = {}
    for other, comparison in enumerate(side.comparisons, start=1):
        for course in comparison.courses:
            panels = drawn.setdefault(course.coordinate, {})
            panels.setdefault(_title(course), []).append((other, course))
    return [_draw(side, coordinate, panels) for coordinate, panels in drawn.items()]


def _title(one: Course) -> str:
    quantity = f"{one.benchmark} {word_name(one.region)}, {word_name(one.metric)}"
    return ", ".join(filter(None, (quantity, word_point(one.point), one.setup.layout)))


def _draw(
    side: SideBySide, coordinate: str, panels: dict[str, list[tuple[int, Course]]]
) -> Drawing:
    ordered = sorted(panels.items(), key=lambda panel: _gravity([one for _, one in panel[1]]))
    kept = ordered[:_MOST_PANELS]
    n_more, n_curves = len(ordered) - len(kept), sum(len(courses) for _, courses in kept)
    words = word_name(coordinate)
    return Drawing(
        id=f"courses-{coordinate.replace('_', '-')}",
        figure=Figure(
            title=f"Advantage over A by {words}",
            kind="curve",
            metric="advantage",
            x=coordinate,
            x_label=words,
            log_x=True,
        ),
        unit="%",
        panels=tuple(
            Panel(title, tuple(_line(side.labels[other], other, one) for other, one in courses))
            for title, courses in kept
        ),
        keys=tuple((label, style) for style, label in enumerate(side.labels) if style),
        summary=f"By how much each system is ahead of {side.labels[0]}, over {words}: "
        f"{count(n_curves, 'curve')} in {count(len(kept), 'panel')}. Below 0 the first is ahead by "
        "so much.",
        omitted=f"{count(n_more, 'more panel')} in the table only." if n_more else "",
    )


def _gravity(courses: list[Course]) -> tuple[int, float]:
    """Those whose better side changes first, then those that differ most."""
    changes = max(len(one.crossings) for one in courses)
    return -changes, -max(abs(math.log(one.most_ratio)) for one in courses)


def _line(label: str, style: int, course: Course) -> Line:
    # Nothing has no place on a logarithmic axis.
    points = [point for point in course.points if point.at > 0.0]
    return Line(
        name=label,
        style=style,
        x=tuple(point.at for point in points),
        y=tuple(lead_of(point.ratio) for point in points),
        low=tuple(lead_of(point.low) for point in points),
        high=tuple(lead_of(point.high) for point in points),
        bounds=(None,) * len(points),
        perturbed=tuple(point.disturbed for point in points),
        launches=tuple(point.launches for point in points),
    )
