"""The words of a reason: Claude shows it in its transcript, `cdev log` and the page show it to people, and all have one word for
one thing."""
import re

import pytest

from harness import http1
from harness.checks import bearer
from harness.receiver import Receiver
from harness.waiting import until
from harness.watching import Watch

# As the protocol spells who decided, and parts of the daemon that a person does not know.
INTERNAL = re.compile(r"\bby (device|link|local|rule|terminal|timeout)\b|\brule_|at this machine|\brelay\b")


def reason(held):
    """What Claude shows, and the decision."""
    output = held.answer()["hookSpecificOutput"]
    return output["permissionDecision"], output["permissionDecisionReason"]


def by_device(cdev, card, box):
    device = cdev.local.call("pair/start", {"rights": "approve"})["token"]
    paired = http1.ask(cdev.tcp, "POST", "/api/auth/exchange", {"pairing_token": device, "name": "tablet", "platform": "test"})
    cdev.approver("tablet", token=paired.json["access_token"]).respond(card, "allow")


def by_token(cdev, card, box):
    message = {"jsonrpc": "2.0", "id": 1, "method": "permission/respond",
               "params": {"request_id": card["request_id"], "decision": "deny"}}
    assert "result" in http1.ask(cdev.tcp, "POST", "/rpc", message, bearer(cdev.token("robot"))).json


def by_command(cdev, card, box):
    cdev.ok("allow", card["request_id"])


def by_watch(cdev, card, box):
    watch = Watch(cdev)
    watch.key("d", "denied")


def by_command_in_terminal(cdev, card, box):
    cdev.ok("pass", card["request_id"])


@pytest.mark.parametrize(("answer", "decision", "words"), [
    (by_device, "allow", "cdev: allowed by tablet"),
    (by_token, "deny", "cdev: denied by robot"),
    (by_command, "allow", "cdev: allowed by somebody at the computer"),
    (by_watch, "deny", "cdev: denied by somebody at the computer"),
    (by_command_in_terminal, "ask", "cdev: to be answered in terminal by somebody at the computer"),
])
def test_a_persons_answer(holding, box, answer, decision, words):
    held = holding.session().bash("touch a")
    card = until(lambda: holding.local.call("permission/pending")["requests"], "a card")[0]
    answer(holding, card, box)
    assert reason(held) == (decision, words)
    line = holding.ok("log")
    assert line.endswith(f"  Bash  touch a  by {words.rpartition(' by ')[2]}\n"), "nothing is said twice"
    late = holding.run("allow", card["request_id"])
    assert words.removeprefix("cdev: ") in late.stdout + late.stderr or answer is by_command
    assert not INTERNAL.search(line + late.stderr), line + late.stderr


@pytest.mark.parametrize("channel", ["webhook", "ntfy"])
def test_a_links_answer(cdev, box, channel):
    receiver = Receiver()
    box.on_close(receiver.close)
    more = {"secret": "a-secret-of-the-receiver", "answers": True} if channel == "webhook" else {}
    cdev.start(notify={channel: {"url": f"{receiver.base}/topic", **more}})
    held = cdev.session().bash("touch a")
    told = receiver.got().json
    body = {"secret": told["links"]["deny"].split("#")[1]} if channel == "webhook" else told["actions"][1]["body"].encode()
    headers = {} if channel == "webhook" else told["actions"][1]["headers"]
    assert http1.ask(cdev.tcp, "POST", "/a", body, headers).status == 200
    assert reason(held) == ("deny", f"cdev: denied by a link ({channel})")
    assert not INTERNAL.search(cdev.ok("log"))


@pytest.mark.parametrize(("decision", "said"), [("allow", "allowed"), ("deny", "denied")])
def test_a_rules_answer(holding, decision, said):
    phone = holding.approver("phone")
    session = holding.session()
    phone.respond(phone.card(tool_use_id=session.bash("touch a").tool_use_id), decision, scope="session")
    words = f"{said} for the session by phone: Bash(touch:*)"
    assert reason(session.bash("touch b")) == (decision, f"cdev: {words}")
    last = holding.ok("log", "--limit", "1")
    assert f"by a session rule ({words})" in last and not INTERNAL.search(last)
    assert f"{decision} " in holding.ok("rules") and " phone " in holding.ok("rules")


@pytest.mark.parametrize(("config", "decision", "words"), [
    ({"no_approver": "hold", "permission_timeout_seconds": 1}, "ask", "nobody answered within 1 s"),
    ({"no_approver": "hold", "permission_timeout_seconds": 1, "on_timeout": "deny"}, "deny",
     "nobody answered within 1 s, and on_timeout is deny"),
    ({"no_approver": "deny"}, "deny", "nobody who may answer is connected, and no_approver is deny"),
])
def test_nobodys_answer(cdev, config, decision, words):
    cdev.start(**config)
    assert reason(cdev.session().bash("touch a")) == (decision, f"cdev: {words}")
    said = cdev.ok("log")
    assert f" ({words.removeprefix('nobody answered ')})" in said and not INTERNAL.search(said)


def test_an_answer_to_a_call_that_its_gate_holds(holding):
    session = holding.session()
    session.start()
    holding.ok("gate", session.id, "always")
    held = session.bash("touch a", permission_mode="auto")
    card = until(lambda: holding.local.call("permission/pending")["requests"], "a card")[0]
    holding.ok("deny", card["request_id"])
    assert reason(held) == ("deny", "cdev: denied by somebody at the computer")
