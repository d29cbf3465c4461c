"""The environment of a job script: its hosts, how to reach them, and limits, as shell text."""

from __future__ import annotations

from pydantic import model_validator

from heorot.model.base import Record, Seconds


class JobEnvironment(Record):
    """How a job script finds its hosts and reaches them.

    Attributes:
        header: comments after the first line, such as `#SBATCH --nodes=4`.
        list_hosts: shell command that prints the names of the job's hosts, one per line, in the
            order they are filled; duplicates are ignored.
        on_host: shell words before the name of a host and a command with its arguments, which then
            runs there, with or without our environment, with its exit code and standard streams
            passed through: `/usr/bin/ssh`. The command is always `bash -s`, with its work on
            standard input, so a shell in between does not matter. Empty if the job has only the
            host its script runs on.
        prepare: shell commands that run once in the job's directory, before its hosts are reached
            and its steps begin; launchers inherit the exported variables.
        describe: shell commands that copy the description of a host into a directory of the job,
            given as `$1`; run once on every host; empty if hosts are not described.
        limit_seconds: time limit in the batch system, None if there is none [s].
    """

    header: tuple[str, ...] = ()
    list_hosts: str = 'echo "$HOSTNAME"'
    on_host: str = ""
    prepare: str = ""
    describe: str = ""
    limit_seconds: Seconds | None = None

    @model_validator(mode="after")
    def _comments_only(self) -> JobEnvironment:
        for line in self.header:
            if not line.startswith("#") or not line.isprintable():
                raise ValueError("a line of the header must be a comment of one line")
        if "\n" in self.on_host:
            raise ValueError("the words in front of a host must be one line")
        return self
