"""What the ends of the steps tell: failures, refusals, and an account that does not add up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from heorot.model.analysis.result import Finding
from heorot.model.run.account import Account
from heorot.model.run.outcome import Outcome
from heorot.model.run.plan import Step

_REMEDIES = {
    "failed": "read its last output; run the program alone with heorot run",
    "timed_out": "run it alone; a hang at two or more ranks points to the MPI set-up",
    "lost": "look for a crash of the node, the out-of-memory killer, or a killed job",
    "refused": "no failure: it counts as skipped; the reason says what it lacks here",
}
_ENDINGS = {"timed_out": "timed out", "lost": "was lost", "refused": "refused to run"}


def find_miscounts(account: Account) -> list[Finding]:
    """What does not fit in the account of the steps and would otherwise go unnoticed.

    Args:
        account: of all steps.
    """
    wrong = {
        f"{plural(len(account.repeated), 'step')} ended more than once": account.repeated,
        f"{plural(len(account.unknown), 'step')} ended that nobody asked for": account.unknown,
    }
    found = {text: steps for text, steps in wrong.items() if steps}
    if account.submitted != account.ended:
        found[f"{account.submitted} steps were asked for, {account.ended} are accounted for"] = ()
    return [
        Finding(
            observation=text,
            severity="error",
            evidence=steps,
            affected=steps,
            remedy="believe none of their results; jobs/*/status.jsonl says what happened when",
        )
        for text, steps in found.items()
    ]


def find_failures(outcomes: Sequence[Outcome], steps: Mapping[str, Step]) -> list[Finding]:
    """One finding per program, case and reason, however many launches it struck.

    A refusal is a note: the program says itself that the case does not fit this machine.

    Args:
        outcomes: how every step ended.
        steps: all steps by id.
    """
    groups: dict[tuple[str, ...], list[Outcome]] = {}
    for outcome in outcomes:
        if outcome.state != "completed":
            step = steps[outcome.step]
            # The reason of a timeout has its seconds in it.
            reason = "" if outcome.state == "timed_out" else outcome.reason
            key = (step.benchmark, step.case, step.toolchain, outcome.state, reason)
            groups.setdefault(key, []).append(outcome)
    several = len({step.toolchain for step in steps.values()}) > 1
    return [
        Finding(
            observation=(
                f"{benchmark} ({case}{', ' + toolchain if several else ''}) "
                f"{_ENDINGS.get(state, state)} in {plural(len(members), 'launch')}: "
                f"{members[0].reason}"
            ),
            severity="error" if members[0].troubled else "note",
            evidence=tuple(outcome.step for outcome in members),
            affected=(benchmark,),
            remedy=_REMEDIES[state],
        )
        for (benchmark, case, toolchain, state, _), members in groups.items()
    ]


def plural(number: int, noun: str) -> str:
    """Such as `1 launch` or `3 launches`."""
    ending = "es" if noun.endswith("ch") else "s"
    return f"{number} {noun}{'' if number == 1 else ending}"
