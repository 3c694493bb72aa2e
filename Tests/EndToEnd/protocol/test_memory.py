"""What is known of sessions after the daemon was restarted."""
import datetime
import os

import pytest

from harness.checks import includes
from harness.waiting import until


def mine(phone, session):
    return next(one for one in phone.call("hook/sessions")["sessions"] if one["session_id"] == session.id)


def ran(phone, session, command):
    held = session.bash(command)
    phone.respond(phone.card(tool_use_id=held.tool_use_id), "allow")
    held.answer()
    return held


@pytest.fixture
def before(cdev):
    cdev.start()
    token = cdev.token()
    session = cdev.session(headers={"Cdev-Claude-Pid": str(os.getpid())})
    session.start()
    return token, session


def test_last_activity_and_tools_survive_a_restart(cdev, before):
    token, session = before
    phone = cdev.approver(token=token)
    session.ran(ran(phone, session, "touch a"))
    running = ran(phone, session, "touch b")
    phone.settle()
    known = mine(phone, session)
    cdev.stop()
    cdev.start()
    again = cdev.approver(token=token)
    after = mine(again, session)
    includes(after, state="tool_running", last_activity=known["last_activity"], tool_history=known["tool_history"])
    session.ran(running)
    again.hear("claude_hook_tool_end", tool_use_id=running.tool_use_id)
    includes(mine(again, session), state="active", current_tool=None)
    assert [run["is_error"] for run in mine(again, session)["tool_history"]] == [False, False]


def test_a_killed_daemon_knows_at_most_half_a_minute_less(cdev, before):
    token, session = before
    phone = cdev.approver(token=token)
    session.ran(ran(phone, session, "touch a"))
    cdev.kill()
    cdev.start()
    after = mine(cdev.approver(token=token), session)
    heard = datetime.datetime.fromisoformat(after["last_activity"].replace("Z", "+00:00"))
    assert after["state"] == "active"
    assert datetime.datetime.now(datetime.timezone.utc) - heard < datetime.timedelta(seconds=60)


def test_a_shortened_input_says_so(cdev, before):
    token, session = before
    phone = cdev.approver(token=token)
    command = "touch " + "a" * 5000
    ran(phone, session, command)
    ran(phone, session, "touch b")
    long, short = mine(phone, session)["tool_history"]
    assert long["truncated"]["$.tool_input"] > 5000 and len(long["tool_input"]["command"]) < 1100
    assert short["truncated"] == {}
    session.tell("Stop", stop_hook_active=False, last_assistant_message="", background_tasks=[], session_crons=[])
    ends = until(lambda: phone.heard("claude_hook_tool_end") if len(phone.heard("claude_hook_tool_end")) == 2 else None,
                 "both ends")
    assert ends[0]["truncated"] == long["truncated"] and "truncated" not in ends[1]
