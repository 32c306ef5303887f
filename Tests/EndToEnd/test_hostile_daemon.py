"""Nothing that gesturectl or the daemon prints commands a terminal or forges a line."""

from __future__ import annotations

import json
import os
import pathlib
import re
import subprocess
import types
import unicodedata

import pytest
from client import DEADLINE, Daemon, binary
from false_daemon import CONTROLS, HOSTILE, FalseDaemon, refuse
from terminal import Terminal

STAMP = {"epoch": "e", "seq": 1, "t": 1}
STATE = {**STAMP, "phase": HOSTILE, HOSTILE: HOSTILE,
         "views": {HOSTILE: {"x": 100, "y": 100, "w": 200, "h": 200}}, "model": {HOSTILE: HOSTILE}}
TRANSITION = {**STAMP, "name": HOSTILE, "event": HOSTILE, "from": HOSTILE, "to": HOSTILE,
              "items": [HOSTILE], "boundary": HOSTILE, "curve": HOSTILE}
BADGE = {**STAMP, "total": 3, "counts": {HOSTILE: 3}}
REJECTED = {**STAMP, "code": HOSTILE, "message": HOSTILE, "excerpt": HOSTILE,
            "topic": f"gesture/a/{HOSTILE}"}
SESSION = {**STAMP, "event": HOSTILE, "scene": HOSTILE}
UPDATES = [
    (f"state/a/{HOSTILE}", STATE), (f"transition/a/{HOSTILE}", TRANSITION),
    ("badge/a", BADGE), ("rejected/a", REJECTED), ("session/a", SESSION),
    (f"state/{HOSTILE}", {**STATE, "epoch": HOSTILE}), (HOSTILE, SESSION)]
SCENE = {"viewport": [320, 568], "components": [{"id": HOSTILE}], HOSTILE: HOSTILE}
DOCUMENT = {"gestured-session": 1, "scene": SCENE, HOSTILE: [HOSTILE, {HOSTILE: None}]}
ENTRIES = [{"session": HOSTILE, "state": HOSTILE, "scene": HOSTILE, HOSTILE: HOSTILE}]
ANSWERS = {
    "hello": {"name": HOSTILE, HOSTILE: {HOSTILE: HOSTILE}, "limits": {HOSTILE: 1}},
    "sessions": {"sessions": [HOSTILE], "entries": ENTRIES},
    "open": {"created": True, "epoch": HOSTILE, HOSTILE: HOSTILE},
    "close": {HOSTILE: HOSTILE},
    "scenes": {"scenes": [HOSTILE, "phone"]},
    "scene": {"scene": {**SCENE, "scene": HOSTILE, "revision": 1}},
    "snapshot": {"scene": HOSTILE, "updates": [
        {"topic": topic, "body": body} for topic, body in UPDATES]},
    "export": {"document": DOCUMENT},
    "import": {"epoch": HOSTILE, HOSTILE: HOSTILE},
    "stats": {"stats": {HOSTILE: HOSTILE, f"limit_{HOSTILE}": HOSTILE, "events": 9}},
    "publish": {"duplicate": True, HOSTILE: HOSTILE},
}
PLACES = {name: [HOSTILE] for name in ("events", "updates", "control")}
MEMBER = {"name": HOSTILE, "daemon": HOSTILE, **PLACES, HOSTILE: HOSTILE}
ANSWERS |= {
    "locate": {"session": HOSTILE, "shard": 7, "version": 9, "owner": MEMBER},
    "members": {"cluster": HOSTILE, "version": 9, "members": [
        {**MEMBER, "state": HOSTILE, "weight": HOSTILE, "shards": -1}, HOSTILE]},
}
EVENT = {"t": 5, "topic": HOSTILE, "excerpt": HOSTILE, "from": HOSTILE, "code": HOSTILE,
         "message": HOSTILE}
PEER = {"socket": HOSTILE, "address": HOSTILE, "received": 5, "sent": None, "client": HOSTILE,
        "subscriptions": 1, "prefixes": [HOSTILE]}
ANSWERS |= {
    "tap": {"events": [EVENT, HOSTILE], "next": 2, "lost": 0},
    "peers": {"peers": [PEER, HOSTILE], "more": 1},
}
# An argument has no zero byte.
ARGUMENT = HOSTILE.replace("\0", "")
LINES = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in [
    {"gesture-recording": 1, "scene": "phone"},
    {"t": 0, "caption": HOSTILE},
    {"t": 0, "topic": "notification/a", "body": {"kind": HOSTILE, HOSTILE: HOSTILE}},
    {"t": 5, "topic": f"gesture/a/{HOSTILE}", "body": {"gesture": HOSTILE}},
    {"t": 9, "topic": "notification/a", "body": {"kind": "likes", "more": HOSTILE}}])


def is_shown(letter: str) -> bool:
    return letter == "\n" or unicodedata.category(letter) not in {
        "Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def expect_harmless(*outputs: bytes) -> None:
    for output in outputs:
        bad = {letter for letter in output.decode() if not is_shown(letter)}
        assert not bad, f"{bad!r} in {output!r}"


def run(
    *arguments: object, peer: FalseDaemon | None = None, stdin: bytes = b"", status: int = 0
) -> subprocess.CompletedProcess:
    done = subprocess.run(
        [str(binary().with_name("gesturectl")), *map(str, arguments)], capture_output=True,
        input=stdin, timeout=DEADLINE, env=os.environ | (peer.endpoints if peer else {}))
    assert done.returncode == status, done
    return done


def commands() -> set[str]:
    """The tool's own table of commands."""
    table = run("--help").stdout.decode().split("Commands:\n")[1].split("\n\n")[0]
    return {line.split()[0] for line in table.splitlines()}


# Arguments of each command, and what `--json` prints, line by line; None: it has no JSON.
UPDATE_LINES = [{"topic": topic, "body": body} for topic, body in UPDATES]
CASES: dict[str, list[tuple[list[str], list | None]]] = {
    "hello": [([], None), (["--json"], [{"ok": True, **ANSWERS["hello"]}])],
    "sessions": [([], None), (["--json"], ENTRIES)],
    "open": [([ARGUMENT], None), (["a", ARGUMENT], None),
             (["a", "--json"], [{"ok": True, **ANSWERS["open"]}])],
    "close": [([ARGUMENT], None)],
    "update": [(["a", ARGUMENT], None), (["--all-of", ARGUMENT], None)],
    "scenes": [([], None)],
    "snapshot": [(["a"], None), (["a", "--json"], UPDATE_LINES)],
    "export": [(["a"], [{"session": "a", "document": DOCUMENT}])],
    "import": [(["FILE"], None), (["FILE", "--json"], [{"ok": True, **ANSWERS["import"]}])],
    "stats": [(["--limits"], None), (["--json"], [{"ok": True, **ANSWERS["stats"]}])],
    "publish": [(["--ack", "notification/a", '{"kind":"likes"}'], None)],
    "watch": [(["state/", "badge/", "rejected/", "transition/", "session/", "--count", "13",
                "--for", "3"], None),
              (["--json", "badge/a", "--count", "2", "--for", "3"],
               [{"topic": "badge/a", "body": BADGE}]),
              (["--draw", "a", "--frames", "2", "--for", "3"], None)],
    "replay": [(["RECORDING", "--speed", "1000"], None)],
    "record": [(["-", "--bind", "tcp://127.0.0.1:*", "--for", "0"], None)],
    "simulate": [(["RECORDING"], None)],
    "render": [(["RECORDING", "--at", "0", "--captions", "-o", "PICTURE"], None)],
    "plot": [(["RECORDING", "--field", "tabs.bar.x", "-o", "PICTURE"], None)],
    "convert": [(["RECORDING"], [json.loads(line) for line in LINES.split("\n")[:-1]])],
    "completion": [(["bash"], None)],
    "keygen": [(["KEY", "--folder", "FOLDER"], None)],
    "members": [([], None), (["--json"], [{"ok": True, **ANSWERS["members"]}])],
    "locate": [(["a"], None), (["a", "--json"], [{"ok": True, **ANSWERS["locate"]}])],
    "check": [([], None)],
    "top": [(["-n", "1"], None)],
    "tap": [(["-n", "1", "--for", "3"], None)],
    "peers": [([], None), (["--json"], [{"ok": True, **ANSWERS["peers"]}])],
    "bench": [(["--for", "1"], None)],
    "schema": [(["event-gesture"], None)],
    "bridge": [(["tuio", "--session", ARGUMENT], None)],
    "store": [(["copy", ARGUMENT, "postgresql:///a"], None)],
}
# The peer moves nothing, the bridge's argument is no name, and the store's no file.
STATUS = {"bench": 1, "bridge": 2, "store": 2}


def ascii_words(words: list[str]) -> str:
    return "-".join("ARGUMENT" if ARGUMENT in word else word for word in words)


def test_every_command_is_tried():
    assert commands() == set(CASES)


@pytest.mark.parametrize("command, arguments, wanted", [
    (command, *case) for command, cases in CASES.items() for case in cases],
    ids=lambda value: None if not isinstance(value, str) else value)
def test_nothing_that_a_daemon_says_commands_a_terminal(
    tmp_path: pathlib.Path, command: str, arguments: list[str], wanted: list | None
):
    file, recording = tmp_path / "exported.json", tmp_path / "recording.jsonl"
    file.write_text(json.dumps({"session": HOSTILE, "document": DOCUMENT}))
    recording.write_text(LINES)
    places = {
        "FILE": file, "RECORDING": recording, "PICTURE": tmp_path / "picture.png",
        "FOLDER": tmp_path}
    answers = {name: lambda _, reply=reply: reply for name, reply in ANSWERS.items()}
    with FalseDaemon(answers, UPDATES) as peer:
        done = run(
            command, *[places.get(word, word) for word in arguments], peer=peer,
            status=STATUS.get(command, 0))
    if command == "completion":
        # A shell's script has tabs.
        done.stdout = done.stdout.replace(b"\t", b"")
    expect_harmless(done.stdout, done.stderr)
    if wanted is None:
        return
    printed = [json.loads(line) for line in done.stdout.split(b"\n")[:-1]]
    for line in printed:
        line.pop("id", None)
    if command == "watch":
        printed = printed[:1]
    assert printed == wanted


def numbered(node: object, number: float) -> object:
    """The same with another number in place of each."""
    if isinstance(node, dict):
        return {name: numbered(value, number) for name, value in node.items()}
    if isinstance(node, list):
        return [numbered(value, number) for value in node]
    is_number = isinstance(node, (int, float)) and not isinstance(node, bool)
    return number if is_number else node


STATS = dict.fromkeys([
    "uptime_ms", "sessions", "sessions_moving", "lanes", "events", "events_pending", "frames",
    "latency_us_p50", "latency_us_p99", "store_commits_failed"], 1)


@pytest.mark.parametrize("number", [2**63 - 1, -2**63, 2**64, 1e300, -1e300])
@pytest.mark.parametrize("words", [
    ["top", "-n", "2", "-d", "0.1"], ["stats"], ["peers"], ["tap", "-n", "1", "--for", "3"],
    ["sessions"], ["check"], ["replay", "RECORDING", "--speed", "1000"],
    ["watch", "state/", "--count", "2", "--for", "1"]], ids=lambda words: words[0])
def test_no_number_of_a_daemon_ends_a_command_badly(
    tmp_path: pathlib.Path, words: list[str], number: float
):
    recording = tmp_path / "recording.jsonl"
    recording.write_text(LINES)
    replies = {**ANSWERS, "stats": {"stats": STATS}}
    answers = {name: lambda _, reply=numbered(reply, number): reply
               for name, reply in replies.items()}
    # Two that are as far apart as they can be.
    updates = [("state/a/tabs", {**STATE, "seq": seq}) for seq in (number, 2**63 - 1)]
    with FalseDaemon(answers, updates) as peer:
        done = subprocess.run(
            [str(binary().with_name("gesturectl")),
             *(str(recording) if word == "RECORDING" else word for word in words)],
            capture_output=True, stdin=subprocess.DEVNULL, timeout=DEADLINE,
            env=os.environ | peer.endpoints)
    assert done.returncode in (0, 1, 2, 3), done


@pytest.mark.parametrize("arguments", [
    ["hello"], ["sessions"], ["open", ARGUMENT], ["close", ARGUMENT], ["scenes"],
    ["snapshot", "a"], ["export", "a"], ["stats"], ["members"], ["locate", "a"],
    ["publish", "--ack", "notification/a", '{"kind":"likes"}'],
    ["watch", "--draw", "--frames", "1"], ["watch", ""]], ids=lambda words: words[0])
def test_a_refusal_commands_no_terminal(arguments: list[str]):
    with FalseDaemon({name: refuse for name in ANSWERS}) as peer:
        done = run(*arguments, peer=peer, status=1)
    expect_harmless(done.stdout, done.stderr)
    assert b"\\u{9b}2J" in done.stderr and done.stderr.count(b"\n") == 1, done


@pytest.mark.parametrize("arguments", [
    [ARGUMENT], [f"--{ARGUMENT}"], ["hello", ARGUMENT], ["hello", "--control", ARGUMENT],
    ["hello", "--instance", ARGUMENT], ["watch", ARGUMENT], ["watch", "--count", ARGUMENT],
    ["watch", "--size", ARGUMENT, "--draw"], ["replay", ARGUMENT], ["simulate", ARGUMENT],
    ["render", ARGUMENT, "-o", "x.png"], ["render", "x", "-o", ARGUMENT],
    ["plot", "x", "-o", "x.svg", "--field", ARGUMENT],
    ["convert", ARGUMENT], ["import", ARGUMENT], ["open", "a", f"{ARGUMENT}.toml"],
    ["completion", ARGUMENT], ["replay", "x", "--session", ARGUMENT],
    ["simulate", "x", "--scenes", ARGUMENT]], ids=ascii_words)
def test_what_a_person_pasted_commands_no_terminal(arguments: list[str]):
    done = run(*arguments, status=2)
    expect_harmless(done.stdout, done.stderr)
    # Bytes that are no text, too.
    done = subprocess.run(
        [os.fsencode(binary().with_name("gesturectl")),
         *[os.fsencode(word).replace(ARGUMENT.encode(), b"\x9b\xff\xc2") for word in arguments]],
        capture_output=True, stdin=subprocess.DEVNULL, timeout=DEADLINE)
    assert done.returncode == 2, done
    expect_harmless(done.stdout, done.stderr)


def test_a_completion_offers_names_alone():
    """Words of a completion reach the command line, where a shell would run them."""
    answers = {
        "sessions": lambda _: {"sessions": ["good", "$(reboot)", "a b", HOSTILE]},
        "scenes": lambda _: {"scenes": ["phone", "`reboot`", HOSTILE]}}
    with FalseDaemon(answers) as peer:
        endpoint = peer.endpoints["GESTURED_CONTROL"]
        words = ["complete", "gesturectl", "--control", endpoint]
        assert run(*words, "close", "", peer=peer).stdout == b"good\t\n"
        offered = run(*words, "open", "x", "", peer=peer).stdout
    assert b"phone\t\n" in offered and b"reboot" not in offered


def test_drawing_obeys_nobody_else():
    """The screen understands only what drawing needs; see `Terminal`."""
    # The reader of the screen knows no characters beyond the first plane.
    words = HOSTILE.translate({ord("🚀"): None, 0xE0001: None})
    view = {"x": 160, "y": 280, "w": 300, "h": 500}
    state = {"component": words, "phase": words, "model": {}, "views": {words: view}}
    # It stands in itself, and holds itself twice.
    part = {"id": words, "kind": words, "frame": [0, 0, 320, 568], "clip": True,
            "parameters": {words: words}, "content": {"text": words, "color": words}}
    whole = [{**part, "parent": None, "slot": None},
             *[{**part, "parent": words, "slot": words}] * 2]
    answers = {name: lambda _, reply=reply: reply for name, reply in ANSWERS.items()} | {
        "snapshot": lambda _: {"updates": [
            {"topic": "scene/a", "body": {
                **STAMP, "viewport": [320, 568], "content": {}, "components": whole}},
            {"topic": "frame/a", "body": {**STAMP, "states": [state], "badge": BADGE}}]}}
    with FalseDaemon(answers) as peer:
        drawn = types.SimpleNamespace(**{
            name: peer.endpoints[f"GESTURED_{name.upper()}"]
            for name in ("events", "updates", "control")})
        with Terminal(drawn, "watch", "--draw", "a", columns=120, rows=30) as terminal:
            terminal.until(lambda: "badge 3" in terminal.text, "picture")
            assert "\\u{1b}]0;x" in terminal.text
            terminal.end(2)


# None is in its place: negative, huge, tiny, and beyond the wholes of a Double and of 64 bits.
NUMBERS = [-1, 1e30, -1e30, 1e-30, 1e308, 9007199254740993, 2**63 - 1, -2**63, 2**64 - 1]
# The views from which looks take a number, of each kind.
VIEWS = {
    "tips": ["tip"], "list": ["row--1", f"row-{2**63 - 1}", f"row-{2**64}", "row-3", "menu"],
    "reader": ["page", "incoming", "header", "footer_arrow"], "navigation": ["dashboard"],
    "profile": ["content", "avatar", "header"], "tabs": ["bar", "item-a", "bubble", "glow"],
    "dynamics": ["a"], "toss": ["item", "touch", "anchor"], "unknown": ["a"]}


def hostile_scene(number: float, viewport: list[float]) -> tuple[dict, dict]:
    """A scene with a component of each kind, and a frame; both have the number everywhere."""
    keys = ["index", "count", "page", "incoming", "row", "selected", "offset", "header"]
    model = {**dict.fromkeys(keys, number), "bubble": {"counts": {"likes": number}}}
    content = {"corner_radius": number, "font_size": number, "text": "x",
               "gradient": {"height": number, "color": "red"},
               "background": f"rgb({number} {number} {number})"}
    edge = {"from": [number, 0], "to": [0, number]}
    parameters = {"avatar": [number] * 4, "menu": [{"id": "a"}], "behaviors": [
        {"boundaries": [edge]},
        {"kind": "attachment", "item": "a", "offset": [number, number], "anchor": [0, number]}]}
    components = [
        {"id": kind, "kind": kind, "parent": None, "slot": None, "clip": False,
         "frame": [0, 0, 320, 568], "parameters": parameters, "content": content}
        for kind in VIEWS]
    # It stands in a view of every other one, too, and there by the number.
    components += [{**components[0], "id": f"in-{kind}", "parent": kind, "slot": names[0],
                    "frame": [number] * 4, "clip": True} for kind, names in VIEWS.items()]
    good = {"x": 160, "y": 280, "w": 300, "h": 500}
    bad = {**dict.fromkeys(["x", "y", "w", "h", "rotation", "scale"], number), "z": number}
    states = [{"component": kind, "phase": "p", "model": model, "views": {
        **{name: good for name in names}, f"{names[0]}-": {**good, **bad}, "b": bad}}
        for kind, names in VIEWS.items()]
    states += [{**states[0], "component": f"in-{kind}"} for kind in VIEWS]
    return ({**STAMP, "viewport": viewport, "content": {}, "components": components},
            {**STAMP, "states": states, "badge": {"total": number, "counts": {"likes": number}}})


@pytest.mark.parametrize("number, viewport", [
    *[(number, sides) for number in NUMBERS for sides in ([320, 568], [100000, 1])],
    *[(160, sides) for sides in ([1e30, 1], [1, 1e30], [1e-30, 1], [1e308, 1e-308], [-1, -1])]],
    ids=str)
def test_no_number_ends_the_drawing(number: float, viewport: list[float]):
    scene, frame = hostile_scene(number, viewport)
    # The second frame of the text shows that drawing goes on.
    answers = ANSWERS | {"snapshot": {"updates": [
        {"topic": "scene/a", "body": scene}, {"topic": "frame/a", "body": frame}]}}
    named = {name: lambda _, reply=reply: reply for name, reply in answers.items()}
    heartbeat = [("frame/a", {**frame, "seq": 2, "states": []})]
    with FalseDaemon(named, heartbeat) as peer:
        done = run("watch", "--draw", "a", "--frames", "1", "--for", "5", peer=peer)
    lines = done.stdout.decode().splitlines()
    assert done.stderr == b"" and lines[-2].startswith("a"), done
    expect_harmless(done.stdout, done.stderr)


@pytest.mark.parametrize("text", ["text", "value"])
def test_the_daemon_itself_prints_no_controls(tmp_path: pathlib.Path, text: str):
    """Usage errors, a bad configuration, and its log on standard error."""
    name = tmp_path / ("x" + "".join(CONTROLS[1:40]).replace("/", "") + ".toml")
    name.write_text(f'events = ["tcp://{json.dumps(ARGUMENT)[1:-1]}:1"]\n' if text == "text"
                    else f"{json.dumps(ARGUMENT)} = 3\n")
    for arguments in ([ARGUMENT], ["--config", str(name), "--check"], ["--config", str(name)],
                      ["--config", str(tmp_path / ARGUMENT[:40].replace("/", ""))],
                      ["--config", str(name), "--state-dir", ARGUMENT]):
        done = subprocess.run(
            [str(binary()), *arguments], capture_output=True, stdin=subprocess.DEVNULL,
            timeout=DEADLINE, cwd=tmp_path)
        assert done.returncode == 2, done
        expect_harmless(done.stdout, done.stderr)


def test_a_scene_with_a_hostile_name_is_listed_harmlessly(tmp_path: pathlib.Path):
    scenes = tmp_path / "scenes"
    scenes.mkdir()
    own = (pathlib.Path(__file__).parents[2] / "config" / "scenes" / "phone.toml").read_text()
    (scenes / f"{ARGUMENT[:60].replace('/', '')}.toml").write_text(own)
    config = tmp_path / "gestured.toml"
    config.write_text(f'scenes = "{scenes}"\n')
    done = subprocess.run(
        [str(binary()), "--config", str(config), "--check"], capture_output=True,
        stdin=subprocess.DEVNULL, timeout=DEADLINE)
    expect_harmless(done.stdout, done.stderr)


def test_the_daemons_log_shows_what_peers_send_by_number(daemon: Daemon, session: str):
    publisher = daemon.publisher()
    for _ in range(3):
        publisher.raw(f"gesture/{session}/{HOSTILE}".encode(), HOSTILE.encode())
    daemon.requests().refused("open", session=HOSTILE, scene=HOSTILE)
    expect_harmless((daemon.folder / "stderr").read_bytes())
    assert re.fullmatch(r"[\w.~-]+", daemon.epoch)
