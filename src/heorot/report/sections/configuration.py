"""The configuration section: everything needed to understand and repeat a run."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from heorot.model.evaluation import Evaluation
from heorot.model.machine.toolchain import Compiler, Toolchain
from heorot.model.run.plan import Step
from heorot.model.run.records import RunLine
from heorot.report.anchors import step_anchor
from heorot.report.sections.steps import Ending, pair_endings
from heorot.report.tables import columns
from heorot.report.tables.placement import placement_table
from heorot.report.tables.start_skew import start_table
from heorot.report.tables.table import Allowance, Cell, Column, Row, Table, make_table
from heorot.report.wording import word_layout
from heorot.units import NOTHING, format_binary, format_duration, format_quantity

_TONES = {"completed": "muted", "refused": "warn"}


def configuration_tables(
    evaluation: Evaluation,
    machine_rows: Sequence[tuple[str, str]],
    allowance: Allowance,
) -> list[Table]:
    """The tables of the section, in order."""
    endings = pair_endings(evaluation)
    starts = evaluation.analysis.starts
    return [
        _pairs("machine", "The machine", machine_rows),
        _pairs("run", "The run", _run_rows(evaluation)),
        _toolchains(evaluation, endings, allowance),
        _clocks(endings, allowance),
        *([start_table(starts, allowance)] if starts else []),
        _notes(endings, allowance),
        _plan(endings, allowance),
        placement_table(endings, allowance),
    ]


def format_time(unix_seconds: float) -> str:
    """Prints a Unix time [s] as date and time, UTC."""
    return datetime.fromtimestamp(unix_seconds, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def reproduction(evaluation: Evaluation) -> list[tuple[str, str]]:
    """Commands that repeat the run or look further into it, each with what it does."""
    facts = evaluation.facts
    run = run_directory(evaluation)
    return [
        ("Measure again", shlex.join(facts.request.command)),
        ("Write this report again", f"heorot report {run}"),
        ("All results as a table", f"heorot export {run} --format csv"),
        ("Against another run", f"heorot compare {run} runs/OTHER"),
    ]


def run_directory(evaluation: Evaluation) -> str:
    """The run's directory as a word of a command line."""
    out = evaluation.facts.request.out
    return shlex.quote(str(out) if out else f"runs/{evaluation.facts.name}")


def _pairs(identifier: str, caption: str, rows: Sequence[tuple[str, str]]) -> Table:
    """A table of names and texts, which is short by nature."""
    cells = tuple(Row((Cell(name), Cell(text))) for name, text in rows)
    return Table(identifier, caption, (Column("What"), Column("Value")), cells, n_rows=len(cells))


def _run_rows(evaluation: Evaluation) -> list[tuple[str, str]]:
    facts, plan = evaluation.facts, evaluation.plan
    budget = format_duration(plan.budget_seconds) if plan.budget_seconds else "none"
    per_node = ", ".join(map(str, facts.request.per_node))
    return [
        ("Run", facts.name),
        ("Command", shlex.join(facts.request.command)),
        ("Profile", facts.request.profile),
        ("Programs asked for", ", ".join(facts.request.only) or "all"),
        ("Ranks per node asked for", per_node or "as each program has them"),
        ("Launches asked for", str(facts.request.launches or "as the profile has them")),
        ("Site file", str(facts.request.site or "none")),
        ("Started", format_time(facts.started)),
        ("Ended", format_time(facts.ended) if facts.ended else "did not come to its end"),
        ("Time spent building", format_duration(facts.setup_seconds)),
        ("Time planned for measuring", f"{format_duration(plan.seconds)}; budget: {budget}"),
        ("Seed of shuffling and resampling", str(plan.seed)),
        ("Digest of the plan", facts.plan_digest),
        ("Digest of the programs' sources", facts.source_digest),
        ("Heorot", facts.heorot_version),
        ("Python", facts.python_version),
    ]


def _toolchains(evaluation: Evaluation, endings: Sequence[Ending], allowance: Allowance) -> Table:
    def noted(one: Toolchain, value_of: Callable[[RunLine], str]) -> list[str]:
        ran = (each.outcome.run for each in endings if each.step.toolchain == one.name)
        return list(dict.fromkeys(value_of(run) for run in ran if run))

    def also(compiler: str, note: str) -> Callable[[Toolchain], str]:
        return lambda one: "\n".join(_noted(one, getattr(one, compiler), note, endings))

    # Few machines have devices: without a compiler for them there is no column.
    for_devices: columns.Fields[Toolchain] = (
        columns.text("kernels for devices", also("device", "device_compiler")),
    )
    fields: columns.Fields[Toolchain] = (
        columns.text("toolchain", lambda one: one.name),
        columns.text("compiler", lambda one: f"{one.cxx.display_name} ({one.cxx.command})"),
        columns.text(
            "flags",
            lambda one: "\n".join(
                dict.fromkeys([one.cxx.flags, *noted(one, lambda run: run.flags)])
            ),
            "mono",
        ),
        columns.text("kernels in Fortran", also("fortran", "fortran")),
        *(for_devices if any(each.device for each in evaluation.facts.toolchains) else ()),
        columns.text("MPI", _word_mpi),
        columns.text(
            "library as it calls itself",
            lambda one: "\n".join(noted(one, lambda run: run.mpi_library)) or NOTHING,
            "mono",
        ),
        columns.text(
            "MPI standard",
            lambda one: ", ".join(noted(one, lambda run: run.mpi_standard)) or NOTHING,
        ),
        columns.text("BLAS", lambda one: one.blas),
        columns.text("modules and environment", _word_environment),
        columns.text("origin", _word_origin),
    )
    laid = columns.lay_out(evaluation.facts.toolchains, fields)
    return make_table("toolchains", "Toolchains", *laid, allowance).narrow(("MPI standard",))


def _noted(
    toolchain: Toolchain, compiler: Compiler | None, name: str, endings: Sequence[Ending]
) -> list[str]:
    """A compiler with its flags as programs note it, or which one they were to be built with."""
    noted = [
        str(note.value)
        for ending in endings
        if ending.step.toolchain == toolchain.name
        for note in ending.outcome.notes
        if note.name == name
    ]
    named = str(compiler.command) if compiler else "none"
    return list(dict.fromkeys(noted)) or [named]


def _word_mpi(toolchain: Toolchain) -> str:
    mpi = toolchain.mpi
    return f"{mpi.flavour} {mpi.version} ({mpi.mpiexec})" if mpi else "none"


def _word_origin(toolchain: Toolchain) -> str:
    where = f", builds on a node: {toolchain.built_on}" if toolchain.built_on else ""
    return f"{toolchain.origin}{where}"


def _word_environment(toolchain: Toolchain) -> str:
    variables = [f"{name}={value}" for name, value in toolchain.environment.items()]
    return "\n".join((*toolchain.modules, *variables)) or NOTHING


def _clocks(endings: Sequence[Ending], allowance: Allowance) -> Table:
    """The worst of what the programs measured of each clock."""
    facts: dict[tuple[str, bool], list[tuple[float, float, bool]]] = {}
    for ending in endings:
        run = ending.outcome.run
        for clock in (run.clock, *run.clock.others) if run else ():
            one = (clock.resolution_seconds, clock.overhead_seconds, clock.monotonic)
            facts.setdefault((clock.name, clock is run.clock if run else False), []).append(one)
    rows = []
    for (name, used), measured in sorted(facts.items(), key=lambda item: not item[0][1]):
        resolution, overhead = max(m[0] for m in measured), max(m[1] for m in measured)
        cells = (
            Cell(name),
            Cell("timed the samples" if used else "for comparison"),
            Cell(format_quantity(resolution, "s"), resolution),
            Cell(format_quantity(overhead, "s"), overhead),
            Cell("yes" if all(m[2] for m in measured) else "no: it ran backwards"),
            Cell(str(len(measured)), len(measured)),
        )
        rows.append(Row(cells))
    titles = [
        Column("clock"),
        Column("use"),
        Column("resolution", numeric=True, copied="resolution [s]"),
        Column("cost of reading", numeric=True, copied="cost of reading [s]"),
        Column("never backwards"),
        Column("launches and repeats", numeric=True),
    ]
    caption = "Clocks, worst launch"
    return make_table("clocks", caption, titles, rows, allowance)


def _notes(endings: Sequence[Ending], allowance: Allowance) -> Table:
    facts = dict.fromkeys(
        (ending.step.benchmark, note.name, str(note.value))
        for ending in endings
        for note in ending.outcome.notes
    )
    rows = [Row(tuple(map(Cell, fact))) for fact in facts]
    titles = [Column("program"), Column("fact"), Column("value")]
    return make_table("notes", "Facts from programs", titles, rows, allowance)


def _plan(endings: Sequence[Ending], allowance: Allowance) -> Table:
    # A run over a thousand nodes has more steps than anybody unfolds.
    n_rows = len(endings)
    fields: columns.Fields[Ending] = (
        columns.plain("step", lambda one: Cell(one.step.id, id=step_anchor(one.step.id))),
        columns.text("program", lambda one: one.step.benchmark),
        columns.text("case", lambda one: one.step.case),
        columns.text(
            "layout", lambda one: word_layout(one.step.ranks, one.step.threads, one.step.nodes)
        ),
        columns.text("options", lambda one: _word_options(one.step), "mono"),
        columns.text("toolchain", lambda one: one.step.toolchain),
        columns.numbers("launch", lambda one: Cell(_word_launch(one.step), one.step.launch)),
        columns.numbers("memory", lambda one: _bytes(one.step.memory_bytes), "memory [B]"),
        columns.numbers(
            "per rank", lambda one: _bytes(one.step.bytes_per_rank), "memory per rank [B]"
        ),
        columns.numbers("estimate", lambda one: _seconds(one.step.seconds), "estimate [s]"),
        columns.numbers("actual", lambda one: _seconds(one.seconds), "actual [s]"),
        columns.plain("became", lambda one: Cell(one.state, tone=_TONES.get(one.state, "bad"))),
    )
    laid = columns.lay_out(endings[: allowance.most_needed(n_rows)], fields)
    caption = "Plan, estimated and actual time"
    table = make_table("plan", caption, *laid, allowance, folded=True, n_rows=n_rows)
    return table.narrow(("per rank", "memory", "estimate"))


def _word_options(step: Step) -> str:
    return " ".join(f"--{name}={value}" for name, value in step.options.items())


def _word_launch(step: Step) -> str:
    return f"{step.launch}, attempt {step.attempt}" if step.attempt > 1 else str(step.launch)


def _bytes(n_bytes: int) -> Cell:
    return Cell(format_binary(n_bytes), n_bytes)


def _seconds(seconds: float | None) -> Cell:
    return Cell(format_duration(seconds), seconds)
