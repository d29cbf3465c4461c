"""Settings of nodes as texts, read from files of kernels of several machines."""

from __future__ import annotations

from pathlib import Path

import pytest

from heorot.machine.describe import read_node
from heorot.machine.description.table import node_rows
from heorot.model.machine.machine import Memory, Node, Platform, Processor

CPUS = "sys/devices/system/cpu"
THP = "sys/kernel/mm/transparent_hugepage"
# Dual Xeon Gold 6148 under Debian 12, tuned for measuring.
TUNED = {
    f"{CPUS}/smt/active": "1",
    f"{CPUS}/smt/control": "on",
    f"{CPUS}/intel_pstate/no_turbo": "1",
    f"{CPUS}/cpufreq/policy0/scaling_governor": "performance",
    f"{CPUS}/cpufreq/policy0/scaling_driver": "intel_pstate",
    f"{THP}/enabled": "[always] madvise never",
    f"{THP}/defrag": "always defer defer+madvise [madvise] never",
    "proc/sys/kernel/numa_balancing": "0",
    "proc/cmdline": "BOOT_IMAGE=/boot/vmlinuz-6.1.0 root=UUID=0f mitigations=off nohz_full=1-39",
    f"{CPUS}/vulnerabilities/meltdown": "Vulnerable",
    f"{CPUS}/vulnerabilities/spectre_v1": (
        "Vulnerable: __user pointer sanitization and usercopy barriers only; no swapgs barriers"
    ),
    f"{CPUS}/vulnerabilities/srbds": "Not affected",
    f"{CPUS}/vulnerabilities/tsx_async_abort": "Vulnerable",
    f"{CPUS}/vulnerabilities/vmscape": "Not affected",
}
# EPYC 7763 under Rocky Linux 9 as installed.
AS_INSTALLED = {
    f"{CPUS}/smt/active": "0",
    f"{CPUS}/smt/control": "off",
    f"{CPUS}/cpufreq/boost": "1",
    f"{CPUS}/cpufreq/policy0/scaling_governor": "ondemand",
    f"{CPUS}/cpufreq/policy0/scaling_driver": "acpi-cpufreq",
    f"{CPUS}/cpufreq/policy1/scaling_governor": "performance",
    f"{CPUS}/cpufreq/policy1/scaling_driver": "acpi-cpufreq",
    f"{THP}/enabled": "always [madvise] never",
    f"{THP}/defrag": "always defer [defer+madvise] madvise never",
    "proc/sys/kernel/numa_balancing": "1",
    "proc/cmdline": "BOOT_IMAGE=(hd0,gpt2)/vmlinuz root=/dev/mapper/rl-root ro crashkernel=1G",
    f"{CPUS}/vulnerabilities/meltdown": "Not affected",
    f"{CPUS}/vulnerabilities/spec_rstack_overflow": "Mitigation: Safe RET",
    f"{CPUS}/vulnerabilities/spectre_v2": (
        "Mitigation: Retpolines; IBPB: conditional; IBRS_FW; STIBP: disabled; RSB filling"
    ),
}
# Graviton 3 in a cloud: no frequency driver, no SMT.
GUEST = {
    f"{CPUS}/smt/active": "0",
    f"{CPUS}/smt/control": "notsupported",
    f"{THP}/enabled": "always [madvise] never",
    "proc/cmdline": "",
    f"{CPUS}/vulnerabilities/spectre_v2": "Mitigation: CSV2, BHB",
}


def rows_of(root: Path, texts: dict[str, str]) -> dict[str, str]:
    """The table of a node of two hardware threads with these files."""
    threads = {
        f"{CPUS}/cpu{n}/topology/{name}": text
        for n in (0, 1)
        for name, text in {"core_id": "0", "thread_siblings_list": "0-1"}.items()
    }
    for name, text in {**threads, f"{CPUS}/online": "0-1", **texts}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(f"{text}\n")
    return dict(node_rows(read_node(root, "x86_64", "n1")))


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (
            TUNED,
            {
                "Governor": "performance (intel_pstate)",
                "Boost": "off",
                "SMT": "on, 2 hardware threads per core",
                "Transparent huge pages": "always, defrag madvise",
                "NUMA balancing": "off",
                "Kernel command line": "mitigations=off nohz_full=1-39",
                "Mitigations": (
                    "vulnerable: meltdown, spectre_v1, tsx_async_abort; not affected: 2 others"
                ),
            },
        ),
        (
            AS_INSTALLED,
            {
                "Governor": "ondemand, performance (acpi-cpufreq)",
                "Boost": "on",
                "SMT": "off",
                "Transparent huge pages": "madvise, defrag defer+madvise",
                "NUMA balancing": "on",
                "Kernel command line": "no options that affect performance",
                "Mitigations": ("active: spec_rstack_overflow, spectre_v2; not affected: 1 other"),
            },
        ),
        (
            GUEST,
            {
                "Governor": "unknown",
                "Boost": "unknown",
                "SMT": "not supported",
                "Transparent huge pages": "madvise",
                "NUMA balancing": "unknown",
                "Kernel command line": "no options that affect performance",
                "Mitigations": "active: spectre_v2",
            },
        ),
    ],
)
def test_settings_of_machines(
    tmp_path: Path, texts: dict[str, str], expected: dict[str, str]
) -> None:
    rows = rows_of(tmp_path, texts)
    assert {name: rows[name] for name in expected} == expected


@pytest.mark.parametrize(
    ("memory", "text"),
    [
        (Memory(), "unknown"),
        (Memory(module_kind="DDR5", n_modules=16, module_transfers=4.8e9),
         "16 × DDR5 at 4800 MT/s"),
        (Memory(module_kind="DDR4", n_modules=2), "2 × DDR4 of unknown speed"),
        (Memory(module_kind="DDR4"), "DDR4 of unknown speed"),
    ],
)  # fmt: skip
def test_memory_modules(memory: Memory, text: str) -> None:
    node = Node(names=("n",), processor=Processor(isa="x86_64"), memory=memory)
    assert dict(node_rows(node))["Memory modules"] == text


def test_a_node_of_an_earlier_version_is_read_with_unknown_settings() -> None:
    older = {
        "names": ["n1"],
        "processor": {"isa": "x86_64", "governor": "performance", "smt": True},
        "memory": {"huge_pages": "always"},
        "platform": {"kernel": "6.1.0"},
    }
    node = Node.model_validate(older)
    assert node.platform == Platform(kernel="6.1.0")
    rows = dict(node_rows(node))
    assert (rows["Governor"], rows["SMT"]) == ("performance", "on")
    assert rows["Transparent huge pages"] == "always"
    assert rows["Mitigations"] == rows["Kernel command line"] == "unknown"
