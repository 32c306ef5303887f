"""gesturectl's tools for recordings, against the real daemon."""

from __future__ import annotations

import json
import os
import pathlib
import re
import signal
import subprocess
import time

import pytest
import zmq
from client import DEADLINE, REPOSITORY, Control, Daemon, binary
from recordings import EVEMU, TOUCHES, described, hexadecimal, missing, name, touches
from recordings import open_contacts
from scenes import VIEWPORT, scene, toss

OWN = REPOSITORY / "Examples" / "recordings"


def ctl(*arguments: object, **options) -> subprocess.CompletedProcess:
    return subprocess.run(
        [str(binary().with_name("gesturectl")), *map(str, arguments)], capture_output=True,
        timeout=3 * DEADLINE, stdin=subprocess.DEVNULL, **options)


class Tool:
    """gesturectl as a process of its own, speaking to a daemon; it is ended with its test."""

    def __init__(self, daemon: Daemon, *arguments: object, events: str | None = None):
        environment = os.environ | {
            "GESTURED_EVENTS": events or daemon.events, "GESTURED_UPDATES": daemon.updates,
            "GESTURED_CONTROL": daemon.control}
        self.process = subprocess.Popen(
            [str(binary().with_name("gesturectl")), *map(str, arguments)], env=environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.heard = b""  # What it has said on standard error, and nobody has asked for.

    def __enter__(self) -> Tool:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()

    def said(self, pattern: str) -> re.Match:
        """The next line of standard error, which must be this."""
        end = time.monotonic() + DEADLINE
        poller = zmq.Poller()
        poller.register(self.process.stderr.fileno(), zmq.POLLIN)
        while b"\n" not in self.heard:
            left = end - time.monotonic()
            assert left > 0 and poller.poll(left * 1000), f"said only {self.heard!r}"
            chunk = os.read(self.process.stderr.fileno(), 65536)
            assert chunk, f"ended with {self.process.wait(DEADLINE)}: {self.heard!r}"
            self.heard += chunk
        line, self.heard = self.heard.split(b"\n", 1)
        match = re.fullmatch(pattern, line.decode())
        assert match, f"said {line!r}, not {pattern}"
        return match

    def end(self, number: int = signal.SIGINT) -> tuple[int, str]:
        self.process.send_signal(number)
        return self.wait()

    def wait(self) -> tuple[int, str]:
        _, errors = self.process.communicate(timeout=3 * DEADLINE)
        return self.process.returncode, (self.heard + errors).decode()


def lines(text: bytes | str) -> list[dict]:
    return [json.loads(line) for line in text.splitlines()]


# Other people's recordings.


def extent(file: pathlib.Path) -> list[str]:
    """What tells the screen's units as the independent reader takes them."""
    if file in EVEMU:
        own = any(line.startswith("A:") for line in file.read_text().splitlines())
        if own:
            return []
        description = next(
            other for other in file.parent.glob("*.desc")
            if file.name.startswith(other.stem + "."))
        assert described(file)
        return ["--device", str(description)]
    device = [
        event for other in file.parent.glob(file.name.split("-")[0] + "-*")
        for event in hexadecimal(other)]
    across, down = (
        max(value for _, kind, code, value in device if (kind, code) == (3, axis))
        for axis in (0x35, 0x36))
    return ["--screen", f"{across + 1}x{down + 1}"]


@missing
@pytest.mark.parametrize("file", TOUCHES, ids=[name(file) for file in TOUCHES])
def test_a_touchscreen_is_read_as_an_independent_reader_reads_it(file: pathlib.Path):
    viewport = f"{VIEWPORT[0]}x{VIEWPORT[1]}"
    result = ctl("convert", file, "--viewport", viewport, *extent(file))
    assert result.returncode == 0, result.stderr
    got = [line for line in lines(result.stdout) if "topic" in line]
    expected = touches(file)
    unended = open_contacts(expected)
    phases = [line["body"]["phase"] for line in got]
    assert phases.count("cancelled") == len(unended)
    assert (b"never ended" in result.stderr) == bool(unended)
    # In one report the order is the device's own; pointers may have other numbers.
    def key(t: float, phase: str, x: float, y: float) -> tuple:
        return round(t, 3), phase, round(x, 2), round(y, 2)
    found = sorted(
        key(line["t"], line["body"]["phase"], line["body"]["x"], line["body"]["y"])
        for line in got if line["body"]["phase"] != "cancelled")
    wanted = sorted(key(s.seconds * 1000, s.phase, s.x, s.y) for s in expected)
    assert len(found) == len(wanted)
    for a, b in zip(found, wanted):
        assert a[1] == b[1] and abs(a[0] - b[0]) < 0.01, (a, b)
        assert abs(a[2] - b[2]) < 0.02 and abs(a[3] - b[3]) < 0.02, (a, b)


@pytest.mark.parametrize("file", sorted((OWN / "others").glob("*.[cegjwx]*")), ids=lambda f: f.name)
def test_our_own_of_each_kind_play_and_simulate(
    daemon: Daemon, control: Control, file: pathlib.Path, tmp_path: pathlib.Path
):
    again = tmp_path / "again.jsonl"
    assert ctl("convert", file, "-o", again).returncode == 0
    assert again.read_bytes() == ctl("convert", file).stdout, "not the same bytes"
    direct, converted = ctl("simulate", file), ctl("simulate", again)
    assert direct.returncode == 0 and direct.stdout == converted.stdout
    assert direct.stdout.count(b"\n") > 3 and b"rejected/" not in direct.stdout
    session = file.stem
    component = "list" if file.suffix == ".json" else "toss"
    control.open(session, "phone")
    updates = daemon.subscriber(f"state/{session}/{component}", f"rejected/{session}")
    with Tool(daemon, "replay", file, "--session", session, "--speed", "2") as tool:
        assert tool.wait()[0] == 0
    got = updates.during(0.5)
    assert len(got) > 3 and all(u.topic.startswith("state/") for u in got), got[-3:]


def test_nothing_of_a_bad_file_is_played(
    daemon: Daemon, control: Control, session: str, tmp_path: pathlib.Path
):
    control.open(session, scene(toss()))
    updates = daemon.subscriber(f"state/{session}/", f"rejected/{session}")
    updates.during(0.2)
    file = tmp_path / "touch"
    whole = (OWN / "others" / "flick.csv").read_text().splitlines()
    file.write_text("\n".join([*whole[:8], "5064,3,move,oops,1", *whole[8:]]))
    with Tool(daemon, "replay", file, "--session", session) as tool:
        code, errors = tool.wait()
    assert code == 2 and errors == f"gesturectl: {file}:9: x is 'oops', not a number\n"
    assert updates.during(0.3) == []
    with Tool(daemon, "replay", file, "--session", session, "--keep-going") as tool:
        code, errors = tool.wait()
    assert code == 0 and f"{file}: 1 line left out in all" in errors
    assert len(updates.during(0.5)) > 3


@pytest.mark.parametrize("content, words", [
    (b"", "empty"), (b"\x7fELF\x00\x00", "binary"), (b"\x1f\x8b\x08\x00junk", "binary"),
    (b"{" * 70_000, "not JSON"), (b"E: 0.1 0003 0039 1\n" * 3, "no events"),
    (b"\xff" * 5_000, "no recording that is known")])
def test_a_file_that_is_none_is_one_line(tmp_path: pathlib.Path, content: bytes, words: str):
    file = tmp_path / "file"
    file.write_bytes(content)
    for command in ("convert", "simulate"):
        result = ctl(command, file)
        text = result.stderr.decode()
        assert result.returncode == 2 and result.stdout == b"", result
        assert text.count("\n") == 1 and str(file) in text and words in text, text


def test_folders_and_huge_files_are_refused(tmp_path: pathlib.Path):
    result = ctl("convert", tmp_path)
    assert result.returncode == 2 and b"directory" in result.stderr
    huge = tmp_path / "huge"
    with open(huge, "wb") as file:
        file.truncate(257 * 1024 * 1024)
    result = ctl("convert", huge)
    assert result.returncode == 2 and b"larger than 256 MiB" in result.stderr


def test_standard_input_is_a_file_too():
    with open(OWN / "others" / "flick.csv", "rb") as file:
        result = subprocess.run(
            [str(binary().with_name("gesturectl")), "convert", "-"], stdin=file,
            capture_output=True, timeout=DEADLINE)
    assert result.returncode == 0
    assert result.stdout == ctl("convert", OWN / "others" / "flick.csv").stdout


# What an interruption leaves.


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["SIGINT", "SIGTERM"])
def test_an_interrupted_replay_cancels_what_is_down(
    daemon: Daemon, control: Control, session: str, tmp_path: pathlib.Path, number: int
):
    control.open(session, scene(toss()))
    updates = daemon.subscriber(f"state/{session}/toss")
    file = tmp_path / "long.jsonl"
    body = {"gesture": "pan", "phase": "began", "x": 160, "y": 223}
    topic = f"gesture/{session}/toss"
    file.write_text("".join(json.dumps(line) + "\n" for line in [
        {"gesture-recording": 1}, {"t": 0, "topic": topic, "body": body},
        {"t": 100, "topic": topic, "body": body | {"phase": "changed", "x": 200}},
        {"t": 60_000, "topic": topic, "body": body | {"phase": "ended"}}]))
    with Tool(daemon, "replay", file) as tool:
        updates.find(f"state/{session}/toss", phase="dragging")
        time.sleep(0.3)
        began = time.monotonic()
        code, errors = tool.end(number)
    assert code == 128 + number and "1 of what was down cancelled" in errors
    # Without it, the contact would be held for 3 s of silence.
    updates.find(f"state/{session}/toss", phase="returning", deadline=1.5)
    assert time.monotonic() - began < 2


# Recording what is published.


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
        finally:
            daemon.process.send_signal(signal.SIGCONT)
        end = time.monotonic() + 3 * DEADLINE
        while control.badge("held")["counts"].get("likes") != count:
            assert time.monotonic() < end, control.badge("held")
            time.sleep(0.1)
        code, errors = recorder.end()
    assert code == 0 and f"{count} events recorded" in errors
    assert copy.read_bytes().count(b"\n") == count + 1


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
