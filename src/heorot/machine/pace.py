"""Calibrates the computing speed and memory bandwidth of this machine within about a second.

This is not a measurement: it only estimates run times, so that a plan fits. Processor time is
timed, so that other load does not make the machine look slow. A loop of the interpreter and a
chain of dependent additions show the latency of operations, a product of small matrices the
throughput of vector units, copies of large arrays the memory bandwidth. numpy lets other threads
run meanwhile.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np

from heorot.model.machine.pace import Pace

# Times of the core for which estimates are written: for an iteration of the loop, for a dependent
# addition, for an operation of a matrix product [s].
_LOOP_SECONDS = 55e-9
_CHAIN_SECONDS = 3.4e-9
_FLOP_SECONDS = 25e-12
_LOOP_LENGTH = 100_000
_CHAIN_LENGTH = 1 << 20
_MATRIX_SIDE = 64
_N_PRODUCTS = 500
_TRIES = 4
# Both arrays of a copy on all cores together: beyond most caches, a small share of the memory.
_LEAST_BYTES = 128 << 20
_BYTES_PER_CORE = 16 << 20
_SHARE_OF_MEMORY = 0.1


def probe(n_cores: int, memory_bytes: int) -> Pace:
    """The calibrated speed of this machine.

    Args:
        cores: cores that programs will use at once.
        memory_bytes: memory that they may use [B].
    """
    chain = _CHAIN_LENGTH * _CHAIN_SECONDS / _on_cores(1, _chain)
    loop = _LOOP_LENGTH * _LOOP_SECONDS / _on_cores(1, _loop)
    product = _N_PRODUCTS * 2 * _MATRIX_SIDE**3 * _FLOP_SECONDS
    alone, busy = _on_cores(1, _products), _on_cores(n_cores, _products)
    wanted = max(_LEAST_BYTES, n_cores * _BYTES_PER_CORE)
    copied = min(wanted, int(_SHARE_OF_MEMORY * memory_bytes))
    return Pace(
        scalar_speed=math.sqrt(chain * loop),
        vector_speed=product / alone,
        busy_share=min(1.0, alone / busy),
        core_bandwidth=copied / _on_cores(1, lambda: _copies(copied)),
        node_bandwidth=copied / _on_cores(n_cores, lambda: _copies(copied // n_cores)),
    )


def _on_cores(n_cores: int, make: Callable[[], Callable[[], object]]) -> float:
    """The processor time of one of several threads for a piece of work, all working at once [s].

    Args:
        make: makes the piece of work, with arrays of its own.
    """
    barrier = Barrier(n_cores)

    def shortest(_: int) -> float:
        work = make()
        work()  # touches the pages
        barrier.wait()
        return min(_processor_seconds(work) for _ in range(_TRIES))

    with ThreadPoolExecutor(n_cores) as pool:
        try:
            begun = [pool.submit(shortest, number) for number in range(n_cores)]
        except RuntimeError:  # no more threads: the running ones wait for the others
            barrier.abort()
            raise
        return sorted(each.result() for each in begun)[n_cores // 2]


def _processor_seconds(work: Callable[[], object]) -> float:
    started = time.thread_time()
    work()
    return max(time.thread_time() - started, 1e-9)


def _loop() -> Callable[[], object]:
    def work() -> int:
        value = 0
        for i in range(_LOOP_LENGTH):
            value = (value * 31 + i) & 0xFFFF
        return value

    return work


def _chain() -> Callable[[], object]:
    ones = np.ones(1 << 14)
    sums = np.empty_like(ones)

    def work() -> None:
        for _ in range(_CHAIN_LENGTH // ones.size):
            np.cumsum(ones, out=sums)

    return work


def _products() -> Callable[[], object]:
    matrix = np.full((_MATRIX_SIDE, _MATRIX_SIDE), 0.01)
    product = np.empty_like(matrix)

    def work() -> None:
        for _ in range(_N_PRODUCTS):
            np.matmul(matrix, matrix, out=product)

    return work


def _copies(n_bytes: int) -> Callable[[], object]:
    source = np.ones(max(1, n_bytes // 16))
    target = np.empty_like(source)
    return lambda: np.copyto(target, source)
