"""Completion of gesturectl and gestured, typed into real shells."""

from __future__ import annotations

import os
import pathlib
import pty
import re
import select
import shutil
import signal
import subprocess
import time

import pytest
from client import Control, Daemon, binary

FOLDER = binary().parent
# Attempts at most.
PRESSES = 3
SHELLS = {
    # The shell's command, and the first line typed.
    "bash": (
        ["bash", "--norc", "--noprofile", "-i"],
        "PS1='> '; bind 'set bell-style none'; source <(gesturectl completion bash)"),
    "zsh": (
        ["zsh", "-f", "-i"],
        "PS1='> '; autoload -U compinit; compinit -u -D; source <(gesturectl completion zsh)"),
}
# The text before Tab, and the words of the line after it.
LINES = [
    ("gesturectl bridge ba", "gesturectl bridge badge"),
    ("gesturectl sna", "gesturectl snapshot"),
    ("gesturectl --contr", "gesturectl --control"),
    ("gesturectl close ali", "gesturectl close alice"),
    ("gesturectl import --as=ali", "gesturectl import --as=alice"),
    ("gesturectl open bob pho", "gesturectl open bob phone"),
    ("gesturectl watch sta", "gesturectl watch state/"),
    ("gesturectl watch state/ali", "gesturectl watch state/alice"),
    ("gesturectl watch --draw ali", "gesturectl watch --draw alice"),
    ("gesturectl publish notification/ali", "gesturectl publish notification/alice"),
    ("gesturectl replay rec", "gesturectl replay rec one.jsonl"),
    ("gesturectl simulate --scenes fol", "gesturectl simulate --scenes folder/"),
    ("gesturectl completion z", "gesturectl completion zsh"),
    ("gestured --state", "gestured --state-dir"),
    ("gestured --config rec", "gestured --config rec one.jsonl"),
    ("gestured --config=rec", "gestured --config=rec one.jsonl"),
]


@pytest.fixture(scope="module")
def place(daemon: Daemon, control: Control, tmp_path_factory) -> dict:
    """The shells' folder and environment. The daemon has two sessions."""
    for name in ("alice", "carol"):
        control.ok("open", session=name, scene="phone")
    folder = tmp_path_factory.mktemp("completion")
    (folder / "rec one.jsonl").write_text("")
    (folder / "folder").mkdir()
    environment = {
        "PATH": f"{FOLDER}:{os.environ['PATH']}", "TERM": "dumb", "HOME": str(folder),
        "EDITOR": "emacs", "LC_ALL": "C.UTF-8", "GESTURED_CONTROL": daemon.control.split(",")[0]}
    return {"cwd": folder, "env": environment}


def need(shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")


def shown_until(terminal: int, mark: str) -> str:
    shown, end = "", time.monotonic() + 20
    while mark not in shown:
        ready, _, _ = select.select([terminal], [], [], max(0, end - time.monotonic()))
        assert ready, f"no {mark!r} in {shown!r}"
        shown += os.read(terminal, 65_536).decode(errors="replace")
    return shown


def type_into(shell: str, keys: str, mark: str, place: dict) -> str:
    """The output of a shell until the mark appears."""
    command, beginning = SHELLS[shell]
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(place["cwd"])
        os.execvpe(command[0], command, place["env"])
    try:
        # Waits for the prompt: earlier keys would not reach the line editor.
        os.write(terminal, f"{beginning}; echo re''ady\n".encode())
        shown_until(terminal, "\nready")
        os.write(terminal, keys.encode())
        return shown_until(terminal, mark)
    finally:
        os.close(terminal)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


@pytest.mark.parametrize("shell", SHELLS)
def test_unique_words_are_completed(shell: str, place: dict):
    need(shell)
    # Presses Tab, then puts "echo" before the line: the shell prints the words.
    keys = "\n".join(f"{line}\t\x01echo '<' \x05 '>'" for line, _ in LINES)
    # On a busy machine the answer may come too late for the completion.
    for _ in range(PRESSES):
        shown = type_into(shell, f"{keys}\necho fi''nished\n", "\nfinished", place)
        completed = re.findall(r"^<\s(.*?)\s+>\s*$", shown, flags=re.M)
        # Zsh removes the slash behind a folder at the next key.
        completed = [re.sub("folder$", "folder/", line) for line in completed]
        if completed == [expected for _, expected in LINES]:
            return
    assert completed == [expected for _, expected in LINES], shown


@pytest.mark.parametrize("shell", SHELLS)
def test_ambiguous_words_are_listed(shell: str, place: dict):
    need(shell)
    # Zsh lists nothing while keys wait to be read.
    shown = type_into(shell, "gesturectl snapshot \t\t", "carol", place)
    assert "alice" in shown, shown


def fish(line: str, place: dict) -> list[str]:
    result = subprocess.run(
        ["fish", "--no-config", "-c",
         f"gesturectl completion fish | source; complete -C '{line}'"],
        capture_output=True, text=True, timeout=20, check=True, **place)
    return [each.split("\t")[0] for each in result.stdout.splitlines()]


@pytest.mark.parametrize("line, expected", LINES)
def test_fish_offers_the_same(line: str, expected: str, place: dict):
    need("fish")
    # Fish returns words escaped or unescaped.
    last = expected.removeprefix(line.rpartition(" ")[0] + " ")
    for _ in range(PRESSES):
        offered = {word.replace("\\ ", " ") for word in fish(line, place)}
        if last in offered:
            break
    assert last in offered, offered
    assert all(word.startswith(line.rpartition(" ")[2]) for word in offered), offered


def test_fish_offers_sessions_and_commands(place: dict):
    need("fish")
    assert {"alice", "carol"} == set(fish("gesturectl close ", place))
    assert set(fish("gesturectl ", place)) >= {"hello", "watch", "completion"}


def test_without_a_daemon_nothing_is_offered_soon(place: dict):
    environment = place["env"] | {"GESTURED_CONTROL": "tcp://127.0.0.1:1"}
    began = time.monotonic()
    result = subprocess.run(
        [str(FOLDER / "gesturectl"), "complete", "gesturectl", "close", ""], timeout=10,
        capture_output=True, text=True, env=environment, check=False)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    assert time.monotonic() - began < 2


def test_the_scripts_are_what_is_installed(place: dict):
    for shell in (*SHELLS, "fish"):
        script = subprocess.run(
            [str(FOLDER / "gesturectl"), "completion", shell], capture_output=True, text=True,
            check=True, timeout=10).stdout
        if shutil.which(shell):
            file = pathlib.Path(place["cwd"]) / f"script.{shell}"
            file.write_text(script)
            subprocess.run([shell, "-n", str(file)], check=True, timeout=10)
