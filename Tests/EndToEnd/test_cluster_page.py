"""docs/scale.md: the members that are started by hand, word by word."""

from __future__ import annotations

import os
import re
import subprocess

import pytest
from client import binary
from cluster import NAMES, absent
from documents import Document, Shell
from postgres import USER, programs

PAGE = Document("docs/scale.md")
SCRIPT = re.compile(r"^```sh\n(.*?)^```", re.M | re.S)
# The page names Debian's version.
FOLDER = "/usr/lib/postgresql/15/bin"
AS_USER = ["setpriv", "--reuid", USER, "--regid", USER, "--clear-groups"]


def unfit() -> str:
    """Why the page's commands cannot run here, or nothing."""
    if absent() or str(programs()) != FOLDER:
        return absent() or f"PostgreSQL is not in {FOLDER}"
    test = [*AS_USER, "test", "-x", str(binary())]
    if os.geteuid() == 0 and subprocess.run(test).returncode:
        return f"{USER} may not run {binary()}"
    return ""


@pytest.mark.skipif(bool(unfit()), reason=unfit())
def test_members_start_by_hand():
    begin, ask, end = SCRIPT.findall(PAGE.sections["Try it"])
    with Shell(ports=(5499,)) as shell:
        if os.geteuid() == 0:
            # PostgreSQL does not run as root.
            shell.folder.chmod(0o755)
            shell.run(f"exec {' '.join(AS_USER)} env TMPDIR=/tmp bash --norc -m")
        try:
            shell.run(begin, 60)
            said = shell.run(ask)
            listed = [line.split()[0] for line in said.splitlines()[1:4]]
            assert sorted(listed) == sorted(NAMES), said
            assert re.search(r"^owner\.name (left|middle|right)$", said, re.M), said
        finally:
            status, said = shell.attempt(end, 60)
        assert status == 0, said
        assert shell.attempt("test -e pg")[0] == 1, "something is left"
