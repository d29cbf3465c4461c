"""Claims are data: values of a sentence, a finding and an attribution, and their evidence."""

from __future__ import annotations

import pytest
from pydantic import TypeAdapter

from heorot.analyse.templates.quantities import exactly, limit, ratio
from heorot.analyse.templates.template import (
    AttributionTemplate,
    FindingTemplate,
    SentenceTemplate,
    Template,
)
from heorot.model.analysis.claims import Claim, Quantity
from heorot.model.analysis.result import Finding
from tests.unit.analyse.builders import a_result
from tests.unit.model.keys import but

GAIN = SentenceTemplate("any/gain", "{program} runs at {rate}[, {gain:times as fast}].", weight=0.4)
SLOW = FindingTemplate(
    "any/slow",
    "{nodes:and} lag by {lag:value}",
    remedy="look at {nodes:and}",
    columns=("node", "lag"),
    rule="by more than {least:.0%}",
)


def test_a_claim_tells_names_from_values_and_thresholds() -> None:
    lag, least = exactly(0.3, "%"), limit(0.05)
    claim = SLOW.claim(nodes=["n1", "n2"], lag=lag, least=least, n=2, known=True, other=None)
    assert claim == Claim(
        text="n1 and n2 lag by 30.0 %",
        kind="any/slow",
        subject={"nodes": ("n1", "n2")},
        values={"lag": lag, "n": 2, "known": True},
        limits={"least": least},
        rule="by more than 5 %",
    )


def test_it_rests_on_the_rows_of_its_values_unless_reported_otherwise() -> None:
    row, other = a_result(median=10e9), but(a_result(median=20e9), region="other")
    reported = GAIN(program="P", rate=row, gain=ratio(other, row))
    assert reported.evidence == (row.id, other.id)
    assert reported.values["rate"] == Quantity(
        median=10e9,
        low=row.ci_low,
        high=row.ci_high,
        unit="B/s",
        launches=3,
        rows=(row.id,),
    )
    inner = Template("any/in", "{rate}").claim(rate=other)
    outer = Template("any/out", "{each}; {all:and}")
    assert outer.claim(each=inner, all=[inner]).evidence == (other.id,)
    assert outer.claim(evidence=["S1", "S1"], each=inner, all=[inner]).evidence == ("S1",)


def test_a_sentence_has_the_weight_of_its_kind_or_another() -> None:
    row = a_result()
    reported = GAIN(program="p", rate=row, gain=None)
    assert reported.text.endswith("launches].")
    assert (reported.weight, reported.family) == (0.4, "")
    reported = GAIN(program="p", rate=row, gain=None, weight=0.0, family="memory")
    assert (reported.weight, reported.family) == (0.0, "memory")
    assert SentenceTemplate("any/x", "{n} run", capital=True)(n="they").text == "They run"
    assert GAIN(program="p", rate=row, gain=None).text.startswith("p ")


def test_a_finding_has_what_to_do_and_a_table_if_there_are_rows() -> None:
    lag = exactly(0.3, "%")
    found = SLOW(nodes=["n1"], lag=lag, least=limit(0.05), affected=["n1", "n1"])
    assert (found.severity, found.remedy, found.affected) == ("warning", "look at n1", ("n1",))
    assert (found.columns, found.rows) == ((), ())
    rows = [("n1", "30 %")]
    found = SLOW(nodes=["n1"], lag=lag, least=limit(0.05), rows=rows, severity="note", remedy="no")
    assert (found.severity, found.remedy) == ("note", "no")
    assert (found.columns, found.rows) == (("node", "lag"), (("n1", "30 %"),))


def test_an_attribution_says_what_is_lost() -> None:
    reported = AttributionTemplate("any/loss", "{n} are lost")("a/b", lost=0.2, n=3)
    assert (reported.benchmark, reported.lost, reported.text, reported.kind) == (
        "a/b",
        0.2,
        "3 are lost",
        "any/loss",
    )


def test_a_finding_is_read_as_it_was_written() -> None:
    inner = Template("any/in", "{n:node}").claim(n=1)
    found = SLOW(nodes=["n1"], lag=exactly(0.3, "%"), least=limit(0.05), in_all=[inner], each=inner)
    known = TypeAdapter(Finding)
    assert known.validate_json(known.dump_json(found)) == found


def test_a_template_names_all_that_it_wants() -> None:
    with pytest.raises(KeyError):
        GAIN(program="p", rate=a_result())


def test_what_a_template_names_of_a_record_is_held_too() -> None:
    row = a_result(threads=2, point={"n": 8})
    size = Template("any/row", "{row.point[n]} rows on {row.cores} cores with {row.stack}: {row}")
    reported = size.claim(row=row)
    assert reported.text.startswith("8 rows on 2 cores with gnu-12: 15.0 GB/s")
    assert reported.subject == {"stack": "gnu-12"}
    assert [reported.values[name] for name in ("n", "cores")] == [8, 2]
    assert reported.evidence == (row.id,)
    # Of a record only the named fields are kept, and missing ones are left out.
    layout = Template("any/layout", "{row.ranks:rank}[ of {other.ranks}]")
    reported = layout.claim(row=row, other=None)
    assert (reported.text, reported.values, reported.evidence) == ("1 rank", {"ranks": 1}, ())
