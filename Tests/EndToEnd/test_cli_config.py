"""`cdev config`: shown, changed in one place, and checked as a start of the daemon checks it."""
import json
import signal

import pytest

from harness.checks import OTHER, REFUSED, USAGE, fails


@pytest.fixture
def file(box):
    box.cdev_home.mkdir(mode=0o700, exist_ok=True)
    return box.cdev_home / "config.json"


def test_a_value_is_set_and_the_rest_stays(cdev, file):
    file.write_text('{\n    "port": 8123,\n    "mine": {"a": 1.50}\n}\n')
    cdev.ok("config", "set", "gate", "always")
    assert file.read_text() == '{\n    "port": 8123,\n    "mine": {"a": 1.50},\n    "gate": "always"\n}\n'
    assert cdev.ok("config", "get", "gate") == "always\n"
    cdev.ok("config", "set", "gate", "--default")
    assert file.read_text() == '{\n    "port": 8123,\n    "mine": {"a": 1.50}\n}\n'
    assert cdev.ok("config", "get", "gate") == "auto  (default)\n"
    assert cdev.json("config", "get", "port")["value"] == 8123
    listed = cdev.ok("config", "get")
    assert "8123" in listed and "no such key" in listed and "permission_timeout_seconds" in listed


def test_without_a_file_one_is_made(cdev, file):
    cdev.ok("config", "set", "permission_timeout_seconds", "90")
    assert json.loads(file.read_text()) == {"permission_timeout_seconds": 90}
    assert file.stat().st_mode & 0o077 == 0


def test_members_of_notify(cdev, file):
    cdev.ok("config", "set", "notify.ntfy.url", "https://ntfy.sh/x")
    assert json.loads(file.read_text()) == {"notify": {"ntfy": {"url": "https://ntfy.sh/x"}}}
    assert cdev.ok("config", "get", "notify.ntfy.url") == "https://ntfy.sh/x\n"


@pytest.mark.parametrize(("words", "word"), [
    (("port", "99999"), "65535"), (("gate", "sometimes"), "always"), (("host", "0.0.0.0"), "without TLS"),
    (("notify", '{"nonsense": 1}'), "nonsense"), (("tls", '{"certificate": "/no/a", "key": "/no/b"}'), "/no/a"),
])
def test_what_would_stop_a_start_is_not_written(cdev, file, words, word):
    file.write_text('{"port": 8123}')
    assert word in fails(cdev, OTHER, "config", "set", *words)
    assert file.read_text() == '{"port": 8123}'


def test_a_key_that_is_none(cdev):
    assert "did you mean gate?" in fails(cdev, USAGE, "config", "set", "gaet", "always")
    assert "no key" in fails(cdev, USAGE, "config", "get", "port.x")


def test_a_file_that_is_none_is_said(cdev, file):
    file.write_text("{")
    assert "not valid JSON" in fails(cdev, OTHER, "config", "set", "gate", "always")
    assert file.read_text() == "{"


def test_an_agent_may_look_but_not_change(cdev):
    cdev.start()
    inside = {"CLAUDECODE": "1"}
    fails(cdev, REFUSED, "config", "set", "gate", "always", env=inside)
    fails(cdev, REFUSED, "restart", env=inside)
    assert cdev.run("config", "get", env=inside).returncode == 0


@pytest.mark.parametrize(("script", "kept"), [
    ('sed -i s/8123/8124/ "$1"', True), ('sed -i s/8123/x/ "$1"', False), ("true", False), ("false", False),
])
def test_edited(cdev, file, script, kept, tmp_path):
    from test_cli_answers import at_a_terminal
    editor = tmp_path / "editor"
    editor.write_text(f"#!/bin/sh\n{script}\n")
    editor.chmod(0o755)
    file.write_text('{"port": 8123}')
    said = at_a_terminal(cdev, "n", "config", "edit", env={"EDITOR": str(editor)})
    assert ("is written" in said) == kept and ("nothing changed" in said) != kept
    assert file.read_text() == ('{"port": 8124}' if kept else '{"port": 8123}')


@pytest.mark.parametrize("words", [
    ("config", "get"), ("config", "set", "gate", "always"), ("expose", "lan", "--no-pair"), ("expose", "off"),
    ("notify", "ntfy"), ("restart",),
], ids=" ".join)
@pytest.mark.parametrize("kind", ["link", "directory"])
def test_a_file_that_cannot_be_read_is_not_taken_for_an_empty_one(box, cdev, file, words, kind):
    file.symlink_to(box.root / "not-mounted.json") if kind == "link" else file.mkdir()
    assert str(file) in fails(cdev, OTHER, *words)
    assert file.is_symlink() if kind == "link" else not any(file.iterdir())
    assert not (box.root / "not-mounted.json").exists()


def test_a_daemon_that_cannot_be_asked_leaves_nobody_the_choice(box, cdev, file):
    """Whoever took its socket away may be an agent that hides."""
    cdev.start()
    before = file.read_text() if file.exists() else None
    cdev.process.send_signal(signal.SIGSTOP)
    try:
        (box.cdev_home / "cdev.sock").unlink()
        done = cdev.run("config", "set", "allow_bypass", "true")
    finally:
        cdev.process.send_signal(signal.SIGCONT)
    assert done.returncode == REFUSED and f"kill -CONT {cdev.process.pid}" in done.stderr, done.stderr
    assert (file.read_text() if file.exists() else None) == before
