"""`gesturectl tap` and `peers`: what the daemon takes, from whom, and who is connected."""

from __future__ import annotations

import json

import zmq
from client import DEADLINE, Control, Daemon
from curve_daemon import EVERYTHING, CurveDaemon
from reliability import wait_for
from scenes import scene, still, toss
from tool import Tool, ctl, lines


def tapped(control: Control, after: int) -> tuple[list[dict], int]:
    reply = control.ok("tap", after=after)
    assert reply["lost"] == 0
    return reply["events"], reply["next"]


def test_all_events_are_told_with_their_senders(daemon: Daemon, control: Control, session: str):
    control.open(session, scene(toss()))
    start = control.ok("tap")["next"]
    publisher = daemon.publisher()
    publisher.send(f"notification/{session}", {"kind": "likes"})
    publisher.send(f"gesture/{session}/tos", {"gesture": "tap", "x": 1, "y": 1})
    control.ok("publish", topic=f"notification/{session}", body={"kind": "news"})
    events: list[dict] = []

    def all_came() -> bool:
        nonlocal start
        more, start = tapped(control, start)
        events.extend(more)
        return len(events) >= 3

    wait_for(all_came, "three events are told")
    by_topic = {(event["topic"], event.get("code")): event for event in events}
    likes = next(event for event in events if event.get("body") == {"kind": "likes"})
    news = next(event for event in events if event.get("body") == {"kind": "news"})
    refused = by_topic[f"gesture/{session}/tos", "unknown-component"]
    assert "known ones are toss" in refused["message"] and "tap" in refused["excerpt"]
    assert likes["from"].startswith("127.0.0.1:") and likes["from"] == refused["from"]
    assert news["from"].startswith("127.0.0.1:") and news["from"] != likes["from"]


def test_who_pushes_one_event_and_leaves_is_told_as_well(
    daemon: Daemon, control: Control, session: str,
):
    control.open(session, still())
    start, events = control.ok("tap")["next"], []
    for number in range(60):
        with zmq.Context() as context, context.socket(zmq.PUSH) as push:
            push.connect(daemon.push.split(",")[0])
            push.send_multipart([
                f"notification/{session}".encode(), b'{"kind":"k%d"}' % number])
        more, start = tapped(control, start)
        events += more
    while len(events) < 60:
        more, start = tapped(control, start)
        events += more
    senders = [event["from"] for event in events]
    assert all(sender is not None and sender.startswith("127.0.0.1") for sender in senders), senders


def test_equal_events_are_told_with_their_own_senders():
    """One client may publish to the session, and the other one may not."""
    clients = {"watch": f'{EVERYTHING}\ntap = ["*"]', "good": 'publish = ["s"]',
               "evil": 'publish = ["other"]'}
    with CurveDaemon(clients=clients) as daemon:
        daemon.requests().open("s", still())
        pushes = {}
        for name in ("watch", "good", "evil"):
            daemon.keys = daemon.clients[name]
            if name == "watch":
                watch = daemon.requests()
            else:
                pushes[name] = daemon.socket(zmq.PUSH, daemon.push)
        start = watch.ok("tap")["next"]
        frames = [b"notification/s", b'{"kind":"likes"}']
        for number in range(300):
            pushes["evil"].send_multipart(frames)
            if number % 10 == 0:
                pushes["good"].send_multipart(frames)
        applied: list[dict] = []

        def all_came() -> bool:
            nonlocal start
            more, start = tapped(watch, start)
            # The daemon tells some of the refused ones alone.
            assert all(event["from"] == "evil" for event in more if "code" in event), more
            applied.extend(event for event in more if "code" not in event)
            return len(applied) == 30

        wait_for(all_came, "thirty events are told")
        assert {event["from"] for event in applied} == {"good"}


def test_the_command_prints_them(daemon: Daemon, control: Control, session: str):
    control.open(session, scene(toss()))
    with Tool(daemon, "tap", f"gesture/{session}", f"notification/{session}", "--count", 2) as tap:
        publisher = daemon.publisher()

        def is_told() -> bool:
            publisher.send(f"notification/{session}", {"kind": "likes"})
            publisher.send(f"gesture/{session}/none", {"gesture": "tap", "x": 1, "y": 1})
            return tap.process.poll() is not None

        wait_for(is_told, "two events are told")
        text = tap.process.communicate(timeout=DEADLINE)[0].decode()
    assert tap.process.returncode == 0
    assert f'ok notification/{session} {{"kind":"likes"}}  from 127.0.0.1:' in text
    assert "refused unknown-component: there is no component \"none\"" in text


def test_peers_are_listed_by_socket_with_what_they_subscribe_to(
    daemon: Daemon, control: Control, session: str
):
    subscriber = daemon.socket(zmq.SUB)
    subscriber.connect(daemon.updates)
    for prefix in (f"state/{session}", "heartbeat"):
        subscriber.setsockopt_string(zmq.SUBSCRIBE, prefix)
    publisher = daemon.publisher()
    publisher.send(f"notification/{session}", {"kind": "likes"})

    def found() -> dict | None:
        peers = control.ok("peers")["peers"]
        own = [peer for peer in peers
               if set(peer.get("prefixes", [])) == {f"state/{session}", "heartbeat"}]
        return {peer["socket"]: peer for peer in own + peers} if own else None

    wait_for(lambda: found() is not None, "the subscriber is listed")
    peers = found()
    assert set(peers) == {"events", "updates", "control"}
    for peer in peers.values():
        assert peer["address"].startswith("127.0.0.1:") and peer["received"] > 0
    listed = ctl("--control", daemon.control, "peers", "--socket", "updates")
    assert listed.returncode == 0 and f"heartbeat state/{session}" in listed.stdout.decode()


def test_peers_of_a_socket_of_a_file_are_processes():
    with Daemon(ports=False, arguments=[
            f"--{name}={address}" for name, address in (
                ("events", "tcp://127.0.0.1:*"), ("updates", "tcp://127.0.0.1:*"),
                ("control", "ipc://control"))]) as daemon:
        control = f"ipc://{daemon.folder}/control"
        reply = json.loads(ctl("--control", control, "peers", "--json").stdout)
        wait_for(lambda: any(
            peer["socket"] == "control" and peer["address"].startswith("pid ")
            and peer["received"] is None
            for peer in json.loads(ctl("--control", control, "peers", "--json").stdout)["peers"]),
            "the command itself is listed")
    assert reply["more"] == 0
