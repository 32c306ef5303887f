"""docs/testing.md, word by word: from a hand's recording to a green and a red build."""

from __future__ import annotations

import re
import shlex
from xml.etree import ElementTree

import pytest
import yaml
from client import REPOSITORY
from documents import CONSOLE, Command, Document, File, Shell

PAGE = Document("docs/testing.md")
EXAMPLE = REPOSITORY / "Examples" / "testing"


@pytest.fixture(scope="module")
def shell():
    with Shell() as shell:
        for command in CONSOLE.findall(PAGE.text.partition("\n## ")[0])[0].splitlines():
            shell.run(command.removeprefix("$ "))
        yield shell


def walk(shell: Shell, section: str) -> list[str]:
    """Takes all steps of a section; returns what each command said."""
    return [said for step in PAGE.steps(section)
            if (said := shell.take(step)) or isinstance(step, Command)]


def shown(section: str) -> list[str]:
    """The output that the page shows below each command of a section."""
    found: list[list[str]] = []
    for block in CONSOLE.findall(PAGE.sections[section]):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append([])
            elif not line.startswith("> "):
                found[-1].append(line)
    return ["\n".join(lines) for lines in found]


# The tests below are one walk through the page, in its order.

def test_take_a_hand(shell: Shell):
    walk(shell, "Take a hand")
    made = (shell.folder / "interaction" / "flick.jsonl").read_bytes()
    assert made == (EXAMPLE / "flick.jsonl").read_bytes()


def test_write_down_what_it_must_do(shell: Shell):
    said, = walk(shell, "Write down what it must do")
    assert said.strip() == shown("Write down what it must do")[0]
    file, = [step for step in PAGE.steps("Write down what it must do") if isinstance(step, File)]
    assert file.text == (EXAMPLE / "flick.expect.toml").read_text(encoding="utf-8")


def test_see_it_green(shell: Shell):
    said, = walk(shell, "See it green")
    assert said.strip() == shown("See it green")[0]


def test_see_it_red(shell: Shell):
    _, red, render, plot, _, update, diff = walk(shell, "See it red")
    assert red.strip() == shown("See it red")[1]
    assert render == plot == ""
    assert (shell.folder / "flick.png").stat().st_size > 1_000
    assert "<svg" in (shell.folder / "flick.svg").read_text()
    assert "written anew" in update and '> toss.phase = "returning"' in diff, (update, diff)


def test_run_it_in_ci(shell: Shell):
    walk(shell, "Run it in CI")
    command = PAGE.commands("Run it in CI")[0]
    github = yaml.safe_load((shell.folder / ".github/workflows/interaction.yml").read_text())
    gitlab = yaml.safe_load((shell.folder / ".gitlab-ci.yml").read_text())
    steps = github["jobs"]["interaction"]["steps"]
    assert command in [step.get("run") for step in steps]
    assert gitlab["interaction"]["script"] == [command]
    report = shlex.split(command)[-1]
    assert gitlab["interaction"]["artifacts"]["reports"]["junit"] == report
    suites = ElementTree.parse(shell.folder / report).getroot()
    assert (suites.tag, suites.get("tests"), suites.get("failures")) == ("testsuites", "11", "0")


def test_leave_nothing_to_chance(shell: Shell):
    all_seeds, spread = walk(shell, "Leave nothing to chance")
    assert "100 seeds, all as expected" in all_seeds
    assert re.search(r"^8 seeds, [2-8] different runs$", spread, re.M), spread


def test_look_at_numbers(shell: Shell):
    walk(shell, "Look at numbers")
    assert (shell.folder / "flick.csv").read_text().startswith("t,session,component,phase,view,x")
    assert (shell.folder / "way.csv").read_text().startswith("t,session,toss.item.x,toss.phase\n")
