find_adopter() { # in `adopter`, the words that make a command the parent of what its programs leave
    # PR_SET_CHILD_SUBREAPER outlives exec, so this script can be made one; bash cannot ask for it.
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

list_children() { # those that this script has started or adopted
    children=''
    { read -r children <"/proc/$$/task/$$/children"; } 2>/dev/null
}

know_children() { # what runs now is left by none of the steps that come
    list_children
    known=$children
}

keeps_output() { # PID: whether it does that for one of several steps: it is this script's own
    local entry own=1
    local -a entries=()
    { mapfile -d '' -t entries <"/proc/$1/environ"; } 2>/dev/null
    for entry in ${entries[@]+"${entries[@]}"}; do
        [[ $entry == HEOROT_STEP=* ]] && return 1
        [[ $entry == "HEOROT_JOB=$job" ]] && own=0
    done
    return "$own"
}

list_left() { # MARK: in `left`, what carries it; without one, what was adopted since `known`
    local pid file stat attempt away=1 threads=()
    left=()
    if [[ $1 ]]; then
        while IFS= read -r file; do
            left+=("${file//[!0-9]/}")
        done < <(HEOROT_JOB='' HEOROT_STEP='' exec grep -lzsxF -- "$1" /proc/[0-9]*/environ)
        return
    fi
    # What ended before it was read may have left a child that was not listed yet.
    for ((attempt = 0; attempt < 100 && ${#left[@]} == 0; attempt++)); do
        away=
        list_children
        for pid in $children; do
            [[ " $known $keeper " == *" $pid "* ]] && continue
            if ((${#wave[@]})) && keeps_output "$pid"; then
                known+=" $pid" # on its way out it has no environment to be known by
                continue
            fi
            { read -r stat <"/proc/$pid/stat"; } 2>/dev/null || stat=') Z'
            threads=("/proc/$pid/task"/*) # a program may go on when its first one has ended
            if [[ ${stat##*)} == ' '[ZX]* ]] && ((${#threads[@]} < 2)); then
                away=1
            else
                left+=("$pid")
            fi
        done
        [[ $away ]] || return 0
    done
}

note_left() { # PID ...: counts them and what they have started, and gathers their names
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

kill_left() { # kills what was adopted, until nothing more comes: killed, it leaves its children to us
    local attempt pid group stat
    for ((attempt = 0; attempt < 800 && ${#left[@]}; attempt++)); do
        note_left "${left[@]}"
        for pid in "${left[@]}"; do
            { read -r stat <"/proc/$pid/stat"; } 2>/dev/null || continue
            read -r _ _ group _ <<<"${stat##*)}"
            kill -KILL "$pid" 2>/dev/null
            # A process that forks cannot run away from a signal to its group.
            ((group > 1 && group != own_group)) && kill -KILL -- "-$group" 2>/dev/null
        done
        ((attempt < 500)) || sleep 0.01
        list_left ''
    done
    ((${#left[@]})) || return 0
    echo "heorot: job $title: some processes that $* left cannot be killed" >&2
}

end_left() { # MARK STEP ...: ends what steps have left that ended, and writes what that was
    # Without a step nothing is written. `something_left` tells whether there was anything.
    local mark=$1 attempt text line
    local -a left=()
    local -A seen=() programs=()
    shift
    something_left=''
    [[ $mark || $adopts ]] || return 0
    list_left "$mark"
    for ((attempt = 0; attempt < 10 && ${#left[@]}; attempt++)); do # it may be on its way out
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

end_left_by() { # STEP CODE: the same after one step; what was killed had no time to clean up
    local mark=''
    # Of steps at the same time nobody knows who left what has no mark: `apart` ends that.
    [[ $together || ! $adopts ]] && mark=HEOROT_STEP=$job/$1
    if (($2 < 124)); then
        end_left "$mark" "$1"
    else
        end_left "$mark"
    fi
}

end_adopted() { # ends all that was ever left to this script
    known=''
    end_left ''
}
