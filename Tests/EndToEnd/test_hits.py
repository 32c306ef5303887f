"""The daemon's hit test against a model from the document, on random trees of components."""

from __future__ import annotations

import json
import math
import random
import time

import pytest
from client import DEADLINE, Control
from forest import Planter, Tree, points
from hitmodel import Answer, hits
from reliability import IS_SOAK
from renderer import Picture, of_snapshot

# Requests on their way at once: the daemon lets 256 of a peer wait.
WINDOW = 200
TREES, POINTS = 240, 10 if IS_SOAK else 50
# A soak tries 10,000 trees.
BATCHES = 50 if IS_SOAK else 1


def asked(control: Control, requests: list[tuple[str, dict]]) -> list[dict]:
    """The answers to many requests, of which some are always on their way."""
    numbers, answers = [], []
    for op, fields in requests:
        numbers.append(control.send(op, **fields))
        if len(numbers) - len(answers) >= WINDOW:
            answers.append(control.reply(numbers[len(answers)]))
    answers += [control.reply(number) for number in numbers[len(answers):]]
    return answers


def opened(control: Control, trees: dict[str, Tree]) -> dict[str, Picture]:
    """Opens and stirs all sessions, and waits until they stand still."""
    answers = asked(control, [
        ("open", {"session": name, "scene": tree.scene}) for name, tree in trees.items()])
    for answer, tree in zip(answers, trees.values()):
        assert answer["ok"], f"{answer}\n{json.dumps(tree.scene)}"
    answers = asked(control, [
        ("publish", {"topic": topic % name, "body": body})
        for name, tree in trees.items() for topic, body in tree.events])
    assert all(answer["ok"] for answer in answers), [a for a in answers if not a["ok"]]
    end = time.monotonic() + DEADLINE
    before = pictures(control, list(trees))
    while time.monotonic() < end:
        time.sleep(0.2)
        after = pictures(control, list(trees))
        if all(stands(before[name], after[name]) for name in trees):
            return after
        before = after
    raise AssertionError("something never stands still")


def pictures(control: Control, names: list[str]) -> dict[str, Picture]:
    answers = asked(control, [("snapshot", {"session": name}) for name in names])
    return {name: of_snapshot(answer) for name, answer in zip(names, answers)}


def stands(before: Picture, after: Picture) -> bool:
    """Whether no view has moved by more than a tenth of a point meanwhile."""
    for name, state in before.states.items():
        others = after.states[name]["views"]
        if state["views"].keys() != others.keys():
            return False
        for view, shown in state["views"].items():
            if any(abs(shown[key] - others[view][key]) > limit for key, limit in (
                    ("x", 0.1), ("y", 0.1), ("rotation", 0.0002), ("scale", 0.0002))):
                return False
    return True


@pytest.mark.parametrize("batch", range(BATCHES))
@pytest.mark.parametrize("still", [False, True], ids=["moved", "still"])
def test_random_points_of_random_trees(control: Control, still: bool, batch: int):
    rng = random.Random(30 + still + 2 * batch)
    trees = {
        f"hit{still:d}.{number}": Planter(rng, still=still).plant(rng.randint(2, 14))
        for number in range(TREES // 2)}
    before = opened(control, trees)
    chosen = {name: points(rng, picture, POINTS, False) for name, picture in before.items()}
    requests = []
    for name, places in chosen.items():
        requests += [("snapshot", {"session": name})]
        requests += [("hit", {"session": name, "x": x, "y": y}) for x, y in places]
        requests += [("snapshot", {"session": name})]
    answers = iter(asked(control, requests))
    checked, kinds, wrong = 0, set(), []
    for name, places in chosen.items():
        shown = before[name] = of_snapshot(next(answers))
        found = [hit_of(next(answers)) for _ in places]
        if not stands(shown, after := of_snapshot(next(answers))):
            continue
        error = 0.001 if shown.states == after.states else 0.2
        kinds_of = {one["id"]: one["kind"] for one in shown.scene["components"]}
        for (x, y), hit in zip(places, found):
            checked += 1
            possible = hits(shown, x, y, error)
            kinds.add(hit and (kinds_of[hit[0]], hit[1] is None))
            if hit not in possible:
                wrong.append((name, x, y, hit, possible))
    assert not wrong, explained(wrong, before)
    assert checked > TREES * POINTS // 2 * 0.9, f"only {checked} checks: too much moves"
    assert IS_SOAK or kinds >= {
        ("tips", False), ("toss", False), ("navigation", False), ("profile", True),
        ("list", True), ("reader", False), ("tabs", False), ("dynamics", False),
        ("button", False), ("panel", False), None}, kinds
    assert not any(hit and hit[0] == "label" for hit in kinds), kinds
    for name in trees:
        control.ok("close", session=name)


def test_every_edge_of_whole_numbers(control: Control):
    """Without rotations nothing is rounded, so left and top edges are in, the others out."""
    rng = random.Random(22)
    trees = {
        f"edges{number}": Planter(rng, exact=True, still=True).plant(rng.randint(2, 12))
        for number in range(60)}
    wrong, checked = [], 0
    for name, picture in (shown := opened(control, trees)).items():
        if any(view[key] * 2 % 1 or view["rotation"] or view["scale"] != 1
               for state in picture.states.values() for view in state["views"].values()
               for key in "xywh"):
            continue
        places = points(rng, picture, POINTS, True)
        answers = asked(control, [("hit", {"session": name, "x": x, "y": y}) for x, y in places])
        for (x, y), answer in zip(places, answers):
            checked += 1
            found, possible = hit_of(answer), hits(picture, x, y)
            assert len(possible) == 1, possible
            if {found} != possible:
                wrong.append((name, x, y, found, possible))
    assert not wrong, explained(wrong, shown)
    assert checked >= 500, checked
    for name in trees:
        control.ok("close", session=name)


def test_a_finger_stays_at_its_anchor_through_all_that_holds_it(control: Control):
    """The daemon turns points inwards as a renderer turns views outwards."""
    rng = random.Random(23)
    trees = {f"anchor{number}": Planter(rng, still=True).plant(rng.randint(3, 14))
             for number in range(80)}
    depths = set()
    for name, picture in opened(control, trees).items():
        tossed = [one for one in picture.painted() if one.view == "item"]
        for one in tossed:
            began = one.area.matrix(one.area.w * rng.random(), one.area.h * rng.random())
            hit = control.ok("hit", session=name, x=began[0], y=began[1])["hit"]
            if hit != {"component": one.component, "view": "item"}:
                continue
            finger = began
            for phase in ("began", "changed", "changed"):
                body = {"gesture": "pan", "phase": phase, "x": finger[0], "y": finger[1]}
                assert control.publish(f"gesture/{name}", body)["hit"] == hit
                finger = began[0] + rng.uniform(-60, 60), began[1] + rng.uniform(-60, 60)
            shown = of_snapshot(control.ok("snapshot", session=name)).painted()
            for view, point in (("touch", began), ("anchor", (body["x"], body["y"]))):
                mark = next(mark for mark in shown
                            if (mark.component, mark.view) == (one.component, view))
                at = mark.area.matrix(mark.area.w / 2, mark.area.h / 2)
                assert math.dist(at, point) < 0.2, (name, view, at, point, picture.scene)
            depths.add(len(one.holders))
            break
        control.ok("close", session=name)
    assert len(depths) >= 4, f"tosses of these depths only: {depths}"


def hit_of(answer: dict) -> Answer:
    assert answer["ok"], answer
    hit = answer["hit"]
    assert hit is None or list(hit) == ["component", "view"], answer
    return hit and (hit["component"], hit["view"])


def explained(wrong: list, shown: dict[str, Picture]) -> str:
    name, x, y, found, possible = wrong[0]
    return (f"{len(wrong)} wrong; {name} at {x}, {y}: the daemon says {found}, the document "
            f"{possible}\n{json.dumps(shown[name].scene)}\n{json.dumps(shown[name].states)}")
