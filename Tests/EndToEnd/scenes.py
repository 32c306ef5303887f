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


# Screens, pages and a label with texts by language, and with values in them.
WORDED = {"viewport": VIEWPORT, "variables": {"unread": 3}, "components": [
    {"id": "navigation", "kind": "navigation", "frame": [0, 0, 320, 200], "root": "home",
     "content": {"background": "#ffffff", "text": "unseen"}, "screens": [
         {"name": "home", "title": {"en": "Today", "de": "Heute"}},
         {"name": "mail", "title": {"en": "Mail ({unread})", "de": "Post ({unread})"}}]},
    {"id": "reader", "kind": "reader", "frame": [0, 200, 320, 200],
     "pages": [{"en": "Tides", "de": "Gezeiten"}, {"en": "Looms", "de": "Webstühle"}]},
    {"id": "points", "kind": "label", "frame": [0, 420, 320, 100], "content": {"text": "unseen"},
     "fade": 0, "text": {"en": "{unread} left", "de": "{unread} übrig"}}]}


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
