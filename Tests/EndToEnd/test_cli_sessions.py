"""`cdev sessions`: those that run, and those of the past, of which only a transcript is left."""
import json
import os
import re
import signal

import pytest

from harness.fake_model import say, touch, use
from harness.pane import Pane
from harness.runs import Runs, only_child
from harness.transcripts import Transcript
from harness.waiting import until

PAST = "11111111-2222-4333-8444-555555555555"


@pytest.fixture
def bare(cdev):
    return cdev.start(no_approver="hold")


def listed(cdev, *words):
    return [(one["session_id"], one["state"]) for one in cdev.json("sessions", *words)["sessions"]]


def test_both_kinds_are_listed_once_each(bare, session):
    Transcript(bare.box, PAST).prompt("please paint the fence")
    own = Transcript(bare.box, session.id)
    own.prompt("please mend the roof")
    session.bash("touch a")
    until(lambda: listed(bare) == [(session.id, "permission_pending"), (PAST, "past")], "both")
    header, first, second = bare.ok("sessions").splitlines()
    assert header.split() == ["SESSION", "STATE", "TOOL", "WAITING", "PROJECT", "BRANCH", "TITLE", "LAST", "ACTIVITY"]
    assert re.match(rf"{session.id[:8]} +waiting +Bash +1 +{bare.box.project.name} +main +please mend the roof +\S.*(now|ago)$", first)
    assert re.match(rf"{PAST[:8]} +past +{bare.box.project.name} +main +please paint the fence +\S.*ago$", second)
    one = next(one for one in bare.json("sessions")["sessions"] if one["session_id"] == session.id)
    assert (one["branch"], one["message_count"], one["pending_requests"]) == ("main", 1, 1)


def test_only_the_last_that_ended_unless_all_are_wanted(bare, session):
    for number in range(30):
        Transcript(bare.box, f"{number:08}-0000-4000-8000-000000000000").prompt(f"task {number}", hour=number % 24)
    until(lambda: len(listed(bare)) == 21, "the last twenty")
    assert listed(bare)[0] == (session.id, "active")
    assert bare.json("sessions")["has_more"] is True
    text = bare.ok("sessions")
    assert len(text.splitlines()) == 1 + 21 + 1 and "`cdev sessions --all`" in text.splitlines()[-1]
    assert len(listed(bare, "--all")) == 31 and "--all" not in bare.ok("sessions", "--all")


@pytest.mark.parametrize("columns", [80, 60, 40])
def test_the_table_fits_its_terminal(bare, session, columns):
    Transcript(bare.box, PAST, branch="feature/" + "x" * 60).prompt("please paint the fence " * 20)
    session.bash("touch a")
    until(lambda: len(listed(bare)) == 2, "both")
    pane = Pane(bare.box, [bare.programs / "cdev", "sessions"], bare.box.env(TERM="xterm-256color"), columns, 50, "t")
    until(lambda: not pane.alive(), "it to end")
    lines = re.sub(r"\x1b\[[0-9;]*m", "", pane.raw().decode()).replace("\r", "").splitlines()
    assert len(lines) > 2 and max(map(len, lines)) <= columns, "\n".join(lines)


def test_what_a_transcript_holds_never_reaches_the_terminal(bare):
    Transcript(bare.box, PAST, branch="a\x1b[2Jb", cwd="/w/\x1b]0;owned\x07").prompt("hello \x1b[31m\u202e")
    until(lambda: listed(bare), "it")
    text = bare.ok("sessions")
    assert not set(text) & set("\x1b\x07\u202e") and r"\u{001B}" in text


def test_sessions_are_listed_though_transcripts_cannot_be_read(cdev):
    (cdev.box.cdev_home / "transcripts.db").mkdir(parents=True)
    cdev.box.cdev_home.chmod(0o700)
    session = cdev.start().session()
    session.start()
    done = cdev.run("sessions")
    assert done.returncode == 0 and session.id[:8] in done.stdout and "sessions of the past are missing" in done.stderr
    assert json.loads(cdev.run("sessions", "--json").stdout)["incomplete"] is True


@pytest.mark.real_cli
def test_a_session_that_the_daemon_runs_is_marked_with_its_id_and_its_state(box, cdev, model):
    """Without installed hooks, and before it called any tool."""
    call = touch("x")
    runs = Runs(box, cdev).begin(model(say("hello"), use(call), say("done")))
    (box.root / "other").mkdir()
    other = runs.driver.call("session/start", {"workspace_id": runs.call("workspace/add", path=str(box.root / "other"))["id"]})
    session = runs.start()
    runs.send("please paint the fence")
    runs.becomes("idle")
    until(lambda: listed(cdev), "the list")

    def row():
        (found,) = [one for one in cdev.json("sessions")["sessions"] if one["session_id"] == runs.state()["claude_session_id"]]
        return found

    def line():
        return next(line for line in cdev.ok("sessions").splitlines() if session[:8] in line)

    assert (row()["state"], row()["run"]["id"], row()["run"]["claude_state"]) == ("active", session, "idle")
    assert (row()["cwd"], row()["agent"]) == (str(box.project), "claude")
    assert "RUN BY CDEV" in cdev.ok("sessions") and re.match(rf"\S+ +idle +{session[:8]} +{box.project.name}\b", line())
    # Nothing was said in this one, so there is no transcript that would name its directory.
    (silent,) = [one for one in cdev.json("sessions")["sessions"] if one.get("run", {}).get("id") == other["id"]]
    assert silent["cwd"] == str(box.root / "other")
    runs.call("session/stop", session_id=other["id"])
    runs.send("make x")
    card = runs.driver.card(20, tool_use_id=call.id)
    runs.becomes("waiting")
    assert row()["state"] == "permission_pending" and re.match(rf"\S+ +waiting +{session[:8]} ", line())
    runs.driver.respond(card, "allow")
    runs.becomes("idle")
    os.kill(only_child(box), signal.SIGKILL)
    runs.becomes("parked")
    assert row()["state"] == "parked" and re.match(rf"\S+ +parked +{session[:8]} ", line())
    assert [one["session_id"] for one in cdev.json("sessions")["sessions"]].count(row()["session_id"]) == 1
    runs.call("session/stop", session_id=session)
    until(lambda: row()["state"] in ("ended", "past"), lambda: f"{row()}", 20)
    assert "run" not in row()
    until(lambda: "RUN BY CDEV" not in cdev.ok("sessions"), "the other one to have ended", 20)
