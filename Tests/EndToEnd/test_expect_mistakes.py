"""`gesturectl simulate --expect`: a slip in the file must not pass for what never comes."""

from __future__ import annotations

import pytest
from tool import OWN, ctl

TOSS = OWN / "toss.jsonl"


def judge(folder, text: str, *arguments: object, recording: object = TOSS):
    path = folder / "toss.expect.toml"
    path.write_text(text, encoding="utf-8")
    done = ctl("simulate", recording, "--expect", path, *arguments)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.mark.parametrize(("line", "name", "words"), [
    ('toss.tuch = "absent"', "toss.tuch", "no such field was published; did you mean toss.touch?"),
    ('toss.item.q = "absent"', "toss.item.q", "did you mean toss.item."),
    ('toss.model.fram = "absent"', "toss.model.fram", "no such field was published; did you mean"),
    ('tosss.touch = "absent"', "tosss.touch",
     "no such component was published; did you mean toss?"),
    ('session = "alcie"\ntoss.touch = "absent"', "toss.touch of alcie",
     'the recording opens no session "alcie"; did you mean alice?'),
    ('session = "alcie"\ntransitions = []', "transitions of alcie", "did you mean alice?"),
    ('session = "alcie"\nbadge.total = 0', "badge.total of alcie", "did you mean alice?"),
])
def test_a_name_that_never_is_does_not_pass_for_absent(tmp_path, line, name, words):
    status, said, _ = judge(tmp_path, f"[[expect]]\nat = 200\n{line}\n")
    number = 2 + len(line.splitlines())
    assert status == 1 and "1 of 2 expectations not met" in said, said
    assert f"toss.expect.toml:{number}  {name}" in said and words in said, said


def test_an_update_leaves_such_a_name_to_a_person(tmp_path):
    text = '[[expect]]\ntosss.touch = "absent"\n'
    assert judge(tmp_path, text, "--update")[0] == 1
    assert (tmp_path / "toss.expect.toml").read_text() == text


@pytest.mark.parametrize(("lines", "words"), [
    ('toss.item.x = "5..1"', ':2: expect 1, key x: "5..1" has its low end above its high one'),
    ('toss.item.x = "160 ± -3"', ":2: expect 1, key x: "),
    ('toss.item.x = "> 5 and < 4"', ":2: expect 1, key x: "),
    ('toss.model.frame = [1, "5..1"]', ":2: expect 1, key frame: "),
    ('transitions = [{ name = "toss", at = "9..1" }]', ":2: expect 1, transition 1, key at: "),
    ('transitions = ["..."]', ":2: expect 1, key transitions: expects nothing"),
    ("at = 100\nfrom = 200\ntransitions = []", ":3: expect 1, key from: must not be later"),
    ('from = 200\ntoss.phase = "resting"', ":2: expect 1, key from: needs transitions"),
])
def test_a_condition_that_nothing_meets_is_an_error_of_the_file(tmp_path, lines, words):
    status, said, _ = judge(tmp_path, f"[[expect]]\n{lines}\n")
    assert status == 2 and f"toss.expect.toml{words}" in said, said
