"""The clients of this repository pass the conformance suite, and broken ones do not."""

from __future__ import annotations

import concurrent.futures
import functools
import importlib
import pathlib
import subprocess
import sys
import uuid
from collections.abc import Callable
from dataclasses import dataclass

import pytest
import webcases
from client import REPOSITORY, binary
from documents import wait_until

SUITE = REPOSITORY / "Tests" / "Conformance"
ADAPTERS = SUITE / "adapters"
sys.path.insert(0, str(SUITE))
# A mutant that does nothing where it should do something need not be awaited for long.
MUTANT_SECONDS = 2.5
# The areas of the cases.
AREAS = importlib.import_module("run").AREAS


@dataclass(frozen=True)
class Client:
    """One client: how its adapter is built, and what it cannot do."""

    # Builds the adapter and returns its command line; skips, saying why, where that cannot be.
    command: Callable[[], str]
    areas: tuple[str, ...] = AREAS
    # Whether one process plays many cases, because it starts slowly; how many processes play.
    reuse: bool = True
    jobs: int = 8
    # Why a case does not apply, by its name; None if it does. How one that applies is played.
    reason: Callable[[str], str | None] = lambda name: None
    rewrite: Callable[[dict], dict] = lambda case: case


def python(name: str) -> Callable[[], str]:
    return lambda: f"{sys.executable} {ADAPTERS / name}"


@functools.cache
def c_adapter() -> str:
    """Compiled here: nothing else builds it."""
    from ccode import compiled
    return str(compiled("conform", ADAPTERS / "conform.c"))


def swift_adapter() -> str:
    path = binary().with_name("conform")
    if not path.is_file():
        pytest.skip(f"there is no {path}: swift build --product conform")
    return str(path)


def javascript() -> str:
    from browser import CHROMIUM, gateway_binary
    if not CHROMIUM.exists() or not gateway_binary().is_file():
        pytest.skip(f"there is no {CHROMIUM}, or no {gateway_binary()}")
    return f"{sys.executable} {ADAPTERS / 'javascript.py'}"


# A client of your own: add a line, with a function that builds its adapter.
CLIENTS = {
    "python": Client(python("python.py")),
    "asyncio": Client(python("aio.py")),
    "c": Client(c_adapter),
    "swift": Client(swift_adapter),
    # webcases.py lists what does not apply, with the reasons.
    "javascript": Client(
        javascript, ("join", "healing", "epochs", "publishing", "layers"), jobs=1,
        reason=webcases.reason, rewrite=webcases.by_frames),
}
ITEMS = [(name, area) for name, client in CLIENTS.items() for area in client.areas]


@functools.cache
def results(name: str) -> dict[str, dict[str, str | None]]:
    """Why each case failed, by area; plays all cases of a client at once."""
    from run import read, run

    client = CLIENTS[name]
    cases = [client.rewrite(case) for case in read(list(client.areas))
             if client.reason(case["name"]) is None]
    found = run(client.command(), cases, reuse=client.reuse, jobs=client.jobs)
    return {area: {case["name"]: found[case["name"]] for case in cases if case["area"] == area}
            for area in client.areas}


def test_a_client_that_never_connects_leaves_no_socket():
    from peer import Adapter, Mismatch, Peer

    adapter = Adapter(f"{sys.executable} -c pass")
    try:
        with pytest.raises(Mismatch) as failure:
            Peer(adapter)
    finally:
        adapter.close()
    peers = [entry.locals["self"] for entry in failure.traceback if "self" in entry.locals]
    assert peers and all(peer.context.closed for peer in peers)


@pytest.mark.parametrize(("name", "area"), ITEMS)
def test_a_client_passes(name: str, area: str):
    found = results(name)[area]
    failures = [f"{case}: {why}" for case, why in found.items() if why is not None]
    assert found and not failures, "\n".join(failures)


# Clients that take keys, and cases that play all that they do on the wire: some seconds.
WITH_KEYS = ("python", "asyncio", "c", "swift")
KEYED = (
    "join: the snapshot, then every change", "join: all sessions, page by page",
    "healing: only the session that has the gap", "epochs: two restarts",
    "publishing: an acknowledged notification gets an id", "publishing: a refusal has its code",
    "publishing: an event without acknowledgement", "publishing: events come in their order")


@pytest.mark.parametrize("name", WITH_KEYS)
def test_a_client_passes_with_keys(name: str):
    from run import read, run

    cases = [case for case in read() if case["name"] in KEYED]
    assert len(cases) == len(KEYED)
    found = run(CLIENTS[name].command(), cases, reuse=True, jobs=2, curve=True)
    failures = [f"{case}: {why}" for case, why in found.items() if why is not None]
    assert not failures, "\n".join(failures)


def test_without_its_keys_a_client_fails(monkeypatch: pytest.MonkeyPatch):
    """So the cases above do speak CURVE."""
    from curve import Keys
    from run import read, run

    monkeypatch.setattr(Keys, "fields", {})
    cases = [case for case in read() if case["name"] == KEYED[0]]
    found = run(CLIENTS["python"].command(), cases, seconds=MUTANT_SECONDS, curve=True)
    assert found[KEYED[0]] is not None


def marked(mark: str) -> list[str]:
    """The programs that run with this mark in their environment."""
    found = []
    for environment in pathlib.Path("/proc").glob("[0-9]*/environ"):
        try:
            if mark.encode() in environment.read_bytes():
                found.append((environment.parent / "comm").read_text().strip())
        except OSError:
            continue
    return found


@pytest.mark.parametrize("passes", [True, False])
def test_the_browser_ends_with_its_adapter(passes: bool, monkeypatch: pytest.MonkeyPatch):
    from run import run
    mark = f"CONFORMANCE_MARK={uuid.uuid4()}"
    monkeypatch.setenv(*mark.split("="))
    # Without an answer the page still waits for it when the case has failed.
    steps = [{"tell": {"do": "request", "op": "stats", "fields": {}}},
             {"asked": {"op": "stats"}, "answer": {} if passes else None},
             {"says": {"done": {"ok": True}}}]
    case = {"name": "ends", "area": "publishing", "steps": steps}
    failed = run(javascript(), [case], reuse=True, seconds=MUTANT_SECONDS)["ends"]
    assert (failed is None) == passes, failed
    wait_until(lambda: not marked(mark), "all that the adapter started has ended", 10)


def test_each_case_that_does_not_apply_to_a_browser_is_there():
    from run import read

    names = [case["name"] for case in read()]
    for parts in webcases.WITHOUT.values():
        assert all(any(part in name for name in names) for part in parts), parts


def mutants() -> dict[str, tuple[str, ...]]:
    """The broken clients, and the cases that each of them must fail."""
    sys.path.insert(0, str(ADAPTERS))
    broken = importlib.import_module("broken")
    return {name: cases for name, (_, cases) in broken.MUTANTS.items()}


@functools.cache
def failures() -> dict[str, dict[str, str | None]]:
    """Why each mutant failed its cases; plays some at a time, as they mostly wait."""
    from run import read, run

    cases = {case["name"]: case for case in read()}

    def play(item: tuple[str, tuple[str, ...]]) -> dict[str, str | None]:
        command = f"{sys.executable} {ADAPTERS / 'broken.py'} {item[0]}"
        return run(command, [cases[name] for name in item[1]], jobs=2,
                   seconds=MUTANT_SECONDS)

    with concurrent.futures.ThreadPoolExecutor(10) as pool:
        return dict(zip(mutants(), pool.map(play, mutants().items()), strict=True))


@pytest.mark.parametrize("name", mutants())
def test_a_broken_client_fails(name: str):
    passed = [case for case, why in failures()[name].items() if why is None]
    assert failures()[name] and not passed, f"{name} passes {passed}"


def runner(*arguments: object) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, SUITE / "run.py", *map(str, arguments)], capture_output=True, text=True)


def test_the_runner_counts_and_names_what_fails():
    passing = runner("--area", "curves", python("python.py")())
    assert (passing.returncode, passing.stdout) == (0, "10 passed, 0 failed\n")
    broken = f"{sys.executable} {ADAPTERS / 'broken.py'} knows_lines_only"
    failing = runner("--area", "curves", broken)
    assert failing.returncode == 1 and failing.stdout.endswith("6 passed, 4 failed\n")
    assert "failed: curves: ease-in\n    ask 3 ({'x': 0.001}): it.y is 0.001" in failing.stdout
    assert len(runner("--list").stdout.splitlines()) > 90


@pytest.mark.parametrize("command", ["/nowhere/at/all", "false", "yes", "echo '[]'", "'", "cat"])
def test_an_adapter_that_is_none_fails_every_case(command: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("CONFORMANCE_SECONDS", "1")
    done = runner("--case", "seq 0", "--case", "ease-in-out", command)
    assert (done.returncode, done.stderr) == (1, ""), done.stderr
    assert done.stdout.endswith("0 passed, 2 failed\n")


def test_the_expected_values_are_those_of_the_models():
    """The models of the protocol give what the files say: nobody has edited them by hand."""
    made = subprocess.run(
        [sys.executable, SUITE / "make.py", "--check"], capture_output=True, text=True)
    assert made.returncode == 0, made.stdout + made.stderr
