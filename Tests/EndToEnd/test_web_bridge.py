"""WebSocket messages reach the daemon, and its updates and replies come back."""

from __future__ import annotations

import contextlib
import os
import signal

import pytest
import websockets.exceptions
from client import Daemon
from web import Web
from wire import close_of, deflated, frame, upgraded


@pytest.fixture
def client(web: Web):
    with web.connect() as client:
        client.web(daemon=True)
        yield client


def test_the_first_message_says_who_serves_and_which_bounds_hold(web: Web) -> None:
    with web.connect("/any/path?x=1") as client:
        first = client.next()["web"]
        assert first["name"] == "gesture-web" and first["read_only"] is False
        assert first["version"] and isinstance(first["daemon"], bool)
        assert all(
            name.startswith("limit_") and value > 0 for name, value in first["limits"].items())


def test_a_subprotocol_may_be_named(web: Web) -> None:
    with web.connect(subprotocols=["gestured"]) as client:
        assert client.opened.subprotocol == "gestured"
        assert "web" in client.next()


def test_requests_come_back_with_the_clients_own_id(client, session: str) -> None:
    for identity in [1, "one", None, [1, {"a": 1e300}], 18446744073709551615, 0.1, "ü\\\"\u2028"]:
        client.send({"request": {"op": "time", "id": identity}})
        reply = client.until(lambda message: "reply" in message)["reply"]
        assert reply["id"] == identity and reply["ok"] and reply["t"] > 0
    client.send({"request": {"op": "time"}})
    reply = client.until(lambda message: "reply" in message)["reply"]
    assert "id" not in reply and reply["ok"]
    assert client.ask("snapshot", session=session)["error"]["code"] == "unknown-session"
    assert client.ask("nonsense")["error"]["code"] == "unknown-op"
    client.send({"request": {}})
    assert not client.until(lambda message: "reply" in message)["reply"]["ok"]


def test_what_is_published_moves_views_and_the_frames_come(client, session: str) -> None:
    client.subscribe(f"frame/{session}", f"scene/{session}")
    client.ok("open", session=session, scene="phone")
    assert client.update(f"scene/{session}")["scene"] == "phone"
    first = client.update(f"frame/{session}", seq=1)
    assert {state["component"] for state in first["states"]} >= {"toss", "tips"}
    body = {"gesture": "pan", "phase": "began", "x": 160, "y": 223}
    client.send({"topic": f"gesture/{session}/toss", "body": body})
    body = {"gesture": "pan", "phase": "ended", "x": 160, "y": 223, "vx": 1500, "vy": 0}
    client.send({"topic": f"gesture/{session}/toss", "body": body})
    last = 1
    while True:
        frame = client.update(f"frame/{session}")
        assert frame.get("since", frame["seq"]) == last + 1, "a hole"
        last = frame["seq"]
        states = {state["component"]: state for state in frame["states"]}
        if states.get("toss", {}).get("phase") == "resting":
            break


def test_a_publish_can_be_acknowledged(client, session: str) -> None:
    client.ok("open", session=session, scene="phone")
    event = {"topic": f"notification/{session}", "body": {"kind": "likes", "id": "n-1"}}
    assert "duplicate" not in client.ok("publish", **event)
    assert client.ok("publish", **event)["duplicate"]


def test_a_client_gets_only_what_it_subscribes_to(web: Web, client, session: str) -> None:
    other = session + "x"
    with web.connect() as second:
        second.web(daemon=True)
        client.subscribe(f"badge/{session}")
        second.subscribe(f"badge/{other}", f"badge/{session}")
        client.ok("open", session=session, scene="phone")
        client.ok("open", session=other, scene="phone")
        for name in (session, other):
            client.ok("publish", topic=f"notification/{name}", body={"kind": "likes"})
        # `badge/s1` lets `badge/s1x` through as well: a subscription is a prefix.
        assert client.update(f"badge/{session}", total=1)
        assert client.update(f"badge/{other}", total=1)
        assert second.update(f"badge/{session}", total=1)
        assert second.update(f"badge/{other}", total=1)
        second.send({"unsubscribe": f"badge/{session}"})
        second.subscribe()
        client.ok("publish", topic=f"notification/{session}", body={"kind": "likes"})
        client.ok("publish", topic=f"notification/{other}", body={"kind": "likes"})
        assert client.update(f"badge/{session}", total=2)
        assert second.update(f"badge/{other}", total=2)
        topics = [message.get("topic") for message in second.during(0.3) + second.early]
        assert f"badge/{session}" not in topics


def test_prefixes_of_one_client_that_overlap_bring_an_update_once(client, session: str) -> None:
    client.subscribe("badge/", f"badge/{session}", f"badge/{session[:-1]}")
    client.ok("open", session=session, scene="phone")
    client.ok("publish", topic=f"notification/{session}", body={"kind": "likes"})
    got = [client.update(f"badge/{session}", total=1)["seq"]]
    got += [
        message["body"]["seq"] for message in client.during(0.3)
        if message.get("topic") == f"badge/{session}"]
    assert len(got) == len(set(got)), f"an update came twice: {got}"


@pytest.mark.parametrize("text, code", [
    ("", "bad-json"), ("nonsense", "bad-json"), ("[]", "bad-json"), ("{", "bad-json"),
    ('{"subscribe":"a"} x', "bad-json"), ('{"subscribe":"\x01"}', "bad-json"),
    ('{"a":' + "[" * 100 + "]" * 100 + "}", "bad-json"), ("{}", "missing-field"),
    ('{"topic":"gesture/a"}', "missing-field"), ('{"hello":1}', "missing-field"),
    ('{"subscribe":1}', "bad-value"), ('{"subscribe":"a","request":{}}', "bad-value"),
    ('{"subscribe":"a","subscribe":"b"}', "bad-value"), ('{"request":1}', "bad-json"),
    ('{"request":{"op":"time","op":"close"}}', "bad-value"),
    ('{"request":{"\\u006fp":"time"}}', "bad-json"),
    ('{"topic":"nonsense","body":{}}', "bad-topic"), ('{"topic":"","body":{}}', "bad-topic"),
    ('{"subscribe":"' + "a" * 201 + '"}', "too-large"),
    ('{"request":{"op":"time","id":"' + "a" * 1100 + '"}}', "bad-value"),
])
def test_a_message_that_cannot_be_taken_is_told_why(client, text: str, code: str) -> None:
    client.send(text)
    error = client.error()
    assert error["code"] == code and error["message"], error
    assert client.ok("time"), "the connection goes on"


def test_a_body_that_the_daemon_refuses_is_told_on_rejected(client, session: str) -> None:
    client.subscribe("rejected/")
    client.send('{"topic":"gesture/' + session + '","body":[1]}')
    assert client.until(
        lambda message: message.get("topic", "").startswith("rejected/"))["body"]["code"]


def test_escapes_in_topics_and_prefixes_are_read(client, session: str) -> None:
    client.send('{"subscribe":"\\u0062adge/' + session + '"}')
    client.subscribe()
    client.ok("open", session=session, scene="phone")
    client.send(
        '{"topic":"notificatio\\u006e/' + session + '","body":{"kind":"likes","add":3}}')
    assert client.update(f"badge/{session}", total=3)


def test_read_only_lets_nothing_be_changed(daemon: Daemon, web: Web, session: str) -> None:
    with web.connect() as writer, Web(daemon, "--read-only") as other:
        writer.ok("open", session=session, scene="phone")
        with other.connect() as reader:
            assert reader.web(daemon=True)["read_only"] is True
            reader.send({"topic": f"notification/{session}", "body": {"kind": "likes"}})
            assert reader.error()["code"] == "unauthorized"
            for op in ["open", "close", "publish", "import", "invented", "close "]:
                reply = reader.ask(op, session=session)
                assert reply["error"]["code"] == "unauthorized", op
            reader.send('{"request":{"op":"clos\\u0065","session":"' + session + '","id":7}}')
            reply = reader.until(lambda message: "reply" in message)["reply"]
            assert reply["error"]["code"] == "unauthorized"
            reader.subscribe(f"badge/{session}")
            assert reader.ok("snapshot", session=session)["session"] == session
            for op in ["hello", "sessions", "scenes", "stats", "time"]:
                reader.ok(op)
            writer.ok("publish", topic=f"notification/{session}", body={"kind": "likes"})
            assert reader.update(f"badge/{session}", total=1)


@pytest.mark.parametrize("code", ["unauthorized", "unavailable"])
def test_touches_that_cannot_take_effect_are_no_attack(daemon: Daemon, code: str) -> None:
    """A page that only looks, or whose daemon is gone, is not closed for a long drag."""
    read_only = code == "unauthorized"
    with Web(daemon if read_only else None, *["--read-only"] * read_only) as web:
        with web.connect() as client:
            faults = client.next()["web"]["limits"]["limit_faults"]
            body = {"contact": 1, "phase": "moved", "x": 1, "y": 1}
            for _ in range(faults + 200):
                client.send({"topic": "gesture/alice", "body": body})
            for _ in range(faults + 200):
                assert client.error()["code"] == code
                client.early.clear()
            for _ in range(faults + 200):
                assert client.ask("publish")["error"]["code"] == code
                client.early.clear()
            client.send("nonsense")
            assert client.error()["code"] == "bad-json"


def test_requests_of_all_clients_together_are_bounded(daemon: Daemon, web: Web) -> None:
    """The daemon sees one peer in all clients, and has a bound for a peer."""
    with contextlib.ExitStack() as stack:
        clients = [stack.enter_context(web.connect()) for _ in range(8)]
        limits = clients[0].next()["web"]["limits"]
        each, in_all = limits["limit_requests"], limits["limit_requests_in_all"]
        assert in_all < 8 * each
        os.kill(daemon.process.pid, signal.SIGSTOP)
        try:
            for client in clients:
                for number in range(each):
                    client.send({"request": {"op": "time", "id": number}})
            waiting = 8 * each - in_all
            web.await_metric("gesture_web_requests_waiting", lambda count: count == waiting)
            assert in_all <= web.metric("gesture_web_requests_pending") <= in_all + 2
        finally:
            os.kill(daemon.process.pid, signal.SIGCONT)
        for client in clients:
            for number in range(each):
                reply = client.until(lambda message: "reply" in message)["reply"]
                assert reply["ok"] and reply["id"] == number, "each client's in their order"
        assert web.metric("gesture_web_requests_waiting") == 0
        assert clients[-1].ok("time"), "there is room again"


def test_origins(web: Web, daemon: Daemon) -> None:
    own = f"http://{web.host}:{web.port}"
    for origin in [own, own.upper().replace("HTTP", "http"), None]:
        with web.connect(origin=origin) as client:
            assert "web" in client.next()
    strangers = [
        "http://evil.example", "null", own + "1", f"http://evil.example@{web.host}:{web.port}",
        f"http://{web.host}", "http://" + "a" * 1000]
    before = web.metric("gesture_web_refused_total", what="origin")
    for origin in strangers:
        with pytest.raises(websockets.exceptions.InvalidStatus) as caught:
            web.connect(origin=origin)
        assert caught.value.response.status_code == 403, origin
    after = web.metric("gesture_web_refused_total", what="origin")
    assert after == before + len(strangers)
    added = "https://page.example"
    with Web(daemon, "--origin", added) as open_web:
        with open_web.connect(origin=added) as client:
            assert "web" in client.next()
        # Behind a proxy the request has the page's own name.
        assert open_web.get("/", Host="page.example").status == 200
        with pytest.raises(websockets.exceptions.InvalidStatus):
            open_web.connect(origin="https://other.example")


def test_a_foreign_name_that_leads_here_is_refused(web: Web) -> None:
    for host in ["evil.example", f"evil.example:{web.port}", "localhost.evil.example"]:
        assert web.get("/", Host=host).status == 421, host
    for host in ["localhost", f"localhost:{web.port}", "127.0.0.1", "[::1]:80"]:
        assert web.get("/", Host=host).status == 200, host


def test_messages_are_deflated_where_the_client_can(web: Web, session: str) -> None:
    sizes = {}
    for compression in ("deflate", None):
        with web.connect(compression=compression) as client:
            extensions = client.opened.response.headers.get("Sec-WebSocket-Extensions", "")
            assert ("permessage-deflate" in extensions) == (compression is not None)
            received = []
            client.ok("open", session=session, scene="phone")
            protocol = client.opened.protocol
            feed = protocol.receive_data
            protocol.receive_data = lambda data: (received.append(len(data)), feed(data))[1]
            for _ in range(20):
                client.ok("snapshot", session=session)
            sizes[compression] = sum(received)
    assert sizes["deflate"] * 5 < sizes[None], sizes


def test_who_lets_much_be_inflated_above_the_rate_is_closed_soon(web: Web) -> None:
    before = web.metric("gesture_web_received_bytes_total")
    payload = deflated(b" " * 1_048_576)
    with upgraded(web.host, web.port, "Sec-WebSocket-Extensions: permessage-deflate") as opened:
        with contextlib.suppress(OSError):
            opened.sendall(frame(payload, rsv=4) * 100)
        close_of(opened)  # A reset may overtake the close frame.
    assert web.metric("gesture_web_received_bytes_total") < before + 12_000_000
    assert web.metric("gesture_web_clients_closed_total", reason="faults") >= 1


def test_large_replies_and_requests_pass(client, session: str) -> None:
    client.ok("open", session=session, scene="phone")
    document = client.ok("export", session=session)["document"]
    for number in range(3):
        client.ok("import", session=f"{session}-{number}", document=document)
    titles = [f"page {number} " + "ü" * 40 for number in range(1000)]
    scene = {
        "viewport": [320, 568],
        "components": [{"id": "pages", "kind": "reader", "pages": titles}]}
    client.ok("open", session=f"{session}-large", scene=scene)
    got = client.ok("scene", session=f"{session}-large")["scene"]
    assert got["components"][0]["parameters"]["pages"] == titles
