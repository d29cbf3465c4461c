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
    # This kernel is too old to report available memory.
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


USER = "user.slice/user-1000.slice/user@1000.service"


@pytest.mark.parametrize(
    ("limits", "quota", "memory"),
    [
        # A limit may be anywhere on the path: of a delegated slice or of a job's own group.
        ({f"{USER}/cpu.max": "150000 100000"}, 1.5, None),
        (
            {"user.slice/cpu.max": "max 100000", f"{USER}/app.slice/cpu.max": "50000 20000"},
            2.5,
            None,
        ),
        ({"user.slice/memory.max": "max", f"{USER}/memory.max": "1048576"}, None, MIB),
        ({f"{USER}/memory.max": "0"}, None, 0),
        ({f"{USER}/memory.high": "2097152", f"{USER}/memory.max": "max"}, None, 2 * MIB),
        ({f"{USER}/memory.high": "max", f"{USER}/memory.max": "1048576"}, None, MIB),
        ({"memory.max": "9223372036854771712"}, None, None),
        # An empty file limits nothing, and hides no other.
        ({f"{USER}/app.slice/cpu.max": "", "user.slice/cpu.max": "100000 100000"}, 1.0, None),
        ({f"{USER}/cpu.max": "100000 100000 junk"}, None, None),
        ({f"{USER}/cpu.max": "100000 100000", "user.slice/cpu.max": "-1 100000"}, 1.0, None),
        ({f"{USER}/cpu.max": "0 100000"}, None, None),
        ({f"{USER}/memory.max": "1048576 junk", "user.slice/memory.max": "2097152"}, None, 2 * MIB),
        ({f"{USER}/memory.max": "-1"}, None, None),
        # Siblings and subgroups do not count.
        (
            {"system.slice/cpu.max": "100000 100000", f"{USER}/app.slice/x/memory.max": "1"},
            None,
            None,
        ),
        # Limits of version 1 have no meaning in such a tree.
        ({f"{USER}/cpu.cfs_quota_us": "1000", f"{USER}/memory.limit_in_bytes": "1"}, None, None),
    ],
)
def test_version_2_as_the_kernel_documents_it(
    tmp_path: Path, limits: dict[str, str], quota: float | None, memory: int | None
) -> None:
    for name in limits:
        (tmp_path / "sys/fs/cgroup" / name).parent.mkdir(parents=True, exist_ok=True)
    version_2(tmp_path, f"/{USER}/app.slice", limits)
    assert read_cpu_quota(tmp_path) == quota
    assert read_memory_limit(tmp_path) == memory


@pytest.mark.parametrize(
    "lines",
    [
        "0::/jobs/ours\njunk\n",
        "junk\n:\n::\n0::/jobs/ours\n",
        "0::/jobs/ours\n1:name=systemd:/\n",
        "12:cpu,cpuacct:/\n0::/jobs/ours\n7::/\n",
    ],
)
def test_other_lines_do_not_hide_the_group(tmp_path: Path, lines: str) -> None:
    version_2(tmp_path, "/", {"jobs/ours/cpu.max": "300000 100000"})
    (tmp_path / "proc/self/cgroup").write_text(lines)
    assert read_cpu_quota(tmp_path) == 3.0


def test_a_group_that_was_removed_leaves_those_above_it(tmp_path: Path) -> None:
    version_2(tmp_path, "/jobs/gone (deleted)", {"jobs/cpu.max": "300000 100000"})
    assert read_cpu_quota(tmp_path) == 3.0


def test_both_versions_beside_each_other(tmp_path: Path) -> None:
    """As systemd mounts them for a while: controllers are in one of them, the tighter counts."""
    top = tmp_path / "sys/fs/cgroup"
    for name, text in {
        "unified/cgroup.controllers": "cpu",
        "unified/jobs/cpu.max": "400000 100000",
        "cpu,cpuacct/jobs/cpu.cfs_quota_us": "-1",
        "cpu,cpuacct/jobs/cpu.cfs_period_us": "100000",
        "memory/jobs/memory.limit_in_bytes": "1048576",
        "memory/memory.limit_in_bytes": "9223372036854771712",
    }.items():
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_text(f"{text}\n")
    (tmp_path / "proc/self").mkdir(parents=True)
    groups = "4:memory:/jobs\n3:cpu,cpuacct:/jobs\n1:name=systemd:/jobs\n0::/jobs\n"
    (tmp_path / "proc/self/cgroup").write_text(groups)
    assert read_cpu_quota(tmp_path) == 4.0
    assert read_memory_limit(tmp_path) == MIB


@pytest.mark.parametrize("text", ["max 100000", "", None, "100000", "1 0", "0 1", "a b", "1 2 3"])
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
    assert cache_text(host) == f"{text}, plausible up to 128 MiB for its cores"
    whole = host.model_copy(update={"n_cpus": 96})
    assert cache_text(whole) == text.replace("2 hardware", "96 hardware")
