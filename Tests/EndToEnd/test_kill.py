"""`kill -9` within 50 ms of a confirmation, again and again: what was taken away is not back, what a rule settled is not asked.

Each round kills the daemon a little later after the confirmation than the one before, and the next round goes on with the
daemon that came after it.
"""
import os
import shlex
import subprocess
import time

import pytest

from harness import http1
from harness.approver import RpcError
from test_push import Browser, names

ROUNDS = 200 if os.environ.get("CDEV_LONG_TESTS") == "1" else 20
SPREAD = 0.05


@pytest.fixture
def rounds(cdev):
    """The rounds of a test, with a function that kills the daemon and starts the next."""
    cdev.start()
    return lambda: ((number, lambda: _kill(cdev, number)) for number in range(ROUNDS))


def _kill(cdev, number):
    # Not to wait for anything: the moment of the kill is what the rounds differ in.
    time.sleep(SPREAD * number / ROUNDS)
    cdev.kill()
    cdev.start()


def _granted(phone, session, command="touch a"):
    """The rule of a session answer."""
    call = session.bash(command)
    card = phone.card(tool_use_id=call.tool_use_id)
    rule = phone.respond(card, "allow", scope="session")["rules"][0]
    assert call.decision() == "allow"
    return rule["id"]


def _rules(cdev):
    return {rule["id"] for rule in cdev.local.call("permission/rules")["rules"]}


def _asked(phone, session):
    """Whether a call that the rule covered is asked about now."""
    call = session.bash("touch b")
    phone.card(tool_use_id=call.tool_use_id)
    call.hang_up()


@pytest.mark.parametrize("how", ["cli", "rpc"])
def test_a_revoked_rule_stays_revoked(cdev, rounds, how):
    token, session = cdev.token(), cdev.session()
    for number, kill in rounds():
        phone = cdev.approver(token=token)
        rule = _granted(phone, session)
        if how == "cli":
            cdev.ok("rules", "revoke", rule)
        else:
            assert phone.call("permission/revoke", {"rule_id": rule})["success"] is True
        kill()
        assert _rules(cdev) == set(), f"round {number}"
    _asked(cdev.approver(token=token), session)


def test_the_rules_of_a_session_stay_gone_with_it(cdev, rounds):
    token = cdev.token()
    for number, kill in rounds():
        session = cdev.session()
        _granted(cdev.approver(token=token), session)
        session.tell("SessionEnd", reason="other")
        kill()
        assert _rules(cdev) == set(), f"round {number}"
        listed = cdev.local.call("hook/sessions")["sessions"]
        assert session.id not in {entry["session_id"] for entry in listed}, f"round {number}"


@pytest.mark.parametrize("how", ["sign out", "token"])
def test_a_revoked_device_stays_out(cdev, rounds, how):
    session = cdev.session()
    for number, kill in rounds():
        device = _token(cdev) if how == "token" else _paired(cdev)
        _granted(cdev.approver(token=device["access"]), session)
        if how == "token":
            cdev.local.call("token/revoke", {"name": "phone"})
        else:
            body = {"refresh_token": device["refresh"]}
            assert http1.ask(cdev.tcp, "POST", "/api/auth/revoke", body).json["success"] is True
        kill()
        assert cdev.local.call("device/list")["devices"] == [], f"round {number}"
        assert _rules(cdev) == set(), f"round {number}"
        # The name is free again; what the former bearer granted is not the new one's.
        again = _token(cdev)
        assert _rules(cdev) == set(), f"round {number}"
        cdev.local.call("device/revoke", {"device_id": again["id"]})


def _token(cdev):
    made = cdev.local.call("token/create", {"name": "phone"})
    return {"access": made["token"], "id": made["device_id"]}


def _paired(cdev):
    token = cdev.local.call("pair/start", {"rights": "approve"})["token"]
    body = {"pairing_token": token, "name": "phone", "platform": "test"}
    made = http1.ask(cdev.tcp, "POST", "/api/auth/exchange", body).json
    return {"access": made["access_token"], "refresh": made["refresh_token"]}


def test_what_a_rule_settled_is_not_asked_again(cdev, rounds):
    """One answer for session settles three other cards. Their hooks may have heard it or not, but no person is asked."""
    token = cdev.token()
    for number, kill in rounds():
        session = cdev.session()
        phone = cdev.approver(token=token)
        calls = [session.bash(f"touch {name}") for name in "abcd"]
        cards = [phone.card(tool_use_id=call.tool_use_id) for call in calls]
        phone.respond(cards[0], "allow", scope="session")
        kill()
        again = cdev.approver(token=token)
        assert again.pending() == [], f"round {number}"
        for call, card in zip(calls, cards):
            # Whatever a person says now is not taken, and the log says what the hook was told.
            with pytest.raises(RpcError):
                again.respond(card, "deny")
            if not _heard(call):
                rejoined = session.bash(call.payload["tool_input"]["command"], request=call.request,
                                        tool_use_id=call.tool_use_id)
                assert rejoined.decision() == "allow", f"round {number}"
        ends = {entry["request_id"]: entry["decision"] for entry in cdev.history(session.id)}
        assert [ends[card["request_id"]] for card in cards] == ["allow"] * 4, f"round {number}"
        session.tell("SessionEnd", reason="other")


def test_a_link_that_was_used_opens_nothing(cdev, receiver):
    cdev.start(notify={"webhook": {"url": receiver.base, "secret": "a-secret-of-the-receiver", "answers": True}})
    for number in range(ROUNDS):
        session = cdev.session()
        call = session.bash("touch a")
        links = receiver.got(where=lambda told: told.json.get("session_id") == session.id and "links" in told.json).json["links"]
        verbs = ("allow", "deny") if number % 2 else ("deny", "allow")
        assert _use(cdev, links[verbs[0]]) == 200
        _kill(cdev, number)
        assert [_use(cdev, links[verb]) in (404, 410) for verb in verbs] == [True, True], f"round {number}"
        assert cdev.local.call("permission/pending")["requests"] == [], f"round {number}"
        (end,) = cdev.history(session.id)
        assert end["decision"] == verbs[0] and end["tool_use_id"] == call.tool_use_id, f"round {number}"


def _use(cdev, link):
    return http1.ask(cdev.tcp, "POST", "/a", {"secret": link.split("#")[1]}).status


def test_an_ended_subscription_stays_ended(cdev, rounds):
    token, browser = cdev.token(), Browser()
    for number, kill in rounds():
        phone = cdev.approver(token=token)
        phone.call("push/subscribe", browser.subscription)
        assert names(cdev) == ["push phone"], f"round {number}"
        assert phone.call("push/unsubscribe") == {"success": True, "existed": True}
        kill()
        assert names(cdev) == [], f"round {number}"


def test_a_process_of_claude_stays_one(box, cdev, rounds):
    """Its session is over and nothing in its environment marks it: the next daemon knows it by its hooks all the same."""
    token = cdev.token()
    for number, kill in rounds():
        claude = subprocess.Popen(["sh"], env=box.env(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        box.on_close(claude.kill)
        session = cdev.session(headers={"Cdev-Claude-Pid": str(claude.pid)})
        session.start()
        session.tell("SessionEnd", reason="other")
        kill()
        phone, other = cdev.approver(token=token), cdev.session()
        call = other.bash("touch a")
        card = phone.card(tool_use_id=call.tool_use_id)
        line = f"{shlex.quote(str(cdev.programs / 'cdev'))} allow {card['request_id']} 2>/dev/null; echo status=$?"
        assert claude.communicate(line)[0].endswith("status=4\n"), f"round {number}"
        phone.respond(card, "deny")
        assert call.decision() == "deny", f"round {number}"


def _heard(call):
    """Whether the hook was told to go on before its daemon died."""
    try:
        return call.decision() == "allow"
    except (http1.Closed, OSError):
        return False
