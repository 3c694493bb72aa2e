"""Answering: what the hook is told, what is remembered, who was first, and what is no answer."""
import json
import uuid

import pytest

from harness.approver import RpcError
from harness.checks import WHOLE_SECONDS, includes, refused


def test_an_allow_and_a_deny_are_what_the_hook_is_told(phone, session):
    first, second = session.bash("touch a"), session.bash("touch b")
    includes(phone.respond(phone.card(tool_use_id=first.tool_use_id), "allow"), success=True, decision="allow",
             scope="once")
    includes(phone.respond(phone.card(tool_use_id=second.tool_use_id), "deny", message="no"), success=True,
             decision="deny", scope="once")
    assert first.answer()["hookSpecificOutput"]["permissionDecision"] == "allow"
    told = second.answer()["hookSpecificOutput"]
    includes(told, hookEventName="PreToolUse", permissionDecision="deny")
    assert "no" in told["permissionDecisionReason"]


def test_ask_hands_the_request_to_the_terminal(phone, session):
    held = session.bash("touch a")
    card = phone.card(tool_use_id=held.tool_use_id)
    phone.respond(card, "ask")
    assert held.decision() == "ask"
    includes(phone.resolved(card), decision="ask", resolved_by="device phone")


def test_ask_is_no_opinion_where_nobody_sits_at_the_terminal(bare, phone):
    session = bare.session(attended=False)
    held = session.bash("touch a")
    phone.respond(phone.card(tool_use_id=held.tool_use_id), "ask")
    assert held.decision() == "pass"


@pytest.mark.parametrize(("headers", "attended"), [
    ({"Cdev-Attended": "1", "Cdev-Entrypoint": "sdk-py"}, True),
    ({"Cdev-Attended": None, "Cdev-Entrypoint": "cli"}, True),
    ({"Cdev-Attended": None, "Cdev-Entrypoint": "sdk-cli"}, False),
    ({"Cdev-Attended": None, "Cdev-Entrypoint": None}, False),
    ({"Cdev-Attended": "0", "Cdev-Entrypoint": "cli"}, False),
])
def test_who_counts_as_attended(bare, phone, headers, attended):
    held = bare.session(headers=headers).bash("touch a")
    phone.respond(phone.card(tool_use_id=held.tool_use_id), "ask")
    assert held.decision() == ("ask" if attended else "pass")


def test_by_tool_use_id_as_the_hooks_guide_does(phone, session):
    held = session.bash("touch a")
    phone.card(tool_use_id=held.tool_use_id)
    params = {"tool_use_id": held.tool_use_id, "decision": "allow", "scope": "once"}
    includes(phone.call("permission/respond", params), success=True, decision="allow", scope="once")
    assert held.decision() == "allow"


def test_a_tool_use_id_that_names_two_requests_is_not_enough(bare, phone, session):
    other = bare.session()
    first = session.bash("touch a", tool_use_id="toolu_shared")
    second = other.bash("touch a", tool_use_id="toolu_shared")
    phone.hear("pty_permission", count=2, tool_use_id="toolu_shared")
    error = refused(phone, "permission/respond", {"tool_use_id": "toolu_shared", "decision": "allow"}, -32602)
    assert "send request_id" in error.message
    for card in phone.heard("pty_permission"):
        phone.respond(card, "deny")
    assert (first.decision(), second.decision()) == ("deny", "deny")


def test_an_answer_for_the_session_makes_a_rule_and_settles_what_waits(phone, session):
    first, second, other = session.bash("touch a"), session.bash("touch b"), session.bash("mkdir d")
    cards = {held: phone.card(tool_use_id=held.tool_use_id) for held in (first, second, other)}
    includes(phone.respond(cards[first], "allow", scope="session"), scope="session")
    assert second.decision() == "allow"
    includes(phone.resolved(cards[first]), scope="session", resolved_by="device phone")
    assert phone.resolved(cards[second])["resolved_by"].startswith("rule ")
    assert not other.answered()
    told = session.bash("touch c").answer()["hookSpecificOutput"]
    assert told["permissionDecision"] == "allow" and "Bash(touch:*)" in told["permissionDecisionReason"]
    phone.respond(cards[other], "deny")


def test_a_deny_for_the_session_beats_an_allow(phone, session):
    phone.respond(phone.card(tool_use_id=session.bash("touch a").tool_use_id), "allow", scope="session")
    held = session.bash("mkdir a && touch a/b")
    phone.respond(phone.card(tool_use_id=held.tool_use_id), "deny")
    denied = session.bash("mkdir b")
    phone.respond(phone.card(tool_use_id=denied.tool_use_id), "deny", scope="session")
    assert session.bash("touch c").decision() == "allow"
    assert session.bash("touch c && mkdir d").decision() == "deny"
    for mode in ("bypassPermissions", "auto", "plan", "dontAsk", "acceptEdits"):
        assert session.bash("mkdir e", permission_mode=mode).decision() == "deny", mode


def test_no_rule_is_offered_or_made_where_none_is_safe(phone, session):
    held = session.bash("touch $(date +%s)")
    card = phone.card(tool_use_id=held.tool_use_id)
    assert card["patterns"] == []
    assert [option["key"] for option in card["options"]] == ["allow_once", "deny"]
    includes(phone.respond(card, "allow", scope="session"), success=True, scope="once")
    assert phone.call("permission/rules")["rules"] == []


def test_a_changed_input_is_whole_and_once(phone, session):
    held = session.bash("touch a")
    card = phone.card(tool_use_id=held.tool_use_id)
    refused(phone, "permission/respond", {"request_id": card["request_id"], "decision": "allow", "updated_input": "x"},
            -32602)
    changed = {"command": "touch b", "description": "other"}
    includes(phone.respond(card, "allow", updated_input=changed, scope="session"), scope="once")
    assert held.answer()["hookSpecificOutput"]["updatedInput"] == changed


def test_several_answers_in_one_call(phone, session):
    held = [session.bash(f"touch {name}") for name in "abc"]
    cards = [phone.card(tool_use_id=one.tool_use_id) for one in held]
    responses = [{"request_id": card["request_id"], "decision": "allow"} for card in cards[:2]]
    responses.append({"request_id": "no such request", "decision": "allow"})
    result = phone.call("permission/respond", {"responses": responses})
    assert [one.decision() for one in held[:2]] == ["allow", "allow"]
    assert [one["success"] for one in result["results"]] == [True, True, False]
    with pytest.raises(RpcError):
        phone.call("permission/respond", {
            "responses": [{"request_id": cards[2]["request_id"], "decision": "allow", "scope": "session"}]})
    assert not held[2].answered()
    phone.respond(cards[2], "deny")


def test_the_first_answer_wins(bare, phone, session):
    tablet = bare.approver("tablet")
    held = session.bash("touch a")
    card = phone.card(tool_use_id=held.tool_use_id)
    phone.respond(card, "deny")
    with pytest.raises(RpcError) as late:
        tablet.respond(card, "allow", scope="session")
    assert late.value.code == -32603
    includes(late.value.data, decision="deny", resolved_by="device phone")
    assert WHOLE_SECONDS.fullmatch(late.value.data["at"])
    includes(phone.respond(card, "deny"), success=True, decision="deny")
    with pytest.raises(RpcError):
        phone.respond(card, "allow")
    assert held.decision() == "deny"
    assert phone.call("permission/rules")["rules"] == []
    assert len(phone.heard("pty_permission_resolved", request_id=card["request_id"])) == 1


@pytest.mark.parametrize("params", [
    {},
    {"request_id": "CARD"},
    {"request_id": "CARD", "decision": "yes"},
    {"request_id": "CARD", "decision": 1},
    {"request_id": 7, "decision": "allow"},
    {"decision": "allow"},
    {"request_id": "CARD", "decision": "deny", "message": {"not": "text"}},
    {"request_id": "CARD", "decision": "allow", "updated_input": ["a", "list"]},
    {"responses": []},
    {"responses": "x"},
    {"responses": [{"request_id": "CARD", "decision": "deny"}] * 1001},
    ["CARD", "allow"],
])
def test_a_malformed_answer_answers_nothing(phone, session, params):
    held = session.bash("touch a")
    card = phone.card(tool_use_id=held.tool_use_id)
    filled = json.loads(json.dumps(params).replace("CARD", card["request_id"]))
    refused(phone, "permission/respond", filled, -32602)
    assert not held.answered()
    phone.respond(card, "deny")
    assert held.decision() == "deny"


def test_an_unknown_request_is_said_to_be_unknown(phone):
    with pytest.raises(RpcError) as error:
        phone.call("permission/respond", {"request_id": str(uuid.uuid4()), "decision": "allow"})
    assert error.value.code == -32603
