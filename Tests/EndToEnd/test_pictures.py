"""A session as a renderer sees it, by frames and by single topics: always the same picture."""

from __future__ import annotations

import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from collections import Counter

import pytest
from checks import AT_REST
from client import DEADLINE, REPOSITORY, Control, Daemon, Update, nonces
from renderer import HEADER, Painted, Picture, difference, of_snapshot
from scenes import scene, still, tips, toss
from storm import ALLOWED, Storm, nested

# A profile stays where it was scrolled to.
RESTING = (*AT_REST, "pulled", "shown", "hidden")
SVG = "{http://www.w3.org/2000/svg}"
KINDS = ("scene", "frame", "state", "transition", "badge")


class Watcher:
    """Follows one session both ways, and compares both pictures at each frame."""

    def __init__(self, daemon: Daemon, session: str, compares: bool = True):
        self.session, self.compares = session, compares
        self.updates = daemon.subscriber(
            f"scene/{session}", f"frame/{session}", f"state/{session}/",
            f"transition/{session}/", f"badge/{session}")
        self.framed, self.single = Picture(), Picture()
        self.passed: list[dict] = []
        self.frames = self.moving = 0
        self.first: Update | None = None

    def take(self, update: Update) -> None:
        kind, _, component = update.topic.replace(f"/{self.session}", "", 1).partition("/")
        match kind:
            case "scene":
                self.framed.take(update.topic, update.body)
                self.single.take(update.topic, update.body)
            case "frame":
                self.framed.take(update.topic, update.body)
                if self.compares:
                    self.compare(update)
            case "transition":
                self.passed.append({"component": component} | shown(update.body))
            case _:
                self.single.take(update.topic, update.body)

    def compare(self, frame: Update) -> None:
        self.frames += 1
        self.first = self.first or frame
        assert list(frame.body)[3] == "states", frame
        if frame.seq > 1 and "badge" in frame.body and is_whole(frame, self.framed):
            # A resent one shows now; the single topics may follow with the next frame.
            assert "transitions" not in frame.body, frame
            return
        assert frame.body.get("transitions") != [], frame
        assert frame.body.get("transitions", []) == self.passed, (frame, self.passed)
        self.passed = []
        different = difference(self.framed, self.single)
        assert not different, f"at frame {frame.seq}: {different}"
        expect_order(self.framed)
        self.moving += any(s["phase"] not in RESTING for s in frame.body["states"])

    def forget(self) -> None:
        """Another life of the session begins."""
        self.catch_up()
        self.framed, self.single, self.passed = Picture(), Picture(), []

    def catch_up(self) -> None:
        """Takes all that was published until now."""
        topic = f"sync/{next(nonces)}"
        self.updates.subscribe(topic)
        for update in self.updates.until(lambda update: update.topic == topic, topic):
            if update.topic.partition("/")[0] in KINDS:
                self.take(update)


def is_whole(frame: Update, picture: Picture) -> bool:
    return len(frame.body["states"]) == len(picture.scene["components"])


def shown(body: dict) -> dict:
    return {key: value for key, value in body.items() if key not in HEADER}


def expect_order(picture: Picture) -> None:
    """A view comes first, then all that it holds, then its component's next view."""
    stack: list[Painted] = []
    painted = picture.painted()
    for one in painted:
        while stack and not holds(stack[-1], one):
            stack.pop()
        assert [(held.component, held.view) for held in stack] == list(one.holders), one
        stack.append(one)
    last: dict[str, int] = {}
    for one in painted:
        assert last.get(one.component, one.z) <= one.z, f"{one} is too far in front"
        last[one.component] = one.z
    assert len({(one.component, one.view) for one in painted}) == len(painted)


def holds(holder: Painted, held: Painted) -> bool:
    return (holder.component, holder.view) in held.holders


def rests(picture: Picture) -> bool:
    return all(
        state["phase"] in RESTING and "running" not in state
        for state in picture.states.values())


def stir(control: Control, events: list[tuple[str, dict]]) -> Counter:
    """Sends events all at once; gives the codes of those refused."""
    numbers = [control.send("publish", topic=topic, body=body) for topic, body in events]
    answers = [control.reply(number) for number in numbers]
    codes = Counter("ok" if one["ok"] else one["error"]["code"] for one in answers)
    assert set(codes) <= ALLOWED | {"ok"}, [one for one in answers if not one["ok"]]
    return codes


@pytest.mark.parametrize("seed", range(3))
def test_both_pictures_are_the_same_in_a_storm(
    daemon: Daemon, control: Control, session: str, seed: int
):
    watcher, storm = Watcher(daemon, session), Storm(session, seed)
    control.open(session, nested(seed=seed))
    codes, rested = Counter(), 0
    for _ in range(5):
        end = time.monotonic() + 0.7
        while time.monotonic() < end:
            codes += stir(control, storm.burst())
            answer = control.ok("snapshot", session=session)
            different = difference(of_snapshot(answer), of_snapshot(answer, single=True))
            assert not different, f"within a snapshot: {different}"
            watcher.catch_up()
        rested += expect_rest(control, watcher)
    assert rested == 5
    assert watcher.frames > 100 and watcher.moving > 50, (watcher.frames, watcher.moving)
    assert codes["ok"] > 100, codes
    first, names = watcher.first, [one["id"] for one in watcher.framed.scene["components"]]
    assert first.seq == 1 and [one["component"] for one in first.body["states"]] == names
    # The subscriber has seen that no seq is skipped.
    assert watcher.updates.last[first.stream].seq == watcher.frames


def expect_rest(control: Control, watcher: Watcher) -> bool:
    """Waits for rest; then both pictures equal the snapshot."""
    end = time.monotonic() + DEADLINE
    while time.monotonic() < end:
        now = of_snapshot(control.ok("snapshot", session=watcher.session))
        watcher.catch_up()
        different = [difference(one, now) for one in (watcher.framed, watcher.single)]
        # The last step of a motion goes out with the next frame.
        if rests(now) and different == ["", ""]:
            assert watcher.framed.svg() == now.svg()
            return True
    raise AssertionError(f"{different} {[s['phase'] for s in now.states.values()]}")


def kinds(updates: list[Update]) -> list[str]:
    """The topics' first parts, each run of equal ones once."""
    names = [update.topic.partition("/")[0] for update in updates]
    return [name for place, name in enumerate(names) if names[place - 1:place] != [name]]


def test_opening_tells_the_session_the_scene_the_states_and_one_frame(
    daemon: Daemon, control: Control, session: str
):
    updates = daemon.subscriber("session/", "scene/", "state/", "frame/")
    control.open(session, still())
    got = updates.until(lambda update: update.topic == f"frame/{session}", "the first frame")
    assert kinds(got) == ["session", "scene", "state", "frame"], got
    frame = got[-1].body
    ids = [component["id"] for component in got[1].body["components"]]
    assert [state["component"] for state in frame["states"]] == ids
    assert [update.topic for update in got[2:-1]] == [f"state/{session}/{name}" for name in ids]
    assert all(update.seq == 1 and update.t == frame["t"] for update in got)


def test_a_resent_frame_is_whole(daemon: Daemon, control: Control, session: str):
    updates = daemon.subscriber(f"frame/{session}")
    control.open(session, still())
    first = updates.find(f"frame/{session}", seq=1)
    control.notify(session, "other", add=3)
    control.gesture(session, "profile", "scroll", "changed", offset=100)
    updates.until(lambda update: any(
        one["name"] == "title" for one in update.body.get("transitions", [])), "the title")
    updates.during(0.1)
    newest = updates.last[first.stream].seq
    again = daemon.subscriber(f"frame/{session}").find(f"frame/{session}")
    assert again.seq == newest + 1
    assert list(again.body) == ["epoch", "seq", "t", "states", "badge"], again
    assert again.body["badge"]["counts"] == {"other": 3}
    names = [state["component"] for state in again.body["states"]]
    assert names == [state["component"] for state in first.body["states"]]
    # Those who listened already see it, too.
    assert updates.find(f"frame/{session}", seq=newest + 1).text == again.text
    snapshot = control.snapshot(session)[f"frame/{session}"]
    assert shown(snapshot) == shown(again.body) and snapshot["seq"] == again.seq


def test_a_snapshot_has_all_that_is_to_draw(daemon: Daemon, control: Control, session: str):
    control.open(session, scene(tips(presented=False), toss()))
    updates = control.ok("snapshot", session=session)["updates"]
    assert [update["topic"] for update in updates] == [
        f"scene/{session}", f"state/{session}/tips", f"state/{session}/toss",
        f"badge/{session}", f"session/{session}", f"frame/{session}"]
    assert len({update["body"]["t"] for update in updates}) == 1


def test_a_frame_that_nobody_wants_takes_no_seq(control: Control, session: str):
    control.open(session, scene(toss()))
    control.gesture(session, "toss", "pan", "began", x=160, y=223)
    control.gesture(session, "toss", "pan", "changed", x=190, y=223)
    control.gesture(session, "toss", "pan", "cancelled", x=190, y=223)
    end = time.monotonic() + DEADLINE
    while (state := control.state(session, "toss"))["phase"] != "resting":
        assert time.monotonic() < end, state
    assert [body["seq"] for body in control.snapshot(session).values()] == [0] * 5


def test_whoever_comes_in_the_middle_ends_with_the_same_picture(
    daemon: Daemon, control: Control, session: str
):
    control.open(session, nested())
    watchers, storm = [], Storm(session, 99)
    for _ in range(5):
        watchers.append(Watcher(daemon, session, compares=False))
        stir(control, storm.burst() + storm.burst())
    for watcher in watchers:
        assert expect_rest(control, watcher)


def test_the_example_draws_each_view_in_its_place(
    daemon: Daemon, control: Control, session: str
):
    control.open(session, "phone")
    control.command(session, "tips", "dismiss")
    script = REPOSITORY / "Examples" / "draw.py"
    assert len(script.read_text().splitlines()) <= 125
    for index in range(5):
        control.command(session, "tabs", "select", index=index)
        expect_rest(control, Watcher(daemon, session, compares=False))
        painted = of_snapshot(control.ok("snapshot", session=session)).painted()
        result = subprocess.run(
            [sys.executable, script, session, daemon.control.split(",")[0]],
            capture_output=True, text=True, timeout=DEADLINE, check=True)
        drawing = ElementTree.fromstring(result.stdout)
        alphas = [float(group.get("opacity")) for group in drawing.iter(f"{SVG}g")
                  if group.get("opacity")]
        assert len(alphas) == len(painted)
        assert len(list(drawing.iter(f"{SVG}clipPath"))) == {0: 1, 1: 1, 3: 1}.get(index, 0)
    refused = subprocess.run(
        [sys.executable, script, "nobody", daemon.control.split(",")[0]], capture_output=True,
        text=True, timeout=DEADLINE)
    assert refused.returncode == 1 and "nobody" in refused.stderr
    away = subprocess.run(
        [sys.executable, script, session, f"ipc://{daemon.folder}/nowhere"], capture_output=True,
        text=True, timeout=DEADLINE)
    assert away.returncode == 1 and "make run" in away.stderr and "Trace" not in away.stderr
