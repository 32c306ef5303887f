"""Every example in the documents is as the schemas say, and so is every scene."""

from __future__ import annotations

import json
import pathlib
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator

import pytest
from client import REPOSITORY
from full import SCENE_FILES
from schemas import FILES, expect, of_event, of_update, takes

PAGES = [
    REPOSITORY / name for name in ("README.md", "CONTRIBUTING.md", "Clients/web/README.md")
] + sorted((REPOSITORY / "docs").glob("**/*.md"))
# `gesture/alice  {"…":…}`, and the same in a shell's quotes.
LINE = re.compile(r"""([a-z]+/[\w./-]+|heartbeat)[\s`|'"]+(\{".*?\})(?=['`:|]|\s*$|  )""", re.M)
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.M | re.S)
INLINE = re.compile(r"`(\{[^`\n]*\})`")
EVENTS = ("gesture", "notification", "command")
UPDATES = [name[7:-5] for name in FILES if name.startswith("update-")]
# Names that stand for values in the tables of gestures.
STANDINS = {
    "P": '"began"', "D": '"left"', "n": "1", "S": '"phone"', "NAME": '"close"',
    "M": "true", **dict.fromkeys(("X", "Y", "VX", "VY", "DX", "DY", "O", "A", "V"), "1")}


def filled(text: str) -> object:
    """An example as JSON, with values for what it leaves open; None where it is none."""
    text = re.sub(r'(?<=:)"…"', '"e.1"', text)
    text = re.sub(r"(?<=:)\{…\}", "{}", text).replace("[…]", "[]").replace(",…", "")
    scale = '1' if '"pinch"' in text else '"phone"'
    for name, value in (STANDINS | {"S": scale}).items():
        text = re.sub(rf"(?<=:){name}(?=[,}}])", value, text)
    try:
        return json.loads(text)
    except ValueError:
        return None


def lines() -> Iterator[tuple[str, str, str]]:
    for page in PAGES:
        for match in LINE.finditer(page.read_text(encoding="utf-8")):
            if match[1].split("/")[0] in (*EVENTS, *UPDATES):
                yield page.name, match[1], match[2]


def test_events_and_updates_beside_their_topics() -> None:
    count = 0
    for page, topic, text in lines():
        body = filled(text)
        # The kind `switch` is an example of one that there is not.
        if body is None or topic == "command/alice/s":
            continue
        word = topic.split("/")[0]
        expect(of_event(topic) if word in EVENTS else of_update(topic), body, page)
        count += 1
    assert count >= 10, count


def bodies() -> Iterator[tuple[str, dict]]:
    """Objects in code, in the text or in blocks."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        pieces = INLINE.findall(text)
        for language, block in BLOCK.findall(text):
            if language == "json":
                whole = re.sub(r"\n +", "", block.strip())
                pieces += whole.splitlines()
        for piece in pieces:
            if isinstance(body := filled(piece), dict):
                yield page.name, body


def place(body: dict) -> str | None:
    """The schema of a body, by what it has."""
    if "op" in body:
        return f"request-{body['op']}.json"
    if "ok" in body:
        return "reply-close.json"
    if "gesture" in body:
        return "event-gesture.json"
    if "command" in body and "component" not in body:
        return "event-command.json"
    if "epoch" in body:
        words = {
            "components": "scene", "states": "frame", "phase": "state", "touches": "touches"}
        return next((f"update-{word}.json" for key, word in words.items() if key in body), None)
    if "kind" in body and body.keys() <= {"kind", "add", "set", "id", "t"}:
        return "event-notification.json"
    return "scene.json" if {"viewport", "components"} <= body.keys() else None


def test_bodies_in_the_text() -> None:
    seen = []
    for page, body in bodies():
        schema = place(body)
        if schema is None or body.get("kind") == "switch":
            continue
        # The protocol's examples of a frame and a scene leave out insides.
        if schema in ("update-frame.json", "update-scene.json"):
            assert set(FILES[schema]["required"]) <= body.keys(), f"{page}: {body}"
            assert body.keys() <= FILES[schema]["properties"].keys(), f"{page}: {body}"
        elif "switch" not in json.dumps(body):
            expect(schema, body, page)
        seen.append(schema)
    assert {"event-gesture.json", "event-command.json", "event-notification.json",
            "reply-close.json", "update-frame.json", "update-state.json",
            "update-scene.json"} <= set(seen), set(seen)
    assert len(seen) >= 25, len(seen)


def test_scenes_in_the_text() -> None:
    """Whole scenes, and parts of them in a scene that has the rest."""
    whole, parts = 0, 0
    for page in PAGES:
        for language, block in BLOCK.findall(page.read_text(encoding="utf-8")):
            if language != "toml":
                continue
            scene = tomllib.loads(block)
            if not scene.keys() & {"viewport", "components", "reactions"}:
                continue
            if {"viewport", "components"} <= scene.keys():
                expect("scene.json", scene, page.name)
                whole += 1
                continue
            parts += 1
            for reaction in scene.get("reactions", []):
                expect("scene.json#/$defs/reaction", reaction, page.name)
            component = {"id": "a", "kind": "list", "rows": 1}
            found = scene.get("components", [])
            for part in found if isinstance(found, list) else [found]:
                own = part if "kind" in part else {**component, **part}
                expect("scene.json#/$defs/component", own, page.name)
    assert whole >= 10 and parts >= 4, (whole, parts)


@pytest.mark.parametrize("path", SCENE_FILES, ids=lambda path: path.stem)
def test_scene_files_name_their_schema(path: pathlib.Path) -> None:
    text = path.read_text(encoding="utf-8")
    expect("scene.json", tomllib.loads(text), path.name)
    name = re.match(r"#:schema (\S+)\n", text)
    assert name and (path.parent / name[1]).resolve() == (
        REPOSITORY / "docs" / "schemas" / "scene.json")


# An editor's words: Even Better TOML runs Taplo.


def taplo(path: pathlib.Path) -> subprocess.CompletedProcess:
    return subprocess.run(
        [str(pathlib.Path(sys.executable).with_name("taplo")), "check", "--no-auto-config",
         str(path)], capture_output=True, text=True, timeout=60)


def test_an_editor_finds_nothing_in_our_scenes_and_what_is_wrong(tmp_path: pathlib.Path) -> None:
    for path in SCENE_FILES:
        done = taplo(path)
        assert done.returncode == 0, done.stderr
    (tmp_path / "scene.json").write_text(json.dumps(FILES["scene.json"]), encoding="utf-8")
    text = (REPOSITORY / "config/scenes/kiosk.toml").read_text(encoding="utf-8")
    own = re.sub(r"^#:schema \S+", "#:schema ./scene.json", text)
    for right, wrong, said in [
        ("row_height = 80", "row_heigth = 80", "'row_heigth' was unexpected"),
        ('kind = "tips"', 'kind = "tipps"', '"tipps" is not one of ["tips","toss"'),
        ("rows = []", "rows = -12", "-12"),
    ]:
        assert right in own
        path = tmp_path / "wrong.toml"
        path.write_text(own.replace(right, wrong), encoding="utf-8")
        assert not takes("scene.json", tomllib.loads(path.read_text(encoding="utf-8")))
        done = taplo(path)
        assert done.returncode == 1 and said in done.stderr + done.stdout, done.stderr
