"""FMA pipes of known processors, by name or by family and model.

Cores sold with different numbers of pipes under one model, such as Skylake's for servers, are left
out.

Source: A. Fog, The microarchitecture of Intel, AMD and VIA CPUs (2023), and its instruction tables;
Arm, Software Optimization Guides of Neoverse N1, N2, V1 and V2; Fujitsu, A64FX Microarchitecture
Manual.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from heorot.model.machine.machine import Processor


@dataclass(frozen=True)
class Units:
    """The FMA pipes of a core.

    Attributes:
        width_bytes: vector width of a pipe; wider vectors take several.
    """

    core: str
    n: int
    width_bytes: int

    def flops_per_cycle(self, vector_bytes: int, element_bytes: int) -> float:
        """Flops per cycle with vectors of a width.

        Args:
            vector_bytes: width [B].
            element_bytes: of a number [B].
        """
        return 2.0 * self.n * min(vector_bytes, self.width_bytes) / element_bytes


_ZEN, _ZEN2, _ZEN3, _ZEN4 = (
    Units("Zen", 2, 16),
    Units("Zen 2", 2, 32),
    Units("Zen 3", 2, 32),
    Units("Zen 4", 2, 32),
)
_HASWELL, _BROADWELL = Units("Haswell", 2, 32), Units("Broadwell", 2, 32)
_ICE_LAKE, _SAPPHIRE = Units("Ice Lake for servers", 2, 64), Units("Sapphire Rapids", 2, 64)
_BY_NAME = {
    "zen": _ZEN,
    "zen2": _ZEN2,
    "zen3": _ZEN3,
    "zen4": _ZEN4,
    "haswell": _HASWELL,
    "broadwell": _BROADWELL,
    "sapphirerapids": _SAPPHIRE,
    "neoverse_n1": Units("Neoverse N1", 2, 16),
    "neoverse_n2": Units("Neoverse N2", 2, 16),
    "neoverse_v1": Units("Neoverse V1", 4, 16),
    "neoverse_v2": Units("Neoverse V2", 4, 16),
    "a64fx": Units("A64FX", 2, 64),
}
# Virtual machines may hide instructions, so that the processor's name is unknown there.
_BY_MODEL = {
    ("AuthenticAMD", 23): ((range(0x30), _ZEN), (range(0x30, 0x100), _ZEN2)),
    ("AuthenticAMD", 25): (
        (range(0x10), _ZEN3),
        (range(0x10, 0x20), _ZEN4),
        (range(0x20, 0x60), _ZEN3),
        (range(0x60, 0x80), _ZEN4),
        (range(0xA0, 0xB0), _ZEN4),
    ),
    ("AuthenticAMD", 26): ((range(0x20), Units("Zen 5 for servers", 2, 64)),),
    ("GenuineIntel", 6): (
        (range(63, 64), _HASWELL),
        (range(79, 80), _BROADWELL),
        (range(106, 107), _ICE_LAKE),
        (range(108, 109), _ICE_LAKE),
        (range(143, 144), _SAPPHIRE),
        (range(207, 208), Units("Emerald Rapids", 2, 64)),
        (range(173, 175), Units("Granite Rapids", 2, 64)),
    ),
}


def known_units(processor: Processor) -> Units | None:
    """The FMA pipes of a processor; None if unknown.

    Args:
        processor: with its name, or vendor and signature.
    """
    named = _BY_NAME.get(processor.microarchitecture or "")
    numbers = re.match(r"family (\d+), model (\d+)", processor.signature or "")
    if named is not None or numbers is None:
        return named
    family, model = map(int, numbers.groups())
    models = _BY_MODEL.get((processor.vendor or "", family), ())
    return next((units for those, units in models if model in those), None)
