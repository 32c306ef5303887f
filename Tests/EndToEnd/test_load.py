"""With many sessions, publishers and subscribers the daemon loses and confuses nothing."""

from __future__ import annotations

import json
import tempfile
import time

import zmq
from client import DEADLINE, Control, Daemon, Publisher
from reliability import resident_mebibytes
from scenes import scene, still, tips, toss

SESSIONS = [f"load{number:03}" for number in range(100)]


def test_a_hundred_sessions_move_and_come_to_rest(
    daemon: Daemon, control: Control, publisher: Publisher
):
    updates = daemon.subscriber("state/", "transition/", "badge/", "session/")
    opening = [
        control.send("open", session=name, scene=scene(tips(), toss())) for name in SESSIONS]
    assert all(control.reply(number)["created"] for number in opening)
    for name in SESSIONS:
        topic = f"gesture/{name}/toss"
        pan = {"gesture": "pan", "x": 160, "y": 223}
        publisher.send(topic, pan | {"phase": "began"})
        publisher.send(topic, pan | {"phase": "ended", "vx": 1800, "vy": -300})
        publisher.send(f"notification/{name}", {"kind": "likes", "add": 2})
    opened, thrown, landed, asleep, counted = (set() for _ in range(5))

    def done(update) -> bool:
        area, name, *rest = update.topic.split("/")
        if name not in SESSIONS:
            return False
        body = update.body
        if area == "session" and body["event"] == "opened":
            opened.add(name)
        elif area == "transition" and (body["name"], body["event"]) == ("toss", "began"):
            thrown.add(name)
        elif area == "transition" and (body["name"], body["event"]) == ("return", "ended"):
            landed.add(name)
        elif area == "state" and rest == ["tips"] and body["phase"] == "resting":
            asleep.add(name)
        elif area == "badge" and body["counts"] == {"likes": 2}:
            counted.add(name)
        groups = (opened, thrown, landed, asleep, counted)
        return all(len(group) == len(SESSIONS) for group in groups)

    updates.until(done, "all to be opened, thrown, landed, asleep and counted", deadline=60)
    assert set(SESSIONS) <= set(control.sessions())
    for name in SESSIONS:
        control.ok("close", session=name)


def test_many_publishers_at_once(daemon: Daemon, control: Control, session: str):
    control.open(session, still())
    updates = daemon.subscriber(f"badge/{session}")
    publishers = [daemon.publisher() for _ in range(20)]
    for number in range(100):
        for publisher in publishers:
            publisher.send(f"notification/{session}", {"kind": f"k{number % 7}"})
    last = updates.until(lambda u: u.body["total"] == 2000, "2,000 counts")[-1]
    assert sum(last.body["counts"].values()) == 2000


def test_a_slow_subscriber_holds_nobody_up(daemon: Daemon, control: Control, session: str):
    """One subscriber never reads. The others get every update."""
    slow = daemon.socket(zmq.SUB)
    slow.rcvhwm = 1
    slow.connect(daemon.updates)
    slow.subscribe("")
    control.open(session, still())
    updates = daemon.subscriber(f"badge/{session}")
    for _ in range(20):
        numbers = [
            control.send("publish", topic=f"notification/{session}", body={"kind": "likes"})
            for _ in range(250)]
        assert all(control.reply(number)["ok"] for number in numbers)
    updates.until(lambda u: u.body["total"] == 5000, "5,000 counts")


def test_the_daemon_connects_to_its_upstream_publishers():
    """`events_connect`: the publisher binds and the daemon connects."""
    context = zmq.Context()
    upstream = context.socket(zmq.XPUB)
    with tempfile.TemporaryDirectory(prefix="gestured-") as folder:
        endpoint = f"ipc://{folder}/upstream"
        upstream.bind(endpoint)
        try:
            with Daemon(f'events_connect = ["{endpoint}"]\n') as daemon:
                assert upstream.poll(10_000), "the daemon does not connect to its upstream"
                assert upstream.recv().startswith(b"\x01")
                updates = daemon.subscriber("badge/alice")
                body = json.dumps({"kind": "likes"}).encode()
                upstream.send_multipart([b"notification/alice", body])
                updates.find("badge/alice", total=1)
        finally:
            upstream.close(linger=0)
            context.term()


def test_many_clients_come_and_go(daemon: Daemon, control: Control, session: str):
    control.open(session, still())
    for number in range(100):
        listener = daemon.subscriber(f"state/{session}/")
        publisher = daemon.publisher()
        publisher.send(f"notification/{session}", {"kind": "likes"})
        publisher.socket.close(linger=100)
        listener.socket.close()
        if number % 10 == 0:
            assert control.ok("hello")
    updates = daemon.subscriber(f"badge/{session}")
    updates.until(lambda u: u.body["total"] == 100, "100 counts")


def test_large_bodies_are_refused_without_being_kept():
    """The daemon refuses a gigabyte of bodies of nearly a MiB, and keeps none."""
    config = "[sockets]\nreceive_high_water_mark = 10\n"
    with Daemon(config) as daemon:
        publisher, requests = daemon.publisher(), daemon.requests()
        body = b"x" * 1_000_000
        most = 0.0
        for number in range(1_000):
            publisher.raw(b"gesture/large/toss", body)
            if number % 20 == 0:
                most = max(most, resident_mebibytes(daemon))
        deadline = time.monotonic() + 60
        while (refused := requests.ok("stats")["stats"]["events_rejected"]) < 1_000:
            assert time.monotonic() < deadline, f"only {refused} of 1000 were refused"
            most = max(most, resident_mebibytes(daemon))
        assert most < 200, f"{most:.0f} MiB resident"
        assert requests.ok("sessions")["sessions"] == []


def test_a_request_of_many_bytes_is_answered_with_its_id(control: Control):
    error = control.refused("publish", topic="notification/a", body={"x": "y" * 200_000})
    assert error["code"] == "too-large", error


def test_an_id_is_bounded(control: Control):
    control.socket.send(json.dumps({"op": "hello", "id": "i" * 2_000}).encode())
    assert control.socket.poll(5_000), "a request with a long id was not answered"
    reply = json.loads(control.socket.recv_multipart()[-1])
    assert reply["ok"] is False and reply["error"]["code"] == "bad-value" and "id" not in reply


def test_large_requests_hold_up_nobody_and_are_not_read_ahead():
    """The daemon answers the first before it reads the last, and parses few at a time."""
    with Daemon("lanes = 1\n") as daemon:
        large, small, count = daemon.requests(), daemon.requests(), 30
        # Written once: an optimised daemon reads one sooner than it could be written again.
        request = {"op": "import", "session": "large", "document": [1] * 300_000}
        body = json.dumps({"id": 1} | request).encode()
        for _ in range(count):
            large.socket.send(body)
        assert large.socket.poll(DEADLINE * 1000)
        small.ok("hello")
        answered = 0
        while large.socket.poll(0):
            large.socket.recv()
            answered += 1
        assert answered < count / 2, f"{answered} of {count} answers came before another peer's"
        while answered < count:
            assert large.socket.poll(DEADLINE * 1000), f"only {answered} of {count} answers"
            large.socket.recv()
            answered += 1
        kibibytes = resident_mebibytes(daemon, "VmHWM") * 1024
        assert kibibytes < 300_000, f"{kibibytes:.0f} KiB"
