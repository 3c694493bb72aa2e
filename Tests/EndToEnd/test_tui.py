"""The client in its terminal, where a person at the desk and a person elsewhere may both answer."""
import json
import os
import re
import signal

import pytest

from harness.checks import includes, no_card
from harness.fake_model import say, touch, use
from harness.waiting import until

pytestmark = pytest.mark.real_cli

DIALOG = "Do you want to proceed"
FINISHED = "all finished"


@pytest.fixture
def hasty(cdev):
    """A daemon that holds a call for two seconds, then lets the terminal ask."""
    cdev.ok("install")
    return cdev.start(permission_timeout_seconds=2)


@pytest.fixture(params=["auto", "prompt"])
def asking(cdev, request):
    """A daemon that holds nothing before Claude itself asks, so that a dialog comes at once."""
    cdev.ok("install", "--gate", request.param)
    return cdev.start()


def test_an_answer_from_elsewhere_spares_the_dialog(box, daemon, phone, model, terminal):
    call = touch("x")
    screen = terminal(model(use(call), say(FINISHED)))
    screen.prompt()
    card = includes(phone.card(tool_use_id=call.id), terminal_prompt=False)
    assert DIALOG not in screen.screen()
    phone.respond(card, "allow")
    screen.shows(FINISHED)
    assert (box.project / "x").exists()


def test_a_session_that_runs_already_hears_of_the_hooks(box, cdev, model, terminal):
    cdev.start()
    phone = cdev.approver()
    call = touch("x")

    def turn(body):
        """The client looks at a changed file a second or two later: until a hook has run, nothing is asked."""
        if body["messages"][-1]["content"][0].get("type") == "tool_result":
            return say(FINISHED)
        asked = re.findall(r"go (\d+)", json.dumps(body["messages"]))[-1]
        return use(call) if phone.heard("claude_hook_prompt") else say(f"nothing heard of {asked}.")

    screen = terminal(model(*[turn] * 40))
    silent = rf"{screen.pid} runs and has told nothing"
    assert not re.search(silent, cdev.run("doctor").stdout), "without hooks there is another fault to name"
    cdev.ok("install")
    assert re.search(silent, cdev.run("doctor").stdout)
    for number in range(20):
        screen.prompt(f"go {number}")
        until(lambda: phone.heard("pty_permission") or f"heard of {number}." in screen.screen(), "an answer")
        if phone.heard("pty_permission"):
            break
    phone.respond(phone.card(tool_use_id=call.id), "allow")
    screen.shows(FINISHED)
    assert not re.search(silent, cdev.run("doctor").stdout)


def test_the_spinner_says_why_it_waits(box, daemon, phone, model, terminal):
    message = next(
        hook["statusMessage"] for group in json.loads(box.settings.read_text())["hooks"]["PreToolUse"]
        for hook in group["hooks"])
    call = touch("x")
    screen = terminal(model(use(call), say(FINISHED)))
    screen.prompt()
    card = phone.card(tool_use_id=call.id)
    screen.shows(re.escape(message[:20]))
    phone.respond(card, "deny")
    screen.shows(FINISHED)


def test_after_the_timeout_the_dialog_stands_and_can_be_answered_from_elsewhere(box, hasty, model, terminal):
    phone = hasty.approver()
    call = touch("x")
    screen = terminal(model(use(call), say(FINISHED)))
    screen.prompt()
    card = phone.card(tool_use_id=call.id, opening=1)
    includes(phone.resolved(card, opening=1), decision="ask", resolved_by="timeout")
    again = includes(phone.card(tool_use_id=call.id, opening=2), request_id=card["request_id"], terminal_prompt=True)
    assert again["deadline"] > card["deadline"]
    screen.shows(DIALOG)
    phone.respond(again, "allow")
    screen.clears(DIALOG)
    screen.shows(FINISHED)
    assert (box.project / "x").exists()
    includes(phone.resolved(card, opening=2), decision="allow", resolved_by="device phone")


def test_after_the_timeout_a_refusal_from_elsewhere_closes_the_dialog(box, hasty, model, terminal):
    phone = hasty.approver()
    call = touch("x")
    answers = model(use(call), say(FINISHED))
    screen = terminal(answers)
    screen.prompt()
    again = phone.card(tool_use_id=call.id, opening=2)
    screen.shows(DIALOG)
    phone.respond(again, "deny", message="better not")
    screen.shows(FINISHED)
    assert "better not" in answers.result(call)[0]
    assert not (box.project / "x").exists()


def test_answered_in_the_terminal(box, asking, model, terminal):
    phone = asking.approver()
    call = touch("x")
    screen = terminal(model(use(call), say(FINISHED)))
    screen.prompt()
    card = includes(phone.card(), tool_use_id=call.id, terminal_prompt=True)
    screen.answer("Enter")
    includes(phone.resolved(card), decision="allow", resolved_by="terminal", scope=None)
    screen.shows(FINISHED)
    assert (box.project / "x").exists()
    assert phone.pending() == []


@pytest.mark.parametrize("key", ["Escape", "4"])
def test_refused_in_the_terminal(box, asking, model, terminal, key):
    phone = asking.approver()
    call = touch("x")
    screen = terminal(model(use(call), say(FINISHED)))
    screen.prompt()
    card = phone.card(tool_use_id=call.id)
    screen.answer(key)
    includes(phone.resolved(card), decision="pass", resolved_by="hook gone")
    assert not (box.project / "x").exists()
    assert phone.pending() == []


def test_escape_while_the_call_is_held(box, daemon, phone, model, terminal):
    call = touch("x")
    screen = terminal(model(use(call), say(FINISHED)))
    screen.prompt()
    card = phone.card(tool_use_id=call.id)
    screen.press("Escape")
    includes(phone.resolved(card), resolved_by="hook gone")
    screen.shows("(?i)interrupted")
    assert not (box.project / "x").exists()


def test_pass_hands_the_request_to_the_terminal(box, daemon, phone, model, terminal):
    call = touch("x")
    screen = terminal(model(use(call), say(FINISHED)))
    screen.prompt()
    card = phone.card(tool_use_id=call.id)
    daemon.ok("pass", card["request_id"])
    screen.answer("Enter")
    screen.shows(FINISHED)
    assert (box.project / "x").exists()


def test_a_person_may_ask_that_the_terminal_asks(box, daemon, phone, model, terminal):
    call = touch("x")
    screen = terminal(model(use(call), say(FINISHED)))
    screen.prompt()
    phone.respond(phone.card(tool_use_id=call.id, opening=1), "ask")
    again = phone.card(tool_use_id=call.id, opening=2)
    screen.shows(DIALOG)
    phone.respond(again, "allow")
    screen.shows(FINISHED)
    assert (box.project / "x").exists()


def test_a_permission_rule_of_the_users_own_still_asks_after_an_allow(box, cdev, model, terminal):
    """What the person wrote into Claude's settings is stronger than what they tapped; the tap answers that too."""
    box.settings.write_text(json.dumps({"permissions": {"ask": ["Bash(touch:*)"]}}))
    cdev.ok("install")
    cdev.start()
    phone = cdev.approver()
    call = touch("x")
    screen = terminal(model(use(call), say(FINISHED)))
    screen.prompt()
    phone.respond(phone.card(tool_use_id=call.id), "allow")
    screen.shows(FINISHED)
    assert (box.project / "x").exists()
    assert len(phone.heard("pty_permission")) == 1


def test_allowed_from_a_terminal_command(box, cdev, model, terminal):
    cdev.ok("install")
    cdev.start(no_approver="hold")
    call = touch("x")
    screen = terminal(model(use(call), say(FINISHED)))
    screen.prompt()
    held = until(lambda: cdev.json("pending")["requests"], "a pending request")[0]
    cdev.ok("allow", held["request_id"][:8])
    screen.shows(FINISHED)
    assert (box.project / "x").exists()


def test_without_a_daemon_the_dialog_appears_as_it_always_did(box, cdev, model, terminal):
    cdev.ok("install")
    call = touch("x")
    screen = terminal(model(use(call), say(FINISHED)))
    screen.prompt()
    screen.answer("Enter")
    screen.shows(FINISHED)
    assert (box.project / "x").exists()


def test_without_a_daemon_a_blocking_installation_refuses_here_too(box, cdev, model, terminal):
    cdev.ok("install", "--on-failure", "block")
    call = touch("x")
    answers = model(use(call), say(FINISHED))
    screen = terminal(answers)
    screen.prompt()
    screen.shows(FINISHED)
    assert answers.result(call)[1]
    assert DIALOG not in screen.last


def test_the_session_ends_with_the_terminal(box, asking, model, terminal):
    phone = asking.approver()
    call = touch("x")
    screen = terminal(model(use(call), say(FINISHED)))
    screen.prompt()
    card = phone.card(tool_use_id=call.id)
    os.kill(screen.pid, signal.SIGTERM)
    end = phone.resolved(card)
    assert end["resolved_by"] in ("hook gone", "terminal")
    phone.hear("claude_hook_session_end", session_id=card["session_id"])


def test_a_client_that_dies_leaves_no_request_behind(box, daemon, phone, model, terminal):
    call = touch("x")
    screen = terminal(model(use(call), say(FINISHED)))
    screen.prompt()
    card = phone.card(tool_use_id=call.id)
    os.kill(screen.pid, signal.SIGKILL)
    # The hook's own process is not told: it sees its output closed, or the daemon sees that the client is gone.
    assert phone.resolved(card, timeout=15)["resolved_by"] in ("hook gone", "terminal")
    assert phone.pending() == []


@pytest.mark.long
def test_the_session_of_a_client_that_died_ends(box, daemon, phone, model, terminal):
    """A killed client sends no SessionEnd; its rules must not wait for another process under the same session."""
    call = touch("x")
    screen = terminal(model(use(call), say(FINISHED)))
    screen.prompt()
    card = phone.card(tool_use_id=call.id)
    phone.respond(card, "allow", scope="session")
    screen.shows(FINISHED)
    os.kill(screen.pid, signal.SIGKILL)

    def ended():
        sessions = phone.call("hook/sessions")["sessions"]
        return all(s["state"] == "ended" for s in sessions) and not phone.call("permission/rules")["rules"]

    until(ended, "the session to end", 60, pause=0.5)


def test_the_rules_go_on_after_clear(box, daemon, phone, model, terminal):
    first, second = touch("x"), touch("y")

    def turn(body):
        """Each prompt gets one call, and its result the last word; after /clear the conversation begins anew."""
        if body["messages"][-1]["content"][0].get("type") == "tool_result":
            return say(FINISHED + (" again" if (box.project / "y").exists() else ""))
        return use(second if (box.project / "x").exists() else first)

    screen = terminal(model(*[turn] * 10))
    screen.prompt()
    phone.respond(phone.card(tool_use_id=first.id), "allow", scope="session")
    screen.shows(FINISHED)
    (rule,) = phone.call("permission/rules")["rules"]
    screen.prompt("/clear")
    until(lambda: phone.heard("claude_hook_session", start_source="clear"), "the next session")
    (kept,) = phone.call("permission/rules")["rules"]
    assert kept["id"] == rule["id"] and kept["session_id"] != rule["session_id"]
    screen.prompt("go on")
    screen.shows(FINISHED + " again")
    # Their transcripts are parts of one history.
    before, after = rule["session_id"], kept["session_id"]

    def links(session):
        page = phone.call("workspace/session/messages", {"session_id": session, "limit": 1})
        return [(one["kind"], one["session_id"]) for one in page["links"]]

    until(lambda: links(after) == [("clear_of", before)], lambda: f"the link back; {links(after)}", 5, pause=0.5)
    assert links(before) == [("cleared_to", after)]
    assert (box.project / "y").exists()
    no_card(phone, tool_use_id=second.id)


def test_a_call_that_is_changed_at_its_dialog_is_told_to_the_model(box, asking, model, terminal):
    phone = asking.approver()
    call = touch("x")
    answers = model(use(call), say(FINISHED))
    screen = terminal(answers)
    screen.prompt()
    card = includes(phone.card(tool_use_id=call.id), terminal_prompt=True)
    phone.respond(card, "allow", updated_input={**call.input, "command": "touch changed"})
    screen.shows(FINISHED)
    assert (box.project / "changed").exists() and not (box.project / "x").exists()
    told = json.dumps(answers.requests[-1]["messages"])
    assert "a person changed this call" in told and "touch changed" in told
