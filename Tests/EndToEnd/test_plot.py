"""`gesturectl plot`: fields of a recording's states over time."""

from __future__ import annotations

import io
import pathlib
import xml.etree.ElementTree as ElementTree

import pytest
from PIL import Image
from tool import OWN, ctl

SVG = "{http://www.w3.org/2000/svg}"
TOSS = OWN / "toss.jsonl"
BLUE, ORANGE = (10, 108, 255), (255, 107, 0)
# The places of the first panel, in points: its left edge, its width, its top, its height.
LEFT, WIDTH, TOP, HEIGHT = 64, 876, 64, 220
# A row of phases, and below it two rows of the names that have no room in it.
PHASES = 24 + 2 * 15


def plot(out: pathlib.Path, *arguments: object, file: pathlib.Path = TOSS) -> bytes:
    done = ctl("plot", file, "-o", out, *arguments)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b""), done
    return out.read_bytes()


def rows_of(image: Image.Image, x: int, color: tuple[int, int, int]) -> list[int]:
    return [
        y for y in range(TOP, TOP + HEIGHT)
        if max(abs(a - b) for a, b in zip(image.getpixel((x, y)), color)) < 40]


def test_an_svg_is_well_formed_and_the_same_each_time(tmp_path: pathlib.Path):
    fields = ["--field", "toss.item.x,toss.item.rotation"]
    text = plot(tmp_path / "a.svg", *fields)
    assert plot(tmp_path / "b.svg", *fields) == text
    root = ElementTree.fromstring(text)
    width, height = map(float, root.get("viewBox").split()[2:])
    # One panel for points, one for radians, one row of phases.
    assert (width, height) == (960, TOP + 2 * (HEIGHT + 22) + PHASES + 44)
    assert sum(1 for _ in root.iter(f"{SVG}path")) > 20


def test_the_line_goes_where_the_view_goes(tmp_path: pathlib.Path):
    """The thrown view is furthest to the right at about 0.63 s, and rests at first and at last."""
    image = Image.open(io.BytesIO(plot(
        tmp_path / "a.png", "--field", "toss.item.x", "--to", 2, "--scale", 1))).convert("RGB")
    def height(seconds: float) -> float:
        rows = rows_of(image, int(LEFT + WIDTH * seconds / 2), BLUE)
        assert rows, f"no line at {seconds} s"
        return sum(rows) / len(rows)
    rest, peak, back = (height(seconds) for seconds in (0.05, 0.645, 1.8))
    assert abs(rest - back) < 2 and peak < rest - HEIGHT / 2, (rest, peak, back)
    # From 160 to 614 pt is the whole line: the axis has 6 % more on both sides.
    assert abs((rest - peak) - HEIGHT / 1.12) < 4


def test_transitions_are_bands(tmp_path: pathlib.Path):
    image = Image.open(io.BytesIO(plot(
        tmp_path / "a.png", "--field", "toss.item.x", "--to", 2, "--scale", 1))).convert("RGB")
    outside, tossed, returning = (
        image.getpixel((int(LEFT + WIDTH * seconds / 2), TOP + 5))
        for seconds in (1.53, 0.43, 0.93))
    assert outside == (255, 255, 255) and len({outside, tossed, returning}) == 3


def test_a_part_and_a_dark_background(tmp_path: pathlib.Path):
    image = Image.open(io.BytesIO(plot(
        tmp_path / "a.png", "--field", "profile.model.offset,profile.avatar.scale", "--from", 50,
        "--to", 55, "--theme", "dark", file=OWN / "tour.jsonl"))).convert("RGB")
    assert image.size == (2 * 960, 2 * (TOP + 2 * (HEIGHT + 22) + PHASES + 44))
    assert image.getpixel((1, 1)) == (13, 17, 23)


@pytest.mark.parametrize(("arguments", "words"), [
    (["--field", "toss.item.xx", "-o", "a.svg"], "no field 'toss.item.xx'; did you mean "
                                                 "toss.item.x? There are also toss.item.y"),
    (["--field", "tos.item.y", "-o", "a.svg"], "did you mean toss.item.y?"),
    (["--field", "toss.phase", "-o", "a.svg"], "toss.phase is no number"),
    (["--field", "a,,b", "-o", "a.svg"], "--field must be 1 to 32 names"),
    (["--field", ",".join(["toss.item.x"] * 33), "-o", "a.svg"], "--field must be 1 to 32 names"),
    (["-o", "a.svg"], "--field is missing"), (["--field", "toss.item.x"], "--output is missing"),
    (["--field", "toss.item.x", "-o", "a.webp"], "--output must end in .svg or .png"),
    (["--field", "toss.item.x", "-o", "a.svg", "--to", "99"], "the recording ends at"),
    (["--field", "toss.item.x", "-o", "a.svg", "--session", "bob"], "it has alice"),
    (["--field", "toss.item.x", "-o", "a.svg", "--frame-rate", "50"], "30, 60 or 120"),
])
def test_errors_say_what_is_wrong(tmp_path: pathlib.Path, arguments: list[str], words: str):
    done = ctl("plot", TOSS, *arguments, cwd=tmp_path)
    assert done.returncode == 2 and done.stdout == b"", done
    assert words in done.stderr.decode(), done.stderr
    assert list(tmp_path.iterdir()) == [], "a file was left"
