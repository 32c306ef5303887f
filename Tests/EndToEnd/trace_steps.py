"""Notes in which order a program reaches functions for the first time. gdb runs it.

TRACE_STEPS has a JSON list of [name, [linker symbols]]; the first name begins the trace. Threads
whose name contains TRACE_WITHOUT are not looked at. Writes "ready" as the first line of TRACE_FILE,
then the names in their order.
"""

from __future__ import annotations

import json
import os
import signal
import threading

import gdb  # type: ignore[import-not-found]

SECONDS = 15.0
steps = json.loads(os.environ["TRACE_STEPS"])
first = steps[0][0]
ignored = os.environ.get("TRACE_WITHOUT")
breakpoints: dict[str, list[gdb.Breakpoint]] = {}
names: dict[int, str] = {}
reached: list[str] = []


def note(event: gdb.Event) -> None:
    if isinstance(event, gdb.BreakpointEvent):
        if ignored and ignored in (gdb.selected_thread().name or ""):
            reached.append("")
            return
        reached.extend(names[each.number] for each in event.breakpoints)


def write(line: str) -> None:
    with open(os.environ["TRACE_FILE"], "a") as file:
        print(line, file=file)


for option in ("pagination off", "confirm off", "print thread-events off"):
    gdb.execute(f"set {option}")
for name, symbols in steps:
    # At the first instruction: behind it the debugger would look for lines of the source.
    breakpoints[name] = [gdb.Breakpoint(f"*&'{symbol}'") for symbol in symbols]
    for each in breakpoints[name]:
        each.silent = True
        names[each.number] = name
gdb.events.stop.connect(note)
process = gdb.selected_inferior().pid
end = threading.Timer(SECONDS, os.kill, (process, signal.SIGTRAP))
end.daemon = True
end.start()
write("ready")
left, has_begun = {name for name, _ in steps}, False
while left:
    reached.clear()
    gdb.execute("continue", to_string=True)
    if not reached:
        break
    for name in reached:
        has_begun = has_begun or name == first
        if has_begun and name in left:
            left.discard(name)
            write(name)
            for each in breakpoints[name]:
                each.delete()
end.cancel()
gdb.execute("detach")
