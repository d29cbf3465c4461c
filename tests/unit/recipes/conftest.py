"""A small recipe with every key, variants of it, and records of launches of its program."""

from __future__ import annotations

from pathlib import Path

from heorot.model.point import NOWHERE
from heorot.model.recipe import Recipe
from heorot.model.run.plan import Step
from heorot.model.run.program_record import ProgramRecord
from heorot.model.run.records import EndLine, RegionLine
from heorot.recipes.read import read_recipe
from tests.unit.analyse.builders import QUIET, a_run_line, a_step

SMALL = r"""name: small
title: a small program
question: How fast is it?
source: a test, version 1
licence: public domain
comparable: "No: it is a test"
mpi: none
build:
  steps:
    - make CC={cc} {program}
    - shell: "cp {program} run.x > log"
  files:
    "make-{program}.def": "OPT = {flags}"
parameters:
  steps: 10
  twice: "{steps}{steps}"
files:
  "in/{program}.txt": "steps {steps} of {{all}}"
environment:
  THREADS: "{threads}"
command: bin/{program}.x '{size} cells' {twice}
output: out-{program}.txt
cases:
  - name: only
    set: {program: [ep, cg], size: 8}
    ranks: 1
    memory: 1MB
    time: 1s
    profiles: [quick, standard]
    priority: headline
  - name: many
    set: {program: ep, size: 16}
    ranks: powers
    threads: [1, 2]
size: {coordinate: size}
verification:
  - name: residual
    pattern: 'residual\s+(?P<value>\S+)'
    expected: 1.0
    tolerance: 0.5
  - name: its own check
    pattern: 'PASSED'
  - name: no errors
    pattern: 'ERROR'
    absent: true
metrics:
  - name: bandwidth
    unit: MB/s
    better: higher
    pattern: '^(?P<region>\w+) at (?P<bytes>\d+): (?P<value>\S+)'
    beside: {benchmark: "memory/{program}", region: "{region}", metric: rate, point: {n: "{bytes}"}}
    ceiling: memory_bandwidth
    headline: [copy]
  - name: time
    unit: ms
    better: lower
    pattern: 'time (?P<value>\S+)'
    region: "{program}"
    most: 1.0e+6
"""


# The same with everything that a launch may have: input files, several commands, phases.
SUM = "0123456789abcdef" * 4
RICH = SMALL.replace(
    "command: bin/{program}.x '{size} cells' {twice}\n",
    f"""input_files:
  - path: mesh.dat
    sha256: {SUM}
    cases: [many]
executables:
  - name: mesh
    command: bin/mesh {{size}}
    serial: true
  - name: solve
    command: bin/solve {{twice}}
""",
).replace(
    "verification:\n",
    r"""phases:
  pattern: '^phase (?P<region>\w+) (?P<value>\S+)'
  names: [read, solve]
verification:
""",
)


def changed(old: str, new: str, text: str = SMALL) -> str:
    """The text of a recipe with one place changed, which must occur once."""
    assert text.count(old) == 1, old
    return text.replace(old, new)


def line_of(text: str, words: str) -> int:
    """The first line with some words."""
    return text[: text.index(words)].count("\n") + 1


def read(folder: Path, text: str = SMALL) -> Recipe:
    """The text as a recipe."""
    (folder / "small.yaml").write_text(text)
    return read_recipe(folder / "small.yaml")


def with_metrics(*metrics: str, verification: str = "", more: str = "") -> str:
    """The text of a recipe with these metrics, each a flow mapping without its name and unit."""
    head = SMALL[: SMALL.index("build:")]
    lines = [f"  - {{{each}}}" for each in metrics]
    cases = "cases:\n  - {name: one, set: {size: 8, kind: big}}\n"
    cases += "  - {name: other, set: {size: 9, kind: [small, tiny]}}\n"
    start = f"installed: {{command: sh}}\ncommand: '{{installed}}'\n{cases}{more}"
    checks = f"verification:\n  - {{{verification}}}\n" if verification else ""
    return f"{head}{start}{checks}metrics:\n" + "\n".join(lines) + "\n"


def a_launch(**changes: object) -> Step:
    """A launch of the small program."""
    fields = {
        "benchmark": "others/small",
        "case": "one",
        "options": {"size": 8, "kind": "big"},
        "toolchain": "gnu",
        "memory_bytes": 0,
    }
    return a_step(**(fields | changes))


def a_record(seconds: float = 2.0) -> ProgramRecord:
    """The record that `watch` writes of a launch of a given duration [s]."""
    whole = RegionLine(
        type="region",
        name="whole_run",
        point=NOWHERE,
        seconds=(seconds,),
        repetitions=1,
        counts={},
        synchronisation="none",
        stopped="ceiling",
        warmup_seconds=0.0,
        elapsed_seconds=seconds,
        second_clock=None,
        disturbance=QUIET,
    )
    end = EndLine(
        type="end",
        passed=True,
        checks=0,
        failed=0,
        elapsed_seconds=seconds,
        user_seconds=(0.0,),
        system_seconds=(0.0,),
        peak_memory_bytes=(0,),
        involuntary_switches=(0,),
        disturbance=QUIET,
    )
    return ProgramRecord(run=a_run_line([("here", (0,))]), regions=(whole,), end=end)
