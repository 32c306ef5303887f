"""The Python package: it installs, its types hold, its guide runs, its tables are right."""

from __future__ import annotations

import gc
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator

import pytest
from client import REPOSITORY, Daemon, binary
from documents import CONSOLE, typed

PACKAGE = REPOSITORY / "Clients" / "python"
TOSS = REPOSITORY / "Examples" / "recordings" / "toss.jsonl"
# Each component of it always has views, so no cell is empty.
SHEET = TOSS.with_name("sheet.jsonl")
GUIDE = (PACKAGE / "README.md").read_text(encoding="utf-8")
# A snippet, and what it prints where that is told.
SNIPPET = re.compile(r"^```python\n(.*?)^```(?:\n\n```text\n(.*?)^```)?", re.M | re.S)
# Seconds for pip, which may have to fetch.
PIP_SECONDS = 300
sys.path.insert(0, str(PACKAGE / "src"))

import gestured  # noqa: E402


@pytest.fixture(scope="module")
def tools() -> dict[str, str]:
    """The environment in which the package and gesturectl are found."""
    ctl = binary().parent
    return os.environ | {
        "PATH": f"{ctl}:{os.environ['PATH']}", "PYTHONPATH": str(PACKAGE / "src"),
        "GESTURED_SCENES": str(REPOSITORY / "config" / "scenes")}


@pytest.fixture
def usual(daemon: Daemon, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The daemon is the one that programs without endpoints find."""
    for name in ("events", "updates", "control"):
        monkeypatch.setenv(f"GESTURED_{name.upper()}", getattr(daemon, name))
    monkeypatch.setenv("GESTURECTL", str(binary().parent / "gesturectl"))
    monkeypatch.chdir(REPOSITORY)
    yield


def test_every_snippet_of_the_guide_runs_and_prints_what_it_says(
        usual: None, capsys: pytest.CaptureFixture):
    names, snippets = {"__name__": "__main__"}, SNIPPET.findall(GUIDE)
    assert len(snippets) > 8
    for code, told in snippets:
        exec(compile(code, "README.md", "exec"), names)
        assert capsys.readouterr().out == told, code


def test_the_commands_of_the_guide_run(
        daemon: Daemon, tools: dict[str, str], tmp_path: pathlib.Path):
    """In a new environment, which finds the tests' own packages, as NumPy takes a minute."""
    for name in ("Examples", "config"):
        (tmp_path / name).symlink_to(REPOSITORY / name)
    # A copy, for pip leaves a folder beside what it builds.
    shutil.copytree(PACKAGE, tmp_path / "Clients" / "python")
    endpoints = {f"GESTURED_{name.upper()}": getattr(daemon, name)
                 for name in ("events", "updates", "control")}
    environment = {name: value for name, value in tools.items() if name != "PYTHONPATH"}
    environment["PATH"] = f"{pathlib.Path(sys.executable).parent}:{environment['PATH']}"
    printed = []
    for command in (one for block in CONSOLE.findall(GUIDE) for one in typed(block)):
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", command.text], cwd=tmp_path, timeout=PIP_SECONDS,
            env=environment | endpoints | {"PIP_DISABLE_PIP_VERSION_CHECK": "1"},
            capture_output=True, text=True)
        assert done.returncode == 0, f"{command.text}\n{done.stdout}{done.stderr}"
        if " -m venv " in command.text:
            site = next((tmp_path / ".venv").glob("lib/python*/site-packages"))
            (site / "tests.pth").write_text(sysconfig.get_path("purelib"))
        printed.append(done.stdout.strip().split("\n")[-1])
    assert printed[2] == "gestured" and printed[-1] == "14"
    site = next((tmp_path / ".venv").glob("lib/python*/site-packages"))
    assert (site / "gestured" / "py.typed").is_file()
    (site / "tests.pth").unlink()
    check_that_pyzmq_alone_is_needed(site)


def check_that_pyzmq_alone_is_needed(site: pathlib.Path) -> None:
    """A function that needs more than pyzmq says so when it is called."""
    program = (
        "import sys; sys.modules.update(numpy=None, pandas=None, pyarrow=None)\n"
        "import gestured, gestured.aio, gestured.parquet\n"
        "print(gestured.__file__)\n"
        "try: gestured.table([], [])\n"
        "except ImportError as error: print(error)\n")
    done = subprocess.run(
        [sys.executable, "-c", program], env=os.environ | {"PYTHONPATH": str(site)},
        capture_output=True, text=True, check=True)
    assert str(site) in done.stdout and "pandas" in done.stdout


def test_a_client_that_nobody_closed_holds_nobody_up(usual: None):
    """Neither the garbage collector nor the program's end waits for it; its events still leave."""
    program = (
        "import gestured, gc\n"
        "def lose():\n"
        "    client = gestured.connect()\n"
        "    client.me = client, client.watch('badge/unclosed')\n"
        "    client.request('hello')\n"
        "for _ in range(5): lose()\n"
        "gc.collect()\n"
        "client = gestured.connect()\n"
        "for _ in range(500): client.publish('notification/unclosed', {'kind': 'likes'})\n")
    done = subprocess.run(
        [sys.executable, "-X", "dev", "-c", program], timeout=30, capture_output=True, text=True,
        env=os.environ | {"PYTHONPATH": str(PACKAGE / "src")})
    assert done.returncode == 0 and "unclosed gestured.Client" in done.stderr, done.stderr
    gc.collect()
    with gestured.connect() as client, client.watch("badge/unclosed") as watch:
        while watch.next(30)[1]["total"] < 500:
            pass


def test_the_package_has_the_version_of_the_daemon():
    told = subprocess.run([binary(), "--version"], capture_output=True, text=True, check=True)
    assert told.stdout.split()[1] == gestured.__version__


PROGRAM = """
import os, subprocess, sys

def test_a_like_is_counted(gestured_daemon):
    with gestured_daemon.connect() as client:
        client.request("open", session="a", scene="phone")
        client.publish("notification/a", {"kind": "likes"}, ack=True)
        with client.watch("badge/a") as watch:
            assert watch.next(30)[1]["total"] == 1

def test_a_program_finds_it(gestured_daemon):
    code = "import gestured; print(gestured.connect().request('hello')['protocol'])"
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True,
                          text=True, env=os.environ | gestured_daemon.environment)
    assert done.stdout == "1\\n", done.stderr
"""


def run_pytest(folder: pathlib.Path, **variables: str) -> subprocess.CompletedProcess:
    (folder / "test_mine.py").write_text(PROGRAM)
    environment = os.environ | {"PYTHONPATH": str(PACKAGE / "src")} | variables
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "gestured.testing", "-p", "no:cacheprovider",
         "-o", f"gestured_scenes={REPOSITORY / 'config' / 'scenes'}", "."],
        cwd=folder, env=environment, capture_output=True, text=True)


def test_a_users_tests_have_a_daemon(tmp_path: pathlib.Path):
    done = run_pytest(tmp_path, GESTURED_BIN=str(binary()))
    assert done.returncode == 0 and "2 passed" in done.stdout, done.stdout
    program = tmp_path / "gestured"
    for text, told in (("#!/bin/sh\necho no luck >&2; exit 3\n", "no luck"), ("", "no gestured")):
        program.write_text(text)
        program.chmod(0o755 if text else 0o644)
        done = run_pytest(tmp_path, GESTURED_BIN="", PATH=str(tmp_path))
        assert "2 errors" in done.stdout and told in done.stdout, done.stdout


def test_the_types_hold():
    pytest.importorskip("mypy")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--cache-dir", REPOSITORY / ".build" / "mypy"],
        cwd=PACKAGE, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_a_table_of_updates_is_that_of_gesturectl(usual: None):
    """The same cells from the updates of a simulation as gesturectl's own table has."""
    pandas = pytest.importorskip("pandas")
    fields = ["toss.item.x", "toss.phase", "toss.model.frame.2", "tabs.model.selected"]
    ctl = os.environ["GESTURECTL"]
    lines = subprocess.run([ctl, "simulate", TOSS], capture_output=True, check=True).stdout
    updates = [json.loads(line) for line in lines.splitlines()]
    rows = [(update["topic"], update["body"]) for update in updates]
    states = [row for row in rows if row[0].startswith("state/")]
    ours, theirs = gestured.table(states, fields), gestured.simulate(TOSS, fields=fields)
    pandas.testing.assert_frame_equal(ours, theirs, check_dtype=False)
    # Frames say the same.
    frames = [
        (f"frame/{topic.split('/')[1]}", {"t": body["t"], "states": [
            {"component": topic.split("/")[2], **body}]}) for topic, body in states]
    pandas.testing.assert_frame_equal(gestured.table(frames, fields), ours)
    with pytest.raises(KeyError, match="toss.item.depth"):
        gestured.table(states, ["toss.item.depth"])
    assert gestured.table([], fields).empty


def test_simulate_says_what_gesturectl_says(usual: None, monkeypatch: pytest.MonkeyPatch):
    with pytest.raises(gestured.Error, match="toss.item.depth"):
        gestured.simulate(TOSS, fields=["toss.item.depth"])
    with pytest.raises(gestured.Error, match="nowhere"):
        gestured.simulate("nowhere.jsonl")
    assert gestured.simulate(TOSS, until=200)["t"].max() <= 400
    monkeypatch.delenv("GESTURECTL")
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(gestured.Error, match="GESTURECTL"):
        gestured.simulate(TOSS)


def parquet(data: bytes, *arguments: object) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-m", "gestured.parquet", *map(str, arguments)], input=data,
        capture_output=True, env=os.environ | {"PYTHONPATH": str(PACKAGE / "src")})


def test_parquet_has_the_rows_and_the_types_of_states(usual: None, tmp_path: pathlib.Path):
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    ctl = os.environ["GESTURECTL"]
    data = subprocess.run(
        [ctl, "simulate", SHEET, "--format", "csv"], capture_output=True, check=True).stdout
    out = tmp_path / "sheet.parquet"
    done = parquet(data, "--output", out)
    assert done.returncode == 0, done.stderr
    found, table = pandas.read_parquet(out), pandas.read_csv(io.BytesIO(data))
    pandas.testing.assert_frame_equal(found, table, check_dtype=False)
    kinds = dict(found.dtypes.astype(str))
    assert kinds["x"] == kinds["w"] == "float64" and kinds["z"] == "int64"
    piped = parquet(data)
    assert pandas.read_parquet(io.BytesIO(piped.stdout)).equals(found)
    fields = parquet(b"t,session,a.b.x,a.model.x\n1,s,2,\n2,s,,yes\n")
    table = pandas.read_parquet(io.BytesIO(fields.stdout))
    assert table["a.b.x"].dtype == "float64" and table["a.model.x"][1] == "yes"
    assert table["a.b.x"].isna()[1]


@pytest.mark.parametrize("data", [b"", b"a,a\n1,2\n", b"a,b\n1\n", b"a,x\n1,zwei\n", b"\xff\xfe\n"])
def test_parquet_refuses_what_is_no_table(data: bytes, tmp_path: pathlib.Path):
    pytest.importorskip("pyarrow")
    out = tmp_path / "none.parquet"
    done = parquet(data, "--output", out)
    assert done.returncode == 1 and b"Traceback" not in done.stderr, done.stderr
    assert done.stderr.startswith(b"gestured.parquet: ") and not list(tmp_path.iterdir())
    done = parquet(b"a\n1\n", "--output", tmp_path / "no" / "folder")
    assert done.returncode == 1 and b"Traceback" not in done.stderr
