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
from PySide6.QtCore import QObject, QUrl, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtQuick import QQuickView

# A touch that nobody takes within this time is late: the window does not wait for it.
LATE_SECONDS = 0.5


class Source(QObject):
    """Follows a session on a thread of its own, and sends touches from the window's thread."""

    came = Signal()

    def __init__(self, session):
        super().__init__()
        self.session, self.client = session, gestured.connect()
        self.touches = gestured.connect(timeout=LATE_SECONDS)
        # Another window's fingers have other numbers.
        self.first = random.getrandbits(31)
        self.frame, self.is_told = None, False
        self.thread = threading.Thread(target=self.follow, daemon=True)
        self.thread.start()

    def follow(self):
        frames = self.client.frames(self.session)
        while True:
            try:
                self.frame = next(frames)
            except gestured.Closed:
                return
            except gestured.Error as error:
                print(error, file=sys.stderr)
                continue  # The daemon may come yet, or take this key.
            # A window that is slower than the daemon draws the newest frame alone.
            if not self.is_told:
                self.is_told = True
                self.came.emit()

    @Slot(result=str)
    def take(self):
        """The newest frame as JSON, since Qt's own maps would sort the views by their names."""
        self.is_told, frame = False, self.frame
        return json.dumps(frame and dict(scene=frame.scene, states=frame.states, rows=frame.rows))

    @Slot(str)
    def publish(self, text):
        body = json.loads(text) | {"t": time.time() * 1000}
        if "pointer" in body:
            body["pointer"] += self.first
        with contextlib.suppress(gestured.NoAnswer, gestured.Refused):
            self.touches.publish(f"gesture/{self.session}", body)

    def close(self):
        self.client.close()
        self.touches.close()
        self.thread.join()


def opened(session):
    """A window that draws the session; close its source at the end."""
    window = QQuickView(title=session, resizeMode=QQuickView.ResizeMode.SizeRootObjectToView)
    window.source = Source(session)
    window.setInitialProperties({"source": window.source})
    window.setSource(QUrl.fromLocalFile(Path(__file__).with_name("Stage.qml")))
    window.show()
    return window


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
