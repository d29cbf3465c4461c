"""What messages cost, measured in two ways: back and forth, and by broadcasts in turn."""

from __future__ import annotations

from heorot.analyse.rows import best
from heorot.analyse.trust.cross_checks import pair, per_toolchain
from heorot.families.messages.between_two.pingpong import PINGPONG, on_several_nodes
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import CrossCheck

# A broadcast among two ranks is one message, plus what collectives decide.
_ROUND_TRIPS = 2.0


def cross_check(context: Context) -> list[CrossCheck]:
    """The latency of 8 bytes by half a ping-pong and by half of two broadcasts, in each place."""
    checks: list[CrossCheck] = []
    names = ("half a ping-pong", "half of two broadcasts in turn")
    for toolchain, suffix in per_toolchain(context):
        ways = [
            context.rows.find(
                PINGPONG.name, region, "latency", point={"bytes": 8}, toolchain=toolchain
            )
            for region in ("pingpong", "turning_broadcast")
        ]
        for several, place in ((False, ""), (True, " between nodes")):
            one_way, in_turn = (best(on_several_nodes(rows, several=several)) for rows in ways)
            quantity = f"latency of 8 bytes{place}{suffix}"
            checks += pair(quantity, (one_way, in_turn), names, _ROUND_TRIPS)
    return checks
