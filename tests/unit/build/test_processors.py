"""Flags for the compute node's processor, on captured processors."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from heorot.build.processors import (
    flags_for,
    identify,
    name_flags,
    processor_key,
    same_processor,
)
from heorot.machine.describe import read_node
from heorot.model.machine.machine import Node, Processor
from heorot.model.machine.toolchain import Toolchain
from tests.toolchains import some_compilers

SAMPLES = Path(__file__).parents[2] / "samples" / "machine"
GNU, CLANG, INTEL, NVHPC = "GNU 14.1.0", "Clang 18.1.3", "Intel 2024.1", "NVHPC 24.1"


def captured(name: str, isa: str = "x86_64") -> Node:
    return Node(names=(name,), processor=read_node(SAMPLES / name, isa, name).processor)


def chain(flags: str = "-O3 -march=native", compiler: str = GNU) -> Toolchain:
    return Toolchain(name="t", compilers=some_compilers("g++", compiler, flags), mpi=None)


LOGIN = captured("xeon_skylake")


@pytest.mark.parametrize(
    ("name", "isa", "compiler", "flags"),
    [
        ("epyc_zen4", "x86_64", GNU, "-march=znver4 -mtune=znver4"),
        ("epyc_zen4", "x86_64", CLANG, "-march=znver4 -mtune=znver4"),
        ("epyc_zen4", "x86_64", NVHPC, "-tp zen4"),
        ("epyc_zen4", "x86_64", "AOCC 4.1.0", "-march=znver4 -mtune=znver4"),
        ("xeon_sapphirerapids", "x86_64", INTEL, "-march=sapphirerapids -mtune=sapphirerapids"),
        ("xeon_cascadelake", "x86_64", "GNU 12.2.0", "-march=cascadelake -mtune=cascadelake"),
        ("graviton3", "aarch64", GNU, "-mcpu=neoverse-v1"),
        ("a64fx", "aarch64", "Arm 23.10", "-march=armv8.2-a+crc+crypto+fp16+sve"),
        ("power9", "ppc64le", GNU, "-mcpu=power9 -mtune=power9"),
        ("riscv_u74", "riscv64", GNU, "-march=rv64gc -mtune=sifive-7-series"),
    ],
)
def test_processors_by_name(name: str, isa: str, compiler: str, flags: str) -> None:
    assert name_flags(compiler, captured(name, isa).processor) == flags


@pytest.mark.parametrize(
    ("compiler", "why"),
    [
        ("GNU 9.4.0", "knows no Zen 4 yet"),
        ("Cray 17", "is in no catalogue"),
        ("GNU", "does not print its version"),
        ("GNU latest", "has no number"),
        (INTEL, "has no name for it"),
        ("Arm 23.10", "builds for other processors"),
    ],
)
def test_compilers_that_cannot_name_it(compiler: str, why: str) -> None:
    assert name_flags(compiler, captured("epyc_zen4").processor) is None, why


def test_the_last_release_of_a_range_belongs_to_it() -> None:
    flags = name_flags("GNU 12.2.0", captured("epyc_zen4").processor)
    assert flags == name_flags("GNU 12.2", captured("epyc_zen4").processor)
    assert flags is not None
    assert flags.startswith("-march=znver3 -mtune=znver3 -mavx512f")


def test_processors_that_have_no_name() -> None:
    # A guest whose processor is known by its level only, and one without any features.
    for guest in ("epyc_zen5_kvm", "xeon_guest_many_sockets"):
        assert name_flags(GNU, captured(guest).processor) is None
    unknown = Processor(isa="x86_64", microarchitecture="unknown, at least icelake")
    assert name_flags(GNU, unknown) is None
    assert name_flags(GNU, Processor(isa="x86_64")) is None


def test_a_guest_without_all_instructions_of_its_name() -> None:
    whole = captured("xeon_sapphirerapids").processor
    fewer = tuple(one for one in whole.features if not one.startswith("amx"))
    assert name_flags(GNU, whole) is not None
    assert name_flags(GNU, whole.model_copy(update={"features": fewer})) is None


@pytest.mark.parametrize(
    ("compiler", "flags", "expected"),
    [
        (GNU, "-O3 -march=native", "-O3 -march=znver4 -mtune=znver4"),
        (GNU, "-march=native -mtune=native -g", "-march=znver4 -mtune=znver4 -g"),
        (GNU, "-Ofast -mcpu=native", "-Ofast -march=znver4 -mtune=znver4"),
        (GNU, "-O2 -march=x86-64-v3 -mtune=native", "-O2 -march=x86-64-v3 -mtune=znver4"),
        (NVHPC, "-O3 -tp=native", "-O3 -tp zen4"),
        (NVHPC, "-O3 -tp host -g", "-O3 -tp zen4 -g"),
    ],
)
def test_flags_that_ask_the_processor_give_way(compiler: str, flags: str, expected: str) -> None:
    built = flags_for(chain(flags, compiler), captured("epyc_zen4"), LOGIN)
    assert built is not None
    assert built.cxx.flags == expected
    assert built == chain(flags, compiler).with_flags(expected)


def test_flags_of_intel() -> None:
    built = flags_for(chain("-O3 -xHost -ipo", INTEL), captured("xeon_sapphirerapids"), LOGIN)
    assert built is not None
    assert built.cxx.flags == "-O3 -march=sapphirerapids -mtune=sapphirerapids -ipo"


def test_the_same_processor_needs_no_name() -> None:
    own = chain()
    assert flags_for(own, captured("xeon_skylake"), LOGIN) is own
    # Nor does an unknown one.
    guest = captured("epyc_zen5_kvm")
    assert flags_for(own, guest, guest) is own
    assert not same_processor(guest.processor, LOGIN.processor)


def test_flags_that_name_a_processor_stay() -> None:
    own = chain("-O3 -march=znver3")
    assert flags_for(own, captured("epyc_zen4"), LOGIN) is own
    assert flags_for(chain("-O3"), captured("epyc_zen5_kvm"), LOGIN) is not None
    # A word with the same beginning is another one.
    assert flags_for(chain("-O3 -DX=-march=native"), captured("epyc_zen4"), LOGIN) is not None


def test_what_has_to_be_built_on_the_node() -> None:
    assert flags_for(chain(), captured("epyc_zen5_kvm"), LOGIN) is None
    assert flags_for(chain(compiler="Cray 17"), captured("epyc_zen4"), LOGIN) is None
    arm = captured("graviton3", "aarch64")
    assert flags_for(chain(), arm, LOGIN) is None
    assert flags_for(chain("-O3"), arm, LOGIN) is None


def test_a_kernel_that_masks_instructions_is_another_processor() -> None:
    fewer = LOGIN.processor.features[1:]
    masked = LOGIN.processor.model_copy(update={"features": fewer})
    assert not same_processor(masked, LOGIN.processor)


def test_processors_that_nobody_knows_differ_by_their_numbers() -> None:
    guest = captured("epyc_zen5_kvm").processor
    numbers = guest.signature or ""
    later = guest.model_copy(update={"signature": numbers.replace("model ", "model 1")})
    stepped = guest.model_copy(update={"signature": numbers.replace("stepping ", "stepping 1")})
    assert guest.signature not in {later.signature, stepped.signature}
    assert not same_processor(guest, later)
    assert same_processor(guest, stepped)
    # A name takes precedence over numbers.
    other = LOGIN.processor.model_copy(update={"signature": "family 6, model 106"})
    assert same_processor(LOGIN.processor, other)


def test_no_two_processors_share_a_name() -> None:
    guest, skylake = captured("epyc_zen5_kvm").processor, LOGIN.processor
    changes: tuple[dict[str, object], ...] = (
        {"features": guest.features[1:]},
        {"model": "another"},
        {"vendor": "another"},
        {"isa": "i686"},
    )
    others = [guest.model_copy(update=change) for change in changes]
    assert len({identify(each) for each in (guest, skylake, *others)}) == 6
    assert identify(guest).startswith(f"{guest.model} ")
    updated = (guest.signature or "").replace("microcode ", "microcode 9")
    assert updated != guest.signature
    assert identify(guest.model_copy(update={"signature": updated})) == identify(guest)


def test_flags_that_ask_no_processor_make_the_same_of_all() -> None:
    guest, skylake = captured("epyc_zen5_kvm").processor, LOGIN.processor
    for flags in ("-O3 -march=native", "-O3 -mtune=native", "-O3 -tp=native"):
        assert processor_key(chain(flags), guest) != processor_key(chain(flags), skylake)
    # For a build elsewhere, only that counts.
    there = chain().model_copy(update={"built_on": identify(guest)})
    assert processor_key(there, skylake) == identify(guest)
    named = chain("-O3 -march=znver4")
    assert processor_key(named, guest) == processor_key(named, skylake) == "x86_64"


@pytest.mark.parametrize("name", ["xeon_skylake", "epyc_zen4", "epyc_zen3_kvm"])
@pytest.mark.parametrize(
    ("cxx", "compiler"), [("g++-12", "GNU 12.2.0"), ("clang++-16", "Clang 16.0.6")]
)
def test_compilers_understand_their_flags(name: str, cxx: str, compiler: str) -> None:
    if shutil.which(cxx) is None:
        pytest.skip(f"{cxx} is not installed")
    flags = name_flags(compiler, captured(name).processor)
    assert flags is not None
    command = [cxx, *flags.split(), "-x", "c++", "-fsyntax-only", "/dev/null"]
    assert subprocess.run(command, check=False, capture_output=True).returncode == 0
