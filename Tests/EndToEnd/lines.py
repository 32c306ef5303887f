"""A program that a test drives: one JSON object a line in, one a line out, matched by `id`."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import time
from typing import IO

import zmq
from client import DEADLINE


class Lines:
    """The program ends with its input, and then with `status`."""

    def __init__(
        self, command: list, environment: dict[str, str] | None = None,
        errors: IO[str] | None = None,
    ):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors,
            env=os.environ | (environment or {}),
            # Lines that wait in a buffer would be hidden from poll.
            bufsize=0)
        self.ids, self.early = itertools.count(1), {}
        self.status = 0

    def __enter__(self) -> Lines:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        self.process.stdin.close()
        try:
            code = self.process.wait(DEADLINE)
        finally:
            self.process.kill()
            self.process.wait()
            self.process.stdout.close()
        assert kind is not None or code == self.status, f"it ended with {code}"

    def tell(self, what: str, **fields: object) -> int:
        number = next(self.ids)
        line = json.dumps({"do": what, "id": number, **fields})
        self.process.stdin.write(line.encode() + b"\n")
        return number

    def answer(self, number: int) -> dict:
        poller = zmq.Poller()
        poller.register(self.process.stdout.fileno(), zmq.POLLIN)
        end = time.monotonic() + DEADLINE
        while number not in self.early:
            left = end - time.monotonic()
            assert left > 0 and poller.poll(left * 1000), f"no answer to {number}"
            line = self.process.stdout.readline()
            assert line, f"it ended with {self.process.wait(DEADLINE)}"
            said = json.loads(line)
            self.early[said["id"]] = said["answer"]
        return self.early.pop(number)

    def do(self, what: str, **fields: object) -> dict:
        return self.answer(self.tell(what, **fields))
