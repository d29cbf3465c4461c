"""Sentences on file systems."""

from __future__ import annotations

from collections.abc import Iterator

from heorot.analyse.rows import best
from heorot.analyse.templates.quantities import differ, keys, ratio
from heorot.families.storage import templates
from heorot.families.storage.latency import APPENDS, LATENCY
from heorot.families.storage.posix import POSIX
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Result, Sentence
from heorot.model.resource import FILESYSTEM

_BLOCK, _USUAL = "block_bytes", 1 << 20
_BUFFERED: dict[str, int | str] = {"access": "buffered", "depth": 1}
_DIRECT: dict[str, int | str] = {"access": "direct", "depth": 1}


def sentences(context: Context) -> list[Sentence]:
    """The sentences of the family, for each file system."""
    found = [
        sentence
        for role in roles_of(context)
        for sentence in (
            _client(context, role),
            _clients(context, role),
            _blocks(context, role),
            _direct(context, role),
            _sync(context, role),
        )
    ]
    return [sentence for sentence in found if sentence is not None]


def roles_of(context: Context) -> list[str]:
    """Roles of the file systems that rows used, in their order."""
    rows = (row for row in context.rows if row.benchmark in {POSIX.name, LATENCY.name})
    return list(dict.fromkeys(context.uses.which(row, FILESYSTEM).name for row in rows))


def bandwidths(
    context: Context, role: str, region: str, point: dict[str, int | str], cores: int = 1
) -> list[Result]:
    """Bandwidths of a region on a file system, by increasing blocks."""
    rows = context.rows.find(POSIX.name, region, "bandwidth", point=point, cores=cores)
    own = [row for row in rows if context.uses.which(row, FILESYSTEM).name == role]
    return sorted(own, key=lambda row: float(row.point[_BLOCK]))


def usual(context: Context, role: str, region: str, cores: int = 1) -> Result | None:
    """The bandwidth of buffered transfers of 1 MiB."""
    return best(bandwidths(context, role, region, _BUFFERED | {_BLOCK: _USUAL}, cores))


def _client(context: Context, role: str) -> Sentence | None:
    write, read = usual(context, role, "write"), usual(context, role, "read")
    cached = usual(context, role, "cached_read")
    if write is None:
        return None
    return templates.CLIENT(
        role=role, evidence=keys(write, read, cached), write=write, read=read, cached=cached
    )


def _clients(context: Context, role: str) -> Sentence | None:
    """The write bandwidth of most clients."""
    rows = context.rows.find(POSIX.name, "write", "bandwidth")
    most = max((row.cores for row in rows if row.nodes == 1), default=1)
    one, many = usual(context, role, "write"), usual(context, role, "write", most)
    if one is None or many is None or most == 1:
        return None
    return templates.CLIENTS(role=role, many=many, gain=ratio(many, one))


def _blocks(context: Context, role: str) -> Sentence | None:
    """Direct reads with the smallest and the largest blocks, and several at a time."""
    reads = bandwidths(context, role, "read", _DIRECT)
    if len(reads) < 2:  # noqa: PLR2004 - nothing to compare
        return None
    small, large = reads[0], reads[-1]
    random = next(iter(bandwidths(context, role, "random_read", _DIRECT)), None)
    deep = next(_deeper(context, role, random), None) if random is not None else None
    return templates.BLOCKS(
        role=role,
        evidence=keys(small, large, random, deep),
        small=small,
        large=large,
        least=float(small.point[_BLOCK]),
        most=float(large.point[_BLOCK]),
        random=random,
        deep=deep,
    )


def _deeper(context: Context, role: str, random: Result) -> Iterator[Result]:
    """The same random reads with more transfers at a time, the most first."""
    point: dict[str, int | str] = {"access": "direct", _BLOCK: int(random.point[_BLOCK])}
    rows = bandwidths(context, role, "random_read", point)
    yield from sorted(
        (row for row in rows if row.point["depth"] != 1), key=lambda row: -float(row.point["depth"])
    )


def _direct(context: Context, role: str) -> Sentence | None:
    """Cold reads through the page cache and without it, if they differ."""
    buffered = usual(context, role, "read")
    direct = best(bandwidths(context, role, "read", _DIRECT | {_BLOCK: _USUAL}))
    if buffered is None or direct is None or not differ(buffered, direct):
        return None
    return templates.DIRECT(role=role, buffered=buffered, direct=direct)


def latency(context: Context, role: str, region: str, metric: str = "latency") -> Result | None:
    """A latency of a client on a file system."""
    rows = context.rows.find(LATENCY.name, region, metric, cores=1)
    return best([row for row in rows if context.uses.which(row, FILESYSTEM).name == role])


def _sync(context: Context, role: str) -> Sentence | None:
    """Appends with fsync and fdatasync."""
    fsync, fdatasync = (latency(context, role, region) for region in APPENDS)
    if fsync is None:
        return None
    tail = latency(context, role, APPENDS[0], "latency_p99")
    return templates.SYNC(
        role=role,
        evidence=keys(fsync, tail, fdatasync),
        fsync=fsync,
        tail=tail,
        fdatasync=fdatasync,
    )
