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
