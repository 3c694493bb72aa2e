"""Agents that run Claude Code's hooks and are left to themselves, and denied calls that ran all the same."""
from harness.checks import includes, no_card
from harness.waiting import until


def cursor(daemon, event, **fields):
    """As Cursor's engine sends it to a hook of Claude Code's settings."""
    session = daemon.session()
    return session.post("/hooks/claude", {
        "conversation_id": "c1", "session_id": "c1", "generation_id": "g1", "hook_event_name": event,
        "cwd": str(daemon.box.project), "cursor_version": "3.0", **fields})


def test_cursor_is_left_to_itself_visibly(box, daemon, phone):
    (box.home / ".cursor").mkdir()
    assert cursor(daemon, "sessionStart") == {}
    assert cursor(daemon, "preToolUse", tool_name="Shell", tool_input={"command": "touch x"}, tool_use_id="t1") == {}
    assert cursor(daemon, "postToolUse", tool_name="Shell", tool_input={"command": "touch x"}, tool_use_id="t1") == {}
    includes(phone.hear("agent_not_held"), agent="cursor", cwd=str(box.project))
    no_card(phone)
    listed = daemon.json("sessions")
    assert listed["sessions"] == [] and [entry["agent"] for entry in listed["bystanders"]] == ["cursor"]
    assert "not held: Cursor" in daemon.ok("sessions")
    assert "Cursor" in daemon.run("doctor").stdout
    until(lambda: "an agent runs our hooks and is not held" in daemon.log(), "a line in the log")
    assert len(phone.heard("agent_not_held")) == 1


def test_a_denied_call_that_runs_is_an_alarm(daemon, phone):
    follower = daemon.spawn("pending", "--follow")
    session = daemon.session()
    held = session.bash("touch x")
    card = phone.card(tool_use_id=held.tool_use_id)
    follower.shows(card["request_id"][:8])
    phone.respond(card, "deny")
    assert held.decision() == "deny"
    session.ran(held)
    session.ran(held)
    includes(phone.hear("deny_ignored"), agent="claude", tool_use_id=held.tool_use_id, tool_name="Bash",
             denied_by="device phone", session_id=session.id)
    follower.shows("ALARM: Claude Code ran a call of Bash")
    assert "a call ran though it was denied" in daemon.log()
    assert phone.call("permission/stats")["denies_ignored"] == 1
    assert len(phone.heard("deny_ignored")) == 1
