"""A session's transcript and those of its subagents, followed while lines are written to the files."""
import json

import pytest

from harness.transcripts import Transcript
from harness.waiting import until

SESSION = "11111111-2222-4333-8444-555555555555"


@pytest.fixture
def phone(cdev):
    return cdev.start().approver("phone")


@pytest.fixture
def session(cdev, phone):
    made = Transcript(cdev.box, SESSION)
    made.prompt("please look around")
    made.calls("Agent", use_id="toolu_sub", description="look")
    return made


def describe(transcript, call):
    note = {"agentType": "Explore", "description": "look", "toolUseId": call}
    transcript.path.with_suffix("").with_suffix(".meta.json").write_text(json.dumps(note))


def texts(phone, **wanted):
    events = [event for event in phone.heard("claude_message") if all(event.get(key) == value for key, value in wanted.items())]
    return [event["content"][0]["text"] for event in events]


def test_a_subagents_lines_arrive_as_they_are_written(cdev, phone, session):
    phone.call("workspace/session/messages", {"session_id": SESSION})
    phone.call("workspace/session/watch", {"session_id": SESSION, "subagents": True})
    other = cdev.approver("other")
    other.call("workspace/session/watch", {"session_id": SESSION})
    # Neither the directory nor the file is there when the watch begins.
    inner = Transcript(cdev.box, SESSION, agent="abc")
    describe(inner, "toolu_sub")
    for number in range(3):
        inner.says(f"step {number}")
        until(lambda: texts(phone, agent_id="abc") == [f"step {one}" for one in range(number + 1)], "the step")
    for event in phone.heard("claude_message"):
        assert (event["parent_tool_use_id"], event["agent_id"], event["session_id"]) == ("toolu_sub", "abc", SESSION)
    assert [event["id"] for event in phone.heard("claude_message")] == [1, 2, 3]
    session.says("looked around")
    until(lambda: texts(other), "the session's own line")
    assert texts(other) == ["looked around"]
    assert "parent_tool_use_id" not in other.heard("claude_message")[0]


def test_nothing_twice_and_nothing_missing_behind_a_page(cdev, phone, session):
    inner = Transcript(cdev.box, SESSION, agent="abc")
    describe(inner, "toolu_sub")
    inner.says("before")
    page = phone.call("workspace/session/messages", {"session_id": SESSION})
    assert [(one["tool_use_id"], one["message_count"]) for one in page["subagents"]] == [("toolu_sub", 1)]
    inner.says("between")
    phone.call("workspace/session/watch", {"session_id": SESSION, "subagents": True})
    inner.says("after")
    until(lambda: texts(phone) == ["between", "after"], "both")
    whole = phone.call("workspace/session/messages", {"session_id": SESSION, "agent_id": "abc", "order": "asc"})
    assert [one["id"] for one in whole["messages"]] == [1, 2, 3]


def test_it_ends_with_the_watch(cdev, phone, session):
    inner = Transcript(cdev.box, SESSION, agent="abc")
    phone.call("workspace/session/watch", {"session_id": SESSION, "subagents": True})
    inner.says("one")
    until(lambda: texts(phone) == ["one"], "the first")
    phone.call("workspace/session/unwatch")
    inner.says("two")
    phone.call("workspace/session/watch", {"session_id": SESSION})
    session.says("three")
    until(lambda: "three" in texts(phone), "the session's own")
    assert texts(phone) == ["one", "three"]


def test_a_terminal_shows_a_subagents_lines_behind_a_bar(cdev, phone, session):
    follower = cdev.spawn("transcript", SESSION, "--follow")
    follower.shows("> please look around")
    # What a subagent wrote before the watch is a part of its own transcript only.
    phone.hear("session_watch_changed", watching=True, session_id=SESSION)
    inner = Transcript(cdev.box, SESSION, agent="abc")
    inner.calls("Grep", use_id="toolu_in", pattern="needle")
    inner.result("hay", use_id="toolu_in")
    follower.shows("  ┆   ▸ Grep  needle")
    session.result("done", use_id="toolu_sub")
    follower.shows("  ▸ Agent  look")
