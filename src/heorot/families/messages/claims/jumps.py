"""Reports jumps of message times from one size to the next, their factor, and the setting.

A cause is named if a jump lies at the library's default limit, as printed by `ompi_info`; elsewhere
the data show none.

Source: Open MPI documentation 5.0, section on shared memory (eager limit, header included).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from heorot.analyse.templates.quantities import exactly
from heorot.families.messages import templates
from heorot.families.messages.between_two.pingpong import PINGPONG
from heorot.families.messages.derived.hockney import JUMP, REGION
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Finding, Result
from heorot.model.run.identity import Stack

_OPEN_MPI = re.compile(r"Open MPI v?(\d+)\.")
_RENAMED = 5
# MPICH's for copies between processes, and between nodes by its build.
_MPICH_INSIDE = "MPIR_CVAR_CH4_IPC_CMA_P2P_THRESHOLD (since MPICH 4.2)"
_MPICH_BETWEEN = "UCX_RNDV_THRESH (ch4:ucx) or MPIR_CVAR_CH4_OFI_EAGER_THRESHOLD (ch4:ofi)"


@dataclass(frozen=True)
class _Limit:
    """The eager limit of a library: longer messages wait until the receiver is ready.

    Attributes:
        size_bytes: header included, unless it is set [B].
    """

    name: str
    size_bytes: int

    def explains(self, row: Result) -> bool:
        """Whether the smaller size fits the limit with a header, and the larger does not."""
        low, high = sizes_of(row)
        return low < self.size_bytes <= high


def sizes_of(row: Result) -> tuple[int, int]:
    """The two neighbouring sizes of a jump [B]."""
    return int(row.point["from_bytes"]), int(row.point["to_bytes"])


def jumps(context: Context, stack: Stack, *, several: bool) -> list[Result]:
    """Jumps of a toolchain inside a node or between nodes, of the case with the finest steps."""
    found = context.rows.find(PINGPONG.name, REGION, JUMP, stack=stack)
    rows = [row for row in found if (row.nodes > 1) == several]
    if not rows:
        return []
    finest = min(rows, key=lambda row: sizes_of(row)[1] / sizes_of(row)[0])
    return [row for row in rows if row.case == finest.case]


def describe_jumps(context: Context, libraries: Mapping[Stack, str]) -> Iterator[Finding]:
    """One finding for each toolchain and place with a jump.

    Args:
        libraries: the own name of each toolchain's MPI library.
    """
    for stack in context.stacks:
        for several in (False, True):
            rows = jumps(context, stack, several=several)
            if rows:
                yield _describe(rows, libraries.get(stack, ""), several=several)


def _describe(rows: list[Result], library: str, *, several: bool) -> Finding:
    worst = max(rows, key=lambda row: row.median)
    eager = _limit(library, several=several)
    known = eager is not None and any(eager.explains(row) for row in rows)
    place = templates.INSIDE.claim()
    if several:
        place = templates.BETWEEN.claim(nodes=worst.nodes)
    return templates.JUMPS(
        affected=(PINGPONG.name,),
        remedy=templates.OTHER_LIMITS if _options(library, eager, several=several) else None,
        jumps=[
            templates.JUMP.claim(
                low=exactly(sizes_of(row)[0], "B"),
                high=exactly(sizes_of(row)[1], "B"),
                place=place,
                ratio=row,
            )
            for row in rows
        ],
        eager=exactly(eager.size_bytes, "B") if eager is not None and known else None,
        setting=eager.name if eager is not None else None,
        row=worst,
        options=_options(library, eager, several=several),
    )


def _limit(library: str, *, several: bool) -> _Limit | None:
    """The limit of the transport, if it is the library's own."""
    known = _OPEN_MPI.search(library)
    if known is None:
        return None
    if several:
        return _Limit("btl_tcp_eager_limit", 64 << 10)
    name = "sm" if int(known[1]) >= _RENAMED else "vader"
    return _Limit(f"btl_{name}_eager_limit", 4 << 10)


def _options(library: str, eager: _Limit | None, *, several: bool) -> str:
    """The setting of a library's limit; empty if unknown."""
    if eager is not None:
        other = ", or UCX_RNDV_THRESH=BYTES where UCX carries them" if several else ""
        return f"--mca {eager.name} BYTES{other}"
    if "MPICH" in library and "MVAPICH" not in library:
        return _MPICH_BETWEEN if several else _MPICH_INSIDE
    return ""
