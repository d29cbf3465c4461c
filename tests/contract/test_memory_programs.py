"""What programs of the memory measure in which order, over what, and where they rather do not."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from heorot import process
from heorot.families.memory import FAMILY
from heorot.model.run.outcome import CANNOT_RUN
from heorot.model.run.records import Line, RegionLine
from tests import builds

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]  # the first may have to build

_LINE: TypeAdapter[Line] = TypeAdapter(Line)
_BRIEF = ("--budget", "1e-3", "--samples-min", "1", "--samples-max", "1")
MIB = 1 << 20
# A system that refuses all calls about domains of memory, as containers may, and reports the domain
# of the CPUs from the environment variable DOMAIN.
_BLOCKED = """
#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <dlfcn.h>
#include <sys/syscall.h>
extern "C" int getcpu(unsigned* cpu, unsigned* domain) {
    *cpu = 0;
    *domain = static_cast<unsigned>(std::atoi(std::getenv("DOMAIN")));
    return 0;
}
extern "C" long syscall(long number, ...) {
    using Call = long (*)(long, ...);
    static const auto real = reinterpret_cast<Call>(dlsym(RTLD_NEXT, "syscall"));
    if (number == SYS_mbind || number == SYS_get_mempolicy || number == SYS_move_pages) {
        errno = EPERM;
        return -1;
    }
    std::va_list list;
    va_start(list, number);
    long a[6];
    for (long& each : a) each = va_arg(list, long);
    va_end(list);
    return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
"""


@pytest.fixture(scope="module")
def paths() -> dict[str, Path]:
    """The programs built with the default toolchain, as all tests of the contract have them."""
    return builds.release([each.name for each in FAMILY.benchmarks]).paths


def launch(
    *words: str | Path, threads: int = 1, variables: Mapping[str, str] | None = None
) -> process.Finished:
    """Run a command briefly, with `threads` threads."""
    environment = dict(
        os.environ,
        OMPI_ALLOW_RUN_AS_ROOT="1",
        OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
        OMP_NUM_THREADS=str(threads),
        OMP_WAIT_POLICY="passive",
        **(variables or {}),
    )
    return process.run([*words, *_BRIEF], timeout_seconds=60, environment=environment)


def regions(done: process.Finished) -> list[RegionLine]:
    """The measured regions, in their order."""
    assert done.code == 0, done.err
    lines = [_LINE.validate_json(line) for line in done.out.splitlines()]
    return [line for line in lines if isinstance(line, RegionLine)]


@pytest.mark.parametrize("n_bytes", [MIB, 3 * MIB // 2, MIB + 1])
def test_a_table_of_any_size_is_updated(paths: dict[str, Path], n_bytes: int) -> None:
    size = ("--min-bytes", str(n_bytes), "--max-bytes", str(n_bytes))
    measured = regions(launch(paths["memory/gups"], *size))
    assert {line.point["working_set_bytes"] for line in measured} == {MIB}


def test_the_largest_table_comes_last(paths: dict[str, Path]) -> None:
    measured = regions(
        launch(paths["memory/gups"], "--regions", "update", "--max-bytes", f"{2 * MIB}")
    )
    sizes = [line.point["working_set_bytes"] for line in measured]
    assert sizes == [32 << 10, 128 << 10, 512 << 10, 2 * MIB]


def test_the_threads_that_read_share_all_of_the_bytes(paths: dict[str, Path]) -> None:
    size = ("--regions", "loaded", "--min-bytes", f"{8 * MIB}", "--max-bytes", f"{8 * MIB}")
    measured = regions(launch(paths["memory/latency"], *size, threads=3))
    streamed = {
        line.point["streams"]: line.point["working_set_bytes"]
        for line in measured
        if line.name == "streaming"
    }
    assert streamed == {1: 8 * MIB, 2: 8 * MIB}


@pytest.mark.skipif(not shutil.which("taskset"), reason="taskset binds: apt-get install util-linux")
def test_threads_on_one_cpu_hand_each_other_no_line(paths: dict[str, Path]) -> None:
    first = str(min(os.sched_getaffinity(0)))
    bound = ("taskset", "--cpu-list", first, paths["memory/atomics"])
    done = launch(*bound, "--regions", "bounce", threads=2)
    assert done.code == CANNOT_RUN
    assert "each with a CPU of its own" in done.err
    others = regions(launch(*bound, threads=2))
    assert "bounce" not in {line.name for line in others}
    assert len({line.name for line in others}) == 4


@pytest.mark.parametrize(("domain", "code"), [("0", 0), ("1", CANNOT_RUN)])
def test_domains_that_nobody_may_ask_for_are_not_guessed(
    paths: dict[str, Path], tmp_path: Path, domain: str, code: int
) -> None:
    """Near the only known domain pages are not distinguished; elsewhere the program cannot run."""
    source, library = tmp_path / "blocked.cpp", tmp_path / "blocked.so"
    source.write_text(_BLOCKED)
    built = process.run(["c++", "-shared", "-fPIC", source, "-o", library, "-ldl"])
    assert built.ok, built.err
    blocked = {"LD_PRELOAD": str(library), "DOMAIN": domain}
    done = launch(paths["memory/numa"], "--bytes", f"{MIB}", variables=blocked)
    assert done.code == code, done.err
    assert "pages that lie elsewhere" not in done.out
    assert ("does not permit placing pages in a domain" in done.err) == (code == CANNOT_RUN)
