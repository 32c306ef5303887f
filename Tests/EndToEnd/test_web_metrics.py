"""/metrics and /healthz tell how it goes; alerts and the dashboard ask for what is there."""

from __future__ import annotations

import json
import os
import re
import signal

import pytest
import yaml
from client import REPOSITORY, Daemon
from web import Web, families

MONITORING = REPOSITORY / "docs" / "monitoring"
UNITS = re.compile(r"_(us|ms|s|min|kb|mb|kilobytes|milliseconds|percent)(_total)?$")


def test_every_metric_keeps_the_conventions(web: Web) -> None:
    answer = web.get("/metrics")
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    found = families(answer.text)
    assert len(found) > 100
    for family in found:
        assert re.fullmatch(r"[a-z][a-z0-9_]*", family.name)
        assert family.name.startswith(("gestured_", "gesture_web_", "process_")), family.name
        assert not UNITS.search(family.name), family.name
        assert family.documentation.endswith("."), family
        for sample in family.samples:
            assert (family.type == "counter") == sample.name.endswith("_total"), sample
    for line in answer.text.splitlines():
        assert line.startswith(("# HELP ", "# TYPE ")) or re.fullmatch(r"\S+( \S+)?", line) or (
            re.fullmatch(r'[a-z_]+\{([a-z]+="[^"]*",?)+\} \S+', line)), line


def test_every_figure_of_stats_is_a_metric_with_a_meaning(daemon: Daemon, web: Web) -> None:
    stats = daemon.requests().ok("stats")["stats"]
    found = families(web.get("/metrics").text)
    helps = {family.name: family.documentation for family in found}
    unexplained = [name for name, text in helps.items() if text.startswith("The figure ")]
    assert not unexplained, f"Sources/Web/DaemonFigures.swift explains no {unexplained}"
    own = [name for name in helps if name.startswith("gestured_")]
    # The four quantiles are two families, and `up` is no figure.
    assert len(own) == len(stats) - 4 + 2 + 1


def test_figures_are_those_of_the_daemon(daemon: Daemon, web: Web, session: str) -> None:
    control = daemon.requests()
    control.open(session, "phone")
    control.notify(session, "likes")
    figures, stats = web.metrics(), control.ok("stats")["stats"]
    assert figures["gestured_up", ()] == 1
    assert figures["gestured_sessions", ()] == stats["sessions"] >= 1
    assert figures["gestured_events_applied_total", ()] == stats["events_applied"] >= 1
    assert figures["gestured_store_commit_seconds_total", ()] == pytest.approx(
        stats["store_commit_us"] / 1e6, abs=0.5)
    assert figures["gestured_uptime_seconds", ()] == pytest.approx(stats["uptime_ms"] / 1e3, abs=5)
    assert figures["gestured_limit_body_bytes", ()] == 65536


def test_the_bridge_counts_what_passes(web: Web, session: str) -> None:
    before = web.metrics()
    with web.connect() as client:
        assert web.metric("gesture_web_clients") == 1
        client.subscribe(f"badge/{session}")
        assert web.metric("gesture_web_subscriptions") >= 1
        client.ok("open", session=session, scene="phone")
        client.send({"topic": f"notification/{session}", "body": {"kind": "likes"}})
        client.update(f"badge/{session}", total=1)
        client.send("nonsense")
        client.error()
    after = web.metrics()

    def grown(name: str, **labels: str) -> float:
        key = name, tuple(sorted(labels.items()))
        return after[key] - before.get(key, 0)

    assert grown("gesture_web_clients_opened_total") == 1
    assert grown("gesture_web_events_published_total") == 1
    assert grown("gesture_web_requests_total") == 1
    assert grown("gesture_web_messages_received_total") == 6
    assert grown("gesture_web_messages_refused_total", code="bad-json") == 1
    assert grown("gesture_web_messages_sent_total") >= 5
    assert grown("gesture_web_sent_bytes_total") > grown("gesture_web_received_bytes_total") > 100
    assert grown("gesture_web_http_responses_total", status="200") >= 2


def test_bounds_are_published(web: Web) -> None:
    with web.connect() as client:
        limits = client.next()["web"]["limits"]
    figures = web.metrics()
    for name, value in limits.items():
        assert figures[f"gesture_web_{name}", ()] == value


def test_health_follows_the_daemon(daemon: Daemon, web: Web) -> None:
    answer = web.get("/healthz")
    assert (answer.status, answer.text) == (200, "ok\n")
    os.kill(daemon.process.pid, signal.SIGSTOP)
    try:
        answer = web.get("/healthz")
        assert answer.status == 503 and answer.text.strip()
        # Its own figures come all the same.
        figures = web.metrics()
        assert figures["gestured_up", ()] == 0 and ("gestured_sessions", ()) not in figures
    finally:
        os.kill(daemon.process.pid, signal.SIGCONT)
    with web.connect() as client:
        client.web(daemon=True)
    assert web.get("/healthz").status == 200


def test_without_a_daemon_it_is_not_healthy() -> None:
    with Web(None) as web:
        assert web.get("/healthz").status == 503
        assert web.metric("gestured_up") == 0 and web.metric("gesture_web_daemon_up") == 0
        with web.connect() as client:
            assert client.next()["web"]["daemon"] is False
            assert client.ask("time")["error"]["code"] == "unavailable"
            client.send({"topic": "notification/a", "body": {"kind": "likes"}})
            assert client.error()["code"] == "unavailable"


# Words of the query language and of Prometheus itself.
KNOWN = {
    "rate", "increase", "resets", "max_over_time", "sum", "max", "by", "and", "job", "up", "e9"}


def named(expression: str) -> set[str]:
    """The metrics of an expression."""
    plain = re.sub(r"\{[^}]*\}|\[[^\]]*\]|\"[^\"]*\"", " ", expression)
    return set(re.findall(r"[a-z_][a-z0-9_]*", plain)) - KNOWN


def selected(expression: str) -> list[tuple[str, str, list[str]]]:
    """The labels that an expression names: metric, label, values."""
    return [
        (metric, label, values.split("|"))
        for metric, inner in re.findall(r"([a-z_]+)\{([^}]*)\}", expression)
        for label, values in re.findall(r"(\w+)=~?\"([^\"]*)\"", inner)]


def expect_known(web: Web, expressions: list[str]) -> None:
    figures = web.metrics()
    names = {name for name, _ in figures}
    for expression in expressions:
        assert named(expression) or "up{" in expression, expression
        assert named(expression) <= names, f"{named(expression) - names} of {expression}"
        for metric, label, values in selected(expression):
            if label != "job":
                known = {dict(labels).get(label) for name, labels in figures if name == metric}
                assert set(values) <= known, expression


def test_every_alert_asks_for_what_is_there(web: Web) -> None:
    groups = yaml.safe_load((MONITORING / "alerts.yml").read_text())["groups"]
    rules = [rule for group in groups for rule in group["rules"]]
    assert len(rules) > 10 and len({rule["alert"] for rule in rules}) == len(rules)
    for rule in rules:
        assert rule["labels"]["severity"] in ("warning", "critical")
        assert rule["annotations"]["summary"] and rule["annotations"]["description"]
    expect_known(web, [rule["expr"] for rule in rules])


def test_every_panel_of_the_dashboard_asks_for_what_is_there(web: Web, session: str) -> None:
    with web.connect() as client:  # A family without a sample has no name yet.
        client.send("nonsense")
        client.error()
    dashboard = json.loads((MONITORING / "dashboard.json").read_text())
    panels = dashboard["panels"]
    assert len(panels) > 10 and len({panel["id"] for panel in panels}) == len(panels)
    places = {
        (x, y) for panel in panels for place in [panel["gridPos"]]
        for x in range(place["x"], place["x"] + place["w"])
        for y in range(place["y"], place["y"] + place["h"])}
    area = sum(panel["gridPos"]["w"] * panel["gridPos"]["h"] for panel in panels)
    assert len(places) == area and max(x for x, _ in places) == 23, "panels overlap"
    expect_known(web, [target["expr"] for panel in panels for target in panel["targets"]])
