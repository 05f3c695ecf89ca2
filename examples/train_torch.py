#!/usr/bin/env python3
"""Trains evaluation weights with PyTorch on the CPU or a GPU. Uses the same game and weights files as `soffio train`.

Usage: examples/train_torch.py --variant english --out english.weights [--device cuda] GAMES...

The positions, the network, the loss, the learning rates and the random numbers are the same as in `soffio train`, so
both print the same losses (see docs/training.md). Positions stay in memory as bits, 20 bytes each in English draughts.
Requires the packages soffio, numpy and torch. Does not support the `--tables` and `--plot` options of `soffio train`.
"""

import argparse
import copy
import sys
from array import array
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional

import soffio

# Value of a man in logits. Converts search scores to probabilities and, in losing variants, weights to scores.
MAN = 0.69
# Larger absolute search scores in cp count as this score.
MAX_SCORE = 600
# Number of batches that are copied to the device at once.
BATCHES_PER_COPY = 256
# Variants in which a lone flying king can hold out against more pieces. The engine scales down such scores.
LONE_KING_HOLDS = """international russian brazilian pool jamaican unified-pool spanish portuguese czech canadian
    srilankan dumm spantsiretti""".split()


def mixed(numbers):
    """Applies the finalizer of SplitMix64."""
    numbers = (numbers ^ numbers >> 30) * 0xBF58476D1CE4E5B9
    numbers = (numbers ^ numbers >> 27) * 0x94D049BB133111EB
    return numbers ^ numbers >> 31


def upper_half(a, b):
    """Returns the upper 64 bits of the products of 64-bit numbers."""
    a_low, b_low, a_high, b_high = a & 0xFFFFFFFF, b & 0xFFFFFFFF, a >> 32, b >> 32
    middle = a_high * b_low + (a_low * b_low >> 32)
    return a_high * b_high + (middle >> 32) + ((a_low * b_high + (middle & 0xFFFFFFFF)) >> 32)


class WyRand:
    """The random number generator of the Rust library fastrand. Generates many numbers at a time."""

    def __init__(self, seed):
        self.state = np.array([seed], np.uint64)

    def integers(self, count):
        states = self.state + 0x2D358DCCAA6C78A5 * np.arange(1, count + 1, dtype=np.uint64)
        self.state = states[-1:] if count else self.state
        other = states ^ 0x8BB84B93962EACC9
        return states * other ^ upper_half(states, other)

    def weights(self, most, *shape):
        fractions = (self.integers(int(np.prod(shape))) >> 1).astype(np.float32) * np.float32(2.0**-63)
        return torch.from_numpy(np.float32(most) * (2 * fractions - 1)).reshape(shape)

    def shuffle(self, order):
        for start in range(1, len(order), 1 << 20):
            bounds = np.arange(start, min(start + (1 << 20), len(order)), dtype=np.uint64) + 1
            for place, other in enumerate(upper_half(self.integers(len(bounds)), bounds).tolist(), start):
                order[place], order[other] = order[other], order[place]


def targets_of(positions, arguments):
    """Returns the targets for the side to move: the game results mixed with the search scores as probabilities."""
    for_white = 0.5 + positions["result"].astype(np.float32) / 2
    points = np.where(positions["white_to_move"], for_white, 1 - for_white)
    score = positions["score"].clip(-MAX_SCORE, MAX_SCORE)
    chance = 1 / (1 + np.exp(-score / np.float32(100) * np.float32(MAN)))
    return points + np.float32(arguments.score_share) * (chance - points)


def read_samples(variant, arguments):
    """Returns the training positions, the held-out positions, and a description of how the games were played.

    Each position consists of its network inputs as packed bits, and its expected result for the side to move.
    """
    parts, notes, games = [], [], 0
    for path in arguments.files:
        data, before = soffio.SelfPlayData(path), games
        if data.variant != variant:
            sys.exit(f"{path}: the games are {data.variant}, not {variant}")
        for positions in data:
            starts = np.flatnonzero(np.diff(positions["game"], prepend=positions["game"][:1] + 1))
            lengths = np.diff(starts, append=len(positions))
            numbers = np.arange(games, games + len(starts), dtype=np.uint64) + 1
            games += len(starts)
            draws = mixed(mixed(numbers) ^ arguments.seed) >> 11
            held_out = np.repeat(draws.astype(np.float64) / 2.0**53 < arguments.held_out, lengths)
            chosen = positions["quiet"] & (positions["ply"] >= arguments.first_ply)
            if arguments.score_share > 0:
                chosen &= positions["scored"]
            chosen = np.flatnonzero(chosen)
            positions, held_out = positions[chosen], held_out[chosen]
            key = positions["white_to_move"].astype(np.uint64) + 1
            for word in np.concatenate([positions[name] for name in ("white", "black", "kings")], axis=1).T:
                key = mixed(key * 0x9E3779B97F4A7C15 ^ word)
            inputs = np.packbits(soffio.network_inputs(variant, positions), axis=1, bitorder="little")
            parts.append((inputs, targets_of(positions, arguments), held_out, key))
        notes.append(f"{games - before} games: {data.plan}")
    if not games:
        sys.exit("there are no games")
    inputs, targets, held_out, keys = (np.concatenate(arrays) for arrays in zip(*parts))
    del parts
    first = np.zeros(len(keys), bool)
    first[np.unique(keys, return_index=True)[1]] = True
    fit, held_out = np.flatnonzero(first & ~held_out), np.flatnonzero(first & held_out)
    print(f"{games} games: trained on {len(fit)}, held out {len(held_out)}", flush=True)
    if not len(fit) or not len(held_out):
        sys.exit("too few positions")
    inputs, targets = torch.from_numpy(inputs), torch.from_numpy(targets)
    return (inputs[fit], targets[fit]), (inputs[held_out], targets[held_out]), "; ".join(notes)


class Network(torch.nn.Module):
    """The evaluation network. Its values are in logits, from the point of view of the side to move."""

    def __init__(self, variant, random=None):
        super().__init__()
        self.variant, self.shape, board = variant, soffio.NetworkShape.for_variant(variant), soffio.Variant.named(variant)
        self.squares, self.max_pieces, self.lone_king_holds = board.squares, 2 * board.men, variant in LONE_KING_HOLDS
        # A mirrored position belongs to the same game only if all squares are playable.
        self.rows = (board.height, board.width) if board.squares == board.height * board.width else None
        units, second_units, buckets = self.shape.first_units, self.shape.second_units, self.shape.output_buckets
        random = random or WyRand(1)
        self.first = torch.nn.Parameter(random.weights(0.2, self.shape.inputs, units))
        self.first_bias = torch.nn.Parameter(torch.full((units,), 0.3))
        second = random.weights(np.float32(1.7) / np.sqrt(np.float32(units)), second_units, units)
        self.second = torch.nn.Parameter(second.T.repeat(buckets, 1, 1))
        self.second_bias = torch.nn.Parameter(torch.full((buckets, second_units), 0.3))
        self.last = torch.nn.Parameter(random.weights(0.5, second_units).repeat(buckets, 1))
        self.last_bias = torch.nn.Parameter(torch.zeros(buckets))

    def unpacked(self, packed, mirror=None):
        """Unpacks the inputs of positions to zeros and ones, and mirrors the positions that `mirror` selects."""
        bits = packed[:, :, None] >> torch.arange(8, dtype=torch.uint8, device=packed.device) & 1
        inputs = bits.flatten(1)[:, : self.shape.inputs].to(self.first.dtype)
        if mirror is None:
            return inputs
        images = inputs.view(len(inputs), -1, *self.rows).flip(-1).reshape(inputs.shape)
        return torch.where(mirror[:, None], images, inputs)

    def forward(self, inputs, quantised=False):
        counts = inputs.view(len(inputs), 4, self.squares).sum(2).long()
        bucket = (counts.sum(1) - 1).clamp(min=0) * self.shape.output_buckets // self.max_pieces
        bucket = bucket.clamp(max=self.shape.output_buckets - 1)[:, None]
        # Unlike clamp, hardtanh has no gradient at the limits.
        first = functional.hardtanh(inputs @ self.first + self.first_bias, 0, 1)
        if quantised:
            # The engine rounds down in the same way before the second layer.
            first = torch.floor(127 * first + 1e-6) / 127
        second = first @ self.second.transpose(0, 1).flatten(1)
        second = functional.hardtanh(second.view(-1, *self.second_bias.shape) + self.second_bias, 0, 1)
        value = ((second * self.last).sum(2) + self.last_bias).gather(1, bucket).squeeze(1)
        return value * self.scale(counts, value > 0) if self.lone_king_holds else value

    def scale(self, counts, leads):
        """Returns the factors that scale down hard-to-win endings. `leads` is true if the side to move is ahead."""
        leader, defender = (torch.where(leads[:, None] == side, counts[:, :2], counts[:, 2:]) for side in (True, False))
        even = (leader[:, 1] == defender[:, 1]) & ((leader[:, 0] - defender[:, 0]).abs() <= 1)
        factor = torch.where(even, 0.5, 1.0)
        factor = torch.where((defender[:, 1] > 0) & (leader.sum(1) < 4), 0.125, factor)
        return torch.where(counts[:, 1] + counts[:, 3] == 0, 1.0, factor)

    def load(self, path):
        """Loads a weights file of this variant or of another variant on the same board. Returns its note."""
        content = soffio.read_weights(path)
        if content["first"].shape != self.first.shape:
            sys.exit(f"{path}: the weights are for another board ({content['variant']})")
        with torch.no_grad():
            for name, weights in self.named_parameters():
                values = torch.from_numpy(content[name] * (MAN if name.startswith("last") else 1)).to(weights)
                weights.copy_(values)
        return content["note"]

    def write(self, path, man, note):
        """Writes a weights file. Weights that could overflow in the engine are reduced."""
        arrays = {name: weights.detach().cpu().double().numpy() for name, weights in self.named_parameters()}
        most = 2**15 - 1
        sums = np.abs(arrays["first"]).reshape(4, self.squares, -1).max(0).sum(0) + np.abs(arrays["first_bias"])
        # Each weight in a sum may be rounded up.
        factors = np.minimum(1, (most - self.squares) / self.shape.first_scale / np.maximum(sums, 1e-9))
        arrays["first"], arrays["first_bias"] = arrays["first"] * factors, arrays["first_bias"] * factors
        arrays["second"] = np.clip(arrays["second"], -most / self.shape.second_scale, most / self.shape.second_scale)
        soffio.write_weights(path, self.variant, **arrays, man=man, note=note)


@torch.no_grad()
def held_out_loss(network, samples, device):
    """Returns the mean loss, and the effect in logits of one extra man in positions without kings."""
    loss = products = squares = 0.0
    for packed, targets in zip(*(tensor.split(1 << 14) for tensor in samples)):
        inputs = network.unpacked(packed.to(device))
        values = network(inputs)
        targets = targets.to(device).double()
        loss += functional.binary_cross_entropy_with_logits(values.double(), targets, reduction="sum").item()
        own_men, own_kings, men, kings = inputs.view(len(inputs), 4, -1).sum(2).unbind(1)
        ahead = (own_men - men) * (own_kings + kings == 0)
        products, squares = products + (ahead * values).sum().item(), squares + (ahead * ahead).sum().item()
    return loss / len(samples[1]), max(abs(products / squares), 0.1) if squares else MAN


def batches(network, samples, order, arguments, step):
    """Yields the inputs and the targets of each step, with the positions in the given order."""
    size = arguments.batch * BATCHES_PER_COPY
    for copied in np.array_split(order, range(size, len(order), size)):
        places = torch.from_numpy(copied.astype(np.int64))
        all_packed, all_targets = (tensor[places].to(arguments.device) for tensor in samples)
        for start in range(0, len(copied), arguments.batch):
            chosen, mirror = slice(start, start + arguments.batch), None
            if network.rows:
                draw = mixed(np.array([step], np.uint64) ^ arguments.seed) << 32
                mirror = torch.from_numpy(mixed(draw ^ copied[chosen]) & 1 == 1).to(arguments.device)
            yield network.unpacked(all_packed[chosen], mirror), all_targets[chosen]
            step += 1


def train(network, fit, held_out, random, arguments):
    """Trains with Adam, and keeps the weights of the epoch with the lowest loss on the held-out games. Returns this
    loss and the value of a man in logits."""
    count = len(fit[1])
    order = array("I", range(count))
    is_fused = arguments.device.startswith("cuda")
    optimizer = torch.optim.AdamW(network.parameters(), eps=1e-8, weight_decay=arguments.decay, fused=is_fused)
    steps, step = -(-count // arguments.batch) * arguments.epochs, 0
    warm_up = min(max(steps // 10, 1), 300)
    best, best_state = held_out_loss(network, held_out, arguments.device), None
    print(f"epoch 0: held out {best[0]:.5f}", flush=True)
    for epoch in range(1, arguments.epochs + 1):
        random.shuffle(order)
        total = torch.zeros((), dtype=torch.float64, device=arguments.device)
        for inputs, targets in batches(network, fit, np.frombuffer(order, np.uint32), arguments, step):
            for group in optimizer.param_groups:
                group["lr"] = arguments.rate * min((step + 1) / warm_up, 1) * (1 - step / steps)
            optimizer.zero_grad()
            loss = functional.binary_cross_entropy_with_logits(network(inputs), targets)
            loss.backward()
            optimizer.step()
            total += loss.detach() * len(targets)
            step += 1
        now = held_out_loss(network, held_out, arguments.device)
        print(f"epoch {epoch}: loss {total.item() / count:.5f}, held out {now[0]:.5f}", flush=True)
        if now[0] < best[0]:
            best, best_state = now, copy.deepcopy(network.state_dict())
    if best_state is None:
        sys.exit("no epoch improved on the initial weights: the rate may be too high, or there are too few games")
    network.load_state_dict(best_state)
    return best


def parse_arguments():
    defaults = argparse.ArgumentDefaultsHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], formatter_class=defaults)
    add = parser.add_argument
    add("--variant", required=True, help="variant, as listed by `soffio variants`")
    add("--out", required=True, type=Path, help="output file for the weights")
    add("--overwrite", action="store_true", help="overwrite an existing output file")
    add("--rate", type=float, default=0.0015, help="peak learning rate")
    add("--decay", type=float, default=0.2, help="weight decay, as a fraction per step at learning rate 1")
    add("--epochs", type=int, default=12, help="number of epochs")
    add("--batch", type=int, default=1024, help="positions per step")
    add("--first-ply", type=int, default=8, help="skip positions before this ply of a game")
    add("--score-share", type=float, default=0.7, help="share of the search score in the target")
    add("--held-out", type=float, default=0.08, help="share of the games to hold out")
    add("--seed", type=int, default=1, help="seed of the initial weights, the order and the held-out games")
    add("--start-from", type=Path, help="initial weights, of this variant or another one on the same board")
    add("--device", default="cuda" if torch.cuda.is_available() else "cpu", help="cpu or cuda")
    add("files", nargs="+", type=Path, help="self-play game files, as written by `soffio selfplay`")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    if arguments.out.exists() and not arguments.overwrite:
        sys.exit(f"{arguments.out}: the file exists; use --overwrite to replace it, or choose another name")
    variant = soffio.Variant.named(arguments.variant).name
    fit, held_out, note = read_samples(variant, arguments)
    random = WyRand(arguments.seed)
    network = Network(variant, random).to(arguments.device)
    if arguments.start_from:
        note += f"; initial weights: {network.load(arguments.start_from)}"
    loss, man = train(network, fit, held_out, random, arguments)
    man = MAN if variant.startswith("losing") else man
    names = ("epochs", "batch", "rate", "decay", "score_share", "first_ply", "held_out", "seed")
    settings = ", ".join(f"{name.replace('_', ' ')} {getattr(arguments, name)}" for name in names)
    network.write(arguments.out, man, f"{len(fit[1])} positions, {settings}; {note}")
    print(f"loss on held-out games: {loss:.5f}; a man is worth {man:.3f} logits")


if __name__ == "__main__":
    main()
