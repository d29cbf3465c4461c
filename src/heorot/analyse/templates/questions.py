"""What is said to each question that a plan asks, of its programs one after the other."""

from __future__ import annotations

from heorot.analyse.rows import TOO_SMALL
from heorot.analyse.templates.template import Template

LAYOUT = Template(
    "questions/layout",
    "{row.ranks} {row.is_star:copies|{row.ranks:=rank|ranks}}{row.threads:=| of {row.threads} "
    "threads}{row.nodes:=| on {row.nodes} nodes}",
)

FASTER = Template(
    "questions/faster",
    "{problem} {gained:times as fast}[, {efficiency:efficiency}][ ({why:;})]",
)
FASTEST = Template("questions/reason", "it is fastest on {fastest:one|}")
LONGER = Template("questions/longer", "{problem} {ratio:times as long}[ ({why:;})]")
LOSES = Template("questions/loses", "{problem} {loss}")
CAUSE = Template(
    "questions/cause",
    "{quantity}: {times:times as long}[; with {share:2} of its time expected: "
    "{expected:times as long}]{is_apart:, which does not explain it|}",
)

_SMALL = "[ ({small:and} {n_small:=is|are} " + TOO_SMALL + ")]."
_MORE = ": {programs:; 4}" + _SMALL
_TIMES = ": {programs:; 4}[; faster so: {faster:and 4}]" + _SMALL

CORES = Template(
    "questions/cores",
    "On {row.cores:core} of a node instead of {base.cores:one|}, least efficient first" + _MORE,
)
NODES = Template(
    "questions/nodes",
    "On {row.nodes:node} instead of {base.nodes:one|}, all used alike[, over {network}], least "
    "efficient first" + _MORE,
)
KEEPS = Template("questions/keeps", "{problem} {kept}")
GROWING = Template(
    "questions/growing",
    "Of their speed per core, programs whose problem grows with the cores keep on "
    "{row.cores:core} {inside:of a node|on {row.nodes} nodes}[, over {network}], compared with "
    "{base.cores:one|}, least first" + _MORE,
)
SPREAD = Template(
    "questions/spread",
    "{problem} takes {ratio:times as long} with {row.ranks} ranks{row.threads:=| of {row.threads} "
    "threads} on {row.nodes:node} instead of {base.nodes:one|}[, over {network}][ ({why:;})]"
    "[; {others:; 3}]" + _SMALL,
)
BANDWIDTH = Template("questions/reason", "memory bandwidth per core {times:times as much}")
NETWORKS = Template(
    "questions/networks",
    "Over {network} instead of {against}, {layout} take, most sensitive first" + _TIMES,
)
COPIES = Template(
    "questions/copies",
    "Of {row.ranks} copies at once each loses, most first" + _MORE,
)
NO_LOSS = Template(
    "questions/copies",
    "Of {row.ranks} copies at once none of {n:program} loses anything beyond chance.",
)
LAYOUTS = Template(
    "questions/layouts",
    "On {row.cores:core} of a node, with {layout} instead of {against}, programs take" + _TIMES,
)
