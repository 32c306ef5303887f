"""The shape of updates, their numbers, sequences and epochs, and the heartbeat."""

from __future__ import annotations

import re
import time

from checks import near, settle, states
from client import Control, Daemon, Publisher, Update
from scenes import KINDS, profile, scene, still, tips, toss

VIEW = {"x", "y", "w", "h", "rotation", "scale", "alpha", "z"}
NUMBER = re.compile(r'"(\w+)":(-?\d[^,}\]]*)')
DECIMALS = {"x": 3, "y": 3, "w": 3, "h": 3, "t": 3, "rotation": 6, "scale": 6, "alpha": 6, "z": 0,
            "seq": 0, "version": 0, "total": 0, "offset": 3}


def expect_numbers(update: Update) -> None:
    for key, number in NUMBER.findall(update.text):
        assert "e" not in number.lower(), f"{key} has an exponent: {update}"
        assert number != "-0" and not re.fullmatch(r"-0\.0*", number), f"{key} is −0: {update}"
        decimals = len(number.partition(".")[2])
        assert decimals <= DECIMALS.get(key, 6), f"{key} has {decimals} decimals: {update}"


def test_a_state_has_a_phase_a_model_and_views(daemon: Daemon, control: Control, session: str):
    updates = daemon.subscriber(f"state/{session}/")
    control.open(session, scene(tips(), toss(), profile()))
    got = states(settle(updates, session, "tips"))
    assert len(got) > 20
    for update in got:
        fields = {"epoch", "seq", "t", "phase", "model", "views"}
        assert set(update.body) - {"running"} == fields, update
        assert isinstance(update.body["phase"], str) and isinstance(update.body["model"], dict)
        for name, view in update.body["views"].items():
            assert set(view) - {"cut"} == VIEW, f"{name}: {update}"
            assert all(type(value) in (int, float) for value in view.values()), update
            assert isinstance(view["z"], int) and 0 <= view["alpha"] <= 1, update
            assert -3.141593 < view["rotation"] <= 3.141593, update
        expect_numbers(update)


def test_numbers_are_rounded_and_never_minus_zero(daemon: Daemon, control: Control, session: str):
    control.open(session, scene(toss(), profile()))
    updates = daemon.subscriber(f"state/{session}/")
    for offset in (-0.0, 1 / 3, -1e-7, 1e-9, 1000 / 7, -55.55555, 95, 3e-4):
        control.gesture(session, "profile", "scroll", "changed", offset=offset)
    control.gesture(session, "toss", "pan", "began", x=100, y=200)
    control.gesture(session, "toss", "pan", "ended", x=1 / 3, y=1e-5, vx=-3000, vy=1e-3)
    updates.find(f"state/{session}/toss", phase="thrown")
    settle(updates, session, "toss")
    for update in updates.last.values():
        expect_numbers(update)


def test_an_opening_publishes_the_session_and_every_first_state(
    daemon: Daemon, control: Control, session: str
):
    updates = daemon.subscriber("")
    answer = control.open(session, still(name="mine"))
    wanted = {f"session/{session}"} | {
        f"state/{session}/{name}" for name in KINDS}
    got: dict[str, Update] = {}
    while wanted - got.keys():
        update = updates.next()
        assert update, f"no first update of {wanted - got.keys()}"
        got.setdefault(update.topic, update)
    opened = got[f"session/{session}"].body
    assert opened["event"] == "opened" and opened["scene"] == "mine", opened
    for topic in wanted:
        assert got[topic].seq == 1, f"a first update is not seq 1: {got[topic]}"
        assert got[topic].body["epoch"] == answer["epoch"], got[topic]
        assert got[topic].t == opened["t"], f"not at the opening's time: {got[topic]}"


def test_a_scene_without_a_name_is_null(daemon: Daemon, control: Control, session: str):
    updates = daemon.subscriber(f"session/{session}")
    control.open(session, scene(toss()))
    assert updates.find(f"session/{session}", event="opened").body["scene"] is None


def test_sequences_begin_with_1_and_count_each_topic_for_itself(
    daemon: Daemon, control: Control, session: str
):
    """The subscriber itself fails on a gap."""
    updates = daemon.subscriber("")
    control.open(session, scene(tips(), toss(), profile()))
    for number in range(50):
        control.notify(session, "likes")
        control.gesture(session, "profile", "scroll", "changed", offset=number)
    seen: dict[str, list[int]] = {}
    for update in settle(updates, session, "tips"):
        if f"/{session}" in update.topic:
            seen.setdefault(update.topic, []).append(update.seq)
    assert len(seen) >= 6, sorted(seen)
    assert all(numbers[0] == 1 for numbers in seen.values()), seen
    badges = seen[f"badge/{session}"]
    assert badges[-1] == len(set(badges)) == 50, badges


def test_a_session_epoch_is_the_daemons_and_a_new_number_each_opening(
    daemon: Daemon, control: Control, session: str
):
    epochs = []
    for _ in range(3):
        updates = daemon.subscriber(f"session/{session}", f"state/{session}/")
        epochs.append(control.open(session, scene(toss()))["epoch"])
        assert updates.find(f"session/{session}", event="opened").seq == 1
        control.ok("close", session=session)
        closed = updates.find(f"session/{session}", event="closed")
        assert closed.body["epoch"] == epochs[-1], closed
    numbers = [re.fullmatch(rf"{re.escape(daemon.epoch)}\.(\d+)", epoch) for epoch in epochs]
    assert all(numbers), f"not <daemon epoch>.<n>: {epochs}"
    assert len(set(epochs)) == 3, epochs


def test_t_is_near_the_wall_clock_and_the_heartbeat_comes_once_a_second(daemon: Daemon):
    updates = daemon.subscriber("heartbeat")
    first = updates.find("heartbeat")
    assert abs(first.t - time.time() * 1000) < 1000, first
    beats = [first, updates.find("heartbeat"), updates.find("heartbeat")]
    for before, after in zip(beats, beats[1:]):
        assert after.seq == before.seq + 1 and after.body["epoch"] == daemon.epoch
        assert near(after.t - before.t, 1000, 300), f"{after.t - before.t} ms between beats"
    for beat in beats:
        for name in ("uptime", "sessions", "moving", "events", "rejected", "updates"):
            assert type(beat.body[name]) in (int, float) and beat.body[name] >= 0, (name, beat)
    assert beats[-1].body["uptime"] > beats[0].body["uptime"]


def test_the_heartbeat_counts(daemon: Daemon, control: Control, publisher: Publisher, session: str):
    updates = daemon.subscriber("heartbeat")
    before = updates.find("heartbeat").body
    control.open(session, still())
    for _ in range(40):
        publisher.send(f"notification/{session}", {"kind": "likes"})
    for _ in range(30):
        publisher.send(f"gesture/{session}/nobody", {"gesture": "tap", "x": 1, "y": 1})
    control.gesture(session, "toss", "pan", "began", x=160, y=223)
    counted = updates.until(
        lambda u: u.body["events"] >= before["events"] + 40
        and u.body["rejected"] >= before["rejected"] + 30, "70 events to be counted")[-1].body
    assert counted["rejected"] == before["rejected"] + 30, counted
    assert counted["sessions"] == len(control.sessions()), counted


def test_t_of_a_topic_never_goes_back_whatever_events_say(
    daemon: Daemon, control: Control, publisher: Publisher, session: str
):
    updates = daemon.subscriber(f"state/{session}/", f"badge/{session}")
    control.open(session, scene(tips()))
    for offset in (-9e8, 9e8, -1500, 1500, 0):
        body = {"kind": "likes", "t": time.time() * 1000 + offset}
        publisher.send(f"notification/{session}", body)
    got = settle(updates, session, "tips")
    badges = [update for update in got if update.topic.startswith("badge/")]
    assert badges and badges[-1].body["counts"]["likes"] == 5, badges
    for stream in (badges, states(got)):
        assert all(a.t <= b.t for a, b in zip(stream, stream[1:])), [u.t for u in stream]
    assert all(abs(update.t - time.time() * 1000) < 60_000 for update in got)


def test_a_transition_has_its_fields(daemon: Daemon, control: Control, session: str):
    updates = daemon.subscriber(f"transition/{session}/")
    control.open(session, still())
    control.gesture(session, "tabs", "tap", index=2)
    began = updates.find(f"transition/{session}/tabs", event="began", name="select")
    ended = updates.find(f"transition/{session}/tabs", event="ended", name="select")
    for update in (began, ended):
        assert update.body["from"] == 0 and update.body["to"] == 2, update
        assert update.body["duration"] == 0.2, update
        assert isinstance(update.body["curve"], (str, list)), update
    assert near(ended.t - began.t, 200, 0.01), ended
