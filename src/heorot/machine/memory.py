"""The main memory of this node, from /proc/meminfo and /sys/kernel/mm."""

from __future__ import annotations

import re
from pathlib import Path

from heorot.machine.kernel.memory_modules import read_modules
from heorot.machine.kernel.tree import INTEGER, ROOT, list_names, parse_fields, read_text
from heorot.machine.numa import read_available
from heorot.model.machine.machine import Memory


def read_memory(root: Path = ROOT) -> Memory:
    """Memory, swap and huge page policy."""
    sizes = parse_meminfo(read_text(root / "proc/meminfo") or "")
    available = (sizes.get("MemAvailable"), read_available(root))
    pages = root / "sys/kernel/mm"
    return Memory(
        total_bytes=sizes.get("MemTotal"),
        available_bytes=min((size for size in available if size is not None), default=None),
        swap_bytes=sizes.get("SwapTotal"),
        huge_pages=parse_choice(read_text(pages / "transparent_hugepage/enabled")),
        huge_page_bytes=parse_page_sizes(list_names(pages / "hugepages")),
        huge_page_defrag=parse_choice(read_text(pages / "transparent_hugepage/defrag")),
        **read_modules(root)._asdict(),
    )


def parse_meminfo(text: str) -> dict[str, int]:
    """The sizes in /proc/meminfo [B]; counts of pages are left out."""
    fields = parse_fields(text)
    matches = {key: re.fullmatch(rf"({INTEGER}) kB", value) for key, value in fields.items()}
    return {key: int(match[1]) * 1024 for key, match in matches.items() if match}


def parse_choice(text: str | None) -> str | None:
    """The chosen word of `always [madvise] never`."""
    match = re.search(r"\[([\w+]+)\]", text or "")
    return match[1] if match else None


def parse_page_sizes(names: list[str]) -> tuple[int, ...]:
    """Sizes from directory names such as `hugepages-2048kB` [B], smallest first."""
    matches = (re.fullmatch(rf"hugepages-({INTEGER})kB", name) for name in names)
    return tuple(sorted(int(match[1]) * 1024 for match in matches if match))
