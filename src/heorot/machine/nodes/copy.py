"""The script that copies what a node says of itself, for nodes that have no Python."""

from __future__ import annotations

from pathlib import Path

# For bash 4.2 and an ordinary user: `bash copy.sh FOLDER` on each node, without binding to cores,
# which it would take for what the node allows.
COPY_SCRIPT = Path(__file__).with_name("copy.sh").read_text(encoding="utf-8")
