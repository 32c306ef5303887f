"""Sessions of one peer cost those of others nothing, whatever it does with them."""

from __future__ import annotations

import signal

import zmq
from client import DEADLINE, Daemon
from costly_scenes import LISTS, changed
from scenes import still

# Two names that have one FNV-1a hash.
EQUAL = ("8yn0iYCKYHlIj4-BwPqk", "GReLUrM4wMqfg9yzV3KQ")
# Changes that are under way: each takes more than a millisecond.
CHANGES = 300
# The highest version that an import may have.
VERSION_MAX = 3 << 51


def test_a_name_of_an_equal_hash_does_not_stand_in_ones_way():
    """Its costly work is not the other one's."""
    with Daemon("lanes = 1\n") as daemon:
        control, busy = daemon.requests(), daemon.requests()
        control.open(EQUAL[0], changed(0))
        control.open(EQUAL[1], still())
        for number in range(CHANGES):
            busy.send(
                "publish", topic=f"command/{EQUAL[0]}",
                body={"command": "set", "component": f"list{number % LISTS}",
                      "values": {"rows": 20 + number % 9}})
        assert busy.socket.poll(DEADLINE * 1_000), "the first change is made"
        control.notify(EQUAL[1], "likes")
        answered = 0
        while busy.socket.poll(0):
            busy.socket.recv_multipart(zmq.NOBLOCK)
            answered += 1
        assert answered < CHANGES / 2, "it waited for the other one's changes"


def test_an_imported_version_brings_no_others_beyond_what_is_imported():
    with Daemon("lanes = 1\n") as daemon:
        control = daemon.requests()
        control.open("mine", still())
        document = control.export("mine")
        document["state"]["badges"] |= {"version": VERSION_MAX, "firstVersion": VERSION_MAX}
        control.ok("import", session="hostile", document=document)
        control.ok("close", session="hostile")
        control = daemon.restart(signal.SIGTERM)
        control.open("other", still())
        control.notify("other", "likes")
        document = control.export("other")
        control.ok("import", session="again", document=document)
        assert control.badge("again")["counts"] == {"likes": 1}
