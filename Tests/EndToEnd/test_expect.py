"""`gesturectl simulate --expect`: what a recording must lead to, told as a tester wants it."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
from xml.etree import ElementTree

import pytest
from client import REPOSITORY, binary
from tool import OWN, ctl

TOSS = OWN / "toss.jsonl"
NAMES = ["list", "navigation", "notifications", "reader", "tips", "toss"]
GOOD = """
[[expect]]
at = 1000
toss.phase = "returning"
"""


def write(folder: pathlib.Path, text: str, name: str = "toss.expect.toml") -> pathlib.Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def judge(path: pathlib.Path, *arguments: object, recording: object = TOSS) -> tuple[int, str]:
    done = ctl("simulate", recording, "--expect", path, *arguments)
    assert done.returncode in (0, 1), done
    assert done.stderr == b"", done.stderr
    return done.returncode, done.stdout.decode()


def met(folder: pathlib.Path, tables: list[str], *arguments: object) -> list[bool]:
    """Whether each table is met, of one file with all of them, by the report of one run."""
    text, lines = "", []
    for table in tables:
        begin = text.count("\n") + 1
        text += f"[[expect]]\n{table}\n"
        lines.append(range(begin, text.count("\n") + 1))
    report = folder / "report.xml"
    judge(write(folder, text), "--junit", report, *arguments)
    failed = {int(case.get("line")) for case in ElementTree.parse(report).iter("testcase")
              if len(case)}
    return [failed.isdisjoint(own) for own in lines]


def judged(folder: pathlib.Path, lines: str, *arguments: object) -> tuple[int, str]:
    return judge(write(folder, f"[[expect]]\n{lines}\n"), *arguments)


# Fields: lines of a table, and whether they are met.
FIELDS = [
    ('at = 200\ntoss.phase = "dragging"', True),
    ('at = 200\ntoss.phase = "thrown"', False),
    ("at = 200\ntoss.item.x = 199.277", True),
    ("at = 200\ntoss.item.x = 199.2", False),
    ("at = 200\ntolerance = 0.1\ntoss.item.x = 199.2", True),
    ('at = 200\ntoss.item.x = "199 ± 0.3"', True),
    ('at = 200\ntoss.item.x = "199 +- 0.2"', False),
    ('at = 200\ntoss.item.x = "> 199"\ntoss.item.y = "<= 223"', True),
    ('at = 200\ntoss.item.x = "> 199.277"', False),
    ('at = 200\ntoss.item.x = ">= 199.277"', True),
    ('at = 200\ntoss.item.x = "190..200"', True),
    ('at = 200\ntoss.item.x = "200..210"', False),
    ('at = 200\ntoss.touch = "present"', True),
    ('at = 200\ntoss.touch = "absent"', False),
    ('toss.touch = "absent"', True),
    ('toss.touch.x = "absent"', True),
    ('at = "end"\ntoss.item.x = 160\ntoss.item.rotation = 0', True),
    ("toss.model.frame = [33, 137, 254, 172]", True),
    ("toss.model.frame = [33, 137, 254]", False),
    ("toss.model.frame.3 = 172", True),
    ('"toss.item.x" = 160', True),
    # The toss's caption stands 124.38 ms behind the first event; it goes 0.4 s later.
    ('after = "A tossed view"\ntoss.phase = "dragging"', True),
    ('after = "A tossed view"\nplus = 300\ntoss.phase = "thrown"', True),
    ('after = "no such caption"\ntoss.phase = "thrown"', False),
    ('after = 4\ntoss.phase = "dragging"', True),
    ('after = 1\ntoss.phase = "resting"', True),
    ('after = 100000\ntoss.phase = "resting"', False),
    ("badge.total = 0\nbadge.counts.likes = 0", True),
    ("badge.total = 1", False),
    ("tabs.model.items.2.selected = true", True),
    ("tabs.model.items.2.selected = false", False),
    ('toss.itm.x = 160', False),
    ('session = "bob"\ntoss.phase = "resting"', False),
]


def test_a_field_is_compared_at_its_moment(tmp_path):
    found = met(tmp_path, [lines for lines, _ in FIELDS])
    assert list(zip([lines for lines, _ in FIELDS], found)) == FIELDS


# Transitions of the first throw, and whether they are met.
TRANSITIONS = [
    ('"toss toss began", "toss toss ended", "toss return began", "toss return ended"', True),
    ('"toss toss began", "toss toss ended", "toss return began"', False),
    ('"toss toss began", "toss return began", "toss toss ended", "toss return ended"', False),
    ('"toss toss began", "...", "toss return ended"', True),
    ('"...", "toss return *", "toss return ended"', True),
    ('"...", "toss toss ended", "toss return ended", "..."', False),
    ('"* * *", "..."', True),
    ('{ component = "toss", name = "toss", at = "233 ± 1" }, "..."', True),
    ('{ component = "toss", name = "toss", at = 250 }, "..."', False),
    ("", False),
]


def test_transitions_are_compared_in_order(tmp_path):
    tables = [f"from = 100\nat = 1200\ntransitions = [{it}]" for it, _ in TRANSITIONS]
    found = met(tmp_path, tables)
    assert list(zip([entries for entries, _ in TRANSITIONS], found)) == TRANSITIONS


def test_ends_of_transitions_and_counts_are_compared(tmp_path):
    path = write(tmp_path, """
[[expect]]
at = 2000
badge.total = 5
badge.counts.likes = 4
[[expect]]
transitions = [
    "...",
    { name = "select", component = "tabs", event = "began", from = 0, to = 3 }, "...",
]
[[expect]]
badge.total = 0
""")
    assert judge(path, recording=OWN / "notifications.jsonl")[0] == 0


def test_all_differences_are_told_with_what_is_near(tmp_path):
    status, said = judged(tmp_path, """at = 500
name = "it flies"
toss.phase = "dragging"
toss.item.x = "160 ± 0.5"
toss.itm.x = 3
transitions = ["toss toss began", "toss toss ended"]""")
    assert status == 1
    path = tmp_path / "toss.expect.toml"
    for words in (
            "4 of 5 expectations not met", f"{path}:4  it flies: toss.phase at 500 ms",
            'expected  "dragging"', 'got       "thrown"  since 233.333 ms',
            "nearest   as expected from 116.667 to 233.333 ms", "expected  160 ± 0.5",
            "too large", "before    450 ms: ", "did you mean toss.item.x?",
            "1 missing, 0 not expected", "    -               toss toss ended"):
        assert words in said, said
    assert "\x1b" not in said, "no colors in a pipe"


def test_refused_events_fail_unless_they_are_expected(tmp_path):
    lines = TOSS.read_text().splitlines()
    lines.insert(4, json.dumps({"t": 1, "topic": "command/alice/nobody", "body": {"command": "x"}}))
    recording = tmp_path / "refused.jsonl"
    recording.write_text("\n".join(lines) + "\n")
    status, said = judge(write(tmp_path, GOOD), recording=recording)
    assert status == 1 and "expected  no rejections" in said and "unknown-component" in said
    path = write(tmp_path, f'rejections = ["unknown-component"]\n{GOOD}')
    assert judge(path, recording=recording)[0] == 0
    assert judge(path)[0] == 1, "an event that must be refused was not"
    assert judge(write(tmp_path, f'rejections = "any"\n{GOOD}'), recording=recording)[0] == 0
    path = write(tmp_path, GOOD)
    assert judge(path, "--update", recording=recording)[0] == 0
    assert path.read_text() == f'\nrejections = ["unknown-component"]\n\n{GOOD.lstrip()}'


WRONG = [
    ("", "key expect: is required"),
    ("[[expect]]", ":1: expect 1: expects nothing"),
    ("[[expect]]\nat = -1\ntoss.phase = 'x'", ":2: expect 1, key at: must be milliseconds"),
    ("[[expect]]\nafer = 1\ntoss.phase = 'x'", ':2: expect 1: unknown key "afer", did you mean'),
    ("[[expect]]\nat = 1\nafter = 2\ntoss.phase = 'x'", ":3: expect 1, key after: does not go"),
    ("[[expect]]\nplus = 2\ntoss.phase = 'x'", ":2: expect 1, key plus: needs after"),
    ("[[expect]]\ntoss.item.x = 1979-05-27", ":2: "),
    ("[[expect]]\ntoss.item.x = nan", ":2: expect 1, key x: must be a number"),
    ("[[expect]]\ntransitions = ['toss']", ":2: expect 1, transition 1: must be"),
    ("[[expect]]\ntransitions = [{nam = 'x'}]", 'unknown key "nam", did you mean "name"?'),
    ("tolerance = -1\n[[expect]]\na.b = 1", ":1: key tolerance: must be"),
    ("rejections = 3\n[[expect]]\na.b = 1", ":1: key rejections: must be"),
    ("expect = 3", ":1: key expect: must be a list of tables"),
    ("expect = [3]", "expect 1: must be a table"),
    ("[[expect]]\nat = \n", ":2"),
    ("\x01\x7f", ""),
]


def test_a_wrong_file_is_named_with_its_line(tmp_path):
    """All of them in one run, each on its own line; none hides another."""
    recordings = tmp_path / "recordings"
    recordings.mkdir()
    for number, (text, _) in enumerate(WRONG):
        (recordings / f"w{number:02}.jsonl").symlink_to(TOSS)
        write(tmp_path, text, f"w{number:02}.expect.toml")
    done = ctl("simulate", recordings, "--expect", tmp_path, "--until", 1)
    assert done.returncode == 2, done
    *said, summary = done.stdout.decode().splitlines()
    assert summary == f"{len(WRONG)} recordings, {len(WRONG)} not as expected"
    assert len(said) == len(WRONG), said
    for number, ((_, words), line) in enumerate(zip(WRONG, said)):
        assert f"w{number:02}.expect.toml" in line and words in line, (words, line)


@pytest.mark.parametrize(("arguments", "words"), [
    (["--junit", "x.xml"], "--junit needs --expect"), (["--update"], "--update needs --expect"),
    (["--seeds", "0"], "--seeds must be"), (["--seeds", "9..3"], "--seeds must be"),
    (["--seeds", "10000000"], "at most 1000000 seeds"), (["--seed", "x"], "--seed must be"),
    (["--seeds", "3", "--expect", "x.toml", "--update"], "--update does not go with --seeds"),
    (["--seeds", "3", "--seed", "2"], "--seed does not go with --seeds"),
    (["--expect", "x.toml", "--format", "csv"], "--format does not go with --expect"),
])
def test_wrong_usage_ends_with_two(arguments: list[str], words: str):
    done = ctl("simulate", TOSS, *arguments)
    assert done.returncode == 2 and words in done.stderr.decode(), done


def test_the_report_is_junit(tmp_path):
    path = write(tmp_path, GOOD + '\n[[expect]]\nname = "<&\\" \\u0007"\ntoss.item.x = 3\n')
    report = tmp_path / "report.xml"
    assert judge(path, "--junit", report)[0] == 1
    root = ElementTree.parse(report).getroot()
    suite, = root
    assert root.tag == "testsuites" and suite.tag == "testsuite"
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("3", "1", "0")
    assert suite.get("name") == str(TOSS)
    cases = list(suite)
    assert {case.tag for case in cases} == {"testcase"} and len(cases) == 3
    assert 0 < float(suite.get("time")) == sum(float(case.get("time")) for case in cases)
    failed, = [case for case in cases if len(case)]
    assert failed.get("name").startswith('<&" \ufffd: toss.item.x')
    assert failed[0].get("message").startswith("expected 3, got 160")
    assert "expected  3" in failed[0].text and failed.get("line") == "8"


def test_an_update_changes_values_alone(tmp_path):
    path = write(tmp_path, """# A throw.
tolerance = 0.5

[[expect]]  # while it is dragged
at = 200
toss.phase = "thrown"  # wrong
toss.item.x = '100 ± 0.5'   # near
toss.item.y = "> 0"
[expect.toss.touch]
x = 5
[[expect]]
transitions = [
  "toss toss began",  # off it goes
  # it never does this
  "toss spin began",
  "toss return cancelled", "..." ]
from = 100
at = 700
"toss.phase" = "x"
toss.model = { frame = [1, 2] }
toss.none.x = 3
""")
    status, said = judge(path, "-u")
    assert status == 1 and "1 of 9 expectations not met" in said and "no such field" in said, said
    assert path.read_text() == """# A throw.
tolerance = 0.5

[[expect]]  # while it is dragged
at = 200
toss.phase = "dragging"  # wrong
toss.item.x = '199.277 ± 0.5'   # near
toss.item.y = "> 0"
[expect.toss.touch]
x = 142.22
[[expect]]
transitions = [
  "toss toss began",  # off it goes
  "toss toss ended",
  "toss return began",
]
from = 100
at = 700
"toss.phase" = "returning"
toss.model = { frame = [33, 137, 254, 172] }
toss.none.x = 3
"""
    before = path.read_text()
    assert judge(path, "-u")[0] == 1 and path.read_text() == before, "nothing else was left to do"


def test_a_first_file_is_met_and_sees_a_change(tmp_path):
    """A worked example: made, met, and not met by another recording of the same name."""
    recordings = [OWN / f"{name}.jsonl" for name in NAMES]
    others = tmp_path / "others"
    others.mkdir()
    for name, other in zip(NAMES, NAMES[1:] + NAMES[:1]):
        (others / f"{name}.jsonl").symlink_to(OWN / f"{other}.jsonl")
    arguments = ["--expect", tmp_path, "--until", 1500]
    made = ctl("simulate", *recordings, *arguments, "--update")
    assert made.returncode == 0 and made.stdout.count(b": made") == len(NAMES), made
    again = ctl("simulate", *recordings, *arguments)
    assert again.returncode == 0 and again.stdout.count("✓".encode()) == len(NAMES), again
    changed = ctl("simulate", others, *arguments)
    assert changed.returncode == 1, changed
    assert changed.stdout.count("✗".encode()) == len(NAMES), changed.stdout.decode()


def test_a_folder_runs_each_pair_whatever_the_others_do(tmp_path):
    recordings, expected = tmp_path / "recordings", tmp_path / "expected"
    recordings.mkdir(), expected.mkdir()
    for name in ("a", "b", "c", "unused"):
        (recordings / f"{name}.jsonl").write_bytes(TOSS.read_bytes())
    write(expected, GOOD, "a.expect.toml")
    write(expected, GOOD, "c.expect.toml")
    report = tmp_path / "report.xml"
    arguments = ["simulate", recordings, "--expect", expected, "--junit", report]
    done = ctl(*arguments)
    assert done.returncode == 0 and b"2 recordings, all as expected" in done.stdout, done
    write(expected, GOOD.replace("returning", "resting"), "a.expect.toml")
    write(expected, "nonsense", "b.expect.toml")
    done = ctl(*arguments)
    said = done.stdout.decode()
    assert done.returncode == 2 and "3 recordings, 2 not as expected" in said, said
    root = ElementTree.parse(report).getroot()
    assert [(suite.get("failures"), suite.get("errors")) for suite in root] == [
        ("1", "0"), ("0", "1"), ("0", "0")]
    assert ctl(*arguments, "-q").stdout.count(b"c.jsonl") == 0
    write(expected, GOOD, "d.expect.toml")
    done = ctl(*arguments)
    assert done.returncode == 2 and b"no recording d" in done.stderr, done
    files = ctl("simulate", recordings / "c.jsonl", recordings / "a.jsonl", "--expect", expected)
    assert files.returncode == 1 and files.stdout.index(b"c.jsonl") < files.stdout.index(b"a.jsonl")


def test_a_reader_that_goes_hides_no_failure(tmp_path):
    path = write(tmp_path, '[[expect]]\nat = 100\ntoss.phase = "x"\n')
    command = [str(binary().with_name("gesturectl")), "simulate", str(TOSS), "--until", "100",
               "--expect", str(path)]
    reading, writing = os.pipe()
    os.close(reading)
    assert subprocess.run(command, stdout=writing, timeout=60).returncode == 1
    os.close(writing)


def test_seeds_are_told_in_order_and_alike_each_time(tmp_path):
    arguments = ["simulate", TOSS, "--seeds", "5..24", "--until", "300", "--format", "csv",
                 "--field", "toss.item.rotation,toss.phase"]
    first, second = ctl(*arguments), ctl(*arguments)
    assert first.returncode == 0 and first.stdout == second.stdout, first
    head, *rows = [line.split(",") for line in first.stdout.decode().splitlines()]
    assert head == ["seed", "ends_ms", "updates", "transitions", "refused", "run",
                    "toss.item.rotation", "toss.phase"]
    assert [int(row[0]) for row in rows] == list(range(5, 25))
    assert len({row[6] for row in rows}) > 3 and {row[7] for row in rows} == {"thrown"}
    # A seed's own run has the same end.
    alone = ctl("simulate", TOSS, "--seed", 17, "--until", "300", "--format", "csv",
                "--field", "toss.item.rotation")
    assert alone.stdout.decode().split(",")[-1].strip() == rows[12][6]


def test_the_seeds_that_fail_are_named(tmp_path):
    path = write(tmp_path, '[[expect]]\nat = 500\ntoss.item.rotation = "> 0"\n')
    report = tmp_path / "report.xml"
    done = ctl("simulate", TOSS, "--expect", path, "--seeds", 40, "--until", 600, "--junit", report)
    said = done.stdout.decode()
    assert done.returncode == 1 and " of 40 seeds not as expected: " in said, said
    failed = [int(word) for word in said.splitlines()[0].rsplit(":", 1)[1].replace("…", "")
              .split(",")]
    for seed, status in ((failed[0], 1), (min(set(range(1, 41)) - set(failed)), 0)):
        alone = ctl("simulate", TOSS, "--expect", path, "--seed", seed, "--until", 600)
        assert alone.returncode == status, (seed, alone)
    suite, = ElementTree.parse(report).getroot()
    assert len(suite) == int(suite.get("tests")) == 1 + min(len(failed), 20)


def test_parquet_has_the_rows_of_the_table(tmp_path):
    from pyarrow import parquet  # It takes a second, which one test needs.
    path = tmp_path / "toss.parquet"
    environment = os.environ | {
        "GESTURED_PYTHON": sys.executable,
        "PYTHONPATH": str(REPOSITORY / "Clients" / "python" / "src")}
    arguments = ["simulate", TOSS, "--until", 300, "--format"]
    done = ctl(*arguments, "parquet", "-o", path, env=environment)
    assert done.returncode == 0, done
    table = parquet.read_table(path)
    rows = ctl(*arguments, "csv").stdout.decode().splitlines()
    assert table.column_names == rows[0].split(",")
    assert table.num_rows == len(rows) - 1
    assert table["x"].to_pylist()[0] == float(rows[1].split(",")[5])
    assert ctl(*arguments, "parquet", env=environment).stdout[:4] == b"PAR1"


@pytest.mark.parametrize("interpreter", ["/nowhere/python", "false", "cat"])
def test_a_missing_package_is_told_in_one_line(tmp_path, interpreter: str):
    done = ctl("simulate", TOSS, "--format", "parquet", "-o", tmp_path / "x",
               env=os.environ | {"GESTURED_PYTHON": interpreter})
    assert done.returncode == 2 and done.stdout == b"", done
    said = done.stderr.decode()
    assert said.count("\n") == 1 and "pip install" in said and interpreter in said, said
    assert not (tmp_path / "x").exists()
