"""A phone that drives, from its first connection on, with the real client: it starts a session, allows, answers, comes back
after its connection was lost, and is one of several."""
import itertools
import json

import pytest

from harness import http1
from harness.approver import Approver, RpcError
from harness.checks import includes, refused
from harness.fake_model import Call, say, touch, use
from harness.proxy import Proxy
from harness.runs import Runs
from harness.waiting import until

pytestmark = pytest.mark.real_cli

COLOR = {"question": "Which color?", "header": "Color", "multiSelect": False, "options": [
    {"label": "Red", "description": "r"}, {"label": "Blue", "description": "b"}]}


class Phone(Approver):
    """Numbers its requests, and sends them in binary frames, as Apple's libraries make it easy to do."""

    def __init__(self, *arguments, **options):
        self.numbers = itertools.count(1)
        super().__init__(*arguments, **options)

    def send(self, message):
        super().send(json.dumps(message).encode())

    def request(self, method, params=None, number=None, timeout=10.0):
        return super().request(method, {} if params is None else params, next(self.numbers), timeout)


@pytest.fixture
def runs(box, cdev):
    return Runs(box, cdev)


@pytest.fixture
def phones(box, runs):
    """Connects phones: `phones("a", "drive")`."""
    def make(name, rights="drive", port=None, token=None):
        token = token or runs.call("token/create", name=name, rights=rights)["token"]
        made = Phone(port or runs.cdev.port, token, name=name)
        made.token = token
        box.on_close(made.close)
        box.note(f"heard by {name}", made.story)
        return made

    return make


def texts(phone, session):
    return [block["text"] for message in phone.heard("claude_message", session_id=session, type="assistant")
            for block in message["content"] if block["type"] == "text"]


def is_idle(phone, session):
    until(lambda: phone.call("session/state", {"session_id": session})["claude_state"] == "idle",
          lambda: f"{phone.call('session/state', {'session_id': session})}", 20)


def test_quick_start(box, cdev, runs, model, phones):
    runs.begin(model(say("Here you are."), say("And more.")))
    assert http1.ask(cdev.tcp, "GET", "/health").json["status"] == "ok"
    phone = phones("phone")
    includes(phone.hello["capabilities"]["agent"], run=True, stop=True, respond=True, sessions=True, sessionWatch=True)
    (workspace,) = phone.call("workspace/list")["workspaces"]
    assert workspace["path"] == str(box.project)
    session = phone.call("session/start", {"workspace_id": workspace["id"]})
    includes(session, workspace_id=workspace["id"], status="running")
    for prompt, mode, text in (("Please help", "new", "Here you are."), ("Go on", "continue", "And more.")):
        includes(phone.call("session/send", {"session_id": session["id"], "prompt": prompt, "mode": mode}), status="sent")
        until(lambda: text in texts(phone, session["id"]), lambda: f"{text}: {phone.story()}", 20)
        is_idle(phone, session["id"])
    assert texts(phone, session["id"]) == ["Here you are.", "And more."]
    conversation = phone.hear("claude_session_info", session_id=session["id"])["claude_session_id"]
    phone.call("session/stop", {"session_id": session["id"]})
    phone.hear("session_stopped", 20, session_id=session["id"])
    listed = phone.call("workspace/session/history", {"workspace_id": workspace["id"], "limit": 20})["sessions"]
    assert [one["session_id"] for one in listed] == [conversation]
    again = phone.call("session/start", {"workspace_id": workspace["id"], "resume_session_id": conversation})
    assert again["id"] != session["id"] and again["claude_session_id"] == conversation


def test_permission(box, runs, model, phones):
    first, second = touch("x"), touch("y")
    answers = model(use(first), use(second), say("done"))
    runs.begin(answers)
    phone = phones("phone")
    session = phone.call("session/start", {"workspace_id": runs.workspace})["id"]
    phone.call("session/send", {"session_id": session, "prompt": "make x and y", "mode": "new"})
    for call, response in ((first, "yes"), (second, "no")):
        asked = phone.hear("claude_permission", 20, session_id=session, tool_use_id=call.id)
        assert json.loads(asked["input"])["command"] == call.input["command"]
        assert not (box.project / call.input["command"].split()[1]).exists()
        phone.call("session/respond", {"session_id": session, "type": "permission", "response": response})
        assert answers.result(call)[1] is (response == "no")
    is_idle(phone, session)
    assert (box.project / "x").exists() and not (box.project / "y").exists()
    with pytest.raises(RpcError, match="asks nothing"):
        phone.call("session/respond", {"session_id": session, "type": "permission", "response": "yes"})


def test_question(runs, model, phones):
    question = Call("AskUserQuestion", {"questions": [COLOR]})
    answers = model(use(question), say("done"))
    runs.begin(answers)
    phone = phones("phone")
    session = phone.call("session/start", {"workspace_id": runs.workspace})["id"]
    phone.call("session/send", {"session_id": session, "prompt": "ask me", "mode": "new"})
    asked = phone.hear("claude_waiting", 20, session_id=session)
    assert json.loads(asked["input"])["questions"][0]["question"] == COLOR["question"]
    assert not phone.heard("claude_permission")
    phone.call("session/respond", {"session_id": session, "type": "question", "response": "A green one, please"})
    is_idle(phone, session)
    text, is_error = answers.result(question)
    assert "A green one, please" in text and not is_error


def sync(phone, workspace):
    """What a phone does that comes back: the states of all that runs."""
    phone.call("workspace/subscribe", {"workspace_id": workspace})
    return [phone.call("session/state", {"session_id": one["id"]})
            for one in phone.call("session/active", {"workspace_id": workspace})["sessions"] if one["status"] == "running"]


@pytest.mark.parametrize("daemon", ["stays", "is killed"])
def test_reconnection(box, cdev, runs, model, phones, daemon):
    """The question came while the phone was away."""
    call = touch("x")
    runs.begin(model(use(call), say("done")))
    proxy = Proxy(box, cdev.tcp)
    phone = phones("phone", port=proxy.port)
    session = phone.call("session/start", {"workspace_id": runs.workspace})["id"]
    phone.call("session/send", {"session_id": session, "prompt": "make x", "mode": "new"})
    proxy.cut()
    phone.closed()
    runs.session = {"id": session}
    runs.becomes("waiting")
    if daemon == "is killed":
        cdev.kill()
        cdev.start()
    proxy.mend()
    phone = phones("phone", token=phone.token, port=proxy.port)
    (state,) = sync(phone, runs.workspace)
    includes(state, id=session, claude_state="waiting", waiting_for_input=True, pending_tool_use_id=call.id, pending_tool_name="Bash")
    yes = {"session_id": session, "type": "permission", "response": "yes"}
    if daemon == "is killed":
        # The next one does not know what else was asked lately.
        with pytest.raises(RpcError, match="tool_use_id"):
            phone.call("session/respond", yes)
    phone.call("session/respond", {**yes, "tool_use_id": state["pending_tool_use_id"]})
    is_idle(phone, session)
    assert (box.project / "x").exists()
    (state,) = sync(phone, runs.workspace)
    includes(state, claude_state="idle", waiting_for_input=False)
    assert "pending_tool_use_id" not in state


def test_several_devices(box, cdev, runs, model, phones):
    call = touch("x")
    runs.begin(model(use(call), say("done")))
    other = runs.call("workspace/add", path=str(box.root / "new"), create_if_missing=True)["id"]
    phone, tablet, watch, elsewhere = phones("phone"), phones("tablet", "approve"), phones("watch", "view"), phones("elsewhere")
    elsewhere.call("workspace/subscribe", {"workspace_id": other})
    tablet.call("workspace/subscribe", {"workspace_id": runs.workspace})
    session = phone.call("session/start", {"workspace_id": runs.workspace})["id"]
    place = {"workspace_id": runs.workspace, "session_id": session}
    includes(phone.call("client/session/focus", place), viewer_count=1, other_viewers=[])
    includes(tablet.call("client/session/focus", place), viewer_count=2, other_viewers=[phone.hello["clientId"]])
    includes(phone.hear("session_joined", **place), joining_client_id=tablet.hello["clientId"], viewer_count=2)
    refused(tablet, "session/send", {"session_id": session, "prompt": "make x"}, -32600)
    phone.call("session/send", {"session_id": session, "prompt": "make x", "mode": "new"})
    for each in phone, tablet, watch:
        each.hear("claude_permission", 20, tool_use_id=call.id, **place)
    refused(watch, "session/respond", {"session_id": session, "type": "permission", "response": "yes"}, -32600)
    tablet.call("session/respond", {"session_id": session, "type": "permission", "response": "yes"})
    card = phone.hear("pty_permission", tool_use_id=call.id)
    includes(phone.resolved(card), decision="allow", resolved_by="device tablet")
    with pytest.raises(RpcError, match="asks nothing"):
        phone.call("session/respond", {"session_id": session, "type": "permission", "response": "no"})
    is_idle(phone, session)
    assert (box.project / "x").exists()
    for each in phone, tablet, watch:
        each.settle()
        assert texts(each, session) == ["done"], each
    tablet.close()
    includes(phone.hear("session_left", **place), leaving_client_id=tablet.hello["clientId"], viewer_count=1)
    elsewhere.settle()
    heard = [event for event in elsewhere.events if event["params"].get("workspace_id") == runs.workspace]
    assert not [event for event in heard if event["method"].startswith("event/claude_")], heard
    includes(phone.call("workspace/subscriptions"), is_filtering=False)


def test_two_answers_at_a_time_are_one(box, runs, model, phones):
    call = touch("x")
    runs.begin(model(use(call), say("done")))
    both = [phones("first"), phones("second")]
    session = both[0].call("session/start", {"workspace_id": runs.workspace, "prompt": "make x"})["id"]
    for each in both:
        each.hear("claude_permission", 20, session_id=session)
    for number, response in ((0, "yes"), (1, "no")):
        Approver.send(both[number], {"jsonrpc": "2.0", "id": "a", "method": "session/respond", "params": {
            "session_id": session, "type": "permission", "response": response}})
    replies = [each.reply("a") for each in both]
    won = [number for number, reply in enumerate(replies) if reply.get("result", {}).get("success")]
    assert len(won) == 1, replies
    assert replies[1 - won[0]]["error"]["message"]
    is_idle(both[0], session)
    assert (box.project / "x").exists() == (won == [0])


@pytest.mark.parametrize("asks", [False, True], ids=["silent", "asked"])
def test_a_stopped_conversation_goes_on_at_once(runs, model, phones, asks):
    """Also where its process asked something before."""
    call = touch("x")
    runs.begin(model(*([use(call)] if asks else []), say("done"), say("again")))
    phone = phones("phone")
    session = phone.call("session/start", {"workspace_id": runs.workspace, "prompt": "go"})["id"]
    if asks:
        phone.hear("claude_permission", 20, session_id=session)
        phone.call("session/respond", {"session_id": session, "type": "permission", "response": "yes"})
    is_idle(phone, session)
    conversation = phone.call("session/state", {"session_id": session})["claude_session_id"]
    phone.call("session/stop", {"session_id": session})
    phone.hear("session_stopped", 20, session_id=session)
    again = phone.call("session/start", {"workspace_id": runs.workspace, "resume_session_id": conversation})
    assert again["claude_session_id"] == conversation


@pytest.mark.parametrize("asks", [False, True], ids=["idle", "asking"])
def test_the_sessions_of_the_list_of_workspaces_are_those_that_run(runs, model, phones, asks):
    """A phone that comes back asks for the state of each session that is listed as running; behind a stop none is."""
    runs.begin(model(use(touch("x")), say("done")))
    phone = phones("phone")
    session = phone.call("session/start", {"workspace_id": runs.workspace, **({"prompt": "go"} if asks else {})})["id"]
    if asks:
        phone.hear("claude_permission", 20, session_id=session)
    phone.hear("session_start", 20, session_id=session)
    (workspace,) = phone.call("workspace/list")["workspaces"]
    running = [one["id"] for one in workspace["sessions"] if one["status"] == "running"]
    assert workspace["has_active_session"] and workspace["active_session_count"] == len(running) == 1
    includes(phone.call("session/state", {"session_id": running[0]}), id=session)
    phone.call("session/stop", {"session_id": session})
    phone.hear("session_stopped", 20, session_id=session)
    (workspace,) = phone.call("workspace/list")["workspaces"]
    assert not [one for one in workspace["sessions"] if one["status"] == "running"] and not workspace["has_active_session"]


def test_a_started_session_is_the_active_one(runs, model, phones):
    runs.begin(model(say("done")))
    phone = phones("phone")
    session = phone.call("session/start", {"workspace_id": runs.workspace})["id"]
    (workspace,) = phone.call("workspace/list")["workspaces"]
    includes(phone.call("session/state", {"session_id": workspace["active_session_id"]}), id=session)
