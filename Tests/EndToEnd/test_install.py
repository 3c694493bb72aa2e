"""The installer edits Claude's settings: only our entries, every other byte as it was, and all of it goes again."""
import json
import re
import stat

import pytest

from harness.checks import REFUSED
from harness.installed import EVENTS, commands
from harness.waiting import PATIENCE

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
    assert "cdev restart" in cdev.ok("install", "--gate", "always")


def test_a_configuration_that_cannot_be_read_is_not_replaced_by_the_gate(box, cdev):
    box.cdev_home.mkdir(mode=0o700)
    config = box.cdev_home / "config.json"
    config.symlink_to(box.root / "not-mounted.json")
    done = cdev.run("install", "--gate", "prompt")
    assert done.returncode == 1 and str(config) in done.stderr and "left as it is" in done.stderr
    assert config.is_symlink() and not config.exists()
    assert not (box.cdev_home / "hooks").exists()


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


def test_many_at_once(box, cdev):
    box.settings.write_text(PERSONAL)
    running = [cdev.spawn("install") for _ in range(4)]
    for one in running:
        assert one.process.wait(20 * PATIENCE) == 0
    assert all(len(ours) == 1 for ours in commands(box.settings.read_text()).values())
    cdev.ok("uninstall")
    assert box.settings.read_text() == PERSONAL
