"""How a request ends when nobody answers it."""
import uuid

import pytest

from harness.approver import RpcError
from harness.checks import includes


def batch_of(held):
    return {"tool_calls": [{"tool_name": "Bash", "tool_input": held.payload["tool_input"],
                            "tool_use_id": held.tool_use_id, "tool_response": "x"}]}


STOP = {"stop_hook_active": False, "last_assistant_message": "", "background_tasks": [], "session_crons": []}
ENDINGS = {
    "it ran": (lambda s, held: s.ran(held), "allow", "terminal"),
    "it failed": (lambda s, held: s.ran(held, event="PostToolUseFailure"), "allow", "terminal"),
    "its batch ended": (lambda s, held: s.tell("PostToolBatch", **batch_of(held)), "pass", "terminal"),
    "the turn ended": (lambda s, held: s.tell("Stop", **STOP), "pass", "terminal"),
    "a new prompt": (lambda s, held: s.tell("UserPromptSubmit", prompt="x", prompt_id="another"), "pass", "terminal"),
    "the session ended": (lambda s, held: s.tell("SessionEnd", reason="other"), "pass", "terminal"),
    "it hung up": (lambda s, held: held.hang_up(), "pass", "hook gone"),
}


@pytest.mark.parametrize("ending", ENDINGS)
def test_how_a_request_ends_without_an_answer(phone, session, ending):
    end, decision, resolved_by = ENDINGS[ending]
    held = session.bash("touch a")
    card = phone.card(tool_use_id=held.tool_use_id)
    end(session, held)
    includes(phone.resolved(card), decision=decision, input=decision, scope=None, resolved_by=resolved_by, opening=1)
    if resolved_by == "terminal":
        assert held.decision() == "pass"
    assert phone.pending() == []


@pytest.mark.parametrize("event", ["Stop", "UserPromptSubmit"])
def test_the_main_agents_end_is_not_its_subagents(phone, session, event):
    mine = session.bash("touch a", agent_id="a1", agent_type="general-purpose")
    card = includes(phone.card(tool_use_id=mine.tool_use_id), agent_id="a1", agent_type="general-purpose")
    session.tell(event, prompt="x", prompt_id=str(uuid.uuid4()) if event == "UserPromptSubmit" else session.prompt_id,
                 **STOP)
    phone.settle()
    assert phone.heard("pty_permission_resolved") == []
    session.tell("SubagentStop", agent_id="another", agent_type="general-purpose", **STOP)
    phone.settle()
    assert phone.heard("pty_permission_resolved") == []
    session.tell("SubagentStop", agent_id="a1", agent_type="general-purpose", **STOP)
    includes(phone.resolved(card), resolved_by="terminal")


@pytest.mark.parametrize("prompt", ["<task-notification>\n<task-id>1</task-id>\n</task-notification>"])
def test_a_synthetic_prompt_ends_nothing(phone, session, prompt):
    held = session.bash("touch a")
    card = phone.card(tool_use_id=held.tool_use_id)
    session.tell("UserPromptSubmit", prompt=prompt, prompt_id=str(uuid.uuid4()))
    phone.settle()
    assert phone.heard("pty_permission_resolved") == []
    phone.respond(card, "deny")


def test_another_turn_stopping_ends_nothing(phone, session):
    held = session.bash("touch a")
    card = phone.card(tool_use_id=held.tool_use_id)
    session.tell("Stop", prompt_id=str(uuid.uuid4()), **STOP)
    phone.settle()
    assert phone.heard("pty_permission_resolved") == []
    phone.respond(card, "deny")


def test_a_timeout_reopens_at_the_prompt(cdev):
    cdev.start(permission_timeout_seconds=1)
    phone, session = cdev.approver(), cdev.session()
    held = session.bash("touch a")
    card = phone.card(tool_use_id=held.tool_use_id)
    assert held.decision() == "ask"
    includes(phone.resolved(card), decision="ask", resolved_by="timeout")
    with pytest.raises(RpcError) as late:
        phone.respond(card, "allow")
    includes(late.value.data, resolved_by="timeout")
    prompt = session.bash("touch a", event="PermissionRequest")
    again = includes(phone.card(opening=2), request_id=card["request_id"], tool_use_id=held.tool_use_id,
                     terminal_prompt=True)
    phone.respond(again, "allow")
    assert prompt.answer() == {
        "hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": {"behavior": "allow"}}}


@pytest.mark.parametrize(("setting", "told"), [("ask", "ask"), ("deny", "deny"), ("pass", "pass")])
def test_what_a_timeout_says_is_a_setting(cdev, setting, told):
    cdev.start(permission_timeout_seconds=1, on_timeout=setting)
    phone = cdev.approver()
    held = cdev.session().bash("touch a")
    assert held.decision() == told
    includes(phone.resolved(phone.card()), resolved_by="timeout", decision=told)
