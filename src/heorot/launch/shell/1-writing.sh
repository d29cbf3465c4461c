# A job of Heorot: runs its steps one after the other and records events in status.jsonl.
#
# It may be started again at any time: steps that have ended are skipped, a step that was cut off is
# repeated. A second copy exits at once with code 75. To stop it: kill -TERM $(cat pid)
# Exit codes: 0 all steps ended, 74 a write failed, 75 another copy runs, 143 stopped.

set -u
export LC_ALL=C
readonly title=@ID@
readonly job=@MARKER@
readonly here=@HERE@
readonly listing=@LIST_HOSTS@
readonly preparing=@PREPARE@
readonly describing=@DESCRIBE@
on_host=(@ON_HOST@)
hosts=() members=() others=() missed=()
declare -A ended=() silent=()
running='' writer='' time_now='' uptime='' own='' locked_by_folder='' together='' earlier=''
adopts='' known='' own_group='' something_left=''
wave=()
readonly exit_event='^\{"event":"exit","step":"([^"]+)".*\}$'

now() { # sets `time_now`, Unix time [s], and `uptime`, monotonic time [us], to 10 ms
    time_now=${EPOCHREALTIME:-$(date +%s.%6N)}
    { read -r uptime _ </proc/uptime; } 2>/dev/null || uptime=0
    uptime=$((10#${uptime/./} * 10000))
}

fail() { # MESSAGE: stops the job, since nothing may run unrecorded
    echo "heorot: job $title stopped: $1" >&2
    if [[ $BASHPID != "$$" ]]; then # in one of several concurrent steps
        kill -TERM "$$"
        exit 74
    fi
    if [[ $running || $together ]]; then
        end_adopted
        kill_marked "HEOROT_JOB=$job"
    fi
    exit 74
}

write() { # LINE: appends it to status.jsonl in one write: concurrent steps do so, too
    if ((${#1} < 4000)); then
        printf '%s\n' "$1" >>status.jsonl
    else
        cat <<<"$1" >>status.jsonl
    fi || fail "cannot write $here/status.jsonl (no space left?)"
}

runs() { # PID: whether it is a process of this job
    [[ $1 && -r /proc/$1/environ ]] && grep -qzsxF "HEOROT_JOB=$job" "/proc/$1/environ"
}

enter() { # a new directory of a shared file system may appear late on another host
    local attempt
    for ((attempt = 0; attempt < 20; attempt++)); do
        cd -- "$here" 2>/dev/null && return
        sleep 0.5
    done
    cd -- "$here" || fail "cannot enter $here"
}

is_held() { # whether the copy that made the folder is alive: its mark appears a while later
    local attempt pid
    for ((attempt = 0; attempt < 50; attempt++)); do
        pid=$(cat lock.d/pid 2>/dev/null)
        runs "$pid" && return 0
        [[ ! -d lock.d || ($pid && ! -e /proc/$pid) ]] && return 1
        sleep 0.2
    done
    return 1
}

lock() { # only one copy at a time; mkdir where flock is missing, as on some parallel file systems
    local code=2
    if command -v flock >/dev/null; then
        exec 9>>lock || fail "cannot write in $here (no space left?)"
        flock -n 9 2>/dev/null && code=0 || code=$?
    fi
    if ((code > 1)); then
        mkdir lock.d 2>/dev/null && {
            echo $$ >lock.d/pid
            return 0
        }
        is_held && return 1
        mv lock.d "lock.stale.$$" 2>/dev/null && rm -rf "lock.stale.$$" &&
            mkdir lock.d && echo $$ >lock.d/pid
        code=$?
    fi
    return "$code"
}
