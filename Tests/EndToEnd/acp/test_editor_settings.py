"""Modes and options of a session, set by the editor and by others."""
import os
import signal

import pytest

from harness.approver import RpcError
from harness.fake_model import say, touch, use
from harness.runs import children
from harness.waiting import until

pytestmark = pytest.mark.real_cli


def end_process(box):
    for pid in children(box):
        os.kill(pid, signal.SIGTERM)


def option(result, category):
    (found,) = [one for one in result["configOptions"] if one.get("category") == category]
    return found


def test_the_mode_is_set(box, begin, runs):
    editor = begin(say("one"))
    talk = editor.new(box.project)
    assert editor.call("session/set_mode", sessionId=talk.id, modeId="plan") == {}
    talk.hears("current_mode_update", lambda update: update["currentModeId"] == "plan")
    talk.hears("config_option_update", lambda update: option(update, "mode")["currentValue"] == "plan")
    assert talk.turn("go") == "end_turn"
    (session,) = runs.call("session/active")["sessions"]
    assert session["permission_mode"] == "plan"


def test_the_mode_is_an_option_too(box, begin, runs):
    editor = begin(say("one"))
    talk = editor.new(box.project)
    mode = option(talk.result, "mode")
    assert [one["value"] for one in mode["options"]] == [one["id"] for one in talk.result["modes"]["availableModes"]]
    said = editor.call("session/set_config_option", sessionId=talk.id, configId=mode["id"], value="acceptEdits")
    assert option(said, "mode")["currentValue"] == "acceptEdits"
    assert {one["id"] for one in said["configOptions"]} >= {one["id"] for one in talk.result["configOptions"]}, "all of them"
    talk.hears("current_mode_update", lambda update: update["currentModeId"] == "acceptEdits")
    until(lambda: runs.call("session/active")["sessions"][0]["permission_mode"] == "acceptEdits", "the mode to be in force", 20)


def test_the_model_is_set(box, begin, runs):
    editor = begin(say("one"))
    talk = editor.new(box.project)
    model = talk.option("model")
    assert {"default", "haiku"} <= {one["value"] for one in model["options"]}
    said = editor.call("session/set_config_option", sessionId=talk.id, configId=model["id"], value="haiku")
    assert option(said, "model")["currentValue"] == "haiku"
    assert talk.turn("go") == "end_turn"
    assert "haiku" in begin.model.requests[-1]["model"]
    (session,) = runs.call("session/active")["sessions"]
    assert "haiku" in session["model"]


def effort_of(begin):
    return begin.model.requests[-1]["output_config"]["effort"]


def test_the_effort_is_set(box, begin, editors, runs):
    editor = begin(*map(say, ("one", "two", "three", "four")))
    talk = editor.new(box.project)
    effort = talk.option("thought_level")
    assert effort["currentValue"] == "default" and {"default", "low", "high"} <= {one["value"] for one in effort["options"]}
    other = editors.open().load(talk)
    assert talk.turn("go") == "end_turn"
    usual = effort_of(begin)
    said = editor.call("session/set_config_option", sessionId=talk.id, configId=effort["id"], value="low")
    assert option(said, "thought_level")["currentValue"] == "low"
    other.hears("config_option_update", lambda update: option(update, "thought_level")["currentValue"] == "low")
    assert talk.turn("on") == "end_turn" and effort_of(begin) == "low" != usual
    # Another process begins with it.
    end_process(box)
    until(lambda: runs.call("session/active")["sessions"][0]["claude_state"] == "parked", "the process to end", 20)
    assert talk.turn("on") == "end_turn" and effort_of(begin) == "low"
    editor.call("session/set_config_option", sessionId=talk.id, configId=effort["id"], value="default")
    assert talk.turn("on") == "end_turn" and effort_of(begin) == usual


def test_an_effort_is_set_while_the_agent_starts_and_for_the_next_daemon(box, cdev, begin, editors):
    editor = begin(say("one"), say("two"))
    editor.new(box.project).option("thought_level")
    # What the last agent offered is known by now.
    talk = editor.new(box.project)
    editor.call("session/set_config_option", sessionId=talk.id, configId="effort", value="high")
    assert talk.turn("go") == "end_turn" and effort_of(begin) == "high"
    editor.close()
    cdev.kill()
    cdev.start()
    again = editors.open().load(talk)
    assert again.option("thought_level")["currentValue"] == "high"
    assert again.turn("on") == "end_turn" and effort_of(begin) == "high"


def test_what_there_is_not_is_not_set(box, begin):
    editor = begin(say("one"))
    talk = editor.new(box.project)
    for mode in ("nonsense", "", "bypassPermissions"):
        with pytest.raises(RpcError) as error:
            editor.call("session/set_mode", sessionId=talk.id, modeId=mode)
        assert error.value.code == -32602, mode
    for option, value in (("nonsense", "x"), ("mode", "nonsense"), ("mode", True), ("mode", "bypassPermissions"),
                          ("effort", "nonsense"), ("effort", ""), ("effort", "Low"), ("effort", 3), ("thought_level", "low")):
        with pytest.raises(RpcError) as error:
            editor.call("session/set_config_option", sessionId=talk.id, configId=option, value=value)
        assert error.value.code == -32602, (option, value)
    assert talk.turn("go") == "end_turn"


def test_bypass_is_offered_where_it_can_be_had_only(box, begin):
    """Claude Code changes to it only where it was started for that."""
    call = touch("a")
    editor = begin(use(call), say("one"), allow_bypass=True)
    editor.answers = "reject_once"
    talk = editor.new(box.project)
    is_offered = "bypassPermissions" in {mode["id"] for mode in talk.result["modes"]["availableModes"]}
    try:
        editor.call("session/set_mode", sessionId=talk.id, modeId="bypassPermissions")
    except RpcError:
        assert not is_offered
    assert talk.turn("go") == "end_turn"
    assert (box.project / "a").exists() == is_offered != bool(editor.of("session/request_permission"))


def test_what_a_phone_sets_is_heard(box, begin, runs):
    talk = begin(say("one")).new(box.project)
    (session,) = until(lambda: [one for one in runs.call("session/active")["sessions"] if one["claude_state"] == "idle"], "its start", 20)
    runs.driver.call("session/set", {"session_id": session["id"], "permission_mode": "plan", "title": "A heron"})
    talk.hears("current_mode_update", lambda update: update["currentModeId"] == "plan")
    talk.hears("config_option_update", lambda update: option(update, "mode")["currentValue"] == "plan")
    talk.hears("session_info_update", lambda update: update.get("title") == "A heron")
    runs.driver.call("session/set", {"session_id": session["id"], "model": "haiku"})
    talk.hears("config_option_update", lambda update: option(update, "model")["currentValue"] == "haiku")


def test_a_mode_that_was_set_stays_with_the_conversation(box, begin, editors):
    editor = begin(say("one"))
    talk = editor.new(box.project)
    editor.call("session/set_mode", sessionId=talk.id, modeId="plan")
    talk.turn("go")
    editor.close()
    again = editors.open().load(talk)
    assert again.result["modes"]["currentModeId"] == "plan" and option(again.result, "mode")["currentValue"] == "plan"
