#!/usr/bin/env python3
"""Analyses requests on a Spark cluster, with the program installed on every machine.

Usage: spark-submit examples/batch_spark.py [--program soffio] FROM TO [arguments of soffio batch]

FROM and TO are Parquet folders: FROM has a `request` column, and TO gets a `record` column. If FROM ends in .jsonl, it
is a file with one request per line, and TO is a folder of text files. If the program is killed, its task fails, and
Spark retries it.
"""

import argparse
import os
import subprocess

from pyspark.sql import SparkSession

PARTS = 8


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="soffio")
    parser.add_argument("source")
    parser.add_argument("target")
    arguments, rest = parser.parse_known_args()
    command = [arguments.program, "batch", *rest]

    def analyse(frames):
        """Runs the program once for each frame, and yields the records for the requests in it."""
        import pandas

        for frame in frames:
            lines = "\n".join(frame["request"]) + "\n"
            done = subprocess.run(command, input=lines, stdout=subprocess.PIPE, text=True)
            # Status 1 means that some requests are invalid. Their records contain the errors.
            if done.returncode not in (0, 1):
                raise RuntimeError(f"soffio batch ended with {done.returncode}")
            yield pandas.DataFrame({"record": done.stdout.splitlines()})

    spark = SparkSession.builder.appName("soffio").getOrCreate()
    if arguments.source.endswith(".jsonl"):
        lines = spark.sparkContext.textFile(arguments.source, PARTS)
        # If the status were not checked, a killed program would look like a finished one.
        words = " ".join(f"'{word}'" for word in command)
        pipe = f'sh -c "{words}; [ $? -le 1 ]"'
        # Without this argument, the environment would be empty, and the program would not be found on the PATH.
        lines.pipe(pipe, env=dict(os.environ), checkCode=True).saveAsTextFile(arguments.target)
    else:
        requests = spark.read.parquet(arguments.source).select("request").repartition(PARTS)
        requests.mapInPandas(analyse, "record string").write.parquet(arguments.target)
    spark.stop()


if __name__ == "__main__":
    main()
