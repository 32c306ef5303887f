"""The first command of docs/quickstart.md. It plays the whole tour, beside other tests."""

from __future__ import annotations

import re

from documents import Document, Shell

PAGE = Document("docs/quickstart.md")


def test_see_it():
    assert PAGE.commands("See it") == ["make run"]
    # The programs are built already; everything else is what `make run` does.
    with Shell() as shell:
        said = shell.run("make -o build run", 180)
    assert re.search(r"Open http://127\.0\.0\.1:\d+/\?session=alice", said), said
    assert "10 A world of one's own" in said
    assert "rejected" not in said, said
