"""Chooses what a director should hear: of every family the heaviest sentence, and what is left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from heorot.analyse.templates import trust as templates
from heorot.model.analysis.breakdown import Attribution
from heorot.model.analysis.claims import Claim
from heorot.model.analysis.disturbance import Disturbances
from heorot.model.analysis.result import CrossCheck, Finding, Sentence
from heorot.model.run.collected import Collected

MOST_SENTENCES = 10
# A smaller loss is no news to a director.
_WORTH_SAYING = 0.10


@dataclass(frozen=True)
class Evidence:
    """What the sentences about a whole run rest on.

    Attributes:
        collected: how every step ended, and the account of them.
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
    """
    trust, disagreement = _trust(evidence), _disagreement(evidence)
    # Shares of doubtful ceilings are no better than these.
    doubt = templates.DOUBT(doubts=evidence.doubts) if evidence.doubts else None
    closing = [*filter(None, (doubt, disagreement)), trust]
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
    return Sentence.of(worst, weight=0.65)


def _agreement(evidence: Evidence) -> Sentence | None:
    """That all cross-checks agree, if there are any and they do."""
    checks = evidence.checks
    if not checks or not all(check.agrees for check in checks):
        return None
    return templates.AGREEMENT(n=len(checks))


def _disagreement(evidence: Evidence) -> Sentence | None:
    """Which cross-checks do not agree: no number of sentences crowds that out."""
    apart = [check for check in evidence.checks if not check.agrees]
    if not apart:
        return None
    return templates.DISAGREEMENT(
        evidence=(key for check in apart for key in check.evidence),
        n_pairs=len(evidence.checks),
        n=len(apart),
        quantities=[*dict.fromkeys(check.quantity for check in apart)],
    )


def _trust(evidence: Evidence) -> Sentence:
    outcomes, account = evidence.collected.outcomes, evidence.collected.account
    n_checks = sum(len(outcome.checks) for outcome in outcomes)
    n_failed = sum(not check.passed for outcome in outcomes for check in outcome.checks)
    n_errors = sum(finding.severity == "error" for finding in evidence.findings)
    told = evidence.disturbances
    return templates.TRUST(
        passed=_share(n_checks - n_failed, n_checks, "check", "passed"),
        completed=_completed(account.completed, account.submitted - account.refused, evidence),
        disturbances=Claim(text=told.text, kind="run/disturbances", values=dict(told)),
        refused=account.refused or None,
        errors=n_errors or None,
    )


def _completed(completed: int, asked: int, evidence: Evidence) -> Claim:
    """Such as `all 312 launches and 1 repeat completed`, as all counts have it."""
    n = evidence.n_repeats
    if not n:
        return _share(completed, asked, "launch", "completed")
    if completed < asked:
        return templates.PART_REPEATED.claim(part=completed, whole=asked)
    return templates.ALL_REPEATED.claim(launches=asked - n, repeats=n)


def _share(part: int, whole: int, noun: str, verb: str) -> Claim:
    """Such as `all 5 checks passed` or `3 of 4 launches completed`."""
    if whole == 0:
        return templates.NONE.claim(noun=noun)
    if whole == 1:
        return templates.ONLY.claim(noun=noun, done=part > 0, verb=verb)
    template = templates.ALL if part == whole else templates.PART
    return template.claim(part=part, whole=whole, noun=noun, verb=verb)
