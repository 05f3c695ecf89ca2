"""A DXP engine that does one thing wrong.

Usage: bad_dxp_engine.py FAULT PORT. The engine can only start a game of international draughts: it plays 32-28 as
White, and 19-23 as Black. It declines games from other positions.
"""

import os
import socket
import sys
import time

FAULT, PORT = sys.argv[1], int(sys.argv[2])
NAME = "Bad".ljust(32)


def messages(connection):
    rest = b""
    while True:
        while b"\0" not in rest:
            data = connection.recv(1024)
            if not data:
                return
            rest += data
        message, rest = rest.split(b"\0", 1)
        yield message.decode()


def play(connection, move):
    """Sends `move`, or misbehaves instead."""
    send = lambda message: connection.sendall(message.encode("latin-1") + b"\0")
    if FAULT == "vanish":
        connection.close()
        time.sleep(1000)
    elif FAULT == "crash":
        os._exit(3)
    elif FAULT == "silence":
        time.sleep(1000)
    elif FAULT == "late":
        time.sleep(0.4)
    elif FAULT == "half a message":
        connection.sendall(move[:5].encode())
        time.sleep(1000)
    elif FAULT == "half a message and gone":
        connection.sendall(move[:5].encode())
        connection.close()
        time.sleep(1000)
    elif FAULT == "a megabyte":
        connection.sendall(b"x" * (1 << 20))
        time.sleep(1000)
    elif FAULT == "illegal":
        move = "M0000323300"
    elif FAULT == "not a move":
        move = "M0000zz"
    elif FAULT == "twice":
        send(move)
    elif FAULT == "false win":
        move = "E30"
    elif FAULT == "false draw":
        move = "E20"
    elif FAULT == "breaks off":
        move = "E00"
    elif FAULT == "resigns":
        move = "E10"
    elif FAULT == "garbage":
        connection.sendall(bytes(range(256)) * 3 + b"\0\0GET / HTTP/1.1\0")
    elif FAULT == "asks for more":
        send("CI take that back")
        send("B001W")
    send(move)


def serve(connection):
    color = None
    for message in messages(connection):
        if message[0] == "R" and FAULT == "deaf":
            continue
        if message[0] == "R" and FAULT == "refuses":
            connection.sendall(f"A{NAME}2\0".encode())
        elif message[0] == "R":
            color = message[35]
            assert message[36:39] == os.environ.get("MINUTES", "000") and message[39:42] == "000", message
            if message[42] != "A":
                connection.sendall(f"A{NAME}2\0".encode())
                continue
            connection.sendall(f"A{NAME}0\0".encode())
            if color == "W":
                play(connection, "M0000322800")
        elif message[0] == "M" and color == "Z":
            play(connection, "M0000192300")
        elif message[0] == "E" and FAULT not in ("no goodbye", "resigns") and not FAULT.startswith(("false", "breaks")):
            connection.sendall(b"E00\0")
        elif message[0] == "K":
            assert message == "K1", message


def main():
    if FAULT == "no start":
        sys.exit(5)
    if FAULT == "never listens":
        time.sleep(1000)
    with socket.create_server(("127.0.0.1", PORT)) as server:
        print("listening")
        while True:
            connection, _ = server.accept()
            with connection:
                serve(connection)


main()
