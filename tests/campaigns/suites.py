"""Counts the nodes that programs need for the positions of a suite. A line of a suite is `variant;FEN;move;...`."""

import math
from collections import defaultdict

from engine import Engine


def started(program, variant):
    engine = Engine(program, variant)
    engine.send("setoption name Hash value 64", "setoption name TableMemory value 0")
    return engine


def count(arguments, nodes_for, done):
    """Prints a line for each program and variant: how many positions are `done`, and the geometric mean of the nodes.
    `nodes_for` is called with an engine and the fields of a line, and returns the nodes, or None if the limit is not
    enough. Such a position counts as the limit.
    """
    suite = defaultdict(list)
    for line in open(arguments.suite):
        variant, *fields = line.strip().split(";")
        suite[variant].append(fields)
    for program in arguments.programs:
        for variant, positions in suite.items():
            engine = started(program, variant)
            nodes = [nodes_for(engine, *fields) for fields in positions]
            engine.quit()
            mean = math.exp(sum(math.log(found or arguments.limit) for found in nodes) / len(nodes))
            found = sum(found is not None for found in nodes)
            print(f"{program} {variant}: {found} of {len(positions)} {done}, {mean:,.0f} nodes", flush=True)
