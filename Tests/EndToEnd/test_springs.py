"""Springs in place of durations and curves: what clients are told, and what they see."""

from __future__ import annotations

import itertools
import sys

import pytest
from client import REPOSITORY, Control
from scenes import navigation, rows, scene, tabs
from simulation import SESSION, Script, at_step, of, step_of

sys.path.insert(0, str(REPOSITORY / "Clients" / "python" / "src"))
from gestured import curves  # noqa: E402

CALM = {"duration": 0.5, "bounce": 0}
BOUNCING = {"duration": 0.3, "bounce": 0.4}
# The middle of an item is 40 points from its left edge.
ITEM = 80


def arrow(state: dict) -> float:
    return state["views"]["arrow"]["x"]


@pytest.mark.parametrize("rate", [30, 60, 120])
@pytest.mark.parametrize("spring", [CALM, BOUNCING])
def test_the_arrow_is_where_the_told_spring_leads(rate: int, spring: dict):
    script = Script(scene(tabs(spring=spring), frame_rate=rate))
    updates = script.wait(100).command("tabs", "select", index=3).wait(3000).run()
    began, ended = (update.body for update in of(updates, "tabs", "transition"))
    assert began["curve"].keys() == {"spring"} and ended["curve"] == began["curve"]
    states = [state for state in of(updates, "tabs") if step_of(state) >= 12]
    for state in states:
        seconds = (step_of(state) - 12) / 120
        share = curves.progress(began["curve"], seconds, began["duration"])
        assert arrow(state.body) == pytest.approx(ITEM / 2 + 3 * ITEM * share, abs=0.002)
    assert step_of(states[-1]) == pytest.approx(12 + began["duration"] * 120, abs=1 + 120 / rate)
    peak = max(arrow(state.body) for state in states)
    assert peak == 280 if spring is CALM else peak > 290


def test_each_rate_shows_the_same_at_the_same_instant():
    def play(rate: int) -> list:
        script = Script(scene(tabs(spring=BOUNCING), rows(spring=CALM), frame_rate=rate))
        script.wait(100).command("tabs", "select", index=3)
        script.gesture("list", "swipe", direction="left", row=1)
        # A change of the scene and another command meet it on its way.
        script.wait(100).line(f"command/{SESSION}", {"command": "resize", "viewport": [400, 600]})
        script.wait(50).command("tabs", "select", index=1)
        return script.wait(3000).run()

    plays = [play(rate) for rate in (30, 60, 120)]
    for step in range(36, 200, 4):
        for component in ("tabs", "list"):
            shown = [at_step(of(updates, component), step)["views"] for updates in plays]
            assert shown[0] == shown[1] == shown[2], f"{component} at step {step}"


def test_an_interruption_keeps_place_and_speed():
    script = Script(scene(tabs(spring=BOUNCING), frame_rate=120))
    script.wait(100).command("tabs", "select", index=3)
    script.wait(75).command("tabs", "select", index=0)
    updates = script.wait(2000).run()
    places = {step_of(state): arrow(state.body) for state in of(updates, "tabs")}
    steps = [places[step + 1] - places[step] for step in range(13, 40)]
    # The spring pulls with (2π/0.3)² · 240 pt/s² at the most, and is damped as much.
    assert max(abs(b - a) for a, b in itertools.pairwise(steps)) < 2 * 439 * 320 / 120**2
    told = [update.body for update in of(updates, "tabs", "transition")]
    assert [it["event"] for it in told] == ["began", "cancelled", "began", "ended"]
    assert told[0]["curve"]["spring"][2] == 0 and told[2]["curve"]["spring"][2] < 0


def test_a_session_that_moves_is_exported_and_goes_on(control: Control, session: str):
    control.open(session, scene(navigation(spring={"duration": 5})))
    control.publish(f"command/{session}/navigation", {
        "command": "present", "screen": "posts", "transition": "in-from-bottom"})
    running = control.state(session, "navigation")["running"]
    assert running[0]["curve"]["spring"][:2] == pytest.approx([1.579137, 2.513274])
    document = control.ok("export", session=session)["document"]
    control.ok("close", session=session)
    control.ok("import", session=session, document=document)
    assert control.state(session, "navigation")["running"][0]["curve"] == running[0]["curve"]


@pytest.mark.parametrize(("spring", "words"), [
    ({"duration": 0}, "key duration: must be a number of seconds from 0.01 to 10"),
    ({"bounce": 1}, "key bounce: must be a number from -0.9 to 0.9"),
    ({"bounse": 0}, 'unknown key "bounse", did you mean "bounce"?'),
    (0.5, "must be a table"),
])
def test_a_wrong_spring_is_refused(control: Control, session: str, spring: object, words: str):
    error = control.refused("open", session=session, scene=scene(rows(spring=spring)))
    assert error["code"] == "bad-scene" and words in error["message"]
