"""Chooses the sentences of the verdict: failures, the largest loss, then by weight."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from heorot.analyse.templates import validity as templates
from heorot.analyse.templates.briefs import is_brief
from heorot.model.analysis.breakdown import Attribution
from heorot.model.analysis.claims import Claim
from heorot.model.analysis.disturbance import Disturbances
from heorot.model.analysis.result import CrossCheck, Finding, Sentence
from heorot.model.run.collected import Collected

MOST_SENTENCES = 7
# A smaller loss is not worth a sentence of the verdict.
_LEAST_REPORTED = 0.10


@dataclass(frozen=True)
class Evidence:
    """The evidence for sentences about a whole run.

    Attributes:
        collected: how every step ended, and their account.
        n_repeats: number of steps that repeat perturbed launches.
    """

    collected: Collected
    findings: Sequence[Finding]
    checks: Sequence[CrossCheck]
    disturbances: Disturbances
    attributions: Sequence[Attribution] = ()
    suspects: Sequence[Finding] = ()
    n_repeats: int = 0


def make_verdict(
    said: Sequence[Sentence], evidence: Evidence
) -> tuple[list[Sentence], list[Sentence]]:
    """Sentences that a director can quote and an engineer can check, and those that do not fit.

    Sentences against the run or its numbers come first, and the largest loss, however many they
    are. The heaviest sentence of every family follows, then the heaviest of all others, in the
    order of the families, up to seven in all; sentences without weight or brief are left out. If
    nothing failed, the last one reports that.
    """
    trust, is_clean = _trust(evidence)
    first = [*filter(None, (None if is_clean else trust, *_against(evidence), _lost(evidence)))]
    closing = [trust] if is_clean else []
    candidates = [_with_brief(each) for each in (*said, *filter(None, [_agreement(evidence)]))]
    firsts: dict[str, int] = {}
    for place, sentence in enumerate(candidates[: len(said)]):
        heaviest = candidates[firsts.setdefault(sentence.family, place)]
        if _may_stand(sentence) and (sentence.weight > heaviest.weight or not _may_stand(heaviest)):
            firsts[sentence.family] = place
    ranked = sorted(
        (place for place, sentence in enumerate(candidates) if _may_stand(sentence)),
        key=lambda place: (place not in firsts.values(), -candidates[place].weight),
    )
    chosen = sorted(ranked[: MOST_SENTENCES - len(first) - len(closing)])
    verdict = [candidates[place] for place in chosen]
    others = [sentence for place, sentence in enumerate(said) if place not in chosen]
    return [*first, *verdict, *closing], others


def _with_brief(sentence: Sentence) -> Sentence:
    """A short text that quotes no interval is its own brief."""
    if sentence.brief or not is_brief(sentence.text) or "[" in sentence.text:
        return sentence
    return sentence.model_copy(update={"brief": sentence.text})


def _may_stand(sentence: Sentence) -> bool:
    return sentence.weight > 0.0 and bool(sentence.brief)


def _against(evidence: Evidence) -> Iterator[Sentence]:
    """Sentences against the run as a whole, or against numbers that many others rest on."""
    errors = sum(finding.severity == "error" for finding in evidence.findings)
    refused = evidence.collected.account.refused
    parts = [
        template.claim(n=number)
        for template, number in ((templates.ERRORS, errors), (templates.REFUSED, refused))
        if number
    ]
    if parts:
        yield templates.TO_RESOLVE(parts=parts)
    noise = evidence.disturbances
    if noise.n_spoilt:
        yield templates.SPOILT_RESULTS(
            results=Claim(text=noise.results, kind="run/disturbances", values=dict(noise))
        )
    if evidence.suspects:
        # Shares of suspect bounds are not quoted either.
        names = (str(each.subject.get("ceiling", "")) for each in evidence.suspects)
        known = [*dict.fromkeys(filter(None, names))]
        yield templates.SUSPECT(doubts=evidence.suspects, n=len(evidence.suspects), names=known)
    apart = [check for check in evidence.checks if not check.agrees]
    if apart:
        yield templates.DISAGREEMENT(
            evidence=(key for check in apart for key in check.evidence),
            n_pairs=len(evidence.checks),
            n=len(apart),
            quantities=[*dict.fromkeys(check.quantity for check in apart)],
        )


def _lost(evidence: Evidence) -> Sentence | None:
    """The program with the largest loss, even if it needs more numbers than others may have."""
    losses = [each for each in evidence.attributions if each.lost >= _LEAST_REPORTED]
    if not losses:
        return None
    largest = max(losses, key=lambda each: each.lost)
    return Sentence.of(largest, weight=0.65, brief=largest.short)


def _agreement(evidence: Evidence) -> Sentence | None:
    """The sentence that all cross-checks agree, if there are any and they do."""
    checks = evidence.checks
    if not checks or not all(check.agrees for check in checks):
        return None
    return templates.AGREEMENT(n=len(checks))


def _trust(evidence: Evidence) -> tuple[Sentence, bool]:
    """How trustworthy the run is, and whether it had no failure."""
    outcomes, account = evidence.collected.outcomes, evidence.collected.account
    n_checks = sum(len(outcome.checks) for outcome in outcomes)
    n_failed = sum(not check.passed for outcome in outcomes for check in outcome.checks)
    n_errors = sum(finding.severity == "error" for finding in evidence.findings)
    asked = account.submitted - account.refused
    incomplete = asked - account.completed
    is_clean = n_failed == 0 and incomplete == 0
    noise = evidence.disturbances
    trust = templates.TRUST(
        passed=_share(n_checks - n_failed, n_checks, "check", "passed"),
        completed=_completed(account.completed, asked, evidence),
        disturbances=Claim(text=noise.text, kind="run/disturbances", values=dict(noise)),
        refused=account.refused or None,
        errors=n_errors or None,
        standing=(
            _clean(n_checks, asked - evidence.n_repeats)
            if is_clean
            else _wrong(n_failed, incomplete)
        ),
        disturbed=(noise.n_disturbed or None) if is_clean else None,
    )
    return trust, is_clean


def _wrong(n_failed: int, incomplete: int) -> Claim:
    """Such as `2 checks failed and 1 launch did not complete`."""
    pairs = ((templates.FAILED_CHECKS, n_failed), (templates.INCOMPLETE, incomplete))
    return templates.STANDING.claim(
        parts=[template.claim(n=number) for template, number in pairs if number]
    )


def _clean(n_checks: int, launches: int) -> Claim:
    """Such as `all checks passed and all 252 launches completed`."""
    checks = templates.ALL_CHECKS.claim() if n_checks else _share(0, 0, "check", "passed")
    launched = _share(launches, launches, "launch", "completed")
    return templates.STANDING.claim(parts=[checks, launched])


def _completed(completed: int, asked: int, evidence: Evidence) -> Claim:
    """Such as `all 312 launches and 1 repeat completed`, in the form of all counts."""
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
