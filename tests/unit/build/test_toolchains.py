"""Toolchains from found compilers and MPIs: names, flags, order, choice, modules."""

from __future__ import annotations

from pathlib import Path

import pytest

from heorot.build import toolchains
from heorot.build.toolchains import (
    choose,
    compose,
    find_toolchains,
    load_all,
    load_modules,
    with_unique_names,
)
from heorot.errors import SetupError, UsageError
from heorot.model.machine.machine import Machine, Node, Processor
from heorot.model.machine.site import Site
from heorot.model.machine.software import CompilerInstall, Family, MpiInstall
from heorot.model.machine.toolchain import Flavour, Toolchain
from tests.toolchains import some_compilers

GNU = CompilerInstall(family="gnu", version="12.2.0", cxx=Path("/usr/bin/g++"), openmp=True)
CLANG = CompilerInstall(
    family="clang", version="16.0.6", cxx=Path("/usr/bin/clang++-16"), openmp=True
)
OLD = CompilerInstall(family="clang", version="14.0.6", cxx=Path("/usr/bin/clang++"))


def install(
    flavour: Flavour = "openmpi", version: str | None = "5.0.11", *, launcher: bool = True
) -> MpiInstall:
    return MpiInstall(
        flavour=flavour,
        version=version,
        origin="wheel",
        cxx=Path("/venv/bin/mpicxx"),
        mpiexec=Path("/venv/bin/mpiexec") if launcher else None,
        prefix=Path("/venv"),
    )


def machine(
    compilers: tuple[CompilerInstall, ...], mpis: tuple[MpiInstall, ...] = (), isa: str = "x86_64"
) -> Machine:
    node = Node(names=("here",), processor=Processor(isa=isa))
    return Machine(hostname="here", nodes=(node,), compilers=compilers, mpis=mpis)


def names(toolchains: tuple[Toolchain, ...]) -> list[str]:
    return [toolchain.name for toolchain in toolchains]


def test_every_usable_compiler_with_every_mpi() -> None:
    found = find_toolchains(
        machine((GNU, OLD, CLANG), (install(), install("mpich", "5.0.2"))), None
    )
    assert names(found) == [
        "gnu-12+openmpi-5.0.11",
        "gnu-12+mpich-5.0.2",
        "clang-16+openmpi-5.0.11",
        "clang-16+mpich-5.0.2",
    ]
    first = found[0]
    assert first.mpi is not None
    assert first.mpi.mpiexec == Path("/venv/bin/mpiexec")
    assert (first.cxx.version, first.origin) == ("GNU 12.2.0", "embedded")


def test_without_mpi_there_are_still_toolchains() -> None:
    (found,) = find_toolchains(machine((GNU,), (install(launcher=False),)), None)
    assert (found.name, found.mpi, found.origin) == ("gnu-12", None, "system")


def test_no_compiler_no_toolchain() -> None:
    assert find_toolchains(machine((OLD,), (install(),)), None) == ()


def test_a_compiler_without_openmp_comes_last() -> None:
    lacking = GNU.model_copy(update={"openmp": False})
    assert names(find_toolchains(machine((lacking, CLANG)), None)) == ["clang-16", "gnu-12"]


def test_equal_names_are_told_apart() -> None:
    system = install().model_copy(update={"origin": "system"})
    found = find_toolchains(machine((GNU,), (install(), system)), None)
    assert names(found) == ["gnu-12+openmpi-5.0.11", "gnu-12+openmpi-5.0.11#2"]


def test_a_number_is_given_once() -> None:
    taken = [compose(GNU, None).model_copy(update={"name": name}) for name in ("a", "a#2", "a")]
    assert names(with_unique_names(taken)) == ["a", "a#2", "a#3"]


def test_a_site_says_all() -> None:
    own = Toolchain(name="prod", compilers=some_compilers("CC", "Cray 17"), mpi=None, origin="site")
    assert find_toolchains(machine((GNU,)), Site(toolchains=(own,))) == (own,)
    assert names(find_toolchains(machine((GNU,)), Site(system="x"))) == ["gnu-12"]


@pytest.mark.parametrize(
    ("family", "isa", "flags"),
    [
        ("gnu", "x86_64", "-O3 -march=native"),
        ("gnu", "aarch64", "-O3 -march=native"),
        ("gnu", "ppc64le", "-O3 -mcpu=native"),
        ("clang", "x86_64", "-O3 -march=native"),
        ("nvhpc", "x86_64", "-O3 -tp=native"),
    ],
)
def test_flags_are_for_the_processor_at_hand(family: Family, isa: str, flags: str) -> None:
    compiler = CompilerInstall(family=family, version="99.1", cxx=Path("cxx"))
    (found,) = find_toolchains(machine((compiler,), isa=isa), None)
    assert found.cxx.flags == flags


def test_kernels_in_fortran_are_by_the_compiler_found_with_that_of_c(tmp_path: Path) -> None:
    beside = GNU.model_copy(update={"fortran": tmp_path / "gfortran"})
    fortran = compose(beside, None).fortran
    assert fortran is not None
    assert fortran.command == tmp_path / "gfortran"
    assert compose(GNU, None).fortran is None


def test_an_unknown_version_is_called_so() -> None:
    assert compose(GNU, install(version=None)).name == "gnu-12+openmpi-unknown"


def test_a_version_with_blanks_makes_a_name_without() -> None:
    toolchain = compose(GNU, install("intel", "2019 Update 4"))
    assert toolchain.name == "gnu-12+intel-2019-Update-4"
    assert toolchain.mpi is not None
    assert toolchain.mpi.version == "2019 Update 4"


CHAINS = find_toolchains(machine((GNU, CLANG), (install(), install("mpich", "5.0.2"))), None)


def test_the_first_is_the_default() -> None:
    assert choose(CHAINS, ()) == CHAINS[:1]


def test_patterns_choose() -> None:
    assert names(choose(CHAINS, ["*mpich*"])) == ["gnu-12+mpich-5.0.2", "clang-16+mpich-5.0.2"]


def test_the_first_pattern_says_what_others_are_held_against() -> None:
    chosen = choose(CHAINS, ["clang*", "gnu-12+mpich-5.0.2", "*"])
    assert names(chosen) == names((*CHAINS[2:], CHAINS[1], CHAINS[0]))


def test_a_pattern_that_matches_none_is_a_mistake() -> None:
    with pytest.raises(UsageError, match="no toolchain matches 'gnu-12\\+openmpi'") as caught:
        choose(CHAINS, ["gnu-12+openmpi"])
    assert caught.value.hint == "did you mean gnu-12+openmpi-5.0.11?"
    with pytest.raises(UsageError) as caught:
        choose(CHAINS, ["%%%"])
    assert caught.value.hint.startswith("there are: gnu-12+openmpi-5.0.11, ")


def test_no_compiler_is_a_matter_of_set_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toolchains, "compiler_command", lambda: "apt-get install -y g++")
    with pytest.raises(SetupError, match="no usable C\\+\\+20 compiler") as caught:
        choose((), ())
    assert caught.value.hint == "apt-get install -y g++"


@pytest.fixture
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A modules system as login shells have it: a function."""
    (tmp_path / ".bash_profile").write_text(
        "module() {\n"
        '    [ "$1" = load ] || return 1\n'
        "    shift\n"
        '    for name in "$@"; do\n'
        '        [ "$name" = missing ] && { echo "Unable to locate missing" >&2; return 1; }\n'
        '        export LOADED="$LOADED:$name"\n'
        "    done\n"
        "    export LINES_OF='first\nsecond'\n"
        "}\n"
    )
    monkeypatch.setenv("HOME", str(tmp_path))


def chain(*modules: str, **environment: str) -> Toolchain:
    return Toolchain(
        name="site",
        compilers=some_compilers("CC", "Cray 17"),
        mpi=None,
        modules=modules,
        environment=environment,
    )


@pytest.mark.usefixtures("modules")
def test_modules_become_environment() -> None:
    loaded = load_modules(chain("gcc/12", "openmpi", OWN="1"))
    assert loaded.environment == {
        "LOADED": ":gcc/12:openmpi",
        "LINES_OF": "first\nsecond",
        "OWN": "1",
    }


@pytest.mark.usefixtures("modules")
def test_what_the_site_sets_wins() -> None:
    assert load_modules(chain("a", LOADED="mine")).environment["LOADED"] == "mine"


@pytest.mark.usefixtures("modules")
def test_a_module_that_does_not_load_is_reported() -> None:
    with pytest.raises(SetupError, match="do not load: Unable to locate missing") as caught:
        load_modules(chain("gcc/12", "missing"))
    assert caught.value.hint == "try: module load gcc/12 missing"


@pytest.mark.usefixtures("modules")
def test_of_several_toolchains_those_load_whose_modules_do() -> None:
    broken = chain("missing").model_copy(update={"name": "broken"})
    loaded, failures = load_all((broken, chain("gcc/12")))
    assert [each.environment["LOADED"] for each in loaded] == [":gcc/12"]
    assert failures == {
        "broken": "modules of toolchain broken do not load: Unable to locate missing"
    }
    with pytest.raises(SetupError, match="modules of toolchain broken do not load"):
        load_all((broken,))


def test_no_modules_no_shell() -> None:
    own = chain(OWN="1")
    assert load_modules(own) is own
