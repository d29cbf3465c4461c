"""Makes the command line of a step for any launcher."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from heorot.jobs.commands import work_folder
from heorot.launch.command import Program, Staged, StepCommand
from heorot.launch.launchers.devices import HostDevices, take_devices
from heorot.launch.launchers.direct import Direct, Plain
from heorot.launch.launchers.flux import Flux
from heorot.launch.launchers.hydra import Hydra, IntelMpi
from heorot.launch.launchers.in_turn import in_turn, note_rank, stage
from heorot.launch.launchers.launcher import Launch, Launcher, bind_by_hand
from heorot.launch.launchers.openmpi import OpenMpi
from heorot.launch.launchers.srun import Srun
from heorot.launch.placement import allowed_cpus, place
from heorot.model.batch.allocation import Allocation
from heorot.model.machine.toolchain import Flavour, Mpi, Toolchain
from heorot.model.run.plan import Step

# By the flavour of the MPI, whose own launcher starts the ranks.
_LAUNCHERS: Mapping[Flavour, Launcher] = {
    "openmpi": OpenMpi(),
    "mpich": Hydra(),
    "mvapich": Hydra(),
    "intel": IntelMpi(),
    "cray": Plain(),
    "unknown": Plain(),
    "none": Direct(),
}
# The variable with the BLAS that programs measure in addition to their own code.
_BLAS_VARIABLE = "HEOROT_BLAS"
# The plan determines the number of threads of a rank: a library with a variable of its own would
# use that.
_THREADS_VARIABLES = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "GOTO_NUM_THREADS",
    "BLIS_NUM_THREADS",
    "MKL_NUM_THREADS",
)
# Search paths that a user may have set by hand; a shell on another host does not have them.
_CARRIED = ("LD_LIBRARY_PATH",)
# Threads and ranks that spin for each other on shared cores block each other. Ranks of MPICH yield
# after some polls (since 4.1): 16 ranks on two cores finish in a tenth of the time.
_PATIENT_THREADS = {"OMP_WAIT_POLICY": "passive"}
_PATIENT_RANKS: Mapping[Flavour, Mapping[str, str]] = {
    "openmpi": {"OMPI_MCA_mpi_yield_when_idle": "1"},
    "mpich": {
        "MPIR_CVAR_CH4_PROGRESS_THROTTLE": "1",
        "MPIR_CVAR_CH4_PROGRESS_THROTTLE_NO_PROGRESS_COUNT": "64",
    },
}


def command_for(
    step: Step, toolchain: Toolchain, program: Path, allocation: Allocation, record: Path
) -> StepCommand:
    """The command line of a step.

    Ranks are bound to distinct cores if there are enough, else not at all: by taskset in every
    rank, not by the launcher, which may number cores differently and include forbidden ones. The
    step runs in the job's directory, two levels above its record; a step that reads files runs in
    a folder of its own there, which has to be created.

    Args:
        program: the executable, with the same path on all hosts.
        allocation: the hosts of its job and their hardware.
        record: file the program writes its record to, absolute: `JOB/records/STEP.jsonl`.
    """
    own = (str(program), *_options(step), "--record", str(record))
    job = record.parent.parent
    folder = work_folder(job, step) if step.inputs else job
    staged = [Staged(source=one.path, to=folder / one.called, how="link") for one in step.inputs]
    return command_of(
        step, toolchain, [Program(words=own)], allocation, record, folder=folder, staged=staged
    )


def command_of(
    step: Step,
    toolchain: Toolchain,
    programs: Sequence[Program],
    allocation: Allocation,
    record: Path,
    *,
    folder: Path,
    staged: Sequence[Staged] = (),
    under: Sequence[str] = (),
    environment: Mapping[str, str] | None = None,
    notes_ranks: bool = False,
) -> StepCommand:
    """The command line that starts any programs as a step, one after the other.

    If a job has several hosts, or an agent to reach another one, launchers get the hosts of a
    step from a file written by the job's script; the script itself takes a program without MPI to
    its host.

    Args:
        toolchain: its MPI starts the ranks.
        allocation: the hosts of its job and their hardware.
        record: file the record is written to, absolute: `JOB/records/STEP.jsonl`.
        staged: input files that are put into place before.
        under: a program that runs the launchers with all their ranks, on the script's host.
        environment: further variables of the program; they take precedence.
        notes_ranks: whether each rank notes its host, for programs that do not report it.
    """
    job = record.parent.parent
    launcher, launch = _launch(step, toolchain.mpi, allocation, job)
    _, alone = _launch(_first_rank(step), toolchain.mpi, allocation, job)
    variables = _environment(launcher, launch, toolchain) | dict(environment or {})

    def started(program: Program) -> Program:
        own = alone if program.serial else launch
        noted = note_rank(record, program.name) if notes_ranks and not program.serial else ()
        taken = take_devices(own.devices, own.local, launcher.local_rank, alone=own.step.ranks == 1)
        before = (*_bound(launcher, own), *taken, *noted)
        words = (*launcher.words(own, variables), *before, *program.words)
        return program.model_copy(update={"words": words})

    return StepCommand(
        step=step.id,
        argv=(*stage(staged), *under, *in_turn([started(each) for each in programs], record)),
        environment=variables,
        cwd=folder,
        timeout_seconds=step.timeout_seconds,
        record=record,
        place=step.numbers,
        wave=step.wave,
        host_line=launcher.host_line(launch) if launch.hosts else "",
        per_node=launch.local,
        taken=launcher.stays and launch.hosts is not None,
    )


def _first_rank(step: Step) -> Step:
    """What is left of a step for a program that is none of its ranks."""
    alone = replace(step.setup, nodes=1, ranks=1, per_node=1)
    update = {"setup": alone, "place": step.numbers[:1], "resources": step.devices}
    return step.model_copy(update=update)


def _bound(launcher: Launcher, launch: Launch) -> tuple[str, ...]:
    """The words that bind each rank to its cores, if there are enough of them."""
    if not launch.cpus or not launcher.local_rank:
        return ()
    allowed = None if launch.hosts is None else allowed_cpus(launch.allocation.node)
    return bind_by_hand(launcher.local_rank, launch.cpus, allowed)


def _options(step: Step) -> list[str]:
    words: list[str] = []
    for name, value in step.options.items():
        text = str(value).lower() if isinstance(value, bool) else str(value)
        words += [f"--{name}", text]
    return words


def _launch(
    step: Step, mpi: Mpi | None, allocation: Allocation, job: Path
) -> tuple[Launcher, Launch]:
    launcher = _launcher(mpi)
    local = max(-(-step.ranks // step.nodes), step.per_node)
    cpus = () if allocation.shared else place(allocation.node, local, step.threads, step.kind)
    variables = allocation.node.device_variables
    elsewhere = allocation.nodes > 1 or allocation.agent is not None
    return launcher, Launch(
        step=step,
        mpiexec=mpi.mpiexec if mpi else Path(),
        version=mpi.version if mpi else "",
        options=mpi.launch_options if mpi else (),
        allocation=allocation,
        local=local,
        cpus=cpus,
        devices=tuple(
            HostDevices(variable=variables[each.name], n=each.n)
            for each in step.devices
            if each.name in variables and each.n
        ),
        hosts=job / "hosts.d" / step.id if elsewhere else None,
    )


def _launcher(mpi: Mpi | None) -> Launcher:
    if mpi is None:
        return Direct()
    if mpi.launcher == "srun":
        return Srun()
    return Flux() if mpi.launcher == "flux" else _LAUNCHERS[mpi.flavour]


def _environment(launcher: Launcher, launch: Launch, toolchain: Toolchain) -> dict[str, str]:
    """Variables of a step; those of the toolchain win over what only makes it faster."""
    step = launch.step
    environment: dict[str, str] = {}
    if launch.hosts is not None:
        environment |= {name: os.environ[name] for name in _CARRIED if os.environ.get(name)}
    environment |= launcher.environment(launch)
    if launch.crowded:
        flavour = "none" if toolchain.mpi is None else toolchain.mpi.flavour
        environment |= {**_PATIENT_THREADS, **_PATIENT_RANKS.get(flavour, {})}
    if toolchain.blas_library:
        environment[_BLAS_VARIABLE] = toolchain.blas_library
    environment |= toolchain.environment
    environment |= {"LC_ALL": "C"} | dict.fromkeys(_THREADS_VARIABLES, str(step.threads))
    # An unbound rank that places its threads would put its first on the node's first core,
    # as would all other ranks.
    places_known = bool(launch.cpus) and launcher.binds
    binding = {"OMP_PLACES": "cores", "OMP_PROC_BIND": "close"}
    return environment | (binding if places_known else {"OMP_PROC_BIND": "false"})
