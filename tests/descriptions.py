"""Writes what programs tell of themselves to where plans read it before anything is built.

    python -m tests.descriptions [BIN]

BIN is the folder `bin` of a build of all programs; without it the build that tests use, made if it
is missing. After a change of options or of what a program takes. Of programs that are not built,
as there is no compiler for devices, it stays as it is.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from heorot import process
from heorot.catalogue.programs import summarise
from heorot.families import BENCHMARKS
from tests import builds
from tests.builds import TRIED


def main() -> int:
    """Ask every program, and write down what it tells."""
    names = [benchmark.name for benchmark in TRIED]
    folders = [Path(word) for word in sys.argv[1:]]
    paths = {name: folders[0] / name for name in names} if folders else builds.release(names).paths
    answers = [process.run([paths[name], "--describe"]) for name in names]
    for file, told in summarise([json.loads(answer.out) for answer in answers]).items():
        known = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
        untried = {each.name for each in BENCHMARKS} - {*names}
        kept = {name: one for name, one in known.items() if name in untried}
        every = dict(sorted((kept | told).items())) if kept else told
        file.write_text(_laid_out(every) + "\n", encoding="utf-8")
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
