"""Scenes for the tests, as a client sends them, and places in them."""

VIEWPORT = [320, 568]
CENTER = (160, 284)
# The kinds. The components below have the same ids.
KINDS = ("tips", "toss", "navigation", "profile", "list", "reader", "tabs")
TIPS = [{"title": "One", "summary": "First"}, {"title": "Two", "image": "two.png"}, {}]
ITEMS = [
    {"id": "home"},
    {"id": "popular", "bubble": ["comments", "likes"]},
    {"id": "share", "bubble": ["followers"]},
    {"id": "profile", "glow": ["mentions"]},
]


def scene(*components: dict, **fields: object) -> dict:
    return {"viewport": VIEWPORT, "components": list(components), **fields}


def tips(**parameters: object) -> dict:
    return {"id": "tips", "kind": "tips", "tips": TIPS, **parameters}


def toss(**parameters: object) -> dict:
    return {"id": "toss", "kind": "toss", **parameters}


def profile(**parameters: object) -> dict:
    return {"id": "profile", "kind": "profile", **parameters}


def tabs(**parameters: object) -> dict:
    return {"id": "tabs", "kind": "tabs", "items": ITEMS, **parameters}


def navigation(**parameters: object) -> dict:
    return {"id": "navigation", "kind": "navigation", "root": "dashboard", **parameters}


def rows(**parameters: object) -> dict:
    return {"id": "list", "kind": "list", "rows": 20, **parameters}


def reader(**parameters: object) -> dict:
    return {"id": "reader", "kind": "reader", "pages": 10, **parameters}


def dynamics(**parameters: object) -> dict:
    return {"id": "world", "kind": "dynamics", **parameters}


def still(**fields: object) -> dict:
    """All kinds, at rest from the beginning."""
    return scene(
        tips(presented=False), toss(), navigation(), profile(), rows(), reader(), tabs(), **fields)
