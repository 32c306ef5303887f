"""Other packages can use the library products: the examples in Swift, and what they print."""

from __future__ import annotations

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

import pytest
from client import DEADLINE, REPOSITORY, Daemon, binary

EXAMPLES = REPOSITORY / "Examples" / "swift"
# The build that the daemon comes from.
BUILD = binary().parent
CORE = ["GesturedCore", "Scenes", "Sessions", "Interactions", "Gestures", "Motion", "Dynamics",
        "Notation", "Geometry"]
CLIENT = ["GesturedClient", "Protocol", "Notation", "Geometry", "Security", "ZeroMQ", "CDocument"]
CLIENT_FLAGS = [
    f"-I{REPOSITORY}/Sources/CZeroMQ", "-Xcc",
    f"-fmodule-map-file={BUILD}/CDocument.build/module.modulemap",
    "-lzmq", "-lsimdjson", "-ltomlplusplus", "-lstdc++"]


@pytest.fixture(scope="module")
def folder():
    with tempfile.TemporaryDirectory(prefix="gestured-swift-") as made:
        yield pathlib.Path(made)


def built(folder: pathlib.Path, name: str, modules: list[str], flags: list[str]) -> pathlib.Path:
    return compiled(folder / name, EXAMPLES / "Sources" / name / "main.swift", modules, flags)


def compiled(
    program: pathlib.Path, source: pathlib.Path, modules: list[str], flags: list[str],
) -> pathlib.Path:
    """A program as SwiftPM would build it, of the objects of our own build.

    It is compiled as another package: `package` names are out of its reach.
    """
    if shutil.which("swiftc") is None or not (BUILD / f"{modules[0]}.build").is_dir():
        pytest.skip(f"there is no build of {modules[0]} in {BUILD}")
    objects = [path for module in modules for path in (BUILD / f"{module}.build").rglob("*.o")]
    done = subprocess.run(
        ["swiftc", "-swift-version", "6", "-warnings-as-errors", f"-I{BUILD}/Modules",
         *flags, source, *objects, "-lm", "-o", program],
        capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr
    return program


@pytest.fixture(scope="module")
def embedded(folder: pathlib.Path) -> pathlib.Path:
    return built(folder, "embedded", CORE, [])


def recording(folder: pathlib.Path, name: str, scene: dict, *, component: str) -> pathlib.Path:
    """The gestures of one of our recordings on one component, in a scene of its own."""
    source = REPOSITORY / "Examples" / "recordings" / f"{name}.jsonl"
    head, *lines = source.read_text(encoding="utf-8").splitlines()
    kept = [line for line in lines if f'"gesture/alice/{component}"' in line]
    assert kept, f"{name} has no gesture on {component}"
    path = folder / f"{name}.jsonl"
    path.write_text("\n".join([json.dumps(json.loads(head) | {"scene": scene}), *kept]) + "\n")
    return path


SCENES = {
    "toss": {"id": "toss", "kind": "toss"},
    "tips": {"id": "tips", "kind": "tips", "tips": [
        {"title": "One", "summary": "a"}, {"title": "Two", "summary": "b"}]},
}


@pytest.mark.parametrize("name", SCENES)
def test_the_core_in_another_process_gives_the_same_bytes(
    folder: pathlib.Path, embedded: pathlib.Path, name: str,
):
    scene = {"viewport": [320, 568], "components": [SCENES[name]]}
    path = recording(folder, name, scene, component=name)
    simulated = subprocess.run(
        [binary().with_name("gesturectl"), "simulate", path, "--format", "csv"],
        capture_output=True, timeout=120, check=True)
    own = subprocess.run([embedded, path], capture_output=True, timeout=120, check=True)
    assert own.stdout.count(b"\n") > 100
    assert own.stdout == simulated.stdout


def test_the_core_links_nothing_but_the_c_library(embedded: pathlib.Path):
    """An SDK without Foundation can have it; the example alone uses Foundation, to read files."""
    objects = [path for module in CORE for path in (BUILD / f"{module}.build").rglob("*.o")]
    wanted = subprocess.run(
        ["nm", "--undefined-only", *objects], capture_output=True, text=True, check=True).stdout
    assert "swift_retain" in wanted
    others = ("10Foundation", "dispatch_", "pthread_", "zmq_", "simdjson")
    assert [word for word in others if word in wanted] == []


def test_a_mistake_in_a_scene_is_named(folder: pathlib.Path, embedded: pathlib.Path):
    path = folder / "bad.jsonl"
    scene = {"viewport": [320, 568], "components": [{"id": "a", "kind": "toss", "fly": 1}]}
    path.write_text(json.dumps({"gesture-recording": 1, "scene": scene}) + "\n")
    done = subprocess.run([embedded, path], capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert done.stderr.startswith('embedded: bad-scene: component a: unknown key "fly"')


def test_the_subscriber_shows_a_session(folder: pathlib.Path):
    program = built(folder, "subscriber", CLIENT, CLIENT_FLAGS)
    with Daemon() as daemon:
        control = daemon.requests()
        control.ok("open", session="a", scene={
            "viewport": [320, 568], "components": [{"id": "card", "kind": "toss"}]})
        environment = os.environ | {
            "GESTURED_UPDATES": daemon.updates, "GESTURED_CONTROL": daemon.control}
        process = subprocess.Popen(
            [program, "a"], stdout=subprocess.PIPE, env=environment, text=True)
        try:
            assert float(process.stdout.readline()) > 0
            assert process.stdout.readline() == "  card/item  (160.0, 223.0)\n"
        finally:
            process.kill()
            process.communicate(timeout=DEADLINE)


def test_the_products_are_a_dependency_with_a_version(folder: pathlib.Path):
    """SwiftPM refuses some flags of such packages when it loads them, before it builds."""
    if shutil.which("swift") is None:
        pytest.skip("there is no swift")
    library, app = folder / "library", folder / "app"
    copied = subprocess.run(
        ["git", "clone", "--quiet", "--depth", "1", f"file://{REPOSITORY}", library],
        capture_output=True, text=True, timeout=60)
    if copied.returncode != 0:
        pytest.skip(f"this is no git repository: {copied.stderr}")
    shutil.copy(REPOSITORY / "Package.swift", library)
    who = ["-c", "user.name=test", "-c", "user.email=test@localhost"]
    git = ["git", "-C", str(library), *who]
    subprocess.run([*git, "commit", "--quiet", "--allow-empty", "-am", "x"], check=True)
    subprocess.run([*git, "tag", "1.2.3"], check=True)
    (app / "Sources" / "app").mkdir(parents=True)
    (app / "Sources" / "app" / "main.swift").write_text(
        "import GesturedClient\nimport GesturedCore\n")
    (app / "Package.swift").write_text(f"""// swift-tools-version: 6.2
import PackageDescription
let package = Package(
    name: "app",
    dependencies: [.package(url: "file://{library}", from: "1.0.0")],
    targets: [.executableTarget(name: "app", dependencies: [
        .product(name: "GesturedCore", package: "library"),
        .product(name: "GesturedClient", package: "library")])])
""")
    shown = subprocess.run(
        ["swift", "package", "--package-path", app, "--cache-path", folder / "cache",
         "show-dependencies"],
        capture_output=True, text=True, timeout=240)
    assert shown.returncode == 0 and "@1.2.3" in shown.stdout, shown.stderr


ARTICLES = [
    ("Sources/Client/GesturedClient.docc/FirstSteps.md", CLIENT_FLAGS[:3]),
    ("Sources/Core/GesturedCore.docc/EmbedASession.md", []),
]


@pytest.mark.parametrize(("article", "flags"), ARTICLES)
def test_the_code_of_an_article_compiles(folder: pathlib.Path, article: str, flags: list[str]):
    """All of it in one program, as a newcomer types it."""
    if shutil.which("swiftc") is None or not (BUILD / "GesturedCore.build").is_dir():
        pytest.skip(f"there is no build in {BUILD}")
    blocks = re.findall(r"```swift\n(.*?)```", (REPOSITORY / article).read_text(), re.DOTALL)
    assert len(blocks) >= 3
    program = folder / pathlib.Path(article).stem / "main.swift"
    program.parent.mkdir()
    program.write_text("\n".join(blocks))
    done = subprocess.run(
        ["swiftc", "-typecheck", "-swift-version", "6", "-warnings-as-errors",
         f"-I{BUILD}/Modules", *flags, program], capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr


def test_the_documentation_has_no_warnings():
    if shutil.which("docc") is None or not (BUILD / "GesturedCore.build").is_dir():
        pytest.skip(f"there is no docc, or no build in {BUILD}")
    made = subprocess.run(
        [REPOSITORY / ".ci" / "docc"], capture_output=True, text=True, timeout=240,
        env=os.environ | {"DOCC_BUILT": str(BUILD)})
    assert made.returncode == 0, made.stdout + made.stderr
    for product, symbol in (("GesturedClient", "subscriber"), ("GesturedCore", "localsession")):
        archive = REPOSITORY / ".build" / "documentation" / f"{product}.doccarchive"
        found = [path.stem for path in archive.rglob("data/documentation/**/*.json")]
        assert symbol in found and len(found) > 20, found[:40]
