"""The real Grok CLI, which runs the hooks that `cdev install` wrote for Claude Code, and obeys no answer but its own form."""
import shlex

import pytest

from harness.checks import includes, no_card
from harness.grok import AT_HOME, Grok
from harness.waiting import until

pytestmark = pytest.mark.real_cli


@pytest.fixture
def grok(box):
    """Starts Grok: `grok(command, ...)` makes it run these lines one after another."""
    return lambda *commands, **options: Grok(box, *commands, **options)


@pytest.fixture
def daemon(cdev):
    cdev.ok("install", env=AT_HOME)
    return cdev.start()


def test_an_allow_runs_the_call_and_everybody_sees_whose_it_is(box, daemon, phone, grok):
    run = grok("touch x")
    card = includes(phone.card(), tool_name="Bash", target="touch x", cwd=str(box.project), agent="grok", can_ask=False,
                    patterns=[], tool_use_id="call_0")
    assert card["session_id"].startswith("grok:")
    assert not (box.project / "x").exists()
    session, = daemon.json("sessions")["sessions"]
    includes(session, agent="grok", session_id=card["session_id"], state="permission_pending", claude_pid=run.process.pid)
    assert "grok" in daemon.ok("sessions") and "(grok)" in daemon.ok("pending")
    phone.respond(card, "allow")
    run.finish()
    assert (box.project / "x").exists()
    includes(phone.hear("claude_hook_tool_end", tool_use_id="call_0"), agent="grok", is_error=False)
    assert phone.heard("deny_ignored") == []


def test_a_deny_blocks_the_call(box, daemon, phone, grok):
    run = grok("touch x")
    phone.respond(phone.card(), "deny", message="not today")
    result, = run.finish()
    assert "not today" in result
    assert not (box.project / "x").exists()
    assert phone.heard("deny_ignored") == []


def test_a_deny_rule_blocks_the_next_of_its_kind(box, daemon, phone, grok):
    run = grok("touch x", "touch y", "mkdir z")
    phone.respond(phone.card(tool_use_id="call_0"), "deny", scope="session")
    phone.respond(phone.card(tool_use_id="call_2"), "allow")
    run.finish()
    assert not (box.project / "x").exists() and not (box.project / "y").exists()
    assert (box.project / "z").is_dir()
    no_card(phone, tool_use_id="call_1")
    assert [entry["resolved_by"].split()[0] for entry in daemon.history() if entry["tool_use_id"] == "call_1"] == ["rule"]


def test_nobody_answers(box, cdev, grok):
    cdev.ok("install", env=AT_HOME)
    cdev.start(permission_timeout_seconds=1)
    phone = cdev.approver("phone")
    run = grok("touch x")
    phone.card()
    result, = run.finish()
    assert "nobody answered" in result
    assert not (box.project / "x").exists()


def test_where_it_asks_by_itself_nothing_is_held(box, daemon, phone, grok):
    grok("touch x", args=()).finish()
    assert not (box.project / "x").exists(), "without a terminal it ends its turn where it would ask"
    phone.hear("claude_hook_tool_start", tool_use_id="call_0")
    no_card(phone)


@pytest.mark.parametrize("on_failure, runs", [("block", False), ("continue", True)])
@pytest.mark.parametrize("what", ["the daemon", "the relay"])
def test_without(box, cdev, grok, what, on_failure, runs):
    cdev.ok("install", "--on-failure", on_failure, env=AT_HOME)
    if what == "the relay":
        for script in (box.cdev_home / "hooks").glob("*.sh"):
            script.write_text(script.read_text().replace(str(cdev.programs / "cdev-hook"), "/nonexistent/cdev-hook"))
    result, = grok("touch x").finish()
    assert (box.project / "x").exists() == runs, result
    assert ("cdev is not answering" in result) != runs


@pytest.mark.parametrize("prefix", ["", "exec env -u GROK_AGENT "])
def test_a_command_of_grok_cannot_answer_for_its_user(box, daemon, phone, grok, prefix):
    victim = daemon.session().bash("touch victim")
    card = phone.card(tool_use_id=victim.tool_use_id)
    run = grok(f"{prefix}{shlex.quote(str(daemon.programs / 'cdev'))} allow {card['request_id']}")
    phone.respond(phone.card(agent="grok"), "allow")
    result, = run.finish()
    assert "exit: 4" in result, result
    phone.hear("agent_refused")
    assert not victim.answered()
    phone.respond(card, "deny")
    assert victim.decision() == "deny"


def test_doctor_names_it_and_how_to_keep_it_away(box, daemon, grok):
    (box.home / ".grok").mkdir()
    said = daemon.run("doctor", env=AT_HOME).stdout
    assert "Grok is on this machine" in said and "[compat.claude]" in said
    (box.home / ".grok" / "config.toml").write_text("[compat.claude]\nhooks = false\n")
    assert "told not to run these hooks" in daemon.run("doctor", env=AT_HOME).stdout


def test_kept_away_it_runs_no_hook(box, daemon, phone, grok):
    run = grok("touch x", env={"GROK_CLAUDE_HOOKS_ENABLED": "false"})
    run.finish()
    assert (box.project / "x").exists()
    assert until(lambda: daemon.json("sessions"), "an answer")["sessions"] == []
