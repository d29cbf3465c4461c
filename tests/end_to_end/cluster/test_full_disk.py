"""The file system that the nodes share runs full: told in one line, and gone on with afterwards."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.end_to_end.cluster.site import Cluster, Run, wait_until

pytestmark = [pytest.mark.mpi, pytest.mark.slow]
