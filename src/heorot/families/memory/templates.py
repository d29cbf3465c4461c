"""What is said of the memory of a node."""

from __future__ import annotations

from heorot.analyse.templates.template import FindingTemplate, SentenceTemplate, Template

TRIAD = SentenceTemplate(
    "memory/triad",
    "STREAM triad reaches {rate} on {rate.cores:one core|cores}{rate.nodes:=| of {rate.nodes} "
    "nodes}[ {over}][, {gain:times as much as one core}].",
    weight=0.9,
)
LATENCY = SentenceTemplate(
    "memory/latency",
    "A load that finds nothing in the caches waits {far}[, {gain:times as long as one from the "
    "first-level cache}][; a core has {loads} such loads outstanding at most, pointer chasing has "
    "one].",
    weight=0.7,
)
LEVELS = SentenceTemplate("memory/levels", "One core reads {levels:and}.", weight=0.6)
LEVEL = Template("memory/level", "{rate} from {level}")
SHARING = SentenceTemplate(
    "memory/sharing",
    "A line goes from one core to another in {fastest}[, between CPUs {slowest.point[from_cpu]} "
    "and {slowest.point[to_cpu]} in {slowest}][; {shared.point[adders]} threads that count in "
    "lines of their own are {gain:times as fast as with false sharing, in one line}].",
    weight=0.5,
)
LANGUAGES = SentenceTemplate(
    "memory/languages",
    "Triad in Fortran gets {fortran}, {gain:times as much as the same loop in C++}: the compilers "
    "make different loops of it.",
    weight=0.4,
)
SHORTFALL = FindingTemplate(
    "memory/shortfall",
    "On {slow.cores:one core|cores}{slow.nodes:=| of {slow.nodes} nodes} memory feeds "
    "{slow.region} {slow}, less than {fast.region}, which gets {fast}: operations on three arrays "
    "usually reach the rate of those on two at least.",
    severity="note",
    remedy="the arrays may get into each other's way in a cache or a bank of memory (try another "
    "n), the processor may follow two streams better than three, or the compiler may have put "
    "stores around the caches into some loops only (see its flags)",
    columns=("case", "toolchain", "operation", "rate", "less than", "rate of that"),
    rule="slower by more than {least:.0%} and beyond the intervals",
)
OTHER_DOMAIN = SentenceTemplate(
    "memory/other domain",
    "The memory of another domain feeds the cores of one {rate} at worst[, {of_own:times as much "
    "as their own}][, and a load waits {wait} for it][, {of_own_wait:times as long as for its "
    "own}].",
    weight=0.5,
)
FIRST_TOUCH = FindingTemplate(
    "memory/first touch",
    "{wrong.cores:One core|cores}{wrong.nodes:=| of {wrong.nodes} nodes} read an array that one "
    "thread wrote first at {wrong}, and one of which each wrote its part at {own}: a page lies "
    "near whoever first writes it, and all of the first array in one domain.",
    severity="note",
    remedy="have every thread write first what it works on later, by the same schedule; where a "
    "code cannot be changed, numactl --interleave=all spreads its pages",
)
OTHER_SIZE = FindingTemplate(
    "memory/size of a cache",
    "The system says that {level} holds {told:binary}; one core finds its end between {end:ends}.",
    severity="note",
    remedy="believe what was measured: a virtual machine may be told the cache of its whole host, "
    "and others may use a part of it",
    columns=("program", "toolchain", "level", "told", "ends above", "ends below"),
    rule="the end is {far:.0f} times as far, or as near, as the system says",
)
SMALL_PAGES = FindingTemplate(
    "memory/small pages",
    "{share:.0%} of the memory of {program} lay in huge pages (policy: {policy}): the latencies "
    "of its chase are those of small pages, translations included.",
    severity="note",
    remedy="let programs have them: /sys/kernel/mm/transparent_hugepage/enabled = madvise",
    rule="less than {least:.0%}",
)
TRANSLATIONS = SentenceTemplate(
    "memory/translations",
    "The dTLB reach of a core is {reach:binary} in small pages[; over {extent:binary} a load "
    "waits {wait} for the translation of its address].",
    weight=0.4,
)
PAGE_WALKS = Template(
    "memory/cause",
    "the loads of {program} lay in small pages, so that beyond the dTLB reach of {reach:binary} "
    "they wait for page walks, too, before the cache ends",
)
STILL_FALLS = Template(
    "memory/cause",
    "the working sets differ, and the second still falls from {rate} as its own grows to "
    "{size:binary}",
)
WRITE_ALLOCATE = Template(
    "memory/cause",
    "write-allocate: reading agrees, and copy and triad differ as they do if {loading} loads the "
    "lines that it stores into and {storing} does not",
)
BANDWIDTH_OF = Template(
    "memory/bandwidth of",
    "memory bandwidth of {row.cores:one core|cores}{row.nodes:=| of {row.nodes} nodes}",
)
