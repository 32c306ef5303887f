"""Real hands on every kind: some live, all on virtual time.

The hands did not touch these components, so the tests check rules that hold for any input:
only permitted refusals, no missing update, and rest at the end.
"""

from __future__ import annotations

import json
import pathlib
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from checks import AT_REST, expect_sane, states
from client import Control, Daemon, Publisher, Subscriber, Update
from recordings import EVEMU, STROKES, TOUCHES, WHEELS, Sample, excerpt, hurried, missing, name
from recordings import open_contacts, stroke, swiped, touches, wheel
from scenes import VIEWPORT, profile, reader, rows, scene, tabs, tips, toss
from simulation import SESSION, Script, of
from tool import OWN, ctl

# The tab bar fills the viewport, so every contact hits it. Tips and pages last for long.
COMPONENTS = {
    "tips": tips(tips=[{}] * 9), "toss": toss(), "list": rows(), "profile": profile(),
    "reader": reader(start=4), "tabs": tabs(height=VIEWPORT[1])}
SCROLLED = ["profile", "reader", "list"]
# Permitted refusals by kind: a finger hits a leaving view, or no row.
ALLOWED = {"tips": {"busy"}, "reader": {"busy"}, "list": {"busy", "bad-value"}}
LIVE = [file for file in TOUCHES if name(file) in (
    "galaxy-paint-new", "phone-two-finger-drag", "Atmel-maXTouch-Touchscreen.1-finger-fast-taps",
    "EP0430M09.4-finger-drag-down", "Wacom-ISDv4-E6-Finger.single-top-swipe",
    "Wacom-ISDv4-E6-Finger.double-center-circle")]
SLOP = 10  # Points that a finger moves before it scrolls.
PAUSE = 0.3  # Seconds between two contacts at most.


# Properties of every recording.


def expect_tips(model: dict) -> None:
    assert 0 <= model["index"] < model["count"] == 9, model


def expect_list(model: dict) -> None:
    for row in (model["row"], model["selected"]):
        assert row is None or 0 <= row < 20, model
    assert (model["row"] is None) == (model["direction"] is None), model


def expect_reader(model: dict) -> None:
    assert 0 <= model["index"] < model["count"] == 10, model
    assert model["page"] == model["index"], model
    assert model["incoming"] in (None, model["index"] - 1, model["index"] + 1), model
    ends = {"header": model["index"] == 0, "footer": model["index"] == 9}
    for end, is_hidden in ends.items():
        assert (model[end] == "hidden") == is_hidden, model


def expect_tabs(model: dict) -> None:
    chosen = [place for place, item in enumerate(model["items"]) if item["selected"]]
    assert chosen == [model["selected"]], f"not exactly one tab is selected: {model}"


INVARIANTS: dict[str, Callable[[dict], None]] = {
    "tips": expect_tips, "list": expect_list, "reader": expect_reader, "tabs": expect_tabs}


def expect_rest(update: Update, component: str) -> None:
    model = update.body["model"]
    assert update.body["phase"] in AT_REST and "recognizer" not in model, f"no rest: {update}"
    if component == "profile":
        assert 0 <= model["offset"] <= 1200 - VIEWPORT[1], f"rests beyond an edge: {update}"
    if component == "reader":
        assert model["offset"] == 0, f"rests between two pages: {update}"
    if component == "tabs":
        assert not any(item["highlighted"] for item in model["items"]), update


def expect_sound(
    got: list[Update], component: str, began: int, ended: float, silence: float = 0
) -> None:
    """`began`: the number of contacts or gestures; `ended`: the time of the last sample."""
    shown = [u for u in states(got) if u.topic.endswith(f"/{component}")]
    for update in shown:
        expect_sane(update)
        INVARIANTS.get(component, lambda _: None)(update.body["model"])
    refused = [
        u for u in got if u.topic.startswith("rejected/")
        and u.body["topic"].endswith(f"/{component}")]
    assert {u.body["code"] for u in refused} <= ALLOWED.get(component, set()), refused
    assert len(refused) <= began, f"a contact is refused more than once: {refused}"
    assert all(a.t <= b.t for a, b in zip(shown, shown[1:])), "time runs backwards"
    expect_rest(shown[-1], component)
    late = shown[-1].t - ended - silence * 1000
    assert late <= 10_000, f"{component} moves for {late} ms after the last sample"


# Live: all recordings together, each on each kind in its own session.


@dataclass
class Play:
    component: str
    samples: list[tuple[float, dict]]
    began: int
    is_open: bool = False
    session: str = ""
    ended: float = 0
    got: list[Update] = field(default_factory=list)


def touching(file: pathlib.Path, component: str) -> Play:
    samples = excerpt(hurried(touches(file), PAUSE), 2.0)
    bodies = [(s.seconds, {
        "gesture": "pointer", "phase": s.phase, "pointer": s.pointer, "x": s.x, "y": s.y})
        for s in samples]
    return Play(component, bodies, count_began(samples), bool(open_contacts(samples)))


def count_began(samples: list[Sample]) -> int:
    return sum(sample.phase == "began" for sample in samples)


def turning(file: pathlib.Path, component: str) -> list[tuple[float, dict]]:
    """Each turn of the wheel; the content has been scrolled before, so that it can move up."""
    first = [] if component == "reader" else [
        (0, {"gesture": "scroll", "phase": phase, "offset": 300}) for phase in ("began", "ended")]
    return first + [
        (seconds, {"gesture": "wheel", "dx": across, "dy": down, "x": 160, "y": 284})
        for seconds, across, down in wheel(file)]


PLAYS = {
    **{(name(file), kind): (touching, file) for file in LIVE for kind in COMPONENTS},
    **{(name(file), kind): (lambda f, k: Play(k, turning(f, k), len(wheel(f))), file)
       for file in WHEELS for kind in SCROLLED}}


@pytest.fixture(scope="module")
def played(daemon: Daemon, control: Control, publisher: Publisher) -> dict[tuple, Play]:
    plays = {key: make(file, key[1]) for key, (make, file) in PLAYS.items()}
    updates = daemon.subscriber(*[
        topic.format(number) for number in range(len(plays))
        for topic in ("state/real-{}/", "rejected/real-{}")])
    for number, (key, play) in enumerate(plays.items()):
        play.session = f"real-{number}"
        control.open(play.session, scene(COMPONENTS[key[1]]))
    by_session = {play.session: play for play in plays.values()}
    gather(updates, by_session, 0.5, 20)
    lines = sorted(
        ((seconds, play, body) for play in plays.values() for seconds, body in play.samples),
        key=lambda line: line[0])
    began, now = time.monotonic(), time.time() * 1000
    for seconds, play, body in lines:
        wait = seconds - (time.monotonic() - began)
        if wait > 0.002:
            sort_in(updates.during(wait), by_session)
        publisher.send(
            f"gesture/{play.session}/{play.component}", body | {"t": now + seconds * 1000})
        play.ended = time.time() * 1000
    # Silence of 3 s cancels contacts without an end; only then can everything rest.
    sort_in(updates.during(3.1), by_session)
    gather(updates, by_session, 0.5, 12)
    return plays


def sort_in(got: list[Update], by_session: dict[str, Play]) -> None:
    for update in got:
        by_session[update.topic.split("/")[1]].got.append(update)


def gather(
    updates: Subscriber, by_session: dict[str, Play], quiet: float, deadline: float
) -> None:
    """Gathers updates until none comes for `quiet` seconds."""
    end = time.monotonic() + deadline
    while got := updates.during(quiet):
        sort_in(got, by_session)
        assert time.monotonic() < end, f"still moving after {deadline} s: {got[-3:]}"


@missing
@pytest.mark.parametrize("key", PLAYS, ids=["-".join(key) for key in PLAYS])
def test_a_recording_played_live(control: Control, played: dict[tuple, Play], key: tuple):
    play = played[key]
    expect_sound(play.got, play.component, play.began, play.ended, 3 if play.is_open else 0)
    # A device far wider than high is a low strip on the screen: strokes up and down are short.
    heights: dict[int, list[float]] = {}
    for _, body in play.samples:
        if body["gesture"] == "pointer":
            heights.setdefault(body["pointer"], []).append(body["y"])
    is_short = heights and play.component in SCROLLED and all(
        max(ys) - min(ys) < SLOP for ys in heights.values())
    is_still = is_short or all(body.get("phase") != "changed" for _, body in play.samples)
    assert len(states(play.got)) > 1 or is_still, "it moved nothing"
    for pointer in range(4):
        body = {"gesture": "pointer", "phase": "changed", "pointer": pointer, "x": 1, "y": 1}
        code = control.code(f"gesture/{play.session}/{play.component}", body)
        assert code == "out-of-order", f"contact {pointer} is still down"


@missing
def test_a_recording_leaves_a_contact_down_and_it_is_cancelled(played: dict[tuple, Play]):
    left = [play for play in played.values() if play.is_open]
    assert len(left) == len(COMPONENTS), "no recording leaves a contact open"
    for play in left:
        if play.component == "tabs":  # Its highlight shows how long the contact was down.
            lights = [
                u.t for u in states(play.got)
                if any(item["highlighted"] for item in u.body["model"]["items"])]
            freed = states(play.got)[-1].t
            assert lights and 2900 < freed - play.ended < 3300, freed - play.ended


# On virtual time: every file on every kind.


@missing
@pytest.mark.parametrize("file", TOUCHES, ids=[name(file) for file in TOUCHES])
def test_every_touchscreen_on_every_kind(file: pathlib.Path):
    samples = hurried(touches(file), PAUSE)
    script = Script(scene(*COMPONENTS.values())).wait(4000.7)
    got = script.touched(list(COMPONENTS), samples).run()
    for component in COMPONENTS:
        expect_sound(got, component, count_began(samples), script.now,
                     3 if open_contacts(samples) else 0)


@missing
@pytest.mark.parametrize("speed", ["slow", "medium", "fast"])
@pytest.mark.parametrize("gesture", ["pan", "pointer"])
def test_strokes_of_each_shape_on_tips_and_toss(speed: str, gesture: str):
    files = [file for file in STROKES if file.parent.name == speed][::3]
    script = Script(scene(COMPONENTS["tips"], COMPONENTS["toss"])).wait(4000.7)
    for stroked in files:
        points = stroke(stroked)
        began = script.now
        for number, (x, y, seconds) in enumerate(points):
            phase = "began" if number == 0 else "ended" if number == len(points) - 1 else "changed"
            script.now = began + seconds * 1000
            for component in ("tips", "toss"):
                script.gesture(component, gesture, phase, pointer=1, x=x, y=y)
        # Another tip swings in. `present` has no effect while a tip is shown.
        script.wait(1234.5).command("tips", "present").wait(1000)
    got = script.run()
    for component in ("tips", "toss"):
        expect_sound(got, component, len(files), script.now)
    thrown = [u for u in of(got, "toss", "transition") if u.body["name"] == "toss"]
    assert speed != "fast" or thrown, "no fast stroke throws"


@missing
@pytest.mark.parametrize("file", WHEELS, ids=[name(file) for file in WHEELS])
def test_every_wheel_on_what_scrolls(file: pathlib.Path):
    script = Script(scene(*[COMPONENTS[kind] for kind in SCROLLED])).wait(100.7)
    began = script.now
    for component in SCROLLED:
        for seconds, body in turning(file, component):
            script.now = began + seconds * 1000
            script.line(f"gesture/{SESSION}/{component}", body)
    got = script.run()
    for component in SCROLLED:
        expect_sound(got, component, len(wheel(file)), script.now)
    for component, last in (("profile", 1200 - VIEWPORT[1]), ("list", 20 * 70 - VIEWPORT[1])):
        shown = [update.body["model"]["offset"] for update in of(got, component)]
        assert all(0 <= offset <= last for offset in shown), "a wheel left the bounds"
        expected = 300.0
        for _, _, down in wheel(file):
            expected = min(last, max(0.0, expected + down))
        assert abs(shown[-1] - expected) < 0.01, f"{component} rests at {shown[-1]}"


@missing
@pytest.mark.parametrize("file", [file for file in WHEELS if "left" in file.name
                                  or "right" in file.name], ids=name)
def test_a_wheel_across_is_a_swipe_the_way_it_is_named(file: pathlib.Path):
    """Fingers that move right turn the wheel by negative amounts."""
    assert swiped(file) in file.stem, f"{file.stem} swipes to the {swiped(file)}"
    script = Script(scene(rows())).wait(100).gesture(
        "list", "swipe", direction=swiped(file), row=3)
    row = of(script.run(), "list")[-1].body["views"]["row-3"]
    assert row["x"] == 160 + (320 if "right" in file.stem else -320), row


# The readers' results against the files.


@missing
@pytest.mark.parametrize("file", EVEMU, ids=[name(file) for file in EVEMU])
def test_each_tracked_contact_is_a_contact(file: pathlib.Path):
    samples = touches(file)
    tracked = [
        line.split()[4] for line in file.read_text().splitlines()
        if line.startswith("E:") and line.split()[2:4] == ["0003", "0039"]]
    assert count_began(samples) == sum(int(number) >= 0 for number in tracked)
    assert open_contacts(samples) == set() and samples[0].seconds == 0
    assert all(0 <= s.x <= VIEWPORT[0] and 0 <= s.y <= VIEWPORT[1] for s in samples)
    most = max(len(open_contacts(samples[:number])) for number in range(len(samples)))
    named = {"1": 1, "single": 1, "2": 2, "2fg": 2, "4": 4}.get(
        file.stem.split(".")[-1].split("-")[0])
    assert named in (None, most), f"{most} fingers at once"


# Other people's files, converted.


def converted(file: pathlib.Path, *arguments: object) -> tuple[list[dict], str]:
    """The bodies of the events, and standard error."""
    result = ctl("convert", file, *arguments)
    assert result.returncode == 0, result.stderr.decode()
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    return [line["body"] for line in lines if "body" in line], result.stderr.decode()


def square(tmp_path: pathlib.Path, *more: str) -> pathlib.Path:
    """A finger that goes round a square on a screen of 480x800 units."""
    lines = ["A: 35 0 480 0 0 0", "A: 36 0 800 0 0 0", "E: 0.000 3 39 7"]
    for number, (x, y) in enumerate([(91, 100), (391, 100), (391, 400), (91, 400)]):
        at = f"E: 0.{number + 1}"
        lines += [f"{at} 3 35 {x}", f"{at} 3 36 {y}", f"{at} 0 0 0"]
    lines += [*more, "E: 0.900 3 39 -1", "E: 0.900 0 0 0"]
    file = tmp_path / "square.events"
    file.write_text("".join(line + "\n" for line in lines))
    return file


@pytest.mark.parametrize("viewport", ["320x568", "568x320", "1000x1000"])
def test_a_square_stays_a_square(tmp_path: pathlib.Path, viewport: str):
    bodies, told = converted(square(tmp_path), "--viewport", viewport)
    first, right, below = bodies[:3]
    assert abs((right["x"] - first["x"]) - (below["y"] - right["y"])) < 0.003, bodies
    width, height = map(int, viewport.split("x"))
    scale = min(width / 480, height / 800)
    left = (width - 480 * scale) / 2 + 91 * scale
    assert abs(first["x"] - left) < 0.001, (first, left)
    assert told == "", told


@pytest.mark.parametrize("file", sorted((OWN / "others").glob("*.*")), ids=lambda file: file.name)
def test_coordinates_are_short(file: pathlib.Path):
    if file.suffix == ".py":
        return
    bodies, _ = converted(file, "--viewport", "333x777")
    for body in bodies:
        for key in ("x", "y", "dx", "dy"):
            assert len(str(body.get(key, 0)).partition(".")[2]) <= 3, body


def test_a_description_says_that_it_is_one(tmp_path: pathlib.Path):
    file = tmp_path / "phone.desc"
    file.write_text("N: a phone\nA: 35 0 480 0 0 0\nA: 36 0 800 0 0 0\n")
    for command in ("convert", "simulate"):
        result = ctl(command, file)
        told = result.stderr.decode()
        assert result.returncode == 2 and told.count("\n") == 1, told
        assert "describes a device" in told and "--device" in told, told
    recorded = square(tmp_path)
    text = recorded.read_text().splitlines()
    recorded.write_text("".join(line + "\n" for line in text if line[0] != "A"))
    bodies, told = converted(recorded, "--device", file)
    assert told == "" and len(bodies) == 5, told


def test_a_whole_session_may_be_aimed_at(tmp_path: pathlib.Path):
    result = ctl("convert", square(tmp_path), "--component", "", "--session", "table")
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert {line["topic"] for line in lines if "topic" in line} == {"gesture/table"}
    for option, name in (("--component", "a b"), ("--session", "a b"), ("--session", "-")):
        wrong = ctl("convert", square(tmp_path), option, name)
        told = wrong.stderr.decode()
        assert wrong.returncode == 2, told
        assert f"{option} must be a name of 1 to 64 bytes" in told and f"not '{name}'" in told, told


def test_the_far_edge_of_a_screen_hits_the_session(tmp_path: pathlib.Path):
    """Nothing lies on a viewport's right and bottom edges."""
    file = tmp_path / "corner.events"
    file.write_text(
        "A: 35 0 799 0 0 0\nA: 36 0 479 0 0 0\nE: 0.0 3 39 1\nE: 0.0 3 35 799\n"
        "E: 0.0 3 36 479\nE: 0.0 0 0 0\nE: 0.1 3 39 -1\nE: 0.1 0 0 0\n")
    bodies, told = converted(file, "--viewport", "800x480", "--component", "")
    assert [(body["x"], body["y"]) for body in bodies] == [(799.999, 479.8)] * 2
    assert told == "", told


def test_palms_are_left_out_and_told(tmp_path: pathlib.Path):
    palm = ["E: 0.5 3 2f 1", "E: 0.5 3 39 8", "E: 0.5 3 37 2", "E: 0.5 3 35 9", "E: 0.5 3 36 9",
            "E: 0.5 0 0 0", "E: 0.6 3 39 -1", "E: 0.6 0 0 0", "E: 0.6 3 2f 0"]
    bodies, told = converted(square(tmp_path, *palm))
    assert {body["pointer"] for body in bodies} == {0}
    assert "left out 1 palm: pointer 1" in told, told


def test_what_is_skipped_is_told(tmp_path: pathlib.Path):
    keys = ["E: 0.5 1 1e 1", "E: 0.5 2 8 -1", "E: 0.5 0 0 0"]
    _, told = converted(square(tmp_path, *keys))
    assert "left out 2 events of keys, wheels or switches" in told, told
