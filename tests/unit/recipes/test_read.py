"""Recipes are read whole, or refused in one line with file, line and hint."""

from __future__ import annotations

from pathlib import Path

import pytest

from heorot.errors import RecipeError
from heorot.model.recipe import Shell
from heorot.recipes.skeleton import skeleton
from tests.unit.damage import assert_one_line
from tests.unit.recipes.conftest import RICH, SUM, changed, line_of, read


def refused(folder: Path, text: str) -> RecipeError:
    """How a recipe is refused."""
    with pytest.raises(RecipeError) as caught:
        read(folder, text)
    assert_one_line(caught.value, folder / "small.yaml")
    return caught.value


def test_a_recipe_says_what_it_says(tmp_path: Path) -> None:
    recipe = read(tmp_path)
    assert recipe.benchmark == "others/small"
    assert recipe.display_name == "a small program"
    assert recipe.build is not None
    assert recipe.build.steps[1] == Shell.model_validate({"shell": "cp {program} run.x > log"})
    assert recipe.cases[0].memory == 1_000_000
    assert recipe.cases[0].time == 1.0
    assert [each.has_value for each in recipe.verification] == [True, False, False]


def test_the_skeleton_is_a_recipe(tmp_path: Path) -> None:
    recipe = read(tmp_path, skeleton("mine", "./heorot"))
    assert (recipe.name, recipe.display_name) == ("mine", "mine")


@pytest.mark.parametrize("command", ["./run.x", "bin/run.x 'a; b | c'", '"bin/run.x" "a b" more'])
def test_commands_may_have_quotes(tmp_path: Path, command: str) -> None:
    read(
        tmp_path,
        changed("command: bin/{program}.x '{size} cells' {twice}", f"command: >-\n  {command}"),
    )


_COMMAND = "bin/{program}.x '{size} cells' {twice}"
_PATTERN = r"'time (?P<value>\S+)'"
_MANY = "name: many\n    set: {program: ep, size: 16}"


@pytest.mark.parametrize(
    ("old", "new", "at", "what"),
    [
        ("mpi: none", "mip: none", "mip", "unknown key `mip`"),
        ("priority: headline", "prio: x", "prio", "unknown key `cases.0.prio`"),
        ("    tolerance: 0.5", "    tolerace: 0.5", "tolerace", "unknown key `verification.0.tole"),
        ("ceiling: memory", "cieling: memory", "cieling", "unknown key `metrics.0.cieling`"),
        ("question: How fast is it?\n", "", "name:", "`question` is missing"),
        ("command: " + _COMMAND + "\n", "", "name:", "`command` is missing"),
        ("    better: lower\n", "", "  - name: time", "`metrics.1.better` is missing"),
        ("name: small", "name: Small", "name:", "`name`: "),
        ("mpi: none", "mpi: lam", "mpi:", "`mpi`: "),
        ("ranks: 1\n", "ranks: some\n", "ranks: some", "`cases.0.ranks"),
        ("ranks: 1\n", "ranks: 0\n", "ranks: 0", "`cases.0.ranks"),
        ("ranks: 1\n", "ranks: []\n", "ranks: []", "an empty list makes no case"),
        ("threads: [1, 2]", "threads: []", "threads: []", "an empty list makes no case"),
        ("[ep, cg]", "[]", "set: {program: []", "an empty list makes no case"),
        ("[ep, cg]", "[ep, ep]", "- name: only", "a second case would have the name `only_ep`"),
        ("name: many", "name: only", _MANY.replace("many", "only"), "a second one of the name"),
        ("threads: [1, 2]", f"threads: {list(range(1, 1002))}", "- name: many", "more than 1000"),
        ("memory: 1MB", "memory: lots", "memory:", "not a size"),
        ("time: 1s", "time: soon", "time: soon", "not a duration"),
        ("profiles: [quick, standard]", "profiles: [fast]", "profiles:", "`cases.0.profiles.0`"),
        ("size: 16}", "size: .nan}", "size: .nan", "`size` is not finite"),
        ("expected: 1.0", "expected: .nan", "expected:", "`expected` is not finite"),
        ("tolerance: 0.5", "tolerance: .inf", "tolerance:", "`tolerance` is not finite"),
        ("tolerance: 0.5", "tolerance: -1", "tolerance:", "`verification.0.tolerance`"),
        ("unit: MB/s", "unit: furlong/s", "unit: fur", "unknown unit 'furlong/s'"),
        ("most: 1.0e+6", "most: 0", "most:", "`metrics.1.most`"),
        ("no errors\n", "residual\n", "residual\n    pattern: 'ERROR'", "a second one of the name"),
        ("name: time\n", "name: bandwidth\n", "bandwidth\n    unit: ms", "another unit or directi"),
        ("name: time\n", "name: run_time\n", "name: run_time", "`run_time` is measured anyway"),
        ('region: "{program}"', "region: whole_run", "region: whole", "is measured anyway"),
        ("steps: 10", "ranks: 10", "ranks: 10", "`ranks` stands for something else"),
        ("size: 16}", "cxx: 16}", "cxx: 16", "`cxx` stands for something else"),
        ("twice: ", "build: ", 'build: "', "`build` stands for something else"),
        ("{coordinate: size}", "{coordinate: cells}", "coordinate: cells", "pattern has `cells`"),
        ("size: 16}", "size: big}", "size: big", "`big` is no number: add `order:`"),
        ("{coordinate: size}", "{coordinate: size, order: ['8']}", "order:", "`16` is not in the"),
        (_PATTERN, r"'(?P<region>a)(?P<value>\d)'", 'region: "{program}"', "has a group"),
        ('region}", metric', 'place}", metric', "beside:", "`{place}` has no value here"),
        ('{n: "{bytes}"}', '{n: "{octets}"}', "octets", "`{octets}` has no value here"),
        ('"memory/{program}"', '"memory/{what}"', "beside:", "`{what}` has no value here"),
    ],
    ids=lambda text: str(text)[:24],
)  # fmt: skip
def test_wrong_values_are_told_with_their_line(
    tmp_path: Path, old: str, new: str, at: str, what: str
) -> None:
    text = changed(old, new)
    error = refused(tmp_path, text)
    assert str(error).startswith(f"{tmp_path}/small.yaml:{line_of(text, at)}: ")
    assert what in str(error)


_PHASE = r"'^phase (?P<region>\w+) (?P<value>\S+)'"


def test_a_launch_may_have_commands_input_files_and_phases(tmp_path: Path) -> None:
    recipe = read(tmp_path, RICH)
    assert [each.name for each in recipe.commands] == ["mesh", "solve"]
    assert [each.name for each in recipe.quantities] == ["bandwidth", "time", "phase_time"]
    assert [each.called for each in recipe.input_files] == ["mesh.dat"]
    assert [each.command for each in read(tmp_path).commands] == [_COMMAND]


@pytest.mark.parametrize(
    ("old", "new", "at", "what"),
    [
        ("executables:\n", "command: a\nexecutables:\n", "executables:", "a `command` or several"),
        ("name: solve\n", "name: mesh\n", "- name: mesh\n    command: bin/solve", "a second"),
        ("bin/mesh {size}", "/bin/mesh", "command: /bin/mesh", "an absolute path"),
        ("bin/mesh {size}", "'{nothing}'", "command: '{nothing}'", "`{nothing}` has no value"),
        ("bin/mesh {size}", "'{installed}'", "command: '{installed}'", "`installed` is missing"),
        ("bin/solve {twice}", "a | b", "command: a | b", "has a meaning in a shell"),
        ("bin/solve {twice}", "'{size}/../../x'", "command: '{size}/..", "leads out of"),
        ("serial: true", "serial: 2", "serial: 2", "`executables.0.serial`"),
        ("serial: true", "cases: [most]", "cases: [most]", "there is no case `most`"),
        ("cases: [many]", "cases: [most]", "cases: [most]", "there is no case `most`"),
        ("path: mesh.dat", "path: ''", "- path: ''", "`input_files.0.path`"),
        ("path: mesh.dat", 'path: "a\\0b"', "- path: ", "a character that is not allowed in text"),
        (SUM, SUM[1:], "sha256:", "`input_files.0.sha256`"),
        (SUM, SUM.upper(), "sha256:", "`input_files.0.sha256`"),
        (f"    sha256: {SUM}\n", "", "- path: mesh.dat", "`input_files.0.sha256` is missing"),
        ("cases: [many]", "name: ../up", "name: ../up", "must be a path inside"),
        ("cases: [many]", "name: '{size}'", "name: '{size}'", "the same in all cases"),
        ("cases: [many]", "stage: move", "stage: move", "`input_files.0.stage`"),
        (_PHASE, r"'(?P<value>\d)'", "pattern: '(?P", "needs the groups `region` and `value`"),
        (_PHASE, r"'(?P<region>\d)'", "pattern: '(?P", "needs a group (?P<value>"),
        ("names: [read, solve]", "names: []", "names: []", "`phases.names`"),
        ("names: [read, solve]", "names: [Read, read]", "names: [Read", "a second one of"),
        ("names: [read, solve]", "names: ['{no}']", "names: ['{no}", "`{no}` has no value"),
        ("names: [read, solve]", "names: [a]\n  unit: MB", "unit: MB\nv", "`MB` is no unit of"),
        ("name: time\n", "name: phase_time\n", "name: phase_time", "is measured anyway"),
        ("name: time\n", "name: command_time\n", "name: command_time", "is measured anyway"),
        ("    memory: 1MB", "    most_nodes: 0", "most_nodes:", "`cases.0.most_nodes`"),
    ],
    ids=lambda text: str(text)[:24],
)  # fmt: skip
def test_wrong_steps_are_told_with_their_line(
    tmp_path: Path, old: str, new: str, at: str, what: str
) -> None:
    text = changed(old, new, RICH)
    error = refused(tmp_path, text)
    assert str(error).startswith(f"{tmp_path}/small.yaml:{line_of(text, at)}: ")
    assert what in str(error)


def test_a_case_without_any_command_is_none(tmp_path: Path) -> None:
    text = RICH.replace("    command: bin/", "    cases: [only]\n    command: bin/")
    error = refused(tmp_path, text)
    line = line_of(text, "- name: many")
    assert str(error).endswith(f":{line}: no executable is run by the case `many`")


@pytest.mark.parametrize(
    ("old", "new", "at"),
    [
        (_COMMAND, "bin/{nothing}.x", "command:"),
        ("steps {steps}", "steps {nothing}", '"in/{program}'),
        ('"in/{program}.txt"', '"in/{nothing}.txt"', '"in/{nothing}'),
        ('THREADS: "{threads}"', 'THREADS: "{nothing}"', "THREADS"),
        ("out-{program}", "out-{nothing}", "output:"),
        ('region: "{program}"', 'region: "{nothing}"', 'region: "{nothing}"'),
        ("make CC={cc}", "make CC={nothing}", "- make"),
        ('"cp {program} run', '"cp {nothing} run', "- shell"),
        ("OPT = {flags}", "OPT = {nothing}", '"make-{program}'),
        ("{program: ep, size: 16}", "{size: 16}", "- make"),
        ('"{steps}{steps}"', '"{nothing}"', "parameters:"),
        ('"{steps}{steps}"', '"{ranks}"', "parameters:"),
        (_COMMAND, "bin/{cc}", "command:"),
        ("make CC={cc}", "make CC={ranks}", "- make"),
        ("out-{program}.txt", "'{build}/out'", "output:"),
        ('region: "{program}"', 'region: "{folder}"', 'region: "{folder}"'),
    ],
)
def test_placeholders_without_a_value(tmp_path: Path, old: str, new: str, at: str) -> None:
    text = changed(old, new)
    error = refused(tmp_path, text)
    assert str(error).startswith(f"{tmp_path}/small.yaml:{line_of(text, at)}: ")
    assert "has no value" in str(error)


def test_a_circle_of_parameters_is_shown(tmp_path: Path) -> None:
    text = changed("  steps: 10", '  steps: "{twice}"')
    error = refused(tmp_path, text)
    assert str(error).endswith(
        f":{line_of(text, 'parameters:')}: values refer to each other in a circle: "
        "steps -> twice -> steps"
    )


def test_a_circle_without_parameters_cannot_be(tmp_path: Path) -> None:
    """The values of a case are taken literally."""
    recipe = read(tmp_path, changed("{program: ep, size: 16}", '{program: "{size}", size: 16}'))
    assert recipe.cases[1].set["program"] == "{size}"


@pytest.mark.parametrize(
    ("command", "what"),
    [
        ("/bin/ls", "an absolute path, `/bin/ls`"),
        ("~/ls", "an absolute path"),
        ("../ls", "leads out of the folder of the build"),
        ("bin/../../ls", "leads out of the folder of the build"),
        ("''", "`` is no path inside"),
        ('" "', "no command: it is empty"),
        ("bin/x 'a", "no command: No closing quotation"),
        ('bin/x "a', "no command: No closing quotation"),
        ("bin/x {", "plain braces are doubled"),
        ("bin/x {a[0]}", "is no placeholder"),
        *((f"bin/x a {mark} b", f"`{mark}` has a meaning") for mark in "|;&<>()`$"),
        *((f"bin/x a{mark}", f"`{mark}` has a meaning") for mark in "|;&<>()`$"),
    ],
)
@pytest.mark.parametrize("at", ["command", "build"])
def test_commands_that_are_none(tmp_path: Path, command: str, what: str, at: str) -> None:
    old = _COMMAND if at == "command" else "make CC={cc} {program}"
    if at == "build" and command == "''":
        command, what = "", "has to be a text"
    quoted = "'" + command.replace("'", "''") + "'" if command.strip() else "[]"
    quoted = "' '" if command == '" "' else quoted
    text = changed(old, quoted)
    error = refused(tmp_path, text)
    line = line_of(text, "command:") if at == "command" else line_of(text, "  steps:") + 1
    assert str(error).startswith(f"{tmp_path}/small.yaml:{line}: ")
    assert what in str(error)


@pytest.mark.parametrize("path", ["/x", "../x", "a/../../x", "~/x", "", ".", "{a.b}"])
@pytest.mark.parametrize("old", ["out-{program}.txt", '"in/{program}.txt"', '"make-{program}.def"'])
def test_paths_that_lead_out(tmp_path: Path, path: str, old: str) -> None:
    if (path, old) == ("", "out-{program}.txt"):  # what it prints
        return
    text = changed(old, f'"{path}"')
    line = line_of(text, f'"{path}"' if path else '"":')
    assert str(refused(tmp_path, text)).startswith(f"{tmp_path}/small.yaml:{line}: ")


@pytest.mark.parametrize("value", ["/x", "../x", "a/../../x"])
@pytest.mark.parametrize(
    ("old", "new"),
    [
        (_COMMAND, '"{twice} a"'),
        ("out-{program}.txt", '"{twice}"'),
        ('"in/{program}.txt"', '"{twice}"'),
        ('"make-{program}.def"', '"{twice}"'),
    ],
)
def test_values_that_lead_out(tmp_path: Path, value: str, old: str, new: str) -> None:
    text = changed('"{steps}{steps}"', value).replace(old, new)
    error = refused(tmp_path, text)
    assert str(error).startswith(f"{tmp_path}/small.yaml:{line_of(text, new)}: ")
    assert f"`{value}` is no path inside the program's own folder" in str(error)


@pytest.mark.parametrize(
    ("pattern", "what"),
    [
        ("(", "not a pattern: missing )"),
        ("(?=x)", "not a pattern: "),
        (".*", "a pattern that matches any text"),
        (r"(?P<value>\S+)", "a pattern that matches any text"),
        ("x" * 1001, "more than 1000 characters"),
        ("time 5", "needs a group (?P<value>...)"),
    ],
)
def test_patterns_of_metrics_that_are_none(tmp_path: Path, pattern: str, what: str) -> None:
    quoted = f"'{pattern}'"
    text = changed(_PATTERN, quoted)
    error = refused(tmp_path, text)
    assert f":{line_of(text, quoted)}: `metrics.1.pattern`: " in str(error)
    assert what in str(error)


@pytest.mark.parametrize("pattern", ["(", ".*"])
def test_patterns_of_verifications_that_are_none(tmp_path: Path, pattern: str) -> None:
    quoted = f"'{pattern}'"
    text = changed("'PASSED'", quoted)
    where = f":{line_of(text, quoted)}: `verification.1.pattern`: "
    assert where in str(refused(tmp_path, text))


def test_what_is_installed_must_be_said(tmp_path: Path) -> None:
    text = changed(_COMMAND, "'{installed} 1'")
    error = refused(tmp_path, text)
    assert f":{line_of(text, 'command:')}: `{{installed}}` has no value" in str(error)
