"""The processor as read from captured /proc and /sys of several kinds of machine."""

import platform
import re
from pathlib import Path

import archspec.cpu
import pytest
from archspec.cpu import TARGETS

from heorot.machine.cpus.topology import read_cpus
from heorot.machine.describe import read_node
from heorot.machine.microarchitecture import name_microarchitecture
from heorot.model.machine.machine import Processor


def read_processor(root: Path, isa: str) -> Processor:
    """The processor of a node below a root."""
    return read_node(root, isa, "n1").processor


@pytest.mark.parametrize(
    ("folder", "isa", "name", "level"),
    [
        ("epyc_zen5_kvm", "x86_64", "x86_64_v4", "x86_64_v4"),
        ("xeon_skylake", "x86_64", "skylake_avx512", "x86_64_v4"),
        ("xeon_cascadelake", "x86_64", "cascadelake", "x86_64_v4"),
        ("xeon_sapphirerapids", "x86_64", "sapphirerapids", "x86_64_v4"),
        ("epyc_zen", "x86_64", "zen", "x86_64_v3"),
        ("epyc_zen3_kvm", "x86_64", "zen3", "x86_64_v3"),
        ("epyc_zen4", "x86_64", "zen4", "x86_64_v4"),
        ("core_i7_8650u", "x86_64", "skylake", "x86_64_v3"),
        ("graviton3", "aarch64", "neoverse_v1", "aarch64"),
        ("neoverse_v2", "aarch64", "neoverse_v2", "aarch64"),
        ("a64fx", "aarch64", "a64fx", "aarch64"),
        ("power9", "ppc64le", "power9le", "ppc64le"),
        ("power10", "ppc64le", "power10le", "ppc64le"),
        ("riscv_u74", "riscv64", "u74mc", "riscv64"),
    ],
)
def test_names_the_microarchitecture(
    samples: Path, folder: str, isa: str, name: str, level: str
) -> None:
    text = (samples / folder / "proc/cpuinfo").read_text()
    assert name_microarchitecture(text, isa) == (name, level)


def test_agrees_with_archspec_on_this_machine() -> None:
    host = archspec.cpu.host()
    text = Path("/proc/cpuinfo").read_text()
    name, _ = name_microarchitecture(text, platform.machine())
    # It gives a processor with additional features the name of an older one.
    assert name is not None
    assert name.removeprefix("unknown, at least ") == host.name or TARGETS[name] > host


@pytest.mark.parametrize(
    ("folder", "hidden", "model", "name"),
    [
        ("xeon_sapphirerapids", ("waitpkg", "cldemote"), "143", "sapphirerapids"),
        ("xeon_sapphirerapids", ("waitpkg", "cldemote"), "999", "unknown, at least icelake"),
        ("xeon_sapphirerapids", ("amx_tile",), "999", "unknown, at least icelake"),
        ("epyc_zen4", ("avx512_bf16",), "17", "x86_64_v4"),
    ],
)
def test_a_guest_that_hides_something_is_not_given_an_older_name(
    samples: Path, folder: str, hidden: tuple[str, ...], model: str, name: str
) -> None:
    """As a hypervisor changes the processor of its host."""
    text = (samples / folder / "proc/cpuinfo").read_text()
    for feature in hidden:
        assert f" {feature} " in text
        text = text.replace(f" {feature} ", " ")
    text = re.sub(r"^model\s*: \d+", f"model : {model}", text, flags=re.MULTILINE)
    assert name_microarchitecture(text, "x86_64")[0] == name


@pytest.mark.parametrize(
    ("designs", "features", "name"),
    [
        # A known design has its name, also where a guest hides some of its features.
        ((("0x41", "0xd40"),), "fp asimd", "neoverse_v1"),
        ((("0x41", "0xd40"), ("0x41", "0xd40")), "fp asimd", "neoverse_v1"),
        # Another maker's design of the same number is another design.
        ((("0x51", "0xd40"),), "fp asimd", "unknown, at least aarch64"),
        # Cortex-A53 and -A76 have the features of Cortex-A72 and Neoverse N1, and are neither.
        ((("0x41", "0xd03"),), "fp asimd aes pmull sha1 sha2 crc32", "unknown, at least aarch64"),
        (
            (("0x41", "0xd0b"),),
            "fp asimd aes crc32 atomics fphp asimdhp asimdrdm lrcpc dcpop asimddp",
            "unknown, at least armv8.2a",
        ),
        # A node of several designs has no single name, and the common features.
        ((("0x41", "0xd49"), ("0x41", "0xd4f")), "fp asimd", "unknown, at least aarch64"),
        ((("0x41", "0xd87"), ("0x41", "0xd85")), "fp asimd", "unknown, at least aarch64"),
        ((), "fp asimd", "unknown, at least aarch64"),
    ],
)
def test_an_arm_design_has_its_own_name_or_none(
    designs: tuple[tuple[str, str], ...], features: str, name: str
) -> None:
    blocks = [
        f"processor : {cpu}\nFeatures : {features}\nCPU implementer : {maker}\nCPU part : {part}\n"
        for cpu, (maker, part) in enumerate(designs)
    ]
    text = "\n".join(blocks or [f"processor : 0\nFeatures : {features}\n"])
    assert name_microarchitecture(text, "aarch64") == (name, "aarch64")


def test_what_one_core_of_a_node_lacks_the_node_lacks() -> None:
    both = "asimdrdm atomics crc32"
    big = f"processor : 0\nFeatures : {both} dcpop\nCPU part : 0xd0b\n"
    little = f"processor : 1\nFeatures : {both}\nCPU part : 0xd05\n"
    assert name_microarchitecture(big, "aarch64")[0] == "unknown, at least armv8.2a"
    assert name_microarchitecture(f"{big}\n{little}", "aarch64")[0] == "unknown, at least armv8.1a"


def test_a_later_power_is_not_the_last_one_known() -> None:
    text = "processor : 0\ncpu : POWER11 (architected), altivec supported\n"
    assert name_microarchitecture(text, "ppc64le")[0] == "unknown, at least power10le"


def test_an_unknown_instruction_set_has_no_name() -> None:
    assert name_microarchitecture("processor : 0\n", "vax") == (None, None)


@pytest.mark.parametrize(
    ("folder", "isa", "expected"),
    [
        (
            "xeon_skylake",
            "x86_64",
            ("GenuineIntel", "Intel(R) Xeon(R) Gold 6132 CPU @ 2.60GHz", 2.6e9),
        ),
        ("epyc_zen4", "x86_64", ("AuthenticAMD", "AMD EPYC 9654 96-Core Processor", 2.39619e9)),
        ("epyc_zen5_kvm", "x86_64", ("AuthenticAMD", "AMD EPYC", 2.59612e9)),
        ("graviton3", "aarch64", ("ARM", None, None)),
        ("a64fx", "aarch64", ("Fujitsu", None, None)),
        ("power9", "ppc64le", ("IBM", "POWER9, altivec supported", 3.666e9)),
    ],
)
def test_vendor_model_and_base_clock(
    samples: Path, folder: str, isa: str, expected: tuple[str, str | None, float | None]
) -> None:
    processor = read_processor(samples / folder, isa)
    assert (processor.vendor, processor.model) == expected[:2]
    assert processor.nominal_hz == pytest.approx(expected[2])


def test_this_kind_of_guest(samples: Path) -> None:
    processor = read_processor(samples / "epyc_zen5_kvm", "x86_64")
    assert (processor.n_sockets, processor.n_cores, processor.n_threads) == (1, 2, 2)
    assert processor.threads_per_core == 1
    assert processor.smt is False
    assert processor.signature == "family 26, model 2, stepping 1, microcode 0x1000065"
    assert {"avx512f", "fma", "avx512_vnni"} <= set(processor.features)
    assert (processor.min_hz, processor.max_hz, processor.governor) == (None, None, None)
    assert processor.boost is None


def test_a_laptop_with_two_threads_per_core(samples: Path, tmp_path: Path) -> None:
    root = samples / "core_i7_8650u"
    processor = read_processor(root, "x86_64")
    assert (processor.min_hz, processor.max_hz) == (0.8e9, 2.4e9)
    assert processor.governor == "powersave"
    # The capture holds the files of CPUs 0 and 1 only; /proc/cpuinfo has all eight.
    assert [core.cpus for core in read_cpus(root).cores] == [(0,), (1,)]
    (tmp_path / "proc").mkdir()
    (tmp_path / "proc/cpuinfo").write_text((root / "proc/cpuinfo").read_text())
    cpus = read_cpus(tmp_path)
    assert [core.cpus for core in cpus.cores] == [(0, 4), (1, 5), (2, 6), (3, 7)]
    assert (cpus.n_sockets, cpus.n_usable_cores) == (1, 4)
    processor = read_processor(tmp_path, "x86_64")
    assert (processor.threads_per_core, processor.smt) == (2, True)


def test_arm_features_and_signature(samples: Path) -> None:
    processor = read_processor(samples / "a64fx", "aarch64")
    assert "sve" in processor.features
    assert processor.signature == (
        "CPU implementer 0x46, CPU variant 0x1, CPU part 0x001, CPU revision 0"
    )


def test_nothing_readable_is_not_an_error(tmp_path: Path) -> None:
    processor = read_processor(tmp_path, "x86_64")
    assert processor.n_cores is None
    assert processor.n_threads is None
    assert processor.model is None


@pytest.mark.parametrize(
    ("file", "value", "boost"),
    [
        ("intel_pstate/no_turbo", "0", True),
        ("intel_pstate/no_turbo", "1", False),
        ("cpufreq/boost", "1", True),
        ("cpufreq/boost", "0", False),
    ],
)
def test_boost_of_either_driver(tmp_path: Path, file: str, value: str, boost: bool) -> None:
    place = tmp_path / "sys/devices/system/cpu" / file
    place.parent.mkdir(parents=True)
    place.write_text(f"{value}\n")
    assert read_processor(tmp_path, "x86_64").boost is boost
