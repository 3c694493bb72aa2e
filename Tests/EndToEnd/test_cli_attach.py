"""`cdev attach`: a session of the daemon goes on in the real Claude Code at a terminal, and back. `cdev workspaces trust`."""
import json
import threading

import pytest

from harness import claude as claude_cli
from harness.approver import RpcError
from harness.checks import OTHER, REFUSED, USAGE, fails
from harness.fake_model import say
from harness.pane import Pane
from harness.runs import Runs, children
from harness.tui import READY
from harness.waiting import until

pytestmark = pytest.mark.real_cli


@pytest.fixture
def runs(box, cdev):
    box.trust(box.project)
    return Runs(box, cdev)


def attach(box, cdev, model, *words):
    variables = claude_cli.environment(box, model, TERM="xterm-256color")
    return Pane(box, [cdev.programs / "cdev", "attach", *words], variables, name="attach")


def leave(pane):
    pane.type("/exit")
    pane.shows("/exit")
    pane.press("Enter")
    until(lambda: not pane.alive(), lambda: f"Claude Code to end: {pane.last}", 20)


def send(pane, text):
    pane.type(text)
    pane.shows(text)
    pane.press("Enter")


def test_a_session_goes_to_a_terminal_and_comes_back(box, cdev, runs, model):
    answers = model(say("first words"), say("words at the terminal"), say("words from afar"))
    runs.begin(answers)
    session = runs.start(prompt="remember the word heron", permission_mode="acceptEdits")
    runs.becomes("idle")
    pane = attach(box, cdev, answers, session[:8])
    pane.shows("first words", 20)
    pane.shows("accept edits")
    assert not children(box) and runs.state()["claude_state"] == "parked"
    for refused in ({"session/send": {"session_id": session, "prompt": "x"}},
                    {"session/start": {"workspace_id": runs.workspace, "resume_session_id": runs.state()["claude_session_id"]}}):
        ((method, params),) = refused.items()
        with pytest.raises(RpcError) as error:
            runs.driver.call(method, params)
        assert error.value.data["other_writer"] is True
    assert "needs a terminal" in fails(cdev, USAGE, "attach", session[:8])
    send(pane, "and now here")
    pane.shows("words at the terminal", 20)
    leave(pane)
    runs.send("and now there")
    until(lambda: "words from afar" in str(runs.driver.heard("claude_message", session_id=session)), lambda: runs.state(), 20)
    assert "heron" in str(answers.requests[-1]) and "and now here" in str(answers.requests[-1])
    runs.stop()


def test_a_session_at_work_is_not_taken_away_unless_it_is_stopped(box, cdev, runs, model):
    answers = model(say("never", gate=threading.Event()))
    runs.begin(answers)
    session = runs.start(prompt="go")
    runs.becomes("running")
    pane = attach(box, cdev, answers, session[:8])
    until(lambda: b"works on something" in pane.raw(), lambda: pane.last)
    assert children(box) and runs.state()["is_running"]
    again = Pane(box, [cdev.programs / "cdev", "attach", "--now", session[:8]],
                 claude_cli.environment(box, answers, TERM="xterm-256color"), name="again")
    again.shows(READY, 20)
    assert not children(box)
    leave(again)
    runs.stop()


def test_a_conversation_without_words_begins_at_the_terminal(box, cdev, runs, model):
    answers = model(say("first words"), say("second words"))
    runs.begin(answers)
    session = runs.start()
    runs.becomes("idle")
    pane = attach(box, cdev, answers, session[:8])
    pane.shows(READY, 20)
    send(pane, "begin here")
    pane.shows("first words", 20)
    leave(pane)
    with pytest.raises(RpcError, match="own terminal"):
        cdev.approver("owner").call("session/attach", {"session_id": session})
    runs.stop()


def test_a_directory_is_trusted_at_the_terminal_only(box, cdev, runs, model):
    """Other entries stay, and Claude Code then asks nothing there."""
    project = box.root / "other"
    (project / ".claude").mkdir(parents=True)
    (project / ".claude" / "settings.json").write_text("{}")
    record = box.config / ".claude.json"
    before = json.loads(record.read_text())
    trust = ("workspaces", "trust")
    assert "at a terminal" in fails(cdev, USAGE, *trust, project)
    assert "inside an agent" in fails(cdev, REFUSED, *trust, project, env={"CLAUDECODE": "1"})
    assert "there is no directory" in fails(cdev, OTHER, *trust, box.root / "none")
    for answer, changes in (("y", False), ("yes", True)):
        pane = Pane(box, [cdev.programs / "cdev", "workspaces", "trust", project], box.env(), name=f"trust-{answer}")
        pane.shows("Type yes")
        assert ".claude/settings.json" in pane.last and "CLAUDE.md" not in pane.last
        pane.type(answer)
        pane.press("Enter")
        pane.shows("is trusted" if changes else "nothing was changed")
        now = json.loads(record.read_text())
        assert (now != before) is changes
    assert now.pop("projects")[str(project)]["hasTrustDialogAccepted"] is True
    before["projects"].update()
    assert {key: value for key, value in before.items() if key != "projects"} == now
    assert "trusted already" in cdev.ok("workspaces", "trust", str(project))
    assert not record.with_name(".claude.json.lock").exists()


def test_the_record_is_not_written_while_another_writes_it(box, cdev):
    record, lock = box.config / ".claude.json", box.config / ".claude.json.lock"
    box.trust(box.project)
    other = box.root / "other"
    other.mkdir()
    lock.mkdir()
    pane = Pane(box, [cdev.programs / "cdev", "workspaces", "trust", other], box.env())
    pane.shows("Type yes")
    before = record.read_bytes()
    pane.type("yes")
    pane.press("Enter")
    assert record.read_bytes() == before
    lock.rmdir()
    pane.shows("is trusted")
    assert record.read_bytes() != before
