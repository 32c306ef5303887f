"""The join rule of the Python client as a machine: it heals whatever is lost, late or restarted.

A model of the daemon publishes, loses messages, opens sessions again and restarts, by chance; the
client's `Joiner` sees what a connection would let through. No socket is involved.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field

from client import REPOSITORY
from hypothesis import given, settings
from hypothesis import strategies as st

sys.path.insert(0, str(REPOSITORY / "Clients" / "python" / "src"))

from gestured.actions import Ask, Give, Subscribe  # noqa: E402
from gestured.asking import Asker  # noqa: E402
from gestured.endpoints import parse_update  # noqa: E402
from gestured.errors import NoAnswer, Refused  # noqa: E402
from gestured.frames import Merger  # noqa: E402
from gestured.joining import Joiner  # noqa: E402

SESSIONS = ("s", "t")
WORDS = ("state/{}/a", "state/{}/b", "badge/{}")
PREFIXES = {"named": ("state/s/", "badge/s", "state/t/", "badge/t"), "all": ("state/", "badge/")}


@dataclass
class Model:
    """A daemon with two sessions, and the connection of one client."""

    joiner: Joiner
    run: int = 1
    t: int = 0
    lives: int = 0
    epochs: dict[str, str] = field(default_factory=dict)
    shown: dict[str, dict] = field(default_factory=dict)
    heartbeats: int = 0
    # The client's requests that were not answered yet, and the syncs.
    asks: list[Ask] = field(default_factory=list)
    syncs: list[str] = field(default_factory=list)
    given: list[tuple[str, dict]] = field(default_factory=list)

    def begin(self) -> None:
        for session in SESSIONS:
            self.open(session)
        self.do(self.joiner.start())

    def do(self, actions: list) -> None:
        for action in actions:
            if isinstance(action, Give):
                self.given.append((action.topic, action.body))
            elif isinstance(action, Ask):
                self.asks.append(action)
            elif isinstance(action, Subscribe) and action.topic.startswith("sync/"):
                self.syncs.append(action.topic)

    def open(self, session: str) -> None:
        """A life begins; it has published nothing yet."""
        self.lives += 1
        self.t += 1
        self.epochs[session] = f"r{self.run}.{self.lives}"
        for word in WORDS:
            self.shown[word.format(session)] = {
                "epoch": self.epochs[session], "seq": 0, "t": self.t, "value": self.t}

    def publish(self, topic: str, is_lost: bool = False) -> None:
        self.t += 1
        body = self.shown[topic]
        self.shown[topic] = {**body, "seq": body["seq"] + 1, "t": self.t, "value": self.t}
        if not is_lost:
            self.hear(topic, self.shown[topic])

    def hear(self, topic: str, body: dict) -> None:
        self.do(self.joiner.hear(topic, body, 100))

    def beat(self) -> None:
        self.heartbeats += 1
        self.hear("heartbeat", {"epoch": f"r{self.run}", "seq": self.heartbeats, "t": self.t})

    def restart(self) -> None:
        """Everything is there again in a new life; unanswered requests are not."""
        self.run, self.heartbeats, self.lives = self.run + 1, 0, 0
        for session in SESSIONS:
            values = {word: self.shown[word.format(session)]["value"] for word in WORDS}
            self.open(session)
            for word, value in values.items():
                self.shown[word.format(session)]["value"] = value
        for ask in self.asks[:]:
            self.asks.remove(ask)
            self.do(self.joiner.answer(ask.tag, NoAnswer("x", 1), 0))

    def answer(self, how: str = "") -> None:
        """Answers the oldest sync or request: now, not at all, or with `busy`."""
        if self.syncs:
            topic = self.syncs.pop(0)
            self.hear(topic, {"epoch": f"r{self.run}", "seq": 1, "t": self.t})
        elif self.asks:
            ask = self.asks.pop(0)
            if how == "lost":
                self.do(self.joiner.answer(ask.tag, NoAnswer("x", 1), 0))
            elif how == "busy":
                self.do(self.joiner.answer(ask.tag, Refused("busy", ""), 0))
                self.do(self.joiner.wake(1e9))
            elif ask.op == "sessions":
                self.do(self.joiner.answer(ask.tag, {"sessions": list(SESSIONS), "next": None}, 0))
            else:
                session = ask.fields["session"]
                updates = [{"topic": topic, "body": {**body, "t": self.t}}
                           for topic, body in self.shown.items() if topic.split("/")[1] == session]
                self.do(self.joiner.answer(ask.tag, {"updates": updates}, 0))

    def settle(self) -> None:
        """One gap in each session is enough for all that was lost to be healed."""
        self.beat()
        for _ in range(100):
            self.answer()
        for session in SESSIONS:
            self.publish(f"state/{session}/a")
            self.publish(f"state/{session}/a", is_lost=True)
            self.publish(f"state/{session}/a")
        for _ in range(100):
            self.answer()
        assert not self.asks and not self.syncs and not self.joiner.is_joining


def test_what_may_not_be_read_is_told_and_not_asked_again():
    for prefixes in PREFIXES.values():
        model = Model(Joiner(prefixes))
        model.begin()
        model.answer()
        assert model.asks
        refusal = Refused("unauthorized", "")
        while model.asks:
            model.do(model.joiner.answer(model.asks.pop(0).tag, refusal, 0))
        assert model.joiner.refusal is refusal and not model.joiner.is_joining
        assert model.joiner.wake(1e9) == []
        model.publish("badge/s")
        assert model.given[-1][0] == "badge/s"


steps = st.lists(st.one_of(
    st.tuples(st.just("publish"), st.sampled_from(SESSIONS), st.sampled_from(WORDS),
              st.booleans()),
    st.tuples(st.just("answer"), st.sampled_from(("", "", "lost", "busy"))),
    st.tuples(st.just("open"), st.sampled_from(SESSIONS)),
    st.just(("beat",)), st.just(("restart",))), max_size=60)


@settings(max_examples=300)
@given(st.sampled_from(sorted(PREFIXES)), steps)
def test_whatever_is_lost_the_last_of_each_topic_is_given(scope: str, script: list[tuple]):
    model = Model(Joiner(PREFIXES[scope]))
    model.begin()
    for name, *rest in script:
        if name == "publish":
            session, word, is_lost = rest
            model.publish(word.format(session), is_lost)
        else:
            getattr(model, name)(*rest)
    model.settle()
    last = dict(model.given)
    for topic, body in model.shown.items():
        assert topic in last and last[topic]["value"] == body["value"], topic
        assert last[topic]["epoch"] == body["epoch"], topic
    expect_order(model.given)


def expect_order(given: list[tuple[str, dict]]) -> None:
    """No topic goes back to an earlier epoch or number, and nothing is given twice."""
    before: dict[str, tuple] = {}
    for topic, body in given:
        run, number = body["epoch"][1:].split(".")
        now = (int(run), int(number), body["seq"], body["t"])
        assert before.get(topic, ()) < now, f"{topic}: {now} after {before.get(topic)}"
        before[topic] = now


numbers = st.one_of(st.integers(-3, 9), st.floats(allow_nan=False), st.integers())
leaves = st.one_of(st.none(), st.booleans(), numbers, st.text(max_size=8), st.sampled_from(
    ("aa.1", "aa.2", "bb.1", "aa", "aa.", ".", "aa.9999999999999999999999", "state/s/a")))
keys = st.sampled_from(("epoch", "seq", "t", "states", "components", "component", "id", "views",
                        "updates", "topic", "body", "sessions", "next", "error", "ok", "badge",
                        "transitions", "event", "code", "x"))
values = st.recursive(
    leaves, lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(
        keys, inner, max_size=6)), max_leaves=12)
bodies = st.builds(
    lambda head, rest: {**rest, **head},
    st.fixed_dictionaries({"epoch": leaves, "seq": numbers, "t": numbers}),
    st.dictionaries(keys, values, max_size=5))
topics = st.sampled_from(("state/s/a", "state/s/", "state//", "frame/s", "scene/s", "badge/s", "",
                          "heartbeat", "rejected/-", "session/s", "sync/x", "transition/s/a", "/"))


@given(st.lists(st.tuples(topics, st.one_of(bodies, values)), max_size=20), values)
def test_nonsense_is_skipped_and_ends_nothing(messages: list[tuple], answer: object):
    joiner, merger = Joiner(("state/s/", "frame/s", "scene/s", "")), Merger("s")
    waiting = [action for action in joiner.start() if isinstance(action, Subscribe)]
    actions = joiner.hear(waiting[-1].topic, {"epoch": "aa", "seq": 1, "t": 0}, 1)
    for topic, body in messages:
        for action in actions:
            if isinstance(action, Give):
                merger.take(action)
            elif isinstance(action, Ask):
                joiner.answer(action.tag, answer if isinstance(answer, dict) else {}, 0.0)
        actions = joiner.hear(topic, body, 10)
        merger.take(Give(topic, body))


@given(values, st.binary(max_size=40))
def test_no_answer_and_no_message_ends_a_client(value: object, data: bytes):
    asker = Asker("x", 1.0)
    number = asker.begin("hello", {}, 0.0)
    for frames in ([], [data], [data, json.dumps(value).encode()], [json.dumps(value).encode()],
                   [b"[" * 100_000]):
        asker.take(frames)
        parse_update(frames)
        parse_update([data, *frames])
    if number not in asker.results:
        for now in (1.0, 2.0, 3.0):
            asker.tick(now)
        assert isinstance(asker.results[number], NoAnswer)


def test_a_frame_that_comes_before_its_scene_waits_for_it():
    merger = Merger("s")
    head = {"epoch": "bb.1", "seq": 1, "t": 100}
    one = {"component": "a", "phase": "resting", "model": {}, "views": {}}
    passage = {"component": "a", "name": "open", "event": "began"}
    first = Give("frame/s", head | {"states": [one], "transitions": [passage]})
    scene = Give("scene/s", head | {"components": [{"id": "a"}]})
    assert merger.take(first) is None
    frame = merger.take(scene)
    assert frame and frame.scene == scene.body and frame.t == 100
    assert set(frame.states) == {"a"} and frame.transitions == [passage]
    # The scene alone is no picture.
    assert merger.take(Give("scene/s", scene.body | {"seq": 2})) is None
    assert merger.take(Give("frame/s", first.body | {"epoch": "bb.2"})) is None
    assert merger.take(Give("frame/s", first.body | {"epoch": "bb.3", "t": 300})) is None
    frame = merger.take(Give("scene/s", scene.body | {"epoch": "bb.3"}))
    assert frame and (frame.epoch, frame.t) == ("bb.3", 300)
