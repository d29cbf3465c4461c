#!/bin/bash
# Runs one stage of a build on a compute node: CMake itself, as there is no Python.
#
#   node.sh NATIVE DIRECTORY PROCESSOR STAGE CMAKE NINJA WORD...
#
# The output of CMake and the compilers is in DIRECTORY/STAGE.log. If nothing can be built here, two
# lines have the reason and a remedy, and the exit code is 69. PROCESSOR is the required model and
# features of the node, see `show_processor`; empty for any. It runs in the directory of its job.
# Bash 4.2 suffices.

set -u
export LC_ALL=C
unset CXXFLAGS CPPFLAGS CXX FFLAGS FC # only the toolchain decides how programs are compiled
readonly native=$1 directory=$2 wanted=$3 stage=$4 our_cmake=$5 our_ninja=$6
shift 6

refuse() { # REASON HINT
    printf '%s\n' "$HOSTNAME $1" "$2"
    : >refused
    exit 69
}

sees() { # FILE: new files on a shared file system may appear late
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

keep() { # FILE: keeps head and tail of its input, so that it cannot fill the disk
    local -r half=$((8 << 20)) tail=$1.tail
    exec 9>&- &>/dev/null # the caller does not wait for processes left behind
    head -c "$half" >"$1"
    tail -c "$half" >"$tail"
    (($(wc -c <"$tail") < half)) || printf '\n... middle left out ...\n' >>"$1"
    cat "$tail" >>"$1"
    rm -f "$tail"
}

[[ ! -e refused ]] || exit 69 # an earlier stage has written the reason
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

# The process that requested this may have been killed, and another may request the same.
exec 9>>"$directory/node.lock" && command -v flock >/dev/null && flock 9
log=$directory/$stage.log
: >"$log.tail" # removed when all is kept
"$cmake" "$@" </dev/null &> >(keep "$log")
code=$?
# A process left behind may hold its output open: not for longer than this.
((end = SECONDS + 3))
while [[ -e $log.tail ]] && ((SECONDS < end)); do sleep 0.02; done
exit "$code"
