"""Shell around the commands of a step: input files, order, and hosts of ranks.

Plain bash, like the job script: a step's commands run one after the other, and the first failure
ends it. Their notes are files next to the record, read by `heorot.jobs.commands`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from heorot.jobs.commands import commands_file, ranks_file
from heorot.launch.command import Program, Staged

_STAGE = """\
link() { ln -s -- "$1" "$2"; }
copy() { cp -- "$1" "$2" && chmod u+w -- "$2"; }
while [[ $1 != -- ]]; do
    mkdir -p -- "$(dirname -- "$3")" && rm -f -- "$3" && "$1" "$2" "$3" || {
        echo "heorot: cannot stage $2" >&2
        exit 1
    }
    shift 3
done
shift
exec "$@"
"""
_IN_TURN = """\
log=$1 n=$2 number=0
shift 2
note() { # EVENT MORE
    local LC_ALL=C
    printf '{"event":"%s","command":"%s","time":%s%s}\\n' \\
        "$1" "$name" "${EPOCHREALTIME:-$(date +%s.%6N)}" "$2" >>"$log"
}
: >"$log"
while (($#)); do
    name=$1 words=("${@:3:$2}") number=$((number + 1))
    shift "$(($2 + 2))"
    note start ''
    "${words[@]}"
    code=$?
    note exit ",\\"code\\":$code"
    ((code)) || continue
    echo "heorot: command $number of $n, $name, failed with exit code $code" >&2
    exit "$code"
done
"""
# One line, since launchers carry it to other hosts. A launcher's own variable precedes those of the
# launcher or batch system around it.
_NOTE = (
    "file=$1 name=$2; shift 2; read -r host </proc/sys/kernel/hostname; "
    "while read -r key cpus; do [[ $key == Cpus_allowed_list: ]] && break; done "
    "</proc/self/status; rank=${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-${PMIX_RANK:-"
    "${FLUX_TASK_RANK:-${SLURM_PROCID:-0}}}}}; "
    """{ printf '{"command":"%s","rank":%d,"pid":%d,"cpus":"%s"}\\n' "$name" "$rank" $$ "$cpus" """
    '>>"$file.$host"; } 2>/dev/null; exec "$@"'
)


def stage(files: Sequence[Staged]) -> tuple[str, ...]:
    """The words before a command that put its input files into place.

    Args:
        files: none need no words.
    """
    if not files:
        return ()
    words = [word for each in files for word in (each.how, str(each.source), str(each.to))]
    return ("bash", "-c", _STAGE, "stage", *words, "--")


def in_turn(commands: Sequence[Program], record: Path) -> tuple[str, ...]:
    """One command line that runs several commands.

    Args:
        commands: with their launchers' words.
    """
    if len(commands) == 1:
        return commands[0].words
    words = [word for each in commands for word in (each.name, str(len(each.words)), *each.words)]
    log = str(commands_file(record))
    return ("bash", "-c", _IN_TURN, "in_turn", log, str(len(commands)), *words)


def taken_apart(words: Sequence[str]) -> tuple[Program, ...]:
    """The commands of a line made by `in_turn`, without the words that note ranks."""
    if tuple(words[2:4]) != (_IN_TURN, "in_turn"):
        return (Program(words=_unnoted(words)),)
    left, found = list(words[6:]), []
    while left:
        name, n = left[0], int(left[1])
        found.append(Program(words=_unnoted(left[2 : 2 + n]), name=name))
        del left[: 2 + n]
    return tuple(found)


def _unnoted(words: Sequence[str]) -> tuple[str, ...]:
    if _NOTE not in words:
        return tuple(words)
    begin = words.index(_NOTE) - 2
    return (*words[:begin], *words[begin + len(note_rank(Path("any"), "")) :])


def note_rank(record: Path, name: str) -> tuple[str, ...]:
    """The words before a program by which each rank notes its host and its CPUs."""
    return ("bash", "-c", _NOTE, "rank", str(ranks_file(record)), name)
