"""The script of a build stage on a compute node runs CMake, or prints two lines with the reason."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from contextlib import ExitStack
from pathlib import Path

import pytest

from heorot.build.work import NODE_SCRIPT
from heorot.machine.cpus.topology import read_cpus
from heorot.machine.platform import host_isa
from heorot.machine.processor import read_processor

CMAKE = '#!/bin/sh\nprintf "%s\\n" "$0" "${CXXFLAGS-none}" "$@"\n'


def program(path: Path, text: str) -> Path:
    """A script that can be run."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


class Site:
    """Files visible on a node: sources, a build directory, tools, and the directory of a job.

    Attributes:
        native: the sources.
        directory: the build directory.
        job: where the script runs.
        own: tools that the node has itself.
        cmake: CMake as we have it.
        ninja: ninja as we have it.
    """

    def __init__(self, base: Path) -> None:
        self.native, self.directory, self.job = base / "native", base / "b", base / "job"
        self.own = base / "own"
        for folder in (self.native, self.directory, self.job, self.own):
            folder.mkdir()
        (self.native / "CMakeLists.txt").touch()
        (self.directory / "lock").touch()
        self.cmake = program(base / "cmake", CMAKE)
        self.ninja = program(base / "ninja", "#!/bin/sh\n")
        program(self.own / "sleep", "#!/bin/sh\n")  # nothing here takes long to be seen

    def run(self, stage: str = "build", *words: str, processor: str = "") -> list[str]:
        """Run a stage; its exit code and its output lines."""
        arguments = (self.native, self.directory, processor, stage, self.cmake, self.ninja, *words)
        done = subprocess.run(
            ["bash", "-c", NODE_SCRIPT, "node.sh", *map(str, arguments)],
            cwd=self.job,
            env={"PATH": f"{self.own}:{os.defpath}", "CXXFLAGS": "-DFOREIGN"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.stderr == ""
        return [str(done.returncode), *done.stdout.splitlines()]

    def log(self, stage: str) -> list[str]:
        """The command line of CMake, the shell's flags around it, and its words."""
        return (self.directory / f"{stage}.log").read_text().splitlines()


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(tmp_path)


def here() -> str:
    """Model and features of the processor that we run on, as Heorot reads them."""
    own = read_processor(read_cpus(), isa=host_isa())
    return f"{own.model or ''}|{' '.join(own.features)}"


def test_cmake_runs_without_the_flags_around_it(site: Site) -> None:
    assert site.run("build", "--build", "/b c", "--", "-k", "0") == ["0"]
    assert site.log("build") == [str(site.cmake), "none", "--build", "/b c", "--", "-k", "0"]
    assert site.run("configure", "-S", "x") == ["0"]
    assert site.log("configure")[2:] == ["-S", "x", f"-DCMAKE_MAKE_PROGRAM={site.ninja}"]


def test_the_code_is_that_of_cmake(site: Site) -> None:
    program(site.cmake, '#!/bin/sh\n[ "$1" = --version ] || exit 7\n')
    assert site.run() == ["7"]


@pytest.mark.slow
def test_of_a_long_log_head_and_tail_are_kept(site: Site) -> None:
    said = "echo first; head -c 40000000 /dev/zero | tr '\\0' x; echo; echo last >&2"
    program(site.cmake, f'#!/bin/sh\n[ "$1" = --version ] || {{ {said}; }}\n')
    assert site.run() == ["0"]
    first, *_, cut, last_but_one, last = site.log("build")
    assert (first, last) == ("first", "last")
    assert cut == "... middle left out ..."
    assert set(last_but_one) == {"x"}
    assert (site.directory / "build.log").stat().st_size < 17 << 20
    assert not (site.directory / "build.log.tail").exists()


@pytest.mark.slow
def test_what_is_left_behind_holds_no_stage_up(site: Site, tmp_path: Path) -> None:
    left = f"setsid sleep 3600 & echo $! >{tmp_path}/left; exit 5"
    program(site.cmake, f'#!/bin/sh\nPATH={os.defpath}\n[ "$1" = --version ] || {{ {left}; }}\n')
    with ExitStack() as stack:  # where it is not there any more, it was waited for
        stack.callback(lambda: os.kill(int((tmp_path / "left").read_text()), signal.SIGKILL))
        assert site.run() == ["5"]


def test_what_the_node_does_not_see_is_told_with_what_to_do(site: Site) -> None:
    shutil.rmtree(site.native)
    code, reason, hint = site.run()
    assert code == "69"
    assert reason.endswith(f" does not see {site.native}, the sources of the programs")
    assert hint == "put Heorot where all nodes see it"
    # The next stage of the job does not print it again.
    assert site.run("build") == ["69"]
    (site.job / "refused").unlink()
    (site.directory / "lock").unlink()
    code, reason, hint = site.run()
    assert code == "69"
    assert reason.endswith(f" does not see {site.directory}, where builds are kept")
    assert "XDG_CACHE_HOME" in hint
    assert not (site.directory / "build.log").exists()


@pytest.mark.skipif(host_isa() not in {"x86_64", "aarch64"}, reason="other format")
def test_only_the_processor_that_is_meant_builds(site: Site) -> None:
    assert site.run(processor=here()) == ["0"]
    model, _, features = here().partition("|")
    for other in (f"{model} X|{features}", f"{model}|{features} zz", f"{model}|{features[:-3]}"):
        code, reason, hint = site.run(processor=other)
        assert code == "69"
        assert "has another processor than the nodes that the programs are for" in reason
        assert "constraint" in hint
        (site.job / "refused").unlink()


def test_tools_of_another_instruction_set_give_way_to_those_of_the_node(site: Site) -> None:
    for tool in (site.cmake, site.ninja):
        program(tool, "#!/nowhere\n")
    own = program(site.own / "ninja", "#!/bin/sh\n")
    if shutil.which("cmake", path=os.defpath) is None:
        code, reason, hint = site.run()
        assert (code, hint) == ("69", "install cmake there")
        assert reason.endswith(" has no cmake that runs there")
        (site.job / "refused").unlink()
    program(site.own / "cmake", CMAKE)
    assert site.run("configure") == ["0"]
    assert site.log("configure") == [
        str(site.own / "cmake"),
        "none",
        f"-DCMAKE_MAKE_PROGRAM={own}",
    ]


def test_a_build_that_another_job_is_at_is_waited_for(site: Site) -> None:
    if shutil.which("flock", path=os.defpath) is None:
        pytest.skip("there is no flock")
    lock = site.directory / "node.lock"
    program(site.cmake, f'#!/bin/sh\n[ "$1" = --version ] || flock -n {lock} true\n')
    assert site.run() == ["1"]  # it is held while CMake runs
    assert subprocess.run(["flock", "-n", lock, "true"], check=False).returncode == 0
