"""The scene `pinball`: flippers under fingers, points by contacts, three balls."""

from __future__ import annotations

import time

from client import Control, Daemon
from hands import phase, touch, values
from reliability import wait_for

LEFT, RIGHT, SHOOT, AGAIN = (74, 670), (286, 670), (180, 660), (180, 396)
REST = 0.47


def press(control: Control, session: str, place: tuple[int, int], name: str, pointer: int) -> None:
    control.publish(f"gesture/{session}", {
        "gesture": "pointer", "phase": name, "pointer": pointer, "x": place[0], "y": place[1]})


def rotation(control: Control, session: str, side: str) -> float:
    return control.state(session, "table")["views"][f"flipper-{side}"]["rotation"]


def lose_a_ball(control: Control, session: str) -> None:
    """Lets the ball fall between the flippers."""
    balls = values(control, session)["balls"]
    control.command(session, "table", "set", item="ball", values={"center": [164, 560]})
    wait_for(lambda: values(control, session)["balls"] == balls - 1, "the ball is lost")


def test_each_finger_lifts_its_flipper_while_it_stays(
    daemon: Daemon, control: Control, session: str,
):
    control.open(session, "pinball")
    updates = daemon.subscriber(f"rejected/{session}")
    press(control, session, LEFT, "began", 1)
    wait_for(lambda: rotation(control, session, "left") < -0.4, "the left one is up")
    press(control, session, RIGHT, "began", 2)
    wait_for(lambda: rotation(control, session, "right") > 0.4, "both are up")
    assert rotation(control, session, "left") < -0.4
    press(control, session, LEFT, "ended", 1)
    wait_for(lambda: abs(rotation(control, session, "left") - REST) < 0.03, "the left one is down")
    assert rotation(control, session, "right") > 0.4
    press(control, session, RIGHT, "ended", 2)
    wait_for(lambda: abs(rotation(control, session, "right") + REST) < 0.03, "both are down")
    wait_for(lambda: phase(control, session, "table") == "resting", "the table is at rest")
    assert not updates.during(0.2)


def test_a_flipper_that_is_lifted_again_at_once_stays_up(control: Control, session: str):
    """The spring of the fall before it does not let go meanwhile."""
    control.open(session, "pinball")
    for name in ("began", "ended", "began"):
        press(control, session, LEFT, name, 1)
    wait_for(lambda: rotation(control, session, "left") < -0.4, "it is up")
    time.sleep(0.8)  # Longer than the spring pulls.
    assert rotation(control, session, "left") < -0.4


def test_the_longer_a_finger_holds_the_farther_the_ball_flies(
    daemon: Daemon, control: Control, session: str,
):
    control.open(session, "pinball")
    updates = daemon.subscriber(f"variables/{session}", f"rejected/{session}")
    touch(control, session, LEFT)  # The table wakes, and the ball lies on the plunger.
    wait_for(lambda: values(control, session)["ready"], "the ball is ready")
    press(control, session, SHOOT, "began", 1)
    for power in range(1, 5):
        wait_for(lambda: values(control, session)["power"] == power, f"{power} of 4")
    press(control, session, SHOOT, "ended", 1)
    assert values(control, session)["power"] == 0
    wait_for(lambda: control.state(session, "table")["views"]["ball"]["x"] < 300, "it is in play")
    wait_for(lambda: control.state(session, "table")["views"]["gate"]["rotation"] < 0,
             "the gate is closed")
    told = [it.body["values"]["ready"] for it in updates.during(0.1) if "values" in it.body]
    assert told[-1] is False
    assert not [it for it in updates.during(0.1) if it.topic.startswith("rejected")]


def test_a_game_has_three_balls_and_a_tap_begins_another(
    daemon: Daemon, control: Control, session: str,
):
    control.open(session, "pinball")
    updates = daemon.subscriber(f"rejected/{session}")
    for place in (AGAIN, (30, 120)):
        control.publish(f"command/{session}", {"command": "assign", "values": {"score": 70}})
        for _ in range(3):
            lose_a_ball(control, session)
        wait_for(lambda: control.state(session, "over")["model"]["at"] == "here", "it is over")
        assert control.state(session, "over-score")["model"]["text"] == "70 points"
        touch(control, session, place)
        wait_for(lambda: control.state(session, "over")["model"]["at"] == "away", "it goes on")
        assert {"score": 0, "balls": 3}.items() <= values(control, session).items()
        assert control.state(session, "balls")["model"]["text"] == "Balls 3"
    assert not updates.during(0.2)


def test_a_thousand_points_are_an_extra_ball_once(control: Control, session: str):
    control.open(session, "pinball")
    for score, balls in ((999, 3), (1_000, 4), (1_500, 4), (2_500, 4)):
        control.publish(f"command/{session}", {"command": "assign", "values": {"score": score}})
        assert values(control, session)["balls"] == balls


def test_the_score_survives_a_kill():
    with Daemon() as daemon:
        control = daemon.requests()
        control.open("arcade", "pinball")
        lose_a_ball(control, "arcade")
        control.publish("command/arcade", {"command": "assign", "values": {"score": 340}})
        control = daemon.restart()
        told = values(control, "arcade")
        assert (told["score"], told["balls"]) == (340, 2)
        assert control.state("arcade", "score")["model"]["text"] == "000340"
