"""Bimodal results, grouped by the launches of each mode."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from heorot.analyse.templates import validity as templates
from heorot.analyse.templates.quantities import limit
from heorot.model.analysis.result import Finding, Result
from heorot.model.catalogue.labels import label_of
from heorot.model.grouping import group_by
from heorot.model.run.identity import Setup
from heorot.model.run.outcome import Outcome
from heorot.model.run.plan import Step

LAUNCHES_TO_DIVIDE = 4
"""With fewer launches two groups cannot be distinguished."""

_MOST_EVIDENCE = 6
_MOST_ROWS = 40

# Launches in the lower mode, and in the higher; none if every launch has both.
_Division = tuple[Setup, tuple[int, ...], tuple[int, ...]]


def find_divided(
    results: Sequence[Result], outcomes: Sequence[Outcome], steps: Mapping[str, Step]
) -> list[Finding]:
    """One finding on all bimodal results; those with the same launches per mode share a row."""
    found = [row for row in results if row.modes]
    if not found:
        return []
    groups = group_by(found, _division)
    tested = sum(row.n_launches >= LAUNCHES_TO_DIVIDE for row in results)
    places = _placements(outcomes, steps)
    return [
        templates.TWO_MODES(
            evidence=[row.id for row in found[:_MOST_EVIDENCE]],
            affected=[row.benchmark for row in found],
            rows=(_row(*each, places) for each in [*groups.items()][:_MOST_ROWS]),
            n=len(found),
            n_results=len(results),
            tested=tested,
            least=limit(LAUNCHES_TO_DIVIDE),
        )
    ]


def _division(row: Result) -> _Division:
    low, high = (mode.launches for mode in row.modes)
    key = row.setup
    return (key, (), ()) if set(low) & set(high) or not low or not high else (key, low, high)


def _row(
    division: _Division, rows: Sequence[Result], places: Mapping[tuple[Setup, int], _Placement]
) -> tuple[str, ...]:
    setup, low, high = division
    furthest = max(rows, key=lambda row: row.modes[1].median / row.modes[0].median)
    metric = label_of(furthest.metric).replace("_", " ")
    named = f"{label_of(furthest.region)} {metric}: {furthest.caution}"
    apart = f"{_listed(low)} against {_listed(high)}" if low else "both values in a launch"
    differs = _differing(*([places.get((setup, one)) for one in side] for side in (low, high)))
    return setup.benchmark, setup.case, apart, str(len(rows)), named, differs if low else ""


def _listed(launches: Sequence[int]) -> str:
    return ", ".join(map(str, launches))


# Hosts, and cores on them.
_Placement = tuple[frozenset[str], frozenset[tuple[str, int]]]


def _placements(
    outcomes: Sequence[Outcome], steps: Mapping[str, Step]
) -> dict[tuple[Setup, int], _Placement]:
    """The placement of the ranks of each launch, of several attempts the last."""
    found: dict[tuple[Setup, int], _Placement] = {}
    for outcome in outcomes:
        step = steps.get(outcome.step)
        if step is None or outcome.run is None or not outcome.run.placement:
            continue
        ranks = outcome.run.placement
        found[step.setup, step.launch] = (
            frozenset(rank.host for rank in ranks),
            frozenset((rank.host, cpu) for rank in ranks for cpu in rank.cpus),
        )
    return found


def _differing(low: Sequence[_Placement | None], high: Sequence[_Placement | None]) -> str:
    """The recorded properties that no launch of one side shares with any of the other."""
    sides = [[place for place in side if place is not None] for side in (low, high)]
    if not all(sides):
        return "not recorded"
    for number, name in enumerate(("nodes", "cores")):
        ours, theirs = (frozenset().union(*(place[number] for place in side)) for side in sides)
        if not ours & theirs:
            return name
    return "neither nodes nor cores"
