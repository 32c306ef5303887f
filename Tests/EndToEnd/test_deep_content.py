"""Deeply nested content: it is refused at once, or comes back from store and document."""

from __future__ import annotations

import signal

import pytest
from client import Daemon
from scenes import scene, tips

ARGUMENT_LEVELS, SCENE_LEVELS, LEVELS = 16, 24, 32


def nested(levels: int) -> object:
    """Tables within one another."""
    value: object = "leaf"
    for _ in range(levels):
        value = {"a": value}
    return value


def app(content: object = None) -> dict:
    """A list, cards and a world; a notification's data become a row, later too."""
    def arrival(kind: str, **more: object) -> dict:
        return {"when": {"notification": kind}, "do": {
            "component": "list", "command": "insert",
            "item": {"id": kind, "content": {"told": "$data.told"}}}, **more}

    return scene(
        {"id": "list", "kind": "list",
         "rows": [{"id": "a", "content": {"told": content}}]},
        tips(),
        {"id": "world", "kind": "dynamics",
         "items": [{"id": "ball", "size": [9, 9], "center": [50, 50]}]},
        reactions=[arrival("now"), arrival("late", after=3600)])


# Commands with something nested in it. `levels` are those of the argument.
COMMANDS = {
    "insert": lambda levels: (
        "list", {"command": "insert", "item": {"id": "n", "content": nested(levels - 1)}}),
    "add-item": lambda levels: (
        "world", {"command": "add-item", "item": {
            "id": "n", "size": [9, 9], "center": [9, 9], "content": nested(levels - 1)}}),
    "present": lambda levels: (
        "tips", {"command": "present", "tips": [{"content": nested(levels - 2)}]}),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_that_is_taken_comes_back(name: str, session: str):
    with Daemon() as daemon:
        control = daemon.requests()
        control.open(session, app())
        component, body = COMMANDS[name](ARGUMENT_LEVELS)
        control.publish(f"command/{session}/{component}", body)
        for levels in range(ARGUMENT_LEVELS + 1, LEVELS - 1):
            component, body = COMMANDS[name](levels)
            error = control.refused(
                "publish", topic=f"command/{session}/{component}", body=body)
            assert error["code"] == "bad-value", error
            assert f"at most {ARGUMENT_LEVELS} levels" in error["message"], error
        # A change of the scene reads and writes all of it again.
        control.publish(f"command/{session}", {"command": "resize", "viewport": [300, 500]})
        document = control.ok("export", session=session)["document"]
        control.ok("import", session=f"{session}-2", document=document)
        for number in (signal.SIGTERM, signal.SIGKILL):
            control = daemon.restart(number)
            assert control.snapshot(session)[f"rows/{session}/list"]["count"] >= 1
            control.publish(f"notification/{session}", {"kind": "likes"})


def test_data_comes_back_in_a_row_and_in_a_wait(session: str):
    with Daemon() as daemon:
        control = daemon.requests()
        control.open(session, app())
        for kind in ("now", "late"):
            topic = f"notification/{session}"
            body = {"kind": kind, "data": {"told": nested(ARGUMENT_LEVELS - 3)}}
            control.publish(topic, body)
            deep = {"kind": kind, "data": {"told": nested(ARGUMENT_LEVELS)}}
            error = control.refused("publish", topic=topic, body=deep)
            assert "data" in error["message"] and "16 levels" in error["message"], error
        assert control.snapshot(session)[f"rows/{session}/list"]["count"] == 2
        document = control.ok("export", session=session)["document"]
        control.ok("import", session=f"{session}-2", document=document)
        control = daemon.restart()
        assert control.snapshot(session)[f"rows/{session}/list"]["count"] == 2


def test_a_scene_has_so_many_levels(session: str):
    # The scene, its list of components, a component, its rows, a row, and its content.
    around = 6
    with Daemon() as daemon:
        control = daemon.requests()
        control.open(session, app(nested(SCENE_LEVELS - around)))
        control.publish(f"command/{session}", {"command": "resize", "viewport": [300, 500]})
        error = control.refused(
            "open", session="deep", scene=app(nested(SCENE_LEVELS - around + 1)))
        assert error["code"] == "bad-scene" and "24 levels deep, not 25" in error["message"], error
        document = control.ok("export", session=session)["document"]
        control.ok("import", session=f"{session}-2", document=document)
        control = daemon.restart()
        assert control.snapshot(session)[f"rows/{session}/list"]["count"] == 1


def test_an_update_keeps_the_bound_of_all_texts(session: str):
    """Values that stay count beside those that the new scene begins with."""
    def values(names: range, long: range) -> dict:
        return scene({"id": "label", "kind": "label"}, variables={
            **{f"a{number}": "" for number in names},
            **{f"a{number}": "z" * 4000 for number in long}})

    with Daemon() as daemon:
        control = daemon.requests()
        control.open(session, values(range(0), range(4)))
        error = control.refused(
            "publish", topic=f"command/{session}",
            body={"command": "update", "scene": values(range(4), range(4, 8))})
        assert "32000 bytes" in error["message"] and "16384" in error["message"], error
        assert len(control.snapshot(session)[f"variables/{session}"]["values"]) == 4
        control.publish(f"command/{session}", {"command": "assign", "values": {"a0": ""}})
        document = control.ok("export", session=session)["document"]
        control.ok("import", session=f"{session}-2", document=document)
