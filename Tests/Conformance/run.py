#!/usr/bin/env python3
"""Runs the conformance cases against clients: run.py [OPTIONS] ADAPTER…

Each ADAPTER is a command line, as "python3 adapters/python.py"; README.md says what it does.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import contextlib
import json
import pathlib
import queue
import sys

from curve import Keys
from notation import Mismatch, close
from peer import STEP_SECONDS, Adapter, Peer
from steps import Script

FOLDER = pathlib.Path(__file__).resolve().parent
AREAS = ("join", "healing", "epochs", "publishing", "layers", "hits", "curves")
# Cases at a time: they mostly wait.
JOBS = 8


def read(areas: list[str] | None = None) -> list[dict]:
    """All cases, each with its area."""
    found = []
    for area in areas or AREAS:
        cases = json.loads((FOLDER / "cases" / f"{area}.json").read_text(encoding="utf-8"))
        found += [{"area": area, **case} for case in cases]
    return found


def is_pure(case: dict) -> bool:
    return "asks" in case


def picture(name: str) -> dict:
    """A scene and the states of its components, as `layers` and `hit` take them."""
    return json.loads((FOLDER / "scenes" / f"{name}.json").read_text(encoding="utf-8"))


def run_pure(case: dict, peer: Peer) -> None:
    shown = case.get("picture", {})
    shown = picture(shown) if isinstance(shown, str) else shown
    for number, ask in enumerate(case["asks"], 1):
        peer.adapter.tell({**shown, **case.get("tell", {}), **ask["tell"]})
        said = peer.hear(f"the answer to {ask['tell']}", peer.take_connected)
        if why := close(ask["says"], said, case.get("within", 1e-9)):
            raise Mismatch(f"ask {number} ({ask['tell']}): {why}")


def run_all_pure(
    cases: list[dict], command: str, seconds: float,
) -> dict[str, str | None]:
    """One process for all of them; after a failure it is another."""
    results: dict[str, str | None] = {}
    adapter = peer = None
    for case in cases:
        try:
            if peer is None:
                adapter = Adapter(command)
                peer = Peer(adapter, seconds=seconds)
            run_pure(case, peer)
            results[case["name"]] = None
        except Mismatch as error:
            results[case["name"]] = str(error)
            if peer is not None:
                peer.close()
            if adapter is not None:
                adapter.close()
            adapter = peer = None
    if peer is not None:
        peer.close()
        adapter.close()
    return results


def run_wire(
    case: dict, adapters: queue.SimpleQueue, command: str, reuse: bool, seconds: float,
    keys: Keys | None,
) -> str | None:
    """Why the case failed; None if it passed."""
    adapter, script, keep = None, None, False
    try:
        with contextlib.suppress(queue.Empty):
            adapter = adapters.get_nowait()
        adapter = adapter or Adapter(command)
        script = Script(case, adapter, seconds, keys)
        script.run(reuse)
        keep = reuse
        return None
    except Mismatch as error:
        return str(error)
    finally:
        if script is not None:
            script.close()
        if keep:
            adapters.put(adapter)
        elif adapter is not None:
            adapter.close()


def run(
    command: str, cases: list[dict], *, reuse: bool = False, jobs: int = JOBS,
    seconds: float = STEP_SECONDS, curve: bool = False,
) -> dict[str, str | None]:
    """The result of each case by its name: None, or why it failed.

    With `reuse` an adapter's process plays one case after the other, each with a `connect`. A step
    takes at most `seconds`. With `curve` the sockets ask for keys.
    """
    pure = [case for case in cases if is_pure(case)]
    wire = [case for case in cases if not is_pure(case)]
    adapters: queue.SimpleQueue = queue.SimpleQueue()
    keys = Keys() if curve else None
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        first = pool.submit(run_all_pure, pure, command, seconds)
        others = {case["name"]: pool.submit(
            run_wire, case, adapters, command, reuse, seconds, keys)
                  for case in wire}
        results = first.result() | {name: other.result() for name, other in others.items()}
    while not adapters.empty():
        adapters.get().close()
    if keys:
        keys.close()
    return {case["name"]: results[case["name"]] for case in cases}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("adapters", nargs="*", metavar="ADAPTER", help="a command line")
    parser.add_argument("--area", action="append", choices=AREAS, help="only this area")
    parser.add_argument("--case", action="append", metavar="TEXT", help="only names with this text")
    parser.add_argument("--reuse", action="store_true", help="one process plays many cases")
    parser.add_argument("--jobs", type=int, default=JOBS, metavar="N", help="cases at a time")
    parser.add_argument("--curve", action="store_true", help="the sockets ask for keys")
    parser.add_argument("--list", action="store_true", help="print the cases and end")
    options = parser.parse_args()
    cases = [case for case in read(options.area) if not options.case or any(
        text in case["name"] for text in options.case)]
    if options.list:
        for case in cases:
            print(f"{case['area']:<11} {case['name']}")
        return 0
    if not options.adapters:
        parser.error("name an ADAPTER")
    passed = failed = 0
    for command in options.adapters:
        results = run(command, cases, reuse=options.reuse, jobs=options.jobs, curve=options.curve)
        for name, why in results.items():
            passed, failed = passed + (why is None), failed + (why is not None)
            if why is not None:
                print(f"failed: {name}\n    {why}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
