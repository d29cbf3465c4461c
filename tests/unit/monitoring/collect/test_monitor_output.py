"""Output of other monitors."""

from __future__ import annotations

from pathlib import Path

import pytest

from heorot.monitoring.collect.monitor_output import (
    ended_jobs,
    parse_cpu_time,
    parse_exporter,
    parse_pcp,
    parse_sacct,
    parse_size,
)
from heorot.monitoring.model import Accounted, Exported

SAMPLES = Path(__file__).resolve().parents[3] / "samples" / "monitoring"


def test_a_page_of_the_exporter() -> None:
    page = parse_exporter((SAMPLES / "exporter-after.txt").read_text())
    assert page.time == 1.7954334933371704e9
    assert page.cpu_seconds == pytest.approx(31.3 + 319.42 + 907.52 + 7.06 + 264.04 + 974.57)
    assert page.memory_bytes == pytest.approx(2.5276502016e10 - 2.44302848e10)
    assert (page.received, page.sent, page.drops) == (5.8029417e08, 609210.0, 0.0)


def test_a_page_of_something_else() -> None:
    assert parse_exporter("<html>not found</html>\n") == Exported()
    odd = 'node_cpu_seconds_total{cpu="0",mode="user"} x\nnode_cpu_seconds_total{mode="user"} NaN\n'
    assert parse_exporter(odd) == Exported()


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("00:12.345", 12.345),
        ("01:02:03", 3723.0),
        ("1-02:03:04", 93784.0),
        (" 00:00:00 ", 0.0),
        ("", None),
        ("INVALID", None),
        ("5", None),
    ],
)
def test_processor_time_of_slurm(text: str, seconds: float | None) -> None:
    assert parse_cpu_time(text) == seconds


@pytest.mark.parametrize(
    ("text", "size"),
    [("15372K", 15372 * 1024), ("1.5G", 1.5 * 2**30), ("512", 512), ("", None), ("5X", None)],
)
def test_memory_of_slurm(text: str, size: float | None) -> None:
    assert parse_size(text) == size


def test_accounts_of_a_real_job() -> None:
    found = parse_sacct((SAMPLES / "sacct.txt").read_text())
    assert found == {"1": Accounted(4.779, 161568 * 1024)}


def test_accounts_of_slurm() -> None:
    text = (
        "JobID|State|TotalCPU|MaxRSS\n"
        "7|COMPLETED|00:10.000|\n"
        "7.batch|COMPLETED|00:04.000|1024K\n"
        "7.0|COMPLETED|00:06.000|2048K\n"
        "8|FAILED||\n"
        "9|COMP\n"
    )
    assert parse_sacct(text) == {"7": Accounted(10.0, 2048 * 1024), "8": Accounted(None, None)}
    assert parse_sacct("") == {}
    assert parse_sacct("JobID|State\n7|COMPLETED\n") == {}


def test_what_pminfo_prints() -> None:
    found = parse_pcp(
        "\nkernel.all.cpu.user\n    value 2052690\n\nkernel.all.cpu.intr\n    value 10\n"
        "kernel.all.cpu.steal\nkernel.all.cpu.sys: pmLookupDesc: Unknown metric name\n\n"
        'network.interface.in.bytes\n    inst [0 or "lo"] value 212\n'
        '    inst [3 or "eth0"] value 1321732020\n    inst [4 or "eth1"] value 80\n\n'
        'network.interface.out.bytes\n    inst [3 or "eth0"] value 5\ntime 1795448189.25\n'
    )
    assert found.time == 1795448189.25
    assert found.cpu_seconds == pytest.approx(2052.7)
    assert (found.received, found.sent) == (1321732100.0, 5.0)
    odd = "network.interface.in.bytes\n  value 5\nnetwork.interface.total\n"
    assert parse_pcp(odd + '  inst [3 or "eth0"] value 9\n') == Exported()
    assert parse_pcp("pminfo: Cannot connect to PMCD\n") == Exported()


def test_a_job_has_ended_when_all_its_steps_have() -> None:
    lines = ("JobID|State", "1|COMPLETED", "1.batch|COMPLETED", "2|RUNNING", "3|COMPLETED")
    text = "\n".join((*lines, "3.0|RUNNING", "4|CANCELLED by 0", "5|", "6"))
    assert ended_jobs(text) == {"1", "4"}
    assert ended_jobs("State|JobID\nCOMPLETED|8\nCOMPLETED\n\n") == {"8"}
    assert ended_jobs("JobID|TotalCPU\n1|00:01") == ended_jobs("") == set()
