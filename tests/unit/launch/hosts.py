"""Fake hosts: namespaces with processes, a name and a disk of their own, and an agent."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from subprocess import DEVNULL, Popen

from heorot.launch.job_environment import JobEnvironment
from heorot.process import run
from tests.waiting import wait_until

# Like rsh: a shell on the host reads the words joined by blanks, and has almost nothing of our
# environment. Without HOME, Open MPI's daemon crashes. As under Slurm, TMPDIR of the agent is
# created there before the shell begins, and the shell may never begin.
_AGENT = """#!/bin/bash
host=$1
shift
echo "$host" >>{base}/asked
case $host in dead*) exec sleep 300 ;; esac
pid=$(cat {base}/"$host.pid") || exit 9
ns=/proc/$pid/ns
there="nsenter {user} --mount=$ns/mnt --uts=$ns/uts --pid=$ns/pid_for_children"
[ -z "$TMPDIR" ] || $there mkdir -p "$TMPDIR"
[ ! -e {base}/"$host.fails" ] || exit 1
[ ! -e {base}/"$host.late" ] || sleep "$(cat {base}/"$host.late")"
exec $there \\
    env -i HOME="$HOME" PATH="$PATH" bash -c "$*"
"""
_HOST = """
mount -t tmpfs none "$1" && hostname "$2" && touch "$3" && exec sleep 300
"""
_HERE = os.uname().nodename


class Hosts:
    """A few hosts in addition to this one.

    Attributes:
        agent: reaches them; those whose name starts with `dead` never answer.
        local: a directory that every host has for itself, for temporary files.
    """

    def __init__(self, base: Path, *names: str) -> None:
        self.agent, self.local = base / "the agent", base / "local"
        self._base, self._processes = base, list[Popen[bytes]]()
        self.local.mkdir(parents=True)
        user = "" if os.geteuid() == 0 else "--user=$ns/user --preserve-credentials"
        self.agent.write_text(_AGENT.format(base=f"'{base}'", user=user))
        self.agent.chmod(0o755)
        for name in names:
            self._start(name)

    def _start(self, name: str) -> None:
        new = ["unshare", "--mount", "--uts", "--pid", "--fork", "--kill-child", "--mount-proc"]
        mapped = [] if os.geteuid() == 0 else ["--map-root-user"]
        ready = self._base / f"{name}.ready"
        command = [*new, *mapped, "bash", "-c", _HOST, "host", str(self.local), name, str(ready)]
        process = Popen(command, stdin=DEVNULL, start_new_session=True)
        self._processes.append(process)
        (self._base / f"{name}.pid").write_text(str(process.pid))
        wait_until(ready.exists, seen=lambda: f"no host {name}")

    def job_environment(self, *names: str, describe: str = "") -> JobEnvironment:
        """This host and some others.

        Args:
            names: of the others, in order.
            describe: what to know of each.
        """
        listed = " ".join(f"'{name}'" for name in (_HERE, *names))
        return JobEnvironment(
            list_hosts=f"printf '%s\\n' {listed}", on_host=f"'{self.agent}'", describe=describe
        )

    def on(self, host: str, command: str) -> str:
        """The output of a command on a host."""
        return run([self.agent, host, command], timeout_seconds=20).out

    def fail(self, host: str, *, fails: bool = True) -> None:
        """Let log-ins to a host end before their shell begins, or not."""
        sign = self._base / f"{host}.fails"
        sign.touch() if fails else sign.unlink()

    def be_late(self, host: str, seconds: float) -> None:
        """Delay the start of shells on a host."""
        (self._base / f"{host}.late").write_text(str(seconds))

    def asked(self) -> list[str]:
        """The hosts that the agent was called for, in order."""
        path = self._base / "asked"
        return path.read_text().split() if path.exists() else []

    def end(self) -> None:
        """End all hosts, with their processes."""
        for process in self._processes:
            process.kill()
            process.wait()


def possible() -> bool:
    """Whether namespaces can be created here."""
    mapped = [] if os.geteuid() == 0 else ["--map-root-user"]
    return (
        bool(shutil.which("nsenter"))
        and run(["unshare", "--mount", "--pid", "--fork", "--uts", *mapped, "true"]).ok
    )
