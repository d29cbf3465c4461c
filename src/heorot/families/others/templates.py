"""What is said of programs of others, beside Heorot's own and beside each other."""

from __future__ import annotations

from heorot.analyse.templates.template import SentenceTemplate, Template

BESIDE = SentenceTemplate(
    "others/beside",
    "{program} beside Heorot's own: {pairs:;}[; {more} more pairs are in its table][{comparable:. "
    "Its figures compare with published ones; of ours, each says so itself|}].",
    weight=0.8,
    capital=True,
)
PAIR = Template(
    "others/pair", "{what} takes {ratio:times2 as long as {ours} on {layout}{only: (one launch)|}}"
)
LAYOUT = Template("others/layout", "{row.ranks:rank}{row.threads:=| of {row.threads} threads}")
LINPACK = SentenceTemplate(
    "others/linpack",
    "{program} reaches {rate} on {rate.cores:one core|cores}{rate.nodes:=| of {rate.nodes} nodes}"
    "[, {of_peak} of peak][, {gain:times2 as much as one node}]; on as many, {first} reaches "
    "{first_part} of it[, and {last}, the slowest of {n} applications, {last_part}].",
    weight=0.85,
)
