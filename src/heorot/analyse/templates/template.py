"""Templates of sentences: they make claims, and word them.

A template is a format string whose placeholders are keys of a claim; `words` has the possible
specifications. A clause in brackets is left out if one of its keys is missing. So the numbers of a
sentence are stored only in its claim.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from heorot.analyse.templates.briefs import shorten
from heorot.analyse.templates.words import (
    as_value,
    fill,
    find,
    is_value,
    label,
    placeholders,
    split_clauses,
)
from heorot.model.analysis.breakdown import Attribution
from heorot.model.analysis.claims import Claim, Limit, Quantity
from heorot.model.analysis.result import Finding, Result, Sentence, Severity


class Template:
    """A clause or sentence about claims of one kind.

    Args:
        kind: names it, such as `nodes/slow`.
        text: format string; clauses in brackets are optional.
        rule: the rule that decides claims of the kind, with placeholders for thresholds.
        brief: format string of the short form for a verdict, of some of the same keys.
    """

    def __init__(self, kind: str, text: str, *, rule: str = "", brief: str = "") -> None:
        self.kind, self.clauses, self.rule = kind, split_clauses(text), rule
        self.brief = split_clauses(brief)

    @property
    def texts(self) -> tuple[str, ...]:
        """All format strings of the template."""
        return (*self.clauses, self.rule)

    def claim(self, *, evidence: Iterable[str] | None = None, **keys: object) -> Claim:
        """The claim with these values.

        Args:
            evidence: keys of results or ids of steps; None for those of the values.
            keys: values of placeholders, or records whose fields they name; and any further values.
                None means missing.
        """
        forms = dict(each for text in self.texts for each in placeholders(text))
        held = {name: value for name, value in keys.items() if name in forms or is_value(value)}
        held |= {name: find(name, keys) for name in forms.keys() - keys.keys()}
        known = {
            label(name): as_value(value, forms.get(name, ""))
            for name, value in held.items()
            if value is not None
        }
        names = {name: value for name, value in known.items() if _is_name(value)}
        limits = {name: value for name, value in known.items() if isinstance(value, Limit)}
        values = {name: known[name] for name in known if name not in names | limits}
        own = evidence if evidence is not None else _evidence(known.values())
        return Claim.model_validate(
            {
                "text": "".join(fill(clause, keys) for clause in self.clauses),
                "brief": shorten(self.brief, keys),
                "kind": self.kind,
                "subject": names,
                "values": values,
                "limits": limits,
                "rule": fill(self.rule, keys),
                "evidence": tuple(dict.fromkeys(own)),
            }
        )


class SentenceTemplate(Template):
    """A sentence with a weight; with `capital`, its first letter is capitalised."""

    def __init__(
        self,
        kind: str,
        text: str,
        *,
        weight: float = 0.5,
        capital: bool = False,
        rule: str = "",
        brief: str = "",
    ) -> None:
        super().__init__(kind, text, rule=rule, brief=brief)
        self.weight, self.capital = weight, capital

    def __call__(
        self,
        *,
        family: str = "",
        weight: float | None = None,
        evidence: Iterable[str] | None = None,
        **keys: object,
    ) -> Sentence:
        """A sentence about some values, as of `claim`; with the usual weight by default."""
        weight = self.weight if weight is None else weight
        claim = self.claim(evidence=evidence, **keys)
        words = {"text": claim.text, "brief": claim.brief}
        if self.capital:
            words = {name: text[:1].upper() + text[1:] for name, text in words.items()}
        return Sentence.of(claim, **words, weight=weight, family=family)


class AttributionTemplate(Template):
    """A sentence about the cause of a program's loss of time."""

    def __call__(
        self,
        benchmark: str,
        *,
        lost: float = 0.0,
        evidence: Iterable[str] | None = None,
        **keys: object,
    ) -> Attribution:
        """A sentence, as of `claim`; `lost` is the share of the time that it explains [1]."""
        claim = self.claim(evidence=evidence, **keys)
        return Attribution.of(claim, benchmark=benchmark, lost=lost)


class FindingTemplate(Template):
    """A finding for the reader with its remedy (a format string, too), and a table."""

    def __init__(
        self,
        kind: str,
        text: str,
        *,
        severity: Severity = "warning",
        remedy: str,
        columns: Sequence[str] = (),
        rule: str = "",
    ) -> None:
        super().__init__(kind, text, rule=rule)
        self.severity, self.remedy, self.columns = severity, remedy, tuple(columns)

    @property
    def texts(self) -> tuple[str, ...]:
        """All format strings of the template."""
        return (*super().texts, self.remedy)

    def __call__(
        self,
        *,
        severity: Severity | None = None,
        remedy: str | None = None,
        affected: Iterable[str] = (),
        columns: Sequence[str] | None = None,
        rows: Iterable[tuple[str, ...]] = (),
        evidence: Iterable[str] | None = None,
        **keys: object,
    ) -> Finding:
        """A finding about some values, as of `claim`; without rows it has no table.

        Severity, remedy and columns are those of the template by default.
        """
        rows = tuple(rows)
        columns = self.columns if columns is None else tuple(columns)
        return Finding.of(
            self.claim(evidence=evidence, **keys),
            severity=severity or self.severity,
            affected=tuple(dict.fromkeys(affected)),
            remedy=fill(self.remedy if remedy is None else remedy, keys),
            columns=columns if rows else (),
            rows=rows,
        )


def _is_name(key: object) -> bool:
    several = key if isinstance(key, list | tuple) else [key]
    return all(isinstance(each, str) for each in several)


def _evidence(keys: Iterable[Any]) -> Iterable[str]:
    for key in keys:
        if isinstance(key, Quantity):
            yield from key.rows
        elif isinstance(key, Claim):
            yield from key.evidence
        elif isinstance(key, list | tuple):
            yield from _evidence(key)


_AMOUNT = Template("amount", "{what} {value}")


def amounts(rows: Iterable[tuple[str, Result | None]]) -> list[Claim]:
    """The names of several rows of one metric and their values, the best first.

    Args:
        rows: such as `("blocked", row)`; entries without a row are left out.
    """
    known = [(what, row) for what, row in rows if row is not None]
    rising = any(row.better == "higher" for _, row in known)
    known.sort(key=lambda each: each[1].median, reverse=rising)
    return [_AMOUNT.claim(what=what, value=row) for what, row in known]
