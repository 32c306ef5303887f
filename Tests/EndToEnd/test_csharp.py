"""The C# client of Examples/csharp, compiled by Debian's mono, before the real daemon."""

from __future__ import annotations

import json
import pathlib
import random
import select
import shutil
import signal
import subprocess
import time

import pytest
from browser import Gateway
from client import DEADLINE, REPOSITORY, Control, Daemon
from forest import Planter
from hypothesis import given
from hypothesis import strategies as some
from lines import Lines
from reliability import wait_for
from renderer import Picture
from scenes import WORDED, scene, still, toss
from tool import staying_daemon
from webpage import OWN, difference, expect_same

EXAMPLES = REPOSITORY / "Examples" / "csharp"
CLIENT = sorted((EXAMPLES / "Gestured").glob("*.cs"))
STUBS = pathlib.Path(__file__).parent / "csharp"


def compiled(folder: pathlib.Path, name: str, *sources: pathlib.Path, target: str = "exe"):
    """Compiles by the strictness of the house; a warning is an error."""
    for tool in ("mcs", "mono"):
        if shutil.which(tool) is None:
            pytest.skip(f"there is no {tool}: apt-get install mono-mcs mono-runtime")
    made = folder / name
    result = subprocess.run(
        ["mcs", "-langversion:7.2", "-warnaserror", f"-target:{target}", f"-out:{made}",
         *CLIENT, *sources], capture_output=True, text=True, timeout=DEADLINE)
    assert result.returncode == 0, result.stdout + result.stderr
    return made


class Driver(Lines):
    """The client in a program that does what lines on its standard input say."""

    def __init__(self, program: pathlib.Path, url: str):
        super().__init__(["mono", program, url])
        self.status = -signal.SIGKILL

    def __exit__(self, kind: object, *how: object) -> None:
        """Its last word says that the client is closed; then it kills itself."""
        if kind is None:
            self.process.stdin.close()
            assert self.answer(0) == {"closed": True}
        super().__exit__(kind, *how)

    def picture(self) -> tuple[Picture, dict]:
        shown = self.do("shown")
        states = {name: {key: value for key, value in state.items() if key not in OWN}
                  for name, state in shown["states"].items()}
        plain = shown["scene"] and {
            key: value for key, value in shown["scene"].items()
            if key not in ("epoch", "seq", "t")}
        return Picture(plain, states, shown["badge"]), shown

    def agrees(self, control: Control, name: str) -> dict:
        """Waits until it shows what a snapshot does, and compares the layers with the renderer."""
        end, different = time.monotonic() + DEADLINE, ""
        while time.monotonic() < end:
            here, shown = self.picture()
            there = Picture()
            for topic, body in control.snapshot(name).items():
                if topic.startswith(("scene/", "frame/")):
                    there.take(topic, body)
            different = "no scene" if here.scene is None else difference(here, there)
            if not different:
                expect_same(shown["layers"], here)
                return shown
            time.sleep(0.02)
        raise AssertionError(f"it never agrees: {different}")


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    return compiled(tmp_path_factory.mktemp("csharp"), "Driver.exe", STUBS / "Driver.cs")


@pytest.fixture(scope="module")
def daemon():
    with staying_daemon() as daemon:
        yield daemon


@pytest.fixture(scope="module")
def gateway(daemon: Daemon):
    with Gateway(daemon) as gateway:
        yield gateway


@pytest.fixture(scope="module")
def url(gateway: Gateway) -> str:
    return gateway.url.replace("http", "ws")


@pytest.fixture
def driver(program: pathlib.Path, url: str):
    with Driver(program, url) as driver:
        yield driver


# Stubs of the engines' types stand for the engines: this checks words and types, and runs nothing.
@pytest.mark.parametrize("engine", ["Unity", "Godot"])
def test_the_component_for_an_engine_compiles(tmp_path: pathlib.Path, engine: str):
    compiled(tmp_path, f"{engine}.dll", *(EXAMPLES / engine).glob("*.cs"),
             STUBS / f"{engine}.cs", target="library")


def test_the_example_throws_a_view(tmp_path: pathlib.Path, url: str, session: str):
    made = compiled(tmp_path, "Toss.exe", EXAMPLES / "Toss.cs")
    said = subprocess.run(
        ["mono", made, url, session], capture_output=True, text=True, timeout=DEADLINE)
    assert said.returncode == 0, said
    words = [line.split(" at ")[0] for line in said.stdout.splitlines()]
    assert {"toss began", "thrown", "toss ended", "return began"} < set(words), words
    assert words[-1] == "return ended"


def test_trees_of_components_are_drawn_as_the_document_says(
    driver: Driver, program: pathlib.Path, url: str, daemon: Daemon
):
    control, rng, compared = daemon.requests(), random.Random(3), 0
    for number in range(10):
        name, tree = f"tree{number}", Planter(rng).plant(rng.randint(4, 14))
        control.open(name, tree.scene)
        for topic, body in tree.events:
            control.publish(topic % name, body)
        driver.do("watch", session=name)
        # Some of them move for an hour, so that no two pictures are the same.
        wait_for(lambda: driver.do("shown")["joined"], "it has joined")
        here, shown = driver.picture()
        compared += expect_same(shown["layers"], here)
    assert compared > 100
    control.open("phone", "phone")
    control.notify("phone", "likes", add=2)
    driver.do("watch", session="phone")
    shown = driver.agrees(control, "phone")
    assert shown["badge"]["counts"] == {"likes": 2} and shown["unread"] == 0


def nested(layers: list[dict]):
    for layer in layers:
        yield layer
        yield from nested(layer["children"])


def test_titles_and_texts_are_those_that_the_states_tell(
    driver: Driver, daemon: Daemon, session: str
):
    control = daemon.requests()
    control.open(session, WORDED)
    driver.do("watch", session=session)

    def said() -> dict:
        """The texts of all views, and the titles of screens, by the layers' keys."""
        layers = nested(driver.do("shown")["layers"])
        return {layer["key"]: layer["titles"] or layer["content"].get("text") for layer in layers}

    def says(texts: dict) -> None:
        wait_for(lambda: texts.items() <= said().items(), f"{texts} show")

    says({
        "navigation/home": {"name": "home", "title": "Today", "back_title": None},
        "reader/page": "Tides", "reader/footer": "Looms", "points/label": "3 left"})
    control.command(session, "navigation", "present", screen="mail", transition="in-via-scale")
    control.publish(f"command/{session}", {
        "command": "assign", "values": {"language": "de", "unread": 4}})
    control.command(session, "reader", "next")
    says({
        "navigation/mail": {"name": "mail", "title": "Post (4)", "back_title": "Heute"},
        "reader/page": "Webstühle", "reader/header": "Gezeiten", "points/label": "4 übrig"})


def test_a_session_is_joined_and_told_once(driver: Driver, daemon: Daemon, session: str):
    daemon.requests().open(session, still())
    driver.do("watch", session=session)
    wait_for(lambda: driver.do("shown")["joined"], "it has joined")
    # A heartbeat comes each second.
    time.sleep(2.5)
    heard = driver.do("shown")["heard"]
    assert sorted(heard) == ["frame", "joined", "scene", "session"], heard


def test_what_the_bridge_refuses_is_told(driver: Driver, session: str):
    driver.do("listen")
    driver.do("watch", session=session)
    wait_for(lambda: driver.do("shown")["open"], "it is connected")
    driver.do("send", topic="nonsense", body={})
    wait_for(lambda: driver.do("shown")["failed"] == ["bad-topic"], "it is told")
    # A prefix is asked for again, and told once.
    driver.do("subscribe", prefix="x" * 300)
    time.sleep(1)
    shown = driver.do("shown")
    assert shown["failed"] == ["bad-topic", "too-large"] and shown["unread"] == 0


def test_what_the_bridge_refuses_is_printed_where_nobody_listens(
    program: pathlib.Path, url: str,
):
    asked = {"id": 1, "do": "send", "topic": "nonsense", "body": {}}
    with subprocess.Popen(["mono", program, url], stdin=subprocess.PIPE, text=True,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as client:
        end, line = time.monotonic() + DEADLINE, ""
        while not line and time.monotonic() < end:
            client.stdin.write(json.dumps(asked) + "\n")
            client.stdin.flush()
            if select.select([client.stderr], [], [], 0.3)[0]:
                line = client.stderr.readline()
        client.kill()
    assert line.startswith("gesture-web refused a message: bad-topic: a topic is "), line


def test_a_contact_is_taken_and_repeated_while_it_rests(
    driver: Driver, daemon: Daemon, session: str
):
    control = daemon.requests()
    control.open(session, scene(toss()))
    updates = daemon.subscriber(f"state/{session}/toss")
    driver.do("watch", session=session)
    wait_for(lambda: driver.do("shown")["joined"], "it has joined")
    driver.do("touch", pointer=1, phase="changed", x=0, y=0)
    for phase, x in (("began", 160), ("changed", 200)):
        driver.do("touch", pointer=1, phase=phase, x=x, y=223)
    updates.find(f"state/{session}/toss", phase="dragging")
    # The daemon cancels a contact that is silent for 3 s.
    held = updates.during(3.2)
    assert not [one for one in held if one.body["phase"] != "dragging"]
    assert driver.agrees(control, session)["states"]["toss"]["phase"] == "dragging"
    driver.do("touch", pointer=1, phase="cancelled", x=200, y=223)
    updates.find(f"state/{session}/toss", phase="resting")
    assert "rejected" not in driver.do("shown")["heard"]


def test_it_finds_everything_again_and_counts_each_event_once(
    driver: Driver, gateway: Gateway, daemon: Daemon, session: str
):
    daemon.requests().open(session, still())
    driver.do("watch", session=session)
    driver.agrees(daemon.requests(), session)
    topic, body = f"notification/{session}", {"kind": "likes"}
    gateway.stop()
    wait_for(lambda: "code" in driver.do("request", op="time", fields={}), "nobody answers")
    numbers = [driver.tell("publish", topic=topic, body=body) for _ in range(5)]
    gateway.start()
    assert all(driver.answer(number)["ok"] for number in numbers)
    daemon.stop(signal.SIGKILL)
    numbers = [driver.tell("publish", topic=topic, body=body) for _ in range(5)]
    daemon.restart()
    assert all(driver.answer(number)["ok"] for number in numbers)
    shown = driver.agrees(daemon.requests(), session)
    assert shown["badge"]["counts"] == {"likes": 10}
    assert shown["epoch"].startswith(daemon.epoch)
    assert driver.do("request", op="nonsense", fields={}) == {"code": "unknown-op"}
    refused = driver.do("publish", topic=f"gesture/{session}/nobody", body={"gesture": "tap"})
    assert refused["code"] in ("unknown-component", "missing-field")


# Mono reads subnormal numbers to fewer digits.
NUMBERS = some.floats(allow_nan=False, allow_infinity=False, allow_subnormal=False)
VALUES = some.recursive(
    some.none() | some.booleans() | some.text() | NUMBERS | some.integers(-2**53, 2**53),
    lambda inner: some.lists(inner) | some.dictionaries(some.text(), inner), max_leaves=20)


def test_json_is_read_and_written_as_by_others(driver: Driver):
    @given(VALUES, some.booleans())
    def survives(value: object, is_ascii: bool):
        text = json.dumps(value, ensure_ascii=is_ascii)
        assert driver.do("json", text=text)["read"] == value

    survives()
    for wrong in ("", "{", "[1,]", '{"a"}', '"', '"\\u12', '"\\x"', "tru", "1 2", "--1", "[" * 100):
        assert driver.do("json", text=wrong)["read"].startswith("not JSON at character"), wrong
