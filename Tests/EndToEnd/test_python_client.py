"""The Python client (Clients/python) against the real daemon: kills, slow readers, cancellation."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator

import pytest
import zmq
from client import DEADLINE, REPOSITORY, Daemon
from reliability import wait_for

SOURCE = REPOSITORY / "Clients" / "python" / "src"
sys.path.insert(0, str(SOURCE))

import gestured  # noqa: E402
from gestured import aio, connections  # noqa: E402

# A daemon that is killed is there again within three tries of this.
TRY_SECONDS = 2.0


def places(daemon: Daemon) -> dict[str, str]:
    return {"events": daemon.events, "updates": daemon.updates, "control": daemon.control}


def keep_ports(daemon: Daemon) -> None:
    """Lets the daemon come back where it was, as a configured one does."""
    found = iter((daemon.events, daemon.updates, daemon.control))
    daemon.arguments = [
        next(found) if word == "tcp://127.0.0.1:*" else word for word in daemon.arguments]


@pytest.fixture
def client(daemon: Daemon) -> Iterator[gestured.Client]:
    with gestured.connect(**places(daemon), timeout=DEADLINE) as client:
        yield client


def until(watch: gestured.Watch, topic: str, **fields: object) -> dict:
    """The first body of a topic with these fields."""
    end = time.monotonic() + DEADLINE
    while time.monotonic() < end:
        found = watch.next(end - time.monotonic())
        if found and found[0] == topic and all(
                found[1].get(name) == value for name, value in fields.items()):
            return found[1]
    raise AssertionError(f"no {topic} with {fields}")


def test_a_watch_gives_the_state_and_then_every_change(client: gestured.Client, session: str):
    client.request("open", session=session, scene="phone")
    with client.watch(f"badge/{session}", f"state/{session}/") as watch:
        scene = client.request("scene", session=session)["scene"]
        count = len(scene["components"]) + 1
        first = dict(watch.next(DEADLINE) for _ in range(count))
        assert len(first) == count and first[f"badge/{session}"]["total"] == 0
        assert client.publish(f"notification/{session}", {"kind": "likes"}, ack=True)["ok"]
        assert until(watch, f"badge/{session}", total=1)["counts"] == {"likes": 1}
        assert client.publish(f"notification/{session}", {"kind": "likes", "add": 2}) == {}
        assert until(watch, f"badge/{session}", total=3)["counts"] == {"likes": 3}


def test_an_iteration_ends_after_its_quiet(client: gestured.Client, session: str):
    client.request("open", session=session, scene="phone")
    began = time.monotonic()
    topics = [topic for topic, _ in client.watch(f"badge/{session}", timeout=0.3)]
    assert topics == [f"badge/{session}"] and 0.3 <= time.monotonic() - began < DEADLINE


def test_refusals_have_their_codes(client: gestured.Client, session: str):
    with pytest.raises(gestured.Refused) as refused:
        client.request("open", session=session, scene="none")
    assert refused.value.code == "unknown-scene" and "none" in refused.value.message
    with pytest.raises(gestured.Refused, match="unknown-op"):
        client.request("fly")
    with pytest.raises(gestured.Refused, match="unknown-session"):
        client.request("snapshot", session="nobody")
    with pytest.raises(gestured.Refused, match="bad-value"):
        client.publish(f"notification/{session}", {"kind": "likes", "add": -1}, ack=True)
    with pytest.raises(ValueError, match="JSON"):
        client.publish(f"notification/{session}", {"kind": "likes", "add": float("nan")})
    assert session not in client.request("sessions")["sessions"]


def test_a_request_that_is_too_large_is_refused_not_awaited(client: gestured.Client, session: str):
    with pytest.raises(gestured.Refused) as refused:
        client.publish(f"notification/{session}", {"kind": "x", "note": "y" * 70_000}, ack=True)
    assert refused.value.code in ("too-large", "bad-json")
    assert client.request("hello")["protocol"] == 1


def test_where_no_daemon_is_everything_says_so_in_time():
    with zmq.Context() as context:
        socket = context.socket(zmq.REP)
        nobody = f"tcp://127.0.0.1:{socket.bind_to_random_port('tcp://127.0.0.1')}"
        socket.close(linger=0)
    client = gestured.connect(nobody, nobody, nobody, timeout=0.3)
    with client:
        for call in (lambda: client.request("hello"),
                     lambda: client.request("open", session="s", scene="phone"),
                     lambda: client.publish("notification/s", {"kind": "likes"}),
                     lambda: next(client.watch("badge/s")),
                     lambda: next(client.frames("s", timeout=5))):
            began = time.monotonic()
            with pytest.raises(gestured.NoAnswer, match="127.0.0.1") as error:
                call()
            # All tries of a call share its timeout.
            assert 0.3 <= time.monotonic() - began < 5 and error.value.seconds == 0.3
    with pytest.raises(gestured.Closed):
        client.request("hello")


def test_the_environment_names_the_endpoints(
        daemon: Daemon, monkeypatch: pytest.MonkeyPatch):
    for name, place in places(daemon).items():
        monkeypatch.setenv(f"GESTURED_{name.upper()}", place)
    with gestured.connect() as client:
        assert client.request("hello")["epoch"] == daemon.epoch
    monkeypatch.setenv("GESTURED_CONTROL", "nonsense")
    with gestured.connect() as client, pytest.raises(zmq.ZMQError):
        client.request("hello")
    with pytest.raises(ValueError, match="timeout"):
        gestured.connect(timeout=0)


def test_frames_are_whole(client: gestured.Client, session: str):
    numpy = pytest.importorskip("numpy")
    client.request("open", session=session, scene="phone")
    with client.frames(session) as frames:
        first = next(frames)
        client.publish(f"command/{session}/tips", {"command": "dismiss"}, ack=True)
        moved = next(frame for frame in frames if any(
            passage["name"] == "dismiss" for passage in frame.transitions))
    names = {component["id"] for component in first.scene["components"]}
    for frame in (first, moved):
        assert set(frame.states) == names and frame.session == session
    assert moved.t >= first.t and moved.badge["total"] == 0
    array = moved.array()
    assert array.shape == (len(moved.names), 8) and array.dtype == numpy.float64
    assert moved.array(("x", "cut")).shape == (len(moved.names), 2)
    row = moved.names.index(("toss", "item"))
    item = moved.view("toss", "item")
    assert array[row, 0] == item["x"] == moved.numpy()[row]["x"]
    for names in (("toss", "none"), ("none", "item")):
        with pytest.raises(KeyError, match="none.*only"):
            moved.view(*names)
    # Pages that are not selected hold the others, so these are in no layer.
    assert {(layer.component, layer.view) for layer in moved.layers()} < set(moved.names)
    with pytest.raises(KeyError, match="depth"):
        moved.array(("depth",))


def test_the_daemon_hits_what_the_client_hits(client: gestured.Client, session: str):
    client.request("open", session=session, scene="phone")
    # Once its tips are at rest nothing moves between the picture and the questions.
    with client.frames(session) as frames:
        frame = next(one for one in frames if one.states["tips"]["phase"] == "resting")
    for x in range(-20, 360, 37):
        for y in range(-20, 600, 41):
            told = client.request("hit", session=session, x=x + 0.5, y=y + 0.5)["hit"]
            found = gestured.scene.hit(frame.scene, frame.states, x + 0.5, y + 0.5)
            assert told == (found and found._asdict()), (x, y)


def test_killed_and_started_again_a_watch_goes_on(session: str):
    """Everything acknowledged, before, while it was away and after, is seen; nothing is old."""
    with Daemon() as daemon, gestured.connect(**places(daemon), timeout=TRY_SECONDS) as client:
        keep_ports(daemon)
        seen: list[tuple] = []

        def publish(count: int) -> None:
            for _ in range(count):
                client.publish(f"notification/{session}", {"kind": "likes"}, ack=True)

        publish(3)
        with client.watch(f"badge/{session}", f"state/{session}/") as watch:
            until(watch, f"badge/{session}", total=3)
            for total in (8, 13):
                daemon.stop(signal.SIGKILL)
                away = threading.Thread(target=publish, args=(5,))
                away.start()
                daemon.restart()
                body = until(watch, f"badge/{session}", total=total)
                away.join()
                seen.append((body["epoch"], body["version"]))
            # An update may come before the watch has joined again.
            for total in range(14, 64):
                publish(1)
                until(watch, f"badge/{session}", total=total)
                if watch.joiner.joins >= 3:
                    break
            assert watch.joiner.joins >= 3
        assert len({epoch.partition(".")[0] for epoch, _ in seen}) == 2
        assert seen[0][1] < seen[1][1]


def test_ten_thousand_acknowledged_publishes_survive_kills(session: str):
    """Each counts once, though the daemon is killed under them and answers are lost."""
    total, again = 10_000, 0

    async def publish_all(daemon: Daemon) -> int:
        async with aio.connect(**places(daemon), timeout=TRY_SECONDS) as client:
            done = 0

            async def publish(name: str) -> None:
                nonlocal done, again
                answer = await client.publish(f"notification/{name}", {"kind": "likes"}, ack=True)
                done += 1
                again += bool(answer.get("duplicate"))

            async def kill() -> None:
                for part in (0.3, 0.7):
                    while done < part * total:
                        await asyncio.sleep(0.005)
                    await asyncio.to_thread(daemon.restart, signal.SIGKILL)

            await asyncio.gather(kill(), *(
                publish(f"{session}-{number % 8}") for number in range(total)))
            counts = 0
            for number in range(8):
                answer = await client.request("snapshot", session=f"{session}-{number}")
                counts += next(update["body"]["total"] for update in answer["updates"]
                               if update["topic"].startswith("badge/"))
            return counts

    with Daemon() as daemon:
        keep_ports(daemon)
        assert asyncio.run(publish_all(daemon)) == total
    print(f"{again} answers were duplicates")


def test_a_slow_reader_heals(session: str, monkeypatch: pytest.MonkeyPatch):
    """Updates that a connection lost show as a gap, and one snapshot brings what is missing."""
    prepare = connections.prepare

    def narrow(socket: zmq.Socket, timeout: float) -> None:
        prepare(socket, timeout)
        if socket.type == zmq.SUB:
            socket.rcvhwm, socket.rcvbuf = 1, 4096

    monkeypatch.setattr(connections, "prepare", narrow)
    with Daemon("[sockets]\nsend_high_water_mark = 20\n") as daemon, \
            gestured.connect(**places(daemon), timeout=DEADLINE) as client:
        control = daemon.requests()
        for number in range(200):
            control.notify(session, f"{number:060}")
        with client.watch(f"badge/{session}", f"state/{session}/") as watch:
            until(watch, f"badge/{session}", total=200)
            joined = watch.joiner.snapshots
            # Each badge has some 13 KB, so a reader that stands still loses most of them.
            for _ in range(60):
                numbers = [control.send("publish", topic=f"notification/{session}",
                                        body={"kind": "likes"}) for _ in range(20)]
                assert all(control.reply(number)["ok"] for number in numbers)
            # The last one may be lost; this one is not, and shows the gap.
            last = 1400
            while (found := watch.next(0.5)) or watch.joiner.snapshots == joined:
                if found is None:
                    control.notify(session, "likes")
                    last += 1
                elif found[0] == f"badge/{session}":
                    total = found[1]["total"]
            assert total == last and watch.joiner.snapshots > joined


def test_a_cancelled_wait_loses_no_update(daemon: Daemon, session: str):
    """Waits are cancelled all the time, as by `asyncio.wait_for`; each badge comes all the same."""

    async def follow() -> list[int]:
        async with aio.connect(**places(daemon), timeout=DEADLINE) as client:
            await client.request("open", session=session, scene="phone")
            watch, totals = client.watch(f"badge/{session}"), []

            async def publish() -> None:
                for _ in range(200):
                    await client.publish(f"notification/{session}", {"kind": "likes"}, ack=True)

            publishing, cancelled = asyncio.create_task(publish()), 0
            while not totals or totals[-1] < 200:
                with contextlib.suppress(asyncio.TimeoutError):
                    totals.append((await asyncio.wait_for(watch.next(), 0.0005))[1]["total"])
                    continue
                cancelled += 1
            await publishing
            assert cancelled > 20
            return totals

    totals = asyncio.run(follow())
    assert totals == sorted(set(totals)) and set(range(max(1, totals[0]), 201)) <= set(totals)


def test_a_cancelled_publish_leaves_the_client_usable(daemon: Daemon, session: str):
    async def cancel() -> None:
        async with aio.connect(**places(daemon), timeout=DEADLINE) as client:
            await client.request("open", session=session, scene="phone")
            tasks = [asyncio.create_task(client.publish(
                f"notification/{session}", {"kind": "likes"}, ack=True)) for _ in range(300)]
            await asyncio.sleep(0)
            for task in tasks[::2]:
                task.cancel()
            done = await asyncio.gather(*tasks, return_exceptions=True)
            assert all(isinstance(one, asyncio.CancelledError) for one in done[::2])
            assert all(one["ok"] for one in done[1::2])
            answer = await client.request("snapshot", session=session)
            badge = next(update["body"] for update in answer["updates"]
                         if update["topic"] == f"badge/{session}")
            assert 150 <= badge["total"] <= 300
            watch = client.watch(f"badge/{session}")
            assert await watch.next()
            closing = asyncio.create_task(watch.next())
            await asyncio.sleep(0)
        with pytest.raises(gestured.Closed):
            await asyncio.wait_for(closing, DEADLINE)

    asyncio.run(cancel())


def test_asyncio_frames_and_quiet_ends(daemon: Daemon, session: str):
    async def follow() -> list[gestured.Frame]:
        async with aio.connect(**places(daemon), timeout=DEADLINE) as client:
            await client.request("open", session=session, scene="kiosk")
            await client.publish(f"notification/{session}", {"kind": "ready"})
            return [frame async for frame in client.frames(session, timeout=0.5)]

    frames = asyncio.run(follow())
    assert all(len(frame.states) == len(frame.scene["components"]) for frame in frames)
    assert frames[-1].badge["counts"] == {"ready": 1}


def test_another_thread_may_close_the_client(daemon: Daemon, session: str):
    client = gestured.connect(**places(daemon), timeout=DEADLINE)
    client.request("open", session=session, scene="phone")
    watch, ended = client.watch(f"badge/{session}"), []
    next(watch)

    def follow() -> None:
        try:
            list(watch)
        except gestured.Closed as error:
            ended.append(error)

    thread = threading.Thread(target=follow)
    thread.start()
    client.close()
    thread.join(DEADLINE)
    assert ended and not thread.is_alive()
    client.close()


def test_threads_share_a_client(client: gestured.Client, session: str):
    client.request("open", session=session, scene="phone")

    def publish() -> None:
        for number in range(50):
            client.publish(f"notification/{session}", {"kind": "likes"}, ack=number % 2 == 0)

    threads = [threading.Thread(target=publish) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    def total() -> int:
        updates = client.request("snapshot", session=session)["updates"]
        return {update["topic"]: update["body"] for update in updates}[f"badge/{session}"]["total"]

    wait_for(lambda: total() == 200, "all events count")


@pytest.mark.parametrize("call", [
    "next(client.watch('badge/s'))", "list(client.watch('badge/s'))", "client.request('hello')",
    "client.publish('notification/s', {})"])
def test_ctrl_c_ends_a_wait(call: str):
    """Also where no daemon is: the timeout is far away."""
    program = textwrap.dedent(f"""
        import gestured
        client = gestured.connect(*["ipc:///nowhere/at/all"] * 3, timeout=600)
        print("begun", flush=True)
        {call}
    """)
    with subprocess.Popen(
            [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": str(SOURCE)}) as process:
        assert process.stdout.readline() == b"begun\n"
        wait_for(lambda: "poll" in pathlib_wchan(process.pid), "it waits")
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=DEADLINE)
    assert b"KeyboardInterrupt" in errors and process.returncode == -signal.SIGINT


def pathlib_wchan(pid: int) -> str:
    """The system call that the process waits in."""
    with open(f"/proc/{pid}/wchan", encoding="ascii") as found:
        return found.read()
