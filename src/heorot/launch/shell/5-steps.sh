
keep_output() { # FILE: keeps the beginning, so that endless output cannot fill the disk
    exec 9>&-
    # Unlike head, cat writes what it has at once: a killed machine leaves the last words. Unlike
    # dd, it does not count how often it read, which is once for every line of some programs.
    trap '' XFSZ
    ulimit -S -f @OUTPUT_KIB@
    cat >"$1" 2>/dev/null || exec cat >/dev/null
}

is_held_open() { # whether anything can still write to who keeps the output
    local pipe file flags
    pipe=$(readlink "/proc/$keeper/fd/0") || return
    while IFS= read -r file; do
        { read -r _ && read -r _ flags; } 2>/dev/null <"${file/fd/fdinfo}" || continue
        ((8#$flags & 1)) && return
    done < <(find /proc/[0-9]*/fd -lname "${pipe/[/\\[}" 2>/dev/null)
    return 1
}

await_output() { # a process left behind may hold the pipe open: not for longer than a second
    local attempt pause=0.002 # mostly it has only to be read to its end
    for ((attempt = 0; attempt < 3000; attempt++)); do
        [[ $keeper ]] && kill -0 "$keeper" 2>/dev/null || return 0
        # Where nothing holds it, all that is missing is a processor to read it with.
        ((attempt == 60)) && is_held_open && return
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

taken_text() { # ID SECONDS FOLDER [NAME=VALUE ...] PROGRAM [ARGUMENT ...]: what another host reads
    # There, too, a limit holds and what is left is ended, without the mark or with it.
    local id=$1 limit=$2 folder=$3 inner words
    shift 3
    printf -v words ' %q' "HEOROT_JOB=$job" "HEOROT_STEP=$job/$id" "TMPDIR=$own" "$@"
    inner=$(
        declare -f now list_family strike look chase carries kill_groups kill_marked \
            list_children know_children list_left note_left kill_left end_left end_left_by
        printf 'write() { printf "%%s\n" "$1" >%q; }\n' "$here/outputs/$id.left"
        printf 'title=%q job=%q keeper= known= together= adopts= wave=()\n' "$title" "$job"
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

take_over() { # ID: writes what was left on the host that the step was taken to
    local line file=outputs/$1.left
    [[ -s $file ]] || return 0
    read -r line <"$file"
    rm -f -- "$file"
    [[ $line =~ ^\{\"event\":\"left\",\"time\":[0-9.]+,\"steps\":\[\"$1\"\],\"n\":[0-9]+,\"names\":\[[A-Za-z0-9._+?\",-]*\]\}$ ]] &&
        write "$line"
}

heed_clock() { # UPTIME: if the clock was set since, `started` is told by what it shows now
    local set=$((${time_now/./} - ${started/./} - (uptime - $1))) # [us]
    ((uptime && $1 && (set > 1000000 || set < -1000000))) || return
    set=$(((set + (set < 0 ? -500000 : 500000)) / 1000000))
    started=$((${started%.*} + set)).${started#*.}
    more=',"clock_set":'$set
}

carry_out() { # see step
    local id=$1 limit=$2 way=$4 folder=$5 started begun output code line timed_out=false by=''
    local more=''
    [[ $together ]] || know_children
    now
    started=$time_now begun=$uptime
    [[ $earlier ]] && rm -f -- "records/$id".* # of a run of it that was cut off
    place_step "$id" "$3" "$way"
    shift 5
    write '{"event":"start","step":"'"$id"'","time":'"$started"',"hosts":['"$names"']}'
    exec {output}> >(keep_output "outputs/$id.txt")
    keeper=${!:-}
    if [[ $obstacle ]]; then
        (echo "heorot: step $id cannot run: $obstacle" && exit 69) >&"$output" &
    elif [[ $way == taken ]] && ! is_here "${placed[0]}"; then
        (export HEOROT_STEP="$job/$id" && exec timeout -k @KILL_AFTER@ "$limit" \
            "${on_host[@]}" "${placed[0]}" bash -s "${placed[0]}") \
            <<<"$(taken_text "$id" "$limit" "$folder" "$@")" >&"$output" 2>&1 9>&- {output}>&- &
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
    heed_clock "$begun"
    if ((code == 124 || code == 137)) && ((${time_now%.*} - ${started%.*} >= ${limit%.*})); then
        timed_out=true
    elif ((code == 129 || code == 130 || code == 137 || code == 143)); then
        # Whoever ends a whole job may have come to its program first: then this script is next, and
        # the step was cut off. (`wait` hears signals, `sleep` does not.)
        sleep 2 9>&- &
        wait "$!"
    fi
    end_left_by "$id" "$code"
    [[ $way == taken ]] && take_over "$id"
    # Programs leave things where they run: other hosts are asked where there was something here.
    if ((code == 0)) && [[ $something_left && ${#placed[@]} -gt 1 ]]; then
        clean_up "HEOROT_STEP=$job/$id" "${placed[@]}"
    elif ((code != 0)) && [[ ! $obstacle ]]; then
        clean_up "HEOROT_STEP=$job/$id" "${placed[@]}"
        # What runs at the same time has its files there.
        [[ $together ]] || empty_temporary "${placed[@]}"
        require_record "$id"
    fi
    printf -v line '{"event":"exit","step":"%s","time":%s,"code":%d,"timed_out":%s,"started":%s%s}' \
        "$id" "$time_now" "$code" "$timed_out" "$started" "$more"
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
        ((${#wave[@]})) || know_children
        wave+=("$1")
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
    ((${#wave[@]})) && end_left '' "${wave[@]}"
    wave=()
    [[ $failed ]] && empty_temporary "${hosts[@]}"
}
