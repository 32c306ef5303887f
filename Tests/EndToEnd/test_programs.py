"""The programs as they are installed: small, with Swift's libraries inside, and in parts."""

from __future__ import annotations

import os
import pathlib
import shutil
import signal
import subprocess

import pytest
from client import REPOSITORY, binary

# Bytes of each program without its symbols. Swift's libraries are some 6 MB of them. The words that
# describe all properties of the schemas brought gesturectl to 16.14 MB.
BYTES_MAX = 16_250_000
PROGRAMS = (
    "gestured", "gesture-web", "gesturectl", "gesturectl-pictures", "gesturectl-bridges")
TOSS = REPOSITORY / "Examples" / "recordings" / "toss.jsonl"
# Libraries that a part of gesturectl is for: neither gesturectl nor the daemon loads them.
PARTS = {
    "gesturectl-pictures": ("cairo", "pango", "chafa", "webp", "glib"),
    "gesturectl-bridges": ("mosquitto", "evdev", "liblo"),
}
DRAWING = ["render", str(TOSS), "--at", "0.3", "--output", "toss.png"]


def needed(program: pathlib.Path) -> list[str]:
    told = subprocess.run(["readelf", "-d", program], capture_output=True, check=True, text=True)
    return [line.split("[")[1].rstrip("]") for line in told.stdout.splitlines() if "NEEDED" in line]


def loaded(program: pathlib.Path) -> list[str]:
    """The names of all libraries, also of those that others load."""
    told = subprocess.run(["ldd", program], capture_output=True, check=True, text=True)
    return [pathlib.Path(line.split()[0]).name for line in told.stdout.splitlines()]


def run(program: pathlib.Path, *words: str, folder: pathlib.Path, **more):
    return subprocess.run(
        [program, *words], capture_output=True, text=True, cwd=folder, timeout=60, **more)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_is_small_and_brings_what_it_needs(name: str, tmp_path: pathlib.Path):
    program = binary().with_name(name)
    libraries = needed(program)
    assert libraries, "it is linked to the system's libraries"
    if any(library.startswith("libswiftCore") for library in libraries):
        pytest.skip("this build is for developers, and uses the toolchain's libraries")
    assert not [library for library in libraries if "Foundation" in library or "icu" in library]
    # Parts of Swift itself: regular expressions, and the names of characters.
    assert b"_RegexParser" not in program.read_bytes()
    assert b"_swift_stdlib_names_scalars" not in program.read_bytes()
    stripped = tmp_path / name
    subprocess.run(["strip", "--strip-all", "-o", stripped, program], check=True)
    assert os.path.getsize(stripped) <= BYTES_MAX


@pytest.mark.parametrize(("part", "words"), PARTS.items())
def test_only_a_part_of_the_tool_loads_its_libraries(part: str, words: tuple[str, ...]):
    for name in PROGRAMS:
        libraries = loaded(binary().with_name(name))
        found = {word for word in words if any(word in library for library in libraries)}
        assert found == (set(words) if name == part else set()), (name, libraries)


def installed(folder: pathlib.Path, *parts: str) -> pathlib.Path:
    """gesturectl as an installation has it below a folder, with some of its parts."""
    tool = folder / "bin" / "gesturectl"
    tool.parent.mkdir()
    shutil.copy(binary().with_name("gesturectl"), tool)
    (folder / "lib" / "gestured").mkdir(parents=True)
    for part in parts:
        shutil.copy(binary().with_name(part), folder / "lib" / "gestured")
    return tool


@pytest.mark.parametrize(("part", "words"), [
    ("gesturectl-pictures", DRAWING),
    ("gesturectl-pictures", ["plot", str(TOSS), "--field", "toss.item.x", "-o", "toss.svg"]),
    ("gesturectl-pictures", ["watch", "--draw", "alice", "--frames", "1"]),
    ("gesturectl-bridges", ["bridge", "tuio", "--session", "table"]),
])
def test_a_command_whose_program_is_missing_names_its_package(
        part: str, words: list[str], tmp_path: pathlib.Path):
    other = next(name for name in PARTS if name != part)
    result = run(installed(tmp_path, other), *words, folder=tmp_path)
    assert (result.returncode, result.stdout) == (2, "")
    command = " ".join(words[:2]) if words[0] == "bridge" else words[0]
    folders = f"{tmp_path}/bin nor in {tmp_path}/lib/gestured"
    assert result.stderr.splitlines() == [
        f"gesturectl: '{command}' needs the program {part}, which is neither in {folders}",
        f"Install its package by 'apt install {part}'; 'make build' builds it."]


def test_a_program_that_cannot_be_started_says_why(tmp_path: pathlib.Path):
    tool = installed(tmp_path)
    part = tmp_path / "lib" / "gestured" / "gesturectl-pictures"
    part.mkdir()
    result = run(tool, *DRAWING, folder=tmp_path)
    assert (result.returncode, result.stderr) == (2, f"gesturectl: {part}: Permission denied\n")


def test_without_its_parts_the_tool_lists_and_explains_all_commands(tmp_path: pathlib.Path):
    tool = installed(tmp_path)
    for words in (["--help"], ["manual", "gesturectl.1"], ["complete", "gesturectl", ""]):
        result = run(tool, *words, folder=tmp_path)
        assert result.returncode == 0, result.stderr
        assert "render" in result.stdout and "bridge" in result.stdout
    assert "--skins" in run(tool, "render", "--help", folder=tmp_path).stdout
    assert "--broker" in run(tool, "bridge", "mqtt", "--help", folder=tmp_path).stdout
    result = run(tool, "render", "--skin", "3", str(TOSS), folder=tmp_path)
    assert (result.returncode, result.stderr.splitlines()[0]) == (
        2, "gesturectl: unknown option --skin; did you mean --skins?")
    # Commands that need no part are there.
    scenes = str(REPOSITORY / "config" / "scenes")
    result = run(
        tool, "simulate", "--until", "50", "--scenes", scenes, str(TOSS), folder=tmp_path)
    assert result.returncode == 0 and "state/" in result.stdout


def test_a_part_has_the_words_streams_and_status_of_its_command(tmp_path: pathlib.Path):
    tool = installed(tmp_path, "gesturectl-pictures")
    scenes = os.environ | {"GESTURED_SCENES": str(REPOSITORY / "config" / "scenes")}
    with TOSS.open() as recording:
        drawn = subprocess.run(
            [tool, "render", "-", "--at", "0.3", "-o", "out.svg"], stdin=recording,
            capture_output=True, cwd=tmp_path, env=scenes, timeout=60)
    assert (drawn.returncode, drawn.stdout) == (0, b""), drawn.stderr
    assert (tmp_path / "out.svg").read_bytes().startswith(b"<?xml")
    result = run(tool, "render", "absent.jsonl", "-o", "out.png", folder=tmp_path)
    assert result.returncode == 2
    assert result.stderr == "gesturectl: absent.jsonl: No such file or directory\n"


def test_a_part_is_the_process_that_was_started(tmp_path: pathlib.Path):
    tool = installed(tmp_path, "gesturectl-bridges")
    nowhere = [f"--{name}=ipc://{tmp_path}/{name}" for name in ("events", "updates", "control")]
    with subprocess.Popen(
            [tool, *nowhere, "bridge", "tuio", "--session", "table", "--port", "0"], text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE) as bridge:
        assert bridge.stdout and bridge.stdout.readline().startswith("bridge tuio ready udp://")
        program = os.readlink(f"/proc/{bridge.pid}/exe")
        assert program == str(tmp_path / "lib" / "gestured" / "gesturectl-bridges")
        bridge.send_signal(signal.SIGTERM)
        _, errors = bridge.communicate(timeout=30)
    assert bridge.returncode == 0 and "bridge tuio: " in errors


@pytest.mark.parametrize("words, help_of", [
    (["watch", "--nonsense"], "watch "), (["bridge", "tuio", "--prt", "x"], "bridge tuio "),
    (["publish"], "publish "), (["render", "--skin", "3"], "render "),
    (["wath"], ""), (["bridge"], ""), ([], "")])
def test_a_wrong_call_names_the_help_that_explains_it(
    tmp_path: pathlib.Path, words: list[str], help_of: str
):
    result = run(installed(tmp_path), *words, folder=tmp_path)
    assert result.returncode == 2
    assert result.stderr.splitlines()[-1] == f"Try 'gesturectl {help_of}--help'."
