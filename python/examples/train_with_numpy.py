"""Trains a network on self-play games with numpy, writes its weights, and plays a match against random weights.

Usage: python train_with_numpy.py [--variant english] [--games 2000] [--nodes 200] [--match 40]
Requires the soffio package and numpy. With the default settings, it takes a few minutes on one core.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

import soffio

LAYERS = ("first", "first_bias", "second", "second_bias", "last", "last_bias")


def random_network(variant, draw):
    """Returns the layers of an untrained network."""
    shape = soffio.NetworkShape.of(variant)
    normal = draw.standard_normal
    return {
        "first": normal((shape.inputs, shape.first_units)) * 0.1,
        "first_bias": np.full(shape.first_units, 0.3),
        "second": normal((shape.first_units, shape.second_units)) * 0.12,
        "second_bias": np.full(shape.second_units, 0.3),
        "last": normal(shape.second_units) * 0.5,
        "last_bias": np.zeros(()),
    }


def forward(network, inputs):
    """Returns the sums and activations of both layers, and the value in logits."""
    first_sum = inputs @ network["first"] + network["first_bias"]
    first = np.clip(first_sum, 0, 1)
    second_sum = first @ network["second"] + network["second_bias"]
    second = np.clip(second_sum, 0, 1)
    return first_sum, first, second_sum, second, second @ network["last"] + network["last_bias"]


def gradients(network, inputs, targets):
    """Returns the gradients with respect to the weights, and the loss, which is the mean squared error of the win probability."""
    first_sum, first, second_sum, second, value = forward(network, inputs)
    chance = 1 / (1 + np.exp(-value))
    error = chance - targets
    of_value = 2 * error * chance * (1 - chance) / len(targets)
    of_second = np.outer(of_value, network["last"]) * ((second_sum > 0) & (second_sum < 1))
    of_first = of_second @ network["second"].T * ((first_sum > 0) & (first_sum < 1))
    return {
        "first": inputs.T @ of_first,
        "first_bias": of_first.sum(0),
        "second": first.T @ of_second,
        "second_bias": of_second.sum(0),
        "last": second.T @ of_value,
        "last_bias": of_value.sum(),
    }, float(np.mean(error**2))


def train(network, inputs, targets, draw, passes=8, batch=512, rate=0.002):
    """Trains the network in place with Adam."""
    mean = {name: np.zeros_like(network[name]) for name in LAYERS}
    square = {name: np.zeros_like(network[name]) for name in LAYERS}
    step = 0
    for number in range(passes):
        losses, order = [], draw.permutation(len(inputs))
        for start in range(0, len(order), batch):
            chosen = order[start : start + batch]
            change, loss = gradients(network, inputs[chosen].astype(np.float32), targets[chosen])
            losses.append(loss)
            step += 1
            for name in LAYERS:
                mean[name] += 0.1 * (change[name] - mean[name])
                square[name] += 0.001 * (change[name] ** 2 - square[name])
                scaled = mean[name] / (1 - 0.9**step) / (np.sqrt(square[name] / (1 - 0.999**step)) + 1e-8)
                network[name] = network[name] - rate * scaled
        print(f"pass {number + 1}: loss {np.mean(losses):.4f}", flush=True)


def man_in_logits(network, positions, inputs):
    """Returns the mean value, in logits, of an extra man in positions without kings. It sets the scale of the engine's scores."""
    quarter = inputs.shape[1] // 4
    men = inputs[:, :quarter].sum(1).astype(float) - inputs[:, 2 * quarter : 3 * quarter].sum(1)
    plain = (positions["kings"] == 0).all(1)
    values = forward(network, inputs[plain].astype(np.float32))[-1]
    return max(0.1, float(men[plain] @ values) / max(1.0, float(men[plain] @ men[plain])))


def match(variant, one, two, games, draw):
    """Plays games between two weights files and returns the points of the first file.

    Each opening consists of four random plies and is played with both colours.
    """
    engines = [soffio.Engine(hash=1, eval_file=one), soffio.Engine(hash=1, eval_file=two)]
    points = 0.0
    for game in range(games):
        if game % 2 == 0:
            opening = draw.integers(1 << 30, size=4)
        board = soffio.Board(variant)
        for number in opening:
            board.push(board.legal_moves[number % len(board.legal_moves)])
        white = game % 2
        while not board.is_game_over() and board.ply() < 300:
            engine = engines[white if board.turn else 1 - white]
            board.push(engine.play(board, soffio.Limit(nodes=300)).move)
        winner = board.result().winner
        points += 0.5 if winner is None else float(winner == (white == 0))
    return points


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--variant", default="english")
    parser.add_argument("--games", type=int, default=2000, help="number of self-play games for training")
    parser.add_argument("--nodes", type=int, default=200, help="nodes per move in these games")
    parser.add_argument("--passes", type=int, default=8)
    parser.add_argument("--match", type=int, default=40, help="number of games against random weights")
    arguments = parser.parse_args()
    draw = np.random.default_rng(1)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        file = folder / "games"
        command = [sys.executable, "-m", "soffio", "selfplay", "--variant", arguments.variant, "--out", str(file)]
        command += ["--games", str(arguments.games), "--nodes", str(arguments.nodes), "--seed", "1"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        positions = np.concatenate(list(soffio.SelfPlayData(file)))
        positions = positions[positions["quiet"]]
        inputs = soffio.network_inputs(arguments.variant, positions)
        # The targets combine the result of the game with the search score, both from the point of view of the side to move.
        side = np.where(positions["white_to_move"], 1, -1)
        result = (1 + side * positions["result"]) / 2
        searched = 1 / (1 + np.exp(-positions["score"] / 100.0))
        targets = np.where(positions["scored"], 0.5 * result + 0.5 * searched, result).astype(np.float32)
        print(f"{len(positions)} positions from {arguments.games} games")

        network = random_network(arguments.variant, draw)
        untrained, trained = folder / "random.weights", folder / "trained.weights"
        soffio.write_weights(untrained, arguments.variant, **network, man=0.7, note="random")
        train(network, inputs, targets, draw, passes=arguments.passes)
        man = man_in_logits(network, positions, inputs)
        soffio.write_weights(trained, arguments.variant, **network, man=man, note="trained with numpy")
        points = match(arguments.variant, trained, untrained, arguments.match, draw)
        print(f"trained against random weights: {points:g} of {arguments.match} points")
    return 0 if points > arguments.match * 0.7 else 1


if __name__ == "__main__":
    sys.exit(main())
