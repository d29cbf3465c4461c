"""Answers to the questions of a plan, program by program."""

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
    brief="{problem} {gained:times as fast}",
)
FASTEST = Template("questions/reason", "it is fastest on {fastest:one|}")
LONGER = Template(
    "questions/longer",
    "{problem} {ratio:times as long}[ ({why:;})]",
    brief="{problem} {ratio:times as long}",
)
LOSES = Template("questions/loses", "{problem} {loss}")
CAUSE = Template(
    "questions/cause",
    "{quantity}: {times:times as long}[; with {share:2} of its time expected: "
    "{expected:times as long}]{is_apart:, which does not explain it|}",
)

_SMALL = "[ ({small:and} {n_small:=is|are} " + TOO_SMALL + ")]."
_MORE = ": {programs:; 4}" + _SMALL
_TIMES = ": {programs:; 4}[; faster: {faster:and 4}]" + _SMALL

CORES = Template(
    "questions/cores",
    "Speedup on {row.cores:core} of a node against {base.cores:one|}, least efficient first"
    + _MORE,
    brief="Speedup on {row.cores:core} of a node against {base.cores:one|}, least efficient "
    "first: {programs:; 1}.",
)
NODES = Template(
    "questions/nodes",
    "Speedup on {row.nodes:node} against {base.nodes:one|}, equally full[, over {network}], least "
    "efficient first" + _MORE,
    brief="Speedup on {row.nodes:node} against {base.nodes:one|}, least efficient first: "
    "{programs:; 1}.",
)
KEEPS = Template("questions/keeps", "{problem} {kept}")
GROWING = Template(
    "questions/growing",
    "Weak scaling, speed per core kept on {row.cores:core} {inside:of a node|on {row.nodes} "
    "nodes}[, over {network}], against {base.cores:one|}, least first" + _MORE,
    brief="Weak scaling, speed per core kept on {row.cores:core}, least first: {programs:; 1}.",
)
SPREAD = Template(
    "questions/spread",
    "{problem} takes {ratio:times as long} with {row.ranks} ranks{row.threads:=| of {row.threads} "
    "threads} on {row.nodes:node} instead of {base.nodes:one|}[, over {network}][ ({why:;})]"
    "[; {others:; 3}]" + _SMALL,
    brief="{problem} takes {ratio:times as long} with {row.ranks} ranks on {row.nodes:node} "
    "instead of {base.nodes:one|}.",
)
BANDWIDTH = Template("questions/reason", "memory bandwidth per core {times:times as much}")
NETWORKS = Template(
    "questions/networks",
    "Time over {network} against {against}, {layout}, most sensitive first" + _TIMES,
    brief="Time over {network} against {against}, {layout}, most sensitive first: {programs:; 1}.",
)
COPIES = Template(
    "questions/copies",
    "Contention, loss of each of {row.ranks} copies at once, largest first" + _MORE,
)
NO_LOSS = Template(
    "questions/copies",
    "Contention: with {row.ranks} copies at once none of {n:program} loses speed beyond noise.",
)
LAYOUTS = Template(
    "questions/layouts",
    "Time on {row.cores:core} of a node with {layout} against {against}" + _TIMES,
)
