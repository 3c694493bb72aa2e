"""Inputs that are large, or become large once they are parsed: what is kept of them, and what a restart makes of them."""
import os
import secrets

import pytest

from harness import http1
from harness.hooks import NATIVE, Held
from harness.waiting import until


def nested(size):
    """About so many bytes, which become thirty times as many once they are parsed."""
    return {"x": [[]] * (size // 4)}


def resident(pid):
    with open(f"/proc/{pid}/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_held_calls_keep_no_more_than_their_bytes(bare, phone, session):
    before = resident(bare.process.pid)
    held = []
    for _ in range(6):
        held.append(session.call("mcp__a__b", nested(1 << 20)))
        assert held[-1].first_status(60) == 102
        phone.card(timeout=60, tool_use_id=held[-1].tool_use_id)
    # Parsed they would be 180 MB.
    assert resident(bare.process.pid) - before < 100 << 20
    for one in held:
        phone.respond(phone.card(tool_use_id=one.tool_use_id), "deny")
        assert one.decision(60) == "deny"


def test_a_large_question_stands_after_a_restart_once_its_relay_is_back(cdev):
    cdev.start()
    token = cdev.token()
    phone = cdev.approver(token=token)
    session = cdev.session()
    held = session.call("mcp__a__b", {**nested(100_000), "last": "seen"}, request=secrets.token_hex(16))
    card = phone.card(timeout=30, tool_use_id=held.tool_use_id)
    cdev.kill()
    cdev.start()
    phone = cdev.approver(token=token)
    # Nobody allows what nobody sees.
    assert phone.pending() == []
    again = Held(session, NATIVE, held.payload, {**session.headers, "Cdev-Request": held.request}, held.tool_use_id,
                 held.request)
    shown = phone.card(timeout=30, request_id=card["request_id"])
    assert shown["tool_input"]["last"] == "seen" and shown["opening"] == card["opening"]
    phone.respond(shown, "allow")
    assert again.decision(30) == "allow"
    ended = until(lambda: [one for one in phone.call("permission/history")["requests"] if not one["open"]], "the end")
    assert ended[0]["decision"] == "allow" and ended[0]["tool_input"]["last"] == "seen"


def test_the_end_of_a_large_call_is_recorded(bare, phone, session):
    held = session.call("mcp__a__b", nested(2 << 20))
    assert held.first_status(60) == 102
    phone.respond(phone.card(timeout=60, tool_use_id=held.tool_use_id), "deny")
    assert held.decision(60) == "deny"
    found = phone.call("permission/history", timeout=60)["requests"]
    assert [(one["open"], one["decision"]) for one in found] == [(False, "deny")]


@pytest.mark.parametrize("event", ["PostToolUse", "Stop", "UserPromptSubmit"])
def test_health_is_answered_while_a_large_hook_is_read(bare, session, event):
    body = session.payload(event, tool_name="mcp__a__b", tool_use_id="toolu_1", tool_input={}, tool_response=nested(1 << 20))
    with http1.Connection(bare.socket, timeout=90) as large:
        large.request("POST", NATIVE, body, {**session.headers, "Cdev-Request": secrets.token_hex(16)})
        # The relay hears at once that the daemon lives.
        status, headers = large.head()
        assert status == 102 and "cdev-deadline" not in headers
        assert http1.ask(bare.tcp, "GET", "/health").status == 200
        assert large.response().status == 200
