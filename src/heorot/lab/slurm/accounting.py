"""The database of Slurm's accounts: MariaDB and slurmdbd, both on the head of a lab."""

from __future__ import annotations

import socket
from contextlib import suppress
from pathlib import Path

from heorot.lab.client import LabClient
from heorot.lab.model import HEAD, Laboratory
from heorot.lab.requirements import tool
from heorot.lab.slurm import programs
from heorot.lab.slurm.configuration import FOLDER, slurmdbd_conf
from heorot.process import Finished
from heorot.writing import write

_DATABASE = "mariadbd"
_DAEMON = "slurmdbd"
_FILES = "database"
_LOG = "database.log"
_SOCKET = "database.socket"
_GREETING_SECONDS = 5.0
# The database exists as long as the lab: it need not survive a crash of the computer, so nothing
# waits for a disk. It has to survive a kill of the head: commits go to the kernel at once (2), and
# pages are written twice.
_OPTIONS = (
    "--no-defaults",
    # As Slurm's daemons; only root can read the directory of a lab that has them.
    "--user=root",
    "--debug-no-sync",
    "--innodb-flush-method=nosync",
    "--innodb-flush-log-at-trx-commit=2",
    "--innodb-log-file-size=4M",
    "--innodb-buffer-pool-size=16M",
    "--innodb-autoextend-increment=1",  # [MiB]
)


def prepare(laboratory: Laboratory, client: LabClient) -> None:
    """Create the files of an empty database, and the configuration of slurmdbd.

    Raises:
        SetupError: MariaDB cannot create them.
    """
    folder = client.directory / FOLDER
    configuration = folder / "slurmdbd.conf"
    text = slurmdbd_conf(laboratory, client.directory)
    write(configuration, text, 0o600)  # slurmdbd insists
    words = [*_OPTIONS, f"--datadir={folder / _FILES}", "--skip-test-db"]
    words.append("--auth-root-authentication-method=normal")
    programs.start(client, HEAD, "mariadb-install-db", words)


def start(laboratory: Laboratory, client: LabClient) -> list[str]:
    """Start what does not run, and wait until it answers and has the cluster.

    Returns:
        the programs that were started.

    Raises:
        SetupError: one does not start.
    """
    folder = client.directory / FOLDER
    started = []
    if programs.has_ended(client, HEAD, _DATABASE, lambda: _greets(folder / _SOCKET)):
        words = [*_OPTIONS, f"--datadir={folder / _FILES}", f"--socket={folder / _SOCKET}"]
        words += [f"--pid-file={folder / 'database.pid'}", "--skip-networking", "--skip-log-bin"]
        number = client.detach(HEAD, [tool(_DATABASE), *words], folder / _LOG)
        programs.wait_while(client, lambda: _lacks_database(client, number))
        started.append(_DATABASE)
    if programs.has_ended(client, HEAD, _DAEMON, lambda: _clusters(client).ok):
        # Slurm has no option for MariaDB's socket, but its client library has a variable.
        programs.start(client, HEAD, _DAEMON, MYSQL_UNIX_PORT=str(folder / _SOCKET))
        programs.wait_while(client, lambda: _lacks_cluster(laboratory, client))
        started.append(_DAEMON)
    return started


def _greets(path: Path) -> bool:
    """Whether a database sends its greeting; the kernel accepts connections to a killed one."""
    with suppress(OSError), socket.socket(socket.AF_UNIX) as asker:
        asker.settimeout(_GREETING_SECONDS)
        asker.connect(str(path))
        return bool(asker.recv(1))
    return False


def _clusters(client: LabClient) -> Finished:
    """The answer of slurmdbd to a query of its clusters."""
    return programs.command(client, ["sacctmgr", "-n", "-P", "show", "cluster", "format=cluster"])


def _lacks_database(client: LabClient, number: int) -> str:
    """The missing service, or empty once a process, by its id on the head, is a ready database."""
    folder = client.directory / FOLDER
    if _greets(folder / _SOCKET):
        return ""
    if not client.has(HEAD, number):
        raise programs.not_started(client, HEAD, _DATABASE, _text(folder / _LOG))
    return "its database"


def _lacks_cluster(laboratory: Laboratory, client: LabClient) -> str:
    """The missing service, or empty once the database answers and has the cluster."""
    known = _clusters(client)
    if known.ok:
        add = ["sacctmgr", "-i", "add", "cluster", laboratory.name]
        if laboratory.name in known.out.split() or programs.command(client, add).ok:
            return ""
    elif not programs.runs(client, HEAD, _DAEMON):
        log = client.directory / FOLDER / "slurmdbd.log"
        raise programs.not_started(client, HEAD, _DAEMON, _text(log))
    return _DAEMON


def _text(log: Path) -> str:
    return log.read_text(encoding="utf-8", errors="replace") if log.exists() else ""
