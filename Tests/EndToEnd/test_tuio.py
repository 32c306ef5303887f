"""Touch tables: TUIO by real datagrams into a session of the real daemon."""

from __future__ import annotations

import pathlib
import random
import signal
import socket
import time

import pytest
import zmq
from client import DEADLINE, Control, Daemon, Subscriber, Update
from pythontuio import Cursor, TuioServer
from scenes import scene, toss
from tool import TIME, ctl, lines, recording, staying_daemon
from trackers import CURSORS, Bridge, Table, bundle, frame, frame2, head2, message

# On the view, and 32 points to its right, in a viewport of 320 × 568.
LANDING, DRAGGED = (0.5, 0.4), (0.6, 0.4)


def follow(daemon: Daemon, control: Control, session: str, **fields: object) -> Subscriber:
    control.open(session, scene(toss(), **fields))
    return daemon.subscriber(f"state/{session}/", f"scene/{session}")


def is_dragged(update: Update, x: float, y: float) -> bool:
    anchor = update.body.get("views", {}).get("anchor")
    return anchor is not None and abs(anchor["x"] - x) < 0.1 and abs(anchor["y"] - y) < 0.1


def expect_dragged(updates: Subscriber, session: str, x: float, y: float) -> list[Update]:
    """Waits until the view's contact lies at a point; returns what came until then."""
    return updates.until(
        lambda update: is_dragged(update, x, y), f"a touch of {session} at {x}, {y}")


def expect_released(updates: Subscriber, session: str) -> None:
    updates.until(
        lambda update: "anchor" not in update.body.get("views", {"anchor": 1}), "the release")


def test_a_tracker_from_elsewhere_drags_a_view(daemon: Daemon, control: Control, session: str):
    updates = follow(daemon, control, session)
    with Table(daemon, session) as table:
        tracker = TuioServer("127.0.0.1", table.port)
        finger = Cursor(12)
        finger.position = LANDING
        tracker.cursors.append(finger)
        tracker.send_bundle()
        table.until(contacts=1)
        for step in range(1, 11):
            finger.position = (0.5 + step / 100, 0.4)
            # It sends no velocities; the daemon measures its own.
            assert finger.velocity == (0, 0)
            tracker.send_bundle()
        expect_dragged(updates, session, 192, 227.2)
        tracker.cursors.clear()
        tracker.send_bundle()
        expect_released(updates, session)
        counters = table.stop()
    assert counters["contacts"] == 1 and counters["frames"] == counters["packets"] == 12
    # Its lists of living blobs.
    assert counters["ignored"] == 12 and counters["malformed_packets"] == 0
    assert counters["dropped"] == 0 and counters["published"] == 12


def test_the_second_version_drags_a_view(daemon: Daemon, control: Control, session: str):
    updates = follow(daemon, control, session)
    with Table(daemon, session) as table:
        table.send(frame2(1, {7: LANDING}, 3), frame2(2, {7: DRAGGED}, 3))
        expect_dragged(updates, session, 192, 227.2)
        table.send(frame2(3, {}, 3))
        expect_released(updates, session)
        assert table.stop()["ignored"] == 3


def test_a_crowd_comes_in_several_bundles(daemon: Daemon, control: Control, session: str):
    """18 fingers of TUIO 2.0 are more than a datagram of 1,500 bytes holds."""
    follow(daemon, control, session)
    with Table(daemon, session) as table:
        def send(number: int, ids: list[int]) -> None:
            for start in range(0, len(ids), 8):
                pointers = [
                    message("/tuio2/ptr", id, 0, 0, id / 20, 0.9, 0.0, 0.0, 0.01, 0.0)
                    for id in ids[start:start + 8]]
                end = [message("/tuio2/alv", *ids)] if start + 8 >= len(ids) else []
                table.send(bundle(head2(number), *pointers, *end))

        send(1, list(range(1, 19)))
        assert table.until(contacts=18)["incomplete"] == 0
        send(2, [1])
        table.until(frames=2)
        # The others have lifted.
        assert table.stop()["cancelled"] == 1


def test_a_tracker_without_a_name_may_send_from_any_port(
    daemon: Daemon, control: Control, session: str
):
    updates = follow(daemon, control, session)
    with Table(daemon, session) as table:
        for number in range(1, 31):
            with table.another() as tracker:
                tracker.send(frame(number, {1: DRAGGED if number > 1 else LANDING}))
        expect_dragged(updates, session, 192, 227.2)
        with table.another() as tracker:
            tracker.send(frame(31, {}))
        expect_released(updates, session)
        counters = table.stop()
    assert counters["contacts"] == 1 and counters["refused_sources"] == 0


def test_a_finger_at_the_edge_of_the_table_touches(
    daemon: Daemon, control: Control, session: str, tmp_path: pathlib.Path
):
    follow(daemon, control, session)
    copy = tmp_path / "copy.jsonl"
    with recording(daemon, copy) as (recorder, events):
        with Table(daemon, session, events=events) as table:
            table.send(frame(1, {1: (1.0, 1.0)}))
            table.until(contacts=1)
            table.stop()
        recorder.end()
    assert heard(copy)[min(heard(copy))][0] == ("began", 319.999)


def test_the_viewport_is_followed_when_it_changes(
    daemon: Daemon, control: Control, session: str
):
    updates = follow(daemon, control, session)
    with Table(daemon, session) as table:
        table.send(frame(1, {1: LANDING}), frame(2, {1: DRAGGED}))
        expect_dragged(updates, session, 192, 227.2)
        control.publish(
            f"command/{session}", {"command": "resize", "viewport": [640, 1136]})
        # Only a following bridge knows the new one; until it does, each frame has the old place.
        end, number = time.monotonic() + DEADLINE, 3
        while not any(is_dragged(update, 384, 454.4) for update in updates.during(0.02)):
            assert time.monotonic() < end
            table.send(frame(number, {1: (0.61, 0.4)}), frame(number + 1, {1: DRAGGED}))
            number += 2


def test_area_and_turn_carry_the_table_into_the_viewport(
    daemon: Daemon, control: Control, session: str
):
    updates = follow(daemon, control, session)
    arguments = ["--area", "0,0.5,0.5,1", "--turn", "180"]
    with Table(daemon, session, *arguments) as table:
        # The lower left quarter of the table, upside down.
        table.send(frame(1, {1: (0.25, 0.8)}), frame(2, {1: (0.2, 0.8)}))
        expect_dragged(updates, session, 192, 227.2)


def test_a_touch_opens_the_session(daemon: Daemon, control: Control, session: str):
    updates = daemon.subscriber(f"scene/{session}", f"state/{session}/")
    with Table(daemon, session, "--scene", "kiosk") as table:
        table.send(frame(1, {1: LANDING}))
        assert updates.find(f"scene/{session}").body["scene"] == "kiosk"
        # The contact waited for the viewport, and is told now.
        assert table.until(contacts=1)["unplaced"] == 0
    with Table(daemon, session + "x", "--scene", "none") as table:
        table.send(frame(1, {1: LANDING}))
        assert table.said(rf"gesturectl: cannot open {session}x: unknown-scene: .*")


def heard(copy: pathlib.Path) -> dict[int, list[tuple[str, float]]]:
    """By contact, what the daemon was told: phases and places."""
    told: dict[int, list] = {}
    for line in lines(copy.read_text()):
        if line.get("topic", "").startswith("gesture/"):
            body = line["body"]
            told.setdefault(body["pointer"], []).append((body["phase"], body["x"]))
    return told


def expect_sound(told: dict[int, list[tuple[str, float]]]) -> None:
    for contact in told.values():
        phases = [phase for phase, _ in contact]
        assert phases[0] == "began" and phases[-1] in ("ended", "cancelled"), phases
        assert set(phases[1:-1]) <= {"changed"}, phases


def test_lost_late_and_repeated_frames_leave_whole_contacts(
    daemon: Daemon, control: Control, session: str, tmp_path: pathlib.Path
):
    chance = random.Random(20)
    follow(daemon, control, session)
    copy = tmp_path / "copy.jsonl"
    with recording(daemon, copy) as (recorder, events):
        with Table(daemon, session, events=events) as table:
            frames, contacts, fresh = [], {}, 1
            for number in range(1, 401):
                if chance.random() < 0.1 and len(contacts) < 5:
                    contacts[fresh] = [chance.random(), chance.random()]
                    fresh += 1
                if chance.random() < 0.08 and contacts:
                    del contacts[chance.choice(list(contacts))]
                for place in contacts.values():
                    place[0] = min(1, max(0, place[0] + chance.uniform(-0.02, 0.02)))
                frames.append(frame(number, {id: tuple(p) for id, p in contacts.items()}))
            # One in five is lost, some overtake others, some come twice.
            order = sorted(
                (one for one in range(400) if chance.random() < 0.8),
                key=lambda one: one + chance.uniform(0, 4))
            order += [one for one in order[-20:] if chance.random() < 0.5]
            for number, one in enumerate(order, 1):
                table.send(frames[one])
                # The contacts of a burst are over before the bridge knows the viewport.
                if number % 40 == 0:
                    table.until(packets=number)
            counters = table.until(packets=len(order))
            assert counters["late"] > 50 and counters["restarted"] == 0
            # The tracker starts again: its numbers and ids begin anew.
            table.send(frame(1, {1: (0.5, 0.5)}), frame(2, {1: (0.6, 0.5)}))
            counters = table.until(restarted=1, packets=len(order) + 2)
            table.stop()
        recorder.end()
    told = heard(copy)
    expect_sound(told)
    assert len(told) == counters["contacts"] > 20
    assert [x for _, x in told[max(told)]] == [160, 192, 192]


def test_a_silent_tracker_is_cancelled_and_a_resting_contact_repeated(
    daemon: Daemon, control: Control, session: str, tmp_path: pathlib.Path
):
    follow(daemon, control, session)
    copy = tmp_path / "copy.jsonl"
    with recording(daemon, copy) as (recorder, events):
        with Table(daemon, session, events=events) as table, table.another() as other:
            table.send(frame(1, {1: LANDING}, "left@10.0.0.1"))
            # The other one has contacts of the same ids, and ends its own.
            other.send(frame(9, {1: (0.1, 0.1)}, "right@10.0.0.2"))
            table.until(contacts=2)
            other.send(frame(10, {}, "right@10.0.0.2"))
            counters = table.until(silent=2)
            table.stop()
        recorder.end()
    assert counters["cancelled"] == 1
    left, right = heard(copy).values()
    assert left == [("began", 160), *[("changed", 160)] * 3, ("cancelled", 160)]
    assert right == [("began", 32), ("ended", 32)]


def test_malformed_packets_are_counted_and_never_fatal(
    daemon: Daemon, control: Control, session: str
):
    chance = random.Random(7)
    updates = follow(daemon, control, session)
    good = [
        frame(-1, {1: (0.1, 0.2), 2: (0.9, 0.8)}, "a@b"), frame2(0, {3: (0.5, 0.5)}, 9),
        bundle(message(CURSORS, "alive"), message("/other", 1, 2.0, "three", b"four")),
        message(CURSORS, "alive", 1, 2, 3).dgram]
    with Table(daemon, session) as table:
        for number in range(1, 10_001):
            if number % 4 == 0:
                packet = bytearray(chance.randbytes(chance.randrange(120)))
            else:
                packet = bytearray(chance.choice(good))
                for _ in range(chance.randint(1, 5)):
                    place = chance.randrange(len(packet))
                    packet[place] = chance.choice([0, 0xFF, 0x7F, chance.randrange(256)])
                if chance.random() < 0.3:
                    del packet[chance.randrange(len(packet)):]
            table.send(bytes(packet))
            if number % 200 == 0:
                # As fast as it reads, for a full socket would drop some.
                counters = table.until(packets=number)
        assert counters["packets"] == 10_000
        assert counters["malformed_packets"] > 3_000 and counters["malformed_messages"] > 100
        # Whatever sources the nonsense has named: once they are silent there is room again.
        with table.another() as tracker:
            end = time.monotonic() + DEADLINE
            while not any(is_dragged(update, 192, 227.2) for update in updates.during(0.05)):
                assert time.monotonic() < end, table.counters()
                for contacts in ({}, {1: LANDING}, {1: DRAGGED}):
                    tracker.send(frame(-1, contacts))
        table.stop()


def test_answers_that_are_none_are_counted_and_never_fatal(daemon: Daemon, session: str):
    liar = daemon.socket(zmq.ROUTER)
    port = liar.bind_to_random_port("tcp://127.0.0.1")
    with Table(daemon, session, "--control", f"tcp://127.0.0.1:{port}") as table:
        end, number = time.monotonic() + DEADLINE, 1
        while table.counters()["bad_replies"] < 2:
            assert time.monotonic() < end
            # Each finger that lands lets it ask for the session.
            table.send(frame(number, {number: LANDING}))
            number += 1
            while liar.poll(20):
                *envelope, _ = liar.recv_multipart()
                liar.send_multipart([*envelope, b'{"ok":', b"nonsense"])
        assert table.stop()["contacts"] == 0


def test_a_contact_that_was_down_when_the_daemon_went_touches_no_more(tmp_path: pathlib.Path):
    with staying_daemon() as daemon:
        control = daemon.requests()
        updates = follow(daemon, control, "table")
        with Table(daemon, "table") as table:
            table.send(frame(1, {1: LANDING}), frame(2, {1: DRAGGED}))
            expect_dragged(updates, "table", 192, 227.2)
            control = daemon.restart(signal.SIGKILL)
            updates = daemon.subscriber("state/table/")
            # The finger is still there, and moves; another one lands.
            number = 3
            while table.counters()["contacts"] < 2:
                table.send(frame(number, {1: (0.4, 0.35)}))
                table.send(frame(number + 1, {1: (0.6, 0.35), number: LANDING}))
                number += 2
            table.send(frame(number, {1: (0.4, 0.35), number - 2: DRAGGED}))
            for update in expect_dragged(updates, "table", 192, 227.2):
                anchor = update.body["views"].get("anchor")
                assert anchor is None or anchor["y"] > 220, update
            table.send(frame(number + 1, {}))
            expect_released(updates, "table")
            counters = table.stop()
    assert counters["lost"] == 1 and counters["cancelled"] == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_its_end_cancels_what_touches(
    daemon: Daemon, control: Control, session: str, number: signal.Signals
):
    updates = follow(daemon, control, session)
    with Table(daemon, session) as table:
        table.send(frame(1, {1: LANDING}), frame(2, {1: DRAGGED}))
        expect_dragged(updates, session, 192, 227.2)
        status, said = table.end(number)
        assert status == 0 and "cancelled=1" in said, said
        expect_released(updates, session)


@pytest.mark.parametrize(("arguments", "complaint"), [
    ([], "--session SESSION is missing"),
    (["--session", "a b"], "--session must be a session's name, not 'a b'"),
    (["--session", "-"], "--session must be a session's name, not '-'"),
    (["--session", "a", "--listen", "table"], "--listen must be an address such as 127.0.0.1"),
    (["--session", "a", "--listen", "http://127.0.0.1:3333"], "or udp://127.0.0.1:3333, not 'http"),
    (["--session", "a", "--listen", "udp://127.0.0.1:99999"], "or udp://127.0.0.1:3333, not 'udp"),
    (["--session", "a", "--listen", "127.0.0.1:1", "--port", "2"], "names a port, and --port too"),
    (["--session", "a", "--port", "99999"], "--port must be a whole number from 0 to 65535"),
    (["--session", "a", "--area", "0,0,0,1"], "--area must be LEFT,TOP,RIGHT,BOTTOM"),
    (["--session", "a", "--turn", "45"], "--turn must be 0, 90, 180 or 270, not '45'"),
    (["--session", "a", "--scene", "/"], "--scene must be a name"),
    (["--session", "a", "--statistics", "0"], "--statistics must be a number from 0.1"),
    (["--session", "a", "more"], "'more' is one argument too many"),
])
def test_a_wrong_command_line_is_explained(arguments: list[str], complaint: str):
    ended = ctl("bridge", "tuio", *arguments)
    assert ended.returncode == 2 and complaint in ended.stderr.decode(), ended.stderr


@pytest.mark.parametrize("listen", [
    "udp://127.0.0.1:{}", "UDP://127.0.0.1:{}/", "127.0.0.1:{}", "udp://[::1]:{}", "[::1]:{}"])
def test_the_address_that_it_prints_is_one_that_it_takes(
    daemon: Daemon, session: str, listen: str
):
    family = socket.AF_INET6 if "::" in listen else socket.AF_INET
    host = "::1" if "::" in listen else "127.0.0.1"
    with socket.socket(family, socket.SOCK_DGRAM) as free:
        free.bind((host, 0))
        port = free.getsockname()[1]
    given = listen.format(port)
    with Bridge(daemon, "tuio", "--session", session, "--listen", given) as first:
        shown = f"[{host}]" if "::" in host else host
        assert first.ready == f"udp://{shown}:{port}"
    with Bridge(daemon, "tuio", "--session", session, "--listen", first.ready) as second:
        assert second.ready == first.ready


def test_an_address_of_version_6_needs_no_brackets(daemon: Daemon, session: str):
    with Bridge(
        daemon, "tuio", "--session", session, "--listen", "::1", "--port", "0") as bridge:
        assert bridge.ready.startswith("udp://[::1]:")


def test_a_port_that_is_taken_is_named():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        ended = ctl("bridge", "tuio", "--session", "a", "--port", port)
    # A service manager starts it again after this status: the port may be free later.
    assert ended.returncode == 1
    said = ended.stderr.decode()
    assert f"udp://127.0.0.1:{port}: Address already in use: perhaps another bridge" in said
    assert f"(ss -lunp 'sport = :{port}' shows whose it is)" in said and "--help" not in said
    assert TIME.match(ended.stderr), "it has its time"


def test_an_address_that_is_not_there_yet_is_no_mistake():
    ended = ctl("bridge", "tuio", "--session", "a", "--listen", "192.0.2.1", "--port", "0")
    assert ended.returncode == 1
    said = ended.stderr.decode()
    assert "udp://192.0.2.1:0: Cannot assign requested address" in said and "--help" not in said
