"""The harness itself, and the few facts about the client on which the other tests stand. No daemon takes part."""
import json
import shlex

import pytest

from harness.fake_model import say, touch, use

pytestmark = pytest.mark.real_cli


def hook(box, event, answer):
    """Settings with one hook that keeps its input and prints a fixed answer."""
    seen = box.root / f"{event}.jsonl"
    command = f"cat >> {shlex.quote(str(seen))}; printf %s {shlex.quote(json.dumps(answer))}"
    group = {"matcher": "*", "hooks": [{"type": "command", "command": command, "timeout": 30}]}
    box.settings.write_text(json.dumps({"hooks": {event: [group]}}))
    return seen


def decision(value, reason="because"):
    return {"hookSpecificOutput": {
        "hookEventName": "PreToolUse", "permissionDecision": value, "permissionDecisionReason": reason}}


def test_an_allow_runs_the_tool(box, model, claude):
    call = touch("x")
    seen = hook(box, "PreToolUse", decision("allow"))
    answers = model(use(call), say("done"))
    result = claude(answers).finish()
    assert result["result"] == "done"
    assert (box.project / "x").exists()
    assert not answers.result(call)[1]
    assert json.loads(seen.read_text())["tool_use_id"] == call.id


def test_a_deny_stops_the_tool_and_tells_the_model_why(box, model, claude):
    call = touch("x")
    hook(box, "PreToolUse", decision("deny", "not on my watch"))
    answers = model(use(call), say("done"))
    claude(answers).finish()
    text, is_error = answers.result(call)
    assert is_error and "not on my watch" in text
    assert not (box.project / "x").exists()


def test_without_hooks_an_unattended_client_refuses_by_itself(box, model, claude):
    call = touch("x")
    answers = model(use(call), say("done"))
    claude(answers).finish()
    assert answers.result(call)[1]
    assert not (box.project / "x").exists()


def test_several_turns_in_one_process(box, model, claude):
    answers = model(say("first"), say("second"))
    run = claude(answers, dialogue=True)
    assert run.turn_ends(1)["result"] == "first"
    run.prompt("and again")
    assert run.turn_ends(2)["result"] == "second"
    run.finish()


def test_the_terminal_asks_and_takes_an_answer(box, model, terminal):
    call = touch("x")
    answers = model(use(call), say("all finished"))
    screen = terminal(answers)
    screen.prompt()
    screen.answer("Enter")
    screen.shows("all finished")
    assert (box.project / "x").exists()


def test_the_terminal_is_told_no(box, model, terminal):
    call = touch("x")
    screen = terminal(model(use(call), say("all finished")))
    screen.prompt()
    screen.answer("Escape")
    assert not (box.project / "x").exists()
