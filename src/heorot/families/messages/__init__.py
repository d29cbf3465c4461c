"""Messages: latency, bandwidth and overheads of MPI."""

from __future__ import annotations

from heorot.families.messages.among_all.b_eff import B_EFF
from heorot.families.messages.among_all.collectives import COLLECTIVES
from heorot.families.messages.among_all.congestion import CONGESTION
from heorot.families.messages.among_all.distributed_dot import DISTRIBUTED_DOT
from heorot.families.messages.among_all.exchange import EXCHANGE
from heorot.families.messages.among_all.global_sum import GLOBAL_SUM
from heorot.families.messages.among_all.patterns import PATTERNS
from heorot.families.messages.among_all.ring import RING
from heorot.families.messages.among_all.startup import STARTUP
from heorot.families.messages.between_two.loggp import LOGGP
from heorot.families.messages.between_two.multi_pair import MULTI_PAIR
from heorot.families.messages.between_two.one_sided import ONE_SIDED
from heorot.families.messages.between_two.pingpong import PINGPONG
from heorot.families.messages.between_two.sockets import SOCKETS
from heorot.families.messages.between_two.thread_rate import THREAD_RATE
from heorot.families.messages.glossary import GLOSSARY, SOURCES
from heorot.model.catalogue.family import Family, FamilyAnalysis


def _analysis() -> FamilyAnalysis:
    from heorot.families.messages import checks
    from heorot.families.messages.claims import comparisons, findings, sentences
    from heorot.families.messages.derived import (
        among_all,
        congested,
        dots,
        growth,
        hockney,
        loggp,
        rings,
    )

    return FamilyAnalysis(
        explain=(
            hockney.explain,
            loggp.explain,
            dots.explain,
            rings.explain,
            among_all.pattern_peaks,
            among_all.hidden_shares,
            congested.explain,
            among_all.library_memory,
            growth.explain,
        ),
        cross_check=(checks.cross_check,),
        find=(findings.find,),
        sentences=(sentences.sentences, comparisons.compare),
    )


FAMILY = Family(
    name="messages",
    title="Messages",
    about="latency, bandwidth and collectives of MPI",
    tiles=((PINGPONG.name, "latency", "pingpong"), (PINGPONG.name, "bandwidth", "pingpong")),
    analysis=_analysis,
    benchmarks=(
        PINGPONG,
        LOGGP,
        MULTI_PAIR,
        THREAD_RATE,
        ONE_SIDED,
        SOCKETS,
        COLLECTIVES,
        GLOBAL_SUM,
        PATTERNS,
        EXCHANGE,
        RING,
        B_EFF,
        DISTRIBUTED_DOT,
        CONGESTION,
        STARTUP,
    ),
    glossary=GLOSSARY,
    sources=SOURCES,
)
