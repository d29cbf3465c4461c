"""The terms of the family messages, and where its methods come from."""

from __future__ import annotations

from heorot.model.catalogue.family import Term

GLOSSARY = (
    Term(
        word="r_inf",
        meaning=(
            "The rate for infinitely long messages, from a fit of time = latency + amount / rate."
        ),
    ),
    Term(
        word="n_half",
        meaning=(
            "The length at which half of the asymptotic rate is reached: the smaller, the "
            "less is lost on short vectors or messages."
        ),
    ),
    Term(
        word="half round trip",
        meaning=("Half of the time a message takes there and back: the time of one way."),
    ),
)
SOURCES = (
    (
        "R. W. Hockney: Performance Parameters and Benchmarking of Supercomputers. Parallel "
        "Computing 17, 1991. (r_inf, n_half.)"
    ),
    (
        "S. Hunold, A. Carpen-Amarie: Reproducible MPI Benchmarking Is Still Not as Easy as "
        "You Think. IEEE Transactions on Parallel and Distributed Systems 27, 2016."
    ),
)
