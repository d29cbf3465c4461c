"""Number of cores of each node that jobs request."""

from __future__ import annotations

from pathlib import Path

import pytest

from heorot.launch.adapters.batch_client import BatchClient
from heorot.launch.adapters.local import LocalAdapter
from heorot.launch.batch.dialect import Dialect, NodeState, NodeWord
from heorot.launch.batch.flux.flux import Flux
from heorot.launch.batch.lsf import Lsf
from heorot.launch.batch.pbs import Pbs
from heorot.launch.batch.slurm import Slurm
from heorot.launch.target import ExecutionTarget
from heorot.machine.description.yaml import read_site
from heorot.model.machine.site import Site, SiteBatch, SitePart
from heorot.model.run.request import TargetRequest
from heorot.session.cluster import resolve
from heorot.session.cluster.cores import cores_to_ask
from heorot.session.cluster.resolve import resolve_target

PBS = SiteBatch(system="pbs")


def nodes(
    n: int,
    cores: int | None,
    *,
    state: NodeWord = "idle",
    features: tuple[str, ...] = (),
) -> tuple[NodeState, ...]:
    return tuple(NodeState(f"n{i}", state, "", cores, features) for i in range(n))


def test_what_most_nodes_have_that_a_job_gets() -> None:
    reported = (*nodes(8, 64), *nodes(2, 128), *nodes(1, 4))
    assert cores_to_ask(reported, PBS, 2) == 64
    assert cores_to_ask(reported, PBS, 11) == 4  # all nodes must have that many
    assert cores_to_ask((*nodes(3, 4), *nodes(2, 8)), PBS, 4) == 4
    assert cores_to_ask((*nodes(2, 4), *nodes(2, 8)), PBS, 1) == 8
    assert cores_to_ask(nodes(2, 4), PBS, 5) == 4  # the batch system may know of more
    assert cores_to_ask((*nodes(9, 4, state="down"), *nodes(1, 8)), PBS, 1) == 8
    assert cores_to_ask(nodes(2, 4, state="down"), PBS, 1) == 4
    assert cores_to_ask((*nodes(2, None), *nodes(1, 0)), PBS, 1) is None
    assert cores_to_ask((), PBS, 1) is None


def test_nodes_of_other_kinds_do_not_count() -> None:
    reported = (*nodes(9, 64), *nodes(2, 8, features=("gpu",)), *nodes(2, 16, features=("arch=x",)))
    wants = PBS.model_copy
    assert cores_to_ask(reported, wants(update={"constraint": "gpu"}), 1) == 8
    # No node has this feature.
    assert cores_to_ask(reported, wants(update={"constraint": "gpu:big"}), 1) == 64
    parts = (SitePart(nodes=1, feature="gpu"), SitePart(feature="arch=x"))
    assert cores_to_ask(reported, wants(update={"parts": parts}), 2) == 8


@pytest.mark.parametrize(
    ("dialect", "line"),
    [
        (Pbs(), "#PBS -l select=2:ncpus=48:mpiprocs=48"),
        (Pbs("torque"), "#PBS -l nodes=2:ppn=48"),
        (Lsf(), "#BSUB -n 96"),
    ],
)
def test_whole_nodes_are_asked_for_where_cores_are_counted(dialect: Dialect, line: str) -> None:
    target = ExecutionTarget(
        LocalAdapter(), Site(), 2, BatchClient(dialect), PBS, cores_per_node=48
    )
    assert dialect.counts_cores
    assert line in target.job_environment(2, None).header


def test_others_give_whole_nodes() -> None:
    assert not Slurm().counts_cores
    assert not Flux().counts_cores


def test_the_batch_system_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resolve, "find_inside", lambda _environment: None)
    for name in Pbs.needs:
        command = tmp_path / name
        command.write_text("#!/bin/bash\n")
        command.chmod(0o755)
    node = "{0}\n     state = free\n     resources_available.ncpus = 48\n\n"
    listing = tmp_path / "pbsnodes"
    text = "".join(node.format(f"n{i}") for i in range(2))
    listing.write_text(
        '#!/bin/bash\n[[ $1 == --version ]] && { echo "pbs_version = 23.06.06"; exit; }\n'
        f"cat <<'END'\n{text}END\n"
    )
    site = tmp_path / "site.yaml"
    site.write_text(f"batch:\n  system: pbs\n  commands: {tmp_path}\n")
    target = resolve_target(TargetRequest(), read_site(site), 2)
    assert target.cores_per_node == 48
    header = "\n".join(target.job_environment(2, 60.0).header)
    assert "select=2:ncpus=48:mpiprocs=48\n" in header
