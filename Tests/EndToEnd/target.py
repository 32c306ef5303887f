"""A daemon and a gesture-web that are attacked, and the bystanders that stand there meanwhile."""

from __future__ import annotations

import contextlib
import os
import pathlib
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from types import SimpleNamespace

from bystander import (
    NEVER_MS, Acknowledged, Arrival, Attack, Bystander, Follower, Machine, Newcomer, Shown, WebPeer,
    p99)
from client import DEADLINE, Daemon, binary
from costly_scenes import moving
from curve_daemon import CurveDaemon
from reliability import busy_seconds
from scenes import scene, still, toss
from web import Web

# The promises are the optimised build's. A debug build parses a large request in a second.
IS_DEBUG = "debug" in binary().parts
DEBUG_LATE_MS = 3_000.0
MEMORY_MEBIBYTES_MAX = 512.0
# The time after an attack counts, too: it may leave work behind.
SECONDS_AFTER = 0.3
# Seconds in which all bystanders must have what they want before the next attack begins.
CALM_SECONDS, CALM_MAX = 0.25, 20.0
# Where the machine itself keeps a process waiting for longer, or others take more than such a share
# of a core, an attack that harms is tried again, so often in all.
MACHINE_LATE_MS, OTHERS_CORES, TRIES = 30.0, 0.25, 3
# Seconds of the look that decides where a bound does not hold in a short one.
LONG_SECONDS = 8.0
# The seconds of processor time that a loop takes where the bounds were first held. Attacks use all
# of the processor, so a slower one has longer bounds, up to twice as long.
LOOP_COUNT, LOOP_SECONDS, SLOWNESS_MAX = 500_000, 0.042, 2.0
# Sessions that stay from one attack to the next.
STANDING = ("bystander", "neighbour", "acknowledged", "moving", "visitor", "large", "kiosk-2")
# May do everything, touch and read sessions whose names begin so.
EVERYTHING = 'publish = ["*"]\ncontrol = "all"\nread = ["*"]'
RESTRICTED = 'publish = ["mine*"]\ncontrol = "own"\nread = ["mine*"]'
# Sessions that only move have no events; a soak lasts for longer than the usual half hour.
CONFIG = "[sessions]\nidle_timeout = 86400\n"
KIOSK = 'publish = ["kiosk-1*"]\ncontrol = "own"\nread = ["kiosk-1*"]'


def loop_seconds() -> float:
    """The processor time of one loop."""
    began, value = time.thread_time(), 0
    for number in range(LOOP_COUNT):
        value = (value * 31 + number) & 0xFFFFFFFF
    return time.thread_time() - began


# How many times longer than usual the bounds are here.
SLOWNESS = min(max(1.0, min(loop_seconds() for _ in range(5)) / LOOP_SECONDS), SLOWNESS_MAX)


def bound(milliseconds: float) -> float:
    return max(milliseconds, DEBUG_LATE_MS) if IS_DEBUG else milliseconds * SLOWNESS


def mebibytes(process: int, key: str) -> float:
    with open(f"/proc/{process}/status", encoding="ascii") as status:
        line = next(line for line in status if line.startswith(key))
    return int(line.split()[1]) / 1024


def forget_peak(process: int) -> None:
    """Lets VmHWM begin again at the memory of this instant."""
    pathlib.Path(f"/proc/{process}/clear_refs").write_text("5")


def busy_in_all() -> float:
    """The seconds of processor time that all processes of the machine have taken."""
    fields = [int(field) for field in pathlib.Path("/proc/stat").read_text().split()[1:9]]
    return (sum(fields) - fields[3] - fields[4]) / os.sysconf("SC_CLK_TCK")


def descriptors(process: int) -> int:
    return len(os.listdir(f"/proc/{process}/fd"))


@dataclass
class Harm:
    """The harm that the bystanders noticed of an attack."""

    # The milliseconds of all waits of each kind.
    waits: dict[str, list[float]]
    # MiB at the peak, and the share of a core, of each program; that of `others` is of those that
    # belong to nothing here.
    memory: dict[str, float]
    busy: dict[str, float]
    faults: list[str]
    # Seconds after the attack until all was as before.
    calm: float = 0

    def late(self, what: str) -> float:
        return p99(self.waits[what])

    @property
    def machine(self) -> float:
        """The milliseconds that the machine itself kept a process waiting, at most."""
        return max(self.waits["machine"], default=0)

    @property
    def is_clean(self) -> bool:
        """Whether nothing else has disturbed the measurement."""
        return self.machine < MACHINE_LATE_MS and self.busy["others"] < OTHERS_CORES

    def allowed(self, what: str, milliseconds: float) -> float:
        """A bound, and what the machine itself adds: at most as much again."""
        disk = self.late("disk") if "publish" in what else 0
        return bound(milliseconds) + min(self.machine + disk, milliseconds)

    def __str__(self) -> str:
        waits = ", ".join(
            f"{what} {self.late(what):.0f}/{max(times, default=NEVER_MS):.0f}"
            for what, times in self.waits.items())
        memory = " ".join(f"{name} {value:.0f}" for name, value in self.memory.items())
        busy = " ".join(f"{name} {value:.2f}" for name, value in self.busy.items())
        faults = f"; {len(self.faults)} faults: {self.faults[:3]}" if self.faults else ""
        return (f"p99/most ms: {waits}; MiB: {memory}; cores: {busy}; "
                f"calm after {self.calm:.1f} s{faults}")

    def beyond(self, bounds: dict[str, float], memory: float = MEMORY_MEBIBYTES_MAX) -> list[str]:
        """The bounds that do not hold."""
        found = [
            f"{what} p99 {self.late(what):.0f} ms, of {self.allowed(what, bounds[what]):.0f}"
            for what in self.waits if self.late(what) > self.allowed(what, bounds[what])]
        return found + self.broken(memory)

    def broken(self, memory: float = MEMORY_MEBIBYTES_MAX) -> list[str]:
        """The bounds of memory that do not hold, and the faults."""
        return [f"{name} {value:.0f} MiB, of {memory:.0f}"
                for name, value in self.memory.items() if value > memory] + self.faults[:3]


# The 99th percentile's bounds in milliseconds, by what a bystander waits for.
BOUNDS = {
    what: milliseconds
    for kind in (Shown, Acknowledged, Follower, WebPeer, Arrival, Newcomer, Machine)
    for what, milliseconds in kind.bounds.items()}


@dataclass
class Target:
    """Both programs, with or without keys between them and everybody."""

    is_curve: bool = False
    # Sessions beside those of the bystanders; every other one moves.
    guests: int = 0
    bystanders: list[Bystander] = field(default_factory=list)

    def __enter__(self) -> Target:
        self.stack = contextlib.ExitStack()
        with contextlib.ExitStack() as starting:
            self._start(starting)
            self.stack = starting.pop_all()
        return self

    def _start(self, stack: contextlib.ExitStack) -> None:
        if self.is_curve:
            clients = {"attacker": EVERYTHING, "web": EVERYTHING, "restricted": RESTRICTED,
                       "kiosk": KIOSK}
            self.daemon: Daemon = CurveDaemon(CONFIG, clients=clients, ipc=True)
        else:
            self.daemon = Daemon(CONFIG)
        stack.enter_context(self.daemon)
        self.control = self.daemon.requests()
        large = {f"t{number}": toss() | {"id": f"t{number}"} for number in range(30)}
        self.control.open("large", scene(*large.values()))
        for number in range(self.guests):
            self.control.open(f"guest{number}", moving() if number % 2 else still())
        self.web = stack.enter_context(Web(SimpleNamespace(**self.zones()[0]), *self._key()))
        stack.callback(self._leave)
        self.place = (self.web.host, self.web.port)
        with self.web.connect() as client:
            client.web(daemon=True)
        self.revive()

    def _key(self) -> list[str]:
        """The arguments of gesture-web that name its key."""
        if not self.is_curve:
            return []
        folder = self.daemon.folder
        self.daemon.clients["web"].write(folder, "web", with_secret=True)
        return ["--key", str(folder / "web.key_secret"), "--server-key", str(folder / "server.key")]

    def __exit__(self, *error: object) -> None:
        self.stack.__exit__(*error)

    def _leave(self) -> None:
        for bystander in self.bystanders:
            bystander.is_ending = True
        for bystander in self.bystanders:
            bystander.join(DEADLINE)

    def zones(self) -> list[dict[str, str]]:
        """The endpoints of each kind: of tcp, and over ipc where it has those."""
        kinds = ("events", "updates", "control")
        values = zip(*(getattr(self.daemon, kind).split(",") for kind in kinds), strict=True)
        return [dict(zip(kinds, value, strict=True)) for value in values]

    def revive(self) -> None:
        """Starts the bystanders, and those again whose connection was lost."""
        makers: dict[str, Callable[[], Bystander]] = {
            session: lambda session=session, zone=zone: Shown(
                self.daemon, self.control, zone["events"], zone["updates"], session)
            for session, zone in zip(("bystander", "neighbour"), self.zones(), strict=False)}
        makers |= {
            "acknowledged": lambda: Acknowledged(
                self.daemon.requests(), "acknowledged",
                *(f"guest{number}" for number in range(0, self.guests, 2))),
            "moving": lambda: Follower(self.place), "visitor": lambda: WebPeer(self.place),
            "newcomer": lambda: Newcomer(self.place),
            "machine": lambda: Machine(self.daemon.folder)}
        living = {bystander.name: bystander for bystander in self.bystanders
                  if bystander.is_alive()}
        for name in makers.keys() - living.keys():
            living[name] = makers[name]()
            living[name].name = name
            living[name].start()
        self.bystanders = list(living.values())

    # MARK: Attacks

    def client(
        self, name: str, client: str = "attacker", zone: int = 0, pushes: bool = False,
    ) -> Callable[[float], Attack]:
        """An attack on the daemon, with a client's key where it asks for one; with `pushes` at the
        push endpoint in place of the one for events."""
        keys = ""
        if self.is_curve and not zone:
            pair = self.daemon.clients[client]
            keys = b" ".join(
                (self.daemon.server.public, pair.public, pair.secret)).decode()
        places = self.zones()[zone]
        if pushes:
            places["events"] = self.daemon.push.split(",")[zone]
        return lambda seconds: Attack(
            "attacks.py", name, *places.values(), str(seconds), keys=keys,
            events_kind="PUSH" if pushes else "PUB")

    def stranger(self, name: str) -> Callable[[float], Attack]:
        """An attack on the daemon without a key that it knows."""
        return lambda seconds: Attack(
            "attacks_strangers.py", name, self.daemon.server.public.decode(),
            ",".join([*self.zones()[0].values(), self.daemon.push.split(",")[0]]), str(seconds))

    def visitor(self, name: str) -> Callable[[float], Attack]:
        """An attack through gesture-web."""
        return lambda seconds: Attack(
            "web_attacks.py", name, f"{self.web.host}:{self.web.port}", str(seconds))

    @property
    def processes(self) -> dict[str, int]:
        return {"gestured": self.daemon.process.pid, "gesture-web": self.web.process.pid}

    def prove(
        self, attacks: Iterable[Callable[[float], Attack]], seconds: float,
        bounds: dict[str, float] = BOUNDS, memory: float = MEMORY_MEBIBYTES_MAX,
        more: list[Bystander] | None = None,
    ) -> None:
        """Holds attacks to the bounds."""
        harm = self.judge(attacks, seconds, bounds, memory, more)
        assert not (found := harm.beyond(bounds, memory)), f"{found}; {harm}"

    def judge(
        self, attacks: Iterable[Callable[[float], Attack]], seconds: float,
        bounds: dict[str, float] = BOUNDS, memory: float = MEMORY_MEBIBYTES_MAX,
        more: list[Bystander] | None = None,
    ) -> Harm:
        """The harm of attacks, by a longer look where a bound does not hold in a short one: the
        99th percentile of fifty waits is the longest one."""
        attacks = list(attacks)
        harm = self._judge(attacks, seconds, bounds, memory, more)
        if harm.beyond(bounds, memory) and not harm.broken(memory) and seconds < LONG_SECONDS:
            harm = self._judge(attacks, LONG_SECONDS, bounds, memory, more)
        return harm

    def _judge(
        self, attacks: list[Callable[[float], Attack]], seconds: float,
        bounds: dict[str, float], memory: float, more: list[Bystander] | None,
    ) -> Harm:
        """Where something else disturbed the measurement, it tries again."""
        for _ in range(TRIES):
            harm = self.suffer(attacks, seconds, more)
            print(harm)
            if harm.is_clean or not harm.beyond(bounds, memory):
                break
        return harm

    def suffer(
        self, attacks: Iterable[Callable[[float], Attack]], seconds: float,
        more: list[Bystander] | None = None,
    ) -> Harm:
        """Runs attacks at once beside the bystanders, and waits until all is as before."""
        self.revive()
        watched = [*self.bystanders, *(more or [])]
        for bystander in watched:
            bystander.faults.clear()
        for process in self.processes.values():
            forget_peak(process)
        processes = self.processes
        busy = {name: busy_seconds(process) for name, process in processes.items()}
        used, own, begin = busy_in_all(), time.process_time(), time.monotonic()
        with contextlib.ExitStack() as stack:
            started = [attack(seconds) for attack in attacks]
            for attack in started:
                stack.callback(attack.end)
            for attack in started:
                attack.begins()
            time.sleep(max(0, begin + seconds + SECONDS_AFTER - time.monotonic()))
            took = time.monotonic() - begin
            busy = {name: (busy_seconds(process) - busy[name]) / took
                    for name, process in processes.items()}
            own = time.process_time() - own + sum(
                busy_seconds(attack.process.pid) for attack in started)
            busy["others"] = (busy_in_all() - used - own) / took - sum(busy.values())
        return self._harm(watched, begin, busy)

    def _harm(self, watched: list[Bystander], begin: float, busy: dict[str, float]) -> Harm:
        end = time.monotonic()
        # A wait that is under way counts as it ends.
        while time.monotonic() < end + CALM_MAX and not all(
                bystander.has_passed(end) for bystander in watched):
            time.sleep(0.02)
        waits: dict[str, list[float]] = {}
        for bystander in watched:
            for what in bystander.bounds:
                times = bystander.between(what, begin, end)
                if not bystander.has_passed(end):
                    times.append(NEVER_MS)
                waits.setdefault(what, []).extend(times)
        faults = [f"{bystander.name}: {fault}" for bystander in watched
                  for fault in bystander.faults]
        memory = {name: mebibytes(process, "VmHWM") for name, process in self.processes.items()}
        harm = Harm(waits, memory, busy, faults)
        self.clean()
        harm.calm = self.calm(watched)
        return harm

    def attacked(self) -> list[str]:
        """The sessions that attacks have opened."""
        return [name for name in self.control.sessions()
                if name not in STANDING and not name.startswith("guest")]

    def clean(self) -> None:
        """Closes them."""
        numbers = [self.control.send("close", session=name) for name in self.attacked()]
        for number in numbers:
            self.control.reply(number)

    def calm(self, watched: list[Bystander]) -> float:
        """Waits until no bystander waits for longer than it may."""
        began = time.monotonic()
        while time.monotonic() < began + CALM_MAX:
            begin = time.monotonic()
            time.sleep(CALM_SECONDS)
            late = [bystander.name for bystander in watched if bystander.is_alive() and any(
                not (times := bystander.between(what, begin, time.monotonic()))
                or max(times) > bound(milliseconds)
                for what, milliseconds in bystander.bounds.items())]
            if not late:
                return begin - began
        raise AssertionError(f"{late} still wait {CALM_MAX} s after the attack")
