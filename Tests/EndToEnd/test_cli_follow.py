"""What goes on as lines: `pending --follow`, `log --follow`, and what the daemon writes into its log."""
import json
import re
import select
import socket

import pytest

from harness import http1
from harness.checks import held_id, includes
from harness.waiting import until


@pytest.fixture
def bare(holding):
    return holding


def line(follower, text):
    """The first line with this text, which is one whole JSON object of the listings' version."""
    value = json.loads(follower.shows(text))
    assert value["version"] == 1, value
    return value


def test_pending_follow_json(holding, session):
    earlier = session.bash("touch a")
    request = held_id(holding, earlier)
    follower = holding.spawn("pending", "--follow", "--json")
    shown = line(follower, request)
    includes(shown, event="pty_permission")
    includes(shown["params"], request_id=request, tool_name="Bash", tool_input=earlier.payload["tool_input"])
    later = session.bash("touch b\n\x1b[31m")
    card = line(follower, "touch b")["params"]
    includes(card, tool_input=later.payload["tool_input"], tool_use_id=later.tool_use_id)
    holding.ok("deny", card["request_id"], "--message", "no")
    end = line(follower, "pty_permission_resolved")
    includes(end, event="pty_permission_resolved")
    includes(end["params"], request_id=card["request_id"], decision="deny", resolved_by="local", message="no")
    holding.run("allow", request, env={"CLAUDECODE": "1"})
    includes(line(follower, "agent_refused")["params"], method="permission/respond")
    phone = holding.json("token", "create", "phone")
    includes(line(follower, "device_paired")["params"], device_id=phone["device_id"], name="phone")
    holding.ok("devices", "revoke", "phone")
    includes(line(follower, "device_revoked")["params"], device_id=phone["device_id"], name="phone")
    assert "\x1b" not in "".join(follower.lines)


@pytest.mark.parametrize("words", [("pending", "--follow"), ("watch",)])
def test_whoever_watches_is_told_who_comes_in_and_goes(holding, words):
    follower = holding.spawn(*words)
    until(lambda: holding.local.call("permission/stats")["approvers"] == 1, "the follower to be counted")
    offer = holding.local.call("pair/start")
    ticket = http1.ask(holding.tcp, "POST", "/api/pair/code", {"code": offer["code"]}).json["pairing_token"]
    ask = {"pairing_token": ticket, "name": "tab\x1bA\nlet"}
    waiting = http1.ask(holding.tcp, "POST", "/api/auth/exchange", ask).json["request_id"]
    follower.shows(f"typed a code and asks to be let in: cdev pair approve {waiting}")
    holding.run("pair", env={"CLAUDECODE": "1"})
    follower.shows("inside an agent tried pair/start")
    holding.ok("pair", "approve", waiting)
    device = http1.ask(holding.tcp, "POST", "/api/auth/exchange", ask).json["device_id"]
    follower.shows(f"which may answer; if it is not yours: cdev devices revoke {device}")
    holding.ok("devices", "revoke", device)
    follower.shows("let in no more: ")
    assert "\x1b" not in "".join(follower.lines)


@pytest.mark.parametrize(("words", "says"), [
    (("pending", "--follow"), "waiting for requests"), (("log", "--follow"), "waiting for decisions"),
])
def test_who_follows_is_told_that_it_waits_and_connects_again(holding, words, says):
    follower = holding.spawn(*words)
    follower.shows(says)
    holding.stop()
    follower.shows("the daemon is away")
    holding.start()
    follower.shows("the daemon is back")
    held = holding.session().bash("touch later")
    request = held_id(holding, held)
    holding.ok("deny", request)
    follower.shows("denied")
    assert sum("touch later" in line for line in follower.lines) == 1


def test_who_follows_a_daemon_that_ends_while_it_is_asked_connects_again(holding):
    follower = holding.spawn("log", "--follow")
    follower.shows("waiting for decisions")
    holding.stop()
    with socket.socket(socket.AF_UNIX) as ending:
        ending.bind(str(holding.socket))
        ending.listen()
        for _ in range(2):
            asked, _ = ending.accept()
            select.select([asked], [], [])
            asked.close()  # The kernel tells the other side of the bytes that nobody read.
    holding.socket.unlink()
    holding.start()
    follower.shows("the daemon is back")


def test_who_follows_is_told_of_a_session_that_asks_nothing(holding, session):
    follower = holding.spawn("pending", "--follow")
    follower.shows("waiting for requests")
    for _ in range(2):
        assert session.bash("touch a", permission_mode="auto").decision() == "pass"
        session.tell("PreToolUse", tool_name="Bash", tool_input={"command": "touch b"}, tool_use_id="t", permission_mode="auto")
    line = follower.shows("Claude Code decides by itself in mode auto")
    assert f"cdev gate {session.id[:8]} always" in line
    holding.ok("deny", held_id(holding, session.bash("touch c")))
    follower.shows("denied")
    assert sum("mode auto" in one for one in follower.lines) == 1


def test_no_gate_is_named_where_none_would_ask(holding, session):
    follower = holding.spawn("pending", "--follow")
    follower.shows("waiting for requests")
    holding.ok("gate", session.id[:8], "always")
    assert session.bash("touch a", permission_mode="bypassPermissions").decision() == "pass"
    session.tell("PreToolUse", tool_name="Bash", tool_input={"command": "touch b"}, tool_use_id="t",
                 permission_mode="bypassPermissions")
    line = follower.shows("asks about nothing in mode bypassPermissions")
    assert "leave this mode" in line and "cdev gate" not in line
    said = holding.run("doctor").stdout
    assert "leave this mode" in said and f"cdev gate {session.id[:8]}" not in said


def test_log_follow_json(holding, session):
    first, second = session.bash("touch a"), session.bash("touch b")
    requests = [held_id(holding, held) for held in (first, second)]
    holding.ok("allow", requests[0])
    follower = holding.spawn("log", "--follow", "--json")
    includes(line(follower, requests[0]), decision="allow", resolved_by="local", tool_name="Bash")
    assert not any(requests[1] in one for one in follower.lines)
    holding.ok("deny", requests[1])
    entry = includes(line(follower, requests[1]), decision="deny", resolved_by="local", tool_name="Bash", target="touch b")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", entry["at"])


def test_log_follow_json_of_one_session(holding, session):
    other = holding.session()
    other.start()
    follower = holding.spawn("log", "--follow", "--json", "--session", session.id)
    until(lambda: '"cdev log"' in holding.log(), "the follower to be connected")
    for one in (other.bash("touch theirs"), session.bash("touch ours")):
        holding.ok("deny", held_id(holding, one))
    line(follower, "touch ours")
    assert not any("touch theirs" in one for one in follower.lines)


# What each level of the log shows: these lines, by their level.
LOGGED = {
    "debug": "event type=claude_hook_stop",
    "info": "hook asks path=/hooks/claude event=PreToolUse",
    "warning": "a process inside an agent was refused",
}


@pytest.mark.parametrize(("level", "shown"), [
    ("debug", {"debug", "info", "warning"}), ("info", {"info", "warning"}), ("warning", {"warning"}), ("error", set()),
])
def test_log_levels(cdev, level, shown):
    cdev.start("--log-level", level, no_approver="hold")
    session = cdev.session()
    session.start()
    held = session.bash("touch a")
    request = held_id(cdev, held)
    cdev.run("allow", request, env={"CLAUDECODE": "1"})
    cdev.ok("deny", request)
    assert held.decision() == "deny"
    session.tell("Stop", stop_hook_active=False)
    cdev.stop()
    lines = (cdev.box.cdev_home / "server.log").read_text().splitlines() if shown else []
    found = {name for name, text in LOGGED.items() if any(f" {name} {text}" in one for one in lines)}
    assert found == shown
    rank = ["debug", "info", "warning", "error"]
    assert all(rank.index(one.split()[1]) >= rank.index(level) for one in lines), lines
    # Whatever the level: nothing of what a tool was called with.
    assert "touch a" not in cdev.log()


def test_the_log_says_by_which_door_a_hook_asks(holding, session):
    session.bash("touch a", event="PermissionRequest")
    session.call("Bash", {"command": "touch b"}, target="/api/hooks/permission-request")
    for path, event in (("/hooks/claude", "PermissionRequest"), ("/api/hooks/permission-request", "PreToolUse")):
        until(lambda: f"info hook asks path={path} event={event}" in holding.log(), f"{path} in the log")
