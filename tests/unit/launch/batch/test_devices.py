"""Devices are requested on each node, by names of the batch system or of the site."""

from __future__ import annotations

import pytest

from heorot.errors import UsageError
from heorot.launch.batch.dialect import Dialect, Part, Wants
from heorot.launch.batch.flux.flux import Flux
from heorot.launch.batch.lsf import Lsf
from heorot.launch.batch.pbs import Pbs
from heorot.launch.batch.slurm import Slurm


def asked(dialect: Dialect, devices: dict[str, int], **more: object) -> list[str]:
    """The additional lines of a job on two nodes with devices."""
    given = {"parts": (Part(nodes=2),), "cores_per_node": 8, **more}
    without = dialect.header(Wants.model_validate(given))
    lines = dialect.header(Wants.model_validate(given | {"devices": devices}))
    return [line.removeprefix(f"{dialect.mark} ") for line in lines if line not in without]


@pytest.mark.parametrize(
    ("dialect", "line"),
    [
        (Slurm(), "--gres=gpu:4"),
        (Pbs(), "-l select=2:ncpus=8:mpiprocs=8:ngpus=4"),
        (Pbs("torque"), "-l nodes=2:ppn=8:gpus=4"),
        (Lsf(), '-gpu "num=4:j_exclusive=yes"'),
        (Flux(), "-g 4"),
    ],
    ids=["slurm", "pbs", "torque", "lsf", "flux"],
)
@pytest.mark.parametrize("exclusive", [True, False])
def test_gpus_are_asked_for_by_the_word_of_the_batch_system(
    dialect: Dialect, line: str, exclusive: bool
) -> None:
    assert asked(dialect, {dialect.device_words["gpu"]: 4}, exclusive=exclusive) == [line]
    assert asked(dialect, {}) == []


@pytest.mark.parametrize(
    ("dialect", "words", "line"),
    [
        (Slurm(), {"gpu:a100": 4, "npu": 1}, "--gres=gpu:a100:4,npu:1"),
        (Pbs(), {"naccelerators": 4}, "-l select=2:ncpus=8:mpiprocs=8:naccelerators=4"),
        (Pbs("torque"), {"mics": 2}, "-l nodes=2:ppn=8:mics=2"),
        (Lsf(), {"npu": 2, "fpga": 1}, '-R "span[ptile=8] rusage[npu=2:fpga=1]"'),
    ],
    ids=["slurm", "pbs", "torque", "lsf"],
)
def test_a_site_may_have_other_words(dialect: Dialect, words: dict[str, int], line: str) -> None:
    assert asked(dialect, words) == [line]


def test_each_part_of_a_job_has_them() -> None:
    parts = (Part(nodes=1, feature="fat"), Part(nodes=2))
    (pbs,) = asked(Pbs(), {"ngpus": 2}, parts=parts)
    assert pbs.count(":ngpus=2") == 2
    (lsf,) = asked(Lsf(), {"npu": 2}, parts=parts)
    assert lsf.count("rusage[npu=2]}") == 2


def test_flux_has_no_other_devices() -> None:
    with pytest.raises(UsageError, match="flux batch asks for gpus only, not for npu"):
        Flux().header(Wants(devices={"gpus": 1, "npu": 1}))
