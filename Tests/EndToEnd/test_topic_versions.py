"""The versions of rows and variables never fall, whatever scenes a session has in turn."""

from __future__ import annotations

import itertools
import signal

from client import Control, Daemon
from scenes import rows, scene, toss

ROWS = [{"id": name, "content": {"name": name}} for name in ("a", "b", "c")]
SCENES = {
    "all": scene(rows(rows=ROWS), variables={"score": 0}),
    "no variables": scene(rows(rows=ROWS)),
    "no rows": scene(toss(), variables={"score": 0}),
    "neither": scene(toss()),
    "other rows": scene(rows(rows=ROWS[1:]), variables={"score": 0}),
    "another kind": scene(toss() | {"id": "list"}),
    "a number of rows": scene(rows(rows=7, row={"name": "$row"})),
}


class Versions:
    """The last version of each topic, and the content that it had."""

    def __init__(self, session: str):
        self.session = session
        self.last: dict[str, tuple[int, str]] = {}

    def check(self, control: Control, after: str) -> None:
        shown = control.snapshot(self.session)
        for topic, key in (("rows", "rows"), ("variables", "values")):
            name = f"{topic}/{self.session}" + ("/list" if topic == "rows" else "")
            if name not in shown:
                continue
            version, content = shown[name]["version"], repr(shown[name][key])
            former, former_content = self.last.get(topic, (0, content))
            assert 0 < version < 2**53 and version >= former, (topic, former, version, after)
            assert version > former or content == former_content, (topic, version, after)
            self.last[topic] = (version, content)


def test_no_version_falls_through_changes_of_the_scene(session: str):
    with Daemon("lanes = 1\n") as daemon:
        control = daemon.requests()
        control.open(session, SCENES["all"])
        versions = Versions(session)
        for number, (former, name) in enumerate(itertools.permutations(SCENES, 2)):
            for scene_ in (former, name):
                control.publish(
                    f"command/{session}", {"command": "update", "scene": SCENES[scene_]})
                versions.check(control, f"{former} to {name}")
            if isinstance(SCENES[name]["components"][0].get("rows"), list):
                control.command(session, "list", "insert", item={"id": f"n{number}"})
                versions.check(control, "an insert")
        assert set(versions.last) == {"rows", "variables"}


def test_no_version_falls_when_the_session_comes_back(session: str):
    with Daemon("lanes = 1\n") as daemon:
        control = daemon.requests()
        control.open(session, SCENES["all"])
        versions = Versions(session)
        versions.check(control, "open")
        for number, (name, ending) in enumerate((
                ("no variables", signal.SIGTERM), ("neither", signal.SIGTERM),
                ("no variables", signal.SIGKILL), ("all", signal.SIGKILL),
                ("other rows", signal.SIGTERM), ("no variables", signal.SIGTERM))):
            control.publish(f"command/{session}", {"command": "update", "scene": SCENES[name]})
            versions.check(control, name)
            if name != "neither":
                control.command(session, "list", "insert", item={"id": f"n{number}"})
                versions.check(control, f"an insert with {name}")
            control = daemon.restart(ending)
            versions.check(control, f"a start with {name}")


def test_an_import_goes_on_with_the_versions(control: Control, session: str):
    control.open(session, SCENES["all"])
    versions = Versions(session)
    versions.check(control, "open")
    control.publish(
        f"command/{session}", {"command": "update", "scene": SCENES["no variables"]})
    versions.check(control, "an update")
    versions.session = f"{session}-2"
    control.ok("import", session=versions.session, document=control.export(session))
    versions.check(control, "an import")
