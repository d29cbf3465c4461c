"""The first process of a node: reaps orphans, and runs commands requested at its socket."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import socket
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from heorot.lab.inside.agent import LENGTH, UNREACHABLE
from heorot.process import kill_session

Operation = Callable[[Mapping[str, Any]], dict[str, Any]]

_PATIENCE_SECONDS = 10.0
_N_STREAMS = 3
_TEMPORARY = ("TMPDIR", "TMP", "TEMP")
_CANNOT_START = 127
_ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


@dataclass(frozen=True)
class ServedNode:
    """Settings of a node's server.

    Attributes:
        environment: variables of commands that replace the caller's; empty values remove them.
        defaults: variables of commands that the caller's replace.
        operations: further operations, by name.
    """

    environment: Mapping[str, str]
    defaults: Mapping[str, str]
    operations: Mapping[str, Operation]


def open_socket(folder: Path, name: str) -> socket.socket:
    """A socket for requests of other processes.

    Raises:
        OSError: it cannot be created.
    """
    listener = socket.socket(socket.AF_UNIX)
    (folder / name).unlink(missing_ok=True)
    descriptor = os.open(folder, os.O_PATH)
    listener.bind(f"/proc/self/fd/{descriptor}/{name}")
    os.close(descriptor)
    listener.listen(128)
    listener.setblocking(False)
    return listener


class NodeServer:
    """Serves requests until the process is killed."""

    def __init__(self, listener: socket.socket, node: ServedNode) -> None:
        self._listener = listener
        self._node = node
        self._waiting: dict[int, socket.socket] = {}
        self._selector = selectors.DefaultSelector()

    def serve(self) -> NoReturn:
        woken, wake = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
        self._selector.register(self._listener, selectors.EVENT_READ)
        self._selector.register(woken, selectors.EVENT_READ)
        while True:
            for key, _ in self._selector.select():
                if key.fileobj is self._listener:
                    self._welcome()
                elif key.fileobj == woken:
                    os.read(woken, 1 << 12)
                elif isinstance(key.fileobj, socket.socket):
                    self._listen(key.fileobj)
            self._reap()

    def _welcome(self) -> None:
        """Accept a request; a client that sends none blocks others only for a short time."""
        streams: list[int] = []
        try:
            caller, _ = self._listener.accept()
        except OSError:  # the client is gone
            return
        try:
            caller.settimeout(_PATIENCE_SECONDS)
            request, streams = _receive(caller)
            if request["operation"] == "run":
                self._run(caller, request, streams)
            else:
                self._reply(caller, self._node.operations[request["operation"]](request))
        except (OSError, ValueError, KeyError, TypeError, EOFError) as error:
            self._reply(caller, {"exit": UNREACHABLE, "error": str(error)})
        except BaseException:
            caller.close()  # a bug ends the node; notify the client
            raise
        finally:
            for descriptor in streams:
                os.close(descriptor)

    def _run(
        self, caller: socket.socket, request: Mapping[str, Any], streams: Sequence[int]
    ) -> None:
        # A signal that comes before exec is blocked until then.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
        child = os.fork()
        if child == 0:
            _become(request, streams, self._node)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        if request["detached"]:
            self._reply(caller, {"pid": child})
            return
        self._waiting[child] = caller
        self._selector.register(caller, selectors.EVENT_READ, child)

    def _reply(self, caller: socket.socket, reply: Mapping[str, Any]) -> None:
        with contextlib.suppress(OSError):
            caller.sendall(json.dumps(reply).encode() + b"\n")
        caller.close()

    def _listen(self, caller: socket.socket) -> None:
        """Pass a signal to the command; a client that is gone ends the command."""
        child: int = self._selector.get_key(caller).data
        numbers = b""
        with contextlib.suppress(OSError):
            numbers = caller.recv(64)
        for number in numbers:
            with contextlib.suppress(OSError):
                _signal(child, number)
        if not numbers:
            self._forget(child)
            kill_session(child)

    def _forget(self, child: int) -> None:
        caller = self._waiting.pop(child)
        self._selector.unregister(caller)
        caller.close()

    def _reap(self) -> None:
        while True:
            try:
                child, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if child == 0:
                return
            if child in self._waiting:
                code = os.waitstatus_to_exitcode(status)
                reply = json.dumps({"exit": code if code >= 0 else 128 - code})
                with contextlib.suppress(OSError):
                    self._waiting[child].sendall(reply.encode() + b"\n")
                self._forget(child)


def _signal(child: int, number: int) -> None:
    try:
        os.killpg(child, number)
    except ProcessLookupError:  # it does not lead a process group yet
        os.kill(child, number)


def _receive(caller: socket.socket) -> tuple[dict[str, Any], list[int]]:
    head, streams, _, _ = socket.recv_fds(caller, LENGTH.size, _N_STREAMS)
    for descriptor in streams:
        os.set_inheritable(descriptor, False)
    if len(head) < LENGTH.size:
        raise EOFError
    (length,) = LENGTH.unpack(head)
    body = bytearray()
    while len(body) < length:
        part = caller.recv(length - len(body))
        if not part:
            raise EOFError
        body += part
    return json.loads(body), list(streams)


def _become(request: Mapping[str, Any], streams: Sequence[int], node: ServedNode) -> NoReturn:
    """Become the requested command, in a fork."""
    argv = [os.fsencode(word) for word in request["argv"]]
    try:
        os.setsid()
        signal.set_wakeup_fd(-1)
        # Ignored signals are inherited by exec, and Python ignores some.
        for number in (*_ENDING, signal.SIGCHLD, signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)
        for target, descriptor in enumerate(streams):
            os.dup2(descriptor, target)
        user = request.get("user")
        environment = environment_of(request["environment"], node, is_ours=user is None)
        if user is not None:
            _become_user(user)
        _enter(request["directory"], environment.get("HOME", "/"))
        os.execvpe(argv[0], argv, environment)  # noqa: S606 (as requested)
    except OSError as error:
        os.write(2, f"{os.fsdecode(argv[0])}: {error.strerror}\n".encode())
    finally:
        os._exit(_CANNOT_START)


def environment_of(
    asked: Mapping[str, str], node: ServedNode, *, is_ours: bool = True
) -> dict[str, str]:
    """The environment of a command.

    Args:
        asked: that of the client; directories for temporary files that the node lacks are dropped.
        is_ours: whether it runs as the lab's owner, whose agent the defaults name.
    """
    whole = {**(node.defaults if is_ours else {}), **asked, **node.environment}
    for name in _TEMPORARY:
        if name in whole and not Path(whole[name]).is_dir():
            del whole[name]
    return {name: value for name, value in whole.items() if value}


def _become_user(user: Mapping[str, Any]) -> None:
    """Change to another user permanently.

    Raises:
        OSError: the kernel refuses; nothing may run then.
    """
    os.setgroups(user["groups"])
    os.setresgid(user["gid"], user["gid"], user["gid"])
    os.setresuid(user["uid"], user["uid"], user["uid"])
    os.umask(0o022)


def _enter(*directories: str) -> None:
    for directory in (*directories, "/"):
        with contextlib.suppress(OSError):
            os.chdir(directory)
            return
