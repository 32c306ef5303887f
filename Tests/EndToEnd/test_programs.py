"""The programs as they are installed: small, with Swift's libraries inside."""

from __future__ import annotations

import os
import pathlib
import subprocess

import pytest
from client import binary

# Bytes of each program without its symbols.
BYTES_MAX = {"gestured": 15_000_000, "gesture-web": 15_000_000, "gesturectl": 18_000_000}


def needed(program: pathlib.Path) -> list[str]:
    told = subprocess.run(["readelf", "-d", program], capture_output=True, check=True, text=True)
    return [line.split("[")[1].rstrip("]") for line in told.stdout.splitlines() if "NEEDED" in line]


@pytest.mark.parametrize("name", BYTES_MAX)
def test_a_program_is_small_and_brings_what_it_needs(name: str, tmp_path: pathlib.Path):
    program = binary().with_name(name)
    libraries = needed(program)
    assert libraries, "it is linked to the system's libraries"
    if any(library.startswith("libswiftCore") for library in libraries):
        pytest.skip("this build is for developers, and uses the toolchain's libraries")
    assert not [library for library in libraries if "Foundation" in library or "icu" in library]
    stripped = tmp_path / name
    subprocess.run(["strip", "--strip-all", "-o", stripped, program], check=True)
    assert os.path.getsize(stripped) <= BYTES_MAX[name]
