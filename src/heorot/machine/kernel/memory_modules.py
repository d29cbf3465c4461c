"""The memory modules of this node: from SMBIOS, readable for root only, else from EDAC."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from heorot.machine.kernel.tree import ROOT, numbered, read_count, read_text

# DMTF, System Management BIOS Reference Specification (DSP0134), 7.18, memory device (type 17):
# offsets of fields, and types of memory.
_SIZE, _KIND, _SPEED, _CONFIGURED, _EXTENDED = 0x0C, 0x12, 0x15, 0x20, 0x58
_KINDS = {
    0x12: "DDR",
    0x13: "DDR2",
    0x14: "DDR2",
    0x18: "DDR3",
    0x1A: "DDR4",
    0x1B: "LPDDR",
    0x1C: "LPDDR2",
    0x1D: "LPDDR3",
    0x1E: "LPDDR4",
    0x20: "HBM",
    0x21: "HBM2",
    0x22: "DDR5",
    0x23: "LPDDR5",
    0x24: "HBM3",
}
_TYPE, _WORD = 17, 0xFFFF


class Modules(NamedTuple):
    """The memory modules of a node, with the names of the fields of `Memory`."""

    module_kind: str | None = None
    n_modules: int | None = None
    module_transfers: float | None = None


def read_modules(root: Path = ROOT) -> Modules:
    """Type, number and speed of the memory modules; all None if not readable."""
    found = [module for record in _records(root) if (module := parse_module(record)) is not None]
    if not found:
        return _read_edac(root)
    kinds = dict.fromkeys(kind for kind, _ in found)
    speeds = [speed for _, speed in found if speed]
    return Modules(", ".join(kinds), len(found), min(speeds) * 1e6 if speeds else None)


def parse_module(record: bytes) -> tuple[str, int] | None:
    """Type and configured speed of a memory module [10^6 transfer/s], 0 if unknown.

    Args:
        record: an SMBIOS structure; the result is None for other structures and empty slots.
    """

    def word(offset: int, size: int = 2) -> int:
        field = record[offset : offset + size] if offset + size <= record[1] else b""
        return int.from_bytes(field, "little")

    if len(record) < _KIND or record[0] != _TYPE or not word(_SIZE):
        return None
    kind = _KINDS.get(word(_KIND, 1))
    speed = word(_CONFIGURED) or word(_SPEED)
    return None if kind is None else (kind, word(_EXTENDED, 4) if speed == _WORD else speed)


def _records(root: Path) -> Iterator[bytes]:
    """The structures of memory devices; in a copy of a node they are hexadecimal text."""
    for _, file in numbered(root / "heorot/dmi", "17-"):
        text = "".join((read_text(file) or "").split())
        if re.fullmatch(r"(?:[0-9a-f]{2})*", text):
            yield bytes.fromhex(text)
    for _, folder in numbered(root / "sys/firmware/dmi/entries", "17-"):
        try:
            yield (folder / "raw").read_bytes()
        except OSError:
            continue


def _read_edac(root: Path) -> Modules:
    """The modules known to the error detection driver: without speed, on some processors ranks."""
    kinds: dict[str, None] = {}
    n_modules = 0
    for _, controller in numbered(root / "sys/devices/system/edac/mc", "mc"):
        for stem in ("dimm", "rank"):
            for _, folder in numbered(controller, stem):
                kind = re.search(r"DDR\d?", read_text(folder / "dimm_mem_type") or "")
                if kind and read_count(folder / "size"):
                    kinds[kind[0]] = None
                    n_modules += stem == "dimm"
    return Modules(", ".join(kinds) or None, n_modules or None)
