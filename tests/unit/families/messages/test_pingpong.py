"""The policy of messages/pingpong: two ranks, and a copy as the ceiling of a message."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from heorot.analyse.trust.ceilings import apply_ceilings
from heorot.families.messages.pingpong import PINGPONG
from heorot.model.catalogue.benchmark import PROFILES

if TYPE_CHECKING:
    from tests.unit.conftest import Kit


def test_two_ranks_need_two_cores(kit: Kit) -> None:
    for profile in PROFILES:
        (case,) = PINGPONG.cases(kit.machine(8), profile)
        assert (case.ranks, case.threads, case.needs_cores) == (2, 1, 2)


def test_a_message_is_at_least_one_copy(kit: Kit) -> None:
    vectors = {"benchmark": "compute/vector_kernels", "region": "copy"}
    message = {"benchmark": PINGPONG.name, "region": "pingpong", "ranks": 2}
    rows = [
        kit.result(**vectors, median=100e9, point={"working_set_bytes": 4096}),
        kit.result(**vectors, median=40e9, point={"working_set_bytes": 1 << 20}),
        kit.result(**message, median=45e9, point={"bytes": 1024}),
        kit.result(**message, median=100e9, point={"bytes": 8}),
        kit.result(**message, median=5e9, point={"bytes": 65536}),
        kit.result(**message, median=5e9, point={"bytes": 4 << 20}),
    ]
    context = kit.context(rows)
    context.rows.replace(apply_ceilings(context))
    judged = list(context.rows)[2:]
    shares = [row.share_of_ceiling for row in judged]
    assert shares == [pytest.approx(0.9), pytest.approx(2.0), pytest.approx(0.25), None]
    assert [row.plausible for row in judged] == [True, False, True, None]
