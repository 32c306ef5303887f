#!/usr/bin/env python3
"""The adapter of the Python client, broken on purpose: broken.py MUTANT

Each mutant breaks one rule, and fails the cases beside it; a suite that let one pass would be
worthless. `broken.py` alone prints the names.
"""

from __future__ import annotations

import json
import pathlib
import sys
from collections.abc import Callable

import zmq

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import python  # noqa: E402  It also puts the client into the path.

from broken_scenes import MUTANTS as SCENES  # noqa: E402
from gestured import asking, client, epochs, joining, publishing  # noqa: E402

Joiner, Asker = joining.Joiner, asking.Asker
# By its name: what is broken, and the cases that must notice.
MUTANTS: dict[str, tuple[Callable[[], None], tuple[str, ...]]] = dict(SCENES)


def mutant(*cases: str) -> Callable[[Callable[[], None]], Callable[[], None]]:
    def add(breaks: Callable[[], None]) -> Callable[[], None]:
        MUTANTS[breaks.__name__] = breaks, cases
        return breaks
    return add


# The join


@mutant("join: no snapshot before the sync")
def asks_before_the_sync() -> None:
    start = Joiner.start

    def hasty(self: Joiner) -> list:
        return [*start(self), *(joining.Ask("snapshot", {"session": name}, "early 0")
                                for name in self._named)]
    Joiner.start = hasty


@mutant("join: another nonce is not the own one")
def takes_any_sync() -> None:
    hear = Joiner.hear

    def trusting(self: Joiner, topic: str, body: object, size: int) -> list:
        return hear(self, "sync/" + self._nonce if topic.startswith("sync/") else topic, body, size)
    Joiner.hear = trusting


@mutant("join: what comes before the sync and before the snapshot is kept",
        "join: transitions that come meanwhile are kept")
def drops_what_comes_meanwhile() -> None:
    Joiner._hold = lambda self, session, topic, body, size: None


@mutant("join: what comes before the sync and before the snapshot is kept")
def gives_while_it_waits() -> None:
    def hold(self: Joiner, session: object, topic: str, body: dict, size: int) -> None:
        python.say({"yield": {"topic": topic, "body": body}})
    Joiner._hold = hold


@mutant("join: all sessions, page by page")
def reads_one_page() -> None:
    joining.PAGES_MAX = 1


@mutant("join: a snapshot that is refused as busy is asked for again")
def gives_up_when_busy() -> None:
    Joiner._ask_again = lambda self, ask, why, now: []


@mutant("join: a session that does not exist is opened by its first update")
def waits_for_an_unknown_session() -> None:
    answer = Joiner.answer

    def stuck(self: Joiner, tag: str, result: object, now: float) -> list:
        return [] if getattr(result, "code", "") == "unknown-session" else answer(
            self, tag, result, now)
    Joiner.answer = stuck


@mutant("join: of a snapshot only what matches a prefix")
def gives_what_nobody_watches() -> None:
    Joiner._is_wanted = lambda self, topic: True


@mutant("join: the topics of variables, rows and contacts",
        "join: on the topics of variables and rows what is newer than the snapshot is kept",
        "healing: a gap in the topic of variables", "healing: a gap in the topic of rows",
        "healing: on the topics of variables and rows an update that comes twice",
        "epochs: a newer epoch on the topic of variables",
        "epochs: a newer epoch on the topic of rows",
        "epochs: a restart, on the topics of variables and rows")
def knows_no_rows() -> None:
    is_wanted = Joiner._is_wanted
    Joiner._is_wanted = lambda self, topic: (
        not topic.startswith("rows/") and is_wanted(self, topic))


@mutant("join: a frame with variables, rows and contacts",
        "healing: a gap in frames with variables and rows",
        "epochs: a frame of a newer epoch with variables and rows")
def reads_states_of_frames_alone() -> None:
    say = python.say

    def partly(line: dict) -> None:
        for name in ("variables", "rows") if "yield" in line else ():
            line["yield"]["body"].pop(name, None)
        say(line)
    python.say = partly


@mutant("join: messages that are no updates are skipped")
def ends_by_garbage() -> None:
    joining.is_update = lambda body: True


@mutant("join: a state that was never sent has seq 0")
def takes_seq_0_for_nothing() -> None:
    give = Joiner._give_newer
    Joiner._give_newer = lambda self, session, topic, body: (
        give(self, session, topic, body) if body["seq"] else [])


# Healing


@mutant("healing: a gap gives the update, then one snapshot", "healing: a gap in frames")
def heals_nothing() -> None:
    Joiner._give_and_heal = lambda self, name, session, topic, body: self._give(
        session, topic, body, False)


@mutant("healing: an update that is resent is given once")
def gives_known_updates() -> None:
    judge = Joiner._judge_of

    def forgetful(self: Joiner, name: str, session: object, epoch: object, topic: str,
                  body: dict) -> list:
        session.shown.pop(topic, None)
        return judge(self, name, session, epoch, topic, body)
    Joiner._judge_of = forgetful


@mutant("healing: a gap gives the update, then one snapshot")
def drops_a_late_snapshot() -> None:
    give = Joiner._give_newer
    Joiner._give_newer = lambda self, session, topic, body: (
        [] if session.shown.get(topic, (-1, 0))[0] == body["seq"] else give(
            self, session, topic, body))


@mutant("healing: a gap in frames whose snapshot has the same seq and t")
def leaves_frames_torn() -> None:
    give = Joiner._give_newer

    def tearing(self: Joiner, session: object, topic: str, body: dict) -> list:
        session.torn.clear()
        return give(self, session, topic, body)
    Joiner._give_newer = tearing


@mutant("healing: what the snapshot shows no newer is not given again")
def gives_the_whole_snapshot() -> None:
    give = Joiner._give_newer

    def careless(self: Joiner, session: object, topic: str, body: dict) -> list:
        session.shown.pop(topic, None)
        return give(self, session, topic, body)
    Joiner._give_newer = careless


@mutant("healing: only the session that has the gap")
def heals_every_session() -> None:
    heal = Joiner._give_and_heal

    def eager(self: Joiner, name: str, session: object, topic: str, body: dict) -> list:
        actions = heal(self, name, session, topic, body)
        for other in self._named:
            if other != name:
                actions += self._ask(other, self._session(other))
        return actions
    Joiner._give_and_heal = eager


# Epochs


@mutant("epochs: an older epoch behind a snapshot is dropped",
        "join: an older epoch that waits behind the snapshot is dropped")
def knows_no_order() -> None:
    joining._is_older = lambda epoch, than: False


@mutant("epochs: .9 is older than .10", "epochs: numbers of any length")
def compares_texts() -> None:
    joining._is_older = lambda epoch, than: (
        than is not None and epoch.run == than.run and str(epoch.number) < str(than.number))


@mutant("epochs: the text before the last dot may have dots")
def splits_at_the_first_dot() -> None:
    def parse(text: str) -> epochs.Epoch | None:
        run, _, number = text.partition(".")
        return epochs.Epoch(run, int(number.replace(".", ""))) if number else None
    epochs.parse = parse


@mutant("epochs: an older epoch on a topic that was never shown is dropped")
def orders_each_topic_alone() -> None:
    judge = Joiner._judge_of

    def local(self: Joiner, name: str, session: object, epoch: object, topic: str,
              body: dict) -> list:
        if topic not in session.shown:
            return self._give(session, topic, body, False)
        return judge(self, name, session, epoch, topic, body)
    Joiner._judge_of = local


@mutant("epochs: a restart of the daemon is noticed by its heartbeat")
def hears_no_heartbeat() -> None:
    hear = Joiner.hear
    Joiner.hear = lambda self, topic, body, size: (
        [] if topic == "heartbeat" else hear(self, topic, body, size))


@mutant("epochs: late updates of the former run are dropped", "epochs: two restarts")
def forgets_former_runs() -> None:
    meet = Joiner._meet

    def naive(self: Joiner, run: str) -> bool | None:
        self._former.clear()
        return meet(self, run)
    Joiner._meet = naive


@mutant("epochs: a session that opens again is joined again")
def joins_no_new_life() -> None:
    judge = Joiner._judge_of

    def lazy(self: Joiner, name: str, session: object, epoch: object, topic: str,
             body: dict) -> list:
        session.is_gone = True
        return judge(self, name, session, epoch, topic, body)
    Joiner._judge_of = lazy


# Publishing


@mutant("publishing: a lost reply is asked for again with the same id",
        "publishing: across a restart of the daemon")
def tries_once() -> None:
    asking.TRIES = 1


@mutant("publishing: a lost reply is asked for again with the same id")
def tries_with_another_id() -> None:
    tick = Asker.tick

    def renewing(self: Asker, now: float) -> None:
        tick(self, now)
        for number, message in self.outbox.items():
            request = json.loads(message)
            if "body" in request and self._calls[number].made > 1:
                request["body"]["id"] += "x"
                self.outbox[number] = json.dumps(request).encode()
    Asker.tick = renewing


@mutant("publishing: three tries, then no-answer")
def tries_for_ever() -> None:
    asking.TRIES = 1000


@mutant("publishing: an acknowledged notification gets an id")
def gives_every_event_the_same_id() -> None:
    client.with_id = lambda topic, body: {"id": "same", **body}


@mutant("publishing: an id that is given is kept")
def replaces_an_id() -> None:
    client.with_id = lambda topic, body: {**body, "id": asking.secrets.token_hex(4)}


@mutant("publishing: a gesture has no id and is sent once")
def gives_gestures_an_id() -> None:
    client.with_id = lambda topic, body: {"id": asking.secrets.token_hex(4), **body}


@mutant("publishing: a change is asked for once")
def repeats_changes() -> None:
    client_tries = asking.tries_of
    asking.tries_of = lambda op, fields: 3 if op == "close" else client_tries(op, fields)


@mutant("publishing: an answer that comes after all tries is not the next one's",
        "publishing: answers that are garbage, or another's, are skipped")
def takes_any_answer() -> None:
    def take(self: Asker, frames: list[bytes]) -> None:
        reply, number = json.loads(frames[-1]), next(iter(self._calls))
        self.forget(number)
        self.results[number] = reply if reply["ok"] else asking._refusal(reply)
    Asker.take = take


@mutant("publishing: a daemon that comes late gets the first event",
        "publishing: where nobody listens it fails")
def waits_for_no_subscription() -> None:
    publishing.Subscriptions.match = lambda self, topic: True
    zmq.IMMEDIATE = zmq.XPUB_NODROP


@mutant("publishing: a refusal has its code")
def hides_the_code() -> None:
    asking._refusal = lambda reply: asking.Refused("internal", "refused")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        print(*MUTANTS, sep="\n")
        sys.exit(0 if len(sys.argv) == 1 else 2)
    MUTANTS[sys.argv[1]][0]()
    python.main()
