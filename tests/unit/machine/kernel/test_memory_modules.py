"""Memory modules as reported by SMBIOS records and EDAC."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from heorot.machine.kernel.memory_modules import Modules, parse_module, read_modules

DDR4, DDR5, RAM = 0x1A, 0x22, 0x07


def record(kind: int, mib: int, rated: int, configured: int, length: int = 0x5C) -> bytes:
    """A structure of type 17 as SMBIOS 3.3 has it, with its texts behind it."""
    head = struct.pack("<BBHHHHHHBBBBBHH", 17, length, 0x1100, 0x1000, 0xFFFE, 80, 64, mib, 9, 0,
                       1, 2, kind, 0x2080, rated)  # fmt: skip
    body = head + bytes(9) + struct.pack("<H", configured)
    return body[:length].ljust(length, b"\0") + b"DIMM_A1\0BANK 0\0\0"


def with_records(root: Path, *records: bytes) -> Path:
    for number, each in enumerate(records):
        folder = root / f"sys/firmware/dmi/entries/17-{number}"
        folder.mkdir(parents=True)
        (folder / "raw").write_bytes(each)
    return root


def test_modules_of_a_server_with_empty_slots(tmp_path: Path) -> None:
    fitted, slower = record(DDR5, 32767, 5600, 4800), record(DDR5, 32767, 4800, 4400)
    root = with_records(tmp_path, fitted, record(DDR5, 0, 0, 0), fitted, slower)
    assert read_modules(root) == Modules("DDR5", 3, 4.4e9)


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (record(DDR4, 16384, 3200, 2933), ("DDR4", 2933)),
        # SMBIOS 2.6 has no configured speed.
        (record(DDR4, 16384, 2400, 0, length=0x1C), ("DDR4", 2400)),
        (record(DDR4, 16384, 0, 0), ("DDR4", 0)),
        (record(DDR4, 0, 3200, 3200), None),
        # QEMU's, which are no real modules.
        (record(RAM, 16384, 0, 0), None),
        (b"", None),
        (b"\x11", None),
        (b"\x11\xff", None),
        (bytes([16]) + record(DDR4, 16384, 3200, 2933)[1:], None),
    ],
)
def test_one_record(raw: bytes, expected: tuple[str, int] | None) -> None:
    assert parse_module(raw) == expected


def test_a_speed_beyond_16_bits_has_a_field_of_its_own() -> None:
    raw = bytearray(record(DDR5, 32767, 0xFFFF, 0xFFFF))
    raw[0x58:0x5C] = (70_000).to_bytes(4, "little")
    assert parse_module(bytes(raw)) == ("DDR5", 70_000)


def test_without_a_speed_it_is_unknown(tmp_path: Path) -> None:
    root = with_records(tmp_path, record(DDR4, 16384, 0, 0))
    assert read_modules(root) == Modules("DDR4", 1, None)


@pytest.mark.parametrize(("stem", "n_modules"), [("dimm", 2), ("rank", None)])
def test_edac_knows_the_kind_and_counts_modules_but_not_ranks(
    tmp_path: Path, stem: str, n_modules: int | None
) -> None:
    sizes = {0: "32768", 1: "0", 2: "32768"}
    for number, size in sizes.items():
        folder = tmp_path / f"sys/devices/system/edac/mc/mc0/{stem}{number}"
        folder.mkdir(parents=True)
        (folder / "dimm_mem_type").write_text("Registered-DDR4\n")
        (folder / "size").write_text(f"{size}\n")
    assert read_modules(tmp_path) == Modules("DDR4", n_modules, None)


def test_what_nobody_may_read_is_unknown(tmp_path: Path) -> None:
    (tmp_path / "sys/firmware/dmi/entries/17-0/raw").mkdir(parents=True)
    assert read_modules(tmp_path) == Modules()
