
keep_output() { # FILE: keeps the beginning, so that endless output cannot fill the disk
    exec 9>&-
    # Unlike head, cat writes what it has at once: a killed machine leaves the last words. Unlike
    # dd, it does not count how often it read, which is once for every line of some programs.
    trap '' XFSZ
    ulimit -S -f @OUTPUT_KIB@
    cat >"$1" 2>/dev/null || exec cat >/dev/null
}

await_output() { # a process left behind may hold the pipe open: not for longer than a second
    local attempt pause=0.002 # mostly it has only to be read to its end
    for ((attempt = 0; attempt < 60; attempt++)); do
        [[ $keeper ]] && kill -0 "$keeper" 2>/dev/null || return 0
        sleep "$pause"
        ((attempt < 10)) || pause=0.02
    done
}

require_record() { # ID: a step that failed since nothing can be written has not ended
    local said probe=records/$1.room
    await_output
    said=$(grep -a -m 1 '^heorot: cannot [a-z]* the record ' "outputs/$1.txt" 2>/dev/null)
    [[ $said ]] && fail "${said#heorot: }"
    # What it said of a full disk is not kept on one, and launchers have exit codes of their own.
    { head -c 65536 /dev/zero >"$probe"; } 2>/dev/null ||
        said="cannot write the record of step $1 (no space left?)"
    rm -f -- "$probe"
    [[ $said ]] && fail "$said"
    return 0
}

place_step() { # ID NUMBER,... LINE: finds its hosts, and writes them for its launcher if it wants
    local number host pattern='{host}'
    placed=() names='' obstacle=''
    for number in ${2//,/ }; do
        if ((number >= ${#hosts[@]})); then
            obstacle="it wants host $((number + 1)) of this job, which has ${#hosts[@]}"
            break
        fi
        host=${hosts[number]}
        placed+=("$host")
        names+=",\"$host\""
    done
    names=${names#,}
    [[ $obstacle ]] && return
    if [[ $3 == taken ]]; then
        is_here "$host" || ((${#on_host[@]})) || obstacle="there is no way to reach $host"
    elif [[ $3 ]]; then
        for host in "${placed[@]}"; do
            printf '%s\n' "${3//"$pattern"/$host}"
        done >"hosts.d/$1" || fail "cannot write in $here (no space left?)"
    fi
}

taken_text() { # ID FOLDER [NAME=VALUE ...] PROGRAM [ARGUMENT ...]: what another host's shell reads
    local id=$1
    printf 'cd -- %q && exec env' "$2"
    shift 2
    printf ' %q' "HEOROT_JOB=$job" "HEOROT_STEP=$job/$id" "TMPDIR=$own" "$@"
    echo ' </dev/null'
}

carry_out() { # see step
    local id=$1 limit=$2 way=$4 folder=$5 started output code line timed_out=false by=''
    now
    started=$time_now
    place_step "$id" "$3" "$way"
    shift 5
    write '{"event":"start","step":"'"$id"'","time":'"$started"',"hosts":['"$names"']}'
    exec {output}> >(keep_output "outputs/$id.txt")
    keeper=${!:-}
    if [[ $obstacle ]]; then
        (echo "heorot: step $id cannot run: $obstacle" && exit 69) >&"$output" &
    elif [[ $way == taken ]] && ! is_here "${placed[0]}"; then
        (exec timeout -k @KILL_AFTER@ "$limit" env HEOROT_STEP="$job/$id" \
            "${on_host[@]}" "${placed[0]}" bash -s "${placed[0]}") \
            <<<"$(taken_text "$id" "$folder" "$@")" >&"$output" 2>&1 9>&- {output}>&- &
    else
        [[ $1 == *=* ]] && by='env' # one program less to become takes a fifth of what a step costs
        (cd -- "$folder" && export HEOROT_STEP="$job/$id" &&
            exec timeout -k @KILL_AFTER@ "$limit" $by "$@") \
            </dev/null >&"$output" 2>&1 9>&- {output}>&- &
    fi
    running=$!
    exec {output}>&-
    wait "$running"
    code=$?
    running=
    now
    if ((code == 124 || code == 137)) && ((${time_now%.*} - ${started%.*} >= ${limit%.*})); then
        timed_out=true
    fi
    if ((code != 0)) && [[ ! $obstacle ]]; then
        clean_up "HEOROT_STEP=$job/$id" "${placed[@]}"
        # What runs at the same time has its files there.
        [[ $together ]] || empty_temporary "${placed[@]}"
        require_record "$id"
    fi
    printf -v line '{"event":"exit","step":"%s","time":%s,"code":%d,"timed_out":%s,"started":%s}' \
        "$id" "$time_now" "$code" "$timed_out" "$started"
    write "$line"
    return $((code != 0))
}

carry_out_beside() { # see step: one of several at the same time, in a process of its own
    exec 9>&-
    trap - EXIT
    trap : INT HUP
    trap 'kill -TERM "$running" 2>/dev/null; wait "$running"; exit 143' TERM
    local code
    carry_out "$@"
    code=$?
    await_output
    exit "$code"
}

step() { # ID SECONDS HOST,... WAY FOLDER [NAME=VALUE ...] PROGRAM [ARGUMENT ...]
    # The hosts are numbers from 0. The way: a line with {host} for a file of hosts that the program
    # reads; `taken` if this script has to take it to its host; nothing if neither.
    [[ ${ended[$1]:-} ]] && return
    if [[ $together ]]; then
        carry_out_beside "$@" &
        members+=("$!")
    else
        carry_out "$@"
    fi
}

apart() { # waits until all steps have ended that were started together
    local pid code failed=''
    for pid in ${members[@]+"${members[@]}"}; do
        wait "$pid"
        code=$?
        ((code == 0)) || failed=1
        ((code <= 1)) || fail "one of several steps at the same time went unrecorded"
    done
    members=() together=''
    [[ $failed ]] && empty_temporary "${hosts[@]}"
}
