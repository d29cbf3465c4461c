"""The tables of jobs: waiting time, duration, and overhead of launches by layout."""

from __future__ import annotations

from collections.abc import Sequence

from heorot.jobs.hosts import shorten_hosts
from heorot.model.batch.jobs import JobAccount, LaunchCost
from heorot.report.tables import columns
from heorot.report.tables.table import Allowance, Cell, Column, Row, Table, make_table
from heorot.report.wording import split_interval
from heorot.units import NOTHING, format_duration


def job_anchor(job: str) -> str:
    """The fragment of the page that is the line of a job."""
    return f"job-{job.lower()}"


def job_table(jobs: Sequence[JobAccount], allowance: Allowance) -> Table:
    """Every job with its times; those of queues only if there is one."""
    batched = any(job.batched for job in jobs)
    queue = ("submitting", "behind own jobs", "in the queue")
    times = (*(queue if batched else ()), "run", "in launches", "overhead")
    titles = [
        Column("job"),
        *([Column("its id there"), Column("queue")] if batched else []),
        Column("nodes", numeric=True),
        Column("hosts"),
        Column("launches and repeats", numeric=True),
        *(Column(title, numeric=True, copied=f"{title} [s]") for title in times),
        Column("became"),
    ]
    rows = [_job_row(job, batched=batched) for job in jobs]

    def excerpt(most: int) -> list[Row]:
        """Jobs that did not end well, then those that ran longest, in their order."""
        order = sorted(
            range(len(jobs)), key=lambda i: (not jobs[i].why, -(jobs[i].run_seconds or 0.0))
        )
        return [rows[i] for i in sorted(order[:most])]

    caption = "Every job: what it waited and took"
    return make_table(
        "jobs-table", caption, titles, rows, allowance, excerpt=excerpt,
        chosen="those that did not end well, and the longest",
    )  # fmt: skip


def _job_row(job: JobAccount, *, batched: bool) -> Row:
    queued = (job.submit_seconds, job.behind_seconds, job.queue_seconds)
    in_steps = None if job.run_seconds is None else job.step_seconds
    cells = (
        Cell(job.id),
        *([Cell(job.number or NOTHING), Cell(job.queue or NOTHING)] if batched else []),
        Cell(str(job.nodes), job.nodes),
        Cell(shorten_hosts(job.hosts) or NOTHING),
        _steps(job),
        *(map(_time, queued) if batched else ()),
        *map(_time, (job.run_seconds, in_steps, job.overhead_seconds)),
        Cell(job.why or "ended well", tone="bad" if job.why else "muted"),
    )
    return Row(cells, job_anchor(job.id), "bad" if job.why else "")


def _steps(job: JobAccount) -> Cell:
    if job.n_asked == 0:
        return Cell(
            "none: it describes the nodes" if job.describes_nodes else NOTHING, 0.0, "muted"
        )
    if job.n_ended == job.n_asked:
        return Cell(str(job.n_asked), job.n_asked)
    return Cell(f"{job.n_ended} of {job.n_asked}", job.n_asked, "bad")


def _time(seconds: float | None) -> Cell:
    return Cell(format_duration(seconds), seconds, "muted" if seconds is None else "")


def launch_table(launches: Sequence[LaunchCost], allowance: Allowance) -> Table:
    """Time of a launch outside its program, a row for each layout."""
    several = len({each.stack for each in launches}) > 1
    fields: columns.Fields[LaunchCost] = (
        columns.text("toolchain", lambda each: str(each.stack)) if several else None,
        columns.whole("nodes", lambda each: each.nodes),
        columns.whole("ranks", lambda each: each.ranks),
        columns.whole("launches at once", lambda each: each.at_once),
        columns.whole("launches", lambda each: each.n),
        columns.numbers("median", lambda each: Cell(_split(each)[0], each.median), "median [s]"),
        columns.numbers(
            "95 % interval",
            lambda each: Cell(_split(each)[1], copied=f"{each.ci_low:.6g}\t{each.ci_high:.6g}"),
            "ci_low [s]\tci_high [s]",
        ),
    )
    caption = "Overhead of a launch: its time outside the program"
    return make_table("launch-costs", caption, *columns.lay_out(launches, fields), allowance)


def _split(each: LaunchCost) -> tuple[str, str]:
    return split_interval(each.median, each.ci_low, each.ci_high, "s", each.n)
