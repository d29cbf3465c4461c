"""Keeps what other watchers of the nodes say while jobs run, wherever a site has them.

Prometheus' node exporter and PCP's collector count on as long as a node is up: what they say at the
begin and at the end is kept as they say it. Slurm's accounts know what each job took.
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
# Where Prometheus' exporter listens (https://github.com/prometheus/prometheus/wiki/
# Default-port-allocations); asked on its node itself, which needs neither names nor open ports.
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
"""What each is asked on a node, by bash, and what its answer means."""
# Slurm's data base learns of the end of a job some seconds after it.
_TRIES, _PAUSE_SECONDS = 10, 1.0


def note_watchers(watch: Watch, moment: Literal["begin", "end"]) -> None:
    """Keep what other watchers of all nodes say now; a node that has none says nothing.

    Args:
        moment: of the day; what is kept of its begin stays when it is gone on with.
    """
    folder = watch.directory / _FOLDER
    with suppress(OSError):  # no room: it does without
        folder.mkdir(exist_ok=True)

    def ask(host: str) -> None:
        for name, (script, _) in _WATCHERS.items():
            page = _page(folder, name, host, moment)
            if moment == "begin" and page.exists():
                continue
            said = run_there(watch, host, ("timeout", "5", "bash", "-c", script))
            if said.ok and said.out:
                with suppress(OSError):
                    write(page, said.out, sync=False)

    on_each([host for host in watch.nodes if host not in watch.unwatched], ask)


def watchers(directory: Path, nodes: Sequence[str]) -> Mapping[str, Pages]:
    """What each other watcher said of each node at the begin and at the end of a day.

    A node that booted meanwhile is left out: its counters began anew.
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
    """An answer; one that found no room may end amid a letter."""
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
    """Keep what Slurm's accounts say of jobs that have ended, if it keeps any.

    Args:
        begun: when the first was submitted, Unix time [s].
    """
    since = datetime.fromtimestamp(begun).strftime("%Y-%m-%dT%H:%M:%S")  # noqa: DTZ006 (Slurm's own)
    what = ("--parsable2", "--format=JobID,State,TotalCPU,MaxRSS", f"--starttime={since}")
    for attempt in range(_TRIES):
        said = process.run(caller.argv(("sacct", *what)), environment=caller.environment())
        if not said.ok:
            return
        if numbers <= ended_jobs(said.out) or attempt == _TRIES - 1:
            break
        clock.sleep(_PAUSE_SECONDS)
    folder = directory / _FOLDER
    with suppress(OSError):
        folder.mkdir(exist_ok=True)
        write(folder / _ACCOUNTS, said.out, sync=False)


def accounts(directory: Path) -> Mapping[str, Accounted]:
    """What Slurm's accounts said of jobs that had ended, by number of the job."""
    file = directory / _FOLDER / _ACCOUNTS
    if not file.is_file() or file.is_symlink():
        return {}
    text = _kept(file)
    over = ended_jobs(text)
    return {job: answers for job, answers in parse_sacct(text).items() if job in over}
