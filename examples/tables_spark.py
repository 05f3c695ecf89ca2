#!/usr/bin/env python3
"""Builds the missing endgame tables of a variant on a Spark cluster, with the program installed on every machine.

Usage: spark-submit examples/tables_spark.py [--program soffio] [--threads N] [--wld] VARIANT PIECES DIR

DIR must be a folder that all machines share. There is a Spark job for each layer, with a task for each slice. If the
program or a worker is killed, Spark retries the task. To resume, run the same command again. With --threads N, set
`spark.task.cpus` to N.
"""

import argparse
import itertools
import os
import subprocess

from pyspark import SparkContext


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="soffio")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--wld", action="store_true", help="build files without distances")
    parser.add_argument("variant")
    parser.add_argument("pieces")
    parser.add_argument("folder", type=os.path.abspath)
    arguments = parser.parse_args()
    command = [arguments.program, "tables", "build", "--variant", arguments.variant, "--dir", arguments.folder]
    command += ["--wld"] if arguments.wld else []
    build = [*command, "--threads", str(arguments.threads), "--slice"]
    listed = subprocess.check_output([*command, "--pieces", arguments.pieces, "--list"], text=True)
    rows = [line.split() for line in listed.splitlines()]
    context = SparkContext(appName="soffio")
    for _, layer in itertools.groupby(rows, lambda row: row[0]):
        slices = [name for _, name, _, _, state in layer if state == "missing"]
        if slices:
            context.parallelize(slices, len(slices)).foreach(lambda name: subprocess.run([*build, name], check=True))
    context.stop()


if __name__ == "__main__":
    main()
