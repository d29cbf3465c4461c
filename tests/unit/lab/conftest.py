"""Labs for the tests, most of them without processes."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from heorot.build.programs import cache_directory
from heorot.build.sources import native_directory
from heorot.clock import SYSTEM_CLOCK, Clock
from heorot.lab import lifecycle, storage
from heorot.lab.client import LabClient
from heorot.lab.model import Laboratory, Link, nodes_for
from heorot.lab.switch import Switch


@pytest.fixture
def paper() -> Laboratory:
    """Three nodes that share two processors, without processes."""
    return Laboratory(
        name="paper",
        nodes=tuple(nodes_for(3, 1, (0, 1), Link(rate_bits=100e6, latency_seconds=200e-6))),
        cpus_per_node=1,
        n_real_cpus=2,
        slurm=True,
        own_user_namespace=False,
    )


@pytest.fixture
def switch() -> Switch:
    """A switch that is built if it is needed and was not before."""
    return Switch(native_directory(), cache_directory, lambda: "get a compiler")


@pytest.fixture
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty place for labs."""
    path = tmp_path_factory.mktemp("run")
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(path))
    return path


@pytest.fixture
def lab(home: Path, switch: Switch) -> Iterator[Laboratory]:
    """A real lab of two nodes."""
    if os.geteuid() != 0 or shutil.which("ip", path="/usr/sbin:/sbin:/usr/bin") is None:
        pytest.skip("labs need root here, and iproute2")
    assert home.is_dir()
    name = f"unit-{os.getpid()}"
    yield lifecycle.up(lifecycle.LabRequest(name=name, n_nodes=2, switch=switch))
    lifecycle.down(name)
    assert not storage.directory_of(name).exists()


def doors_of(lab: Laboratory, clock: Clock = SYSTEM_CLOCK) -> LabClient:
    """A client of a running lab."""
    return LabClient(storage.directory_of(lab.name), clock)


def a_program(path: Path, text: str) -> None:
    """Write a program for the shell."""
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
