"""The steps of a case on the wire: what the peer does, and what it waits for."""

from __future__ import annotations

import json
import time

from curve import Keys
from notation import Mismatch, Names
from peer import Adapter, Peer


class Script:
    """One case, played once."""

    def __init__(
        self, case: dict, adapter: Adapter, seconds: float, keys: Keys | None = None,
    ):
        self.case = case
        self.names = Names(case.get("let", {}))
        self.peer = Peer(
            adapter, manual=case.get("sync") == "manual", timeout=case.get("timeout", 5.0),
            late=case.get("late", []), epoch=case.get("epoch", "aa"),
            seconds=seconds, keys=keys)
        # The steps that are left.
        self.left: list[dict] = case["steps"]
        self.peer.answer_rest = lambda: self.take_request({"op": "-"})
        self.peer.awaits_sync = lambda: self.peer.is_manual and any(
            step.get("subscribed") == "sync/" for step in self.left)
        # Requests that are to be answered, by name; the last one has none.
        self.open: dict[str, tuple] = {}
        self.answers_hello = "hello" not in str(case["steps"])

    def run(self, is_reused: bool) -> None:
        """Plays all steps; then the client must have done nothing more."""
        for number, step in enumerate(self.case["steps"], 1):
            self.left = self.case["steps"][number - 1:]
            name = next(name for name in self.STEPS if name in step)
            try:
                self.STEPS[name](self, step)
            except Mismatch as error:
                raise Mismatch(f"step {number} ({name}): {error}") from None
        self.left = []
        try:
            self.end(is_reused)
        except Mismatch as error:
            raise Mismatch(f"after the last step: {error}") from None

    def end(self, is_reused: bool) -> None:
        peer = self.peer
        if is_reused:
            peer.adapter.tell({"do": "curve", "name": "linear", "x": 0.5})
            peer.hear("the last answer", lambda: self.take_says({"y": 0.5}))
        else:
            peer.adapter.process.stdin.close()
            end = time.monotonic() + peer.seconds
            while peer.adapter.is_open:
                peer.serve(50)
                if time.monotonic() > end:
                    raise Mismatch(f"the adapter runs on after the end of its input{peer.rest()}")
            status = peer.adapter.process.wait(peer.seconds)
            if status != 0:
                raise Mismatch(f"the adapter ended with {status}{peer.adapter.log()}")
        peer.answer_rest()
        if rest := peer.rest():
            raise Mismatch(f"the client did more than it should{rest}")

    def close(self) -> None:
        self.peer.close()

    # The peer's doings

    def tell(self, step: dict) -> None:
        line = self.names.fill(step["tell"])
        if line["do"] == "watch":
            self.peer.prefixes = line["prefixes"]
        self.peer.adapter.tell(line)
        if line["do"] == "watch":
            self.says({"says": {"watching": True}})

    def send(self, step: dict) -> None:
        for update in self.names.updates([step["send"]]):
            self.peer.send(update)

    def frames(self, step: dict) -> None:
        self.peer.sockets["updates"].send_multipart([text.encode() for text in step["frames"]])

    def answer(self, step: dict) -> None:
        frames, request = self.open[step.get("to", "")]
        answers = step["answers"] if "answers" in step else [step["answer"]]
        for answer in answers:
            if answer is None:
                continue
            self.names.values["$id"] = request.get("id")
            answer = self.names.fill(answer)
            if isinstance(answer, dict) and "snapshot" in answer:
                answer = self.snapshot(request, answer)
            self.peer.reply(frames, request, answer)

    def snapshot(self, request: dict, answer: dict) -> dict:
        """A whole answer of `snapshot` from the short one, which has the updates alone."""
        updates = self.names.updates(answer.pop("snapshot"))
        epoch = updates[0][1]["epoch"] if updates else "aa.1"
        return {"session": request["session"], "scene": None, "epoch": epoch, "updates": [
            {"topic": topic, "body": body} for topic, body in updates]} | answer

    def restart(self, step: dict) -> None:
        self.peer.epoch = step["restart"]
        self.peer.restart()

    def bind(self, step: dict) -> None:
        self.peer.bind(step["bind"])

    # The client's duties

    def subscribed(self, step: dict) -> None:
        topic = step["subscribed"]
        if topic != "sync/":
            self.peer.hear(f"a subscription to {topic}", lambda: self.peer.is_subscribed(
                topic.encode()) or None)
            return
        nonce = self.peer.hear("a subscription to sync/", lambda: (
            self.peer.syncs.popleft() if self.peer.syncs else None))
        if not nonce:
            raise Mismatch("the nonce is empty")
        self.names.values["$nonce"] = nonce

    def asked(self, step: dict) -> None:
        found = self.peer.hear(
            f"a request {step['asked']}", lambda: self.take_request(step["asked"]))
        self.open[""] = self.open[step.get("as", "")] = found
        if why := self.names.match(step["asked"], found[1]):
            raise Mismatch(f"{why} in {found[1]}")
        if "answer" in step or "answers" in step:
            self.answer(step)

    def take_request(self, pattern: dict) -> tuple | None:
        """The oldest request of this operation, and of this session if the pattern names one.

        Answers those that the case does not have to play.
        """
        requests = self.peer.requests
        for found in list(requests):
            request = found[1]
            if request["op"] == "snapshot" and self.is_worlds(request):
                requests.remove(found)
                world = self.case["world"][request["session"]]
                self.peer.reply(*found, self.snapshot(request, {"snapshot": world}))
            elif self.answers_hello and request["op"] == "hello":
                requests.remove(found)
                self.peer.reply(*found, {
                    "name": "gestured", "version": "0", "protocol": 1, "epoch": self.peer.epoch,
                    "t": 0, "clock": "unix-milliseconds", "endpoints": {
                        name: [place] for name, place in self.peer.endpoints.items()},
                    "limits": {}})
            elif request["op"] == pattern["op"] and (
                    "session" not in pattern or request.get("session") == pattern["session"]):
                requests.remove(found)
                return found
        return None

    def is_worlds(self, request: dict) -> bool:
        """Whether the case's world answers, as no step asks for a snapshot of this session."""
        name = request.get("session")
        return name in self.case.get("world", {}) and not any(
            step["asked"].get("session") == name for step in self.left if "asked" in step)

    def event(self, step: dict) -> None:
        frames = self.peer.hear("an event", lambda: (
            self.peer.events.popleft() if self.peer.events else None))
        if len(frames) != 2:
            raise Mismatch(f"an event of {len(frames)} frames: {frames}")
        try:
            found = [frames[0], json.loads(frames[1])]
        except ValueError:
            raise Mismatch(f"an event with no JSON: {frames}") from None
        if why := self.names.match(step["event"], found, "the event"):
            raise Mismatch(why)

    def yields(self, step: dict) -> None:
        wanted = self.names.updates(step["yields"])
        got = []
        for _ in wanted:
            got.append(self.peer.hear("an update", self.take_yield))
            ahead = len(got) - 1
            if not step.get("any_order") and got[-1] != wanted[ahead]:
                raise Mismatch(f"gave {got[-1]}\n    not {wanted[ahead]}{self.peer.rest()}")
        for update in wanted:
            if update not in got:
                raise Mismatch(f"did not give {update}\n    but {got}")

    def take_yield(self) -> list | None:
        return self.peer.yields.popleft() if self.peer.yields else None

    def settles(self, step: dict) -> None:
        """The last update of each topic must be this one, whatever came before it."""
        wanted = dict(self.names.updates(step["settles"]))
        last: dict[str, object] = {}
        while any(last.get(topic) != body for topic, body in wanted.items()):
            topic, body = self.peer.hear(f"{wanted}; last were {last}", self.take_yield)
            last[topic] = body

    def says(self, step: dict) -> None:
        self.peer.hear(f"an answer {step['says']}", lambda: self.take_says(step["says"]))

    def take_says(self, pattern: dict) -> bool | None:
        if not self.peer.says:
            return None
        if why := self.names.match(pattern, self.peer.says.popleft(), "the answer"):
            raise Mismatch(why)
        return True

    def differ(self, step: dict) -> None:
        values = self.names.fill(step["differ"])
        if len(set(values)) != len(values):
            raise Mismatch(f"the ids are the same: {values}")

    def quiet(self, step: dict) -> None:
        """Nothing may come for this many seconds."""
        end = time.monotonic() + step["quiet"]
        while (left := end - time.monotonic()) > 0:
            self.peer.serve(max(1, int(left * 1000)))
        if rest := self.peer.rest():
            raise Mismatch(f"the client should be quiet{rest}")

    STEPS = {
        "tell": tell, "send": send, "frames": frames, "restart": restart, "bind": bind,
        "subscribed": subscribed, "asked": asked, "answer": answer, "answers": answer,
        "event": event, "yields": yields, "settles": settles, "says": says, "differ": differ,
        "quiet": quiet}
