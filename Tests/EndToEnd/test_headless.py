"""The client without a terminal: what it asks is held, and it does what was answered.

Such a session is unattended: nobody sits at a prompt of its own, so what is not answered is refused by the client.
"""
import json

import pytest

from harness.checks import delivered, includes, no_card
from harness.fake_model import Turn, bash, say, touch, use
from harness.waiting import until

pytestmark = pytest.mark.real_cli


def test_an_allow_runs_the_tool(box, daemon, phone, model, claude):
    call = touch("x")
    answers = model(use(call), say("done"))
    run = claude(answers)
    card = phone.card(tool_use_id=call.id)
    includes(card, type="bash_command", target="touch x", tool_name="Bash", tool_input=call.input,
             session_id=run.session_id, cwd=str(box.project), permission_mode="default", terminal_prompt=False, opening=1)
    assert not (box.project / "x").exists()
    includes(phone.respond(card, "allow"), success=True, decision="allow", scope="once")
    delivered(run)
    assert (box.project / "x").exists()
    assert answers.result(call)[1] is False
    includes(phone.resolved(card), tool_use_id=call.id, opening=1, decision="allow", input="allow", scope="once",
             resolved_by="device phone", session_id=run.session_id)
    includes(phone.hear("claude_hook_session", session_id=run.session_id), tool="claude_code", source="hook")
    includes(phone.hear("claude_hook_tool_start", tool_use_id=call.id), tool_name="Bash", tool_input=call.input)
    phone.hear("claude_hook_tool_end", tool_use_id=call.id)
    phone.hear("claude_hook_session_end", session_id=run.session_id)


def test_a_card_says_why_the_call_is_made(box, daemon, phone, model, claude):
    first, second = touch("x"), touch("y")
    turns = Turn(text="I make x now.", calls=(first,)), use(second), say("done")
    run = claude(model(*turns), "please make x and y")
    context = {"title": None, "prompt": "please make x and y", "last_words": "I make x now."}
    for call in first, second:
        card = includes(phone.card(tool_use_id=call.id), context=context)
        phone.respond(card, "allow")
    delivered(run)


def test_a_deny_reaches_the_model_with_its_message(box, daemon, phone, model, claude):
    call = touch("x")
    answers = model(use(call), say("done"))
    run = claude(answers)
    card = phone.card(tool_use_id=call.id)
    phone.respond(card, "deny", message="write it to y instead")
    delivered(run)
    text, is_error = answers.result(call)
    assert is_error and "write it to y instead" in text
    assert not (box.project / "x").exists()
    includes(phone.resolved(card), decision="deny", resolved_by="device phone")
    includes(phone.hear("claude_hook_tool_end", tool_use_id=call.id), is_error=True, tool_result=None)


def test_an_allow_for_the_session_answers_the_next_call_of_its_kind(box, daemon, phone, model, claude):
    first, second = touch("a.txt"), touch("b.txt")
    run = claude(model(use(first), use(second), say("done")))
    card = phone.card(tool_use_id=first.id)
    assert card["patterns"] == ["Bash(touch:*)"]
    assert "allow_session" in [option["key"] for option in card["options"]]
    includes(phone.respond(card, "allow", scope="session"), scope="session")
    delivered(run)
    assert (box.project / "b.txt").exists()
    no_card(phone, tool_use_id=second.id)
    by = {entry["tool_use_id"]: entry["resolved_by"] for entry in daemon.history(run.session_id)}
    assert by[first.id] == "device phone" and by[second.id].startswith("rule ")


def test_a_rule_does_not_carry_what_is_joined_to_it(box, daemon, phone, model, claude):
    box.stub("npm", 'echo "npm $*" >> "$HOME/npm.txt"')
    alone, joined = bash("npm test"), bash("npm test && touch x")
    run = claude(model(use(alone), use(joined), say("done")))
    phone.respond(phone.card(tool_use_id=alone.id), "allow", scope="session")
    card = phone.card(tool_use_id=joined.id)
    assert not (box.project / "x").exists()
    assert (box.home / "npm.txt").read_text().count("npm test") == 1
    phone.respond(card, "deny")
    delivered(run)
    assert not (box.project / "x").exists()


def test_no_answer_in_time_leaves_an_unattended_client_to_itself(box, cdev, model, claude):
    cdev.ok("install")
    cdev.start(permission_timeout_seconds=2)
    phone = cdev.approver()
    call = touch("x")
    answers = model(use(call), say("done"))
    run = claude(answers)
    card = phone.card(tool_use_id=call.id)
    end = includes(phone.resolved(card), resolved_by="timeout", scope=None)
    assert end["decision"] in ("ask", "pass")
    # The client asks once more, by PermissionRequest, and is not made to wait for the same person again.
    delivered(run)
    assert answers.result(call)[1]
    assert not (box.project / "x").exists()
    assert len(phone.heard("pty_permission")) == 1


@pytest.mark.parametrize(("setting", "ran"), [("pass", False), ("deny", False), ("hold", True)])
def test_nobody_is_there_to_answer(box, cdev, model, claude, setting, ran):
    cdev.ok("install")
    cdev.start(no_approver=setting)
    call = touch("x")
    answers = model(use(call), say("done"))
    run = claude(answers)
    if setting == "hold":
        phone = cdev.approver()
        phone.respond(_pending(phone, call), "allow")
    delivered(run)
    said, is_error = answers.result(call)
    assert is_error is not ran and ("no_approver is deny" in said) is (setting == "deny"), said
    assert (box.project / "x").exists() is ran


def _pending(phone, call):
    """A card asked before this approver came: listed already, or announced just now."""
    return until(lambda: next((c for c in phone.pending() if c["tool_use_id"] == call.id), None), "a pending request")


def test_an_approver_that_only_watches_is_nobody(box, daemon, model, claude):
    watcher = daemon.approver("watcher", approver=False)
    call = touch("x")
    answers = model(use(call), say("done"))
    delivered(claude(answers))
    assert answers.result(call)[1]
    no_card(watcher)


def test_a_changed_input_is_what_runs(box, daemon, phone, model, claude):
    call = touch("asked")
    answers = model(use(call), say("done"))
    run = claude(answers)
    card = phone.card(tool_use_id=call.id)
    reply = phone.respond(card, "allow", scope="session", updated_input={**call.input, "command": "touch changed"})
    includes(reply, decision="allow", scope="once")
    delivered(run)
    told = json.dumps(answers.requests[-1])
    assert "a person changed this call" in told and "you asked for touch asked, touch changed ran" in told
    assert (box.project / "changed").exists()
    assert not (box.project / "asked").exists()
    assert phone.call("permission/rules")["rules"] == []


def test_two_sessions_at_once_are_answered_apart(box, daemon, phone, model, claude):
    first, second = touch("first"), touch("second")
    runs = [claude(model(use(call), say("done"))) for call in (first, second)]
    cards = [phone.card(tool_use_id=call.id) for call in (first, second)]
    assert cards[0]["session_id"] != cards[1]["session_id"]
    phone.respond(cards[1], "allow")
    phone.respond(cards[0], "deny")
    for run in runs:
        delivered(run)
    assert (box.project / "second").exists()
    assert not (box.project / "first").exists()


def test_what_only_reads_is_not_asked_about(box, daemon, phone, model, claude):
    (box.project / "note.txt").write_text("hello\n")
    look, read = bash("cat note.txt | head -1"), bash("git status --short")
    answers = model(use(look), use(read), say("done"))
    delivered(claude(answers))
    assert "hello" in answers.result(look)[0]
    assert answers.result(read)[1] is False
    no_card(phone)


def test_with_the_gate_at_prompt_only_what_claude_asks_is_held(box, cdev, model, claude):
    cdev.ok("install", "--gate", "prompt")
    cdev.start()
    phone = cdev.approver()
    call = touch("x")
    run = claude(model(use(call), say("done")))
    # Nobody sits at a terminal, so no dialog stands beside the card.
    card = includes(phone.card(), tool_use_id=call.id, terminal_prompt=False)
    phone.respond(card, "allow")
    delivered(run)
    assert (box.project / "x").exists()


@pytest.mark.parametrize("mode", ["auto", "bypassPermissions"])
def test_a_mode_that_never_asks_is_left_alone_but_for_a_deny_rule(box, daemon, phone, model, claude, mode):
    free, refused, stopped = touch("free"), touch("refused"), touch("stopped")
    answers = model(use(free), say("one"), use(refused), say("two"), use(stopped), say("three"))
    run = claude(answers, mode=mode, dialogue=True)
    run.turn_ends(1)
    no_card(phone)
    # Creating a file in the project needs no verdict of auto mode's classifier, which a scripted model cannot play.
    assert (box.project / "free").exists()

    run.control(1, subtype="set_permission_mode", mode="default")
    run.prompt("again")
    phone.respond(phone.card(tool_use_id=refused.id), "deny", scope="session")
    run.turn_ends(2)

    run.control(2, subtype="set_permission_mode", mode=mode)
    run.prompt("once more")
    run.turn_ends(3)
    run.finish()
    assert answers.result(stopped)[1]
    assert not (box.project / "stopped").exists()
    no_card(phone, tool_use_id=stopped.id)
    ends = {entry["tool_use_id"]: entry for entry in daemon.history(run.session_id)}
    assert ends[stopped.id]["decision"] == "deny" and ends[stopped.id]["resolved_by"].startswith("rule ")


def test_without_a_daemon_the_client_is_as_it_always_was(box, cdev, model, claude):
    cdev.ok("install")
    look, write = bash("ls"), touch("x")
    answers = model(use(look), use(write), say("done"))
    delivered(claude(answers))
    assert answers.result(look)[1] is False
    assert answers.result(write)[1] is True


def test_without_a_daemon_a_blocking_installation_refuses_and_says_why(box, cdev, model, claude):
    cdev.ok("install", "--on-failure", "block")
    look = bash("ls")
    answers = model(use(look), say("done"))
    delivered(claude(answers))
    text, is_error = answers.result(look)
    assert is_error and "cdev" in text


def test_a_blocking_installation_with_its_daemon_asks_as_usual(box, cdev, model, claude):
    cdev.ok("install", "--on-failure", "block")
    cdev.start()
    phone = cdev.approver()
    call = touch("x")
    run = claude(model(use(call), say("done")))
    phone.respond(phone.card(tool_use_id=call.id), "allow")
    delivered(run)
    assert (box.project / "x").exists()


def test_the_settings_of_a_project_cannot_move_the_hooks(box, daemon, phone, model, claude):
    """A project's `env` reaches the hooks; where the daemon is was written into them at installation."""
    (box.project / ".claude").mkdir()
    (box.project / ".claude" / "settings.json").write_text(
        '{"env": {"CDEV_SOCKET": "/nowhere/else.sock", "CDEV_HOME": "/nowhere"}}')
    call = touch("x")
    run = claude(model(use(call), say("done")))
    phone.respond(phone.card(tool_use_id=call.id), "deny", message="seen")
    delivered(run)
    assert not (box.project / "x").exists()


def test_a_rule_of_the_users_own_settings_is_not_asked_about(box, daemon, phone, model, claude):
    (box.project / ".claude").mkdir()
    (box.project / ".claude" / "settings.local.json").write_text('{"permissions": {"allow": ["Bash(touch:*)"]}}')
    run = claude(model(use(touch("x")), say("done")))
    delivered(run)
    assert (box.project / "x").exists()
    no_card(phone)


def test_http_hooks_of_the_users_own_are_served_too(box, cdev, phone_without_hooks, model, claude):
    """`type: "http"` hooks reach the same endpoint over loopback; such a card is marked as unverified."""
    entry = {"type": "http", "url": f"http://127.0.0.1:{cdev.port}/hooks/claude", "timeout": 60}
    box.settings.write_text(json.dumps({"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [entry]}]}}))
    call = touch("x")
    run = claude(model(use(call), say("done")))
    card = includes(phone_without_hooks.card(tool_use_id=call.id), unverified=True)
    phone_without_hooks.respond(card, "allow")
    delivered(run)
    assert (box.project / "x").exists()
