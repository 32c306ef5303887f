"""Only who belongs: keys, grants, and what is read again while the daemon runs."""

from __future__ import annotations

import json
import os
import pathlib
import signal
import subprocess
import time

import pytest
import zmq
from client import DEADLINE, Daemon, binary
from keys import ALL, Keys, table
from reliability import wait_for
from scenes import still
from web import Web

OWN = {"publish": ["kiosk-1*"], "control": "own", "read": ["kiosk-1*"]}


@pytest.fixture
def keys(tmp_path: pathlib.Path) -> Keys:
    return Keys(tmp_path / "keys")


def reload(daemon: Daemon) -> None:
    count = daemon.log().count("the configuration is")
    daemon.process.send_signal(signal.SIGHUP)
    wait_for(lambda: daemon.log().count("the configuration is") > count, "it is read again")


def refusal(*arguments: str) -> str:
    """The one line of a daemon that does not start."""
    run = subprocess.run(
        [binary(), *arguments], capture_output=True, text=True, timeout=DEADLINE)
    assert run.returncode == 2, run.stderr
    errors = [line for line in run.stderr.splitlines() if " warning: " not in line]
    assert len(errors) == 1, run.stderr
    return run.stderr


# MARK: - Zones


@pytest.mark.parametrize("endpoint", [
    "tcp://0.0.0.0:*", "tcp://*:7499", "tcp://192.0.2.1:7499", "tcp://eth0:*", "tcp://[::]:*",
    "tcp://example.org:7499"])
@pytest.mark.parametrize("kind", ["events", "updates", "control", "events_connect"])
def test_an_endpoint_of_other_machines_needs_a_key(
    tmp_path: pathlib.Path, endpoint: str, kind: str
):
    config = tmp_path / "gestured.toml"
    config.write_text(f'auto_open = ""\nscenes = "."\n{kind} = ["{endpoint}"]\n')
    line = refusal("--config", str(config), "--state-dir", str(tmp_path / "state"))
    assert f"{config}:3: key {kind}: \"{endpoint}\" is reached from other machines" in line
    assert "server_key" in line or "publisher_key" in line
    if kind != "events_connect":
        config.write_text('auto_open = ""\nscenes = "."\n')
        line = refusal(
            "--config", str(config), "--state-dir", str(tmp_path / "state"), f"--{kind}", endpoint)
        assert f"--{kind}: \"{endpoint}\" is reached from other machines" in line


def test_an_endpoint_of_other_machines_starts_with_a_key(keys: Keys):
    keys.add("panel")
    with Daemon(keys.config(), arguments=["--control", "tcp://0.0.0.0:*"]) as daemon:
        daemon.control = daemon.control.split(",")[1].replace("0.0.0.0", "127.0.0.1")
        assert keys.client(daemon, "panel").requests().ok("hello")


def test_over_ipc_no_key_is_asked_for(keys: Keys, tmp_path: pathlib.Path):
    with Daemon(keys.config(), arguments=["--control", f"ipc://{tmp_path}/c"]) as daemon:
        daemon.control = daemon.control.split(",")[1]
        assert daemon.requests().ok("hello")


# MARK: - Keys


def test_a_key_lets_in_and_its_lack_does_not(keys: Keys):
    keys.add("panel")
    stranger = keys._make("stranger")
    with Daemon(keys.config()) as daemon:
        panel = keys.client(daemon, "panel")
        control, updates = panel.requests(), panel.subscriber("badge/alice")
        control.open("alice", still())
        panel.publisher().send("notification/alice", {"kind": "likes"})
        updates.find("badge/alice", total=1)
        strangers = keys.client(daemon, "stranger", stranger)
        wrong = keys.client(daemon, "panel")
        wrong.server = strangers.keys[0]
        for peer in (daemon, strangers, wrong):
            asked = peer.socket(zmq.DEALER, daemon.control)
            asked.send(b'{"op":"hello"}')
            assert not asked.poll(500), "it is answered"
        stats = control.ok("stats")["stats"]
        assert stats["handshakes_refused"] >= 1
        assert strangers.keys[0].decode() in daemon.log(), "the log names the key"
        control.notify("alice", "likes")
        updates.find("badge/alice", total=2)


def test_a_daemon_says_which_certificate_is_wrong(keys: Keys, tmp_path: pathlib.Path):
    config = tmp_path / "gestured.toml"
    (tmp_path / "scenes").mkdir()

    def line(security: str) -> str:
        config.write_text(f'auto_open = ""\nscenes = "scenes"\n[security]\n{security}')
        return refusal("--check", "--config", str(config))

    server, folder = f'server_key = "{keys.server_secret}"\n', "authorized_keys = \"none\"\n"
    assert f"{config}:4: security, key server_key: needs authorized_keys" in line(server)
    assert "key authorized_keys: the folder" in line(server + folder)
    assert "key authorized_keys: the folder" in line(folder)
    assert "needs server_key" in line("[security.clients.a]\n")
    public = f'server_key = "{keys.server_public}"\nauthorized_keys = "{keys.authorized}"\n'
    assert "has no secret-key" in line(public)
    other = keys._make("other").read_text().split('public-key = "')[1][:40]
    mixed = keys.folder / "mixed"
    own = keys.server_public.read_text().split('public-key = "')[1][:40]
    mixed.write_text(keys.server_secret.read_text().replace(own, other))
    mixed.chmod(0o600)
    authorized = f'authorized_keys = "{keys.authorized}"\n'
    assert "is not the one of its secret-key" in line(f'server_key = "{mixed}"\n{authorized}')
    bad = keys.authorized / "bad.key"
    bad.write_text("metadata\ncurve\n    public-key = \"short\"\n")
    assert f"{bad}:3: public-key must be the 40 characters" in line(server + authorized)
    bad.write_bytes((keys.private / "other.key").read_bytes())
    (keys.authorized / "twin.key").write_bytes((keys.private / "other.key").read_bytes())
    assert "bad.key and twin.key have one key" in line(server + authorized)
    (keys.authorized / "twin.key").unlink()
    for grants, message in (
        ('publish = ["a b"]', "key publish: \"a b\" is no session's name"),
        ('control = "some"', "key control: must be"),
        ('reads = ["a"]', 'unknown key "reads", did you mean "read"?'),
        ('read = ["a"]\nupdates = ["ipc:///x"]', "must be a tcp endpoint"),
        ('updates = ["tcp://127.0.0.1:1"]', "is the endpoint of those that may read some"),
    ):
        found = line(f"{server}{authorized}[security.clients.bad]\n{grants}\n")
        assert "security.clients.bad" in found and message in found, found


def test_a_secret_that_others_can_read_is_named(keys: Keys):
    keys.server_secret.chmod(0o644)
    keys.add("panel")
    with Daemon(keys.config(table("pannel", control="all"))) as daemon:
        wait_for(lambda: "a secret key can be read by others" in daemon.log(), "the log says so")
        assert "a grant has no effect: security.clients.pannel" in daemon.log()


@pytest.mark.parametrize("mode, command", [
    (0o644, "chmod 600"), (0o640, "chmod 600"), (0o620, "chmod 600"), (0o602, "chmod 600"),
    (0o600, None), (0o400, None)])
def test_a_check_names_the_mode_of_each_secret(
    keys: Keys, tmp_path: pathlib.Path, mode: int, command: str | None
):
    hashes = tmp_path / "gestured.key"
    hashes.write_bytes(b"k" * 32)
    (tmp_path / "scenes").mkdir()
    config = tmp_path / "gestured.toml"
    config.write_text(
        f'auto_open = ""\nscenes = "scenes"\n[store]\nkey_file = "{hashes}"\n{keys.config()}')
    for file in (keys.server_secret, hashes):
        file.chmod(mode)
    run = subprocess.run(
        [binary(), "--check", "--config", str(config)], capture_output=True, text=True,
        timeout=DEADLINE)
    assert run.returncode == 0, run.stderr
    for file in (keys.server_secret, hashes):
        told = f"a secret key can be read by others: {file}: {command} {file} keeps it from them"
        assert (told in run.stderr) == (command is not None), run.stderr


def test_a_secret_of_root_s_may_be_read_by_its_service(keys: Keys):
    """A service reads it by the file's group."""
    if os.geteuid() != 0:
        pytest.skip("a test as root")
    os.chown(keys.server_secret, 0, 12_345)
    for mode, is_told in ((0o640, False), (0o644, True)):
        keys.server_secret.chmod(mode)
        with Daemon(keys.config()) as daemon:
            told = f"{keys.server_secret}: chmod o= {keys.server_secret} keeps it"
            assert (told in daemon.log()) == is_told


def test_the_key_of_a_store_that_others_can_read_is_named(tmp_path: pathlib.Path):
    """Also where nobody needs a key to connect."""
    hashes = tmp_path / "gestured.key"
    hashes.write_bytes(b"k" * 32)
    hashes.chmod(0o604)
    with Daemon(f'[store]\nkey_file = "{hashes}"\n') as daemon:
        wait_for(lambda: f"{hashes}: chmod 600 {hashes}" in daemon.log(), "the log says so")


def test_a_check_warns_of_flaws_that_let_it_start(keys: Keys, tmp_path: pathlib.Path):
    config = tmp_path / "gestured.toml"
    keys.server_secret.chmod(0o644)
    tables = table("pannel", control="all")

    (tmp_path / "scenes").mkdir()

    def warnings(text: str, **environment: str) -> str:
        config.write_text(f'auto_open = ""\nscenes = "scenes"\n{text}')
        run = subprocess.run(
            [binary(), "--check", "--config", str(config)], capture_output=True, text=True,
            timeout=DEADLINE, env=os.environ | environment)
        assert run.returncode == 0, run.stderr
        assert run.stdout == f"{config}: good; scenes: none\n"
        return run.stderr

    found = warnings(keys.config(tables))
    assert "keys are missing: " in found and "nobody can connect" in found
    assert "a secret key can be read by others: " in found
    assert "security.clients.pannel: there is no file pannel.key" in found
    secret = keys.add("panel")
    (keys.authorized / "panel.key").write_bytes(secret.read_bytes())
    assert "panel.key: it belongs to its client alone" in warnings(keys.config())
    without = keys.config().replace(f'server_key = "{keys.server_secret}"\n', "")
    assert "the credential gestured.server_key must bring it" in warnings(without)
    credentials = tmp_path / "credentials"
    credentials.mkdir()
    (credentials / "gestured.server_key").write_bytes(keys.server_secret.read_bytes())
    assert "must bring it" not in warnings(without, CREDENTIALS_DIRECTORY=str(credentials))


def test_the_key_of_a_service_is_a_credential(keys: Keys, tmp_path: pathlib.Path):
    keys.add("panel")
    (tmp_path / "gestured.server_key").write_bytes(keys.server_secret.read_bytes())
    without = keys.config().replace(f'server_key = "{keys.server_secret}"\n', "")
    with Daemon(without, environment={"CREDENTIALS_DIRECTORY": str(tmp_path)}) as daemon:
        assert keys.client(daemon, "panel").requests().ok("hello")


# MARK: - Grants


@pytest.fixture
def kiosk(keys: Keys):
    """A daemon with a client that may do everything and one of kiosk 1."""
    for name in ("boss", "kiosk", "reader"):
        keys.add(name)
    tables = table("boss", **ALL) + table("kiosk", **OWN)
    tables += table("reader", read=["kiosk-1*", "alice"])
    with Daemon(keys.config(tables)) as daemon:
        yield daemon


def counted(daemon: Daemon, keys: Keys) -> dict[str, int]:
    answer = keys.client(daemon, "boss").requests().ok("stats")
    counts = {entry["client"]: entry["unauthorized"] for entry in answer["clients"]}
    assert sum(counts.values()) == answer["stats"]["unauthorized"]
    return counts


def test_an_event_outside_a_grant_changes_nothing(kiosk: Daemon, keys: Keys):
    boss, own = keys.client(kiosk, "boss"), keys.client(kiosk, "kiosk")
    control = boss.requests()
    for session in ("kiosk-1", "kiosk-17", "kiosk-2"):
        control.open(session, still())
    rejected = boss.subscriber("rejected")
    before = control.snapshot("kiosk-2")
    publisher = own.publisher()
    publisher.send("notification/kiosk-2", {"kind": "likes"})
    update = rejected.find("rejected/-")
    assert update.body["code"] == "unauthorized" and "kiosk" in update.body["message"]
    publisher.send("notification/nobody", {"kind": "likes"})
    assert rejected.next().body["code"] == "unauthorized"
    for session in ("kiosk-1", "kiosk-17"):
        publisher.send(f"notification/{session}", {"kind": "likes"})
        wait_for(lambda: control.badge(session)["total"] == 1, f"{session} counts")
    after = control.snapshot("kiosk-2")
    assert after["badge/kiosk-2"]["total"] == 0
    assert {topic: body["seq"] for topic, body in before.items()} == {
        topic: body["seq"] for topic, body in after.items()}
    assert "nobody" not in control.sessions()
    assert counted(kiosk, keys)["kiosk"] == 2


def test_requests_outside_a_grant_are_refused(kiosk: Daemon, keys: Keys):
    boss, own = keys.client(kiosk, "boss").requests(), keys.client(kiosk, "kiosk").requests()
    reader = keys.client(kiosk, "reader").requests()
    boss.open("kiosk-2", still())
    own.open("kiosk-1", still())
    own.notify("kiosk-1", "likes")
    assert own.badge("kiosk-1")["total"] == 1
    assert own.sessions() == ["kiosk-1"] and boss.sessions() == ["kiosk-1", "kiosk-2"]
    assert own.ok("hello") and own.ok("time") and own.ok("scenes") and own.ok("members")
    assert own.ok("locate", session="kiosk-1")["here"]
    document = boss.export("kiosk-2")
    refused = [
        ("open", {"session": "kiosk-3", "scene": "phone"}), ("close", {"session": "kiosk-2"}),
        ("snapshot", {"session": "kiosk-2"}), ("export", {"session": "kiosk-2"}),
        ("hit", {"session": "kiosk-2", "x": 1, "y": 1}), ("time", {"session": "kiosk-2"}),
        ("import", {"session": "kiosk-4", "document": document}),
        ("scene", {"session": "kiosk-2"}), ("stats", {}), ("locate", {"session": "kiosk-2"}),
        ("publish", {"topic": "notification/kiosk-2", "body": {"kind": "likes"}})]
    for op, fields in refused:
        assert own.refused(op, **fields)["code"] == "unauthorized", op
    assert boss.sessions() == ["kiosk-1", "kiosk-2"]
    assert boss.badge("kiosk-2")["total"] == 0
    assert reader.ok("hello")
    for op, fields in [
        ("sessions", {}), ("time", {}), ("snapshot", {"session": "kiosk-1"}), ("members", {}),
        ("locate", {"session": "kiosk-1"})]:
        assert reader.refused(op, **fields)["code"] == "unauthorized", op
    counts = counted(kiosk, keys)
    assert counts == {"boss": 0, "kiosk": len(refused), "reader": 5}


def test_a_reader_gets_what_it_may_read_alone(kiosk: Daemon, keys: Keys):
    boss, own = keys.client(kiosk, "boss"), keys.client(kiosk, "kiosk")
    control = boss.requests()
    for session in ("kiosk-1", "kiosk-17", "kiosk-2", "alice"):
        control.open(session, still())
    everything, updates = boss.subscriber("badge/"), own.subscriber("badge/", "heartbeat")
    reader = keys.client(kiosk, "reader").subscriber("badge/", "state/kiosk-2/")
    assert own.updates != boss.updates
    for session in ("kiosk-2", "alice", "kiosk-1", "kiosk-17"):
        control.notify(session, "likes")
        everything.find(f"badge/{session}", total=1)
    got = updates.until(lambda it: it.topic == "badge/kiosk-17" and it.body["total"] == 1)
    assert {it.topic for it in got} <= {"badge/kiosk-1", "badge/kiosk-17", "heartbeat"}
    got = reader.until(lambda it: it.topic == "badge/kiosk-17" and it.body["total"] == 1)
    assert {it.topic for it in got} == {"badge/kiosk-1", "badge/kiosk-17", "badge/alice"}
    control.gesture("kiosk-2", "profile", "scroll", "changed", offset=9)
    assert not [it for it in reader.during(0.3) if "kiosk-2" in it.topic]
    updates.find("heartbeat")
    assert counted(kiosk, keys)["reader"] == 1


def test_a_bridge_that_may_not_read_is_not_healthy(kiosk: Daemon, keys: Keys):
    arguments = [
        "--key", str(keys.private / "kiosk.key_secret"), "--server-key", str(keys.server_public)]
    with Web(kiosk, *arguments) as web:
        wait_for(
            lambda: (answer := web.get("/healthz")).status == 503 and "no update" in answer.text,
            "it says so")
    kiosk.updates = keys.client(kiosk, "kiosk").requests().ok("hello")["endpoints"]["updates"][0]
    with Web(kiosk, *arguments) as web:
        wait_for(lambda: web.metrics()["gesture_web_updates_total", ()] > 0, "heartbeats come")
        assert web.get("/healthz").status == 200


def test_a_bridge_closes_no_session_of_a_page_that_its_key_may_not(kiosk: Daemon, keys: Keys):
    boss, names = keys.client(kiosk, "boss").requests(), {"alice", "kiosk-1-card"}
    for name in names:
        boss.open(name, still())
    kiosk.updates = keys.client(kiosk, "kiosk").requests().ok("hello")["endpoints"]["updates"][0]
    arguments = [
        "--key", str(keys.private / "kiosk.key_secret"), "--server-key", str(keys.server_public)]
    with Web(kiosk, *arguments) as web:
        with web.connect() as client:
            client.web(daemon=True)
            for name in names:
                client.send({"bind": name})
            assert client.ask("close", session="alice")["error"]["code"] == "unauthorized"
        # The bridge asks for both, and gives up what is refused.
        end = time.monotonic() + 20
        while web.metrics()["gesture_web_sessions_bound", ()]:
            assert time.monotonic() < end, "they are still bound"
            time.sleep(0.1)
        assert web.metrics()["gesture_web_sessions_closed_total", ()] == 1
    assert names & set(boss.sessions()) == {"alice"}


def test_a_reader_is_kept_from_the_updates_of_all(kiosk: Daemon, keys: Keys):
    own, other = keys.client(kiosk, "kiosk"), keys.client(kiosk, "reader")
    elsewhere = other.requests().ok("hello")["endpoints"]["updates"][0]
    keys.client(kiosk, "boss").requests().open("kiosk-2", still())
    for endpoint in (kiosk.updates, elsewhere):
        socket = own.socket(zmq.SUB, endpoint)
        socket.subscribe(b"")
        assert not socket.poll(1_500), "it reads"
        socket.close()
    assert counted(kiosk, keys)["kiosk"] >= 2
    assert f"it may at {elsewhere}" in kiosk.log() or "it may at tcp://" in kiosk.log()


def test_no_name_is_told_beside_the_own_ones(kiosk: Daemon, keys: Keys):
    """Neither listed nor as the place from which to go on, whether in memory or stored."""
    boss, own = keys.client(kiosk, "boss").requests(), keys.client(kiosk, "kiosk").requests()
    names = ["alice", "bob-secret", "kiosk-1", "kiosk-10", "kiosk-12", "kiosk-2", "zoe"]
    for name in names:
        boss.open(name, still())
    mine = [name for name in names if name.startswith("kiosk-1")]
    for limit in (1, 2, 100):
        told, after = [], ""
        for _ in range(10):
            page = own.ok("sessions", limit=limit, detail=limit == 2, after=after)
            told += page["sessions"]
            after = page["next"]
            assert after is None or after in mine, page
            if after is None:
                break
        assert told == mine
    assert own.ok("sessions", after="kiosk-2")["sessions"] == []
    assert own.ok("sessions", after="kiosk-10")["sessions"] == ["kiosk-12"]


def test_who_may_change_a_session_may_not_read_its_scene(keys: Keys):
    keys.add("boss"), keys.add("hand")
    tables = table("boss", **ALL) + table("hand", publish=["alice"], control="own")
    with Daemon(keys.config(tables)) as daemon:
        hand = keys.client(daemon, "hand").requests()
        keys.client(daemon, "boss").requests().open("alice", still())
        assert hand.ok("open", session="alice", scene="phone")["created"] is False
        for op, fields in [("scene", {}), ("open", {"scene": "phone", "describe": True})]:
            assert hand.refused(op, session="alice", **fields)["code"] == "unauthorized"
        page = hand.ok("sessions", detail=True)
        assert page["entries"] == [{"session": "alice", "state": "open"}]


def test_an_answer_reaches_no_other_client_by_its_routing_id(kiosk: Daemon, keys: Keys):
    boss, own = keys.client(kiosk, "boss"), keys.client(kiosk, "kiosk")
    boss.requests().open("secret", still())
    stolen = 0
    for round in range(5):
        asker = boss.socket(zmq.DEALER)
        asker.setsockopt(zmq.IDENTITY, b"web%d" % round)
        asker.linger = 200
        asker.connect(kiosk.control)
        for _ in range(50):
            asker.send(b'{"op":"export","session":"secret"}')
        assert asker.poll(DEADLINE * 1000)
        asker.close(linger=0)
        thief = own.socket(zmq.DEALER)
        thief.setsockopt(zmq.IDENTITY, b"web%d" % round)
        thief.connect(kiosk.control)
        while thief.poll(300):
            stolen += b"document" in thief.recv()
        thief.close()
    assert stolen == 0


# MARK: - Read again


def test_another_s_subscription_outlives_a_group(keys: Keys, tmp_path: pathlib.Path):
    """The group's subscription to the same prefix had ended before, by its connection's end."""
    keys.add("kiosk"), keys.add("boss")
    with Daemon(
            keys.config(table("boss", **ALL) + table("kiosk", **OWN)),
            arguments=["--updates", f"ipc://{tmp_path}/updates"]) as daemon:
        tcp, ipc = daemon.updates.split(",")
        daemon.updates = tcp
        boss, kiosk = keys.client(daemon, "boss").requests(), keys.client(daemon, "kiosk")
        boss.open("kiosk-1", still())
        daemon.updates = ipc
        bystander = daemon.subscriber("badge/")
        for grant in ("kiosk-*", "kiosk*"):
            kiosk.updates = tcp
            kiosk.subscriber("badge/").socket.close()
            text = daemon.config.read_text()
            last = text[text.rindex("read = "):]
            daemon.config.write_text(text.replace(last, f'read = ["{grant}"]\n'))
            reload(daemon)
            boss.notify("kiosk-1", "likes")
            bystander.until(lambda it: it.topic == "badge/kiosk-1", "the ipc subscriber goes on")


def test_a_removed_key_goes_though_another_change_is_refused(keys: Keys):
    for name in ("thief", "kiosk"):
        keys.add(name)
    with Daemon(keys.config(table("kiosk", **OWN))) as daemon:
        thief = keys.client(daemon, "thief").requests()
        assert lost_is_answered(thief)
        keys.remove("thief")
        taken = daemon.control.split(",")[0]
        daemon.config.write_text(
            daemon.config.read_text().replace("kiosk-1*", "kiosk-*") + f'updates = ["{taken}"]\n')
        reload(daemon)
        assert "is refused" in daemon.log()
        wait_for(lambda: not lost_is_answered(thief), "the removed key is out")
        kiosk = keys.client(daemon, "kiosk").requests()
        assert kiosk.refused("open", session="kiosk-2", scene="phone")["code"] == "unauthorized"


def test_an_abstract_socket_keeps_nobody_out(keys: Keys, tmp_path: pathlib.Path):
    config = tmp_path / "gestured.toml"
    config.write_text(f'auto_open = ""\nscenes = "."\ncontrol = ["ipc://@x"]\n{keys.config()}')
    line = refusal("--config", str(config))
    assert f"{config}:3: key control: \"ipc://@x\" has no file whose mode" in line


def test_a_removed_key_is_cut_off_and_others_come_back(keys: Keys):
    for name in ("stays", "leaves", "boss"):
        keys.add(name)
    grants = {"publish": ["*"], "control": "all", "read": ["leaves*", "a*"]}
    tables = table("leaves", **grants) + table("*", **ALL)
    with Daemon(keys.config(tables)) as daemon:
        stays, leaves = keys.client(daemon, "stays"), keys.client(daemon, "leaves")
        control, lost = stays.requests(), leaves.requests()
        control.open("alice", still())
        updates, idle = stays.subscriber("badge/alice"), leaves.subscriber("badge/alice")
        publisher, silent = stays.publisher(), leaves.publisher()
        secret = (keys.authorized / "leaves.key").read_bytes()
        keys.remove("leaves")
        began = time.monotonic()
        reload(daemon)
        wait_for(lambda: not lost_is_answered(lost), "its requests are not answered")
        assert time.monotonic() - began < 1.5 + 0.3
        control = stays.requests()
        updates.synchronise()
        silent.send("notification/alice", {"kind": "comments"})
        wait_for(
            lambda: (publisher.send("notification/alice", {"kind": "likes"}),
                     control.badge("alice")["counts"].get("likes", 0) > 0)[1],
            "another client's events come again")
        updates.until(lambda it: it.body.get("total", 0) > 0, "updates come again")
        assert "comments" not in control.badge("alice")["counts"]
        assert not [it for it in idle.during(0.3) if it.body.get("total")]
        (keys.authorized / "leaves.key").write_bytes(secret)
        reload(daemon)
        wait_for(lambda: lost_is_answered(lost), "it is let in again, by itself")


def lost_is_answered(control) -> bool:
    """Whether a new request is answered. Earlier ones may be answered in between."""
    number = next(control.ids)
    try:
        control.socket.send(json.dumps({"id": number, "op": "hello"}).encode(), zmq.NOBLOCK)
    except zmq.Again:
        return False
    end = time.monotonic() + 0.3
    while (left := end - time.monotonic()) > 0 and control.socket.poll(left * 1000):
        if json.loads(control.socket.recv())["id"] == number:
            return True
    return False


def test_a_changed_grant_holds_at_once(keys: Keys):
    for name in ("boss", "kiosk"):
        keys.add(name)
    with Daemon(keys.config(table("boss", **ALL) + table("kiosk", **OWN))) as daemon:
        kiosk = keys.client(daemon, "kiosk")
        kiosk.requests().open("kiosk-1", still())
        first = kiosk.requests().ok("hello")["endpoints"]["updates"]
        updates = kiosk.subscriber("badge/")
        text = daemon.config.read_text()
        daemon.config.write_text(text.replace("kiosk-1*", "kiosk-2*"))
        reload(daemon)
        control = kiosk.requests()
        assert control.refused("snapshot", session="kiosk-1")["code"] == "unauthorized"
        control.open("kiosk-2", still())
        assert control.ok("hello")["endpoints"]["updates"] != first
        fresh = kiosk.subscriber("badge/")
        control.notify("kiosk-2", "likes")
        fresh.find("badge/kiosk-2", total=1)
        boss = keys.client(daemon, "boss").requests()
        boss.notify("kiosk-1", "likes")
        assert not [it for it in updates.during(0.3) if it.topic == "badge/kiosk-1"]
        wait_for(lambda: boss.ok("stats")["stats"]["subscriptions"] <= 2, "the old ones are gone")


def test_a_group_keeps_its_endpoint_when_its_grant_changes(keys: Keys):
    keys.add("kiosk")
    free = Daemon()
    probe = free.socket(zmq.REP)
    port = probe.bind_to_random_port("tcp://127.0.0.1")
    probe.close()
    grants = OWN | {"updates": [f"tcp://127.0.0.1:{port}"]}
    with Daemon(keys.config(table("kiosk", **grants))) as daemon:
        kiosk = keys.client(daemon, "kiosk")
        for session in ("kiosk-1", "kiosk-2"):
            assert kiosk.requests().ok("hello")["endpoints"]["updates"] == grants["updates"]
            kiosk.requests().open(session, still())
            updates = kiosk.subscriber("badge/")
            kiosk.requests().notify(session, "likes")
            updates.find(f"badge/{session}", total=1)
            daemon.config.write_text(daemon.config.read_text().replace("kiosk-1*", "kiosk-2*"))
            reload(daemon)
            assert "is refused" not in daemon.log()


@pytest.mark.parametrize("flaw", ["certificate", "folder", "endpoint", "server"])
def test_a_bad_change_of_keys_changes_nothing(keys: Keys, flaw: str):
    keys.add("kiosk")
    with Daemon(keys.config(table("kiosk", **OWN))) as daemon:
        kiosk = keys.client(daemon, "kiosk")
        control, updates = kiosk.requests(), kiosk.subscriber("badge/")
        control.open("kiosk-1", still())
        text = daemon.config.read_text()
        expected = "is refused"
        if flaw == "certificate":
            (keys.authorized / "new.key").write_text("nothing")
        elif flaw == "folder":
            daemon.config.write_text(text.replace(str(keys.authorized), "/nowhere"))
        elif flaw == "endpoint":
            taken = daemon.control.split(",")[0]
            daemon.config.write_text(
                text.replace("kiosk-1*", "kiosk-*") + f'updates = ["{taken}"]\n')
        else:
            other = keys._make("other")
            daemon.config.write_text(text.replace(str(keys.server_secret), str(other)))
            expected = "only a restart changes security.server_key"
        reload(daemon)
        wait_for(lambda: expected.split()[-1] in daemon.log(), "the log says so")
        control.notify("kiosk-1", "likes")
        updates.find("badge/kiosk-1", total=1)
        assert kiosk.requests().refused("close", session="kiosk-2")["code"] == "unauthorized"


def test_the_daemon_reads_a_publisher_by_its_key(keys: Keys, tmp_path: pathlib.Path):
    """The other way round: the daemon connects to a publisher that asks for keys."""
    keys.add("panel")
    keys._make("publisher")
    context = zmq.Context()
    _, secret = zmq.auth.load_certificate(str(keys.private / "publisher.key_secret"))
    socket = context.socket(zmq.XPUB)
    socket.curve_server, socket.curve_secretkey = True, secret
    port = socket.bind_to_random_port("tcp://127.0.0.1")
    config = (f'events_connect = ["tcp://127.0.0.1:{port}"]\n' + keys.config()
              + f'publisher_key = "{keys.private / "publisher.key"}"\n')
    with Daemon(config) as daemon:
        control = keys.client(daemon, "panel").requests()
        control.open("alice", still())
        assert socket.poll(DEADLINE * 1000)
        socket.send_multipart([b"notification/alice", b'{"kind":"likes"}'])
        wait_for(lambda: control.badge("alice")["total"] == 1, "the event came")
    context.destroy(linger=0)
