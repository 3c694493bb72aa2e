"""Sessions that the daemon runs: the real client is started, prompted, asked for, outlives the daemon, and is ended."""
import os
import signal
import uuid

import pytest

from harness.approver import RpcError
from harness.checks import includes, no_card
from harness.fake_model import say, touch, use
from harness.runs import Runs, children, only_child
from harness.waiting import until

pytestmark = pytest.mark.real_cli


@pytest.fixture
def runs(box, cdev):
    return Runs(box, cdev)


def test_a_session_is_started_prompted_asked_and_stopped(box, runs, model):
    call = touch("x")
    answers = model(use(call), say("done"))
    runs.begin(answers)
    session = runs.start()
    includes(runs.session, workspace_id=runs.workspace, status="running")
    includes(runs.send("make x"), status="sent")
    card = runs.driver.card(tool_use_id=call.id)
    includes(card, tool_name="Bash", tool_input=call.input, terminal_prompt=False, cwd=str(box.project))
    includes(runs.becomes("waiting"), waiting_for_input=True, pending_tool_use_id=call.id, pending_tool_name="Bash")
    assert not (box.project / "x").exists()
    includes(runs.driver.respond(card, "allow"), success=True)
    includes(runs.becomes("idle"), is_running=False, waiting_for_input=False, claude_session_id=card["session_id"])
    assert (box.project / "x").exists() and answers.result(call)[1] is False
    assert [s["id"] for s in runs.call("session/active", workspace_id=runs.workspace)["sessions"]] == [session]
    runs.stop()
    assert runs.call("session/active")["count"] == 0
    with pytest.raises(RpcError, match="session not running: .*use session/start with resume_session_id"):
        runs.send("more")
    until(lambda: not (box.cdev_home / "sessions" / session).exists(), lambda: "its files to be removed")


def test_a_deny_reaches_the_model(box, runs, model):
    call = touch("x")
    answers = model(use(call), say("done"))
    runs.begin(answers).start()
    runs.send("make x")
    runs.driver.respond(runs.driver.card(tool_use_id=call.id), "deny", message="not here")
    runs.becomes("idle")
    text, is_error = answers.result(call)
    assert is_error and "not here" in text and not (box.project / "x").exists()
    runs.stop()


def test_nobody_is_asked_twice_where_the_hooks_are_installed(box, cdev, runs, model):
    cdev.ok("install")
    call = touch("x")
    runs.begin(model(use(call), say("done")), gate="tool-call").start()
    runs.send("make x")
    card = runs.driver.card(tool_use_id=call.id)
    assert [c["request_id"] for c in runs.driver.pending()] == [card["request_id"]]
    runs.driver.respond(card, "allow")
    runs.becomes("idle")
    assert (box.project / "x").exists()
    assert len([e for e in runs.driver.events if e["method"] == "event/pty_permission"]) == 1
    runs.stop()


def test_a_call_that_nobody_answers_is_denied(box, runs, model):
    call = touch("x")
    answers = model(use(call), say("done"))
    runs.begin(answers, prompt_timeout_seconds=2).start()
    runs.send("make x")
    runs.driver.card(tool_use_id=call.id)
    runs.becomes("idle")
    assert answers.result(call)[1] and not (box.project / "x").exists()
    runs.stop()


@pytest.mark.parametrize("how", ["killed", "stopped"])
def test_a_session_outlives_the_daemon(box, cdev, runs, model, how):
    call = touch("x")
    runs.begin(model(use(call), say("done"), say("again")))
    session = runs.start()
    runs.send("make x")
    card = runs.driver.card(tool_use_id=call.id)
    child = only_child(box)
    cdev.kill() if how == "killed" else cdev.stop()
    assert children(box) == [child]
    cdev.start()
    phone = cdev.approver("phone")
    again = next(item for item in phone.pending() if item["tool_use_id"] == call.id)
    assert again["request_id"] == card["request_id"]
    assert runs.becomes("waiting")["id"] == session and children(box) == [child]
    phone.respond(again, "allow")
    runs.becomes("idle")
    assert (box.project / "x").exists()
    runs.send("more")
    runs.becomes("idle")
    runs.stop()


def test_a_prompt_is_run_once(box, runs, model):
    answers = model(say("done"), say("twice"))
    runs.begin(answers).start()
    number = str(uuid.uuid4())
    includes(runs.send("go", prompt_id=number), status="sent", prompt_id=number)
    until(lambda: runs.send("go", prompt_id=number)["status"] == "completed", lambda: "the prompt to end", 20)
    assert runs.becomes("idle")["is_running"] is False
    runs.stop()


def test_the_conversation_goes_on_after_the_child_has_ended(box, runs, model):
    runs.begin(model(say("one"), say("two"))).start()
    runs.send("go")
    first = runs.becomes("idle")
    child = only_child(box)
    os.kill(child, signal.SIGKILL)
    runs.becomes("parked")
    runs.send("more")
    assert runs.becomes("idle")["claude_session_id"] == first["claude_session_id"]
    assert children(box) != [child]
    runs.stop()


def test_who_may_only_answer_starts_nothing(box, cdev, runs, model):
    runs.begin(model(say("done"))).start()
    phone = cdev.approver("phone")
    for method, params in (
        ("session/start", {"workspace_id": runs.workspace}), ("session/stop", {"session_id": runs.session["id"]}),
        ("session/send", {"session_id": runs.session["id"], "prompt": "go"}),
    ):
        with pytest.raises(RpcError, match="drive"):
            phone.call(method, params)
    assert phone.call("session/state", {"session_id": runs.session["id"]})["id"] == runs.session["id"]
    runs.stop()


def test_an_agent_that_is_not_there_is_said(box, runs, model):
    (box.stubs / "claude").unlink()
    runs.begin(model(say("done"))).start()
    until(lambda: runs.state()["status"] == "stopped", lambda: "the start to fail")
    assert "PATH" in runs.state()["error"]
