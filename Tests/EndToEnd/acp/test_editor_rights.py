"""Who may speak at /acp, and what a device may not."""
import json
import shlex

import pytest
import websockets.sync.client
from websockets.exceptions import InvalidStatus

from harness.approver import RpcError
from harness.checks import includes
from harness.editor import Pipes, Socket
from harness.fake_model import bash, say, touch, use
from harness.runs import children
from harness.waiting import until

pytestmark = pytest.mark.real_cli


def token_of(runs, rights):
    return runs.call("token/create", name=rights, rights=rights)["token"]


@pytest.mark.parametrize("rights", ["view", "approve"])
def test_a_device_that_may_not_drive_is_refused(box, cdev, begin, editors, runs, rights):
    begin()
    editor = editors.start(Socket(cdev, token_of(runs, rights)))
    for ask in (editor.initialize, lambda: editor.new(box.project), lambda: editor.call("session/list")):
        with pytest.raises(RpcError, match='needs the right "drive"'):
            ask()
    assert not children(box)


@pytest.mark.parametrize("token", ["", "nonsense"])
def test_a_stranger_is_refused(begin, cdev, token):
    begin()
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    with pytest.raises(InvalidStatus) as refused:
        websockets.sync.client.connect(f"ws://127.0.0.1:{cdev.port}/acp", additional_headers=headers, proxy=None)
    assert refused.value.response.status_code == 401


def test_a_page_of_others_is_refused(begin, cdev, runs):
    begin()
    with pytest.raises(InvalidStatus) as refused:
        websockets.sync.client.connect(
            f"ws://127.0.0.1:{cdev.port}/acp", origin="https://evil.example", proxy=None,
            additional_headers={"Authorization": f"Bearer {token_of(runs, 'drive')}"})
    assert refused.value.response.status_code == 403


@pytest.mark.parametrize("door", ["token", "socket"])
def test_a_turn_over_the_websocket(box, begin, editors, runs, door):
    call = touch("a")
    begin(use(call), say("done"))
    editor = editors.connect(token_of(runs, "drive") if door == "token" else None)
    assert editor.hello["protocolVersion"] == 1
    talk = editor.new(box.project)
    number = talk.begin("go")
    editor.answer(editor.question(), "allow_once")
    assert talk.ends(number) == "end_turn" and talk.text() == "done"
    includes(talk.tool(call), status="completed", kind="execute", title="touch a")
    # The same session from the other door.
    same = editors.open().load(talk)
    assert same.text("user_message_chunk") == "go" and same.text() == "done"


def test_a_device_gives_no_program_to_start(box, begin, editors, runs):
    """A server of tools is a command on this machine: whoever drives asks before a command runs, and this one would not."""
    begin(say("done"))
    editor = editors.connect(token_of(runs, "drive"))
    server = {"name": "lab", "command": "/bin/sh", "args": ["-c", f"touch {box.root}/stolen"], "env": []}
    with pytest.raises(RpcError):
        editor.new(box.project, servers=[server])
    assert not (box.root / "stolen").exists() and not children(box)


def test_a_token_that_is_revoked_ends_its_connection(box, begin, editors, runs):
    begin(say("one"))
    editor = editors.connect(token_of(runs, "drive"))
    talk = editor.new(box.project)
    # Of a revoked device no agent is started that was not yet.
    until(lambda: children(box), lambda: "the agent to be started", 20)
    runs.call("token/revoke", name="drive")
    until(lambda: editor.ended, "the connection to end")
    (session,) = runs.call("session/active")["sessions"]
    assert session["claude_session_id"] == talk.id


@pytest.mark.parametrize("door", ["pipes", "socket"])
def test_it_is_greeted_first(box, begin, editors, cdev, door):
    begin()
    editor = editors.start(Pipes(box, cdev) if door == "pipes" else Socket(cdev))
    with pytest.raises(RpcError):
        editor.call("session/new", cwd=str(box.project), mcpServers=[])
    assert editor.initialize()["protocolVersion"] == 1 and not children(box)


def test_claude_is_no_editor(box, cdev, begin):
    """A session that it began would run what nobody was asked for here."""
    lines = [{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": 1, "clientCapabilities": {}}},
             {"jsonrpc": "2.0", "id": 2, "method": "session/new", "params": {"cwd": str(box.project), "mcpServers": []}}]
    said = " ".join(shlex.quote(json.dumps(line)) for line in lines)
    call = bash(f"(printf '%s\\n' {said}; sleep 3) | CDEV_HOME={shlex.quote(str(box.cdev_home))} {shlex.quote(str(cdev.programs / 'cdev'))} acp 2>&1")
    editor = begin(use(call), say("done"))
    editor.answers = "allow_once"
    talk = editor.new(box.project)
    assert talk.turn("go") == "end_turn"
    text = begin.model.result(call)[0]
    assert '"error"' in text and '"result"' not in text, text
    assert len(cdev.local.call("session/active")["sessions"]) == 1
