"""gestured.js in a real browser: what it draws of real sessions, and how it joins and heals."""

from __future__ import annotations

import gzip
import importlib.util
import random
import re
import subprocess

import pytest
from browser import FILES, Way
from client import REPOSITORY, Daemon
from forest import Planter
from renderer import Picture
from scenes import still
from storm import Storm, nested
from webpage import Page, browser, daemon, expect_same, page, web

__all__ = ["browser", "daemon", "page", "web"]

# Bytes of the library as servers compress it: a page waits for it.
COMPRESSED_BYTES_MAX = 30_000
# Characters of a line, and lines of a part: a reader sees a part at once.
CHARACTERS_MAX, LINES_MAX = 100, 250


def test_the_library_is_what_its_parts_make():
    checked = subprocess.run(
        [REPOSITORY / ".ci" / "webclient", "--check"], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr


def test_the_library_is_small_and_its_parts_are_readable():
    compressed = gzip.compress((FILES / "gestured.js").read_bytes())
    assert len(compressed) < COMPRESSED_BYTES_MAX, f"{len(compressed)} bytes"
    parts = list((FILES / "client").glob("*.js"))
    assert parts
    for part in parts:
        lines = part.read_text().splitlines()
        assert len(lines) <= LINES_MAX, f"{part.name} has {len(lines)} lines"
        assert max(map(len, lines)) <= CHARACTERS_MAX, part.name


def test_the_parts_are_modules_that_export_the_same(page: Page):
    assert page.browser.run(
        "const parts = await import('/client/index.js');"
        "return Object.keys(parts).toString() === Object.keys(web).toString()")


@pytest.mark.parametrize("seed", range(3))
def test_a_storm_of_touches_is_drawn_as_the_document_says(
    page: Page, daemon: Daemon, session: str, seed: int
):
    control = daemon.requests()
    control.open(session, nested())
    page.watch(session)
    storm, compared = Storm(session, seed), 0
    for _ in range(12):
        for _ in range(4):
            for topic, body in storm.burst():
                control.ask("publish", topic=topic, body=body)
        for now in (False, True):
            here = page.shown(session, now)
            compared += expect_same(here.layers, here.picture)
    assert compared > 100
    here = page.agrees(control, session)
    expect_same(here.layers, here.picture)
    assert not page.heard(session, "gap")


def test_random_trees_are_drawn_as_the_document_says(page: Page, daemon: Daemon):
    control, rng, compared = daemon.requests(), random.Random(7), 0
    for number in range(30):
        name, tree = f"tree{number}", Planter(rng).plant(rng.randint(2, 14))
        control.open(name, tree.scene)
        for topic, body in tree.events:
            control.publish(topic % name, body)
        page.watch(name)
        here = page.shown(name)
        compared += expect_same(here.layers, here.picture)
        there = Picture()
        there.take("scene/", control.snapshot(name)[f"scene/{name}"])
        assert here.picture.scene == there.scene
        page.browser.run("window[args[0]].close()", name)
    assert compared > 300


def plain(content: dict) -> dict:
    return {key: value for key, value in content.items()
            if value is not None and not isinstance(value, dict)}


@pytest.mark.parametrize("name", ["phone", "kiosk", "dock", "house"])
def test_content_is_resolved_as_by_the_example_in_python(
    page: Page, daemon: Daemon, session: str, name: str
):
    spec = importlib.util.spec_from_file_location("draw", REPOSITORY / "Examples" / "draw.py")
    draw = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(draw)
    control = daemon.requests()
    control.open(session, name)
    if name == "phone":
        control.notify(session, "mentions")
        control.command(session, "tabs", "select", index=3)
    page.watch(session)
    here, compared = page.agrees(control, session), 0
    components = {one["id"]: one for one in here.picture.scene["components"]}
    updates = control.ok("snapshot", session=session)["updates"]
    rows = {it["topic"].split("/")[2]: it["body"] for it in updates
            if it["topic"].startswith("rows/")}
    waiting = list(here.layers)
    while waiting:
        layer = waiting.pop()
        waiting += layer["children"]
        one = components[layer["component"]]
        if layer["view"] is None:
            assert layer["content"] == one["content"]
            continue
        told = rows.get(one["id"], {})
        expected = plain(draw.look(one, here.picture.states[one["id"]], layer["view"], told))
        if layer["round"]:
            del expected["corner_radius"]
        # Those texts the example makes up.
        kind = layer["view"].partition("-")[0]
        if kind in ("menu", "bubble") or (kind == "row" and not told):
            expected.pop("text", None)
        assert plain(layer["content"]) == expected, layer["key"]
        # A navigation has the titles of its screens in its state.
        titles = {screen["name"]: screen["title"] for screen in (
            here.picture.states[one["id"]]["model"].get("screens", [])
            if one["kind"] == "navigation" else [])}
        text = titles.get(layer["view"]) or layer["content"].get("text")
        assert layer.get("text") == text, layer["key"]
        compared += 1
    assert compared > 4


def test_a_page_that_comes_midway_shows_the_whole(page: Page, daemon: Daemon, session: str):
    control = daemon.requests()
    control.open(session, nested())
    storm = Storm(session, 5)
    for number in range(16):
        if number == 8:
            page.browser.run("watch(args[0])", session)
        for topic, body in storm.burst():
            control.ask("publish", topic=topic, body=body)
    page.browser.until("window[args[0]].joined", session)
    here = page.shown(session)
    assert here.picture.states.keys() == {one["id"] for one in here.picture.scene["components"]}
    page.agrees(control, session)


def test_a_session_that_opens_later_shows_by_itself(page: Page, daemon: Daemon, session: str):
    page.watch(session)
    assert page.shown(session).picture.scene is None and page.shown(session).layers == []
    control = daemon.requests()
    control.open(session, still())
    page.agrees(control, session)
    control.ok("close", session=session)
    page.browser.until("!window[args[0]].scene", session)
    assert [one["event"] for one in page.heard(session, "session")][-1] == "closed"
    assert page.shown(session).layers == []
    control.open(session, still())
    page.agrees(control, session)


def test_changes_of_the_scene_arrive_with_their_states(page: Page, daemon: Daemon, session: str):
    control = daemon.requests()
    control.open(session, nested())
    page.watch(session)
    for viewport in ([390, 844], [200, 300]):
        control.publish(f"command/{session}", {"command": "resize", "viewport": viewport})
        page.browser.until("window[args[0]].scene.viewport[0] === args[1]", session, viewport[0])
    control.publish(f"command/{session}", {"command": "update", "scene": still()})
    here = page.agrees(control, session)
    assert here.picture.states.keys() == {one["id"] for one in still()["components"]}
    expect_same(here.layers, here.picture)


def test_what_passes_is_told_once(page: Page, daemon: Daemon, session: str):
    control = daemon.requests()
    control.open(session, still())
    page.watch(session)
    control.command(session, "tabs", "select", index=1)
    control.notify(session, "likes", add=2)
    page.browser.until("window[args[0]].badge?.total === 2", session)
    page.browser.until("window[args[0]].states.get('tabs').phase === 'resting'", session)
    control.refused("publish", topic=f"gesture/{session}/tabs", body={"gesture": "pinch"})
    control.daemon.publisher().send(f"gesture/{session}/tabs", {"gesture": "nothing"})
    page.browser.until("window[args[0]].heard.some(([type]) => type === 'rejected')", session)
    passed = [(one["name"], one["event"]) for one in page.heard(session, "transition")
              if one["name"] == "select"]
    assert passed == [("select", "began"), ("select", "ended")]
    assert [one["total"] for one in page.heard(session, "badge")][-1] == 2
    assert [one["code"] for one in page.heard(session, "rejected")] == ["unknown-gesture"]


def test_interactions_are_requested_and_refused(page: Page, daemon: Daemon, session: str):
    run = page.browser.run
    assert run("return (await client.request('open', "
               "{ session: args[0], scene: 'phone' })).created", session)
    assert run("return (await client.request('sessions')).sessions.includes(args[0])", session)
    code = run("return client.request('snapshot', { session: 'nobody' })"
               ".catch((error) => [error instanceof web.GesturedError, error.code])")
    assert code == [True, "unknown-session"]
    hit = run("return (await client.acknowledged(`gesture/${args[0]}`,"
              "{ gesture: 'pointer', phase: 'began', pointer: 1, x: 160, y: 300 })).hit", session)
    assert hit["component"] == "tips"
    assert run("return client.acknowledged(`command/${args[0]}/tabs`, { command: 'dance' })"
               ".catch((error) => error.code)", session) == "unknown-command"
    assert run("return client.publish(`notification/${args[0]}`, { kind: 'likes' })", session)
    assert run("client.close(); return [client.publish('a', {}), client.state]") == [
        False, "closed"]
    assert run("return client.request('stats').catch((error) => error.code)") == "closed"


def test_a_request_that_is_pending_when_the_client_closes_is_closed(page: Page, web: Way):
    page.browser.until("client.state === 'open'")
    web.passes = lambda message: "reply" not in message
    code = page.browser.run(
        "const asked = client.request('time'); client.close();"
        "return asked.catch((error) => error.code)")
    assert code == "closed"


def test_every_name_of_the_types_is_there_and_no_other(page: Page):
    types = (FILES / "gestured.d.ts").read_text()
    names = set(re.findall(r"^export (?:function|class) (\w+)", types, re.M))
    assert set(page.browser.run("return Object.keys(web)")) == names
    for name in ("Client", "Session"):
        body = types[types.index(f"export class {name} "):].partition("\n}")[0]
        members = set(re.findall(r"^  (?:readonly )?(\w+)(?:: |\()", body, re.M))
        found = page.browser.run(
            "const made = args[0] === 'Client' ? client : client.watch('types');"
            "const names = [...Object.keys(made), ...Object.getOwnPropertyNames("
            "Object.getPrototypeOf(made))]; if (made.close !== client.close) made.close();"
            "return names;", name)
        assert set(found) == (members | {"constructor"}) - {"addEventListener"}, name
