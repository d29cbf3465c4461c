"""Which classes and layouts of an NPB program a profile runs.

Strong scaling is one class on 1, 2, 4 ... all cores; weak scaling is read across the classes; STAR
runs a serial copy on every core at once; the multi-zone programs also share their cores out
between ranks and threads in every way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from heorot.catalogue.settings import budget_seconds, flag, word
from heorot.catalogue.sizes import all_cores, memory_bytes, pace
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
# The largest classes run on all cores only, and only if they take no longer than this [s].
_AFFORDABLE: dict[Profile, float] = {"smoke": 0.0, "quick": 0.0, "standard": 6.0, "full": 1800.0}
# What the system and its file caches leave of the memory.
_USABLE_MEMORY = 0.85


@dataclass(frozen=True)
class Layout:
    """How a class is laid out.

    Attributes:
        name: what the case is called behind its class.
        ranks: MPI ranks.
        threads: OpenMP threads of each.
        copies: whether every rank runs a serial copy.
    """

    name: str
    ranks: int = 1
    threads: int = 1
    copies: bool = False

    @property
    def cores(self) -> int:
        """Cores used."""
        return self.ranks * self.threads


def cases_of(
    needs: Needs, *, quick: str, multi_zone: bool = False
) -> Callable[[Machine, Profile], tuple[Case, ...]]:
    """The cases of a program, as the catalogue wants them.

    Args:
        needs: what its classes need.
        quick: the class that the profile `quick` runs.
        multi_zone: whether threads inside a zone and ranks that have zones are to be mapped.
    """

    def cases(machine: Machine, profile: Profile) -> tuple[Case, ...]:
        cores = all_cores(machine)
        shown = {"smoke": "S", "quick": quick}.get(profile, "A")
        best = _on_all_cores(needs, shown, cores)
        found: dict[tuple[str, int, int, bool], Case] = {}
        for size, layout in _chosen(needs, cores, profile, quick, multi_zone, machine):
            key = (size, layout.ranks, layout.threads, layout.copies)
            priority = _priority(layout, best) if size == shown else "detail"
            found.setdefault(key, _case(needs, size, layout, profile, machine, priority))
        return tuple(found.values())

    return cases


def _chosen(
    needs: Needs, cores: int, profile: Profile, quick: str, multi_zone: bool, machine: Machine
) -> Iterator[tuple[str, Layout]]:
    """Classes with their layouts; of one that comes twice the first name holds."""
    if profile == "smoke":
        yield "S", _on_all_cores(needs, "S", cores)
        return
    if profile == "quick":
        for layout in _basic(needs, quick, cores, multi_zone):
            yield quick, layout
        return
    scaled = ("W", "A") if profile == "standard" else ("W", "A", "B")
    for size in scaled:
        yield from ((size, layout) for layout in _basic(needs, size, cores, multi_zone))
        if cores > 1:
            yield size, Layout("copies", cores, 1, copies=True)
    for size in scaled[1:]:
        for count in _doubling(cores):
            yield size, Layout(f"{count}_cores", *needs.share_out(size, count))
        if multi_zone:
            yield from ((size, layout) for layout in _map(needs, size, cores))
    for size in _large(needs, cores, profile, machine):
        yield size, _on_all_cores(needs, size, cores)


def _large(needs: Needs, cores: int, profile: Profile, machine: Machine) -> Iterator[str]:
    """The classes that run on all cores only."""
    for size in ("B",) if profile == "standard" else ("C", "D"):
        body = needs.body_seconds(size, cores, pace(machine))
        fits = needs.memory_bytes(size, cores, 1) <= _USABLE_MEMORY * memory_bytes(machine)
        # A class that needs more memory is skipped with the reason, the largest is not missed.
        if body <= _AFFORDABLE[profile] and (fits or size != "D"):
            yield size


def _basic(needs: Needs, size: str, cores: int, multi_zone: bool) -> list[Layout]:
    """One core; all cores as ranks, as threads, and half and half."""
    layouts = [Layout("one_core")]
    if cores > 1:
        layouts.append(_on_all_cores(needs, size, cores))
        layouts.append(Layout("all_cores_threads", 1, cores))
    if multi_zone:
        even = [each for each in _map(needs, size, cores) if each.threads == 2]  # noqa: PLR2004
        layouts += even
    return layouts


def _on_all_cores(needs: Needs, size: str, cores: int) -> Layout:
    if cores == 1:
        return Layout("one_core")
    ranks, threads = needs.share_out(size, cores)
    return Layout(f"all_cores_{'ranks' if threads == 1 else 'hybrid'}", ranks, threads)


def _doubling(cores: int) -> Sequence[int]:
    """1, 2, 4 ... and all cores."""
    return [*(1 << i for i in range(cores.bit_length()) if 1 << i < cores), cores]


def _map(needs: Needs, size: str, cores: int) -> list[Layout]:
    """Every way to share all cores out between ranks and threads."""
    return [
        Layout(f"{ranks}x{cores // ranks}", ranks, cores // ranks)
        for ranks in range(2, min(cores - 1, needs.most_ranks[size]) + 1)
        if cores % ranks == 0
    ]


def _priority(layout: Layout, best: Layout) -> Priority:
    """Of the class that the score card shows: all cores, then how it scales to them."""
    if layout == best:
        return "headline"
    return "main" if layout.name.endswith(("one_core", "_cores")) else "detail"


def _case(
    needs: Needs,
    size: str,
    layout: Layout,
    profile: Profile,
    machine: Machine,
    priority: Priority,
) -> Case:
    """A class in a layout, with what it needs."""
    body = needs.body_seconds(size, 1 if layout.copies else layout.cores, pace(machine))
    budget = max(_LEAST_BUDGET[profile], min(_SAMPLES * body, _MOST_BUDGET[profile]))
    options: dict[str, bool | int | float | str] = {"class": size, "budget": round(budget, 3)}
    case = Case(
        name=f"{size}_{layout.name}",
        options=options | ({"star": True} if layout.copies else {}),
        ranks=layout.ranks,
        threads=layout.threads,
        needs_cores=layout.cores,
        priority=priority,
    )
    return estimate_by(needs)(machine, case)


def estimate_by(needs: Needs) -> Callable[[Machine, Case], Case]:
    """What a case of a program needs, as the catalogue wants it.

    Args:
        needs: what its classes need.
    """

    def estimate(machine: Machine, case: Case) -> Case:
        size, copies = word(case, "class", "S"), flag(case, "star")
        if not needs.knows(size):  # the program says what there is
            return case
        cores = 1 if copies else case.ranks * case.threads
        body = needs.body_seconds(size, cores, pace(machine))
        n_ranks, n_threads = case.ranks, case.threads
        return case.model_copy(
            update={
                "memory_bytes": needs.memory_bytes(size, n_ranks, n_threads, copies=copies),
                "working_set_bytes": needs.working_set_bytes(size, n_ranks if copies else 1),
                "seconds": needs.launch_seconds(body, budget_seconds(case), pace(machine)),
            }
        )

    return estimate
