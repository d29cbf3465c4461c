"""The glossary: terms of every report, then those of the families that ran."""

from __future__ import annotations

from collections.abc import Iterable

from heorot.model.catalogue.family import Family

_TERMS = {
    "median": "The middle of the launches, each of which counts by the middle of its samples. "
    "Unlike a mean it does not move when a few of them are disturbed.",
    "95 % interval": "[15.1, 15.5; 5 launches]: made in such a way that 95 of 100 intervals "
    "contain the median of all launches that there might be, whatever their distribution. It "
    "comes from the order of at least five launches. Fewer carry none: [15.1…15.5 in 3 launches] "
    "is their range, which contains it in 75 % of cases, that of two in 50 %, that of four in 87.",
    "no difference": "The interval of a ratio encloses those of both results. Where it contains "
    "1, no ratio is quoted, as the launches leave open which of the two is more.",
    "sample": "One timed measurement: as many repetitions of the work as make it long against "
    "the clock's resolution.",
    "launch": "A new start of a program with all its processes. Memory and processes are placed "
    "anew, so launches differ more than samples.",
    "share of ceiling": "The median divided by what a measurement of this run says cannot be "
    "exceeded, such as the multiply-add rate of a core or the read bandwidth of the memory. "
    "Above 105 % what was taken for a ceiling is none: the share is withheld, and is a finding.",
    "roofline": "The highest rate that a machine allows a program: the lower of what its units "
    "compute and of its operational intensity times what feeds it.",
    "operational intensity": "Flops that an algorithm does for each byte that it has to move "
    "[flop/B].",
    "working set": "What a program touches again and again. It is resident in the nearest cache "
    "that it fits, else in memory, and has the bandwidth of that level.",
    "derived": "Computed from other numbers rather than sampled: a fit, a plateau, an error in "
    "units in the last place, a power from the counters of energy.",
    "power, energy, flops per joule": "What whole hosts draw while a region runs, idle parts "
    "included; that power for as long as a body takes; and the flops of a body divided by its "
    "energy, which are flop/s per watt.",
    "withheld": "Kept in the tables but neither drawn, ranked nor compared: its verification "
    "failed, or it exceeds its ceiling.",
    "disturbed": "Something else ran on the same processors meanwhile: involuntary switches, "
    "time taken by a hypervisor or by other processes, a fixed kernel that ran slower than "
    "before, or traffic on a network that none of the nodes sent.",
    "finding": "An observation that the reader should know of, with the results it rests on and "
    "what to do about it.",
    "rank": "One process of a message-passing program.",
    "thread": "One of the streams of work that share the memory of a rank.",
    "layout": "How many ranks with how many threads each, on how many nodes.",
    "copies": "Every core runs the whole program for itself, all at once and without a word to "
    "the others: what each then loses is the price of sharing caches and memory.",
    "computation, imbalance, communication": "The parts of a body's time T, which add up to it. "
    "With c the computation of a rank: mean c, max c − mean c (the others wait for the slowest), "
    "and T − max c.",
    "load balance": "Mean computation of the ranks divided by that of the slowest: 100 % if all "
    "have equally much to do.",
    "behind the median of the others": "How much longer a rank took for the same work than the "
    "middle one of the other ranks, by its own times, before the slowest one decided how long a "
    "sample is.",
    "processor time, share of the system": "How long processors worked for a launch, in the "
    "program itself (user time) and in the operating system on its behalf, and the latter's part "
    "of both.",
    "user speedup": "User time of a body on one rank divided by that of the rank with most of it "
    "on several. Waiting in a message-passing library counts as user time.",
    "phase": "A named part of a program's body; what lies outside all of them is the rest.",
    "toolchain": "Compiler, flags, message-passing library and linear-algebra library together.",
    "porting": "What it takes to have a program run right with a toolchain: what does not "
    "compile, is wrong, loses digits or needs flags of its own.",
    "node loss": "Time of as many ranks and threads on more nodes divided by that on the fewest "
    "they ran on. Below 1 if more nodes make them faster, having more memory bandwidth.",
    "density loss": "Time of as many ranks with several on each node divided by that with a node "
    "for each: what ranks cost each other by sharing nodes and network adapters.",
    "threads against ranks": "On the same nodes, time of one rank with a thread for each core "
    "divided by that of a rank for each core.",
    "network loss": "Time of the same ranks over another network divided by that over the fastest.",
    "node speedup, node efficiency": "Rate on full nodes divided by that on the fewest that are "
    "used in the same way; and that speedup divided by how many times the nodes there are.",
    "scaled efficiency": "Of a problem that grows with the cores: work that a core does in a "
    "second, divided by what it does on the fewest. For equal work of every rank that is the time "
    "on the fewest divided by the time on more.",
    "question, experiment": "What a plan asks, such as what a network gives over another one; "
    "and the cases of a program that answer it together. Left open is what there was no time for.",
    "expected loss": "1 + c (k − 1), with the share c of its time that a program communicates "
    "over the faster network, or on the fewest nodes, and k how many times as long messages take "
    "elsewhere.",
    "launch overhead": "Time of a launch outside of its program: starting the ranks, connecting "
    "them, ending them. The overhead of a job is the time of its run in which no step ran.",
    "each node": "A case that runs on every node by itself, so that nodes with equal hardware "
    "can be compared with each other.",
    "outlier": "A node that is slower than others with equal hardware by more than nodes and "
    "launches differ; of a quiet set, one run in twenty at most names one.",
    "lost": "A step that started and never reported its end.",
    "cross-check": "One quantity measured in two independent ways; where they disagree, at least "
    "one of them is wrong.",
}
_SOURCES = (
    (
        "T. Hoefler, R. Belli: Scientific Benchmarking of Parallel Computing Systems. SC’15, "
        "2015. (Medians, intervals, launches.)"
    ),
    (
        "S. Williams, A. Waterman, D. Patterson: Roofline: An Insightful Visual Performance "
        "Model for Multicore Architectures. Communications of the ACM 52, 2009. (Ceilings.)"
    ),
    (
        "T. Kalibera, R. Jones: Rigorous Benchmarking in Reasonable Time. ISMM, 2013. "
        "(Comparison of runs.)"
    ),
    (
        "Y. Benjamini, Y. Hochberg: Controlling the False Discovery Rate. Journal of the "
        "Royal Statistical Society B 57, 1995."
    ),
    (
        "C. Rosas, J. Giménez, J. Labarta: Scalability Prediction for Fundamental "
        "Performance Factors. Supercomputing Frontiers and Innovations 1, 2014. "
        "(Computation, imbalance, communication.)"
    ),
    "M. Okabe, K. Ito: Color Universal Design, 2008. (Colours of the figures.)",
)


def glossary(families: Iterable[Family]) -> tuple[dict[str, str], list[str]]:
    """All terms and the sources of all methods; of a word that comes twice the first meaning."""
    terms, sources = dict(_TERMS), list(_SOURCES)
    for family in families:
        for word, meaning in family.glossary.items():
            terms.setdefault(word, meaning)
        sources += family.sources
    return terms, list(dict.fromkeys(sources))
