"""Fits the jobs of a shipped schedule to a machine that is smaller than the published one."""

from __future__ import annotations

from pathlib import Path

from heorot.throughput.model.kinds import JobKind, JobsFile, Part
from heorot.throughput.workload.schedule import shipped

# Programs of this family need two ranks, or measure nothing with one.
_BETWEEN_RANKS = "messages/"


def is_shipped(jobs: Path | None) -> bool:
    """Whether a file of jobs came with Heorot: only those are scaled to the machine."""
    return jobs is not None and jobs in {path.with_suffix(".yaml") for path in shipped().values()}


def fit_to(kinds: JobsFile, n_nodes: int, cores_per_node: int) -> tuple[JobsFile, tuple[str, ...]]:
    """The jobs with as many ranks as the machine holds, at most the published number.

    A part that does not fit gets more ranks on a node, and if that is not enough, fewer ranks:
    powers of two stay powers of two, as many programs need them. If several ranks are reduced to
    one, parts that measure communication are left out.

    Returns:
        The jobs, and the changes, a few words for each.
    """
    jobs, notes = {}, []
    for name, kind in kinds.jobs.items():
        fitted = _fitted(kind, n_nodes, cores_per_node)
        jobs[name] = fitted
        if fitted != kind:
            kept = {part.name for part in fitted.parts}
            lost = [part.name or "" for part in kind.parts if part.name not in kept]
            without = f" without {', '.join(lost)}" if lost else ""
            notes.append(f"{name} {_shape(fitted)}{without} instead of {_shape(kind)}")
    return kinds.model_copy(update={"jobs": jobs}), tuple(notes)


def _shape(kind: JobKind) -> str:
    most = max((part.ranks or 1 for part in kind.parts), default=1)
    return f"{most} rank{'s' * (most > 1)} on {kind.nodes}"


def _fitted(kind: JobKind, n_nodes: int, cores: int) -> JobKind:
    parts = tuple(_part(part, n_nodes, cores) for part in kind.parts)
    pairs = zip(parts, kind.parts, strict=True)
    # Without any part the job stays, and is refused.
    parts = tuple(part for part, was in pairs if _is_of_use(part, was)) or parts
    if parts == kind.parts:
        return kind
    nodes = max(-(-(part.ranks or 1) // (part.per_node or 1)) for part in parts)
    return kind.model_copy(update={"parts": parts, "nodes": nodes})


def _is_of_use(part: Part, was: Part) -> bool:
    between_ranks = (part.program or "").startswith(_BETWEEN_RANKS)
    return not (between_ranks and part.ranks == 1 and was.ranks != 1)


def _part(part: Part, n_nodes: int, cores: int) -> Part:
    room = cores // part.threads
    if part.ranks is None or part.per_node is None or not room:
        return part
    if part.per_node <= room and -(-part.ranks // part.per_node) <= n_nodes:
        return part
    ranks = min(part.ranks, n_nodes * room)
    if ranks < part.ranks and not part.ranks & (part.ranks - 1):
        ranks = 1 << (ranks.bit_length() - 1)
    per_node = max(-(-ranks // n_nodes), min(part.per_node, room))
    return part.model_copy(update={"ranks": ranks, "per_node": per_node})
