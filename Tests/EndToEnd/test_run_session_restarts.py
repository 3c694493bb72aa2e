"""What a scripted agent does while no daemon runs: the next daemon takes it in as if it had been there."""
import fcntl
import os
import signal
import sys
import termios

import pytest

from harness.agents import GOOD
from harness.approver import RpcError
from harness.checks import includes
from harness.waiting import until

ASK = ["ask", "q", "touch x", "toolu_q"]


def do(agents, name):
    """Lets the agent go on behind this name, until it waits for the next."""
    agents.let(name)
    agents.awaits("end")


def test_a_turn_that_ended_meanwhile_has_ended(odd):
    agents = odd({"prompts": [["begin", ["wait", "a"], ["say", "done"], "end", ["wait", "end"]], GOOD]})
    number = agents.prompt()
    agents.awaits("a")
    process = agents.processes()
    agents.restart(lambda: do(agents, "a"))
    agents.ends(number, "completed")
    agents.let("end")
    agents.goes_on()
    assert agents.processes() == process and agents.prompts_heard()[0] == number and len(agents.prompts_heard()) == 2


def test_an_agent_is_told_once_how_it_is_driven(odd):
    """The real one, told again, does not run a call whose question it waits for."""
    agents = odd({"prompts": [["begin", ["wait", "a"], "end"], GOOD]})
    first = agents.prompt()
    agents.awaits("a")
    second = agents.prompt()
    agents.restart()
    agents.let("a")
    for number in (first, second):
        agents.ends(number, "completed")
    told = [message["request"]["subtype"] for message in agents.heard("control_request")]
    assert told.count("initialize") == 1, told


def test_a_question_that_came_meanwhile_is_asked(odd):
    agents = odd({"prompts": [["begin", ["wait", "a"], ASK, ["wait", "end"], ["answered", "q"], "end"], GOOD]})
    number = agents.prompt()
    agents.awaits("a")
    agents.restart(lambda: do(agents, "a"))
    (card,) = [one for one in agents.driver.pending() if one["tool_use_id"] == "toolu_q"]
    includes(agents.state(), claude_state="waiting", pending_tool_use_id="toolu_q")
    agents.driver.respond(card, "allow")
    agents.let("end")
    agents.ends(number, "completed")
    assert agents.answer_heard("q")["response"]["behavior"] == "allow"


def test_a_question_that_came_and_went_meanwhile_is_not_asked(odd):
    agents = odd({"prompts": [["begin", ["wait", "a"], ASK, ["take_back", "q"], ["wait", "end"], "end"], GOOD]})
    number = agents.prompt()
    agents.awaits("a")
    agents.restart(lambda: do(agents, "a"))
    agents.let("end")
    agents.ends(number, "completed")
    assert not agents.cards()
    assert not agents.heard("control_response")
    agents.goes_on()


def test_a_question_that_was_taken_back_meanwhile_is_open_no_more(odd):
    agents = odd({"prompts": [["begin", ASK, ["wait", "a"], ["take_back", "q"], ["wait", "end"], "end"], GOOD]})
    number = agents.prompt()
    card = agents.driver.card(tool_use_id="toolu_q")
    agents.awaits("a")
    agents.restart(lambda: do(agents, "a"))
    until(lambda: not agents.cards(), "the card to go")
    with pytest.raises(RpcError):
        agents.driver.respond(card, "allow")
    agents.let("end")
    agents.ends(number, "completed")
    assert not agents.heard("control_response")
    agents.goes_on()


def is_told(agents):
    """Something that the agent has not read is in its pipe."""
    (process,) = agents.processes()
    pipe = os.open(f"/proc/{process}/fd/0", os.O_RDONLY | os.O_NONBLOCK)
    try:
        return int.from_bytes(fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)), sys.byteorder) > 0
    finally:
        os.close(pipe)


@pytest.mark.parametrize("is_said", [True, False])
def test_an_answer_that_was_given_stays_what_it_is(odd, is_said):
    """The next daemon says it where the last one did not come to, and may say it again where it did not write that down."""
    agents = odd({"prompts": [["begin", ASK, ["wait", "a"], ["answered", "q"], ["wait", "end"], "end"], GOOD]})
    number = agents.prompt()
    agents.driver.respond(agents.driver.card(tool_use_id="toolu_q"), "allow")
    agents.awaits("a")
    if is_said:
        until(lambda: is_told(agents), "the answer to be said")
        agents.restart(lambda: do(agents, "a"))
    else:
        agents.restart(lambda: agents.let("a"))
        agents.awaits("end")
    agents.let("end")
    agents.ends(number, "completed")
    agents.goes_on()
    assert {m["response"]["response"]["behavior"] for m in agents.heard("control_response")} == {"allow"}


def test_half_a_line_is_read_when_it_is_whole(odd):
    half = '{"type":"assistant","uuid":"11111111-0000-4000-8000-000000000000","session_id":"s","message":{"role":"assistant",'
    rest = '"content":[{"type":"text","text":"whole"}],"model":"m","id":"m"}}\n'
    agents = odd({"prompts": [["begin", ["raw", half], ["wait", "a"], ["raw", rest], ["wait", "end"], "end"], GOOD]})
    number = agents.prompt()
    agents.awaits("a")
    agents.restart()
    agents.let("a")
    (message,) = [agents.driver.hear("claude_message", session_id=agents.session["id"], type="assistant")]
    assert message["content"][0]["text"] == "whole"
    agents.let("end")
    agents.ends(number, "completed")


def test_an_agent_that_died_meanwhile_is_parked(odd):
    agents = odd({"prompts": [["begin", ["wait", "a"], "die"]]}, {})
    number = agents.prompt()
    agents.awaits("a")

    def dies():
        agents.let("a")
        agents.is_gone()

    agents.restart(dies)
    assert agents.state()["claude_state"] == "parked"
    assert "while cdev did not run" in agents.ends(number, "failed")["error"]
    agents.goes_on()
    assert agents.prompts_heard()[0] == number and len(agents.prompts_heard()) == 2


def test_an_agent_that_was_killed_before_it_was_ready_takes_its_prompts_up_anew(odd):
    agents = odd({"start": ["hang"]}, {})
    agents.awaits("never")
    number = agents.prompt()

    def dies():
        os.kill(agents.processes()[0], signal.SIGKILL)
        agents.is_gone()

    agents.restart(dies)
    agents.ends(number, "completed")
    assert agents.prompts_heard() == [number]


def test_a_prompt_that_waits_for_its_agent_waits_for_the_next_daemon_too(odd):
    agents = odd({"initialize": [["wait", "begin"], "ready"]})
    agents.awaits("begin")
    number = agents.prompt()
    agents.restart()
    includes(agents.fate(number), status="sent")
    agents.let("begin")
    agents.ends(number, "completed")
    assert agents.prompts_heard() == [number]


def test_a_stop_goes_on_behind_a_restart(odd):
    """The agent heeds neither the request to end nor a signal."""
    agents = odd({"start": [["outlive", "SIGTERM"], ["outlive", "SIGINT"]], "prompts": [["begin", "hang"]]})
    number = agents.prompt()
    agents.awaits("never")
    agents.call("session/stop", session_id=agents.session["id"])
    agents.restart()
    until(lambda: agents.state()["status"] == "stopped", lambda: f"{agents.state()}", 30)
    agents.is_gone()
    assert agents.fate(number)["status"] == "failed"


def test_an_agent_that_died_meanwhile_while_it_asked_is_parked(odd):
    agents = odd({"prompts": [["begin", ASK, ["wait", "a"], "die"]]}, {})
    number = agents.prompt()
    agents.awaits("a")
    agents.driver.card(tool_use_id="toolu_q")

    def dies():
        agents.let("a")
        agents.is_gone()

    agents.restart(dies)
    until(lambda: not agents.cards(), "the card to go")
    assert "while cdev did not run" in agents.ends(number, "failed")["error"]
    agents.goes_on()
