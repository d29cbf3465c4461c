"""Launches of programs for the contract: several runs in each, as joining ranks takes longest."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter

from heorot import process
from heorot.build.sources import native_directory
from heorot.model.catalogue.benchmark import Case
from heorot.model.machine.toolchain import Toolchain
from heorot.model.run.records import CheckLine, EndLine, Line, RegionLine

LINE: TypeAdapter[Line] = TypeAdapter(Line)
_OWN_TEMPORARY = native_directory() / "tests" / "own_temporary.sh"
_EXIT = '{"type":"exit",'
_PATIENCE_SECONDS = 300.0
AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


@dataclass(frozen=True)
class Ended:
    """How one of the runs of a launch ended.

    Attributes:
        code: what its exit code would have been.
        lines: of its record.
        err: its standard error.
    """

    code: int
    lines: list[Line]
    err: str

    @property
    def regions(self) -> list[RegionLine]:
        """Its regions."""
        return [line for line in self.lines if isinstance(line, RegionLine)]

    @property
    def checks(self) -> list[CheckLine]:
        """Its checks."""
        return [line for line in self.lines if isinstance(line, CheckLine)]

    @property
    def end(self) -> EndLine:
        """The last line of its record."""
        assert isinstance(self.lines[-1], EndLine), self.err
        return self.lines[-1]


def launch(
    toolchain: Toolchain, program: Path, ranks: int, *arguments: str | Path, cwd: Path | None = None
) -> process.Finished:
    """Run a program on `ranks` ranks of two threads."""
    assert toolchain.mpi is not None
    launcher = (_OWN_TEMPORARY, toolchain.mpi.mpiexec, "-n", str(ranks))
    environment = {
        **os.environ,
        **AS_ROOT,
        "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
        "OMP_NUM_THREADS": "2",
        "OMP_WAIT_POLICY": "passive",
        "HEOROT_BLAS": toolchain.blas_library,
    }
    return process.run(
        [*launcher, program, *arguments],
        timeout_seconds=_PATIENCE_SECONDS,
        cwd=cwd,
        environment=environment,
    )


def stage(cases: Iterable[Case], folder: Path) -> Path:
    """Put the input files of cases where a program that runs in the folder finds them."""
    folder.mkdir(parents=True, exist_ok=True)
    for one in {one.called: one for case in cases for one in case.needs.inputs}.values():
        (folder / one.called).unlink(missing_ok=True)
        (folder / one.called).symlink_to(one.path)
    return folder


def words_of(case: Case) -> list[str]:
    """The options of a case, except its budget, as words of a program's command line."""
    words = []
    for name, value in case.options.items():
        if name != "budget":
            words += [f"--{name}", str(value).lower() if isinstance(value, bool) else str(value)]
    return words


def join_runs(runs: Iterable[Sequence[str]]) -> list[str]:
    """The words of a launch that has several runs, one after another."""
    return [word for run in runs for word in ("--then", *run)][1:]


def read_runs(done: process.Finished, n_runs: int) -> list[Ended]:
    """The ends of a launch's `n_runs` runs.

    Raises:
        AssertionError: one took all that follow with it.
    """
    errors = [""]
    for text in done.err.splitlines():
        if text.startswith(_EXIT):
            errors.append("")
        else:
            errors[-1] += f"{text}\n"
    ended: list[Ended] = []
    lines: list[Line] = []
    for text in done.out.splitlines():
        if text.startswith(_EXIT):
            ended.append(Ended(json.loads(text)["code"], lines, errors[len(ended)]))
            lines = []
        elif text[:1] == "{":
            lines.append(LINE.validate_json(text))
    if n_runs == 1:
        return [Ended(done.code, lines, done.err)]
    assert len(ended) == n_runs, (
        f"run {len(ended)} ended the launch\n{done.out[-2000:]}\n{done.err}"
    )
    return ended
