"""Keeps the output of other monitors of the nodes while jobs run, where a site has them.

Prometheus' node exporter and PCP's collector have counters since boot: their output at the begin
and the end is kept unchanged. Slurm's accounts have the resources used by each job.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Literal

from heorot import process
from heorot.clock import SYSTEM_CLOCK, Clock
from heorot.files import read_regular
from heorot.launch.adapters.batch_client import BatchClient
from heorot.monitoring.collect.monitor_output import (
    ended_jobs,
    parse_exporter,
    parse_pcp,
    parse_sacct,
)
from heorot.monitoring.model import Accounted, Exported
from heorot.monitoring.session.sampled_hosts import Watch, on_each, run_there
from heorot.writing import write

Pages = Mapping[str, tuple[Exported, Exported]]

_FOLDER = "others"
_ACCOUNTS = "sacct.txt"
# Port of Prometheus' exporter (https://github.com/prometheus/prometheus/wiki/
# Default-port-allocations); queried on its own node, without names and open ports.
_EXPORTER = (
    "exec 3<>/dev/tcp/127.0.0.1/9100 && printf 'GET /metrics HTTP/1.0\\r\\n\\r\\n' >&3 && cat <&3"
)
# Counters of all CPUs [ms] and of each adapter [B]; `pminfo` comes with pcp.
_PCP = (
    "pminfo -f kernel.all.cpu.user kernel.all.cpu.sys kernel.all.cpu.nice kernel.all.cpu.intr"
    " network.interface.in.bytes network.interface.out.bytes && date '+time %s.%N'"
)
_WATCHERS: Mapping[str, tuple[str, Callable[[str], Exported]]] = {
    "node exporter": (_EXPORTER, parse_exporter),
    "PCP": (_PCP, parse_pcp),
}
"""The query of each monitor on a node, by bash, and the parser of its answer."""
# Slurm's database is updated some seconds after the end of a job.
_TRIES, _PAUSE_SECONDS = 10, 1.0


def note_watchers(watch: Watch, moment: Literal["begin", "end"]) -> None:
    """Keep the present output of other monitors of all nodes; nodes without them are skipped.

    Args:
        moment: begin or end of the test; the output of the begin is kept when it is resumed.
    """
    folder = watch.directory / _FOLDER
    with suppress(OSError):  # disk full: the output is not kept
        folder.mkdir(exist_ok=True)

    def ask(host: str) -> None:
        for name, (script, _) in _WATCHERS.items():
            page = _page(folder, name, host, moment)
            if moment == "begin" and page.exists():
                continue
            ended = run_there(watch, host, ("timeout", "5", "bash", "-c", script))
            if ended.ok and ended.out:
                with suppress(OSError):
                    write(page, ended.out, sync=False)

    on_each([host for host in watch.nodes if host not in watch.unwatched], ask)


def watchers(directory: Path, nodes: Sequence[str]) -> Mapping[str, Pages]:
    """The output of each other monitor for each node at the begin and the end of a test.

    A node that booted meanwhile is left out: its counters were reset.
    """
    answers: dict[str, dict[str, tuple[Exported, Exported]]] = {name: {} for name in _WATCHERS}
    for name, (_, parse) in _WATCHERS.items():
        for host in nodes:
            pages = [_page(directory / _FOLDER, name, host, each) for each in ("begin", "end")]
            if not all(page.is_file() and not page.is_symlink() for page in pages):
                continue
            before, after = (parse(_kept(page)) for page in pages)
            if after.cpu_seconds >= before.cpu_seconds:
                answers[name][host] = before, after
    return answers


def _kept(file: Path) -> str:
    """An answer; on a full disk it may end within a character."""
    return read_regular(file).decode(errors="replace")


def _page(folder: Path, name: str, host: str, moment: str) -> Path:
    return folder / f"{name.replace(' ', '-')}-{host}-{moment}.txt"


def note_accounts(
    caller: BatchClient,
    directory: Path,
    numbers: set[str],
    begun: float,
    clock: Clock = SYSTEM_CLOCK,
) -> None:
    """Keep Slurm's accounts of jobs that have ended, if there are any.

    Args:
        begun: time of the first submission, Unix time [s].
    """
    since = datetime.fromtimestamp(begun).strftime("%Y-%m-%dT%H:%M:%S")  # noqa: DTZ006 (Slurm's own)
    what = ("--parsable2", "--format=JobID,State,TotalCPU,MaxRSS", f"--starttime={since}")
    for attempt in range(_TRIES):
        ended = process.run(caller.argv(("sacct", *what)), environment=caller.environment())
        if not ended.ok:
            return
        if numbers <= ended_jobs(ended.out) or attempt == _TRIES - 1:
            break
        clock.sleep(_PAUSE_SECONDS)
    folder = directory / _FOLDER
    with suppress(OSError):
        folder.mkdir(exist_ok=True)
        write(folder / _ACCOUNTS, ended.out, sync=False)


def accounts(directory: Path) -> Mapping[str, Accounted]:
    """Slurm's accounts of ended jobs, by number of the job."""
    file = directory / _FOLDER / _ACCOUNTS
    if not file.is_file() or file.is_symlink():
        return {}
    text = _kept(file)
    over = ended_jobs(text)
    return {job: answers for job, answers in parse_sacct(text).items() if job in over}
