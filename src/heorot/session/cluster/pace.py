"""How fast a machine seems: looked at for a plan, remembered for single programs."""

from __future__ import annotations

import hashlib
from contextlib import suppress

from heorot.build.programs import cache_directory
from heorot.catalogue.sizes import all_cores, memory_bytes
from heorot.errors import SetupError
from heorot.files import read_regular
from heorot.machine.pace import probe
from heorot.model.machine.machine import Machine
from heorot.model.machine.pace import Pace
from heorot.writing import write


def pace_of(machine: Machine, *, anew: bool) -> Pace:
    """How fast a machine seems; a note in the cache has what an earlier look found.

    Args:
        anew: whether to measure again, as for a plan of many programs; for one program an earlier
            calibration suffices.
    """
    n_cores, node = all_cores(machine), machine.node
    known = repr((n_cores, node.processor, node.cores, node.caches))
    note = None
    with suppress(SetupError):  # there is no cache
        note = cache_directory() / f"pace-{hashlib.sha256(known.encode()).hexdigest()[:12]}"
    if note is not None and not anew:
        with suppress(OSError, ValueError):
            return Pace.model_validate_json(read_regular(note))
    found = probe(n_cores, memory_bytes(machine))
    if note is not None:
        with suppress(OSError):
            write(note, found.model_dump_json(), sync=False)
    return found
