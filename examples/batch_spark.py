#!/usr/bin/env python3
"""Analyses requests on a Spark cluster, with the program installed on every machine.

Usage: spark-submit examples/batch_spark.py [--program soffio] FROM TO [arguments of soffio batch]

FROM and TO are Parquet folders with the columns `request` and `record`. If FROM ends in .jsonl, FROM is a file with one
request per line and TO a folder of text files. If the program is killed, its task fails and Spark repeats it.
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
        """Yields the records for the requests in each frame, from one run of the program."""
        import pandas

        for frame in frames:
            lines = "\n".join(frame["request"]) + "\n"
            done = subprocess.run(command, input=lines, stdout=subprocess.PIPE, text=True)
            # Status 1 means that some requests are wrong, which their records report.
            if done.returncode not in (0, 1):
                raise RuntimeError(f"soffio batch ended with {done.returncode}")
            yield pandas.DataFrame({"record": done.stdout.splitlines()})

    spark = SparkSession.builder.appName("soffio").getOrCreate()
    if arguments.source.endswith(".jsonl"):
        lines = spark.sparkContext.textFile(arguments.source, PARTS)
        # Without a check of the status, a killed program would look like one that has finished.
        words = " ".join(f"'{word}'" for word in command)
        pipe = f'sh -c "{words}; [ $? -le 1 ]"'
        # Without this the program has no environment, and no PATH on which it can be found.
        lines.pipe(pipe, env=dict(os.environ), checkCode=True).saveAsTextFile(arguments.target)
    else:
        requests = spark.read.parquet(arguments.source).select("request").repartition(PARTS)
        requests.mapInPandas(analyse, "record string").write.parquet(arguments.target)
    spark.stop()


if __name__ == "__main__":
    main()
