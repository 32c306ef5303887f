"""Members of a cluster whose endpoints ask for keys."""

from __future__ import annotations

import json
import pathlib

import pytest
import zmq.auth
from cluster import Cluster, absent
from keys import Keys
from postgres import Postgres
from reliability import wait_for
from scenes import still


@pytest.fixture(scope="module")
def postgres():
    with Postgres() as postgres:
        yield postgres


@pytest.mark.skipif(bool(absent()), reason=absent())
def test_an_event_is_passed_on_by_keys(postgres: Postgres, tmp_path: pathlib.Path):
    """The members have one server key, and by it each is a client of the others."""
    keys = Keys(tmp_path)
    secret = keys.add("panel")
    server_key = zmq.auth.load_certificate(str(keys.server_public))[0]
    with Cluster(
        postgres, names=("left", "right"), config=keys.config(), certificate=str(secret),
        server_key=server_key,
    ) as cluster:
        clients = [keys.client(member, "panel") for member in cluster.members.values()]
        controls = [client.requests() for client in clients]
        owner = controls[0].ok("locate", session="alice")["owner"]["name"]
        place = list(cluster.members).index(owner)
        controls[place].open("alice", still())
        body = json.dumps({"kind": "likes"}).encode()
        for number, client in enumerate(clients, 1):
            client.publisher().raw(b"notification/alice", body, b"3")
            wait_for(lambda: controls[place].badge("alice")["total"] == number,
                     f"what {client.daemon.name} got counts")
