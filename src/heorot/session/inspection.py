"""Looks at the machine and at the catalogue; nothing is built or written."""

from __future__ import annotations

import os
import socket
from collections.abc import Sequence
from pathlib import Path

from heorot.build.diagnosis import Diagnosis, diagnose
from heorot.build.sources import native_directory
from heorot.build.toolchains import find_toolchains, with_unique_names
from heorot.build.variants import vary
from heorot.catalogue.header import read_header
from heorot.errors import UsageError
from heorot.families import BENCHMARKS, FAMILIES
from heorot.machine.describe import describe, read_node
from heorot.machine.description.table import summary_rows
from heorot.machine.description.yaml import to_yaml
from heorot.machine.devices import allowed_devices
from heorot.machine.filesystems import describe_filesystems
from heorot.machine.kernel.tree import ROOT
from heorot.machine.platform import host_isa
from heorot.model.catalogue.benchmark import Benchmark, Header
from heorot.model.machine.machine import Machine, Node
from heorot.model.machine.site import Site
from heorot.model.machine.toolchain import Toolchain
from heorot.session.cluster.described import device_variables
from heorot.store.atomic import write_bytes
from heorot.suggestion import nearest, suggest

__all__ = ["Diagnosis", "diagnose", "summary_rows", "to_yaml"]


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
    known |= {f"{family}/*" for family in family_names()}
    for toolchain in toolchains:
        for name in toolchain.program_flags:
            if name not in known:
                near = nearest(name, known)
                raise UsageError(
                    f"program_flags of toolchain {toolchain.name}: there is no program '{name}'",
                    f"did you mean {near}?" if near else f"{suggest('list')} shows all",
                )


def family_names() -> list[str]:
    """The names of all families, in the order of the report."""
    return [family.name for family in FAMILIES]


def catalogue(family: str | None = None, name: str | None = None) -> list[tuple[Benchmark, Header]]:
    """The benchmarks, all or some, with what their sources say; no build needed.

    Raises:
        UsageError: there is no such family, or no such benchmark in it.
    """
    native = native_directory()
    families = family_names()
    if family is not None and family not in families:
        raise UsageError(f"no family '{family}'", f"there are: {', '.join(families)}")
    listed = [benchmark for benchmark in BENCHMARKS if family in {None, benchmark.family}]
    if name is not None:
        near = nearest(name, [benchmark.name for benchmark in listed])
        listed = [benchmark for benchmark in listed if benchmark.name == name]
        if not listed:
            raise UsageError(
                f"no benchmark '{name}'" + (f" in family '{family}'" if family else ""),
                f"did you mean {near}?" if near else f"{suggest('list')} shows all",
            )
    return [(benchmark, read_header(native, benchmark.name)) for benchmark in listed]
