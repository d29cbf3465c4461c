"""The environment modules of the site: Lmod or Tcl modules."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

from heorot.model.machine.machine import ModulesSystem
from heorot.process import run

_LMOD_COMMAND = "/usr/share/lmod/lmod/libexec/lmod"
_TCL_COMMANDS = (
    "/usr/share/Modules/libexec/modulecmd.tcl",
    "/usr/lib/x86_64-linux-gnu/modulecmd.tcl",
    "/usr/lib/modulecmd.tcl",
)
_PATIENCE_SECONDS = 3.0


def find_modules(environment: Mapping[str, str] | None = None) -> ModulesSystem | None:
    """The modules system in the environment of this process, or installed in its usual place.

    Args:
        environment: variables of this process; None takes the real ones.
    """
    variables = os.environ if environment is None else environment
    found = _find_system(variables, usual=environment is None)
    if found is None:
        return None
    return found.model_copy(
        update={
            "search_paths": _split(variables.get("MODULEPATH", "")),
            # Both kinds of modules set it.
            "loaded": _split(variables.get("LOADEDMODULES", "")),
        }
    )


def _split(text: str) -> tuple[str, ...]:
    return tuple(filter(None, text.split(":")))


def _find_system(variables: Mapping[str, str], *, usual: bool) -> ModulesSystem | None:
    """The modules system; `usual` also searches its usual places."""
    if "LMOD_CMD" in variables or "LMOD_VERSION" in variables:
        version = variables.get("LMOD_VERSION") or ask_version(variables["LMOD_CMD"])
        return ModulesSystem(name="lmod", version=version)
    if usual and os.access(_LMOD_COMMAND, os.X_OK):
        # Installed, but this shell did not set it up.
        return ModulesSystem(name="lmod", version=ask_version(_LMOD_COMMAND))
    places = _TCL_COMMANDS if usual else ()
    for command in filter(None, (variables.get("MODULES_CMD"), *places)):
        if os.access(command, os.X_OK):
            return ModulesSystem(name="tcl", version=ask_version(command))
    return None


def ask_version(command: str) -> str | None:
    """The version of a module command, which prints on standard error."""
    answer = run([command, "bash", "--version"], timeout_seconds=_PATIENCE_SECONDS)
    return parse_modules_version(answer.err + answer.out)


def parse_modules_version(text: str) -> str | None:
    """The version in the output of `module --version` of either kind."""
    match = re.search(r"(?:Modules based on Lua: Version|Modules Release)\s+(\d[\w.]*)", text)
    return match[1] if match else None
