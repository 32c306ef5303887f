"""The page's editor and its tape: scenes applied while they are written, hands recorded."""

from __future__ import annotations

import json
import pathlib
import subprocess
import time

import pytest
from client import DEADLINE, REPOSITORY, Control, Daemon, binary
from page import Browser, Page


TOSS = {"viewport": [320, 568], "components": [
    {"id": "toss", "kind": "toss", "content": {"text": "Throw", "background": "#5856d6"}},
    {"id": "rows", "kind": "list", "frame": [0, 320, 320, 200], "rows": 4}]}


def edit(browser: Browser, control: Control, session: str) -> None:
    control.open(session, TOSS)
    browser.open(f"/?session={session}")
    browser.run("document.querySelector('#tab-edit').click()")
    browser.wait("return document.querySelector('#scene-text').value.includes('\"toss\"')")


def write(browser: Browser, old: str, new: str) -> int:
    """Replaces a part of the text, as typing does; gives the line where it stands."""
    return browser.run(
        "const text = document.querySelector('#scene-text');"
        "const at = text.value.indexOf(arguments[0]);"
        "if (at < 0) throw new Error(`no ${arguments[0]} in ${text.value}`);"
        "text.focus(); text.setSelectionRange(at, at + arguments[0].length);"
        "document.execCommand('insertText', false, arguments[1]);"
        "return text.value.slice(0, at).split('\\n').length", old, new)


def fault(browser: Browser, *parts: str) -> str:
    return browser.wait(
        "const text = document.querySelector('#scene-fault').textContent;"
        "return arguments.length && [...arguments[0]].every((part) => text.includes(part)) && text",
        list(parts))


def wrong_line(browser: Browser) -> int:
    return browser.wait(
        "return [...document.querySelectorAll('.numbers li')]"
        ".findIndex((one) => one.classList.contains('is-wrong')) + 1")


def revision(control: Control, session: str) -> int:
    return control.snapshot(session)[f"scene/{session}"]["revision"]


def test_what_is_written_is_applied_while_the_session_runs(
    browser: Browser, control: Control, session: str,
) -> None:
    edit(browser, control, session)
    write(browser, "#5856d6", "#00a86b")
    fault(browser, "Applied")
    assert revision(control, session) == 2
    face = "return getComputedStyle(document.querySelector('.plate [data-view=\"item\"] > .face'))"
    browser.wait(f"{face}.backgroundColor === 'rgb(0, 168, 107)'")
    write(browser, '"rows": 4', '"rows": 6')
    browser.wait("return gestured.stage.scene.components[1].parameters.rows === 6")


@pytest.mark.parametrize("old, new, part", [
    ('"kind": "list"', '"kind": "lost"', "unknown kind"),
    ('"rows": 4', '"rows": -4', "whole number"),
    ('"rows": 4', '"rows": 4, "rowz": 4', "unknown key"),
    ('[0, 320, 320, 200]', '[0, 320, 320]', "frame"),
])
def test_an_error_stands_at_its_line_and_changes_nothing(
    browser: Browser, control: Control, session: str, old: str, new: str, part: str,
) -> None:
    edit(browser, control, session)
    line = write(browser, old, new)
    text = fault(browser, "component rows", part)
    assert text.startswith(f"Line {line}: ") and wrong_line(browser) == line
    browser.shot("editor-error")
    assert revision(control, session) == 1
    write(browser, new, old)
    browser.wait("return !document.querySelector('.numbers .is-wrong')")
    assert revision(control, session) == 1


@pytest.mark.parametrize("old, new, part", [
    ('"rows": 4', '"rows": ', "value"),
    ('"rows": 4', '"rows" 4', "colon"),
    ('"kind": "list"', '"kind": "list" "x"', "comma"),
    ('"rows": 4', '"id": "b", "rows": 4', "twice"),
])
def test_text_that_is_no_json_is_told_by_line_and_column(
    browser: Browser, control: Control, session: str, old: str, new: str, part: str,
) -> None:
    edit(browser, control, session)
    write(browser, old, new)
    text = fault(browser, "Line ", "column ", part)
    assert wrong_line(browser) == int(text.split()[1].rstrip(","))
    assert revision(control, session) == 1


def test_a_long_text_is_read_at_once_and_its_lines_are_right(
    browser: Browser, session: str,
) -> None:
    browser.open(f"/?session={session}")
    lines = 40_000
    milliseconds, line, mistake = browser.run(
        "return import('/page/desk/json.js').then(({read}) => {"
        " const parts = Array.from({length: arguments[0]}, (_, n) => `  \"key${n}\": ${n}`);"
        " const text = `{\n${parts.join(`,\n`)}\n}`, start = performance.now();"
        " const found = read(text), time = performance.now() - start;"
        " let mistake; try { read(`${text.slice(0, -2)},\n  x}`); } catch (error) {"
        "  mistake = [error.line, error.column]; }"
        " return [time, found.line(['key39000']), mistake]; })", lines)
    assert line == 39_002 and mistake == [lines + 2, 3]
    # Some tens are usual; with time that grows by the square it took minutes.
    assert milliseconds < 2_000


def gesturectl(daemon: Daemon, *arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [str(binary().with_name("gesturectl")), "--events", daemon.events,
         "--updates", daemon.updates, "--control", daemon.control, *arguments],
        capture_output=True, text=True, timeout=DEADLINE)


def test_a_hand_is_recorded_downloaded_and_replayed(
    browser: Browser, daemon: Daemon, control: Control, session: str, tmp_path: pathlib.Path,
) -> None:
    control.open(session, TOSS)
    browser.devtools("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
    browser.open(f"/?session={session}")
    browser.run("document.querySelector('#tab-record').click()")
    browser.run("document.querySelector('#record').click()")
    browser.wait("return document.querySelector('#record').ariaPressed === 'true'")
    browser.throw("toss", "item")
    browser.phase("toss", "resting")
    browser.run("document.querySelector('#record').click()")
    browser.run("document.querySelector('[data-download]').click()")
    file = tmp_path / f"{session}-1.jsonl"
    end = time.monotonic() + DEADLINE
    while not file.is_file():
        assert time.monotonic() < end, f"no download: {list(tmp_path.iterdir())}"
        time.sleep(0.02)
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    assert lines[0]["gesture-recording"] == 1
    assert {one["id"] for one in lines[0]["scene"]["components"]} == {"toss", "rows"}
    phases = [line["body"]["phase"] for line in lines[1:]]
    assert phases[0] == "began" and phases[-1] == "ended" and "changed" in phases
    # The same hand, by the tool: exactly, and in another session of the daemon.
    simulated = gesturectl(daemon, "simulate", str(file)).stdout
    assert '"name":"toss","event":"began"' in simulated
    seen = daemon.subscriber(f"transition/{session}-again/")
    played = gesturectl(daemon, "replay", str(file), "--session", f"{session}-again")
    assert played.returncode == 0 and "refused" not in played.stderr, played.stderr
    seen.find(f"transition/{session}-again/toss", name="return", event="ended")
    # And dropped onto the page: it plays in a session of its own.
    drop(browser, file.read_text("utf-8"))
    browser.wait("return gestured.stage.session.name.startsWith('page-replay-')")
    browser.phase("toss", "dragging", "thrown", "returning")


def drop(browser: Browser, text: str) -> None:
    browser.run(
        "const data = new DataTransfer();"
        "data.items.add(new File([arguments[0]], 'dropped.jsonl'));"
        "for (const type of ['dragover', 'drop']) document.body.dispatchEvent("
        "new DragEvent(type, {dataTransfer: data, bubbles: true, cancelable: true}))", text)


@pytest.mark.parametrize("text, part", [
    ("", "header"), ("{}", "header"), ('{"gesture-recording":1}\n{"t":1}', "line 2"),
    ('{"gesture-recording":1}\nnonsense', "line 2"),
    ('{"gesture-recording":1}\n{"t":5,"caption":"a"}\n{"t":4,"caption":"b"}', "line 3"),
    ('{"gesture-recording":1}\n{"t":1,"topic":"gesture/a"}', "line 2"),
    ('{"gesture-recording":1}\n{"t":1,"topic":"gesture/a","body":null}', "line 2"),
    ('{"gesture-recording":1}\n{"t":1,"topic":"gesture/a","body":[],"caption":7}', "line 2"),
    ("\n".join(['{"gesture-recording":1}', *(json.dumps(
        {"t": n, "topic": f"gesture/many{n}", "body": {}}) for n in range(17))]), "17 sessions"),
])
def test_what_is_no_recording_is_told_with_its_line(
    browser: Browser, session: str, text: str, part: str,
) -> None:
    browser.open(f"/?session={session}")
    drop(browser, text)
    browser.wait("return document.querySelector('#caption').textContent.includes(arguments[0])",
                 part)
    assert browser.run("return gestured.stage.session.name") == session


def test_a_session_that_is_gone_is_not_recorded(
    browser: Browser, control: Control, session: str,
) -> None:
    browser.open(f"/?session={session}")
    browser.run("document.querySelector('#tab-record').click()")
    control.ok("close", session=session)
    browser.wait("return gestured.stage.scene === null")
    browser.run("document.querySelector('#record').click()")
    browser.wait("return document.querySelector('.tape-count').textContent.startsWith("
                 "'Nothing is written down: ')")
    assert browser.run("return document.querySelector('#record').ariaPressed") is None


def test_a_kind_of_another_version_has_no_commands(browser: Browser, session: str) -> None:
    browser.open(f"/?session={session}")
    assert browser.run(
        "return import('/page/desk/machines.js').then(({Machines}) => {"
        " const session = Object.assign(new EventTarget(), {"
        "  scene: {components: ['orbit', 'toss'].map((kind) => ({id: kind, kind, parent: null}))},"
        "  states: new Map([['orbit', {phase: 'far'}], ['toss', {phase: 'resting'}]])});"
        " const machines = new Machines(gestured.client, gestured.stage);"
        " machines.follow(session);"
        " return [...machines.body.rows].map((row) => [...row.cells].map("
        "  (cell) => cell.textContent)); })") == [
            ["orbit", "far", ""], ["toss", "resting", "Reset"]]


def replayed(control: Control) -> set[str]:
    return {name for name in control.sessions() if name.startswith("page-replay-")}


def wait_replayed(control: Control, count: int) -> set[str]:
    end = time.monotonic() + DEADLINE
    while len(names := replayed(control)) != count:
        assert time.monotonic() < end, names
        time.sleep(0.05)
    return names


def test_the_sessions_of_replays_are_told_apart_and_closed(
    page: Page, control: Control, session: str,
) -> None:
    header = json.dumps({"gesture-recording": 1, "scene": TOSS})
    # Two hands at once, in sessions whose long names differ at their ends only.
    events = [json.dumps({"t": number * 50, "topic": f"gesture/{'a' * 55}{number % 2}",
                          "body": {"gesture": "pointer", "phase": "changed", "pointer": 1,
                                   "x": 10, "y": 10}}) for number in range(60)]
    with Browser(page) as browser:
        browser.open(f"/?session={session}")
        browser.run("window.shown = []; const {stage} = gestured, {open} = stage;"
                    "stage.open = (name) => { shown.push(name); open.call(stage, name); }")
        before = replayed(control)
        drop(browser, "\n".join([header, *events]))
        wait_replayed(control, len(before) + 2)
        browser.wait("return gestured.tape.isPlaying")
        browser.wait("return !gestured.tape.isPlaying")
        assert len(browser.run("return shown")) == 1
        # The one that is shown stays to be touched, until the stage shows another.
        (left,) = wait_replayed(control, len(before) + 1) - before
        assert browser.run("return gestured.stage.session.name") == left
        browser.run("document.querySelector('#session').value = arguments[0];"
                    "document.querySelector('#opener button').click()", session)
        assert wait_replayed(control, len(before)) == before
        drop(browser, "\n".join([header, *events]))
        browser.wait("return gestured.tape.isPlaying")
        wait_replayed(control, len(before) + 2)
        browser.driver.get("about:blank")
        assert wait_replayed(control, len(before)) == before


def test_the_tour_plays_on_the_stage_and_the_stage_follows(
    browser: Browser, session: str,
) -> None:
    browser.open(f"/?session={session}")
    browser.run("document.querySelector('#tab-record').click()")
    browser.run("document.querySelector('#tour').click()")
    browser.wait("return gestured.stage.session.name.startsWith('page-replay-alice')")
    browser.wait("return document.querySelector('#caption').textContent.includes('short drag')")
    browser.wait("return document.querySelector('.ring')")


def excerpt(*spans: tuple[float, float]) -> str:
    """The tour, of which only these spans of seconds are left, one directly after the other."""
    header, *lines = (REPOSITORY / "Examples/recordings/tour.jsonl").read_text().splitlines()
    left, passed = [header], 0.0
    for begin, end in spans:
        for line in map(json.loads, lines):
            if begin * 1000 <= line["t"] < end * 1000:
                left.append(json.dumps({**line, "t": line["t"] - begin * 1000 + passed}))
        passed += (end - begin) * 1000
    return "\n".join(left)


# Serves a text as the tour, and notes which scene shows at each caption.
GUIDED = """
const { fetch } = window, [tour] = arguments;
window.fetch = (path, ...rest) => (String(path).endsWith("tour.jsonl")
    ? Promise.resolve(new Response(tour)) : fetch(path, ...rest));
window.shown = [];
new MutationObserver(() => {
    const parts = gestured.stage.scene?.components.map(({ id }) => id) ?? [];
    shown.push([document.querySelector("#caption").textContent, parts.includes("dock"),
                gestured.stage.session.name]);
}).observe(document.querySelector("#caption"), { childList: true });
"""


@pytest.mark.parametrize("how", ["desk", "gallery", "stopped"])
def test_the_tour_shows_what_it_tells_of_and_leads_back(
    browser: Browser, control: Control, session: str, how: str,
) -> None:
    control.open(session, TOSS)
    browser.open(f"/?session={session}")
    # The beginning, the world, and the way back to the app.
    browser.run(GUIDED, excerpt((0, 3), (56, 57.2), (63.8, 65)))
    browser.run("document.querySelector(arguments[0]).click()",
                ".is-tour .button" if how == "gallery" else "#tour")
    browser.wait("return gestured.stage.session.name.startsWith('page-replay-alice')")
    browser.wait("return shown.some(([text]) => text.startsWith('1 Spinning'))")
    if how == "stopped":
        browser.run("gestured.tape.stop()")
    else:
        browser.wait("return gestured.stage.scene?.components.some(({id}) => id === 'dock')")
        browser.wait("return gestured.stage.scene?.scene === 'phone'")
    browser.wait("return gestured.stage.session.name === arguments[0]", session)
    browser.wait("return gestured.stage.scene?.components.some(({id}) => id === 'rows')")
    assert not browser.run("return gestured.tape.isPlaying")
    told = dict((text, is_dock) for text, is_dock, _ in browser.run("return shown"))
    assert told["1 Spinning tips: a short drag, and the tip swings back"] is False
    end = time.monotonic() + DEADLINE
    while any(name.startswith("page-replay-alice") for name in control.sessions()):
        assert time.monotonic() < end, "the tour's session stays"
        time.sleep(0.05)


def test_a_later_open_gives_a_session_another_scene(browser: Browser, session: str) -> None:
    browser.open(f"/?session={session}")
    lines = [{"gesture-recording": 1, "scene": TOSS},
             {"t": 0, "topic": "command/a", "body": {"command": "open", "scene": "kiosk"}},
             {"t": 300, "topic": "command/a", "body": {"command": "open", "scene": "dock"}},
             {"t": 900, "topic": "command/a", "body": {"command": "open", "scene": TOSS}},
             {"t": 1500, "topic": "notification/a", "body": {"kind": "likes"}}]
    browser.run("window.scenes = []; gestured.stage.addEventListener('drawn', () =>"
                " scenes.push(gestured.stage.scene.scene))")
    drop(browser, "\n".join(map(json.dumps, lines)))
    browser.wait("return scenes.filter((name, at) => name !== scenes[at - 1]).join()"
                 " === 'kiosk,dock,'")
    # Another replay than the tour stays to be touched.
    browser.wait("return !gestured.tape.isPlaying")
    assert browser.run("return gestured.stage.session.name").startswith("page-replay-a-")


def test_every_recording_and_every_world_has_a_card() -> None:
    recordings = {file.stem for file in (REPOSITORY / "Examples/recordings").glob("*.jsonl")}
    worlds = {file.stem for file in (REPOSITORY / "Examples/scenes").glob("*.toml")}
    source = (REPOSITORY / "Clients/web/page/gallery/gallery.js").read_text("utf-8")
    cards = {name for name in recordings | worlds if f'["{name}", ' in source}
    assert cards == (recordings | worlds) - {"tour"}


def test_a_recording_that_stood_still_plays_the_rest_later(browser: Browser) -> None:
    """A browser that sleeps for a while: all that is overdue at once would tell another story."""
    browser.open("/")
    sent = browser.run(
        "return (async () => {"
        "const { play } = await import('/page/desk/recordings.js');"
        "const lines = [0, 400, 800, 1200].map((t) =>"
        " ({ t, topic: 'notification/a', body: { kind: 'likes' } }));"
        "const sent = [];"
        "await new Promise((ended) => play({ lines, openings: new Set() }, {"
        " names: (name) => name, ended, publish() {"
        "  sent.push(performance.now());"
        "  if (sent.length === 1) while (performance.now() < sent[0] + 2000); } }));"
        "return sent; })()")
    gaps = [after - before for before, after in zip(sent, sent[1:])]
    assert len(gaps) == 3 and all(gap > 300 for gap in gaps), gaps


def test_a_scene_that_no_event_can_hold_opens_its_session(browser: Browser) -> None:
    lines = ['{"gesture-recording":1,"scene":"phone"}',
             '{"t":0,"session":"big","scene":{"name":"large"}}',
             '{"t":1,"topic":"notification/big","body":{"kind":"likes"}}',
             '{"t":2,"session":"lost","scene":null}',
             '{"t":3,"topic":"notification/lost","body":{"kind":"likes"}}']
    browser.open("/")
    assert browser.run(
        "return import('/page/desk/recordings.js').then(({ parse }) => {"
        " const { scenes, lines, openings } = parse(arguments[0]);"
        " return [[...scenes], lines.length, openings.size]; })", "\n".join(lines)) == [
            [["big", {"name": "large"}], ["lost", "phone"]], 3, 1]
