"""The command as it is asked for help or used wrongly: exit codes and one clear line on stderr."""
import re

import pytest

from harness.checks import NO_DAEMON, USAGE, fails


COMMANDS = [
    "allow", "answer", "completion", "config", "deny", "doctor", "explain", "gate", "install", "log", "man", "pass", "pending", "restart", "rules", "serve", "sessions", "show", "start",
    "status", "stop", "token", "uninstall", "watch",
]


def test_help_names_every_subcommand(cdev):
    text = cdev.ok("--help")
    for command in COMMANDS:
        assert re.search(rf"\b{command}\b", text), command


@pytest.mark.parametrize("command", COMMANDS)
def test_help_everywhere(cdev, command):
    assert command in cdev.ok(command, "--help")


@pytest.mark.parametrize("words", [
    ("nonsense",), ("serve", "--nonsense"), ("serve", "--port"), ("serve", "--port", "many"), ("serve", "--port", "70000"),
    ("show",), ("allow", "a", "b"), ("rules", "nonsense"), ("rules", "revoke"), ("token",),
    ("token", "create"), ("token", "nonsense"), ("explain",), ("config",), ("config", "set", "port"), ("config", "get", "nonsense"),
    ("config", "set", "nonsense", "1"), ("config", "edit"), ("install", "--gate", "nonsense"),
    ("install", "--on-failure", "nonsense"), ("pending", "--nonsense"), ("log", "--since", "whenever"),
    ("pass", "a", "--session"),
])
def test_usage_errors(cdev, words):
    assert fails(cdev, USAGE, *words)


@pytest.mark.parametrize("words", [
    ("pending",), ("allow",), ("deny",), ("pass",), ("allow", "abc"), ("deny", "abc"), ("pass", "abc"), ("rules",), ("sessions",),
    ("rules", "revoke", "abc"), ("watch",),
])
def test_without_a_daemon(cdev, words):
    line = fails(cdev, NO_DAEMON, *words)
    assert "cdev" in line


def test_status_without_a_daemon(cdev):
    done = cdev.run("status")
    assert done.returncode == NO_DAEMON
    assert "no daemon" in (done.stdout + done.stderr).lower()
