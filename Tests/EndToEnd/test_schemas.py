"""The schemas as a stranger uses them, and the AsyncAPI document."""

from __future__ import annotations

import json
import pathlib
import re
import subprocess
import sys
from collections.abc import Iterator

import pytest
import yaml
from client import REPOSITORY
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012
from schemas import FILES, FOLDER, REGISTRY
from tool import ctl

PROTOCOL = "\n".join(
    page.read_text(encoding="utf-8") for page in (REPOSITORY / "docs" / "protocol").glob("*.md"))
DOCUMENT = yaml.safe_load((REPOSITORY / "docs" / "asyncapi.yaml").read_text(encoding="utf-8"))


def refs(tree: object) -> Iterator[str]:
    if isinstance(tree, dict):
        if isinstance(tree.get("$ref"), str):
            yield tree["$ref"]
        for child in tree.values():
            yield from refs(child)
    elif isinstance(tree, list):
        for child in tree:
            yield from refs(child)


def column(heading: str) -> set[str]:
    """The first column of a table of the protocol."""
    table = PROTOCOL.split(heading)[1].split("\n\n")[0]
    return {name for row in re.findall(r"^\| (`.*?`) \|", table, re.M)
            for name in re.findall(r"`([^`]+)`", row)}


WORDS = {topic.split("/")[0] for topic in column("| topic | says |\n|---|---|\n| `scene/")
         | {"scene"}}
EVENT_WORDS = {"gesture", "notification", "command"}
OPERATIONS = column("| `op` | takes | gives |\n|---|---|---|")


def test_every_file_is_a_schema_and_its_references_lead_somewhere() -> None:
    for name, schema in FILES.items():
        Draft202012Validator.check_schema(schema)
        resolver = REGISTRY.resolver(name)
        for ref in set(refs(schema)):
            resolver.lookup(ref)
        assert schema.get("$id", name) == name


def test_the_folder_has_a_file_for_every_topic_and_request() -> None:
    assert len(OPERATIONS) == 17 and len(WORDS) == 12, (OPERATIONS, WORDS)
    wanted = {"scene.json", "common.json"}
    wanted |= {f"event-{word}.json" for word in EVENT_WORDS}
    wanted |= {f"update-{word}.json" for word in WORDS}
    wanted |= {f"{kind}-{name}.json" for kind in ("request", "reply") for name in OPERATIONS}
    assert set(FILES) == wanted


def by_id() -> Registry:
    return Registry().with_resources(
        [(file.get("$id", name), Resource.from_contents(file)) for name, file in FILES.items()])


def by_place() -> Registry:
    """Reads a file of the folder when it is asked for: each file alone finds the others."""
    def retrieve(place: str) -> Resource:
        path = pathlib.Path(place.removeprefix("file://"))
        return Resource.from_contents(
            json.loads(path.read_text(encoding="utf-8")), default_specification=DRAFT202012)
    return Registry(retrieve=retrieve)


@pytest.mark.parametrize(("registry", "base"), [
    (by_id, ""), (by_place, FOLDER.as_uri() + "/")], ids=["by-id", "by-place"])
def test_a_stranger_validates(registry, base: str) -> None:
    tried = {
        "event-gesture.json": ({"gesture": "tap", "x": 1, "y": 2}, {"gesture": "tap"}),
        "event-command.json": (
            {"command": "open", "scene": {"viewport": [1, 2], "components": [
                {"id": "t", "kind": "toss"}]}},
            {"command": "open", "scene": {"viewport": [1, 2], "components": []}}),
        "request-publish.json": (
            {"op": "publish", "topic": "notification/a", "body": {"kind": "likes"}},
            {"op": "publish", "topic": "notification/a", "body": {}}),
        "scene.json": (
            {"viewport": [1, 2], "components": [{"id": "t", "kind": "toss"}]},
            {"viewport": [1, 2], "components": [{"id": "t", "kind": "tosss"}]}),
    }
    for name, (good, bad) in tried.items():
        validator = Draft202012Validator({"$ref": base + name}, registry=registry())
        validator.validate(good)
        assert not validator.is_valid(bad), name


def test_the_page_shows_how_to_use_them() -> None:
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    code = re.search(r"```python\n(.*?)```", text, re.S)[1]
    subprocess.run([sys.executable, "-c", code], cwd=REPOSITORY, check=True, timeout=60)


def test_gesturectl_prints_them() -> None:
    names = ctl("schema").stdout.decode().split()
    assert {f"{name}.json" for name in names} == set(FILES) | {"asyncapi.json"}
    for name in ("scene", "update-frame"):
        assert ctl("schema", name).stdout == (FOLDER / f"{name}.json").read_bytes()
    assert ctl("schema", "asyncapi").stdout == (
        REPOSITORY / "docs" / "asyncapi.yaml").read_bytes()
    done = ctl("schema", "scenes")
    assert done.returncode == 1 or done.returncode == 2, done
    assert b"scenes" in done.stderr and not done.stdout


# AsyncAPI. The part of its specification that the document uses, as a schema.


def ref(to: str) -> dict:
    return {
        "type": "object", "required": ["$ref"], "additionalProperties": False,
        "properties": {"$ref": {"type": "string", "pattern": to}}}


def table(of: dict) -> dict:
    return {"type": "object", "additionalProperties": of, "minProperties": 1,
            "propertyNames": {"pattern": r"^[\w.-]+$"}}


def record(required: str, **properties: dict) -> dict:
    return {"type": "object", "additionalProperties": False, "properties": properties,
            "required": required.split()}


TEXT = {"type": "string", "minLength": 1}
ASYNCAPI = record(
    "asyncapi info",
    asyncapi={"const": "3.0.0"}, defaultContentType=TEXT,
    info=record(
        "title version", title=TEXT, version=TEXT, description=TEXT,
        license=record("name", name=TEXT, url=TEXT),
        externalDocs=record("url", url=TEXT, description=TEXT)),
    servers=table(record(
        "host protocol", host=TEXT, protocol=TEXT, protocolVersion=TEXT, description=TEXT)),
    channels=table(record(
        "address messages", address={"type": ["string", "null"]}, description=TEXT,
        servers={"type": "array", "items": ref("^#/servers/"), "uniqueItems": True},
        parameters=table(ref("^#/components/parameters/")),
        messages=table(ref("^#/components/messages/")))),
    operations=table(record(
        "action channel", action={"enum": ["send", "receive"]}, summary=TEXT,
        channel=ref("^#/channels/[^/]+$"),
        messages={"type": "array", "items": ref("^#/channels/[^/]+/messages/")},
        reply=record(
            "channel", channel=ref("^#/channels/[^/]+$"),
            messages={"type": "array", "items": ref("^#/channels/[^/]+/messages/")}))),
    components=record(
        "", parameters=table(record("", description=TEXT)),
        messages=table(record(
            "payload", name=TEXT, title=TEXT, contentType=TEXT,
            payload=record(
                "schemaFormat schema", schema=ref(r"^schemas/[\w-]+\.json$"),
                schemaFormat={"const": "application/schema+json;version=draft-2020-12"})))))


def looked_up(pointer: str) -> object:
    part = DOCUMENT
    for step in pointer.removeprefix("#/").split("/"):
        part = part[step]
    return part


def test_the_document_follows_asyncapi_3() -> None:
    Draft202012Validator.check_schema(ASYNCAPI)
    Draft202012Validator(ASYNCAPI).validate(DOCUMENT)


def test_all_references_of_the_document_lead_somewhere() -> None:
    for place in refs(DOCUMENT):
        if place.startswith("#/"):
            looked_up(place)
        else:
            assert (REPOSITORY / "docs" / place).is_file(), place
    for name, message in DOCUMENT["components"]["messages"].items():
        assert message["payload"]["schema"]["$ref"] == f"schemas/{name}.json"


def test_messages_of_operations_are_of_their_channels() -> None:
    for operation in DOCUMENT["operations"].values():
        for part in (operation, operation.get("reply", operation)):
            channel = part["channel"]["$ref"]
            assert all(one["$ref"].startswith(f"{channel}/messages/") for one in part["messages"])
    for channel in DOCUMENT["channels"].values():
        named = set(re.findall(r"\{(\w+)\}", channel["address"] or ""))
        assert named == set(channel.get("parameters", {})), channel["address"]


def test_every_topic_and_request_of_the_protocol_is_in_the_document() -> None:
    topics = set(re.findall(r"^\| `([a-z]+(?:/<\w+>)*)`", PROTOCOL, re.M))
    topics |= {"rejected/<session>", "frame/<session>"}
    topics = {re.sub(r"<(\w+)>", r"{\1}", topic) for topic in topics if "/" in topic}
    addresses = {channel["address"] for channel in DOCUMENT["channels"].values()}
    assert topics | {"heartbeat"} == addresses - {None}, topics ^ addresses
    receiving = {name for name, one in DOCUMENT["operations"].items() if "reply" in one}
    assert receiving == OPERATIONS
    for word in WORDS:
        assert DOCUMENT["operations"][f"send-{word}"]["action"] == "send"
    for socket, port in (("events", 7411), ("updates", 7412), ("control", 7413)):
        assert DOCUMENT["servers"][socket]["host"] == f"127.0.0.1:{port}"
