"""What is said of programs of others beside Heorot's own."""

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
