"""`gesturectl simulate --format csv`: the states as a table, equal to those printed as JSON."""

from __future__ import annotations

import csv
import io
import json

import pytest
from tool import OWN, ctl

VIEW = ("x", "y", "w", "h", "rotation", "scale", "alpha", "z", "cut")
COLUMNS = ["t", "session", "component", "phase", "view", *VIEW]
NAMES = sorted(path.stem for path in OWN.glob("*.jsonl"))
# Enough of every recording; a debug build takes a minute for all of the cradle.
UNTIL = 4000


def states(name: str, *arguments: object) -> list[tuple[str, str, dict]]:
    """Session, component and body of each state that `simulate` prints as JSON."""
    done = ctl("simulate", OWN / f"{name}.jsonl", *arguments)
    assert done.returncode == 0, done.stderr
    found = []
    for line in done.stdout.splitlines():
        message = json.loads(line)
        kind, session, *rest = message["topic"].split("/")
        if kind == "state":
            found.append((session, rest[0], message["body"]))
    return found


def table(name: str, *arguments: object) -> list[list[str]]:
    done = ctl("simulate", OWN / f"{name}.jsonl", "--format", "csv", *arguments)
    assert done.returncode == 0 and done.stderr == b"", done.stderr
    return list(csv.reader(io.StringIO(done.stdout.decode(), newline=""), strict=True))


@pytest.mark.parametrize("name", NAMES)
def test_the_table_has_each_view_of_each_state(name: str):
    head, *rows = table(name, "--until", UNTIL)
    assert head == COLUMNS
    wanted = []
    for session, component, body in states(name, "--until", UNTIL):
        begin = (body["t"], session, component, body["phase"])
        views = body["views"].items()
        wanted += [(*begin, view, *(shown.get(key, 0) for key in VIEW)) for view, shown in views]
        if not views:
            wanted.append((*begin, "", *[""] * len(VIEW)))
    got = [
        (float(row[0]), *row[1:5], *(float(cell) if cell else "" for cell in row[5:]))
        for row in rows]
    assert got == wanted and len(got) > 20


def test_fields_are_columns_and_their_changes_rows():
    fields = ["toss.item.x", "toss.touch.y", "toss.phase", "toss.model.frame.2"]
    head, *rows = table("toss", "--field", ",".join(fields))
    assert head == ["t", "session", *fields]
    wanted = [
        [body["t"], session, body["views"]["item"]["x"],
         body["views"].get("touch", {}).get("y", ""), body["phase"], body["model"]["frame"][2]]
        for session, component, body in states("toss") if component == "toss"]
    got = [
        [float(row[0]), row[1], float(row[2]), float(row[3]) if row[3] else "", row[4],
         float(row[5])] for row in rows]
    assert got == wanted
    assert {row[3] == "" for row in rows} == {True, False}, "the touch is there at times only"


def test_the_end_and_the_rate_hold_for_tables_too():
    rows = table("toss", "--until", 500, "--frame-rate", 120)[1:]
    assert len(rows) == sum(
        len(body["views"]) or 1 for *_, body in states("toss", "--until", 500, "--frame-rate", 120))


@pytest.mark.parametrize(("arguments", "words"), [
    (["--format", "xml"], "--format must be json, csv or parquet, not 'xml'"),
    (["--field", "toss.item.x"], "--field needs --format csv"),
    (["--format", "csv", "--field", "toss.itm.x"], "no field 'toss.itm.x'; did you mean "
                                                   "toss.item.x?"),
])
def test_errors_say_what_is_wrong(arguments: list[str], words: str):
    done = ctl("simulate", OWN / "toss.jsonl", *arguments)
    assert done.returncode == 2 and done.stdout == b"" and words in done.stderr.decode(), done
