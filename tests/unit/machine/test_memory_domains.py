"""The NUMA nodes whose memory a process may use, by its own mask and its control groups."""

from __future__ import annotations

from pathlib import Path

import pytest

from heorot.machine.cpus.topology import Cpus
from heorot.machine.describe import read_node
from heorot.machine.limits import read_limits
from heorot.machine.memory import read_memory
from heorot.machine.numa import read_allowed_domains

KIB = 1024
MEMINFO = """Node {n} MemTotal:       {total} kB
Node {n} MemFree:        {free} kB
Node {n} MemUsed:        1 kB
Node {n} Active(anon):   5000 kB
Node {n} Inactive(anon): 6000 kB
Node {n} Active(file):   30 kB
Node {n} Inactive(file): 4 kB
"""


def lay_out(root: Path, files: dict[str, str], *, free: tuple[int, ...] = (1000, 200)) -> Path:
    """A tree of NUMA nodes with 10,000 kB each, and of these files."""
    total = 10_000 * len(free)
    every = {"proc/meminfo": f"MemTotal: {total} kB\nMemAvailable: 1500 kB\n", **files}
    for n, size in enumerate(free):
        place = f"sys/devices/system/node/node{n}"
        every[f"{place}/cpulist"] = f"{n}\n"
        every[f"{place}/meminfo"] = MEMINFO.format(n=n, total=10_000, free=size)
    for name, text in every.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


def unified(group: str, **lists: str) -> dict[str, str]:
    """A process in a version 2 group; lists of groups by their path, `top` for the uppermost."""
    top = "sys/fs/cgroup"
    files = {
        f"{top}/cgroup.controllers": "cpuset cpu memory\n",
        "proc/self/cgroup": f"0::{group}\n",
    }
    for path, text in lists.items():
        place = top if path == "top" else f"{top}/{path.replace('_', '/')}"
        files[f"{place}/cpuset.mems.effective"] = f"{text}\n"
    return files


def masked(text: str) -> dict[str, str]:
    return {"proc/self/status": f"Name:\tx\nMems_allowed:\t2\nMems_allowed_list:\t{text}\n"}


@pytest.mark.parametrize(
    ("files", "allowed"),
    [
        ({}, None),
        (masked("1"), "1"),
        (masked("0-1"), "0-1"),
        (masked("0-1023"), "0-1"),
        (masked(""), None),
        (unified("/jobs/ours", jobs="0-1", jobs_ours="1"), "1"),
        # A group without a set of its own has that of the one around it.
        (unified("/jobs/ours", jobs="1", top="0-1"), "1"),
        (unified("/jobs/ours", jobs_ours="", jobs="0"), "0"),
        # Inside a container the path is the host's, and its own group is at the top.
        (unified("/system.slice/docker-1.scope", top="0"), "0"),
        (unified("/jobs", jobs="0") | masked("0-1"), "0"),
        (unified("/jobs", jobs="0-1") | masked("1"), "1"),
        # Nonsense, such as the numbers of a host in a guest, excludes nothing.
        (unified("/jobs", jobs="6-7"), None),
        (unified("/jobs", jobs="0") | masked("1"), None),
        (
            {
                "proc/self/cgroup": "5:cpuset:/jobs\n4:memory:/\n",
                "sys/fs/cgroup/cpuset/jobs/cpuset.effective_mems": "1\n",
                "sys/fs/cgroup/cpuset/jobs/cpuset.mems": "0-1\n",
                "sys/fs/cgroup/cpuset/cpuset.mems": "0-1\n",
            },
            "1",
        ),
        (
            {
                "proc/self/cgroup": "5:cpuset:/jobs\n",
                "sys/fs/cgroup/cpuset/jobs/cpuset.mems": "0\n",
                "sys/fs/cgroup/cpuset/cpuset.mems": "0-1\n",
            },
            "0",
        ),
    ],
)
def test_allowed_nodes(tmp_path: Path, files: dict[str, str], allowed: str | None) -> None:
    root = lay_out(tmp_path, files)
    assert read_limits(Cpus(), root).allowed_domains == allowed


def test_a_node_that_is_not_numa_has_none(tmp_path: Path) -> None:
    root = lay_out(tmp_path, masked("0"), free=())
    assert read_allowed_domains(root) == frozenset()
    assert read_memory(root).available_bytes == 1500 * KIB


@pytest.mark.parametrize(
    ("files", "available"),
    [
        ({}, 1500),
        (unified("/jobs", jobs="0-1"), 1500),
        (unified("/jobs", jobs="0"), 1034),  # free, and copies of files
        (unified("/jobs", jobs="1"), 234),
        (unified("/jobs", jobs="6"), 1500),
    ],
)
def test_what_is_available_is_on_the_nodes_that_may_be_used(
    tmp_path: Path, files: dict[str, str], available: int
) -> None:
    assert read_memory(lay_out(tmp_path, files)).available_bytes == available * KIB


def test_more_than_the_whole_node_has_is_never_available(tmp_path: Path) -> None:
    root = lay_out(tmp_path, masked("0"), free=(9000, 200))
    assert read_memory(root).available_bytes == 1500 * KIB


def test_what_a_node_does_not_tell_is_not_guessed(tmp_path: Path) -> None:
    root = lay_out(tmp_path, masked("1"))
    (root / "sys/devices/system/node/node1/meminfo").write_text("Node 1 MemTotal: 10000 kB\n")
    assert read_memory(root).available_bytes == 1500 * KIB


def test_a_node_without_memory_is_not_barred(tmp_path: Path) -> None:
    """The kernel never grants memory of a node that has none."""
    root = lay_out(tmp_path, masked("0"))
    (root / "sys/devices/system/node/node1/meminfo").write_text("Node 1 MemTotal: 0 kB\n")
    assert read_memory(root).available_bytes == 1500 * KIB
    node = read_node(root, "x86_64", "n1")
    assert node.barred_numa == ()
    assert node.allowed_memory_bytes is None
