"""Page walks: their cost compared with a line, the dTLB reach, 4 KiB pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from heorot.families.memory.derived.translations import explain, find, sentence
from heorot.model.machine.machine import Memory
from heorot.model.run.outcome import Outcome
from heorot.model.run.records import NoteLine
from tests.unit.analyse.builders import a_context, a_machine, a_result, a_step

if TYPE_CHECKING:
    from heorot.model.analysis.context import Context
    from heorot.model.analysis.result import Result

PAGE, LINE, KIB = 4096, 64, 1 << 10
COUNTS = [1 << step for step in range(15)]  # pages: up to 64 MiB of them, 1 MiB of lines
# The line itself comes from caches of 512 and more lines; the dTLB has 64 entries, the next level
# 2048.
WAITS = {512: 1e-9, 1 << 30: 4e-9}
TRANSLATIONS = {64: 0.0, 2048: 2e-9, 1 << 30: 8e-9}


def at(levels: dict[int, float], n: float) -> float:
    return next(value for end, value in levels.items() if n <= end)


def walk(region: str, size: int, median: float) -> Result:
    return a_result(
        benchmark="memory/latency",
        region=region,
        metric="latency",
        unit="s",
        better="lower",
        point={"working_set_bytes": size, "chains": 1},
        median=median,
    )


def walks(page_bytes: int = PAGE) -> list[Result]:
    sizes = [4 * KIB << step for step in range(15)]
    chase = [walk("chase", size, at(WAITS, size / LINE)) for size in sizes]
    pages = [walk("pages", n * page_bytes, at(WAITS, n) + at(TRANSLATIONS, n)) for n in COUNTS]
    return [*chase, *pages]


def run(rows: list[Result], notes: dict[str, float] | None = None, **fields: Any) -> Context:
    step = a_step(benchmark="memory/latency")
    reported = tuple(
        NoteLine(type="note", name=name, value=value) for name, value in (notes or {}).items()
    )
    ended = Outcome(step=step.id, state="completed", notes=reported)
    return a_context(rows, steps=[step], outcomes=[ended], **fields)


@pytest.mark.parametrize("page_bytes", [PAGE, 16 * PAGE])
def test_a_translation_is_what_is_waited_for_beside_the_line(page_bytes: int) -> None:
    notes = {"small_page_bytes": float(page_bytes)}
    found = explain(run(walks(page_bytes), notes))
    times = {
        int(row.point["working_set_bytes"]) // page_bytes: row.median
        for row in found
        if row.metric == "translation"
    }
    assert times == pytest.approx({n: at(TRANSLATIONS, n) for n in COUNTS if n > 64})
    (reach,) = (row for row in found if row.metric == "translation_reach")
    assert (reach.median, reach.ci_high) == (64 * page_bytes, 128 * page_bytes)
    assert all((row.region, row.derived) == ("pages", True) for row in found)


def test_nothing_is_said_of_a_reach_that_did_not_end() -> None:
    rows = [row for row in walks() if row.region == "chase" or at(TRANSLATIONS, 64) == 0.0]
    near = [row for row in rows if float(row.point["working_set_bytes"]) <= 64 * PAGE]
    assert not [row for row in explain(run(near)) if row.metric == "translation_reach"]
    assert explain(run([row for row in rows if row.region == "pages"])) == []


def test_the_reach_is_reported_with_what_lies_beyond() -> None:
    rows = walks()
    said = sentence(run([*rows, *explain(run(rows))]))
    assert said is not None
    assert said.text == (
        "dTLB reach of one core: 256 KiB with base pages. Page-walk cost over 64 MiB: 8.00 ns "
        "[7.84…8.16 in 3 launches] per load."
    )
    unknown = [each.model_copy(update={"ci_low": 0.0}) for each in explain(run(rows))]
    said = sentence(run([*rows, *unknown]))
    assert said is not None
    assert said.text == "dTLB reach of one core: 256 KiB with base pages."
    assert sentence(run(rows)) is None


@pytest.mark.parametrize(("share", "found"), [(0.0, 1), (0.3, 1), (1.0, 0)])
def test_small_pages_in_place_of_huge_ones_are_said(share: float, found: int) -> None:
    machine = a_machine(memory=Memory(total_bytes=1 << 34, huge_pages="never"))
    context = run(walks(), {"share_in_huge_pages": share}, machine=machine)
    findings = find(context)
    assert len(findings) == found
    for finding in findings:
        assert f"{100 * share:.0f} % of the memory" in finding.text
        assert "(policy: never)" in finding.text
    assert find(run(walks())) == []
