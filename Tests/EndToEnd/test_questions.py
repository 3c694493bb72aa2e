"""Claude's questions to the person, and its plans: asked at PermissionRequest, answered from elsewhere."""
import json
import re

import pytest

from harness.approver import RpcError
from harness.checks import delivered, includes
from harness.fake_model import Call, say, touch, use

pytestmark = pytest.mark.real_cli

QUESTIONS = {"questions": [{
    "question": "Which color?", "header": "Color", "multiSelect": False,
    "options": [{"label": "Red", "description": "r"}, {"label": "Blue", "description": "b"}]}]}
# Without a permission host the headless client does not offer these tools; the host here never answers.
HOST = ["--permission-prompt-tool", "stdio"]
FINISHED = "all finished"


def question():
    return Call("AskUserQuestion", json.loads(json.dumps(QUESTIONS)))


def plan(path_and_text):
    """The model's turns of planning: it writes the plan where the client told it to, then wants to begin."""
    def write(body):
        path = re.search(r'(/[^\s"\\`]+/plans/[^\s"\\`]+\.md)', json.dumps(body)).group(1)
        path_and_text.append(path)
        return use(Call("Write", {"file_path": path, "content": "# The plan\n- touch x\n"}))

    leave = Call("ExitPlanMode", {"plan": "# The plan"})
    return leave, [write, use(leave), say(FINISHED)]


def test_a_question_is_answered_from_elsewhere(box, daemon, phone, model, claude):
    call = question()
    answers = model(use(call), say("done"))
    run = claude(answers, dialogue=True, args=HOST)
    card = includes(phone.card(tool_name="AskUserQuestion"), tool_use_id=call.id, tool_input=QUESTIONS, patterns=[])
    assert "allow_session" not in [option["key"] for option in card["options"]]
    phone.respond(card, "allow", answers={"Which color?": "Blue"})
    run.turn_ends(1)
    assert '"Which color?"="Blue"' in answers.result(call)[0]
    includes(phone.resolved(card), decision="allow", scope="once", resolved_by="device phone")
    delivered(run)


def test_a_question_cannot_be_allowed_without_answers(box, daemon, phone, model, claude):
    call = question()
    run = claude(model(use(call), say("done")), dialogue=True, args=HOST)
    card = phone.card(tool_name="AskUserQuestion")
    with pytest.raises(RpcError) as refused:
        phone.respond(card, "allow")
    assert refused.value.code == -32602 and "answers" in refused.value.message
    assert [c["request_id"] for c in phone.pending()] == [card["request_id"]]
    phone.respond(card, "deny", message="decide yourself")
    run.turn_ends(1)
    delivered(run)


def test_a_question_in_the_terminal_is_answered_from_elsewhere(box, daemon, phone, model, terminal):
    call = question()
    answers = model(use(call), say(FINISHED))
    screen = terminal(answers)
    screen.prompt()
    card = includes(phone.card(tool_name="AskUserQuestion"), terminal_prompt=True)
    screen.shows("Which color")
    phone.respond(card, "allow", answers={"Which color?": "a dark green"})
    screen.shows(FINISHED)
    assert "a dark green" in answers.result(call)[0]


def test_a_question_answered_in_the_terminal_leaves_the_phone(box, daemon, phone, model, terminal):
    call = question()
    answers = model(use(call), say(FINISHED))
    screen = terminal(answers)
    screen.prompt()
    card = phone.card(tool_name="AskUserQuestion")
    screen.answer("Enter", "Which color[?]\\s+❯ 1. Red")
    screen.shows(FINISHED)
    assert "Red" in answers.result(call)[0]
    includes(phone.resolved(card), decision="allow", resolved_by="terminal")


def test_a_plan_is_approved_from_elsewhere(box, daemon, phone, model, terminal):
    written = []
    call, turns = plan(written)
    answers = model(*turns)
    screen = terminal(answers, mode="plan")
    screen.prompt()
    card = includes(phone.card(tool_name="ExitPlanMode"), tool_use_id=call.id, permission_mode="plan")
    assert "# The plan" in card["tool_input"]["plan"]
    phone.respond(card, "allow")
    screen.shows(FINISHED)
    text, is_error = answers.result(call)
    assert not is_error and "approved" in text
    includes(phone.resolved(card), decision="allow", resolved_by="device phone")


def test_a_plan_is_sent_back_from_elsewhere(box, daemon, phone, model, terminal):
    call, turns = plan([])
    answers = model(*turns)
    screen = terminal(answers, mode="plan")
    screen.prompt()
    phone.respond(phone.card(tool_name="ExitPlanMode"), "deny", message="add a step that tests it")
    screen.shows(FINISHED)
    assert "add a step that tests it" in answers.result(call)[0]


def test_a_plan_without_a_terminal(box, daemon, phone, model, claude):
    leave, write = Call("ExitPlanMode", {"plan": "# The plan"}), touch("x")
    answers = model(use(leave), use(write), say("done"))
    run = claude(answers, mode="plan", dialogue=True, args=HOST)
    phone.respond(phone.card(tool_use_id=leave.id), "allow")
    phone.respond(phone.card(tool_use_id=write.id), "allow")
    run.turn_ends(1)
    assert (box.project / "x").exists()
    delivered(run)
