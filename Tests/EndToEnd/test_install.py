"""The installer edits Claude's settings: only our entries, every other byte as it was, and all of it goes again."""
import json
import os
import re
import shutil
import stat
import subprocess

import pytest

from harness.checks import REFUSED, delivered
from harness.fake_model import say, touch, use
from harness.waiting import until

EVENTS = [
    "Notification", "PermissionDenied", "PermissionRequest", "PostToolBatch", "PostToolUse", "PostToolUseFailure",
    "PreToolUse", "SessionEnd", "SessionStart", "Stop", "StopFailure", "SubagentStop", "UserPromptSubmit",
]

# What people have: odd spacing, odd numbers, unknown keys, hooks of their own, text in any script.
PERSONAL = """{
    "model":"opus",   "cleanupPeriodDays" : 3e1,
  "env": {"A": "1", "Ü": "ä\\u00e9\\ud83d\\ude00", "path": "C:\\\\x\\/y"},
  "permissions": { "allow": [ "Bash(ls:*)" , "Read" ], "deny":[] },
\t"hooks": {
      "PreToolUse": [ {"matcher": "Bash", "hooks": [ {"type":"command", "command":"true", "timeout": 5.0} ]} ],
      "Stop": [
      ]
  },
  "x-unknown": [1.0, 1.50, -0, 12345678901234567890, true, null]
}
"""
SHAPES = {
    "a person's": PERSONAL,
    "an empty object": "{}",
    "an empty object with a newline": "{}\n",
    "an object on lines": '{\n  "model": "opus"\n}\n',
    "hooks empty": '{"hooks": {}}',
    "windows line ends": '{\r\n  "model": "opus"\r\n}\r\n',
    "tabs": '{\n\t"model": "opus",\n\t"hooks": {\n\t\t"Stop": []\n\t}\n}',
    "another's marker": '{"hooks":{"Stop":[{"_cdev_managed":true,"hooks":[{"type":"command","command":"mine"}]}]}}',
}


def commands(settings):
    """Every hook command of ours in a settings text, by event."""
    found = {}
    for event, groups in json.loads(settings).get("hooks", {}).items():
        for group in groups:
            for hook in group["hooks"]:
                if hook.get("command", "").endswith(" # cdev"):
                    found.setdefault(event, []).append((group, hook))
    return found


@pytest.mark.parametrize("shape", list(SHAPES))
def test_in_and_out_again_leaves_no_trace(box, cdev, shape):
    before = SHAPES[shape].encode()
    box.settings.write_bytes(before)
    cdev.ok("install")
    assert box.settings.read_bytes() != before
    assert sorted(commands(box.settings.read_text())) == EVENTS
    cdev.ok("uninstall")
    assert box.settings.read_bytes() == before


def test_a_file_that_was_not_there_is_not_there_again(box, cdev):
    cdev.ok("install")
    assert sorted(commands(box.settings.read_text())) == EVENTS
    cdev.ok("uninstall")
    assert not box.settings.exists()


def test_an_empty_file_counts_as_an_object(box, cdev):
    box.settings.write_bytes(b"")
    cdev.ok("install")
    cdev.ok("uninstall")
    assert box.settings.read_bytes() in (b"", b"{}", b"{}\n")


def test_every_other_byte_is_as_it_was(box, cdev):
    box.settings.write_text(PERSONAL)
    cdev.ok("install")
    text = box.settings.read_text()
    for piece in ('"cleanupPeriodDays" : 3e1', "[1.0, 1.50, -0, 12345678901234567890, true, null]", '"timeout": 5.0',
                  "\\u00e9\\ud83d\\ude00", "C:\\\\x\\/y", '[ "Bash(ls:*)" , "Read" ], "deny":[]'):
        assert piece in text, piece


def test_twice_is_once(box, cdev):
    box.settings.write_text(PERSONAL)
    cdev.ok("install")
    first = box.settings.read_bytes()
    cdev.ok("install")
    assert box.settings.read_bytes() == first
    cdev.ok("uninstall")
    cdev.ok("uninstall")
    assert box.settings.read_text() == PERSONAL


def test_what_is_installed(box, cdev):
    cdev.ok("install")
    entries = commands(box.settings.read_text())
    limits = set()
    for event, ours in entries.items():
        ((group, hook),) = ours
        script = "permission.sh" if event in ("PreToolUse", "PermissionRequest") else "forward.sh"
        assert script in hook["command"] and str(box.cdev_home) in hook["command"]
        assert group["_cdev_managed"] is True and hook["type"] == "command"
        if script == "permission.sh":
            assert group.get("matcher", "*") == "*" and hook["statusMessage"]
            limits.add(hook["timeout"])
        assert not hook.get("async") and "onFailure" not in hook
    assert len(limits) == 1 and limits.pop() > 3600


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


@pytest.mark.parametrize(("text", "line", "column"), [
    ('{"a": 1,}', 1, 8), ('{\n  "a": 1\n  "b": 2\n}', 3, 3), ("{", 1, 2), ("[]", 1, 1), ('{"hooks": []}', 1, 11),
    ('{"hooks": {"Stop": {}}}', 1, 20), ("// c\n{}", 1, 1), ('{"a": 1} x', 1, 10),
])
def test_a_file_that_cannot_be_edited_is_left_alone(box, cdev, text, line, column):
    box.settings.write_text(text)
    for verb in ("install", "uninstall"):
        done = cdev.run(verb)
        assert done.returncode == 4, (verb, done)
        assert re.search(rf"\b{line}\b\D+\b{column}\b", done.stderr), done.stderr
        assert box.settings.read_text() == text


def test_a_dry_run_shows_a_difference_and_changes_nothing(box, cdev):
    box.settings.write_text(PERSONAL)
    shown = cdev.ok("install", "--dry-run")
    assert re.search(r"(?m)^\+.*permission\.sh", shown) and "@@" in shown
    assert box.settings.read_text() == PERSONAL
    assert not (box.cdev_home / "hooks").exists()
    cdev.ok("install")
    installed = box.settings.read_bytes()
    assert re.search(r"(?m)^-.*permission\.sh", cdev.ok("uninstall", "--dry-run"))
    assert box.settings.read_bytes() == installed


def test_it_says_what_it_changed(box, cdev):
    assert str(box.settings) in cdev.ok("install")
    assert str(box.settings) in cdev.ok("uninstall")


def test_the_gate_is_written_to_the_configuration(box, cdev):
    cdev.ok("install", "--gate", "prompt")
    assert json.loads((box.cdev_home / "config.json").read_text())["gate"] == "prompt"
    cdev.start()
    assert "cdev start" in cdev.ok("install", "--gate", "always")


def test_inside_claude_code_the_gate_stays_as_it_is(box, cdev):
    """Also where no daemon runs that would know."""
    done = cdev.run("install", "--gate", "prompt", env={"CLAUDECODE": "1"})
    assert done.returncode == REFUSED and "inside an agent" in done.stderr
    assert not (box.cdev_home / "config.json").exists()


@pytest.mark.parametrize("words", [
    ("uninstall",), ("install", "--on-failure", "continue"), ("install", "--socket", "/tmp/another.sock"), ("stop",),
], ids=" ".join)
@pytest.mark.parametrize("runs", [True, False])
def test_inside_an_agent_nothing_is_weakened(box, cdev, runs, words):
    """Also where no daemon runs that would know; first of all hooks may be put in."""
    inside = {"CLAUDECODE": "1"}
    assert cdev.run("install", env=inside).returncode == 0
    cdev.ok("install", "--on-failure", "block")
    before = box.settings.read_bytes()
    if runs:
        cdev.start()
    done = cdev.run(*words, env=inside)
    if words == ("stop",) and not runs:
        assert done.returncode == 3
    else:
        assert done.returncode == REFUSED and "inside an agent" in done.stderr
    assert box.settings.read_bytes() == before
    assert cdev.run("install", env=inside).returncode == 0, "what changes nothing"
    assert not runs or cdev.process.poll() is None


def test_settings_that_are_refused_leave_the_gate_too(box, cdev):
    box.settings.write_text("{")
    assert cdev.run("install", "--gate", "prompt").returncode == REFUSED
    assert not (box.cdev_home / "config.json").exists()


def test_a_link_is_followed_and_stays(box, cdev):
    real = box.root / "dotfiles.json"
    real.write_text(PERSONAL)
    box.settings.symlink_to(real)
    cdev.ok("install")
    assert box.settings.is_symlink() and commands(real.read_text())
    cdev.ok("uninstall")
    assert box.settings.is_symlink() and real.read_text() == PERSONAL


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o644])
def test_the_mode_is_kept_and_one_backup(box, cdev, mode):
    box.settings.write_text(PERSONAL)
    box.settings.chmod(mode)
    for _ in range(2):
        cdev.ok("install")
        cdev.ok("uninstall")
    assert stat.S_IMODE(box.settings.stat().st_mode) == mode
    beside = [path for path in box.config.iterdir() if path.name.startswith("settings") and path != box.settings]
    assert len(beside) <= 1


def test_settings_elsewhere(box, cdev):
    other = box.root / "other.json"
    cdev.ok("install", "--settings", other)
    assert commands(other.read_text()) and not box.settings.exists()
    cdev.ok("uninstall", "--settings", other)
    assert not other.exists()


def test_old_paths_are_repaired(box, cdev):
    cdev.ok("install")
    good = box.settings.read_text()
    box.settings.write_text(good.replace(str(box.cdev_home), "/somewhere/old"))
    cdev.ok("install")
    assert "/somewhere/old" not in box.settings.read_text()
    assert all(len(ours) == 1 for ours in commands(box.settings.read_text()).values())


def test_a_foreign_hook_in_our_group_survives(box, cdev):
    cdev.ok("install")
    settings = json.loads(box.settings.read_text())
    settings["hooks"]["PreToolUse"][0]["hooks"].append({"type": "command", "command": "echo mine # not cdev's"})
    box.settings.write_text(json.dumps(settings))
    cdev.ok("install")
    assert "echo mine" in box.settings.read_text()
    cdev.ok("uninstall")
    left = json.loads(box.settings.read_text())
    assert [h["command"] for g in left["hooks"]["PreToolUse"] for h in g["hooks"]] == ["echo mine # not cdev's"]


def test_a_command_of_somebody_elses_that_ends_alike_is_not_ours(box, cdev):
    text = '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"notify-send done # cdev"}]}]}}'
    box.settings.write_text(text)
    cdev.ok("install")
    cdev.ok("uninstall")
    assert box.settings.read_text() == text


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


def test_many_at_once(box, cdev):
    box.settings.write_text(PERSONAL)
    running = [cdev.spawn("install") for _ in range(4)]
    for one in running:
        assert one.process.wait(20) == 0
    assert all(len(ours) == 1 for ours in commands(box.settings.read_text()).values())
    cdev.ok("uninstall")
    assert box.settings.read_text() == PERSONAL
