"""A finger scrolls a content: rubber band, fling, bounce and catch, by their formulas."""

from __future__ import annotations

import pytest
from checks import near, pulled, rubber_band
from client import Update
from scenes import profile, reader, scene
from simulation import Script, at_step, of, step_of

HEIGHT, END = 568, 1200 - 568
# A step is 25/3 ms. In one step a fling keeps RATE of its speed, an overshoot SPRING of its length.
MILLISECONDS = 25 / 3
RATE, SPRING = 0.998**MILLISECONDS, 0.99**MILLISECONDS
# The points of one step, for each point per millisecond.
TRAVEL = 0.998 * (1 - RATE) / 0.002


def script(component: dict | None = None) -> Script:
    return Script(scene(component or profile(), frame_rate=120)).wait(100)


def scrolled(offset: float) -> Script:
    """A profile that its client has scrolled to this offset."""
    return script().gesture("profile", "scroll", "changed", offset=offset).wait(100)


def drag(
    where: Script, way: float, speed: float, component: str = "profile", first: float = 300
) -> Script:
    """Moves up (positive) by `way` after the ten points; `speed` is points per millisecond."""
    sign = 1 if way > 0 else -1
    count = max(1, round((abs(way) + 10) / (25 * speed)))
    places = [(160, first - sign * (abs(way) + 10) * n / count) for n in range(count + 1)]
    return where.contact(component, places)


def held(where: Script, way: float, component: str = "profile", first: float = 300) -> Script:
    """Moves by `way`, rests, and lifts without speed."""
    sign = 1 if way > 0 else -1
    y = first - sign * (abs(way) + 10)
    where.contact(
        component, [(160, first), (160, (first + y) / 2), (160, y), (160, y)], last="changed")
    where.wait(200).gesture(component, "pointer", "ended", pointer=1, x=160, y=y)
    return where


def offsets(states: list[Update]) -> dict[int, float]:
    return {step_of(state): state.body["model"]["offset"] for state in states}


def run(where: Script, component: str = "profile") -> tuple[list[Update], int]:
    """The states, and the step of the script's last line."""
    got = where.run()
    assert not [u for u in got if u.topic.startswith("rejected/")], got
    return of(got, component), round((where.now - 1000) * 0.12)


@pytest.mark.parametrize("way", [1, 55, 120, -1, -20, -100, -250])
def test_the_content_follows_the_finger_less_the_ten_points(way: float):
    """Beyond an edge the content moves by d·(1 − 1/(1 + 0.55·x/d))."""
    states, last = run(held(script(), way))
    wanted = way if way > 0 else -rubber_band(-way, HEIGHT)
    assert near(at_step(states, last - 1)["model"]["offset"], wanted), at_step(states, last - 1)
    assert at_step(states, last - 1)["model"]["recognizer"] == "scroll"


@pytest.mark.parametrize("beyond", [10, 100, 200])
def test_at_the_end_of_the_content_it_is_the_same(beyond: float):
    """The content is 1200 high, the viewport 568: the last offset is 632."""
    states, last = run(held(scrolled(600), 32 + beyond))
    wanted = END + rubber_band(beyond, HEIGHT)
    assert near(at_step(states, last - 1)["model"]["offset"], wanted), at_step(states, last - 1)
    assert states[-1].body["model"]["offset"] == END, states[-1]


@pytest.mark.parametrize("way, edge", [(-100, 0), (-250, 0), (182, END)])
def test_let_go_beyond_an_edge_it_springs_back(way: float, edge: float):
    """Each millisecond 0.99 of the overshoot remains."""
    states, last = run(held(scrolled(600) if edge else script(), way))
    shown = offsets(states)
    first = shown[last] if last in shown else at_step(states, last)["model"]["offset"]
    checked = 0
    for step, offset in shown.items():
        wanted = (first - edge) * SPRING ** (step - last)
        if step >= last and abs(wanted) > 1:
            assert near(offset - edge, wanted, 0.002), f"{step - last} steps on: {offset}"
            checked += 1
    assert checked > 15 and states[-1].body["model"]["offset"] == edge, states[-1]
    assert max(shown) - last < 120, "it takes longer than a second"


@pytest.mark.parametrize("speed, flung", [(0.2, False), (0.24, False), (0.26, True), (0.4, True)])
def test_a_release_flings_from_250_points_a_second_on(speed: float, flung: bool):
    where = drag(script(), 140, speed, first=400)
    states, last = run(where)
    assert near(at_step(states, last)["model"]["offset"], 140), at_step(states, last)
    final = states[-1].body["model"]["offset"]
    assert (final > 160) == flung and (flung or near(final, 140)), f"to {final}"


@pytest.mark.parametrize("speed", [0.5, 0.8])
def test_a_fling_slows_down_by_0998_each_millisecond(speed: float):
    """It stops below 10 pt/s."""
    states, last = run(drag(script(), 190, speed, first=400))
    shown = offsets(states)
    flown = [step for step in shown if step >= last]
    assert flown[1:] == list(range(last + 1, flown[-1] + 1)), "a frame is missing"
    for step in flown:
        wanted = 190 + speed * TRAVEL * (1 - RATE ** (step - last)) / (1 - RATE)
        assert near(shown[step], wanted, 0.05), f"{step - last} steps on: {shown[step]}, {wanted}"
    stops = next(steps for steps in range(1000) if speed * RATE**steps < 0.01)
    assert abs(flown[-1] - last - stops) <= 2, f"stopped after {flown[-1] - last}, not {stops}"


def test_a_fling_bounces_at_the_edge_and_rests_there():
    """At 3005 pt/s it goes about 100 points beyond the edge."""
    states, last = run(drag(scrolled(100), 365, 2.5, first=560))
    shown = offsets(states)
    beyond = {step: offset - END for step, offset in shown.items() if offset > END}
    speed = 2.5 - (END - 465) * 0.002 / 0.998
    assert near(max(beyond.values()), speed / 3.005 * 100, 12), max(beyond.values())
    factor = SPRING * TRAVEL
    speeds = {
        step: (beyond[step + 1] - SPRING * beyond[step]) / factor for step in beyond
        if step + 1 in beyond}
    followed = [step for step in speeds if step + 1 in speeds and beyond[step + 2] > 1]
    assert len(followed) > 15, f"only {len(followed)} steps beyond the edge"
    for step in followed:
        wanted = speeds[step] * SPRING * RATE
        assert near(speeds[step + 1], wanted, 0.001), f"at step {step}: {beyond}"
    assert states[-1].body["model"]["offset"] == END and min(
        offset for step, offset in shown.items() if step > min(beyond)) == END, "it swings through"


def test_a_finger_stops_a_fling_without_a_jump():
    where = drag(script(), 190, 0.8, first=400).wait(300)
    landed = round((where.now - 1000) * 0.12)
    places = [(160, y) for y in (300, 300, 300, 295, 265, 240, 240)]
    where.contact("profile", places, last="changed")
    states, last = run(where)
    caught = at_step(states, landed)["model"]["offset"]
    assert caught > 300, f"it did not fly: {caught}"
    assert at_step(states, landed + 8)["model"]["offset"] == caught, "it moves under the finger"
    shown = offsets(states)
    assert near(at_step(states, last)["model"]["offset"], caught + 50), shown
    flying = max(shown[step + 1] - shown[step] for step in shown if step + 1 in shown)
    jumps = [
        abs(b - a) for (s, a), (t, b) in zip(shown.items(), list(shown.items())[1:])
        if landed - 5 < s and t < landed + 12]
    assert max(jumps) <= flying + 0.001, jumps


def test_a_lifted_finger_leaves_what_it_stopped():
    where = drag(script(), 190, 0.8, first=400).wait(300)
    landed = round((where.now - 1000) * 0.12)
    where.contact("profile", [(160, 300), (160, 300)])
    states, _ = run(where)
    assert states[-1].body["model"]["offset"] == at_step(states, landed)["model"]["offset"]


@pytest.mark.parametrize("way", [50, -30])
def test_a_bounce_that_is_caught_goes_on_from_the_fingers_inverse(way: float):
    where = held(script(), -300).wait(100)
    landed = round((where.now - 1000) * 0.12)
    sign = 1 if way > 0 else -1
    y = 300 - way - 10 * sign
    where.contact("profile", [(160, 300), (160, (300 + y) / 2), (160, y)], last="changed")
    states, last = run(where)
    caught = at_step(states, landed)["model"]["offset"]
    assert -100 < caught < -20, f"no bounce: {caught}"
    wanted = -rubber_band(pulled(-caught, HEIGHT) - way, HEIGHT)
    assert near(at_step(states, last)["model"]["offset"], wanted, 0.01), at_step(states, last)


def test_a_bounce_that_is_only_touched_goes_on_when_the_finger_lifts():
    where = held(script(), -300).wait(100)
    landed = round((where.now - 1000) * 0.12)
    where.contact("profile", [(160, 300), (160, 301), (160, 301)], every=100)
    states, last = run(where)
    caught = at_step(states, landed)["model"]["offset"]
    assert caught < -20 and at_step(states, last - 1)["model"]["offset"] == caught, "it slips"
    assert states[-1].body["model"]["offset"] == 0, "it stays beyond the edge"


def test_a_clients_scroll_ends_a_fling():
    where = drag(script(), 190, 0.8, first=400).wait(100)
    states, last = run(where.gesture("profile", "scroll", "changed", offset=77))
    assert [u.body["model"]["offset"] for u in states if step_of(u) >= last] == [77], states[-3:]


@pytest.mark.parametrize("way", [-100, 100])
def test_a_content_that_fits_has_nowhere_to_go(way: float):
    states, last = run(held(script(profile(content_height=300)), way))
    wanted = rubber_band(100, HEIGHT) * (1 if way > 0 else -1)
    assert near(at_step(states, last - 1)["model"]["offset"], wanted), at_step(states, last - 1)
    assert states[-1].body["model"]["offset"] == 0, states[-1]


def test_a_fling_passes_the_boundaries_in_order():
    """It passes 40 and 95 downwards, then both upwards, then the top."""
    where = drag(script(), 60, 0.8, first=400).wait(1000)
    got = drag(where, -365, 1.5, first=100).run()
    told = [
        (u.body["name"], u.body["event"], u.body["duration"])
        for u in of(got, "profile", "transition")]
    assert told == [
        ("collapse", "began", 0), ("title", "began", 0), ("title", "ended", 0),
        ("collapse", "ended", 0), ("pull", "began", 0), ("pull", "ended", 0)], told


def test_a_contact_while_paging_is_refused_once():
    """The daemon ignores it until it lifts, long after the page has turned."""
    where = script(reader()).command("reader", "next").wait(50)
    where.contact("reader", [(160, 300 - 9 * part) for part in range(20)]).wait(25)
    where.contact("reader", [(160, 300), (160, 280), (160, 260)], last="changed")
    got = where.run()
    refused = [u for u in got if u.topic.startswith("rejected/")]
    assert [u.body["code"] for u in refused] == ["busy"], refused
    dragged = [step_of(u) for u in of(got, "reader") if u.body["phase"] == "dragging"]
    assert dragged and dragged[0] == round((where.now - 1000 - 25) * 0.12), dragged[:1]


def test_the_reader_has_a_rubber_band_too():
    states, last = run(held(script(reader(pages=1)), 150, "reader"), "reader")
    assert near(at_step(states, last - 1)["model"]["offset"], rubber_band(150, HEIGHT))
    shown = offsets(states)
    for step in range(last, last + 20):
        wanted = rubber_band(150, HEIGHT) * SPRING ** (step - last)
        assert near(shown[step], wanted, 0.002), f"{step - last} steps on: {shown[step]}"
    assert states[-1].body["phase"] == "resting" and states[-1].body["model"]["offset"] == 0


def test_the_reader_springs_back_with_the_speed_of_the_scroll():
    """After a release at 0.4 pt/ms beyond the end it first moves on, then returns."""
    where = script(reader(pages=1))
    for number in range(31):
        phase = "began" if number == 0 else "ended" if number == 30 else "changed"
        where.wait(25).gesture("reader", "scroll", phase, offset=10 * number - 250)
    states, last = run(where, "reader")
    shown, offset, speed = offsets(states), 50.0, 0.4
    for step in range(last, last + 60):
        assert near(shown[step], offset, 0.1), f"{step - last} steps on: {shown[step]}, {offset}"
        offset = SPRING * offset + speed * SPRING * TRAVEL
        speed *= SPRING * RATE
    assert shown[last + 12] > 50 * SPRING**12 + 5, "it has no speed"
    assert states[-1].body["model"]["offset"] == 0, states[-1]
