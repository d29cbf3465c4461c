
keep_output() { # FILE: keeps the beginning, so that endless output cannot fill the disk
    exec 9>&-
    # Unlike head, cat writes its input at once, so the last output before a crash is kept. Unlike
    # dd, it has no limit on the number of reads, one per line of some programs.
    trap '' XFSZ
    ulimit -S -f @OUTPUT_KIB@
    cat >"$1" 2>/dev/null || exec cat >/dev/null
}

is_held_open() { # whether any process can still write to the pipe of the output
    local pipe file flags
    pipe=$(readlink "/proc/$writer/fd/0") || return
    while IFS= read -r file; do
        { read -r _ && read -r _ flags; } 2>/dev/null <"${file/fd/fdinfo}" || continue
        ((8#$flags & 1)) && return
    done < <(find /proc/[0-9]*/fd -lname "${pipe/[/\\[}" 2>/dev/null)
    return 1
}

await_output() { # waits at most a second: a process left behind may hold the pipe open
    local attempt pause=0.002 # usually it has only to be read to its end
    for ((attempt = 0; attempt < 3000; attempt++)); do
        [[ $writer ]] && kill -0 "$writer" 2>/dev/null || return 0
        # If no process holds it, the reader only waits for a processor.
        ((attempt == 60)) && is_held_open && return
        sleep "$pause"
        ((attempt < 10)) || pause=0.02
    done
}

require_record() { # ID: a step that failed on a full disk has not ended
    local message probe=records/$1.room
    await_output
    message=$(grep -a -m 1 '^heorot: cannot [a-z]* the record ' "outputs/$1.txt" 2>/dev/null)
    [[ $message ]] && fail "${message#heorot: }"
    # On a full disk its message is lost, and launchers have exit codes of their own.
    { head -c 65536 /dev/zero >"$probe"; } 2>/dev/null ||
        message="cannot write the record of step $1 (no space left?)"
    rm -f -- "$probe"
    [[ $message ]] && fail "$message"
    return 0
}

place_step() { # ID NUMBER,... LINE: finds its hosts, and writes the file of hosts for its launcher
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

taken_text() { # ID SECONDS FOLDER [NAME=VALUE ...] PROGRAM [ARGUMENT ...]: text for another host
    # The time limit holds there, and remaining processes are ended, with or without the mark.
    local id=$1 limit=$2 folder=$3 inner words
    shift 3
    printf -v words ' %q' "HEOROT_JOB=$job" "HEOROT_STEP=$job/$id" "TMPDIR=$own" "$@"
    inner=$(
        declare -f now list_family strike look chase carries kill_groups kill_marked \
            list_children know_children list_left note_left kill_left end_left end_left_by
        printf 'write() { printf "%%s\n" "$1" >%q; }\n' "$here/outputs/$id.left"
        printf 'title=%q job=%q writer= known= together= adopts= wave=()\n' "$title" "$job"
        # shellcheck disable=SC2016 # for the other host's shell
        echo '[[ ${HEOROT_ADOPTS:-} == "$$" && -r /proc/$$/task/$$/children ]] && adopts=1
            unset HEOROT_ADOPTS
            { read -r _ _ _ _ own_group _ </proc/$$/stat; } 2>/dev/null
            list_family; know_children'
        printf '(cd -- %q && exec timeout -k @KILL_AFTER@ %q env%s) </dev/null\n' \
            "$folder" "$limit" "$words"
        # shellcheck disable=SC2016
        printf 'code=$?; end_left_by %q "$code"; exit "$code"\n' "$id"
    )
    declare -f find_adopter
    # shellcheck disable=SC2016
    printf 'find_adopter; exec ${adopter[@]+"${adopter[@]}"} "$BASH" -c %q\n' "$inner"
}

take_over() { # ID: records the processes left on the host of the step
    local line file=outputs/$1.left
    [[ -s $file ]] || return 0
    read -r line <"$file"
    rm -f -- "$file"
    [[ $line =~ ^\{\"event\":\"left\",\"time\":[0-9.]+,\"steps\":\[\"$1\"\],\"n\":[0-9]+,\"names\":\[[A-Za-z0-9._+?\",-]*\]\}$ ]] &&
        write "$line"
}

correct_clock() { # UPTIME: if the clock was set meanwhile, `started` is converted to the new time
    local set=$((${time_now/./} - ${started/./} - (uptime - $1))) # [us]
    ((uptime && $1 && (set > 1000000 || set < -1000000))) || return
    set=$(((set + (set < 0 ? -500000 : 500000)) / 1000000))
    started=$((${started%.*} + set)).${started#*.}
    more=',"clock_set":'$set
}

carry_out() { # arguments: see step
    local id=$1 limit=$2 way=$4 folder=$5 started begun output code line timed_out=false by=''
    local more=''
    [[ $together ]] || know_children
    now
    started=$time_now begun=$uptime
    [[ $earlier ]] && rm -f -- "records/$id".* # of an attempt that was cut off
    place_step "$id" "$3" "$way"
    shift 5
    write '{"event":"start","step":"'"$id"'","time":'"$started"',"hosts":['"$names"']}'
    exec {output}> >(keep_output "outputs/$id.txt")
    writer=${!:-}
    if [[ $obstacle ]]; then
        (echo "heorot: step $id cannot run: $obstacle" && exit 69) >&"$output" &
    elif [[ $way == taken ]] && ! is_here "${placed[0]}"; then
        (export HEOROT_STEP="$job/$id" && exec timeout -k @KILL_AFTER@ "$limit" \
            "${on_host[@]}" "${placed[0]}" bash -s "${placed[0]}") \
            <<<"$(taken_text "$id" "$limit" "$folder" "$@")" >&"$output" 2>&1 9>&- {output}>&- &
    else
        [[ $1 == *=* ]] && by='env' # one exec less saves a fifth of a step's overhead
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
    correct_clock "$begun"
    if ((code == 124 || code == 137)) && ((${time_now%.*} - ${started%.*} >= ${limit%.*})); then
        timed_out=true
    elif ((code == 129 || code == 130 || code == 137 || code == 143)); then
        # A signal to the whole job may reach the program first: this script is next, and the step
        # was cut off. (`wait` is interrupted by signals, `sleep` is not.)
        sleep 2 9>&- &
        wait "$!"
    fi
    end_left_by "$id" "$code"
    [[ $way == taken ]] && take_over "$id"
    # Other hosts are cleaned only if something was left here.
    if ((code == 0)) && [[ $something_left && ${#placed[@]} -gt 1 ]]; then
        clean_up "HEOROT_STEP=$job/$id" "${placed[@]}"
    elif ((code != 0)) && [[ ! $obstacle ]]; then
        clean_up "HEOROT_STEP=$job/$id" "${placed[@]}"
        # Concurrent steps have their files there.
        [[ $together ]] || empty_temporary "${placed[@]}"
        require_record "$id"
    fi
    printf -v line '{"event":"exit","step":"%s","time":%s,"code":%d,"timed_out":%s,"started":%s%s}' \
        "$id" "$time_now" "$code" "$timed_out" "$started" "$more"
    write "$line"
    return $((code != 0))
}

carry_out_parallel() { # arguments: see step; one of several concurrent steps, in its own process
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
    # reads; `taken` if this script runs it on its host; empty if neither.
    [[ ${ended[$1]:-} ]] && return
    if [[ $together ]]; then
        ((${#wave[@]})) || know_children
        wave+=("$1")
        carry_out_parallel "$@" &
        members+=("$!")
    else
        carry_out "$@"
    fi
}

apart() { # waits for the end of all concurrent steps
    local pid code failed=''
    for pid in ${members[@]+"${members[@]}"}; do
        wait "$pid"
        code=$?
        ((code == 0)) || failed=1
        ((code <= 1)) || fail "one of several concurrent steps was not recorded"
    done
    members=() together=''
    ((${#wave[@]})) && end_left '' "${wave[@]}"
    wave=()
    [[ $failed ]] && empty_temporary "${hosts[@]}"
}
