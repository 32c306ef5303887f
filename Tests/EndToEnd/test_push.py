"""The push socket: what one sends who connects, says one thing and leaves is not lost."""

from __future__ import annotations

import itertools
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

import pytest
import zmq
from client import DEADLINE, REPOSITORY, Control, Daemon, binary
from curve_daemon import CurveDaemon
from reliability import stats, wait_for
from scenes import still

SOURCE = REPOSITORY / "Clients" / "python" / "src"
sys.path.insert(0, str(SOURCE))

import gestured  # noqa: E402

# Events of one program that pushes and leaves, each from a context of its own.
LEAVERS = 100
TELL = """
import sys, zmq

with zmq.Context() as context, context.socket(zmq.PUSH) as events:
    events.connect(sys.argv[1])
    events.send_multipart([sys.argv[2].encode(), sys.argv[3].encode()])
"""


def push(endpoint: str, *messages: tuple[str, str], keys: CurveDaemon | None = None) -> None:
    """Connects, sends, and leaves as a program does that sets nothing."""
    with zmq.Context() as context, context.socket(zmq.PUSH) as events:
        if keys is not None:
            own = keys.keys
            events.curve_publickey, events.curve_secretkey = own.public, own.secret
            events.curve_serverkey = keys.server.public
        events.connect(endpoint)
        for topic, body in messages:
            events.send_multipart([topic.encode(), body.encode()])


def like(session: str) -> tuple[str, str]:
    return f"notification/{session}", '{"kind":"likes"}'


def counted(control: Control, session: str) -> int:
    return control.badge(session)["counts"].get("likes", 0)


def until_counted(control: Control, session: str, count: int) -> None:
    wait_for(lambda: counted(control, session) >= count, f"{count} likes are counted")
    assert counted(control, session) == count


@pytest.fixture(scope="module")
def both():
    """A daemon with a push endpoint of tcp, and one over ipc beside that of its events."""
    daemon = Daemon(ports=False)
    daemon.config.write_text("".join(
        f'{name} = ["tcp://127.0.0.1:*", "ipc://{daemon.folder}/{name}"]\n'
        for name in ("events", "updates", "control")) + daemon.config.read_text())
    with daemon:
        yield daemon


@pytest.mark.parametrize("zone", ["tcp", "ipc"])
def test_of_those_that_connect_send_once_and_leave_nothing_is_lost(both: Daemon, zone: str):
    control = both.requests()
    control.open(zone, still())
    endpoint = next(one for one in both.push.split(",") if one.startswith(zone))
    before = stats(control)["events_pushed"]
    for _ in range(LEAVERS):
        push(endpoint, like(zone))
    until_counted(control, zone, LEAVERS)
    assert stats(control)["events_pushed"] == before + LEAVERS


def test_a_burst_of_one_that_leaves_is_not_lost(both: Daemon):
    """Far more than wait in libzmq: the rest waits in the system."""
    control = both.requests()
    control.open("burst", still())
    push(both.push.split(",")[0], *([like("burst")] * 5_000))
    until_counted(control, "burst", 5_000)


def test_a_program_that_says_one_thing_and_ends_is_heard(both: Daemon):
    control = both.requests()
    control.open("program", still())
    for _ in range(5):
        subprocess.run(
            [sys.executable, "-c", TELL, both.push.split(",")[0], *like("program")],
            check=True, timeout=DEADLINE)
    until_counted(control, "program", 5)


def test_with_keys_nothing_is_lost_either():
    with CurveDaemon() as daemon:
        control = daemon.requests()
        control.open("keyed", still())
        for _ in range(20):
            push(daemon.push, like("keyed"), keys=daemon)
        until_counted(control, "keyed", 20)


def test_what_is_pushed_before_the_daemon_is_there_waits_for_it():
    with Daemon("[sockets]\nreceive_high_water_mark = 10\n") as daemon:
        endpoint, control = daemon.push, daemon.requests()
        control.open("early", still())
        daemon.arguments += ["--push", endpoint]
        daemon.stop()
        with zmq.Context() as context, context.socket(zmq.PUSH) as events:
            events.connect(endpoint)
            events.send_multipart([part.encode() for part in like("early")])
            control = daemon.restart()
            until_counted(control, "early", 1)


def test_one_that_pushes_too_much_waits_and_loses_nothing(daemon: Daemon, session: str):
    control = daemon.requests()
    control.open(session, still())
    topic, body = (part.encode() for part in like(session))
    # A long field that the daemon ignores fills the buffers of the system soon.
    body = body[:-1] + b',"x":"' + b"a" * 8_000 + b'"}'
    events = daemon.socket(zmq.PUSH)
    events.sndhwm = 10
    events.connect(daemon.push)
    events.send_multipart([topic, body])
    until_counted(control, session, 1)
    taken = 1
    daemon.process.send_signal(signal.SIGSTOP)
    try:
        with pytest.raises(zmq.Again):
            while taken < 100_000:
                # Room comes until every buffer on the way is full.
                if not events.poll(500, zmq.POLLOUT):
                    raise zmq.Again
                events.send_multipart([topic, body], zmq.DONTWAIT)
                taken += 1
    finally:
        daemon.process.send_signal(signal.SIGCONT)
    assert taken > 50, "the daemon's system takes some megabytes before it makes the peer wait"
    assert events.poll(DEADLINE * 1000, zmq.POLLOUT), "nothing makes room again"
    events.send_multipart([topic, body])
    until_counted(control, session, taken + 1)


def test_a_refusal_is_told_as_of_a_published_event(daemon: Daemon, control: Control, session: str):
    control.open(session, still())
    updates = daemon.subscriber(f"rejected/{session}", "rejected/-")
    events = daemon.socket(zmq.PUSH, daemon.push)
    topic = f"notification/{session}".encode()
    cases = [
        ([topic, b"{"], "bad-json"), ([topic], "bad-frames"), ([topic, b"{}", b"x"], "bad-frames"),
        ([topic, b"{}", b"", b""], "bad-frames"), ([topic, b"{}"], "missing-field"),
        ([topic, b'{"kind":"' + b"a" * 70_000 + b'"}'], "too-large"),
        ([b"gesture/" + session.encode() + b"/none", b'{"gesture":"tap","x":1,"y":1}'],
         "unknown-component")]
    for frames, code in cases:
        events.send_multipart(frames)
        told = updates.until(lambda update: update.topic.startswith("rejected/"), code)[-1]
        assert told.body["code"] == code, (frames[0], told.text[:200])
    events.send_multipart([b"nonsense", b"{}"])
    assert updates.find("rejected/-").body["code"] == "bad-topic"
    events.send_multipart([part.encode() for part in like(session)])
    until_counted(control, session, 1)


def test_events_of_one_push_come_in_their_order(daemon: Daemon, control: Control, session: str):
    control.open(session, still())
    updates = daemon.subscriber(f"badge/{session}")
    events = daemon.socket(zmq.PUSH, daemon.push)
    for number in range(200):
        body = json.dumps({"kind": "likes", "set": number})
        events.send_multipart([f"notification/{session}".encode(), body.encode()])
    updates.find(f"badge/{session}", total=199)
    assert counted(control, session) == 199


def test_a_grant_bounds_what_is_pushed():
    mine = 'publish = ["mine"]\ncontrol = "own"\nread = ["mine"]'
    with CurveDaemon(clients={"mine": mine}) as daemon:
        control = daemon.requests()
        for session in ("mine", "theirs"):
            control.open(session, still())
        updates = daemon.subscriber("rejected/")
        daemon.keys = daemon.clients["mine"]
        push(daemon.push, like("theirs"), like("mine"), keys=daemon)
        told = updates.until(lambda update: update.topic == "rejected/-", "a refusal")[-1]
        assert told.body["code"] == "unauthorized"
        until_counted(control, "mine", 1)
        assert counted(control, "theirs") == 0
        # A key that is not known does not come in.
        stranger = daemon.socket(zmq.PUSH)
        stranger.curve_publickey, stranger.curve_secretkey = zmq.curve_keypair()
        stranger.curve_serverkey = daemon.server.public
        stranger.setsockopt(zmq.IMMEDIATE, 1)
        stranger.connect(daemon.push)
        assert not stranger.poll(1_000, zmq.POLLOUT), "a stranger is let in"
        wait_for(lambda: stats(control)["handshakes_refused"] > 0, "it is refused")


# The configuration, and the push endpoints by their beginnings.
PLACES = [
    ('events = ["tcp://127.0.0.1:*"]', ["tcp://127.0.0.1:"]),
    ('events = ["ipc://FOLDER/events"]', ["ipc://FOLDER/push"]),
    ('events = ["ipc://FOLDER/e.sock", "tcp://127.0.0.1:*"]',
     ["ipc://FOLDER/e.sock-push", "tcp://127.0.0.1:"]),
    ('events = ["tcp://127.0.0.1:*"]\n[sockets]\npush = ["ipc://FOLDER/p"]', ["ipc://FOLDER/p"]),
    ('events = ["tcp://127.0.0.1:*"]\n[sockets]\npush = []', []),
]


@pytest.mark.parametrize(("text", "places"), PLACES, ids=range(len(PLACES)))
def test_the_push_endpoints_are_those_of_the_file_or_beside_those_of_events(
    text: str, places: list[str]
):
    daemon = Daemon(ports=False, arguments=[
        "--updates", "tcp://127.0.0.1:*", "--control", "tcp://127.0.0.1:*"])
    folder = str(daemon.folder)
    daemon.config.write_text(daemon.config.read_text() + text.replace("FOLDER", folder) + "\n")
    with daemon:
        found = daemon.requests().ok("hello")["endpoints"]["push"]
        assert len(found) == len(places)
        for endpoint, place in zip(found, places, strict=True):
            assert endpoint.startswith(place.replace("FOLDER", folder)), found
        # A daemon alone is a cluster of one, which tells the same.
        assert daemon.requests().ok("members")["members"][0]["push"] == found


def test_a_place_on_the_command_line_leaves_the_file_s_push_endpoint():
    """Else a second daemon with the same file would need the port of the first."""
    with Daemon('[sockets]\npush = ["tcp://127.0.0.1:7414"]\n') as daemon:
        assert not daemon.push.endswith(":7414")


WRONG = [
    ('[sockets]\npush = ["nonsense"]', "push", "is no endpoint"),
    ('[sockets]\npush = ["tcp://127.0.0.1:99999"]', "push", "port"),
    ('[sockets]\npush = ["tcp://127.0.0.1:7412"]', "sockets.push", "is in use by key updates"),
    ('events = ["tcp://127.0.0.1:5000"]\n[sockets]\npush = ["tcp://0.0.0.0:5000"]',
     "sockets.push", "is in use by key events"),
    ('updates = ["tcp://127.0.0.1:7414"]', "updates", "is in use by key sockets.push"),
    ('[sockets]\npush = ["tcp://0.0.0.0:7414"]', "sockets.push", "other machines"),
    ("[sockets]\npush = 5", "push", "list"),
    ('[sockets]\npusch = ["tcp://127.0.0.1:1"]', "pusch", 'did you mean "push"'),
]


@pytest.mark.parametrize(("text", "key", "word"), WRONG, ids=range(len(WRONG)))
def test_a_wrong_push_endpoint_is_named_by_the_check(
    tmp_path: pathlib.Path, text: str, key: str, word: str
):
    file = tmp_path / "gestured.toml"
    file.write_text(f'scenes = "{REPOSITORY}/config/scenes"\n{text}\n')
    done = subprocess.run(
        [binary(), "--check", "--config", file], capture_output=True, text=True, timeout=DEADLINE)
    assert done.returncode == 2
    line = len(text.splitlines()) + 1
    assert f"{file}:{line}:" in done.stderr and key in done.stderr and word in done.stderr, (
        done.stderr)


def test_the_files_of_ipc_are_for_the_group(both: Daemon):
    paths = [one.removeprefix("ipc://") for one in both.push.split(",") if one.startswith("ipc")]
    assert paths and all(os.stat(path).st_mode & 0o777 == 0o660 for path in paths)


# MARK: Our clients


def client_environment(daemon: Daemon) -> dict[str, str]:
    """Nothing that names the events socket: what is not acknowledged has to be pushed."""
    return {name: value for name, value in os.environ.items()
            if not name.startswith("GESTURED_E")} | {
        "GESTURED_PUSH": daemon.push, "GESTURED_UPDATES": daemon.updates,
        "GESTURED_CONTROL": daemon.control}


def test_gesturectl_pushes(daemon: Daemon, control: Control, session: str):
    control.open(session, still())
    before = stats(control)["events_pushed"]
    tool = binary().with_name("gesturectl")
    for _ in range(3):
        subprocess.run(
            [tool, "publish", *like(session)], check=True, timeout=DEADLINE,
            env=client_environment(daemon))
    until_counted(control, session, 3)
    assert stats(control)["events_pushed"] == before + 3
    # An option for the events socket is for this command, whatever the variable says.
    subprocess.run(
        [tool, "--events", daemon.events, "publish", *like(session)], check=True,
        timeout=DEADLINE, env=client_environment(daemon))
    until_counted(control, session, 4)
    assert stats(control)["events_pushed"] == before + 3


PYTHON = """
import asyncio, sys, gestured, gestured.aio

with gestured.connect() as client:
    client.publish(sys.argv[1], {"kind": "likes"})

async def tell():
    async with gestured.aio.connect() as client:
        await client.publish(sys.argv[1], {"kind": "likes"})

asyncio.run(tell())
"""


def test_the_python_client_pushes(daemon: Daemon, control: Control, session: str):
    control.open(session, still())
    before = stats(control)["events_pushed"]
    environment = client_environment(daemon) | {"PYTHONPATH": str(SOURCE)}
    for _ in range(3):
        subprocess.run(
            [sys.executable, "-W", "error", "-c", PYTHON, like(session)[0]], check=True,
            timeout=DEADLINE, env=environment)
    until_counted(control, session, 6)
    assert stats(control)["events_pushed"] == before + 6


C = r"""
#include "gestured.h"

int main(int count, char **words) {
    gestured *client = gestured_connect(NULL, NULL, NULL, 5000);
    int status = client && count > 1
        ? gestured_publish(client, words[1], "{\"kind\":\"likes\"}") : -1;
    gestured_close(client);
    return status != GESTURED_OK;
}
"""


def test_the_c_client_pushes(
    daemon: Daemon, control: Control, session: str, tmp_path: pathlib.Path
):
    control.open(session, still())
    folder = REPOSITORY / "Clients" / "c"
    (tmp_path / "tell.c").write_text(C)
    subprocess.run(
        ["cc", f"-I{folder}", tmp_path / "tell.c", *folder.glob("gestured*.c"), "-lzmq", "-lm",
         "-o", tmp_path / "tell"], check=True, timeout=DEADLINE)
    before = stats(control)["events_pushed"]
    for _ in range(3):
        subprocess.run(
            [tmp_path / "tell", like(session)[0]], check=True, timeout=DEADLINE,
            env=client_environment(daemon))
    until_counted(control, session, 3)
    assert stats(control)["events_pushed"] == before + 3


@pytest.mark.parametrize("client", ["gesturectl", "python"])
def test_a_client_says_so_where_nobody_takes_what_it_pushes(client: str):
    environment = client_environment_of_nobody()
    command = {
        "gesturectl": [binary().with_name("gesturectl"), "--timeout", "1", "publish", *like("a")],
        "python": [sys.executable, "-c", "import gestured\n"
                   "gestured.connect(timeout=0.5).publish('notification/a', {'kind': 'likes'})"],
    }[client]
    began = time.monotonic()
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=DEADLINE, env=environment)
    assert done.returncode == 1 and time.monotonic() - began < 10
    assert "NoAnswer" in done.stderr or "no daemon listens" in done.stderr, done.stderr


def client_environment_of_nobody() -> dict[str, str]:
    names = itertools.count(1)
    places = {f"GESTURED_{name}": f"tcp://127.0.0.1:{next(names)}"
              for name in ("PUSH", "UPDATES", "CONTROL")}
    rest = {name: value for name, value in os.environ.items() if not name.startswith("GESTURED_")}
    return rest | places | {"PYTHONPATH": str(SOURCE)}


def test_a_client_that_is_closed_at_once_has_sent_what_it_pushed(
    daemon: Daemon, control: Control, session: str
):
    control.open(session, still())
    place = daemon.push
    for _ in range(10):
        with gestured.connect(
                push=place, updates=daemon.updates, control=daemon.control) as client:
            for _ in range(50):
                client.publish(like(session)[0], {"kind": "likes"})
    until_counted(control, session, 500)
