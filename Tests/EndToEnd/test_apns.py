"""Pushes to the app of Claudiator, at a service that PyPI `hypercorn` and `PyJWT` make up of Apple's contract."""
import asyncio
import datetime
import shutil
import sqlite3
import subprocess
import time
import types

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa

from harness import http1
from harness.apns import TOPIC, Authority, Provider, pem
from harness.checks import includes
from harness.claudiator import App, Hook
from harness.daemon import reserved_port
from harness.frames import FrameService
from harness.waiting import until

TOKEN = "ab" * 32


@pytest.fixture
def provider(box):
    return Provider(box)


@pytest.fixture
def apns(provider):
    made = provider.service()
    yield made
    assert made.wrong == []


def begin(cdev, provider, service, sandbox=None, token=TOKEN, **notify):
    """A daemon with one app that is registered."""
    cdev.start(notify={**provider.settings(service, sandbox), **notify})
    made = App(cdev.tcp, cdev.token("claudiator"))
    if token:
        register(made, token)
    return made


def register(app, token=TOKEN, platform="ios", sandbox=False):
    app.post("/push/register", {"platform": platform, "push_token": token, "sandbox": sandbox})


def channels(cdev):
    return {entry["channel"]: entry for entry in cdev.local.call("status/get")["notify"]}


def only(cdev):
    [channel] = channels(cdev).values()
    return channel


def test_a_report_is_pushed_as_the_app_reads_it(cdev, provider, apns):
    app = begin(cdev, provider, apns)
    hook = Hook(cdev.tcp, app.token)
    hook.sent("UserPromptSubmit", prompt="a secret plan", cwd="/home/me/work")
    hook.sent("PermissionRequest", tool_name="Bash", message="touch secret", cwd="/home/me/work")
    push = apns.got()
    assert (push.method, push.version, push.token) == ("POST", "2", TOKEN)
    includes(push.headers, **{"apns-topic": TOPIC, "apns-push-type": "alert", "apns-priority": "10",
                              "apns-collapse-id": "s1", "content-type": "application/json"})
    [kept] = app.list("notifications")
    assert push.json == {
        "aps": {"alert": {"title": "Permission Required", "body": "Permission required: Bash", "subtitle": "work"},
                "sound": "default", "content-available": 1, "thread-id": "s1", "interruption-level": "time-sensitive"},
        "notification_id": kept["id"], "session_id": "s1", "device_id": hook.device["device_id"]}
    # The notification that follows some seconds later is of the same dialog.
    hook.sent("Notification", notification_type="permission_prompt", message="Claude needs your permission")
    hook.sent("Stop")
    stopped = apns.got(2).json
    assert stopped["aps"]["alert"] == {"title": "Session Stopped", "body": "Session stopped: No reason given"}
    assert "interruption-level" not in stopped["aps"] and len(apns.pushes) == 2
    until(lambda: only(cdev)["delivered"] == 2, "both to be taken")
    assert only(cdev)["channel"] == "apns claudiator (ababab)"


def test_details_only_where_they_are_asked_for(cdev, provider, apns):
    app = begin(cdev, provider, apns, include_details=True)
    hook = Hook(cdev.tcp, app.token)
    hook.sent("UserPromptSubmit", prompt="a plan")
    hook.sent("PermissionRequest", tool_name="Bash", message="touch ünïcode")
    alert = apns.got().json["aps"]["alert"]
    assert alert == {"title": "a plan", "body": "Permission required: Bash — touch ünïcode"}


def pair(cdev, platform="iPhone"):
    """A phone with our page: paired, and not connected."""
    offer = cdev.local.call("pair/start", {"rights": "approve"})["token"]
    body = {"pairing_token": offer, "name": "phone", "platform": platform}
    answer = http1.ask(cdev.tcp, "POST", "/api/auth/exchange", body)
    assert answer.status == 200, answer
    return answer.json


def test_a_call_is_held_for_an_app_beside_a_paired_phone(cdev, provider, apns):
    begin(cdev, provider, apns)
    session = cdev.session()
    session.start()
    assert session.bash("touch a").decision() == "pass", "nobody can answer in the app"
    pair(cdev)
    held = session.bash("touch b")
    assert held.first_status() == 102
    push = apns.got(where=lambda push: push.json["aps"].get("interruption-level") == "time-sensitive")
    [card] = cdev.local.call("permission/pending")["requests"]
    deadline = datetime.datetime.fromisoformat(card["deadline"]).timestamp()
    assert abs(int(push.headers["apns-expiration"]) - deadline) <= 1
    assert push.json["session_id"] == session.id and push.json["aps"]["alert"]["body"] == "Permission required: Bash"
    cdev.ok("deny", card["request_id"])
    assert held.decision() == "deny"
    cdev.ok("devices", "revoke", "phone")
    assert session.bash("touch c").decision() == "pass"


def test_a_registration_goes_with_its_token(cdev, provider, apns):
    app = begin(cdev, provider, apns)
    assert len(channels(cdev)) == 1
    cdev.ok("token", "revoke", "claudiator")
    until(lambda: not channels(cdev), "the channel to go")
    cdev.kill()
    cdev.start()
    other = App(cdev.tcp, cdev.token("other"))
    Hook(cdev.tcp, other.token).sent("Stop")
    assert channels(cdev) == {} and apns.pushes == [], app
    rows = sqlite3.connect(cdev.box.cdev_home / "cdev.db").execute("SELECT * FROM push_registrations").fetchall()
    assert rows == []


def test_registrations_outlive_the_daemon(cdev, provider, apns):
    app = begin(cdev, provider, apns)
    register(app, "cd" * 32, platform="android")
    cdev.kill()
    cdev.start()
    Hook(cdev.tcp, app.token).sent("Stop")
    assert apns.got().token == TOKEN
    assert list(channels(cdev)) == ["apns claudiator (ababab)"], "FCM is not sent to"


def test_an_app_goes_to_the_host_of_its_build(cdev, provider, apns):
    sandbox = provider.service()
    app = begin(cdev, provider, apns, sandbox)
    register(app, "cd" * 32, sandbox=True)
    Hook(cdev.tcp, app.token).sent("Stop")
    assert (apns.got().token, sandbox.got().token) == (TOKEN, "cd" * 32)
    assert apns.got().headers["authority" if "authority" in apns.got().headers else "host"].startswith("127.0.0.1")
    assert sandbox.wrong == [] and len(apns.pushes) == len(sandbox.pushes) == 1


def test_many_at_once_share_one_connection(cdev, provider):
    """Fifty are under way at the same time: each waits until all are there."""
    everybody = 50
    together = asyncio.Event()

    async def wait(push):
        if len(service.pushes) >= everybody:
            together.set()
        await asyncio.wait_for(together.wait(), 30)
        return 200

    service = provider.service(wait)
    app = begin(cdev, provider, service, token=None)
    apps = [app, *(App(cdev.tcp, cdev.token(f"app {number}")) for number in range(2))]
    for number in range(everybody):
        register(apps[number % 3], f"{number:04x}")
    hook = Hook(cdev.tcp, app.token)
    hook.sent("Stop")
    service.got(everybody)
    until(lambda: all(entry["delivered"] == 1 for entry in channels(cdev).values()), "all to be taken", 30)
    assert service.most_together == everybody and len(service.connections) == 1 and service.wrong == []
    assert len({push.jwt for push in service.pushes}) == 1
    hook.sent("Stop", session="s2")
    service.got(2 * everybody)
    assert len(service.connections) == 1, "it is used again"


@pytest.mark.parametrize(("status", "reason"), [
    (410, "Unregistered"), (410, "ExpiredToken"), (400, "BadDeviceToken"), (400, "DeviceTokenNotForTopic")])
def test_an_app_that_is_gone_is_sent_nothing_more(cdev, provider, status, reason):
    answers = [(status, {"reason": reason, "timestamp": int(time.time() * 1000) + 1000})]
    service = provider.service(lambda push: answers[0])
    app = begin(cdev, provider, service)
    hook = Hook(cdev.tcp, app.token)
    hook.sent("Stop")
    until(lambda: not channels(cdev), "the app to be dropped")
    cdev.kill()
    cdev.start()
    assert channels(cdev) == {}
    # The app registers at its next start.
    answers[0] = 200
    register(app)
    hook.sent("Stop", session="s2")
    service.got(2)
    until(lambda: only(cdev)["delivered"] == 1, "the push to be taken")


def test_an_app_that_registered_again_since_stays(cdev, provider):
    """The service knows of the end of an earlier installation."""
    answers = [(410, {"reason": "Unregistered", "timestamp": int(time.time() * 1000) - 60_000})]
    service = provider.service(lambda push: answers[0])
    app = begin(cdev, provider, service)
    Hook(cdev.tcp, app.token).sent("Stop")
    service.got()
    answers[0] = 200
    service.got(2)
    until(lambda: only(cdev)["delivered"] == 1, "the next attempt to be taken")


@pytest.mark.parametrize("answer", [
    (429, {"reason": "TooManyRequests"}), (429, {"reason": "TooManyProviderTokenUpdates"}), (500, {}),
    (503, {"reason": "ServiceUnavailable"}), (503, {"reason": "Shutdown"}, {"retry-after": "3"})])
def test_a_busy_service_is_asked_again_later(cdev, provider, answer):
    times, answers = [], [answer]

    def behave(push):
        times.append(time.monotonic())
        return answers.pop() if answers else 200

    service = provider.service(behave)
    app = begin(cdev, provider, service)
    Hook(cdev.tcp, app.token).sent("Stop")
    service.got(2)
    until(lambda: only(cdev)["delivered"] == 1, "the push to be taken")
    assert times[1] - times[0] > (2.8 if len(answer) == 3 else 1.8)


def test_a_pause_that_the_service_asks_for_holds_for_all(cdev, provider):
    answers = [(503, {"reason": "ServiceUnavailable"}, {"Retry-After": "4"})]
    times = []

    def behave(push):
        times.append((time.monotonic(), push.token))
        return answers.pop() if answers else 200

    service = provider.service(behave)
    app = begin(cdev, provider, service)
    hook = Hook(cdev.tcp, app.token)
    hook.sent("Stop")
    service.got()
    register(app, "cd" * 32)
    hook.sent("Stop", session="s2")
    service.got(3)
    assert times[1][0] - times[0][0] > 3.8, times


def test_a_refusal_is_said_and_not_repeated(cdev, provider):
    service = provider.service(lambda push: (403, {"reason": "TopicDisallowed"}))
    app = begin(cdev, provider, service)
    Hook(cdev.tcp, app.token).sent("Stop")
    until(lambda: only(cdev)["failure"], "the failure to be seen")
    assert only(cdev)["failure"] == "APNs answered 403 TopicDisallowed: look at topic of notify.apns"
    assert "look at topic" in cdev.run("status").stdout and "look at topic" in cdev.run("doctor").stdout
    assert len(service.pushes) == 1


@pytest.mark.long
def test_a_service_that_never_answers_costs_no_decision_a_moment(cdev, provider):
    service = provider.service(lambda push: "stall")
    begin(cdev, provider, service)
    phone, session = cdev.approver("phone"), cdev.session()
    session.start()
    for number in range(3):
        held = session.bash(f"touch {number}")
        card = phone.card(tool_use_id=held.tool_use_id)
        if number == 0:
            service.got()
        phone.respond(card, "allow")
        assert held.decision(timeout=2) == "allow"
    assert "127.0.0.1" not in cdev.run("doctor").stdout.split("notifications by")[-1], "a push has no link to go there"
    began = time.monotonic()
    [test] = cdev.local.call("notify/test", timeout=40)["channels"]
    assert test["delivered"] is False and "imed out" in test["failure"], test
    assert time.monotonic() - began < 40, "ten seconds, on a busy machine too"


def test_a_test_goes_to_the_app(cdev, provider, apns):
    begin(cdev, provider, apns)
    assert "a test by apns claudiator (ababab) was taken" in cdev.run("doctor", "--notify").stdout
    assert apns.got().json == {"aps": {"sound": "default", "content-available": 1, "alert": {
        "title": "cdev", "body": "This is a test: notifications arrive here"}}}


def test_another_authority_vouches_for_nothing(cdev, provider, apns, box):
    elsewhere = box.root / "elsewhere"
    elsewhere.mkdir()
    cdev.start(notify=provider.settings(apns, authority=str(Authority(elsewhere).path)))
    register(App(cdev.tcp, cdev.token("claudiator")))
    [test] = cdev.local.call("notify/test")["channels"]
    assert "ertificate" in test["failure"] and apns.pushes == []


@pytest.mark.parametrize(("change", "words"), [
    ({"key_file": "/nowhere/AuthKey.p8"}, ["notify.apns.key_file", "there is no such file"]),
    ({"key_file": "AuthKey.p8"}, ["notify.apns.key_file", "absolute path"]),
    ({"key_file": "/dev/null"}, ["notify.apns.key_file", "not a regular file"]),
    ({"key_file": "{ca}"}, ["notify.apns.key_file", "no private key"]),
    ({"key_file": "{rsa}"}, ["notify.apns.key_file", "none on the curve P-256"]),
    ({"key_id": "ABC123"}, ["notify.apns.key_id", "ten capital letters and digits"]),
    ({"team_id": "team123456"}, ["notify.apns.team_id", "ten capital letters and digits"]),
    ({"topic": "a b"}, ["notify.apns.topic", "bundle id"]), ({"topic": None}, ["notify.apns.topic"]),
    ({"host": "https://x/"}, ["notify.apns.host"]), ({"hots": "x"}, ["notify.apns.hots", "unknown", "sandbox_host"])])
def test_what_cannot_be_used_is_said(cdev, provider, apns, box, change, words):
    rsa_key = box.root / "rsa.p8"
    rsa_key.write_bytes(pem(rsa.generate_private_key(65537, 2048)))
    files = {"{ca}": str(provider.authority.path), "{rsa}": str(rsa_key)}
    members = {**provider.settings(apns)["apns"], **{key: files.get(value, value) for key, value in change.items()}}
    cdev.configure(notify={"apns": {key: value for key, value in members.items() if value is not None}})
    done = cdev.run("serve", "--port", str(cdev.port))
    assert done.returncode != 0 and all(word in done.stderr for word in words), done.stderr
    said = cdev.run("doctor").stdout
    assert all(word in said for word in words), said
    if change.get("key_file"):
        cdev.configure(notify=provider.settings(apns))
        done = cdev.run("config", "set", "notify.apns.key_file", members["key_file"])
        assert done.returncode != 0 and all(word in done.stderr for word in words), done.stderr


@pytest.fixture
def frames(box, provider):
    """Makes a service that answers frame by frame."""
    def make(behaviour):
        made = FrameService(provider.authority, behaviour)
        box.on_close(made.close)
        return made

    return make


def several(cdev, provider, service, count=5):
    app = begin(cdev, provider, service, token=None)
    for number in range(count):
        register(app, f"{number:04x}")
    Hook(cdev.tcp, app.token).sent("Stop")


def all_taken(cdev, timeout=10):
    until(lambda: all(entry["delivered"] for entry in channels(cdev).values()), "all to be taken", timeout)


def test_pushes_under_way_when_the_service_goes_away_arrive_once(cdev, provider, frames):
    """It has seen the first of five; the others go to another connection, none of them twice."""
    def behave(connection, stream):
        if connection is not service.connections[0]:
            connection.answer(stream)
        elif stream == 3:
            connection.go_away(last=1)
            connection.answer(1)

    service = frames(behave)
    several(cdev, provider, service)
    all_taken(cdev)
    assert len(service.connections) == 2
    first, second = ([token for _, token in connection.streams] for connection in service.connections)
    assert sorted(second) == sorted({f"{number:04x}" for number in range(5)} - {first[0]})


def test_a_connection_that_is_cut_off_costs_an_attempt(cdev, provider, frames):
    def behave(connection, stream):
        if connection is not service.connections[0]:
            connection.answer(stream)
        elif stream == 3:
            connection.close()

    service = frames(behave)
    several(cdev, provider, service)
    all_taken(cdev)
    assert len(service.connections) == 2


@pytest.mark.long
def test_a_dead_connection_is_left(cdev, provider, frames):
    """As when a router has forgotten it: what is sent there is never answered."""
    service = frames(lambda connection, stream: connection is service.connections[0] or connection.answer(stream))
    several(cdev, provider, service, count=2)
    all_taken(cdev, timeout=30)
    assert len(service.connections) == 2 and len(service.pushes) == 4


@pytest.mark.skipif(not shutil.which("nghttpd", path="/usr/sbin:/usr/bin"), reason="nghttpd is not there")
def test_another_server_takes_them_too(cdev, provider, box):
    """nghttpd of nghttp2-server: a file is an app, and no file a wrong path."""
    root = box.root / "served"
    (root / "3" / "device").mkdir(parents=True)
    for number in range(5):
        (root / "3" / "device" / f"{number:04x}").write_bytes(b"")
    port = reserved_port(box)
    program = shutil.which("nghttpd", path="/usr/sbin:/usr/bin")
    log = box.root / "nghttpd.txt"
    with open(log, "wb") as sink:
        server = subprocess.Popen(
            [program, "-v", "--no-content-length", "-a", "127.0.0.1", "-d", str(root), str(port),
             str(provider.authority.key), str(provider.authority.certificate)], stdout=sink, stderr=sink)
    box.on_close(lambda: (server.kill(), server.wait()))
    box.note("nghttpd", log.read_text)
    until(lambda: "listen" in log.read_text(), "nghttpd to listen")
    several(cdev, provider, types.SimpleNamespace(port=port))
    all_taken(cdev)
    said = log.read_text()
    assert said.count("apns-push-type: alert") == 5 and "[id=2]" not in said, "one connection"
    register(App(cdev.tcp, cdev.token("other")), "ffff")
    tests = {test["channel"]: test["failure"] for test in cdev.local.call("notify/test")["channels"]}
    assert tests.pop("apns other (ffff)") == "APNs answered 404" and set(tests.values()) == {None}
