"""Display names of regions, metrics and coordinates that the field calls otherwise than records do.

Records, exports and options keep their keys; a report shows runs of any age under these names.
"""

from __future__ import annotations

LABELS = {
    # Regions.
    "axpy": "DAXPY",
    "bicgstab_ilu0": "BiCGSTAB, ILU(0)",
    "bicgstab_jacobi": "BiCGSTAB, Jacobi",
    "blas": "BLAS",
    "bounce": "core-to-core transfer",
    "cg_ic0": "CG, IC(0)",
    "cg_jacobi": "CG, Jacobi",
    "cg_sgs": "CG, Gauss-Seidel",
    "chase": "pointer chase",
    "compare_exchange": "compare-and-swap",
    "count_ones": "popcount",
    "csr": "CSR",
    "dotproduct": "DDOT",
    "exact": "atomic update",
    "fetch_add": "fetch-and-add",
    "first_touch": "serial first touch",
    "fma_double": "FMA, double",
    "fma_single": "FMA, single",
    "fortran": "Fortran",
    "lapack": "LAPACK",
    "lapack_values": "LAPACK, eigenvalues",
    "lapack_vectors": "LAPACK, eigenvectors",
    "loaded": "loaded latency",
    "one_line": "false sharing",
    "own_lines": "separate lines",
    "own_touch": "parallel first touch",
    "pages": "one line per page",
    "parallel": "parallel chains",
    "rotations": "plane rotations",
    "sell": "SELL-C-sigma",
    "small_pages": "pointer chase, base pages",
    "std_sort": "std::sort",
    "steps_together": "temporal blocking",
    "streaming": "background reads",
    # Metrics and what is derived of them.
    "bandwidth_l1": "L1d bandwidth",
    "bandwidth_l2": "L2 bandwidth",
    "bandwidth_l3": "L3 bandwidth",
    "bandwidth_memory": "memory bandwidth",
    "cycles_l1": "L1d latency in cycles",
    "cycles_l2": "L2 latency in cycles",
    "cycles_l3": "L3 latency in cycles",
    "cycles_memory": "memory latency in cycles",
    "density_loss": "ranks-per-node penalty",
    "end_l1": "end of L1d",
    "end_l2": "end of L2",
    "end_l3": "end of L3",
    "first_level_end": "end of L1d",
    "flops_per_byte": "machine balance",
    "half_rate_size": "n1/2, measured",
    "imb_throughput": "IMB throughput",
    "latency_l1": "L1d latency",
    "latency_l2": "L2 latency",
    "latency_l3": "L3 latency",
    "latency_memory": "memory latency",
    "n_half": "n1/2",
    "o_r": "o_r",
    "o_s": "o_s",
    "parallelism": "MLP",
    "r_inf": "r_inf",
    "r_max_l1": "r_max in L1d",
    "r_max_l2": "r_max in L2",
    "r_max_l3": "r_max in L3",
    "r_max_memory": "r_max in memory",
    "remembered": "longest predicted pattern",
    "star_degradation": "rate-mode loss",
    "transfer_time": "cache-line latency",
    "translation": "page-walk cost",
    "translation_reach": "dTLB reach",
    "updates_under_way": "outstanding updates",
    "wrong_guess": "misprediction penalty",
    "wrong_guess_cycles": "misprediction penalty in cycles",
    # Coordinates.
    "adders": "threads",
}


def label_of(key: str) -> str:
    """The display name of a region, metric or coordinate; its key if that is its name."""
    return LABELS.get(key, key)
