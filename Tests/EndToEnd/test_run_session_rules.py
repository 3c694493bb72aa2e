"""Who is asked in a session that the daemon runs, and what was settled before: gates and modes, denies, allows for the session,
changed inputs."""
import json

import pytest

from harness.checks import includes, no_card
from harness.fake_model import bash, say, touch, use
from harness.runs import Runs
from harness.waiting import until

pytestmark = pytest.mark.real_cli

MODES = ["acceptEdits", "bypassPermissions"]

# Of a project that the person trusted: they count.
SILENT = {"disableAllHooks": True, "permissions": {"defaultMode": "bypassPermissions"}}
HOSTILE = {**SILENT, "permissions": {**SILENT["permissions"], "allow": ["Bash"]}}


@pytest.fixture
def runs(box, cdev):
    return Runs(box, cdev)


def settle(path, settings):
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(settings))


def change_mode(runs, mode):
    runs.driver.call("session/set", {"session_id": runs.session["id"], "permission_mode": mode})
    until(lambda: runs.state()["permission_mode"] == mode, lambda: f"{runs.state()}", 20)


def turn_ends(runs, count=1):
    runs.driver.hear("claude_usage", 20, count=count, session_id=runs.session["id"])
    runs.becomes("idle")


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("gate", ["always", "auto"])
def test_the_gate_always_asks_what_the_mode_would_not(box, runs, model, mode, gate):
    """Claude makes a file unasked where it may edit. Where it asks about nothing at all, neither does the daemon."""
    call, is_asked = touch("x"), (gate, mode) == ("always", "acceptEdits")
    answers = model(use(call), say("done"))
    runs.begin(answers, gate=gate, allow_bypass=True)
    runs.start(prompt="make x", permission_mode=mode)
    if is_asked:
        card = runs.driver.card(20, tool_use_id=call.id)
        assert runs.state()["permission_mode"] == mode and not (box.project / "x").exists()
        runs.driver.respond(card, "deny")
    turn_ends(runs)
    assert (box.project / "x").exists() is not is_asked and answers.result(call)[1] is is_asked
    if not is_asked:
        no_card(runs.driver)
    runs.stop()


def test_a_deny_rule_holds_where_the_project_silences_hooks_and_asks_nothing(box, cdev, runs, model):
    """Of ours: the project's settings count, as it is trusted. Hooks are installed, and silenced."""
    cdev.ok("install")
    project = box.project / ".claude" / "settings.json"
    settle(project, SILENT)
    first, again, bypassed = touch("x"), touch("x"), touch("x")
    answers = model(use(first), use(again), say("one"), use(bypassed), say("two"))
    runs.begin(answers, gate="always", allow_bypass=True)
    # Claude goes to this mode only in a process that began in it.
    runs.start(permission_mode="bypassPermissions")
    runs.becomes("idle")
    change_mode(runs, "default")
    runs.send("make x")
    card = runs.driver.card(20, tool_use_id=first.id)
    includes(runs.state(), project_settings="used")
    includes(runs.driver.respond(card, "deny", scope="session"), scope="session")
    turn_ends(runs)
    settle(project, HOSTILE)
    change_mode(runs, "bypassPermissions")
    runs.send("make x all the same")
    turn_ends(runs, 2)
    for call in (again, bypassed):
        assert answers.result(call)[1], answers.result(call)
        no_card(runs.driver, tool_use_id=call.id)
    assert not (box.project / "x").exists()
    by = {entry["tool_use_id"]: entry["resolved_by"] for entry in cdev.history()}
    assert by[again.id].startswith("rule ") and by[bypassed.id].startswith("rule ")
    runs.stop()


@pytest.mark.parametrize("mode", ["default", *MODES])
@pytest.mark.parametrize("gate", ["always", "auto"])
def test_a_deny_of_the_persons_settings_holds_in_each_mode(box, runs, model, mode, gate):
    """Claude's own, beside a project that silences hooks and allows all; whatever was answered where the gate asks."""
    settle(box.settings, {"permissions": {"deny": ["Bash(touch:*)"]}})
    settle(box.project / ".claude" / "settings.json", HOSTILE)
    call, other = touch("x"), bash("echo y > y")
    answers = model(use(call), use(other), say("done"))
    runs.begin(answers, gate=gate, allow_bypass=True)
    runs.start(prompt="make x", permission_mode=mode)

    def is_over():
        for card in runs.driver.pending():
            runs.driver.respond(card, "allow")
        return runs.driver.heard("claude_usage", session_id=runs.session["id"])

    until(is_over, lambda: f"the turn to end: {runs.state()}", 30)
    assert answers.result(call)[1] and not (box.project / "x").exists()
    assert not answers.result(other)[1] and (box.project / "y").exists(), "what nobody denied runs"
    runs.stop()


def test_an_allow_for_the_session_answers_the_next_call_of_its_kind(box, cdev, runs, model):
    first, second, other = touch("a"), touch("b"), bash("mkdir c")
    runs.begin(model(use(first), use(second), use(other), say("done")))
    runs.start(prompt="make them")
    card = runs.driver.card(20, tool_use_id=first.id)
    assert card["patterns"] == ["Bash(touch:*)"]
    includes(runs.driver.respond(card, "allow", scope="session", patterns=card["patterns"]), scope="session")
    card = runs.driver.card(20, tool_use_id=other.id)
    assert (box.project / "a").exists() and (box.project / "b").exists()
    no_card(runs.driver, tool_use_id=second.id)
    runs.driver.respond(card, "deny")
    turn_ends(runs)
    assert not (box.project / "c").exists()
    by = {entry["tool_use_id"]: entry["resolved_by"] for entry in cdev.history()}
    assert by[second.id].startswith("rule ")
    # It ends with the session.
    (rule,) = runs.call("permission/rules")["rules"]
    assert rule["pattern"] == "Bash(touch:*)"
    runs.stop()
    until(lambda: not runs.call("permission/rules")["rules"], "the rule to end", 20)


@pytest.mark.parametrize("installed", [True, False])
def test_a_changed_input_is_what_runs(box, cdev, runs, model, installed):
    if installed:
        cdev.ok("install")
    call = touch("asked")
    answers = model(use(call), say("done"))
    runs.begin(answers)
    runs.start(prompt="make it")
    card = runs.driver.card(20, tool_use_id=call.id)
    reply = runs.driver.respond(card, "allow", updated_input={**call.input, "command": "touch changed"})
    includes(reply, decision="allow", scope="once")
    turn_ends(runs)
    assert (box.project / "changed").exists() and not (box.project / "asked").exists()
    # The model is told by the hook after the call, which only an installation brings.
    assert ("you asked for touch asked, touch changed ran" in json.dumps(answers.requests[-1])) is installed
    assert not runs.call("permission/rules")["rules"]
    runs.stop()


def heard_task(phone, session, count):
    """The last event, once it tells of so many tasks."""
    def last():
        heard = phone.heard("claude_task", session_id=session)
        return heard[-1] if heard and heard[-1]["count"] == count else None

    return until(last, lambda: f"{count} tasks: {phone.story()}", 20)


def test_what_runs_behind_the_turns_is_told(box, cdev, runs, model):
    """A command in the background, whose end begins a turn of its own."""
    call = bash("touch begun; while ! test -e go; do sleep 0.1; done", run_in_background=True)
    runs.begin(model(use(call), say("it runs"), say("it has ended")))
    phone = cdev.approver("phone")
    session = runs.start(prompt="wait for it")
    runs.driver.respond(runs.driver.card(20, tool_use_id=call.id), "allow")
    task = heard_task(phone, session, 1)
    (name,) = task["tasks"]
    includes(task, workspace_id=runs.workspace)
    includes(phone.hear("claude_status", 20, session_id=session, claude_state="idle"), background_work=True)
    includes(runs.state(), claude_state="idle", background_work=True, is_running=False)
    assert name and task["claude_session_id"] == runs.state()["claude_session_id"]
    (box.project / "go").touch()
    assert heard_task(phone, session, 0)["tasks"] == []
    phone.hear("claude_usage", 20, session_id=session, text="it has ended")
    includes(runs.becomes("idle"), background_work=False)
    runs.stop()
