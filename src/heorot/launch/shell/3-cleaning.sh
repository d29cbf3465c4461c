
list_family() { # this script and its ancestors, which it must not kill
    local pid=$$ key value
    family=" "
    while [[ $pid -gt 0 ]]; do
        family+="$pid "
        value=0 # a dead ancestor has no parent
        while read -r key value && [[ $key != PPid: ]]; do :; done <"/proc/$pid/status"
        pid=${value:-0}
    done 2>/dev/null
}

strike() { # PID: kills a process that has the mark
    local stat
    [[ $family == *" $1 "* || $1 == "$writer" ]] && return
    { read -r stat <"/proc/$1/stat"; } 2>/dev/null || stat=''
    if kill -KILL "$1" 2>/dev/null; then
        found+=("${stat##*)}")
    else
        away=1
    fi
}

look() { # NAME=VALUE: kills marked processes; sets `found`, and `away` if one may have escaped
    # A process that forks and exits may be gone before it is read, its child not yet listed.
    local line pid stat
    found=() away=
    while IFS= read -r line; do
        if [[ $line =~ ^/proc/([0-9]+)/environ$ ]]; then
            strike "${BASH_REMATCH[1]}"
        elif [[ $line =~ /proc/([0-9]+)/environ:\ No\ such\  ]]; then
            pid=${BASH_REMATCH[1]}
            [[ ${silent[$pid]:-} ]] && continue # a kernel thread, or ended long ago
            silent[$pid]=1
            { read -r stat <"/proc/$pid/stat"; } 2>/dev/null || stat=') Z'
            [[ ${stat##*)} == ' '[ZX]* ]] && away=1
        fi
    done < <(HEOROT_JOB='' HEOROT_STEP='' LC_ALL=C \
        exec grep --line-buffered -lzxF -- "$1" /proc/[0-9]*/environ 2>&1)
}

chase() { # NAME=VALUE: kills processes that escape by forking, which are among the youngest
    local attempt last pid
    local -A seen=()
    for ((attempt = 0; attempt < 300; attempt++)); do
        read -r _ _ _ _ last </proc/loadavg || return
        for ((pid = last; pid > last - 2; pid--)); do
            [[ ${seen[$pid]:-} ]] && continue
            seen[$pid]=1
            carries "$pid" "$1" && strike "$pid"
        done
    done
}

carries() { # PID NAME=VALUE: whether its environment has the mark, without starting a process
    local entry entries=()
    if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 404)); then
        mapfile -d '' -t entries <"/proc/$1/environ"
    else
        while IFS= read -r -d '' entry; do
            entries+=("$entry")
        done <"/proc/$1/environ"
    fi 2>/dev/null
    for entry in ${entries[@]+"${entries[@]}"}; do
        [[ $entry == "$2" ]] && return
    done
    return 1
}

kill_groups() { # NAME=VALUE: kills the process groups of `found` in which all have the mark
    # A process that forks cannot escape a signal to its group.
    local file stat group one state strange=' '
    local -A groups=()
    for one in "${found[@]}"; do
        read -r state _ group _ <<<"$one"
        ((${group:-0} > 1)) && groups[$group]='' # 0: its leader is in another namespace
    done
    ((${#groups[@]})) || return 0
    for file in /proc/[0-9]*/stat; do
        { read -r stat <"$file"; } 2>/dev/null || continue
        read -r state _ group _ <<<"${stat##*)}"
        [[ ${groups[$group]+known} && $state != Z ]] && groups[$group]+=" ${file%/stat}/environ"
    done
    for group in "${!groups[@]}"; do
        for file in ${groups[$group]}; do
            one=${file//[!0-9]/}
            if [[ $family == *" $one "* || $one == "$writer" ]] || {
                grep -qzs . "$file" && ! grep -qzsxF -- "$1" "$file"
            }; then
                strange+="$group "
                break
            fi
        done
        [[ $strange == *" $group "* ]] || kill -KILL -- "-$group" 2>/dev/null
    done
    return 0
}

kill_marked() { # NAME=VALUE: kills the processes with it in their environment
    # Launchers put ranks into process groups and sessions of their own; the environment remains.
    # Done after two complete looks that find nothing, or ten looks while processes come and go.
    local attempt away='' quiet=0
    local -A silent=()
    local -a found=()
    for ((attempt = 0; attempt < 80; attempt++)); do
        look "$1"
        [[ $away ]] && chase "$1"
        if ((${#found[@]})); then
            quiet=0
            kill_groups "$1"
        else
            ((quiet += away ? 1 : 5))
        fi
        ((quiet < 10)) || return 0
        sleep 0.02
    done
    echo "heorot: job $title: some processes of $1 cannot be killed" >&2
    return 1
}

clean_up_text() { # NAME=VALUE: the commands by which another host kills its marked processes
    declare -f list_family strike look chase carries kill_groups kill_marked print_machine
    # A name may stand for this very machine, where this script has done it itself.
    # shellcheck disable=SC2016 # for the other host's shell
    printf '[[ $(print_machine) != %q ]] || exit 0\n' "$(print_machine)"
    printf 'title=%q writer=; list_family; kill_marked %q\n' "$title" "$1"
}

clean_up() { # NAME=VALUE HOST ...: kills marked processes, there and here
    local mark=$1 text
    shift
    kill_marked "$mark"
    find_others "$@"
    ((${#others[@]} && ${#on_host[@]})) || return 0
    reach 10 '' "$(clean_up_text "$mark")" "${others[@]}"
}

own_temporary() { # a directory for the programs' temporary files, removed with the job
    # Files of a killed Open MPI launcher are named by its process id: in a common directory the
    # next launcher with that id would find them and exit. An earlier copy used the same name.
    own=${TMPDIR:-/tmp}/heorot-$job
    rm -rf -- "$own"
    mkdir -m 700 -- "$own" || fail "cannot write in ${TMPDIR:-/tmp}"
    export TMPDIR=$own
}

empty_temporary() { # HOST ...: after a failure, there and here
    rm -rf -- "${own:?}"/*
    find_others "$@"
    ((${#others[@]} && ${#on_host[@]})) || return 0
    # shellcheck disable=SC2016 # for the other host's shell
    reach 10 '' "$(printf 'own=%q; rm -rf -- "$own"/*' "$own")" "${others[@]}"
}

leave() {
    if [[ $own ]]; then
        find_others ${hosts[@]+"${hosts[@]}"}
        if ((${#others[@]} && ${#on_host[@]})); then
            # Processes left there by steps are searched once: each log-in takes longer than a step.
            silent=() # a silent host may be back, and this is the last chance
            reach 12 '' "$(
                clean_up_text "HEOROT_JOB=$job"
                printf 'rm -rf -- %q' "$own"
            )" "${others[@]}"
        fi
        rm -rf -- "$own"
    fi
    [[ $locked_by_folder ]] && rm -rf -- "$here/lock.d"
}

interrupt() { # [CAUSE]: ends all processes, there and here, and records the cause if known
    trap '' TERM INT HUP USR2
    local attempt pid left cause=${1:+,\"cause\":\"$1\"}
    for ((attempt = 0; attempt <= 20; attempt++)); do
        left=
        for pid in $running ${members[@]+"${members[@]}"}; do
            if ((attempt)); then
                kill -0 "$pid" 2>/dev/null && left=1
            else
                kill -TERM "$pid" 2>/dev/null && left=1
            fi
        done
        [[ $left ]] || break
        sleep 0.1
    done
    kill_marked "HEOROT_JOB=$job"
    end_adopted
    now
    write '{"event":"interrupted","time":'"$time_now$cause"'}'
    exit 143 # the trap cleans up the other hosts
}
