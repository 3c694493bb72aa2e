"""Several sessions on one connection, several clients at one session."""
import threading

import pytest

from harness.checks import includes
from harness.editor import Talk
from harness.fake_model import Conversation, bash, say, touch, use
from harness.waiting import until

pytestmark = pytest.mark.real_cli


def test_two_sessions_do_not_mix(box, begin):
    calls = {name: touch(f"{name}.txt") for name in ("heron", "stork")}
    conversations = [Conversation([use(calls[name]), say(f"the {name} is there")], match=f"make {name}") for name in calls]
    editor = begin(conversations=conversations)
    other_place = box.root / "other"
    other_place.mkdir()
    places = {"heron": box.project, "stork": other_place}
    talks = {name: editor.new(place) for name, place in places.items()}
    numbers = {name: talk.begin(f"make {name}") for name, talk in talks.items()}
    asked = {question["params"]["sessionId"]: question for question in (editor.question(1), editor.question(2))}
    for name, talk in talks.items():
        assert asked[talk.id]["params"]["toolCall"]["toolCallId"] == calls[name].id
        editor.answer(asked[talk.id], "allow_once")
    for name, talk in talks.items():
        assert talk.ends(numbers[name]) == "end_turn"
        assert talk.text() == f"the {name} is there" and (places[name] / f"{name}.txt").exists()
        assert {update["toolCallId"] for update in talk.updates("tool_call")} == {calls[name].id}


def test_one_of_two_is_cancelled(box, begin):
    gate = threading.Event()
    conversations = [Conversation([say("never", gate=gate)], match="first"), Conversation([say("done", gate=gate)], match="second")]
    editor = begin(conversations=conversations)
    first, second = editor.new(box.project), editor.new(box.project)
    numbers = first.begin("first"), second.begin("second")
    until(lambda: len([one for one in begin.model.requests if one.get("tools")]) == 2, "both to be at work", 20)
    first.cancel()
    assert first.ends(numbers[0]) == "cancelled"
    gate.set()
    assert second.ends(numbers[1]) == "end_turn" and second.text() == "done"


def test_a_phone_sees_the_session_and_prompts_it(box, begin, runs):
    call = bash("echo a heron")
    editor = begin(say("one"), use(call), say("two"))
    talk = editor.new(box.project)
    assert talk.turn("go") == "end_turn"
    (session,) = runs.driver.call("session/active", {})["sessions"]
    includes(session, claude_session_id=talk.id, workspace_id=runs.workspace)
    runs.driver.call("session/send", {"session_id": session["id"], "prompt": "from the phone"})
    talk.says("from the phone", "user_message_chunk")
    talk.says("two")
    includes(talk.tool_is(call, "completed"), title="echo a heron", kind="execute")
    kinds = [update["sessionUpdate"] for update in talk.updates("user_message_chunk", "agent_message_chunk")]
    assert kinds[-2:] == ["user_message_chunk", "agent_message_chunk"], kinds


def test_its_own_prompt_is_not_told_to_the_editor_again(box, begin):
    editor = begin(say("one"))
    talk = editor.new(box.project)
    talk.turn("go")
    editor.settle()
    assert talk.text("user_message_chunk") in ("", "go"), "it knows what it wrote"


def test_two_editors_at_one_session(box, begin, editors):
    """Both see all of it, and the first answer counts."""
    call = touch("a")
    editor = begin(use(call), say("done"))
    talk = editor.new(box.project)
    other = editors.open()
    same = other.load(talk)
    number = talk.begin("go")
    first, second = editor.question(), other.question()
    other.answer(second, "allow_once")
    editor.taken_back(first)
    assert talk.ends(number) == "end_turn" and (box.project / "a").exists()
    same.says("done")
    assert same.text("user_message_chunk") == "go" and same.text() == talk.text() == "done"
    for one in (talk, same):
        includes(one.tool_is(call, "completed"), kind="execute", title="touch a")
    assert not other.of("$/cancel_request")


def test_two_editors_prompt_one_session(box, begin, editors):
    editor = begin(say("one"), say("two"))
    talk = editor.new(box.project)
    talk.turn("first")
    same = editors.open().load(talk)
    assert same.turn("second") == "end_turn"
    talk.says("second", "user_message_chunk")
    talk.says("two")


def test_a_session_of_a_phone_is_loaded(box, begin, runs):
    editor = begin(say("one"), say("two"))
    runs.start(prompt="from the phone")
    conversation = runs.becomes("idle")["claude_session_id"]
    assert conversation in {one["sessionId"] for one in editor.call("session/list", cwd=str(box.project))["sessions"]}
    talk = editor.load(Talk(editor, box.project, {"sessionId": conversation}))
    assert talk.text("user_message_chunk") == "from the phone" and talk.text() == "one"
    assert talk.turn("on") == "end_turn"
    assert len(runs.call("session/active")["sessions"]) == 1, "the same one"
