"""Lets a test drive the window of Examples/qml: one JSON object a line in, one a line out."""

from __future__ import annotations

import contextlib
import json
import pathlib
import sys

import gestured
from PySide6.QtCore import QPoint, QPointF, QSocketNotifier, Qt
from PySide6.QtGui import QGuiApplication, QPointingDevice, QWheelEvent
from PySide6.QtQml import QQmlEngine, QQmlExpression
from PySide6.QtQuick import QQuickWindow
from PySide6.QtTest import QTest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "Examples" / "qml"))
import stage  # noqa: E402

# All that the root has: the scene, the states, and the texts that show.
SHOWN = """(() => {
    const words = [], read = items => {
        for (let place = 0; place < items.length; place += 1) {
            if (items[place].text) words.push(items[place].text);
            read(items[place].children);
        }
    };
    read(children);
    return JSON.stringify([scene, shown, words]);
})()"""
LEFT, PLAIN = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


class Driver:
    def __init__(self, session: str):
        self.application = QGuiApplication(sys.argv)
        self.window = stage.opened(session)
        self.pad = QTest.createTouchDevice()
        self.notifier = QSocketNotifier(0, QSocketNotifier.Type.Read)
        self.notifier.activated.connect(self.read)
        self.rest = b""

    def run(self) -> None:
        self.application.exec()
        self.window.source.close()
        # The window goes before the application, or Qt complains.
        self.window.close()
        self.window.deleteLater()
        self.application.processEvents()

    def read(self) -> None:
        chunk = sys.stdin.buffer.raw.read(65536)
        if not chunk:
            self.notifier.setEnabled(False)
            self.application.quit()
            return
        *lines, self.rest = (self.rest + chunk).split(b"\n")
        for line in lines:
            asked = json.loads(line)
            answer = getattr(self, asked["do"])(asked) or {}
            print(json.dumps({"id": asked["id"], "answer": answer}), flush=True)

    def warm(self, _: dict) -> None:
        """Sends what the daemon refuses, until it is connected: then no touch is too late."""
        while True:
            with contextlib.suppress(gestured.NoAnswer):
                self.window.source.touches.publish(f"gesture/{self.window.source.session}", {})
                return

    def grab(self, asked: dict) -> dict:
        image = self.window.grabWindow()
        assert image.save(asked["path"])
        return {"size": [image.width(), image.height()]}

    def mouse(self, asked: dict) -> None:
        act = {"began": QTest.mousePress, "ended": QTest.mouseRelease}.get(asked["phase"])
        point = QPoint(asked["x"], asked["y"])
        if act:
            act(self.window, LEFT, PLAIN, point)
        else:
            QTest.mouseMove(self.window, point)

    def fingers(self, asked: dict) -> None:
        sequence = QTest.touchEvent(self.window, self.pad)
        for number, phase, x, y in asked["points"]:
            act = {"began": sequence.press, "ended": sequence.release, "changed": sequence.move}
            act[phase](number, QPoint(x, y), self.window)
        sequence.commit()

    def wheel(self, asked: dict) -> None:
        place = QPointF(asked["x"], asked["y"])
        event = QWheelEvent(
            place, self.window.mapToGlobal(place), QPoint(), QPoint(0, asked["turn"]),
            Qt.MouseButton.NoButton, PLAIN, Qt.ScrollPhase.NoScrollPhase, False,
            Qt.MouseEventSource.MouseEventNotSynthesized, QPointingDevice.primaryPointingDevice())
        self.application.sendEvent(self.window, event)

    def resize(self, asked: dict) -> None:
        self.window.resize(*asked["size"])
        # Until then what comes is still for the former places.
        while self.window.rootObject().width() != asked["size"][0]:
            self.application.processEvents()

    def shown(self, _: dict) -> dict:
        """The scene's revision, the views of each component, and all texts, as the window has."""
        # As text: PySide counts the references of None wrongly in the objects that it makes.
        root = self.window.rootObject()
        text, _ = QQmlExpression(QQmlEngine.contextForObject(root), root, SHOWN).evaluate()
        scene, states, words = json.loads(text)
        return {"revision": scene["revision"] if scene else None,
                "phases": {name: state["phase"] for name, state in states.items()},
                "views": {name: state["views"] for name, state in states.items()},
                "words": words, "renderer": QQuickWindow.sceneGraphBackend()}


if __name__ == "__main__":
    Driver(sys.argv[1]).run()
