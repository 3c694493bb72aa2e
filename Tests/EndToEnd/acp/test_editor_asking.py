"""Questions: what an editor is shown of them, what its answers do, and what answers given elsewhere do to its dialog."""
import pytest

from harness.checks import includes
from harness.editor import options
from harness.fake_model import Call, Conversation, bash, say, touch, use
from harness.waiting import file_appears

pytestmark = pytest.mark.real_cli


def test_a_call_is_allowed_once(box, cdev, begin):
    first, second = touch("a"), touch("b")
    editor = begin(use(first), use(second), say("done"))
    phone = cdev.approver("phone")
    talk = editor.new(box.project)
    number = talk.begin("go")
    asked = editor.question()
    includes(asked["params"], sessionId=talk.id)
    assert asked["params"]["toolCall"]["toolCallId"] == first.id
    includes(talk.tool(first), title="touch a", status="pending")
    assert {"allow_once", "reject_once"} <= set(options(asked)) and not (box.project / "a").exists()
    card = phone.card(tool_use_id=first.id)
    editor.answer(asked, "allow_once")
    includes(phone.resolved(card), decision="allow")
    again = editor.question(2)
    statuses = [update.get("status") for update in talk.updates("tool_call_update") if update["toolCallId"] == first.id]
    assert statuses == ["in_progress", "pending", "in_progress", "completed"], "whole, asked about, allowed, ended"
    assert again["params"]["toolCall"]["toolCallId"] == second.id and (box.project / "a").exists()
    editor.answer(again, "allow_once")
    assert talk.ends(number) == "end_turn" and (box.project / "b").exists()
    for call in (first, second):
        includes(talk.tool(call), status="completed")
    assert not editor.of("$/cancel_request"), "it answered itself"


@pytest.mark.parametrize("command, words", [
    ("touch a", ["`touch …`"]), ("sh -c 'touch a'", ["exactly `sh -c 'touch a'`"]), ("touch a && mkdir d", ["`touch …`", "`mkdir …`"]),
    ('touch "$(echo a)"', None)])
def test_always_is_offered_where_a_pattern_is(box, cdev, begin, command, words):
    call = bash(command)
    editor = begin(use(call), say("done"))
    phone = cdev.approver("phone")
    talk = editor.new(box.project)
    number = talk.begin("go")
    offered = options(editor.question())
    assert ("allow_always" in offered) == bool(phone.card(tool_use_id=call.id)["patterns"]) == (words is not None)
    for word in words or []:
        assert word in offered["allow_always"]["name"], offered
    editor.answer(editor.question(), "reject_once")
    assert talk.ends(number) == "end_turn"


def test_a_call_is_allowed_always(box, cdev, begin, runs):
    first, second = touch("a"), touch("b")
    editor = begin(use(first), use(second), say("done"))
    talk = editor.new(box.project)
    number = talk.begin("go")
    editor.answer(editor.question(), "allow_always")
    assert talk.ends(number) == "end_turn"
    assert (box.project / "a").exists() and (box.project / "b").exists()
    assert len(editor.of("session/request_permission")) == 1
    (rule,) = cdev.local.call("permission/rules")["rules"]
    assert rule["pattern"] == "Bash(touch:*)" and rule["session_id"] == talk.id


def test_a_call_is_denied(box, begin):
    call = touch("a")
    editor = begin(use(call), say("what else?"))
    talk = editor.new(box.project)
    number = talk.begin("go")
    editor.answer(editor.question(), "reject_once")
    assert talk.ends(number) == "end_turn"
    includes(talk.tool(call), status="failed")
    assert not (box.project / "a").exists() and talk.text() == "what else?"
    assert begin.model.result(call)[1], "the model was told"


def test_an_answer_from_a_phone_takes_the_dialog_back(box, cdev, begin):
    first, second = touch("a"), touch("b")
    editor = begin(use(first), use(second), say("done"))
    phone = cdev.approver("phone")
    talk = editor.new(box.project)
    number = talk.begin("go")
    asked = editor.question()
    phone.respond(phone.card(tool_use_id=first.id), "allow")
    editor.taken_back(asked)
    # As the protocol wants it; another, that it was late with its answer.
    editor.send({"jsonrpc": "2.0", "id": asked["id"], "error": {"code": -32800, "message": "cancelled"}})
    again = editor.question(2)
    assert (box.project / "a").exists()
    phone.respond(phone.card(tool_use_id=second.id), "deny")
    editor.taken_back(again)
    editor.answer(again, "allow_once")
    assert talk.ends(number) == "end_turn"
    assert not (box.project / "b").exists()
    includes(talk.tool(first), status="completed")
    includes(talk.tool(second), status="failed")


@pytest.mark.parametrize("answer", [
    {"result": {"outcome": {"outcome": "selected", "optionId": "nonsense"}}}, {"result": {"outcome": {"outcome": "selected"}}},
    {"result": {}}, {"result": None}, {"error": {"code": -32603, "message": "no dialog"}}, {"result": {"outcome": {"outcome": "cancelled"}}}])
def test_an_answer_that_allows_nothing(box, cdev, begin, answer):
    """It is denied, or somebody else may still answer."""
    call = touch("a")
    editor = begin(use(call), say("done"))
    phone = cdev.approver("phone")
    talk = editor.new(box.project)
    number = talk.begin("go")
    card = phone.card(tool_use_id=call.id)
    editor.send({"jsonrpc": "2.0", "id": editor.question()["id"], **answer})
    editor.settle()
    for card in phone.pending():
        phone.respond(card, "deny")
    talk.ends(number)
    assert not (box.project / "a").exists()
    includes(talk.tool(call), status="failed")


def test_a_call_that_needs_a_word_is_not_allowed_without(box, cdev, begin):
    call = touch("a")
    editor = begin(use(call), say("done"), confirm=["Bash(touch)"])
    phone = cdev.approver("phone")
    talk = editor.new(box.project)
    number = talk.begin("go")
    card = phone.card(tool_use_id=call.id)
    assert card["confirm"] == {"prompt": "touch"}
    talk.hears("tool_call", lambda update: update["toolCallId"] == call.id)
    editor.settle()
    for asked in editor.of("session/request_permission"):
        assert "allow_once" not in options(asked) and "allow_always" not in options(asked), "it would be refused"
    phone.respond(card, "allow", confirm="touch")
    assert talk.ends(number) == "end_turn" and (box.project / "a").exists()


def test_a_question_of_claude_is_answered(box, begin):
    question = Call("AskUserQuestion", {"questions": [{
        "question": "Which color?", "header": "Color", "multiSelect": False,
        "options": [{"label": "Red", "description": "r"}, {"label": "Blue", "description": "b"}]}]})
    editor = begin(use(question), say("done"))
    talk = editor.new(box.project)
    number = talk.begin("ask me")
    asked = editor.question()
    assert asked["params"]["toolCall"]["toolCallId"] == question.id
    shown = asked["params"]["options"]
    (blue,) = [option for option in shown if "Blue" in option["name"]]
    editor.send({"jsonrpc": "2.0", "id": asked["id"], "result": {"outcome": {"outcome": "selected", "optionId": blue["optionId"]}}})
    assert talk.ends(number) == "end_turn"
    text, is_error = begin.model.result(question)
    assert "Blue" in text and not is_error


def test_a_plan_is_approved(box, begin):
    plan = Call("ExitPlanMode", {"plan": "# The plan\n1. a heron"})
    editor = begin(use(plan), say("done"))
    talk = editor.new(box.project)
    editor.call("session/set_mode", sessionId=talk.id, modeId="plan")
    number = talk.begin("plan it")
    asked = editor.question()
    assert asked["params"]["toolCall"]["toolCallId"] == plan.id
    assert "a heron" in str(asked["params"]["toolCall"]) or "a heron" in str(talk.tool(plan))
    assert "reject_once" in options(asked)
    editor.answer(asked, "allow_once")
    assert talk.ends(number) == "end_turn"
    talk.hears("current_mode_update", lambda update: update["currentModeId"] != "plan")


def test_nothing_is_asked_where_a_rule_says_it(box, begin, cdev):
    call = touch("a")
    editor = begin(use(call), say("done"))
    talk = editor.new(box.project)
    editor.call("session/set_mode", sessionId=talk.id, modeId="acceptEdits")
    assert talk.turn("go") == "end_turn"
    assert (box.project / "a").exists() and not editor.of("session/request_permission")


def test_a_call_of_a_subagent_is_asked(box, begin):
    """It works on when the turn has ended. Its question names a call that the editor knows."""
    call = touch("a")
    task = Call("Agent", {"description": "d", "prompt": "SUBTASK: make a", "subagent_type": "general-purpose"})
    sub = Conversation([use(call), say("a heron")], match="SUBTASK")
    editor = begin(use(task), say("done"), say("done"), conversations=[sub])
    talk = editor.new(box.project)
    assert talk.turn("go") == "end_turn"
    asked = editor.question()
    assert asked["params"]["toolCall"]["toolCallId"] == call.id
    editor.answer(asked, "allow_once")
    file_appears(box.project / "a", 30)
    talk.tool_is(call, "completed")
    assert "a heron" not in talk.text(), "what a subagent says is not the answer"


def test_nobody_answers_in_time(box, begin):
    call = touch("a")
    editor = begin(use(call), say("done"), prompt_timeout_seconds=2)
    talk = editor.new(box.project)
    number = talk.begin("go")
    asked = editor.question()
    editor.taken_back(asked, 40)
    assert talk.ends(number) == "end_turn" and not (box.project / "a").exists()
    includes(talk.tool(call), status="failed")


def test_it_is_known_who_answered(box, cdev, begin):
    call = touch("a")
    editor = begin(use(call), say("done"))
    phone = cdev.approver("phone")
    talk = editor.new(box.project)
    number = talk.begin("go")
    card = phone.card(tool_use_id=call.id)
    editor.answer(editor.question(), "allow_once")
    talk.ends(number)
    includes(phone.resolved(card), decision="allow", resolved_by="local")
