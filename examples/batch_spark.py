#!/usr/bin/env python3
"""Judges requests on a cluster with Spark, through the program on its machines.

Usage: spark-submit examples/batch_spark.py [--program soffio] FROM TO [arguments of soffio batch]

FROM and TO are folders of Parquet with a column `request` and a column `record`, or, if FROM ends in .jsonl, a file of lines and a
folder of files of lines. A task whose program is killed fails and is done again by Spark.
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

    def judge(frames):
        """The records of the requests of each frame, from one run of the program."""
        import pandas

        for frame in frames:
            lines = "\n".join(frame["request"]) + "\n"
            done = subprocess.run(command, input=lines, stdout=subprocess.PIPE, text=True)
            # 1 says that some requests are wrong, which stands in their records.
            if done.returncode not in (0, 1):
                raise RuntimeError(f"soffio batch ended with {done.returncode}")
            yield pandas.DataFrame({"record": done.stdout.splitlines()})

    spark = SparkSession.builder.appName("soffio").getOrCreate()
    if arguments.source.endswith(".jsonl"):
        lines = spark.sparkContext.textFile(arguments.source, PARTS)
        # Without the check of the status a program that was killed would be taken for one that has done its work.
        words = " ".join(f"'{word}'" for word in command)
        pipe = f'sh -c "{words}; [ $? -le 1 ]"'
        # Otherwise it has no environment at all, and no PATH to find the program by.
        lines.pipe(pipe, env=dict(os.environ), checkCode=True).saveAsTextFile(arguments.target)
    else:
        requests = spark.read.parquet(arguments.source).select("request").repartition(PARTS)
        requests.mapInPandas(judge, "record string").write.parquet(arguments.target)
    spark.stop()


if __name__ == "__main__":
    main()
