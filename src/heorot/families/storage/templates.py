"""Sentences about file systems."""

from __future__ import annotations

from heorot.analyse.templates.template import FindingTemplate, SentenceTemplate, Template

WRITES = Template(
    "storage/writes",
    "storage writes up to {gigabytes:.2g} GB in {n:launch} to {where}; its files are removed",
)
CLIENT = SentenceTemplate(
    "storage/client",
    "File system {role}: one client writes {write}, the flush included[, and reads {read} of a "
    "file that is not cached][; from the page cache {cached}].",
    weight=0.6,
    brief="File system {role}: one client writes {write}, flush included[, reads {read} cold].",
)
CLIENTS = SentenceTemplate(
    "storage/clients",
    "File system {role}: {many.cores} clients write {many}, {gain:times as much as one}.",
    weight=0.4,
)
BLOCKS = SentenceTemplate(
    "storage/blocks",
    "File system {role}, direct reads: {small} in blocks of {least:binary}, {large} in blocks of "
    "{most:binary}[; random blocks of {random.point[block_bytes]:binary} {random}][, with "
    "{deep.point[depth]} at a time {deep}].",
    weight=0.4,
)
DIRECT = SentenceTemplate(
    "storage/direct",
    "File system {role}, blocks of {direct.point[block_bytes]:binary}: cold reads reach {buffered} "
    "through the page cache and {direct} directly.",
    weight=0.3,
)
SYNC = SentenceTemplate(
    "storage/sync",
    "File system {role}: an append of a page with fsync takes {fsync}[, p99 {tail}][; "
    "with fdatasync {fdatasync}].",
    weight=0.5,
    brief="File system {role}: an append with fsync takes {fsync}[, p99 {tail}].",
)
IMPLAUSIBLE_SYNC = FindingTemplate(
    "storage/implausible fsync",
    "File system {role}: an append with fsync takes {fsync}, less than any known device needs.",
    remedy="the device or the host of a virtual machine may acknowledge data that it has not "
    "stored: look for a write cache without protection, or a cache mode such as unsafe",
    rule="fsync on a file system that is not in memory takes less than {least}",
)
ASYMMETRIC = FindingTemplate(
    "storage/asymmetric",
    "File system {role}: one client reads {read} and writes {write}, a factor of {factor}.",
    severity="note",
    remedy="plan checkpoints and input by the slower direction; a volatile write cache, a cache on "
    "the server or a limit of the virtual disk are usual causes",
    rule="reads and writes with flush of equal blocks differ by a factor above {least}",
)
LEFT_BEHIND = FindingTemplate(
    "storage/left behind",
    "A killed run has left files behind: {places:;}.",
    severity="note",
    remedy="remove them if that process has ended; heorot run storage/posix --set "
    "remove-stale=true --set directory=DIRECTORY removes those of its host",
)
ALWAYS_CACHED = FindingTemplate(
    "storage/always cached",
    "File system {roles:and} keeps its files in memory: no read was cold, and bandwidths are those "
    "of memory.",
    severity="note",
    remedy="name a directory of a disk under filesystems in the site file",
)
