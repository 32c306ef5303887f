"""gesture-web finds its daemon by options and variables, and its log says when it waits for one."""

from __future__ import annotations

import os
import re
import subprocess
import time

import pytest
from client import DEADLINE, Daemon
from documents import wait_until
from tool import staying_daemon
from web import NOWHERE, Web, program

VARIABLES = {name: f"GESTURED_{name.upper()}" for name in ("events", "updates", "control")}


class Plain(Web):
    """A gesture-web that is given these options and variables, and no others."""

    def __init__(self, *arguments: str, **variables: str):
        super().__init__(None, environment=variables)
        place = self.arguments.index("--events")
        self.arguments[place:] = arguments


def named(daemon: Daemon) -> dict[str, str]:
    """The daemon's endpoints by their variables."""
    return {variable: getattr(daemon, name).split(",")[0] for name, variable in VARIABLES.items()}


def serves(web: Web, session: str) -> None:
    """All three endpoints are those of a daemon with the session."""
    with web.connect() as client:
        client.web(daemon=True)
        client.subscribe(f"badge/{session}")
        client.send({"topic": f"notification/{session}", "body": {"kind": "likes"}})
        client.update(f"badge/{session}", total=1)
        assert client.ok("time")


def test_variables_name_the_daemon(daemon: Daemon, session: str) -> None:
    daemon.requests().open(session, "phone")
    with Plain(**named(daemon)) as web:
        serves(web, session)


def test_options_go_before_variables(daemon: Daemon, session: str) -> None:
    daemon.requests().open(session, "phone")
    options = [word for name in VARIABLES
               for word in (f"--{name}", getattr(daemon, name).split(",")[0])]
    with Plain(*options, **dict.fromkeys(VARIABLES.values(), "no endpoint")) as web:
        serves(web, session)


@pytest.mark.parametrize("option", VARIABLES)
def test_a_variable_stands_in_for_each_option(daemon: Daemon, session: str, option: str) -> None:
    daemon.requests().open(session, "phone")
    variables = named(daemon) | {VARIABLES[option]: NOWHERE}
    with Plain(f"--{option}", named(daemon)[VARIABLES[option]], **variables) as web:
        serves(web, session)


@pytest.mark.parametrize("variable", VARIABLES.values())
def test_a_variable_that_names_no_endpoint_is_told(variable: str) -> None:
    ended = subprocess.run(
        [str(program())], env=os.environ | {variable: "nonsense"}, capture_output=True, text=True,
        timeout=30)
    assert ended.returncode == 2 and ended.stdout == "" and ended.stderr.count("\n") == 1
    assert ended.stderr.startswith(f"gesture-web: {variable}: ")


def test_a_variable_without_text_is_none() -> None:
    with Plain(**dict.fromkeys(VARIABLES.values(), "")) as web:
        assert web.get("/").status == 200


@pytest.mark.parametrize("name, words", [
    ("events", "the daemon takes no events: is --events its endpoint?"),
    ("updates", "the daemon answers, and no update of it comes: is --updates "
                "the endpoint that this key may read?"),
    ("control", "the daemon takes no requests: is --control its endpoint?")])
def test_it_says_once_which_endpoint_of_a_daemon_that_is_there_is_wrong(
    daemon: Daemon, name: str, words: str,
) -> None:
    wrong = named(daemon) | {VARIABLES[name]: NOWHERE}
    with Plain(**wrong) as web:
        asked = NOWHERE if name == "control" else daemon.control.split(",")[0]
        line = re.compile(rf"\S+Z gesture-web: {re.escape(asked)}: {re.escape(words)}\n")
        wait_until(lambda: line.fullmatch(web.log()), f"it says that {name} is wrong", 2 * DEADLINE)
        assert web.get("/healthz").status == 503
        assert web.get("/healthz").text.strip() == words
        # Longer than it takes to say it again, if it did.
        time.sleep(3)
        assert line.fullmatch(web.log()), web.log()


def test_it_says_once_that_it_waits_and_once_that_it_found_the_daemon() -> None:
    with staying_daemon() as daemon:
        daemon.stop()
        with Plain(**named(daemon)) as web:
            lines = [rf"\S+Z gesture-web: {re.escape(daemon.control)}: gestured is {word}"
                     for word in ("away; waiting", "there")]

            def said(*expected: str) -> bool:
                return bool(re.fullmatch("".join(f"{one}\n" for one in expected), web.log()))
            wait_until(lambda: said(lines[0]), "it says that it waits")
            # Longer than it takes to say it again, if it did.
            time.sleep(3)
            assert said(lines[0]), web.log()
            daemon.restart()
            wait_until(lambda: said(*lines), "it says that it found the daemon", 2 * DEADLINE)
            daemon.stop()
            wait_until(lambda: said(*lines, lines[0]), "it waits again", 2 * DEADLINE)
            daemon.restart()
            wait_until(lambda: said(*lines, *lines), "it found it again", 2 * DEADLINE)


def test_it_says_nothing_where_the_daemon_is_there(daemon: Daemon, session: str) -> None:
    daemon.requests().open(session, "phone")
    with Plain(**named(daemon)) as web:
        serves(web, session)
        time.sleep(3)
        assert web.log() == ""
