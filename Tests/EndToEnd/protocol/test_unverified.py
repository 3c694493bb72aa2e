"""Hooks over TCP, where nothing is known of the sender."""
import json

import pytest

from harness import http1
from harness.checks import error_of, includes, no_card
from harness.hooks import Session


@pytest.fixture
def page(bare, box):
    """A made-up session at the TCP door, where nothing is known of the sender."""
    return Session(bare.tcp, box.project)


@pytest.mark.parametrize("header", [
    {"Origin": "http://127.0.0.1"}, {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Mode": "no-cors"},
    {"X-Forwarded-For": "10.0.0.1"}, {"Forwarded": "for=10.0.0.1"},
])
def test_a_browser_or_a_proxy_sends_no_hooks(bare, phone, page, header):
    body = page.payload("PreToolUse", tool_name="Bash", tool_input={"command": "touch a"}, tool_use_id="toolu_1")
    for target in ("/hooks/claude", "/api/hooks/permission-request", "/api/hooks/session"):
        response = http1.ask(bare.tcp, "POST", target, body, header)
        assert response.status in (401, 403), response
    no_card(phone)


def test_an_unverified_card_makes_no_rule_and_none_settles_it(bare, phone, page):
    verified = bare.session(session_id=page.id)
    verified.start()
    first = page.bash("touch a", request=False)
    card = includes(phone.card(tool_use_id=first.tool_use_id), unverified=True)
    assert "allow_session" not in [option["key"] for option in card["options"]]
    includes(phone.respond(card, "allow", scope="session"), scope="once")
    assert first.decision() == "allow"
    assert phone.call("permission/rules")["rules"] == []
    local = verified.bash("touch b")
    own = phone.card(tool_use_id=local.tool_use_id)
    assert not own.get("unverified")
    phone.respond(own, "allow", scope="session")
    assert verified.bash("touch c").decision() == "allow"
    second = page.bash("touch c", request=False)
    phone.respond(phone.card(tool_use_id=second.tool_use_id), "deny")
    assert second.decision() == "deny"


def test_a_deny_rule_holds_at_every_door(bare, phone, page):
    verified = bare.session(session_id=page.id)
    held = verified.bash("touch a")
    phone.respond(phone.card(tool_use_id=held.tool_use_id), "deny", scope="session")
    assert page.bash("touch b", request=False).decision() == "deny"


def test_an_unverified_event_ends_only_what_is_unverified(bare, phone, page):
    verified = bare.session(session_id=page.id)
    verified.start()
    rule = verified.bash("mkdir a")
    phone.respond(phone.card(tool_use_id=rule.tool_use_id), "allow", scope="session")
    mine, theirs = verified.bash("touch a"), page.bash("touch b", request=False)
    cards = [phone.card(tool_use_id=held.tool_use_id) for held in (mine, theirs)]
    page.prompt_id = verified.prompt_id
    page.tell("SessionEnd", reason="other")
    assert theirs.decision() == "pass"
    phone.resolved(cards[1])
    phone.settle()
    assert phone.heard("pty_permission_resolved", request_id=cards[0]["request_id"]) == []
    assert len(phone.call("permission/rules")["rules"]) == 1
    phone.respond(cards[0], "deny")


def test_an_unverified_hook_has_at_most_256_kib(bare, phone, page):
    long = page.bash("touch " + "a" * (250 << 10), request=False)
    phone.respond(phone.card(tool_use_id=long.tool_use_id), "deny")
    assert long.decision() == "deny"
    stop = page.payload("Stop", last_assistant_message="")
    stop["last_assistant_message"] = "z" * ((256 << 10) - len(json.dumps(stop)))
    assert http1.ask(bare.tcp, "POST", "/hooks/claude", stop).status == 200
    stop["last_assistant_message"] += "z"
    for target in ("/hooks/claude", "/api/hooks/permission-request", "/api/hooks/session"):
        response = error_of(http1.ask(bare.tcp, "POST", target, stop), 413)
        assert "262144 bytes" in response.json["error"] and "token" in response.json["error"]
    # The relay's door takes as much as ever.
    assert http1.ask(bare.socket, "POST", "/hooks/claude", stop).status == 200


def test_unverified_cards_are_sixty_a_minute(bare, phone, page):
    held = [page.bash(f"touch f{number}", request=False, session_id=f"s{number}") for number in range(60)]
    phone.hear("pty_permission", count=60)
    body = page.payload("PreToolUse", tool_name="Bash", tool_input={"command": "touch z"}, tool_use_id="toolu_z")
    error_of(http1.ask(bare.tcp, "POST", "/hooks/claude", body), 429)
    for one in held:
        one.hang_up()
    # The door of the relay is another one.
    mine = bare.session().bash("touch mine")
    phone.respond(phone.card(tool_use_id=mine.tool_use_id), "deny")
    assert mine.decision() == "deny"
