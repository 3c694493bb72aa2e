"""Calls made by a subagent, which works on in the background after the main agent's turn has ended."""
import pytest

from harness.checks import delivered, includes
from harness.fake_model import Call, Conversation, say, touch, use

pytestmark = pytest.mark.real_cli

TASK = "SUBTASK: make the file"


def agents(model, *calls):
    """A main conversation that hands everything to one subagent, which makes these calls."""
    start = Call("Agent", {"description": "sub", "prompt": TASK, "subagent_type": "general-purpose"})
    sub = Conversation([*map(use, calls), say("sub done")], match="SUBTASK")
    return model(use(start), say("done"), say("done"), conversations=[sub])


def test_a_subagents_call_is_held_and_allowed(box, daemon, phone, model, claude):
    call = touch("x")
    run = claude(agents(model, call))
    card = phone.card(tool_use_id=call.id)
    assert card["agent_id"] and card["agent_type"] == "general-purpose"
    # The main agent has said its last word by now, or soon will: that is no answer to what the subagent asked.
    phone.hear("claude_hook_stop", session_id=card["session_id"])
    assert phone.heard("pty_permission_resolved", request_id=card["request_id"]) == []
    phone.respond(card, "allow")
    includes(phone.resolved(card), decision="allow", resolved_by="device phone")
    delivered(run)
    assert (box.project / "x").exists()


def test_a_subagents_call_is_denied(box, daemon, phone, model, claude):
    call = touch("x")
    answers = agents(model, call)
    run = claude(answers)
    phone.respond(phone.card(tool_use_id=call.id), "deny", message="leave it")
    delivered(run)
    assert "leave it" in answers.result(call)[0]
    assert not (box.project / "x").exists()


def test_a_rule_of_the_session_holds_for_its_subagents(box, daemon, phone, model, claude):
    first, second = touch("a"), touch("b")
    run = claude(agents(model, first, second))
    phone.respond(phone.card(tool_use_id=first.id), "allow", scope="session")
    delivered(run)
    assert (box.project / "b").exists()
    assert len(phone.heard("pty_permission")) == 1


def test_a_subagent_waits_for_a_permission_of_its_own(box, cdev, model, claude):
    """With the gate at prompt the subagent's request comes as a PermissionRequest, and carries its agent."""
    cdev.ok("install", "--gate", "prompt")
    cdev.start()
    phone = cdev.approver()
    call = touch("x")
    run = claude(agents(model, call))
    card = phone.card(tool_use_id=call.id)
    assert card["agent_id"]
    phone.respond(card, "allow")
    delivered(run)
    assert (box.project / "x").exists()


def test_in_the_terminal_too(box, daemon, phone, model, terminal):
    call = touch("x")
    screen = terminal(agents(model, call))
    screen.prompt()
    card = phone.card(tool_use_id=call.id)
    assert card["agent_id"]
    phone.respond(card, "allow")
    phone.resolved(card, decision="allow")
    phone.hear("claude_hook_tool_end", tool_use_id=call.id)
    assert (box.project / "x").exists()
