"""The adapter of a site, and detection of an existing allocation."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from heorot.errors import SetupError
from heorot.launch.adapters.choose import find_dialect, find_inside
from heorot.launch.batch.flux.flux import Flux
from heorot.launch.batch.lsf import Lsf
from heorot.launch.batch.pbs import Pbs


def commands(base: Path, **scripts: str) -> Path:
    """A directory of commands."""
    base.mkdir()
    for name, text in scripts.items():
        (base / name).write_text(f"#!/bin/bash\n{text}\n")
        (base / name).chmod(0o755)
    return base


def test_a_missing_command_is_named(tmp_path: Path) -> None:
    place = commands(tmp_path / "bin", qsub="", qstat="", qdel="")
    with pytest.raises(SetupError, match="qselect of pbs is not in") as caught:
        find_dialect("pbs", place)
    assert "--batch local" in caught.value.hint
    with pytest.raises(SetupError, match="bsub of lsf is not in"):
        find_dialect("lsf", place)


@pytest.mark.parametrize(
    ("version", "flavour"),
    [
        ("echo pbs_version = 22.05.11", "pro"),
        ("echo pbs_version = PBSPro_19.2.4", "pro"),
        ("echo Version: 6.1.2 >&2", "torque"),
        ("exit 1", "pro"),
    ],
)
def test_torque_is_told_by_its_version(tmp_path: Path, version: str, flavour: str) -> None:
    place = commands(tmp_path / "bin", qsub="", qstat="", qdel="", qselect="", pbsnodes=version)
    dialect = find_dialect("pbs", place)
    assert isinstance(dialect, Pbs)
    assert dialect.flavour == flavour


def test_the_others_are_found(tmp_path: Path) -> None:
    names = dict.fromkeys(("bsub", "bjobs", "bkill", "bqueues", "bhosts", "flux"), "")
    place = commands(tmp_path / "bin", **names)
    assert isinstance(find_dialect("lsf", place), Lsf)
    assert isinstance(find_dialect("flux", place), Flux)


def test_an_allocation_of_pbs_is_found(tmp_path: Path) -> None:
    nodes = tmp_path / "nodes"
    nodes.write_text("n2\nn2\nn1\nn1\n")
    place = commands(tmp_path / "bin")
    environment = {"PBS_JOBID": "7.srv", "PBS_NODEFILE": str(nodes)}
    inside = find_inside(dict(os.environ, **environment), place)
    assert inside is not None
    assert (inside.system, inside.id, inside.hosts) == ("pbs", "7.srv", ("n2", "n1"))


def test_an_allocation_of_lsf_needs_no_command(tmp_path: Path) -> None:
    environment = {"LSB_JOBID": "7", "LSB_MCPU_HOSTS": "h2 4 h1 4"}
    inside = find_inside(dict(os.environ, **environment), commands(tmp_path / "bin"))
    assert inside is not None
    assert inside.hosts == ("h2", "h1")
    listed = tmp_path / "hosts"
    listed.write_text("h3\nh3\n")
    environment["LSB_DJOB_HOSTFILE"] = str(listed)
    again = find_inside(dict(os.environ, **environment))
    assert again is not None
    assert again.hosts == ("h3",)


def test_nothing_is_found_where_nothing_is(tmp_path: Path) -> None:
    assert find_inside({}) is None
    gone = {"PBS_JOBID": "7.srv", "PBS_NODEFILE": str(tmp_path / "gone")}
    assert find_inside(dict(os.environ, **gone)) is None
