"""Each rank takes its own devices, whatever the launcher and the host's list."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heorot.launch.command import StepCommand
from heorot.launch.launchers.commands import command_for
from heorot.launch.launchers.devices import HostDevices, take_devices
from heorot.model.batch.allocation import Allocation
from heorot.model.machine.machine import Node, Processor
from heorot.model.machine.toolchain import Flavour, Mpi, Toolchain
from heorot.model.resource import VISIBLE_DEVICES, device
from heorot.process import Finished, run
from tests.toolchains import some_compilers
from tests.unit.collect.conftest import make_step

CUDA, ROCR = "CUDA_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES"
NODE = Node(
    names=("n1",),
    processor=Processor(isa="x86_64"),
    devices={"gpu": 4},
    device_variables={"gpu": CUDA},
)


def rank(
    number: int | None,
    n: int,
    ranks: int,
    environment: dict[str, str] | None = None,
    variable: str = CUDA,
) -> Finished:
    """Devices visible to a rank of a host: a line for each set variable."""
    kind = HostDevices(variable=variable, n=n)
    words = take_devices([kind], ranks, "LOCAL", alone=number is None)
    own = {} if number is None else {"LOCAL": str(number)}
    shown = [f"{name}=${{{name}-none}}" for name in (CUDA, ROCR, "HIP_VISIBLE_DEVICES")]
    program = ("bash", "-c", f'echo "{" ".join(shown)} $1"', "program", "a  b*")
    clean = {"PATH": "/usr/bin:/bin"}
    return run([*words, *program], environment=clean | own | (environment or {}))


def seen(number: int | None, n: int, ranks: int, environment: dict[str, str] | None = None) -> str:
    ended = rank(number, n, ranks, environment)
    assert ended.ok, ended.err
    cuda, _, rest = ended.out.partition(" ")
    assert rest == f"{ROCR}=none HIP_VISIBLE_DEVICES=none a  b*\n"
    return cuda.removeprefix(f"{CUDA}=")


@pytest.mark.parametrize(
    ("n", "ranks", "expected"),
    [
        (4, 4, ["0", "1", "2", "3"]),
        (4, 2, ["0,1", "2,3"]),
        (4, 1, ["0,1,2,3"]),
        (2, 4, ["0", "0", "1", "1"]),
        (3, 2, ["0", "1,2"]),
    ],
)
def test_ranks_take_them_in_their_order(n: int, ranks: int, expected: list[str]) -> None:
    assert [seen(number, n, ranks) for number in range(ranks)] == expected
    assert seen(ranks, n, ranks) == expected[0]  # of a launcher that numbers over all hosts


def test_a_single_process_has_no_number() -> None:
    assert seen(None, 2, 1) == "0,1"


@pytest.mark.parametrize("name", VISIBLE_DEVICES)
def test_they_are_of_those_that_the_host_lists_for_the_job(name: str) -> None:
    assert [seen(number, 2, 2, {name: "5,GPU-8932f937"}) for number in (0, 1)] == [
        "5",
        "GPU-8932f937",
    ]


def test_its_own_variable_counts_before_those_of_others() -> None:
    both = {CUDA: "6,7", "HIP_VISIBLE_DEVICES": "0,1", ROCR: "2,3"}
    ended = rank(1, 2, 2, both, ROCR)
    assert ended.out.split()[:3] == [f"{CUDA}=none", f"{ROCR}=3", "HIP_VISIBLE_DEVICES=none"]


@pytest.mark.parametrize("listed", ["", "-1", "NoDevFiles", "3"])
def test_a_rank_without_its_own_does_not_run(listed: str) -> None:
    ended = rank(1, 2, 2, {CUDA: listed})
    assert ended.code == 3
    n_listed = int(listed == "3")
    why = f"a rank takes its part of 2 devices, and its host lists {n_listed}: {CUDA}={listed}"
    assert ended.err == f"heorot: {why}\n"


def test_a_rank_without_a_number_does_not_run() -> None:
    words = take_devices([HostDevices(variable=CUDA, n=2)], 2, "", alone=False)
    ended = run([*words, "true"], environment={"PATH": "/usr/bin:/bin"})
    assert (ended.code, "no variable has the number of a rank" in ended.err) == (3, True)
    ended = run([*words, "env"], environment={"PATH": "/usr/bin:/bin", "PALS_LOCAL_RANKID": "1"})
    assert f"{CUDA}=1\n" in ended.out


def test_kinds_do_not_take_each_other_s_away() -> None:
    kinds = [HostDevices(variable=CUDA, n=2), HostDevices(variable="ZE_AFFINITY_MASK", n=1)]
    words = take_devices(kinds, 2, "LOCAL", alone=False)
    ended = run([*words, "env"], environment={"PATH": "/usr/bin:/bin", "LOCAL": "1"})
    assert f"{CUDA}=1\n" in ended.out
    assert "ZE_AFFINITY_MASK=0\n" in ended.out


@pytest.mark.slow
@given(st.integers(1, 9), st.integers(1, 9))
@settings(max_examples=15)
def test_all_are_taken_and_none_twice_if_there_are_enough(n: int, ranks: int) -> None:
    taken = [seen(number, n, ranks).split(",") for number in range(ranks)]
    flat = [each for own in taken for each in own]
    assert set(flat) == set(map(str, range(n)))
    assert len(flat) == max(n, ranks)
    assert max(map(len, taken)) - min(map(len, taken)) <= 1


def command(flavour: Flavour, n: int = 4, node: Node = NODE, **fields: Any) -> StepCommand:
    launcher = fields.pop("launcher", "mpiexec")
    mpi = None
    if flavour != "none":
        mpi = Mpi.model_validate(
            {
                "flavour": flavour,
                "version": "",
                "cxx": "mpicxx",
                "mpiexec": "/mpi/mpiexec",
                "launcher": launcher,
            }
        )
    step = make_step(resources=(device("gpu").of(n),), **fields)
    chain = Toolchain(name="t", compilers=some_compilers(), mpi=mpi)
    record = Path("/run/jobs/J0001/records/S0001.jsonl")
    allocation = Allocation(node=node, nodes=step.nodes)
    return command_for(step, chain, Path("/b/solver"), allocation, record)


@pytest.mark.parametrize(
    ("flavour", "launcher", "local"),
    [
        ("openmpi", "mpiexec", "OMPI_COMM_WORLD_LOCAL_RANK"),
        ("mpich", "mpiexec", "MPI_LOCALRANKID"),
        ("intel", "mpiexec", "MPI_LOCALRANKID"),
        ("cray", "srun", "SLURM_LOCALID"),
        ("cray", "flux", "FLUX_TASK_LOCAL_ID"),
    ],
)
def test_launchers_start_ranks_that_take_their_part_of_a_node(
    flavour: Flavour, launcher: str, local: str
) -> None:
    argv = command(flavour, 8, nodes=2, ranks=4, per_node=2, launcher=launcher).argv
    begin = argv.index("devices")
    assert argv[begin + 1 : begin + 5] == (CUDA, "4", "2", local)
    assert argv.index("/b/solver") == begin + 6
    assert ("gpu-affinity=off" in argv) == (launcher == "flux")


def test_a_program_without_mpi_and_an_unknown_launcher_have_them_too() -> None:
    argv = command("none", 2, ranks=1, per_node=1).argv
    begin = argv.index("devices")
    assert argv[begin + 1 : begin + 5] == (CUDA, "2", "1", "")
    argv = command("unknown", 2, ranks=2, per_node=2).argv
    assert "PALS_LOCAL_RANKID" in argv[argv.index("devices") + 4]


def test_without_devices_nothing_is_taken() -> None:
    node = NODE.model_copy(update={"device_variables": {}})
    assert "devices" not in command("mpich", node=node, ranks=2, per_node=2).argv
    assert "gpu-affinity=off" not in command("cray", node=node, launcher="flux").argv
