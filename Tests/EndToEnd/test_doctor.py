"""The daemon in the background, and the doctor that names each fault and its remedy."""
import concurrent.futures
import json
import os
import signal
import socket
import time

import pytest

from harness import http1
from harness.checks import NO_DAEMON, OTHER, fails
from harness.waiting import until


def test_start_and_stop(box, cdev):
    cdev.configure(port=cdev.port)
    said = cdev.ok("start")
    assert "server.log" in said
    until(lambda: cdev.run("status", "--json").returncode == 0, "the daemon to be up")
    pid = cdev.json("status")["pid"]
    assert http1.ask(cdev.tcp, "GET", "/health").status == 200
    assert cdev.run("start").returncode == 0
    assert cdev.json("status")["pid"] == pid
    cdev.ok("stop")
    assert cdev.run("status").returncode == NO_DAEMON
    until(lambda: not os.path.exists(f"/proc/{pid}"), "the process to be gone")
    assert (box.cdev_home / "server.log").exists()


def test_stop_without_a_daemon(cdev):
    assert cdev.run("stop").returncode in (0, NO_DAEMON)


def doctor(cdev):
    done = cdev.run("doctor")
    return done.returncode, done.stdout + done.stderr


def test_doctor_finds_nothing_wrong(cdev):
    cdev.ok("install")
    cdev.start()
    code, text = doctor(cdev)
    assert code == 0, text


FAULTS = {
    "no hooks": (lambda box: box.settings.unlink(), "install"),
    "a hook entry lost": (lambda box: _drop_event(box, "PreToolUse"), "cdev install"),
    "a script gone": (lambda box: (box.cdev_home / "hooks" / "permission.sh").unlink(), "permission.sh"),
    "a script that cannot run": (lambda box: (box.cdev_home / "hooks" / "forward.sh").chmod(0o600), "forward.sh"),
    "all hooks disabled": (lambda box: _set(box, "disableAllHooks", True), "disableAllHooks"),
    "settings that are no JSON": (lambda box: box.settings.write_text("{"), "settings.json"),
    "a project that disables hooks": (lambda box: _project(box, {"disableAllHooks": True}), "disableAllHooks"),
}


def _set(box, key, value):
    settings = json.loads(box.settings.read_text())
    settings[key] = value
    box.settings.write_text(json.dumps(settings))


def _drop_event(box, event):
    settings = json.loads(box.settings.read_text())
    del settings["hooks"][event]
    box.settings.write_text(json.dumps(settings))


def _project(box, value):
    (box.project / ".claude").mkdir()
    (box.project / ".claude" / "settings.json").write_text(json.dumps(value))


@pytest.mark.parametrize("fault", FAULTS)
def test_doctor_names_each_fault(box, cdev, fault):
    cdev.ok("install")
    cdev.start()
    break_it, word = FAULTS[fault]
    break_it(box)
    code, text = doctor(cdev)
    assert code != 0 and word in text, text


def test_doctor_says_that_the_daemon_is_down(cdev):
    cdev.ok("install")
    code, text = doctor(cdev)
    assert code != 0 and "start" in text


@pytest.mark.long
def test_a_daemon_that_is_silent_is_told_from_an_absent_one(cdev):
    """As after Ctrl-Z on `cdev serve`."""
    cdev.ok("install")
    cdev.start()
    cdev.process.send_signal(signal.SIGSTOP)
    with concurrent.futures.ThreadPoolExecutor() as pool:
        for done in pool.map(lambda word: cdev.run(word, timeout=60), ["doctor", "start", "stop"]):
            said = done.stdout + done.stderr
            assert done.returncode == 1 and f"kill -CONT {cdev.process.pid}" in said, said
            assert "or `cdev doctor`" not in said and "→ cdev start" not in said
    cdev.process.send_signal(signal.SIGCONT)
    assert "already running" in cdev.ok("start")


BROKEN = [("{", "not JSON"), ('{"port": 99999}', "port"), ('{"host": "0.0.0.0"}', "without TLS")]


@pytest.mark.parametrize(("text", "word"), BROKEN)
def test_start_says_at_once_why_the_daemon_cannot_start(box, cdev, text, word):
    box.cdev_home.mkdir(mode=0o700, exist_ok=True)
    (box.cdev_home / "config.json").write_text(text)
    begin = time.monotonic()
    assert word in fails(cdev, OTHER, "start")
    assert time.monotonic() - begin < 8, "it does not wait for a daemon that cannot come"
    code, said = doctor(cdev)
    assert code != 0 and word in said, said


def test_start_says_at_once_why_the_daemon_has_ended(box, cdev):
    cdev.configure(port=cdev.port)
    with socket.create_server(("127.0.0.1", cdev.port)):
        begin = time.monotonic()
        line = fails(cdev, NO_DAEMON, "start")
        assert "ended at its start" in line and str(cdev.port) in line
        assert time.monotonic() - begin < 8
        code, said = doctor(cdev)
        assert code != 0 and "the last start" in said and str(cdev.port) in said, said


def test_restart_takes_up_a_changed_configuration_and_refuses_a_broken_one(box, cdev):
    cdev.configure(port=cdev.port)
    cdev.ok("start")
    box.on_close(lambda: cdev.run("stop"))
    before = cdev.json("status")["pid"]
    cdev.ok("config", "set", "gate", "always")
    cdev.ok("install")
    code, said = doctor(cdev)
    assert code == 0 and "config.json was changed" in said and "cdev restart" in said, said
    cdev.ok("restart")
    status = cdev.json("status")
    assert status["gate"] == "always" and status["pid"] != before
    assert "config.json was changed" not in doctor(cdev)[1]
    (box.cdev_home / "config.json").write_text('{"gate": "sometimes"}')
    assert "gate" in fails(cdev, OTHER, "restart")
    assert cdev.json("status")["pid"] == status["pid"]
    cdev.ok("stop")


@pytest.mark.parametrize("named", [lambda path: {"tls": {"certificate": path, "key": path}}, lambda path: {
    "notify": {"apns": {"key_file": path, "key_id": "ABC123DEFG", "team_id": "TEAM123456", "topic": "a.b"}}}])
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o604])
def test_doctor_names_keys_that_others_may_read(box, cdev, named, mode):
    cdev.ok("install")
    key = box.root / "private.pem"
    key.write_text("no daemon has read it")
    key.chmod(mode)
    cdev.configure(**named(str(key)))
    _, said = doctor(cdev)
    assert (f"chmod 600 {key}" in said) == (mode != 0o600), said


def test_doctor_names_unknown_keys(cdev):
    cdev.ok("install")
    cdev.start(gaet="always")
    code, said = doctor(cdev)
    assert code == 0 and 'no key "gaet"' in said, said
