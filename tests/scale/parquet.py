"""Converts a text file to a Parquet folder, or a Parquet folder to a text file.

`write` stores each line in the `request` column, and `read` writes the `record` column to the text file.

Usage: parquet.py write LINES FOLDER | parquet.py read FOLDER LINES
"""

import sys
from pathlib import Path

import pyarrow
import pyarrow.parquet

action, source, target = sys.argv[1:]
if action == "write":
    table = pyarrow.table({"request": Path(source).read_text().splitlines()})
    Path(target).mkdir()
    pyarrow.parquet.write_table(table, Path(target) / "part-0.parquet")
else:
    records = pyarrow.parquet.read_table(source)["record"].to_pylist()
    Path(target).write_text("".join(record + "\n" for record in records))
