"""Sessions that the daemon runs, whose agent does what no agent should: the person gets a sentence, each prompt has one end,
no process is left, and neither another session nor a terminal's notices anything."""
import concurrent.futures
import uuid

import pytest

from harness.agents import GOOD
from harness.approver import RpcError
from harness.checks import includes
from harness.fake_model import say, touch, use
from harness.runs import Runs
from harness.waiting import until

# The lines of a turn that the daemon goes by, in their order.
TURN = [
    "session_state_changed running", "command_lifecycle queued", "command_lifecycle started", "init", "user", "assistant",
    "session_state_changed requires_action", "can_use_tool", "session_state_changed running", "assistant", "result",
    "command_lifecycle completed", "session_state_changed idle"]


def told(runs):
    """Those of a turn with one question, which is allowed."""
    session = runs.start()
    runs.driver.call("session/watch", {"session_id": session, "log": True})
    runs.send("go")
    runs.driver.respond(runs.driver.card(20, session_id=runs.session["claude_session_id"]), "allow")
    runs.becomes("idle")
    runs.driver.settle()
    kinds = [kind(line) for line in runs.driver.heard("claude_log", session_id=session)]
    return [one for one in kinds if one in TURN]


def kind(line):
    """Of an echo, not of a tool's result."""
    name = line.get("subtype") or line["type"]
    if line["type"] == "user":
        return "user" if line.get("isReplay") else None
    if line["type"] == "control_request":
        return line["request"]["subtype"]
    return line["type"] if line["type"] == "result" else f"{name} {line['state']}" if "state" in line else name


@pytest.mark.real_cli
def test_the_real_agent_tells_of_a_turn_in_this_order(box, cdev, model):
    assert told(Runs(box, cdev).begin(model(use(touch("x")), say("done")))) == TURN


def test_and_so_does_the_scripted_one(agents):
    steps = ["begin", ["say", "x"], ["ask", "q", "touch x", "toolu_q"], ["answered", "q"], ["say", "done"], "end"]
    assert told(agents.begin({"prompts": [steps]})) == TURN


def test_a_scripted_agent_is_taken_for_a_real_one(odd):
    agents = odd()
    number = agents.prompt("hello")
    agents.ends(number, "completed")
    agents.becomes("idle")
    assert agents.prompts_heard() == [number] and agents.heard("user")[0]["message"]["content"] == "hello"
    (message,) = agents.driver.heard("claude_message", session_id=agents.session["id"], type="assistant")
    assert message["content"] == [{"type": "text", "text": "done"}]
    agents.stop()
    assert agents.heard()[-1]["request"]["subtype"] == "end_session"
    with pytest.raises(RpcError, match="session not running"):
        agents.prompt()


NONSENSE = {
    "no JSON": "garbage\n\x00\x07{\n}{\n\"\n{\"type\":\n",
    "other values": "null\n[]\n[null,1]\n1\n\"assistant\"\ntrue\n{}\n\n \n\r\n",
    "deep": "[" * 100_000 + "\n" + '{"type":' * 100_000 + "\n" + '{"type":"assistant","message":' + "[" * 50_000 + "]" * 50_000 + "}\n",
    "no UTF-8": '{"type":"assistant","message":"\xff\xfe\xc3"}\n\xff\n{"type":"system","subtype":"init","session_id":"\xed\xa0\x80"}\n',
    "other types": '{"type":null}\n{"type":["result"]}\n{"type":"system"}\n{"type":"system","subtype":{}}\n{"type":"result","result":{}}\n'
                   '{"type":"command_lifecycle"}\n{"type":"control_request"}\n{"type":"control_response"}\n{"type":"control_response",'
                   '"response":[]}\n{"type":"control_cancel_request","request_id":7}\n{"type":"newer"}\n',
    "many values": '{"type":"assistant","message":[' + "0," * 150_000 + "0]}\n",
    "long texts": '{"type":"system","subtype":"init","session_id":"' + "x" * 10_000 + '","model":"' + "y" * 100_000 + '"}\n',
}


@pytest.mark.parametrize("text", NONSENSE.values(), ids=NONSENSE)
def test_what_means_nothing_is_passed_over(odd, text):
    agents = odd({"start": [["raw", text]], "prompts": [["begin", ["raw", text], ["say", "done"], "end"]]})
    agents.goes_on()
    agents.goes_on()
    assert len(agents.driver.heard("claude_usage", session_id=agents.session["id"], text="done")) == 2
    assert agents.state()["claude_session_id"] == agents.session["claude_session_id"]


@pytest.mark.long
def test_a_line_that_is_too_long_is_passed_over(odd):
    agents = odd({"prompts": [["begin", ["pour", 40, "\n"], ["say", "done"], "end"], GOOD]})
    agents.ends(agents.prompt(), "completed", 60)
    agents.goes_on()


@pytest.mark.long
def test_an_agent_that_prints_more_than_is_kept_is_ended(odd):
    """What stands behind an open question is not read any more by the next daemon, so none of it is given back."""
    agents = odd({"prompts": [["begin", ["ask", "q", "touch x", "toolu_q"], *[["pour", 40, "\n"]] * 9, "hang"]]})
    number = agents.prompt()
    card = agents.driver.card(tool_use_id="toolu_q")
    stopped = agents.driver.hear("session_stopped", 90, session_id=agents.session["id"])
    assert "more" in stopped["reason"], stopped
    agents.ends(number, "failed")
    agents.driver.resolved(card)
    agents.is_gone()


@pytest.mark.long
def test_what_was_read_is_given_back_to_the_disk(box, odd):
    """So an agent may print more than is kept, but not more at a time."""
    steps = [step for turn in range(8) for step in (["pour", 40, "\n"], ["chatter", f"read {turn}"])]
    agents = odd({"prompts": [["begin", *steps, ["say", "done"], "end"], GOOD]})
    number = agents.prompt()
    for turn in range(8):
        agents.awaits(f"read {turn}")
        (output,) = (box.cdev_home / "sessions" / agents.session["id"]).glob("out.*")
        until(lambda: output.stat().st_blocks * 512 < 1 << 20, lambda: f"the disk to be given back: {output.stat()}", 60)
        agents.let(f"read {turn}")
    agents.ends(number, "completed")
    assert output.stat().st_size > 320 << 20
    agents.goes_on()


# An agent that tells of other ends


@pytest.mark.parametrize("kinds", [["text"], ["text", "thinking"]])
def test_pieces_that_come_fast_arrive_whole_and_in_order(cdev, odd, kinds):
    """In fewer events than pieces, at everybody who reads along."""
    agents = odd({"prompts": [["begin", ["wait", "a"], ["spell", 5000, kinds], "end"], GOOD]})
    phones = [cdev.approver(name) for name in ("first", "second")]
    number = agents.prompt()
    agents.awaits("a")
    for phone in phones:
        phone.call("session/watch", {"session_id": agents.session["id"]})
    agents.let("a")
    agents.ends(number, "completed", 60)
    for phone in phones:
        phone.hear("claude_usage", 20, session_id=agents.session["id"])
        pieces = phone.heard("claude_delta", session_id=agents.session["id"])
        assert "".join(piece["text"] for piece in pieces) == "".join(f"{number} " for number in range(5000))
        assert {piece["type"] for piece in pieces} == set(kinds) and len(pieces) <= 5000


def test_idle_without_the_end_of_the_prompt_is_its_end(odd):
    agents = odd({"prompts": [["begin", ["say", "done"], ["state", "idle"]], GOOD]})
    agents.ends(agents.prompt(), "completed")
    agents.goes_on()


def test_an_end_that_is_told_again_is_no_second_one(odd):
    again = ["result", ["lifecycle", "completed"], ["lifecycle", "started"], ["lifecycle", "cancelled"], ["state", "idle"]]
    agents = odd({"prompts": [["begin", "end", *again], GOOD]})
    agents.ends(agents.prompt(), "completed")
    agents.goes_on()


def test_a_prompt_that_was_not_sent_has_no_end(odd):
    """Neither one that nobody knows, nor one that waits until the agent has started."""
    later, waiting = str(uuid.uuid4()), str(uuid.uuid4())
    ends = [["lifecycle", state, number] for number in (later, waiting) for state in ("started", "completed", "cancelled")]
    agents = odd({"start": [["wait", "sent"], *ends]})
    agents.awaits("sent")
    includes(agents.send("go", prompt_id=waiting), status="sent")
    agents.bystanders.notice_nothing()
    agents.let("sent")
    agents.ends(waiting, "completed")
    agents.send("go", prompt_id=later)
    agents.ends(later, "completed")
    assert agents.prompts_heard() == [waiting, later]


@pytest.mark.parametrize("request_id", ["cdev-1-1", "cdev-1-99", "cdev-2-1", "x"])
@pytest.mark.parametrize("subtype", ["success", "error"])
def test_an_answer_that_nobody_waits_for_ends_the_agent(odd, request_id, subtype):
    """Whoever asked wrote into the agent's input, and is not the daemon."""
    answer = {"type": "control_response", "response": {"subtype": subtype, "request_id": request_id, "error": "no"}}
    agents = odd({"prompts": [["begin", ["line", answer], "hang"]]})
    agents.ends(agents.prompt(), "failed")
    agents.is_gone()


def test_an_interrupt_that_is_answered_late_becomes_a_signal(odd):
    late = [["wait", "late"], "answer", ["result", "aborted_streaming"], ["state", "idle"]]
    agents = odd({"start": [["outlive", "SIGINT"]], "prompts": [["begin", ["say", "half"]], GOOD], "interrupt": late})
    number = agents.prompt()
    agents.becomes("running")
    agents.call("session/interrupt", session_id=agents.session["id"])
    agents.awaits("late")
    agents.bystanders.notice_nothing()
    until((agents.folder / "SIGINT").exists, "the signal", 20)
    agents.let("late")
    agents.ends(number, "completed")
    agents.becomes("idle")
    agents.goes_on()


# An agent that reads nothing

MOST_PROMPTS = 64


def test_prompts_that_are_not_read_are_refused_at_the_limit(odd):
    """And the agent, which goes on after each signal that it can, has no process once it was stopped."""
    agents = odd({"start": [["outlive", "SIGTERM"], ["outlive", "SIGINT"]], "prompts": [["begin", "hang"]]})
    numbers = [agents.prompt() for _ in range(MOST_PROMPTS)]
    agents.awaits("never")
    with pytest.raises(RpcError, match="as many prompts as are kept wait for this session"):
        agents.prompt()
    assert agents.prompts_heard() == numbers[:1]
    agents.bystanders.notice_nothing()
    agents.stop()
    assert (agents.folder / "SIGTERM").exists()
    for number in numbers:
        assert "the session was ended" in agents.ends(number, "failed")["error"]


def test_a_turn_that_failed_is_told_in_the_agents_words(odd):
    failed = ["line", {"type": "result", "subtype": "error_during_execution", "is_error": True, "errors": ["out of", "credit"]}]
    agents = odd({"prompts": [["begin", failed, ["lifecycle", "completed"], ["state", "idle"]], GOOD]})
    agents.ends(agents.prompt(), "completed")
    includes(agents.driver.hear("claude_usage", session_id=agents.session["id"]), is_error=True, reason="error_during_execution",
             text="out of\ncredit")
    agents.goes_on()


def test_a_prompt_that_ten_send_at_once_is_run_once(odd):
    agents = odd()
    number = str(uuid.uuid4())
    with concurrent.futures.ThreadPoolExecutor(10) as pool:
        said = list(pool.map(lambda _: agents.send("go", prompt_id=number), range(10)))
    assert {one["prompt_id"] for one in said} == {number} and {one["status"] for one in said} <= {"sent", "completed"}
    agents.ends(number, "completed")
    assert agents.prompts_heard() == [number]


@pytest.mark.long
def test_a_line_without_an_end_ends_the_session_that_prints_it(odd):
    agents = odd({"prompts": [["begin", ["pour", 400], "hang"]]})
    number = agents.prompt()
    stopped = agents.driver.hear("session_stopped", 60, session_id=agents.session["id"])
    assert "more" in stopped["reason"], stopped
    agents.ends(number, "failed")
    agents.is_gone()
    assert "stopped" == agents.state()["status"]


@pytest.mark.long
def test_complaints_without_an_end_end_the_session_whose_agent_complains(odd):
    agents = odd({"prompts": [["begin", ["complain", "x" * 1023 + "\n", 400 << 10], "hang"]]})
    number = agents.prompt()
    agents.driver.hear("session_stopped", 60, session_id=agents.session["id"])
    agents.ends(number, "failed")
    agents.is_gone()
    assert "stopped" == agents.state()["status"]


def test_an_agent_that_shuts_its_input_is_replaced(odd):
    agents = odd({"prompts": [["begin", "shut", ["wait", "shut"], "hang"]]}, {})
    first = agents.prompt()
    agents.awaits("shut")
    agents.let("shut")
    second = agents.prompt()
    assert "signal 15" in agents.ends(first, "failed")["error"]
    agents.ends(second, "completed")
    assert agents.prompts_heard() == [first, second]


@pytest.mark.long
def test_prompts_of_more_bytes_than_are_kept_are_refused(odd):
    """32 MiB of them may wait; the agent stays, and none of those that were taken is lost."""
    agents = odd({"prompts": [["begin", ["wait", "a"], "end"], GOOD]})
    first = agents.prompt()
    agents.awaits("a")
    numbers = [agents.prompt("x" * (9 << 20), timeout=60) for _ in range(3)]
    with pytest.raises(RpcError, match="wait for this session"):
        agents.prompt("x" * (9 << 20), timeout=60)
    agents.let("a")
    for number in [first, *numbers]:
        agents.ends(number, "completed", 120)
    assert agents.prompts_heard() == [first, *numbers]


@pytest.mark.parametrize("end", ["die", ["leave", 1]], ids=["signal", "status"])
def test_the_commands_of_an_agent_that_breaks_off_are_ended(odd, end):
    agents = odd({"prompts": [["begin", "begin_other", ["wait", "begun"], end]]}, {})
    number = agents.prompt()
    agents.awaits("begun")
    assert len(agents.processes()) == 2
    agents.let("begun")
    agents.ends(number, "failed")
    agents.is_gone()
    agents.goes_on()
