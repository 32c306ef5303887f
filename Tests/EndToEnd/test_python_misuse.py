"""The Python client in careless hands: what it is given wrongly, and what is never closed."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import subprocess
import sys
import threading
import time
import warnings

import pytest
import zmq
from client import DEADLINE, REPOSITORY, Daemon, binary
from reliability import wait_for

sys.path.insert(0, str(REPOSITORY / "Clients" / "python" / "src"))

import gestured  # noqa: E402
from gestured import aio, watching  # noqa: E402


def connect(daemon: Daemon) -> gestured.Client:
    return gestured.connect(daemon.events, daemon.updates, daemon.control, timeout=DEADLINE)


@pytest.mark.parametrize("field", ["id", "op"])
def test_fields_that_are_the_clients_own_are_refused_at_once(daemon: Daemon, field: str):
    async def ask() -> None:
        async with aio.connect(daemon.events, daemon.updates, daemon.control) as client:
            await client.request("hello", **{field: 7})

    # Python itself knows that `op` is given twice.
    with connect(daemon) as client, pytest.raises((ValueError, TypeError), match=f"'{field}'"):
        client.request("hello", **{field: 7})
    with pytest.raises((ValueError, TypeError), match=f"'{field}'"):
        asyncio.run(ask())


def test_numbers_of_numpy_are_json(daemon: Daemon, session: str):
    numpy = pytest.importorskip("numpy")
    with connect(daemon) as client:
        opened(client, session)
        body = {"kind": "likes", "add": numpy.int64(3)}
        client.publish(f"notification/{session}", body, ack=True)
        client.publish(f"notification/{session}", body)
        point = client.request(
            "hit", session=session, x=numpy.float32(12.5), y=numpy.array(20.5))
        assert point["ok"]
        resize = {"command": "resize", "viewport": numpy.array([400, 600])}
        client.publish(f"command/{session}", resize, ack=True)
        wait_for(lambda: shown(client, session)["badge"]["total"] == 6, "both are counted")
        assert shown(client, session)["scene"]["viewport"] == [400, 600]
        with pytest.raises(ValueError):
            client.publish(f"notification/{session}", {"kind": "likes", "add": numpy.nan})
        with pytest.raises(TypeError, match="object"):
            client.publish(f"notification/{session}", {"kind": object()})


def shown(client: gestured.Client, session: str) -> dict:
    """The bodies of a session's snapshot, by the first part of their topics."""
    updates = client.request("snapshot", session=session)["updates"]
    return {one["topic"].split("/")[0]: one["body"] for one in updates}


def descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


def opened(client: gestured.Client, name: str) -> None:
    client.request("open", session=name, scene="kiosk")


def test_an_abandoned_watch_is_closed(daemon: Daemon, session: str):
    """By `break`, by `next` alone, and unread: none holds its sockets."""
    with connect(daemon) as client:
        opened(client, session)
        next(client.frames(session))
        before = descriptors()
        for _ in range(20):
            for _ in client.frames(session):
                break
            next(client.watch(f"badge/{session}"))
            client.watch(f"badge/{session}")
        wait_for(lambda: descriptors() <= before + 8, "libzmq closes what was abandoned")


def test_an_abandoned_watch_of_asyncio_is_closed(daemon: Daemon, session: str):
    async def abandon() -> int:
        async with aio.connect(daemon.events, daemon.updates, daemon.control) as client:
            await client.request("open", session=session, scene="kiosk")
            async for _ in client.frames(session):
                break
            before = descriptors()
            for _ in range(20):
                async for _ in client.frames(session):
                    break
                client.watch(f"badge/{session}")
            end = time.monotonic() + DEADLINE
            while descriptors() > before + 8 and time.monotonic() < end:
                await asyncio.sleep(0.01)
            return descriptors() - before

    assert asyncio.run(abandon()) <= 8


def test_a_watch_of_asyncio_may_outlive_its_loop(daemon: Daemon, session: str):
    """Whatever thread collects it: it says nothing, and its sockets are closed."""
    kept = []

    async def begin() -> None:
        client = aio.connect(daemon.events, daemon.updates, daemon.control)
        watch = client.watch(f"badge/{session}")
        kept.extend((client, watch, watch._follower.updates.socket))
        await watch.next(0.2)

    asyncio.run(begin())
    socket = kept.pop()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        kept.clear()
        gc.collect()
    assert socket.closed


def test_open_watches_are_bounded(
        daemon: Daemon, session: str, monkeypatch: pytest.MonkeyPatch):
    async def open_all() -> None:
        async with aio.connect(daemon.events, daemon.updates, daemon.control) as client:
            held = [client.watch(f"badge/{session}") for _ in range(3)]
            with pytest.raises(gestured.TooManyWatches, match="3 watches"):
                client.watch(f"badge/{session}")
            async with contextlib.aclosing(held.pop()):
                pass
            client.watch(f"badge/{session}")

    monkeypatch.setattr(watching, "WATCHES_MAX", 3)
    with connect(daemon) as client:
        held = [client.watch(f"badge/{session}") for _ in range(3)]
        with pytest.raises(gestured.TooManyWatches, match="3 watches"):
            client.frames(session)
        with held[0]:
            pass
        client.watch(f"badge/{session}")
    asyncio.run(open_all())


def test_a_watch_that_cannot_begin_leaves_no_socket(daemon: Daemon):
    """Its error may be kept, and `close` does not wait for sockets that it holds."""
    client = gestured.connect(daemon.events, daemon.updates, "nonsense")
    with pytest.raises(zmq.ZMQError) as kept:
        client.watch("badge/s")
    closing = threading.Thread(target=client.close, daemon=True)
    closing.start()
    closing.join(DEADLINE)
    assert kept and not closing.is_alive()


@pytest.mark.parametrize("ack", [True, False])
def test_a_body_that_is_too_large_is_refused_before_it_is_sent(daemon: Daemon, ack: bool):
    """The daemon would cut the connection of a far too large one, and nobody would know."""
    async def publish(client: aio.Client) -> None:
        async with client:
            await client.publish("notification/s", body, ack=ack)

    for size in (70_000, 20_000_000):
        body = {"kind": "x", "note": "y" * size}
        with connect(daemon) as client, pytest.raises(gestured.Refused) as refused:
            client.publish("notification/s", body, ack=ack)
        assert refused.value.code == "too-large" and "65536" in refused.value.message
        with pytest.raises(gestured.Refused, match="too-large"):
            asyncio.run(publish(aio.Client(client.endpoints, DEADLINE)))


@pytest.mark.parametrize("topic, body, words", [
    ("nonsense", {}, "bad-topic: 'nonsense' is not gesture/"),
    ("gesture/no body", {}, "bad-topic"), ("notification/a/b", {}, "bad-topic"),
    ("gesture/a/b/c", {}, "bad-topic"), ("gestures/a", {}, "bad-topic"), ("", {}, "bad-topic"),
    ("command/-", {}, "bad-topic"), ("state/alice/tips", {}, "bad-topic"),
    ("notification/" + "x" * 65, {}, "bad-topic"), ("notification/a\n", {}, "bad-topic"),
    (b"notification/a", {}, "topic is b'notification/a', not a str"),
    ("notification/a", '{"kind":"likes"}', "body is '{\"kind\":\"likes\"}', not a dict"),
    ("notification/a", ["kind"], r"body is \['kind'\], not a dict"),
    ("notification/a", None, "body is None, not a dict")])
@pytest.mark.parametrize("ack", [True, False])
def test_what_is_no_event_raises_at_once(
    daemon: Daemon, topic: str, body: dict, words: str, ack: bool
):
    """Without an answer nobody would learn of it."""
    async def publish() -> None:
        async with aio.connect(daemon.events, daemon.updates, daemon.control) as client:
            await client.publish(topic, body, ack=ack)

    with connect(daemon) as client, pytest.raises((TypeError, gestured.Refused), match=words):
        client.publish(topic, body, ack=ack)
    with pytest.raises((TypeError, gestured.Refused), match=words):
        asyncio.run(publish())


def test_wrong_arguments_are_named(daemon: Daemon):
    with connect(daemon) as client:
        with pytest.raises(TypeError, match=r"\['badge/alice'\]"):
            client.watch(["badge/alice"])
        for name in ("", "a/b", "no body", "-", "x" * 65, "alice\n"):
            with pytest.raises(ValueError, match="not a name of 1 to 64 bytes") as error:
                client.frames(name)
            assert repr(name) in str(error.value)
        with pytest.raises(TypeError, match="7"):
            client.frames(7)
    with pytest.raises(TypeError, match="'x'"):
        gestured.Frame("s", "e", 0, {}).array("x")
    done = subprocess.run(
        [sys.executable, REPOSITORY / "Examples" / "table" / "finger.py", "0", "zero", "1", "1"],
        capture_output=True, text=True)
    assert done.returncode == 1 and "Traceback" not in done.stderr and "'zero'" in done.stderr
    done = subprocess.run(
        [sys.executable, REPOSITORY / "Examples" / "table" / "object.py",
         "five", "0", "0", "1", "1", "90"],
        capture_output=True, text=True)
    assert done.returncode == 1 and "Traceback" not in done.stderr and "'five'" in done.stderr
    for wrong, word in ((["11"], "11"), (["none"], "none"), (["2", "nan"], "nan")):
        done = subprocess.run(
            [sys.executable, REPOSITORY / "Examples" / "table" / "people.py", *wrong],
            capture_output=True, text=True)
        assert done.returncode == 1 and "Traceback" not in done.stderr and word in done.stderr


def test_tables_take_names_in_a_list(monkeypatch: pytest.MonkeyPatch):
    pytest.importorskip("pandas")
    with pytest.raises(TypeError, match="'toss.item.x'"):
        gestured.table([], "toss.item.x")
    monkeypatch.setenv("GESTURECTL", str(binary().parent / "gesturectl"))
    with pytest.raises(gestured.Error, match=r"\./--help"):
        gestured.simulate("--help")


def test_a_table_tells_what_is_null_from_what_is_not_there():
    pytest.importorskip("pandas")
    item = {"x": 1, "y": 2, "w": 3, "h": 4, "rotation": 0, "scale": 1, "alpha": 1, "z": 0}
    state = {"t": 5, "phase": "closed", "model": {"row": None, "rows": [7]}, "views": {"a": item}}
    rows = [("state/s/list", state), ("badge/s", {"t": 6})]
    # Nothing is selected, open or shown yet: these are fields all the same.
    for name in ("list.model.row", "list.model.row.direction"):
        assert list(gestured.table(rows, [name])[name]) == [None], name
    assert list(gestured.table(rows, ["list.model.rows.0"])["list.model.rows.0"]) == [7]
    absent = ["no.item.x", "list", "list.model.selected", "list.model.rows.1", "list.model.rows.a",
              "list.b.x", "list.a.color", "list.a"]
    for name in absent:
        with pytest.raises(KeyError, match=name):
            gestured.table(rows, ["list.a.x", name])
        with pytest.raises(KeyError, match=name):
            gestured.table(rows, [name])
    # Where no state came, nothing is known of fields.
    assert gestured.table(rows[1:], absent).empty


def test_a_program_may_end_with_an_open_watch(daemon: Daemon):
    program = (
        "import gestured, sys\n"
        "client = gestured.connect(*sys.argv[1:])\n"
        "watch = client.watch('badge/s')\n"
        "client.request('hello')\n")
    done = subprocess.run(
        [sys.executable, "-c", program, daemon.events, daemon.updates, daemon.control],
        env=os.environ | {"PYTHONPATH": str(REPOSITORY / "Clients" / "python" / "src")},
        capture_output=True, text=True, timeout=DEADLINE)
    assert done.returncode == 0, done.stderr


def test_a_request_to_what_is_no_address_fails_at_once_in_both_clients():
    async def ask() -> None:
        async with aio.connect(control="nonsense", timeout=DEADLINE) as client:
            await asyncio.wait_for(client.request("hello"), DEADLINE / 2)

    with pytest.raises(zmq.ZMQError):
        asyncio.run(ask())
    with gestured.connect(control="nonsense", timeout=DEADLINE) as client, \
            pytest.raises(zmq.ZMQError):
        client.request("hello")


@pytest.mark.parametrize("places", [
    {"events": "", "control": ""}, {"push": "", "control": ""}], ids=["published", "pushed"])
def test_a_publish_that_waits_ends_when_its_client_is_closed(tmp_path, places: dict[str, str]):
    async def close_meanwhile() -> None:
        none = {kind: f"ipc://{tmp_path}/none" for kind in places}
        client = aio.connect(**none, timeout=DEADLINE)
        waiting = asyncio.create_task(client.publish("notification/s", {"kind": "likes"}))
        await asyncio.sleep(0.1)
        await client.close()
        await waiting

    with pytest.raises(gestured.Closed):
        asyncio.run(close_meanwhile())
