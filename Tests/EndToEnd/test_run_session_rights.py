"""Whose answer counts for which call, in which directory and mode, and what ends with a workspace."""
import json
import os
import signal

import pytest

from harness.approver import RpcError
from harness.checks import includes
from harness.fake_model import bash, say, touch, use
from harness.runs import Runs, children, only_child
from harness.waiting import until

pytestmark = pytest.mark.real_cli


@pytest.fixture
def runs(box, cdev):
    return Runs(box, cdev)


def test_a_card_names_the_directory_that_the_call_runs_in(box, cdev, runs, model):
    """Claude runs `cd` unasked, in the middle of a turn; the daemon is killed while the call waits."""
    below = box.project / "sub"
    below.mkdir()
    moved, call = bash("cd sub"), touch("y")
    runs.begin(model(use(moved), use(call), say("done")))
    runs.start(prompt="go")
    assert runs.driver.card(20, tool_use_id=call.id)["cwd"] == str(below)
    cdev.kill()
    cdev.start()
    phone = cdev.approver("phone")
    (card,) = until(phone.pending, lambda: "the card to be there again", 20)
    assert (card["tool_use_id"], card["cwd"]) == (call.id, str(below))
    phone.respond(card, "allow")
    runs.becomes("idle")
    assert (below / "y").exists() and not (box.project / "y").exists()
    runs.stop()


@pytest.mark.parametrize("lives", [True, False])
def test_a_mode_that_is_not_allowed_any_more_is_left(box, cdev, runs, model, lives):
    first, call = touch("x"), touch("y")
    runs.begin(model(use(first), say("one"), use(call), say("two")), allow_bypass=True)
    session = runs.start(prompt="go", permission_mode="bypassPermissions")
    runs.becomes("idle")
    assert (box.project / "x").exists()
    cdev.stop()
    if not lives:
        for child in children(box):
            os.kill(child, signal.SIGKILL)
        until(lambda: not children(box), lambda: "the child to end")
    cdev.start(allow_bypass=False)
    until(lambda: runs.state()["permission_mode"] == "default", lambda: f"{runs.state()}", 20) if lives else None
    phone = cdev.approver("phone")
    runs.call("session/send", session_id=session, prompt="go on")
    card = phone.card(20, tool_use_id=call.id)
    assert runs.state()["permission_mode"] == "default"
    phone.respond(card, "deny")
    runs.becomes("idle")
    assert not (box.project / "y").exists()
    runs.stop()


def test_a_parked_session_goes_on_in_the_mode_that_is_asked_for(box, cdev, runs, model):
    runs.begin(model(say("one"), say("two")))
    runs.start(prompt="go", permission_mode="acceptEdits")
    conversation = runs.becomes("idle")["claude_session_id"]
    child = only_child(box)
    os.kill(child, signal.SIGKILL)
    runs.becomes("parked")
    other = runs.call("workspace/add", path=str(box.root / "other"), create_if_missing=True)["id"]
    with pytest.raises(RpcError, match="is run already"):
        runs.driver.call("session/start", {"workspace_id": other, "resume_session_id": conversation})
    runs.start(resume_session_id=conversation, permission_mode="plan", prompt="on")
    until(lambda: len(runs.driver.heard("claude_usage")) == 2, lambda: f"{runs.state()}", 20)
    assert runs.state()["permission_mode"] == "plan"
    runs.stop()


def test_a_rule_allows_only_the_input_that_was_shown(box, cdev, runs, model):
    """A command of the agent can write where the agent prints, so another line may have named the input of a call: the
    answer names it again."""
    first, second = bash("mkdir a"), bash("mkdir b")
    runs.begin(model(use(first), use(second), say("done")))
    runs.start(prompt="go")
    runs.driver.respond(runs.driver.card(20, tool_use_id=first.id), "allow", scope="session")
    runs.becomes("idle")
    assert (box.project / "b").is_dir()
    (out,) = box.cdev_home.glob("sessions/*/out.*")
    answers = [line["response"]["response"].get("hookSpecificOutput", {}) for line in map(json.loads, out.open())
               if line["type"] == "control_response" and "response" in line["response"]]
    allowed = [answer["updatedInput"]["command"] for answer in answers if answer.get("permissionDecision") == "allow"]
    assert allowed == ["mkdir b"]
    runs.stop()


def test_a_line_that_became_another_question_is_answered_by_no_rule(box, cdev, runs, model):
    """Its bytes are overwritten while the daemon is away, by a call that a rule covers."""
    first, second = bash("mkdir a"), bash("touch b #" + "x" * 900)
    runs.begin(model(use(first), use(second), say("done")))
    runs.start(prompt="go")
    runs.driver.respond(runs.driver.card(20, tool_use_id=first.id), "allow", scope="session")
    session = runs.driver.card(20, tool_use_id=second.id)["session_id"]
    (out,) = box.cdev_home.glob("sessions/*/out.*")
    whole = out.read_bytes()
    (line,) = [line for line in whole.split(b"\n") if b'"can_use_tool"' in line and b"touch b" in line]
    asked = {"hook_event_name": "PreToolUse", "cwd": str(box.project), "permission_mode": "default",
             "session_id": session, "tool_name": "Bash", "tool_input": {"command": "mkdir a"}, "tool_use_id": "toolu_9"}
    other = {"type": "control_request", "request_id": json.loads(line)["request_id"],
             "request": {"subtype": "hook_callback", "callback_id": "cdev", "input": asked}}
    cdev.kill()
    with out.open("r+b") as file:
        file.seek(whole.index(line))
        file.write(json.dumps(other).encode().ljust(len(line)))
    cdev.start()
    runs.becomes("idle")
    assert not (box.project / "b").exists()
    runs.stop()


def test_a_late_yes_allows_nothing_else(box, runs, model):
    first, second = touch("a"), touch("b")
    runs.begin(model(use(first), use(second), say("done")))
    session = runs.start(prompt="go")
    yes = {"session_id": session, "response": "yes"}
    runs.driver.card(20, tool_use_id=first.id)
    assert runs.driver.call("session/respond", yes)["decision"] == "allow"
    runs.driver.card(20, tool_use_id=second.id)
    with pytest.raises(RpcError, match="tool_use_id") as error:
        runs.driver.call("session/respond", yes)
    assert error.value.data == {"tool_use_ids": [second.id]}
    assert not (box.project / "b").exists()
    assert runs.driver.call("session/respond", {**yes, "tool_use_id": second.id})["decision"] == "allow"
    runs.becomes("idle")
    assert (box.project / "b").exists()
    runs.stop()


def test_a_workspace_is_not_removed_under_a_session(box, runs, model):
    runs.begin(model(say("one")))
    session = runs.start(prompt="go")
    runs.becomes("idle")
    with pytest.raises(RpcError, match="session/stop") as error:
        runs.driver.call("workspace/remove", {"workspace_id": runs.workspace})
    assert error.value.data == {"sessions": [session]}
    child = only_child(box)
    os.kill(child, signal.SIGKILL)
    runs.becomes("parked")
    includes(runs.driver.call("workspace/remove", {"workspace_id": runs.workspace}), success=True)
    assert runs.call("session/active")["sessions"] == []
    for method, params in (("session/send", {"prompt": "x"}), ("session/watch", {})):
        with pytest.raises(RpcError):
            runs.driver.call(method, {"session_id": session, **params})
    assert not children(box)


def test_a_conversation_goes_on_at_once_behind_a_killed_child_that_had_asked(box, runs, model):
    call = touch("x")
    runs.begin(model(use(call), say("one"), say("two")))
    runs.start(prompt="go")
    runs.driver.respond(runs.driver.card(20, tool_use_id=call.id), "allow")
    runs.becomes("idle")
    child = only_child(box)
    os.kill(child, signal.SIGKILL)
    runs.becomes("parked")
    assert runs.send("on")["status"] == "sent"
    runs.stop()
