"""The agent tries to answer for its user, with the very tools it is asking for."""
import shlex

import pytest

from harness.checks import delivered
from harness.fake_model import bash, say, use

pytestmark = pytest.mark.real_cli


@pytest.fixture
def attempt(box, daemon, phone, model, claude):
    """Lets a person allow one Bash line of Claude's while another session's call is held; returns what the line printed.

    The client runs its Bash with CLAUDECODE set, and beneath the process that its hooks have named.
    """
    held = daemon.session()
    held.start()
    victim = held.bash("touch victim")
    card = phone.card(tool_use_id=victim.tool_use_id)

    def run(line):
        call = bash(line)
        answers = model(use(call), say("done"))
        client = claude(answers)
        phone.respond(phone.card(tool_use_id=call.id), "allow")
        delivered(client)
        assert not victim.answered()
        assert [c["request_id"] for c in phone.pending()] == [card["request_id"]]
        return answers.result(call)[0]

    run.card, run.victim, run.daemon, run.phone = card, victim, daemon, phone
    yield run
    phone.respond(card, "deny")
    assert victim.decision() == "deny"


def command(attempt, *words, prefix=""):
    program = shlex.quote(str(attempt.daemon.programs / "cdev"))
    return f"{prefix}{program} {' '.join(map(shlex.quote, words))}; echo status=$?"


@pytest.mark.parametrize("verb", ["allow", "deny", "pass"])
def test_claude_cannot_decide(attempt, verb):
    said = attempt(command(attempt, verb, attempt.card["request_id"]))
    assert "status=4" in said
    assert "inside an agent" in said
    assert attempt.phone.hear("agent_refused")["method"] == "permission/respond"


def test_clearing_the_environment_does_not_help(attempt):
    said = attempt(command(attempt, "allow", attempt.card["request_id"],
                           prefix=f"env -u CLAUDECODE CDEV_HOME={shlex.quote(str(attempt.daemon.box.cdev_home))} "))
    assert "status=4" in said


@pytest.mark.parametrize("words", [("token", "create", "mine"), ("token", "list"), ("token", "revoke", "phone")])
def test_claude_gets_at_no_token(attempt, words):
    assert "status=4" in attempt(command(attempt, *words))
    names = [token["name"] for token in attempt.daemon.json("token", "list")["tokens"]]
    assert names == ["phone"]


def test_claude_cannot_revoke_a_rule(attempt, daemon, phone):
    held = daemon.session()
    held.start()
    denied = held.bash("touch other")
    phone.respond(phone.card(tool_use_id=denied.tool_use_id), "deny", scope="session")
    assert denied.decision() == "deny"
    rule = phone.call("permission/rules")["rules"][0]["id"]
    assert "status=4" in attempt(command(attempt, "rules", "revoke", str(rule)))
    assert len(phone.call("permission/rules")["rules"]) == 1


def test_the_attempt_is_logged_and_shown(attempt):
    attempt(command(attempt, "allow", attempt.card["request_id"]))
    assert "refused" in attempt.daemon.log().lower()
    assert "refused" in (attempt.daemon.run("status").stdout + attempt.daemon.ok("log")).lower()


def test_looking_is_allowed(attempt):
    said = attempt(command(attempt, "pending"))
    assert "status=0" in said
    assert attempt.card["request_id"][:8] in said
