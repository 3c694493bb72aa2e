"""The daemon stops, dies and is replaced while calls are held: nothing that was asked or answered is lost."""
import shutil
import threading

import pytest

from harness.checks import delivered, includes, no_card
from harness.fake_model import say, touch, use

pytestmark = pytest.mark.real_cli

END = {"killed": lambda daemon: daemon.kill(), "stopped": lambda daemon: daemon.stop()}


@pytest.mark.parametrize("how", sorted(END))
def test_a_held_call_outlives_the_daemon(box, daemon, phone, model, claude, how):
    token = daemon.token("tablet")
    call = touch("x")
    run = claude(model(use(call), say("done")))
    card = phone.card(tool_use_id=call.id)
    END[how](daemon)
    assert phone.closed() == (1001 if how == "stopped" else 1006)
    daemon.start()
    tablet = daemon.approver("tablet", token=token)
    again = next(item for item in tablet.pending() if item["tool_use_id"] == call.id)
    includes(again, **{key: card[key] for key in ("request_id", "created_at", "deadline", "tool_input", "patterns")})
    assert not (box.project / "x").exists()
    tablet.respond(again, "allow")
    delivered(run)
    assert (box.project / "x").exists()
    includes(tablet.resolved(card), decision="allow", resolved_by="device tablet", opening=1)


def test_a_new_version_takes_over_while_a_call_is_held(box, daemon, phone, model, claude):
    token = daemon.token("tablet")
    call = touch("x")
    run = claude(model(use(call), say("done")))
    card = phone.card(tool_use_id=call.id)
    newer = box.root / "newer"
    newer.mkdir()
    for program in ("cdev", "cdev-hook"):
        shutil.copy2(daemon.programs / program, newer / program)
    for extra in daemon.programs.glob("*.resources"):
        shutil.copytree(extra, newer / extra.name)
    daemon.stop()
    daemon.programs = newer
    daemon.ok("install")
    daemon.start()
    assert str(newer) in "".join(path.read_text() for path in (box.cdev_home / "hooks").glob("*.sh"))
    tablet = daemon.approver("tablet", token=token)
    tablet.respond(card, "allow")
    delivered(run)
    assert (box.project / "x").exists()


def test_a_rule_outlives_the_daemon(box, daemon, phone, model, claude):
    gate = threading.Event()
    first, second = touch("a"), touch("b")
    answers = model(use(first), use(second, gate=gate), say("done"))
    run = claude(answers)
    token = daemon.token("tablet")
    phone.respond(phone.card(tool_use_id=first.id), "allow", scope="session")
    answers.result(first)
    daemon.kill()
    daemon.start()
    tablet = daemon.approver("tablet", token=token)
    gate.set()
    delivered(run)
    assert (box.project / "b").exists()
    no_card(tablet, tool_use_id=second.id)


def test_in_the_terminal_the_dialog_is_found_again(box, cdev, model, terminal):
    cdev.ok("install", "--gate", "prompt")
    cdev.start()
    token = cdev.token()
    phone = cdev.approver(token=token)
    call = touch("x")
    screen = terminal(model(use(call), say("all finished")))
    screen.prompt()
    card = phone.card(tool_use_id=call.id)
    screen.shows("Do you want to proceed")
    cdev.kill()
    cdev.start()
    again = cdev.approver(token=token)
    again.respond(card, "allow")
    screen.shows("all finished")
    assert (box.project / "x").exists()


def test_sequence_numbers_only_grow(box, daemon, phone, model, claude):
    token = daemon.token("tablet")
    call = touch("x")
    run = claude(model(use(call), say("done")))
    card = phone.card(tool_use_id=call.id)
    before = max(event["params"]["sequence"] for event in phone.events if "sequence" in event["params"])
    daemon.kill()
    daemon.start()
    tablet = daemon.approver("tablet", token=token)
    tablet.respond(card, "deny")
    assert tablet.resolved(card)["sequence"] > before
    delivered(run)


@pytest.mark.long
@pytest.mark.parametrize("on_failure", ["block", "continue"])
def test_a_daemon_that_does_not_come_back(box, cdev, model, claude, on_failure):
    """The relay looks for it for five seconds, and then does what it was installed to do."""
    cdev.ok("install", "--on-failure", on_failure)
    cdev.start()
    token = cdev.token()
    phone = cdev.approver(token=token)
    call = touch("x")
    answers = model(use(call), say("done"))
    # It lives on between its turns: were it gone, the session would be over, and its requests with it.
    run = claude(answers, dialogue=True)
    card = phone.card(tool_use_id=call.id)
    cdev.kill()
    run.turn_ends(1)
    text, is_error = answers.result(call)
    assert is_error and ("cdev" in text) is (on_failure == "block")
    assert not (box.project / "x").exists()
    # Its relay is gone for good, so the request is closed as lost, ten seconds after the daemon is back.
    cdev.start()
    again = cdev.approver(token=token)
    includes(again.resolved(card, timeout=15), resolved_by="lost", decision="pass")
    assert again.pending() == []
    delivered(run)


def test_an_answer_that_was_given_is_kept(box, daemon, phone, model, claude):
    """The log names who decided what, also when the daemon is killed right after."""
    call = touch("x")
    run = claude(model(use(call), say("done")))
    card = phone.card(tool_use_id=call.id)
    phone.respond(card, "deny", message="no thanks")
    daemon.kill()
    run.finish()
    assert not (box.project / "x").exists()
    daemon.start()
    mine = next(e for e in daemon.history(card["session_id"]) if e["request_id"] == card["request_id"])
    includes(mine, decision="deny", resolved_by="device phone")
