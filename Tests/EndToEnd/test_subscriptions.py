"""Subscribing: sync, resend, the join rule, late joiners, and topics nobody asked for."""

from __future__ import annotations

import time

import zmq
from checks import settle
from client import DEADLINE, Control, Daemon, Publisher, Subscriber, Update, nonces
from documents import wait_until
from scenes import KINDS, scene, still, tips, toss

TRIES = 300


def test_sync_answers_once_on_its_own_topic(daemon: Daemon):
    updates = daemon.subscriber(sync=False)
    topic = f"sync/{next(nonces)}"
    updates.subscribe(topic)
    got = updates.until(lambda u: True, topic) + updates.during(0.3)
    assert [update.topic for update in got] == [topic], got
    assert got[0].body["epoch"] == daemon.epoch, got


def test_every_subscriber_of_one_nonce_gets_its_answer(daemon: Daemon):
    """Clients choose their nonces. Two clients with the same one must not hang."""
    topic = f"sync/{next(nonces)}"
    for _ in range(3):
        updates = daemon.subscriber(sync=False)
        updates.subscribe(topic)
        assert updates.next(), f"no answer on {topic}"


def test_subscriptions_are_in_force_when_sync_answers(
    daemon: Daemon, control: Control, session: str
):
    control.open(session, still())
    for number in range(100):
        kind = f"k{number}"
        updates = daemon.subscriber(f"badge/{session}")
        control.notify(session, kind)
        updates.until(
            lambda u, kind=kind: u.topic == f"badge/{session}" and kind in u.body["counts"],
            f"the count {kind}", deadline=5)
        updates.socket.close()


def test_a_late_joiner_gets_the_last_state(daemon: Daemon, control: Control, session: str):
    first = daemon.subscriber(f"state/{session}/", f"badge/{session}", f"session/{session}")
    control.open(session, still())
    control.gesture(session, "profile", "scroll", "changed", offset=33)
    control.notify(session, "others", add=2)
    first.find(f"badge/{session}", total=2)
    late = daemon.subscriber(f"state/{session}/", f"badge/{session}", f"session/{session}")
    wanted = {f"state/{session}/{name}" for name in KINDS}
    wanted |= {f"badge/{session}", f"session/{session}"}
    while wanted - {topic for topic, _ in late.last}:
        assert late.next(), f"a late joiner never got {wanted - {t for t, _ in late.last}}"
    first.during(0.1)
    for stream, update in late.last.items():
        if stream[0] not in wanted:
            continue
        assert update.text == first.last[stream].text, "not the last update sent"
    header = next(u for (topic, _), u in late.last.items() if topic.endswith("/profile"))
    assert header.body["model"]["offset"] == 33, header


def test_a_subscription_that_ends_within_a_name_is_of_all_that_begin_so():
    """Alone, without another subscriber who asks for more; whichever lane has the session."""
    with Daemon("lanes = 4\n") as daemon:
        control = daemon.requests()
        early = [f"kitchen-{number}" for number in range(8)]
        for name in (*early, "bath-1"):
            control.open(name, still())
        updates = daemon.subscriber("badge/kitchen-", "session/kit")
        late = [f"kitchen-late{number}" for number in range(8)]
        for name in late:
            control.open(name, still())
        for name in (*early, "bath-1", *late):
            control.notify(name, "likes")
        control.notify("kitchen-end", "likes")
        got = updates.until(lambda update: update.topic == "badge/kitchen-end", "the last badge")
        heard = {update.topic for update in got}
        assert heard == {f"badge/{name}" for name in (*early, *late, "kitchen-end")} | {
            f"session/{name}" for name in (*late, "kitchen-end")}


def test_motion_of_sessions_whose_names_begin_so_comes_too(
    daemon: Daemon, control: Control, session: str
):
    name = f"{session}-moving"
    control.open(name, scene(toss()))
    throw(control, name)
    updates = daemon.subscriber(f"state/{session}-m", f"frame/{session}")
    updates.find(f"state/{name}/toss", phase="resting")
    updates.until(lambda update: update.topic == f"frame/{name}", "a frame")
    # A name that goes on beyond the prefix is another one's where the prefix differs.
    other = daemon.subscriber(f"badge/{session}-n")
    control.notify(name, "likes")
    updates.subscribe(f"badge/{name}")
    assert not [u for u in other.during(0.3) if u.topic.startswith("badge/")]


def test_interest_in_the_beginning_of_names_ends(daemon: Daemon, control: Control, session: str):
    name = f"{session}-x"
    control.open(name, still())

    def states() -> int:
        before = control.ok("stats")["stats"]["states"]
        for offset in range(20):
            control.gesture(name, "profile", "scroll", "changed", offset=offset + 1)
        return control.ok("stats")["stats"]["states"] - before

    assert states() == 0
    first, second = (daemon.subscriber(f"state/{session}-") for _ in range(2))
    assert states() > 0
    first.socket.close()
    assert states() > 0
    second.socket.unsubscribe(f"state/{session}-")
    second.synchronise()
    # The answer tells that the second one's has ended; the first one's connection ends by itself.
    wait_until(lambda: states() == 0, "no state for nobody")


def throw(control: Control, session: str) -> None:
    for phase, x in (("began", 160), ("changed", 200), ("ended", 240)):
        control.gesture(session, "toss", "pan", phase, x=x, y=223, vx=1500, vy=0)


def resent(daemon: Daemon, subscription: str) -> list[Update]:
    return [
        update for update in daemon.subscriber(subscription).during(0.25)
        if not update.topic.startswith(("sync/", "heartbeat"))]


def test_a_resend_repeats_the_seq_where_nothing_changed(
    daemon: Daemon, control: Control, session: str
):
    control.open(session, still())
    bodies = set()
    for _ in range(4):
        got = resent(daemon, f"state/{session}/toss")
        assert len(got) == 1, f"not one state for one subscription: {got}"
        bodies.add(got[0].text)
    assert len(bodies) == 1, f"a resend changed the body: {bodies}"


def test_a_resend_is_a_new_update_where_something_changed(
    daemon: Daemon, control: Control, session: str
):
    """The header moves while nobody listens, so the next subscriber gets a new update."""
    control.open(session, still())
    before = resent(daemon, f"state/{session}/profile")[-1]
    control.gesture(session, "profile", "scroll", "changed", offset=12)
    control.gesture(session, "profile", "scroll", "changed", offset=25)
    after = resent(daemon, f"state/{session}/profile")[-1]
    assert after.seq > before.seq and after.body["model"]["offset"] == 25, after


def test_a_resend_reaches_exactly_what_is_subscribed(
    daemon: Daemon, control: Control, session: str
):
    control.open(session, still())
    control.notify(session, "likes")
    components = {f"state/{session}/{name}" for name in KINDS}
    for subscription, topics in [
        (f"state/{session}", components),
        (f"state/{session}/", components),
        (f"state/{session}/to", {f"state/{session}/toss"}),
        (f"state/{session}/toss", {f"state/{session}/toss"}),
        (f"badge/{session}", {f"badge/{session}"}),
        (f"session/{session}", {f"session/{session}"}),
        (f"transition/{session}/", set()),
        ("state/", set()),
        ("badge/", set()),
        (f"state/{session}0", set()),
    ]:
        got = {update.topic for update in resent(daemon, subscription)}
        assert got == topics, f"a subscription to {subscription} was answered with {got}"


def test_a_slash_behind_a_name_keeps_longer_names_out():
    """`state/al` is ZeroMQ's prefix of `state/alice/…`, too; `state/al/` is session `al` alone.

    It needs its own daemon: a subscriber to all sessions makes it publish `alice`.
    """
    with Daemon() as daemon:
        control = daemon.requests()
        control.open("alice", still())
        updates = daemon.subscriber("state/al/", "transition/al/")
        for number in range(20):
            control.gesture("alice", "profile", "scroll", "changed", offset=number)
        control.gesture("alice", "tabs", "tap", index=1)
        got = updates.during(0.5)
        assert got == [], f"state/al/ got updates of alice: {got}"
        control.open("al", still())
        mine = updates.until(lambda u: u.topic == "state/al/toss", "the state of al")
        assert all(update.topic.split("/")[1] == "al" for update in mine), mine
        open_ended = daemon.subscriber("state/al")
        control.gesture("alice", "profile", "scroll", "changed", offset=30)
        open_ended.find("state/alice/profile")


def test_a_resend_comes_at_most_once_per_topic_in_50_ms(
    daemon: Daemon, control: Control, session: str
):
    control.open(session, still())
    watching = daemon.subscriber(f"state/{session}/toss")
    watching.during(0.2)
    began = time.monotonic()
    others = [daemon.subscriber(f"state/{session}/toss") for _ in range(40)]
    took = time.monotonic() - began
    got = watching.during(0.3)
    assert got, "a subscriber of the topic saw no resend"
    assert len(got) <= (took + 0.1) / 0.05 + 2, f"{len(got)} resends in {took:.3f} s"
    for other in others:
        assert other.next(), "a subscriber within the 50 ms got nothing"


def test_a_snapshot_and_the_stream_join_without_a_hole(
    daemon: Daemon, control: Control, publisher: Publisher, session: str
):
    """Joins hundreds of times while a view moves and counts change."""
    control.open(session, still(frame_rate=120))
    topics = (f"state/{session}/", f"badge/{session}", f"session/{session}")
    control.gesture(session, "toss", "pan", "began", x=160, y=223)
    busy = Busy(publisher, session)
    for number in range(TRIES):
        busy.stir()
        joiner = Subscriber(daemon, topics, sync=True)
        busy.stir()
        snapshot = control.ok("snapshot", session=session)
        shown = {(u["topic"], u["body"]["epoch"]): u["body"]["seq"] for u in snapshot["updates"]}
        busy.stir()
        join(joiner, shown, busy, number)
        joiner.socket.close()


class Busy:
    """Keeps a session busy: its finger wanders and its counts grow."""

    def __init__(self, publisher: Publisher, session: str):
        self.publisher, self.session, self.count = publisher, session, 0

    def stir(self) -> None:
        self.count += 1
        point = {"x": 160 + self.count % 40, "y": 223 + self.count % 30}
        self.publisher.send(
            f"gesture/{self.session}/toss", {"gesture": "pan", "phase": "changed", **point})
        self.publisher.send(f"notification/{self.session}", {"kind": "likes"})


def join(joiner: Subscriber, shown: dict, busy: Busy, number: int) -> None:
    """Applies the join rule until three updates follow the snapshot without a gap."""
    applied = 0
    end = time.monotonic() + DEADLINE
    while applied < 3:
        busy.stir()
        update = joiner.next(max(0.0, end - time.monotonic()))
        assert update, f"try {number}: nothing after the snapshot"
        if update.stream not in shown:
            continue
        if update.seq <= shown[update.stream]:
            continue
        assert update.seq == shown[update.stream] + 1, (
            f"try {number}: a hole between snapshot {shown[update.stream]} and {update}")
        shown[update.stream] = update.seq
        applied += 1


def test_a_snapshot_is_what_its_seq_said(daemon: Daemon, control: Control, session: str):
    """Without a change in between, snapshot and stream have the same body."""
    updates = daemon.subscriber(
        f"scene/{session}", f"state/{session}/", f"badge/{session}", f"session/{session}")
    control.open(session, scene(tips(), toss()))
    control.notify(session, "likes")
    settle(updates, session, "tips")
    updates.during(0.1)
    snapshot = control.ok("snapshot", session=session)
    for update in snapshot["updates"]:
        if update["topic"].startswith("frame/"):
            # It has all states, not those of the last message.
            continue
        sent = updates.last[(update["topic"], update["body"]["epoch"])].body
        same = {key: value for key, value in sent.items() if key != "t"}
        assert {k: v for k, v in update["body"].items() if k != "t"} == same, update["topic"]


def test_a_snapshot_of_what_was_never_sent_has_seq_0():
    with Daemon() as fresh:
        other = fresh.requests()
        other.open("unwatched", still())
        seqs = {topic: body["seq"] for topic, body in other.snapshot("unwatched").items()}
        assert seqs and set(seqs.values()) == {0}, seqs


def test_two_sessions_do_not_touch_each_other(daemon: Daemon, control: Control, session: str):
    left, right = f"{session}-left", f"{session}-right"
    for name in (left, right):
        control.open(name, still())
    before = control.snapshot(right)
    updates = daemon.subscriber(f"state/{left}/", f"badge/{left}")
    quiet = daemon.subscriber(f"state/{right}/", f"badge/{right}", f"transition/{right}/")
    quiet.during(0.2)
    control.notify(left, "comments", add=5)
    control.gesture(left, "tabs", "tap", index=3)
    control.gesture(left, "profile", "scroll", "changed", offset=77)
    control.command(left, "tips", "present")
    control.gesture(left, "toss", "pan", "began", x=160, y=223)
    control.gesture(left, "toss", "pan", "ended", x=160, y=223, vx=2000, vy=500)
    settle(updates, left, "tips")
    assert quiet.during(0.1) == []
    after = control.snapshot(right)
    for topic, body in before.items():
        for key in ("phase", "model", "views", "counts", "total", "version"):
            assert after[topic].get(key) == body.get(key), f"{topic}.{key} changed"


def test_all_subscribers_see_the_same(daemon: Daemon, control: Control, session: str):
    listeners = [daemon.subscriber(f"state/{session}/", f"badge/{session}") for _ in range(5)]
    control.open(session, scene(tips()))
    control.notify(session, "likes")
    seen = [
        [u.text for u in settle(listener, session, "tips")] for listener in listeners]
    assert len(seen[0]) > 20 and all(texts == seen[0] for texts in seen)


def test_an_unsubscription_silences(daemon: Daemon, control: Control, session: str):
    updates = daemon.subscriber(f"state/{session}/")
    control.open(session, still())
    updates.find(f"state/{session}/toss")
    updates.socket.unsubscribe(f"state/{session}/")
    updates.synchronise()
    updates.during(0)
    control.gesture(session, "profile", "scroll", "changed", offset=5)
    assert updates.during(0.3) == []


def test_an_overlong_subscription_harms_nobody(daemon: Daemon, control: Control, session: str):
    """Beyond the socket's limit ZeroMQ drops the peer. Others continue."""
    for length in (201, 245, 246, 255, 256, 300, 5000):
        rude = daemon.socket(zmq.SUB, daemon.updates)
        rude.subscribe(b"state/" + b"x" * length)
    updates = daemon.subscriber(f"badge/{session}")
    control.open(session, still())
    control.notify(session, "likes")
    updates.find(f"badge/{session}", total=1)
