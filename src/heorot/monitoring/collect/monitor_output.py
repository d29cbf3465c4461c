"""Parses other monitors: Prometheus' node exporter, PCP's collector, Slurm's accounts."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

from heorot.jobs.batch_states import meaning_of
from heorot.monitoring.model import Accounted, Exported
from heorot.units import parse_bytes, parse_duration

_SAMPLE = re.compile(r"(node_\w+)(?:\{([^}]*)\})? ([^ ]+)(?: \d+)?$")
_LABEL = re.compile(r'(\w+)="([^"]*)"')
_IDLE = {"idle", "iowait", "steal"}
_VIRTUAL = ("lo", "ifb", "veth", "docker", "br", "virbr", "dummy", "bond", "tun", "tap")
_PCP_VALUE = re.compile(r' +(?:inst \[\d+ or "([^"]*)"\] )?value (\d{1,20}(?:\.\d{1,20})?)$')
_PCP_TIME = re.compile(r"time \d{1,12}(?:\.\d{1,9})?")


def parse_exporter(text: str) -> Exported:
    """The output of Prometheus' node exporter at `/metrics`; missing values are zero or None."""
    plain: dict[str, float] = {}
    network: dict[str, float] = {}
    busy = 0.0
    for name, labels, value in _exported(text.splitlines()):
        if name == "node_cpu_seconds_total" and labels.get("mode") not in _IDLE:
            busy += value
        elif name.startswith("node_network_"):
            if not labels.get("device", "lo").startswith(_VIRTUAL):
                network[name] = network.get(name, 0.0) + value
        elif not labels:
            plain[name] = value
    total, available = (
        plain.get(f"node_memory_{name}_bytes") for name in ("MemTotal", "MemAvailable")
    )
    return Exported(
        time=plain.get("node_time_seconds"),
        cpu_seconds=busy,
        memory_bytes=None if total is None or available is None else total - available,
        received=network.get("node_network_receive_bytes_total", 0.0),
        sent=network.get("node_network_transmit_bytes_total", 0.0),
        drops=network.get("node_network_receive_drop_total", 0.0)
        + network.get("node_network_transmit_drop_total", 0.0),
    )


def _exported(lines: Iterable[str]) -> Iterable[tuple[str, dict[str, str], float]]:
    for line in lines:
        found = _SAMPLE.match(line.strip())
        if found is None:
            continue
        try:
            value = float(found[3])
        except ValueError:
            continue
        if math.isfinite(value) and value >= 0:
            yield found[1], dict(_LABEL.findall(found[2] or "")), value


def parse_pcp(text: str) -> Exported:
    """The output of PCP's `pminfo -f` for CPUs and adapters, followed by a line `time SECONDS`.

    Args:
        text: metrics, each with its value or, indented, the values of its instances.
    """
    metric, moment, busy = "", None, 0.0
    traffic = {"in": 0.0, "out": 0.0}
    for line in text.splitlines():
        found = _PCP_VALUE.match(line)
        if found is None:
            metric = line.strip()
            if _PCP_TIME.fullmatch(metric):
                moment = float(metric.partition(" ")[2])
        elif metric.startswith("kernel.all.cpu."):
            busy += float(found[2]) / 1000.0
        elif found[1] and not found[1].startswith(_VIRTUAL):
            way = metric.removeprefix("network.interface.").removesuffix(".bytes")
            if way in traffic:
                traffic[way] += float(found[2])
    return Exported(time=moment, cpu_seconds=busy, received=traffic["in"], sent=traffic["out"])


def parse_cpu_time(text: str) -> float | None:
    """CPU time in Slurm's format: `[DAYS-][HOURS:]MINUTES:SECONDS[.FRACTION]` [s].

    Args:
        text: such as `1-02:03:04` or `00:12.345`; None for anything else.
    """
    days, _, clock = text.strip().rpartition("-")
    try:
        return 86400.0 * int(days or 0) + parse_duration(clock) if ":" in clock else None
    except ValueError:
        return None


def parse_size(text: str) -> float | None:
    """Memory in Slurm's format, `15372K`, in powers of 1024; None for other texts [B]."""
    try:
        return float(parse_bytes(text))
    except ValueError:
        return None


def parse_sacct(text: str) -> dict[str, Accounted]:
    """The output of `sacct --parsable2 --format=JobID,TotalCPU,MaxRSS,...`, by job number.

    Columns may be in any order, with others between; incomplete lines are left out.
    """
    heads, *lines = text.splitlines() or [""]
    names = heads.split("|")
    if not {"JobID", "TotalCPU", "MaxRSS"} <= set(names):
        return {}
    jobs: dict[str, Accounted] = {}
    for line in lines:
        words = line.split("|")
        if len(words) != len(names):
            continue
        row = dict(zip(names, words, strict=True))
        job = row["JobID"].partition(".")[0]
        before = jobs.get(job, Accounted())
        seconds = parse_cpu_time(row["TotalCPU"])
        size = parse_size(row["MaxRSS"])
        # The job's own line has the time of all its steps, those of steps have memory.
        jobs[job] = Accounted(
            max((each for each in (before.cpu_seconds, seconds) if each is not None), default=None),
            max((each for each in (before.task_bytes, size) if each is not None), default=None),
        )
    return jobs


def ended_jobs(text: str) -> set[str]:
    """Numbers of the jobs that have ended with all their steps, according to `sacct`.

    Args:
        text: with the columns JobID and State among others, separated by bars.
    """
    heads, *lines = text.splitlines() or [""]
    names = heads.split("|")
    if not {"JobID", "State"} <= set(names):
        return set()
    rows = [dict(zip(names, line.split("|"), strict=False)) for line in lines]
    rows = [row for row in rows if row.get("JobID")]
    known = {row["JobID"].partition(".")[0] for row in rows}
    return known - {
        row["JobID"].partition(".")[0]
        for row in rows
        if not row.get("State") or meaning_of("slurm", row["State"])[0] in {"pending", "running"}
    }
