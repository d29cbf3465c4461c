"""Looks at the machine; nothing is built."""

from __future__ import annotations

import os
import socket
from collections.abc import Sequence
from pathlib import Path

from heorot.build.diagnosis import Diagnosis, diagnose
from heorot.build.toolchains import find_toolchains, with_unique_names
from heorot.build.variants import vary
from heorot.errors import UsageError
from heorot.families import BENCHMARKS, FAMILIES
from heorot.machine.describe import describe, read_node
from heorot.machine.description.conditions import (
    Condition,
    load_condition,
    moment_conditions,
    node_conditions,
)
from heorot.machine.description.table import summary_rows
from heorot.machine.description.yaml import to_yaml
from heorot.machine.devices import allowed_devices
from heorot.machine.filesystems import describe_filesystems
from heorot.machine.kernel.moment import read_moment
from heorot.machine.kernel.tree import ROOT
from heorot.machine.platform import host_isa
from heorot.model.grouping import group_by
from heorot.model.machine.machine import Machine, Node
from heorot.model.machine.nodes import NodeCopy
from heorot.model.machine.site import Site
from heorot.model.machine.toolchain import Toolchain
from heorot.session.cluster.described import device_variables
from heorot.store.atomic import write_bytes
from heorot.suggestion import nearest, suggest

__all__ = ["Condition", "Diagnosis", "diagnose", "summary_rows", "to_yaml"]


def describe_machine(work_dir: Path | None, site: Site) -> Machine:
    """Describe this machine, with the names that its site gives to it and to its parts.

    Of its devices, those count that we see ourselves.

    Args:
        work_dir: where runs will be written; None for where the site has them, or the current
            directory.
    """
    machine = describe(work_dir or site.work or Path.cwd())
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
    """The node we are on."""
    return read_node(ROOT, host_isa(), socket.gethostname())


def conditions_here(node: Node) -> tuple[Condition, ...]:
    """What spoils measurements on the node that we are on; looks at it for half a second."""
    return (*moment_conditions(read_moment(), node), *node_conditions(node))


def conditions_of(copies: Sequence[NodeCopy]) -> dict[str, tuple[Condition, ...]]:
    """The same of nodes that a job has described, by the names of those that are alike."""

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
    """All toolchains of a machine, the default first; a site that names its own says what joins."""
    own = site.toolchains
    _require_known_programs(own)
    listed = [*own, *(vary(own, machine) if site.variants else ())]
    if site.found or not own:
        found = find_toolchains(machine, None)
        listed += [*found, *vary(found, machine)]
    return with_unique_names(listed)


def _require_known_programs(toolchains: Sequence[Toolchain]) -> None:
    """Refuse flags for a program that does not exist: they would be without effect.

    Raises:
        UsageError: naming the first.
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
