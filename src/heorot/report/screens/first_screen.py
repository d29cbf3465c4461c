"""The first screen of a page: key numbers, trust, what is wrong, what is not covered."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from heorot.model.analysis.claims import format_uncertainty
from heorot.model.analysis.result import Finding
from heorot.report.screens.findings import group_findings
from heorot.report.wording import bind_units

MOST_TROUBLES = 3
"""So many findings stand on the first screen."""

# A value, and behind it the ends of its interval, none below zero, with its launches.
_TIME = r"(?: (?:ns|µs|ms|min|s|h|d)\b)"
_INTERVAL = re.compile(
    rf"(?P<value>\d[\d,.]*{_TIME}?(?: \d+{_TIME})?)(?P<unit> [^\d\s\[\]]+)?"
    r"(?P<ends> \[(?P<low>\d[^\[\]]*?)(?:, |…| to )(?P<high>\d[^\[\]]*?)(?:(?:;| in )[^\]]+)?\])"
)
_PART = re.compile(r"(\d[\d,]*(?:\.\d+)?)(?: (ns|µs|ms|min|s|h|d)\b)?")
_SECONDS = {"ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0}


@dataclass(frozen=True)
class Tile:
    """One number that matters.

    Attributes:
        name: of the metric.
        value: the number.
        uncertainty: such as `±3 %`; empty if it has none.
        interval: the exact one, shown on hover.
        share: of what bounds it, drawn as a bar [1]; None without.
        note: what the number is compared with.
        target: fragment of the page with its evidence.
        tone: `good`, `bad`, `warn`, `muted` or empty.
    """

    name: str
    value: str
    unit: str = ""
    uncertainty: str = ""
    interval: str = ""
    share: float | None = None
    note: str = ""
    target: str = ""
    tone: str = ""


@dataclass(frozen=True)
class Trouble:
    """Something that is wrong, in a line.

    Attributes:
        severity: `error`, `warning` or `note`.
        target: fragment of the page with the rest of it.
    """

    severity: str
    text: str
    target: str = ""


@dataclass(frozen=True)
class FirstScreen:
    """What a reader sees before scrolling.

    Attributes:
        trust: whether the numbers can be trusted, in one line of clauses with their tones.
        troubles: the heaviest findings, at most three.
        open: what was not covered, or cannot be concluded, in short sentences.
    """

    tiles: tuple[Tile, ...]
    trust: tuple[tuple[str, str], ...]
    troubles: tuple[Trouble, ...]
    open: tuple[str, ...]


def heaviest(findings: Sequence[Finding]) -> tuple[Trouble, ...]:
    """The heaviest findings, by severity; `finding-N` is where the rest of them stands."""
    return tuple(
        Trouble(one.first.severity, one.text, f"finding-{one.number}")
        for one in group_findings(findings)[:MOST_TROUBLES]
    )


def tile_of(name: str, text: str, **more: str | float | None) -> Tile:
    """A tile from a number with its unit, such as `43.6 min`; a number alone has no unit."""
    value, _, unit = text.partition(" ")
    return Tile(name, value, unit, **more)  # type: ignore[arg-type]


def mute_intervals(text: str) -> Markup:
    """A sentence with every interval as muted per cent; the exact one is shown on hover."""
    parts, end = Markup(""), 0
    for match in _INTERVAL.finditer(text):
        is_time = _SECONDS.keys() & {unit for _, unit in _PART.findall(match["high"])}
        values = [_parse(match[name], is_time=bool(is_time)) for name in ("value", "low", "high")]
        shown = Markup('<span class="pm" title="{}">{}</span>').format(
            match["ends"].strip(" []"), bind_units(format_uncertainty(*values))
        )
        parts += bind_units(f"{text[end : match.start('ends')]} ") + shown
        end = match.end()
    return parts + bind_units(text[end:])


def _parse(text: str, *, is_time: bool) -> float:
    """A number, or a duration such as `1 min 5 s` [s]."""
    found = [(float(number.replace(",", "")), unit) for number, unit in _PART.findall(text)]
    if not is_time:
        return found[0][0]
    return sum(number * _SECONDS.get(unit, 1.0) for number, unit in found)
