"""The recipe of an external program: how to build, run and read it (see docs/recipes.md)."""

from __future__ import annotations

import re
import shlex
from pathlib import PurePosixPath
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from heorot.model.base import Count, FileName, PositiveInt, Record, Seconds, VariableName
from heorot.model.catalogue.benchmark import Priority, Profile, Size
from heorot.model.fill import Fill
from heorot.model.point import Scalar
from heorot.model.quantities import (
    REGION,
    Pattern,
    Quantity,
    Template,
    Unit,
    Verification,
    as_template,
)
from heorot.model.run.experiment import Question
from heorot.template import placeholders
from heorot.units import parse_bytes, parse_duration

FAMILY = "others"
PHASE_TIME = "phase_time"
"""The metric of the phases that a program prints."""
_BARE = re.compile(r"'[^']*'")
_QUOTED = re.compile(r"""'[^']*'|"[^"]*\"""")
_SHELLS = re.compile(r"[|;&<>()`$]")


def _words(text: str) -> str:
    """A command that runs without a shell."""
    special = _SHELLS.search(_BARE.sub("", text))
    if special:
        raise ValueError(
            f"`{special[0]}` has a meaning in a shell only: put it between ', or use `shell:`"
        )
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise ValueError(f"no command: {error}") from None
    if not words:
        raise ValueError("no command: it is empty")
    if words[0].startswith(("/", "~")):
        raise ValueError(
            f"an absolute path, `{words[0]}`: use `installed:`, or give a path below --source"
        )
    if ".." in PurePosixPath(words[0]).parts:
        raise ValueError(f"`{words[0]}` leads out of the folder of the build")
    return as_template(text)


def _shell(text: str) -> str:
    """A command line for a shell: values are inserted quoted; quotes around them undo that."""
    for quoted in _QUOTED.findall(text.replace("{{", "").replace("}}", "")):
        if "{" in quoted:
            raise ValueError(f"{quoted}: a placeholder is quoted already, write it without quotes")
    return as_template(text)


def _inner_path(text: str) -> str:
    path = PurePosixPath(text)
    if path.is_absolute() or ".." in path.parts or not path.parts or text.startswith("~"):
        raise ValueError(f"`{text}` must be a path inside the program's own folder")
    return as_template(text)


def _size(value: object) -> object:
    return parse_bytes(value) if isinstance(value, str) else value


def _duration(value: object) -> object:
    return parse_duration(value) if isinstance(value, str) else value


def _plain_path(text: str) -> str:
    if placeholders(_inner_path(text)):
        raise ValueError(f"`{text}` must be the same in all cases, without placeholders")
    return text


Words = Annotated[str, AfterValidator(_words)]
InnerPath = Annotated[str, AfterValidator(_inner_path)]
PlainPath = Annotated[str, AfterValidator(_plain_path)]
StatedSeconds = Annotated[Seconds, BeforeValidator(_duration, json_schema_input_type=Seconds | str)]
Bytes = Annotated[Count, BeforeValidator(_size, json_schema_input_type=Count | str)]
# Number of ranks or threads: one number, several, or one per core of the machine.
Value = bool | Scalar
Cores = PositiveInt | Literal["all"]
Spread = Cores | tuple[Cores, ...] | Literal["powers", "powers_of_two", "squares"]


class Shell(Record):
    """A command line for a shell, which must be requested: values are inserted quoted."""

    shell: Annotated[str, AfterValidator(_shell)]


Command = Words | Shell


class Build(Record):
    """How the program is built, in a copy of its sources.

    Attributes:
        steps: commands, run in order; those that differ between cases run for each.
        files: files written into the copy before: path -> content.
        time: time limit of the build [s].
    """

    steps: Annotated[tuple[Command, ...], Field(min_length=1, max_length=50)]
    files: dict[InnerPath, Template] = Field(default_factory=dict)
    time: StatedSeconds = 1800.0


class Installed(Record):
    """An installed program.

    Attributes:
        command: its name, found on PATH.
        package: its Debian package, for the hint.
    """

    command: FileName
    package: FileName = ""


class Executable(Record):
    """One of the commands of a launch, run in order.

    Attributes:
        name: distinguishes it from the others; a phase of the launch has it.
        command: words; the first is `{installed}` or a path below the build's folder.
        serial: whether it runs once, on the launch's first node, rather than on all ranks.
        cases: names of the entries of `cases` whose launches run it; empty means all.
    """

    name: FileName
    command: Command
    serial: bool = False
    cases: tuple[str, ...] = ()


class InputFile(Record):
    """A file of this machine that a launch finds in its folder.

    Attributes:
        path: relative to the recipe's own folder unless it begins with `/` or `~`.
        sha256: its checksum.
        bytes: its size, to be known where the file is missing; None for the size found [B].
        name: its name in the folder; by default its own.
        stage: whether a launch gets a copy of its own, or a link to the file.
        cases: names of the entries of `cases` whose launches read it; empty means all.
    """

    path: Annotated[str, Field(pattern=r"^[^\x00]+$")]
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    bytes: Count | None = None
    name: PlainPath | Literal[""] = ""
    stage: Literal["copy", "link"] = "copy"
    cases: tuple[str, ...] = ()

    @property
    def called(self) -> str:
        """Its name in the folder of a launch."""
        return self.name or PurePosixPath(self.path).name


class Phases(Record):
    """The parts of a launch whose times the program prints.

    Attributes:
        pattern: with the groups `region` around a phase's name and `value` around its time.
    """

    pattern: Pattern
    names: Annotated[tuple[str, ...], Field(min_length=1, max_length=1000)]
    unit: Unit = "s"


class Run(Record):
    """One way to run the program, or several.

    Attributes:
        set: values of placeholders; a list makes a case of each.
        fill: a value chosen by memory and time, if any.
        memory: memory of all ranks together, in addition to that of `fill`; enforced for each
            process [B].
        time: duration of a launch, or its limit if `fill` sets the duration [s].
        most_nodes: largest number of nodes for its ranks; None for any number.
        priority: order in which cases are planned if time is short.
    """

    name: FileName
    set: dict[VariableName, Value | tuple[Value, ...]] = Field(default_factory=dict)
    fill: Fill | None = None
    ranks: Spread = 1
    threads: Spread = 1
    memory: Bytes = 0
    time: StatedSeconds = 60.0
    most_nodes: PositiveInt | None = None
    profiles: tuple[Profile, ...] = ("quick", "standard", "full")
    priority: Priority = "main"

    @property
    def names(self) -> tuple[str, ...]:
        """The placeholders that have values of its own."""
        return (*self.set, *((self.fill.value,) if self.fill else ()))


class Recipe(Record):
    """How to build, run and read an external program.

    Attributes:
        name: the program is called `others/NAME`.
        source: name, version and origin.
        licence: terms of use.
        obtain: how to get or build it without a network, one line.
        comparable: whether its figures compare with published ones, `Yes: ...`, `No: ...`.
        mpi: how ranks are started: by the toolchain's MPI, an installed one, or not at all.
        installed: where it is found, if it need not be built.
        parameters: values of placeholders that all cases share.
        files: files written into its folder before it runs: path -> content.
        command: words; the first is `{installed}` or a path below the build's folder.
        executables: commands in place of a single one.
        output: the file of its folder with its figures; empty for standard output.
        size: placeholder of the problem size.
        problem: placeholders that define the problem of a case; None for all that cases set.
        telling: the questions that it answers better than others.
        phases: its output on the times of its parts, if any.
        verification: conditions for its figures to count.
    """

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]{0,39}$")]
    title: str = ""
    question: str
    source: str
    licence: str
    obtain: Annotated[str, Field(pattern=r"^[^\r\n]*$")] = ""
    comparable: str = ""
    mpi: Literal["toolchain", "none", "openmpi", "mpich", "intel"] = "toolchain"
    build: Build | None = None
    installed: Installed | None = None
    parameters: dict[VariableName, bool | Template | Scalar] = Field(default_factory=dict)
    files: dict[InnerPath, Template] = Field(default_factory=dict)
    input_files: Annotated[tuple[InputFile, ...], Field(max_length=100)] = ()
    environment: dict[VariableName, Template] = Field(default_factory=dict)
    command: Command | None = None
    executables: Annotated[tuple[Executable, ...], Field(max_length=50)] = ()
    output: InnerPath | Literal[""] = ""
    cases: Annotated[tuple[Run, ...], Field(min_length=1, max_length=100)]
    size: Size | None = None
    problem: tuple[VariableName, ...] | None = None
    suits: tuple[Question, ...] = Field(default=(), alias="telling")
    phases: Phases | None = None
    verification: tuple[Verification, ...] = ()
    metrics: tuple[Quantity, ...]

    @property
    def commands(self) -> tuple[Executable, ...]:
        """All its commands, in their order."""
        alone = Executable(name=self.name, command=self.command) if self.command else None
        return self.executables or ((alone,) if alone else ())

    @property
    def quantities(self) -> tuple[Quantity, ...]:
        """The metrics, and the times of phases as one more."""
        if self.phases is None:
            return self.metrics
        fields = {
            "name": PHASE_TIME,
            "unit": self.phases.unit,
            "better": "lower",
            "pattern": self.phases.pattern,
            "values": {REGION: self.phases.names},
        }
        return (*self.metrics, Quantity.model_validate(fields))

    @property
    def benchmark(self) -> str:
        """The program's name among all programs."""
        return f"{FAMILY}/{self.name}"

    @property
    def display_name(self) -> str:
        """Its name in sentences."""
        return self.title or self.name
