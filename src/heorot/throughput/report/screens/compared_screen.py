"""The first screen of the page of compared throughput tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from heorot.model.analysis.claims import format_uncertainty
from heorot.report.screens.first_screen import (
    MOST_TROUBLES,
    FirstScreen,
    Tile,
    Trouble,
    tile_of,
)
from heorot.report.sections.configuration import format_time
from heorot.report.wording import count
from heorot.throughput.model.comparison import Against, ComparedQuantity, ThroughputComparison
from heorot.throughput.model.quantities import CORRECTED, HEADLINES, MAKESPAN
from heorot.throughput.report.tables.measured import cell_of

_MOST_TILES = 10
_TONES = {"better": "good", "worse": "bad"}


def compared_screen(comparison: ThroughputComparison) -> FirstScreen:
    """The first screen of compared tests."""
    several = len(comparison.systems) > 1
    tiles = _ratio_tiles(comparison) if several else _own_tiles(comparison)
    return FirstScreen(
        tiles=tuple(tiles)[:_MOST_TILES],
        trust=tuple(_trust(comparison)),
        troubles=tuple(_troubles(comparison))[:MOST_TROUBLES],
        open=tuple(_open(comparison)),
    )


def word_dates(comparison: ThroughputComparison) -> str:
    """The dates on which the tests began."""
    tests = [test for system in comparison.systems for test in system.tests]
    days = sorted({format_time(test.begun)[:10] for test in tests if test.begun is not None})
    return " to ".join(dict.fromkeys([days[0], days[-1]])) if days else "not known"


def _ratio_tiles(comparison: ThroughputComparison) -> Iterator[Tile]:
    """For each headline, the ratio of every further system to the first."""
    known = {one.name: one for one in comparison.of("whole")}
    systems = comparison.systems
    for name in HEADLINES:
        one = known.get(name)
        for place, against in enumerate(one.against if one else ()):
            if one and against:
                yield _ratio_tile(one, against, systems[place].name, systems[0].name)


def _ratio_tile(one: ComparedQuantity, against: Against, other: str, first: str) -> Tile:
    ends = "" if against.low is None else f"95 % interval {against.low:.2f} to {against.high:.2f}"
    return Tile(
        one.name.partition(":")[0],
        f"{against.ratio:.2f}",
        "times",
        uncertainty=format_uncertainty(against.ratio, against.low, against.high),
        interval=ends,
        note=f"{other} / {first}: {against.verdict}",
        target="numbers",
        tone=_TONES.get(against.verdict, "muted"),
    )


def _own_tiles(comparison: ThroughputComparison) -> Iterator[Tile]:
    """The headlines of the only system: centre and range of its tests."""
    known = {one.name: one for one in comparison.of("whole")}
    for one in filter(None, map(known.get, HEADLINES)):
        values = [value for value in one.values[0] if value is not None]
        if values and one.centre(0) is not None:
            ends = [cell_of(end, one.form).text for end in (min(values), max(values))]
            yield tile_of(
                one.name.partition(":")[0],
                cell_of(one.centre(0), one.form).text,
                note=f"{' to '.join(ends)} in {count(len(values), 'test')}",
                target="numbers",
            )


def _trust(comparison: ThroughputComparison) -> Iterator[tuple[str, str]]:
    yield ("same work", "good") if comparison.same_work else ("different work", "bad")
    if comparison.disagreements:
        yield "files contradict their digests", "bad"
    systems = comparison.systems
    n_tests = [len(one.tests) for one in systems]
    tests = count(sum(n_tests), "test")
    single = min(n_tests) < 2  # noqa: PLR2004 (one test shows no spread)
    yield f"{tests} of {count(len(systems), 'system')}", "warn" if single else ""
    for one in systems:
        if one.objection and comparison.same_work:
            yield f"{one.name}: {one.objection}", "bad"


def _troubles(comparison: ThroughputComparison) -> Iterator[Trouble]:
    for line in comparison.disagreements:
        yield Trouble("error", line)
    if not comparison.same_work:
        yield Trouble("error", "The tests ran different work: nothing is judged.", "differing")
    for system in comparison.systems:
        for test in system.tests:
            account = test.account
            if account.n_ok < account.scheduled:
                text = f"{test.name} completed {account.n_ok} of {count(account.scheduled, 'job')}."
                yield Trouble("error", text, "numbers")
    yield from (
        Trouble("warning", f"{one.name} is worse on {comparison.systems[place].name}.", "numbers")
        for one in comparison.of("whole")
        for place, against in enumerate(one.against)
        if against and against.verdict == "worse"
    )


def _open(comparison: ThroughputComparison) -> Iterator[str]:
    whole = [against for one in comparison.quantities for against in one.against if against]
    whys = Counter(one.why for one in whole if one.verdict == "not judged")
    for why, n in whys.most_common(3):
        yield f"{n} of {count(len(whole), 'ratio')} are not judged: {why}."
    n_alike = sum(one.verdict == "indistinguishable" for one in whole)
    if n_alike:
        yield f"{n_alike} of {count(len(whole), 'ratio')} show no significant difference."
    if len(comparison.systems) > 2:  # noqa: PLR2004 (the first and another)
        yield "Systems other than the first are not compared with each other."
    if CORRECTED not in {one.name for one in comparison.of("whole")}:
        return
    yield f"Lost work is in {CORRECTED.lower()}, not in {MAKESPAN.lower()}."
