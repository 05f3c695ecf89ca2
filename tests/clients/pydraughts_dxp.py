"""Tests DXP with pydraughts 0.6.7: its client as the initiator, and a follower that is built from its messages.

Usage: pydraughts_dxp.py ENGINE. The environment variable GAMES is the number of games in each role and variant.
"""

import os
import random
import re
import socket
import subprocess
import sys
import traceback
from concurrent.futures import ThreadPoolExecutor

import draughts
from draughts import Move
from draughts.engine import DXPEngine
from draughts.engines.dxp_communication.dxp_classes import DamExchange

GAMES = int(os.environ.get("GAMES", "1"))
MAX_PLIES = 60

# The client's variant names, and the corresponding names of the engine.
VARIANTS = {
    "standard": "international",
    "frisian": "frisian",
    "frysk!": "frysk",
    "antidraughts": "losing",
    "breakthrough": "breakthrough",
}


def start(path, *arguments):
    command = [path, "dxp", *arguments, "--move-time", "20ms", "--hash", "16"]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def listening(process):
    line = process.stdout.readline()
    return re.fullmatch(r"listening on 127\.0\.0\.1:(\d+)\n", line).group(1)


def client_plays(path, variant, seed):
    """Runs a game that the client requests. The client plays random moves, and moves are undone if the seed is even."""
    rng = random.Random(seed)
    process = start(path, "--listen", "127.0.0.1:0", "--once", "--variant", VARIANTS[variant])
    client = DXPEngine(options={"engine-opened": True, "port": listening(process)}, initial_time=60)
    board = draughts.Board(variant)
    if seed % 2:
        board.push(rng.choice(board.legal_moves()))
    taken_back = False
    while not board.is_over() and len(board.move_stack) < MAX_PLIES:
        move = client.play(board).move
        if move is None:
            break
        board.push(move)
        if not taken_back and seed % 2 == 0 and len(board.move_stack) >= 4:
            # Goes back to the engine's first move, which the engine plays again. If the engine is Black, the client
            # does not wait for that move.
            taken_back = True
            accepted, board, result = client.takeback(1, draughts.WHITE)
            assert accepted, "a move is undone"
            if result.move:
                board.push(result.move)
            else:
                # The library's thread received the engine's move before `takeback` checked whose turn it is.
                board = client.sender.current.pos.copy()
            assert len(board.move_stack) == 1, board.move_stack
        if not board.is_over():
            board.push(rng.choice(board.legal_moves()))
    client.quit()
    assert client.id["name"].startswith("Soffio "), client.id
    output = process.communicate(timeout=120)[0]
    assert process.returncode == 0, process.returncode
    assert output.count("\ngame 1: ") == 1, output
    return f"{variant} {seed}: the client asks, {len(board.move_stack)} plies, {output.splitlines()[-2]}"


def receive(connection, rest):
    """Returns the next message, and the bytes that were received after it."""
    while b"\0" not in rest:
        data = connection.recv(1024)
        assert data, "the engine has closed the connection"
        rest += data
    message, rest = rest.split(b"\0", 1)
    return message.decode(), rest


def library_follows(path, variant, seed):
    """Runs two games that the engine requests from a follower, which plays random legal moves."""
    rng = random.Random(seed)
    dxp = DamExchange()
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        arguments = ["--connect", f"127.0.0.1:{port}", "--games", "2", "--minutes", "1", "--variant", VARIANTS[variant]]
        process = start(path, *arguments)
        connection, _ = server.accept()
    plies = []
    with connection:
        rest = b""
        send = lambda message: connection.sendall(message.encode() + b"\0")
        for game in range(2):
            text, rest = receive(connection, rest)
            request = dxp.parse(text)
            assert request["type"] == "R" and request["gameTime"] == "001", request
            assert request["fColor"] == ("Z" if game == 0 else "W"), request
            board = draughts.Board(variant)
            if request["posInd"] == "B":
                assert request["pos"] == board._game.get_dxp_fen() and request["mColor"] == "W", request
            send("A" + "Follower".ljust(32) + "0")
            own = draughts.WHITE if request["fColor"] == "W" else draughts.BLACK
            while True:
                if board.turn == own:
                    if board.is_over() or len(board.move_stack) >= MAX_PLIES:
                        # Only the side to move may end the game.
                        send("E00")
                        text, rest = receive(connection, rest)
                        assert dxp.parse(text)["type"] == "E", text
                        break
                    move = rng.choice(board.legal_moves())
                    board.push(move)
                    send(dxp.msg_move(move.steps_move, move.captures, 0))
                    continue
                text, rest = receive(connection, rest)
                message = dxp.parse(text)
                if message["type"] == "E":
                    assert board.is_over(), (text, board.fen)
                    send("E00")
                    break
                assert message["type"] == "M", text
                captured = sorted(int(square) for square in message["captures"])
                hub = "".join(f"{square:02}" for square in [int(message["from"]), int(message["to"]), *captured])
                board.push(Move(board, hub_position_move=hub))
            plies.append(len(board.move_stack))
    output = process.communicate(timeout=120)[0]
    assert process.returncode == 0, process.returncode
    assert output.count("game ") == 2, output
    return f"{variant} {seed}: the engine asks, {plies} plies"


def main():
    path = sys.argv[1]
    print("pydraughts, DXP", flush=True)
    # The client sleeps for seconds when it closes a connection, so several games run at the same time.
    with ThreadPoolExecutor(max_workers=4) as pool:
        jobs = [
            pool.submit(play, path, variant, seed)
            for seed in range(GAMES)
            for variant in VARIANTS
            for play in (client_plays, library_follows)
        ]
        jobs.append(pool.submit(client_plays, path, "standard", GAMES + (GAMES + 1) % 2))
        for job in jobs:
            try:
                print(" ", job.result(), flush=True)
            except Exception:
                # If the engine has failed, the client waits forever, so its threads must be abandoned.
                traceback.print_exc()
                sys.stderr.flush()
                os._exit(1)
    print("pydraughts, DXP: passed")


if __name__ == "__main__":
    main()
