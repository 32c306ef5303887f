"""The output rate changes how often states come, not their contents."""

from __future__ import annotations

import re

import pytest
from client import Update
from recordings import EVEMU, missing, name, touches
from scenes import navigation, profile, reader, rows, scene, tabs, tips, toss
from simulation import Script, step_of

OPENED = 1000.0


def script(component: dict) -> Script:
    """A script whose times fall between steps, as a hand's do."""
    return Script(scene(component)).wait(87.31)


def line(start: tuple[float, float], end: tuple[float, float], count: int) -> list[tuple]:
    (x0, y0), (x, y) = start, end
    return [(x0 + (x - x0) * n / count, y0 + (y - y0) * n / count) for n in range(count + 1)]


def tips_recording() -> Script:
    where = script(tips()).wait(3012.7)
    for n, x in enumerate((160, 140, 90, 55, 51)):
        phase = "began" if n == 0 else "ended" if n == 4 else "changed"
        where.wait(17.3).gesture("tips", "pan", phase, x=x, y=280 + n)
    where.wait(700).contact("tips", line((160, 284), (250, 300), 12), every=9.1)
    return where.wait(900).command("tips", "dismiss").wait(101).command("tips", "present")


def toss_recording() -> Script:
    where = script(toss())
    where.contact("toss", line((60, 200), (300, 120), 14), every=7.7).wait(211)
    where.contact("toss", line((150, 200), (180, 400), 10), every=16.3, last="cancelled")
    where.wait(99).gesture("toss", "pan", "began", x=100, y=200).wait(33)
    where.gesture("toss", "pan", "ended", x=130, y=220, vx=-900, vy=1200).wait(150)
    return where.command("toss", "reset")


def navigation_recording() -> Script:
    where = script(navigation())
    for screen, transition in (
        ("posts", "in-via-scale"), ("likes", "in-from-bottom"), ("posts", "out-to-bottom"),
        ("dashboard", "out-via-scale"), ("friends", "in-via-scale")):
        where.command("navigation", "present", screen=screen, transition=transition).wait(203.3)
    return where.command("navigation", "back")


def profile_recording() -> Script:
    where = script(profile())
    where.contact("profile", line((160, 500), (158, 330), 20), every=7.9).wait(333)
    where.contact("profile", line((160, 200), (158, 520), 15), every=8.3).wait(120)
    where.contact("profile", line((160, 200), (158, 260), 9), every=8.3).wait(600)
    return where.gesture("profile", "scroll", "changed", offset=96.5)


def list_recording() -> Script:
    where = script(rows(style="push"))
    where.contact("list", line((200, 300), (60, 305), 12), every=8.1).wait(400)
    where.contact("list", line((160, 500), (160, 380), 12), every=8.1).wait(900)
    where.gesture("list", "swipe", direction="right", row=3).wait(333)
    where.gesture("list", "swipe", direction="right", row=5).wait(333)
    return where.gesture("list", "tap", row=4)


def reader_recording() -> Script:
    where = script(reader(start=3))
    where.contact("reader", line((160, 500), (160, 350), 12), every=9.9).wait(600)
    where.contact("reader", line((160, 100), (160, 150), 6), every=9.9).wait(600)
    where.gesture("reader", "scroll", "began", offset=-10).wait(40)
    where.gesture("reader", "scroll", "changed", offset=-58).wait(90)
    where.gesture("reader", "scroll", "ended", offset=-40).wait(50)
    return where.command("reader", "previous")


def tabs_recording() -> Script:
    where = script(tabs(bubble_timeout=0.9))
    where.contact("tabs", [(300, 540), (300, 541)], every=61).wait(77).notify("likes")
    where.wait(200).notify("followers").wait(10).notify("mentions").wait(90)
    where.gesture("tabs", "tap", index=0).wait(130).gesture("tabs", "tap", index=1).wait(700)
    return where.notify("followers", add=4)


RECORDINGS = {
    "tips": tips_recording, "toss": toss_recording, "navigation": navigation_recording,
    "profile": profile_recording, "list": list_recording, "reader": reader_recording,
    "tabs": tabs_recording}


def shown(update: Update) -> str:
    """A state's text without its number and time."""
    return update.text[update.text.index('"phase"'):]


def unnumbered(update: Update) -> str:
    return update.topic + re.sub(r'"seq":\d+', '"seq":0', update.text)


def by_topic(updates: list[Update]) -> dict[str, dict[int, Update]]:
    """The last state of each step, by topic. A batch publishes only its last state."""
    topics: dict[str, dict[int, Update]] = {}
    for update in updates:
        if update.topic.startswith("state/"):
            topics.setdefault(update.topic, {})[step_of(update, OPENED)] = update
    return topics


def last_until(states: dict[int, Update], step: int) -> Update:
    return states[max(number for number in states if number <= step)]


def expect_same(slow: list[Update], fast: list[Update], rate: int) -> None:
    """Both runs agree at every common instant, and at every frame of the slower one."""
    slow_topics, fast_topics = by_topic(slow), by_topic(fast)
    assert slow_topics.keys() == fast_topics.keys()
    for topic, few in slow_topics.items():
        many = fast_topics[topic]
        common = few.keys() & many.keys()
        assert len(common) >= len(few) // 2, f"{topic}: only {len(common)} of {len(few)} instants"
        for step in common:
            assert unnumbered(few[step]) == unnumbered(many[step]), f"{few[step]}\n{many[step]}"
        for step in few:
            assert shown(few[step]) == shown(last_until(many, step)), f"{topic} at step {step}"
        for step in many:
            if step % (120 // rate) == 0:
                assert shown(many[step]) == shown(last_until(few, step)), f"{topic} at step {step}"
    told = [
        [unnumbered(u) for u in updates if not u.topic.startswith(("state/", "sync/", "scene/"))]
        for updates in (slow, fast)]
    assert told[0] == told[1], "a transition, a count or a refusal differs"


def expect_rates(recording: Script) -> None:
    runs = {rate: recording.run("--frame-rate", str(rate)) for rate in (30, 60, 120)}
    counts = [len(runs[rate]) for rate in (30, 60, 120)]
    assert counts[0] * 1.1 < counts[1] and counts[1] * 1.1 < counts[2], f"all alike: {counts}"
    for slow, fast in ((30, 60), (30, 120), (60, 120)):
        expect_same(runs[slow], runs[fast], slow)


@pytest.mark.parametrize("kind", RECORDINGS)
def test_the_same_at_30_60_and_120_frames_a_second(kind: str):
    expect_rates(RECORDINGS[kind]())


@missing
@pytest.mark.parametrize(
    "file", [file for file in EVEMU if "double-center" in file.name or "drag-up" in file.name],
    ids=name)
def test_a_real_hand_is_the_same_at_30_60_and_120(file):
    kinds = [tips(), toss(), profile(), rows(), reader(start=4), tabs(height=568)]
    recording = Script(scene(*kinds)).wait(3000.7)
    expect_rates(recording.touched([kind["id"] for kind in kinds], touches(file)))


@pytest.mark.parametrize("kind", RECORDINGS)
def test_the_same_recording_gives_the_same_bytes(kind: str):
    first, second = ([unnumbered(u) for u in RECORDINGS[kind]().run()] for _ in range(2))
    assert first == second and len(first) > 20
