"""Contradictions in what a kernel reports of its CPUs: what they concern is unknown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from heorot.model.machine.cpulist import format_cpulist

Sets = Mapping[int, frozenset[int]]


def at_odds(sets: Sets) -> frozenset[int]:
    """CPUs whose set is not that of all its members, or does not have them.

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
        numbers: of what each CPU is in, as far as known.
    """
    return frozenset(
        cpu
        for cpu, members in sets.items()
        if len({numbers[one] for one in members if one in numbers}) > 1
    )


def agreed(values: Sequence[int]) -> int:
    """What all of some CPUs have alike; -1 if they differ."""
    return values[0] if len(set(values)) == 1 else -1


def describe_doubts(
    cores: Sets,
    packages: Sets,
    numbers: Mapping[int, int],
    domains: Mapping[int, Sequence[int]],
) -> Iterator[str]:
    """What contradicts itself, in clauses.

    Args:
        cores: the CPUs of each CPU's core.
        packages: the same of its package.
        numbers: of the package of each CPU, as far as known.
        domains: NUMA domains that list each CPU.
    """
    if odd := at_odds(cores):
        yield f"CPUs {format_cpulist(odd)} do not agree on who makes a core: cores are not known"
    if odd := at_odds(packages):
        yield f"CPUs {format_cpulist(odd)} do not agree on who makes a package: it is not known"
    elif odd := at_odds_by_number(packages, numbers):
        yield f"CPUs {format_cpulist(odd)} of one package give it several numbers: it is not known"
    if odd := frozenset(cpu for cpu, numbers in domains.items() if len(numbers) > 1):
        yield f"CPUs {format_cpulist(odd)} are in several NUMA domains: theirs is not known"
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
