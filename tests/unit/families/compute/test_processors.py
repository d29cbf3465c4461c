"""Processors with known FMA pipes."""

from __future__ import annotations

from typing import Any

import pytest

from heorot.families.compute.processors import known_units
from heorot.model.machine.machine import Processor


def core(**fields: Any) -> str | None:
    units = known_units(Processor(isa="any", **fields))
    return units.core if units else None


def test_a_name_is_enough() -> None:
    assert core(microarchitecture="zen3") == "Zen 3"
    assert core(microarchitecture="neoverse_v1") == "Neoverse V1"


@pytest.mark.parametrize(
    ("vendor", "signature", "name"),
    [
        ("AuthenticAMD", "family 25, model 17, stepping 1, microcode 0x1000065", "Zen 4"),
        ("AuthenticAMD", "family 25, model 1, stepping 1", "Zen 3"),
        ("AuthenticAMD", "family 23, model 49, stepping 0", "Zen 2"),
        ("GenuineIntel", "family 6, model 106, stepping 6", "Ice Lake for servers"),
        ("GenuineIntel", "family 6, model 143, stepping 8", "Sapphire Rapids"),
        # sold with one unit of 512 bits, and with two
        ("GenuineIntel", "family 6, model 85, stepping 7", None),
        ("AuthenticAMD", "family 99, model 1, stepping 0", None),
        ("AuthenticAMD", None, None),
        (None, "family 25, model 17, stepping 1", None),
    ],
)
def test_a_virtual_machine_tells_family_and_model(
    vendor: str | None, signature: str | None, name: str | None
) -> None:
    """Its name is that of a generic level."""
    generic = "x86_64_v4"
    assert core(microarchitecture=generic, vendor=vendor, signature=signature) == name


def test_what_units_do_in_a_cycle() -> None:
    zen, arm = (
        known_units(Processor(isa="any", microarchitecture=name))
        for name in ("zen4", "neoverse_v1")
    )
    assert zen is not None
    assert arm is not None
    assert [zen.flops_per_cycle(width, 8) for width in (16, 32, 64)] == [8.0, 16.0, 16.0]
    assert zen.flops_per_cycle(64, 4) == 32.0
    assert [arm.flops_per_cycle(width, 8) for width in (16, 32)] == [16.0, 16.0]
