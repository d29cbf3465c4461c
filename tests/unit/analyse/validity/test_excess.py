"""Shares above all of a bound are withheld, and are one finding about Heorot."""

from __future__ import annotations

from typing import Any

import pytest

from heorot.analyse.analysis import analyse
from heorot.analyse.validity.suspect_bounds import Passing, find_excess, withhold
from heorot.model.analysis.node_roofline.levels import NOMINAL_SHARE, SHARE_OF_ROOFLINE
from heorot.model.analysis.result import Analysis, Result
from heorot.model.analysis.rows import Rows
from heorot.model.catalogue.family import Family
from heorot.model.catalogue.metrics import Ceiling, Headline, Metric, Reference
from tests.unit.analyse.builders import a_benchmark, a_machine, a_result, a_series
from tests.unit.analyse.evaluations import a_collection


def roofline(share: float, **changes: Any) -> Result:
    fields: dict[str, Any] = {"metric": SHARE_OF_ROOFLINE, "unit": "1", "derived": True}
    return a_result(median=share, **(fields | changes))


@pytest.mark.parametrize(("share", "reported"), [(1.04, 1.04), (1.06, None), (2.35, None)])
def test_no_row_has_a_share_above_all_of_its_bound(share: float, reported: float | None) -> None:
    rows = Rows([a_result(share_of_ceiling=share), a_result(region="copy", share_of_ceiling=0.5)])
    rows, passing = withhold(rows)
    assert [row.share_of_ceiling for row in rows] == [reported, 0.5]
    assert [one.share for one in passing] == ([share] if reported is None else [])


def test_a_row_that_is_such_a_share_is_dropped() -> None:
    """Its evidence is the measured row."""
    measured = a_result()
    rows = Rows([measured, roofline(1.94), roofline(0.9, region="copy")])
    rows, passing = withhold(rows)
    assert passing == [Passing(measured, SHARE_OF_ROOFLINE, 1.94)]
    assert [row.metric for row in rows] == ["bandwidth", SHARE_OF_ROOFLINE]
    assert rows.find("memory/stream", "triad", SHARE_OF_ROOFLINE) == []


def test_more_than_the_peak_by_definition_is_no_share_and_no_fault() -> None:
    rows = Rows(
        [roofline(1.18, metric=NOMINAL_SHARE), roofline(0.9, region="copy", metric=NOMINAL_SHARE)]
    )
    rows, passing = withhold(rows)
    assert passing == []
    assert [row.median for row in rows] == [0.9]


def test_other_ratios_are_no_shares_of_a_bound() -> None:
    rows = Rows([a_result(metric="times_kernels", unit="1", median=3.4, derived=True)])
    rows, passing = withhold(rows)
    assert passing == []
    assert len([*rows]) == 1


def test_all_of_them_are_one_finding_about_heorot() -> None:
    far = a_result(point={"working_set_bytes": 8998912})
    copy = a_result(region="copy")
    passing = [Passing(far, SHARE_OF_ROOFLINE, 1.94), Passing(copy, "bandwidth", 2.35)]
    (finding,) = find_excess(passing)
    assert finding.text == (
        "Heorot's model is wrong for 2 results: their bounds are exceeded by more than 5 %, the "
        "first by a factor of 2.35. These shares are withheld"
    )
    assert finding.severity == "warning"
    assert finding.evidence == (copy.id, far.id)
    assert [row[-1] for row in finding.rows] == ["2.35", "1.94"]
    assert finding.rows[0][4] == "bandwidth of its bound"
    assert finding.rows[1][3:5] == ("working set bytes 8998912", "share of roofline")


def test_perturbed_samples_say_nothing_of_heorot() -> None:
    rows = a_result(), a_result(region="copy", disturbed=True)
    sure, unsure = find_excess([Passing(row, SHARE_OF_ROOFLINE, 1.94) for row in rows])
    assert (sure.kind, sure.evidence) == ("run/above bounds", (rows[0].id,))
    assert (unsure.severity, unsure.evidence) == ("note", (rows[1].id,))
    assert unsure.text == (
        "1 result exceeded its bound by more than 5 %, the first by a factor of 1.94, in "
        "perturbed samples. These shares are withheld"
    )


def test_a_refused_value_is_an_error_and_what_is_derived_no_second_case() -> None:
    refused = a_result(plausible=False, share_of_ceiling=8.33)
    copied = refused.model_copy(update={"derived": True, "metric": "best"})
    rows = Rows([refused, copied])
    rows, (passing,) = withhold(rows)
    assert [row.share_of_ceiling for row in rows] == [None, None]
    (finding,) = find_excess([passing])
    assert finding.severity == "error"
    assert finding.text.endswith("These shares are withheld, and 1 value with them")
    assert find_excess([passing], reported=[refused.id]) == []
    assert find_excess([]) == []


RATE = Metric(name="rate", unit="B/s", better="higher", count="bytes")
ROOF = a_benchmark(
    "units/top",
    metrics=(RATE,),
    publishes=(Reference(name="roof", metric="rate", regions=("main",)),),
)
WORK = a_benchmark(
    "units/work",
    metrics=(RATE,),
    ceilings=(Ceiling(metric="rate", by="roof", slack=2.5, reason="it is a roof"),),
    headlines=(Headline(label="Work", metric="rate", region="main"),),
)


def analysed(times: float) -> Analysis:
    """A run of a program at a multiple of the roof that another published."""
    made = [
        a_series(
            benchmark=name, region="main", counts={"bytes": n}, launch=launch, step=f"S{launch}"
        )
        for name, n in (("units/top", 1e9), ("units/work", times * 1e9))
        for launch in (1, 2, 3)
    ]
    family = Family(name="units", title="Units", about="nothing", benchmarks=(ROOF, WORK))
    return analyse(a_collection(made, ()), (), (family,), a_machine(2), run="r", seed=1)


def test_a_run_tells_such_a_share_nowhere_but_in_the_finding() -> None:
    (finding,) = [one for one in analysed(2.0).findings if "model is wrong" in one.text]
    assert [row[0] for row in finding.rows] == ["units/work"]
    for said in (analysed(2.0), analysed(1.06)):
        assert max(row.share_of_ceiling or 0.0 for row in said.results) <= 1.05
        (score,) = said.scores
        assert (score.result.share_of_ceiling, score.ceiling) == (None, "")
    (score,) = analysed(1.04).scores
    assert score.result.share_of_ceiling == pytest.approx(1.04)
    assert not [one for one in analysed(1.04).findings if "model is wrong" in one.text]
