"""Heavy sessions and costly requests of one peer, and what another peer notices of them."""

from __future__ import annotations

import math
import os
import pathlib
import random
import tempfile
import time

import pytest
from client import Control, Daemon
from manager import Manager
from reliability import stats, wait_for
from scenes import scene, tabs, tips, toss

# Milliseconds that a heavy session may add to what another one's peer waits for, at the 99th of a
# hundred. The debug build computes some twenty times as slowly, so each single step takes longer.
IS_DEBUG = "debug" in str(pathlib.Path(os.environ.get("GESTURED_BIN", "debug")))
HARM_MS = 400 if IS_DEBUG else 100
# The figures of a step are those of the optimised build: in debug few items are as heavy.
ITEMS, POINTS = (16, 12) if IS_DEBUG else (64, 46)
ONE_LANE = "lanes = 1\n"


def heavy_world(
    name: str = "world", fields: int = 31, points: int = POINTS, count: int = ITEMS,
) -> dict:
    """A world that costs as much as one can: items that collide with each other and a long path,
    and fields that never let them rest."""
    chance = random.Random(7)
    items = [
        {"id": f"i{n}", "center": [100 + 12 * (n % 8), 100 + 12 * (n // 8)], "size": [40, 30],
         "rotation": chance.random()}
        for n in range(count)]
    names = [item["id"] for item in items]
    path = [[chance.randint(0, 320), chance.randint(0, 568)] for _ in range(points)]
    behaviors: list[dict] = [
        {"id": f"f{n}", "kind": "field", "type": "noise", "items": names,
         "strength": 5, "smoothness": 0.5, "animation_speed": 1}
        for n in range(fields)]
    behaviors.append({
        "id": "walls", "kind": "collision", "items": names,
        "boundaries": [{"id": "path", "path": path}]})
    return {"id": name, "kind": "dynamics", "items": items, "behaviors": behaviors}


class Bystander:
    """A peer with a small session of its own, which measures how long it waits."""

    def __init__(self, daemon: Daemon, name: str = "calm"):
        self.name = name
        self.control = daemon.requests()
        self.control.open(name, scene(toss(), frame_rate=120))
        self.publisher = daemon.publisher()
        self.updates = daemon.subscriber(f"state/{name}/")
        # The milliseconds of each wait, by what was waited for.
        self.waits: dict[str, list[float]] = {}
        self.places = 0

    def note(self, what: str, began: float) -> None:
        self.waits.setdefault(what, []).append((time.monotonic() - began) * 1_000)

    def look(self) -> None:
        """Waits once for each kind of answer."""
        began = time.monotonic()
        self.pan("began")
        self.updates.until(lambda update: update.body["phase"] == "dragging", "a drag")
        self.note("state", began)
        began = time.monotonic()
        self.pan("cancelled")
        self.updates.until(lambda update: update.body["phase"] != "dragging", "its end")
        self.note("state", began)
        began = time.monotonic()
        self.control.notify(self.name, "likes")
        self.note("publish", began)
        began = time.monotonic()
        self.control.ok("hello")
        self.note("hello", began)

    def pan(self, phase: str) -> None:
        self.publisher.send(
            f"gesture/{self.name}/toss",
            {"gesture": "pan", "phase": phase, "x": 160, "y": 284})

    def watch(self, seconds: float) -> Bystander:
        """Looks again and again, with short rests, for a time."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.look()
            time.sleep(0.005)
        return self

    def late(self) -> dict[str, float]:
        """The 99th of a hundred waits, of each kind."""
        return {
            what: sorted(times)[math.ceil(len(times) * 0.99) - 1]
            for what, times in self.waits.items()}

    def alone(self, seconds: float = 2) -> dict[str, float]:
        """How long it waits while nobody else asks for anything; a busy machine adds its own."""
        self.watch(seconds)
        late, self.waits = self.late(), {}
        return late

    def check(self, alone: dict[str, float]) -> None:
        late = self.late()
        assert all(wait - alone[what] < HARM_MS for what, wait in late.items()), (
            f"{late}, and {alone} alone, of {self.counts()}")

    def counts(self) -> dict[str, int]:
        return {what: len(times) for what, times in self.waits.items()}


def heavy_names(count: int) -> list[str]:
    return [f"heavy{number}" for number in range(count)]


def open_heavy(daemon: Daemon, count: int) -> Control:
    """Opens heavy sessions, and does not wait for the answers."""
    control = daemon.requests()
    for name in heavy_names(count):
        control.send("open", session=name, scene=scene(heavy_world()))
    return control


@pytest.fixture
def manager():
    # Not pytest's folder: a path below it can be too long for a socket.
    with tempfile.TemporaryDirectory(prefix="gestured-") as folder:
        with Manager(f"{folder}/notify") as manager:
            yield manager


@pytest.mark.parametrize("count", [1, 2, 17])
def test_heavy_sessions_hold_up_nobody_else(manager: Manager, count: int):
    environment = manager.environment | {"WATCHDOG_USEC": "2000000"}
    with Daemon(ONE_LANE, environment=environment) as daemon:
        bystander = Bystander(daemon)
        alone = bystander.alone()
        watcher = daemon.subscriber(*(f"state/{name}/" for name in heavy_names(count)))
        heavy = open_heavy(daemon, count)
        bystander.watch(6)
        for number in range(count):
            assert heavy.reply(number + 1)["ok"]
        bystander.check(alone)
        counts = stats(bystander.control)
        assert count == 1 or counts["sessions_throttled"], counts
        moved = {update.topic for update in watcher.during(2 + count)}
        assert len(moved) == count, f"only {sorted(moved)} move"
        manager.take(0.1)
        fed = manager.times["WATCHDOG"]
        assert max(later - earlier for earlier, later in zip(fed, fed[1:])) < 2, fed
        began = time.monotonic()
        assert daemon.stop() == 0
        assert time.monotonic() - began < 10


def test_a_scene_whose_worlds_are_too_heavy_together_is_refused(control: Control):
    for components in (
        [heavy_world(points=60, count=64)],
        [heavy_world("a", points=12, count=64), heavy_world("b", points=12, count=64)],
    ):
        error = control.refused("open", session="much", scene=scene(*components))
        assert error["code"] == "bad-scene" and "5000 pairs" in error["message"], error
    control.open("much", scene(
        heavy_world("a", 1, 46, 64), heavy_world("b", 1, 2, 64) | {"behaviors": []}))
    code = control.refused("publish", topic="command/much/a", body={
        "command": "add-item", "item": {"id": "more", "center": [0, 0], "size": [9, 9]}})
    assert "64 items" in code["message"], code
    walls = {"id": "more", "kind": "collision", "items": [f"i{n}" for n in range(64)]}
    error = control.refused("publish", topic="command/much/b", body={
        "command": "add-behavior", "behavior": walls})
    assert error["code"] == "bad-value" and "5000 pairs" in error["message"], error
    control.ok("close", session="much")


def test_a_pipeline_of_exports_holds_up_nobody_even_when_its_asker_leaves():
    with Daemon(ONE_LANE) as daemon:
        bystander = Bystander(daemon)
        alone = bystander.alone()
        heavy = open_heavy(daemon, 1)
        assert heavy.reply(1)["ok"]
        asker = daemon.requests()
        for _ in range(200):
            asker.send("export", session="heavy0")
        bystander.watch(2)
        asker.socket.close(linger=0)
        bystander.watch(2)
        bystander.check(alone)
        wait_for(
            lambda: stats(bystander.control)["requests_unanswered"] <= 1,
            "exports for nobody end")


def test_too_many_costly_requests_of_one_peer_are_refused_and_another_ones_are_served():
    with Daemon(ONE_LANE) as daemon:
        heavy = open_heavy(daemon, 1)
        assert heavy.reply(1)["ok"]
        asker, other = daemon.requests(), daemon.requests()
        numbers = [asker.send("export", session="heavy0") for _ in range(600)]
        assert other.ok("snapshot", session="heavy0")
        replies = [asker.reply(number) for number in numbers]
        refused = [reply for reply in replies if not reply["ok"]]
        assert all(reply["error"]["code"] == "busy" for reply in refused)
        assert refused and len(refused) < 600


def test_no_event_is_refused_because_somebody_asks_for_its_session():
    with Daemon(ONE_LANE) as daemon:
        control = daemon.requests()
        control.open("asked", scene(toss()))
        publisher, count, asked = daemon.publisher(), 20_000, []
        for number in range(count):
            publisher.send("notification/asked", {"kind": "likes", "own": "x" * 2_000})
            if number % 100 == 0:
                asked.append(control.send("snapshot", session="asked"))
        # Behind so many requests the next one may be refused as busy, so they end first.
        for number in asked:
            control.reply(number)
        wait_for(lambda: control.badge("asked")["counts"].get("likes") == count, "all have come")
        assert control.ok("stats")["stats"]["events_rejected"] == 0


def test_work_of_a_session_keeps_its_order_behind_a_costly_request():
    with Daemon(ONE_LANE) as daemon:
        control = daemon.requests()
        numbers, count = [], 40
        for number in range(count):
            name = f"s{number}"
            numbers.append(control.send("open", session=name, scene=scene(heavy_world(), toss())))
            body = {"kind": "likes", "set": number}
            numbers.append(control.send("publish", topic=f"notification/{name}", body=body))
            numbers.append(control.send("snapshot", session=name))
            numbers.append(control.send("close", session=name))
            numbers.append(control.send("snapshot", session=name))
        replies = [control.reply(number) for number in numbers]
        for number in range(count):
            opened, published, shown, closed, gone = replies[5 * number:5 * number + 5]
            assert opened["ok"] and published["ok"] and closed["ok"], (opened, published, closed)
            badge = next(u["body"] for u in shown["updates"] if u["topic"].startswith("badge/"))
            assert badge["counts"].get("likes", 0) == number, badge
            assert gone["error"]["code"] == "unknown-session", gone


def test_costly_requests_that_wait_at_the_end_are_refused():
    with Daemon(ONE_LANE) as daemon:
        heavy = open_heavy(daemon, 17)
        assert all(heavy.reply(number + 1)["ok"] for number in range(17))
        asker = daemon.requests()
        numbers = [asker.send("export", session=f"heavy{n % 17}") for n in range(200)]
        asker.reply(numbers[0])
        began = time.monotonic()
        assert daemon.stop() == 0
        assert time.monotonic() - began < 10


# MARK: Changes of scenes


def long_scene(*reactions: dict) -> dict:
    """A scene of some 66 KB, whose every change reads all of it."""
    lists = [{"id": f"l{n}", "kind": "list", "rows": 100} for n in range(8)]
    texts = [{"title": "t" * 100, "summary": "s" * 100} for _ in range(70)]
    long = [tips(presented=False, tips=texts) | {"id": f"t{n}"} for n in range(4)]
    return scene(tabs(), *lists, *long, reactions=list(reactions))


def restless_scene() -> dict:
    """One that selects its tabs by itself, a hundred times a second; each time eight lists are
    set."""
    began = {"component": "tabs", "transition": "select", "event": "began"}
    sets = [
        {"when": began, "do": {"component": f"l{n}", "command": "set", "values": {"rows": "$to"}}}
        for n in range(8)]
    turns = [
        {"when": began | {"to": here}, "after": 0.01,
         "do": {"component": "tabs", "command": "select", "index": there}}
        for here, there in ((0, 1), (1, 0))]
    return long_scene(*sets, *turns)


def revision(control: Control, session: str) -> int:
    updates = control.ok("snapshot", session=session)["updates"]
    return next(u["body"]["revision"] for u in updates if u["topic"] == f"scene/{session}")


def rows_set(number: int) -> dict:
    return {"command": "set", "component": "l0", "values": {"rows": number}}


def stop_soon(daemon: Daemon) -> None:
    began = time.monotonic()
    assert daemon.stop() == 0
    assert time.monotonic() - began < 2


def test_sessions_that_change_themselves_hold_up_nobody():
    with Daemon(ONE_LANE) as daemon:
        bystander = Bystander(daemon)
        alone = bystander.alone()
        control = daemon.requests()
        names = heavy_names(10)
        for name in names:
            control.open(name, restless_scene())
            control.command(name, "tabs", "select", index=1)
        bystander.watch(4).check(alone)
        assert all(revision(control, name) > 20 for name in names)
        stop_soon(daemon)


@pytest.mark.parametrize("way", ["events", "requests"])
def test_a_flood_of_changes_is_at_its_sessions_own_cost(way: str):
    with Daemon(ONE_LANE) as daemon:
        bystander = Bystander(daemon)
        alone = bystander.alone()
        control = daemon.requests()
        control.open("flooded", long_scene())
        flood = daemon.publisher() if way == "events" else daemon.requests()
        end, number = time.monotonic() + 4, 0
        while time.monotonic() < end:
            for number in range(number + 1, number + 200):
                if way == "events":
                    flood.send("command/flooded", rows_set(number))
                else:
                    flood.send("publish", topic="command/flooded", body=rows_set(number))
            bystander.look()
        bystander.check(alone)
        counts = stats(control)
        assert counts["sessions_changed"] > 20, counts
        assert way == "requests" or counts["events_rejected"] > 100, counts
        assert control.ok("hello")
        stop_soon(daemon)


def test_what_is_refused_of_a_flood_of_changes_is_told():
    with Daemon(ONE_LANE) as daemon:
        control = daemon.requests()
        control.open("flooded", long_scene())
        refusals = daemon.subscriber("rejected/flooded")
        publisher = daemon.publisher()
        for number in range(5_000):
            publisher.send("command/flooded", rows_set(number))
        refusals.find("rejected/flooded", code="busy")
        wait_for(
            lambda: control.ask("publish", topic="command/flooded", body=rows_set(7))["ok"],
            "what comes after the flood is taken")


def test_events_behind_a_change_of_their_session_keep_their_order(
    daemon: Daemon, control: Control, session: str
):
    """A tap behind a change meets the changed scene, and an answer tells of what came before."""
    control.open(session, restless_scene() | {"reactions": []})
    for number in range(30):
        asked = [
            control.send("publish", topic=f"command/{session}", body=rows_set(number)),
            control.send("publish", topic=f"command/{session}/l0",
                         body={"command": "scroll-to-top"}),
            control.send("publish", topic=f"notification/{session}",
                         body={"kind": "likes", "set": number}),
            control.send("snapshot", session=session)]
        replies = [control.reply(number) for number in asked]
        assert all(reply["ok"] for reply in replies), replies
        bodies = {u["topic"].split("/")[0]: u["body"] for u in replies[3]["updates"]
                  if not u["topic"].startswith("state/")}
        described = bodies["scene"]["components"]
        rows = next(c for c in described if c["id"] == "l0")["parameters"]["rows"]
        assert rows == number and bodies["badge"]["counts"].get("likes", 0) == number
    assert revision(control, session) == 31


def test_reactions_that_take_long_are_all_made_before_the_answer(
    daemon: Daemon, control: Control, session: str
):
    began = {"component": "tabs", "transition": "select", "event": "began"}
    control.open(session, long_scene(*(
        {"when": began, "do": {"component": f"l{n}", "command": "set", "values": {"rows": "$to"}}}
        for n in range(8))))
    for index in (1, 2, 3):
        control.command(session, "tabs", "select", index=index)
        assert revision(control, session) == 1 + 8 * index


def test_a_session_that_changes_itself_all_the_time_takes_events(control: Control, session: str):
    control.open(session, restless_scene())
    control.command(session, "tabs", "select", index=1)
    wait_for(lambda: revision(control, session) > 20, "it changes itself")
    for number in range(1, 6):
        control.notify(session, "news")
        assert control.badge(session)["counts"]["news"] == number
        control.ok("publish", topic=f"command/{session}", body=rows_set(number))
    before = revision(control, session)
    wait_for(lambda: revision(control, session) > before + 20, "and goes on")
