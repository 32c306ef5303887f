"""gesturectl's record, against the real daemon."""

from __future__ import annotations

import json
import os
import pathlib
import signal
import time

import zmq
from client import DEADLINE, Control, Daemon
from scenes import scene, toss
from tool import OWN, Tool, ctl, lines


def scripted(file: pathlib.Path, session: str) -> None:
    """Two components, all instants on the grid of steps or between; no seed: the name's own."""
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
    """What a recording shows, its times from the first."""
    result = ctl("simulate", file)
    assert result.returncode == 0, result.stderr
    got = [(line["topic"], line["body"]) for line in lines(result.stdout)]
    first = got[0][1]["t"]
    return [(topic, body | {"t": round(body["t"] - first, 3)}) for topic, body in got]


def test_what_is_replayed_through_a_record_simulates_the_same(
    daemon: Daemon, session: str, tmp_path: pathlib.Path
):
    source, copy = tmp_path / "source.jsonl", tmp_path / "copy.jsonl"
    scripted(source, session)
    updates = daemon.subscriber(f"state/{session}/toss", f"badge/{session}")
    with Tool(daemon, "record", copy, "--bind", "tcp://127.0.0.1:*") as recorder:
        endpoint = recorder.said(r"recording what comes to (tcp://127\.0\.0\.1:\d+)")[1]
        with Tool(daemon, "replay", source, events=endpoint) as player:
            assert player.wait()[0] == 0
        assert updates.find(f"badge/{session}"), "it does not reach the daemon"
        code, errors = recorder.end()
    assert code == 0 and "22 events recorded" in errors, errors
    assert [(line["topic"], line["body"]) for line in lines(copy.read_text())[1:]] \
        == [(line["topic"], line["body"]) for line in lines(source.read_text())[1:]]
    assert simulated(copy) == simulated(source)


def test_a_screen_fills_the_viewport_of_the_session_that_is_open(
    daemon: Daemon, control: Control, session: str, tmp_path: pathlib.Path
):
    control.open(session, scene(toss(), viewport=[1080, 1920]))
    copy = tmp_path / "copy.jsonl"
    with Tool(daemon, "record", copy, "--bind", "tcp://127.0.0.1:*") as recorder:
        endpoint = recorder.said(r"recording what comes to (\S+)")[1]
        file = OWN / "others" / "two-fingers.evemu"
        with Tool(daemon, "replay", file, "--session", session, events=endpoint) as player:
            assert player.wait()[0] == 0
        recorder.end()
    plain = lines(ctl("convert", file).stdout)
    for near, far in zip(plain[1:], lines(copy.read_text())[1:], strict=True):
        assert near["t"] == far["t"] and near["body"]["phase"] == far["body"]["phase"]
        for axis, part in (("x", 320 / 1080), ("y", 568 / 1920)):
            assert abs(near["body"][axis] - far["body"][axis] * part) < 1e-6


def test_a_daemon_that_takes_nothing_holds_the_record_back_and_loses_nothing(tmp_path):
    copy, count = tmp_path / "copy.jsonl", 20_000
    with Daemon() as daemon, Tool(
            daemon, "record", copy, "--bind", "tcp://127.0.0.1:*") as recorder:
        publisher = daemon.publisher(recorder.said(r"recording what comes to (\S+)")[1])
        control = daemon.requests()
        control.open("held", "phone")
        daemon.process.send_signal(signal.SIGSTOP)
        try:
            for _ in range(count):
                publisher.send("notification/held", {"kind": "likes", "own": "x" * 2_000})
            recorder.said("the daemon takes nothing; its events wait")
            before = busy_seconds(recorder.process.pid)
            time.sleep(1)
            assert busy_seconds(recorder.process.pid) - before < 0.2, "it waits by trying"
        finally:
            daemon.process.send_signal(signal.SIGCONT)
        end = time.monotonic() + 3 * DEADLINE
        while control.badge("held")["counts"].get("likes") != count:
            assert time.monotonic() < end, control.badge("held")
            time.sleep(0.1)
        code, errors = recorder.end()
    assert code == 0 and f"{count} events recorded" in errors
    assert copy.read_bytes().count(b"\n") == count + 1


def busy_seconds(process: int) -> float:
    """What a process has kept processors busy."""
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_what_waits_for_a_daemon_ends_with_a_second_interruption(tmp_path: pathlib.Path):
    with Daemon() as daemon, Tool(
            daemon, "record", tmp_path / "copy.jsonl", "--timeout", "600",
            "--bind", "tcp://127.0.0.1:*") as recorder:
        publisher = daemon.publisher(recorder.said(r"recording what comes to (\S+)")[1])
        daemon.process.send_signal(signal.SIGSTOP)
        try:
            for _ in range(20_000):
                publisher.send("notification/held", {"kind": "likes", "own": "x" * 2_000})
            recorder.said("the daemon takes nothing; its events wait")
            recorder.process.send_signal(signal.SIGINT)
            recorder.said(r"\d+ events recorded")
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
        assert code == 2 and "Address already in use" in errors, errors
    assert not new.exists() and old.read_text() == "dear\n"


def test_a_killed_record_leaves_whole_lines(
    daemon: Daemon, session: str, tmp_path: pathlib.Path
):
    copy = tmp_path / "copy.jsonl"
    with Tool(daemon, "record", copy, "--bind", "tcp://127.0.0.1:*") as recorder:
        endpoint = recorder.said(r"recording what comes to (\S+)")[1]
        publisher = daemon.publisher(endpoint)
        for number in range(200):
            publisher.send(f"notification/{session}", {"kind": "likes", "n": number})
        end = time.monotonic() + DEADLINE
        while copy.read_bytes().count(b"\n") < 201:
            assert time.monotonic() < end, "not everything is recorded"
            time.sleep(0.02)
        recorder.process.kill()
    got = lines(copy.read_text())
    assert [line["body"]["n"] for line in got[1:]] == list(range(200))
    # As if it had been killed within a line.
    copy.write_bytes(copy.read_bytes()[:-7])
    assert b":201: not JSON" in ctl("convert", copy).stderr
    result = ctl("convert", copy, "--keep-going")
    assert result.returncode == 0 and result.stdout.count(b"\n") == 200


def test_what_no_recording_can_hold_goes_by_and_is_counted(
    daemon: Daemon, control: Control, session: str, tmp_path: pathlib.Path
):
    copy = tmp_path / "copy.jsonl"
    rejected = daemon.subscriber("rejected/")
    with Tool(daemon, "record", copy, "--bind", "tcp://127.0.0.1:*") as recorder:
        publisher = daemon.publisher(recorder.said(r"recording what comes to (\S+)")[1])
        publisher.raw(b"only-a-topic")
        publisher.raw(f"notification/{session}".encode(), b"{nonsense")
        publisher.raw(b"\xff/x", b"{}")
        # Others' times are their own; one that cannot be is not believed.
        publisher.send(f"notification/{session}", {"kind": "likes", "t": 5})
        codes = {rejected.until(lambda _: True, "a refusal")[-1].body["code"] for _ in range(3)}
        assert codes == {"bad-frames", "bad-json", "bad-topic"}, "not all of it reaches the daemon"
        code, errors = recorder.end(signal.SIGTERM)
    assert code == 0 and "1 event recorded; 3 that no recording can hold went by" in errors
    header, event = lines(copy.read_text())
    assert event["t"] == 0 and event["body"]["t"] < -1e12, "its own time is lost"
    assert control.badge(session)["counts"] == {"likes": 1}


def test_a_record_is_not_written_over(daemon: Daemon, tmp_path: pathlib.Path):
    copy = tmp_path / "copy.jsonl"
    copy.write_text("mine")
    with Tool(daemon, "record", copy) as recorder:
        code, errors = recorder.wait()
    assert code == 2 and "exists" in errors and copy.read_text() == "mine"


def test_a_record_fetches_from_a_publisher_that_binds(
    daemon: Daemon, session: str, tmp_path: pathlib.Path
):
    copy = tmp_path / "copy.jsonl"
    publisher = daemon.socket(zmq.XPUB)
    port = publisher.bind_to_random_port("tcp://127.0.0.1")
    with Tool(daemon, "record", copy, "--connect", f"tcp://127.0.0.1:{port}",
              "--no-forward") as recorder:
        recorder.said("recording what comes to .*")
        assert publisher.poll(DEADLINE * 1000) and publisher.recv() == b"\x01"
        publisher.send_multipart([f"notification/{session}".encode(), b'{"kind":"likes"}'])
        end = time.monotonic() + DEADLINE
        while copy.read_bytes().count(b"\n") < 2:
            assert time.monotonic() < end
            time.sleep(0.02)
        assert recorder.end()[0] == 0
    assert session not in daemon.requests().sessions(), "it was sent on"
