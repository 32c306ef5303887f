"""Counts are absolute and versioned, count an id once, and clear by command."""

from __future__ import annotations

import pytest
from client import Control, Daemon, Publisher
from scenes import scene, still, toss

MOST = 2**53 - 1


@pytest.fixture
def counted(daemon: Daemon, control: Control, session: str):
    """A subscriber to the counts of an open session."""
    control.open(session, still())
    updates = daemon.subscriber(f"badge/{session}")
    updates.find(f"badge/{session}")  # The answer to the subscription.
    return session, updates


def test_each_change_publishes_absolute_counts_at_once(control: Control, counted):
    session, updates = counted
    for change, counts in [
        ({}, {"likes": 1}),
        ({"add": 3}, {"likes": 4}),
        ({"kind": "comments"}, {"likes": 4, "comments": 1}),
        ({"set": 7}, {"likes": 7, "comments": 1}),
        ({"kind": "a.b_c~d-9", "set": 2}, {"likes": 7, "comments": 1, "a.b_c~d-9": 2}),
    ]:
        control.notify(session, change.pop("kind", "likes"), **change)
        badge = updates.next()
        assert badge.body["counts"] == counts, badge
        assert badge.body["total"] == sum(counts.values()), badge


def test_versions_grow_with_each_change(control: Control, counted):
    session, updates = counted
    versions = []
    for _ in range(20):
        control.notify(session, "likes")
        versions.append(updates.next().body["version"])
    assert all(type(version) is int for version in versions)
    assert all(a < b for a, b in zip(versions, versions[1:])), versions


def test_a_notification_that_changes_no_count_publishes_nothing(control: Control, counted):
    session, updates = counted
    control.notify(session, "likes", set=4)
    first = updates.next()
    assert first.body["counts"] == {"likes": 4}
    control.notify(session, "likes", set=4)
    control.notify(session, "likes", add=0)
    control.notify(session, "likes")
    after = updates.until(lambda u: u.body["counts"]["likes"] == 5, "5 likes")
    assert len({update.body["version"] for update in after}) == len(after), after


def test_counts_stop_at_the_largest(control: Control, counted):
    session, updates = counted
    control.notify(session, "likes", set=MOST)
    assert updates.next().body["counts"] == {"likes": MOST}
    control.notify(session, "likes", add=1)
    control.notify(session, "likes", add=MOST)
    assert control.snapshot(session)[f"badge/{session}"]["counts"] == {"likes": MOST}
    control.notify(session, "likes", set=3)
    control.notify(session, "likes", add=2)
    updates.until(lambda u: u.body["counts"] == {"likes": 5}, "5 likes")


def test_clear_of_one_kind_and_of_all(control: Control, counted):
    session, updates = counted
    for kind in ("likes", "comments", "followers"):
        control.notify(session, kind, add=2)
    updates.find(f"badge/{session}", total=6)
    control.command(session, "badges", "clear", kind="likes")
    cleared = updates.until(lambda u: u.body["total"] == 4, "the likes to go")[-1]
    assert cleared.body["counts"].get("likes", 0) == 0
    assert cleared.body["counts"]["comments"] == 2
    control.command(session, "badges", "clear")
    cleared = updates.until(lambda u: u.body["total"] == 0, "all to go")[-1]
    assert not any(cleared.body["counts"].values()), cleared


def test_a_duplicate_notification_counts_once(
    daemon: Daemon, control: Control, publisher: Publisher, counted
):
    session, updates = counted
    rejections = daemon.subscriber(f"rejected/{session}")
    body = {"kind": "likes", "id": "n-1"}
    publisher.send(f"notification/{session}", body)
    publisher.send(f"notification/{session}", body)
    publisher.send(f"notification/{session}", body | {"kind": "comments"})
    assert rejections.find(f"rejected/{session}").body["code"] == "duplicate"
    assert rejections.find(f"rejected/{session}").body["code"] == "duplicate"
    assert updates.next().body["counts"] == {"likes": 1}
    publisher.send(f"notification/{session}", body | {"id": "n-2"})
    assert updates.next().body["counts"] == {"likes": 2}


def test_an_id_is_of_its_session_alone(control: Control, session: str):
    for name in (f"{session}-a", f"{session}-b"):
        assert not control.notify(name, "likes", id="same").get("duplicate")
        assert control.snapshot(name)[f"badge/{name}"]["total"] == 1


def test_a_refused_event_may_be_sent_again_with_its_id(control: Control, counted):
    session, _ = counted
    topic = f"command/{session}/tabs"
    assert control.code(topic, {"command": "select", "index": 9, "id": "x"}) == "bad-value"
    answer = control.publish(topic, {"command": "select", "index": 1, "id": "x"})
    assert not answer.get("duplicate"), answer
    assert control.state(session, "tabs")["model"]["selected"] == 1
    again = control.publish(topic, {"command": "select", "index": 2, "id": "x"})
    assert again["duplicate"] is True
    assert control.state(session, "tabs")["model"]["selected"] == 1


def test_the_last_1024_ids_are_remembered(control: Control, counted):
    session, _ = counted

    def publish(*numbers: int) -> list[bool]:
        sent = [
            control.send(
                "publish", topic=f"notification/{session}",
                body={"kind": "likes", "id": f"i{number}"}) for number in numbers]
        return [control.reply(number).get("duplicate", False) for number in sent]

    for start in range(0, 1024, 256):
        assert not any(publish(*range(start, start + 256)))
    assert publish(0, 1023) == [True, True], "the daemon forgot one of the last 1,024 ids"
    assert publish(1024) == [False]
    assert publish(1, 1023) == [True, True]
    assert publish(0) == [False], "the daemon remembers more than 1,024 ids"


def test_a_gesture_has_no_id(control: Control, counted):
    session, _ = counted
    for offset in (1, 2):
        control.gesture(session, "profile", "scroll", "changed", offset=offset, id="same")
    assert control.state(session, "profile")["model"]["offset"] == 2


def test_a_session_without_a_component_for_a_kind_counts_it(control: Control, session: str):
    control.open(session, scene(toss()))
    control.notify(session, "anything", add=5)
    assert control.snapshot(session)[f"badge/{session}"]["counts"] == {"anything": 5}


def test_at_most_256_kinds(control: Control, counted):
    session, _ = counted
    for number in range(256):
        control.notify(session, f"k{number}")
    assert control.code(f"notification/{session}", {"kind": "one-more"}) == "bad-value"
    control.notify(session, "k0")
    assert control.snapshot(session)[f"badge/{session}"]["total"] == 257


def test_counts_arrive_in_order_and_none_is_lost(
    daemon: Daemon, publisher: Publisher, control: Control, counted
):
    session, updates = counted
    for _ in range(1000):
        publisher.send(f"notification/{session}", {"kind": "likes"})
    got = updates.until(lambda u: u.body["total"] == 1000, "1,000 likes")
    totals = [update.body["total"] for update in got]
    assert totals == sorted(totals)


def test_versions_go_on_in_a_reopened_session(control: Control, session: str):
    control.open(session, still())
    for _ in range(3):
        control.notify(session, "likes")
    before = control.snapshot(session)[f"badge/{session}"]["version"]
    control.ok("close", session=session)
    control.open(session, still())
    control.notify(session, "likes")
    after = control.snapshot(session)[f"badge/{session}"]
    assert after["counts"] == {"likes": 1} and after["version"] > before, (before, after)
