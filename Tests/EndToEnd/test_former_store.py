"""A store and documents of version 0.1.0, written before the persistence machine existed."""

from __future__ import annotations

import json
import pathlib
import shutil

import pytest
from client import Daemon

FORMER = pathlib.Path(__file__).parent / "data" / "former"
EXPECTED = json.loads((FORMER / "expected.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def former():
    """A daemon on the old store. The sessions date from November 2026; it keeps them ten years."""
    # The scenes, too, are those of that version.
    daemon = Daemon(
        config=f'scenes = "{FORMER / "scenes"}"\n[sessions]\nretention = 315360000\n')
    daemon.state.mkdir()
    shutil.copy(FORMER / "gestured.db", daemon.state / "gestured.db")
    with daemon:
        yield daemon


def shown(daemon: Daemon, session: str) -> dict[str, dict]:
    """A snapshot without the fields that a new epoch changes."""
    return {
        topic: {key: value for key, value in body.items()
                if key not in ("epoch", "seq", "t", "version")}
        for topic, body in daemon.requests().snapshot(session).items()
        if not topic.startswith(("session/", "scene/", "frame/"))}


def test_it_has_all_sessions_and_none_that_was_removed(former: Daemon):
    assert former.requests().sessions() == sorted(EXPECTED["stored"])


@pytest.mark.parametrize("session", sorted(EXPECTED["stored"]))
def test_each_session_is_as_the_former_version_restored_it(former: Daemon, session: str):
    assert shown(former, session) == EXPECTED["stored"][session]


@pytest.mark.parametrize("session,kind,number", [
    ("phone", "likes", "like-0"), ("phone", "likes", "like-39"), ("kinds", "followers", "set-1"),
    ("again", "comments", "again-2")])
def test_an_id_that_was_applied_counts_once(
    former: Daemon, session: str, kind: str, number: str
):
    control = former.requests()
    before = control.badge(session)["counts"]
    answer = control.publish(f"notification/{session}", {"kind": kind, "id": number})
    assert answer["duplicate"] and control.badge(session)["counts"] == before


def test_the_id_of_a_removed_session_is_not_known(former: Daemon):
    control = former.requests()
    before = control.badge("again")["counts"].get("likes", 0)
    control.publish("notification/again", {"kind": "likes", "id": "again-1"})
    assert control.badge("again")["counts"]["likes"] == before + 1
    control.ok("close", session="again")


def test_new_changes_survive_the_next_start(former: Daemon):
    control = former.requests()
    control.notify("kinds", "comments")
    before = control.badge("kinds")
    control = former.restart()
    after = control.badge("kinds")
    assert after["counts"] == before["counts"] and after["version"] >= before["version"]
    assert shown(former, "phone") == EXPECTED["stored"]["phone"]


@pytest.mark.parametrize("kind", sorted(EXPECTED["exports"]))
def test_an_export_of_each_kind_is_imported_as_it_was(former: Daemon, kind: str):
    export = json.loads((FORMER / "exports" / f"{kind}.json").read_text(encoding="utf-8"))
    control = former.requests()
    control.ok("import", session=f"one-{kind}", document=export["document"])
    assert shown(former, f"one-{kind}") == EXPECTED["exports"][kind]


def test_an_export_that_moves_moves_on(former: Daemon):
    text = (FORMER / "exports" / "moving-dynamics.json").read_text(encoding="utf-8")
    former.requests().ok("import", session="moving", document=json.loads(text)["document"])
    assert former.requests().state("moving", "world")["phase"] == "moving"
