find_adopter() { # sets `adopter`: words that make a command the parent of its orphaned descendants
    # PR_SET_CHILD_SUBREAPER survives exec, so another program can set it for this script.
    local call ask
    adopter=()
    case ${HOSTTYPE:-} in
    x86_64) call=157 ;;
    aarch64 | riscv64) call=167 ;;
    powerpc64*) call=171 ;;
    s390x) call=172 ;;
    *) call='' ;;
    esac
    ask="syscall($call, 36, 1, 0, 0, 0) == 0 or exit 1;"
    if [[ $call ]] && timeout -k 1 5 perl -e "$ask"; then
        # shellcheck disable=SC2016 # for perl
        adopter=(perl -e "$ask"' $ENV{HEOROT_ADOPTS} = $$; exec {$ARGV[0]} @ARGV')
        return
    fi
    ask='import ctypes, os, signal, sys; ctypes.CDLL(None).prctl(36, 1, 0, 0, 0) and sys.exit(1)'
    if timeout -k 1 5 python3 -I -S -c "$ask"; then
        ask+='; [signal.signal(one, signal.SIG_DFL) for one in (signal.SIGPIPE, signal.SIGXFSZ)]'
        ask+='; os.environ["HEOROT_ADOPTS"] = str(os.getpid()); os.execv(sys.argv[1], sys.argv[1:])'
        adopter=(python3 -I -S -c "$ask")
    fi
} </dev/null >/dev/null 2>&1

list_children() { # processes that this script has started or adopted
    children=''
    { read -r children <"/proc/$$/task/$$/children"; } 2>/dev/null
}

know_children() { # present children were not left by later steps
    list_children
    known=$children
}

keeps_output() { # PID: whether it is this script's process that keeps the output of a step
    local entry own=1
    local -a entries=()
    { mapfile -d '' -t entries <"/proc/$1/environ"; } 2>/dev/null
    for entry in ${entries[@]+"${entries[@]}"}; do
        [[ $entry == HEOROT_STEP=* ]] && return 1
        [[ $entry == "HEOROT_JOB=$job" ]] && own=0
    done
    return "$own"
}

list_left() { # MARK: sets `left`, the processes with it; without it, those adopted since `known`
    local pid file stat attempt away=1 threads=()
    left=()
    if [[ $1 ]]; then
        while IFS= read -r file; do
            left+=("${file//[!0-9]/}")
        done < <(HEOROT_JOB='' HEOROT_STEP='' exec grep -lzsxF -- "$1" /proc/[0-9]*/environ)
        return
    fi
    # A process that ended before it was read may have a child that was not listed yet.
    for ((attempt = 0; attempt < 100 && ${#left[@]} == 0; attempt++)); do
        away=
        list_children
        for pid in $children; do
            [[ " $known $writer " == *" $pid "* ]] && continue
            if ((${#wave[@]})) && keeps_output "$pid"; then
                known+=" $pid" # while it exits it has no environment
                continue
            fi
            { read -r stat <"/proc/$pid/stat"; } 2>/dev/null || stat=') Z'
            threads=("/proc/$pid/task"/*) # others may run after the first has ended
            if [[ ${stat##*)} == ' '[ZX]* ]] && ((${#threads[@]} < 2)); then
                away=1
            else
                left+=("$pid")
            fi
        done
        [[ $away ]] || return 0
    done
}

note_left() { # PID ...: counts them and their descendants, and collects their names
    local pid name file i
    local -a family=("$@")
    for ((i = 0; i < ${#family[@]}; i++)); do
        pid=${family[i]}
        [[ ${seen[$pid]:-} ]] && continue
        for file in "/proc/$pid/task"/*/children; do
            name=''
            { read -r name <"$file"; } 2>/dev/null
            # shellcheck disable=SC2206 # numbers
            family+=($name)
        done
        seen[$pid]=1
        { read -r name <"/proc/$pid/comm"; } 2>/dev/null || name=''
        name=${name//[!A-Za-z0-9._+-]/?}
        [[ $name && ${#programs[@]} -lt 5 ]] && programs[$name]=1
    done
}

kill_left() { # kills adopted processes until none is left: each leaves its children to this script
    local attempt pid group stat
    for ((attempt = 0; attempt < 800 && ${#left[@]}; attempt++)); do
        note_left "${left[@]}"
        for pid in "${left[@]}"; do
            { read -r stat <"/proc/$pid/stat"; } 2>/dev/null || continue
            read -r _ _ group _ <<<"${stat##*)}"
            kill -KILL "$pid" 2>/dev/null
            # A process that forks cannot escape a signal to its group.
            ((group > 1 && group != own_group)) && kill -KILL -- "-$group" 2>/dev/null
        done
        ((attempt < 500)) || sleep 0.01
        list_left ''
    done
    ((${#left[@]})) || return 0
    echo "heorot: job $title: some processes that $* left cannot be killed" >&2
}

end_left() { # MARK STEP ...: ends processes left by steps that have ended, and records them
    # Without a step nothing is recorded. Sets `something_left`.
    local mark=$1 attempt text line
    local -a left=()
    local -A seen=() programs=()
    shift
    something_left=''
    [[ $mark || $adopts ]] || return 0
    list_left "$mark"
    for ((attempt = 0; attempt < 10 && ${#left[@]}; attempt++)); do # they may be exiting
        sleep 0.02
        list_left "$mark"
    done
    ((${#left[@]})) || return 0
    something_left=1
    if [[ $mark ]]; then
        note_left "${left[@]}"
        kill_marked "$mark"
    else
        kill_left "$@"
    fi
    (($#)) || return 0
    now
    printf -v text ',"%s"' "$@"
    line=''
    ((${#programs[@]})) && printf -v line ',"%s"' "${!programs[@]}"
    printf -v line '{"event":"left","time":%s,"steps":[%s],"n":%d,"names":[%s]}' \
        "$time_now" "${text#,}" "${#seen[@]}" "${line#,}"
    write "$line"
}

end_left_by() { # STEP CODE: the same after one step; a killed step had no time to clean up
    local mark=''
    # Unmarked processes cannot be assigned to one of several concurrent steps: `apart` ends them.
    [[ $together || ! $adopts ]] && mark=HEOROT_STEP=$job/$1
    if (($2 < 124)); then
        end_left "$mark" "$1"
    else
        end_left "$mark"
    fi
}

end_adopted() { # ends all processes that this script has adopted
    known=''
    end_left ''
}
