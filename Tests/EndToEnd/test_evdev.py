"""gesturectl bridge evdev: devices through libevdev, and recordings of evemu."""

from __future__ import annotations

import pathlib
import signal
import subprocess
import time

import pytest
from broker import counters
from client import DEADLINE, REPOSITORY, Control, Daemon
from devices import (
    ABS, ACROSS, DROPPED, FINE, FINE_ACROSS, KEY, KEYBOARD, LEFT, LIST_END, MOUSE, MT_X, MT_Y,
    OLD_MOUSE, OLD_SCREEN, PALM, PALM_SCREEN, PEN, REL, SCREEN, SLOT, TABLET, TOOL, TOUCH, TRACKING,
    WHEEL, X, Y, Device, Inputs)
from tool import ctl, lines

OTHERS = REPOSITORY / "Examples" / "recordings" / "others"
SHARED = REPOSITORY.parent / "shared" / "data" / "evemu-devices"
# So that a place is easy to see: points are tenths of the devices' units.
SCENE = {"viewport": [100, 50], "components": [{"id": "world", "kind": "dynamics"}]}


@pytest.fixture
def opened(control: Control, session: str) -> str:
    control.ok("open", session=session, scene=SCENE)
    return session


@pytest.fixture
def device(tmp_path: pathlib.Path, request: pytest.FixtureRequest) -> Device:
    return Device(tmp_path, request.param)


def of(description: str):
    """The one device of a test."""
    return pytest.mark.parametrize("device", [description], indirect=True, ids=[""])


def down(slot: int, number: int, x: int, y: int) -> list[tuple[int, int, int]]:
    return [(ABS, SLOT, slot), (ABS, TRACKING, number), (ABS, MT_X, x), (ABS, MT_Y, y)]


@of(SCREEN)
def test_slots_are_contacts_in_the_viewport(daemon: Daemon, opened: str, device: Device) -> None:
    with Inputs(daemon, opened, device.path) as inputs:
        device.report(*down(0, 7, 0, 100), *down(1, 8, 500, 350))
        first = inputs.contact("began", 0, 0)
        second = inputs.contact("began", 50, 25)
        assert first["pointer"] != second["pointer"]
        assert abs(first["t"] - time.time() * 1000) < 2_000 and first["t"] == second["t"]
        device.report((ABS, SLOT, 0), (ABS, MT_X, 100))
        assert inputs.contact("changed", 10, 0)["pointer"] == first["pointer"]
        device.report((ABS, TRACKING, -1), (ABS, SLOT, 1), (ABS, TRACKING, -1))
        assert inputs.contact("ended", 10, 0)["pointer"] == first["pointer"]
        assert inputs.contact("ended", 50, 25)["pointer"] == second["pointer"]
        status, text = inputs.tool.end(signal.SIGTERM)
    assert status == 0
    assert counters(text) | {"plugged": 1, "reports": 4, "contacts": 2, "malformed": 0} == (
        counters(text))


@of(OLD_SCREEN)
def test_lists_are_contacts_too(daemon: Daemon, opened: str, device: Device) -> None:
    with Inputs(daemon, opened, device.path) as inputs:
        first = [(ABS, MT_X, 100), (ABS, MT_Y, 200), LIST_END]
        second = [(ABS, MT_X, 800), (ABS, MT_Y, 900), LIST_END]
        device.report(*first, *second)
        inputs.contact("began", 10, 10)
        inputs.contact("began", 80, 45)
        device.report(*second)
        inputs.contact("ended", 10, 10)
        device.report(LIST_END)
        inputs.expect(phase="ended")


@of(PEN)
def test_a_single_contact_moves_and_lifts(daemon: Daemon, opened: str, device: Device) -> None:
    with Inputs(daemon, opened, device.path) as inputs:
        device.report((ABS, X, 100), (ABS, Y, 100))
        device.report((KEY, TOUCH, 1))
        inputs.contact("began", 10, 5)
        device.report((ABS, X, 200))
        inputs.contact("changed", 20, 5)
        device.report((KEY, TOUCH, 0))
        inputs.contact("ended", 20, 5)


@of(TABLET)
def test_a_button_of_an_absolute_device_touches(
    daemon: Daemon, opened: str, device: Device
) -> None:
    with Inputs(daemon, opened, device.path) as inputs:
        device.report((ABS, X, 16384), (ABS, Y, 16384), (KEY, LEFT, 1))
        inputs.contact("began", 50, 25)
        device.report((KEY, LEFT, 0))
        inputs.contact("ended", 50, 25)
        device.report((REL, WHEEL, -1))
        inputs.expect(gesture="wheel", dx=0, dy=48, x=50, y=25)


@of(MOUSE)
def test_a_mouse_moves_presses_and_turns(daemon: Daemon, opened: str, device: Device) -> None:
    with Inputs(daemon, opened, device.path, "--notch", 120) as inputs:
        device.report((REL, 0, -20), (REL, 1, 5))
        device.report((KEY, LEFT, 1))
        inputs.contact("began", 30, 30)
        # It stays within the viewport.
        device.report((REL, 0, 500), (REL, 1, -500))
        inputs.contact("changed", 99, 0)
        device.report((REL, 0, -9), (KEY, LEFT, 0))
        inputs.contact("changed", 90, 0)
        inputs.contact("ended", 90, 0)
        # Half a notch toward the person; the coarse code tells the same once more.
        device.report((REL, FINE, -60), (REL, WHEEL, -1))
        inputs.expect(gesture="wheel", dx=0, dy=60, x=90, y=0)
        device.report((REL, FINE_ACROSS, 120), (REL, ACROSS, 1))
        inputs.expect(gesture="wheel", dx=120, dy=0)
        # A click between two reports of its place.
        device.report((KEY, LEFT, 1), (KEY, LEFT, 0))
        inputs.contact("began", 90, 0)
        inputs.contact("ended", 90, 0)


@of(OLD_MOUSE)
def test_an_old_wheel_counts_by_notches(daemon: Daemon, opened: str, device: Device) -> None:
    with Inputs(daemon, opened, device.path) as inputs:
        device.report((REL, WHEEL, 2))
        inputs.expect(gesture="wheel", dx=0, dy=-96, x=50, y=25)


@of(SCREEN)
def test_a_contact_that_rests_is_repeated(daemon: Daemon, opened: str, device: Device) -> None:
    with Inputs(daemon, opened, device.path) as inputs:
        device.report(*down(0, 7, 500, 350))
        began = inputs.contact("began", 50, 25)
        for _ in range(2):
            repeated = inputs.next()
            assert repeated["phase"] == "changed" and repeated["pointer"] == began["pointer"]
            assert 500 < repeated["t"] - began["t"] <= 1_200
            began = repeated


@of(SCREEN)
def test_lost_events_are_made_up_for(daemon: Daemon, opened: str, device: Device) -> None:
    with Inputs(daemon, opened, device.path) as inputs:
        device.report(*down(0, 7, 500, 350), *down(1, 8, 0, 100))
        first = inputs.contact("began", 50, 25)
        inputs.contact("began", 0, 0)
        # The kernel's buffer was full: the first one moved, the second lifted, a third landed.
        device.state(
            "S 39 0 7", f"S {MT_X:x} 0 700", f"S {MT_Y:x} 0 350", "S 39 1 -1", "S 39 2 9",
            f"S {MT_X:x} 2 100", f"S {MT_Y:x} 2 150", "A 2f 2")
        device.send(DROPPED)
        device.report((ABS, MT_X, 999))
        found = [inputs.next() for _ in range(3)]
        assert sorted(body["phase"] for body in found) == ["began", "changed", "ended"]
        moved = next(body for body in found if body["phase"] == "changed")
        assert moved["pointer"] == first["pointer"] and abs(moved["x"] - 70) < 0.01
        # And it goes on.
        device.report((ABS, SLOT, 0), (ABS, TRACKING, -1))
        while (body := inputs.next())["phase"] != "ended":
            pass
        assert body["pointer"] == first["pointer"]
        _, text = inputs.tool.end()
    # The third lies there still.
    assert counters(text)["overruns"] == 1 and counters(text)["cancelled"] == 1


@of(OLD_SCREEN)
def test_lost_events_of_lists_cancel(daemon: Daemon, opened: str, device: Device) -> None:
    with Inputs(daemon, opened, device.path) as inputs:
        contact = [(ABS, MT_X, 100), (ABS, MT_Y, 200), LIST_END]
        device.report(*contact)
        inputs.contact("began", 10, 10)
        device.send(DROPPED)
        inputs.contact("cancelled", 10, 10)
        device.report(*contact)
        inputs.contact("began", 10, 10)


@of(SCREEN)
def test_a_finger_that_lies_there_already_begins(
    daemon: Daemon, opened: str, device: Device
) -> None:
    device.state("S 39 0 7", f"S {MT_X:x} 0 500", f"S {MT_Y:x} 0 350", "K 14a 1")
    with Inputs(daemon, opened, device.path) as inputs:
        inputs.contact("began", 50, 25)
        device.report((ABS, TRACKING, -1))
        inputs.contact("ended", 50, 25)
        # The kernel does not repeat a place that a new finger shares with the old one.
        device.report((ABS, TRACKING, 8))
        inputs.contact("began", 50, 25)


@of(PALM_SCREEN)
def test_a_palm_touches_nothing_and_cancels(
    daemon: Daemon, opened: str, device: Device
) -> None:
    # It lies there already.
    device.state("S 39 0 7", f"S {TOOL:x} 0 {PALM}", f"S {MT_X:x} 0 500", f"S {MT_Y:x} 0 350")
    with Inputs(daemon, opened, device.path) as inputs:
        device.report((ABS, SLOT, 0), (ABS, MT_X, 510))
        device.report(*down(1, 8, 100, 100))
        inputs.contact("began", 10, 5)
        device.report((ABS, TOOL, PALM))
        inputs.contact("cancelled", 10, 5)
        _, text = inputs.tool.end()
    assert counters(text) | {"palms": 2, "contacts": 1, "cancelled": 1} == counters(text)


@of(SCREEN)
def test_an_unplugged_device_loses_its_contacts_and_comes_back(
    daemon: Daemon, opened: str, device: Device
) -> None:
    with Inputs(daemon, opened, device.path, "--grab") as inputs:
        device.report(*down(0, 7, 500, 350))
        inputs.contact("began", 50, 25)
        assert device.beside("grabbed").exists()
        device.unplug()
        inputs.contact("cancelled", 50, 25)
        inputs.said(r"gesturectl: \S+: unplugged; waiting for it")
        device.plug()
        inputs.said(r"gesturectl: \S+: plugged in")
        device.report(*down(0, 8, 0, 100))
        inputs.contact("began", 0, 0)
        status, text = inputs.tool.end()
        inputs.contact("cancelled", 0, 0)
    assert status == 0
    assert counters(text) | {"plugged": 2, "unplugged": 1, "cancelled": 2} == counters(text)


@of(SCREEN)
def test_a_device_may_come_later(daemon: Daemon, opened: str, device: Device) -> None:
    device.unplug()
    with Inputs(daemon, opened, device.path) as inputs:
        inputs.said(r"gesturectl: \S+: not there; waiting for it")
        device.plug()
        inputs.said(r"gesturectl: \S+: plugged in")
        device.report(*down(0, 8, 0, 100))
        inputs.contact("began", 0, 0)


@of(SCREEN)
def test_a_resized_session_is_covered_anew(
    daemon: Daemon, control: Control, opened: str, device: Device
) -> None:
    with Inputs(daemon, opened, device.path) as inputs:
        device.report(*down(0, 7, 500, 350))
        inputs.contact("began", 50, 25)
        control.ok("publish", topic=f"command/{opened}", body={
            "command": "resize", "viewport": [1000, 500]})
        # A resting contact is repeated where it lies now.
        while abs(inputs.next()["x"] - 500) > 0.01:
            pass


@of(SCREEN)
def test_a_turned_panel(daemon: Daemon, opened: str, device: Device) -> None:
    with Inputs(daemon, opened, device.path, "--turn", 90) as inputs:
        device.report(*down(0, 7, 0, 100))
        first = inputs.expect(phase="began")
        assert (round(first["x"]), round(first["y"])) in ((0, 50), (100, 0))


def test_two_devices_play_together(daemon: Daemon, opened: str, tmp_path: pathlib.Path) -> None:
    screen, mouse = Device(tmp_path, SCREEN), Device(tmp_path, OLD_MOUSE, "event1")
    with Inputs(daemon, opened, screen.path, mouse.path) as inputs:
        screen.report(*down(0, 7, 0, 100))
        first = inputs.contact("began", 0, 0)
        mouse.report((KEY, LEFT, 1))
        second = inputs.contact("began", 50, 25)
        assert first["pointer"] != second["pointer"]
        # Each loses its own.
        mouse.unplug()
        assert inputs.expect(phase="cancelled")["pointer"] == second["pointer"]


def test_it_touches_the_session_itself(daemon: Daemon, control: Control, session: str) -> None:
    """Through the daemon: the bridge opens the session, and a finger pages its reader."""
    watcher = daemon.subscriber(f"state/{session}/reader")
    recording = OTHERS / "two-fingers.evemu"
    environment = {
        "GESTURED_EVENTS": daemon.events, "GESTURED_UPDATES": daemon.updates,
        "GESTURED_CONTROL": daemon.control, "PATH": "/usr/bin:/bin"}
    result = ctl("bridge", "evdev", "--session", session, recording, env=environment)
    assert result.returncode == 0, result.stderr
    assert counters(result.stderr.decode())["contacts"] == 2
    watcher.find(f"state/{session}/reader")


def played(daemon: Daemon, session: str, *arguments: object) -> tuple[list[dict], str]:
    """The events of a bridge that ends by itself, and its counters."""
    with Inputs(daemon, session, *arguments) as inputs:
        bodies = []
        # The socket connects only while it is asked.
        while inputs.socket.poll(100) or inputs.tool.process.poll() is None:
            bodies += [inputs.next()] if inputs.socket.poll(0) else []
        _, text = inputs.tool.wait()
    assert inputs.tool.process.returncode == 0, text
    return bodies, text


def contacts(bodies: list[dict]) -> list[list[tuple[float, float]]]:
    """The ways of the contacts, in the order of their beginnings."""
    ways: dict[int, list[tuple[float, float]]] = {}
    done = []
    for body in bodies:
        if body.get("gesture", "pointer") != "pointer":
            continue
        if body["phase"] == "began":
            ways[body["pointer"]] = []
            done.append(ways[body["pointer"]])
        way = ways[body["pointer"]]
        if not way or way[-1] != (body["x"], body["y"]):
            way.append((body["x"], body["y"]))
    return done


@pytest.mark.parametrize("recording", [
    OTHERS / "two-fingers.evemu",
    SHARED / "tablets" / "Wacom ISDv4 E6 Finger.2fg-tap.events",
    SHARED / "touchscreens" / "EP0430M09.2-fingers-touch-release.events",
    SHARED / "touchscreens" / "Atmel maXTouch Touchscreen.1-finger-fast-taps.events",
], ids=lambda path: path.stem)
def test_a_recording_plays_as_the_converter_reads_it(
    daemon: Daemon, control: Control, session: str, recording: pathlib.Path
) -> None:
    if not recording.exists():
        pytest.skip(f"{recording.name} is not on this machine")
    source = [recording]
    text = recording.read_text()
    description = recording.with_name(recording.name.split(".")[0] + ".desc")
    control.ok("open", session=session, scene=SCENE | {"viewport": [1000, 1000]})
    options = ["--device", description] if description.exists() else []
    converted = lines(ctl("convert", recording, "--scale", "1", *options).stdout)[1:]
    wanted = contacts([line["body"] for line in converted if "body" in line])
    if description.exists() and "A: " not in text:
        joined = pathlib.Path(daemon.folder) / f"{session}.evemu"
        joined.write_text(description.read_text() + text)
        source = [joined]
    bodies, errors = played(daemon, session, *source)
    assert len(contacts(bodies)) == len(wanted) > 0
    assert [len(way) for way in contacts(bodies)] == [len(way) for way in wanted]
    assert counters(errors)["malformed"] == 0
    # Everything lies in the viewport, whatever the device's units.
    assert all(0 <= body["x"] < 1000 and 0 <= body["y"] < 1000 for body in bodies)


def test_a_stream_with_nonsense_goes_on(
    daemon: Daemon, opened: str, tmp_path: pathlib.Path
) -> None:
    head, *rest = (OTHERS / "two-fingers.evemu").read_text().split("E: ", 1)
    damaged = tmp_path / "damaged.evemu"
    damaged.write_bytes(
        head.encode() + b"nonsense\nE: x\nE: 1 2 3 4 5\n\xff\xfe\n" + b"E: " + b"9" * 9_000
        + b"\nE: " + rest[0].encode() + b"\nE: 1")
    bodies, text = played(daemon, opened, damaged)
    assert len(contacts(bodies)) == 2 and counters(text)["malformed"] == 6, text
    assert "damaged.evemu:8: not a line of evemu" in text


def test_standard_input_is_a_stream(daemon: Daemon, opened: str) -> None:
    environment = {
        "GESTURED_EVENTS": daemon.events, "GESTURED_UPDATES": daemon.updates,
        "GESTURED_CONTROL": daemon.control, "PATH": "/usr/bin:/bin"}
    from client import binary
    result = subprocess.run(
        [binary().with_name("gesturectl"), "bridge", "evdev", "--session", opened, "-"],
        input=(OTHERS / "two-fingers.evemu").read_bytes(), env=environment, capture_output=True,
        timeout=DEADLINE)
    assert result.returncode == 0, result.stderr
    assert counters(result.stderr.decode())["contacts"] == 2


def test_what_is_no_device_is_named(
    daemon: Daemon, opened: str, tmp_path: pathlib.Path
) -> None:
    keyboard, busy = Device(tmp_path, KEYBOARD), Device(tmp_path, SCREEN, "event1")
    busy.beside("busy").touch()
    for words, message in (
        (["/dev/null"], "/dev/null: not an input device"), ([tmp_path], "not an input device"),
        ([], "DEVICE is missing"), ([keyboard.path], "has neither contacts"),
        ([busy.path, "--grab"], "another program has grabbed it"),
        ([busy.path, "--notch", "0"], "--notch"), ([busy.path, "--turn", "45"], "--turn"),
        (["x"] * 65, "at most 64 devices"),
    ):
        with Inputs(daemon, opened, *words) as inputs:
            inputs.tool.process.wait(DEADLINE)
            status, text = inputs.tool.wait()
        assert status == 2 and message in text, (words, text)


def test_what_is_no_device_is_never_ready() -> None:
    ended = ctl("bridge", "evdev", "--session", "alice", "/dev/null")
    assert ended.returncode == 2 and ended.stdout == b"", ended.stdout


@of(SCREEN.replace("a screen", "a keyboard with a screen").replace("B: 01 00", "B: 01 40"))
def test_a_flood_of_nonsense_is_counted(daemon: Daemon, opened: str, device: Device) -> None:
    """Values that no device may send, codes that nobody knows."""
    with Inputs(daemon, opened, device.path) as inputs:
        for _ in range(50):
            device.report(
                (ABS, SLOT, 3), (ABS, TRACKING, 5), (ABS, MT_X, 2**31 - 1), (ABS, MT_Y, -2**31),
                (KEY, 6, 1), (99, 99, 99))
            device.report((ABS, TRACKING, -1))
        device.report(*down(0, 7, 500, 350))
        while abs(inputs.next()["x"] - 50) > 0.01:
            pass
        status, text = inputs.tool.end()
    assert status == 0 and counters(text)["ignored"] == 50
