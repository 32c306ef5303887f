"""The schema of scenes refuses what the daemon refuses, and takes what it takes."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from client import Control
from full import BALL, BEHAVIORS, BOX, FIELDS, REACTIONS, SCENES, WRITTEN, one
from hypothesis import given
from hypothesis import strategies as st
from schemas import FILES, Comparison, expect, mutants, relations, takes

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
    return Comparison()


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
            {"id": "world", "kind": "dynamics", "items": [BALL]}],
        "reactions": [reaction]}


def test_reactions_with_one_thing_changed(control: Control, comparison: Comparison) -> None:
    place = "scene.json#/$defs/reaction"
    for number, reaction in enumerate(REACTIONS):
        compared(
            control, comparison, f"reaction-{number}", place, mutants(place, reaction), reacting)


def test_every_sentence_of_the_readme_is_needed(comparison: Comparison) -> None:
    assert comparison.counts[True] > 500 and comparison.counts[False] > 4000, comparison.counts
    idle = relations().keys() - comparison.told
    assert not idle, f"no scene was refused so: {idle}"


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
        inner = chance.randrange(len(scene.get("components", [])) or 1) if scene else 0
        candidates = list(mutants("scene.json", {**scene, "components": [
            part for number, part in enumerate(scene["components"]) if number == inner]}
            if isinstance(scene.get("components"), list) else scene))
        label, changed = chance.choice(candidates)
        labels.append(label)
        if not isinstance(changed, dict):
            break
        scene = changed
    compared(
        control, comparison, f"{name}-{seed}-{times}", "scene.json",
        iter([(", ".join(labels), scene)]), lambda value: value)
