"""A daemon's file comes into a PostgreSQL for several, and its sessions go on there."""

from __future__ import annotations

import itertools
import pathlib
import shutil

import pytest
from client import Daemon
from cluster import Member, absent
from postgres import Postgres
from test_former_store import EXPECTED, FORMER, shown
from tool import ctl

pytestmark = pytest.mark.skipif(bool(absent()), reason=absent())
names = (f"copy{number}" for number in itertools.count(1))
# The sessions date from November 2026.
CONFIG = f'scenes = "{FORMER / "scenes"}"\n[sessions]\nretention = 315360000\n'


@pytest.fixture(scope="module")
def postgres():
    with Postgres() as postgres:
        yield postgres


@pytest.fixture
def url(postgres: Postgres) -> str:
    """An empty database."""
    name = next(names)
    postgres.create(name)
    return postgres.url(name)


def file(folder: pathlib.Path) -> pathlib.Path:
    """A store of version 0.1.0, of an earlier layout."""
    shutil.copy(FORMER / "gestured.db", folder / "gestured.db")
    return folder / "gestured.db"


def test_every_session_goes_on_where_it_was(tmp_path: pathlib.Path, url: str):
    done = ctl("store", "copy", file(tmp_path), url, "--shards", "16")
    assert done.returncode == 0, done
    count = len(EXPECTED["stored"])
    assert done.stdout.decode() == f"copied {count} sessions into 16 shards\n"
    with Member("left", url, CONFIG) as member:
        control = member.requests()
        assert control.sessions() == sorted(EXPECTED["stored"])
        for session, wanted in EXPECTED["stored"].items():
            assert shown(member, session) == wanted, session
        for session, kind, number in (
                ("phone", "likes", "like-0"), ("phone", "likes", "like-39"),
                ("kinds", "followers", "set-1"), ("again", "comments", "again-2")):
            answer = control.publish(f"notification/{session}", {"kind": kind, "id": number})
            assert answer["duplicate"], number
        before = control.badge("kinds")["version"]
        control.publish("notification/kinds", {"kind": "likes", "id": "new"})
        assert control.badge("kinds")["version"] > before


def test_a_file_in_use_is_refused(url: str):
    with Daemon() as daemon:
        daemon.requests().publish("notification/a", {"kind": "likes"})
        done = ctl("store", "copy", daemon.state / "gestured.db", url)
    assert done.returncode == 2 and b"a daemon runs on it; stop that first" in done.stderr, done
    assert done.stdout == b""


def test_a_database_in_use_and_none_are_refused(
    postgres: Postgres, tmp_path: pathlib.Path, url: str
):
    assert ctl("store", "copy", file(tmp_path), url).returncode == 0
    for bad, words in (
            (url, b"a copy needs an empty one"), (postgres.url("none"), b"does not exist"),
            (url.replace(f":{postgres.port}", ":1"), b"onnection")):
        done = ctl("store", "copy", file(tmp_path), bad)
        assert done.returncode == 1 and words in done.stderr, done
        assert done.stderr.count(b"\n") == 1 and done.stdout == b""


@pytest.mark.parametrize("arguments, words", [
    (["FILE", "http://db/x"], b"must begin with postgresql://"), (["FILE"], b"URL is missing"),
    (["FILE", "postgresql:///x", "--shards", "0"], b"from 1 to 4096"),
    (["none.db", "postgresql:///x"], b"none.db: cannot be read")], ids=lambda _: "")
def test_nonsense_is_refused(tmp_path: pathlib.Path, arguments: list[str], words: bytes):
    path = file(tmp_path)
    done = ctl("store", "copy", *[path if word == "FILE" else word for word in arguments])
    assert done.returncode == 2 and words in done.stderr, done
