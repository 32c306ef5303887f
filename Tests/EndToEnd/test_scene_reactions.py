"""Reactions that have a session become another scene of the daemon's, and no client takes part."""

from __future__ import annotations

import pathlib
import signal
import subprocess

import pytest
from client import Control, Daemon, binary
from reliability import wait_for

CONFIG = 'scenes = "{}"\nauto_open = ""\n'
START = """
viewport = [320, 568]
[variables]
count = 0
[[components]]
id = "sky"
kind = "label"
[[components]]
id = "go"
kind = "button"
frame = [0, 468, 320, 100]
[[reactions]]
when = { component = "go", transition = "tap" }
do = [{ variable = "count", add = 1 }, { session = "update", scene = "menu" }]
"""
MENU = """
viewport = [320, 568]
frame_rate = 120
[variables]
count = 0
[[components]]
id = "total"
kind = "label"
text = "{count} so far"
[[reactions]]
when = { idle = 0.5 }
do = { session = "update", scene = "start" }
"""


@pytest.fixture
def folder(tmp_path: pathlib.Path) -> pathlib.Path:
    (tmp_path / "start.toml").write_text(START)
    (tmp_path / "menu.toml").write_text(MENU)
    return tmp_path


def finger(phase: str) -> dict:
    return {"gesture": "pointer", "phase": phase, "pointer": 1, "x": 100, "y": 500}


def tap(control: Control) -> dict:
    control.publish("gesture/bar", finger("began"))
    return control.publish("gesture/bar", finger("ended"))


def shown(control: Control) -> tuple[str, int, int]:
    """The scene's name, its frame rate, and the variable."""
    told = control.ok("scene", session="bar")["scene"]
    updates = control.ok("snapshot", session="bar")["updates"]
    values = next(it["body"]["values"] for it in updates if it["topic"] == "variables/bar")
    return told["scene"], told["frame_rate"], values["count"]


def test_a_touch_leads_to_another_scene_and_rest_leads_back(folder: pathlib.Path):
    with Daemon(CONFIG.format(folder)) as daemon:
        control = daemon.requests()
        control.ok("open", session="bar", scene="start")
        updates = daemon.subscriber("frame/bar", "scene/bar")
        # The answer names the button, which the new scene has no more.
        assert tap(control)["hit"] == {"component": "go", "view": "button"}
        assert shown(control) == ("menu", 120, 1)
        updates.find("scene/bar", scene="menu", revision=2)
        updates.find("scene/bar", scene="start", revision=3)
        assert shown(control) == ("start", 60, 1)
        assert tap(control)["hit"]["component"] == "go"
        assert shown(control)[2] == 2


def test_the_new_scene_outlives_the_process(folder: pathlib.Path):
    (folder / "menu.toml").write_text(MENU.replace("0.5", "60"))
    with Daemon(CONFIG.format(folder)) as daemon:
        control = daemon.requests()
        control.ok("open", session="bar", scene="start")
        tap(control)
        control = daemon.restart()
        assert shown(control) == ("menu", 120, 1)


def test_a_reload_brings_other_scenes(folder: pathlib.Path):
    with Daemon(CONFIG.format(folder)) as daemon:
        control = daemon.requests()
        control.ok("open", session="bar", scene="start")
        (folder / "menu.toml").write_text(MENU.replace("so far", "orders"))
        daemon.process.send_signal(signal.SIGHUP)
        wait_for(lambda: "the configuration is read again" in daemon.log(), "it is read again")
        updates = daemon.subscriber("state/bar/total")
        tap(control)
        assert updates.find("state/bar/total").body["model"]["text"] == "1 orders"


def test_a_scene_that_is_not_there_is_told(folder: pathlib.Path):
    (folder / "start.toml").write_text(START.replace('"menu"', '"menue"'))
    config = folder / "config"
    config.write_text(CONFIG.format(folder))
    checked = subprocess.run(
        [binary(), "--check", "--config", folder / "config"],
        capture_output=True, text=True, timeout=20)
    assert checked.returncode != 0
    line = next(it for it in checked.stderr.splitlines() if "menue" in it)
    assert 'start.toml:14: reaction 1, do 2, key scene: there is no scene "menue"' in line
    assert line.endswith("known ones are menu, start")


def test_a_scene_of_a_client_may_name_the_daemons(daemon: Daemon, control: Control, session: str):
    go = {"id": "go", "kind": "button", "frame": [0, 468, 320, 100]}
    control.open(session, {
        "viewport": [320, 568], "components": [go], "reactions": [
            {"when": {"component": "go", "transition": "tap"},
             "do": {"session": "update", "scene": "nowhere"}},
            {"when": {"notification": "open"}, "do": {"session": "update", "scene": "dock"}}]})
    updates = daemon.subscriber(f"rejected/{session}", f"scene/{session}")
    control.command(session, "go", "tap")
    told = updates.find(f"rejected/{session}").body
    assert (told["code"], told["reaction"]) == ("unknown-scene", 0)
    assert told["topic"] == f"command/{session}" and "dock" in told["message"]
    control.notify(session, "open")
    updates.find(f"scene/{session}", scene="dock")
