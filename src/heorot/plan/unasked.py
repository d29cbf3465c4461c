"""Questions that no experiment of a plan answers, each with its reason."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import get_args

from heorot.model.run.experiment import Question
from heorot.model.run.plan import SkippedCase, word_reasons
from heorot.model.run.request import Request
from heorot.plan.budget import Width
from heorot.plan.candidate import Candidate
from heorot.plan.experiments import experiments_of

_OF_A_NODE = ("cores", "copies", "layouts")
_OF_NODES = ("links", "equals", "nodes", "spread", "networks")
_GROWING = ("nodes", "spread")
_OF_SEVERAL_CORES = (*_OF_A_NODE, "spread")
_NETWORKS = "`networks` of the site file names more"
_TOOLCHAINS = "--toolchain takes several"
_PER_NODE = "--per-node puts it there"


def unasked(
    asked: frozenset[Question],
    candidates: Sequence[Candidate],
    refused: Sequence[SkippedCase],
    request: Request,
    cores: int,
    width: Width,
) -> dict[Question, str]:
    """Reasons why questions are not asked, each as a clause; "details" is not a question.

    Args:
        asked: questions that are asked.
        candidates: all candidates, whether or not they fit the machine.
        refused: candidates that do not fit the machine.
        cores: cores of every node.
    """
    missing = [each for each in get_args(Question) if each not in {*asked, "details"}]
    if request.chosen is not None:
        return {}
    wanted = experiments_of(candidates)
    reasons: dict[Question, str] = {}
    for question in missing:
        groups = [group for group in wanted if group.question == question]
        places = chain.from_iterable(group.least for group in groups)
        setups = {candidates[place].setup for place in places}
        unfit = [case for case in refused if case.setup in setups]
        if unfit:
            reasons[question] = f"its cases do not fit: {word_reasons(unfit)}"
        else:
            reasons[question] = _reason(question, request, cores, width)
    return reasons


def _reason(question: Question, request: Request, cores: int, width: Width) -> str:
    """What the machine or the request lacks for a question that no case asks."""
    apart = question in _OF_NODES
    inside = question in _OF_A_NODE
    one_number = question in _GROWING and len(set(request.nodes)) == 1
    lacking = (
        (apart and request.most_nodes == 1, "one node is requested; --nodes 1,2 requests more"),
        (one_number, "one number of nodes is requested; --nodes takes several"),
        (inside and 1 not in request.nodes, "no run in one node is requested; --nodes 1 adds it"),
        (question in _OF_SEVERAL_CORES and cores == 1, "a node has one core"),
        (question == "networks" and width.networks == 1, f"there is one network; {_NETWORKS}"),
        (question == "toolchains" and width.toolchains == 1, f"there is one; {_TOOLCHAINS}"),
        (question == "spread", f"no number of ranks is on two numbers of nodes; {_PER_NODE}"),
    )
    none = f"no program chosen has cases for it in the profile {request.profile}"
    return next((reason for is_so, reason in lacking if is_so), none)
