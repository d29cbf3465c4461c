"""The tiers: their parts, with budgets, and tests that each leaves to another."""

from __future__ import annotations

from tests.tiers.part import Part, builds, trying

# Tests that take too long for newcomers and after every change.
_BRIEF = "not slow and not waiting and not timed and not nightly and not alone"
_NOT_HERE = "not timed and not alone and not nightly"
_SMALLEST = f"not slow and {_NOT_HERE}"
_PROGRAMS = "tests/contract/test_programs.py"
_BINARIES = "tests/contract/binaries"
_LABS = ("tests/end_to_end/batch", "tests/end_to_end/lab")
_HOSTS = ("tests/end_to_end/cluster", "tests/end_to_end/trouble")
_SOURCES = ("ruff-format", "ruff", "mypy", "import-layers", "truth", "shell", "clang-format")
_BROWSER = ("tests/end_to_end/browser",)


def _others(*folders: str) -> tuple[str, ...]:
    return tuple(f"--ignore={folder}" for folder in folders)


BRIEF_SECONDS = 300.0  # the first build included
BRIEF = (
    Part("build", "all programs, as ./heorot evaluate builds them", builds("release"), 200, 2),
    Part("unit", "units, with few random examples", trying("tests/unit", marks=_BRIEF, workers=2),
         120, 2, environment={"HYPOTHESIS_PROFILE": "brief"}),
    Part("sources", "contracts of the sources",
         trying("tests/contract", *_others(_BINARIES, _PROGRAMS), marks=_BRIEF), 20),
    Part("messages", "programs that pass messages at their smallest, right and corrupted",
         trying(_PROGRAMS, "-k", "messages", marks=_SMALLEST), 120, 0, after=("build",)),
    Part("programs", "every other program likewise",
         trying(_PROGRAMS, "-k", "not messages", marks=_SMALLEST), 120, 0, after=("build",)),
)  # fmt: skip

# Budgets are for a machine without builds, and for clang-tidy and sanitizers after a change of the
# harness, which concerns all native code.
ALL_SECONDS = 1500.0
ALL = (
    Part("build", "all programs and native tests, each set of flags once",
         builds("release", "native-tests", "counted"), 450, 2),
    Part("contract", "contracts of sources and programs",
         trying("tests/contract", *_others(_BINARIES), marks=_NOT_HERE), 400, after=("build",)),
    Part("binaries", "native tests, and instructions that programs execute",
         trying(_BINARIES, marks=_NOT_HERE), 350, 2, after=("build",)),
    Part("labs", "batch systems and networks in labs",
         trying(*_LABS, marks=_NOT_HERE), 500, 0, after=("build",)),
    Part("hosts", "evaluations over hosts, and what may go wrong",
         trying(*_HOSTS, marks=_NOT_HERE), 700, 0, after=("build",)),
    Part("browser", "pages in a browser", trying(*_BROWSER, marks=_NOT_HERE), 150, 0),
    Part("checks", "format, lint, types, layers, shell", ("tools/check", *_SOURCES), 100),
    Part("end-to-end", "evaluations, from the command to the page",
         trying("tests/end_to_end", *_others(*_LABS, *_HOSTS, *_BROWSER), marks=_NOT_HERE), 400,
         after=("build",)),
    Part("clang", "warnings of clang, and clang-tidy on what has changed",
         ("tools/check", "clang", "clang-tidy"), 600),
    Part("sanitizers", "programs that have changed, with address and undefined sanitizers",
         ("tools/check", "sanitizers"), 750),
    Part("unit", "units", trying("tests/unit", marks=_NOT_HERE, workers=2), 300, 2),
    Part("alone", "what is held to a time", trying("tests", marks="timed or alone"), 300,
         alone=True),
)  # fmt: skip

_TO_ALL = (
    "batch systems in a lab, pages in a browser, evaluations from end to end, native tests, "
    "sanitizers, format and types: ./heorot test --all"
)
_TO_NIGHT = (
    "races of threads, other instruction sets, mutations, fuzzing, delayed starts, hundreds of "
    "kills: "
    "tools/check --all"
)
NOT_ALL = (_TO_NIGHT,)
NOT_BRIEF = (_TO_ALL, _TO_NIGHT)
