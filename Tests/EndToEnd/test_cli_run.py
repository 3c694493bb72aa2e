"""`cdev run`, `cdev send` and `cdev stop SESSION`: a session of the real client from a terminal."""
import json
import re

import pytest

from harness.checks import OTHER, USAGE, fails
from harness.fake_model import say, touch, use
from harness.pane import Pane
from harness.runs import Runs, children
from harness.waiting import until

pytestmark = pytest.mark.real_cli


@pytest.fixture
def runs(box, cdev):
    return Runs(box, cdev)


def started(runs):
    """The session that the command started."""
    (session,) = runs.call("session/active")["sessions"]
    runs.session = session
    return session["id"]


def test_a_session_in_a_terminal_asks_there_and_takes_the_next_prompt(box, cdev, runs, model):
    call, second = touch("x"), touch("y")
    runs.begin(model(use(call), say("made x"), use(second), say("no y then")))
    pane = Pane(box, [cdev.programs / "cdev", "run", "make x"], box.env())
    pane.shows("allow it?")
    assert "touch x" in pane.last and not (box.project / "x").exists()
    pane.type("y")
    pane.press("Enter")
    pane.shows("made x")
    pane.shows(r"(?m)^>$")
    assert (box.project / "x").exists()
    pane.type("make y")
    pane.press("Enter")
    pane.shows("touch y")
    pane.type("n")
    pane.press("Enter")
    pane.shows("no y then")
    pane.press("Enter")
    pane.shows("goes on")
    session = started(runs)
    assert not (box.project / "y").exists() and children(box)
    assert "is being ended" in cdev.ok("stop", session[:8])
    until(lambda: not children(box), lambda: "the child to end", 20)


def test_without_a_terminal_it_ends_with_its_prompt(box, cdev, runs, model):
    call = touch("x")
    runs.begin(model(use(call), say("made x"), say("again")))
    running = cdev.spawn("run", str(box.project), "make x")
    card = runs.driver.card(20, tool_use_id=call.id)
    runs.driver.respond(card, "allow")
    until(lambda: running.process.poll() == 0, lambda: "the command to end", 30)
    running.shows("made x")
    said = "".join(running.lines)
    assert "touch x" in said
    assert f"cdev show {card['request_id'][:8]}" in said, "who is elsewhere is told how to answer"
    session = started(runs)
    assert cdev.ok("send", session[:8], "-", stdin="once more\n") == f"sent to {session[:8]}\n"
    runs.driver.hear("claude_usage", 20, count=2, session_id=session)
    runs.stop()


def test_its_transcript_is_found_by_the_id_that_was_shown(box, cdev, runs, model):
    """Also once it has ended, by the id that `cdev stop` shows."""
    runs.begin(model(say("painted it red")))
    session = runs.start()
    until(lambda: runs.state()["claude_state"] == "idle", lambda: f"{runs.state()}", 20)
    assert f"`cdev send {session[:8]} PROMPT`" in fails(cdev, OTHER, "transcript", session[:8])
    runs.send("please paint the fence")
    until(lambda: "painted it red" in cdev.run("transcript", session[:8]).stdout, "the transcript", 20)
    assert cdev.ok("transcript", session, "--last", "1") == "painted it red\n\n"
    words = cdev.ok("__complete", "transcript", "s_").split("\t")
    assert words[0].strip() == session[:8] == cdev.ok("__complete", "send", "").split("\t")[0].strip()
    said = cdev.ok("stop", session[:8])
    shown = re.search("`cdev transcript ([0-9a-f]+)`", said)[1]
    until(lambda: not children(box), "the child to end", 20)
    for name in (shown, session):
        assert "painted it red" in cdev.ok("transcript", name)
    assert "`cdev sessions`" in fails(cdev, OTHER, "transcript", session[:8])
    assert "`cdev sessions`" in fails(cdev, OTHER, "transcript", "s_nothing")


def test_a_directory_that_nobody_trusted_is_said(box, cdev, runs, model):
    other = box.root / "other"
    other.mkdir()
    runs.begin(model(say("done"), say("done")))
    done = cdev.run("run", other, "go")
    assert done.returncode == 0 and "nobody trusted the directory" in done.stderr and "`cdev workspaces trust`" in done.stderr
    done = cdev.run("run", box.project, "go")
    assert done.returncode == 0 and "trusted" not in done.stderr
    for session in runs.call("session/active")["sessions"]:
        runs.call("session/stop", session_id=session["id"])
    until(lambda: not children(box), lambda: "the children to end", 20)


def test_json_is_a_line_for_each_event(box, cdev, runs, model):
    runs.begin(model(say("done")))
    lines = [json.loads(line) for line in cdev.ok("run", "go", "--json", "--mode", "plan").splitlines()]
    assert {"claude_message", "claude_status", "claude_usage"} <= {line["event"] for line in lines}
    assert all("version" in line for line in lines)
    started(runs)
    assert runs.state()["permission_mode"] == "plan"
    runs.stop()


def test_what_cannot_be_run_says_why(box, cdev, runs, model):
    (box.stubs / "claude").unlink()
    runs.begin(model(say("done")))
    assert "no program" in fails(cdev, OTHER, "run", "go")
    assert "no directory" in fails(cdev, USAGE, "run", "nowhere", "go")
    assert "runs none" in fails(cdev, OTHER, "send", "s_x", "go")
    assert "runs none" in fails(cdev, OTHER, "stop", "s_x")
    assert "permission_mode" in fails(cdev, OTHER, "run", "go", "--mode", "dance")
