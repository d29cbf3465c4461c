"""Stores the descriptions that programs print, for plans before anything is built.

    python -m tests.descriptions [BIN]

BIN is the folder `bin` of a build of all programs; by default the build of the tests, made if it is
missing. Run it after changes of options, times or memory. Descriptions of programs that are not
built, as without a compiler for devices, are kept.
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
    """Store the descriptions of all programs."""
    names = [benchmark.name for benchmark in TRIED]
    folders = [Path(word) for word in sys.argv[1:]]
    paths = {name: folders[0] / name for name in names} if folders else builds.release(names).paths
    answers = [process.run([paths[name], "--describe"]) for name in names]
    for file, described in summarise([json.loads(answer.out) for answer in answers]).items():
        known = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
        untried = {each.name for each in BENCHMARKS} - {*names}
        kept = {name: one for name, one in known.items() if name in untried}
        every = dict(sorted((kept | described).items())) if kept else described
        file.write_text(_laid_out(every) + "\n", encoding="utf-8")
    return 0


def _laid_out(value: object, depth: int = 0) -> str:
    """JSON with a line for every option and every cost."""
    text = json.dumps(value)
    if not isinstance(value, dict) or "type" in value:
        return text
    inner = ",\n".join(
        f"{' ' * (depth + 1)}{json.dumps(key)}: {_laid_out(each, depth + 1)}"
        for key, each in value.items()
    )
    return f"{{\n{inner}\n{' ' * depth}}}" if inner else text


if __name__ == "__main__":
    sys.exit(main())
