"""Describes this machine: each fact from its own file, short commands in parallel."""

from __future__ import annotations

import contextlib
import socket
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from heorot.machine.caches import read_caches
from heorot.machine.cpus.topology import read_cpus
from heorot.machine.devices import read_device_variables, read_devices
from heorot.machine.filesystems import describe_filesystems
from heorot.machine.kernel.tree import ROOT
from heorot.machine.limits import read_limits
from heorot.machine.memory import read_memory
from heorot.machine.network import read_hcas, read_interfaces
from heorot.machine.numa import read_numa
from heorot.machine.platform import host_isa, read_platform
from heorot.machine.processor import read_processor
from heorot.machine.software.batch import find_batch_systems
from heorot.machine.software.blas import find_blases
from heorot.machine.software.compilers import find_compilers
from heorot.machine.software.modules import find_modules
from heorot.machine.software.mpi import find_mpis
from heorot.model.machine.machine import Machine, Node
from heorot.model.machine.software import Software


def find_software() -> Software:
    """The compilers, libraries and batch systems found on this machine."""
    with ThreadPoolExecutor(4) as pool:
        compilers = pool.submit(find_compilers)
        mpis = pool.submit(find_mpis)
        batch = pool.submit(find_batch_systems)
        modules = pool.submit(find_modules)
        return Software(
            blases=find_blases(),
            batch_systems=batch.result(),
            modules=modules.result(),
            mpis=mpis.result(),
            compilers=compilers.result(),
        )


def describe(work_dir: Path, find: Callable[[], Software] = find_software) -> Machine:
    """Describe this machine; unreadable facts are None or left out.

    Args:
        work_dir: directory of runs; it need not exist yet.
        find: finds the software.

    Raises:
        SetupError: none of the CPUs that this process may use is online.
    """
    hostname = socket.gethostname()
    with ThreadPoolExecutor(2) as pool:
        software = pool.submit(find)
        places = pool.submit(describe_filesystems, list_directories(work_dir))
        node = read_node(ROOT, host_isa(), hostname)
        found = software.result()
        return Machine(
            hostname=hostname,
            nodes=(node,),
            filesystems=places.result(),
            **{name: getattr(found, name) for name in Software.model_fields},
        )


def read_node(root: Path, isa: str, hostname: str) -> Node:
    """The node with /proc and /sys below a root.

    Args:
        isa: machine name as uname reports it.

    Raises:
        SetupError: none of the CPUs that this process may use is online.
    """
    cpus = read_cpus(root)
    return Node(
        names=(hostname,),
        processor=read_processor(cpus, root, isa),
        cores=cpus.groups,
        doubts=cpus.contradictions,
        caches=read_caches(root),
        numa=read_numa(root),
        memory=read_memory(root),
        limits=read_limits(cpus, root),
        platform=read_platform(root),
        interfaces=read_interfaces(root),
        hcas=read_hcas(root),
        devices=read_devices(root),
        device_variables=read_device_variables(root),
    )


def list_directories(work_dir: Path) -> dict[str, Path]:
    """The directories that a run uses, by role."""
    directories = {"work": work_dir, "tmp": Path(tempfile.gettempdir())}
    # A user without a password entry has no home directory.
    with contextlib.suppress(RuntimeError):
        directories["home"] = Path.home()
    return directories
