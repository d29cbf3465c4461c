"""The terms of the family messages, and the sources of its methods."""

from __future__ import annotations

GLOSSARY = {
    "r_inf": "The asymptotic bandwidth, fitted by time = latency + size / r_inf.",
    "n1/2": "The vector or message length that reaches half of the asymptotic rate: a measure of "
    "start-up overhead.",
    "LogGP (L, o_s, o_r, g, G)": "Network latency L; send and receive overhead o_s and o_r of the "
    "processor; gap g between messages; gap G per byte.",
    "protocol switch": "The message size at which a library changes its protocol, often from eager "
    "to rendezvous, seen as a bend or jump of the time. A time jump exceeds twofold and the trend "
    "of smaller sizes.",
    "port bandwidth": "Bytes per second in or out of the busiest rank, the larger of the two: at "
    "most its line rate.",
    "overlap": "The share of a nonblocking collective that computation hides.",
    "victim, aggressor": "Ranks whose communication is timed, and ranks that load the network "
    "meanwhile.",
    "half round trip": "Half of the ping-pong time: the one-way latency.",
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
