
find_hosts() { # the hosts of this job, in the order they are filled
    local name
    local -A seen=()
    # Through a file: a process left by the command may hold a pipe open.
    timeout 60 bash -c "$listing" >hosts.list </dev/null 9>&-
    while read -r name; do
        [[ $name && ! ${seen[$name]:-} ]] || continue
        seen[$name]=1
        hosts+=("$name")
    done <hosts.list
    rm -f hosts.list
    # A machine's own name may be anything; names of other machines end up in command lines.
    ((${#hosts[@]} > 1)) || [[ ${hosts[0]:-} =~ ^[A-Za-z0-9][A-Za-z0-9._-]*$ ]] || hosts=(localhost)
    for name in "${hosts[@]}"; do
        [[ $name =~ ^[A-Za-z0-9][A-Za-z0-9._-]*$ ]] || fail "no name of a host: ${name//[![:print:]]/?}"
    done
    printf '%s\n' "${hosts[@]}" >hosts || fail "cannot write in $here (no space left?)"
}

is_here() { # HOST: whether this script runs on it
    [[ ${1%%.*} == "${HOSTNAME%%.*}" || $1 == localhost || $1 == "${SLURMD_NODENAME:-}" ]]
}

find_others() { # HOST ...: sets `others`, the hosts but this one
    local host
    others=()
    for host; do
        is_here "$host" || others+=("$host")
    done
}

print_machine() { # identifies this machine, independently of its names
    echo "$(cat /proc/sys/kernel/random/boot_id 2>/dev/null) $(readlink /proc/self/ns/pid)"
}

reach() { # SECONDS MARK TEXT HOST ...: runs a shell on each host that reads the text, concurrently
    # The agent's local process has the mark: none if all processes with the mark are to be killed.
    # Slurm creates the TMPDIR of a log-in, even if its shell never begins and cannot remove it.
    local seconds=$1 mark=$2 text=$3 host limit first=0 pids=() asked=()
    shift 3
    missed=()
    for host; do
        limit=$seconds
        [[ ${silent[$host]:-} ]] && limit=2
        if is_here "$host"; then
            env HEOROT_JOB="$mark" timeout -k 1 "$limit" bash -s "$host" <<<"$text"
        elif ((${#on_host[@]})); then
            env -u TMPDIR HEOROT_JOB="$mark" timeout -k 1 "$limit" \
                "${on_host[@]}" "$host" bash -s "$host" <<<"$text"
        fi >/dev/null 9>&- &
        pids+=("$!") asked+=("$host")
        if ((${#pids[@]} - first > 100)); then # limit of concurrent agents
            await_answer
        fi
    done
    while ((first < ${#pids[@]})); do
        await_answer
    done
}

await_answer() { # waits less for a host that was silent before
    wait "${pids[first]}"
    case $? in
    0) ;;
    124 | 137) silent[${asked[first]}]=1 missed+=("${asked[first]}") ;;
    *) missed+=("${asked[first]}") ;;
    esac
    first=$((first + 1))
}

prepare_others() { # removes the rest of an earlier copy on other hosts and makes their TMPDIR
    local host text
    find_others "${hosts[@]}"
    ((${#others[@]} && ${#on_host[@]})) || return 0
    # Hosts that share the directory find it there already, with a file of this script.
    : >"$own/.heorot-$job"
    text=$(
        clean_up_text "HEOROT_JOB=$job"
        printf 'own=%q sign=%q\n' "$own" "$own/.heorot-$job"
        # shellcheck disable=SC2016 # for the other host's shell
        echo '[[ -e $sign ]] || { rm -rf -- "$own"; mkdir -p -m 700 -- "$own"; }'
    )
    reach 20 "$job" "$text" "${others[@]}"
    for host in ${missed[@]+"${missed[@]}"}; do
        echo "heorot: job $title: $host cannot be reached" >&2
    done
    # The files of Open MPI's launchers on other hosts are removed with the job, too.
    export OMPI_MCA_orte_tmpdir_base=$own PRTE_MCA_prte_tmpdir_base=$own
}

describe_hosts() { # once for each host; failures are ignored
    local host text fresh=()
    for host in "${hosts[@]}"; do
        [[ -d nodes/$host ]] || fresh+=("$host")
    done
    [[ $describing ]] && ((${#fresh[@]})) || return 0
    mkdir -p nodes || fail "cannot write in $here (no space left?)"
    text=$(
        printf 'cd -- %q || exit\n' "$here"
        # shellcheck disable=SC2016 # for the other host's shell
        echo 'part=$PWD/nodes/$1.part; rm -rf -- "$part"; mkdir -- "$part" || exit'
        # shellcheck disable=SC2016
        printf 'bash -c %q heorot "$part" </dev/null\n' "$describing"
        # shellcheck disable=SC2016
        echo 'mv -- "$part" "nodes/$1"'
    )
    reach 60 "$job" "$text" "${fresh[@]}"
}
