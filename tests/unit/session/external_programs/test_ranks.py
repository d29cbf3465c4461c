"""A launch by recipe on several nodes counts if its ranks ran on the right nodes."""

from __future__ import annotations

from pathlib import Path

import pytest

from heorot.analyse.validity.placement import find_misplaced
from heorot.model.run.outcome import Outcome
from heorot.session.external_programs import launches
from tests.unit.recipes.conftest import a_launch, a_record, read


def noted(*ranks: int, command: str = "solve") -> str:
    lines = (f'{{"command":"{command}","rank":{rank},"pid":7,"cpus":"0-1,4"}}\n' for rank in ranks)
    return "".join(lines)


@pytest.mark.parametrize(
    ("files", "wanted", "misplaced"),
    [
        ({"n1": noted(0, 1), "n2": noted(3, 2)}, ["n1", "n1", "n2", "n2"], ""),
        ({"n1": noted(0, 0), "n2": noted(0, 0)}, ["n1", "n1", "n2", "n2"], ""),  # not numbered
        ({"n1": noted(0, 1, 2, 3)}, ["n1"] * 4, "ran on 1 of 2 nodes (n1)"),
        ({"n1": noted(0, 1, 2), "n2": noted(3)}, ["n1"] * 3 + ["n2"], "had 3 ranks on n1 instead"),
        ({"n1": noted(0, 1), "n2": noted(2)}, [], "ran on 0 of 2 nodes"),  # one is not known
        ({"n1": noted(0, 1), "n2": noted(2, 3)[:-5]}, [], "ran on 0 of 2 nodes"),
        ({"n1": noted(0, 1), "no name of a host!": noted(2, 3)}, [], "ran on 0 of 2 nodes"),
        (
            {
                "n1": noted(0, 1, command="mesh") + noted(0, 1, 2, 3),
                "n2": noted(2, 3, command="mesh"),
            },
            ["n1"] * 4,  # of the command that was on the fewest
            "ran on 1 of 2 nodes (n1)",
        ),
        ({}, [], "ran on 0 of 2 nodes"),
    ],
)
def test_a_launch_on_two_nodes_is_judged_by_where_its_ranks_were(
    tmp_path: Path, files: dict[str, str], wanted: list[str], misplaced: str
) -> None:
    step = a_launch(id="S0001", nodes=2, ranks=4, per_node=2)
    written = a_record()
    assert written.run
    changes = {"benchmark": step.benchmark, "ranks": 4, "placement": ()}
    run = written.run.model_copy(update=changes)
    records = tmp_path / "records"
    records.mkdir()
    (records / "S0001.jsonl").write_text(run.model_dump_json(by_alias=True) + "\n")
    for host, text in files.items():
        (records / f"S0001.ranks.{host}").write_text(text)
    record = launches.reader([read(tmp_path)])(step, tmp_path)
    assert record.run
    assert [place.host for place in record.run.placement] == wanted
    assert all(place.cpus == (0, 1, 4) for place in record.run.placement)
    outcome = Outcome(step=step.id, state="completed", reason="", exit=None, run=record.run)
    said = find_misplaced([outcome], [step]).get(step.id)
    assert (said.text if said else "").startswith(misplaced)
    assert bool(said) == bool(misplaced)
