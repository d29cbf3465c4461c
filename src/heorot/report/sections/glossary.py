"""The glossary: terms of every report, then those of the families that ran."""

from __future__ import annotations

from collections.abc import Iterable

from heorot.model.catalogue.family import Family

_TERMS = {
    "median": "The middle of the launches; each launch counts by the median of its samples. Unlike "
    "a mean it is robust against a few perturbed launches.",
    "95 % interval": "[15.1, 15.5; 5 launches]: 95 of 100 such intervals contain the median of all "
    "possible launches, whatever their distribution. It takes the order of at least five launches. "
    "Fewer have a range instead: [15.1…15.5 in 3 launches] contains the median in 75 % of cases, a "
    "range of two in 50 %, of four in 87 %.",
    "no difference": "The interval of a ratio encloses the intervals of both results. If it "
    "contains 1, no ratio is quoted.",
    "sample": "One timed measurement, with enough repetitions of the work to exceed the clock "
    "resolution many times.",
    "launch": "A new start of a program with all its processes. Memory and processes are placed "
    "anew, so launches vary more than samples.",
    "share of bound": "The median divided by its measured bound, such as the FMA peak or the read "
    "bandwidth. A share above 105 % refutes the bound: it is withheld and reported as a finding.",
    "roofline": "The upper bound of a program's flop rate: the lower of the FMA peak and of its "
    "operational intensity times the bandwidth of the level that holds its working set.",
    "operational intensity": "Flops of an algorithm per byte that it must move [flop/B].",
    "machine balance": "FMA peak divided by bandwidth [flop/B]: a kernel of lower operational "
    "intensity is bandwidth-bound.",
    "working set": "The data that a program touches repeatedly. It is resident in the smallest "
    "level that holds it.",
    "memory-level parallelism (MLP)": "Outstanding loads of one core: memory latency divided by "
    "the time per load of several independent pointer chains.",
    "dTLB reach": "The memory that the data TLB translates without a page walk. Beyond it each "
    "load pays the page-walk cost.",
    "false sharing": "Threads write to different variables of one cache line, which then moves "
    "from core to core.",
    "derived": "Computed from other results: a fit, a plateau, an error in ulp, a power from "
    "energy counters.",
    "power, energy, flops per joule": "Power of whole hosts while a region runs, idle parts "
    "included; that power times the time of a body; flops of a body divided by its energy, which "
    "equals flop/s per watt.",
    "withheld": "Kept in the tables but neither drawn, ranked nor compared: verification failed, "
    "or the value exceeds its bound.",
    "perturbed": "Affected by noise: involuntary context switches, steal time, other processes, a "
    "reference probe slower than before, or traffic on a network that none of the nodes sent.",
    "finding": "An observation with its severity, the results it rests on, and a remedy.",
    "rank": "A process of an MPI program.",
    "thread": "An OpenMP thread; threads share the memory of a rank.",
    "layout": "Number of ranks, threads per rank, and nodes.",
    "copies (rate mode)": "Every core runs a copy of the program at the same time, without "
    "communication. The loss of each copy is the cost of contention for caches and memory.",
    "computation, imbalance, communication": "Parts of a body's time T that add up to it. With c "
    "the computation of a rank: mean c, max c − mean c (waiting for the slowest), and T − max c.",
    "load balance": "Mean computation of the ranks divided by that of the slowest: 100 % if all "
    "compute equally long.",
    "behind the median of the others": "Extra time of a rank over the median of the other ranks "
    "for the same work, by its own times.",
    "processor time, system share": "User time plus system time of a launch, and the share of "
    "system time.",
    "user speedup": "User time of a body on one rank divided by that of the busiest of several "
    "ranks. MPI busy-polls, so waiting is user time.",
    "phase": "A named part of a program's body; the remainder is the rest.",
    "toolchain": "Compiler, flags, MPI and BLAS.",
    "porting": "The effort to run a program correctly with a toolchain: failed builds, wrong "
    "results, lost digits, special flags.",
    "node loss": "Time on more nodes divided by that on the fewest, with equal ranks and threads. "
    "Below 1, more nodes are faster by their memory bandwidth.",
    "ranks-per-node penalty": "Time with several ranks per node divided by that with one rank per "
    "node, for equal ranks: the cost of sharing nodes and network adapters.",
    "threads against ranks": "Time of one rank per node with a thread per core divided by that of "
    "a rank per core.",
    "network loss": "Time over a network divided by that over the fastest, for equal ranks.",
    "node speedup, node efficiency": "Rate on full nodes divided by that on the fewest equally "
    "full nodes; that speedup divided by the ratio of nodes.",
    "scaled efficiency": "Weak scaling: work per core and second divided by that on the fewest "
    "cores.",
    "question, experiment": "A question of the plan, such as the gain by a network; the cases of a "
    "program that answer it together. A question left open did not fit the time budget.",
    "expected loss": "1 + c (k − 1): c is the share of communication in the time over the faster "
    "network, or on the fewest nodes; k the factor by which messages take longer elsewhere.",
    "launch overhead": "Time of a launch outside its program: start-up, connection and end of the "
    "ranks. Job overhead: time of a job in which no step runs.",
    "each node": "A case that runs on every node separately, for node outlier detection.",
    "outlier": "A node that is slower than nodes with equal hardware beyond the variation of nodes "
    "and launches; at most one run in twenty has a false alarm.",
    "lost": "A step that started and never reported its end.",
    "cross-check": "One quantity measured in two independent ways; a disagreement means that at "
    "least one is wrong.",
}
_SOURCES = (
    (
        "T. Hoefler, R. Belli: Scientific Benchmarking of Parallel Computing Systems. SC’15, "
        "2015. (Medians, intervals, launches.)"
    ),
    (
        "S. Williams, A. Waterman, D. Patterson: Roofline: An Insightful Visual Performance "
        "Model for Multicore Architectures. Communications of the ACM 52, 2009. (Bounds.)"
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
    """All terms and the sources of all methods; of a repeated term the first meaning."""
    terms, sources = dict(_TERMS), list(_SOURCES)
    for family in families:
        for word, meaning in family.glossary.items():
            terms.setdefault(word, meaning)
        sources += family.sources
    return terms, list(dict.fromkeys(sources))
