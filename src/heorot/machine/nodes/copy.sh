#!/bin/bash
# Copies the kernel's files about this node into one file, FOLDER/HOST.gz (HOST without gzip).
#
#   copy.sh FOLDER [ROOT]
#
# One file, because a node has thousands of small ones, which are slow on shared file systems. It is
# text: a line `==> PATH <==` before the contents of each. ROOT has proc, sys and etc, for tests.
# It prints nothing and always succeeds: without the file the node is unknown. Bash 4.2 suffices.

set -u
export LC_ALL=C PATH=$PATH:/usr/sbin:/sbin
shopt -s nullglob
exec 2>/dev/null
readonly most_bytes=4194304 # limit per file; /proc/cpuinfo of 1000 hardware threads is a third
readonly batch=2000         # paths per command line, which is limited to 2 MiB

list_groups() { # adds the limits of the control groups around this process, inner ones first
    local top path part
    local -a paths
    while IFS=: read -r _ _ path; do
        path=${path//\/../} # inside a container it may be the host's
        while :; do
            paths+=("$path")
            [[ $path == */* ]] || break
            path=${path%/*}
        done
    done <proc/self/cgroup
    for top in sys/fs/cgroup sys/fs/cgroup/unified sys/fs/cgroup/*cpu*/ sys/fs/cgroup/*memory*/; do
        for part in '' ${paths[@]+"${paths[@]}"}; do
            part=${top%/}/${part#/}
            part=${part%/}
            files+=("$part"/{cpu.max,memory.{max,high},cpu.cfs_quota_us,cpu.cfs_period_us,memory.limit_in_bytes})
            files+=("$part"/cpuset.{mems.effective,effective_mems,mems})
        done
    done
}

list_files() { # sets files: the files that Heorot reads
    local cpus=sys/devices/system/cpu name
    local -a core=() package=() shared=()
    # Later kernels have better names, earlier ones only masks.
    for name in thread_siblings{,_list} core_cpus{,_list}; do
        set -- "$cpus"/cpu[0-9]*/topology/"$name" && (($#)) && core=("$@")
    done
    for name in core_siblings{,_list} package_cpus{,_list}; do
        set -- "$cpus"/cpu[0-9]*/topology/"$name" && (($#)) && package=("$@")
    done
    for name in shared_cpu_{map,list}; do
        set -- "$cpus"/cpu[0-9]*/cache/index*/"$name" && (($#)) && shared=("$@")
    done
    files=(
        proc/{cpuinfo,meminfo,cmdline,loadavg,uptime} proc/self/{status,cgroup}
        proc/sys/kernel/{osrelease,version,numa_balancing,random/boot_id} proc/device-tree/model
        etc/os-release usr/lib/os-release .dockerenv run/.containerenv run/systemd/container
        sys/hypervisor/type sys/class/dmi/id/{sys_vendor,product_name,bios_vendor,bios_version,bios_date}
        sys/devices/system/clocksource/clocksource0/current_clocksource
        sys/kernel/mm/transparent_hugepage/{enabled,defrag} sys/kernel/mm/hugepages/*/nr_hugepages
        sys/fs/cgroup/cgroup.controllers sys/fs/cgroup/unified/cgroup.controllers
        "$cpus"/{online,smt/active,smt/control,intel_pstate/no_turbo,cpufreq/boost,cpu0/cpufreq/base_frequency}
        "$cpus"/cpufreq/policy*/{cpuinfo_min_freq,cpuinfo_max_freq,scaling_governor,scaling_driver}
        "$cpus"/vulnerabilities/*
        sys/devices/system/edac/mc/mc[0-9]*/{dimm,rank}[0-9]*/{dimm_mem_type,size}
        ${core[@]+"${core[@]}"} ${package[@]+"${package[@]}"} ${shared[@]+"${shared[@]}"}
        "$cpus"/cpu[0-9]*/{online,cpu_capacity,cpufreq/cpuinfo_max_freq}
        "$cpus"/cpu[0-9]*/{topology/physical_package_id,regs/identification/midr_el1}
        sys/devices/cpu_{core,atom,lowpower}/cpus
        "$cpus"/cpu[0-9]*/cache/index*/{level,type,size,coherency_line_size,ways_of_associativity}
        sys/devices/system/node/node[0-9]*/{cpulist,cpumap,meminfo,distance}
        sys/bus/pci/devices/*/uevent
        sys/class/net/*/{type,operstate,speed,mtu}
        sys/class/infiniband/*/{hca_type,board_id,fw_ver,device/net/*/type}
        sys/class/infiniband/*/ports/*/{state,rate,link_layer}
        sys/class/{net,infiniband}/*/device/{uevent,driver/module/version}
        sys/class/{net,infiniband}/*/device/{current,max}_link_{width,speed}
    )
    list_groups
}

put() { # NAME TEXT: a fact that is in no file
    printf '\n==> heorot/%s <==\n%s\n' "$1" "$2"
}

put_all() {
    local first adapter module
    local -a files
    put clock "${EPOCHREALTIME:-$(date +%s.%N)}"
    put name "$host"
    put isa "$isa"
    put environment "APPTAINER_CONTAINER=${APPTAINER_CONTAINER+set}
SINGULARITY_CONTAINER=${SINGULARITY_CONTAINER+set}
container=${container-}"
    # Only the processor identifies the hypervisor.
    grep -q -m 1 '^flags.*\<hypervisor\>' proc/cpuinfo && put lscpu "$(lscpu | grep '^Hypervisor')"
    if command -v ethtool >/dev/null; then
        for adapter in sys/class/net/*/device; do
            adapter=${adapter%/device}
            put "ethtool/${adapter##*/}" "$(ethtool -i "${adapter##*/}")"
        done
    fi
    for module in sys/firmware/dmi/entries/17-*/raw; do # memory modules, readable for root only
        [[ -r $module ]] || continue
        module=${module%/raw}
        put "dmi/${module##*/}" "$(od -An -v -tx1 "$module/raw")"
    done
    list_files
    for ((first = 0; first < ${#files[@]}; first += batch)); do
        echo
        head -v -c "$most_bytes" -- "${files[@]:first:batch}"
    done
}

main() { # FOLDER ROOT
    local host isa part pack=cat ending=
    read -r host isa < <(uname -nm)
    [[ $host && $host != */* ]] || return
    mkdir -p -- "$1" && cd -- "$1" || return
    command -v gzip >/dev/null && pack='gzip -1' ending=.gz
    part=$PWD/.$host.$$.part
    # An incomplete copy never gets the final name; unreadable files are ignored.
    if (cd -- "$2" && put_all; exit 0) | $pack >"$part"; then
        mv -f -- "$part" "$PWD/$host$ending"
    else
        rm -f -- "$part"
    fi
}

main "$1" "${2:-/}"
exit 0
