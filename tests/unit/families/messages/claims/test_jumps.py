"""Jumps of message times: the sizes, the factor, the cause if a library has one, the setting."""

from __future__ import annotations

from typing import Any

import pytest

from heorot.families.messages.claims.jumps import describe_jumps, jumps
from heorot.families.messages.claims.sentences import sentences
from heorot.model.analysis.result import Result
from heorot.model.run.identity import Stack
from tests.unit.analyse.builders import a_context, a_result

OPEN_MPI_5 = {"gnu-12": "Open MPI v5.0.11, package: Open MPI user@localhost Distribution"}


def a_jump(low: int, high: int, times: float, **changes: Any) -> Result:
    fields = {
        "benchmark": "messages/pingpong",
        "region": "pingpong",
        "metric": "time_jump",
        "unit": "",
        "better": "lower",
        "ranks": 2,
        "case": "two_ranks",
        "derived": True,
        "point": {"from_bytes": low, "to_bytes": high},
    }
    return a_result(median=times, **(fields | changes))


def reported(rows: list[Result], library: str) -> tuple[str, str]:
    (finding,) = describe_jumps(a_context(rows), {Stack("gnu-12"): library})
    assert finding.evidence == tuple(row.id for row in rows)
    return finding.text, finding.remedy


def test_a_jump_at_the_limit_of_the_library_has_its_cause_and_its_setting() -> None:
    observation, remedy = reported([a_jump(2048, 4096, 5.7)], OPEN_MPI_5["gnu-12"])
    assert observation == (
        "from 2 KiB to 4 KiB the time of a message inside a node grows 5.70 [5.64…5.76 in 3 "
        "launches] times. The eager limit of the library, header included, is 4 KiB unless "
        "btl_sm_eager_limit is set; longer messages use rendezvous (two_ranks, gnu-12)"
    )
    assert remedy.startswith("try other limits: --mca btl_sm_eager_limit BYTES, ")


@pytest.mark.parametrize(
    ("library", "nodes", "cause", "setting"),
    [
        ("Open MPI v4.1.4, package: Debian OpenMPI", 1, "", "btl_vader_eager_limit"),
        (OPEN_MPI_5["gnu-12"], 2, "64 KiB unless btl_tcp_eager_limit", "btl_tcp_eager_limit"),
        ("MPICH Version: 4.3.0", 1, "", "MPIR_CVAR_CH4_IPC_CMA_P2P_THRESHOLD"),
        ("MPICH Version: 4.3.0", 2, "", "UCX_RNDV_THRESH"),
        ("Intel(R) MPI Library 2021", 1, "", "the documentation of the library"),
        ("", 1, "", "the documentation of the library"),
    ],
)
def test_a_cause_is_named_only_where_the_library_has_its_limit_there(
    library: str, nodes: int, cause: str, setting: str
) -> None:
    observation, remedy = reported([a_jump(1 << 15, 1 << 16, 3.0, nodes=nodes)], library)
    assert setting in remedy
    assert ("eager limit of the" in observation) == bool(cause)
    assert cause in observation


def test_the_case_with_the_finest_steps_tells_it() -> None:
    rows = [a_jump(2048, 4096, 5.7), a_jump(3444, 4096, 5.1, case="fine")]
    context = a_context(rows)
    assert jumps(context, Stack("gnu-12"), several=False) == rows[1:]
    assert jumps(context, Stack("gnu-12"), several=True) == []


def test_the_sentence_about_messages_says_the_jump_and_where_half_of_the_rate_is() -> None:
    short = a_jump(0, 0, 3e-7, metric="latency", unit="s", point={"bytes": 8}, derived=False)
    n_half = a_jump(0, 0, 1620.0, metric="n_half", unit="B", point={})
    half = n_half.model_copy(update={"metric": "half_rate_size", "median": 23.7e3, "ci_low": 23e3})
    half = half.model_copy(update={"ci_high": 24e3})
    jump = a_jump(2048, 4096, 5.7)
    (sentence,) = sentences(a_context([short, n_half, half, jump]))
    assert sentence.text.endswith(
        ". From 2 KiB to 4 KiB the time grows 5.70 [5.64…5.76 in 3 launches] times. n1/2 is "
        "23.7 kB [23.0…24.0 in 3 launches]."
    )
    assert n_half.id not in sentence.evidence
