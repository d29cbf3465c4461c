"""Caches, NUMA, memory, limits and platform as read from captured /proc and /sys."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heorot.machine.caches import parse_cache_size, read_caches
from heorot.machine.cpus.topology import Cpus, read_cpus
from heorot.machine.description.table import cache_text
from heorot.machine.kernel.groups import parse_cgroups, parse_cpu_max, read_cpu_quota
from heorot.machine.limits import read_limits, read_memory_limit
from heorot.machine.memory import read_memory
from heorot.machine.numa import parse_distances, read_numa
from heorot.machine.platform import parse_os_release, read_container, read_platform
from heorot.model.machine.cores import Cores
from heorot.model.machine.cpulist import format_cpulist, parse_cpulist
from heorot.model.machine.machine import Cache, Memory, NumaNode

KIB, MIB = 2**10, 2**20


def test_caches_of_the_guest(samples: Path) -> None:
    each = ("0", "1")
    assert read_caches(samples / "epyc_zen5_kvm") == (
        Cache(level=1, kind="data", size_bytes=48 * KIB, line_bytes=64, n_ways=12, n_instances=2,
              n_cpus=1, cpu_sets=each),
        Cache(level=1, kind="instruction", size_bytes=32 * KIB, line_bytes=64, n_ways=8,
              n_instances=2, n_cpus=1, cpu_sets=each),
        Cache(level=2, kind="unified", size_bytes=MIB, line_bytes=64, n_ways=16, n_instances=2,
              n_cpus=1, cpu_sets=each),
        Cache(level=3, kind="unified", size_bytes=32 * MIB, line_bytes=64, n_ways=16,
              n_instances=1, n_cpus=2, cpu_sets=("0-1",)),
    )  # fmt: skip


def test_caches_without_sharing_or_size(tmp_path: Path) -> None:
    index = tmp_path / "sys/devices/system/cpu/cpu0/cache/index0"
    index.mkdir(parents=True)
    (index / "level").write_text("1\n")
    (index / "type").write_text("Data\n")
    assert read_caches(tmp_path) == (Cache(level=1, kind="data", cpu_sets=("0",)),)


@pytest.mark.parametrize(
    ("text", "size"), [("48K", 48 * KIB), ("32768K", 32 * MIB), ("2M", 2 * MIB), ("0K", None),
                       ("", None), (None, None), ("many", None)],
)  # fmt: skip
def test_cache_sizes(text: str | None, size: int | None) -> None:
    assert parse_cache_size(text) == size


def test_numa_of_the_guest(samples: Path) -> None:
    node = NumaNode(number=0, cpus="0-1", memory_bytes=6121684 * KIB, distances=(10,))
    assert read_numa(samples / "epyc_zen5_kvm") == (node,)
    assert parse_distances("10 21\n") == (10, 21)


def test_memory_of_guest_and_laptop(samples: Path) -> None:
    guest = read_memory(samples / "epyc_zen5_kvm")
    assert guest.total_bytes == 24684092 * KIB
    assert guest.swap_bytes == 0
    assert guest.huge_pages == "madvise"
    assert guest.huge_page_bytes == (2 * MIB, 1024 * MIB)
    laptop = read_memory(samples / "core_i7_8650u")
    assert laptop.total_bytes == 15666184 * KIB
    # This kernel is too old to say what is available.
    assert laptop.available_bytes is None


def test_no_memory_file_is_no_error(tmp_path: Path) -> None:
    assert read_memory(tmp_path) == Memory()


@given(st.frozensets(st.integers(0, 300)))
def test_cpulists_round_trip(cpus: frozenset[int]) -> None:
    assert parse_cpulist(format_cpulist(cpus)) == cpus


def test_cpulists_as_the_kernel_writes_them() -> None:
    assert parse_cpulist("0-2,64") == {0, 1, 2, 64}
    assert format_cpulist([64, 0, 1, 2]) == "0-2,64"
    assert parse_cpulist("") == parse_cpulist(None) == parse_cpulist("(null)") == frozenset()


def test_limits_of_the_guest(samples: Path) -> None:
    root = samples / "epyc_zen5_kvm"
    limits = read_limits(read_cpus(root), root)
    assert (limits.allowed_cpus, limits.n_allowed_cpus) == ("0-1", 2)
    assert (limits.cpu_quota, limits.memory_limit_bytes) == (None, None)
    assert limits.n_usable_cores == 2


def test_a_control_group_limits_cores_and_memory(samples: Path) -> None:
    root = samples / "cgroup_v1_limited"
    assert read_cpu_quota(root) == 1.5
    assert read_memory_limit(root) == 4 * 1024 * MIB


@pytest.mark.parametrize(("quota", "n_usable"), [(0.5, 1), (1.5, 1), (2.0, 2), (9.5, 4), (None, 4)])
def test_a_quota_grants_whole_cores(quota: float | None, n_usable: int) -> None:
    """1.5 CPUs keep one core busy, however many the node has."""
    cores = Cores(cpus=("0,4", "1,5", "2,6", "3,7"))
    cpus = Cpus(frozenset(range(8)), frozenset(range(8)), quota, (cores,), 1, cores_known=True)
    assert cpus.n_usable_cores == n_usable


def version_2(root: Path, group: str, limits: dict[str, str]) -> None:
    """Lay out version 2 groups as Documentation/admin-guide/cgroup-v2.rst of Linux names them."""
    top = root / "sys/fs/cgroup"
    (top / "jobs/ours").mkdir(parents=True)
    (top / "cgroup.controllers").write_text("cpuset cpu io memory hugetlb pids rdma misc\n")
    (root / "proc/self").mkdir(parents=True)
    (root / "proc/self/cgroup").write_text(f"0::{group}\n")
    for name, text in limits.items():
        (top / name).write_text(f"{text}\n")


def test_version_2_takes_the_tightest_limit_on_the_way_up(tmp_path: Path) -> None:
    limits = {
        "jobs/ours/cpu.max": "max 100000",
        "jobs/cpu.max": "400000 100000",
        "jobs/ours/memory.max": "max",
        "jobs/memory.max": "1073741824",
    }
    version_2(tmp_path, "/jobs/ours", limits)
    assert read_cpu_quota(tmp_path) == 4.0
    assert read_memory_limit(tmp_path) == 1024 * MIB


def test_a_path_of_the_host_falls_back_to_the_top(tmp_path: Path) -> None:
    version_2(tmp_path, "/system.slice/docker-1.scope", {"cpu.max": "150000 100000"})
    assert read_cpu_quota(tmp_path) == 1.5


@pytest.mark.parametrize("text", ["max 100000", "", None, "100000", "1 0", "a b"])
def test_no_quota(text: str | None) -> None:
    assert parse_cpu_max(text) is None


def test_control_groups_of_a_process(samples: Path) -> None:
    groups = parse_cgroups((samples / "cgroup_v1_limited/proc/self/cgroup").read_text())
    assert groups["cpu"] == "/heorot_capture"
    assert groups["cpuset"] == groups[""] == "/"


def test_platform_of_the_guest(samples: Path) -> None:
    platform = read_platform(samples / "epyc_zen5_kvm", {})
    assert platform.distribution == "Debian GNU/Linux 12 (bookworm)"
    assert platform.kernel is not None
    assert platform.kernel.startswith("6.18.44")
    assert platform.clocksource == "tsc"
    assert platform.numa_balancing is False
    # The captured files alone do not name the hypervisor; the processor's answer does.
    assert platform.hypervisor == "unnamed"
    assert platform.container is None


def test_bare_metal_has_no_hypervisor(samples: Path) -> None:
    assert read_platform(samples / "core_i7_8650u", {}).hypervisor is None


def test_containers_by_their_marks(tmp_path: Path) -> None:
    assert read_container(tmp_path, {}) is None
    assert read_container(tmp_path, {"APPTAINER_CONTAINER": "/x.sif"}) == "apptainer"
    (tmp_path / ".dockerenv").touch()
    assert read_container(tmp_path, {}) == "docker"


def test_os_release_without_a_pretty_name() -> None:
    assert parse_os_release('NAME="Debian GNU/Linux"\nVERSION="12 (bookworm)"\n') == (
        "Debian GNU/Linux 12 (bookworm)"
    )
    assert parse_os_release("") is None


def test_a_cache_of_a_whole_host_is_shown_with_what_is_believed_of_it() -> None:
    host = Cache(level=3, kind="unified", size_bytes=480 << 20, n_cpus=2)
    text = "1 × 480 MiB, shared by 2 hardware threads"
    assert cache_text(host) == f"{text}, believed up to 128 MiB for so few cores"
    whole = host.model_copy(update={"n_cpus": 96})
    assert cache_text(whole) == text.replace("2 hardware", "96 hardware")
