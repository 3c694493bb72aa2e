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


def test_a_large_request_stands_after_a_restart_once_its_relay_is_back(cdev):
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


@pytest.fixture
def listed(bare, phone, session):
    """Three open requests that take long to be listed, as their cards."""
    calls = [session.call("mcp__a__b", nested(250_000)) for _ in range(3)]
    cards = [phone.card(timeout=60, tool_use_id=call.tool_use_id) for call in calls]
    yield cards
    for card, call in zip(cards, calls):
        phone.respond(card, "deny")
        assert call.decision(60) == "deny"


@pytest.mark.parametrize("method", ["permission/pending", "permission/preview", "permission/history"])
def test_health_is_answered_while_large_cards_are_listed(bare, listed, method):
    params = {"request_id": listed[0]["request_id"]} if method == "permission/preview" else {}

    def is_answered_meanwhile():
        with http1.Connection(bare.socket, timeout=90) as large:
            large.request("POST", "/rpc", {"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
            # Twice: the second is asked when the large answer is on its way for certain.
            for _ in range(2):
                assert http1.ask(bare.tcp, "GET", "/health").status == 200
            is_meanwhile = not large.has_something()
            assert large.response().status == 200
            return is_meanwhile

    # A loop that made the large answer itself would never be first with the small one. On a busy machine this test may be
    # the slow one.
    assert any(is_answered_meanwhile() for _ in range(10))


def test_an_answer_behind_a_long_list_does_not_wait_for_it(phone, session, listed):
    small = session.bash("touch a")
    card = phone.card(tool_use_id=small.tool_use_id)
    phone.send({"jsonrpc": "2.0", "id": "list", "method": "permission/pending", "params": {}})
    phone.respond(card, "deny")
    assert small.decision() == "deny" and "list" not in str(phone.replies)
    found = {one["request_id"] for one in phone.reply("list", 60)["result"]["requests"]}
    assert found >= {one["request_id"] for one in listed}


def test_memory_that_large_inputs_took_is_given_back(bare, phone, session):
    before = resident(bare.process.pid)
    for _ in range(4):
        call = session.call("mcp__a__b", nested(4 << 20))
        phone.respond(phone.card(timeout=90, tool_use_id=call.tool_use_id), "deny")
        assert call.decision(90) == "deny"
    # The texts of calls that are over stay for a while, for their repeats: 16 MiB of them here.
    until(lambda: resident(bare.process.pid) - before < 40 << 20,
          lambda: f"{(resident(bare.process.pid) - before) >> 20} MiB to be given back", 10)
