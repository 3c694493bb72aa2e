"""The scripts that an installation writes, what they say without a daemon, and Claude running them."""
import json
import os
import shutil
import subprocess

import pytest

from harness.checks import delivered
from harness.fake_model import say, touch, use
from harness.installed import EVENTS, commands
from harness.waiting import until


def test_the_scripts_are_small_and_plain(box, cdev):
    cdev.ok("install")
    for name in ("permission.sh", "forward.sh"):
        path = box.cdev_home / "hooks" / name
        text = path.read_text()
        assert text.startswith("#!/bin/sh") and len(text.splitlines()) <= 50
        assert "jq" not in text.split() and str(box.cdev_home / "cdev.sock") in text
        assert os.access(path, os.X_OK)
        subprocess.run(["sh", "-n", str(path)], check=True)


def test_on_failure_block(box, cdev):
    cdev.ok("install", "--on-failure", "block")
    entries = commands(box.settings.read_text())
    assert entries["PreToolUse"][0][1]["onFailure"] == "block"
    assert all("onFailure" not in hook for event, ours in entries.items() if event != "PreToolUse" for _, hook in ours)
    cdev.ok("install", "--on-failure", "continue")
    assert "onFailure" not in box.settings.read_text()


@pytest.mark.parametrize(("on_failure", "event", "wanted"), [
    ("continue", "PreToolUse", None), ("continue", "PermissionRequest", None), ("continue", "Stop", None),
    ("block", "PreToolUse", "deny"), ("block", "PermissionRequest", {}), ("block", "Stop", None),
])
def test_what_a_script_says_without_a_daemon(box, cdev, on_failure, event, wanted):
    cdev.ok("install", "--on-failure", on_failure)
    ((_, hook),) = commands(box.settings.read_text())[event]
    done = subprocess.run(["/bin/sh", "-c", hook["command"]], input=json.dumps({"hook_event_name": event, "session_id": "s"}),
                          env={"PATH": "/nowhere"}, capture_output=True, text=True, timeout=15)
    assert done.returncode == 0, done
    if wanted is None:
        assert done.stdout == ""
    elif wanted == {}:
        assert json.loads(done.stdout) == {}
    else:
        output = json.loads(done.stdout)["hookSpecificOutput"]
        assert output["hookEventName"] == "PreToolUse" and output["permissionDecision"] == "deny"
        assert output["permissionDecisionReason"]


@pytest.mark.parametrize("on_failure", ["continue", "block"])
def test_what_a_script_says_without_its_relay(box, cdev, on_failure):
    programs = box.root / "programs"
    shutil.copytree(cdev.programs / "hooks", programs / "hooks") if (cdev.programs / "hooks").is_dir() else programs.mkdir()
    for program in ("cdev", "cdev-hook"):
        shutil.copy2(cdev.programs / program, programs / program)
    for extra in cdev.programs.glob("*.resources"):
        shutil.copytree(extra, programs / extra.name)
    cdev.programs = programs
    cdev.ok("install", "--on-failure", on_failure)
    cdev.start()
    (programs / "cdev-hook").unlink()
    ((_, hook),) = commands(box.settings.read_text())["PreToolUse"]
    body = json.dumps({"hook_event_name": "PreToolUse", "session_id": "s", "tool_name": "Bash", "tool_input": {}})
    done = subprocess.run(["/bin/sh", "-c", hook["command"]], input=body, env={"PATH": "/usr/bin:/bin"},
                          capture_output=True, text=True, timeout=15)
    assert done.returncode == 0
    assert ("deny" in done.stdout) is (on_failure == "block") and (done.stdout == "") is (on_failure == "continue")


@pytest.mark.real_cli
@pytest.mark.parametrize("name", ["with spaces", "it's \"quoted\"", "dollar $HOME"])
def test_paths_with_odd_characters_work(box, cdev, model, claude, name):
    box.cdev_home = box.root / name
    cdev.socket = box.cdev_home / "cdev.sock"
    cdev.ok("install")
    cdev.start()
    phone = cdev.approver()
    call = touch("x")
    run = claude(model(use(call), say("done")))
    phone.respond(phone.card(tool_use_id=call.id), "allow")
    delivered(run)
    assert (box.project / "x").exists()


@pytest.mark.real_cli
def test_settings_that_claude_has_rewritten(box, cdev, model, terminal, claude):
    """Claude drops keys it does not know, our marker among them; our entries are still ours."""
    box.settings.write_text('{"permissions": {"allow": ["Bash(ls:*)"]}}')
    cdev.ok("install")
    screen = terminal(model(say("hello")))
    screen.prompt("/model sonnet")
    screen.shows("(?i)set model")
    until(lambda: "_cdev_managed" not in box.settings.read_text(), "the settings to be rewritten")
    rewritten = box.settings.read_text()
    assert json.loads(rewritten)["model"] == "sonnet"
    screen.close()

    cdev.start()
    phone = cdev.approver()
    call = touch("x")
    run = claude(model(use(call), say("done")))
    phone.respond(phone.card(tool_use_id=call.id), "deny")
    delivered(run)

    cdev.ok("install")
    assert all(len(ours) == 1 for ours in commands(box.settings.read_text()).values())
    cdev.ok("uninstall")
    assert "cdev" not in box.settings.read_text()
    assert json.loads(box.settings.read_text()) == {"permissions": {"allow": ["Bash(ls:*)"]}, "model": "sonnet"}


@pytest.mark.real_cli
def test_after_uninstalling_claude_is_alone_again(box, daemon, phone, model, claude):
    daemon.ok("uninstall")
    call = touch("x")
    answers = model(use(call), say("done"))
    delivered(claude(answers))
    assert answers.result(call)[1]
    phone.settle()
    assert phone.events == []


def test_serve_installs_where_it_is_told_to(box, cdev):
    cdev.start("--install-hooks")
    until(lambda: box.settings.exists() and len(commands(box.settings.read_text())) == len(EVENTS), "the hooks")
    cdev.stop()
    cdev.ok("uninstall")
    cdev.start("--install-hooks")
    cdev.approver().settle()
    assert not box.settings.exists()


def test_serve_by_itself_only_says_whether_they_are_there(box, cdev):
    cdev.start()
    assert not box.settings.exists()
    until(lambda: "hooks are not installed" in cdev.output.read_text(), "serve to say that they are not there")
    cdev.stop()
    cdev.ok("install")
    cdev.start()
    until(lambda: "hooks are installed" in cdev.log(), "serve to say that they are there")
