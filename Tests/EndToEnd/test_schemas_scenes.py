"""The schema of scenes refuses what the daemon refuses, and takes what it takes."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from client import Control
from full import BALL, BEHAVIORS, BOX, FIELDS, REACTIONS, SCENES, WRITTEN, one
from hypothesis import given
from hypothesis import strategies as st
from schemas import FILES, Comparison, expect, mutant, mutants, takes

BEHAVIOR = "scene.json#/$defs/component-dynamics/properties/behaviors/items"
# Requests that may wait on a lane: fewer than the daemon's bound of a peer.
WAITING = 200


def compared(
    control: Control, comparison: Comparison, where: str, place: str,
    values: Iterator[tuple[str, object]], scene
) -> None:
    """Opens a session with the scene of each value."""
    values = list(values)
    for first in range(0, len(values), WAITING):
        part = values[first:first + WAITING]
        asked = [
            control.send("open", session=f"{where}-{first + number}", scene=scene(value))
            for number, (_, value) in enumerate(part)]
        judged = [takes(place, value) for _, value in part]
        for (label, _), number, by_schema in zip(part, asked, judged, strict=True):
            comparison.note(where, label, by_schema, control.reply(number))


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    return Comparison("Scenes")


@pytest.mark.parametrize("name", SCENES)
def test_scenes_with_one_thing_changed(control: Control, comparison: Comparison, name: str) -> None:
    expect("scene.json", SCENES[name])
    control.open(name, SCENES[name])
    compared(
        control, comparison, name, "scene.json", mutants("scene.json", SCENES[name]),
        lambda value: value)


def test_behaviors_with_one_thing_changed(control: Control, comparison: Comparison) -> None:
    for behavior in BEHAVIORS + FIELDS:
        compared(
            control, comparison, f"behavior-{behavior['id']}", BEHAVIOR,
            mutants(BEHAVIOR, behavior),
            lambda value: one("dynamics", items=[BALL, BOX], behaviors=[value]))


def reacting(reaction: object) -> dict:
    return {
        "viewport": [320, 568], "components": [
            {"id": "tabs", "kind": "tabs", "items": [{"id": "a"}, {"id": "b"}]},
            {"id": "navigation", "kind": "navigation", "root": "home"},
            {"id": "world", "kind": "dynamics", "items": [BALL]},
            {"id": "tips", "kind": "tips", "tips": []}],
        "variables": {"score": 0, "open": False, "name": ""}, "reactions": [reaction]}


def test_reactions_with_one_thing_changed(control: Control, comparison: Comparison) -> None:
    place = "scene.json#/$defs/reaction"
    for number, reaction in enumerate(REACTIONS):
        compared(
            control, comparison, f"reaction-{number}", place, mutants(place, reaction), reacting)


def holding(condition: dict) -> dict:
    """A scene with a reaction under a condition."""
    return reacting({
        "when": {"session": "opened"}, "if": condition, "do": {"variable": "score", "add": 1}})


def region(depth: int) -> dict:
    return {"shape": "inverse", "of": [region(depth - 1)]} if depth else {"shape": "infinite"}


def regions(count: int) -> dict:
    """A flat tree of so many regions."""
    if count < 3:
        return {"shape": "infinite"}
    half = (count - 1) // 2
    return {"shape": "union", "of": [regions(half), regions(count - 1 - half)]}


def field(number: int, **keys: object) -> dict:
    return {"id": f"f{number}", "kind": "field", "type": "drag", "items": [], **keys}


def world(*behaviors: dict, count: int = 1) -> dict:
    scene = one("dynamics", items=[BALL, BOX], behaviors=list(behaviors))
    scene["components"] = [
        {**scene["components"][0], "id": f"w{number}"} for number in range(count)]
    return scene


def boxes(count: int) -> dict:
    items = [{"id": f"i{number}", "center": [0, 0], "size": [1, 1]} for number in range(64)]
    scene = one("dynamics", items=items)
    scene["components"] = [
        {**scene["components"][0], "id": f"w{number}"} for number in range(count)]
    return scene


def lists(count: int) -> dict:
    scene = one("list", rows=[{"id": f"r{number}"} for number in range(10_000)])
    scene["components"] = [
        {**scene["components"][0], "id": f"l{number}"} for number in range(count)]
    return scene


def line(count: int) -> dict:
    return {
        "id": "c", "kind": "collision", "items": [], "boundaries": [
            {"id": f"b{number}", "path": [[0, 0]] * 129} for number in range(count)]}


def nested(depth: int) -> dict:
    scene = {"viewport": [9, 9], "components": [{"id": "t0", "kind": "tips", "tips": []}]}
    scene["components"] += [
        {"id": f"t{number}", "kind": "tips", "tips": [], "in": f"t{number - 1}/tip"}
        for number in range(1, depth + 1)]
    return scene


# Scenes that fit the schema, and whose parts do not fit together.
UNFIT = {
    "is a member of the group": world(
        {"id": "all", "kind": "group", "items": ["box"]},
        {"id": "g", "kind": "gravity", "items": ["box"]}),
    "unknown command of": reacting(
        {"when": {"session": "opened"}, "do": {"component": "tabs", "command": "dismiss"}}),
    "must be left out, for there is none": one("list", rows=3, menu=[]) | {"reactions": [{
        "when": {"session": "opened"},
        "do": {"component": "list", "command": "action", "action": "x"}}]},
    "there is no row": one("list", rows=[{"id": "soup"}]) | {"reactions": [{
        "when": {"session": "opened"},
        "do": {"component": "list", "command": "remove", "item": "sup"}}]},
    "there is no action": one("list", rows=[{"id": "soup"}]) | {"reactions": [{
        "when": {"session": "opened"},
        "do": {"component": "list", "command": "action", "action": "x"}}]},
    "there is no boundary": reacting({
        "when": {"component": "world", "transition": "contact", "boundary": "floor"},
        "do": {"variable": "score", "add": 1}}),
    "cannot be attached to itself": world(
        {"id": "a", "kind": "attachment", "item": "box", "to": "box"}),
    "groups have items only": world(
        {"id": "one", "kind": "group", "items": ["box"]},
        {"id": "two", "kind": "group", "items": ["one"]}),
    "regions are nested at most": world(field(1, region=region(8))),
    "must be of at most": world(field(1, region=regions(90))),
    "a world has at most 32 fields": world(*(field(number) for number in range(33))),
    "pieces of boundaries": world(line(3)),
    "the worlds of a scene have at most": boxes(3),
    "components are nested at most": nested(9),
    "the text names": one("label", text="{nobody}"),
    "is no number": holding({"variable": "open", "above": 1}),
    "key phase: is required": holding({"component": "world", "selected": True}),
    "cannot be asked of": holding({"component": "tabs", "item": "a", "open": True}),
    "is told of": holding({"component": "tabs", "row": 0, "selected": True}),
    "key item: is required": holding({"component": "tabs", "selected": True}),
    "cannot stand beside phase": holding({"component": "tabs", "phase": "moving", "row": 1}),
    "unknown screen": one("navigation", root="hom", screens=[{"name": "home"}]),
    "give two of": one("label", frame={"left": 1, "right": 2, "width": 3}),
    "leaves a width of": one("label", frame={"left": 200, "right": 200}),
    "one thing has at most": one("toss", content={"text": "x" * 16_384}),
    "all content of a scene": one("list", rows=[
        {"id": f"r{number}", "content": {"text": "x" * 16_000}} for number in range(17)]),
    "the lists of a scene have at most": lists(3),
    "cannot stand beside a list": one("list", rows=[{"id": "a"}], row={"text": "$row"}),
    "bytes": one("tips", tips=[{"title": "é" * 1024}]),
}


@pytest.mark.parametrize("message", UNFIT)
def test_what_fits_a_schema_and_does_not_fit_together(
    control: Control, comparison: Comparison, session: str, message: str
) -> None:
    assert takes("scene.json", UNFIT[message])
    number = control.send("open", session=session, scene=UNFIT[message])
    reply = control.reply(number)
    assert not reply["ok"] and message in reply["error"]["message"], reply
    comparison.note("unfit", message, True, reply)


def test_every_sentence_of_the_readme_is_needed(comparison: Comparison) -> None:
    assert comparison.counts[True] > 500 and comparison.counts[False] > 4000, comparison.counts
    assert not comparison.idle, f"no scene was refused so: {comparison.idle}"


def test_every_key_stands_in_a_scene_that_is_changed() -> None:
    seen = {key for scene in SCENES.values() for one in scene["components"] for key in one}
    for name, table in FILES["scene.json"]["$defs"].items():
        if name.startswith("component-"):
            assert set(table["properties"]) <= seen | {"in"}, name
    behaviors = {key for behavior in BEHAVIORS + FIELDS for key in behavior}
    for name, table in FILES["scene.json"]["$defs"].items():
        if name.startswith("behavior-"):
            assert set(table.get("properties", ())) <= behaviors, name


@given(st.sampled_from(sorted(WRITTEN)), st.integers(0, 2**32), st.integers(1, 3))
def test_written_scenes_with_some_things_changed(
    control: Control, comparison: Comparison, name: str, seed: int, times: int
) -> None:
    chance, scene, labels = random.Random(seed), WRITTEN[name], []
    for _ in range(times):
        label, scene = mutant(chance, "scene.json", scene)
        labels.append(label)
    compared(
        control, comparison, f"{name}-{seed}-{times}", "scene.json",
        iter([(", ".join(labels), scene)]), lambda value: value)
