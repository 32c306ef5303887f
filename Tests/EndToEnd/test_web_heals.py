"""gestured.js on a bad way: lost messages, lost connections, other lives of daemon and session."""

from __future__ import annotations

import time

import pytest
from browser import Browser, Way, way
from client import Daemon
from reliability import wait_for
from scenes import still
from storm import Storm, nested
from tool import staying_daemon
from webpage import Page, browser, daemon, page, web

__all__ = ["browser", "daemon", "page", "web"]
# Seconds in which a heartbeat's absence is noticed.
SILENCE = 20


def settled(page: Page, daemon: Daemon, session: str, scene: dict | None = None) -> None:
    """Watches a session at rest; nothing of the joining is on its way any more."""
    daemon.requests().open(session, scene or still())
    page.watch(session)
    page.browser.until("client.web.daemon")
    # A heartbeat comes: its absence is noticed from then on.
    before = beats(page)
    wait_for(lambda: beats(page) > before, "a heartbeat comes")
    page.agrees(daemon.requests(), session)


def beats(page: Page) -> int:
    return sum(one.get("topic") == "heartbeat" for one in list(page.way.down))


def rejoined(page: Page, session: str, before: int) -> None:
    page.browser.until(
        "window[args[0]].heard.filter(([type]) => type === 'joined').length > args[1]",
        session, before, deadline=SILENCE)


def touch(control, session: str) -> None:
    control.command(session, "tabs", "select", index=1)
    control.command(session, "tabs", "select", index=0)


@pytest.mark.parametrize("lost", [1, 3])
def test_a_gap_asks_for_exactly_one_snapshot(
    page: Page, web: Way, daemon: Daemon, session: str, lost: int
):
    control = daemon.requests()
    settled(page, daemon, session)
    asked, dropped = len(web.requests("snapshot")), []

    def loses(message: dict) -> bool:
        if message.get("topic") == f"frame/{session}" and len(dropped) < lost:
            dropped.append(message)
            return False
        return True

    web.passes = loses
    control.notify(session, "likes")
    control.command(session, "tabs", "select", index=2)
    page.browser.until("window[args[0]].gaps === 1", session)
    page.agrees(control, session)
    assert len(dropped) == lost
    time.sleep(0.3)
    assert len(web.requests("snapshot")) == asked + 1
    (gap,) = page.heard(session, "gap")
    # A slow machine lets gesture-web make one frame of several.
    frames = sum(body["seq"] - body.get("since", body["seq"]) + 1
                 for body in (message["body"] for message in dropped))
    assert gap["kind"] == "frame" and gap["missed"] == frames
    page.agrees(control, session)


def test_a_merged_frame_is_no_gap(page: Page, web: Way, daemon: Daemon, session: str):
    settled(page, daemon, session)
    asked = len(web.requests("snapshot"))
    body = [one["body"] for one in web.down if one.get("topic") == f"frame/{session}"][-1]
    merged = {**body, "seq": body["seq"] + 3, "since": body["seq"] + 1}
    web.tell({"topic": f"frame/{session}", "body": merged})
    page.browser.until("window[args[0]].heard.some(([, detail]) => detail?.since)", session)
    assert page.heard(session, "gap") == [] and len(web.requests("snapshot")) == asked


def test_a_snapshot_that_is_late_takes_nothing_back(page: Page, web: Way, daemon, session: str):
    control = daemon.requests()
    settled(page, daemon, session)
    dropped, late = [], []

    def loses(message: dict) -> bool:
        if message.get("topic") == f"frame/{session}" and not dropped:
            dropped.append(message)
            return False
        if "updates" in message.get("reply", {}) and not late:
            late.append(message)
            return False
        return True

    web.passes = loses
    control.notify(session, "likes")
    control.command(session, "tabs", "select", index=2)
    page.browser.until("window[args[0]].gaps === 1", session)
    end = time.monotonic() + SILENCE
    while not late and time.monotonic() < end:
        time.sleep(0.01)
    control.command(session, "tips", "present")
    control.notify(session, "likes")
    page.browser.until("window[args[0]].badge.total === 2", session)
    page.browser.until("window[args[0]].states.get('tips').phase === 'resting'", session)
    joins = len(page.heard(session, "joined"))
    web.tell(late[0])
    rejoined(page, session, joins)
    here = page.agrees(control, session)
    assert here.picture.states["tips"]["phase"] == "resting"
    assert [one["total"] for one in page.heard(session, "badge")] == [0, 2]


def test_what_is_older_is_dropped(page: Page, web: Way, daemon: Daemon, session: str):
    control = daemon.requests()
    settled(page, daemon, session)
    body = [one["body"] for one in web.down if one.get("topic") == f"frame/{session}"][-1]
    run, _, life = body["epoch"].rpartition(".")
    old = {**body["states"][0], "phase": "old"}
    heard = len(page.heard(session, "frame"))
    for epoch, seq in ((body["epoch"], body["seq"]), (body["epoch"], 1),
                       (f"{run}.{int(life) - 1}", body["seq"] + 9)):
        web.tell({"topic": f"frame/{session}",
                  "body": {**body, "epoch": epoch, "seq": seq, "states": [old]}})
    web.tell({"topic": f"frame/{session}", "body": {**body, "seq": body["seq"] + 1, "states": []}})
    page.browser.until(
        "window[args[0]].heard.filter(([type]) => type === 'frame').length > args[1]",
        session, heard)
    assert len(page.heard(session, "frame")) == heard + 1
    page.agrees(control, session)


def test_what_comes_of_a_former_daemon_is_dropped(page: Page, web: Way, daemon, session: str):
    settled(page, daemon, session)
    body = [one["body"] for one in web.down if one.get("topic") == f"frame/{session}"][-1]
    joins = len(page.heard(session, "joined"))
    daemon.restart()
    rejoined(page, session, joins)
    here = page.agrees(daemon.requests(), session)
    assert here.epoch != body["epoch"]
    old = {**body["states"][0], "phase": "old"}
    web.tell({"topic": f"frame/{session}",
              "body": {**body, "seq": body["seq"] + 1, "states": [old]}})
    page.browser.run("await client.request('time')")
    assert page.agrees(daemon.requests(), session).epoch == here.epoch


def test_a_session_that_is_opened_again_is_joined_anew(page: Page, web: Way, daemon, session: str):
    control = daemon.requests()
    settled(page, daemon, session)
    first = page.shown(session).epoch
    # The page does not learn of the end.
    web.passes = lambda message: message.get("topic") != f"session/{session}"
    control.ok("close", session=session)
    control.open(session, nested())
    page.browser.until("window[args[0]].epoch !== args[1]", session, first)
    page.agrees(control, session)


def test_a_connection_that_is_cut_heals(page: Page, web: Way, daemon: Daemon, session: str):
    control = daemon.requests()
    settled(page, daemon, session, nested())
    storm = Storm(session, 3)
    for _ in range(4):
        joins = len(page.heard(session, "joined"))
        web.cut()
        for topic, body in storm.burst():
            control.ask("publish", topic=topic, body=body)
        rejoined(page, session, joins)
        assert page.browser.run("return client.state") == "open"
    page.agrees(control, session)


def test_a_connection_that_is_silent_is_given_up(page: Page, web: Way, daemon, session: str):
    control = daemon.requests()
    settled(page, daemon, session)
    count = web.connections
    web.is_frozen = True
    control.notify(session, "likes")
    page.browser.until("client.state !== 'open'", deadline=SILENCE)
    web.is_frozen = False
    page.browser.until("window[args[0]].badge?.total === 1", session)
    assert web.connections > count
    page.agrees(control, session)


def test_a_connection_without_a_heartbeat_yet_may_be_silent(
    page: Page, web: Way, daemon: Daemon, session: str
):
    """A new connection is not given up because the former one had heartbeats."""
    settled(page, daemon, session)
    count, joins = web.connections, len(page.heard(session, "joined"))
    web.passes = lambda message: message.get("topic") != "heartbeat"
    web.cut()
    rejoined(page, session, joins)
    # A heartbeat's absence is noticed after 5 s.
    time.sleep(5.5)
    assert web.connections == count + 1
    assert page.browser.run("return client.state") == "open"


def test_a_subscription_that_was_refused_has_missed_nothing(
    page: Page, web: Way, daemon: Daemon, session: str
):
    """Another client has it already, so that the daemon sends nothing again when it comes."""
    control = daemon.requests()
    control.open(session, still())
    topic, dropped = f"frame/{session}", []

    def refuses(message: dict) -> bool:
        if message.get("subscribe") == topic and not dropped:
            dropped.append(message)
            return False
        return True

    page.browser.until("client.web?.daemon")
    web.passes = refuses
    page.watch(session)
    page.browser.run("""
        window.other = web.connect();
        await new Promise((heard) => other.subscribe(args[0], heard));
    """, topic)
    control.notify(session, "likes")

    def frames() -> list[dict]:
        return [one["body"] for one in list(web.down) if one.get("topic") == topic]

    wait_for(lambda: any(frame.get("badge", {}).get("total") == 1 for frame in frames()),
             "the other client has the new frame")
    count = 0
    while count < len(frames()):
        # A later frame would show the gap. The count's bubble rests after half a second.
        count = len(frames())
        time.sleep(1)
    assert page.browser.run("return window[args[0]].badge.total", session) == 0
    web.tell({"error": {"code": "busy", "message": "there is no room", "subscribe": topic}})
    page.agrees(control, session)
    page.browser.run("other.close()")
    # Both clients were refused.
    errors = page.browser.errors()
    assert len(errors) == 2 and all("there is no room" in error for error in errors)


def test_an_acknowledged_gesture_does_not_wait_for_a_connection(page: Page):
    page.browser.run("""
        window.lost = web.connect("http://127.0.0.1:9/");
        window.codes = [];
        const body = { gesture: "tap", x: 1, y: 1 };
        lost.acknowledged("gesture/alice", body).catch(({ code }) => codes.push(code));
        lost.acknowledged("notification/alice", { kind: "likes" })
            .catch(({ code }) => codes.push(code));
    """)
    page.browser.until("codes.length === 1")
    assert page.browser.run("return codes") == ["unavailable"]
    page.browser.run("lost.close()")
    page.browser.until("codes.length === 2")
    assert page.browser.run("return codes") == ["unavailable", "closed"]
    page.browser.errors()


def test_a_session_that_is_closed_joins_no_more(page: Page, web: Way, session: str):
    """Not even where its snapshot was refused, so that it would have asked again."""
    asked: list[dict] = []

    def keeps_snapshots(message: dict) -> bool:
        request = message.get("request", {})
        if request.get("op") == "snapshot":
            asked.append(request)
        return request.get("op") != "snapshot"

    page.browser.until("client.web?.daemon")
    web.passes = keeps_snapshots
    page.browser.run(
        "watch(args[0]); client.subscribe('close/', () => window[args[0]].close());", session)
    end = time.monotonic() + SILENCE
    while not asked and time.monotonic() < end:
        time.sleep(0.01)
    web.tell({"reply": {"id": asked[0]["id"], "error": {"code": "busy", "message": "busy"}}})
    web.tell({"topic": "close/", "body": {}})
    page.browser.run("await client.request('time')")
    web.up.clear()
    time.sleep(0.5)
    assert not [one for one in web.up if "subscribe" in one]
    assert len(asked) == 1 and page.heard(session, "joined") == []


@pytest.mark.parametrize("who", ["daemon", "gateway"])
def test_a_restart_heals_by_itself(page: Page, web: Way, daemon: Daemon, session: str, who: str):
    settled(page, daemon, session)
    joins = len(page.heard(session, "joined"))
    (daemon if who == "daemon" else web.gateway).restart()
    rejoined(page, session, joins)
    control = daemon.requests()
    control.notify(session, "likes")
    page.browser.until("window[args[0]].badge?.total === 1", session)
    page.agrees(control, session)


def test_a_daemon_that_forgets_shows_as_no_session(browser: Browser):
    with staying_daemon('[store]\ndurability = "off"\n') as daemon, way(daemon) as one:
        page = Page(browser, one)
        settled(page, daemon, "alice")
        daemon.restart()
        page.browser.until("window.alice.scene === null", deadline=SILENCE)
        daemon.requests().open("alice", still())
        page.agrees(daemon.requests(), "alice")
        browser.run("client.close()")


def test_an_acknowledged_event_survives_a_lost_connection_once(
    page: Page, web: Way, daemon: Daemon, session: str
):
    control = daemon.requests()
    settled(page, daemon, session)
    swallowed = []

    def loses(message: dict) -> bool:
        """The event arrives, its answer does not, and the connection breaks."""
        if "reply" in message and web.requests("publish") and not swallowed:
            swallowed.append(message)
            web.cut()
            return False
        return True

    web.up.clear()
    web.passes = loses
    answer = page.browser.run(
        "return client.acknowledged(`notification/${args[0]}`, { kind: 'likes' })", session)
    assert swallowed and answer["duplicate"] is True
    first, second = web.requests("publish")
    assert first["body"]["id"] == second["body"]["id"]
    assert control.badge(session)["counts"] == {"likes": 1}
    # A gesture is not repeated: its time has passed.
    swallowed.clear()
    assert page.browser.run(
        "return client.acknowledged(`gesture/${args[0]}`,"
        "{ gesture: 'pointer', phase: 'began', pointer: 1, x: 160, y: 200 })"
        ".catch((error) => error.code)", session) == "unavailable"
    assert len(web.requests("publish")) == 3


def test_events_published_while_the_daemon_is_away_wait_for_it(
    page: Page, web: Way, daemon: Daemon, session: str
):
    settled(page, daemon, session)
    daemon.stop()
    page.browser.run(
        "window.late = client.acknowledged(`notification/${args[0]}`, { kind: 'likes' });", session)
    page.browser.until("!client.web.daemon", deadline=SILENCE)
    daemon.process.stdout.close()
    daemon.errors.close()
    daemon.start()
    page.browser.run("await window.late")
    page.browser.until("window[args[0]].badge?.total === 1", session)
    assert daemon.requests().badge(session)["counts"] == {"likes": 1}
