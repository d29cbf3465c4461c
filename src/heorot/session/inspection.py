"""Inspects the machine; builds nothing."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Sequence
from pathlib import Path

from heorot.build.diagnosis import Diagnosis, diagnose
from heorot.build.toolchains import find_toolchains, with_unique_names
from heorot.build.variants import vary
from heorot.errors import UsageError
from heorot.families import BENCHMARKS, FAMILIES
from heorot.machine.describe import describe, find_software, read_node
from heorot.machine.description.conditions import (
    Condition,
    activity_conditions,
    load_condition,
    node_conditions,
)
from heorot.machine.description.table import summary_rows
from heorot.machine.description.yaml import to_yaml
from heorot.machine.devices import allowed_devices
from heorot.machine.filesystems import describe_filesystems
from heorot.machine.kernel.activity import read_activity
from heorot.machine.kernel.tree import ROOT
from heorot.machine.platform import host_isa
from heorot.model.grouping import group_by
from heorot.model.machine.machine import Machine, Node
from heorot.model.machine.nodes import NodeCopy
from heorot.model.machine.site import Site
from heorot.model.machine.software import Software
from heorot.model.machine.toolchain import Toolchain
from heorot.session.cluster.described import device_variables
from heorot.store.atomic import write_bytes
from heorot.suggestion import nearest, suggest

__all__ = ["Condition", "Diagnosis", "diagnose", "summary_rows", "to_yaml"]


def describe_machine(
    work_dir: Path | None, site: Site, find: Callable[[], Software] = find_software
) -> Machine:
    """Describe this machine, with names from its site.

    Only devices visible to this process count.

    Args:
        work_dir: directory of future runs; None for the site's, or the current directory.
        find: finds the software.
    """
    machine = describe(work_dir or site.work or Path.cwd(), find)
    variables = device_variables(machine.node, site)
    devices = allowed_devices(machine.node.devices, variables, os.environ)
    update = {"devices": devices, "device_variables": variables}
    node = machine.node.model_copy(update=update)
    own = [place for place in machine.filesystems if place.role not in site.filesystems]
    named = describe_filesystems({role: each.path for role, each in site.filesystems.items()})
    places = [
        each.model_copy(update={"shared": site.filesystems[each.role].shared}) for each in named
    ]
    update = {"name": site.system, "nodes": (node,), "filesystems": (*own, *places)}
    return machine.model_copy(update=update)


def describe_here() -> Node:
    """This node."""
    return read_node(ROOT, host_isa(), socket.gethostname())


def conditions_here(node: Node) -> tuple[Condition, ...]:
    """Settings of this node that spoil measurements; takes half a second."""
    return (*activity_conditions(read_activity(), node), *node_conditions(node))


def conditions_of(copies: Sequence[NodeCopy]) -> dict[str, tuple[Condition, ...]]:
    """The same of nodes described by a job, by the names of nodes with equal settings."""

    def conditions(copy: NodeCopy) -> tuple[Condition, ...]:
        load = [load_condition(copy.state.load[0])] if copy.state.load else []
        return (*load, *node_conditions(copy.node))

    alike = group_by(copies, conditions)
    return {", ".join(copy.name for copy in each): found for found, each in alike.items()}


def write_machine(machine: Machine, path: Path) -> None:
    """Write a machine as YAML to edit.

    Raises:
        SetupError: the file cannot be written.
    """
    write_bytes(path, to_yaml(machine).encode())


def list_toolchains(machine: Machine, site: Site) -> tuple[Toolchain, ...]:
    """All toolchains, the default first; a site with own ones decides whether others join."""
    own = site.toolchains
    _require_known_programs(own)
    listed = [*own, *(vary(own, machine) if site.variants else ())]
    if site.found or not own:
        found = find_toolchains(machine, None)
        listed += [*found, *vary(found, machine)]
    return with_unique_names(listed)


def _require_known_programs(toolchains: Sequence[Toolchain]) -> None:
    """Refuse flags for unknown programs: they would have no effect.

    Raises:
        UsageError: names the first.
    """
    known = {benchmark.name for benchmark in BENCHMARKS}
    known |= {f"{family.name}/*" for family in FAMILIES}
    for toolchain in toolchains:
        for name in toolchain.program_flags:
            if name not in known:
                near = nearest(name, known)
                raise UsageError(
                    f"program_flags of toolchain {toolchain.name}: there is no program '{name}'",
                    f"did you mean {near}?" if near else f"{suggest('list')} shows all",
                )
