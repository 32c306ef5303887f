#!/usr/bin/env python3
"""Writes the recordings beside it: each kind that gesturectl reads, the same bytes at each run.

Nobody's hand made them: a finger along a path of minimum jerk, sampled 120 times a second. Run it
without arguments.
"""
import json
import pathlib
import random

HERE = pathlib.Path(__file__).parent
WIDTH, HEIGHT = 1080, 1920  # Units of the screen.
STEP = 8_333  # Microseconds between two samples.
SYN, KEY, ABS = 0, 1, 3
TYPES = {SYN: "EV_SYN", KEY: "EV_KEY", ABS: "EV_ABS"}
REPORT, MT_REPORT, TOUCH = 0, 2, 0x14A
SLOT, MAJOR, X, Y, ID = 0x2F, 0x30, 0x35, 0x36, 0x39
LABELS = {
    (SYN, REPORT): "SYN_REPORT", (SYN, MT_REPORT): "SYN_MT_REPORT", (KEY, TOUCH): "BTN_TOUCH",
    (ABS, MAJOR): "ABS_MT_TOUCH_MAJOR", (ABS, X): "ABS_MT_POSITION_X",
    (ABS, Y): "ABS_MT_POSITION_Y", (ABS, ID): "ABS_MT_TRACKING_ID",
    (ABS, SLOT): "ABS_MT_SLOT"}


def path(start, end, samples, shake=random.Random(7)):
    """Whole units from one place to another, trembling."""
    for number in range(samples + 1):
        s = number / samples
        part = 10 * s**3 - 15 * s**4 + 6 * s**5
        yield tuple(
            round(a + (b - a) * part + shake.uniform(-1, 1)) for a, b in zip(start, end))


def two_fingers():
    """Protocol B: two fingers that part, the first of which lifts first."""
    first = list(path((500, 960), (300, 500), 30))
    second = list(path((580, 960), (800, 1500), 36))
    events = []
    time = 1_700_000_000_000_000
    for number, place in enumerate(second):
        for slot, finger in ((0, first), (1, second)):
            if number > len(finger):
                continue
            events.append((time, ABS, SLOT, slot))
            if number == len(finger):
                events.append((time, ABS, ID, -1))
                continue
            if number == 0:
                events.append((time, ABS, ID, 40 + slot))
            events += [(time, ABS, X, finger[number][0]), (time, ABS, Y, finger[number][1])]
        if number == 0:
            events.append((time, KEY, TOUCH, 1))
        events.append((time, SYN, REPORT, 0))
        time += STEP
    events += [(time, ABS, ID, -1), (time, KEY, TOUCH, 0), (time, SYN, REPORT, 0)]
    return events


def evemu(events):
    lines = [
        "# EVEMU 1.3", "N: A screen of nobody's", "I: 0018 0000 0000 0000",
        "A: 2f 0 9 0 0 0", f"A: 35 0 {WIDTH - 1} 0 0 0", f"A: 36 0 {HEIGHT - 1} 0 0 0",
        "A: 39 0 65535 0 0 0"]
    for time, kind, code, value in events:
        lines.append(
            f"E: {time // 1_000_000}.{time % 1_000_000:06d} {kind:04x} {code:04x} {value}")
    return "\n".join(lines) + "\n"


def getevent():
    """Protocol A, as an old phone has it: a flick upwards, then a tap; each report lists all."""
    contacts = [list(path((540, 1500), (560, 400), 18)), [(300, 300)] * 8]
    lines, time = [], 1_411_748_191
    for contact in contacts:
        for x, y in contact:
            events = [(ABS, X, x), (ABS, Y, y), (ABS, MAJOR, 5), (ABS, ID, 0),
                      (SYN, MT_REPORT, 0), (SYN, REPORT, 0)]
            lines += [line(time, *event) for event in events]
            time += STEP
        lines += [line(time, SYN, MT_REPORT, 0), line(time, SYN, REPORT, 0)]
        time += 300_000
    return "\r\n".join(lines) + "\r\n"


def line(time, kind, code, value):
    stamp = f"{time // 1_000_000:8d}.{time % 1_000_000:06d}"
    return f"[{stamp}] {TYPES[kind]:<12} {LABELS[kind, code]:<20} {value & 0xFFFFFFFF:08x}"


def flick_up():
    """A finger without tracking ids, of which a key says that it touches."""
    events, time = [], 1_697_531_620_100_000
    places = list(path((540, 1500), (560, 400), 24))[:16]
    for number, (x, y) in enumerate(places):
        events += [(time, ABS, X, x), (time, ABS, Y, y)]
        if number == 0:
            events.append((time, KEY, TOUCH, 1))
        events.append((time, SYN, REPORT, 0))
        time += STEP
    return [*events, (time, KEY, TOUCH, 0), (time, SYN, REPORT, 0)]


def evtest():
    lines = [
        "Input driver version is 1.0.1",
        "Input device ID: bus 0x18 vendor 0x0 product 0x0 version 0x0",
        'Input device name: "A screen of nobody\'s"', "Supported events:"]
    for kind, codes in ((SYN, []), (KEY, [TOUCH]), (ABS, [X, Y])):
        lines.append(f"  Event type {kind} ({TYPES[kind]})")
        for code in codes:
            lines.append(f"    Event code {code} ({LABELS[kind, code]})")
            if kind == ABS:
                most = (WIDTH if code == X else HEIGHT) - 1
                lines += ["      Value      0", "      Min        0", f"      Max     {most:4}"]
    lines += ["Properties:", "  Property type 1 (INPUT_PROP_DIRECT)",
              "Testing ... (interrupt to exit)"]
    for time, kind, code, value in flick_up():
        stamp = f"Event: time {time // 1_000_000}.{time % 1_000_000:06d}"
        lines.append(
            f"{stamp}, -------------- SYN_REPORT ------------" if kind == SYN else
            f"{stamp}, type {kind} ({TYPES[kind]}), code {code} ({LABELS[kind, code]}), "
            f"value {value}")
    return "\n".join(lines) + "\n"


def libinput(events):
    lines = [
        "# libinput record", "version: 1", "ndevices: 1", "libinput:", '  version: "1.25.0"',
        '  git: "unknown"', "devices:", "- node: /dev/input/event5", "  evdev:",
        '    name: "A screen of nobody\'s"', "    id: [24, 0, 0, 0]", "    codes:",
        f"      {KEY}: [{TOUCH}] # EV_KEY", f"      {ABS}: [{SLOT}, {X}, {Y}, {ID}] # EV_ABS",
        "    absinfo:", f"      {SLOT}: [0, 9, 0, 0, 0]", f"      {X}: [0, {WIDTH - 1}, 0, 0, 0]",
        f"      {Y}: [0, {HEIGHT - 1}, 0, 0, 0]", f"      {ID}: [0, 65535, 0, 0, 0]",
        "    properties: [1]", "  udev:", "    properties:", "    - ID_INPUT_TOUCHSCREEN=1",
        "  events:"]
    begins = True
    for time, kind, code, value in events:
        if begins:
            lines.append("  - evdev:")
        time -= events[0][0]
        name = "SYN_REPORT" if kind == SYN else f"{TYPES[kind]} / {LABELS[kind, code]}"
        lines.append(
            f"    - [{time // 1_000_000:3}, {time % 1_000_000:6}, {kind:3}, {code:3}, "
            f"{value:7}] # {name}")
        begins = kind == SYN
    return "\n".join(lines) + "\n"


def flick():
    rows = ["t_ms,pointer,phase,x,y"]
    places = list(path((240, 420), (60, 150), 30))[:18]
    for number, (x, y) in enumerate(places):
        rows.append(f"{5000 + 8 * number},3,{'move' if number else 'down'},{x},{y}")
    rows.append(f"{5000 + 8 * len(places)},3,up,{places[-1][0]},{places[-1][1]}")
    return "\n".join(rows) + "\n"


def wheel():
    """A swipe up on a trackpad with its momentum, half a second of nothing, and one across."""
    turns, time = [], 2781.985
    for delta in [1, 4, 12, 30, 44, 60, 52] + [round(48 * 0.93**n) for n in range(44)]:
        turns.append({"deltaMode": 0, "deltaX": 0, "deltaY": delta, "timeStamp": round(time, 3)})
        time += 16.6
    time += 500
    for delta in [-2, -9, -24, -40, -36, -20, -11, -5, -2, -1]:
        turns.append({"deltaMode": 0, "deltaX": delta, "deltaY": 0, "timeStamp": round(time, 3)})
        time += 16.6
    return json.dumps({"userAgent": "none", "wheelEvents": turns}, indent=1) + "\n"


def stroke():
    points = list(path((40, 200), (220, 60), 24))
    lines = ['<?xml version="1.0" encoding="utf-8"?>',
             f'<Gesture Name="line" Subject="0" NumPts="{len(points)}">']
    lines += [f'  <Point X="{x}" Y="{y}" T="{77000 + 10 * number}" />'
              for number, (x, y) in enumerate(points)]
    return "\n".join([*lines, "</Gesture>"]) + "\n"


if __name__ == "__main__":
    FINGERS = two_fingers()
    for name, text in [
            ("two-fingers.evemu", evemu(FINGERS)), ("phone.getevent", getevent()),
            ("flick.csv", flick()), ("wheel.json", wheel()), ("stroke.xml", stroke()),
            ("finger.evtest", evtest()), ("pair.yml", libinput(FINGERS))]:
        (HERE / name).write_bytes(text.encode())
