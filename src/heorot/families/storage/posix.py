"""The record of storage/posix: bandwidth and rate of reads and writes of files."""

from __future__ import annotations

from collections.abc import Iterator

from heorot.catalogue.estimates import Cost, by_counts
from heorot.catalogue.layouts import Options, doubling
from heorot.catalogue.sizes import all_cores, share_of_memory
from heorot.families.storage.places import in_file_system, roles
from heorot.model.catalogue.benchmark import Benchmark, Case, Profile, tiny_case
from heorot.model.catalogue.figure import Figure
from heorot.model.catalogue.metrics import Ceiling, Headline, Metric
from heorot.model.catalogue.usual import BANDWIDTH
from heorot.model.machine.machine import Machine
from heorot.model.resource import FILESYSTEM

COLD = ("read", "random_read")
_MIB = 1 << 20
_FILE_BYTES: dict[Profile, int] = {
    "smoke": 16 * _MIB,
    "quick": 16 * _MIB,
    "standard": 256 * _MIB,
    "full": 1024 * _MIB,
}
_BUDGET: dict[Profile, float] = {"smoke": 0.2, "quick": 0.5, "standard": 1.0, "full": 4.0}
_LONGER = ("standard", "full")
_BLOCKS = ",".join(str(4096 << shift) for shift in range(0, 13, 2))
# A slow disk; the first launch corrects it [B/s].
_SLOW = 200e6
_NAME = "storage/posix"

_count = by_counts(_NAME, (Cost("points", 1.5, "budget"), Cost("bytes", 2.0 / _SLOW, "clock")))


def _estimate(machine: Machine, case: Case) -> Case:
    return in_file_system(_NAME, machine, _count(machine, case))


def _cases(machine: Machine, profile: Profile) -> tuple[Case, ...]:
    """One client on every file system; in longer profiles all blocks, and more clients."""
    tested = roles(machine) if profile in _LONGER else ["work"]
    return tuple(case for role in tested for case in _of_role(machine, profile, role))


def _of_role(machine: Machine, profile: Profile, role: str) -> Iterator[Case]:
    # All files together are in memory while they are verified, and consist of whole blocks.
    room = 1 << (share_of_memory(machine, 0.2).bit_length() - 1)
    total = min(_FILE_BYTES[profile], room)
    usual: Options = {
        "directory": role,
        "file-bytes": total,
        "budget": _BUDGET[profile],
        "samples-min": 3,
        "samples-max": 3,
    }
    simple: Options = {"regions": "write,read", "access": "buffered", "blocks": str(_MIB)}
    yield _estimate(machine, Case(name=role, options=usual | simple, priority="headline"))
    if profile not in _LONGER:
        return
    swept: Options = {
        "regions": "all",
        "access": "buffered,direct",
        "blocks": _BLOCKS,
        "depths": "1,16",
    }
    yield _estimate(machine, Case(name=f"{role}_blocks", options=usual | swept))
    for n in doubling(all_cores(machine))[1:]:
        shared = usual | {"file-bytes": max(1, total // n // _MIB) * _MIB}
        several: Options = simple | {
            "regions": "write,read,random_read",
            "access": "buffered,direct",
        }
        yield _estimate(
            machine, Case(name=f"{role}_{n}_clients", options=shared | several, ranks=n)
        )


POSIX = Benchmark(
    name=_NAME,
    title="file I/O",
    measures="bandwidth of file systems, cold and cached",
    metrics=(
        BANDWIDTH,
        Metric(
            name="operation_rate",
            unit="op/s",
            better="higher",
            count="operations",
            regions=("random_write", "random_read"),
        ),
    ),
    cases=_cases,
    estimate=_estimate,
    tiny=tiny_case({"file-bytes": 65536, "blocks": "4096,65536", "depths": "1,4"}),
    ceilings=(
        Ceiling(
            metric="bandwidth",
            regions=("write", "random_write", *COLD),
            by="drawn_bandwidth",
            refuses_only=True,
            reason="no device is faster than memory",
        ),
    ),
    headlines=(
        Headline(
            label="File write with flush, 1 MiB blocks",
            metric="bandwidth",
            region="write",
            point={"access": "buffered", "block_bytes": _MIB},
            each=FILESYSTEM,
        ),
        Headline(
            label="Cold file read, 1 MiB blocks",
            metric="bandwidth",
            region="read",
            point={"access": "buffered", "block_bytes": _MIB},
            each=FILESYSTEM,
        ),
    ),
    figures=(
        Figure.curve(
            "File bandwidth over the block size",
            "bandwidth",
            "block_bytes",
            "block [B]",
            series=("region", "access", "depth"),
            panels=("access",),
            least_values=2,
        ),
        Figure(title="Open, transfer, flush and close", kind="phases"),
    ),
)
