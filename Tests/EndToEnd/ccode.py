"""Compiles the C client with a program, under the sanitizers that end it at undefined behavior."""

from __future__ import annotations

import atexit
import functools
import pathlib
import shutil
import subprocess
import tempfile

import pytest
from client import REPOSITORY

CLIENT = REPOSITORY / "Clients" / "c"
SOURCES = sorted(CLIENT.glob("gestured*.c"))
FLAGS = [
    "-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-g", "-O1",
    "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]


@functools.cache
def folder() -> pathlib.Path:
    made = tempfile.mkdtemp(prefix="gestured-c-")
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return pathlib.Path(made)


def compiler() -> str:
    found = shutil.which("cc") or shutil.which("clang")
    if found is None:
        pytest.skip("no C compiler")
    return found


@functools.cache
def compiled(name: str, source: pathlib.Path) -> pathlib.Path:
    """The program of a source and the client."""
    program = folder() / name
    subprocess.run(
        [compiler(), *FLAGS, f"-I{CLIENT}", source, *SOURCES, "-lzmq", "-lm",
         "-o", program], check=True, capture_output=True, text=True, timeout=120)
    return program
