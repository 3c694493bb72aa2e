"""Sessions that the daemon runs, whose agent asks as no agent should: nobody is asked twice, nothing is allowed that nobody
allowed, and the agent does not wait for ever."""
import os
import signal

import pytest

from harness.agents import GOOD
from harness.approver import RpcError
from harness.checks import includes
from harness.waiting import until


def asking(*steps, then=("end",)):
    return {"prompts": [["begin", ["ask", "q", "touch x", "toolu_q"], *steps, ["answered", "q"], ["say", "done"], *then], GOOD]}


def test_the_same_question_twice_is_one_card_with_one_answer(odd):
    agents = odd(asking(["ask", "q", "touch x", "toolu_q"]))
    number = agents.prompt()
    card = agents.driver.card(tool_use_id="toolu_q")
    agents.bystanders.notice_nothing()
    assert agents.cards() == ["toolu_q"]
    agents.driver.respond(card, "allow")
    agents.ends(number, "completed")
    includes(agents.answer_heard("q"), subtype="success")
    assert len([m for m in agents.heard("control_response") if m["response"]["request_id"] == "q"]) == 1


def test_a_question_that_is_taken_back_is_answered_by_nobody(odd):
    agents = odd({"prompts": [["begin", ["ask", "q", "touch x", "toolu_q"], ["wait", "asked"], ["take_back", "q"], "end"], GOOD]})
    number = agents.prompt()
    card = agents.driver.card(tool_use_id="toolu_q")
    agents.let("asked")
    agents.driver.resolved(card)
    with pytest.raises(RpcError):
        agents.driver.respond(card, "allow")
    agents.ends(number, "completed")
    agents.goes_on()
    assert not agents.heard("control_response")


@pytest.mark.parametrize("subtype", ["elicitation", "request_user_dialog", "mcp_message", "", "initialize", "end_session"])
def test_what_is_not_offered_is_refused(odd, subtype):
    agents = odd({"prompts": [["begin", ["demand", "d", subtype], ["answered", "d"], "end"]]})
    agents.ends(agents.prompt(), "completed")
    answer = agents.answer_heard("d")
    assert answer["subtype"] == "error" and answer["error"]


UNREADABLE = {
    "no tool": {"subtype": "can_use_tool", "input": {}, "tool_use_id": "t"},
    "no input": {"subtype": "can_use_tool", "tool_name": "Bash"},
    "name is a number": {"subtype": "can_use_tool", "tool_name": 7, "input": {}, "tool_use_id": "t"},
    "another hook": {"subtype": "hook_callback", "callback_id": "cdev", "input": {"hook_event_name": "Stop"}},
    "no hook": {"subtype": "hook_callback", "callback_id": "cdev"},
    "too many values": {"subtype": "can_use_tool", "tool_name": "Bash", "input": {"command": "x", "more": [0] * 120_000}, "tool_use_id": "t"},
}


@pytest.mark.parametrize("request_", UNREADABLE.values(), ids=UNREADABLE)
def test_a_question_that_cannot_be_read_is_not_allowed(odd, request_):
    agents = odd({"prompts": [[
        "begin", ["line", {"type": "control_request", "request_id": "q", "request": request_}], ["answered", "q"], "end"]]})
    agents.ends(agents.prompt(), "completed")
    answer = agents.answer_heard("q")
    assert answer["subtype"] == "error" or answer["response"]["behavior"] == "deny"


MANY = 64


def test_many_questions_at_once_are_withdrawn_with_their_agent(odd):
    """Of more than are kept for a session the others are denied."""
    asks = [["ask", f"q{number}", f"touch x{number}", f"toolu_q{number}"] for number in range(MANY + 4)]
    agents = odd({"prompts": [["begin", *asks]]})
    number = agents.prompt()
    until(lambda: len(agents.cards()) == MANY, lambda: f"{MANY} cards, not {len(agents.cards())}", 60)
    with pytest.raises(RpcError, match=f"asks about {MANY} calls"):
        agents.call("session/respond", session_id=agents.session["id"], type="permission", response="yes")
    denied = until(lambda: len(agents.heard("control_response")) == 4 and agents.heard("control_response"), "four to be denied", 20)
    assert {message["response"]["response"]["behavior"] for message in denied} == {"deny"}
    agents.bystanders.notice_nothing()
    agents.stop()
    agents.ends(number, "failed")
    until(lambda: not agents.cards(), lambda: f"no card: {agents.cards()}", 20)


def test_a_question_with_the_id_of_one_that_was_answered_is_answered_too(odd):
    """Whether by the same answer or by a person: nobody waits for ever."""
    agents = odd({"prompts": [["begin", ["ask", "q", "touch x", "toolu_q"], ["answered", "q"], ["ask", "q", "touch y", "toolu_r"],
                               ["wait", "look"], "end"], GOOD]})
    number = agents.prompt()
    agents.driver.respond(agents.driver.card(tool_use_id="toolu_q"), "allow")
    agents.awaits("look")
    second = agents.driver.card(tool_use_id="toolu_r")
    agents.driver.respond(second, "deny")
    agents.let("look")
    agents.ends(number, "completed")
    agents.goes_on()
    first, again = [m["response"]["response"] for m in agents.heard("control_response") if m["response"]["request_id"] == "q"]
    assert first["behavior"] == "allow" and again["behavior"] == "deny"


def test_an_agent_that_dies_while_it_asks_leaves_no_card(odd):
    agents = odd({"prompts": [["begin", ["ask", "q", "touch x", "toolu_q"], ["wait", "asked"], "die"]]}, {})
    number = agents.prompt()
    card = agents.driver.card(tool_use_id="toolu_q")
    agents.let("asked")
    agents.driver.resolved(card)
    agents.becomes("parked")
    assert "signal 9" in agents.ends(number, "failed")["error"]
    with pytest.raises(RpcError):
        agents.driver.respond(card, "allow")
    agents.goes_on()
    assert agents.prompts_heard()[0] == number and number not in agents.prompts_heard()[1:]


def test_what_a_hanging_agent_was_told_counts_for_the_next(agents):
    """It reads neither the prompt, nor that it is interrupted, nor its mode; and nobody else runs that prompt."""
    agents.begin({"initialize": ["ready", ["wait", "read"]]}, {})
    agents.start(permission_mode="acceptEdits")
    agents.becomes("idle")
    number = agents.prompt("interrupted")
    agents.call("session/interrupt", session_id=agents.session["id"])
    agents.call("session/set", session_id=agents.session["id"], permission_mode="default")
    (process,) = agents.processes()
    os.kill(process, signal.SIGKILL)
    agents.ends(number, "cancelled")
    agents.becomes("parked")
    assert agents.state()["permission_mode"] == "default"
    agents.goes_on()
    assert len(agents.prompts_heard()) == 1
    agents.stop()


def test_a_late_yes_allows_nothing_after_a_restart(odd):
    """What was asked before is forgotten by the daemon, and not by a client whose connection broke."""
    agents = odd({"prompts": [GOOD, ["begin", ["ask", "r", "touch y", "toolu_r"], ["answered", "r"], "end"], GOOD]})
    agents.goes_on()
    agents.restart()
    number = agents.prompt()
    card = agents.driver.card(tool_use_id="toolu_r")
    yes = {"session_id": agents.session["id"], "response": "yes"}
    with pytest.raises(RpcError, match="tool_use_id"):
        agents.call("session/respond", **yes)
    assert agents.call("session/respond", **yes, tool_use_id=card["tool_use_id"])["decision"] == "allow"
    agents.ends(number, "completed")


def question(number):
    input = {"questions": [{"question": f"Question {number}?", "header": "h", "multiSelect": False, "options": [
        {"label": "Yes", "description": "y"}, {"label": "No", "description": "n"}]}]}
    return ["line", {"type": "control_request", "request_id": number, "request": {
        "subtype": "can_use_tool", "tool_name": "AskUserQuestion", "input": input, "tool_use_id": f"toolu_{number}"}}]


def test_a_late_answer_answers_no_other_question(odd):
    agents = odd({"prompts": [["begin", question("q"), ["answered", "q"], question("r"), ["answered", "r"], "end"], GOOD]})
    number = agents.prompt()
    agents.driver.card(tool_use_id="toolu_q")
    answer = {"session_id": agents.session["id"], "type": "question", "response": "Yes"}
    agents.call("session/respond", **answer)
    agents.driver.card(tool_use_id="toolu_r")
    with pytest.raises(RpcError, match="tool_use_id"):
        agents.call("session/respond", **answer)
    agents.call("session/respond", **answer, tool_use_id="toolu_r")
    agents.ends(number, "completed")


def test_an_answer_of_somebody_else_ends_the_agent(odd):
    """Its input is a pipe that its own commands can open; it shows each answer back that it takes."""
    taken = {"type": "control_response", "response": {"subtype": "success", "request_id": "q", "response": {
        "behavior": "allow", "updatedInput": {"command": "touch x"}}}}
    agents = odd({"prompts": [["begin", ["ask", "q", "touch x", "toolu_q"], ["line", taken], "hang"]]})
    number = agents.prompt()
    agents.ends(number, "failed")
    agents.is_gone()
    assert agents.cards() == []
    assert "something else" in agents.driver.hear("session_stopped", 20, session_id=agents.session["id"])["reason"]
    assert agents.session["id"] in agents.driver.hear("agent_refused", 20)["method"]
