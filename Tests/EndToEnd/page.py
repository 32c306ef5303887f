"""Drives the page of gesture-web in a real chromium: hands, keys, screenshots, audits."""

from __future__ import annotations

import base64
import contextlib
import math
import pathlib
import shutil
import time
from importlib import resources

from client import DEADLINE, REPOSITORY, Daemon
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from web import Web

PICTURES = REPOSITORY / ".build" / "page"
# Milliseconds between two samples of a hand, as a mouse reports them.
SAMPLE = 12
THROWS = 8
# The size of a window, where a test says nothing else.
USUAL = (1280, 800)


class Page(Web):
    """gesture-web with the project's own page, in front of a daemon."""

    def __init__(self, daemon: Daemon, *arguments: str):
        super().__init__(daemon, *arguments)
        place = self.arguments.index("--files") + 1
        self.arguments[place] = str(REPOSITORY / "Clients" / "web")

    def url(self, path: str) -> str:
        return f"http://{self.host}:{self.port}{path}"


class Browser:
    """One chromium with one window. Nothing may be written to its console."""

    def __init__(self, page: Page, width: int = USUAL[0], height: int = USUAL[1]):
        program = shutil.which("chromium")
        driver = shutil.which("chromedriver")
        assert program and driver, "chromium and chromium-driver are missing"
        options = webdriver.ChromeOptions()
        options.binary_location = program
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.page = page
        self.driver = webdriver.Chrome(
            options=options, service=webdriver.ChromeService(driver))
        self.driver.set_script_timeout(DEADLINE)
        self.resize(width, height)

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        try:
            if kind is None:
                assert not (lines := self.console()), lines
        finally:
            self.driver.quit()

    def console(self) -> list[str]:
        with contextlib.suppress(Exception):
            return [line["message"] for line in self.driver.get_log("browser")
                    if line["level"] in ("SEVERE", "WARNING")]
        return []

    def devtools(self, method: str, **fields: object) -> dict:
        return self.driver.execute_cdp_cmd(method, fields)

    def resize(self, width: int, height: int, ratio: float = 1) -> None:
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height,
                      deviceScaleFactor=ratio, mobile=False)

    def renew(self) -> None:
        """Another window of the usual size: sizes, preferences and scripts are a window's own."""
        former = self.driver.current_window_handle
        self.driver.switch_to.new_window("window")
        window = self.driver.current_window_handle
        self.driver.switch_to.window(former)
        self.driver.close()
        self.driver.switch_to.window(window)
        self.resize(*USUAL)

    def prefer(self, scheme: str = "light", motion: str = "no-preference") -> None:
        self.devtools("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": scheme},
            {"name": "prefers-reduced-motion", "value": motion}])

    def open(self, path: str, *, wanted: str | None = None) -> None:
        self.driver.get(self.page.url(path))
        self.wait(wanted or "return gestured.stage.drawn > 0")

    def run(self, script: str, *arguments: object) -> object:
        return self.driver.execute_script(script, *arguments)

    def wait(self, script: str, *arguments: object, deadline: float = DEADLINE) -> object:
        """Runs a script until its result is true, and gives the result."""
        end = time.monotonic() + deadline
        while True:
            # The page may still be loading what the script names.
            with contextlib.suppress(Exception):
                if result := self.run(script, *arguments):
                    return result
            assert time.monotonic() < end, (
                f"waited for {script} {arguments}; {self.console()}; {self.told()}")
            time.sleep(0.02)

    def told(self) -> str:
        """The newest lines of the page's own log, to explain a failure; and a picture."""
        with contextlib.suppress(Exception):
            self.shot("failed")
            return self.run("return document.querySelector('.log').innerText.slice(0, 500)")
        return ""

    def state(self, component: str) -> dict:
        return self.run("return gestured.stage.session.states.get(arguments[0])", component)

    def phase(self, component: str, *phases: str) -> None:
        self.wait("return arguments[1].includes("
                  "gestured.stage.session.states.get(arguments[0])?.phase)", component, phases)

    def box(self, selector: str) -> dict:
        """Where an element is in the window."""
        return self.wait(
            "const box = document.querySelector(arguments[0])?.getBoundingClientRect();"
            "return box && box.width && {x: box.x, y: box.y, width: box.width,"
            " height: box.height, middle: [box.x + box.width / 2, box.y + box.height / 2]}",
            selector)

    def view(self, component: str, view: str) -> dict:
        return self.box(f'.plate [data-component="{component}"][data-view="{view}"]')

    def mouse(
        self, kind: str, x: float, y: float, buttons: int = 1, at: float | None = None,
    ) -> None:
        """One event of the mouse, at a time in seconds since 1970, or now."""
        stamp = {} if at is None else {"timestamp": at}
        self.devtools("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left",
                      buttons=buttons, clickCount=1, pointerType="mouse", **stamp)

    def drag(self, start: list, end: list, milliseconds: float, lift: bool = True) -> None:
        """A mouse that goes down, straight on, and up while it still moves.

        A busy browser takes the events late. So each has the time at which the hand made it.
        """
        began = time.time()
        self.mouse("mousePressed", *start, at=began)
        for number in range(1, math.ceil(milliseconds / SAMPLE)):
            at = began + number * SAMPLE / 1000
            time.sleep(max(0, at - time.time()))
            part = number * SAMPLE / milliseconds
            self.mouse("mouseMoved", *(a + (b - a) * part for a, b in zip(start, end)), at=at)
        # It lifts where it arrives, and not after a rest there, which would be no throw.
        at = began + milliseconds / 1000
        time.sleep(max(0, at - time.time()))
        if lift:
            self.mouse("mouseReleased", *end, buttons=0, at=at)
        else:
            self.mouse("mouseMoved", *end, at=at)

    def note_transitions(self) -> None:
        """Has the page itself note the transitions that begin, by name, in `begun`.

        From outside, a busy machine would miss a short phase.
        """
        self.run(
            "window.begun = [];"
            "gestured.stage.session.addEventListener('transition', ({ detail }) => {"
            " if (detail.event === 'began') begun.push(detail.name); })")

    def throw(self, component: str, view: str) -> None:
        """Drags a view until it was fast enough; a busy machine may hold the mouse back."""
        self.note_transitions()
        for _ in range(THROWS):
            self.phase(component, "resting")
            x, y = self.view(component, view)["middle"]
            self.run("begun.length = 0")
            self.drag([x - 30, y], [x + 90, y - 110], 90)
            if self.wait("return begun[0]") == "toss":
                return
        raise AssertionError(f"{component} was not thrown in {THROWS} throws; {self.told()}")

    def tap(self, point: list) -> None:
        self.mouse("mousePressed", *point)
        self.mouse("mouseReleased", *point, buttons=0)

    def keys(self, *keys: str) -> None:
        ActionChains(self.driver).send_keys(*keys).perform()

    def shot(self, name: str, selector: str | None = None) -> pathlib.Path:
        """A picture of the window, or of one element, under .build/page."""
        PICTURES.mkdir(parents=True, exist_ok=True)
        fields = {}
        if selector is not None:
            box = self.box(selector)
            fields["clip"] = {"x": box["x"], "y": box["y"] + self.run("return scrollY"),
                              "width": box["width"], "height": box["height"], "scale": 1}
        file = PICTURES / f"{name}.png"
        data = self.devtools("Page.captureScreenshot", format="png", **fields)["data"]
        file.write_bytes(base64.b64decode(data))
        return file

    def audit(self) -> list[str]:
        """The faults that axe-core finds: rules with the elements that break them."""
        source = resources.files("axe_core_python").joinpath("axe.min.js").read_text("utf-8")
        # Through the debugger, which the page's policy does not bind.
        self.devtools("Runtime.evaluate", expression=source)
        answer = self.devtools(
            "Runtime.evaluate", awaitPromise=True, returnByValue=True,
            expression="axe.run(document, {resultTypes: ['violations']}).then(({violations}) =>"
            " violations.flatMap(({id, nodes}) => nodes.map((node) =>"
            " `${id}: ${node.target} ${node.html.slice(0, 160)} ${node.failureSummary}`)))")
        assert "value" in answer["result"], answer
        return answer["result"]["value"]
