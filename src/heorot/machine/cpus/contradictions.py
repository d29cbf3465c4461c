"""Contradictions in the kernel's reports on CPUs; the affected facts are unknown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from heorot.model.machine.cpulist import format_cpulist

Sets = Mapping[int, frozenset[int]]


def at_odds(sets: Sets) -> frozenset[int]:
    """CPUs whose set differs from that of one of its members, or does not include them.

    Args:
        sets: CPU -> CPUs that its kernel lists as sharing a core or package; empty if none.
    """
    return frozenset(
        cpu
        for cpu, members in sets.items()
        if members
        and (cpu not in members or any(sets.get(other, members) != members for other in members))
    )


def at_odds_by_number(sets: Sets, numbers: Mapping[int, int]) -> frozenset[int]:
    """CPUs of one set that have different numbers.

    Args:
        numbers: number of each CPU's package, as far as known.
    """
    return frozenset(
        cpu
        for cpu, members in sets.items()
        if len({numbers[one] for one in members if one in numbers}) > 1
    )


def agreed(values: Sequence[int]) -> int:
    """The common value of some CPUs; -1 if they differ."""
    return values[0] if len(set(values)) == 1 else -1


def describe_contradictions(
    cores: Sets,
    packages: Sets,
    numbers: Mapping[int, int],
    domains: Mapping[int, Sequence[int]],
) -> Iterator[str]:
    """The contradictions, in clauses.

    Args:
        cores: the CPUs of each CPU's core.
        packages: the CPUs of its package.
        numbers: number of each CPU's package, as far as known.
        domains: NUMA domains that list each CPU.
    """
    if odd := at_odds(cores):
        yield f"CPUs {format_cpulist(odd)} disagree about their cores, which are unknown"
    if odd := at_odds(packages):
        yield f"CPUs {format_cpulist(odd)} disagree about their package, which is unknown"
    elif odd := at_odds_by_number(packages, numbers):
        yield f"CPUs {format_cpulist(odd)} give their package several numbers: it is unknown"
    if odd := frozenset(cpu for cpu, numbers in domains.items() if len(numbers) > 1):
        yield f"CPUs {format_cpulist(odd)} are in several NUMA domains: theirs is unknown"
    for what, known in (
        ("packages", packages),
        ("NUMA domains", {cpu: frozenset(numbers) for cpu, numbers in domains.items()}),
    ):
        split = {
            cpu
            for cpu, core in cores.items()
            if len({known.get(one, frozenset()) for one in core}) > 1
        }
        if split and not at_odds(cores):
            yield f"threads of one core, {format_cpulist(split)}, are in different {what}"
