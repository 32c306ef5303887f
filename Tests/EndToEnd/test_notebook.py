"""Examples/notebook/toss.ipynb: its cells run in their order, and show a throw."""

from __future__ import annotations

import ast
import json
import os
import pathlib
import sys

import pytest
from client import REPOSITORY, Daemon, binary

PATH = REPOSITORY / "Examples" / "notebook" / "toss.ipynb"
NOTEBOOK = json.loads(PATH.read_text(encoding="utf-8"))


def run(source: str, names: dict) -> object:
    """Runs a cell; returns the value of its last line, if that is an expression."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, str(PATH), "exec"), names)
    return last and eval(compile(ast.Expression(last.value), str(PATH), "eval"), names)


def test_it_is_a_notebook_without_outputs():
    assert NOTEBOOK["nbformat"] == 4 and PATH.stat().st_size < 10_000
    for cell in NOTEBOOK["cells"]:
        if cell["cell_type"] == "code":
            assert cell["outputs"] == [] and cell["execution_count"] is None
        assert max(map(len, cell["source"])) <= 101, cell


def test_it_runs(daemon: Daemon, monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path):
    monkeypatch.chdir(REPOSITORY)
    monkeypatch.syspath_prepend(str(REPOSITORY / "Clients" / "python" / "src"))
    # No screen, and no cache at home.
    monkeypatch.setenv("MPLBACKEND", "agg")
    monkeypatch.setenv("MPLCONFIGDIR", str(tmp_path))
    monkeypatch.setenv("PATH", f"{binary().parent}:{os.environ['PATH']}")
    for name in ("events", "updates", "control"):
        monkeypatch.setenv(f"GESTURED_{name.upper()}", getattr(daemon, name))
    names: dict = {"__name__": "notebook"}
    cells = ["".join(cell["source"]) for cell in NOTEBOOK["cells"] if cell["cell_type"] == "code"]
    opened, frames, phases, speed, figure, seeds, _ = (run(cell, names) for cell in cells)
    assert opened is True and int(frames.split()[0]) > 30
    assert list(phases.index) == ["resting", "dragging", "thrown", "returning"]
    # The finger, 1,140 points per second fast, pulled at one side of the view.
    assert 500 < float(speed.split()[0]) < 1140, speed
    picture = tmp_path / "throw.png"
    figure.savefig(picture)
    lines = [line.get_xydata() for axes in figure.axes for line in axes.get_lines()]
    assert picture.stat().st_size > 10_000 and sum(map(len, lines)) > 100
    assert seeds["count"] == 100 and -3 < seeds["min"] < -0.5 < 0.1 < seeds["max"] < 3
    assert "notebook" not in daemon.requests().sessions()
    assert "matplotlib" in sys.modules
