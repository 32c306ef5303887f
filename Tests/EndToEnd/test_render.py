"""`gesturectl render`: stills, strips and animations of a recording, without a daemon."""

from __future__ import annotations

import io
import json
import pathlib
import re
import xml.etree.ElementTree as ElementTree

import pytest
from client import REPOSITORY
from PIL import Image, ImageChops
from renderer import Area, Painted, Picture
from scenes import dynamics, scene, tabs, toss
from simulation import SESSION, Script
from tool import OWN, ctl

SVG = "{http://www.w3.org/2000/svg}"
COLORS = {"red": (255, 0, 0), "lime": (0, 255, 0), "blue": (0, 0, 255), "gold": (255, 215, 0)}
# A view's shadow darkens what is behind it so far beyond its edge, and its edge is smooth.
SHADOW, EDGE = 40.0, 1.5


def box(name: str, x: float, y: float, color: str, **more: object) -> dict:
    return {"id": name, "center": [x, y], "size": [48, 36], "content": {"background": color}} | more


def falling() -> dict:
    """Boxes and a ball that fall and tumble, in a page of the tabs; and some on a thrown view."""
    items = [box("one", 60, 40, "red", rotation=0.5), box("two", 150, 90, "lime"),
             box("three", 90, 130, "blue", rotation=-0.4),
             box("ball", 200, 60, "gold", size=[50, 50], shape="circle")]
    names = [item["id"] for item in items]
    world = dynamics(
        frame=[10, 30, 280, 420], items=items, behaviors=[
            {"id": "gravity", "kind": "gravity", "items": names},
            {"id": "walls", "kind": "collision", "items": names, "bounds": True}],
        **{"in": "tabs/page-home"})
    card = dynamics(
        id="card", items=[box("four", 40, 40, "red"), box("five", 200, 120, "blue")],
        behaviors=[], **{"in": "toss/item"})
    thrown = toss(frame=[60, 180, 240, 160], content={"background": "white"}, spin=[3, 3],
                  return_delay=1.0)
    return scene(tabs(), world, thrown, card, content={"background": "white"})


@pytest.fixture(scope="module")
def play(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    script = Script(falling())
    script.wait(400).gesture("toss", "pan", "began", x=150, y=220)
    script.wait(25).gesture("toss", "pan", "changed", x=140, y=200)
    script.wait(25).gesture("toss", "pan", "ended", x=130, y=180, vx=-300, vy=-1100)
    path = tmp_path_factory.mktemp("render") / "play.jsonl"
    lines = [script.header, *script.lines]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def pictures(play: pathlib.Path, times: list[float]) -> list[Picture]:
    """An independent renderer's pictures at these seconds after the first event."""
    done = ctl("simulate", play)
    assert done.returncode == 0, done.stderr
    messages = [json.loads(line) for line in done.stdout.splitlines()]
    found = []
    for seconds in times:
        picture = Picture()
        for message in messages:
            if message["body"]["t"] - 1000 <= seconds * 1000 + 1e-6:
                picture.take(message["topic"], message["body"])
        found.append(picture)
    return found


def grown(area: Area, by: float) -> Area:
    """The same area with a rim."""
    return Area(area.matrix @ area.matrix.moved(-by, -by), area.w + 2 * by, area.h + 2 * by)


def is_seen(one: Painted, later: list[Painted], x: float, y: float) -> bool:
    """Whether the point shows this view alone."""
    if not 0 < x < 320 or not 0 < y < 520:
        return False
    if not all(grown(area, -EDGE).contains(x, y) for area in one.clips):
        return False
    return not any(grown(other.area, SHADOW).contains(x, y) for other in later)


def render(play: pathlib.Path, out: pathlib.Path, *arguments: object) -> bytes:
    done = ctl("render", play, "-o", out, *arguments)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b""), done
    return out.read_bytes()


@pytest.mark.parametrize("seconds", [0.0, 0.3, 0.425, 0.6, 0.75, 1.2])
def test_each_view_has_its_color_where_another_renderer_puts_it(
    play: pathlib.Path, tmp_path: pathlib.Path, seconds: float
):
    scale = 2
    image = Image.open(io.BytesIO(
        render(play, tmp_path / "a.png", "--at", seconds, "--scale", scale))).convert("RGB")
    picture = pictures(play, [seconds])[0]
    assert image.size == (320 * scale, 568 * scale)
    contents = {
        (component["id"], item["id"]): COLORS[item["content"]["background"]]
        for component in picture.scene["components"] if component["kind"] == "dynamics"
        for item in component["parameters"]["items"]}
    painted = picture.painted()
    seen = 0
    for place, one in enumerate(painted):
        color = contents.get((one.component, one.view))
        if color is None:
            continue
        assert one.alpha == 1
        for u in (0.1, 0.3, 0.5, 0.7, 0.9):
            for v in (0.1, 0.3, 0.5, 0.7, 0.9):
                round_edge = one.is_circle and (u - 0.5) ** 2 + (v - 0.5) ** 2 > 0.22
                x, y = one.area.matrix(u * one.area.w, v * one.area.h)
                if round_edge or not is_seen(one, painted[place + 1:], x, y):
                    continue
                seen += 1
                got = image.getpixel((int(x * scale), int(y * scale)))
                assert max(abs(a - b) for a, b in zip(got, color)) <= 3, (one, (u, v), got)
    assert seen > 30, f"only {seen} places could be compared"


def test_an_svg_is_well_formed_and_shows_the_same(play: pathlib.Path, tmp_path: pathlib.Path):
    text = render(play, tmp_path / "a.svg", "--at", 0.6, "--scale", 1)
    root = ElementTree.fromstring(text)
    assert root.tag == f"{SVG}svg" and root.get("viewBox") == "0 0 320 568"
    fills = {
        element.get("fill") or element.get("style", "") for element in root.iter(f"{SVG}path")}
    for color in ("rgb(100%,0%,0%)", "rgb(0%,100%,0%)", "rgb(0%,0%,100%)"):
        assert any(color in fill for fill in fills), sorted(fills)[:10]


@pytest.mark.parametrize("ending", ["png", "svg", "webp"])
def test_the_same_bytes_each_time(play: pathlib.Path, tmp_path: pathlib.Path, ending: str):
    more = ["--rate", 10] if ending == "webp" else ["--frames", 3]
    one = render(play, tmp_path / f"a.{ending}", "--to", 1, *more)
    assert render(play, tmp_path / f"b.{ending}", "--to", 1, *more) == one


def test_a_strip_has_its_panels_beside_one_another(play: pathlib.Path, tmp_path: pathlib.Path):
    image = Image.open(io.BytesIO(render(
        play, tmp_path / "a.png", "--frames", 4, "--from", 0.4, "--to", 1, "--scale", 0.5,
        "--theme", "dark"))).convert("RGB")
    # Four screens of 320 by 568, 14 points around each, 24 below for the times.
    assert image.size == ((4 * 334 + 14) // 2, (568 + 28 + 24) // 2)
    for edge in ((2, 2), (14 // 2 + 334 // 2 - 4, 100)):
        assert image.getpixel(edge) == (13, 17, 23), edge
    panels = [
        image.crop((7 + 167 * n, 7, 7 + 167 * n + 160, 7 + 284)).tobytes() for n in range(4)]
    assert len(set(panels)) == 4


def test_ghosts_are_where_the_views_were(play: pathlib.Path, tmp_path: pathlib.Path):
    sheets = [
        Image.open(io.BytesIO(render(
            play, tmp_path / f"{skins}.png", "--frames", 2, "--from", 0.05, "--to", 0.35,
            "--skins", skins))).convert("RGB") for skins in (0, 3)]
    first, last = ([s.crop((14 + 334 * n, 14, 334 + 334 * n, 582)) for s in sheets] for n in (0, 1))
    assert first[0].tobytes() == first[1].tobytes(), "the first panel has nothing before it"
    # At 0.275 s, a quarter before the end, the ball's upper edge was here.
    before = next(one for one in pictures(play, [0.275])[0].painted() if one.view == "ball")
    x, y = before.area.matrix(25, 4)
    plain, ghosted = (image.getpixel((int(x), int(y))) for image in last)
    assert ghosted != plain and ghosted[2] < plain[2], (plain, ghosted)


def test_a_strip_of_chosen_times(play: pathlib.Path, tmp_path: pathlib.Path):
    strip = Image.open(io.BytesIO(render(
        play, tmp_path / "a.png", "--at", "0.1,0.3,0.35", "--skins", 0))).convert("RGB")
    assert strip.size == (3 * 334 + 14, 568 + 28 + 24)
    still = Image.open(io.BytesIO(render(
        play, tmp_path / "b.png", "--at", 0.3, "--scale", 1))).convert("RGB")
    inside = (40, 40, 280, 500)
    panel = strip.crop((14 + 334, 14, 14 + 334 + 320, 14 + 568))
    # Smooth edges may be rounded otherwise in another place.
    most = ImageChops.difference(panel.crop(inside), still.crop(inside)).getextrema()
    assert all(high <= 24 for _, high in most), most


def test_fingers_are_shown_where_they_are(play: pathlib.Path, tmp_path: pathlib.Path):
    """One drags the view from 0.4 s to 0.45 s; at 0.425 s it is at (140, 200) of its frame's."""
    def still(seconds: float, *more: str) -> Image.Image:
        return Image.open(io.BytesIO(render(
            play, tmp_path / "a.png", "--at", seconds, "--scale", 1, *more))).convert("RGB")
    plain, shown = still(0.425), still(0.425, "--touches")
    changed = ImageChops.difference(plain, shown).getbbox()
    # The component's coordinates begin at the viewport's corner; a disc has a radius of 22 points.
    assert changed is not None
    assert all(abs(a - b) <= 2 for a, b in zip(changed, (118, 178, 162, 222))), changed
    assert still(0.2).tobytes() == still(0.2, "--touches").tobytes()
    assert still(0.7).tobytes() == still(0.7, "--touches").tobytes(), "it was lifted"


def test_an_animation_has_its_frames_and_its_time(play: pathlib.Path, tmp_path: pathlib.Path):
    data = render(play, tmp_path / "a.webp", "--from", 0.4, "--to", 1, "--rate", 20, "--loops", 3)
    film = Image.open(io.BytesIO(data))
    # All of it moves: 13 frames, one each 50 ms.
    assert (film.format, film.n_frames, film.info["loop"]) == ("WEBP", 13, 3)
    assert film.size == (348, 596)
    durations = []
    for frame in range(film.n_frames):
        film.seek(frame)
        film.load()
        durations.append(film.info["duration"])
    assert sum(durations) == 650, durations
    fast = Image.open(io.BytesIO(render(
        play, tmp_path / "b.webp", "--from", 0.4, "--to", 1, "--rate", 20, "--speed", 2)))
    assert fast.n_frames == 7 and fast.info["loop"] == 0


def test_a_still_as_webp(play: pathlib.Path, tmp_path: pathlib.Path):
    image = Image.open(io.BytesIO(render(play, tmp_path / "a.webp", "--at", 0.5)))
    assert getattr(image, "n_frames", 1) == 1


def test_captions_stand_below(tmp_path: pathlib.Path):
    tour = OWN / "tour.jsonl"
    plain, told = (
        Image.open(io.BytesIO(render(tour, tmp_path / "a.png", "--at", 12, "--scale", 1, *more)))
        .convert("RGB") for more in ([], ["--captions"]))
    assert plain.size == (320, 568) and told.size == (320, 612)
    assert told.crop((0, 0, 320, 568)).tobytes() == plain.tobytes()
    words = told.crop((0, 570, 320, 612))
    assert words.convert("L").getextrema()[0] < 80, "no letters are there"


def test_the_session_that_is_played_is_drawn(tmp_path: pathlib.Path):
    dock = OWN / "dock.jsonl"
    played = render(dock, tmp_path / "a.png", "--at", 3)
    assert render(dock, tmp_path / "b.png", "--at", 3, "--session", "desk") == played
    assert render(dock, tmp_path / "c.png", "--at", 3, "--session", "alice") != played


@pytest.mark.parametrize("name", sorted(
    path.name for path in (OWN / "others").iterdir() if path.suffix not in (".py", ".pyc")
    and path.is_file()))
def test_other_kinds_of_recordings_are_drawn(name: str, tmp_path: pathlib.Path):
    # Some say on standard error what they assume of the screen.
    done = ctl(
        "render", OWN / "others" / name, "-o", tmp_path / "a.png", "--frames", 2, "--scale", 0.25)
    assert done.returncode == 0, done
    image = Image.open(tmp_path / "a.png")
    assert len(image.convert("RGB").getcolors(100_000)) > 50


@pytest.mark.parametrize(("arguments", "words"), [
    (["-o", "a.gif"], "--output must end in .png, .svg or .webp, not 'a.gif'"),
    (["-o", "png"], "--output must end in"), ([], "--output is missing"),
    (["-o", "a.png", "--at", "99"], "--at 99: the recording ends at "),
    (["-o", "a.png", "--from", "99"], "--from 99: the recording ends at "),
    (["-o", "a.webp", "--from", "1", "--to", "0.5"], "--from 1 is behind --to 0.5"),
    (["-o", "a.png", "--at", "-1"], "--at must be seconds from 0 on"),
    (["-o", "a.png", "--at", "1,0.5"], "at most 64 that rise"),
    (["-o", "a.png", "--at", "0.5,x"], "at most 64 that rise"),
    (["-o", "a.png", "--at", "0.5,99"], "--at 99: the recording ends at "),
    (["-o", "a.webp", "--at", "0.5,1"], "--at must be one time for a .webp"),
    (["-o", "a.png", "--frames", "65"], "--frames must be a whole number from 1 to 64"),
    (["-o", "a.png", "--rate", "10"], "--rate means nothing for a filmstrip"),
    (["-o", "a.webp", "--frames", "3"], "--frames means nothing for an animation"),
    (["-o", "a.png", "--at", "1", "--to", "2"], "--to means nothing for a still"),
    (["-o", "a.webp", "--rate", "60", "--speed", "0.01"], "frames are too many: at most 3600"),
    (["-o", "a.png", "--frames", "64", "--scale", "16"], "is too large: at most 16383 a side"),
    (["-o", "a.png", "--at", "0", "--session", "bob"], f"no session 'bob' in the recording; it "
                                                       f"has {SESSION}"),
    (["-o", "a.png", "--at", "0", "--theme", "red"], "must be light or dark, not 'red'"),
    (["-o", "no/such/folder/a.png", "--at", "0"], "no/such/folder/a.png: No such file"),
])
def test_errors_say_what_is_wrong(
    play: pathlib.Path, tmp_path: pathlib.Path, arguments: list[str], words: str
):
    done = ctl("render", play, *arguments, cwd=tmp_path)
    assert done.returncode == 2 and done.stdout == b"", done
    assert words in done.stderr.decode(), done.stderr
    assert list(tmp_path.iterdir()) == [], "a file was left"


def test_every_picture_of_the_documents_is_made_by_the_script():
    script = (REPOSITORY / ".ci" / "pictures").read_text()
    made = set(re.findall(r"-o \$images/([\w.-]+)", script))
    photographs = (REPOSITORY / ".ci" / "photographs").read_text()
    made |= set(re.findall(r'folder / "([\w.-]+)"', photographs))
    # A diagram that a person wrote.
    made.add("concepts.svg")
    folder = REPOSITORY / "docs" / "images"
    texts = [REPOSITORY / "README.md", *(REPOSITORY / "docs").glob("*.md")]
    shown = {
        name for text in texts for name in re.findall(r"images/([\w.-]+)\)", text.read_text())}
    assert shown and {name for name in shown if not (folder / name).is_file()} == set()
    assert made == {path.name for path in folder.iterdir()} and shown <= made
    assert (folder / "tour.webp").stat().st_size <= 1_500_000
    film = Image.open(folder / "tour.webp")
    assert film.n_frames > 200
