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


def advice(word: str) -> str:
    """The example of the advice at the end that has this word."""
    text = TEXT[TEXT.index("## More than one screen"):]
    example, = (part for part in TOML.findall(text) if word in part)
    return example


def play(folder: pathlib.Path, scene: str, events: list[dict]) -> list[dict]:
    """All updates of a session of this scene."""
    (folder / "my.toml").write_text(scene, encoding="utf-8")
    lines = [{"gesture-recording": 1, "scene": "my"}, *events]
    (folder / "try.jsonl").write_text(
        "".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    result = ctl("simulate", str(folder / "try.jsonl"), "--scenes", str(folder))
    assert result.returncode == 0, result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]


def tap(t: int, x: int = 9, y: int = 9) -> dict:
    return {"t": t, "topic": "gesture/bar", "body": {"gesture": "tap", "x": x, "y": y}}


def end(t: int) -> dict:
    return {"t": t, "topic": "notification/bar", "body": {"kind": "end", "add": 0}}


def test_one_button_switches_to_and_fro_also_after_a_new_start(tmp_path: pathlib.Path):
    flag = """viewport = [400, 300]

[variables]
language = "en"

[[components]]
id = "flag"
kind = "button"
"""
    # Step 9 gives the first language back.
    idle = """
[[reactions]]
when = { idle = 60 }
do = { variable = "language", set = "en" }
"""
    times = (1_000, 2_000, 3_000, 70_000, 71_000, 72_000)
    told = play(tmp_path, flag + advice('"flag"') + idle, [*map(tap, times), end(140_000)])
    spoken = [it["body"]["values"]["language"] for it in told if it["topic"] == "variables/bar"]
    assert spoken == ["en", "de", "en", "de", "en", "de", "en", "de", "en"]


def test_a_button_does_the_same_by_a_long_press(tmp_path: pathlib.Path):
    scene = """viewport = [400, 300]

[[components]]
id = "order"
kind = "button"
"""
    held = {"gesture": "pointer", "pointer": 1, "x": 9, "y": 9}
    told = play(tmp_path, scene + advice('"long-press"'), [
        tap(1_000),
        {"t": 2_000, "topic": "gesture/bar", "body": {**held, "phase": "began"}},
        {"t": 3_000, "topic": "gesture/bar", "body": {**held, "phase": "ended"}}])
    counts = [it["body"]["counts"]["orders"] for it in told
              if it["topic"] == "badge/bar" and it["body"]["counts"]]
    assert counts == [1, 2]


def test_an_app_with_a_start_screen(tmp_path: pathlib.Path):
    told = play(tmp_path, advice('"start"'), [
        tap(1_000, 240, 400), tap(2_000, 90, 40), tap(3_000, 240, 400), end(70_000)])
    assert not [it for it in told if it["topic"] == "rejected/bar"]
    states = [it["body"]["model"] for it in told if it["topic"] == "state/bar/pages"]
    stacks: list[list[str]] = []
    for state in states:
        if state["stack"] != (stacks or [None])[-1]:
            stacks.append(state["stack"])
    start, menu = ["start"], ["start", "menu"]
    assert stacks == [start, menu, start, menu, start]
    # Without titles there is no bar.
    assert {it["title"] for state in states for it in state["screens"]} == {None}
    assert {it["back_title"] for state in states for it in state["screens"]} == {None}


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
    chosen = [it["model"]["selected"] for it in bodies("state/bar/dishes")]
    assert 1 in chosen and chosen[-1] is None, "the sheet closes, and the dish is chosen no more"
    closed = next(it["t"] for it in bodies("transition/bar/sheet") if it["to"] == "closed")
    freed = next(it["t"] for it in bodies("state/bar/dishes")
                 if it["t"] > 1_000 and it["model"]["selected"] is None)
    assert freed == closed, "and not a minute later"
    greeted = [it["t"] for it in bodies("transition/bar/tour")
               if (it["name"], it["event"]) == ("present", "began")]
    assert [round(t / 1000, 1) for t in greeted] == [0, 65.0]


def test_a_notification_counts_and_may_lack_its_data(tmp_path: pathlib.Path):
    def ready(t: int, **fields: object) -> dict:
        return {"t": t, "topic": "notification/bar", "body": {"kind": "ready", **fields}}

    told = play(tmp_path, "\n".join(BLOCKS), [
        ready(1_000, data={"order": 17}), ready(2_000, data={"order": 18}, add=0),
        ready(3_000), ready(4_000), ready(5_000, data={"order": 17})])

    def bodies(topic: str) -> list[dict]:
        return [it["body"] for it in told if it["topic"] == topic]

    assert [it["counts"]["ready"] for it in bodies("badge/bar") if it["counts"]] == [1, 2, 3, 4]
    ids = [row["id"] for row in bodies("rows/bar/ready")[-1]["rows"]]
    assert ids == ["order-", "order-18", "order-17"]
    refused = [it["message"] for it in bodies("rejected/bar")]
    assert [re.search(r"(order-\d*) is taken", it)[1] for it in refused] == ["order-", "order-17"]
