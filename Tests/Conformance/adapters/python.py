#!/usr/bin/env python3
"""The adapter of the Python client (Clients/python)."""

from __future__ import annotations

import json
import pathlib
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "Clients" / "python" / "src"))

import gestured  # noqa: E402
from gestured.asking import TRIES  # noqa: E402

speaking = threading.Lock()


def say(line: dict) -> None:
    with speaking:
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()


class Adapter:
    """One line after the other; a watch has a thread of its own."""

    def __init__(self) -> None:
        self.client: gestured.Client | None = None
        self.watcher: threading.Thread | None = None

    def connect(self, line: dict) -> dict:
        self.close()
        # The suite's timeout is that of one try.
        self.client = gestured.connect(
            line["events"], line["updates"], line["control"], timeout=TRIES * line["timeout"],
            key=line.get("key"), server_key=line.get("server_key"))
        return {"connected": True}

    def close(self) -> None:
        if self.client is not None:
            self.client.close()
        if self.watcher is not None:
            self.watcher.join()
        self.client = self.watcher = None

    def watch(self, line: dict) -> dict:
        watch = self.client.watch(*line["prefixes"])
        self.watcher = threading.Thread(target=self.show, args=(watch,))
        self.watcher.start()
        return {"watching": True}

    def show(self, watch: gestured.Watch) -> None:
        while True:
            try:
                for topic, body in watch:
                    say({"yield": {"topic": topic, "body": body}})
            except (gestured.NoAnswer, gestured.Refused):
                continue
            except gestured.Closed:
                return

    def publish(self, line: dict) -> dict:
        return {"done": self.client.publish(line["topic"], line["body"], ack=line["ack"])}

    def request(self, line: dict) -> dict:
        return {"done": self.client.request(line["op"], **line["fields"])}

    def layers(self, line: dict) -> dict:
        return {"layers": [{
            "component": layer.component, "view": layer.view, "matrix": list(layer.matrix),
            "w": layer.w, "h": layer.h, "alpha": layer.alpha, "round": layer.round}
            for layer in gestured.scene.layers(line["scene"], line["states"])]}

    def hit(self, line: dict) -> dict:
        found = gestured.scene.hit(line["scene"], line["states"], line["x"], line["y"])
        return {"hit": None if found is None else found._asdict()}

    def curve(self, line: dict) -> dict:
        if "curve" in line:
            return {"y": gestured.curves.progress(line["curve"], line["seconds"], line["duration"])}
        return {"y": gestured.curves.value(line["name"], line["x"])}

    def answer(self, line: dict) -> dict:
        try:
            return getattr(self, line["do"])(line)
        except gestured.Refused as error:
            return {"failed": {"code": error.code, "message": error.message}}
        except gestured.NoAnswer as error:
            return {"failed": {"code": "no-answer", "message": str(error)}}


def main() -> None:
    adapter = Adapter()
    for text in sys.stdin:
        line = json.loads(text)
        answer = adapter.answer(line)
        say(answer)
    adapter.close()


if __name__ == "__main__":
    main()
