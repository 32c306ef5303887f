"""Frames for those who come late, leave, or follow a session through several lives."""

from __future__ import annotations

import time

import pytest
from client import DEADLINE, Control, Daemon, Subscriber, nonces
from renderer import HEADER, Picture, difference, of_snapshot
from scenes import scene, still, tips, toss
from storm import Storm, nested
from test_pictures import Watcher, expect_rest, rests, stir


class Joined:
    """A client as docs/protocol/updates.md wants it: on frames alone, from a snapshot on."""

    def __init__(self, updates: Subscriber, control: Control, session: str):
        self.updates, self.control, self.session = updates, control, session
        answer = control.ok("snapshot", session=session)
        self.picture, self.epoch = of_snapshot(answer), answer["epoch"]
        self.seq = next(update["body"]["seq"] for update in answer["updates"]
                        if update["topic"] == f"frame/{session}")

    def catch_up(self) -> Picture:
        topic = f"sync/{next(nonces)}"
        self.updates.subscribe(topic)
        for update in self.updates.until(lambda update: update.topic == topic, topic):
            if update.topic != f"frame/{self.session}" or update.body["epoch"] != self.epoch:
                continue
            if update.seq > self.seq:
                assert update.seq == self.seq + 1, f"a gap after {self.seq}: {update}"
                self.seq = update.seq
                self.picture.take(update.topic, update.body)
        return self.picture

    def ends_alike(self) -> bool:
        end = time.monotonic() + DEADLINE
        while time.monotonic() < end:
            now = of_snapshot(self.control.ok("snapshot", session=self.session))
            different = difference(self.catch_up(), now)
            if rests(now) and not different:
                return True
        raise AssertionError(different or "no rest")


@pytest.mark.parametrize("topic", ["frame/", "frame/{}"])
def test_who_joins_in_a_storm_goes_on_from_the_snapshot(
    daemon: Daemon, control: Control, session: str, topic: str
):
    """A broad subscription is not answered, so all depends on the snapshot."""
    control.open(session, nested())
    storm, joined = Storm(session, 7), []
    for _ in range(8):
        for _ in range(5):
            stir(control, storm.burst())
        joined.append(Joined(daemon.subscriber(topic.format(session)), control, session))
        joined[0].catch_up()
    assert all([one.ends_alike() for one in joined])


@pytest.mark.parametrize("seed", range(2))
def test_both_pictures_are_the_same_through_many_lives(
    daemon: Daemon, control: Control, session: str, seed: int
):
    watcher, storm = Watcher(daemon, session), Storm(session, seed)
    control.open(session, nested())
    for life in range(12):
        for _ in range(storm.rng.randint(1, 30)):
            stir(control, storm.burst())
        change = storm.rng.choice(["open", "import", "subscribe"])
        if change == "subscribe":
            Watcher(daemon, session, compares=False)
            continue
        document = control.export(session)
        control.ok("close", session=session)
        watcher.forget()
        if change == "open":
            control.open(session, nested(seed=life))
        else:
            control.ok("import", session=session, document=document)
    # A new life publishes its counts with the first one.
    control.notify(session, "likes")
    assert expect_rest(control, watcher)


def test_frames_go_on_after_a_time_without_subscribers(
    daemon: Daemon, control: Control, session: str
):
    control.open(session, still())
    topic = f"frame/{session}"
    seqs = []
    for offset in (10, 20, 30):
        updates = daemon.subscriber(topic)
        # A frame of what changed meanwhile may come first.
        got = updates.until(lambda update: len(update.body["states"]) == 7, "a whole frame")
        whole = got[-1]
        shown = next(one for one in whole.body["states"] if one["component"] == "profile")
        assert shown["model"]["offset"] == offset - 10
        seqs.append(got[0].seq)
        updates.socket.close()
        end = time.monotonic() + DEADLINE
        # The daemon learns of the end of a connection when it may.
        while time.monotonic() < end:
            before = control.snapshot(session)[topic]["seq"]
            control.gesture(session, "profile", "scroll", "changed", offset=offset + 1)
            control.gesture(session, "profile", "scroll", "changed", offset=offset)
            if control.snapshot(session)[topic]["seq"] == before:
                break
        else:
            raise AssertionError("frames go out to nobody")
        seqs.append(before)
    assert seqs == sorted(seqs)
    for one, other in zip(seqs[1::2], seqs[2::2]):
        assert other == one + 1, f"a number was spent on nobody: {seqs}"


def test_each_life_begins_with_a_scene_and_a_whole_frame(daemon: Daemon, control: Control):
    updates = daemon.subscriber("session/life", "scene/life", "frame/life")
    control.open("life", scene(tips(presented=False), toss()))
    control.gesture("life", "toss", "pan", "began", x=160, y=223)
    control.gesture("life", "toss", "pan", "changed", x=200, y=223)
    document = control.export("life")
    control.ok("close", session="life")
    control.ok("import", session="life", document=document)
    lives = [
        updates.until(lambda update: update.body.get("event") == "closed", "the end"),
        updates.until(lambda update: update.topic == "frame/life", "the second life")]
    for life, event in zip(lives, ("opened", "restored"), strict=True):
        names = [update.topic.partition("/")[0] for update in life[:3]]
        assert names == ["session", "scene", "frame"] and life[0].body["event"] == event
        assert [one["component"] for one in life[2].body["states"]] == ["tips", "toss"]
        assert all(update.seq == 1 for update in life[:3])
    first, second = (
        {key: value for key, value in life[1].body.items() if key not in HEADER}
        for life in lives)
    assert first == second
    assert lives[1][2].body["states"][1]["phase"] == "dragging"
    control.ok("close", session="life")


def test_a_subscription_brings_a_session_back_with_its_scene_and_frame():
    with Daemon() as daemon:
        control = daemon.requests()
        control.open("alice", "phone")
        control.command("alice", "tabs", "select", index=3)
        told = control.ok("scene", session="alice")["scene"]
        daemon.restart()
        updates = daemon.subscriber("frame/alice", "scene/alice")
        frame = updates.find("frame/alice")
        again = updates.last.get(("scene/alice", frame.body["epoch"])) or updates.find(
            "scene/alice")
        assert {key: value for key, value in again.body.items() if key not in HEADER} == {
            key: value for key, value in told.items() if key not in HEADER}
        tabs = next(one for one in frame.body["states"] if one["component"] == "tabs")
        assert tabs["model"]["selected"] == 3
        assert len(frame.body["states"]) == len(told["components"])
