"""Nothing lost, for real: kills under load, stalls, slow and many peers, floods, a full disk.

Short here; `make soak` makes the same tests long. Each says its seed.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import threading
import time

import pytest
import zmq
from client import Control, Daemon, Publisher, binary
from reliability import Churn, Load, Story, Versions, chance, resident_mebibytes, sized, stats
from scenes import still


# MARK: The plug


def run_until_killed(daemon: Daemon, stories: list[Story], versions: Versions, dice) -> int:
    """Loads the daemon and ends it at some moment; returns how much was acknowledged."""
    load = Load(daemon, stories, versions, dice)
    is_ended = threading.Event()

    def end() -> None:
        if dice.random() < 0.2:
            # An end in order, cut short.
            daemon.process.send_signal(signal.SIGTERM)
            time.sleep(dice.uniform(0, 0.03))
        daemon.process.kill()
        is_ended.set()

    timer = threading.Timer(dice.uniform(0.02, sized(0.5, 1.5)), end)
    timer.start()
    try:
        load.run_until(is_ended, 10)
    finally:
        timer.join()
        load.close()
    return load.acknowledged


def kill_while_it_starts(daemon: Daemon, dice: random.Random) -> None:
    for _ in range(dice.randrange(3)):
        process = subprocess.Popen(
            [str(binary()), *daemon.arguments], stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, cwd=daemon.folder)
        time.sleep(dice.uniform(0, 0.12))
        process.kill()
        process.wait()


def test_killed_under_load_nothing_acknowledged_is_lost_or_doubled():
    """Each life begins with what some first steps made: all acknowledged ones, none twice.

    What was not answered is sent again with its ids and counts once; what was answered counts no
    second time; no version of counts is told for two different counts, over all lives.
    """
    dice, versions, acknowledged = chance("kill"), Versions(), 0
    stories = [Story(f"story{number}") for number in range(5)]
    stories += [Churn(f"churn{number}") for number in range(3)]
    with Daemon() as daemon:
        control = daemon.requests()
        for story in stories:
            if type(story) is Story:
                control.open(story.session, still())
        for number in range(int(sized(6, 50))):
            acknowledged += run_until_killed(daemon, stories, versions, dice)
            daemon.process.wait()
            kill_while_it_starts(daemon, dice)
            control = daemon.restart()
            for story in stories:
                story.send_again(control, dice)
                names = control.sessions()
                for topic, body in (
                    control.snapshot(story.session) if story.session in names else {}
                ).items():
                    if topic.startswith("badge/"):
                        versions.note(topic, body)
    assert acknowledged > 100, f"only {acknowledged} were acknowledged at all"
    print(f"{acknowledged} acknowledged; {len(versions.told)} versions told")
