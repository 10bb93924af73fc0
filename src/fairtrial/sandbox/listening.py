"""Make a socket that listens inside a box while we hold it: the only way in or out of a box that has no network.

A socket belongs to the network namespace in which it was made, not to who accepts its connections. So nothing of ours
runs in the box, no file is mounted for it, and nothing in the box can end it or take its place. Covers the loopback
address of a box that is alive; what is done with the connections is the caller's.
"""

from __future__ import annotations

import array
import ctypes
import os
import socket
import subprocess
import sys
import threading

from fairtrial.records import SandboxError

CLONE_NEWNET = 0x40000000
WAITING = 512
"""Connections that may wait to be accepted."""
SECONDS = 30.0
_LISTEN = (
    "import array, socket, sys\n"
    "made = socket.create_server(('127.0.0.1', int(sys.argv[1])), backlog=int(sys.argv[2]))\n"
    "told = socket.socket(fileno=int(sys.argv[3]))\n"
    "told.sendmsg([b'x'], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', [made.fileno()]))])\n"
)


def listen_inside(first: int, owner: int, port: int) -> socket.socket:
    """Return a socket that listens at 127.0.0.1:`port` in the network namespace of process `first`.

    `owner` is a descriptor of the user namespace that owns it. Raise SandboxError where it cannot be made.
    """
    return _as_root(first, port) if os.geteuid() == 0 else _as_user(first, owner, port)


def _as_root(first: int, port: int) -> socket.socket:
    """Make it in a thread that moves to the namespace and ends there: a namespace of the network is each thread's."""
    made: list[socket.socket | OSError] = []

    def make() -> None:
        try:
            space = os.open(f"/proc/{first}/ns/net", os.O_RDONLY | os.O_CLOEXEC)
            try:
                if ctypes.CDLL(None, use_errno=True).setns(space, CLONE_NEWNET):
                    raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
            finally:
                os.close(space)
            made.append(socket.create_server(("127.0.0.1", port), backlog=WAITING))
        except OSError as error:
            made.append(error)

    thread = threading.Thread(target=make, name="fairtrial-listen")
    thread.start()
    thread.join()
    if isinstance(made[0], OSError):
        raise SandboxError(f"cannot listen inside the box: {made[0].strerror}") from made[0]
    return made[0]


def _as_user(first: int, owner: int, port: int) -> socket.socket:
    """Let a process make it that enters the user namespace first, where it may change networks."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        words = ["nsenter", "--preserve-credentials", f"--user=/proc/{os.getpid()}/fd/{owner}",
                 f"--net=/proc/{first}/ns/net", sys.executable, "-I", "-S", "-c", _LISTEN, str(port), str(WAITING),
                 str(theirs.fileno())]  # fmt: skip
        done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              pass_fds=(theirs.fileno(),), check=False, timeout=SECONDS)  # fmt: skip
        if done.returncode:
            said = done.stdout.decode(errors="replace").strip()[-300:]
            raise SandboxError(f"cannot listen inside the box: {said}")
        size = array.array("i").itemsize
        _, parts, _, _ = ours.recvmsg(1, socket.CMSG_SPACE(size))
    received = array.array("i")
    for _, _, data in parts:
        received.frombytes(data[: len(data) - len(data) % size])
    return socket.socket(fileno=received[0])
