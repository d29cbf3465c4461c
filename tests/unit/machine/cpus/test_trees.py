"""Invariants of every tree of /proc and /sys: counted cores are the cores that get ranks.

Set HEOROT_TREES to a directory above trees of real machines, such as the unpacked tarballs of hwloc
(tests/hwloc/linux) and util-linux (tests/ts/lscpu/dumps), to test these, too.
"""

from __future__ import annotations

import os
import subprocess
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from heorot.errors import SetupError
from heorot.launch.placement import allowed_cpus, place
from heorot.machine.describe import read_node
from heorot.machine.description.table import processor_text
from heorot.model.machine.cpulist import parse_cpulist
from heorot.model.machine.machine import Node
from tests.unit.machine.cpus.trees import TREES, plant_tree

OWN = Path(__file__).parents[3] / "samples/machine"
GIVEN = Path(os.environ.get("HEOROT_TREES", "/nowhere"))


def real_trees() -> list[Path]:
    """Our own captures with a list of CPUs, and further trees of the user."""
    cpus = "sys/devices/system/cpu"
    own = [file.parents[4] for file in OWN.glob(f"*/{cpus}/online")]
    depths = ("*/", "*/*/", "*/*/*/")
    given = [cpu.parents[3] for depth in depths for cpu in GIVEN.glob(f"{depth}{cpus}")]
    return sorted(own) + sorted(given)


def owners(node: Node) -> dict[int, int]:
    """The core of each CPU."""
    return {cpu: n for n, core in enumerate(node.usable_cores) for cpu in core.cpus}


def broken_rules(node: Node) -> Iterator[str]:
    """Violated invariants of a node's counting and placing; empty if all hold."""
    usable, core_of = node.limits.n_usable_cores, owners(node)
    online = {cpu for group in node.cores for text in group.cpus for cpu in parse_cpulist(text)}
    if len(core_of) != sum(len(core.cpus) for core in node.usable_cores):
        yield "a CPU is in two cores"
    if set(allowed_cpus(node)) != set(core_of):
        yield "an allowed CPU is in no core"
    if place(node, usable + 1, 1) and node.limits.cpu_quota is None:
        yield "more are placed than counted"
    for threads in sorted({1, 2, 3, 4, 5, 6, 8, 10, 16, usable // 2, usable} - {0}):
        for ranks in sorted({1, 2, 3, usable // threads} - {0}):
            if ranks * threads <= usable:
                yield from _wrong_places(node, place(node, ranks, threads), ranks, threads, online)


def _wrong_places(
    node: Node, places: Sequence[Sequence[int]], ranks: int, threads: int, online: set[int]
) -> Iterator[str]:
    core_of, what = owners(node), f"{ranks} x {threads}"
    used = [{core_of[cpu] for cpu in cpus if cpu in core_of} for cpus in places]
    if len(places) != ranks:
        yield f"{what}: {len(places)} placed"
    if any(not set(cpus) <= online for cpus in places):
        yield f"{what}: a CPU off line"
    if sum(map(len, used)) != len(set().union(*used)) or any(len(own) != threads for own in used):
        yield f"{what}: ranks share cores"
    domain = [core.domain for core in node.usable_cores]
    room = sum(n // threads for n in Counter(domain).values())
    astray = sum(len({domain[core] for core in own}) > 1 for own in used)
    if astray > max(0, ranks - room):
        yield f"{what}: {astray} ranks span domains, {room} fit one"


# The tree with most cores takes half a second.
_LARGEST = max(TREES, key=lambda name: TREES[name].n_usable)


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.slow] * (name == _LARGEST)) for name in TREES],
)
def test_what_is_counted_is_placed(tmp_path: Path, name: str) -> None:
    tree = TREES[name]
    node = read_node(plant_tree(tmp_path, tree), "x86_64", "n1")
    assert node.limits.n_usable_cores == tree.n_usable
    assert node.processor.n_sockets == tree.n_sockets
    kinds: Counter[str] = Counter()
    for group in node.cores:
        kinds[group.kind] += len(group.cpus)
    assert tuple(kinds.items()) == tree.kinds or (not tree.kinds and set(kinds) == {""})
    assert list(broken_rules(node)) == []
    for kind, n in tree.kinds:
        own = {core.cpus for core in node.usable_cores if core.kind == kind}
        assert set(place(node, n, 1, kind)) == own
        assert place(node, n + 1, 1, kind) == ()


@pytest.mark.waiting
@pytest.mark.parametrize("root", real_trees(), ids=lambda root: root.name)
def test_it_is_so_on_real_machines(root: Path) -> None:
    """Counts are lscpu's, which numbers the cores of each type anew."""
    node = read_node(root, "x86_64", "n1")
    assert list(broken_rules(node)) == []
    words = ["lscpu", "--sysroot", str(root), "--parse=CPU,CORE,SOCKET"]
    printed = subprocess.run(words, capture_output=True, text=True, check=False).stdout.splitlines()
    lines = [line.split(",") for line in printed if line and not line.startswith("#")]
    # It prints nothing of some old kernels, and little where the numbers of cores are -1.
    assert len(lines) in (node.processor.n_threads, 0)
    if all(core for _, core, _ in lines) and lines and not node.cores[0].kind:
        assert len({(core, socket) for _, core, socket in lines}) == node.processor.n_cores


def test_where_ranks_go(tmp_path: Path) -> None:
    def ranks(name: str, n: int, threads: int) -> tuple[tuple[int, ...], ...]:
        return place(read_node(plant_tree(tmp_path / name[:9], TREES[name]), "", "n"), n, threads)

    off = "SMT off, siblings next to each other"
    assert ranks(off, 4, 1) == ((0,), (2,), (4,), (6,))
    anew = "a container that counts its CPUs anew"
    assert ranks(anew, 2, 1) == ((8, 24), (9, 25))
    alternate = ranks("firmware that numbers CPUs alternately over four sockets", 4, 10)
    assert alternate == tuple(tuple(range(n, 40, 4)) for n in range(4))
    sockets = ranks("two sockets without NUMA, numbered alternately", 2, 3)
    assert sockets == ((0, 2, 4), (1, 3, 5))
    hybrid = "P and E cores that the kernel lists"
    assert ranks(hybrid, 7, 1)[5:] == ((10, 11), (12,))


def test_the_fastest_cores_come_first(tmp_path: Path) -> None:
    tree = TREES["a phone: clusters of three designs that look like packages"]
    assert place(read_node(plant_tree(tmp_path, tree), "aarch64", "n1"), 2, 1) == ((7,), (3,))


def test_the_types_of_cores_are_named(tmp_path: Path) -> None:
    tree = TREES["P and E cores that the kernel lists"]
    text = processor_text(read_node(plant_tree(tmp_path, tree), "x86_64", "n1"))
    assert text == ("1 socket, 14 cores, 20 hardware threads, 6 of kind P-core, 8 of kind E-core")


def test_no_cpu_to_run_on_is_an_error_that_says_so(tmp_path: Path) -> None:
    status = tmp_path / "proc/self/status"
    plant_tree(tmp_path, TREES["SMT off, siblings next to each other"])
    status.write_text("Cpus_allowed_list:\t1,3\n")
    with pytest.raises(SetupError, match=r"may use \(1,3\) none is online \(0,2,4,6\)"):
        read_node(tmp_path, "x86_64", "n1")
