"""An editor starts `cdev acp`: what it is told, how a session begins, and what is said to lines that make no sense."""
import uuid

import pytest

from harness.approver import RpcError
from harness.checks import USAGE, includes
from harness.editor import Pipes
from harness.fake_model import say
from harness.waiting import PATIENCE, until

pytestmark = pytest.mark.real_cli

INITIALIZE = {"protocolVersion": 1, "clientCapabilities": {}}


def test_it_says_what_it_can(begin):
    hello = begin().hello
    assert hello["protocolVersion"] == 1
    can = includes(hello["agentCapabilities"], loadSession=True)
    includes(can["promptCapabilities"], image=True, embeddedContext=True)
    assert not can["promptCapabilities"].get("audio")
    for name in ("list", "resume", "close", "fork"):
        assert can["sessionCapabilities"][name] == {}, name
    assert hello["agentInfo"]["name"] == "cdev" and hello["agentInfo"]["version"]


@pytest.mark.parametrize("asked", [0, 2, 65535])
def test_it_answers_another_version_with_its_own(begin, asked):
    assert begin().initialize(version=asked)["protocolVersion"] == 1


def test_a_session_begins_where_no_workspace_was(box, begin, runs):
    place = box.root / "fresh"
    place.mkdir()
    editor = begin(say("hello"))
    talk = editor.new(place)
    assert str(uuid.UUID(talk.id)) == talk.id
    modes = talk.result["modes"]
    assert {"default", "acceptEdits", "plan"} <= {mode["id"] for mode in modes["availableModes"]}
    assert modes["currentModeId"] in {mode["id"] for mode in modes["availableModes"]}
    assert "bypassPermissions" not in {mode["id"] for mode in modes["availableModes"]}, "it is not allowed here"
    assert talk.option("mode")["currentValue"] == modes["currentModeId"] and talk.option("model")
    commands = talk.hears("available_commands_update")["availableCommands"]
    assert "compact" in {command["name"] for command in commands}
    (workspace,) = [one for one in runs.call("workspace/list")["workspaces"] if one["path"] == str(place)]
    (session,) = runs.call("session/active")["sessions"]
    includes(session, workspace_id=workspace["id"], claude_session_id=talk.id)
    assert talk.turn("hi") == "end_turn" and talk.text() == "hello"
    assert list((box.config / "projects").glob(f"*/{talk.id}.jsonl")), "the id is Claude Code's own"


def test_a_second_session_of_a_directory_makes_no_second_workspace(box, begin, runs):
    editor = begin()
    first, second = editor.new(box.project), editor.new(f"{box.project}/")
    assert first.id != second.id
    assert [one["path"] for one in runs.call("workspace/list")["workspaces"]] == [str(box.project)]


@pytest.mark.parametrize("cwd", ["proj", "", ".", "/nowhere/at/all", None, 7])
def test_a_session_begins_in_a_directory_only(begin, runs, cwd):
    editor = begin()
    with pytest.raises(RpcError) as error:
        editor.call("session/new", cwd=cwd, mcpServers=[])
    assert error.value.code == -32602, error.value
    assert len(runs.call("workspace/list")["workspaces"]) == 1 and not runs.call("session/active")["sessions"]


@pytest.mark.parametrize("line", ["garbage", "{", '{"jsonrpc":"2.0",', "\x00", '"a"x'])
def test_a_line_that_is_no_json_is_told(begin, line):
    editor = begin()
    editor.send(line)
    reply = editor.wait(lambda: [m for who, m in editor.log if who == "cdev" and "error" in m], "an error")[0]
    assert reply["id"] is None and reply["error"]["code"] == -32700
    assert editor.call("session/list")["sessions"] == [], "it goes on"


@pytest.mark.parametrize("line", ["{}", "7", "null", '{"jsonrpc":"2.0","id":"x"}', '{"jsonrpc":"2.0","id":"x","method":7}'])
def test_json_that_is_no_request_is_told(begin, line):
    editor = begin()
    editor.send(line)
    reply = editor.wait(lambda: [m for who, m in editor.log if who == "cdev" and "error" in m], "an error")[0]
    assert reply["error"]["code"] == -32600
    assert editor.call("session/list")["sessions"] == []


def test_a_method_that_nobody_knows_is_told(begin):
    editor = begin()
    for method in ("session/nonsense", "permission/respond", "status/get", "_example/ping", "session/update"):
        with pytest.raises(RpcError) as error:
            editor.call(method)
        assert error.value.code == -32601, method
    # A notification has no answer.
    editor.notify("session/nonsense")
    assert editor.call("session/list")["sessions"] == []


@pytest.mark.parametrize("known", ["00000000-0000-4000-8000-000000000000", "sess-1"])
def test_a_session_that_nobody_knows_is_told(box, begin, known):
    editor = begin()
    place = {"cwd": str(box.project), "mcpServers": []}
    for method, params in (
        ("session/prompt", {"prompt": [{"type": "text", "text": "x"}]}), ("session/load", place), ("session/resume", place),
        ("session/fork", place), ("session/close", {}), ("session/set_mode", {"modeId": "plan"}),
        ("session/set_config_option", {"configId": "mode", "value": "plan"}),
    ):
        with pytest.raises(RpcError) as error:
            editor.call(method, sessionId=known, **params)
        assert error.value.code == -32002, (method, error.value)
    # There is nothing to stop, and nobody to tell.
    editor.notify("session/cancel", sessionId=known)
    assert editor.call("session/list")["sessions"] == []


def test_what_is_missing_is_named(begin):
    editor = begin()
    for method, params, word in (
        ("session/new", {"mcpServers": []}, "cwd"), ("session/prompt", {"prompt": [{"type": "text", "text": "x"}]}, "sessionId"),
        ("session/load", {"cwd": "/", "mcpServers": []}, "sessionId"), ("session/set_mode", {"sessionId": "x"}, "modeId"),
    ):
        with pytest.raises(RpcError, match=word) as error:
            editor.call(method, **params)
        assert error.value.code == -32602, error.value


@pytest.mark.parametrize("number", [0, -1, 1 << 53, "a", "1", ""])
def test_a_number_comes_back_as_it_was(begin, number):
    editor = begin()
    editor.send({"jsonrpc": "2.0", "id": number, "method": "session/nonsense"})
    replies = editor.wait(lambda: [m for who, m in editor.log if who == "cdev" and "error" in m], "an error")
    assert replies[0]["id"] == number and type(replies[0]["id"]) is type(number)


def test_lines_may_end_as_elsewhere(begin):
    editor = begin()
    editor.send('{"jsonrpc":"2.0","id":"a","method":"session/nonsense"}\r')
    assert editor.wait(lambda: [m for who, m in editor.log if who == "cdev" and "error" in m], "an error")[0]["id"] == "a"


def test_somebody_who_is_logged_in_is_told_so(begin):
    editor = begin()
    (method,) = editor.hello["authMethods"]
    assert "/login" in method["description"]
    with pytest.raises(RpcError) as error:
        editor.call("authenticate", methodId="nonsense")
    assert error.value.code == -32602


def test_it_leaves_with_the_editor(begin):
    assert begin().line.hang_up() == 0


def test_a_daemon_that_is_not_there_is_told(box, cdev, editors):
    """Where it may not start one: an error that names it, or none at all, and nothing else on the output."""
    editor = editors.start(Pipes(box, cdev))
    number = editor.begin("initialize", **INITIALIZE)
    until(lambda: editor.ended or editor.replied(number), lambda: editor.story(), 20)
    reply = editor.replied(number)
    assert reply or editor.line.process.wait(10 * PATIENCE) == 3, editor.story()
    if reply and "error" in reply:
        assert "daemon" in reply["error"]["message"], reply


def test_several_sessions_begun_at_once(box, begin, runs):
    editor = begin()
    numbers = [editor.begin("session/new", cwd=str(box.project), mcpServers=[]) for _ in range(4)]
    assert len({editor.end(number)["sessionId"] for number in numbers}) == 4
    assert len(runs.call("session/active")["sessions"]) == 4


def test_it_takes_no_words(box, cdev):
    done = cdev.run("acp", "nonsense")
    assert (done.returncode, done.stdout) == (USAGE, "") and done.stderr


def test_it_ends_when_it_is_told(begin):
    editor = begin()
    editor.line.process.terminate()
    assert editor.line.process.wait(10 * PATIENCE) in (0, -15, 143)
