"""gesturectl's commands for recordings, against the real daemon."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import pty
import re
import signal
import socket
import subprocess
import time

import pytest
from client import DEADLINE, Control, Daemon, binary
from recordings import EVEMU, TOUCHES, described, hexadecimal, missing, name, touches
from recordings import open_contacts
from scenes import VIEWPORT, scene, toss
from tool import OWN, Tool, ctl, lines


# Other people's recordings.


def extent(file: pathlib.Path) -> list[str]:
    """Options with the screen's size as the independent reader finds it."""
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
    # Order within one report and the pointers' numbers may differ.
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


@pytest.mark.parametrize(
    "file", sorted((OWN / "others").glob("*.[cegjwxy]*")), ids=lambda file: file.name)
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
    (b"", "the file is empty"), (b"\x7fELF\x00\x00", "binary"), (b"\x1f\x8b\x08\x00junk", "binary"),
    (b"{" * 70_000, "not JSON"), (b"E: 0.1 0003 0039 1\n" * 3, "no events"),
    ("t_ms,pointer,phase,x,y".encode("utf-16"), "UTF-16"),
    (b"\xff" * 5_000, "not a known kind of recording")])
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


@pytest.mark.parametrize("arguments, words", [
    (["convert", "-"], "1: not a known kind of recording"),
    (["simulate", "-", "--session", "x"], "1: not a known kind of recording"),
    (["convert", OWN / "others" / "flick.csv", "--device", "-"],
     "1: not a known kind of recording"),
    (["import", "-"], "2: not JSON")])
def test_standard_input_is_called_so(arguments: list, words: str):
    result = subprocess.run(
        [str(binary().with_name("gesturectl")), *map(str, arguments)], input=b"[1\n?",
        capture_output=True, timeout=DEADLINE)
    assert result.returncode == 2 and result.stdout == b""
    assert result.stderr.startswith(f"gesturectl: standard input:{words}".encode()), result.stderr


def test_standard_input_may_be_a_socket_or_closed():
    here, there = socket.socketpair()
    with here, there:
        here.sendall((OWN / "others" / "stroke.xml").read_bytes())
        here.shutdown(socket.SHUT_WR)
        result = subprocess.run(
            [str(binary().with_name("gesturectl")), "convert", "-"], stdin=there,
            capture_output=True, timeout=DEADLINE)
    assert result.returncode == 0, result.stderr
    assert result.stdout == ctl("convert", OWN / "others" / "stroke.xml").stdout
    closed = subprocess.run(
        ["sh", "-c", 'exec "$0" convert - <&-', str(binary().with_name("gesturectl"))],
        capture_output=True, timeout=DEADLINE)
    assert closed.returncode == 2 and closed.stdout == b""
    assert closed.stderr == b"gesturectl: standard input: Bad file descriptor\n"


def test_closed_standard_output_is_an_error():
    result = subprocess.run(
        ["sh", "-c", 'exec "$0" convert "$1" >&-', str(binary().with_name("gesturectl")),
         str(OWN / "others" / "stroke.xml")], stderr=subprocess.PIPE, timeout=DEADLINE)
    assert result.returncode == 2
    assert result.stderr == b"gesturectl: standard output: Bad file descriptor\n"


def test_screens_have_whole_units():
    result = ctl("convert", OWN / "others" / "phone.getevent", "--screen", "480.5x800")
    assert result.returncode == 2 and b"--screen must be whole units" in result.stderr


def test_captions_command_no_terminal(
    daemon: Daemon, control: Control, session: str, tmp_path: pathlib.Path
):
    control.open(session, "phone")
    file = tmp_path / "captions.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in [
        {"gesture-recording": 1}, {"t": 0, "caption": "a\x1b]0;b\x07\x9b1m\u00e9"},
        {"t": 0, "topic": f"notification/{session}", "body": {"kind": "likes"}}]))
    with Tool(daemon, "replay", file) as tool:
        assert tool.wait() == (0, "a\\u{1b}]0;b\\u{7}\\u{9b}1m\u00e9\n")


# After an interruption.


def test_a_year_at_the_lowest_speed_waits_until_it_is_interrupted(
    daemon: Daemon, control: Control, session: str, tmp_path: pathlib.Path
):
    control.open(session, scene(toss()))
    file = tmp_path / "year.jsonl"
    topic = f"gesture/{session}/toss"
    updates = daemon.subscriber(f"state/{session}/toss", f"rejected/{session}")
    file.write_text("".join(json.dumps(line) + "\n" for line in [
        {"gesture-recording": 1},
        {"t": 0, "topic": topic, "body": {"gesture": "pan", "phase": "began", "x": 1, "y": 1}},
        {"t": 3.1e10, "topic": topic, "body": {}}]))
    with Tool(daemon, "replay", file, "--speed", "0.001") as tool:
        updates.find(f"state/{session}/toss", phase="dragging")
        assert tool.end() == (130, "interrupted; cancelled 1 open contact\n")
    got = updates.until(lambda update: update.body.get("phase") == "resting", "the end")
    assert all(update.topic == f"state/{session}/toss" for update in got), "it did not wait"


def test_a_daemon_that_dies_ends_the_replay_on_a_line_of_its_own(
    session: str, tmp_path: pathlib.Path
):
    file = tmp_path / "long.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in [
        {"gesture-recording": 1}, *(
            {"t": t, "topic": f"notification/{session}", "body": {"kind": "likes"}}
            for t in range(0, 60_000, 20))]))
    screen, end = pty.openpty()
    with Daemon() as daemon, open(screen, "rb", buffering=0) as errors:
        updates = daemon.subscriber(f"badge/{session}")
        process = subprocess.Popen(
            [str(binary().with_name("gesturectl")), "replay", str(file), "--timeout", "0.3"],
            stdin=subprocess.DEVNULL, stderr=end, env=os.environ | {
                "GESTURED_EVENTS": daemon.events, "GESTURED_CONTROL": daemon.control,
                "GESTURED_UPDATES": daemon.updates, "NO_COLOR": "1"})
        os.close(end)
        updates.find(f"badge/{session}", total=3)
        daemon.stop(signal.SIGKILL)
        text = b""
        with contextlib.suppress(OSError):  # A terminal's end is an error for its reader.
            while chunk := errors.read(4096):
                text += chunk
        assert process.wait(DEADLINE) == 1
    end = re.search(rb"(\S+) of 60 s\r\ngesturectl: no answer from \S+ within 0.3 s\r\n$", text)
    assert end and float(end[1]) < 5, text


def test_nothing_down_is_nothing_cancelled(
    daemon: Daemon, control: Control, session: str, tmp_path: pathlib.Path
):
    file = tmp_path / "long.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in [
        {"gesture-recording": 1},
        {"t": 0, "topic": f"notification/{session}", "body": {"kind": "likes"}},
        {"t": 60_000, "topic": f"notification/{session}", "body": {"kind": "likes"}}]))
    updates = daemon.subscriber(f"badge/{session}")
    with Tool(daemon, "replay", file) as tool:
        updates.find(f"badge/{session}", total=1)
        assert tool.end() == (130, "interrupted\n")


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
        began = time.monotonic()
        code, errors = tool.end(number)
    assert code == 128 + number and "cancelled 1 open contact" in errors
    # Without the cancel the daemon would hold the contact for 3 s of silence.
    updates.find(f"state/{session}/toss", phase="returning", deadline=1.5)
    assert time.monotonic() - began < 2
