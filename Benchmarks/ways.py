"""The ways of the figure `frames`: which sessions move, by whose hands, and who watches them."""

from __future__ import annotations

from dataclasses import dataclass

from screens import PHONE

# Milliseconds of the period, the topic with a place for the session, and the body.
Hand = tuple[int, str, dict]
# Without other subscribers, the watcher subscribes to one session in this many.
PROBE_EVERY = 100


def pan(component: str, phase: str, x: int, y: int, **more: int) -> tuple[str, dict]:
    return f"gesture/{{}}/{component}", {"gesture": "pan", "phase": phase, "x": x, "y": y, **more}


def pointer(component: str, phase: str, y: int) -> tuple[str, dict]:
    return f"gesture/{{}}/{component}", {
        "gesture": "pointer", "phase": phase, "pointer": 1, "x": 160, "y": y}


def scroll(component: str, phase: str, offset: int) -> tuple[str, dict]:
    return f"gesture/{{}}/{component}", {"gesture": "scroll", "phase": phase, "offset": offset}


def command(component: str, **body: object) -> tuple[str, dict]:
    return f"command/{{}}/{component}", body


# A tip is dragged for 0.1 s, leaves in 0.4 s and swings in for 0.6 s. The next fling catches it.
# It is dragged beyond the threshold on the right: no tip precedes the first, so it returns.
FLING_MS = 1_100
FLING: list[Hand] = [
    (0, *pan("tips", "began", 160, 284)),
    (0, *pan("tips", "changed", 300, 284)),
    (100, *pan("tips", "ended", 300, 284)),
]


def thrown(component: str, begin: int, start: int, end: int) -> list[Hand]:
    """A finger that throws the content of a list or a profile."""
    return [
        (begin, *pointer(component, "began", start)),
        (begin + 50, *pointer(component, "changed", (start + end) // 2)),
        (begin + 100, *pointer(component, "ended", end))]


def round_of_hands(begin: int) -> list[Hand]:
    """The hands of one period: a fling of the tips has its own time, all fits into it."""
    return [
        *((begin + at, topic, body) for at, topic, body in FLING),
        (begin + 0, *pan("toss", "began", 160, 223)),
        (begin + 100, *pan("toss", "ended", 300, 300, vx=1_800, vy=900)),
        (begin + 0, *scroll("reader", "began", 0)),
        (begin + 20, *scroll("reader", "changed", -50)),
        (begin + 40, *scroll("reader", "ended", -50)),
        (begin + 0, *command(
            "navigation", command="present", screen="more", transition="in-from-bottom",
            duration=0.53)),
        (begin + 550, *command("navigation", command="back", duration=0.53)),
        (begin + 0, *command("tabs", command="select", index=0)),
        (begin + 550, *command("tabs", command="select", index=4)),
    ]


# Each of a phone's seven components moves nearly all the time: the arrow of the tabs takes as long
# as a screen's way.
MOVING_PHONE = PHONE | {
    "components": [
        part | ({"arrow_duration": 0.53} if part["kind"] == "tabs" else {})
        for part in PHONE["components"]]}
PHONE_HANDS = sorted([
    *round_of_hands(0), *round_of_hands(FLING_MS),
    *thrown("list", 0, 400, 250), *thrown("list", FLING_MS, 250, 400),
    *thrown("profile", 0, 400, 250), *thrown("profile", FLING_MS, 250, 400),
], key=lambda hand: hand[0])


@dataclass(frozen=True)
class Way:
    """Sessions that move, and a watcher."""

    title: str
    # The sessions' word in the plural.
    noun: str
    # The first words of the page's section.
    told: str
    column: str
    target: int
    scene: object
    hands: tuple[Hand, ...]
    period_ms: int
    channel: str = "state"
    # The watcher subscribes to each session, or to one in so many.
    every: int = 1

    @property
    def counter(self) -> str:
        """The count in `stats` of all messages that the watcher is to have."""
        # With subscribers to frames alone, all updates are frames.
        return "states" if self.channel == "state" else "updates"


def tips(title: str, told: str, column: str, target: int, **more: object) -> Way:
    return Way(
        title, "tips", f"Each tip is dragged off once in {FLING_MS:,} ms and swings in again. "
        f"{told}", column, target, "tips", tuple(FLING), FLING_MS, **more)


WAYS = (
    tips("swinging tips at 60 Hz, all subscribed by their states",
         "One subscriber takes all states.", "tips_subscribed", 9_000),
    tips("swinging tips at 60 Hz, all subscribed by frames",
         "One subscriber takes `frame/` of all sessions.", "tips_by_frame", 12_000,
         channel="frame"),
    tips("swinging tips at 60 Hz, none subscribed",
         f"One session in {PROBE_EVERY} is subscribed to by its name, as a probe.",
         "tips_unsubscribed", 25_000, every=PROBE_EVERY),
    Way("whole phones that move at 60 Hz, all subscribed by frames", "phones",
        "Each of a phone's seven components is set going by hands again and again, so that nearly "
        "all of them move at any time. One subscriber takes `frame/` of all sessions.",
        "phones_by_frame", 2_500, MOVING_PHONE, tuple(PHONE_HANDS), 2 * FLING_MS,
        channel="frame"),
)
