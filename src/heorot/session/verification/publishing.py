"""A run as the file of a published machine: its headlines, to be handed on without samples."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from heorot.errors import RunError
from heorot.model.analysis.published import Publication, PublishedQuantity
from heorot.model.analysis.result import Result
from heorot.model.machine.machine import Machine
from heorot.session.runs import reopen_agreeing

_HEADER = "# Published by `heorot references add`; docs/published-machines.md explains every key.\n"


def publish(run: Path, name: str) -> Publication:
    """The headlines of a run, without names of hosts.

    Perturbed values and those that failed a check are left out.

    Raises:
        RunError: it is no run, has not ended, is damaged, or has no such headline.
    """
    evaluation = reopen_agreeing(run).evaluation
    rows = [score.result for score in evaluation.analysis.scores]
    sound = [row for row in rows if row.ranked and not row.disturbed and row.median > 0.0]
    if not sound:
        raise RunError(
            f"{run} has no headline that can be published", "its report lists the reasons"
        )
    date = time.strftime("%Y-%m-%d", time.gmtime(evaluation.facts.started))
    return Publication(
        name=name,
        source=f"{', '.join(_describe(evaluation.machine))}; measured with Heorot",
        date=date,
        cores=max(row.cores for row in sound),
        quantities=tuple(_quantity(row) for row in sound),
    )


def as_yaml(machine: Publication) -> str:
    """The text of its file: a line per quantity."""
    facts = machine.model_dump(mode="json", exclude={"quantities"}, exclude_none=True)
    lines = [f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in facts.items()]
    quantities = (
        f"- {json.dumps(one.model_dump(mode='json', exclude_defaults=True), ensure_ascii=False)}\n"
        for one in machine.quantities
    )
    return "".join([_HEADER, *lines, "quantities:\n", *quantities])


def _quantity(row: Result) -> PublishedQuantity:
    values: dict[str, Any] = {
        name: getattr(row, name)
        for name in ("benchmark", "region", "metric", "unit", "point", "options", "nodes", "ranks")
    }
    return PublishedQuantity(
        **values,
        value=row.median,
        threads=row.threads,
        per_node=row.per_node,
        copies=row.is_star,
        note=f"{row.ci_low:.4g} to {row.ci_high:.4g} in {row.n_launches} launches",
    )


def _describe(machine: Machine) -> Iterator[str]:
    """What a reader needs of a node and its software."""
    node = machine.node
    cores = node.processor.n_cores or node.limits.n_usable_cores
    yield f"nodes of {cores} cores"
    if node.processor.model:
        yield node.processor.model
    if node.memory.total_bytes:
        yield f"{node.memory.total_bytes / (1 << 30):.0f} GiB"
    if node.platform.kernel:
        yield f"Linux {node.platform.kernel}"
    yield from (f"{one.family} {one.version}" for one in machine.compilers[:1])
    yield from (f"{one.flavour} {one.version or 'unknown'}" for one in machine.mpis[:1])
