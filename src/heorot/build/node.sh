#!/bin/bash
# Runs one stage of a build on a compute node: CMake itself, as there is no Python.
#
#   node.sh NATIVE DIRECTORY PROCESSOR STAGE CMAKE NINJA WORD...
#
# What CMake and the compilers say is in DIRECTORY/STAGE.log. If nothing can be built here, two lines
# say why and what to do about it, and the exit code is 69. PROCESSOR is the model and the features
# that the node must have, see `show_processor`; empty for any. It runs in the directory of its job.
# Bash 4.2 runs it.

set -u
export LC_ALL=C
unset CXXFLAGS CPPFLAGS CXX FFLAGS FC # the toolchain alone decides how programs are compiled
readonly native=$1 directory=$2 wanted=$3 stage=$4 our_cmake=$5 our_ninja=$6
shift 6

refuse() { # REASON HINT
    printf '%s\n' "$HOSTNAME $1" "$2"
    : >refused
    exit 69
}

sees() { # FILE: a shared file system may show a new one only after a while
    local attempt
    for ((attempt = 0; attempt < 20; attempt++)); do
        [[ -e $1 ]] && return
        sleep 0.5
    done
    return 1
}

show_processor() { # MODEL|FEATURE FEATURE..., sorted
    local -a model features
    read -ra model < <(sed -n 's/^model name[[:space:]]*://p;T;q' /proc/cpuinfo)
    read -ra features < <(sed -En 's/^(flags|Features)[[:space:]]*://p;T;q' /proc/cpuinfo)
    readarray -t features < <(printf '%s\n' ${features[@]+"${features[@]}"} | sort -u)
    echo "${model[*]-}|${features[*]-}"
}

find_tool() { # NAME OURS: ours if it runs here, else the node's own
    if "$2" --version &>/dev/null; then
        echo "$2"
    else
        command -v "$1"
    fi
}

keep() { # FILE: the head and the tail of what is said, so that it cannot fill the disk
    local -r half=$((8 << 20)) tail=$1.tail
    exec 9>&- &>/dev/null # whoever called does not wait for what is left behind
    head -c "$half" >"$1"
    tail -c "$half" >"$tail"
    (($(wc -c <"$tail") < half)) || printf '\n... what is between is left out ...\n' >>"$1"
    cat "$tail" >>"$1"
    rm -f "$tail"
}

[[ ! -e refused ]] || exit 69 # an earlier stage has said why
read -r HOSTNAME </proc/sys/kernel/hostname
sees "$directory/lock" || refuse "does not see $directory, where builds are kept" \
    "set XDG_CACHE_HOME to a directory that all nodes see"
sees "$native/CMakeLists.txt" || refuse "does not see $native, the sources of the programs" \
    "put Heorot where all nodes see it"
[[ ! $wanted || $(show_processor) == "$wanted" ]] ||
    refuse "has another processor than the nodes that the programs are for" \
        "name a queue or a constraint with nodes of one kind under batch: in the site file"
cmake=$(find_tool cmake "$our_cmake") || refuse "has no cmake that runs there" "install cmake there"
ninja=$(find_tool ninja "$our_ninja") || refuse "has no ninja that runs there" "install ninja there"
[[ $stage == configure ]] && set -- "$@" "-DCMAKE_MAKE_PROGRAM=$ninja"

# Whoever asked for this may have been killed, and another may ask for the same.
exec 9>>"$directory/node.lock" && command -v flock >/dev/null && flock 9
log=$directory/$stage.log
: >"$log.tail" # gone when all is kept
"$cmake" "$@" </dev/null &> >(keep "$log")
code=$?
# What is left behind may hold its output open: not for longer than this.
((end = SECONDS + 3))
while [[ -e $log.tail ]] && ((SECONDS < end)); do sleep 0.02; done
exit "$code"
