"""The files of docs/schemas, read as a stranger would, and what can be made wrong by them."""

from __future__ import annotations

import copy
import functools
import json
import random
import re
from collections.abc import Iterator

import jsonschema
import jsonschema_rs
from client import REPOSITORY
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

FOLDER = REPOSITORY / "docs" / "schemas"
FILES = {
    path.name: json.loads(path.read_text(encoding="utf-8"))
    for path in sorted(FOLDER.glob("*.json"))}
REGISTRY = Registry().with_resources(
    [(name, Resource.from_contents(contents)) for name, contents in FILES.items()])


@functools.cache
def validator(place: str) -> Draft202012Validator:
    """The validator of a file, or of a definition in it: `event-command.json#/$defs/tips`."""
    return Draft202012Validator({"$ref": place}, registry=REGISTRY)


# This library takes microseconds where the other one takes milliseconds, which says what is wrong.
BASE = "json-schema:///"
QUICK_REGISTRY = jsonschema_rs.Registry(
    [(BASE + name, contents) for name, contents in FILES.items()])


@functools.cache
def quick_validator(place: str) -> jsonschema_rs.Draft202012Validator:
    return jsonschema_rs.Draft202012Validator({"$ref": BASE + place}, registry=QUICK_REGISTRY)


def takes(place: str, value: object) -> bool:
    return quick_validator(place).is_valid(value)


def expect(place: str, value: object, where: str = "") -> None:
    """Fails with the best of the errors where the schema refuses the value."""
    if takes(place, value):
        return
    error = jsonschema.exceptions.best_match(validator(place).iter_errors(value))
    raise AssertionError(
        f"{where} {place} refuses {error.json_path}: {error.message[:400]}\n"
        f"{json.dumps(value)[:1000]}")


def of_event(topic: str) -> str:
    """The schema of an event's body."""
    word, *names = topic.split("/")
    if word != "command":
        return f"event-{word}.json"
    target = "session" if len(names) == 1 else "badges" if names[1] == "badges" else "component"
    return f"event-command.json#/$defs/{target}"


def of_update(topic: str) -> str:
    return f"update-{topic.split('/')[0]}.json"


# The schemas of a place in a value.

Path = tuple[str | int, ...]


def _resolved(schema: dict, base: str) -> tuple[dict, str]:
    while "$ref" in schema:
        file, _, pointer = schema["$ref"].partition("#")
        base = file or base
        schema = FILES[base]
        for part in pointer.split("/")[1:]:
            schema = schema[int(part)] if isinstance(schema, list) else schema[part]
    return schema, base


def _parts(schema: object, base: str, value: object) -> Iterator[tuple[dict, str]]:
    """All schemas that may speak of a value: branches are taken where their condition holds."""
    if not isinstance(schema, dict):
        return
    schema, base = _resolved(schema, base)
    yield schema, base
    for word in ("allOf", "anyOf", "oneOf"):
        for part in schema.get(word, []):
            yield from _parts(part, base, value)
    if "if" in schema:
        holds = Draft202012Validator(schema["if"], registry=REGISTRY).is_valid(value)
        yield from _parts(schema.get("then" if holds else "else"), base, value)


def schemas_at(place: str, root: object, path: Path) -> list[dict]:
    """The schemas of what stands at a path of a value."""
    found = list(_parts({"$ref": place}, "", root))
    value = root
    for step in path:
        value = value[step]
        inner: list[tuple[dict, str]] = []
        for schema, base in found:
            if isinstance(step, str):
                child = schema.get("properties", {}).get(
                    step, schema.get("additionalProperties"))
            else:
                row = schema.get("prefixItems", [])
                child = row[step] if step < len(row) else schema.get("items")
            inner += _parts(child, base, value)
        found = inner
    return [schema for schema, _ in found]


def paths(value: object, path: Path = ()) -> Iterator[Path]:
    yield path
    children = value.items() if isinstance(value, dict) else (
        enumerate(value) if isinstance(value, list) else ())
    for step, child in children:
        yield from paths(child, (*path, step))


def at(value: object, path: Path) -> object:
    for step in path:
        value = value[step]
    return value


def replaced(root: object, path: Path, value: object) -> object:
    if not path:
        return value
    root = copy.deepcopy(root)
    at(root, path[:-1])[path[-1]] = value
    return root


def dropped(root: object, path: Path) -> object:
    root = copy.deepcopy(root)
    del at(root, path[:-1])[path[-1]]
    return root


# The bounds of schemas: tables in the folder's README, by the daemon's messages.

_ROW = re.compile(r"^\| .*? \| (`.*`) \|$", re.M)


def relations(section: str) -> dict[str, re.Pattern[str]]:
    """The messages of a table of the README. `…` stands for anything."""
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    table = text.split(f"### {section}\n")[1].split("\n### ")[0]
    messages = [
        message for row in _ROW.findall(table) for message in re.findall(r"`([^`]+)`", row)]
    assert messages, "the README has no such table"
    return {
        message: re.compile(".*".join(map(re.escape, message.split("…"))))
        for message in messages}


class Comparison:
    """Asks whether the daemon and the schemas are of one mind."""

    # Refusals that depend on what is there and what goes on.
    CIRCUMSTANCES = {
        "unknown-session", "unknown-scene", "unknown-component", "out-of-order", "busy",
        "duplicate", "session-limit"}

    def __init__(self, section: str):
        self.relations = relations(section)
        self.told: set[str] = set()
        self.counts = {True: 0, False: 0}
        self.related = 0

    @property
    def idle(self) -> set[str]:
        """Messages of the table that the daemon did not say."""
        return self.relations.keys() - self.told

    def note(self, where: str, label: str, by_schema: bool, reply: dict) -> None:
        """A value that the schema takes or not, and the daemon's answer to it."""
        self.counts[by_schema] += 1
        if by_schema == reply["ok"]:
            return
        assert by_schema, f"{where}: the daemon takes what the schema refuses: {label}"
        error = reply["error"]
        if error["code"] in self.CIRCUMSTANCES:
            self.related += 1
            return
        reasons = [text for text, one in self.relations.items() if one.search(error["message"])]
        assert reasons, f"{where}: the schema takes what the daemon refuses: {label}: {error}"
        self.told.update(reasons)
        self.related += 1


# Values of every type; some are names.
JUNK = (None, True, 0, -1, 7.5, "x", "", [], {}, [1], {"x": 1})
NAME = re.compile(r"A-Za-z0-9\._~-")


def probes(schemas: list[dict], value: object) -> Iterator[object]:
    """Values at and beyond the bounds that the schemas say."""
    for schema in schemas:
        if (least := schema.get("minimum")) is not None:
            yield from (least, least - 1, least - 1e-7)
        if (most := schema.get("maximum")) is not None:
            yield from (most, most + 1, most + 1e-3)
        if schema.get("type") == "integer":
            yield from (1.5, 2.0)
        if "enum" in schema:
            yield from (*schema["enum"], "unheard-of")
        if (length := schema.get("maxLength")) is not None:
            yield from ("y" * length, "y" * (length + 1))
        if NAME.search(schema.get("pattern", "")):
            yield from ("-", "a b", "a\n", "a/b", "y" * 64, "y" * 65, "é")
        if isinstance(value, list):
            if value and (count := schema.get("maxItems")) is not None and count < 1_000:
                yield (value * (count + 1))[: count + 1]
            yield value[:-1]
            yield value + value[-1:]


def mutants(
    place: str, root: object, within: tuple[str, ...] = ()
) -> Iterator[tuple[str, object]]:
    """Neighbours of a valid value, each with one place changed; some of them are valid too.

    Places inside members of the names `within` stay as they are.
    """
    seen: set[str] = set()

    def new(label: str, mutant: object) -> Iterator[tuple[str, object]]:
        text = json.dumps(mutant)
        if text not in seen:
            seen.add(text)
            yield label, mutant

    for path in paths(root):
        if any(step in within for step in path[:-1]):
            continue
        where = "/".join(map(str, path))
        value = at(root, path)
        if path and isinstance(path[-1], str):
            yield from new(f"{where} dropped", dropped(root, path))
        if isinstance(value, dict):
            if path[-1:] not in [(name,) for name in within]:
                stranger = replaced(root, path, {**value, "zzz": 1})
                yield from new(f"{where} with a stranger", stranger)
                known = {
                    key for schema in schemas_at(place, root, path)
                    for key in schema.get("properties", ())}
                for key in sorted(known - value.keys()):
                    for other in (1, "x"):
                        yield from new(
                            f"{where} with {key} = {other}",
                            replaced(root, path, {**value, key: other}))
        if not path:
            continue
        for other in (*JUNK, *probes(schemas_at(place, root, path), value)):
            yield from new(f"{where} = {json.dumps(other)[:60]}", replaced(root, path, other))


def mutant(chance: random.Random, place: str, root: object) -> tuple[str, object]:
    """One of the neighbours of a value, without making all of them."""
    path = chance.choice([one for one in paths(root) if one])
    where, value = "/".join(map(str, path)), at(root, path)
    change = chance.randrange(4)
    if change == 0:
        return f"{where} dropped", dropped(root, path)
    if change == 1 and isinstance(value, dict):
        return f"{where} with a stranger", replaced(root, path, {**value, "zzz": 1})
    found = [*probes(schemas_at(place, root, path), value)] if change > 1 else []
    other = chance.choice(found or JUNK)
    return f"{where} = {json.dumps(other)[:60]}", replaced(root, path, other)
