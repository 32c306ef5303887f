"""The pictures of the page and of the window in QML: they run, and are photographed."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

from client import DEADLINE, REPOSITORY, binary
from PIL import Image, ImageChops


def test_the_pages_pictures_are_made_anew(tmp_path: pathlib.Path):
    subprocess.run(
        [sys.executable, REPOSITORY / ".ci" / "photographs", tmp_path], check=True,
        env=os.environ | {"GESTURED_BIN": str(binary())}, timeout=DEADLINE * 4)
    for name, size in (("page-toss.png", (1280, 800)), ("page-cards.png", (1280, 800)),
                       ("qml.png", (984, 568))):
        made, kept = (Image.open(folder / name).convert("RGB")
                      for folder in (tmp_path, REPOSITORY / "docs" / "images"))
        assert made.size == kept.size == size
        # The page's head stays; the rest moves.
        head = (0, 0, 400, 55)
        if name == "page-toss.png":
            # Not to the bit: a browser may round a color of its text's edge otherwise.
            differences = ImageChops.difference(made.crop(head), kept.crop(head))
            assert max(most for _, most in differences.getextrema()) < 16
        assert len(made.getcolors(1 << 24)) > 100, f"{name} is an empty picture"
