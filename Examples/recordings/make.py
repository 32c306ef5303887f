#!/usr/bin/env python3
"""Writes the recordings beside it: strokes as a hand makes them, the same bytes at each run.

A hand moves along a path of minimum jerk, is sampled 60 to 120 times a second, never quite
evenly, and trembles by fractions of a point. Run it without arguments.
"""
import json
import math
import pathlib
import random
import tomllib

HERE = pathlib.Path(__file__).parent
SCENES = HERE.parent.parent / "config" / "scenes"
OWN_SCENES = HERE.parent / "scenes"
SESSION = "alice"
# The daemon's default tracker takes this for a throw (points per second), with a margin.
THROW, NO_THROW = 1300, 700
# The tab whose page each recording is about; the others show the tips, or a session of their own.
PAGES = {
    "toss": 2, "profile": 4, "tabs": 0, "notifications": 0, "navigation": 0, "list": 1, "reader": 3,
}


class Recording:
    """Lines of one recording; `now` is where the next one goes, in milliseconds."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = [{"gesture-recording": 1, "scene": "phone", "seed": seed}]
        self.now = 0.0
        self.session = SESSION

    def wait(self, milliseconds):
        """A pause of a person's: up to 4 % longer or shorter than meant."""
        self.now += milliseconds * (1 + self.random.uniform(-0.04, 0.04))

    def at(self):
        return round(self.now, 2)

    def caption(self, text):
        self.lines.append({"t": self.at(), "caption": text})

    def event(self, topic, body):
        self.lines.append({"t": self.at(), "topic": topic, "body": body})

    def show(self, scene):
        """Plays in a scene of its own, which the header carries."""
        self.lines[0]["scene"] = scene

    def open(self, page=None):
        """Opens the telephone; for a page, puts the tips away that lie over it, and goes there."""
        self.event(f"command/{SESSION}", {"command": "open", "scene": "phone"})
        if page is not None:
            self.command("tips", "dismiss")
        if page:
            self.command("tabs", "select", index=page)

    def command(self, component, command, **fields):
        self.event(f"command/{self.session}/{component}", {"command": command, **fields})

    def gesture(self, component, kind, **fields):
        topic = f"gesture/{self.session}" + (f"/{component}" if component else "")
        self.event(topic, {"gesture": kind, **fields})

    def notify(self, kind, **fields):
        self.event(f"notification/{SESSION}", {"kind": kind, **fields})

    def interval(self):
        return self.random.uniform(8.3, 14.5)

    def stroke(self, component, points, *durations, cut=1.0, kind="pan", **fields):
        """A pan along straight legs through `points`, each leg in its duration.

        `cut` is the part of the last leg after which it lets go, before the hand slows down.
        Returns the release velocity as the daemon's default tracker sees it.
        """
        assert len(durations) == len(points) - 1
        samples = []
        start = self.now
        for leg, duration in enumerate(durations):
            end = duration * (cut if leg == len(durations) - 1 else 1.0)
            elapsed = 0.0 if leg == 0 else self.interval()
            while elapsed <= end:
                samples.append((start + elapsed, *self.on_leg(points, leg, elapsed / duration)))
                elapsed += self.interval()
            start = samples[-1][0]
        for index, (time, x, y) in enumerate(samples):
            phase = "began" if index == 0 else "ended" if index == len(samples) - 1 else "changed"
            self.now = time
            self.gesture(component, kind, phase=phase, x=round(x, 2), y=round(y, 2), **fields)
        return release_speed(samples)

    def touch(self, component, points, *durations, cut=1.0, pointer=1):
        """The same as raw contact, of which the daemon recognises what it is."""
        return self.stroke(
            component, points, *durations, cut=cut, kind="pointer", pointer=pointer)

    def touch_tap(self, component, x, y, pointer=1):
        """A finger that lands and lifts where it was."""
        self.gesture(component, "pointer", phase="began", pointer=pointer, x=x, y=y)
        self.wait(70)
        self.gesture(component, "pointer", phase="ended", pointer=pointer, x=x, y=y)

    def finger(self, points, *durations, cut=1.0):
        """A raw contact on the session's own topic: the daemon finds out what it touches."""
        return self.touch("", points, *durations, cut=cut)

    def finger_tap(self, x, y):
        self.touch_tap("", x, y)

    def on_leg(self, points, leg, part):
        eased = minimum_jerk(min(part, 1.0))
        (ax, ay), (bx, by) = points[leg], points[leg + 1]
        tremble = [self.random.uniform(-0.25, 0.25) for _ in range(2)]
        return ax + (bx - ax) * eased + tremble[0], ay + (by - ay) * eased + tremble[1]

    def scroll(self, component, legs, phase_after="ended"):
        """A scroll through offsets: each leg is (from, to, milliseconds)."""
        begun = False
        offset = legs[0][0]
        for source, target, duration in legs:
            elapsed = 0.0
            while elapsed < duration:
                offset = source + (target - source) * minimum_jerk(elapsed / duration)
                phase = "changed" if begun else "began"
                self.gesture(component, "scroll", phase=phase, offset=round(offset, 2))
                begun = True
                step = self.interval()
                elapsed += step
                self.now += step
            offset = target
        self.gesture(component, "scroll", phase=phase_after, offset=round(offset, 2))

    def write(self, name):
        times = [line["t"] for line in self.lines[1:]]
        assert times == sorted(times), f"{name}: time runs backwards"
        text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in self.lines)
        (HERE / name).write_text(text, encoding="utf-8")


def minimum_jerk(part):
    return part**3 * (10 - 15 * part + 6 * part * part)


def release_speed(samples):
    """0.2 of the last velocity and 0.8 of the one before, in points per second."""

    def velocity(a, b):
        seconds = (b[0] - a[0]) / 1000
        return (b[1] - a[1]) / seconds, (b[2] - a[2]) / seconds

    before, last = velocity(*samples[-3:-1]), velocity(*samples[-2:])
    vx, vy = (0.2 * l + 0.8 * b for l, b in zip(last, before))
    return (vx * vx + vy * vy) ** 0.5


def tips(r):
    r.caption("1 Spinning tips: dragged to the left and let go, the next one swings in")
    r.command("tips", "present")
    r.wait(2_300)
    r.stroke("tips", [(172, 300), (38, 326)], 420)
    r.wait(2_400)
    r.caption("A short drag: the tip swings back")
    r.stroke("tips", [(150, 280), (206, 296)], 380)
    r.wait(2_000)


def tips_to_the_end(r):
    r.caption("Two more to the left: after the last tip they are dismissed")
    r.stroke("tips", [(180, 310), (44, 345)], 360)
    r.wait(2_400)
    r.stroke("tips", [(168, 250), (30, 262)], 400)
    r.wait(1_300)
    r.caption("Presented again, and dragged to the right: before the first there is none")
    r.command("tips", "present")
    r.wait(2_300)
    r.stroke("tips", [(140, 290), (296, 330)], 430)
    r.wait(2_200)


def toss(r):
    r.caption("2 A tossed view: fast enough to fly off, spinning; then it comes back")
    speed = r.stroke("toss", [(142, 236), (292, 108)], 190, cut=0.6)
    assert speed > THROW, speed
    r.wait(1_700)
    r.caption("Too slow to throw: it returns at once")
    speed = r.stroke("toss", [(220, 190), (168, 316)], 620)
    assert speed < NO_THROW, speed
    r.wait(1_200)


def toss_more(r):
    r.caption("Held by a corner it hangs on the finger; then down it goes")
    speed = r.stroke("toss", [(52, 150), (96, 250), (128, 470)], 520, 230, cut=0.6)
    assert speed > THROW, speed
    r.wait(1_700)
    r.caption("Caught on its way back and tossed again")
    r.stroke("toss", [(160, 223), (44, 190)], 200, cut=0.6)
    r.wait(560)
    speed = r.stroke("toss", [(150, 230), (300, 262)], 180, cut=0.6)
    assert speed > THROW, speed
    r.wait(1_700)


def profile(r):
    r.caption("5 A profile's header follows the scroll: it shrinks, then carries the name")
    r.scroll("profile", [(0, 118, 420), (118, 246, 700)])
    r.wait(700)
    r.caption("Back to the top, and pulled down: the header grows")
    r.scroll("profile", [(246, 60, 480), (60, 0, 420)])
    r.wait(450)
    r.scroll("profile", [(0, -74, 520), (-74, 0, 460)])
    r.wait(800)


def profile_touched(r):
    r.caption("Flung by a finger, it coasts, and is caught in flight")
    r.touch("profile", [(170, 430), (176, 180)], 260, cut=0.6)
    r.wait(420)
    r.touch("profile", [(150, 300), (152, 410)], 500)
    r.wait(500)
    r.touch("profile", [(160, 200), (164, 480)], 240, cut=0.6)
    r.wait(2_600)


def dashboard(r):
    r.caption("3 From the dashboard: a screen grows out of its icon, and shrinks back to it")
    r.finger_tap(*MAIL)
    r.wait(900)
    r.finger_tap(*BACK)
    r.wait(900)


def notification_screens(r):
    r.caption("4 Notifications slide in from the bottom, and out again")
    r.command("navigation", "present", screen="notifications", transition="in-from-bottom")
    r.wait(900)
    r.finger_tap(*BACK)
    r.wait(900)


def navigation_queue(r):
    r.caption("Three at once: they wait for each other")
    for screen in ("mail", "market", "mail"):
        r.command("navigation", "present", screen=screen, transition="in-from-bottom")
    r.wait(1_500)
    r.command("navigation", "back")
    r.wait(700)


def rows(r):
    r.caption("6 A side swipe: the finger's stroke opens a row, a tap closes it with a bounce")
    r.touch("list", [(262, 180), (120, 188)], 190, cut=0.8)
    r.wait(900)
    r.touch_tap("list", 140, 320)
    r.wait(1_100)


def rows_more(r):
    r.caption("A vertical move scrolls instead, whatever the rows do")
    r.gesture("list", "swipe", direction="left", row=1)
    r.wait(500)
    r.touch("list", [(150, 420), (158, 170)], 250, cut=0.6)
    r.wait(2_200)
    r.command("list", "scroll-to-top")
    r.wait(400)


def reader(r, number=7, component="reader"):
    r.caption(f"{number} Pull to the next article: the arrow turns when it is far enough")
    r.touch(component, [(160, 430), (166, 210)], 520)
    r.wait(900)
    r.caption("Not far enough: it springs back; then the other way, to the one before")
    r.touch(component, [(150, 220), (154, 300)], 380)
    r.wait(900)
    r.touch(component, [(150, 180), (158, 410)], 560)
    r.wait(900)


def reader_commands(r):
    r.caption("By command: on, and on, and back")
    for command, pause in [("next", 500), ("next", 500), ("previous", 600)]:
        r.command("reader", command)
        r.wait(pause)


def tabs(r):
    r.caption("8 A tab bar: the arrow runs after each tap")
    for x, y, pause in [(226, 551, 700), (97, 546, 620), (159, 549, 240), (33, 552, 800)]:
        r.gesture("tabs", "tap", x=x, y=y)
        r.wait(pause)


def notifications(r):
    r.caption("9 A notification bubble: likes and comments arrive, counted over the news")
    r.command("tabs", "select", index=0)
    r.wait(400)
    for kind, fields, pause in [
            ("likes", {}, 700), ("likes", {"add": 3}, 650), ("comments", {}, 500),
            ("followers", {"add": 2}, 900)]:
        r.notify(kind, **fields)
        r.wait(pause)
    r.caption("A mention: the profile's tab glows")
    r.notify("mentions")
    r.wait(1_100)
    r.caption("The news are opened: the bubble goes and its counts are cleared")
    r.gesture("tabs", "tap", x=225, y=548)
    r.wait(1_200)
    r.gesture("tabs", "tap", index=4)
    r.wait(900)


def notifications_more(r):
    r.caption("One more, hidden by hand; the badges are cleared")
    r.notify("comments", set=7)
    r.wait(1_300)
    r.command("tabs", "hide")
    r.wait(900)
    r.command("badges", "clear")
    r.wait(600)


def dock(r):
    scene = tomllib.loads((SCENES / "dock.toml").read_text(encoding="utf-8"))
    r.event(f"command/{r.session}", {"command": "open", "scene": scene, "replace": True})
    r.wait(2_600)
    r.caption("One is dragged out and thrown across the others")
    r.finger([(52, 456), (40, 330), (150, 250)], 300, 260, cut=0.7)
    r.wait(2_400)
    r.caption("A ball is added, and falls as well")
    ball = {
        "id": "ball", "center": [160, 60], "size": [40, 40], "shape": "circle",
        "content": {"background": "#ff9500", "label": "A ball"}}
    world = scene["components"][0]
    world["items"].append(ball)
    for behavior in world["behaviors"]:
        if behavior["id"] in ("gravity", "walls"):
            behavior["items"].append("ball")
    r.event(f"command/{r.session}", {"command": "update", "scene": scene})
    r.wait(2_400)


def world(r):
    r.caption("10 A world of one's own, with gravity and walls: icons fall into a dock")
    r.session = "desk"
    dock(r)
    r.session = SESSION


def at_angle(hook, angle, length=200.0):
    """A place on a rod's arc, so many radians to the right of straight down."""
    return round(hook + length * math.sin(angle), 2), round(60 + length * math.cos(angle), 2)


def cradle(r):
    r.caption("The first ball falls, and the last one leaves")
    r.wait(4_200)
    r.caption("In thick air they come to rest")
    r.command("cradle", "set", behavior="steel", values={"resistance": 5})
    r.wait(2_600)
    r.command("cradle", "set", behavior="steel", values={"resistance": 0})
    r.caption("A hand lifts the last one, and lets it go")
    arc = [at_angle(366, angle) for angle in (0.0, 0.35, 0.7)]
    r.finger(arc, 380, 420)
    r.wait(3_600)


def sheet(r):
    r.caption("Pulled up by its handle and let go, it goes back to where it belongs")
    r.finger([(160, 544), (164, 330)], 520)
    r.wait(1_300)
    for caption, y in [("Told to stand half open", 524), ("All the way", 304)]:
        r.caption(caption)
        r.command("sheet", "set", behavior="place", values={"point": [160, y]})
        r.wait(1_300)
    r.caption("Thrown down, it comes up again")
    r.finger([(160, 120), (166, 420)], 260, cut=0.8)
    r.wait(1_500)
    r.caption("And low again, where only its handle shows")
    r.command("sheet", "set", behavior="place", values={"point": [160, 784]})
    r.wait(1_500)


# A wall panel: a lamp with its brightness, and a sheet.


def button(r):
    r.caption("A tap turns the lamp")
    r.finger_tap(160, 105)
    r.wait(700)
    r.caption("A finger that wanders off turns nothing, and comes back")
    r.finger([(90, 110), (92, 330)], 380)
    r.wait(500)
    r.finger([(90, 110), (96, 215), (100, 120)], 300, 320)
    r.wait(700)
    r.caption("A button that is held goes on")
    r.finger([(264, 216), (265, 217)], 620)
    r.wait(500)
    r.finger([(56, 214), (57, 215)], 1_080)
    r.wait(900)
    r.caption("Told to be off, it takes no finger")
    r.command("more", "disable")
    r.finger_tap(264, 216)
    r.wait(500)
    r.command("more", "enable")
    r.finger_tap(264, 216)
    r.wait(600)


def label(r):
    r.caption("A long press: the labels fade over into another language")
    r.finger([(150, 100), (151, 101)], 720)
    r.wait(900)
    r.caption("Each tap changes what they say, also while they fade")
    for pause in (500, 90, 90, 700):
        r.finger_tap(160, 105)
        r.wait(pause)
    r.caption("Others may say something, too")
    r.event(f"command/{r.session}", {"command": "assign", "values": {"level": 73, "lit": True}})
    r.wait(500)
    r.event(f"command/{r.session}", {
        "command": "set", "component": "state", "values": {"text": "Rain at {level:03} %"}})
    r.wait(120)
    r.command("state", "hide")
    r.wait(600)
    r.command("state", "show")
    r.wait(600)


def panel(r):
    r.caption("Pulled up by a finger, which goes on into the list, and back, in one stroke")
    r.finger([(150, 540), (158, 60), (162, 480)], 900, 900)
    r.wait(1_200)
    r.caption("Flung up, caught on its way, and flung up again")
    r.finger([(150, 540), (154, 370)], 240, cut=0.6)
    r.wait(140)
    r.finger([(160, 300), (161, 302)], 220)
    r.wait(300)
    r.finger([(150, 330), (156, 120)], 260, cut=0.6)
    r.wait(1_000)
    r.caption("There the list is flung, and the sheet stays")
    r.finger([(150, 420), (158, 230)], 260, cut=0.6)
    r.wait(900)
    r.finger([(150, 240), (152, 520)], 420)
    r.wait(1_100)
    r.caption("A row is chosen, and the sheet goes down; a tap beside it would do the same")
    r.command("sheet", "go", to="full")
    r.wait(1_300)
    r.finger_tap(160, 170)
    r.wait(1_300)
    r.command("sheet", "go", to="half")
    r.wait(1_300)
    r.finger_tap(160, 120)
    r.wait(1_300)


# The icons of the dashboard, and the button at the top of each screen.
MAIL, MARKET, PHOTOS, WRITE = (85, 285), (235, 285), (85, 427), (235, 427)
BACK = (52, 23)

# The tour: fingers on the session's own topic, and messages. Nothing names a component.

# The middles of the tab bar's items.
HOME, POPULAR, SHARE, NEWS, PROFILE = ((32 + 64 * index, 548) for index in range(5))


def tour_of_tips(r):
    r.wait(2_100)
    r.caption("1 Spinning tips: a short drag, and the tip swings back")
    r.finger([(150, 280), (206, 296)], 380)
    r.wait(2_000)
    r.caption("Dragged to the left and let go, the next one swings in")
    r.finger([(172, 300), (38, 326)], 420)
    r.wait(2_300)
    r.finger([(180, 310), (44, 345)], 360)
    r.wait(2_300)
    r.caption("The last tip leaves, and the app is there")
    r.finger([(168, 250), (30, 262)], 400)
    r.wait(1_500)


def tour_of_rows(r):
    r.caption("2 A list flung by a finger, and caught")
    r.finger_tap(*POPULAR)
    r.wait(700)
    r.finger([(150, 420), (158, 170)], 250, cut=0.6)
    r.wait(900)
    r.finger([(160, 200), (160, 470)], 300, cut=0.7)
    r.wait(2_000)
    r.caption("A side swipe opens a row: its menu has two actions")
    r.finger([(262, 180), (120, 188)], 190, cut=0.8)
    r.wait(900)
    r.caption("The thread slides in, at home")
    r.finger_tap(80, 185)
    r.wait(1_300)


def tour_of_screens(r):
    r.caption("3 Back by a pan from the left edge: begun, thought better of, then done")
    r.finger([(4, 300), (96, 306), (30, 304)], 320, 300)
    r.wait(800)
    r.finger([(3, 310), (238, 322)], 300, cut=0.8)
    r.wait(900)
    r.caption("4 The dashboard: a screen grows out of its icon, and Back shrinks it")
    r.finger_tap(*MAIL)
    r.wait(1_000)
    r.caption("A letter opens, and goes back to the right")
    r.finger_tap(170, 79)
    r.wait(1_000)
    r.finger_tap(*BACK)
    r.wait(800)
    r.finger_tap(*BACK)
    r.wait(800)
    r.caption("The market has its prices, and the photos a view")
    r.finger_tap(*MARKET)
    r.wait(800)
    r.finger([(180, 440), (184, 300)], 320)
    r.wait(600)
    r.finger_tap(*BACK)
    r.wait(700)
    r.finger_tap(*PHOTOS)
    r.wait(900)
    r.finger_tap(*BACK)
    r.wait(700)
    r.caption("5 A message that is written slides in from the bottom, and out again")
    r.finger_tap(*WRITE)
    r.wait(900)
    r.finger_tap(*BACK)
    r.wait(800)
    r.caption("So does the reply to a row, from its menu")
    r.finger_tap(*POPULAR)
    r.wait(600)
    r.finger([(262, 250), (120, 256)], 190, cut=0.8)
    r.wait(800)
    r.finger_tap(240, 255)
    r.wait(1_100)
    r.finger_tap(*BACK)
    r.wait(800)


def tour_of_messages(r):
    r.caption("6 Messages: their screen slides in, a bubble counts them over the news")
    for kind, fields, pause in [
            ("likes", {}, 1_000), ("likes", {"add": 3}, 700), ("comments", {}, 600),
            ("followers", {"add": 2}, 900)]:
        r.notify(kind, **fields)
        r.wait(pause)
    r.caption("A mention: the profile's tab glows")
    r.notify("mentions")
    r.wait(1_000)
    r.finger_tap(*BACK)
    r.wait(800)
    r.caption("The news are opened: the bubble goes and its counts are cleared")
    r.finger_tap(*NEWS)
    r.wait(1_200)


def tour_of_pages(r):
    reader(r, 7, "")


def tour_of_a_toss(r):
    r.caption("8 A tossed view: fast enough to fly off, spinning; then it comes back")
    r.finger_tap(*SHARE)
    r.wait(700)
    speed = r.finger([(142, 236), (292, 108)], 190, cut=0.6)
    assert speed > THROW, speed
    r.wait(1_700)
    r.caption("Too slow to throw: it returns at once")
    speed = r.finger([(220, 190), (168, 316)], 620)
    assert speed < NO_THROW, speed
    r.wait(1_200)


def tour_of_a_profile(r):
    r.caption("9 A profile, which a tap follows; its header follows the scroll and takes the name")
    r.finger_tap(*PROFILE)
    r.wait(700)
    r.finger_tap(252, 133)
    r.wait(700)
    r.finger([(170, 430), (176, 180)], 260, cut=0.6)
    r.wait(420)
    r.caption("Caught in flight, and flung back to the top, beyond which it springs")
    r.finger([(150, 300), (152, 410)], 500)
    r.wait(500)
    r.finger([(160, 200), (164, 480)], 240, cut=0.6)
    r.wait(2_600)
    r.finger_tap(*HOME)
    r.wait(700)


def tour_of_a_dock(r):
    r.caption("10 A world of one's own, with gravity and walls: icons fall into a dock")
    dock(r)
    r.caption("And the app comes back, for the next hand")
    r.event(f"command/{r.session}", {"command": "update", "scene": "phone"})
    r.wait(1_500)


# Apps in a file: fingers on the session's own topic, and what their surroundings tell them.

def house(r):
    r.caption("A finger turns the ceiling light on")
    r.wait(500)
    r.finger_tap(96, 128)
    r.wait(900)
    r.caption("It pulls the brightness up, and the blind down")
    r.finger([(340, 250), (452, 246)], 420)
    r.wait(900)
    r.finger([(640, 110), (646, 262)], 520)
    r.wait(1_000)
    r.caption("Half a degree warmer, twice")
    for _ in range(2):
        r.finger_tap(440, 360)
        r.wait(450)
    r.caption("The house turns the light off, and moves the blind")
    r.event(f"command/{r.session}", {
        "command": "assign", "values": {"ceiling": False, "blind": 25, "outside": 6.5}})
    r.wait(1_200)
    r.caption("The sheet has moods: an evening")
    r.finger([(400, 456), (404, 280)], 380)
    r.wait(900)
    r.finger_tap(304, 380)
    r.wait(1_300)
    r.caption("Then everything off")
    r.finger_tap(400, 456)
    r.wait(1_000)
    r.finger_tap(688, 380)
    r.wait(1_300)


# The places of the pinball's buttons, and a pointer for each.
BUTTONS = {
    "left": (74, 670, 1), "right": (286, 670, 2), "shoot": (180, 660, 3), "again": (180, 396, 4)}
# A game: when a finger lands on a button, which one, and how long it stays, in milliseconds. Found
# by playing: each flip is where the ball was over the flipper.
GAME = [
    (700, "shoot", 900), (3_153, "right", 130), (3_612, "left", 130), (5_003, "left", 130),
    (6_625, "shoot", 650), (9_370, "right", 130), (9_778, "right", 130), (10_678, "left", 130),
    (17_667, "shoot", 300), (22_467, "again", 80),
]


def pinball(r):
    begin = r.now
    captions = {
        0: "A finger draws the plunger, and lets go",
        2_800: "The flippers keep the ball on the table, for a while",
        6_200: "The second ball",
        17_300: "The last one",
        21_000: "Game over: a tap begins another game",
    }
    steps = [(time, None, text) for time, text in captions.items()]
    for time, button, length in GAME:
        steps += [(time, button, "began"), (time + length, button, "ended")]
    for time, button, text in sorted(steps, key=lambda step: step[0]):
        r.now = begin + time
        if button is None:
            r.caption(text)
        else:
            x, y, pointer = BUTTONS[button]
            r.gesture("", "pointer", phase=text, pointer=pointer, x=x, y=y)
    r.wait(1_500)
    r.caption("Three balls again")


def main():
    recordings = {
        "tips": [tips, tips_to_the_end],
        "toss": [toss, toss_more],
        "profile": [profile, profile_touched],
        "tabs": [tabs],
        "notifications": [notifications, notifications_more],
        "tour": [
            tour_of_tips, tour_of_rows, tour_of_screens, tour_of_messages, tour_of_pages,
            tour_of_a_toss, tour_of_a_profile, tour_of_a_dock],
        "navigation": [dashboard, notification_screens, navigation_queue],
        "list": [rows, rows_more],
        "reader": [reader, reader_commands],
        "dock": [world],
    }
    for seed, (name, parts) in enumerate(recordings.items(), start=1):
        recording = Recording(seed)
        recording.open(PAGES.get(name))
        recording.wait(120)
        for part in parts:
            part(recording)
        recording.write(f"{name}.jsonl")
    # In scenes of their own.
    others = {
        "cradle": ("cradle", cradle), "sheet": ("sheet", sheet), "button": ("panel", button),
        "label": ("panel", label), "panel": ("panel", panel)}
    for seed, (name, (scene, part)) in enumerate(others.items(), start=len(recordings) + 1):
        recording = Recording(seed)
        recording.show(tomllib.loads((OWN_SCENES / f"{scene}.toml").read_text(encoding="utf-8")))
        recording.wait(120)
        part(recording)
        recording.write(f"{name}.jsonl")
    # The hand's tremble decides a game, so its seed stays as more recordings come.
    apps = {"house": (13, house), "pinball": (14, pinball)}
    for name, (seed, part) in apps.items():
        recording = Recording(seed)
        recording.show(name)
        recording.wait(120)
        part(recording)
        recording.write(f"{name}.jsonl")


if __name__ == "__main__":
    main()
