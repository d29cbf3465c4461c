"""A cluster on this machine: an agent that runs everything here, and a site that names it."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

_AGENT = (
    '#!/bin/sh\n[ "$1" = {host} ] || {{ echo no route >&2; exit 255; }}\nshift\nexec sh -c "$*"\n'
)


@pytest.fixture
def agent(tmp_path: Path) -> Path:
    """Reaches one host, by the name that it has."""
    file = tmp_path / "agent"
    file.write_text(_AGENT.format(host=socket.gethostname()))
    file.chmod(0o755)
    return file


@pytest.fixture
def site_file(tmp_path: Path, agent: Path) -> Path:
    """A site of one host with one core for jobs, and a network that every machine has."""
    file = tmp_path / "site.yaml"
    file.write_text(
        f"system: here\nagent: {agent}\nhosts:\n  - name: {socket.gethostname()}\n    cores: 1\n"
        f"networks:\n  - name: loop\n    interface: lo\n    rate_bits: 1.0e9\nwork: {tmp_path}\n"
    )
    return file
