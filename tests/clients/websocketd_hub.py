"""Tests the Hub protocol through websocketd, as web pages use it. Skips all tests if websocketd is not on the PATH.

Usage: websocketd_hub.py ENGINE
"""

import base64
import os
import shutil
import socket
import struct
import subprocess
import sys
import time

START = "Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww"


class WebSocket:
    """A minimal client for RFC 6455 that sends and receives text messages of one frame each."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=120)
        key = base64.b64encode(os.urandom(16)).decode()
        lines = ["GET / HTTP/1.1", f"Host: 127.0.0.1:{port}", "Upgrade: websocket", "Connection: Upgrade"]
        lines += [f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13", "", ""]
        self.socket.sendall("\r\n".join(lines).encode())
        self.file = self.socket.makefile("rb")
        assert b" 101 " in self.file.readline()
        while self.file.readline().strip():
            pass

    def send(self, text):
        data, mask = text.encode(), os.urandom(4)
        length = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + struct.pack(">H", len(data))
        self.socket.sendall(b"\x81" + length + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(data)))

    def receive(self):
        first, length = self.file.read(2)
        if length == 126:
            (length,) = struct.unpack(">H", self.file.read(2))
        text = self.file.read(length).decode()
        assert first == 0x81, (first, text)
        return text

    def until(self, command):
        while (line := self.receive()).split()[0] != command:
            pass
        return line


def connected(port):
    for _ in range(100):
        try:
            return WebSocket(port)
        except ConnectionRefusedError:
            time.sleep(0.1)
    raise TimeoutError("websocketd does not listen")


def main():
    program = shutil.which("websocketd")
    if program is None:
        print("websocketd is not installed: skipped")
        return
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    command = [program, "--address=127.0.0.1", f"--port={port}", "--loglevel=error", sys.argv[1], "hub"]
    server = subprocess.Popen(command)
    try:
        client = connected(port)
        client.send("hub")
        client.until("wait")
        client.send("init")
        client.until("ready")
        client.send(f"pos pos={START}")
        client.send("level move-time=0.1")
        client.send("go think")
        assert client.until("done").startswith("done move="), "a move arrives"
        client.send("level infinite")
        client.send("go analyze")
        client.until("info")
        client.send("stop")
        client.until("done")
    finally:
        server.terminate()
        server.wait()
    print("websocketd: passed")


if __name__ == "__main__":
    main()
