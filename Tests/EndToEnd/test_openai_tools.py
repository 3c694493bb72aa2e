"""Servers of tools in the shape of OpenAI's API, as the real Claude Code tells of them."""
import json
import os
import signal
import sys

import pytest

from harness import tool_server
from harness.fake_model import say
from harness.openai_chat import Chat
from harness.runs import Runs, only_child
from harness.waiting import until

pytestmark = pytest.mark.real_cli


@pytest.fixture
def runs(box, cdev):
    return Runs(box, cdev)


@pytest.fixture
def talk(box, cdev, runs, model):
    """A daemon whose user has two servers, of which one cannot be started."""
    path = box.config / ".claude.json"
    config = json.loads(path.read_text())
    config["mcpServers"] = {
        "my web": {"type": "stdio", "command": sys.executable, "args": [tool_server.__file__], "env": {"KEY": "swordfish"}},
        "broken": {"type": "stdio", "command": "/nonexistent/swordfish"}}
    path.write_text(json.dumps(config))
    made = model(say("one"), say("two"))
    runs.begin(made)
    return Chat(runs, cdev, made)


def ids(answer, name):
    return [found["id"] for found in answer.json[name]]


def connected(talk, session):
    """Waits until the agent has its server, which it starts beside the first turn."""
    path = f"/v1/sessions/{session}/tools"
    until(lambda: talk.http("GET", path).json["tools"], lambda: talk.http("GET", path).body, 20)
    return talk.http("GET", path)


def test_servers_and_their_tools(talk):
    assert talk.http("GET", "/v1/mcp/servers").json == {"object": "list", "servers": [], "next_cursor": None}
    session = talk.ask().session_id
    tools = connected(talk, session)
    assert ids(tools, "servers") == ["my web", "broken"]
    assert ids(tools, "tools") == ["my web/peek", "my web/poke", "my web/bare"]
    assert [tool["read_only"] for tool in tools.json["tools"]] == [True, None, None]
    listed = talk.http("GET", "/v1/mcp/servers")
    broken, web = listed.json["servers"]
    assert (web["id"], web["status"], web["scope"], web["transport"], web["tool_count"], web["session_id"]) == (
        "my web", "connected", "user", "stdio", 3, session)
    assert (broken["status"], broken["tool_count"]) == ("failed", 0) and "ENOENT" in broken["error"]
    assert b"KEY" not in listed.body and b"tool_server.py" not in listed.body, "how it is started is nobody's business"
    assert ids(talk.http("GET", "/v1/mcp/servers/my%20web/tools"), "tools") == ids(tools, "tools")
    assert talk.http("GET", "/v1/mcp/servers/nobody/tools").json["error"]["code"] == "not_found"
    assert ids(talk.http("GET", f"/v1/mcp/servers?session_id={session}&limit=1"), "servers") == ["my web"]
    assert talk.ask("more", extra_body={"session_id": session}).choices[0].message.content == "two"


def test_a_wish_changes_nothing(box, talk, cdev, runs):
    session = talk.ask().session_id
    before = connected(talk, session).json
    config, path = (box.config / ".claude.json"), f"/v1/sessions/{session}/tools"
    written = json.loads(config.read_text())["projects"]
    has = {"enabled_servers": ["my web"], "enabled_tools": ids(talk.http("GET", path), "tools"), "priority": [], "audit_log": True}
    assert talk.http("POST", path, has).json == before
    for wish, param in (({"enabled_servers": []}, "enabled_servers"), ({"enabled_tools": ["my web/peek"]}, "enabled_tools"),
                        ({"priority": ["my web/peek"]}, "priority"), ({"audit_log": False}, "audit_log"),
                        ({"enabled_servers": 7}, "enabled_servers")):
        refusal = talk.http("POST", path, wish)
        assert refusal.status == 400 and refusal.json["error"]["param"] == param, refusal
    viewer = Chat(runs, cdev, rights="view")
    assert viewer.http("POST", path, {}).status == 403 and viewer.http("GET", path).json == before
    assert talk.http("POST", "/v1/sessions/s_none/tools", {}).status == 404
    assert talk.http("GET", path).json == before and json.loads(config.read_text())["projects"] == written


def test_a_session_without_a_process_tells_nothing(box, talk):
    session = talk.ask().session_id
    child = only_child(box)
    os.kill(child, signal.SIGKILL)
    until(lambda: talk.http("GET", f"/v1/sessions/{session}").json["state"] == "parked", lambda: "it to be parked", 20)
    refusal = talk.http("GET", f"/v1/sessions/{session}/tools")
    assert refusal.status == 409 and refusal.json["error"]["code"] == "not_running"
    assert talk.http("GET", "/v1/mcp/servers").json["servers"] == []
    assert talk.ask("more", extra_body={"session_id": session}).choices[0].message.content == "two"
    assert ids(connected(talk, session), "servers") == ["my web", "broken"]
