"""Flags for the processor of the compute nodes, for builds on a machine with another processor."""

from __future__ import annotations

import hashlib
import re
import warnings

from archspec.cpu import TARGETS, Microarchitecture, UnsupportedMicroarchitecture

from heorot.model.machine.machine import Node, Processor
from heorot.model.machine.toolchain import Toolchain

# Flags that target the processor of the build host: of GNU and clang, Intel, NVIDIA.
_NATIVE = re.compile(r"(?<!\S)(?:-m(?:arch|cpu)=native|-x[Hh]ost|-tp[= ](?:native|host))(?!\S)")
_NATIVE_TUNING = re.compile(r"(?<!\S)-mtune=native(?!\S)")
# Differs between processors of one design; compilers do not depend on it.
_REVISION = re.compile(r"(, )?(stepping|microcode|CPU variant|CPU revision|revision) \S+")
# archspec's names of compilers by the first word of the toolchain's version text.
_COMPILERS = {
    "gnu": "gcc",
    "gcc": "gcc",
    "g++": "gcc",
    "clang": "clang",
    "llvm": "clang",
    "intel": "oneapi",
    "icpx": "oneapi",
    "oneapi": "oneapi",
    "nvhpc": "nvhpc",
    "nvidia": "nvhpc",
    "aocc": "aocc",
    "arm": "arm",
}
# For these architectures the kernel lists features by archspec's names.
_LISTED_ISAS = frozenset({"x86_64", "aarch64"})


def flags_for(toolchain: Toolchain, node: Node, here: Node) -> Toolchain | None:
    """The toolchain with flags for the processor of a compute node, wherever it builds.

    Flags such as `-march=native` target the processor of the build host. They stay if both machines
    have the same processor, or if the site's flags name one; else they are replaced by flags that
    name the processor of the node.

    Args:
        node: the node on which the programs run.
        here: the host on which they are built.

    Returns:
        None if no flags are known that this compiler understands and the processor can run: the
        programs then have to be built on the node.
    """
    if not _asks(toolchain):
        # Flags that name a processor do not help on another instruction set.
        return toolchain if node.processor.isa == here.processor.isa else None
    if same_processor(node.processor, here.processor):
        return toolchain
    if node.processor.isa != here.processor.isa:
        return None
    named = name_flags(toolchain.cxx.version, node.processor)
    flags = _replace(toolchain.cxx.flags, named) if named else ""
    other = toolchain.with_flags(flags)
    return other if named and not _asks(other) else None


def asks_processor(flags: str) -> bool:
    """Whether flags target the processor of the build host."""
    return bool(_NATIVE.search(flags) or _NATIVE_TUNING.search(flags))


def _asks(toolchain: Toolchain) -> bool:
    """Whether flags of any of its compilers target the processor of the build host."""
    return any(asks_processor(each.flags) for each in toolchain.compilers)


def identify(processor: Processor) -> str:
    """A name shared only by processors for which compilers generate the same code.

    Returns:
        The model and eight digits of a digest over everything that compilers look at. Two models,
        or two guests on one model with different features, have different names.
    """
    name = processor.model or processor.microarchitecture or processor.isa
    facts = (processor.isa, name, *_design(processor), *processor.features)
    return f"{name} {hashlib.sha256(repr(facts).encode()).hexdigest()[:8]}"


def processor_key(toolchain: Toolchain, processor: Processor) -> str:
    """Key of the processor in the build cache: its ISA unless flags target the host."""
    if toolchain.built_on:
        return toolchain.built_on
    return identify(processor) if _asks(toolchain) else processor.isa


def same_processor(first: Processor, second: Processor) -> bool:
    """Whether compilers see the same processor: the same instructions and the same design."""
    return (first.isa, _design(first), first.features) == (
        second.isa,
        _design(second),
        second.features,
    )


def _design(processor: Processor) -> tuple[str, ...]:
    """Key of a design: its name, or the numbers by which compilers recognise it."""
    name = processor.microarchitecture or ""
    if name in TARGETS and TARGETS[name].vendor != "generic":
        return (name,)
    numbers = _REVISION.sub("", processor.signature or "")
    return (name, processor.vendor or "", numbers)


def name_flags(compiler: str, processor: Processor) -> str | None:
    """The flags by which a compiler builds for a processor that it does not run on.

    Args:
        compiler: family and version, such as `GNU 12.2.0`.
        processor: the target.

    Returns:
        None if processor or compiler is unknown, the compiler is too old to know the processor, or
        the processor lacks instructions that others of its name have, as in some guests.
    """
    target = TARGETS.get(processor.microarchitecture or "")
    family, _, version = compiler.partition(" ")
    name = _COMPILERS.get(family.lower())
    number = re.match(r"\d+(?:\.\d+)*", version)
    if target is None or target.vendor == "generic" or name is None or number is None:
        return None
    if processor.isa in _LISTED_ISAS and not target.features <= _features(processor):
        return None
    # archspec limits some compilers to 12.2 and would take 12.2.0 for a later version.
    versions = dict.fromkeys((number[0], ".".join(number[0].split(".")[:2])))
    return next(filter(None, (_ask(target, name, version) for version in versions)), None)


def _ask(target: Microarchitecture, compiler: str, version: str) -> str | None:
    """The flags in archspec's catalogue, None if there are none."""
    with warnings.catch_warnings():
        # Such as the warning that a vendor's compiler may be slow on processors of others.
        warnings.simplefilter("ignore")
        try:
            return str(target.optimization_flags(compiler, version)) or None
        except UnsupportedMicroarchitecture:
            return None


def _features(processor: Processor) -> set[str]:
    # Linux calls SSE3 by its old name, Prescott New Instructions.
    return {*processor.features, *(["sse3"] if "pni" in processor.features else [])}


def _replace(flags: str, named: str) -> str:
    """The flags with `named` in place of those that target the build host."""
    tuning = " ".join(word for word in named.split() if word.startswith("-mtune="))
    if _NATIVE.search(flags):
        flags = _NATIVE.sub(named, flags, count=1)
        flags = _NATIVE.sub("", flags)
        tuning = ""
    flags = _NATIVE_TUNING.sub(tuning, flags)
    return " ".join(flags.split())
