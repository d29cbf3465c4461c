"""Measures the network between two nodes of a lab: `probe.py serve` there, `ask NODE` here.

Prints the one-way latency [s] of a small datagram and the rate [B/s] of a long stream.
"""

from __future__ import annotations

import socket
import statistics
import sys
import time

PORT = 5000
N_DATAGRAMS = 200
N_STREAM_BYTES = 6_000_000
PATIENCE_SECONDS = 0.2
MOST_SECONDS = 30.0


def serve() -> None:
    """Answer datagrams, and take in one stream."""
    echo = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    echo.settimeout(MOST_SECONDS)
    echo.bind(("", PORT))
    listener = socket.create_server(("", PORT))
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    while True:
        text, peer = echo.recvfrom(100)
        if text == b"stream":
            break
        echo.sendto(text, peer)
    listener.settimeout(MOST_SECONDS)
    stream, _ = listener.accept()
    # The first part fills buffers on the way: the rate is that of the rest.
    received, begin, first = 0, 0.0, 0
    while part := stream.recv(1 << 16):
        received += len(part)
        if not begin and received > N_STREAM_BYTES / 4:
            begin, first = time.perf_counter(), received
    rate = (received - first) / (time.perf_counter() - begin)
    stream.close()
    sys.stdout.write(f"{rate}\n")


def ask(node: str) -> None:
    """Send datagrams to and fro, then a stream."""
    asker = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    asker.settimeout(PATIENCE_SECONDS)
    took: list[float] = []
    deadline = time.monotonic() + MOST_SECONDS
    while len(took) < N_DATAGRAMS:
        if time.monotonic() > deadline:
            sys.exit(f"{len(took)} of {N_DATAGRAMS} datagrams came back in {MOST_SECONDS} s")
        begin = time.perf_counter()
        asker.sendto(b"x", (node, PORT))
        try:
            asker.recv(100)
        except TimeoutError:
            continue
        took.append(time.perf_counter() - begin)
    # Other work on this computer adds to many of them, and takes nothing from any.
    sys.stdout.write(f"{statistics.quantiles(took, n=4)[0] / 2}\n")
    sys.stdout.flush()
    asker.sendto(b"stream", (node, PORT))
    with socket.create_connection((node, PORT), timeout=10.0) as stream:
        stream.sendall(bytes(N_STREAM_BYTES))


if __name__ == "__main__":
    ask(sys.argv[2]) if sys.argv[1] == "ask" else serve()
