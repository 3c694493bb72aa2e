"""Sessions that the daemon runs, as their clients hear them, and what else they are told: answers by session/respond, an
interrupt, another mode, a copy of a conversation."""
import threading
import uuid

import pytest

from harness.approver import RpcError
from harness.checks import includes, refused
from harness.fake_model import Call, bash, say, touch, use
from harness.runs import Runs, children
from harness.waiting import until

pytestmark = pytest.mark.real_cli


@pytest.fixture
def runs(box, cdev):
    return Runs(box, cdev)


def test_a_turn_is_heard_from_its_start_to_its_end(box, cdev, runs, model):
    call, ready = touch("x"), threading.Event()
    runs.begin(model(use(call, gate=ready), say("all done")))
    phone, log = cdev.approver("phone"), cdev.approver("log")
    session = runs.start(prompt="make x")
    assert phone.call("session/watch", {"session_id": session}) == {"session_id": session, "watching": True, "partial": []}
    log.call("session/watch", {"session_id": session, "log": True})
    ready.set()
    for kind in ("session_start", "claude_session_info"):
        includes(phone.hear(kind, 20, session_id=session), workspace_id=runs.workspace)
    card = phone.card(20, tool_use_id=call.id)
    asked = phone.hear("claude_permission", session_id=session)
    includes(
        asked, request_id=card["request_id"], tool_use_id=call.id, tool_name="Bash", workspace_id=runs.workspace,
        claude_session_id=card["session_id"])
    assert "touch x" in asked["input"] and phone.hear("claude_status", claude_state="waiting", session_id=session)
    includes(phone.call("session/respond", {"session_id": session, "type": "permission", "response": "yes"}), success=True)
    end = phone.hear("claude_usage", 20, session_id=session)
    includes(end, reason="completed", is_error=False, text="all done")
    includes(phone.hear("claude_prompt_end", session_id=session), status="completed", claude_session_id=card["session_id"])
    phone.hear("claude_status", claude_state="idle", session_id=session)
    assert (box.project / "x").exists()
    texts = [block["text"] for message in phone.heard("claude_message", session_id=session, type="assistant")
             for block in message["content"] if block["type"] == "text"]
    assert texts == ["all done"]
    assert "".join(piece["text"] for piece in phone.heard("claude_delta", type="text")) == "all done"
    assert not runs.driver.heard("claude_delta"), "only who watches is sent the pieces"
    assert not phone.heard("claude_log")
    log.hear("claude_log", type="result", session_id=session, claude_session_id=card["session_id"])
    lines = log.heard("claude_log", session_id=session, claude_session_id=card["session_id"])
    assert {"assistant", "system", "user"} <= {line["type"] for line in lines}
    # They tell of the account, and of how servers are reached.
    assert "control_response" not in {line["type"] for line in lines}
    runs.stop()
    includes(phone.hear("session_stopped", session_id=session), reason="somebody ended it")
    assert phone.heard("session_end", session_id=session)


def test_the_messages_are_those_of_the_transcript(box, cdev, runs, model):
    runs.begin(model(say("one"), say("two")))
    phone = cdev.approver("phone")
    session = runs.start(prompt=[{"type": "text", "text": "go"}])
    phone.hear("claude_usage", 20, session_id=session)
    runs.send("more")
    phone.hear("claude_usage", 20, count=2, session_id=session)
    conversation = runs.becomes("idle")["claude_session_id"]
    told = [message["uuid"] for message in phone.heard("claude_message", session_id=session)]
    def kept():
        page = phone.call("workspace/session/messages", {"session_id": conversation, "order": "asc"})
        return [message["uuid"] for message in page["messages"]]
    until(lambda: kept() == told, lambda: f"{kept()} to be {told}", 20)
    runs.stop()


def test_a_question_is_answered(box, cdev, runs, model):
    question = Call("AskUserQuestion", {"questions": [{
        "question": "Which color?", "header": "Color", "multiSelect": False,
        "options": [{"label": "Red", "description": "r"}, {"label": "Blue", "description": "b"}]}]})
    answers = model(use(question), say("done"))
    runs.begin(answers)
    phone = cdev.approver("phone")
    session = runs.start(prompt="ask me")
    asked = phone.hear("claude_waiting", 20, session_id=session)
    includes(asked, tool_use_id=question.id, tool_name="AskUserQuestion")
    with pytest.raises(RpcError, match="asks nothing of this kind"):
        phone.call("session/respond", {"session_id": session, "type": "permission", "response": "yes"})
    phone.call("session/respond", {"session_id": session, "type": "question", "response": "Blue"})
    runs.becomes("idle")
    text, is_error = answers.result(question)
    assert "Blue" in text and not is_error
    runs.stop()


def test_a_file_that_it_makes_is_told_to_who_looks_there(box, cdev, runs, model):
    """Without our hooks in Claude Code's settings."""
    call = touch("made-by-it")
    runs.begin(model(use(call), say("done")))
    phone = cdev.approver("phone")
    phone.call("workspace/files/watch", {"workspace_id": runs.workspace})
    runs.start(prompt="go", permission_mode="acceptEdits")
    runs.driver.hear("claude_usage", 20)
    phone.hear("file_changed", 10, path="made-by-it", change="created", workspace_id=runs.workspace)
    runs.stop()


def test_what_changes_in_its_workspace_is_told_while_it_runs(box, cdev, runs, model):
    """Nobody looks at a folder. To who sees the workspace's events, and to nobody else."""
    made = Call("Write", {"file_path": str(box.project / "src" / "new.txt"), "content": "x"})
    runs.begin(model(use(made), say("done")))
    (box.project / "src").mkdir()
    (box.root / "other").mkdir()
    other = runs.call("workspace/add", path=str(box.root / "other"))["id"]
    subscribed, elsewhere = cdev.approver("phone"), cdev.approver("pad")
    subscribed.call("workspace/subscribe", {"workspace_id": runs.workspace})
    elsewhere.call("workspace/subscribe", {"workspace_id": other})
    runs.start(prompt="go", permission_mode="acceptEdits")
    for client in (runs.driver, subscribed):
        client.hear("file_changed", 20, path="src/new.txt", change="created", workspace_id=runs.workspace)
    runs.becomes("idle")
    (box.project / "by-hand").touch()
    subscribed.hear("file_changed", 10, path="by-hand", change="created", session_id="")
    runs.stop()
    (box.project / "later").touch()
    subscribed.call("workspace/files/watch", {"workspace_id": other})
    (box.root / "other" / "last").touch()
    elsewhere.hear("file_changed", 10, path="last")
    assert not subscribed.heard("file_changed", path="later")
    assert not elsewhere.heard("file_changed", workspace_id=runs.workspace)


def test_a_prompt_that_waits_is_taken_back_by_itself(box, runs, model):
    """By the agent, which has it already; the turn and what else waits go on."""
    gate = threading.Event()
    answers = model(say("one", gate=gate), say("two"))
    runs.begin(answers)
    session = runs.start(prompt="go", prompt_id=(first := str(uuid.uuid4())))
    runs.becomes("running")
    back, kept = str(uuid.uuid4()), str(uuid.uuid4())
    runs.send("a heron", prompt_id=back)
    runs.send("but this", prompt_id=kept)

    def cancel(prompt):
        return runs.driver.call("session/cancel_prompt", {"session_id": session, "prompt_id": prompt})

    assert cancel(back) == {"success": True, "cancelled": True}
    assert cancel(back)["cancelled"] is True, "it says so again"
    assert [prompt["prompt_id"] for prompt in runs.state()["prompts"]] == [first, kept]
    assert cancel(first)["cancelled"] is False and cancel(str(uuid.uuid4()))["cancelled"] is False
    gate.set()
    until(lambda: runs.send("x", prompt_id=kept)["status"] == "completed", lambda: f"{runs.state()}", 20)
    assert runs.send("x", prompt_id=back)["status"] == "cancelled"
    assert "but this" in str(answers.requests[-1]) and "a heron" not in str(answers.requests)
    runs.stop()


def test_it_is_told_what_the_agent_offers_and_what_the_turn_cost(cdev, runs, model):
    runs.begin(model(say("one")))
    assert runs.call("session/options") == {"models": [], "commands": []}
    session = runs.start(prompt="go")
    cost = runs.driver.hear("claude_usage", 20, session_id=session)
    assert cost["total_cost_usd"] > 0 and cost["context_window"] >= cost["context_tokens"] > 0
    includes(runs.state(), **{name: cost[name] for name in ("total_cost_usd", "context_tokens", "context_window")})
    for offer in (runs.call("session/options"), runs.driver.call("session/options", {"session_id": session})):
        assert {"default", "haiku"} <= {model["value"] for model in offer["models"]}
        assert "compact" in {command["name"] for command in offer["commands"]}
    runs.driver.call("session/set", {"session_id": session, "model": "haiku"})
    assert runs.state()["model"] == "haiku"
    thinking = next(model for model in offer["models"] if "low" in model["efforts"])
    runs.driver.call("session/set", {"session_id": session, "model": thinking["value"], "effort": "low"})
    assert runs.driver.hear("claude_session_info", session_id=session, effort="low")
    assert runs.state()["effort"] == "low"
    refused(runs.driver, "session/set", {"session_id": session, "effort": "frantic"}, -32602)
    runs.driver.call("session/set", {"session_id": session, "effort": "default"})
    assert runs.state()["effort"] is None
    runs.stop()
    # Before the next daemon's first session, too.
    cdev.stop()
    cdev.start()
    assert runs.call("session/options") == offer


@pytest.mark.parametrize("by", ["session/interrupt", "session/input"])
def test_an_interrupt_stops_the_turn_and_what_waits(box, runs, model, by):
    gate = threading.Event()
    answers = model(say("never", gate=gate), say("after"))
    runs.begin(answers)
    session = runs.start(prompt="go")
    runs.becomes("running")
    later = str(uuid.uuid4())
    runs.send("behind", prompt_id=later)
    more = {"key": "escape"} if by == "session/input" else {}
    runs.call(by, session_id=session, **more)
    runs.becomes("idle")
    gate.set()
    until(lambda: runs.send("behind", prompt_id=later)["status"] == "cancelled", lambda: "the prompt to be taken back", 20)
    runs.send("on")
    runs.driver.hear("claude_message", 20, session_id=session, type="assistant")
    runs.becomes("idle")
    runs.stop()


def test_the_mode_is_changed_and_stays(box, cdev, runs, model):
    call = touch("x")
    runs.begin(model(say("one"), use(call), say("two")))
    session = runs.start(prompt="go")
    runs.becomes("idle")
    runs.call("session/set", session_id=session, permission_mode="plan", title="My work")
    until(lambda: runs.state()["permission_mode"] == "plan", lambda: f"{runs.state()}", 20)
    assert runs.state()["title"] == "My work"
    runs.driver.hear("claude_session_info", session_id=session, permission_mode="plan")
    runs.stop()


def test_a_copy_goes_on_by_itself(box, runs, model):
    answers = model(say("one"), say("two"))
    runs.begin(answers)
    runs.start(prompt="remember the word heron")
    first = runs.becomes("idle")
    fork = runs.driver.call("session/start", {
        "workspace_id": runs.workspace, "resume_session_id": first["claude_session_id"], "fork": True, "prompt": "more"})
    assert fork["id"] != first["id"] and fork["claude_session_id"] != first["claude_session_id"]
    until(lambda: runs.call("session/state", session_id=fork["id"])["claude_state"] == "idle", lambda: "the copy's turn", 20)
    assert "heron" in str(answers.requests[-1])
    with pytest.raises(RpcError, match="run already"):
        runs.driver.call(
            "session/start", {"workspace_id": runs.workspace, "resume_session_id": first["claude_session_id"]})
    runs.call("session/stop", session_id=fork["id"])
    until(lambda: len(children(box)) == 1, "the copy's process to end", 20)
    runs.stop()


def test_what_cannot_be_done_says_what_can(box, cdev, runs, model):
    runs.begin(model(say("done")), max_sessions=1)
    session = runs.start()
    call = runs.driver.call
    for method, params, words in (
        ("session/input", {"key": "enter"}, "session/send"), ("session/set", {}, "permission_mode"),
        ("session/set", {"permission_mode": "bypassPermissions"}, "allow_bypass"),
        ("session/send", {}, '"prompt" is required'), ("session/send", {"prompt": ""}, "must not be empty"),
        ("session/send", {"prompt": [{"type": "image"}]}, "base64"),
        ("session/send", {"prompt": [{"type": "image", "source": {
            "type": "base64", "media_type": "image/png", "data": "no!"}}]}, "must be base64"),
        ("session/send", {"prompt": "x", "prompt_id": "1"}, "UUID"),
        ("session/respond", {"response": "yes"}, "asks nothing of this kind"),
    ):
        with pytest.raises(RpcError, match=words):
            call(method, {"session_id": session, **params})
    for method, words in (("agent/run", "session/start"), ("agent/stop", "session/stop"),
                          ("agent/respond", "session/respond"), ("agent/status", "session/state")):
        with pytest.raises(RpcError, match=words) as refusal:
            call(method, {})
        assert refusal.value.code == -32601
    for params, words in (({"fork": True}, "resume_session_id"), ({"permission_mode": "bypassPermissions"}, "allow_bypass"),
                          ({}, "1 sessions have a process")):
        with pytest.raises(RpcError, match=words):
            call("session/start", {"workspace_id": runs.workspace, **params})
    with pytest.raises(RpcError) as refusal:
        call("session/send", {"session_id": "sess-xyz789", "prompt": "x"})
    assert refusal.value.code == -32602 and refusal.value.message == (
        "session not running: sess-xyz789 (use session/start with resume_session_id to resume historical sessions)")
    runs.stop()
