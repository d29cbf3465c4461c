"""Programs find their input files in a folder of their own."""

from __future__ import annotations

from pathlib import Path

from heorot.launch.launchers.commands import command_for
from heorot.model.batch.allocation import Allocation
from heorot.model.catalogue.need import CheckedFile
from heorot.model.machine.machine import Node, Processor
from heorot.model.machine.toolchain import Toolchain
from heorot.model.run.plan import Step
from tests.toolchains import some_compilers
from tests.unit.model.keys import a_setup


def test_input_files_are_put_where_the_step_runs() -> None:
    node = Node(names=("n1",), processor=Processor(isa="x86_64"))
    chain = Toolchain(name="t", compilers=some_compilers(), mpi=None)
    program, record = Path("/b/flow"), Path("/run/jobs/J0001/records/S0001.jsonl")
    setup = a_setup(benchmark="apps/flow", case="one", toolchain="t")
    step = Step(id="S0001", setup=setup, launch=1, seconds=1, memory_bytes=1, timeout_seconds=9)
    bare = command_for(step, chain, program, Allocation(node=node), record)
    assert bare.cwd == Path("/run/jobs/J0001")
    mesh = CheckedFile(path=Path("/data/mesh.txt"), sha256="0f" * 32)
    reading = step.model_copy(update={"inputs": (mesh,)})
    command = command_for(reading, chain, program, Allocation(node=node), record)
    assert command.cwd == Path("/run/jobs/J0001/work/S0001")
    staged = ("link", "/data/mesh.txt", str(command.cwd / "mesh.txt"), "--")
    assert command.argv[:2] == ("bash", "-c")
    assert command.argv[-len(bare.argv) - 4 :] == (*staged, *bare.argv)
