"""Flags for the compute node's processor, when programs are built on a machine with another one."""

from __future__ import annotations

import hashlib
import re
import warnings

from archspec.cpu import TARGETS, Microarchitecture, UnsupportedMicroarchitecture

from heorot.model.machine.machine import Node, Processor
from heorot.model.machine.toolchain import Toolchain

# How compilers are told to ask the processor they run on: GNU's and clang's, Intel's, NVIDIA's.
_NATIVE = re.compile(r"(?<!\S)(?:-m(?:arch|cpu)=native|-x[Hh]ost|-tp[= ](?:native|host))(?!\S)")
_NATIVE_TUNING = re.compile(r"(?<!\S)-mtune=native(?!\S)")
# What a maker changes without a new design: compilers do not look at it.
_REVISION = re.compile(r"(, )?(stepping|microcode|CPU variant|CPU revision|revision) \S+")
# archspec's names of compilers by the first word of what a toolchain says of its own.
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
# Of these the kernel lists features as archspec calls them.
_LISTED_ISAS = frozenset({"x86_64", "aarch64"})


def flags_for(toolchain: Toolchain, node: Node, here: Node) -> Toolchain | None:
    """The toolchain with flags for the processor of a compute node, wherever it builds.

    Flags such as `-march=native` ask the processor on which the compiler runs. They stay if both
    machines have the same one, or if the site's flags name one; else they give way to what names
    the processor of the node.

    Args:
        node: where they are to run.
        here: where they are to be built.

    Returns:
        None if no flag is known that this compiler understands and the processor can run: then the
        programs have to be built on the node.
    """
    if not _asks(toolchain):
        # What is built for a named processor does not run on another instruction set either.
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
    """Whether flags ask the processor on which the compiler runs."""
    return bool(_NATIVE.search(flags) or _NATIVE_TUNING.search(flags))


def _asks(toolchain: Toolchain) -> bool:
    """Whether any of its compilers asks the processor on which it runs."""
    return any(asks_processor(each.flags) for each in toolchain.compilers)


def identify(processor: Processor) -> str:
    """A name of a processor that no other has for which compilers may make other programs.

    Returns:
        The model and eight digits over all that compilers may look at: two models, or two guests on
        one model that are given other features, never share them.
    """
    name = processor.model or processor.microarchitecture or processor.isa
    facts = (processor.isa, name, *_design(processor), *processor.features)
    return f"{name} {hashlib.sha256(repr(facts).encode()).hexdigest()[:8]}"


def processor_key(toolchain: Toolchain, processor: Processor) -> str:
    """What of a processor decides what a toolchain makes: all of it, if the flags ask it."""
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
    """What tells a design from others: its name, or the numbers that compilers may know it by."""
    name = processor.microarchitecture or ""
    if name in TARGETS and TARGETS[name].vendor != "generic":
        return (name,)
    numbers = _REVISION.sub("", processor.signature or "")
    return (name, processor.vendor or "", numbers)


def name_flags(compiler: str, processor: Processor) -> str | None:
    """The flags by which a compiler builds for a processor that it does not run on.

    Args:
        compiler: family and version, such as `GNU 12.2.0`.
        processor: what is to be built for.

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
    # The catalogue ends some compilers with 12.2 and means 12.2.0, which it takes for a later one.
    versions = dict.fromkeys((number[0], ".".join(number[0].split(".")[:2])))
    return next(filter(None, (_ask(target, name, version) for version in versions)), None)


def _ask(target: Microarchitecture, compiler: str, version: str) -> str | None:
    """The flags in the catalogue, None if there are none."""
    with warnings.catch_warnings():
        # Such as that a compiler of one maker does not do its best for processors of another.
        warnings.simplefilter("ignore")
        try:
            return str(target.optimization_flags(compiler, version)) or None
        except UnsupportedMicroarchitecture:
            return None


def _features(processor: Processor) -> set[str]:
    # Linux calls SSE3 by its old name, Prescott New Instructions.
    return {*processor.features, *(["sse3"] if "pni" in processor.features else [])}


def _replace(flags: str, named: str) -> str:
    """The flags with these in the place of those that ask the processor."""
    tuning = " ".join(word for word in named.split() if word.startswith("-mtune="))
    if _NATIVE.search(flags):
        flags = _NATIVE.sub(named, flags, count=1)
        flags = _NATIVE.sub("", flags)
        tuning = ""
    flags = _NATIVE_TUNING.sub(tuning, flags)
    return " ".join(flags.split())
