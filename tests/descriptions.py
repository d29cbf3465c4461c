"""Writes what the programs tell of themselves to where plans read it before anything is built.

    python -m tests.descriptions [BIN]

BIN is the folder `bin` of a build of all programs; without it the build that tests use, made if it
is missing. After a change of options or of what a program takes.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from heorot import process
from heorot.catalogue.programs import STORED, summarise
from heorot.families import BENCHMARKS
from tests import builds


def main() -> int:
    """Ask every program, and write down what it tells."""
    names = [benchmark.name for benchmark in BENCHMARKS]
    folders = [Path(word) for word in sys.argv[1:]]
    paths = {name: folders[0] / name for name in names} if folders else builds.release(names).paths
    answers = [process.run([paths[name], "--describe"]) for name in names]
    told = summarise([json.loads(answer.out) for answer in answers])
    STORED.write_text(_laid_out(told) + "\n", encoding="utf-8")
    return 0


def _laid_out(value: object, depth: int = 0) -> str:
    """JSON with a line for every option and every cost."""
    told = json.dumps(value)
    if not isinstance(value, dict) or "type" in value:
        return told
    inner = ",\n".join(
        f"{' ' * (depth + 1)}{json.dumps(key)}: {_laid_out(each, depth + 1)}"
        for key, each in value.items()
    )
    return f"{{\n{inner}\n{' ' * depth}}}" if inner else told


if __name__ == "__main__":
    sys.exit(main())
