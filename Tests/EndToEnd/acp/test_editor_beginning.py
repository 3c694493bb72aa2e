"""A call of a tool is shown when the agent begins to write it, and once: its input follows."""
import os
import signal
import threading

import pytest

from harness.checks import includes
from harness.fake_model import Call, say, touch, use
from harness.runs import children, only_child
from harness.waiting import until

pytestmark = pytest.mark.real_cli


def held(name="a"):
    """A call whose input comes when its event is set."""
    call = touch(name)
    call.gate = threading.Event()
    return call


def begins(talk, call):
    """Waits until it is shown, without an input."""
    talk.hears("tool_call", lambda update: update["toolCallId"] == call.id)
    includes(talk.tool(call), status="pending", kind="execute", title="Run a command")
    assert "rawInput" not in talk.tool(call)


def shown(talk, call):
    return [update["sessionUpdate"] for update in talk.updates("tool_call") if update["toolCallId"] == call.id]


def test_a_call_is_shown_before_its_input(box, begin, runs):
    call = held()
    editor = begin(use(call), say("done"))
    editor.answers = "allow_once"
    talk = editor.new(box.project)
    number = talk.begin("go")
    begins(talk, call)
    call.gate.set()
    assert talk.ends(number) == "end_turn"
    includes(talk.tool(call), status="completed", title="touch a", rawInput=call.input)
    assert shown(talk, call) == ["tool_call"] and (box.project / "a").exists()


def test_several_calls_of_one_answer_begin_in_turn(box, begin):
    calls = [held("a"), touch("b"), held("c")]
    editor = begin(use(*calls), say("done"))
    editor.answers = "allow_once"
    talk = editor.new(box.project)
    number = talk.begin("go")
    begins(talk, calls[0])
    assert not shown(talk, calls[1])
    calls[0].gate.set()
    begins(talk, calls[2])
    calls[2].gate.set()
    assert talk.ends(number) == "end_turn"
    for call, name in zip(calls, "abc"):
        includes(talk.tool(call), status="completed", title=f"touch {name}")
        assert shown(talk, call) == ["tool_call"]


@pytest.mark.parametrize("method", ["session/load", "session/resume"])
def test_an_editor_that_comes_meanwhile_has_it_once(box, begin, editors, method):
    call = held()
    editor = begin(use(call), say("done"))
    talk = editor.new(box.project)
    number = talk.begin("go")
    begins(talk, call)
    other = editors.open()
    other.answers = "allow_once"
    again = other.load(talk, method)
    begins(again, call)
    call.gate.set()
    assert talk.ends(number) == "end_turn"
    again.says("done")
    for one in (talk, again):
        includes(one.tool(call), status="completed", title="touch a")
        assert shown(one, call) == ["tool_call"]


def test_a_phone_that_watches_hears_it_too(box, begin, runs):
    call = held()
    editor = begin(use(call), say("done"))
    editor.answers = "allow_once"
    talk = editor.new(box.project)
    (session,) = runs.call("session/active")["sessions"]
    runs.driver.call("session/watch", {"session_id": session["id"]})
    number = talk.begin("go")
    begun = runs.driver.hear("claude_tool_begin", 30)
    includes(begun, tool_use_id=call.id, tool_name="Bash", title="Run a command", session_id=session["id"])
    call.gate.set()
    assert talk.ends(number) == "end_turn"


def test_a_call_that_is_broken_off_has_failed(box, begin):
    call = held()
    talk = begin(use(call), say("done")).new(box.project)
    number = talk.begin("go")
    begins(talk, call)
    talk.cancel()
    assert talk.ends(number) == "cancelled"
    talk.tool_is(call, "failed")
    assert not (box.project / "a").exists()


def test_a_call_whose_agent_is_killed_has_failed(box, begin):
    call = held()
    talk = begin(use(call), say("done")).new(box.project)
    talk.begin("go")
    begins(talk, call)
    child = only_child(box)
    os.kill(child, signal.SIGKILL)
    talk.tool_is(call, "failed")


def test_a_call_goes_on_behind_a_restart_of_the_daemon(box, cdev, begin):
    call = held()
    editor = begin(use(call), say("done"))
    editor.answers = "allow_once"
    talk = editor.new(box.project)
    talk.begin("go")
    begins(talk, call)
    cdev.kill()
    cdev.start()
    call.gate.set()
    talk.says("done")
    includes(talk.tool_is(call, "completed"), title="touch a")
    assert shown(talk, call) == ["tool_call"]


def test_a_call_whose_agent_ended_with_the_daemon_has_failed(box, cdev, begin):
    call = held()
    talk = begin(use(call), say("done")).new(box.project)
    talk.begin("go")
    begins(talk, call)
    child = only_child(box)
    cdev.kill()
    os.kill(child, signal.SIGKILL)
    until(lambda: not children(box), "it to end", 20)
    cdev.start()
    talk.tool_is(call, "failed")
    assert shown(talk, call) == ["tool_call"]


def test_a_history_has_it_once(box, begin, editors):
    call = held()
    editor = begin(use(call), say("done"))
    editor.answers = "allow_once"
    talk = editor.new(box.project)
    number = talk.begin("go")
    begins(talk, call)
    call.gate.set()
    talk.ends(number)
    editor.close()
    again = editors.open().load(talk)
    assert shown(again, call) == ["tool_call"]
    includes(again.tool(Call("", {}, call.id)), status="completed", title="touch a")
