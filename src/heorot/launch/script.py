"""The text of a job script: plain bash that any compute node runs, without Python.

The script is the only witness of what happened: it appends `start` and `exit` events to
status.jsonl, and whoever wants to know reads that file. It may be killed at any moment and run
again; then it skips the steps that have ended. It is written for bash 4.2; what came later
(EPOCHREALTIME, the process id of a process substitution) has a fallback.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from heorot.launch.command import StepCommand

KILL_AFTER_SECONDS = 5
OUTPUT_BYTES = 1 << 20

_OPENING = r"""#!/bin/bash
# Heorot job @ID@: runs its steps one after the other; what happened is in status.jsonl.
#
# It may be run again at any time: steps that have ended are skipped, a step that was cut off runs
# again. A second copy ends at once with exit code 75. To stop it: kill -TERM $(cat pid)
# Exit codes: 0 all steps ended, 74 something could not be written, 75 runs already, 143 stopped.

set -u
export LC_ALL=C
readonly job=@MARKER@
readonly here=@HERE@
declare -A ended=()
running= keeper= time_now= own= locked_by_folder=
readonly exit_event='^\{"event":"exit","step":"([^"]+)".*\}$'

now() { time_now=${EPOCHREALTIME:-$(date +%s.%N)}; }

fail() { # MESSAGE: stops rather than run on unrecorded
    echo "heorot: job @ID@ stopped: $1" >&2
    [[ $running ]] && kill_marked "HEOROT_JOB=$job"
    exit 74
}

write() { # LINE: appends it to status.jsonl
    printf '%s\n' "$1" >>status.jsonl || fail "cannot write $here/status.jsonl (no space left?)"
}

runs() { # PID: whether it is a process of this job
    [[ $1 && -r /proc/$1/environ ]] && grep -qzsxF "HEOROT_JOB=$job" "/proc/$1/environ"
}

lock() { # only one copy at a time; mkdir where there is no flock, as on some parallel file systems
    local code=2
    if command -v flock >/dev/null; then
        exec 9>>lock || fail "cannot write in $here (no space left?)"
        flock -n 9 2>/dev/null && code=0 || code=$?
    fi
    if ((code > 1)); then
        mkdir lock.d 2>/dev/null && return 0
        [[ -s lock.d/pid ]] || sleep 1
        runs "$(cat lock.d/pid 2>/dev/null)" && return 1
        mv lock.d "lock.stale.$$" 2>/dev/null && rm -rf "lock.stale.$$" && mkdir lock.d
        code=$?
    fi
    return "$code"
}

list_family() { # this script and its ancestors, which it must not kill
    local pid=$$ key value
    family=" "
    while [[ $pid -gt 0 ]]; do
        family+="$pid "
        value=0 # an ancestor that has died has no parent any more
        while read -r key value && [[ $key != PPid: ]]; do :; done <"/proc/$pid/status"
        pid=${value:-0}
    done 2>/dev/null
}

kill_marked() { # NAME=VALUE: kills the processes that have it in their environment
    # Launchers put ranks into process groups and sessions of their own; the environment stays.
    local files file pid attempt found
    for ((attempt = 0; attempt < 40; attempt++)); do
        files=$(HEOROT_JOB='' grep -lzsxF -- "$1" /proc/[0-9]*/environ)
        found=
        for file in $files; do
            pid=${file//[!0-9]/}
            [[ $family == *" $pid "* || $pid == "$keeper" ]] && continue
            kill -KILL "$pid" 2>/dev/null && found=1
        done
        [[ $found ]] || return 0
        sleep 0.05
    done
    echo "heorot: job @ID@: some processes of $1 cannot be killed" >&2
}

keep_output() { # FILE: keeps the beginning, so that endless output cannot fill the disk
    exec 9>&-
    # Unlike head, cat writes what it has at once: a killed machine leaves the last words. Unlike
    # dd, it does not count how often it read, which is once for every line of some programs.
    (trap '' XFSZ; ulimit -S -f @OUTPUT_KIB@; exec cat >"$1") 2>/dev/null
    exec cat >/dev/null
}

own_temporary() { # a place for the programs' temporary files that goes with the job
    # What a killed launcher of Open MPI leaves is named by its process id: in a common place the
    # next launcher with that id would find it and end. A copy of this job that was killed left its
    # own under the same name.
    own=${TMPDIR:-/tmp}/heorot-$job
    rm -rf -- "$own"
    mkdir -m 700 -- "$own" || fail "cannot write in ${TMPDIR:-/tmp}"
    export TMPDIR=$own
}

leave() {
    [[ $own ]] && rm -rf -- "$own"
    [[ $locked_by_folder ]] && rm -rf -- "$here/lock.d"
}

await_output() { # a process left behind may hold the pipe open: not for longer than a second
    local attempt
    for ((attempt = 0; attempt < 50; attempt++)); do
        [[ $keeper ]] && kill -0 "$keeper" 2>/dev/null || return 0
        sleep 0.02
    done
}

interrupt() {
    trap '' TERM INT HUP
    local attempt
    if [[ $running ]]; then
        kill -TERM "$running" 2>/dev/null
        for ((attempt = 0; attempt < 20; attempt++)); do
            kill -0 "$running" 2>/dev/null || break
            sleep 0.1
        done
    fi
    kill_marked "HEOROT_JOB=$job"
    now
    write '{"event":"interrupted","time":'"$time_now"'}'
    exit 143
}

step() { # ID SECONDS FOLDER [NAME=VALUE ...] PROGRAM [ARGUMENT ...]
    local id=$1 limit=$2 folder=$3 started output code line timed_out=false
    shift 3
    [[ ${ended[$id]:-} ]] && return
    now
    started=$time_now
    write '{"event":"start","step":"'"$id"'","time":'"$started"'}'
    exec {output}> >(keep_output "outputs/$id.txt")
    keeper=${!:-}
    (cd -- "$folder" && exec timeout -k @KILL_AFTER@ "$limit" env HEOROT_STEP="$job/$id" "$@") \
        </dev/null >&"$output" 2>&1 9>&- {output}>&- &
    running=$!
    exec {output}>&-
    wait "$running"
    code=$?
    running=
    now
    if ((code == 124 || code == 137)) && ((${time_now%.*} - ${started%.*} >= ${limit%.*})); then
        timed_out=true
    fi
    if ((code != 0)); then
        kill_marked "HEOROT_STEP=$job/$id"
        rm -rf -- "${own:?}"/*
    fi
    printf -v line '{"event":"exit","step":"%s","time":%s,"code":%d,"timed_out":%s,"started":%s}' \
        "$id" "$time_now" "$code" "$timed_out" "$started"
    write "$line"
}

self=$0
[[ $self == /* ]] || self=$PWD/$self
cd -- "$here" || fail "cannot enter $here"
if [[ ${HEOROT_LOCKED:-} != "$$" ]]; then
    lock || exit 75
    # From here on every process of this job carries its mark; a copy that comes second never does.
    HEOROT_LOCKED=$$ HEOROT_JOB=$job exec "$BASH" "$self"
fi
unset HEOROT_LOCKED
if [[ -d lock.d ]]; then
    echo $$ >lock.d/pid && locked_by_folder=1
fi
echo $$ >pid || fail "cannot write in $here (no space left?)"
list_family
trap interrupt TERM INT HUP
kill_marked "HEOROT_JOB=$job" # what an earlier copy left behind would disturb
trap leave EXIT
own_temporary
if [[ -s status.jsonl ]]; then
    [[ $(tail -c 1 status.jsonl | tr '\0' x) ]] && write '' # a crash may have torn the last line
    while IFS= read -r line; do
        [[ $line =~ $exit_event ]] && ended[${BASH_REMATCH[1]}]=1
    done <status.jsonl
fi
now
write '{"event":"job","id":"'"$job"'","host":"'"$HOSTNAME"'","pid":'$$',"time":'"$time_now"'}'

"""

_CLOSING = r"""
await_output
now
write '{"event":"end","time":'"$time_now"'}'
"""


def step_line(command: StepCommand) -> str:
    """The line of the script that runs one step.

    Args:
        command: the step.
    """
    assignments = [f"{name}={value}" for name, value in command.environment.items()]
    # env would take a program below `a=b/` for an assignment.
    program = ("nice", "-n", "0", *command.argv) if "=" in command.argv[0] else command.argv
    limit = f"{command.timeout_seconds:.3f}"
    return (
        shlex.join(["step", command.step, limit, str(command.cwd), *assignments, *program]) + "\n"
    )


def script_text(directory: Path, marker: str, commands: Sequence[StepCommand]) -> str:
    """The text of a job script.

    Args:
        directory: the job's directory, absolute.
        marker: unique id of the job; every process of the job carries it in its environment.
        commands: the steps in order.
    """
    opening = (
        _OPENING.replace("@ID@", directory.name)
        .replace("@MARKER@", shlex.quote(marker))
        .replace("@HERE@", shlex.quote(str(directory)))
        .replace("@OUTPUT_KIB@", str(OUTPUT_BYTES >> 10))
        .replace("@KILL_AFTER@", str(KILL_AFTER_SECONDS))
    )
    return opening + "".join(step_line(command) for command in commands) + _CLOSING
