"""Scripts of probe jobs in bash: the actors that stand in for them write the same."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from itertools import groupby, pairwise
from pathlib import Path

import pytest

from heorot.acceptance.session.features import leftovers, placement
from heorot.acceptance.session.probe import _STAY_SECONDS, ProbeJob
from heorot.acceptance.session.target import VARIABLE
from heorot.jobs.events import Observation
from heorot.jobs.status import read_status
from heorot.launch.batch.slurm import Slurm
from heorot.launch.batch.slurm_controls import SlurmControls
from tests.unit.acceptance.session.pretended.actors import Actor, Node
from tests.unit.acceptance.session.pretended.clock import SharedClock

pytestmark = pytest.mark.slow

HOSTS = "n1,n2"
SETTING = {
    "CPUS": "0-1",
    "SLURM_JOB_ID": "7",
    "SLURM_ARRAY_TASK_ID": "2",
    "SLURM_JOB_NODELIST": HOSTS,
    "SLURM_JOB_CPUS_PER_NODE": "2",
    "SLURM_JOB_NODELIST_HET_GROUP_0": "n1",
    "SLURM_JOB_NODELIST_HET_GROUP_1": "n2,n3",
    "SLURM_JOB_CPUS_PER_NODE_HET_GROUP_0": "2",
    "SLURM_JOB_CPUS_PER_NODE_HET_GROUP_1": "1(x2)",
    VARIABLE: "a 'token' = it\t",
}
TOOLS = {"uname": "echo n1", "scontrol": "tr , '\\n' <<<\"$3\""}
VALUE = f'$(printf %s "${{{VARIABLE}:-}}" | od -An -tx1 | tr -d " \\n")'
_LOOK = leftovers._LOOK.replace("pause 2.5", "pause 1.2")
Shell = subprocess.Popen[bytes]
# As in the features, but shorter.
BODIES = (
    "true",
    "exit 7",
    "until_released; exit 3",
    "beat beat & pause 1; until_released",
    "beat beat & disown; pause 2",
    "beat beat & pause 2",
    "trap - EXIT; kill -KILL $$",
    f'record variable "{VALUE}"',
    f'record granted "{SlurmControls.granted}"',
    f"{SlurmControls.parts}\npause 0.2",
    f"{placement._MASK}; until_released",
    'for ((i = 1; i <= 9; i++)); do echo "line $i of the output"; done; echo last >&2',
    """x=$(head -c 4096 /dev/zero | tr '\\0' x); record has ${#x}
for ((i = 0; i < 3; i++)); do record beat; sleep 0.5; done; record kept""",
)


def write(folder: Path, body: str) -> ProbeJob:
    """The script of a probe job that has already been released."""
    probe = ProbeJob("feature", "name", folder)
    hosts = 'scontrol show hostnames "$SLURM_JOB_NODELIST"'
    probe.write([], body, own_id=Slurm.own_id, index=SlurmControls.index, hosts=hosts)
    probe.proceed()
    return probe


def start(probe: ProbeJob, tools: Path, shell: str = "/bin/bash") -> Shell:
    """Run it in a shell of its own session."""
    with probe.output.open("ab") as output:
        return subprocess.Popen(
            [shell, str(probe.script)],
            env=os.environ | SETTING | {"PATH": f"{tools}:{os.environ['PATH']}"},
            stdout=output,
            stderr=output,
            start_new_session=True,
        )


def finish(process: Shell) -> int:
    """Exit code of a shell; remaining processes of its session are ended."""
    code = process.wait()
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    return code


def act(probe: ProbeJob, node: Node) -> int:
    """Act it out."""
    clock = SharedClock()
    codes: list[int] = []
    actor = Actor(clock, probe.script, node, SETTING | {"HOST": "n1", "HOSTS": HOSTS}, codes.append)
    actor.begin()
    clock.sleep(3.0)
    return codes[0]


def said(probe: ProbeJob) -> list[tuple[str, ...]]:
    """Its observations, without repetitions; of processors only their presence."""
    events = sorted(
        (one for shell in probe.all_shells for one in shell.events), key=lambda e: e.time
    )
    lines = [
        (one.what, *(one.words if one.what != "cpus" else ()))
        if isinstance(one, Observation)
        else (one.event, one.host, str(one.exit_code))
        for one in events
    ]
    ends = [number for number, line in enumerate(lines) if line[0] == "end"]
    del lines[ends[0] + 1 if ends else len(lines) :]
    return [line for line, _ in groupby(lines)]


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Commands of a node."""
    folder = tmp_path_factory.mktemp("bin")
    for name, text in TOOLS.items():
        (folder / name).write_text(f"#!/bin/bash\n{text}\n")
        (folder / name).chmod(0o755)
    return folder


@pytest.fixture
def places(tmp_path: Path) -> Iterator[str]:
    """Directories for leftovers of jobs; remaining processes are ended."""
    folders = [tmp_path / "tmp", tmp_path / "shm"]
    for folder in folders:
        folder.mkdir()
    yield " ".join(map(str, folders))
    for path in tmp_path.rglob("left"):
        for one in read_status(path).events:
            with suppress(ProcessLookupError):
                os.kill(int(one.words[0]) if isinstance(one, Observation) else 0, signal.SIGKILL)


@pytest.fixture(scope="module")
def shells(
    tmp_path_factory: pytest.TempPathFactory, tools: Path
) -> dict[str, tuple[ProbeJob, int]]:
    """All of them in concurrent shells, with their exit codes."""
    folder = tmp_path_factory.mktemp("shells")
    probes = [write(folder / str(number), body) for number, body in enumerate(BODIES)]
    processes = [start(probe, tools) for probe in probes]
    return dict(zip(BODIES, zip(probes, map(finish, processes), strict=True), strict=True))


@pytest.mark.parametrize("body", BODIES)
def test_they_write_what_a_shell_writes(
    tmp_path: Path, shells: dict[str, tuple[ProbeJob, int]], body: str
) -> None:
    (real, code), acted = shells[body], write(tmp_path / "acted", body)
    assert act(acted, Node()) == (code if code >= 0 else 128 - code)
    assert said(real) == said(acted)
    last = real.output.read_text().splitlines()[-1:]
    assert (acted.output.read_text().splitlines()[-1:] if acted.output.exists() else []) == last


def test_children_beat_twice_a_second(shells: dict[str, tuple[ProbeJob, int]]) -> None:
    probe, _ = shells["beat beat & disown; pause 2"]
    times = [event.time for event in probe.observed("beat") if event.time < (probe.end or 0.0)]
    assert len(times) > 1
    assert min(b - a for a, b in pairwise(times)) > 0.4


@pytest.mark.parametrize("body", ["trap '' TERM; beat beat", "until_released"])
def test_a_job_that_nobody_ends_ends_by_itself_after_its_limit(
    tmp_path: Path, tools: Path, body: str
) -> None:
    probe = ProbeJob("feature", "name", tmp_path / "probe", limit_seconds=2.0 - _STAY_SECONDS)
    probe.write([], body, own_id=Slurm.own_id, index="", hosts="true")
    assert finish(start(probe, tools)) == 0
    assert 0.9 < (probe.end or 0.0) - (probe.shells[0].begun or 0.0) < 10.0


def found(
    tmp_path: Path, places: str, tools: Path, shell: str = "/bin/bash"
) -> tuple[list[str], ...]:
    """Leftovers of one job and observations of a later one, in a shell and acted out."""
    node = Node()
    reported = []
    for kind in ("real", "acted"):
        name = f"hc-{kind}"

        def do(what: str, body: str, kind: str = kind) -> ProbeJob:
            probe = write(tmp_path / f"{what}-{kind}", body)
            assert (finish(start(probe, tools, shell)) if kind == "real" else act(probe, node)) == 0
            return probe

        leaver = do("leaver", leftovers._LEAVE.format(places=places, name=name, life=100_000))
        (pid,) = {event.words[0] for event in leaver.observed("alive")}
        looker = do("looker", _LOOK.format(places=places, name=name, pid=pid))
        ended = do("end", leftovers._END.format(pid=pid))
        alive = [event for event in leaver.observed("alive") if event.time > (looker.start or 0.0)]
        reported.append(
            [
                " ".join((e.what, *e.words))
                for e in (*leaver.observed("left"), *looker.observed("found"))
            ]
            + ["alive"] * bool(alive)
            + [event.what for event in ended.observed("killed")]
        )
    return tuple(reported)


def test_what_jobs_leave_is_found(tmp_path: Path, places: str, tools: Path) -> None:
    real, acted = found(tmp_path, places, tools)
    assert real == acted
    tmp, shm = places.split()
    assert real == [f"left {tmp}", f"left {shm}", f"found {tmp}", f"found {shm}", "found process",
                    "alive", "killed"]  # fmt: skip


def test_what_jobs_leave_is_found_in_old_shells(tmp_path: Path, places: str, tools: Path) -> None:
    shell = tmp_path / "bash"
    shell.write_text(
        '#!/bin/bash\n[[ $1 == -c ]] || set -- -c ". $1"\n'
        'exec /bin/bash -c "unset EPOCHREALTIME; $2" "${@:3}"\n'
    )
    shell.chmod(0o755)
    real, acted = found(tmp_path, places, tools, str(shell))
    assert real == acted
