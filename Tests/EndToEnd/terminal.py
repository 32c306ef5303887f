"""A terminal for gesturectl: a pseudo terminal with a strict reader of the output.

It understands only the sequences of `watch --draw` and fails on any other.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
import time

import zmq
from client import DEADLINE, Daemon, binary

SEQUENCE = re.compile(rb"\x1b\[(\??)([\d;]*)([A-Za-z])")
# Pixels: a sixel image, or a command of kitty's protocol.
GRAPHICS = re.compile(rb"\x1b([P_])(.*?)\x1b\\", re.DOTALL)
# The quarters of a cell that a letter fills: top left, top right, bottom left, bottom right.
BLOCKS = dict(zip(" ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█", (
    [bool(bits >> place & 1) for place in range(4)] for bits in range(16))))


class Terminal:
    """gesturectl on its own terminal; `rows` holds the visible text."""

    def __init__(
        self, daemon: Daemon, *arguments: str, columns: int = 80, rows: int = 24, **variables: str
    ):
        self.master, slave = pty.openpty()
        self.before = termios.tcgetattr(slave)
        self.slave = slave
        self.frames, self.is_own, self.hides_cursor, self.raw = 0, False, False, b""
        self.colors: set[str] = set()
        self.paint: list[str | None] = [None, None]
        self.graphics: list[bytes] = []
        self.resize(columns, rows)
        environment = {
            name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TERM")}
        environment |= {
            "TERM": "xterm-256color", "GESTURED_EVENTS": daemon.events,
            "GESTURED_UPDATES": daemon.updates, "GESTURED_CONTROL": daemon.control} | variables
        self.process = subprocess.Popen(
            [str(binary().with_name("gesturectl")), *arguments], env=environment, stdin=slave,
            stdout=slave, stderr=subprocess.PIPE, start_new_session=True)
        self.poller = zmq.Poller()
        self.poller.register(self.master, zmq.POLLIN)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()
        os.close(self.master)
        os.close(self.slave)

    def resize(self, columns: int, rows: int) -> None:
        self.columns, self.height = columns, rows
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read(self, seconds: float) -> None:
        """Takes all output within this time."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0 and self.poller.poll(left * 1000):
            self.raw += os.read(self.master, 65536)
            self.take()

    def until(self, wanted, why: str, deadline: float = DEADLINE) -> None:
        end = time.monotonic() + deadline
        while not wanted():
            assert time.monotonic() < end, f"no {why} within {deadline} s:\n{self.text}"
            self.read(0.05)

    def end(self, number: int) -> int:
        self.process.send_signal(number)
        code = self.process.wait(DEADLINE)
        self.read(0.1)
        # It may take a while to read all that was written before.
        end = time.monotonic() + DEADLINE
        while self.is_own and time.monotonic() < end and self.poller.poll(0):
            self.read(0.1)
        return code

    @property
    def text(self) -> str:
        return "\n".join("".join(row).rstrip() for row in self.rows)

    rows: list[list[str]] = []
    paints: list[list[tuple[str | None, str | None]]] = []
    row = column = 0

    def clear(self) -> None:
        self.rows = [[" "] * self.columns for _ in range(self.height)]
        self.paints = [[(None, None)] * self.columns for _ in range(self.height)]

    def dye(self, numbers: list[str]) -> None:
        """Takes the colors of one sequence; words in one of eight colors stay as they are."""
        while numbers:
            number = numbers.pop(0)
            if number in ("38", "48"):
                count = 4 if numbers[0] == "2" else 2
                color, numbers = ";".join(numbers[1:count]), numbers[count:]
                self.paint["38 48".split().index(number)] = color
            elif number in ("39", "49"):
                self.paint["39 49".split().index(number)] = None
            elif number == "0":
                self.paint = [None, None]

    def pixels(self, columns: int, rows: int) -> list[list[str | None]]:
        """The colors of the quarters of the first cells, two down and two across in each."""
        image: list[list[str | None]] = []
        for letters, paints in zip(self.rows[:rows], self.paints):
            for half in (0, 2):
                image.append([
                    paint[0] if BLOCKS[letter][half + side] else paint[1]
                    for letter, paint in zip(letters[:columns], paints) for side in (0, 1)])
        return image

    def take(self) -> None:
        """Reads the complete sequences."""
        while self.raw:
            if self.raw[:2] == b"\x1b\\":
                self.raw = self.raw[2:]  # The end of a command that a signal cut.
                continue
            if self.raw[:2] in (b"\x1bP", b"\x1b_"):
                match = GRAPHICS.match(self.raw)
                if not match:
                    return
                self.graphics.append(match[1] + match[2])
                self.raw = self.raw[match.end():]
                continue
            if self.raw[0] == 0x1B:
                match = SEQUENCE.match(self.raw)
                if not match:
                    assert len(self.raw) < 60, f"unknown sequence: {self.raw[:40]!r}"
                    return
                self.raw = self.raw[match.end():]
                self.obey(match[1].decode() + match[3].decode(), match[2].decode())
                continue
            size = 1 if self.raw[0] < 0x80 else 2 if self.raw[0] < 0xE0 else 3
            if len(self.raw) < size:
                return
            letter, self.raw = self.raw[:size].decode(), self.raw[size:]
            if not self.is_own:
                continue  # Text of the previous screen.
            assert letter >= " ", f"{letter!r} moves the cursor"
            assert self.column < self.columns, f"beyond the edge: {self.text}"
            self.rows[self.row][self.column] = letter
            self.paints[self.row][self.column] = tuple(self.paint)
            self.column += 1

    def obey(self, name: str, numbers: str) -> None:
        if name == "H":
            row, column = map(int, numbers.split(";"))
            assert 1 <= row <= self.height, f"row {row} of {self.height}"
            self.row, self.column = row - 1, column - 1
        elif name == "K":
            rest = self.columns - self.column
            self.rows[self.row][self.column:] = [" "] * rest
            self.paints[self.row][self.column:] = [(None, None)] * rest
        elif name == "J":
            assert numbers == "2"
            self.frames += 1
            self.clear()
        elif name == "G":
            assert 1 <= int(numbers) <= self.columns
            self.column = int(numbers) - 1
        elif name == "m":
            self.colors.add(numbers)
            self.dye(numbers.split(";"))
        elif name in ("?h", "?l"):
            is_on = name == "?h"
            if numbers == "1049":
                self.is_own = is_on
                self.clear()
            elif numbers == "25":
                self.hides_cursor = not is_on
            else:
                assert numbers == "7", f"mode {numbers}"
        else:
            raise AssertionError(f"sequence {name} {numbers}")

    def expect_restored(self) -> None:
        assert not self.is_own and not self.hides_cursor, "the drawing mode remains"
        assert termios.tcgetattr(self.slave)[3] == self.before[3], "keys stay hidden"
