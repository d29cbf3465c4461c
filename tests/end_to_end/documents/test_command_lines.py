"""Command lines of README, documents and helps, run in the place that the same texts build.

Lines that measure for minutes, or need a lab, a batch system or a user's files, are only parsed,
by tests/unit/cli/test_documented.py: the reasons are below.
"""

from __future__ import annotations

import re
import shlex
import shutil
from itertools import pairwise
from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner

from heorot.cli.main import cli
from heorot.session.runs import conclude
from heorot.store.directory import RunDirectory
from tests.unit.cli.documented import LINES, ROOT

pytestmark = pytest.mark.slow

SAMPLES = ROOT / "tests/samples"
# Patterns of lines that are not run, with the reason; the first match counts.
ONLY_PARSED = {
    r"^lab (?!status$)|--site lab\b": "needs a lab: tests/end_to_end/lab and batch run such lines",
    r"--batch (?:slurm|pbs)|^batch check (?!--list)": "needs a batch system",
    r"--site lyra\.yaml --(?:probe|nodes)": "needs the site's batch system",
    r"~eve/": "another user's files",
    r"=~/|=DIR": "sources that the user has",
    r"jacobi=docs/examples": "measures; tests/end_to_end/test_others.py runs it",
    r"^run ": "measures: tests/end_to_end/test_evaluate.py runs such lines",
    r"^(?:evaluate|throughput) --resume ": "measures what is left of a run",
    r"^throughput ": "a throughput test takes minutes",
}
# A throughput test, a running one, and the comparison of several have tests of their own.
ONLY_PARSED |= {
    r"^(?:status|stop) runs/day-": "needs a throughput test",
    r"^compare runs/pbs": "needs throughput tests",
}


def reason_against(line: str) -> str:
    """Why a line is not run; empty if it is."""
    return next((why for form, why in ONLY_PARSED.items() if re.search(form, line)), "")


RUN = [line for line in LINES if not reason_against(line)]


def words_of(line: str) -> list[str]:
    """The words of a line; for long measurements those that show the plan."""
    words = shlex.split(line)
    return [*words, "--dry-run"] if words[0] == "evaluate" and "--dry-run" not in words else words


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A place with a run, a trace and accounts under all the names that the texts give them."""
    place = tmp_path_factory.mktemp("place")
    whole = place / "whole"
    shutil.copytree(SAMPLES / "runs/peak_0.1.0", whole)
    conclude(RunDirectory.open(whole))
    for line in LINES:
        for name in re.findall(r"(?<!--out )\b(runs/[\w-]+)\b", line):
            if not (place / name).exists():
                shutil.copytree(whole, place / name)
    shutil.copytree(ROOT / "docs/examples", place / "docs/examples")
    jobs = [
        f"{n} {60 * n} -1 {90 * n} {n} -1 -1 {n} {90 * n} -1 1 1 1 1 1 -1 -1 -1" for n in (1, 2, 3)
    ]
    (place / "trace.swf").write_text("; MaxNodes: 8\n" + "\n".join(jobs) + "\n")
    shutil.copy(SAMPLES / "batch/slurm/22.05/sacct/epoch.txt", place / "jobs.sacct")
    (place / "lyra.yaml").write_text("system: lyra\n")
    return place


def test_each_line_is_run_or_has_a_reason() -> None:
    assert len(RUN) > 30
    for form in ONLY_PARSED:
        assert any(re.search(form, line) for line in LINES), f"{form} fits no line"
    for command in ("report", "export", "compare", "verify", "status", "simulate-batch", "machine"):
        assert any(line.split()[0] == command for line in RUN)


@pytest.mark.parametrize("line", RUN)
def test_what_is_documented_does_its_work(
    line: str, built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "place"
    shutil.copytree(built, place)
    monkeypatch.chdir(place)
    words = words_of(line)
    done = CliRunner().invoke(cli, words)
    assert done.exit_code == 0, f"{LINES[line]}: {done.output}"
    for before, word in pairwise(words):
        if (
            before in {"--out", "--write", "--write-swf"}
            and word != "-"
            and "evaluate" not in words
        ):
            assert (place / word).exists(), f"{LINES[line]}: {word} was not written"


def test_the_documented_query_recomputes_a_row(
    built: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(built)
    page = (ROOT / "docs/reading-a-report.md").read_text(encoding="utf-8")
    query = re.findall(r"^```sql\n(.*?)^```", page, re.MULTILINE | re.DOTALL)[0]
    # The recorded run has another program.
    for shown, there in (("memory/stream", "compute/peak"), ("triad", "fma_double")):
        assert shown in query
        query = query.replace(shown, there)
    launches = duckdb.execute(query.replace("'bytes'", "'flops'")).fetchall()
    row = "from 'runs/first/results.parquet' where region = 'fma_double' and not derived"
    assert [each[-1] for each in launches] == [
        duckdb.execute(f"select median {row}").fetchall()[0][0]
    ]
