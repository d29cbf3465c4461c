"""Sentences about the memory of a node."""

from __future__ import annotations

from heorot.analyse.templates.template import FindingTemplate, SentenceTemplate, Template

TRIAD = SentenceTemplate(
    "memory/triad",
    "STREAM Triad reaches {rate} on {rate.cores:one core|cores}{rate.nodes:=| of {rate.nodes} "
    "nodes}[ {over}][, {gain:times as much as one core}].",
    weight=0.9,
    brief="STREAM Triad reaches {rate} on {rate.cores:one core|cores}{rate.nodes:=| of "
    "{rate.nodes} nodes}[, {gain:times as much as one core}].",
)
LATENCY = SentenceTemplate(
    "memory/latency",
    "Load latency: {far} from memory[, {near} from L1d][. Memory-level parallelism (MLP): at most "
    "{loads} outstanding loads per core].",
    weight=0.7,
    brief="Load latency: {far} from memory[; at most {loads} outstanding loads per core].",
)
LEVELS = SentenceTemplate("memory/levels", "Read bandwidth of one core: {levels:;}.", weight=0.6)
LEVEL = Template("memory/level", "{rate} from {level}")
SHARING = SentenceTemplate(
    "memory/sharing",
    "Core-to-core cache-line latency: {fastest}[ at best, {slowest} between CPUs "
    "{slowest.point[from_cpu]} and {slowest.point[to_cpu]}][. With {shared.point[adders]} threads, "
    "false sharing limits additions to {shared}; separate lines allow {own}].",
    weight=0.5,
    brief="Core-to-core cache-line latency: {fastest}.",
)
BASE_PAGES = SentenceTemplate(
    "memory/base pages",
    "Base pages cost bandwidth: on {base.cores:one core|cores} STREAM {huge.region} reaches "
    "{base}, {of_huge} of the {huge} in huge pages.",
    weight=0.4,
)
SAME_IN_BASE_PAGES = SentenceTemplate(
    "memory/same in base pages",
    "Base pages cost no bandwidth: on {base.cores:one core|cores} STREAM {huge.region} reaches "
    "{base}, in huge pages {huge}.",
    weight=0.2,
)
LANGUAGES = SentenceTemplate(
    "memory/languages",
    "STREAM Triad: {fortran} in Fortran, {own} in C++. The compilers generate different loops.",
    weight=0.4,
)
SHORTFALL = FindingTemplate(
    "memory/shortfall",
    "On {slow.cores:one core|cores}{slow.nodes:=| of {slow.nodes} nodes} STREAM {slow.region} "
    "reaches only {slow}, {fast.region} {fast}: kernels with three arrays usually match those with "
    "two.",
    severity="note",
    remedy="arrays may conflict in a cache or DRAM bank (try another n); the prefetcher may follow "
    "two streams better than three; the compiler may use non-temporal stores in some loops only",
    columns=("case", "toolchain", "kernel", "bandwidth", "less than", "bandwidth of that"),
    rule="slower by more than {least:.0%} and beyond the intervals",
)
OTHER_DOMAIN = SentenceTemplate(
    "memory/other domain",
    "Remote NUMA bandwidth: {rate} at worst[, {of_own:times as much as local}][. Remote latency: "
    "{wait}][, {of_own_wait:times as long as local}].",
    weight=0.5,
    brief="Remote NUMA bandwidth: {rate} at worst[, {of_own:times as much as local}].",
)
FIRST_TOUCH = FindingTemplate(
    "memory/first touch",
    "{wrong.cores:One core|cores}{wrong.nodes:=| of {wrong.nodes} nodes} read at {wrong} after "
    "serial first touch, at {own} after parallel first touch: pages reside in the NUMA domain of "
    "the thread that first writes them.",
    severity="note",
    remedy="initialise arrays in parallel, with the schedule of the compute loops; if the code "
    "cannot change, use numactl --interleave=all",
)
OTHER_SIZE = FindingTemplate(
    "memory/size of a cache",
    "The system reports {told:binary} of {level}; measured on one core it ends between {end:ends}.",
    severity="note",
    remedy="trust the measurement: a virtual machine may report the cache of its host, and other "
    "guests may use part of it",
    columns=("program", "toolchain", "level", "reported", "ends above", "ends below"),
    rule="measured and reported size differ by a factor of {far:.0f} or more",
)
SMALL_PAGES = FindingTemplate(
    "memory/small pages",
    "{share:.0%} of the memory of {program} is in huge pages (policy: {policy}): its pointer-chase "
    "latencies include page walks.",
    severity="note",
    remedy="allow huge pages: /sys/kernel/mm/transparent_hugepage/enabled = madvise",
    rule="less than {least:.0%}",
)
TRANSLATIONS = SentenceTemplate(
    "memory/translations",
    "dTLB reach of one core: {reach:binary} with base pages[. Page-walk cost over "
    "{extent:binary}: {wait} per load].",
    weight=0.4,
)
PAGE_WALKS = Template(
    "memory/cause",
    "the loads of {program} use base pages: beyond the dTLB reach of {reach:binary} they include "
    "page walks before the cache ends",
)
STILL_FALLS = Template(
    "memory/cause",
    "the working sets differ; the second rate still falls from {rate} as its own grows to "
    "{size:binary}",
)
WRITE_ALLOCATE = Template(
    "memory/cause",
    "write-allocate: read bandwidths agree; copy and triad differ as if {loading} loads the lines "
    "it stores to and {storing} does not",
)
BANDWIDTH_OF = Template(
    "memory/bandwidth of",
    "memory bandwidth of {row.cores:one core|cores}{row.nodes:=| of {row.nodes} nodes}",
)
