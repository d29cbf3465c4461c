"""Chooses what a director should hear: of every family the heaviest sentence, and what is left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from heorot.model.analysis.breakdown import Attribution
from heorot.model.analysis.disturbance import Disturbances
from heorot.model.analysis.result import CrossCheck, Finding, Sentence
from heorot.model.run.collected import Collected
from heorot.units import noun_for, plural

MOST_SENTENCES = 10
# A smaller loss is no news to a director.
_WORTH_SAYING = 0.10
_MOST_DOUBTS = 2
_MOST_NAMES = 3


@dataclass(frozen=True)
class Evidence:
    """What the sentences about a whole run rest on.

    Attributes:
        collected: how every step ended, and the account of them.
        findings: all findings.
        checks: all cross-checks.
        disturbances: how much of the run was disturbed.
        attributions: what programs lose their time to.
        doubts: what is doubtful about ceilings.
        n_repeats: so many of the steps repeat launches that were disturbed.
    """

    collected: Collected
    findings: Sequence[Finding]
    checks: Sequence[CrossCheck]
    disturbances: Disturbances
    attributions: Sequence[Attribution] = ()
    doubts: Sequence[Finding] = ()
    n_repeats: int = 0


def make_verdict(
    said: Sequence[Sentence], evidence: Evidence
) -> tuple[list[Sentence], list[Sentence]]:
    """Sentences a director can quote and an engineer can check, and those there is no room for.

    The heaviest sentence of every family stands in the verdict, then the heaviest of all others,
    up to ten; one without weight does not. Their order is that of the families. The last ones say
    what contradicts itself, if anything does, and how far the run is to be trusted.

    Args:
        said: the sentences of all families, in the order of these.
        evidence: what the sentences about the run rest on.
    """
    trust, disagreement = _trust(evidence), _disagreement(evidence)
    closing = [*filter(None, (_doubt(evidence), disagreement)), trust]
    candidates = [*said, *filter(None, (_lost(evidence), _agreement(evidence)))]
    firsts: dict[str, int] = {}
    for place, sentence in enumerate(said):
        first = firsts.setdefault(sentence.family, place)
        if sentence.weight > said[first].weight:
            firsts[sentence.family] = place
    ranked = sorted(
        (place for place, sentence in enumerate(candidates) if sentence.weight > 0.0),
        key=lambda place: (place not in firsts.values(), -candidates[place].weight),
    )
    chosen = sorted(ranked[: MOST_SENTENCES - len(closing)])
    verdict = [candidates[place] for place in chosen]
    others = [sentence for place, sentence in enumerate(said) if place not in chosen]
    return [*verdict, *closing], others


def _lost(evidence: Evidence) -> Sentence | None:
    """The program that loses most; the sections of the others have their own sentences."""
    worst = max(evidence.attributions, key=lambda each: each.lost, default=None)
    if worst is None or worst.lost < _WORTH_SAYING:
        return None
    return Sentence(text=worst.text, evidence=worst.evidence, weight=0.65)


def _agreement(evidence: Evidence) -> Sentence | None:
    """That all cross-checks agree, if there are any and they do."""
    checks = evidence.checks
    if not checks or not all(check.agrees for check in checks):
        return None
    return Sentence(text=f"What was measured in two ways agrees ({_pairs(checks)}).")


def _disagreement(evidence: Evidence) -> Sentence | None:
    """Which cross-checks do not agree: no number of sentences crowds that out."""
    apart = [check for check in evidence.checks if not check.agrees]
    if not apart:
        return None
    known = [*dict.fromkeys(check.quantity for check in apart)]
    names = ", ".join(known[:_MOST_NAMES])
    if len(known) > _MOST_NAMES:
        names += f" and {len(known) - _MOST_NAMES} more"
    verb = "does" if len(apart) == 1 else "do"
    of_all = _pairs(evidence.checks)
    return Sentence(
        text=f"Of {of_all} of numbers that ought to agree, {len(apart)} {verb} not: {names}.",
        evidence=tuple(dict.fromkeys(key for check in apart for key in check.evidence)),
    )


def _doubt(evidence: Evidence) -> Sentence | None:
    """Which ceilings are doubtful: shares of them are no better than they are."""
    doubts = evidence.doubts
    if not doubts:
        return None
    text = "; ".join(each.observation for each in doubts[:_MOST_DOUBTS])
    more = f"; and {len(doubts) - _MOST_DOUBTS} more" if len(doubts) > _MOST_DOUBTS else ""
    keys = tuple(key for each in doubts for key in each.evidence)
    return Sentence(text=f"{text[0].upper()}{text[1:]}{more}.", evidence=keys)


def _pairs(checks: Sequence[CrossCheck]) -> str:
    return "one pair" if len(checks) == 1 else f"{len(checks)} pairs"


def _trust(evidence: Evidence) -> Sentence:
    outcomes, account = evidence.collected.outcomes, evidence.collected.account
    n_checks = sum(len(outcome.checks) for outcome in outcomes)
    n_failed = sum(not check.passed for outcome in outcomes for check in outcome.checks)
    n_errors = sum(finding.severity == "error" for finding in evidence.findings)
    passed = _share(n_checks - n_failed, n_checks, "check", "passed")
    completed = _completed(account.completed, account.submitted - account.refused, evidence)
    text = f"{passed}, {completed}; {evidence.disturbances.text}"
    if account.refused:
        text += f"; {account.refused} could not run here"
    if n_errors:
        text += f"; {n_errors} error{'s' if n_errors > 1 else ''} must be settled first"
    return Sentence(text=text[0].upper() + text[1:] + ".")


def _completed(completed: int, asked: int, evidence: Evidence) -> str:
    """Such as `all 312 launches and 1 repeat completed`, as all counts have it."""
    n = evidence.n_repeats
    if not n:
        return _share(completed, asked, "launch", "completed")
    if completed < asked:
        return f"{completed:,} of {asked:,} launches and repeats completed"
    return f"all {asked - n:,} {noun_for(asked - n, 'launch')} and {plural(n, 'repeat')} completed"


def _share(part: int, whole: int, noun: str, verb: str) -> str:
    """Such as `all 5 checks passed` or `3 of 4 launches completed`."""
    if whole == 0:
        return f"there was no {noun}"
    if whole == 1:
        return f"the only {noun} {verb}" if part else f"the only {noun} has not {verb}"
    of_all = f"all {whole:,}" if part == whole else f"{part:,} of {whole:,}"
    return f"{of_all} {noun_for(whole, noun)} {verb}"
