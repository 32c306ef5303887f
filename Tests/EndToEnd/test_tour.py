"""The output of `make run`."""

from __future__ import annotations

import os
import subprocess

import pytest
from client import REPOSITORY

SOURCE = "source <(sed -n '/^thin() {/,/^}/p' .ci/tour); thin"


@pytest.mark.parametrize("locale", ["C", "POSIX", "C.UTF-8"])
def test_no_line_is_cut_inside_a_character(locale: str):
    line = "transition/alice/tips #1  " + "→é·" * 120
    result = subprocess.run(
        ["bash", "-c", SOURCE], cwd=REPOSITORY, input=f"{line}\n".encode(), capture_output=True,
        env=os.environ | {"LC_ALL": locale}, timeout=10)
    assert result.stdout.decode() == line[:200] + "\n"
    assert result.stderr == b""
