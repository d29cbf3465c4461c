"""Settings that spoil measurements: notes with advice; normal states are no notes."""

from __future__ import annotations

import pytest

from heorot.machine.description.conditions import (
    Condition,
    activity_conditions,
    load_condition,
    node_conditions,
)
from heorot.machine.kernel.activity import NodeActivity
from heorot.model.base import Record
from heorot.model.machine.machine import Limits, Memory, Node, NumaNode, Platform, Processor

QUIET = Node(
    names=("n1",),
    processor=Processor(
        isa="x86_64", n_threads=8, threads_per_core=2, smt=True, boost=True,
        governor="performance", frequency_driver="intel_pstate",
    ),
    numa=(NumaNode(number=0), NumaNode(number=1)),
    memory=Memory(total_bytes=64 << 30, huge_pages="madvise"),
    limits=Limits(n_allowed_cpus=8, allowed_cpus="0-7"),
    platform=Platform(clocksource="tsc", numa_balancing=False),
)  # fmt: skip
STILL = NodeActivity(
    busy_cpus=0.02, stolen=0.0, swapped_bytes=1 << 20, perf_event_paranoid=-1, reads_energy=True
)


def changed(part: str, **fields: object) -> Node:
    piece: Record = getattr(QUIET, part)
    return QUIET.model_copy(update={part: piece.model_copy(update=dict(fields))})


def by_name(found: tuple[Condition, ...]) -> dict[str, Condition]:
    return {each.what: each for each in found}


def test_a_well_set_up_machine_has_no_note() -> None:
    every = (*node_conditions(QUIET), *activity_conditions(STILL, QUIET))
    assert [each for each in every if each.state != "ok" or each.advice] == []
    assert len(by_name(every)) == len(every)


@pytest.mark.parametrize(
    ("part", "fields", "what", "said", "advice"),
    [
        ("processor", {"governor": "powersave"}, "governor", "the clock follows the load",
         "cpupower frequency-set -g performance"),
        ("processor", {"governor": "powersave", "frequency_driver": "acpi-cpufreq"}, "governor",
         "powersave (acpi-cpufreq): the clock stays at its lowest", "cpupower"),
        ("processor", {"governor": "performance, schedutil"}, "governor", "follows", "cpupower"),
        ("memory", {"huge_pages": "never"}, "transparent huge pages", "dTLB misses", "madvise"),
        ("platform", {"numa_balancing": True}, "NUMA balancing", "moves pages",
         "sysctl kernel.numa_balancing=0"),
        ("platform", {"clocksource": "hpet"}, "clock source", "hpet", "log"),
        ("limits", {"cpu_quota": 1.5}, "CPU quota", "1.5 CPUs", "cpuset"),
        ("limits", {"n_allowed_cpus": 2, "allowed_cpus": "0-1"}, "CPU set", "CPUs 0-1 of 8",
         "whole node"),
    ],
)  # fmt: skip
def test_a_setting_that_spoils_is_a_note_with_advice(
    part: str, fields: dict[str, object], what: str, said: str, advice: str
) -> None:
    found = by_name(node_conditions(changed(part, **fields)))
    assert {name for name, each in found.items() if each.state == "note"} == {what}
    assert said in found[what].found
    assert advice in found[what].advice


@pytest.mark.parametrize(
    ("part", "fields", "what", "state"),
    [
        ("processor", {"governor": None, "frequency_driver": None}, "governor", "unknown"),
        ("processor", {"boost": None}, "boost", "unknown"),
        ("processor", {"boost": False}, "boost", "ok"),
        ("processor", {"smt": None}, "SMT", "unknown"),
        ("memory", {"huge_pages": None}, "transparent huge pages", "unknown"),
        ("memory", {"huge_pages": "always"}, "transparent huge pages", "ok"),
        ("platform", {"numa_balancing": None}, "NUMA balancing", "unknown"),
        ("platform", {"clocksource": None}, "clock source", "unknown"),
        ("limits", {"memory_limit_bytes": 8 << 30}, "memory limit", "ok"),
    ],
)
def test_normal_and_unknown_settings_are_no_notes(
    part: str, fields: dict[str, object], what: str, state: str
) -> None:
    found = by_name(node_conditions(changed(part, **fields)))
    assert (found[what].state, found[what].advice) == (state, "")
    assert not any(each.state == "note" for each in found.values())


def test_numa_balancing_does_nothing_on_one_numa_node() -> None:
    node = changed("platform", numa_balancing=True).model_copy(update={"numa": QUIET.numa[:1]})
    assert by_name(node_conditions(node))["NUMA balancing"].state == "ok"


@pytest.mark.parametrize(
    ("activity", "what", "said"),
    [
        (NodeActivity(busy_cpus=1.5), "other load", "1.50 hardware threads busy"),
        (NodeActivity(stolen=0.031), "virtual machine", "unnamed, steal 3.1 %"),
        (NodeActivity(swapped_bytes=2 << 30), "swap in use", "2 GiB"),
        (NodeActivity(perf_event_paranoid=2), "perf_event_paranoid", "2: memory traffic"),
        (NodeActivity(reads_energy=False), "energy (RAPL)", "root only"),
    ],
)
def test_what_goes_on_now_is_a_note(activity: NodeActivity, what: str, said: str) -> None:
    found = by_name(activity_conditions(activity, QUIET))
    assert {name for name, each in found.items() if each.state == "note"} == {what}
    assert said in found[what].found
    assert found[what].advice


def test_a_guest_knows_its_hypervisor_and_root_counts_everything() -> None:
    guest = changed("platform", hypervisor="KVM")
    activity = NodeActivity(stolen=0.0, perf_event_paranoid=2, is_root=True)
    found = by_name(activity_conditions(activity, guest))
    assert found["virtual machine"].found == "KVM, steal 0.0 %"
    assert found["virtual machine"].state == "note"
    assert found["perf_event_paranoid"].state == "ok"


def test_a_kernel_that_tells_nothing_leaves_everything_unknown() -> None:
    found = activity_conditions(
        NodeActivity(), Node(names=("n",), processor=Processor(isa="x86_64"))
    )
    assert {each.what: each.state for each in found} == {
        "other load": "unknown",
        "virtual machine": "ok",
        "swap in use": "unknown",
        "perf_event_paranoid": "unknown",
        "energy (RAPL)": "unknown",
    }


@pytest.mark.parametrize(("load", "state"), [(0.1, "ok"), (3.2, "note")])
def test_other_load_of_a_node_that_was_asked_once(load: float, state: str) -> None:
    assert load_condition(load).state == state
