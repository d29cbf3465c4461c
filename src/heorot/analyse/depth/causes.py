"""What explains that copies lose speed, in words with numbers."""

from __future__ import annotations

from heorot.model.analysis.depth.levels import MEMORY
from heorot.model.analysis.depth.shares import Contention
from heorot.units import format_binary, format_quantity


def word_cause(contention: Contention) -> str:
    """The cause with its numbers, as a clause; what was looked at, if nothing explains the loss.

    Args:
        contention: of copies that lose speed.
    """
    if not contention.is_loss:
        return "that is no more than chance may take"
    if not contention.causes:
        return _unexplained(contention)
    return {
        "bandwidth": _bandwidth,
        "caches": _caches,
        "waiting": _waiting,
        "clock": _clock,
    }[contention.causes[0]](contention)


def _rates(contention: Contention) -> str:
    part, drawn = (format_quantity(rate, "B/s") for rate in (contention.part, contention.drawn))
    return f"feeds {part} to each, where a copy alone draws {drawn}"


def _bandwidth(contention: Contention) -> str:
    return f"{contention.level} {_rates(contention)}"


def _caches(contention: Contention) -> str:
    size = contention.point.get("working_set_bytes")
    whose = "its working set" if size is None or isinstance(size, str) else _own(float(size))
    return (
        f"alone it has {whose} in {contention.level_alone}, beside others in "
        f"{contention.level}, which {_rates(contention)}"
    )


def _own(size: float) -> str:
    return f"its {format_binary(size)}"


def _waiting(contention: Contention) -> str:
    alone, among = (format_quantity(t, "s") for t in (contention.wait_alone, contention.wait))
    return f"a load waits {among} for {MEMORY} while the others read, and {alone} alone"


def _clock(contention: Contention) -> str:
    alone, among = (
        format_quantity(clock, "Hz") for clock in (contention.clock_alone, contention.clock)
    )
    return f"a core runs at {among} while as many are busy, and at {alone} alone"


def _unexplained(contention: Contention) -> str:
    """What was looked at, and costs too little."""
    names = {
        "bandwidth": f"their parts of the bandwidth of {contention.level or 'what feeds them'}",
        "caches": f"their parts of {contention.level_alone}",
        "waiting": "longer waits",
        "clock": "a lower clock",
    }
    known = {
        "bandwidth": contention.part is not None and contention.drawn is not None,
        "caches": contention.part is not None and contention.drawn is not None,
        "waiting": contention.wait is not None,
        "clock": contention.clock is not None,
    }
    looked = [names[cause] for cause, _ in contention.explains if known[cause]]
    if not looked:
        return "they share what feeds them, caches and memory"
    listed = looked[0] if len(looked) == 1 else f"{', '.join(looked[:-1])} and {looked[-1]}"
    return f"{listed} would cost less, so that something else is shared, or lent to others"
