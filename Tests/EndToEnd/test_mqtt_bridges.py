"""gesturectl bridge mqtt beside others with its prefix, and with more sessions than it shows."""

from __future__ import annotations

import signal

import pytest
from broker import AVAILABILITY, Bridge, Broker, House, bridged
from client import Control, Daemon
from scenes import scene, toss
from tool import staying_daemon

SECOND = "gestured/bridges/second/availability"
# Whether any bridge is there.
ANY = "gestured/availability"
# The sessions that one bridge shows.
SESSIONS_MAX = 256


@pytest.fixture
def opened(control: Control, session: str) -> str:
    name = f"shared-{session}"
    control.open(name, "phone")
    return name


def second(broker: Broker) -> list[object]:
    """The options of a bridge with another name."""
    return ["--client-id", "second", "--ledger", broker.folder / "second"]


def availability(house: House, session: str) -> set[str]:
    """The topics by which Home Assistant learns whether a session's entities are there."""
    return {place["topic"] for config in house.configs(session).values()
            for place in config["availability"]}


def left(house: House, session: str) -> list[str]:
    """The topics that the broker has of a session; it does not keep events."""
    return [topic for topic in house.values
            if (f"/{session}/" in topic or f"_{session}/" in topic)
            and not topic.endswith("/event")]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_bridge_that_ends_says_nothing_of_others_with_its_prefix(
    daemon: Daemon, control: Control, broker: Broker, opened: str, number: int,
) -> None:
    other = f"{opened}-other"
    control.open(other, "phone")
    with bridged(daemon, broker, opened) as (first, house):
        with Bridge(daemon, broker, *second(broker), session=other) as bridge:
            house.expect(SECOND, "online")
            house.wait(lambda: len(house.configs(other)) > 10, "it is discovered")
            bridge.end(number)
            house.expect(SECOND, "offline")
        assert house.values[AVAILABILITY] == "online"
        # The first one says so again where the other one said that it ends.
        house.expect(ANY, "online")
        own = f"gestured/{opened}/availability"
        assert availability(house, opened) == {AVAILABILITY, own} and house.values[own] == "online"
        assert availability(house, other) == {SECOND, f"gestured/{other}/availability"}
        first.end(signal.SIGTERM)
        house.expect(ANY, "offline")


@pytest.mark.parametrize("first, later", [(True, True), (True, False), (False, True)],
                         ids=["both named", "named, then all", "all, then named"])
def test_a_session_is_for_one_bridge_until_that_one_ends(
    daemon: Daemon, broker: Broker, opened: str, first: bool, later: bool,
) -> None:
    names = {True: opened, False: ""}
    with House(broker) as house, Bridge(daemon, broker, session=names[first]) as bridge:
        house.expect(f"gestured/{opened}/tabs/shown", "home")
        with Bridge(daemon, broker, *second(broker), session=names[later]) as other:
            other.said(
                r"gesturectl: mqtt://\S+: the bridge bridge carries "
                rf"{opened if first or later else 'all sessions'} already; give one of them "
                r"other sessions by --session, or another --prefix; trying again")
            for _ in range(3):
                house.tell(f"gestured/{opened}/notify", "likes")
            house.expect(f"gestured/{opened}/badges/total", "3")
            # It is told once, however often it is tried.
            assert not other.speaks_within(3), other.heard
            assert house.values.get(SECOND) == "offline"
            assert bridge.end(signal.SIGTERM)[0] == 0
            other.said(r"gesturectl: mqtt://\S+: connected")
            house.expect(SECOND, "online")
            house.tell(f"gestured/{opened}/notify", "likes")
            house.expect(f"gestured/{opened}/badges/total", "4")
            house.wait(
                lambda: SECOND in availability(house, opened), "its entities follow the other one")
            # Nothing else comes behind it.
            house.tell(f"gestured/{opened}/notify", "last")
            house.expect(f"gestured/{opened}/badges/counts/last", "1")
            house.expect(f"gestured/{opened}/badges/counts/likes", "4")


def test_of_two_that_begin_together_one_stays(
    daemon: Daemon, broker: Broker, opened: str,
) -> None:
    with House(broker) as house, Bridge(daemon, broker), Bridge(daemon, broker, *second(broker)):
        house.wait(lambda: {AVAILABILITY, SECOND} <= set(house.values), "both have spoken")

        def there() -> list[str]:
            return [one for one in (AVAILABILITY, SECOND) if house.values.get(one) == "online"]

        def waiting() -> list[str]:
            """The one that is not there, and has asked again and again."""
            return [one for one in (AVAILABILITY, SECOND)
                    if one not in there() and house.said.count((one, "offline")) > 4]

        house.wait(lambda: len(there()) == len(waiting()) == 1, "one stays, and the other one asks")
        online = there()
        own = f"gestured/{opened}/availability"
        house.wait(lambda: availability(house, opened) == {online[0], own}, "it has told its own")
        for count in range(1, 4):
            house.tell(f"gestured/{opened}/notify", "likes")
            house.expect(f"gestured/{opened}/badges/total", str(count))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_another_name_leaves_no_ghost(
    daemon: Daemon, control: Control, broker: Broker, opened: str, number: int,
) -> None:
    gone = f"{opened}-gone"
    control.open(gone, "phone")
    with House(broker) as house:
        with Bridge(daemon, broker) as bridge:
            for name in (opened, gone):
                house.expect(f"gestured/{name}/tabs/shown", "home")
                house.wait(lambda: len(house.configs(name)) > 10, "it is discovered")
            bridge.end(number)
            house.expect(AVAILABILITY, "offline")
        control.ok("close", session=gone)
        assert len(left(house, gone)) > 20
        with Bridge(daemon, broker, *second(broker)):
            house.expect(SECOND, "online")
            house.wait(lambda: not left(house, gone), f"none is left of {gone}")
            # Nor of the bridge itself.
            house.expect(AVAILABILITY, None)
            house.expect(AVAILABILITY.replace("availability", "sessions"), None)
            house.wait(
                lambda: availability(house, opened) == {
                    SECOND, f"gestured/{opened}/availability"}, "the entities follow")
            assert house.values[f"gestured/{opened}/tabs/shown"] == "home"


def test_a_bridge_that_does_not_answer_is_gone(
    daemon: Daemon, broker: Broker, opened: str,
) -> None:
    """The broker has `online` of one that ended while the broker was away."""
    former = "gestured/bridges/former"
    with House(broker) as house:
        for level, value in (("availability", "online"), ("sessions", "+")):
            house.client.publish(f"{former}/{level}", value, 1, True)
        house.expect(f"{former}/sessions", "+")
        with Bridge(daemon, broker) as bridge:
            house.expect(AVAILABILITY, "online")
            house.expect(f"gestured/{opened}/tabs/shown", "home")
            house.expect(f"{former}/availability", None)
            house.expect(f"{former}/sessions", None)
            assert not bridge.speaks_within(0.1), bridge.heard


def test_a_session_beyond_the_bound_is_shown_when_another_one_closes(broker: Broker) -> None:
    with staying_daemon() as daemon, House(broker) as house:
        control = daemon.requests()
        names = [f"n{number:03}" for number in range(SESSIONS_MAX + 2)]
        for name in names:
            control.open(name, scene(toss()))

        def missing() -> list[str]:
            return [name for name in names if f"gestured/{name}/toss/phase" not in house.values]

        with Bridge(daemon, broker, "--no-discovery"):
            house.wait(lambda: len(missing()) == 2, "the others are shown", 30)
            late = missing()
            # An update of one that is not shown says a part of it alone.
            control.notify(late[0], "likes")
            for number, name in enumerate(("n003", "n100"), 1):
                control.ok("close", session=name)
                names.remove(name)
                house.wait(lambda: len(missing()) == 2 - number, f"{late} have room")
            for name in late:
                house.expect(f"gestured/{name}/toss/phase", "resting")
                house.expect(f"gestured/{name}/availability", "online")
            house.expect(f"gestured/{late[0]}/badges/total", "1")
            house.tell(f"gestured/{late[1]}/notify", "likes")
            house.expect(f"gestured/{late[1]}/badges/total", "1")
