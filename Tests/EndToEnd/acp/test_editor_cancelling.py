"""An editor takes back what it asked for: the turn ends as cancelled, and never with an error."""
import threading

import pytest

from harness.approver import RpcError
from harness.checks import includes
from harness.fake_model import bash, say, touch, use, write
from harness.runs import children
from harness.waiting import file_appears, until

pytestmark = pytest.mark.real_cli


def test_in_the_middle_of_a_tool(box, begin, runs):
    call = bash("touch started; sleep 600; touch ended")
    editor = begin(use(call), say("never"), say("after"))
    editor.answers = "allow_once"
    talk = editor.new(box.project)
    number = talk.begin("go")
    file_appears(box.project / "started", 30)
    talk.cancel()
    assert talk.ends(number) == "cancelled"
    includes(talk.tool(call), status="failed")
    assert talk.turn("on") == "end_turn"
    assert len(children(box)) == 1 and not (box.project / "ended").exists()


def test_in_the_middle_of_a_text(box, begin):
    more = threading.Event()
    talk = begin(write("a heron ", more, "never"), say("after")).new(box.project)
    number = talk.begin("go")
    talk.says("a heron")
    talk.cancel()
    assert talk.ends(number) == "cancelled"
    more.set()
    assert talk.turn("on") == "end_turn" and "never" not in talk.text()


def test_before_anything_was_said(box, begin):
    gate = threading.Event()
    talk = begin(say("never", gate=gate), say("after")).new(box.project)
    number = talk.begin("go")
    talk.cancel()
    assert talk.ends(number) == "cancelled"
    gate.set()
    assert talk.turn("on") == "end_turn"


def test_while_it_is_asked(box, cdev, begin):
    call = touch("a")
    editor = begin(use(call), say("never"), say("after"))
    phone = cdev.approver("phone")
    talk = editor.new(box.project)
    number = talk.begin("go")
    asked, card = editor.question(), phone.card(tool_use_id=call.id)
    # As the protocol wants it: the notification, then an answer to each open question.
    talk.cancel()
    editor.answer(asked, "cancelled")
    assert talk.ends(number) == "cancelled"
    phone.resolved(card)
    assert not (box.project / "a").exists() and not phone.pending()
    includes(talk.tool(call), status="failed")
    assert talk.turn("on") == "end_turn"


def test_while_it_is_asked_and_does_not_answer(box, cdev, begin):
    call = touch("a")
    editor = begin(use(call), say("never"))
    talk = editor.new(box.project)
    number = talk.begin("go")
    editor.question()
    talk.cancel()
    assert talk.ends(number) == "cancelled" and not (box.project / "a").exists()


def test_the_prompts_that_wait_too(box, begin):
    gate = threading.Event()
    talk = begin(say("never", gate=gate), say("after")).new(box.project)
    numbers = [talk.begin("first"), talk.begin("a heron")]
    until(lambda: begin.model.requests, "the first to be at work", 20)
    talk.cancel()
    assert [talk.ends(number) for number in numbers] == ["cancelled", "cancelled"]
    gate.set()
    assert talk.turn("on") == "end_turn" and "a heron" not in str(begin.model.requests)


def test_one_that_waits_ends_as_its_own_turn_does(box, begin):
    """Claude Code takes the last one into the turn of the second, and is done with it before that turn's end."""
    gate, call = threading.Event(), touch("a")
    never = say("never", gate=gate)
    # The first is answered by nothing, so that the second is the first to be answered.
    editor = begin(lambda body: use(call) if "second" in str(body["messages"]) else never, say("both"))
    talk = editor.new(box.project)
    first, second = talk.begin("first"), talk.begin("second")
    until(lambda: begin.model.requests, "the first to be at work", 20)
    editor.notify("$/cancel_request", requestId=first)
    assert editor.reply(first)["error"]["code"] == -32800
    gate.set()
    question, third = editor.question(), talk.begin("third")
    editor.settle()
    editor.answer(question, "allow_once")
    assert [talk.ends(second), talk.ends(third)] == ["end_turn", "end_turn"] and talk.text() == "both"


def test_where_nothing_is_at_work(box, begin):
    talk = begin(say("one"), say("two")).new(box.project)
    talk.cancel()
    assert talk.turn("go") == "end_turn"
    talk.cancel()
    assert talk.turn("on") == "end_turn" and talk.text() == "onetwo", "all of both"


def test_twice(box, begin):
    gate = threading.Event()
    talk = begin(say("never", gate=gate), say("after")).new(box.project)
    number = talk.begin("go")
    until(lambda: begin.model.requests, "it to be at work", 20)
    talk.cancel()
    talk.cancel()
    assert talk.ends(number) == "cancelled"
    gate.set()
    assert talk.turn("on") == "end_turn"


def test_by_the_number_of_the_request(box, begin):
    gate = threading.Event()
    editor = begin(say("never", gate=gate), say("after"))
    talk = editor.new(box.project)
    number = talk.begin("go")
    until(lambda: begin.model.requests, "it to be at work", 20)
    editor.notify("$/cancel_request", requestId=number)
    try:
        assert talk.ends(number) == "cancelled"
    except RpcError as error:
        assert error.code == -32800, error
    gate.set()
    editor.notify("$/cancel_request", requestId=4711)
    assert talk.turn("on") == "end_turn"


def test_by_the_number_of_a_request_that_is_not_known_yet(box, begin):
    """Both lines are read at once."""
    editor = begin(*[say("after")] * 9)
    talk = editor.new(box.project)
    for _ in range(8):
        with editor.together():
            number = talk.begin("a heron")
            editor.notify("$/cancel_request", requestId=number)
        with pytest.raises(RpcError) as error:
            talk.ends(number)
        assert error.value.code == -32800
    assert talk.turn("on") == "end_turn" and "a heron" not in str(begin.model.requests)


def test_a_prompt_behind_a_cancel_is_not_cancelled(box, begin):
    """It may be sent before the cancelled one is answered."""
    gate = threading.Event()
    talk = begin(say("first", gate=gate), say("after"), say("late")).new(box.project)
    first = talk.begin("go")
    until(lambda: begin.model.requests, "it to be at work", 20)
    talk.cancel()
    second = talk.begin("on")
    assert talk.ends(first) == "cancelled"
    gate.set()
    assert talk.ends(second) == "end_turn"


def test_a_phone_interrupts(box, begin, runs):
    gate = threading.Event()
    talk = begin(say("never", gate=gate), say("after")).new(box.project)
    number = talk.begin("go")
    until(lambda: begin.model.requests, "it to be at work", 20)
    (session,) = runs.call("session/active")["sessions"]
    runs.driver.call("session/interrupt", {"session_id": session["id"]})
    assert talk.ends(number) == "cancelled"
    gate.set()
    assert talk.turn("on") == "end_turn"


def test_by_another_editor(box, begin, editors):
    call = bash("touch started; sleep 600")
    editor = begin(use(call), say("after"))
    editor.answers = "allow_once"
    talk = editor.new(box.project)
    number = talk.begin("go")
    file_appears(box.project / "started", 30)
    other = editors.open().load(talk)
    other.cancel()
    assert talk.ends(number) == "cancelled"
    assert other.turn("on") == "end_turn" and other.text() == "after"


def test_behind_a_load_in_the_same_connection(box, begin):
    more = threading.Event()
    editor = begin(write("a heron ", more, "never"), say("after"))
    talk = editor.new(box.project)
    number = talk.begin("go")
    talk.says("a heron")
    editor.load(talk)
    talk.cancel()
    assert talk.ends(number) == "cancelled"
    more.set()
    assert talk.turn("on") == "end_turn"
