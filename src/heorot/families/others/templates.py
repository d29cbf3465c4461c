"""Sentences about third-party benchmarks, compared with Heorot's own and with each other."""

from __future__ import annotations

from heorot.analyse.templates.template import SentenceTemplate, Template

BESIDE = SentenceTemplate(
    "others/beside",
    "{program} ({version}, {effort}) compared with Heorot's own[: it is faster by more than "
    "{least:.0%} at {faster} of {n_pairs:point}]: {pairs:;}[; {more} more pairs are in its table]"
    "[{comparable:. Its figures are comparable with published ones|}].",
    weight=0.8,
    capital=True,
    brief="{program} compared with Heorot's own: {pairs:; 1}.",
)
PAIR = Template(
    "others/pair", "{what} takes {ratio:times2 as long as {ours} on {layout}{only: (one launch)|}}"
)
LAYOUT = Template("others/layout", "{row.ranks:rank}{row.threads:=| of {row.threads} threads}")
LINPACK = SentenceTemplate(
    "others/linpack",
    "{program} reaches {rate} on {rate.cores:one core|cores}{rate.nodes:=| of {rate.nodes} nodes}"
    "[, {of_peak} of peak][, {gain:times2 as much as one node}]. On as many cores {first} reaches "
    "{first_part} of that[, {last}, the slowest of {n} applications, {last_part}].",
    weight=0.85,
    brief="{program} reaches {rate} on {rate.cores:one core|cores}{rate.nodes:=| of {rate.nodes} "
    "nodes}[, {of_peak} of peak].",
)
