"""`gesturectl record` against the real daemon."""

from __future__ import annotations

import json
import pathlib
import signal
import socket
import threading
import time

import pytest
import zmq
from client import DEADLINE, Control, Daemon
from preload import library
from reliability import busy_seconds, wait_for
from scenes import scene, toss
from tool import OWN, Tool, ctl, lines, recording, staying_daemon


def scripted(file: pathlib.Path, session: str) -> None:
    """A recording on and between steps, without a seed: the session's name gives it."""
    entries = [(0, f"command/{session}", {"command": "open", "scene": scene(toss())})]
    for number in range(20):
        phase = "began" if number == 0 else "ended" if number == 19 else "changed"
        entries.append((200 + 12.5 * number, f"gesture/{session}/toss", {
            "gesture": "pan", "phase": phase, "x": 160 + 9 * number, "y": 223 - 5 * number}))
    entries.append((900, f"notification/{session}", {"kind": "likes"}))
    file.write_text("".join(json.dumps(line) + "\n" for line in [
        {"gesture-recording": 1},
        *({"t": t, "topic": topic, "body": body} for t, topic, body in entries)]))


def simulated(file: pathlib.Path) -> list[tuple[str, dict]]:
    """A recording's updates, with times since the first."""
    result = ctl("simulate", file)
    assert result.returncode == 0, result.stderr
    got = [(line["topic"], line["body"]) for line in lines(result.stdout)]
    first = got[0][1]["t"]
    return [(topic, body | {"t": round(body["t"] - first, 3)}) for topic, body in got]


def test_a_replay_through_record_simulates_the_same(
    daemon: Daemon, session: str, tmp_path: pathlib.Path
):
    source, copy = tmp_path / "source.jsonl", tmp_path / "copy.jsonl"
    scripted(source, session)
    updates = daemon.subscriber(f"state/{session}/toss", f"badge/{session}")
    with recording(daemon, copy) as (recorder, endpoint):
        with Tool(daemon, "replay", source, events=endpoint) as player:
            assert player.wait()[0] == 0
        assert updates.find(f"badge/{session}"), "the event does not reach the daemon"
        code, errors = recorder.end()
    assert code == 0 and "22 events recorded" in errors, errors
    assert [(line["topic"], line["body"]) for line in lines(copy.read_text())[1:]] \
        == [(line["topic"], line["body"]) for line in lines(source.read_text())[1:]]
    assert simulated(copy) == simulated(source)


def test_a_screen_is_fitted_to_the_viewport_of_the_session_that_is_open(
    daemon: Daemon, control: Control, session: str, tmp_path: pathlib.Path
):
    control.open(session, scene(toss(), viewport=[1080, 1920]))
    copy = tmp_path / "copy.jsonl"
    with recording(daemon, copy) as (recorder, endpoint):
        file = OWN / "others" / "two-fingers.evemu"
        with Tool(daemon, "replay", file, "--session", session, events=endpoint) as player:
            assert player.wait()[0] == 0
        recorder.end()
    plain = lines(ctl("convert", file).stdout)
    for near, far in zip(plain[1:], lines(copy.read_text())[1:], strict=True):
        assert near["t"] == far["t"] and near["body"]["phase"] == far["body"]["phase"]
        # One scale for both directions, from the middle; coordinates have three decimals.
        for axis, middle, far_middle in (("x", 160, 540), ("y", 284, 960)):
            there = (far["body"][axis] - far_middle) * 568 / 1920
            assert abs(near["body"][axis] - middle - there) < 0.002


def likes(control: Control, session: str) -> int | None:
    """None also while the daemon is busy with what came before."""
    answer = control.ask("snapshot", session=session)
    if not answer["ok"]:
        assert answer["error"]["code"] == "busy", answer
        return None
    bodies = {update["topic"]: update["body"] for update in answer["updates"]}
    return bodies[f"badge/{session}"]["counts"].get("likes")


def test_a_daemon_that_takes_nothing_holds_the_record_back_and_loses_nothing(tmp_path):
    copy, count = tmp_path / "copy.jsonl", 20_000
    with Daemon() as daemon, recording(daemon, copy) as (recorder, endpoint):
        publisher = daemon.publisher(endpoint)
        control = daemon.requests()
        control.open("held", "phone")
        daemon.process.send_signal(signal.SIGSTOP)
        try:
            for _ in range(count):
                publisher.send("notification/held", {"kind": "likes", "own": "x" * 2_000})
            recorder.said("gesturectl: no daemon answers: the recording names no scenes")
            recorder.said("the daemon accepts nothing; events wait")
            before = busy_seconds(recorder.process.pid)
            # Measures one second of work.
            time.sleep(1)
            assert busy_seconds(recorder.process.pid) - before < 0.2, "record polls while it waits"
        finally:
            daemon.process.send_signal(signal.SIGCONT)
        wait_for(
            lambda: likes(control, "held") == count, "all have come",
            3 * DEADLINE)
        code, errors = recorder.end()
    assert code == 0 and f"{count} events recorded" in errors
    assert copy.read_bytes().count(b"\n") == count + 1


def test_a_waiting_record_ends_with_a_second_interruption(tmp_path: pathlib.Path):
    with Daemon() as daemon, recording(
            daemon, tmp_path / "copy.jsonl", "--timeout", "600") as (recorder, endpoint):
        publisher = daemon.publisher(endpoint)
        daemon.process.send_signal(signal.SIGSTOP)
        try:
            for _ in range(20_000):
                publisher.send("notification/held", {"kind": "likes", "own": "x" * 2_000})
            # It asks for the scene, and waits for that a moment alone, whatever --timeout says.
            recorder.said("gesturectl: no daemon answers: the recording names no scenes")
            recorder.said("the daemon accepts nothing; events wait")
            recorder.process.send_signal(signal.SIGINT)
            recorder.said(r"\d+ events recorded; 1 scene missing")
            assert recorder.end()[0] == -signal.SIGINT
        finally:
            daemon.process.send_signal(signal.SIGCONT)


def test_an_endpoint_that_is_taken_leaves_no_file_and_empties_none(
    daemon: Daemon, tmp_path: pathlib.Path
):
    new, old = tmp_path / "new.jsonl", tmp_path / "old.jsonl"
    old.write_text("dear\n")
    for arguments in ((new,), (old, "--overwrite")):
        with Tool(daemon, "record", *arguments, "--bind", daemon.updates) as recorder:
            code, errors = recorder.wait()
        assert code == 2 and "the endpoint is in use by another program" in errors, errors
    assert not new.exists() and old.read_text() == "dear\n"


def test_an_endpoint_of_a_file_is_not_taken_from_its_listener(
    control: Control, tmp_path: pathlib.Path
):
    copy = tmp_path / "copy.jsonl"
    with staying_daemon() as daemon:
        for endpoint in (daemon.updates, daemon.events):
            with Tool(daemon, "record", copy, "--bind", endpoint) as recorder:
                assert recorder.wait() == (
                    2, f"gesturectl: {endpoint}: Address already in use: a daemon or another "
                    "record listens there; name another endpoint by --bind\n")
        assert daemon.requests().sessions() == [] and not copy.exists()
        # Publishers still reach it.
        daemon.publisher().send("notification/alice", {"kind": "likes"})
        wait_for(lambda: daemon.requests().sessions() == ["alice"], "the daemon is reached")
        # A killed record leaves its socket file. Another record may take it over.
        file = pathlib.Path(daemon.folder) / "tap"
        stale = socket.socket(socket.AF_UNIX)
        stale.bind(str(file))
        stale.close()
        with Tool(daemon, "record", copy, "--bind", f"ipc://{file}", "--for", "0.1") as recorder:
            assert recorder.wait() == (0, f"recording events from ipc://{file}\n"
                                       "0 events recorded\n")


@pytest.mark.parametrize("arguments", [
    ["--bind", "tcp://127.0.0.1:73410"], ["--connect", "tcp://127.0.0.1:73410"],
    ["--events", "tcp://127.0.0.1:73410"]])
def test_a_port_beyond_the_last_is_refused(
    daemon: Daemon, tmp_path: pathlib.Path, arguments: list
):
    with Tool(daemon, "record", tmp_path / "copy.jsonl", *arguments) as recorder:
        code, errors = recorder.wait()
    assert code == 2 and errors.count("73410") == 1
    assert "the port must be * or a number from 0 to 65535" in errors, errors


def test_an_interrupted_record_keeps_every_sent_event(tmp_path: pathlib.Path):
    copy, count = tmp_path / "copy.jsonl", 8_000
    with Daemon() as daemon, recording(daemon, copy) as (recorder, endpoint):
        publisher = daemon.publisher(endpoint)
        control = daemon.requests()
        control.open("held", "phone")
        for _ in range(count):
            publisher.send("notification/held", {"kind": "likes"})
        assert recorder.end() == (0, f"{count} events recorded\n")
        wait_for(lambda: likes(control, "held") == count, "all have come")
    assert copy.read_bytes().count(b"\n") == count + 1


def test_an_interruption_right_after_its_first_line_ends_it_in_order(tmp_path: pathlib.Path):
    # The threads of ZeroMQ have not run yet, as on a busy machine.
    late = {"LD_PRELOAD": library("late_threads"), "LATE_MILLISECONDS": "300"}
    with Daemon() as daemon, recording(daemon, tmp_path / "copy.jsonl", **late) as (recorder, _):
        code, errors = recorder.end()
    assert code == 0 and "recorded" in errors


def test_a_publisher_that_never_rests_does_not_hold_its_end_up(tmp_path: pathlib.Path):
    with Daemon() as daemon, recording(
            daemon, tmp_path / "copy.jsonl") as (recorder, endpoint):
        publisher = daemon.publisher(endpoint)
        is_over = threading.Event()

        def publish() -> None:
            while not is_over.is_set():
                publisher.socket.send_multipart(
                    [b"notification/held", b'{"kind":"likes"}'], zmq.DONTWAIT)
                is_over.wait(0.01)

        busy = threading.Thread(target=publish)
        busy.start()
        try:
            began = time.monotonic()
            code, errors = recorder.end()
        finally:
            is_over.set()
            busy.join()
        assert code == 0 and "recorded" in errors and time.monotonic() - began < DEADLINE / 2


def test_a_record_keeps_what_comes_while_no_daemon_is_there(session: str, tmp_path: pathlib.Path):
    copy = tmp_path / "copy.jsonl"
    with staying_daemon() as daemon, recording(daemon, copy) as (recorder, endpoint):
        publisher = daemon.publisher(endpoint)
        updates = daemon.subscriber(f"badge/{session}")
        publisher.send(f"notification/{session}", {"kind": "likes"})
        updates.find(f"badge/{session}", total=1)
        # The answer confirms that the daemon has stored the earlier events.
        daemon.requests().publish(f"notification/{session}", {"kind": "others"})
        # Only then has record the scene of the session, for which it asks the daemon.
        wait_for(lambda: copy.read_bytes().count(b"\n") >= 2, "the first event is recorded")
        daemon.stop(signal.SIGKILL)
        # Record may send these before it knows that the daemon is gone.
        sent = 0
        while not recorder.speaks_within(0.01) and sent < 1_000:
            publisher.send(f"notification/{session}", {"kind": "on-the-way"})
            sent += 1
        recorder.said("the daemon accepts nothing; events wait")
        for _ in range(50):
            publisher.send(f"notification/{session}", {"kind": "likes"})
        control = daemon.restart()
        wait_for(lambda: likes(control, session) == 51, "all have come")
        assert recorder.end() == (0, f"{51 + sent} events recorded\n")
    assert len(lines(copy.read_text())) == 52 + sent


def test_a_killed_record_leaves_whole_lines(
    daemon: Daemon, session: str, tmp_path: pathlib.Path
):
    copy = tmp_path / "copy.jsonl"
    with recording(daemon, copy) as (recorder, endpoint):
        publisher = daemon.publisher(endpoint)
        for number in range(200):
            publisher.send(f"notification/{session}", {"kind": "likes", "n": number})
        wait_for(lambda: copy.read_bytes().count(b"\n") >= 201, "everything is recorded")
        recorder.process.kill()
    got = lines(copy.read_text())
    assert [line["body"]["n"] for line in got[1:]] == list(range(200))
    # As after a kill within a line.
    copy.write_bytes(copy.read_bytes()[:-7])
    assert b":201: not JSON" in ctl("convert", copy).stderr
    result = ctl("convert", copy, "--keep-going")
    assert result.returncode == 0 and result.stdout.count(b"\n") == 200


def test_messages_that_no_recording_can_hold_pass_and_are_counted(
    daemon: Daemon, control: Control, session: str, tmp_path: pathlib.Path
):
    copy = tmp_path / "copy.jsonl"
    rejected = daemon.subscriber("rejected/")
    with recording(daemon, copy) as (recorder, endpoint):
        publisher = daemon.publisher(endpoint)
        publisher.raw(b"only-a-topic")
        publisher.raw(f"notification/{session}".encode(), b"{nonsense")
        publisher.raw(b"\xff/x", b"{}")
        # The publisher's time stays in the body. Record does not trust this impossible one.
        publisher.send(f"notification/{session}", {"kind": "likes", "t": 5})
        codes = {rejected.until(lambda _: True, "a refusal")[-1].body["code"] for _ in range(3)}
        assert codes == {"bad-frames", "bad-json", "bad-topic"}, "the daemon missed a message"
        code, errors = recorder.end(signal.SIGTERM)
    assert code == 0 and "1 event recorded; 3 messages not recordable" in errors
    header, event = lines(copy.read_text())
    assert event["t"] == 0 and event["body"]["t"] < -1e12, "record lost the publisher's time"
    assert control.badge(session)["counts"] == {"likes": 1}


def test_a_record_is_not_written_over(daemon: Daemon, tmp_path: pathlib.Path):
    copy = tmp_path / "copy.jsonl"
    copy.write_text("mine")
    with Tool(daemon, "record", copy) as recorder:
        code, errors = recorder.wait()
    assert code == 2 and copy.read_text() == "mine"
    assert errors == f"gesturectl: {copy}: File exists (--overwrite replaces it)\n"
    with Tool(daemon, "record", tmp_path) as recorder:
        assert recorder.wait() == (2, f"gesturectl: {tmp_path}: Is a directory\n")


def test_a_record_may_go_to_what_is_no_file(daemon: Daemon):
    arguments = ["--bind", "tcp://127.0.0.1:*", "--for", "0.1"]
    with Tool(daemon, "record", "/dev/stdout", *arguments) as tool:
        assert tool.process.stdout.read() == b'{"gesture-recording":1}\n'
        assert tool.wait()[0] == 0


def test_a_record_fetches_from_a_publisher_that_binds(
    daemon: Daemon, session: str, tmp_path: pathlib.Path
):
    copy = tmp_path / "copy.jsonl"
    publisher = daemon.socket(zmq.XPUB)
    port = publisher.bind_to_random_port("tcp://127.0.0.1")
    with Tool(daemon, "record", copy, "--connect", f"tcp://127.0.0.1:{port}",
              "--no-forward") as recorder:
        recorder.said("recording events from .*")
        assert publisher.poll(DEADLINE * 1000) and publisher.recv() == b"\x01"
        publisher.send_multipart([f"notification/{session}".encode(), b'{"kind":"likes"}'])
        wait_for(lambda: copy.read_bytes().count(b"\n") >= 2, "it is recorded")
        assert recorder.end()[0] == 0
    assert session not in daemon.requests().sessions(), "record forwarded the event"


def test_a_recording_carries_the_scene_of_each_session(
    daemon: Daemon, control: Control, session: str, tmp_path: pathlib.Path
):
    """It was made in another scene than phone, and elsewhere it plays in that one."""
    own = scene(toss(frame=[0, 0, 100, 100]), viewport=[100, 100])
    control.open(session, own)
    named = session + "-b"
    copy = tmp_path / "copy.jsonl"
    with recording(daemon, copy) as (recorder, endpoint):
        publisher = daemon.publisher(endpoint)
        updates = daemon.subscriber(f"badge/{named}")
        publisher.send(f"notification/{session}", {"kind": "likes"})
        publisher.send(f"command/{named}", {"command": "open", "scene": "kiosk"})
        publisher.send(f"notification/{named}", {"kind": "likes"})
        assert updates.find(f"badge/{named}")
        code, errors = recorder.end()
    assert code == 0 and "3 events recorded" in errors
    header, *events = lines(copy.read_text())
    assert header["scene"]["viewport"] == [100, 100]
    opened = next(line for line in events if line["topic"] == f"command/{named}")
    assert opened["body"]["scene"]["name"] == "kiosk" and "components" in opened["body"]["scene"]
    played = ctl("simulate", copy, "--scenes", tmp_path)
    assert played.returncode == 0 and not played.stderr, played.stderr
    scenes = {topic: body for topic, body in simulated(copy) if topic.startswith("scene/")}
    assert scenes[f"scene/{session}"]["viewport"] == [100, 100]


def test_a_recording_without_a_scene_is_said_to_play_in_phone(tmp_path: pathlib.Path):
    file = tmp_path / "bare.jsonl"
    file.write_text('{"gesture-recording":1}\n'
                    '{"t":0,"topic":"gesture/alice/toss","body":{"gesture":"tap","x":1,"y":1}}\n')
    words = b'names no scene for alice: it is played in "phone"; --scene SCENE|FILE names another'
    assert words in ctl("simulate", file).stderr
    assert words in ctl("plot", file, "--field", "toss.item.x", "-o", tmp_path / "a.svg").stderr
    assert words not in ctl("simulate", file, "--scene", "phone").stderr


def test_contacts_beside_the_viewport_are_told(tmp_path: pathlib.Path):
    file = OWN / "others" / "two-fingers.evemu"
    # Where a screen is said to be much smaller than it is, most lies beside the viewport.
    small = ctl("simulate", file, "--component", "", "--screen", "100x100")
    assert small.returncode == 0
    assert b"outside of the viewport of 320x568, where nothing can be touched" in small.stderr
    assert b"outside" not in ctl("simulate", file, "--component", "").stderr


def test_a_file_of_expectations_names_the_scene(tmp_path: pathlib.Path):
    file, expect = tmp_path / "bare.jsonl", tmp_path / "expect" / "bare.expect.toml"
    expect.parent.mkdir()
    file.write_text('{"gesture-recording":1}\n'
                    '{"t":0,"topic":"notification/alice","body":{"kind":"likes"}}\n')
    (tmp_path / "own.toml").write_text(
        'viewport = [50, 60]\n[[components]]\nid = "mine"\nkind = "toss"\n')
    expect.write_text('scene = "../own.toml"\n[[expect]]\nmine.item.x = 160\n')
    met = ctl("simulate", file, "--expect", expect)
    assert met.returncode == 0 and b"names no scene" not in met.stderr, met
    expect.write_text('[[expect]]\nmine.item.x = 160\n')
    wrong = ctl("simulate", file, "--expect", expect)
    assert wrong.returncode == 1 and b"names no scene" in wrong.stderr, wrong
