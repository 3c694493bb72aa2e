"""A daemon that `cdev start` started and that is gone without `cdev stop`: the next hook starts it again, and waits for nothing."""
import json
import os
import signal
import subprocess
import time

import pytest

from harness.installed import commands
from harness.waiting import PATIENCE, until

INPUT = {"session_id": "s", "tool_name": "Bash", "tool_input": {"command": "touch x"}, "cwd": "/"}


@pytest.fixture
def started(box, cdev):
    cdev.configure(port=cdev.port)
    cdev.ok("install")
    box.on_close(lambda: cdev.run("stop"))
    cdev.ok("start")
    return cdev


def pid(cdev):
    return cdev.json("status")["pid"]


def crash(cdev):
    """As a reboot leaves it: the process is gone, its files are there, the last start was long ago."""
    before = pid(cdev)
    os.kill(before, signal.SIGKILL)
    until(lambda: cdev.run("status").returncode != 0, "the daemon to be gone")
    note = cdev.box.cdev_home / "autostart"
    if note.exists():
        os.utime(note, (1, 1))
    return before


def hook(cdev, event="PreToolUse", **env):
    """Runs an installed hook as Claude Code does. Returns what it printed, and the seconds it took."""
    ((_, entry),) = commands(cdev.box.settings.read_text())[event]
    begun = time.monotonic()
    done = subprocess.run(["/bin/sh", "-c", entry["command"]], input=json.dumps({**INPUT, "hook_event_name": event}),
                          env=cdev.box.env(CLAUDECODE="1", **env), capture_output=True, text=True, timeout=20)
    assert done.returncode == 0
    return done.stdout, time.monotonic() - begun


def daemons(cdev):
    return [process for process in cdev.box.processes() if is_daemon(process)]


def is_daemon(process):
    try:
        words = open(f"/proc/{process}/cmdline").read().split("\0")
    except OSError:
        return False
    return words[0].endswith("/cdev") and words[1:2] == ["serve"]


@pytest.mark.parametrize("event", ["PreToolUse", "SessionStart"])
def test_the_next_hook_starts_it(started, event):
    before = crash(started)
    said, took = hook(started, event)
    assert said == "" and took < 1, "the hook does not wait for it"
    until(lambda: started.run("status").returncode == 0, "the daemon to be back")
    assert pid(started) != before


def test_many_hooks_start_one(started):
    crash(started)
    running = [subprocess.Popen([str(started.programs / "cdev-hook"), "--socket", str(started.socket)],
                                stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                env=started.box.env()) for _ in range(30)]
    for process in running:
        process.communicate(json.dumps({**INPUT, "hook_event_name": "PreToolUse"}).encode(), timeout=20 * PATIENCE)
    until(lambda: started.run("status").returncode == 0, "the daemon to be back")
    assert daemons(started) == [pid(started)]


def test_nothing_of_a_project_reaches_it(started, box):
    """A project's settings set the variables of its hooks."""
    crash(started)
    hook(started, CDEV_HOME="/nowhere", CLAUDE_CONFIG_DIR="/nowhere", LD_PRELOAD="/nowhere/x.so", PATH="/usr/bin:/bin")
    until(lambda: started.run("status").returncode == 0, "the daemon to be back")
    environ = open(f"/proc/{pid(started)}/environ", "rb").read().split(b"\0")
    assert not [entry for entry in environ if b"nowhere" in entry or entry.startswith((b"LD_", b"CLAUDECODE"))]
    assert b"CLAUDE_CONFIG_DIR=" + str(box.config).encode() in environ
    assert started.ok("rules"), "and it is no part of an agent"


def test_a_daemon_that_was_stopped_stays_so(started):
    started.ok("stop")
    hook(started)
    assert not (started.box.cdev_home / "autostart").exists() and daemons(started) == []


def test_a_daemon_that_cannot_start_is_not_tried_with_every_call(started):
    crash(started)
    note = started.box.cdev_home / "autostart"
    (started.box.cdev_home / "config.json").write_text("{")
    hook(started)
    tried = note.stat().st_mtime_ns
    for _ in range(3):
        hook(started)
    assert note.stat().st_mtime_ns == tried


def test_a_foreground_daemon_is_nobodys_to_start(cdev):
    cdev.ok("install")
    cdev.start()
    cdev.kill()
    hook(cdev)
    assert daemons(cdev) == []
