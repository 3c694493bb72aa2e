"""The app of phones that speaks an earlier version of the protocol, on a port of its own, and the real Claude Code."""
import socket
import ssl
import threading
import uuid

import pytest
import websockets.sync.client
from websockets.exceptions import InvalidStatus

from harness import tls
from harness.approver import RpcError
from harness.bridge import Phone
from harness.checks import includes
from harness.daemon import reserved_port
from harness.fake_model import bash, fail, say, touch, use, write
from harness.runs import children
from harness.waiting import file_appears, until

pytestmark = pytest.mark.real_cli


@pytest.fixture
def phones(box, cdev, runs, model):
    """Starts the daemon with a script for the model: `phones(turn, ...)` returns an app that has begun."""
    made = []

    def begin(*turns, **config):
        begin.port = reserved_port(box)
        begin.model = model(*turns)
        runs.begin(begin.model, acp_port=begin.port, **config)
        return begin.another()

    def another(name="app", rights="drive"):
        phone = Phone(begin.port, cdev.token(name, rights))
        made.append(phone)
        box.on_close(phone.close)
        box.note(f"app {len(made)}", phone.story)
        phone.hello = phone.initialize()
        return phone

    begin.another, begin.made = another, made
    yield begin
    assert [fault for phone in made for fault in phone.faults] == []


def test_over_tls(box, cdev, runs, model):
    port = reserved_port(box)
    runs.begin(model(say("a heron")), acp_port=port, tls="local-ca")
    token = cdev.token("app", "drive")
    with pytest.raises(ssl.SSLCertVerificationError):
        Phone(port, token, ssl=ssl.create_default_context())
    phone = Phone(port, token, ssl=tls.trusting(tls.authority(cdev)))
    box.on_close(phone.close)
    phone.initialize()
    session = new(phone, box)
    phone.call("session/prompt", session_id=session, prompt="go")
    phone.says(session, "a heron")
    assert phone.faults == []


def new(phone, box):
    return phone.call("session/new", cwd=str(box.project))["session_id"]


def idle(runs, session):
    until(lambda: runs.call("session/state", session_id=session)["claude_state"] == "idle"
          and not runs.call("session/state", session_id=session)["prompts"], "the session to be idle", 30)


def test_a_documented_conversation(box, phones):
    """The greeting, a session without a directory, a prompt that is a text, and what it leads to."""
    phone = phones(say("Let me list the files..."))
    assert phone.hello["protocol_version"].startswith("0.2") and phone.hello["auth_methods"] == []
    capabilities = phone.hello["agent_capabilities"]
    assert capabilities["load_session"] is False
    assert all(isinstance(capabilities["prompt_capabilities"][name], bool) for name in ("image", "audio", "embedded_context"))
    assert all(isinstance(capabilities["mcp_capabilities"][name], bool) for name in ("http", "sse"))
    includes(phone.hello["agent_info"], name="cdev")
    assert phone.hello["_meta"]["working_directory"] == str(box.project)
    session = phone.call("session/new")["session_id"]
    assert phone.call("session/prompt", session_id=session, prompt="List files in current directory")["status"] in ("started", "accepted")
    phone.says(session, "Let me list the files...")
    assert phone.updates(session, "current_mode_update")[0]["current_mode_id"] == "claude-code"
    # What was typed stands on its screen.
    assert phone.text(session, "user_message_chunk") == ""


def test_blocks_calls_and_their_ends(box, phones, runs):
    call = bash("echo a heron")
    phone = phones(use(call), say("done"))
    session = phone.call("session/new", cwd=str(box.project), mcp_servers=[], mode_id="default_mode")["session_id"]
    phone.call("session/prompt", session_id=session, prompt=[{"type": "text", "text": "go"}])
    phone.says(session, "done")
    begun = phone.updates(session, "tool_call")[0]["tool_call"]
    assert begun["call_id"] == call.id and begun["name"] == "Bash" and begun["arguments"]["command"] == "echo a heron"
    ended = [one["tool_call_update"] for one in phone.updates(session, "tool_call_update")]
    assert includes(ended[-1], call_id=call.id, status="completed") and "a heron" in ended[-1]["output"]


def test_a_question_is_answered_in_the_app(box, phones):
    call = touch("a")
    phone = phones(use(call), say("done"))
    session = new(phone, box)
    phone.call("session/prompt", session_id=session, prompt="go")
    asked = phone.question()
    assert asked["params"]["tool_call"]["call_id"] == call.id
    chosen = next(one for one in asked["params"]["options"] if one["kind"] == "allow_once")
    phone.answer(asked, {"outcome": "selected", "option_id": chosen["optionId"]})
    file_appears(box.project / "a", 30)
    phone.says(session, "done")


def test_the_app_that_always_cancels_decides_nothing(box, phones, runs):
    """As the app of the shops does: the question stays open for others."""
    call = touch("a")
    phone = phones(use(call), say("done"))
    session = new(phone, box)
    phone.call("session/prompt", session_id=session, prompt="go")
    phone.answer(phone.question(), {"outcome": "cancelled"})
    runs.driver.respond(runs.driver.card(tool_use_id=call.id), "allow")
    phone.says(session, "done")
    assert (box.project / "a").exists()


def test_others_form_of_an_answer_is_none(box, phones, runs):
    call = touch("a")
    phone = phones(use(call), say("done"))
    session = new(phone, box)
    phone.call("session/prompt", session_id=session, prompt="go")
    asked = phone.question()
    for outcome in ({"outcome": "selected", "option_id": "yes"}, {"outcome": "selected", "optionId": "allow_once"},
                    {"outcome": "selected"}, {"outcome": "allowed", "option_id": "allow_once"}, "allow_once", None):
        phone.answer(asked, outcome)
    phone.call("tinyvex/history.recentSessions")
    assert not (box.project / "a").exists()
    runs.driver.respond(runs.driver.card(tool_use_id=call.id), "deny")
    phone.says(session, "done")
    assert not (box.project / "a").exists()


@pytest.mark.parametrize("is_request", [True, False])
def test_a_turn_is_stopped(box, phones, runs, is_request):
    call = bash("touch started; sleep 600")
    phone = phones(use(call), say("never"))
    session = new(phone, box)
    phone.call("session/prompt", session_id=session, prompt="go")
    card = runs.driver.card(tool_use_id=call.id)
    runs.driver.respond(card, "allow")
    file_appears(box.project / "started", 30)
    if is_request:
        assert phone.call("session/cancel", session_id=session) == {"status": "cancelled"}
    else:
        phone.notify("session/cancel", session_id=session)
    runs.driver.hear("claude_prompt_end", 30, status="cancelled")
    if is_request:
        assert phone.call("session/cancel", session_id=str(uuid.uuid4())) == {"status": "no_active_session"}


def test_what_was_before_is_listed_and_shown(box, phones, runs):
    call = bash("echo a heron")
    phone = phones(use(call), say("one"), say("two"))
    session = new(phone, box)
    phone.call("session/prompt", session_id=session, prompt="go")
    phone.says(session, "one")
    idle(runs, session)
    other = phones.another(name="other")
    listed = other.call("tinyvex/history.recentSessions")
    assert [one["session_id"] for one in listed] == [session]
    assert listed[0]["message_count"] >= 3 and listed[0]["last_ts"] > 1_700_000_000_000
    shown = other.call("tinyvex/history.sessionTimeline", session_id=session)
    assert {one["session_id"] for one in shown} == {session}
    kinds = [one["update"]["sessionUpdate"] for one in shown]
    assert kinds == ["user_message_chunk", "tool_call", "tool_call_update", "agent_message_chunk"]
    assert len(other.call("tinyvex/history.sessionTimeline", session_id=session, limit=1)) == 1
    # It goes on there, and is told what happens from now on, once.
    other.call("session/prompt", session_id=session, prompt="on")
    other.says(session, "two")
    phone.says(session, "two")
    assert phone.text(session, "user_message_chunk") == "on" and other.text(session) == "two"


def test_a_session_that_said_nothing_yet_is_followed(box, phones):
    """It has no transcript, and what it says from now on is told."""
    phone = phones(say("one"))
    session = new(phone, box)
    other = phones.another(name="other")
    assert other.call("tinyvex/history.sessionTimeline", session_id=session) == []
    phone.call("session/prompt", session_id=session, prompt="go")
    other.says(session, "one")


def test_a_session_that_has_ended_goes_on(box, phones, runs):
    phone = phones(say("one"), say("two"))
    session = new(phone, box)
    phone.call("session/prompt", session_id=session, prompt="a heron")
    phone.says(session, "one")
    idle(runs, session)
    runs.call("session/stop", session_id=session)
    until(lambda: not children(box), "the process to end", 20)
    other = phones.another(name="other")
    assert other.call("session/prompt", session_id=session, prompt="on") == {"status": "resumed"}
    other.says(session, "two")
    assert "a heron" in str(phones.model.requests[-1]["messages"])


def test_titles(box, phones, runs):
    phone = phones(say("one"))
    session = new(phone, box)
    phone.call("session/prompt", session_id=session, prompt="a heron")
    phone.says(session, "one")
    idle(runs, session)
    assert phone.call("tinyvex/history.setSessionTitle", session_id=session, title="Herons") == {"ok": True}
    assert phone.call("tinyvex/history.getSessionTitle", session_id=session) == {"title": "Herons"}
    assert phone.call("tinyvex/history.clearSessionTitle", session_id=session) == {"ok": True}
    # What is left is the beginning of the first prompt.
    assert phone.call("tinyvex/history.getSessionTitle", session_id=session) == {"title": "a heron"}


def test_a_session_is_deleted(box, phones, runs):
    phone = phones(say("one"))
    session = new(phone, box)
    phone.call("session/prompt", session_id=session, prompt="a heron")
    phone.says(session, "one")
    until(lambda: phone.call("tinyvex/history.recentSessions"), "it to be listed", 20)
    assert phone.call("tinyvex/history.deleteSession", session_id=session) == {"deleted": True}
    assert phone.call("tinyvex/history.recentSessions") == [] and not children(box)


def test_a_failed_prompt_is_told_as_words(box, phones):
    """The request was answered long before."""
    phone = phones(fail(400, "no herons here"))
    session = new(phone, box)
    phone.call("session/prompt", session_id=session, prompt="go")
    phone.says(session, "no herons here")


def test_an_app_without_the_right_is_sent_away(box, phones, cdev):
    phones(say("one"))
    with pytest.raises(InvalidStatus) as refusal:
        Phone(phones.port)
    assert refusal.value.response.status_code == 401
    viewer = Phone(phones.port, cdev.token("viewer", "view"))
    box.on_close(viewer.close)
    for method, params in (("initialize", {}), ("session/new", {}), ("session/prompt", {"session_id": "x", "prompt": "x"}),
                           ("tinyvex/history.recentSessions", {})):
        with pytest.raises(RpcError, match="drive"):
            viewer.call(method, **params)


def test_pages_of_other_sites_get_nothing(phones, cdev):
    phones(say("one"))
    token = cdev.token("other", "drive")
    for host, origin, status in ((f"127.0.0.1:{phones.port}", "https://evil.example", 403), (f"evil.example:{phones.port}", None, 421),
                                 ("127.0.0.1:1", None, 421)):
        with pytest.raises(InvalidStatus) as refusal:
            with websockets.sync.client.connect(
                    f"ws://{host}", additional_headers={"Authorization": f"Bearer {token}"}, origin=origin, proxy=None,
                    sock=socket.create_connection(("127.0.0.1", phones.port))):
                pass
        assert refusal.value.response.status_code == status


@pytest.mark.parametrize("mode", ["claude-code", "default_mode"])
def test_the_only_agent_is_taken(box, phones, mode):
    phone = phones(say("one"))
    session = new(phone, box)
    assert phone.call("session/set_mode", session_id=session, mode_id=mode) == {}
    told = until(lambda: len(found := phone.updates(session, "current_mode_update")) == 2 and found, "it to be told again")
    assert [one["current_mode_id"] for one in told] == ["claude-code"] * 2


def test_what_cannot_be_done_says_so(box, phones):
    phone = phones(say("one"))
    session = new(phone, box)
    for method, params, code in (
        ("session/new", {"cwd": "relative"}, -32602), ("session/new", {"cwd": str(box.root / "nowhere")}, -32602),
        ("session/new", {"mode_id": "codex"}, -32602), ("session/new", {"mode_id": 7}, -32602),
        ("session/new", {"mcp_servers": [{"type": "stdio", "name": "x", "command": "true", "args": [], "env": []}]}, -32600),
        ("session/prompt", {"session_id": session}, -32602), ("session/prompt", {"session_id": session, "prompt": ""}, -32602),
        ("session/prompt", {"session_id": session, "prompt": []}, -32602),
        ("session/prompt", {"session_id": session, "prompt": [{"type": "audio", "data": "", "mimeType": "x"}]}, -32602),
        ("session/prompt", {"prompt": "x"}, -32602), ("session/prompt", {"session_id": "nobody", "prompt": "x"}, -32002),
        ("session/prompt", {"session_id": str(uuid.uuid4()), "prompt": "x"}, -32002),
        ("session/set_mode", {"session_id": session, "mode_id": "codex"}, -32602),
        ("session/set_mode", {"session_id": "nobody", "mode_id": "claude-code"}, -32002),
        ("tinyvex/history.sessionTimeline", {"session_id": str(uuid.uuid4())}, -32002),
        ("tinyvex/history.sessionTimeline", {"session_id": session, "limit": 0}, -32602),
        ("tinyvex/history.setSessionTitle", {"session_id": session, "title": ""}, -32602),
        ("tinyvex/history.getSessionTitle", {"session_id": "nobody"}, -32002),
        ("fs/read_text_file", {"path": "/etc/passwd"}, -32601), ("terminal/run", {"command": ["true"]}, -32601),
        ("orchestrate.explore.start", {}, -32601), ("threads/list", {}, -32601),
    ):
        with pytest.raises(RpcError) as error:
            phone.call(method, **params)
        assert error.value.code == code and error.value.message, (method, params, error.value)


def test_nothing_before_the_greeting(box, phones, cdev):
    phones(say("one"))
    early = Phone(phones.port, cdev.token("early", "drive"))
    box.on_close(early.close)
    for method, params in (("session/new", {}), ("tinyvex/history.recentSessions", {}), ("session/cancel", {"session_id": "x"})):
        with pytest.raises(RpcError, match="initialize"):
            early.call(method, **params)


def test_there_is_no_bridge_without_a_port(box, cdev, runs, model):
    runs.begin(model(say("one")))
    with pytest.raises(InvalidStatus) as refusal:
        with websockets.sync.client.connect(
                f"ws://127.0.0.1:{cdev.port}/", additional_headers={"Authorization": f"Bearer {cdev.token('app', 'drive')}"},
                proxy=None):
            pass
    assert refusal.value.response.status_code == 404


def test_words_are_told_while_they_are_written(box, phones):
    more = threading.Event()
    phone = phones(write("one heron ", more, "two herons"))
    session = new(phone, box)
    phone.call("session/prompt", session_id=session, prompt="count")
    phone.says(session, "one heron ")
    more.set()
    phone.says(session, "one heron two herons")
