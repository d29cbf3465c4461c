"""A fake batch system of shell scripts with Slurm's commands: jobs run here, with faults.

The commands share a folder: `jobs/ID` has a job's state and `jobs/ID.name` its name. Further files
cause faults: `down` (no answer), `busy` (sbatch only has none), `refuse` (a reason), `slow`
(seconds), `mute` (sbatch accepts the job and is killed before it reports that, with `all` above
it), `hold` (jobs stay pending), `reason` of
pending jobs, `limit` of all, `deaf` (scripts hear no signal to them alone), `stubborn` (jobs are
cancelled much later).
"""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path

_HEAD = """#!/bin/bash
cd "@FOLDER@" || exit 1
[[ -e slow ]] && sleep "$(<slow)"
[[ -e down ]] && { echo "slurm_load_jobs error: Unable to contact slurm controller" >&2; exit 1; }
"""
_SBATCH = """
[[ -e busy ]] && { echo "sbatch: error: Socket timed out on send/recv operation" >&2; exit 1; }
[[ -e refuse ]] && { echo "sbatch: error: Batch job submission failed: $(<refuse)" >&2; exit 1; }
printf '%s\n' "$@" >>words
for word in "$@"; do
    [[ $word == --job-name=* ]] && name=${word#*=}
    [[ $word == --output=* ]] && output=${word#*=}
done
script=${!#}
exec 8>>counter; flock 8
id=$(($(wc -l <counter) + 1)); echo >&8; exec 8>&-
echo "$name" >"jobs/$id.name"
echo PENDING >"jobs/$id"
start() {
    looks=5000 # and then the test has long failed
    while [[ -e hold && $(<jobs/$id) == PENDING ]] && ((looks--)); do sleep 0.02; done
    [[ $looks -ge 0 && $(<jobs/$id) == PENDING ]] || exit
    echo RUNNING >"jobs/$id"
    SLURM_JOB_ID=$id SLURM_JOB_NODELIST=n1 setsid -w bash "$script" >"$output" 2>&1 &
    echo $! >"jobs/$id.pid"
    wait $!; code=$?
    [[ $(<jobs/$id) == RUNNING ]] || exit
    ((code)) && echo FAILED >"jobs/$id" || echo COMPLETED >"jobs/$id"
}
start </dev/null >/dev/null 2>&1 9>&- &
[[ -e mute ]] && {
    kill -9 $([[ $(<mute) == all ]] && ps -o ppid= -p $PPID) $PPID
    rm mute
    kill -9 $$
}
echo "$id"
"""
_SQUEUE = r"""
for word in "$@"; do
    [[ $word == --jobs=* ]] && ids=${word#*=}
    [[ $word == --name=* ]] && wanted=${word#*=}
done
echo asked >>questions
found=
for file in jobs/*.name; do
    [[ -e $file ]] || continue
    id=${file#jobs/} id=${id%.name} name=$(<"$file") state=$(<"jobs/$id")
    [[ $state == FORGOTTEN ]] && continue
    [[ ${ids:-} && ,$ids, != *",$id,"* ]] && continue
    [[ ${wanted:-} && $wanted != "$name" ]] && continue
    found=1
    reason=$(cat reason 2>/dev/null || echo None)
    limit=$(cat limit 2>/dev/null || echo 1:00)
    echo "$id|$state|main|2026-01-02T03:04:05|N/A|$limit|$name|$reason"
done
unknown="slurm_load_jobs error: Invalid job id specified"
[[ ${ids:-} && ! $found ]] && { echo "$unknown" >&2; exit 1; }
exit 0
"""
_SCANCEL = """
id=${!#}
for word in "$@"; do [[ $word == --name=* ]] && wanted=${word#*=}; done
[[ ${wanted:-} && $wanted != "$(<"jobs/$id.name")" ]] && exit 0
if [[ $1 == --batch ]]; then
    [[ $(<"jobs/$id") == RUNNING ]] || { echo "scancel: error: not now" >&2; exit 1; }
    echo "$id" >>interrupted
    [[ -e deaf ]] || kill -TERM "$(<"jobs/$id.pid")"
    exit 0
fi
[[ -e stubborn ]] && exit 0
echo CANCELLED >"jobs/$id"
kill -TERM "$(cat "jobs/$id.pid" 2>/dev/null)" 2>/dev/null
exit 0
"""
_SACCT = "echo 'Slurm accounting storage is disabled' >&2; exit 1"
_SCONTROL = r"""
id=${!#}
state=$(cat "jobs/$id" 2>/dev/null)
unknown="slurm_load_jobs error: Invalid job id specified"
[[ ! $state || $state == FORGOTTEN ]] && { echo "$unknown" >&2; exit 1; }
echo "JobId=$id JobName=$(<"jobs/$id.name") JobState=$state Reason=None Dependency=(null)" \
    "ExitCode=0:0 EligibleTime=2026-01-02T03:04:05 StartTime=2026-01-02T03:04:06 Partition=main"
"""


class Fake:
    """One such batch system.

    Args:
        base: where it is.
    """

    def __init__(self, base: Path) -> None:
        self.base = base
        self.commands = base / "commands"
        (base / "jobs").mkdir(parents=True)
        self.commands.mkdir()
        (base / "counter").touch()
        scripts = {
            "sbatch": _SBATCH,
            "squeue": _SQUEUE,
            "scancel": _SCANCEL,
            "sacct": _SACCT,
            "scontrol": _SCONTROL,
            "sinfo": "",
        }
        for name, text in scripts.items():
            path = self.commands / name
            path.write_text(_HEAD.replace("@FOLDER@", str(base)) + text)
            path.chmod(0o755)

    def set(self, name: str, text: str = "") -> None:
        """Cause a fault."""
        (self.base / name).write_text(text)

    def clear(self, name: str) -> None:
        """Clear a fault."""
        (self.base / name).unlink()

    @property
    def submitted(self) -> int:
        """Number of accepted jobs."""
        return len((self.base / "counter").read_text().splitlines())

    @property
    def questions(self) -> int:
        """Number of queries of the queue."""
        file = self.base / "questions"
        return len(file.read_text().splitlines()) if file.exists() else 0

    def state(self, job: int, state: str | None = None) -> str:
        """The state of a job; set if one is given."""
        file = self.base / f"jobs/{job}"
        if state is not None:
            file.write_text(f"{state}\n")
        return file.read_text().strip()

    def give_away(self, job: int, state: str) -> None:
        """Forget a job and give its id to another user's, as a killed controller does."""
        (self.base / f"jobs/{job}.name").write_text("of-a-stranger\n")
        self.state(job, state)

    def kill(self, job: int) -> None:
        """Kill a job's processes, as in a power failure of its node; its state stays."""
        pid = int((self.base / f"jobs/{job}.pid").read_text())
        for entry in os.scandir("/proc"):
            if entry.name.isdigit():
                with suppress(OSError):
                    environ = Path(f"/proc/{entry.name}/environ").read_bytes()
                    if f"SLURM_JOB_ID={job}".encode() in environ.split(b"\0") and (
                        str(self.base).encode() in environ
                    ):
                        os.kill(int(entry.name), signal.SIGKILL)
        with suppress(OSError):
            os.kill(pid, signal.SIGKILL)

    def end(self) -> None:
        """End all remaining processes."""
        for file in self.base.glob("jobs/*.pid"):
            self.kill(int(file.stem))
