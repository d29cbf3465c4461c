"""Sources of workloads for simulations: files, and models with seeds."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from heorot.errors import UsageError
from heorot.files import is_missing, leads_nowhere
from heorot.throughput.model.workload import Workload
from heorot.throughput.workload.esp import esp_mix
from heorot.throughput.workload.traces import read_workload

_MODEL = re.compile(r"(lublin|poisson|daily):(\d{1,9})(?::(\d{1,4}(?:\.\d{1,9})?))?|(esp)")
_MODELS = "lublin:JOBS, lublin:JOBS:LOAD, poisson:JOBS:LOAD, daily:JOBS:LOAD, esp"
_LOAD = 0.87


@dataclass(frozen=True, eq=False)
class Source:
    """A source of workloads.

    Attributes:
        text: as the user wrote it: a file, or a model.
        is_model: whether every seed gives another workload.
        complaints: unreadable lines of a file, a text each.
        workload: of a file.
    """

    text: str
    is_model: bool
    complaints: tuple[str, ...] = ()
    workload: Workload | None = None


def find_source(text: str) -> Source:
    """Read a file, or parse the name of a model.

    Args:
        text: path of a trace, or `lublin:JOBS`, `poisson:JOBS:LOAD`, `daily:JOBS:LOAD`, `esp`.

    Raises:
        UsageError: it is neither.
        WorkloadError: the file has no workload.
    """
    path = Path(os.path.expanduser(text))  # noqa: PTH111 (Path's own fails for unknown users)
    if is_missing(path):
        if _MODEL.fullmatch(text):
            return Source(text, is_model=True)
        raise UsageError(
            leads_nowhere(path) or f"there is no workload {text}", f"a file, or one of {_MODELS}"
        )
    reading = read_workload(path)
    worded = tuple(f"{path}:{each.line}: {each.text}" for each in reading.complaints)
    return Source(text, is_model=False, complaints=worded, workload=reading.workload)


def workload_of(source: Source, n_nodes: int, cores_per_node: int, seed: int) -> Workload:
    """The workload of a file, or one of a model.

    Args:
        n_nodes: of the machine that models make jobs for.
        cores_per_node: of each; jobs of models take whole nodes.
    """
    if source.workload is not None:
        return source.workload
    drawn = _draw(source.text, n_nodes, seed)
    nodes, names = drawn.jobs["processors"], ("processors", "requested_processors")
    counts = {name: drawn.jobs[name] for name in names}
    jobs = drawn.jobs.replacing(
        {name: np.where(n > 0, n * cores_per_node, n) for name, n in counts.items()}
    )
    header = {**drawn.header, "MaxProcs": str(n_nodes * cores_per_node)}
    return replace(drawn, jobs=jobs, header=header, nodes=nodes, processors_per_node=cores_per_node)


def _draw(text: str, n_nodes: int, seed: int) -> Workload:
    # Files need no models, which are slow to load.
    from heorot.throughput.workload.lublin import lublin  # noqa: PLC0415
    from heorot.throughput.workload.poisson import daily_moments, poisson_moments  # noqa: PLC0415

    match = _MODEL.fullmatch(text)
    if match is None or match[4]:
        return esp_mix(n_nodes, seed=seed)
    n_jobs, load = int(match[2]), float(match[3]) if match[3] else None
    if match[1] == "lublin":
        return lublin(n_jobs, n_nodes, seed, load)
    load = _LOAD if load is None else load
    drawn = lublin(n_jobs, n_nodes, seed, load)  # checks the numbers; its arrivals are replaced
    jobs = drawn.jobs
    gap = float(np.mean(jobs["processors"] * jobs["run"])) / n_nodes / load
    moments = poisson_moments if match[1] == "poisson" else daily_moments
    submit = np.round(moments(n_jobs, gap, seed), 3)
    return replace(drawn, jobs=jobs.replacing({"submit": submit}), source=text)


def machine_of(source: Source, nodes: int | None, cores: int | None) -> tuple[int, int]:
    """Numbers of nodes and of cores per node: as requested, else as in the file.

    Raises:
        UsageError: the number of nodes is unknown.
    """
    known = source.workload
    per_node = cores or (known.processors_per_node if known else 1)
    if nodes is not None:
        return nodes, per_node
    sizes = [("MaxNodes", 1), ("MaxProcs", per_node)]
    if cores is None:
        # If the processors do not divide evenly into nodes, each of them counts as a node.
        sizes.reverse()
    for name, n_each in sizes:
        word = known.header.get(name, "").split()[:1] if known else []
        if word and word[0].isdecimal() and int(word[0]) >= n_each:
            return int(word[0]) // n_each, per_node
    raise UsageError(f"the number of nodes of {source.text} is not known", "give --nodes N")
