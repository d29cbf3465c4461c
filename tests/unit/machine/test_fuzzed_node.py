"""Damaged texts of the system: unreadable values are left out of the description of a node."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from heorot.errors import SetupError
from heorot.machine.caches import parse_cache_size
from heorot.machine.cpus.sets import parse_cpumask
from heorot.machine.cpus.topology import processors
from heorot.machine.describe import read_node
from heorot.machine.description.table import summary_rows
from heorot.machine.filesystems import describe_one, parse_mountinfo
from heorot.machine.kernel.groups import parse_cgroups, parse_cpu_max
from heorot.machine.memory import parse_choice, parse_meminfo, parse_page_sizes
from heorot.machine.network import parse_driver, parse_rate, parse_state
from heorot.machine.numa import parse_distances, parse_node_memory
from heorot.machine.platform import parse_os_release
from heorot.machine.processor import parse_nominal_clock
from heorot.machine.software.batch import parse_batch_version
from heorot.machine.software.compilers import parse_compiler_version
from heorot.machine.software.modules import parse_modules_version
from heorot.machine.software.mpi import parse_mpi_version, parse_shown
from heorot.model.machine.cpulist import parse_cpulist
from heorot.model.machine.machine import CompilerInstall, Machine
from tests.unit.damage import damaged_bytes, damaged_lines

SAMPLES = Path(__file__).parents[2] / "samples" / "machine"
ROOTS = {
    **dict.fromkeys(("epyc_zen5_kvm", "core_i7_8650u", "xeon_skylake"), "x86_64"),
    **dict.fromkeys(("cgroup_v1_limited", "omnipath_connectx"), "x86_64"),
    "a64fx": "aarch64",
    "power9": "ppc64le",
    "riscv_u74": "riscv64",
}
FILES = tuple(
    (root, path.relative_to(SAMPLES / root))
    for root in ROOTS
    for path in sorted((SAMPLES / root).rglob("*"))
    if path.is_file()
)
BANNERS = {path.name: path.read_text() for path in (SAMPLES / "banners").glob("*.txt")}
# Digits that are none to int(), numbers beyond every type, what a kernel would never write.
_WORDS = st.sampled_from(
    (
        *(
            "9" * 5000,
            "9" * 400,
            "9" * 25,
            "-1",
            "0",
            "²",
            "٣",
            "1.2.3",
            "...",
            "1e999",
            "nan",
            "inf",
        ),
        *(
            "0-9999999",
            "0-" + "9" * 30,
            "5-1",
            "0-3",
            ",",
            "-",
            ":",
            "/",
            "\0",
            "\n",
            " ",
            "kB",
            "K",
        ),
        *("[", "]", " - ", "Gb/sec", "MHz", "GHz", "@ ", "max", "\\777", "'", '"', "-L", "\x85"),
    )
)
TEXTS = st.lists(_WORDS | st.text(max_size=4), max_size=8).map("".join)


@pytest.fixture(scope="module")
def roots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the captured machines that may be damaged."""
    copy = tmp_path_factory.mktemp("machines")
    for root in ROOTS:
        shutil.copytree(SAMPLES / root, copy / root)
    return copy


@pytest.mark.slow
@given(st.sampled_from(FILES), st.data())
def test_a_node_is_described_whatever_one_file_says(
    roots: Path, file: tuple[str, Path], data: st.DataObject
) -> None:
    root, inside = file
    original = (SAMPLES / root / inside).read_bytes()
    kinds = damaged_bytes(original) | damaged_lines(original) | TEXTS.map(str.encode)
    path = roots / root / inside
    path.write_bytes(data.draw(kinds))
    try:
        node = read_node(roots / root, ROOTS[root], "n1")
    except SetupError as error:
        assert "none is online" in str(error)  # noqa: PT017 (most damage is no error)
        return
    finally:
        path.write_bytes(original)
    assert node.limits.n_usable_cores >= 1
    assert summary_rows(Machine(hostname="n1", nodes=(node,)))


@pytest.mark.slow
@given(TEXTS)
@example("9" * 5000)
@example("9" * 400 + " 1")
@example("0-" + "9" * 30)
@example(",".join(["0-65535"] * 300))
@example("\0")
def test_no_text_is_an_exception(text: str) -> None:
    assert all(cpu >= 0 for cpu in parse_cpulist(text))
    assert all(distance >= 0 for distance in parse_distances(text))
    assert (parse_cache_size(text) or 1) > 0
    assert (parse_cpu_max(text) or 0) >= 0
    assert (parse_rate(text)[0] or 0) >= 0
    assert (parse_node_memory(text) or 0) >= 0
    assert (parse_node_memory(f"Node 0 MemTotal: {text} kB") or 0) >= 0
    assert all(size >= 0 for size in parse_meminfo(f"MemTotal: {text} kB\n{text}").values())
    assert all(size >= 0 for size in parse_page_sizes([text, f"hugepages-{text}kB"]))
    assert all(cpu >= 0 for cpu in parse_cpumask(text))
    assert all(cpu >= 0 for cpu in parse_cpumask(f"0x{text}"))
    assert all(cpu >= 0 for cpu in processors(f"processor : {text}"))
    parse_choice(text)
    parse_state(text)
    parse_driver(text)
    parse_os_release(text)
    parse_cgroups(text)
    parse_shown(f"c++ -L{text} -lmpi", Path("/usr/bin/mpicxx"))


@given(TEXTS)
@example("1.2.3")
@example("9" * 400)
@example("...")
def test_no_clock_and_no_rate_is_an_exception(text: str) -> None:
    for fields in (
        {"model name": f"x @ {text}GHz"},
        {"clock": f"{text}MHz"},
        {"flags": "constant_tsc", "bogomips": text},
    ):
        assert (parse_nominal_clock(fields) or 1) >= 0
    rate, _ = parse_rate(f"{text} Gb/sec (4X EDR)")
    assert 0 <= (rate or 0) < float("inf")


@given(TEXTS)
@example("1 1 0:1 / \\000 rw - ext4 /dev/x rw")
def test_no_mount_is_an_exception(text: str) -> None:
    mounts = parse_mountinfo(f"{text}\n1 1 0:1 / /{text} rw - {text} /dev/x rw\n")
    assert describe_one("work", Path("/tmp"), mounts).path  # noqa: S108 (any directory)


@pytest.mark.slow
@given(st.sampled_from(sorted(BANNERS)), st.data())
def test_no_banner_is_an_exception(name: str, data: st.DataObject) -> None:
    original = BANNERS[name].encode()
    text = data.draw(damaged_bytes(original) | TEXTS.map(str.encode)).decode(errors="replace")
    for system in ("slurm", "pbs", "lsf", "flux", "sge"):
        parse_batch_version(system, text)
    parse_modules_version(text)
    parse_mpi_version(text)
    parse_shown(text, Path("/usr/bin/mpicxx"))
    family, version = parse_compiler_version(text)
    compiler = CompilerInstall(family=family, version=version, cxx=Path("/usr/bin/c++"))
    assert compiler.usable == (compiler.reason == "")
