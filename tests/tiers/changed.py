"""Tests of the working loop: units of changed files, and programs with changed sources."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from tests.tiers.part import Part, builds, trying
from tests.tiers.running import ROOT

_UNIT_SECONDS, _PROGRAM_SECONDS = 60.0, 120.0


def files(since: str | None) -> list[str]:
    """Files that differ from a commit, or are not under version control yet.

    Args:
        since: the commit; None means the last one, and if nothing differs the one before.

    SystemExit: git does not know the commit.
        SystemExit: git does not know it.
    """
    if since is None:
        return _changed("HEAD") or _changed("HEAD~1")
    return _changed(since)


def _changed(since: str) -> list[str]:
    return sorted(
        {
            *_git("diff", "--name-only", "--no-renames", since, "--"),
            *_git("ls-files", "--others", "--exclude-standard"),
        }
    )


def _git(*words: str) -> list[str]:
    try:
        done = _call("git", *words)
    except OSError as error:
        said = f"git is needed to see what has changed: {error.strerror}"
    else:
        if not done.returncode:
            return done.stdout.splitlines()
        said = (done.stderr.strip().splitlines() or ["git failed"])[0]
    sys.stderr.write(f"heorot: {said}\nhint: ./heorot test tries everything\n")
    raise SystemExit(2)


def _call(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)


def units(changed: Iterable[str]) -> list[str]:
    """Test files and folders that belong to changed files.

    Args:
        changed: files, from the root of the checkout.
    """
    wanted = set()
    for name in changed:
        path = Path(name)
        if path.parts[:2] == ("src", "heorot") and path.suffix in {".py", ".sh", ".j2", ".js"}:
            wanted |= _beside(path.relative_to("src/heorot"))
        elif name.startswith("tests/unit/"):
            own = path.name.startswith("test_") and (ROOT / path).exists()
            wanted |= {name if own else str(path.parent)}
    kept = sorted(wanted)
    return [one for one in kept if not any(one.startswith(f"{other}/") for other in kept)]


def _beside(path: Path) -> set[str]:
    """The test of a module, else those of its folder, else those of a folder above."""
    room = Path("tests/unit") / path.parent
    own = room / f"test_{path.stem}.py"
    if path.parent == Path() and (ROOT / own).exists():
        return {str(own)}
    while not (ROOT / room).is_dir():
        room = room.parent
    return {str(room)} if room != Path("tests/unit") else set()


def programs(changed: set[Path]) -> list[str]:
    """Programs compiled from changed sources or headers.

    Args:
        changed: files.

    Raises:
        SystemExit: the native tree cannot be configured.
    """
    from heorot.families import BENCHMARKS  # noqa: PLC0415 (only where native code has changed)
    from tests.ledger.native import Build, headers  # noqa: PLC0415

    tools, folder = Path(sys.prefix) / "bin", ROOT / "build" / "listing"
    mpi = ("-DHEOROT_WITH_MPI=ON", f"-DMPI_CXX_COMPILER={tools / 'mpicxx'}")
    options = (*mpi, "-DHEOROT_TESTS=OFF", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON")
    ninja = f"-DCMAKE_MAKE_PROGRAM={tools / 'ninja'}"
    places = ("-S", ROOT / "native", "-B", folder, "-G", "Ninja")
    done = _call(tools / "cmake", *places, ninja, *options)
    if done.returncode:
        raise SystemExit(done.stdout + done.stderr)
    build = Build(folder, tools)

    def has_changed(name: str) -> bool:
        _, sources = build.made_of(f"bin/{name}")
        return any(
            {source, *headers(source)} & changed for source in sources if source.is_absolute()
        )

    return [each.name for each in BENCHMARKS if has_changed(each.name)]


def parts(since: str | None) -> tuple[Sequence[Part], str]:
    """The parts of this tier, and the reason for their choice, in words.

    Args:
        since: a commit; None for the last one.
    """
    changed = files(since)
    why = f"{len(changed)} files have changed"
    found: list[Part] = []
    if wanted := units(changed):
        found.append(
            Part("unit", "units", trying(*wanted, marks="not timed and not nightly"), _UNIT_SECONDS)
        )
    if any(name.startswith("native/") for name in changed):
        names = programs({ROOT / name for name in changed})
        why += f", and objects of {len(names)} programs"
        if names:
            found.append(Part("build", "programs", builds("release"), _PROGRAM_SECONDS, 2))
            words = " or ".join(f"[{name}]" for name in names)
            command = trying("tests/contract/test_programs.py", "-k", words)
            found.append(Part("programs", "contract", command, _PROGRAM_SECONDS, after=("build",)))
    return found, why
