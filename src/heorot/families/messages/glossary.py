"""The terms of the family messages, and where its methods come from."""

from __future__ import annotations

GLOSSARY = {
    "r_inf": "The rate for infinitely long messages, from a fit of time = latency + amount / rate.",
    "n_half": "The length at which half of the asymptotic rate is reached: the smaller, the less "
    "is lost on short vectors or messages.",
    "o_s, o_r, L, g, G": "The parameters of the LogGP model: what a message costs the processor "
    "of the sender and of the receiver, how long it is under way, the least time between two "
    "messages, and the time for each further byte.",
    "protocol switch": "The size at which a library begins to send messages in another way, seen "
    "as a bend or a jump of the times: often from eager, at once, to rendezvous, after asking. A "
    "time jump is by how much the time grows from one size to the next, where that is more than "
    "twofold and far more than the sizes before foretell.",
    "port bandwidth": "What enters or leaves the busiest rank per second, the larger of the two: "
    "no more than its line carries, whatever the pattern.",
    "overlap": "The share of a collective operation that computation hides while it is under way.",
    "victim, aggressor": "Ranks whose communication is timed, and ranks that load the network "
    "meanwhile: what a job suffers from its neighbours.",
    "half round trip": "Half of the time a message takes there and back: the time of one way.",
}
SOURCES = (
    (
        "R. W. Hockney: Performance Parameters and Benchmarking of Supercomputers. Parallel "
        "Computing 17, 1991. (r_inf, n_half.)"
    ),
    (
        "T. Hoefler, A. Lichei, W. Rehm: Low-Overhead LogGP Parameter Assessment for Modern "
        "Interconnection Networks. IPDPS 2007."
    ),
    (
        "J. L. Träff, W. D. Gropp, R. Thakur: Self-Consistent MPI Performance Guidelines. IEEE "
        "Transactions on Parallel and Distributed Systems 21, 2010."
    ),
    (
        "S. Chunduri et al.: GPCNeT: Designing a Benchmark Suite for Inducing and Measuring "
        "Contention in HPC Networks. SC 2019."
    ),
    (
        "S. Hunold, A. Carpen-Amarie: Reproducible MPI Benchmarking Is Still Not as Easy as "
        "You Think. IEEE Transactions on Parallel and Distributed Systems 27, 2016."
    ),
)
