"""The conformance cases that Clients/web/gestured.js can play, and why it cannot play the others.

It follows one session as a picture, through gesture-web: by `scene/`, `frame/`, `session/` and
`rejected/`. So the cases about a state and a badge are played with a frame and a session's event.
"""

from __future__ import annotations

import json

# Topics of a case, and the ones that stand for them.
TOPICS = (("state/s/a ", "frame/s "), ("badge/s ", "session/s "), ('"state/s/"', '"frame/s"'),
          ('"badge/s"', '"session/s"'), ("state/s/a", "frame/s"))
# Why cases do not apply, with parts of their names.
WITHOUT = {
    "it has no hit test and no curves: the daemon says who is hit, and frames come all the time": (
        "hits: ", "curves: "),
    "it follows one session, by its name": (
        "all sessions", "each session that", "only the session", "one session opens again",
        "another run, before any"),
    "it hears variables, rows and contacts within frames": ("topics of", "topic of"),
    "it hears transitions within frames, and keeps heartbeats to itself": (
        "transitions", "a heartbeat that is watched", "while a watch goes on",
        "only what matches a prefix"),
    "one topic stands for both components of the case": (
        "has seq 0", "a session that opens again", "newer than all that came",
        "entries that are no updates"),
    "it shows what comes before the snapshot at once, and takes each state by its seq": (
        "before the snapshot is kept", "older epoch that waits", "newer epoch that waits",
        "is awaited is not lost",
        "a restart while a snapshot", "a restart while the client joins"),
    "a frame of a snapshot is told, also at a seq that was told: it may have lost states": (
        "shows no newer", "each gap heals", "closed, and opened again", "late updates of the"),
    "gesture-web merges frames that wait, and no daemon sends a frame's former seq": (
        "that is resent", "was ahead of are dropped", "messages that are no updates",
        "a snapshot ahead of its seq"),
    "it joins again at each new epoch, so that one more snapshot may be on its way at the end": (
        "a session that does not exist", "a session that closes while", "and opens later"),
    "gesture-web sends a request once, and waits 10 s for the answer; then it is unavailable": (
        "whose answer is lost", "lost while it heals", "answers that are garbage",
        "a read is asked", "a change is asked", "a gesture has no id", "an id that is given",
        "of the second try", "across a restart", "a refusal without a message"),
    "it repeats an event with an id until it is answered, and tells at once that nobody listens": (
        "three tries", "after all tries", "where nobody listens", "comes late"),
}


def reason(name: str) -> str | None:
    """Why a case does not apply; None if it does."""
    return next((why for why, parts in WITHOUT.items() if any(part in name for part in parts)),
                None)


def by_frames(case: dict) -> dict:
    text = json.dumps(case)
    for former, topic in TOPICS:
        text = text.replace(former, topic)
    return json.loads(text)
