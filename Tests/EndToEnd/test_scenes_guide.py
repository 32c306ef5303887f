"""docs/scenes.md, step by step: after each one the file is a whole scene, and in the end an app."""

from __future__ import annotations

import json
import pathlib
import re
import subprocess

from client import REPOSITORY, binary
from documents import Document, Shell
from tool import ctl

PAGE = Document("docs/scenes.md")
TEXT = PAGE.text
STEPS = TEXT[TEXT.index("## 1. "):TEXT.index("## Put it to work")]
TOML = re.compile(r"```toml\n(.*?)```", re.S)
BLOCKS = TOML.findall(STEPS)
# Succeeds where the session shows the text that follows.
SHOWN = "gesturectl snapshot --json bar | grep -q"
RECORDING = re.search(r"```json\n(.*?)```", STEPS, re.S)[1]


def checked(path: pathlib.Path) -> str:
    done = subprocess.run(
        [str(binary()), "--check-scene", str(path)], capture_output=True, text=True, timeout=60)
    return done.stdout + done.stderr


def test_each_step_makes_a_whole_scene(tmp_path: pathlib.Path):
    assert len(BLOCKS) >= 8
    path = tmp_path / "my.toml"
    for count in range(1, len(BLOCKS) + 1):
        path.write_text("\n".join(BLOCKS[:count]), encoding="utf-8")
        assert checked(path).strip().endswith("good"), checked(path)


def test_each_command_of_the_guide_works():
    """One walk through the page, in its order: each part is added, and each command typed."""
    parts: list[str] = []
    with Shell() as shell:
        for title, section in PAGE.sections.items():
            new = [part for part in TOML.findall(section) if part in BLOCKS]
            parts += new
            (shell.folder / "my.toml").write_text("\n".join(parts), encoding="utf-8")
            if new and title != "The screen":
                shell.run("gesturectl update bar my.toml")
            for step in PAGE.steps(title):
                shell.take(step)
            if title == "Start":
                shell.until("echo > /dev/tcp/127.0.0.1/7480", "the page is served")
            if title == "Orders that are ready":
                shell.until(f"{SHOWN} 'Order 17'", "the order shows")
        shell.until(f"{SHOWN} 'Bestellung 17'", "it speaks German")
        assert (shell.folder / "kiosk.png").stat().st_size > 1_000
    assert parts == BLOCKS


def test_the_checker_names_what_is_wrong(tmp_path: pathlib.Path):
    path = tmp_path / "my.toml"
    text = "\n".join(BLOCKS)
    for right, wrong, said in (
        ("{count} ×", "{cuont} ×", "known ones are count"),
        ('variable = "count", set = 1', 'variable = "cuont", set = 1', 'variable "cuont"'),
        ('to = "open"', 'to = "opne"', "open"),
        ("idle = 60", "idle = 0", "from 0.1 to 86,400"),
        (":.2f}", ":.2x}", "format"),
        ('transition = "tap"', 'transition = "tip"', "unknown transition of button"),
    ):
        assert right in text
        path.write_text(text.replace(right, wrong), encoding="utf-8")
        answer = checked(path)
        assert said in answer and re.search(r"my\.toml:\d+: ", answer), answer


def test_one_button_switches_to_and_fro(tmp_path: pathlib.Path):
    advice = TEXT[TEXT.index("## When it does not"):]
    scene = '''viewport = [400, 300]

[variables]
language = "en"
wanted = "en"

[[components]]
id = "flag"
kind = "button"
'''
    (tmp_path / "my.toml").write_text(
        scene + re.search(r"```toml\n(.*?)```", advice, re.S)[1], encoding="utf-8")
    taps = [{"t": 1000 * n, "topic": "gesture/bar", "body": {"gesture": "tap", "x": 9, "y": 9}}
            for n in range(1, 4)]
    lines = [{"gesture-recording": 1, "scene": "my"}, *taps]
    (tmp_path / "try.jsonl").write_text(
        "".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    result = ctl("simulate", str(tmp_path / "try.jsonl"), "--scenes", str(tmp_path))
    assert result.returncode == 0, result.stderr
    told = [json.loads(line) for line in result.stdout.splitlines()]
    spoken = [it["body"]["values"]["language"] for it in told if it["topic"] == "variables/bar"]
    assert spoken == ["de", "en", "de"]


def test_the_app_does_what_the_guide_says(tmp_path: pathlib.Path):
    (tmp_path / "my.toml").write_text("\n".join(BLOCKS), encoding="utf-8")
    (tmp_path / "try.jsonl").write_text(RECORDING, encoding="utf-8")
    result = ctl("simulate", str(tmp_path / "try.jsonl"), "--scenes", str(tmp_path))
    assert result.returncode == 0, result.stderr
    told = [json.loads(line) for line in result.stdout.splitlines()]

    def bodies(topic: str) -> list[dict]:
        return [it["body"] for it in told if it["topic"] == topic]

    assert not bodies("rejected/bar")
    values = [it["values"] for it in bodies("variables/bar")]
    assert values[1:] == [
        {"count": 1, "price": 5.2, "language": "en"}, {"count": 2, "price": 5.2, "language": "en"},
        {"count": 2, "price": 5.2, "language": "de"}, {"count": 2, "price": 5.2, "language": "en"}]
    amounts = [it["model"]["text"] for it in bodies("state/bar/amount")]
    assert amounts[-1] == "2 × 5.20 €"
    assert bodies("badge/bar")[-1]["counts"] == {"orders": 1, "ready": 1}
    rows = [[row["content"]["text"] for row in it["rows"]] for it in bodies("rows/bar/ready")]
    assert rows == [[], ["Order 17"], ["Bestellung 17"], ["Order 17"]]
    greeted = [it["t"] for it in bodies("transition/bar/tour")
               if (it["name"], it["event"]) == ("present", "began")]
    assert [round(t / 1000, 1) for t in greeted] == [0, 65.0]
