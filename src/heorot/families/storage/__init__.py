"""Storage: bandwidth and latency of file systems, from the device and from the page cache."""

from __future__ import annotations

from heorot.families.storage.latency import LATENCY
from heorot.families.storage.posix import POSIX
from heorot.model.catalogue.family import Family, FamilyAnalysis


def _analysis() -> FamilyAnalysis:
    from heorot.families.storage import findings, sentences, tails, writing

    return FamilyAnalysis(
        foresee=(writing.foresee,),
        explain=(tails.explain,),
        find=(findings.find,),
        sentences=(sentences.sentences,),
    )


FAMILY = Family(
    name="storage",
    title="Storage",
    about="bandwidth and latency of file systems, from the device and from the page cache",
    analysis=_analysis,
    benchmarks=(POSIX, LATENCY),
    glossary={
        "cold read": "Read of a file that is not in the page cache of the node; storage servers "
        "and hosts of virtual machines may still cache it.",
        "direct I/O": "Transfers between the device and the memory of a program that bypass the "
        "page cache (O_DIRECT).",
        "flush": "fsync: returns when written data are on the device, as far as the device reports "
        "that truthfully.",
    },
    sources=(
        (
            "A. Traeger, E. Zadok, N. Joukov, C. P. Wright, A nine year study of file system and "
            "storage benchmarking, ACM Trans. Storage 4 (2008)"
        ),
    ),
)
