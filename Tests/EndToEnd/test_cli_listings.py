"""Listings, tokens and `explain`, for people and as JSON."""
import json

import pytest

from harness.checks import OTHER, REFUSED, fails, held_id


@pytest.fixture
def bare(cdev):
    return cdev.start(no_approver="hold")


@pytest.mark.parametrize("words", [
    ("pending",), ("rules",), ("log",), ("sessions",), ("status",), ("doctor",), ("token", "list"),
])
def test_listings_as_json(cdev, words):
    cdev.ok("install")
    cdev.start()
    done = cdev.run(*words, "--json")
    assert json.loads(done.stdout)["version"] == 1, done.stdout


def test_sessions_and_log(bare, session):
    held = session.bash("touch a")
    assert session.id[:8] in bare.ok("sessions")
    bare.ok("allow", held_id(bare, held))
    held.answer()
    assert "touch a" in bare.ok("log", "--session", session.id)
    assert bare.history("another") == []
    assert bare.json("log", "--since", "1h")["requests"]


def test_the_log_goes_on_where_one_answer_was_full(cdev):
    cdev.start(no_approver="deny")
    session = cdev.session()
    calls = [session.bash(f"touch f{number} " + "x" * 20_000) for number in range(150)]
    assert {call.decision() for call in calls} == {"deny"}
    entries = cdev.json("log", "--limit", "150")["requests"]
    assert {entry["tool_use_id"] for entry in entries} == {call.tool_use_id for call in calls}


def test_status_says_what_matters(bare, session):
    held = session.bash("touch a")
    request = held_id(bare, held)
    text = bare.run("status").stdout
    assert str(bare.process.pid) in text and str(bare.port) in text
    assert request[:8] in text and "touch a" in text
    status = bare.json("status")
    assert status["pid"] == bare.process.pid and status["daemon_version"]
    assert [card["request_id"] for card in status["requests"]] == [request]


def test_status_sees_the_hooks_as_they_are_now(bare):
    assert bare.json("status")["hooks"]["state"] == "not-installed"
    bare.ok("install")
    assert bare.json("status")["hooks"]["state"] == "installed"
    bare.ok("uninstall")
    assert "  hooks     not installed\n" in bare.run("status").stdout


def test_status_tells_the_first_problem_and_its_remedy(bare):
    line = fails(bare, OTHER, "status")
    assert "the hooks are not installed" in line and "→ cdev install" in line
    assert bare.json("status")["problem"]["remedy"] == "cdev install"
    bare.ok("install")
    bare.ok("status")
    assert bare.json("status")["problem"] is None


def test_tokens(bare):
    token = bare.json("token", "create", "phone")["token"]
    assert token not in bare.ok("token", "list")
    assert [one["name"] for one in bare.json("token", "list")["tokens"]] == ["phone"]
    fails(bare, (OTHER, REFUSED), "token", "create", "phone")
    bare.ok("token", "revoke", "phone")
    fails(bare, (OTHER, REFUSED), "token", "revoke", "phone")
    assert bare.json("token", "list")["tokens"] == []


@pytest.mark.parametrize(("line", "words"), [
    ("ls -la", ["ls"]),
    ("npm test && touch x", ["npm test", "touch"]),
    ("touch $(date)", ["$("]),
    ("curl https://example.org", ["curl"]),
    ("git status | head -3", ["git status", "head"]),
    ("cat ~/.ssh/id_ed25519", ["~"]),
])
def test_explain(cdev, line, words):
    text = cdev.ok("explain", line)
    for word in words:
        assert word in text


@pytest.mark.parametrize(("line", "marked", "reason"), [
    ("touch $(date)", "    touch $(date)\n          ^ ", "`$(`"),
    ("true\n" * 20 + "ls & rm x", "…" + ("true⏎" * 20)[-47:] + "ls & rm x\n" + " " * 55 + "^ ", "`&` outside"),
])
def test_explain_shows_where_the_reading_ends(cdev, line, marked, reason):
    text = cdev.ok("explain", line)
    assert marked in text and reason in text and "byte" not in text, text


def test_explain_in_a_directory(box, cdev):
    assert "git status" in cdev.ok("explain", "git status", "--cwd", box.project)


def test_a_session_that_asks_nothing_says_so(bare, session):
    assert session.bash("touch a", permission_mode="auto").decision() == "pass"
    said = bare.ok("sessions")
    assert "auto" in said and "cdev asks about nothing there" in said


OUTSIDE = "it changes a file outside the project"


@pytest.mark.parametrize(("path", "warning"), [("notes.md", ""), ("/etc/hosts", OUTSIDE), ("~/x", "cdev could not tell if " + OUTSIDE)])
def test_a_change_outside_the_project_is_a_warning(bare, session, path, warning):
    held = session.call("Write", {"file_path": path, "content": "x"})
    for shown in (bare.ok("pending"), bare.ok("show", held_id(bare, held))):
        assert warning in shown and ("could not tell" in shown, OUTSIDE in shown) == ("could" in warning, warning != "")
