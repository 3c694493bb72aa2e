"""People who are not connected are told: by webhook and by ntfy, whatever the receiver does."""
import hashlib
import hmac
import subprocess

import pytest

from harness.checks import includes
from harness.receiver import Receiver
from harness.waiting import until

SECRET = "a-secret-of-the-receiver"


def channels(cdev):
    return {entry["channel"]: entry for entry in cdev.local.call("status/get")["notify"]}


def webhook(receiver, **more):
    return {"webhook": {"url": f"{receiver.base}/hook", "secret": SECRET, **more}}


def ntfy(receiver, **more):
    return {"ntfy": {"url": f"{receiver.base}/my-topic", **more}}


def test_a_webhook_is_told_and_what_it_is_told_is_signed(cdev, receiver):
    cdev.start(notify=webhook(receiver, answers=True))
    held = cdev.session().bash("touch secret-name")
    told = receiver.got()
    body = told.json
    includes(body, version=1, type="permission", title=f"{cdev.box.project.name}: Bash", body="waits for your answer",
             silent=False, tool_name="Bash", session_id=held.payload["session_id"], waiting=1)
    assert b"secret-name" not in told.body
    assert body["url"].endswith(f"/#request={body['request_id']}")
    fields = dict(part.split("=") for part in told.headers["Cdev-Signature"].split(","))
    signed = fields["t"].encode() + b"." + told.body
    assert hmac.compare_digest(fields["v1"], hmac.new(SECRET.encode(), signed, hashlib.sha256).hexdigest())
    assert not held.answered()
    cdev.ok("deny", body["request_id"])
    assert held.decision() == "deny"
    closing = receiver.got(2).json
    includes(closing, type="permission_resolved", tag=body["tag"], silent=True, decision="deny", resolved_by="local",
             body="denied by somebody at the computer")


def test_a_webhook_without_answers_is_nobody_to_wait_for(cdev, receiver):
    cdev.start(notify=webhook(receiver))
    assert cdev.session().bash("touch a").decision() == "pass"
    assert channels(cdev)["webhook"]["reachable"] is False
    phone = cdev.approver("phone")
    held = cdev.session().bash("touch b")
    assert "links" not in receiver.got().json
    phone.respond(phone.card(tool_use_id=held.tool_use_id), "allow")
    assert held.decision() == "allow"


@pytest.mark.parametrize("make", ["webhook", "ntfy"])
def test_links_that_lead_to_this_machine_only_are_nothing_to_wait_for(cdev, receiver, make):
    cdev.start(notify=webhook(receiver, answers=True) if make == "webhook" else ntfy(receiver), public_url=None)
    channel = channels(cdev)[make]
    includes(channel, answers=False, reachable=False)
    assert f"http://127.0.0.1:{cdev.port}" in channel["obstacle"]
    assert cdev.session().bash("touch a").decision() == "pass"
    for words in (["status"], ["doctor"]):
        said = cdev.run(*words).stdout
        assert make in said and "cannot be answered" in said and "public_url" in said, said
    # Somebody else holds the call: people are told, without links to the port of their own phone.
    phone = cdev.approver("phone")
    held = cdev.session().bash("touch b")
    told = receiver.got().json
    assert "links" not in told and all(action["action"] == "view" for action in told.get("actions", []))
    phone.respond(phone.card(tool_use_id=held.tool_use_id), "deny")


def test_details_only_where_they_are_asked_for(cdev, receiver):
    cdev.start(notify={**webhook(receiver, answers=True), "include_details": True})
    held = cdev.session().bash("touch secret-name")
    assert receiver.got().json["body"] == "touch secret-name"
    cdev.ok("deny", receiver.got().json["request_id"])
    assert held.decision() == "deny"


def test_ntfy_is_told_with_a_deny_that_posts_and_an_allow_that_opens(cdev, receiver):
    cdev.start(notify=ntfy(receiver, token="tk_abc"))
    held = cdev.session().bash("touch a")
    told = receiver.got()
    assert told.path == "/" and told.headers["Authorization"] == "Bearer tk_abc"
    body = told.json
    includes(body, topic="my-topic", title=f"{cdev.box.project.name}: Bash", message="waits for your answer",
             priority=4, tags=["raised_hand"])
    allow, deny = body["actions"]
    includes(allow, action="view", label="Allow", url=body["click"])
    includes(deny, action="http", label="Deny", method="POST", url=f"http://127.0.0.1:{cdev.port}/a")
    cdev.ok("deny", held_id(cdev))
    assert held.decision() == "deny"
    includes(receiver.got(2).json, message="denied by somebody at the computer", priority=1, sequence_id=body["sequence_id"])
    assert "actions" not in receiver.got(2).json


def held_id(cdev):
    return cdev.local.call("permission/pending")["requests"][0]["request_id"]


@pytest.mark.parametrize("make", ["webhook", "ntfy"])
@pytest.mark.parametrize("answer", [500, 302, "stall"])
def test_a_receiver_that_fails_costs_no_decision_a_moment(cdev, box, answer, make):
    target = Receiver()
    box.on_close(target.close)
    bad = Receiver(lambda _: (302, {"Location": target.base + "/elsewhere"}, b"") if answer == 302 else answer)
    box.on_close(bad.close)
    cdev.start(notify=webhook(bad, answers=True) if make == "webhook" else ntfy(bad))
    phone = cdev.approver("phone")
    session = cdev.session()
    for number in range(5):
        held = session.bash(f"touch {number}")
        card = phone.card(tool_use_id=held.tool_use_id)
        if number == 0:
            bad.got()
        phone.respond(card, "allow")
        assert held.decision(timeout=2) == "allow"
    if answer == 302:
        until(lambda: channels(cdev)[make]["failure"], "the failure to be seen")
        assert "redirect" in channels(cdev)[make]["failure"]
        assert target.deliveries == [], "no redirect is followed"


def test_an_untrusted_certificate_is_no_receiver(cdev, box):
    certificate = box.root / "own.pem"
    made = subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", certificate, "-out", box.root / "c.pem"],
        capture_output=True)
    assert made.returncode == 0, made.stderr
    certificate.write_bytes(certificate.read_bytes() + (box.root / "c.pem").read_bytes())
    receiver = Receiver(certificate=certificate)
    box.on_close(receiver.close)
    cdev.start(notify=webhook(receiver, answers=True))
    tests = cdev.local.call("notify/test")["channels"]
    assert tests[0]["delivered"] is False and "ertificate" in tests[0]["failure"]
    assert receiver.deliveries == []


def test_a_long_answer_is_none(cdev, box):
    receiver = Receiver(lambda _: (200, {}, b"x" * 70_000))
    box.on_close(receiver.close)
    cdev.start(notify=webhook(receiver, answers=True))
    tests = cdev.local.call("notify/test")["channels"]
    assert tests[0] == {"channel": "webhook", "delivered": False, "failure": "the answer has more than 65536 bytes"}


def test_a_failing_channel_is_not_waited_for_until_a_test_arrives(cdev, box):
    answers = [403]
    receiver = Receiver(lambda _: answers[0])
    box.on_close(receiver.close)
    cdev.start(notify=webhook(receiver, answers=True))
    session = cdev.session()
    held = session.bash("touch a")
    until(lambda: channels(cdev)["webhook"]["failure"], "the failure to be seen")
    assert not held.answered(), "what is held stays held"
    assert channels(cdev)["webhook"]["reachable"] is False
    assert "FAILING: it answered 403" in cdev.run("status").stdout
    assert "it answered 403" in cdev.run("doctor").stdout
    assert session.bash("touch b").decision() == "pass"
    answers[0] = 200
    assert "a test by webhook was taken" in cdev.run("doctor", "--notify").stdout
    assert receiver.deliveries[-1].json["type"] == "test"
    after = session.bash("touch c")
    assert after.first_status() == 102
    for one in cdev.local.call("permission/pending")["requests"]:
        cdev.ok("deny", one["request_id"])
    assert (held.decision(), after.decision()) == ("deny", "deny")


def test_stop_is_told_where_it_is_asked_for(cdev, receiver):
    cdev.start(notify={**webhook(receiver), "stop": True})
    cdev.session().tell("Stop", stop_hook_active=False)
    includes(receiver.got().json, type="stop", title=cdev.box.project.name, body="Claude has finished its turn")


def test_what_a_rule_settles_is_not_told(cdev, receiver):
    cdev.start(notify=webhook(receiver))
    phone = cdev.approver("phone")
    session = cdev.session()
    first = session.bash("touch a")
    opened = phone.card(tool_use_id=first.tool_use_id)
    phone.respond(opened, "allow", scope="session")
    assert first.decision() == "allow"
    for number in range(5):
        assert session.bash(f"touch {number}").decision() == "allow"
    # What comes last is told: by then the others would have been.
    other = session.bash("mkdir d")
    card = phone.card(tool_use_id=other.tool_use_id)
    receiver.got(where=lambda delivery: delivery.json["request_id"] == card["request_id"])
    phone.respond(card, "deny")
    assert other.decision() == "deny"
    receiver.got(where=lambda delivery: delivery.json["type"] == "permission_resolved"
                 and delivery.json["request_id"] == card["request_id"])
    asked = {delivery.json["request_id"] for delivery in receiver.deliveries}
    assert asked <= {opened["request_id"], card["request_id"]}


def test_whoever_looks_is_told_later(cdev, receiver):
    cdev.start(notify=webhook(receiver))
    phone = cdev.approver("phone")
    phone.call("client/presence", {"visible": True})
    held = cdev.session().bash("touch a")
    card = phone.card(tool_use_id=held.tool_use_id)
    phone.respond(card, "allow")
    assert held.decision() == "allow"
    phone.call("client/presence", {"visible": False})
    second = cdev.session().bash("touch b")
    assert receiver.got().json["request_id"] != card["request_id"], "the first was answered by whoever looked"
    phone.respond(phone.card(tool_use_id=second.tool_use_id), "allow")


@pytest.mark.parametrize(("notify", "word"), [
    ({"ntfy": {}}, "notify.ntfy.url"), ({"ntfy": {"url": "https://ntfy.sh/"}}, "topic"),
    ({"ntfy": {"url": "https://ntfy.sh/t", "allow": True}}, "token"), ({"ntfi": {}}, "notify.ntfi"),
    ({"ntfy": {"url": "http://ntfy.sh/t", "allow": True, "token": "x"}}, "https"),
    ({"webhook": {"url": "ftp://x"}}, "notify.webhook.url"), ({"webhook": {"url": "https://x", "answer": True}}, "answer"),
    ({"webhook": {"url": "https://x", "answers": True}}, "secret"), ({"stop": "yes"}, "notify.stop"),
    ({"webhook": {"url": "http://x.example", "answers": True, "secret": "s"}}, "http to another machine"),
    ({"push_hosts": ["*"]}, "notify.push_hosts"), ({"contact": "me"}, "notify.contact"), ([], "notify"),
])
def test_what_cannot_be_used_keeps_the_daemon_from_starting(cdev, notify, word):
    cdev.configure(notify=notify)
    done = cdev.run("serve", "--port", str(cdev.port))
    assert done.returncode != 0 and word in done.stderr, done.stderr


def test_what_sends_is_loaded_with_the_first_message(cdev, receiver):
    cdev.start(notify=webhook(receiver, answers=True))

    def loaded():
        return "libcurl" in open(f"/proc/{cdev.process.pid}/maps").read()

    cdev.run("status")
    assert not loaded()
    held = cdev.session().bash("touch a")
    cdev.ok("deny", receiver.got().json["request_id"])
    assert held.decision() == "deny"
    assert loaded()


@pytest.mark.parametrize("make", ["webhook", "ntfy"])
def test_a_denied_call_that_ran_is_told_aloud(cdev, receiver, make):
    """Once, by every channel, with a tag of its own: it must not take the place of what its request said."""
    cdev.start(notify=webhook(receiver) if make == "webhook" else ntfy(receiver))
    phone, session = cdev.approver(), cdev.session()
    held = session.bash("touch secret-name")
    phone.respond(phone.card(tool_use_id=held.tool_use_id), "deny")
    assert held.decision() == "deny"
    session.ran(held)
    session.ran(held)
    told = receiver.got(where=lambda delivery: "ran though it was denied" in delivery.json["title"]).json
    assert told["title"].startswith(f"{cdev.box.project.name}: Bash")
    assert "denied by phone" in told.get("body", told.get("message")) and "secret-name" not in str(told)
    if make == "webhook":
        includes(told, type="deny_ignored", silent=False, session_id=session.id)
        assert told["tag"] not in {one.json["tag"] for one in receiver.deliveries if one.json["type"] == "permission"}
    phone.settle()
    alarms = [one for one in receiver.deliveries if "ran though it was denied" in one.json["title"]]
    assert len(alarms) == 1
