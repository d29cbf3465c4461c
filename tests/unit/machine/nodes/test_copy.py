"""The script that copies a node's files, executed, and its copy read back."""

from __future__ import annotations

import gzip
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

import pytest

from heorot.machine.describe import read_node
from heorot.machine.kernel.tree import ROOT
from heorot.machine.nodes.copied_tree import split_copy
from heorot.machine.nodes.read import read_copies, read_copy
from heorot.machine.platform import host_isa
from heorot.model.machine.machine import Node
from heorot.model.machine.nodes import NodeCopy

Runs = Callable[..., subprocess.CompletedProcess[str]]
_TREES = (
    ("a64fx", "aarch64"),
    ("cgroup_v1_limited", "x86_64"),
    ("core_i7_8650u", "x86_64"),
    ("epyc_zen4", "x86_64"),
    ("epyc_zen5_kvm", "x86_64"),
    ("graviton3", "aarch64"),
    ("omnipath_connectx", "x86_64"),
    ("power9", "ppc64le"),
    ("riscv_u74", "riscv64"),
    ("xeon_guest_many_sockets", "x86_64"),
)


def without_moment(node: Node) -> Node:
    """The node without values that change with time."""
    memory = node.memory.model_copy(update={"available_bytes": None})
    return node.model_copy(update={"memory": memory})


def test_a_copy_says_what_the_node_says_itself(tmp_path: Path, copies: Runs) -> None:
    before = time.time()
    answer = copies(tmp_path / "nodes")
    window = (before, time.time())
    assert (answer.returncode, answer.stdout, answer.stderr) == (0, "", "")
    (copy,) = read_copies(tmp_path / "nodes", window)
    here = read_node(ROOT, host_isa(), socket.gethostname())
    assert copy.name == socket.gethostname()
    assert without_moment(copy.node) == without_moment(here)
    state = copy.state
    assert state.clock_offset_seconds == 0.0
    assert state.boot_id == Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    assert state.uptime_seconds is not None
    assert len(state.load) == 3
    flaws = Path("/sys/devices/system/cpu/vulnerabilities")
    assert set(copy.node.platform.mitigations or ()) == {file.name for file in flaws.glob("*")}


@pytest.mark.parametrize(("tree", "isa"), _TREES)
def test_a_copy_of_a_captured_tree_says_what_the_tree_says(
    samples: Path, captured: Callable[..., NodeCopy], tree: str, isa: str
) -> None:
    there = captured(tree, "node7", isa).node
    here = read_node(samples / tree, isa, "node7")
    # A container around the reading process is not part of the copy.
    platform = here.platform.model_copy(update={"container": there.platform.container})
    assert there == here.model_copy(update={"platform": platform})


def test_every_file_that_a_reader_asks_for_is_copied(
    tmp_path: Path, samples: Path, copies: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = tmp_path / "tree"
    for name in ("core_i7_8650u", "omnipath_connectx", "epyc_zen5_kvm"):
        shutil.copytree(samples / name, tree, dirs_exist_ok=True)
    asked: set[Path] = set()
    read_text = Path.read_text

    def read_and_note(path: Path, encoding: str | None = None, errors: str | None = None) -> str:
        asked.add(path)
        return read_text(path, encoding, errors)

    monkeypatch.setattr(Path, "read_text", read_and_note)
    read_node(tree, "x86_64", "n")
    # Output of ethtool is in copies only.
    wanted = {path for path in asked if path.relative_to(tree).parts[0] != "heorot"}
    for path in wanted:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            path.write_text("1\n")
    (tree / "sys/class/infiniband/hfi1_0/device/net/ib0").mkdir(parents=True)
    (tree / "sys/class/infiniband/hfi1_0/device/net/ib0/type").write_text("32\n")
    copies(tmp_path / "nodes", tree)
    (file,) = (tmp_path / "nodes").iterdir()
    copied = split_copy(gzip.decompress(file.read_bytes()).decode())
    assert {str(path.relative_to(tree)) for path in wanted} - copied.keys() == set()
    (copy,) = read_copies(tmp_path / "nodes")
    assert copy.node.hcas == read_node(tree, "x86_64", "n").hcas
    assert copy.node.hcas[0].interfaces == ("ib0",)


def test_what_only_a_process_on_the_node_knows(
    tmp_path: Path, samples: Path, copies: Runs, command: Callable[[str, str], None]
) -> None:
    command("lscpu", "echo 'Hypervisor vendor:   Microsoft'")
    copies(tmp_path / "nodes", samples / "epyc_zen5_kvm", APPTAINER_CONTAINER="/x.sif")
    (copy,) = read_copies(tmp_path / "nodes")
    assert copy.node.platform.hypervisor == "Hyper-V"
    assert copy.node.platform.container == "apptainer"


def test_modules_and_settings_that_only_some_nodes_tell(tmp_path: Path, copies: Runs) -> None:
    root = tmp_path / "root"
    record = bytes([17, 0x22, 0x30, 0, *[0] * 8, 0, 0x80, *[0] * 4, 0x1A, *[0] * 2, 0x80, 0x0C])
    texts = {
        "sys/devices/system/cpu/smt/control": "notsupported",
        "sys/devices/system/cpu/cpufreq/policy0/scaling_driver": "acpi-cpufreq",
        "sys/kernel/mm/transparent_hugepage/defrag": "always defer [defer+madvise] madvise never",
        "proc/cmdline": "root=/dev/sda1 mitigations=off",
    }
    for name, text in texts.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(f"{text}\n")
    raw = root / "sys/firmware/dmi/entries/17-0/raw"
    raw.parent.mkdir(parents=True)
    raw.write_bytes(record.ljust(0x22, b"\0"))
    copies(tmp_path / "nodes", root)
    (copy,) = read_copies(tmp_path / "nodes")
    here = read_node(root, host_isa(), "n")
    assert copy.node.memory == here.memory
    assert (here.memory.module_kind, here.memory.module_transfers) == ("DDR4", 3.2e9)
    assert here.memory.huge_page_defrag == "defer+madvise"
    assert copy.node.processor == here.processor
    assert (here.processor.smt_control, here.processor.frequency_driver) == (
        "notsupported",
        "acpi-cpufreq",
    )
    assert copy.node.platform.boot_options == ("mitigations=off",)


def test_what_ethtool_says(
    tmp_path: Path,
    samples: Path,
    copies: Runs,
    command: Callable[[str, str], None],
    banner: Callable[[str], str],
) -> None:
    command("ethtool", f"cat <<'END'\n{banner('ethtool-mlx5-quoted')}END")
    copies(tmp_path / "nodes", samples / "epyc_zen5_kvm")
    (copy,) = read_copies(tmp_path / "nodes")
    ethernet = copy.node.interfaces[0]
    assert (ethernet.driver_version, ethernet.firmware) == ("3.0-1 (January 2015)", "14.23.1020")


def test_without_gzip_it_is_text(
    tmp_path: Path, commands: Path, samples: Path, copies: Runs
) -> None:
    for name in ("cat", "date", "grep", "head", "mkdir", "mv", "rm", "uname"):
        (commands / name).symlink_to(str(shutil.which(name)))
    # Without the folders that the script adds: they have gzip.
    script = "readonly PATH=" + str(commands)
    (tmp_path / "start").write_text(script + "\n")
    folder = tmp_path / "nodes"
    copies(folder, samples / "epyc_zen5_kvm", BASH_ENV=str(tmp_path / "start"))
    (file,) = folder.iterdir()
    assert file.name == os.uname().nodename
    assert "==> proc/cpuinfo <==" in file.read_text()
    copy = read_copy(file)
    assert copy is not None
    assert copy.node.caches == read_node(samples / "epyc_zen5_kvm", "x86_64", "n").caches


def test_where_it_cannot_write_it_is_silent(tmp_path: Path, copies: Runs) -> None:
    (tmp_path / "file").touch()
    answer = copies(tmp_path / "file")
    assert (answer.returncode, answer.stdout, answer.stderr) == (0, "", "")
    assert read_copies(tmp_path / "file") == ()


def test_a_copy_that_was_cut_off_has_no_name(
    tmp_path: Path, samples: Path, copies: Runs, command: Callable[[str, str], None]
) -> None:
    command("gzip", "head -c 100; exit 1")
    assert copies(tmp_path / "nodes", samples / "epyc_zen5_kvm").returncode == 0
    assert list((tmp_path / "nodes").iterdir()) == []


def test_a_later_copy_takes_the_place_of_an_earlier_one(
    tmp_path: Path, samples: Path, copies: Runs
) -> None:
    copies(tmp_path / "nodes", samples / "core_i7_8650u")
    copies(tmp_path / "nodes", samples / "epyc_zen5_kvm")
    (copy,) = read_copies(tmp_path / "nodes")
    assert copy.node.processor.n_cores == 2


@pytest.mark.parametrize(
    ("group", "quota"), [("/jobs/ours", 4.0), ("/../../jobs/ours", 4.0), ("/elsewhere", None)]
)
def test_limits_of_the_groups_around(
    tmp_path: Path, copies: Runs, group: str, quota: float | None
) -> None:
    root = tmp_path / "root"
    own = root / "sys/fs/cgroup/jobs/ours"
    own.mkdir(parents=True)
    (root / "sys/fs/cgroup/cgroup.controllers").write_text("cpu memory\n")
    (own / "cpu.max").write_text("max 100000\n")
    (own.parent / "cpu.max").write_text("400000 100000\n")
    (own / "memory.max").write_text("max\n")
    (own / "memory.high").write_text("1048576\n")
    (own.parent / "cpuset.mems.effective").write_text("1\n")
    for number in (0, 1):
        domain = root / f"sys/devices/system/node/node{number}"
        domain.mkdir(parents=True)
        (domain / "cpulist").write_text(f"{number}\n")
    (root / "proc/self").mkdir(parents=True)
    (root / "proc/self/cgroup").write_text(f"0::{group}\n")
    copies(tmp_path / "nodes", root)
    (copy,) = read_copies(tmp_path / "nodes")
    assert copy.node.limits == read_node(root, host_isa(), "n").limits
    assert copy.node.limits.cpu_quota == quota
    assert copy.node.limits.memory_limit_bytes == (quota and 1 << 20)
    assert copy.node.limits.allowed_domains == (quota and "1")


@pytest.mark.timed
def test_a_node_of_many_cpus_takes_no_time(tmp_path: Path, samples: Path, copies: Runs) -> None:
    tree = tmp_path / "wide"
    shutil.copytree(samples / "epyc_zen5_kvm", tree)
    cpus = tree / "sys/devices/system/cpu"
    for number in range(2, 128):
        shutil.copytree(cpus / "cpu1", cpus / f"cpu{number}", copy_function=os.link)
    before = getrusage(RUSAGE_CHILDREN)
    copies(tmp_path / "nodes", tree)
    after = getrusage(RUSAGE_CHILDREN)
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 0.5
    (file,) = (tmp_path / "nodes").iterdir()
    assert gzip.decompress(file.read_bytes()).count(b"\n==> ") > 3000
