#!/usr/bin/env python3
"""Draws a session in a window of Qt, and touches it: stage.py SESSION

It needs PySide6-Essentials and the package `gestured`, whose variables GESTURED_EVENTS … name the
daemon. Stage.qml, Slot.qml and View.qml draw; this file follows the session and sends touches.
"""

import contextlib
import json
import random
import signal
import sys
import threading
import time
from pathlib import Path

import gestured
from PySide6.QtCore import QObject, QTimer, QUrl, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtQuick import QQuickView

# Milliseconds until a contact that rests is told again: the daemon cancels one after 3 s of silence.
REPEAT_MS = 900
LATE_SECONDS = 0.1
TOPICS = ("scene", "frame", "session")


class Source(QObject):
    """Follows a session on a thread of its own, and sends touches from the window's thread."""

    came = Signal()

    def __init__(self, session: str):
        super().__init__()
        self.session, self.client = session, gestured.connect()
        # A touch that nobody takes at once is late: the window does not wait for it.
        self.touches = gestured.connect(timeout=LATE_SECONDS)
        self.lock = threading.Lock()
        self.scene, self.states, self.has_new = None, {}, False
        # Fingers that are down, by their number; another window's fingers have other numbers.
        self.contacts: dict[int, dict] = {}
        self.first = random.getrandbits(31)
        self.timer = QTimer(self, interval=REPEAT_MS)
        self.timer.timeout.connect(self.repeat)
        self.timer.start()
        self.thread = threading.Thread(target=self.follow, daemon=True)
        self.thread.start()

    def follow(self):
        watch = self.client.watch(*(f"{kind}/{self.session}" for kind in TOPICS))
        while True:
            try:
                topic, body = watch.next()
            except gestured.NoAnswer:
                continue  # The daemon may come yet.
            except gestured.Closed:
                return
            with self.lock:
                self.show(topic.partition("/")[0], body)
                is_told, self.has_new = self.has_new, True
            # A window that is slower than the daemon draws the newest picture alone.
            if not is_told:
                self.came.emit()

    def show(self, kind, body):
        if kind == "scene":
            names = {one["id"] for one in body["components"]}
            self.scene = body
            self.states = {name: self.states[name] for name in self.states if name in names}
        elif kind == "frame":
            self.states |= {state["component"]: state for state in body["states"]}
        elif body["event"] in ("closed", "expired"):
            self.scene, self.states = None, {}

    @Slot(result=str)
    def take(self):
        """Scene and states as JSON, since Qt's own maps would sort the views by their names."""
        with self.lock:
            self.has_new = False
            return json.dumps({"scene": self.scene, "states": self.states})

    @Slot(int, str, float, float)
    def touch(self, finger, phase, x, y):
        body = {"gesture": "pointer", "phase": phase, "pointer": self.first + finger, "x": x, "y": y}
        self.contacts[finger] = body
        if phase in ("ended", "cancelled"):
            del self.contacts[finger]
        self.publish(body)

    @Slot(float, float, float, float)
    def wheel(self, dx, dy, x, y):
        self.publish({"gesture": "wheel", "dx": dx, "dy": dy, "x": x, "y": y})

    def repeat(self):
        for body in self.contacts.values():
            self.publish(body | {"phase": "changed"})

    def publish(self, body):
        with contextlib.suppress(gestured.NoAnswer):
            self.touches.publish(f"gesture/{self.session}", body | {"t": time.time() * 1000})

    def close(self):
        self.timer.stop()
        self.client.close()
        self.touches.close()
        self.thread.join()


def opened(session: str) -> QQuickView:
    """A window that draws the session; it takes the viewport's size, and then its own."""
    view = QQuickView(title=session, resizeMode=QQuickView.ResizeMode.SizeRootObjectToView)
    view.source = Source(session)
    view.setInitialProperties({"source": view.source})
    view.setSource(QUrl.fromLocalFile(Path(__file__).with_name("Stage.qml")))
    view.show()
    return view


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__.splitlines()[0])
    # Ctrl-C ends Qt's loop, which runs no Python while nothing happens.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    application = QGuiApplication(sys.argv)
    window = opened(sys.argv[1])
    status = application.exec()
    window.source.close()
    sys.exit(status)
