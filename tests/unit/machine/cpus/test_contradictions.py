"""A kernel that contradicts itself: the affected facts are unknown, and that is reported."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from heorot.launch.placement import place
from heorot.machine.describe import read_node
from heorot.machine.description.table import summary_rows
from heorot.model.machine.machine import Machine, Node
from tests.unit.machine.cpus.trees import SYS, TREES, Tree, each, groups, plant_tree

# Two packages and domains of two cores with two threads each.
PLAIN = Tree(
    groups(4, size=2),
    4,
    sockets={0: "0-3", 1: "4-7"},
    domains={0: "0-3", 1: "4-7"},
    online="0-7",
    n_sockets=2,
)


def read(tmp_path: Path, **files: str) -> Node:
    return read_node(plant_tree(tmp_path, replace(PLAIN, files=files)), "x86_64", "n1")


def domains_of(node: Node) -> dict[int, int | None]:
    return {cpu: core.domain for core in node.usable_cores for cpu in core.cpus}


def sockets_of(node: Node) -> set[int | None]:
    return {core.socket for core in node.usable_cores}


def test_a_kernel_that_agrees_with_itself_leaves_no_doubt(tmp_path: Path) -> None:
    node = read(tmp_path)
    assert node.doubts == ()
    assert (node.processor.n_sockets, node.processor.n_cores, sockets_of(node)) == (2, 4, {0, 1})


@pytest.mark.parametrize(
    ("files", "odd"),
    [
        ({f"{SYS}/node/node1/cpulist": "3-7"}, "3"),
        ({f"{SYS}/node/node1/cpulist": "0-7"}, "0-3"),
        ({f"{SYS}/node/node2/cpulist": "6-7"}, "6-7"),
    ],
)
def test_a_cpu_in_several_domains_has_none(tmp_path: Path, files: dict[str, str], odd: str) -> None:
    node = read(tmp_path, **files)
    assert f"CPUs {odd} are in several NUMA domains: theirs is unknown" in node.doubts
    numbers = {int(text) for part in odd.split(",") for text in part.split("-")}
    assert all(domains_of(node)[cpu] is None for cpu in numbers)
    assert node.limits.n_usable_cores == len(place(node, 4, 1)) == 4


def test_a_core_in_two_domains_has_none(tmp_path: Path) -> None:
    files = {f"{SYS}/node/node0/cpulist": "0-2", f"{SYS}/node/node1/cpulist": "3-7"}
    node = read(tmp_path, **files)
    assert node.doubts == ("threads of one core, 2-3, are in different NUMA domains",)
    assert domains_of(node) == {0: 0, 1: 0, 2: None, 3: None, 4: 1, 5: 1, 6: 1, 7: 1}


@pytest.mark.parametrize(
    "files",
    [
        each("0", "topology/core_siblings_list", "0-1"),  # others have 0-3
        each("0-3", "topology/core_siblings_list", "0-4"),  # 4 has 4-7
        each("4", "topology/core_siblings_list", "5-7"),  # not in its own
        each("1", "topology/physical_package_id", "7"),  # another number in the same set
        each("0", "topology/core_siblings_list", "4-7"),
    ],
)
def test_packages_that_overlap_are_not_counted(tmp_path: Path, files: dict[str, str]) -> None:
    node = read(tmp_path, **files)
    assert node.processor.n_sockets is None
    assert sockets_of(node) == {None}
    assert any("package" in each and "unknown" in each for each in node.doubts)
    assert node.processor.n_cores == 4


@pytest.mark.parametrize(
    "files",
    [
        each("0", "topology/thread_siblings_list", "0-2"),
        each("1", "topology/thread_siblings_list", "1-2"),
        each("0-1", "topology/thread_siblings_list", "2-3"),
        each("0-7", "topology/thread_siblings_list", "0"),
    ],
)
def test_cores_that_overlap_are_not_counted(tmp_path: Path, files: dict[str, str]) -> None:
    node = read(tmp_path, **files)
    assert node.processor.n_cores is node.processor.threads_per_core is None
    assert any("about their cores, which are unknown" in each for each in node.doubts)
    assert len({cpu for core in node.usable_cores for cpu in core.cpus}) == 8


def test_what_contradicts_is_in_the_table(tmp_path: Path) -> None:
    tree = TREES["firmware that puts all CPUs into each of two domains"]
    node = read_node(plant_tree(tmp_path, tree), "x86_64", "n1")
    rows = summary_rows(Machine(hostname="n1", nodes=(node,)))
    assert ("Contradiction", node.doubts[0]) in rows
    assert "CPUs 0-7 are in several NUMA domains" in node.doubts[0]
