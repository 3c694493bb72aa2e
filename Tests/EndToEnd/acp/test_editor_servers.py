"""Servers of tools that an editor brings along."""
import http.server
import json
import sys
import threading

import pytest

from harness.approver import RpcError
from harness.editor import texts
from harness.fake_model import Call, say, use
from harness.runs import children

pytestmark = pytest.mark.real_cli

# Speaks just enough of the Model Context Protocol.
LAB = """
import json, os, sys
TOOL = {"name": "echo", "description": "says it again", "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}}}
for line in sys.stdin:
    message = json.loads(line)
    result = {
        "initialize": lambda p: {"protocolVersion": p["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": {"name": "lab", "version": "1"}},
        "tools/list": lambda p: {"tools": [TOOL]},
        "tools/call": lambda p: {"content": [{"type": "text", "text": " ".join([os.environ["LAB"], sys.argv[1], p["arguments"]["text"]])}]},
    }.get(message["method"], lambda p: {})
    if "id" in message:
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result(message.get("params"))}), flush=True)
"""


@pytest.fixture
def lab(box):
    path = box.root / "lab.py"
    path.write_text(LAB)
    return {"name": "lab", "command": sys.executable, "args": [str(path), "a grey"], "env": [{"name": "LAB", "value": "it is"}]}


@pytest.mark.parametrize("how", ["session/new", "session/load", "session/resume"])
def test_its_tools_are_there(box, begin, lab, how):
    call = Call("mcp__lab__echo", {"text": "heron"})
    editor = begin(use(call), say("done")) if how == "session/new" else begin(say("one"), use(call), say("done"))
    editor.answers = "allow_once"
    if how == "session/new":
        talk = editor.new(box.project, servers=[lab])
    else:
        talk = editor.new(box.project)
        talk.turn("first")
        editor.call("session/close", sessionId=talk.id)
        talk = editor.load(talk, how, servers=[lab])
    assert talk.turn("go") == "end_turn"
    assert "it is a grey heron" in texts(talk.tool_is(call, "completed"))


class _Lab(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        self._send(405)

    do_DELETE = do_GET

    def do_POST(self):
        message = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.keys.append(self.headers.get("x-key"))
        if "id" not in message:
            return self._send(202)
        params = message.get("params") or {}
        result = {
            "initialize": lambda: {
                "protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": {"name": "lab", "version": "1"}},
            "tools/list": lambda: {"tools": [{"name": "echo", "description": "says it again", "inputSchema": {"type": "object"}}]},
            "tools/call": lambda: {"content": [{"type": "text", "text": "a grey " + params["arguments"]["text"]}]},
        }.get(message["method"], dict)()
        self._send(200, {"jsonrpc": "2.0", "id": message["id"], "result": result})

    def _send(self, status, value=None):
        data = b"" if value is None else json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def test_those_of_one_elsewhere_are_there(box, begin):
    """Over HTTP, with the header that it asks for."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Lab)
    server.daemon_threads, server.keys = True, []
    threading.Thread(target=server.serve_forever, daemon=True).start()
    box.on_close(server.shutdown)
    call = Call("mcp__lab__echo", {"text": "heron"})
    editor = begin(use(call), say("done"))
    assert editor.hello["agentCapabilities"]["mcpCapabilities"]["http"] is True
    editor.answers = "allow_once"
    talk = editor.new(box.project, servers=[{
        "type": "http", "name": "lab", "url": f"http://127.0.0.1:{server.server_address[1]}/mcp", "headers": [{"name": "X-Key", "value": "secret"}]}])
    assert talk.turn("go") == "end_turn"
    assert "a grey heron" in texts(talk.tool_is(call, "completed")) and set(server.keys) == {"secret"}


@pytest.mark.parametrize("server", [
    {"type": "acp", "name": "lab", "id": "x"}, {"type": "http", "name": "lab", "url": 7, "headers": []}, {"name": "lab"},
    {"name": "", "command": "/bin/true", "args": [], "env": []},
    {"name": "lab", "command": "/bin/true", "args": [7], "env": []}, {"name": "lab", "command": "/bin/true", "args": [], "env": {"a": "b"}}, 7])
def test_what_is_no_server_that_it_takes_is_told(box, begin, server):
    editor = begin()
    with pytest.raises(RpcError) as error:
        editor.new(box.project, servers=[server])
    assert error.value.code == -32602 and not children(box)


def test_a_server_that_does_not_start_holds_nothing_up(box, begin):
    talk = begin(say("on")).new(box.project, servers=[{"name": "lab", "command": str(box.root / "nowhere"), "args": [], "env": []}])
    assert talk.turn("go") == "end_turn" and talk.text() == "on"
