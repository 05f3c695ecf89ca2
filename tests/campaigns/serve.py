#!/usr/bin/env python3
"""Sends ten thousand requests to `soffio serve` from a hundred clients, and compares the responses with `soffio
batch`.

Between the valid requests, there are bodies that are too long, broken or not text, clients that read or write slowly or
close their writing side, and clients that disconnect before their response arrives. At the end, the server must be idle
and must have counted the requests. It must not use more memory than after the first tenth of the requests, and after
SIGTERM it must answer pending requests and exit with status 0. With --nginx, all requests pass through Debian's nginx,
which is configured as in docs/serve.md. The requests depend only on --seed, but the choice of slow clients does not.
"""

import argparse
import asyncio
import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NODES = 100
POSITIONS = 300
LONGEST_BODY = 64  # KiB


class Fault(Exception):
    """A violation of the expected behaviour."""


def positions(program):
    """Returns requests for positions from games in several variants."""
    words = [ROOT / "tests/scale/requests.sh", str(POSITIONS)]
    lines = subprocess.run(words, env=os.environ | {"SOFFIO": program}, capture_output=True, text=True, check=True).stdout
    return [json.loads(line) | {"limits": {"nodes": NODES}} for line in lines.splitlines()]


def records(program, requests):
    """Returns the records from `soffio batch` for the requests, each with the ID @."""
    lines = "".join(json.dumps(request | {"id": "@"}) + "\n" for request in requests)
    done = subprocess.run([program, "batch", "--hash", "1"], input=lines, capture_output=True, text=True)
    answers = done.stdout.splitlines()
    if len(answers) != len(requests):
        raise Fault(f"{len(answers)} records for {len(requests)} requests: {done.stderr}")
    return answers


class Connection:
    """A client's connection, which is reopened if the server has closed it."""

    def __init__(self, port):
        self.port, self.reader, self.writer = port, None, None

    async def open(self):
        if self.writer is None or self.writer.is_closing():
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)

    async def send(self, body, slowly=False, length=None):
        await self.open()
        head = f"POST /batch HTTP/1.1\r\nHost: localhost\r\nContent-Length: {length or len(body)}\r\n\r\n".encode()
        data = head + body
        if slowly:
            for start in range(0, len(data), 50):
                self.writer.write(data[start : start + 50])
                await asyncio.sleep(0.001)
        else:
            self.writer.write(data)
        await self.writer.drain()

    async def answer(self, slowly=False):
        """Returns the status and the body, or None if the connection ended before the status arrived."""
        try:
            head = (await self.reader.readuntil(b"\r\n\r\n")).decode().lower()
        except (asyncio.IncompleteReadError, ConnectionError):
            self.close()
            return None
        body = b""
        if "transfer-encoding: chunked" in head:
            while True:
                length = int(await self.reader.readline(), 16)
                body += (await self.reader.readexactly(length + 2))[:-2]
                if length == 0:
                    break
                if slowly:
                    await asyncio.sleep(0.01)
        else:
            body = await self.reader.readexactly(int(re.search(r"content-length: (\d+)", head)[1]))
        if "connection: close" in head:
            self.close()
        return int(head.split()[1]), body.decode()

    def close(self):
        if self.writer:
            self.writer.close()
            self.writer = None


class Load:
    def __init__(self, port, known, count, seed, has_proxy):
        self.port, self.known, self.left, self.count = port, known, count, count
        # nginx treats a client that closes its writing side as disconnected.
        self.may_close = not has_proxy
        self.rng = random.Random(seed)
        self.seen, self.times = Counter(), []

    async def client(self):
        connection = Connection(self.port)
        while self.left > 0:
            self.left -= 1
            number = self.count - self.left
            kind = self.rng.random()
            if kind < 0.03:
                await self.broken(connection)
            elif kind < 0.06:
                await self.gone()
            await self.good(connection, number, slowly=kind > 0.97, closing=self.may_close and 0.94 < kind <= 0.97)
        connection.close()

    async def good(self, connection, number, slowly, closing):
        """Sends a valid request and checks that the response matches `soffio batch`, whatever else happens."""
        chosen = [self.rng.randrange(len(self.known)) for _ in range(self.rng.randint(1, 5))]
        names = [f"{number}.{index}" for index in range(len(chosen))]
        body = "".join(json.dumps(self.known[which][0] | {"id": name}) + "\n" for which, name in zip(chosen, names))
        expected = "".join(self.known[which][1].replace('"id":"@"', f'"id":"{name}"', 1) + "\n" for which, name in zip(chosen, names))
        began = time.monotonic()
        while True:
            await connection.send(body.encode(), slowly)
            if closing:
                connection.writer.write_eof()
            answer = await connection.answer(slowly)
            if closing:
                connection.close()
            if answer is None:
                # The server closes idle connections, so the client connects again.
                self.seen["connected again"] += 1
                continue
            status, text = answer
            if status != 503:
                break
            self.seen["503, asked again"] += 1
            await asyncio.sleep(self.rng.uniform(0.05, 0.2))
        if status != 200 or text != expected:
            raise Fault(f"request {number} got {status} with\n{text}\ninstead of\n{expected}")
        self.seen["answered"] += 1
        self.seen["slow clients"] += slowly
        self.seen["closed their writing side"] += closing
        if not slowly:
            self.times.append(time.monotonic() - began)

    async def broken(self, connection):
        """Sends an invalid request and checks the status."""
        bodies = {
            413: [b"x" * (LONGEST_BODY * 1024 + 1), b"\n" + b"x" * 20_000],
            400: [b"\xff\xfe\n", b"\n\n", b" "],
            200: [b"{", b'{"fen": 3}', b"[]", b"null", b'{"variant":"chess","fen":"x"}', b'{"fen":"W:W1:B2","id":7}', bytes([0, 1, 2])],
        }
        status = self.rng.choice(list(bodies))
        body = self.rng.choice(bodies[status])
        await connection.send(body)
        answer = await connection.answer()
        if answer is None or answer[0] not in (status, 503):
            raise Fault(f"{body[:50]} got {answer} instead of {status}")
        if answer[0] == 200 and '"error":' not in answer[1]:
            raise Fault(f"{body[:50]} is not rejected: {answer[1]}")
        self.seen[f"broken, {answer[0]}"] += 1

    async def gone(self):
        """Disconnects within a request, before the response arrives, or in the middle of the response."""
        body = "".join(json.dumps({"variant": "international", "fen": "startpos", "limits": {"depth": 60}}) + "\n" for _ in range(3)).encode()
        connection = Connection(self.port)
        way = self.rng.choice(["in its request", "at once", "later"])
        await connection.send(body, length=len(body) + (1 if way == "in its request" else 0))
        if way == "later":
            await asyncio.sleep(self.rng.uniform(0, 0.3))
        connection.close()
        self.seen[f"went {way}"] += 1


def metrics(port):
    with socket.create_connection(("127.0.0.1", port)) as stream:
        stream.sendall(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        text = b"".join(iter(lambda: stream.recv(1 << 16), b"")).decode()
    return {name: float(value) for name, value in re.findall(r"^(soffio_\S+) (\S+)$", text, re.M)}


def memory(process):
    """Returns the resident memory in MiB, and the number of open files."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024, len(os.listdir(f"/proc/{process.pid}/fd"))


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def start_nginx(folder, port):
    """Starts nginx with the configuration in docs/serve.md in front of the server at `port`."""
    program = shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin")
    if not program:
        sys.exit("nginx is not installed (Debian: nginx)")
    page = (ROOT / "docs/serve.md").read_text()
    location = re.search(r"```nginx\n(.*?)```", page, re.S)[1]
    outside = free_port()
    location = location.replace("127.0.0.1:8360", f"127.0.0.1:{port}").replace("listen 80;", f"listen 127.0.0.1:{outside};")
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log;\n"
        f"events {{ worker_connections 1024; }}\nhttp {{ access_log off; client_body_temp_path {folder}; proxy_temp_path {folder};\n"
        f"fastcgi_temp_path {folder}; uwsgi_temp_path {folder}; scgi_temp_path {folder};\n{location}}}\n"
    )
    process = subprocess.Popen([program, "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log")])
    for _ in range(200):
        try:
            socket.create_connection(("127.0.0.1", outside)).close()
            return process, outside
        except ConnectionError:
            time.sleep(0.05)
    raise Fault(f"nginx does not listen: {(folder / 'error.log').read_text()}")


async def end_is_clean(server, known):
    """Sends SIGTERM during requests, and checks that they are answered and that the next connection is refused."""
    body = "".join(json.dumps(known[0][0] | {"id": "@"}) + "\n" for _ in range(200)).encode()
    connections = [Connection(server.port) for _ in range(4)]
    for connection in connections:
        await connection.send(body)
    while metrics(server.port)["soffio_requests_open"] < 4:
        await asyncio.sleep(0.01)
    server.process.send_signal(signal.SIGTERM)
    for connection in connections:
        if await connection.answer() != (200, (known[0][1] + "\n") * 200):
            raise Fault("a response was incomplete after SIGTERM")
        connection.close()


class Server:
    def __init__(self, program):
        words = ["serve", "--listen", "127.0.0.1:0", "--hash", "1", "--queue", "90", "--body", str(LONGEST_BODY), "--line", "16"]
        self.process = subprocess.Popen([program, *words], stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline().rsplit(":", 1)[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / "target/release/soffio"))
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--clients", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--nginx", action="store_true", help="send requests through nginx")
    arguments = parser.parse_args()

    requests = positions(arguments.program)
    known = list(zip(requests, records(arguments.program, requests)))
    server = Server(arguments.program)
    nginx = None
    with tempfile.TemporaryDirectory() as folder:
        try:
            port = server.port
            if arguments.nginx:
                nginx, port = start_nginx(Path(folder), server.port)

            async def ask(count, seed):
                load = Load(port, known, count, seed, has_proxy=arguments.nginx)
                began = time.monotonic()
                await asyncio.gather(*(load.client() for _ in range(arguments.clients)))
                return load, time.monotonic() - began

            first, _ = asyncio.run(ask(arguments.requests // 10, arguments.seed))
            early, early_files = memory(server.process)
            load, seconds = asyncio.run(ask(arguments.requests - arguments.requests // 10, arguments.seed + 1))
            seen = first.seen + load.seen
            if seen["answered"] != arguments.requests:
                raise Fault(f"{seen['answered']} of {arguments.requests} were answered")
            deadline = time.monotonic() + 90
            while (counts := metrics(server.port))["soffio_requests_open"] or counts["soffio_engines_busy"]:
                if time.monotonic() > deadline:
                    raise Fault(f"the server does not become idle: {counts}")
                time.sleep(0.1)
            late, files = memory(server.process)
            if counts['soffio_requests_total{status="200"}'] < seen["answered"] or counts["soffio_engine_failures_total"]:
                raise Fault(f"the server has different counts: {counts}")
            asyncio.run(end_is_clean(server, known))
            if server.process.wait(30) != 0:
                raise Fault(f"the server ended with {server.process.returncode}")
        finally:
            for process in [server.process, *([nginx] if nginx else [])]:
                process.terminate()
                process.wait(30)
    times = sorted(load.times)
    print(", ".join(f"{name}: {count}" for name, count in sorted(seen.items())))
    print(f"cancelled: {counts['soffio_cancelled_total']:.0f}, memory {early:.1f} MiB after a tenth and {late:.1f} MiB at the end, files {early_files} and {files}")
    print(
        f"{len(times) / seconds:.0f} requests a second, half of them within {times[len(times) // 2] * 1000:.0f} ms, "
        f"99 of 100 within {times[len(times) * 99 // 100] * 1000:.0f} ms; ended well after SIGTERM"
    )


if __name__ == "__main__":
    try:
        main()
    except Fault as fault:
        sys.exit(str(fault))
