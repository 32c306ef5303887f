"""The window of Examples/qml in a process of its own: Qt without a screen, and its own renderer."""

from __future__ import annotations

import pathlib
import sys
from collections.abc import Callable

from client import REPOSITORY, Daemon
from lines import Lines
from PIL import Image
from reliability import wait_for

HERE = pathlib.Path(__file__).parent
PACKAGE = REPOSITORY / "Clients" / "python" / "src"


class Window(Lines):
    """The window in a program that does what lines on its standard input say."""

    def __init__(self, daemon: Daemon, session: str, folder: pathlib.Path):
        self.folder, self.session = folder, session
        self.errors = open(folder / "errors", "w+")
        super().__init__(
            [sys.executable, HERE / "qml" / "driver.py", session],
            {"QT_QPA_PLATFORM": "offscreen", "QT_QUICK_BACKEND": "software",
             "PYTHONPATH": str(PACKAGE), "GESTURED_EVENTS": daemon.events,
             "GESTURED_UPDATES": daemon.updates, "GESTURED_CONTROL": daemon.control},
            self.errors)
        self.do("warm")

    def __exit__(self, *how: object) -> None:
        super().__exit__(*how)
        # Qt and QML tell their faults there.
        self.errors.seek(0)
        said = self.errors.read()
        self.errors.close()
        assert how[0] is not None or said == "", said

    def picture(self) -> Image.Image:
        path = self.folder / "window.png"
        self.do("grab", path=str(path))
        return Image.open(path).convert("RGB")

    def until(self, wanted: Callable[[dict], bool], why: str) -> dict:
        shown: dict = {}

        def is_there() -> bool:
            shown.update(self.do("shown"))
            return wanted(shown)

        wait_for(is_there, why)
        return shown
