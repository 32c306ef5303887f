"""Errors in configuration and scene files name the file, line and key."""

from __future__ import annotations

import os
import pathlib
import re
import resource
import subprocess

import pytest
from client import REPOSITORY, Daemon, binary

SCENE = """name = "mini"
viewport = [320, 568]

[[components]]
id = "toss"
kind = "toss"
"""


def check(file: pathlib.Path, *flags: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [str(binary()), *flags, "--config", str(file)], capture_output=True, text=True,
        timeout=10, stdin=subprocess.DEVNULL)


def names_place(said: str, file: str, line: int) -> bool:
    return re.search(rf"{re.escape(file)}(:|.{{0,3}}line ){line}\b", said) is not None


@pytest.fixture
def folder(tmp_path: pathlib.Path) -> pathlib.Path:
    (tmp_path / "scenes").mkdir()
    (tmp_path / "scenes" / "mini.toml").write_text(SCENE)
    return tmp_path


def write(folder: pathlib.Path, text: str) -> pathlib.Path:
    file = folder / "gestured.toml"
    file.write_text('scenes = "scenes"\nauto_open = "mini"\n' + text)
    return file


def test_the_configuration_that_comes_along_is_valid():
    result = check(REPOSITORY / "config" / "gestured.toml", "--check")
    assert result.returncode == 0, result


def test_a_good_file_checks_with_exit_0(folder: pathlib.Path):
    result = check(write(folder, "frame_rate = 120\n[sessions]\nmax = 5\n"), "--check")
    assert result.returncode == 0, result


# The text, the line of its error, the key named, and another word of the message.
WRONG = [
    ("evnts = []", 3, "evnts", "events"),
    ("\n\nframe_rat = 60", 5, "frame_rat", "frame_rate"),
    ("[sessions]\nmaxx = 5", 4, "maxx", "max"),
    ("[session]\nmax = 5", 3, "session", "sessions"),
    ("[sockets]\nsend_highwater_mark = 5", 4, "send_highwater_mark", "send_high_water_mark"),
    ('events = "tcp://127.0.0.1:1"', 3, "events", ""),
    ("updates = [1]", 3, "updates", ""),
    ("frame_rate = 50", 3, "frame_rate", ""),
    ('frame_rate = "60"', 3, "frame_rate", ""),
    ("lanes = -1", 3, "lanes", ""),
    ("[sessions]\nmax = 0", 4, "max", ""),
    ("[sessions]\nidle_timeout = -1.0", 4, "idle_timeout", ""),
    ("[sockets]\nlinger_ms = -5", 4, "linger_ms", ""),
    ('[log]\nlevel = "loud"', 4, "level", ""),
]


@pytest.mark.parametrize("flags", [["--check"], []], ids=["check", "start"])
@pytest.mark.parametrize("text, line, key, nearest", WRONG, ids=[row[0] for row in WRONG])
def test_an_error_names_file_line_and_key(
    folder: pathlib.Path, text: str, line: int, key: str, nearest: str, flags: list[str]
):
    file = write(folder, text + "\n")
    result = check(file, *flags)
    said = result.stdout + result.stderr
    assert result.returncode == 2, result
    assert names_place(said, file.name, line), f"does not name {file.name}:{line}: {said}"
    assert key in said and nearest in said, f"does not name {key!r} and {nearest!r}: {said}"
    assert len(said.strip().splitlines()) == 1, f"more than one line: {said}"


def test_invalid_toml_is_named_by_file_and_line(folder: pathlib.Path):
    result = check(write(folder, "lanes = = 2\n"), "--check")
    assert result.returncode == 2, result
    assert names_place(result.stdout + result.stderr, "gestured.toml", 3), result


@pytest.mark.parametrize("flags", [["--check"], []], ids=["check", "start"])
def test_a_missing_file_is_named(tmp_path: pathlib.Path, flags: list[str]):
    result = check(tmp_path / "nowhere.toml", *flags)
    assert result.returncode == 2, result
    assert "nowhere.toml" in result.stdout + result.stderr, result


def test_a_folder_of_scenes_that_is_missing_is_named(tmp_path: pathlib.Path):
    file = tmp_path / "gestured.toml"
    file.write_text('scenes = "no-such-folder"\n')
    result = check(file, "--check")
    assert result.returncode == 2 and "no-such-folder" in result.stdout + result.stderr, result


def test_an_auto_open_that_no_scene_has_is_named(folder: pathlib.Path):
    file = folder / "gestured.toml"
    file.write_text('scenes = "scenes"\nauto_open = "mimi"\n')
    result = check(file, "--check")
    said = result.stdout + result.stderr
    assert result.returncode == 2 and "mimi" in said and "auto_open" in said, result


def test_a_wrong_scene_file_is_named_by_file_line_and_key(folder: pathlib.Path):
    (folder / "scenes" / "bad.toml").write_text(
        SCENE.replace("mini", "bad") + "throwing_treshold = 5\n")
    result = check(write(folder, ""), "--check")
    said = result.stdout + result.stderr
    assert result.returncode == 2, result
    assert names_place(said, "bad.toml", 7), said
    for word in ("throwing_treshold", "throwing_threshold"):
        assert word in said, f"does not say {word}: {said}"


def test_the_scenes_of_a_folder_are_there_by_name(folder: pathlib.Path):
    with Daemon(f'scenes = "{folder / "scenes"}"\nauto_open = "mini"\n') as daemon:
        control = daemon.requests()
        assert control.ok("scenes")["scenes"] == ["mini"]
        control.notify("alice", "likes")
        assert control.ok("snapshot", session="alice")["scene"] == "mini"
        assert "state/alice/toss" in control.snapshot("alice")


@pytest.mark.parametrize("limit", [10, 82, 255])
def test_more_lanes_than_there_are_descriptors_for_are_one_clear_error(
        folder: pathlib.Path, limit: int):
    file = write(folder, "lanes = 64\n")
    anywhere = "tcp://127.0.0.1:*"
    result = subprocess.run(
        [str(binary()), "--config", str(file), "--events", anywhere, "--updates", anywhere,
         "--control", anywhere, "--state-dir", str(folder)], capture_output=True, text=True,
        timeout=10, stdin=subprocess.DEVNULL,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit)))
    assert result.returncode == 2, result
    time, said = result.stderr.split(" ", 1)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", time)
    assert said == (
        f"gestured: error: cannot start: 64 lanes need 256 descriptors, and the system gives only"
        f" {limit}: lower the key lanes, or raise LimitNOFILE or ulimit -n\n")
    assert result.stdout == ""


def test_as_many_descriptors_as_are_asked_for_are_enough():
    few = ["sh", "-c", 'ulimit -n 256 && exec "$0" "$@"']
    with Daemon("lanes = 64\n", wrapper=few) as daemon:
        control = daemon.requests()
        for number in range(64):
            control.notify(f"s{number}", "likes")
        assert control.ok("stats")["stats"]["sessions"] == 64


# Endpoints that no other daemon has.
FREE = "".join(f'{key} = ["tcp://127.0.0.1:*"]\n' for key in ("events", "updates", "control"))


def test_a_check_names_all_errors_of_all_files_at_once(folder: pathlib.Path):
    for name in ("a", "b"):
        text = SCENE.replace("mini", name) + "frictoin = 1\n"
        (folder / "scenes" / f"{name}.toml").write_text(text)
    file = write(folder, 'frame_rate = 50\nlanes = -3\n[log]\nlevel="x"\n[sessions]\nmax="x"\n')
    file.write_text(FREE + file.read_text())
    result = check(file, "--check")
    assert result.returncode == 2 and not result.stdout
    for line, key in ((6, "frame_rate"), (7, "lanes"), (9, "level"), (11, "max")):
        assert f"{file}:{line}: " in result.stderr and f"key {key}: " in result.stderr
    for name in ("a", "b"):
        assert re.search(rf'{name}\.toml:7: .*"frictoin", did you mean "friction"', result.stderr)
    assert len(result.stderr.splitlines()) == 6


@pytest.mark.parametrize("key, value, words", [
    ("events", '["tcp://localhost:22101"]', "write 127.0.0.1"),
    ("control", '["ipc:///nowhere/at/all"]', "there is no folder /nowhere/at"),
    ("state_dir", '"gestured.toml"', "must be a folder"),
    ("scenes", '"nowhere"', "there is no folder"),
], ids=["host", "socket", "state", "scenes"])
def test_a_check_names_what_a_start_refuses(
    folder: pathlib.Path, key: str, value: str, words: str
):
    """The same key is named by a check and, in other words, by a start."""
    value = value.replace("gestured.toml", f"{folder}/gestured.toml")
    lines = (FREE + write(folder, "").read_text()).splitlines()
    file = folder / "gestured.toml"
    file.write_text("\n".join(
        [line for line in lines if not line.startswith(f"{key} =")] + [f"{key} = {value}", ""]))
    checked = check(file, "--check")
    assert checked.returncode == 2
    assert f"key {key}: " in checked.stderr and words in checked.stderr
    started = check(file, *([] if key == "state_dir" else ["--state-dir", str(folder / "state")]))
    assert started.returncode == 2, started
    assert words in started.stderr or key == "state_dir", started.stderr


# Things that stand in the state directory in the place of a file, and the words for each.
IN_THE_WAY = [
    ("gestured.db", os.mkfifo, "is a pipe; move it away"),
    ("gestured.db", os.mkdir, "is a folder; move it away"),
    ("gestured.db", lambda path: path.symlink_to("/dev/zero"), "is a device; move it away"),
    ("gestured.db", lambda path: path.symlink_to("gone.db"), "leads to no file; remove it"),
    ("gestured.db", lambda path: path.symlink_to(path), "leads to no file; remove it"),
    ("gestured.db-wal", os.mkfifo, "is a pipe; move it away"),
    ("gestured.db-journal", os.mkfifo, "is a pipe; move it away"),
    ("lock", os.mkdir, "is a folder"),
    ("lock", os.mkfifo, "is a pipe"),
    ("lock", lambda path: path.symlink_to("gone"), "is a link"),
]


@pytest.mark.parametrize("flags", [["--check"], []], ids=["check", "start"])
@pytest.mark.parametrize("name, make, words", IN_THE_WAY)
def test_what_is_no_file_in_the_state_directory_is_refused(
    folder: pathlib.Path, name: str, make, words: str, flags: list[str]
):
    state = folder / "state"
    state.mkdir()
    make(state / name)
    file = write(folder, FREE + f'state_dir = "{state}"\n')
    result = check(file, *flags)
    assert result.returncode == 2, result
    assert str(state / name) in result.stderr and words in result.stderr, result.stderr
    assert "key state_dir: " in result.stderr or not flags, result.stderr


def test_an_endpoint_in_use_is_a_warning_of_a_check(folder: pathlib.Path):
    """A check beside the daemon that runs must not fail."""
    with Daemon() as daemon:
        file = write(folder, f'control = ["{daemon.control}"]\n')
        result = check(file, "--check")
    assert result.returncode == 0, result
    assert "warning: " in result.stderr and "in use by another program" in result.stderr


@pytest.mark.parametrize("key", ["events", "updates", "control"])
def test_an_endpoint_in_use_is_told_with_its_key_and_what_to_do(
    folder: pathlib.Path, key: str
):
    with Daemon() as daemon:
        taken = getattr(daemon, key).split(",")[0]
        others = {"events", "updates", "control"} - {key}
        file = write(folder, f'{key} = ["{taken}"]\n' + "".join(
            f'{name} = ["tcp://127.0.0.1:*"]\n' for name in others))
        ended = check(file, "--state-dir", str(folder / "state"), "--push", "tcp://127.0.0.1:*")
    port = taken.rpartition(":")[2]
    assert ended.returncode in (2, 75), ended
    assert (
        f"{taken}: the endpoint is in use by another program, perhaps by another gestured: stop "
        f"that one, or choose another port (ss -ltnp 'sport = :{port}' shows whose it is); "
        f"key {key} or --{key} names it") in ended.stderr, ended.stderr
