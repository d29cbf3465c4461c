"""What the working loop tests: units beside what has changed, and programs whose sources have."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

from tests.tiers.part import Part, builds, trying
from tests.tiers.running import ROOT

_UNIT_SECONDS, _PROGRAM_SECONDS = 60.0, 120.0


def files(since: str | None) -> list[str]:
    """Files that differ from a commit, or are not under version control yet.

    Args:
        since: the commit; None means the last one, and if nothing differs the one before.

    Raises:
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
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        said = (done.stderr.strip().splitlines() or ["git failed"])[0]
        raise SystemExit(f"heorot: {said}")
    return done.stdout.splitlines()


def units(changed: Iterable[str]) -> list[str]:
    """Test files and folders beside what has changed.

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


def parts(since: str | None) -> tuple[Sequence[Part], str]:
    """The parts of this tier, and what they leave out, in words.

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
        from tests.builds import changed_programs  # noqa: PLC0415 (needs what Heorot needs)

        names = changed_programs()
        why += f", and objects of {len(names)} programs"
        if names:
            found.append(Part("build", "programs", builds("release"), _PROGRAM_SECONDS, 2))
            words = " or ".join(f"[{name}]" for name in names)
            command = trying("tests/contract/test_programs.py", "-k", words)
            found.append(Part("programs", "contract", command, _PROGRAM_SECONDS, after=("build",)))
    return found, why
