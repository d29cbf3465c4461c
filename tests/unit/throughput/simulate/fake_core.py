"""A stand-in for the native core: FCFS on whole nodes, written from the file description only.

It is no module of Heorot: it reads and writes the files byte by byte, so that both sides of the
exchange are compared with their description.
"""

from __future__ import annotations

import struct
import sys
from pathlib import Path

HEAD = struct.Struct("<8sQiiiiIIIIIIddd")
BLOCK = struct.Struct("<qqii")
JOB = struct.Struct("<qqqqiiiiffII")
NEVER = (1 << 63) - 1


def main(given: Path, outcome: Path) -> int:
    """Schedule in the order of arrival; some settings make it fail or wait."""
    content = given.read_bytes()
    head = HEAD.unpack_from(content)
    mark, n_jobs, n_nodes, _, _, _, *kinds, wants_places, n_blocks, _, _, _, _ = head
    assert mark == b"HEOROTJ2"
    begin = HEAD.size + n_blocks * BLOCK.size
    jobs = [JOB.unpack_from(content, begin + i * JOB.size) for i in range(n_jobs)]
    assert len(content) == begin + n_jobs * JOB.size
    if kinds == [5, 3, 2]:  # priority+firstfit on adjacent nodes: the test's signal to fail
        sys.stderr.write("ended 1 of 2\nheorot: it went wrong\nhint: do not\n")
        return 2
    free_at = [0] * n_nodes
    submits: list[int] = []
    starts: list[int] = []
    places: list[list[int]] = []
    now = 0
    for submit, run, _, _, preceding, nodes, *_ in jobs:
        is_orphan = preceding >= 0 and starts[preceding] == NEVER
        submits.append(NEVER if is_orphan else submit)
        if nodes > n_nodes or is_orphan:
            starts.append(NEVER)
            places.append([])
            continue
        chosen = sorted(range(n_nodes), key=lambda node: (free_at[node], node))[:nodes]
        now = max(now, submit, *(free_at[node] for node in chosen))
        for node in chosen:
            free_at[node] = now + run
        starts.append(now)
        places.append(sorted(chosen))
    counts = [len(each) for each in places] if wants_places else []
    text = struct.pack("<8sQQ", b"HEOROTO1", n_jobs, sum(counts))
    text += struct.pack(f"<{2 * n_jobs}q", *submits, *starts)
    if wants_places:
        offsets = [sum(counts[:i]) for i in range(n_jobs + 1)]
        text += struct.pack(f"<{n_jobs + 1}Q", *offsets)
        text += b"".join(struct.pack("<ii", node, 1) for each in places for node in each)
    outcome.write_bytes(text[:-1] if kinds == [5, 0, 2] else text)  # cut off
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
