"""Which classes and layouts of an NPB program a profile runs.

Strong scaling is a class on 1, 2, 4 ... all cores, of the largest classes that end in the profile's
time on this machine; weak scaling is read across the classes; STAR runs a serial copy on every core
at once, for some programs also on 2, 4, ... cores; the multi-zone programs also divide their cores
between ranks and threads in every way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from heorot.catalogue.asked import Asked
from heorot.catalogue.layouts import doubling
from heorot.catalogue.sizes import all_cores, line_rate, pace
from heorot.families.npb.needs import Needs
from heorot.model.catalogue.benchmark import Case, Priority, Profile
from heorot.model.machine.machine import Machine

_SAMPLES = 10
# A short body gets as many samples as fit the first, ten if they fit the second [s].
_LEAST_BUDGET: dict[Profile, float] = {
    "smoke": 0.05,
    "quick": 0.1,
    "standard": 0.4,
    "full": 1.0,
}
_MOST_BUDGET: dict[Profile, float] = {"smoke": 0.05, "quick": 0.2, "standard": 2.0, "full": 5.0}
# Number of classes scaled over the cores, the largest with two core counts or more in time.
_SCALED: dict[Profile, int] = {"standard": 2, "full": 3}
_ALWAYS, _LARGER = ("W", "A"), ("B", "C", "D", "E")
# A body on fewer than all cores takes no longer than this [s].
_LONGEST_IN_CURVE: dict[Profile, float] = {"standard": 12.0, "full": 150.0}
# Larger classes run on all cores only, and only if a launch takes no longer than this [s].
_LONGEST_ON_ALL: dict[Profile, float] = {"standard": 8.0, "full": 2000.0}
# The classes of the score card, of a long profile even if they are not scaled anyway.
_SHOWN = "A"
# The profile quick runs it if a body on one core takes no longer than this; if only one on all
# cores does, it runs only that [s].
_LONGEST_IN_QUICK, _LONGEST_ON_ALL_IN_QUICK = 0.8, 1.2


@dataclass(frozen=True)
class Layout:
    """A layout of a class.

    Attributes:
        name: of the case, after its class.
        copies: whether every rank runs a serial copy.
        nodes: nodes over which the ranks are spread.
    """

    name: str
    ranks: int = 1
    threads: int = 1
    copies: bool = False
    nodes: int = 1

    @property
    def cores(self) -> int:
        """Cores used."""
        return self.ranks * self.threads


@dataclass(frozen=True)
class Ways:
    """Layouts of classes besides the usual ones.

    Attributes:
        zones: whether ranks with zones and threads inside one are mapped.
        copies: whether copies run on 2, 4, ... cores too.
    """

    zones: bool = False
    copies: bool = False


USUAL = Ways()


def cases_of(
    needs: Needs, *, quick: str, ways: Ways = USUAL
) -> Callable[[Machine, Profile], tuple[Case, ...]]:
    """The cases of a program, for the catalogue.

    Args:
        quick: the class that the profile `quick` runs if the one of the score card takes too long.
        ways: of longer profiles; zones are mapped in all.
    """

    def cases(machine: Machine, profile: Profile) -> tuple[Case, ...]:
        cores = all_cores(machine)
        in_quick = quick_class(needs, machine, quick)
        shown = {"smoke": "S", "quick": in_quick}.get(profile, _SHOWN)
        best = _on_all_cores(needs, shown, cores)
        found: dict[tuple[str, int, int, bool], Case] = {}
        for size, layout in _chosen(needs, cores, profile, in_quick, ways, machine):
            key = (size, layout.ranks, layout.threads, layout.copies)
            priority = _priority(layout, best) if size == shown else "detail"
            if priority == "headline" and profile == "quick" and size != _SHOWN:
                priority = "main"  # too small to judge, and so not on the score card
            found.setdefault(key, case_of(needs, size, layout, profile, machine, priority))
        return tuple(found.values())

    return cases


def _chosen(
    needs: Needs, cores: int, profile: Profile, quick: str, ways: Ways, machine: Machine
) -> Iterator[tuple[str, Layout]]:
    """Classes with their layouts; duplicates keep the first name."""
    if profile == "smoke":
        yield "S", _on_all_cores(needs, "S", cores)
        return
    if profile == "quick":
        whole = quick != _SHOWN or needs.body_seconds(quick, 1, pace(machine)) <= _LONGEST_IN_QUICK
        layouts = _basic(needs, quick, cores, ways) if whole else ()
        for layout in layouts or (_on_all_cores(needs, quick, cores),):
            yield quick, layout
        return
    scaled = _scaled(needs, cores, profile, machine)
    if _SHOWN not in scaled:
        yield from ((_SHOWN, layout) for layout in _basic(needs, _SHOWN, cores, ways))
    for size in scaled:
        least = _least_cores(needs, size, cores, profile, machine)
        for layout in _spread(needs, size, cores, ways):
            if (1 if layout.copies else layout.cores) >= least:
                yield size, layout
    for size in _LARGER:
        body = needs.body_seconds(size, cores, pace(machine))
        launch = needs.launch_seconds(body, 0.0, pace(machine))
        if size > scaled[-1] and launch <= _LONGEST_ON_ALL[profile]:
            yield size, _on_all_cores(needs, size, cores)


def quick_class(needs: Needs, machine: Machine, least: str) -> str:
    """The class that the profile `quick` runs: that of the score card where it fits the time."""
    cores = all_cores(machine)
    alone, together = (needs.body_seconds(_SHOWN, n, pace(machine)) for n in (1, cores))
    fits = alone <= _LONGEST_IN_QUICK or (cores > 1 and together <= _LONGEST_ON_ALL_IN_QUICK)
    return _SHOWN if fits else least


def _spread(needs: Needs, size: str, cores: int, ways: Ways) -> Iterator[Layout]:
    """A class over the cores in all ways; the smallest one only for the scaling beyond it."""
    yield from _basic(needs, size, cores, ways)
    if cores > 1:
        yield Layout("copies", cores, 1, copies=True)
    for count in doubling(cores)[1:-1] if ways.copies else ():
        yield Layout(f"{count}_copies", count, 1, copies=True)
    if size == _ALWAYS[0]:
        return
    for count in doubling(cores):
        yield Layout(f"{count}_cores", *needs.share_out(size, count))
    if ways.zones:
        yield from _map(needs, size, cores)


def _scaled(needs: Needs, cores: int, profile: Profile, machine: Machine) -> Sequence[str]:
    """The classes that are scaled over the cores, smallest first.

    Memory is not considered: the plan skips cases that do not fit, with the reason.
    """
    larger = [
        size
        for size in _LARGER
        if _least_cores(needs, size, cores, profile, machine) <= max(1, cores // 2)
    ]
    return [*_ALWAYS, *larger][-_SCALED[profile] :]


def _least_cores(needs: Needs, size: str, cores: int, profile: Profile, machine: Machine) -> int:
    """Least number of cores on which a body ends in the time allowed for a curve."""
    if size in _ALWAYS:
        return 1
    longest = _LONGEST_IN_CURVE[profile]
    counts = doubling(cores)
    in_time = (n for n in counts if needs.body_seconds(size, n, pace(machine)) <= longest)
    return next(in_time, cores + 1)


def _basic(needs: Needs, size: str, cores: int, ways: Ways) -> list[Layout]:
    """One core; all cores as ranks, as threads, and half and half."""
    layouts = [Layout("one_core")]
    if cores > 1:
        layouts.append(_on_all_cores(needs, size, cores))
        layouts.append(Layout("all_cores_threads", 1, cores))
    if ways.zones:
        even = [each for each in _map(needs, size, cores) if each.threads == 2]  # noqa: PLR2004
        layouts += even
    return layouts


def _on_all_cores(needs: Needs, size: str, cores: int) -> Layout:
    if cores == 1:
        return Layout("one_core")
    ranks, threads = needs.share_out(size, cores)
    return Layout(f"all_cores_{'ranks' if threads == 1 else 'hybrid'}", ranks, threads)


def _map(needs: Needs, size: str, cores: int) -> list[Layout]:
    """Every division of all cores between ranks and threads."""
    return [
        Layout(f"{ranks}x{cores // ranks}", ranks, cores // ranks)
        for ranks in range(2, min(cores - 1, needs.ranks_at_most(size)) + 1)
        if cores % ranks == 0
    ]


def _priority(layout: Layout, best: Layout) -> Priority:
    """For the class of the score card: all cores, then how it scales to them."""
    if layout == best:
        return "headline"
    return "main" if layout.name.endswith(("one_core", "_cores")) else "detail"


def case_of(
    needs: Needs,
    size: str,
    layout: Layout,
    profile: Profile,
    machine: Machine,
    priority: Priority,
) -> Case:
    """A class in a layout, with its needs."""
    body = needs.body_seconds(size, 1 if layout.copies else layout.cores, pace(machine))
    budget = max(_LEAST_BUDGET[profile], min(_SAMPLES * body, _MOST_BUDGET[profile]))
    options: dict[str, bool | int | float | str] = {"class": size, "budget": round(budget, 3)}
    case = Case(
        name=f"{size}_{layout.name}",
        options=options | ({"star": True} if layout.copies else {}),
        ranks=layout.ranks,
        threads=layout.threads,
        nodes=layout.nodes,
        priority=priority,
    )
    return estimate_by(needs)(machine, case)


def estimate_by(needs: Needs) -> Callable[[Machine, Case], Case]:
    """The needs of a program's case, for the catalogue."""

    def estimate(machine: Machine, case: Case) -> Case:
        asked = Asked(needs.program, case)
        cores = 1 if asked.flag("star") else case.ranks * case.threads
        size = asked.word("class")
        body = needs.body_seconds(size, cores, pace(machine))
        if not body:  # its default is the program's own
            return case
        if case.nodes > 1:
            # Waiting for messages takes at least as long as computing, as far as known.
            body += max(body, needs.sends(size, case.nodes) / line_rate(machine))
        return asked.estimated(needs.launch_seconds(body, asked.budget_seconds, pace(machine)))

    return estimate
