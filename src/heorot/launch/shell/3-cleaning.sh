
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
    echo "heorot: job $title: some processes of $1 cannot be killed" >&2
}

clean_up_text() { # NAME=VALUE: what the shell of another host reads to kill what is left there
    declare -f list_family kill_marked say_machine
    # Names may deceive: where it is this very machine, this script has done it itself.
    # shellcheck disable=SC2016 # for the other host's shell
    printf '[[ $(say_machine) != %q ]] || exit 0\n' "$(say_machine)"
    printf 'title=%q keeper=; list_family; kill_marked %q\n' "$title" "$1"
}

clean_up() { # NAME=VALUE all|HOST ...: kills what carries it, there and here
    local mark=$1 text
    shift
    kill_marked "$mark"
    if [[ $1 == all ]]; then
        find_others ${hosts[@]+"${hosts[@]}"}
    else
        find_others "$@"
    fi
    ((${#others[@]} && ${#on_host[@]})) || return 0
    reach 10 '' "$(clean_up_text "$mark")" "${others[@]}"
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
            reach 10 '' "$(printf 'rm -rf -- %q' "$own")" "${others[@]}"
        fi
        rm -rf -- "$own"
    fi
    [[ $locked_by_folder ]] && rm -rf -- "$here/lock.d"
}

interrupt() { # [CAUSE]: ends what runs, there and here, and says why if that is known
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
    now
    write '{"event":"interrupted","time":'"$time_now$cause"'}'
    clean_up "HEOROT_JOB=$job" all
    exit 143
}
