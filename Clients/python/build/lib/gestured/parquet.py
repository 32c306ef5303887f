"""Writes a table as Parquet: python -m gestured.parquet [--output FILE] < TABLE.csv

It reads comma-separated values with a line of names, as `gesturectl simulate --format csv` prints
them, and writes Parquet to FILE, or to standard output. It needs pyarrow (the extra `tables`).
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import os
import pathlib
import sys
import tempfile
from typing import IO, Any

# Bytes of a table that is read: gesturectl prints at most as many.
TABLE_BYTES_MAX = 1 << 30
TEXTS = ("session", "component", "phase", "view", "run")
REALS = ("t", "ends_ms", "x", "y", "w", "h", "rotation", "scale", "alpha")
WHOLES = ("z", "cut")


def convert(source: IO[bytes], sink: Any) -> int:
    """Writes a table of comma-separated values as Parquet; returns the number of rows.

    Columns of states have their own types: lengths and angles are doubles, also where all values
    are whole. The type of any other is found from its values; an empty cell is null. `sink` is a
    file or a path. Raises ValueError for what is no such table, or has more than 1 GiB.
    """
    from pyarrow import BufferReader
    from pyarrow import csv as tables
    from pyarrow import parquet

    data = source.read(TABLE_BYTES_MAX + 1)
    if len(data) > TABLE_BYTES_MAX:
        raise ValueError(f"the table has more than {TABLE_BYTES_MAX} bytes")
    head = data.partition(b"\n")[0].decode()
    names = next(csv.reader([head]), [])
    if not names or len(set(names)) != len(names):
        raise ValueError(f"the first line is not a list of different names: {head[:80]!r}")
    table = tables.read_csv(
        BufferReader(data), convert_options=tables.ConvertOptions(
            column_types=_types(names), strings_can_be_null=True, quoted_strings_can_be_null=False))
    parquet.write_table(table, sink, compression="zstd")
    return int(table.num_rows)


def _types(names: list[str]) -> dict[str, Any]:
    """The types of the columns that are known by the last part of their names."""
    import pyarrow

    known = {name: pyarrow.string() for name in TEXTS}
    known |= {name: pyarrow.float64() for name in REALS}
    known |= {name: pyarrow.int64() for name in WHOLES}
    # A model may give any name to anything.
    return {name: known[last] for name in names if ".model." not in name
            and (last := name.rpartition(".")[2]) in known}


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m gestured.parquet", description="Write a CSV table from standard input "
        "as Parquet.")
    parser.add_argument("--output", metavar="FILE", type=pathlib.Path,
                        help="the file to write (default: standard output)")
    options = parser.parse_args(arguments)
    if options.output is None and sys.stdout.isatty():
        parser.error("Parquet is binary: redirect the output, or name a FILE by --output")
    try:
        if options.output is None:
            convert(sys.stdin.buffer, sys.stdout.buffer)
            sys.stdout.buffer.flush()
        else:
            _write_whole(options.output)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except ImportError as error:
        print(f"gestured.parquet: {error}; pip install 'gestured[tables]'", file=sys.stderr)
        return 2
    except (ValueError, OSError) as error:
        print(f"gestured.parquet: {error}", file=sys.stderr)
        return 1
    return 0


def _write_whole(output: pathlib.Path) -> None:
    """The file appears whole or not at all; a device is written as it is."""
    if output.exists() and not output.is_file():
        convert(sys.stdin.buffer, output)
        return
    handle, part = tempfile.mkstemp(dir=output.parent, prefix=f".{output.name}-")
    os.close(handle)
    try:
        convert(sys.stdin.buffer, part)
        # mkstemp gives the owner alone access; a new file has what the umask leaves.
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(part, 0o666 & ~mask)
        os.replace(part, output)
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(part)


if __name__ == "__main__":
    sys.exit(main())
