"""The C client: its subscriber against the daemon, and all of it against nonsense."""

from __future__ import annotations

import json
import os
import pathlib
import random
import re
import shutil
import struct
import subprocess
import time

import pytest
import zmq
from ccode import CLIENT, compiled, compiler
from client import DEADLINE, REPOSITORY, Daemon

HERE = pathlib.Path(__file__).parent
ADAPTERS = REPOSITORY / "Tests" / "Conformance" / "adapters"
SCENES = REPOSITORY / "Tests" / "Conformance" / "scenes"
SCENE = {"viewport": [320, 568], "components": [{"id": "card", "kind": "toss"}]}


class Program:
    """A program whose lines are awaited. The test's end kills it."""

    def __init__(self, *command: object, environment: dict[str, str] | None = None):
        self.process = subprocess.Popen(
            [str(word) for word in command], env=os.environ | (environment or {}),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.heard = b""

    def __enter__(self) -> Program:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()

    def tell(self, **line: object) -> None:
        self.process.stdin.write(json.dumps(line).encode() + b"\n")
        self.process.stdin.flush()

    def line(self) -> str:
        """The next line of standard output."""
        end = time.monotonic() + DEADLINE
        poller = zmq.Poller()
        poller.register(self.process.stdout.fileno(), zmq.POLLIN)
        while b"\n" not in self.heard:
            left = end - time.monotonic()
            assert left > 0 and poller.poll(left * 1000), f"said only {self.heard!r}"
            chunk = os.read(self.process.stdout.fileno(), 65536)
            assert chunk, f"ended: {self.process.stderr.read().decode()}"
            self.heard += chunk
        line, self.heard = self.heard.split(b"\n", 1)
        return line.decode()

    def await_line(self, pattern: str) -> str:
        end = time.monotonic() + DEADLINE
        while time.monotonic() < end:
            if re.search(pattern, line := self.line()):
                return line
        raise AssertionError(f"no line matched {pattern}")


def endpoints(daemon: Daemon) -> dict[str, str]:
    return {"GESTURED_EVENTS": daemon.events, "GESTURED_UPDATES": daemon.updates,
            "GESTURED_CONTROL": daemon.control}


def test_each_of_its_files_is_readable_at_once():
    for path in [*CLIENT.glob("*.[ch]"), *ADAPTERS.glob("*.c")]:
        lines = path.read_text().splitlines()
        assert len(lines) <= 400, path
        assert max(map(len, lines)) <= 100, path


def test_the_subscriber_of_the_readme_prints_frames(tmp_path: pathlib.Path, daemon: Daemon):
    command = re.search(r"^\$ (cc .*)$", (CLIENT / "README.md").read_text(), re.MULTILINE)[1]
    for path in CLIENT.glob("*.[ch]"):
        shutil.copy(path, tmp_path)
    words = command.replace("cc", compiler(), 1)
    subprocess.run(["sh", "-c", words], cwd=tmp_path, check=True, timeout=120)
    daemon.requests().ok("open", session="c1", scene=SCENE)
    with Program(tmp_path / "subscriber", "c1", environment=endpoints(daemon)) as subscriber:
        assert subscriber.line() == '"card" "resting"  "item" (160, 223)'
        publisher, touch = daemon.publisher(), {"gesture": "pointer", "pointer": 1, "y": 223}
        publisher.send("gesture/c1", touch | {"phase": "began", "x": 160})
        publisher.send("gesture/c1", touch | {"phase": "changed", "x": 190})
        subscriber.await_line(r'^"card" "dragging"  "item" \(.*"touch"')


def test_a_watch_survives_the_daemon(tmp_path_factory: pytest.TempPathFactory):
    folder = tmp_path_factory.mktemp("c")
    places = [word for name in ("events", "updates", "control")
              for word in (f"--{name}", f"ipc://{folder}/{name}")]
    with Daemon(ports=False, arguments=places) as daemon:
        daemon.requests().ok("open", session="c2", scene=SCENE)
        with Program(compiled("conform", ADAPTERS / "conform.c")) as adapter:
            adapter.tell(do="connect", events=daemon.events, updates=daemon.updates,
                         control=daemon.control, timeout=1)
            adapter.tell(do="watch", prefixes=["badge/c2"])
            assert [adapter.line(), adapter.line()] == ['{"connected":true}', '{"watching":true}']
            adapter.await_line('"total":0')
            likes = {"do": "publish", "topic": "notification/c2", "ack": True}
            adapter.tell(**likes, body={"kind": "likes", "add": 3})
            adapter.await_line('"total":3')
            control = daemon.restart()
            # Nothing is published for it: the snapshot after the new heartbeat shows it.
            control.ok("snapshot", session="c2")
            line = adapter.await_line(rf'"epoch":"{daemon.epoch}\.\d+".*"total":3')
            assert '"topic":"badge/c2"' in line


def test_nobody_there_is_an_answer():
    with Program(compiled("conform", ADAPTERS / "conform.c")) as adapter:
        nobody = {name: f"ipc:///nonexistent/{name}" for name in ("events", "updates", "control")}
        adapter.tell(do="connect", timeout=0.05, **nobody)
        adapter.tell(do="request", op="hello", fields={})
        adapter.tell(do="publish", topic="notification/a", body={"kind": "x"}, ack=False)
        adapter.tell(do="publish", topic='a" b', body={}, ack=True)
        adapter.tell(do="publish", topic="a", body=[1], ack=True)
        adapter.tell(do="publish", topic="a", body={"x": "y" * 70_000}, ack=True)
        lines = [adapter.line() for _ in range(6)]
        codes = [json.loads(line).get("failed", {}).get("code") for line in lines]
        assert codes == [None, "no-answer", "no-answer", "bad-value", "bad-value", "bad-value"]


CARELESS = r"""
#include "gestured.h"
#include <errno.h>
#include <stdio.h>
#include <zmq.h>

int main(void) {
    static const char *const fields[] = {
        "{\"id\":7}", "{\"a\":{},\"op\":\"close\"}", "{\"\\u006fp\":1}",
        "{\"\\u0069\\u0064\":1}"};
    gestured *client = gestured_connect(NULL, NULL, NULL, 5000);
    for (int i = 0; i < 4; i++)
        printf("%d %s\n", gestured_request(client, "hello", fields[i], NULL),
               gestured_error(client));
    printf("%d\n", gestured_request(client, "hello", NULL, NULL));
    printf("%d\n", gestured_acknowledged(client, "notification/c3", "{\"kind\":\"a\"}", NULL));
    printf("%d\n", gestured_publish(client, "", "{}"));
    gestured_close(client);
    client = gestured_connect("nonsense", NULL, NULL, 5000);
    printf("%s\n", client ? "connected" : zmq_strerror(errno));
    return 0;
}
"""


def test_careless_calls_are_told(tmp_path: pathlib.Path, daemon: Daemon):
    """Fields that are the client's own, replies that nobody reads, no topic, a bad endpoint."""
    source = tmp_path / "careless.c"
    source.write_text(CARELESS, encoding="utf-8")
    done = subprocess.run(
        [compiled("careless", source)], env=os.environ | endpoints(daemon), timeout=60,
        capture_output=True, text=True)
    own = "-3 the client itself writes id and op"
    assert done.stdout.splitlines() == [own] * 4 + ["0", "0", "-3", "Invalid argument"], done


class FalseDaemon:
    """Three sockets that say what a test wants."""

    def __init__(self):
        self.context = zmq.Context()
        self.updates, self.control = (self.context.socket(kind) for kind in (zmq.XPUB, zmq.ROUTER))
        self.events = self.context.socket(zmq.SUB)
        self.events.subscribe("")
        self.places = {}
        for name in ("updates", "control", "events"):
            socket = getattr(self, name)
            socket.linger, socket.rcvtimeo = 0, int(DEADLINE * 1000)
            port = socket.bind_to_random_port("tcp://127.0.0.1")
            self.places[name] = f"tcp://127.0.0.1:{port}"

    def __enter__(self) -> FalseDaemon:
        return self

    def __exit__(self, *_: object) -> None:
        self.context.destroy(linger=0)

    def sync(self) -> None:
        while not (wanted := self.updates.recv()).startswith(b"\x01sync/"):
            pass
        self.say(wanted[1:].decode(), epoch="r", seq=1, t=1)

    def say(self, topic: str, **body: object) -> None:
        self.updates.send_multipart([topic.encode(), json.dumps(body).encode()])

    def answer(self, *reply: bytes) -> dict:
        who, request = self.control.recv_multipart()
        asked = json.loads(request)
        for text in reply:
            self.control.send_multipart([who, text.replace(b"ID", asked["id"].encode())])
        return asked


NONSENSE = [
    b"", b"{", b"}", b"[", b"null", b"7", b'"', b'{"epoch"', b'{"epoch":"r.1"', b"{" * 9_000,
    b"[" * 100_000, b"\x00\xff\xfe", b'{"epoch":7,"seq":1,"t":1}',
    b'{"epoch":"' + b"e" * 5_000 + b'","seq":1,"t":1}', b'{"epoch":"","seq":1,"t":1}',
    b'{"epoch":"r.1","seq":1e999,"t":1}', b'{"epoch":"r.1","seq":"1","t":1}',
    b'{"epoch":"r.1","seq":' + b"9" * 5_000 + b',"t":1}', b'{"epoch":"r.1","seq":0x10,"t":1}',
    b'{"epoch":"r.1","seq":1,"t":nan}', b'{"epoch":"\\ud800","seq":1,"t":1',
]


def test_a_peer_that_sends_nonsense_is_survived():
    good = {"epoch": "r.1", "seq": 5, "t": 100, "total": 1}
    with FalseDaemon() as false, Program(compiled("conform", ADAPTERS / "conform.c")) as adapter:
        adapter.tell(do="connect", timeout=5, **false.places)
        adapter.tell(do="watch", prefixes=["badge/s", ""])
        assert [adapter.line(), adapter.line()] == ['{"connected":true}', '{"watching":true}']
        false.sync()
        asked = false.answer(
            *NONSENSE, b'{"id":"ID","ok":true,"sessions":["s",7,null,"' + b"n" * 300
            + b'","a\\"b"],"next":"s"}')
        assert asked["op"] == "sessions"
        false.answer(b'{"id":"ID","ok":true,"sessions":[],"next":7}')
        updates = json.dumps([{"topic": "badge/s", "body": good}, 7, {}, {"topic": "badge/s"},
                              {"topic": "t" * 900, "body": good}]).encode()
        asked = false.answer(b'{"id":"ID","ok":true,"updates":' + updates + b"}")
        assert asked["session"] == "s"
        assert json.loads(adapter.line())["yield"] == {"topic": "badge/s", "body": good}
        for body in NONSENSE:
            false.updates.send_multipart([b"badge/s", body])
            false.updates.send_multipart([b"badge/" + body[:400], b"{}"])
        false.updates.send_multipart([b"badge/s"])
        false.updates.send_multipart([b"badge/s", b"{}", b"{}", b"{}"])
        false.say("badge/s", **good | {"seq": 6, "t": 101})
        assert json.loads(adapter.line())["yield"]["body"]["seq"] == 6


def cases(seed: int, count: int) -> list[tuple[bytes, bytes]]:
    """Scenes and states of the daemon, cut, doubled, deepened, and with bytes of chance."""
    chance = random.Random(seed)
    texts = [json.loads(path.read_text()) for path in sorted(SCENES.glob("*.json"))]
    pictures = [(json.dumps(one["scene"]).encode(), json.dumps(one["states"]).encode())
                for one in texts]
    assert pictures
    pieces = [*NONSENSE[:9], b"1e999", b"-", b"\\u", b'"\\ud83d\\ude00"', b'"\\ud83d"', b"{}",
              b"[]", b"1" * 500, b"[" * 70, b'{"a":' * 70, b"1e-400", b"-0", b"\x00", b'"tabs"',
              b'"tips"']

    def spoiled(text: bytes) -> bytes:
        for _ in range(chance.randint(1, 4)):
            at, to = sorted((chance.randint(0, len(text)), chance.randint(0, len(text))))
            to = min(to, at + chance.choice((1, 3, 40)))
            text = text[:at] + chance.choice((b"", text[at:to] * 2, *pieces)) + text[to:]
        return text[:chance.randint(0, len(text))] if chance.random() < 0.2 else text

    made = list(pictures)
    for _ in range(count):
        scene, states = chance.choice(pictures)
        made.append((spoiled(scene), states) if chance.random() < 0.5 else (scene, spoiled(states)))
    return made


def endless() -> tuple[bytes, bytes]:
    """Components that hold each other in views of one name: painted naively, 300⁸ of them."""
    held = [{"id": f"c{n}", "kind": "x", "frame": [0, 0, 9, 9]}
            | ({"parent": f"c{n - 1}", "slot": "v"} if n else {}) for n in range(9)]
    view = '"v":{"x":4,"y":4,"w":9,"h":9,"scale":1}'
    states = ",".join(f'"c{n}":{{"views":{{{",".join([view] * 300)}}}}}' for n in range(9))
    return json.dumps({"components": held}).encode(), f"{{{states}}}".encode()


def nameless() -> tuple[bytes, bytes]:
    """Tabs whose state lists its views, where each belongs under its name."""
    tabs = {"components": [{"id": "c", "kind": "tabs", "frame": [0, 0, 999, 999]}]}
    view = {"x": 150, "y": 150, "w": 300, "h": 300}
    return json.dumps(tabs).encode(), json.dumps({"c": {"views": [view]}}).encode()


def test_hostile_scenes_are_survived():
    seed = int(os.environ.get("FUZZ_SEED", "20"))
    texts = [*cases(seed, int(os.environ.get("FUZZ_EXAMPLES", "50")) * 6), endless(), nameless()]
    given = b"".join(struct.pack("=II", len(a), len(b)) + a + b for a, b in texts)
    done = subprocess.run(
        [compiled("nonsense", HERE / "nonsense.c")], input=given, capture_output=True, timeout=120)
    assert done.returncode == 0, f"seed {seed}: {done.stderr.decode()[-2000:]}"
    assert int(done.stdout.split()[0]) == len(texts)
