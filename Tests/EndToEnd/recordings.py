"""Recordings of real hands, as samples on the tests' viewport.

The project contains no recordings. Each function reads one format from the folder beside the
repository; without that folder `missing` skips the test. A contact that a file leaves open stays
open here. A contact without a landing is left out.
"""

from __future__ import annotations

import functools
import json
import pathlib
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest
from client import REPOSITORY
from scenes import VIEWPORT

DATA = REPOSITORY.parent / "shared" / "data"
STROKES = sorted(DATA.glob("dollar1-unistroke/s02/*/*.xml"))
EVEMU = sorted(DATA.glob("evemu-devices/*/*.events"))
GETEVENT = sorted(DATA.glob("getevent/Phone/*.txt"))
WHEELS = sorted(DATA.glob("wheel-gestures/*.json"))
TOUCHES = EVEMU + GETEVENT
# Codes of Linux' absolute axes.
SLOT, POSITION_X, POSITION_Y, TRACKING_ID = 0x2F, 0x35, 0x36, 0x39
NOBODY = (-1, 0xFFFFFFFF)  # Tracking ids of a contact that has lifted.

missing = pytest.mark.skipif(
    not (STROKES and EVEMU and GETEVENT and WHEELS),
    reason="the recordings of real hands are not beside the repository")


@dataclass(frozen=True)
class Sample:
    """Seconds since the file's first sample, and a contact's position in points."""

    seconds: float
    pointer: int
    phase: str
    x: float
    y: float


def touches(file: pathlib.Path) -> list[Sample]:
    return evemu(file) if file.suffix == ".events" else getevent(file)


def name(file: pathlib.Path) -> str:
    """The test's name for this file."""
    return re.sub(r"[^A-Za-z0-9.-]+", "-", file.stem)


# Formats of touchscreens. A raw contact is in the device's units until `scaled` converts it.


def evemu(file: pathlib.Path) -> list[Sample]:
    """`E: seconds type code value`, from a device that tracks contacts in slots."""
    lines = file.read_text().splitlines()
    device = lines if any(line.startswith("A:") for line in lines) else described(file)
    axes = (re.match(r"A: (\w+) (-?\d+) (-?\d+)", line) for line in device)
    ranges = {int(axis[1], 16): (int(axis[2]), int(axis[3])) for axis in axes if axis}
    events = (re.match(r"E: ([\d.]+) (\w{4}) (\w{4}) (-?\d+)", line) for line in lines)
    contacts = list(slotted(
        (float(event[1]), int(event[2], 16), int(event[3], 16), int(event[4]))
        for event in events if event))
    return scaled(contacts, ranges[POSITION_X], ranges[POSITION_Y])


def described(file: pathlib.Path) -> list[str]:
    """The device's description, for a recording that lacks one."""
    return next(
        other for other in file.parent.glob("*.desc") if file.name.startswith(other.stem + ".")
    ).read_text().splitlines()


def getevent(file: pathlib.Path) -> list[Sample]:
    """`[ seconds] type code value` in hexadecimal. The file lacks the device's size."""
    events = hexadecimal(file)
    is_anonymous = any(kind == 0 and code == 2 for _, kind, code, _ in events)
    device = [
        event for other in file.parent.glob(file.name.split("-")[0] + "-*")
        for event in hexadecimal(other)]
    across, down = (
        max(value for _, kind, code, value in device if (kind, code) == (3, axis))
        for axis in (POSITION_X, POSITION_Y))
    return scaled(
        list(listed(events) if is_anonymous else slotted(events)), (0, across), (0, down))


@functools.cache
def hexadecimal(file: pathlib.Path) -> list[tuple[float, int, int, int]]:
    codes = {
        "ABS_MT_SLOT": SLOT, "ABS_MT_POSITION_X": POSITION_X, "ABS_MT_POSITION_Y": POSITION_Y,
        "ABS_MT_TRACKING_ID": TRACKING_ID, "SYN_REPORT": 0, "SYN_MT_REPORT": 2}
    events = []
    for line in file.read_text().splitlines():
        event = re.match(r"\[ *([\d.]+)\] (EV_\w+) +(\w+) +([0-9a-f]{8})", line)
        if event and event[3] in codes:
            kind = 0 if event[2] == "EV_SYN" else 3
            events.append((float(event[1]), kind, codes[event[3]], int(event[4], 16)))
    return events


def slotted(events) -> Iterator[Sample]:
    """Protocol B: the device names a slot and reports only its changes."""
    slots: dict[int, dict[int, int]] = {}
    down: set[int] = set()
    current, touched = 0, []
    for seconds, kind, code, value in events:
        slot = slots.setdefault(current, {})
        if kind == 3 and code == SLOT:
            current = value
        elif kind == 3 and code in (POSITION_X, POSITION_Y, TRACKING_ID):
            slot[code] = value
            touched.append((current, code, value))
        elif kind == 0 and code == 0:
            yield from reported(seconds, slots, down, touched)
            touched = []


def reported(seconds: float, slots, down: set[int], touched) -> Iterator[Sample]:
    """One sample for each slot that a report changes."""
    for number in dict.fromkeys(number for number, _, _ in touched):
        slot = slots[number]
        if POSITION_X not in slot or POSITION_Y not in slot:
            continue  # It landed before the recording began.
        place = slot[POSITION_X], slot[POSITION_Y]
        tracked = [value for at, code, value in touched if (at, code) == (number, TRACKING_ID)]
        if tracked and number in down:
            down.discard(number)
            yield Sample(seconds, number, "ended", *place)
        if tracked and tracked[-1] not in NOBODY:
            down.add(number)
            yield Sample(seconds, number, "began", *place)
        elif not tracked and number in down:
            yield Sample(seconds, number, "changed", *place)


def listed(events) -> Iterator[Sample]:
    """Protocol A: the device lists all contacts in each report. A lifted contact is missing."""
    before: dict[int, tuple[int, int]] = {}
    now: dict[int, tuple[int, int]] = {}
    contact: dict[int, int] = {}
    for seconds, kind, code, value in events:
        if kind == 3:
            contact[code] = value
        elif code == 2:
            if contact:
                number = contact.get(TRACKING_ID, len(now))
                now[number] = contact[POSITION_X], contact[POSITION_Y]
            contact = {}
        else:
            for number in before.keys() - now.keys():
                yield Sample(seconds, number, "ended", *before[number])
            for number, place in now.items():
                yield Sample(seconds, number, "changed" if number in before else "began", *place)
            before, now = now, {}


def scaled(contacts: list[Sample], across: tuple, down: tuple) -> list[Sample]:
    """Fits into the viewport's middle by one scale, and counts time from the first sample."""
    first = contacts[0].seconds
    width, height = across[1] - across[0], down[1] - down[0]
    scale = min(VIEWPORT[0] / width, VIEWPORT[1] / height)
    left, top = (VIEWPORT[0] - width * scale) / 2, (VIEWPORT[1] - height * scale) / 2
    return [
        replace(
            sample, seconds=sample.seconds - first,
            x=round(left + scale * (sample.x - across[0]), 3),
            y=round(top + scale * (sample.y - down[0]), 3))
        for sample in contacts]


def open_contacts(samples: list[Sample]) -> set[int]:
    """The contacts that no sample ends. Asserts that all phases are in order."""
    down: set[int] = set()
    for sample in samples:
        assert (sample.phase == "began") != (sample.pointer in down), f"unbalanced: {sample}"
        if sample.phase == "ended":
            down.discard(sample.pointer)
        else:
            down.add(sample.pointer)
    return down


# Gestures made from the samples.


def excerpt(samples: list[Sample], seconds: float) -> list[Sample]:
    """The beginning of a long recording. No sample lifts the contacts down at its end."""
    return [sample for sample in samples if sample.seconds <= seconds]


def hurried(samples: list[Sample], pause: float) -> list[Sample]:
    """The recording with each gap between contacts shortened to this pause at most."""
    got: list[Sample] = []
    down: set[int] = set()
    shift, last = 0.0, 0.0
    for sample in samples:
        if not down:
            shift += max(0.0, sample.seconds - last - pause)
        last = sample.seconds
        (down.discard if sample.phase == "ended" else down.add)(sample.pointer)
        got.append(replace(sample, seconds=sample.seconds - shift))
    return got


def stroke(file: pathlib.Path) -> list[tuple[float, float, float]]:
    """Points and seconds since the first point. They fit the viewport without scaling."""
    points = [
        (float(point.get("X")), float(point.get("Y")), float(point.get("T")))
        for point in ElementTree.parse(file).getroot().iter("Point")]
    return [(x, y, (t - points[0][2]) / 1000) for x, y, t in points]


def wheel(file: pathlib.Path) -> list[tuple[float, float, float]]:
    """Seconds since the first turn, and the content's way to the right and down."""
    events = json.loads(file.read_text())["wheelEvents"]
    first = events[0]["timeStamp"]
    return [
        ((event["timeStamp"] - first) / 1000, event["deltaX"], event["deltaY"])
        for event in events]


def swiped(file: pathlib.Path) -> str:
    """The direction of the fingers, opposite to the wheel's."""
    return "right" if sum(across for _, across, _ in wheel(file)) < 0 else "left"
