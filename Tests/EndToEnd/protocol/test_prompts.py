"""PermissionRequest: tied to the call before it, and never settled by a rule."""
from harness.checks import includes, no_card, refused


def test_a_permission_request_alone_is_a_card_of_its_own(phone, session):
    held = session.bash("touch a", event="PermissionRequest")
    card = includes(phone.card(), terminal_prompt=True)
    assert card["tool_use_id"] == card["request_id"]
    phone.respond(card, "deny", message="no")
    assert held.answer() == {
        "hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": {"behavior": "deny", "message": "cdev: no"}}}


def test_an_allow_answers_the_permission_request_of_the_same_call(phone, session):
    held = session.bash("touch a")
    phone.respond(phone.card(tool_use_id=held.tool_use_id), "allow")
    assert held.decision() == "allow"
    assert session.bash("touch a", event="PermissionRequest").decision() == "allow"
    assert len(phone.heard("pty_permission")) == 1


def test_an_allow_answers_one_permission_request_only(phone, session):
    held = session.bash("touch a")
    phone.respond(phone.card(tool_use_id=held.tool_use_id), "allow")
    held.answer()
    assert session.bash("touch a", event="PermissionRequest").decision() == "allow"
    second = session.bash("touch a", event="PermissionRequest")
    phone.respond(phone.hear("pty_permission", count=2), "deny")
    assert second.decision() == "deny"


def test_a_rule_never_answers_a_permission_request(phone, session):
    phone.respond(phone.card(tool_use_id=session.bash("touch a").tool_use_id), "allow", scope="session")
    assert session.bash("touch b").decision() == "allow"
    held = session.bash("touch b", event="PermissionRequest")
    card = phone.card(terminal_prompt=True)
    assert not held.answered()
    phone.respond(card, "deny")
    assert held.decision() == "deny"


def test_a_deny_overtaken_by_the_terminal_is_corrected(phone, session):
    held = session.bash("touch a")
    phone.respond(phone.card(opening=1), "ask")
    assert held.decision() == "ask"
    prompt = session.bash("touch a", event="PermissionRequest")
    card = phone.card(opening=2)
    phone.respond(card, "deny")
    prompt.answer()
    includes(phone.resolved(card, opening=2), decision="deny", resolved_by="device phone")
    session.ran(held)
    includes(phone.resolved(card, corrects=True), resolved_by="terminal", decision="allow", opening=2)


def test_the_plan_and_the_question_pass_before_they_are_asked(phone, session):
    for tool, tool_input in (("AskUserQuestion", {"questions": []}), ("ExitPlanMode", {})):
        assert session.call(tool, tool_input).decision() == "pass"
    no_card(phone)


def test_a_plan_is_allowed_with_the_input_the_client_needs(phone, session):
    held = session.call("ExitPlanMode", {"plan": "# p"}, event="PermissionRequest")
    phone.respond(phone.card(tool_name="ExitPlanMode"), "allow")
    assert held.answer()["hookSpecificOutput"]["decision"] == {"behavior": "allow", "updatedInput": {}}


def test_a_question_is_answered_with_its_whole_input(phone, session):
    asked = {"questions": [{"question": "Which?", "header": "W", "options": [], "multiSelect": False}]}
    held = session.call("AskUserQuestion", asked, event="PermissionRequest")
    card = phone.card(tool_name="AskUserQuestion")
    for wrong in ({}, {"answers": []}, {"answers": "Blue"}, {"answers": {"Which?": 3}}):
        refused(phone, "permission/respond", {"request_id": card["request_id"], "decision": "allow", **wrong}, -32602)
    phone.respond(card, "allow", answers={"Which?": "this"})
    decision = held.answer()["hookSpecificOutput"]["decision"]
    assert decision == {"behavior": "allow", "updatedInput": {**asked, "answers": {"Which?": "this"}}}
