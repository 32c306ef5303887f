"""Screens that a scene describes, and the app `phone`, whose icons and Back open and leave them."""

from __future__ import annotations

import time

import pytest
from client import Control, Daemon, Subscriber
from reliability import wait_for
from scenes import reader, scene
from simulation import SESSION, Script, of

SCREENS = [
    {"name": "home", "title": {"en": "Today", "de": "Heute"}},
    {"name": "mail", "title": "Mail ({unread})", "origin": [60, 100]},
    {"name": "alerts", "title": {"en": "Alerts", "de": "Meldungen"}, "back": "out-to-bottom"},
]
NAV = {"id": "nav", "kind": "navigation", "root": "home", "screens": SCREENS}
ICON = {"id": "icon", "kind": "button", "in": "nav/home", "frame": [20, 60, 80, 80]}
BACK = {"id": "back", "kind": "button", "in": "nav/mail", "frame": [20, 4, 100, 36]}
REACTIONS = [
    {"when": {"component": "icon", "transition": "tap"},
     "do": {"component": "nav", "command": "present", "screen": "mail",
            "transition": "in-via-scale"}},
    {"when": {"component": "back", "transition": "tap"},
     "do": {"component": "nav", "command": "back"}},
]
APP = scene(NAV, ICON, BACK, reactions=REACTIONS, variables={"unread": 3})


def tap(control: Control, session: str, x: float, y: float) -> None:
    t = time.time() * 1000
    for phase, later in (("began", 0), ("ended", 60)):
        control.publish(f"gesture/{session}", {
            "gesture": "pointer", "phase": phase, "pointer": 1, "x": x, "y": y, "t": t + later})


def model(control: Control, session: str, component: str = "nav") -> dict:
    return control.state(session, component)["model"]


def rests_on(control: Control, session: str, screen: str, component: str = "nav") -> None:
    def is_there() -> bool:
        state = control.state(session, component)
        return state["phase"] == "resting" and state["model"]["stack"][-1] == screen
    wait_for(is_there, f"{screen} shows")


def test_titles_are_texts(control: Control, session: str):
    control.open(session, APP)
    assert model(control, session) == {
        "stack": ["home"], "title": "Today", "back_title": None,
        "screens": [{"name": "home", "title": "Today", "back_title": None}]}
    tap(control, session, 60, 100)
    rests_on(control, session, "mail")
    assert model(control, session) == {
        "stack": ["home", "mail"], "title": "Mail (3)", "back_title": "Today",
        "screens": [{"name": "mail", "title": "Mail (3)", "back_title": "Today"}]}
    values = {"language": "de", "unread": 4}
    control.publish(f"command/{session}", {"command": "assign", "values": values})
    shown = model(control, session)
    assert (shown["title"], shown["back_title"]) == ("Mail (4)", "Heute")
    described = control.ok("snapshot", session=session)["updates"]
    body = next(it["body"] for it in described if it["topic"] == f"scene/{session}")
    titles = [it["title"] for it in body["components"][0]["parameters"]["screens"]]
    assert titles == ["Heute", "Mail (4)", "Meldungen"]
    tap(control, session, 60, 20)
    rests_on(control, session, "home")


@pytest.mark.parametrize("rate", [30, 60, 120])
def test_a_touched_icon_grows_into_its_screen_and_back(rate: int):
    script = Script({**APP, "frame_rate": rate})
    for x, y in ((60, 100), (60, 20)):
        script.wait(100)
        for phase in ("began", "ended"):
            script.line(f"gesture/{SESSION}", {
                "gesture": "pointer", "phase": phase, "pointer": 1, "x": x, "y": y})
            script.wait(60)
        script.wait(500)
    updates = script.run()
    names = [(it.body["name"], it.body["event"]) for it in of(updates, "nav", "transition")]
    assert names == [("in-via-scale", "began"), ("in-via-scale", "ended"),
                     ("out-via-scale", "began"), ("out-via-scale", "ended")]
    left = next(it.t for it in of(updates, "nav", "transition")
                if it.body["name"] == "out-via-scale")
    for state in of(updates, "nav"):
        view = state.body["views"].get("mail")
        if view is None or state.body["phase"] == "resting":
            continue
        small = 0.1 if state.t < left else 0.01
        share = (1 - view["scale"]) / (1 - small)
        assert view["x"] == pytest.approx(160 - 100 * share, abs=0.002), view
        assert view["y"] == pytest.approx(284 - 184 * share, abs=0.002), view


def test_unknown_screens_are_refused(control: Control, session: str):
    control.open(session, APP)
    body = {"command": "present", "screen": "mial", "transition": "in-via-scale"}
    answer = control.refused("publish", topic=f"command/{session}/nav", body=body)
    assert answer["code"] == "bad-value"
    assert 'unknown screen "mial", known ones are mail, ' in answer["message"]
    answer = control.refused(
        "open", session=session + "-b", scene=scene(NAV, {**ICON, "in": "nav/hom"}))
    assert 'has no slot "hom", known ones are home, ' in answer["message"]


def test_another_scene_may_have_other_screens(control: Control, session: str):
    control.open(session, APP)
    tap(control, session, 60, 100)
    rests_on(control, session, "mail")
    control.publish(f"command/{session}", {
        "command": "update", "scene": scene({**NAV, "screens": SCREENS[:1]})})
    assert model(control, session)["stack"] == ["home"]


def test_titles_of_pages_are_texts(control: Control, session: str):
    pages = ["One of {count}", {"en": "Two", "de": "Zwei"}, "Three"]
    control.open(session, scene(reader(pages=pages), variables={"count": 3}))
    shown = model(control, session, "reader")
    assert [shown[key] for key in ("title", "next_title")] == ["One of 3", "Two"]
    control.publish(f"command/{session}", {
        "command": "assign", "values": {"language": "de", "count": 4}})
    shown = model(control, session, "reader")
    assert [shown[key] for key in ("title", "next_title")] == ["One of 4", "Zwei"]
    updates = control.ok("snapshot", session=session)["updates"]
    body = next(it["body"] for it in updates if it["topic"] == f"scene/{session}")
    assert body["components"][0]["parameters"]["pages"] == ["One of 4", "Zwei", "Three"]
    answer = control.refused(
        "open", session=session + "-b", scene=scene(reader(pages=["{none}", "b"])))
    assert 'entry 1: the text names "none", which is no variable' in answer["message"]


# The middles of the app's icons, and of the button that leads back.
ICONS = {"mail": (85, 285), "market": (235, 285), "photos": (85, 427), "compose": (235, 427)}
LEAD_BACK = (58, 22)


@pytest.fixture
def app(daemon: Daemon, control: Control, session: str) -> Subscriber:
    control.open(session, "phone")
    control.publish(f"command/{session}/tips", {"command": "dismiss"})
    wait_for(lambda: control.state(session, "tips")["phase"] == "dismissed", "the tips are gone")
    return daemon.subscriber(f"transition/{session}/")


@pytest.mark.parametrize("screen", ICONS)
def test_an_icon_of_the_app_opens_its_screen_and_back_leads_home(
    control: Control, session: str, app: Subscriber, screen: str
):
    tap(control, session, *ICONS[screen])
    rests_on(control, session, screen, "navigation")
    assert model(control, session, "navigation")["back_title"] == "Today"
    tap(control, session, *LEAD_BACK)
    rests_on(control, session, "dashboard", "navigation")


def test_a_like_slides_its_screen_up_and_back_slides_it_down(
    control: Control, session: str, app: Subscriber
):
    control.notify(session, "likes")
    rests_on(control, session, "notifications", "navigation")
    tap(control, session, *LEAD_BACK)
    app.find(f"transition/{session}/navigation", name="out-to-bottom", event="ended")
    rests_on(control, session, "dashboard", "navigation")


def test_a_tap_follows_the_person_and_another_one_does_not_any_more(
    control: Control, session: str, app: Subscriber
):
    def label() -> str:
        updates = control.ok("snapshot", session=session)["updates"]
        body = next(it["body"] for it in updates if it["topic"] == f"scene/{session}")
        return next(it["content"]["text"] for it in body["components"] if it["id"] == "follow")

    tap(control, session, 288, 546)
    wait_for(lambda: model(control, session, "tabs")["selected"] == 4, "the profile shows")
    for text in ("Following", "Follow"):
        tap(control, session, 252, 133)
        wait_for(lambda: label() == text, f"the button says {text}")
