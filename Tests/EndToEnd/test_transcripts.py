"""Transcripts that the real Claude Code writes: listed, read in pages, followed live, searched, shown in the terminal."""
import json

import pytest

from harness.checks import delivered, includes
from harness.fake_model import Call, Conversation, say, touch, use
from harness.waiting import until

pytestmark = pytest.mark.real_cli

TASK = "SUBTASK: look around"


def history(phone, **params):
    return phone.call("workspace/session/history", params)["sessions"]


def pages(phone, session, limit, order="asc"):
    """All messages, read in pages of this size."""
    found = []
    while True:
        page = phone.call("workspace/session/messages",
                          {"session_id": session, "limit": limit, "offset": len(found), "order": order})
        found += page["messages"]
        if not page["has_more"]:
            assert len(found) == page["total"]
            return found


def texts(messages):
    """The texts of messages, and the names of tools that they call."""
    found = []
    for message in messages:
        content = message["message"]["content"] if "message" in message else message["content"]
        for block in [{"type": "text", "text": content}] if isinstance(content, str) else content:
            found.append(block.get("text") or block.get("name") or block["type"])
    return found


def allowed(phone, call):
    phone.respond(phone.card(tool_use_id=call.id), "allow")


def test_a_session_is_listed_read_and_searched(box, cdev, daemon, phone, model, claude):
    call = touch("xylophone")
    run = claude(model(use(call), say("made the instrument")), "please make an instrument")
    allowed(phone, call)
    delivered(run, "made the instrument")
    (session,) = history(phone)
    includes(session, session_id=run.session_id, cwd=str(box.project), message_count=4)
    assert session["summary"] and session["branch"]
    whole = pages(phone, run.session_id, 500)
    assert texts(whole) == ["please make an instrument", "Bash", "tool_result", "made the instrument"]
    assert [message["id"] for message in whole] == [1, 2, 3, 4]
    assert pages(phone, run.session_id, 1) == whole
    assert pages(phone, run.session_id, 3, "desc") == whole[::-1]
    found = phone.call("workspace/session/messages", {"session_id": run.session_id, "tool_use_id": call.id, "order": "asc"})
    includes(found["messages"][0], id=2)
    hits = phone.call("session/search", {"query": "XYLOPHONE touch"})["hits"]
    includes(hits[0], session_id=run.session_id, id=2)
    assert "touch xylophone" in hits[0]["snippet"]
    shown = cdev.ok("transcript", run.session_id[:8])
    assert "> please make an instrument" in shown and "▸ Bash  touch xylophone" in shown
    assert shown.index("touch xylophone") < shown.index("made the instrument")
    lines = [json.loads(line) for line in cdev.ok("transcript", run.session_id, "--json").splitlines()]
    assert [line["id"] for line in lines] == [1, 2, 3, 4]
    assert run.session_id[:8] in cdev.ok("search", "xylophone")
    assert "nothing was found" in cdev.ok("search", "trombone")
    assert cdev.run("transcript", "zzzz").returncode == 1


def blocks(messages, kind):
    """The parts of messages that are of this type."""
    lists = [message["message"]["content"] for message in messages if isinstance(message["message"]["content"], list)]
    return [block for content in lists for block in content if block["type"] == kind]


def test_calls_are_described_with_what_they_changed(box, cdev, daemon, phone, model, claude):
    file = box.project / "notes.txt"
    file.write_text("one\ntwo\nthree\n")
    look = Call("Read", {"file_path": str(file)})
    change = Call("Edit", {"file_path": str(file), "old_string": "two", "new_string": "2"})
    run = claude(model(use(look), use(change), say("changed")))
    allowed(phone, change)
    delivered(run, "changed")
    whole = pages(phone, run.session_id, 500)
    read, edit = blocks(whole, "tool_use")
    includes(read, name="Read", kind="read", members={"file": "file_path", "line": "offset"}, title="Read a file")
    includes(edit, name="Edit", kind="file_changes", title="Change a file")
    includes(edit["input"], **change.input)
    assert edit["input"][edit["members"]["new"]] == "2"
    without, told = blocks(whole, "tool_result")
    assert "difference" not in without
    includes(told["difference"], kind="diff", path=str(file), added=1, removed=1, more=0)
    (hunk,) = told["difference"]["hunks"]
    assert [(line["op"], line["text"]) for line in hunk["lines"]] == [(" ", "one"), ("-", "two"), ("+", "2"), (" ", "three")]


def test_a_session_is_followed_live(box, cdev, daemon, phone, model, claude):
    first, second = touch("a"), touch("b")
    run = claude(model(use(first), use(second), say("both are there")), "make two")
    card = phone.card(tool_use_id=first.id)
    until(lambda: history(phone), "the transcript to be there")
    before = pages(phone, run.session_id, 500)
    includes(phone.call("workspace/session/watch", {"session_id": run.session_id}), watching=True)
    phone.hear("session_watch_changed", watching=True, session_id=run.session_id)
    other = cdev.approver("other")
    phone.respond(card, "allow")
    allowed(phone, second)
    delivered(run, "both are there")
    whole = pages(phone, run.session_id, 500)
    until(lambda: len(before) + len(phone.heard("claude_message")) >= len(whole), "every message as an event")
    phone.settle()
    live = phone.heard("claude_message")
    # Nothing twice, nothing missing, in order.
    assert [m["uuid"] for m in before] + [m["uuid"] for m in live] == [m["uuid"] for m in whole]
    assert texts(before) + texts(live) == texts(whole)
    assert other.heard("claude_message") == []
    includes(phone.call("workspace/session/unwatch"), watching=False, session_id=run.session_id)


def test_a_terminal_follows(box, cdev, daemon, phone, model, claude):
    call = touch("a")
    run = claude(model(use(call), say("it is there")), "make one")
    card = phone.card(tool_use_id=call.id)
    until(lambda: history(phone), "the transcript to be there")
    follower = cdev.spawn("transcript", run.session_id, "--follow")
    follower.shows("> make one")
    phone.respond(card, "allow")
    follower.shows("▸ Bash  touch a")
    follower.shows("it is there")
    delivered(run, "it is there")


def test_a_subagent_is_joined_to_its_call(box, cdev, daemon, phone, model, claude):
    call = touch("x")
    start = Call("Agent", {"description": "look", "prompt": TASK, "subagent_type": "general-purpose"})
    sub = Conversation([use(call), say("sub done")], match="SUBTASK")
    run = claude(model(use(start), say("done"), say("done"), conversations=[sub]))
    allowed(phone, call)
    delivered(run)
    page = phone.call("workspace/session/messages", {"session_id": run.session_id})
    (agent,) = page["subagents"]
    includes(agent, tool_use_id=start.id, agent_type="general-purpose", description="look")
    inner = phone.call("workspace/session/messages",
                       {"session_id": run.session_id, "agent_id": agent["agent_id"], "order": "asc"})
    assert texts(inner["messages"])[0] == TASK
    assert agent["agent_id"] in cdev.ok("transcript", run.session_id)


def test_a_viewer_may_read_and_nobody_without_a_token(box, cdev, daemon, phone, model, claude):
    delivered(claude(model(say("done"))))
    viewer = cdev.approver("viewer", token=cdev.local.call("token/create", {"name": "v", "rights": "view"})["token"])
    assert len(history(viewer)) == 1


def test_the_index_is_made_anew(box, cdev, daemon, phone, model, claude):
    run = claude(model(say("kept")))
    delivered(run, "kept")
    assert len(history(phone)) == 1
    phone.close()
    cdev.stop()
    (box.cdev_home / "transcripts.db").write_bytes(b"nonsense" * 1000)
    cdev.start()
    assert texts(pages(cdev.approver("again"), run.session_id, 50))[-1] == "kept"
