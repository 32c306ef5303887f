"""The files that convert's --output leaves, after success, failure and kill."""

from __future__ import annotations

import os
import pathlib
import resource
import signal
import subprocess
import threading

import pytest
from client import DEADLINE, binary
from tool import OWN, ctl

FLICK = OWN / "others" / "flick.csv"


def limited(file: pathlib.Path, target: pathlib.Path, dies: bool) -> subprocess.CompletedProcess:
    """Writes with files limited to 1,000 bytes. `dies`: a signal kills it beyond the limit."""
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL if dies else signal.SIG_IGN)
    return subprocess.run(
        [str(binary().with_name("gesturectl")), "convert", str(file), "-o", str(target)],
        capture_output=True, stdin=subprocess.DEVNULL, timeout=DEADLINE, preexec_fn=limit)


@pytest.mark.parametrize("dies", [False, True], ids=["failed", "killed"])
def test_a_failed_write_replaces_nothing(tmp_path: pathlib.Path, dies: bool):
    target = tmp_path / "good.jsonl"
    target.write_text("good\n")
    result = limited(FLICK, target, dies)
    if dies:
        assert result.returncode == -signal.SIGXFSZ
    else:
        assert result.returncode == 2
        assert result.stderr == f"gesturectl: {target}: File too large\n".encode()
        assert os.listdir(tmp_path) == [target.name], "convert left another file"
    assert target.read_text() == "good\n"


def test_a_failure_leaves_no_new_file(tmp_path: pathlib.Path):
    assert limited(FLICK, tmp_path / "new.jsonl", False).returncode == 2
    assert os.listdir(tmp_path) == []
    assert ctl("convert", tmp_path / "missing", "-o", tmp_path / "new").returncode == 2
    assert os.listdir(tmp_path) == []


def test_permissions_stay_and_new_files_have_the_usual_ones(tmp_path: pathlib.Path):
    whole = ctl("convert", FLICK).stdout
    old, new = tmp_path / "old.jsonl", tmp_path / "new.jsonl"
    old.write_text("old\n" * 10_000)
    old.chmod(0o640)
    for file in (old, new):
        result = ctl("convert", FLICK, "-o", file, preexec_fn=lambda: os.umask(0o027))
        assert result.returncode == 0 and result.stderr == b"", result
        assert file.read_bytes() == whole
        assert file.stat().st_mode & 0o7777 == 0o640
    old.chmod(0o604)
    assert ctl("convert", FLICK, "-o", old).returncode == 0
    assert old.stat().st_mode & 0o7777 == 0o604
    assert sorted(os.listdir(tmp_path)) == ["new.jsonl", "old.jsonl"]


def test_a_file_may_be_converted_onto_itself(tmp_path: pathlib.Path):
    file = tmp_path / "flick"
    file.write_bytes(FLICK.read_bytes())
    assert ctl("convert", file, "-o", file).returncode == 0
    assert file.read_bytes() == ctl("convert", FLICK).stdout


def test_links_stay_links(tmp_path: pathlib.Path):
    whole = ctl("convert", FLICK).stdout
    (tmp_path / "there").mkdir()
    real, link = tmp_path / "there" / "real", tmp_path / "link"
    link.symlink_to("there/real")
    for _ in range(2):
        assert ctl("convert", FLICK, "-o", link).returncode == 0
        assert link.is_symlink() and real.read_bytes() == whole
        real.write_text("former")
    assert os.listdir(tmp_path / "there") == ["real"]


def test_pipes_and_devices_are_written_in_place(tmp_path: pathlib.Path):
    whole = ctl("convert", FLICK).stdout
    assert ctl("convert", FLICK, "-o", "/dev/stdout").stdout == whole
    assert ctl("convert", FLICK, "-o", "-").stdout == whole
    # The shell opened this file, and two commands write to it.
    target = tmp_path / "out"
    subprocess.run(
        ["sh", "-c", 'exec >"$1"; "$0" convert "$2" -o /dev/stdout; "$0" convert "$2"',
         str(binary().with_name("gesturectl")), str(target), str(FLICK)],
        check=True, timeout=DEADLINE)
    # The second continues after the first.
    assert target.read_bytes() == whole * 2 and os.listdir(tmp_path) == ["out"]
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()), daemon=True)
    reader.start()
    assert ctl("convert", FLICK, "-o", pipe).returncode == 0
    reader.join(DEADLINE)
    assert got == [whole] and pipe.is_fifo()
    full = ctl("convert", FLICK, "-o", "/dev/full")
    assert full.returncode == 2 and b"No space left" in full.stderr
    folder = ctl("convert", FLICK, "-o", tmp_path)
    assert folder.returncode == 2 and b"Is a directory" in folder.stderr


@pytest.mark.parametrize("name", [
    "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "/proc/$$/fd/1", "link"])
def test_a_descriptor_of_its_own_is_written_on(tmp_path: pathlib.Path, name: str):
    whole = ctl("convert", FLICK).stdout
    (tmp_path / "link").symlink_to("/dev/stdout")
    (tmp_path / "log").write_text("dear\n")
    subprocess.run(
        ["sh", "-c", f'exec "$0" convert "$1" -o {name} >> log',
         str(binary().with_name("gesturectl")), str(FLICK)],
        check=True, timeout=DEADLINE, cwd=tmp_path)
    assert (tmp_path / "log").read_bytes() == b"dear\n" + whole
    assert (tmp_path / "link").is_symlink()
    closed = subprocess.run(
        ["sh", "-c", 'exec "$0" convert "$1" -o /dev/fd/77', str(
            binary().with_name("gesturectl")), str(FLICK)], capture_output=True, timeout=DEADLINE)
    assert closed.returncode == 2
    assert closed.stderr == b"gesturectl: /dev/fd/77: Bad file descriptor\n"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anything")
def test_a_read_only_file_is_kept(tmp_path: pathlib.Path):
    whole = ctl("convert", FLICK).stdout
    kept = tmp_path / "kept"
    kept.write_text("kept")
    kept.chmod(0o444)
    result = ctl("convert", FLICK, "-o", kept)
    assert result.returncode == 2 and b"Permission denied" in result.stderr
    assert kept.read_text() == "kept"
    # The folder takes no new file, so convert writes the file in place.
    kept.chmod(0o644)
    tmp_path.chmod(0o555)
    try:
        assert ctl("convert", FLICK, "-o", kept).returncode == 0
        assert kept.read_bytes() == whole
    finally:
        tmp_path.chmod(0o755)


def test_a_mounted_file_is_written_in_place(tmp_path: pathlib.Path):
    if subprocess.run(["unshare", "-rm", "true"], capture_output=True).returncode != 0:
        pytest.skip("nothing may be mounted here")
    whole = ctl("convert", FLICK).stdout
    real, place, closed = tmp_path / "real", tmp_path / "place", tmp_path / "closed"
    real.write_text("former")
    place.touch()
    closed.mkdir()
    # A file mounted on a file, and one in a read-only folder.
    for target, script in [
        (place, 'mount --bind "$1" "$2"'),
        (closed / "place", 'mount -t tmpfs none "$4" && touch "$2" && mount --bind "$1" "$2" '
                           '&& mount -o remount,ro none "$4"'),
    ]:
        real.write_text("former" * 10_000)
        tool = str(binary().with_name("gesturectl"))
        result = subprocess.run(
            ["unshare", "-rm", "sh", "-c", script + ' && exec "$0" convert "$3" -o "$2"', tool,
             str(real), str(target), str(FLICK), str(closed)],
            capture_output=True, text=True, timeout=DEADLINE)
        assert (result.returncode, result.stderr) == (0, "")
        assert real.read_bytes() == whole
    assert sorted(os.listdir(tmp_path)) == ["closed", "place", "real"]
