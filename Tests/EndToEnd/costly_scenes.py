"""Scenes that cost a daemon, or those who follow them, much."""

from __future__ import annotations

from scenes import ITEMS, VIEWPORT

LISTS = 8
# The most that a reader takes.
PAGES = 1_024
# A step of the daemon, in seconds.
STEP = 1 / 120


def changed(number: int, readers: int = 7) -> dict:
    """66 KB of JSON with eight lists: each `set` reads all of it again."""
    return {
        "viewport": VIEWPORT, "components": [
            {"id": "tabs", "kind": "tabs", "items": ITEMS, "arrow_duration": 0},
            *({"id": f"list{place}", "kind": "list", "rows": 20} for place in range(LISTS)),
            *({"id": f"reader{place}", "kind": "reader",
               "pages": [f"{number}-{page}" for page in range(PAGES)]}
              for place in range(readers))]}


def long(number: int) -> dict:
    """780 KB of JSON."""
    pages = [f"{number}-{page:090}" for page in range(PAGES)]
    return {"viewport": VIEWPORT, "components": [
        {"id": f"reader{place}", "kind": "reader", "pages": pages} for place in range(8)]}


def changes_itself(number: int) -> dict:
    """The same, which sets its lists by itself at each step."""
    reactions = [
        {"when": {"component": "tabs", "transition": "select", "to": index},
         "do": {"component": "tabs", "command": "select", "index": 1 - index}, "after": STEP}
        for index in (0, 1)]
    reactions += [
        {"when": {"component": "tabs", "transition": "select", "to": index},
         "do": {"component": f"list{place}", "command": "set", "values": {"rows": 20 + index}}}
        for index in (0, 1) for place in range(LISTS)]
    reactions.append(
        {"when": {"session": "opened"},
         "do": {"component": "tabs", "command": "select", "index": 1}})
    return changed(number) | {"reactions": reactions}


def brings_tips(number: int) -> dict:
    """130 KB of JSON: each notification has 32 reactions bring the most tips that there may be."""
    bring = {"component": "tips", "command": "present", "tips": [{}] * PAGES}
    return {
        "viewport": VIEWPORT, "components": [
            {"id": "tips", "kind": "tips", "tips": [{}], "presented": False}],
        "reactions": [{"when": {"notification": "go"}, "do": bring}] * 32,
        "content": {"number": number}}


def brings_tips_where_it_changes_itself(number: int) -> dict:
    """The same, and another notification would have a reaction change the scene."""
    scene = brings_tips(number)
    change = {"component": "list", "command": "set", "values": {"rows": 30}}
    scene["components"].append({"id": "list", "kind": "list", "rows": 20})
    scene["reactions"].append({"when": {"notification": "never"}, "do": change})
    return scene


def brings_tips_by_itself(number: int) -> dict:
    """At rest, and yet at each step 29 reactions bring the most tips that there may be."""
    bring = {"component": "tips", "command": "present", "tips": [{}] * PAGES}
    reactions = [
        {"when": {"component": "tabs", "transition": "select", "to": index},
         "do": {"component": "tabs", "command": "select", "index": 1 - index}, "after": STEP}
        for index in (0, 1)]
    reactions.append(
        {"when": {"session": "opened"},
         "do": {"component": "tabs", "command": "select", "index": 1}})
    reactions += [{"when": {"component": "tabs", "transition": "select"}, "do": bring}] * 29
    return {
        "viewport": VIEWPORT, "components": [
            {"id": "tabs", "kind": "tabs", "items": ITEMS, "arrow_duration": 0},
            {"id": "tips", "kind": "tips", "tips": [{}], "presented": False}],
        "reactions": reactions, "content": {"number": number}}


def shows_large_tips(number: int) -> dict:
    """250 KB of JSON: four times a second it presents thirty tips of 8 KB, or dismisses them."""
    tip = {"title": "T" * 1_024, "summary": "S" * 1_024, "image": "I" * 1_024,
           "content": {"x": "C" * 4_600, "number": number}}
    names = [f"tips{place}" for place in range(30)]
    reactions = [
        {"when": {"component": "tabs", "transition": "select", "to": index},
         "do": {"component": "tabs", "command": "select", "index": 1 - index}, "after": 0.25}
        for index in (0, 1)]
    for name in names:
        reactions += [
            {"when": {"component": "tabs", "transition": "select", "to": 0},
             "do": {"component": name, "command": "present", "tips": [tip]}},
            {"when": {"component": "tabs", "transition": "select", "to": 1},
             "do": {"component": name, "command": "dismiss"}}]
    reactions.append(
        {"when": {"session": "opened"},
         "do": {"component": "tabs", "command": "select", "index": 1}})
    return {
        "viewport": VIEWPORT, "frame_rate": 120, "components": [
            {"id": "tabs", "kind": "tabs", "items": ITEMS, "arrow_duration": 0},
            *({"id": name, "kind": "tips", "tips": [{"title": "a"}]} for name in names)],
        "reactions": reactions}


def moving(items: int = 1) -> dict:
    """Balls on springs that never rest."""
    names = [f"i{number}" for number in range(items)]
    return {
        "viewport": VIEWPORT, "components": [{
            "id": "world", "kind": "dynamics",
            "items": [
                {"id": name, "center": [20 + 9 * number, 100], "size": [8, 8]}
                for number, name in enumerate(names)],
            "behaviors": [
                {"id": "spring", "kind": "field", "items": names, "type": "spring",
                 "position": [160, 300]},
                # Springs alone come to rest after four minutes.
                {"id": "noise", "kind": "field", "items": names, "type": "noise",
                 "strength": 0.1, "animation_speed": 1}]}]}


def shared() -> dict:
    """60 KB of JSON that many sessions have."""
    pages = [f"page {page:020}" for page in range(PAGES)]
    return {"viewport": VIEWPORT, "components": [
        {"id": f"reader{place}", "kind": "reader", "pages": pages} for place in range(2)]}


# Letters of a template; with its name it is as long as a label's text may be.
TEMPLATE = "x" * 16_300


def long_texts(number: int, *reactions: dict) -> dict:
    """480 KB of JSON: thirty labels whose texts of 16 KB all name one variable."""
    return {
        "viewport": VIEWPORT, "variables": {"v": 0, "w": ""}, "components": [
            {"id": f"label{place}", "kind": "label", "text": f"{number} {{v}} {TEMPLATE}",
             "fade": place % 2 * 0.2} for place in range(30)],
        "reactions": list(reactions)}


def circle_of_variables(number: int) -> dict:
    """The same, and ten times a second a reaction assigns the variable for which it waits."""
    return long_texts(
        number, {"when": {"variable": "v"}, "do": {"variable": "v", "add": 1}},
        {"when": {"every": 0.1}, "do": {"variable": "v", "add": 1}})


def circle_of_texts(number: int) -> dict:
    """The same, where the circle leads through a label's text."""
    return long_texts(
        number,
        {"when": {"component": "label0", "transition": "change"},
         "do": {"variable": "v", "add": 1}},
        {"when": {"every": 0.1}, "do": {"variable": "v", "add": 1}})


def timers(number: int) -> dict:
    """64 reactions that each tenth of a second do whatever takes long."""
    text = {"text": "{v}" + "x" * 7_000}
    deeds = [
        {"variable": "v", "add": 1}, {"variable": "w", "set": "y" * 4_000},
        {"component": "tips", "command": "present", "tips": [{}] * PAGES},
        {"component": "list", "command": "insert", "at": 0, "item": {"id": "a", "content": text}},
        {"component": "list", "command": "remove", "item": "a"},
        {"component": "badges", "command": "add", "kind": "k"}]
    scene = long_texts(number, *(
        {"when": [{"every": 0.1}, {"variable": "v"}], "do": deeds[place % 6], "after": 0.01}
        for place in range(64)))
    scene["components"] = scene["components"][:15] + [
        {"id": "tips", "kind": "tips", "tips": [{}], "presented": False},
        {"id": "list", "kind": "list", "rows": []}]
    return scene


def moving_rows(number: int) -> dict:
    """455 KB of JSON: 10,000 rows with texts that name a variable, of which 256 show. Each tenth of
    a second rows come at the top, go, and move."""
    rows = [{"id": f"r{place}", "content": {"text": "{v}"}} for place in range(9_990)]
    deeds = [
        {"component": "list", "command": "insert", "at": 0,
         "item": {"id": "new", "content": {"text": "{v}"}}},
        {"component": "list", "command": "move", "item": "r1", "at": 9_000},
        {"component": "list", "command": "move", "item": "r1", "at": 0},
        {"component": "list", "command": "remove", "item": "new"},
        {"variable": "v", "add": 1}]
    return {
        "viewport": VIEWPORT, "variables": {"v": number}, "components": [
            {"id": "list", "kind": "list", "rows": rows, "row_height": 1}],
        "reactions": [
            {"when": {"every": 0.1}, "do": deeds[place % 5]} for place in range(64)]}
