"""Claude runs `cdev` with an environment of its own making: the process is Claude's own child, and nothing in it says so."""
import json
import os
import shlex
import signal
import subprocess

import pytest

from harness.checks import OTHER, REFUSED, USAGE, delivered, fails
from harness.fake_model import bash, say, use
from harness.waiting import until

pytestmark = pytest.mark.real_cli


@pytest.fixture
def elsewhere(box, daemon, phone, model, claude):
    """Lets a person allow `exec env -i … cdev WORDS`, and returns what it printed."""
    other, evil = box.root / "o", box.root / "evil"
    other.mkdir()
    evil.mkdir()
    (evil / "claude").write_text("#!/bin/sh\n")
    (evil / "claude").chmod(0o700)

    def run(*words, socket="/nowhere"):
        program = daemon.programs / "cdev"
        place = {"HOME": other, "CLAUDE_CONFIG_DIR": other, "CDEV_HOME": box.cdev_home, "CDEV_SOCKET": socket,
                 "PATH": f"{evil}:/usr/bin:/bin"}
        variables = " ".join(f"{name}={shlex.quote(str(value))}" for name, value in place.items())
        call = bash(f"exec env -i {variables} {program} {' '.join(map(shlex.quote, map(str, words)))} 2>&1")
        answers = model(use(call), say("done"))
        client = claude(answers)
        phone.respond(phone.card(tool_use_id=call.id), "allow")
        delivered(client)
        return answers.result(call)[0]

    return run


def test_the_configuration_stays(box, elsewhere):
    before = (box.cdev_home / "config.json").read_bytes()
    assert "inside an agent" in elsewhere("config", "set", "allow_bypass", "true")
    assert (box.cdev_home / "config.json").read_bytes() == before


def test_the_hooks_stay(box, daemon, elsewhere):
    before = box.settings.read_bytes()
    assert "inside an agent" in elsewhere("uninstall", "--settings", box.settings)
    assert box.settings.read_bytes() == before


def test_a_list_of_its_own_hides_nothing(box, daemon, phone, model, claude):
    """Claude's child names a directory in which a list says another start of Claude, and no daemon answers."""
    other, before = box.root / "o", (box.cdev_home / "config.json").read_bytes()
    (other / "sessions").mkdir(parents=True)
    script = box.root / "list.sh"
    script.write_text(
        f"""printf '{{"pid":%d,"procStart":"1","sessionId":"x"}}' $PPID > {other}/sessions/$PPID.json\n"""
        f"exec {daemon.programs}/cdev config set allow_bypass true\n")
    line = (f"exec env -i HOME={other} CLAUDE_CONFIG_DIR={other} CDEV_HOME={box.root}/empty CDEV_SOCKET=/nowhere "
            f"PATH=/usr/bin:/bin sh {script} 2>&1")
    call = bash(line)
    answers = model(use(call), say("done"))
    client = claude(answers)
    phone.respond(phone.card(tool_use_id=call.id), "allow")
    delivered(client)
    (entry,) = (other / "sessions").iterdir()
    assert json.loads(entry.read_text())["procStart"] == "1"
    assert "inside an agent" in answers.result(call)[0]
    assert (box.cdev_home / "config.json").read_bytes() == before and not (box.root / "empty").exists()


def test_nothing_but_its_program_tells(box, daemon, phone, model, claude):
    """Claude's child takes its variables and moves Claude's list away, and no daemon that knows Claude answers."""
    empty, before = box.root / "empty", (box.cdev_home / "config.json").read_bytes()
    script = box.root / "move.sh"
    script.write_text(
        f"mv {box.config}/sessions {box.root}/moved\n"
        f"exec {daemon.programs}/cdev \"$@\"\n")
    line = f"exec env -i HOME={empty} CDEV_HOME={empty} CDEV_SOCKET=/nowhere PATH=/usr/bin:/bin sh {script}"
    call = bash(f"{line} config set allow_bypass true 2>&1")
    answers = model(use(call), say("done"))
    client = claude(answers)
    phone.respond(phone.card(tool_use_id=call.id), "allow")
    delivered(client)
    assert (box.root / "moved").is_dir() and not (box.config / "sessions").exists()
    assert "inside an agent" in answers.result(call)[0]
    assert (box.cdev_home / "config.json").read_bytes() == before and not empty.exists()


@pytest.mark.parametrize("socket", ["real", "/nowhere"])
def test_the_program_of_sessions_stays(box, daemon, elsewhere, socket):
    elsewhere("install", "--settings", box.settings, socket=daemon.socket if socket == "real" else socket)
    path = box.cdev_home / "claude.path"
    assert not path.exists() or "evil" not in path.read_text()


def scripts(box):
    return {path.name: path.read_bytes() for path in (box.cdev_home / "hooks").iterdir()}


def test_the_scripts_of_all_settings_stay(box, cdev):
    """They are one set, whatever file of settings is named; and so is what they do without the daemon."""
    cdev.ok("install", "--on-failure", "block")
    before = scripts(box)
    inside = {"CLAUDECODE": "1"}
    other = box.root / "other.json"
    for words in (("--socket", box.root / "e.sock"), ("--settings", other, "--socket", box.root / "e.sock")):
        assert "inside an agent" in fails(cdev, REFUSED, "install", *words, env=inside)
    cdev.ok("install", env=inside)
    cdev.ok("install", "--settings", other)
    assert scripts(box) == before and other.exists()


def test_a_daemon_is_not_started_with_its_environment(box, cdev):
    inside = {"CLAUDECODE": "1", "PATH": f"{box.root}/evil:{os.environ['PATH']}"}
    assert "inside an agent" in fails(cdev, REFUSED, "start", env=inside)
    for options in (["--install-hooks"], ["--home", box.root / "other"], ["--host", "0.0.0.0", "--insecure"], []):
        assert "inside an agent" in fails(cdev, REFUSED, "serve", "--port", "0", *options, env=inside)
    assert not (box.cdev_home / "autostart").exists() and not (box.root / "other").exists()


MACHINE = {"pid": "pid:[4026531836]", "user": "user:[4026531837]"}


@pytest.mark.parametrize("runs", [True, False], ids=["daemon", "no-daemon"])
def test_namespaces_of_its_own_hide_nobody(box, cdev, runs):
    """There `/proc` shows neither the processes above nor the daemon's, so nothing tells that an agent is among them."""
    hide = ["unshare", "--map-root-user", "--mount", "--pid", "--fork", "--mount-proc", "--"]
    if subprocess.run([*hide, "true"], capture_output=True).returncode:
        pytest.skip("this machine gives no namespaces")
    if any(os.readlink(f"/proc/self/ns/{kind}") != name for kind, name in MACHINE.items()):
        pytest.skip("the tests run in namespaces of their own, so the daemon would not see more")
    cdev.ok("install")
    cdev.start()
    if not runs:
        cdev.kill()
    before = (box.settings.read_bytes(), (box.cdev_home / "config.json").read_bytes())
    for words in (["config", "set", "gate", "prompt"], ["install", "--on-failure", "block"], ["uninstall"], ["serve", "--port", "0"]):
        done = subprocess.run([*hide, cdev.programs / "cdev", *words], env=box.env(), capture_output=True, text=True)
        assert done.returncode == REFUSED and "namespaces of its own" in done.stderr, (words, done.stderr)
    assert (box.settings.read_bytes(), (box.cdev_home / "config.json").read_bytes()) == before


def test_a_daemon_is_started_again_as_it_was(box, cdev):
    """The relay starts it from inside an agent, so nothing but the home is taken from its caller."""
    inside = {"CLAUDECODE": "1", "CDEV_SOCKET": str(box.root / "evil.sock")}
    assert "no option but --home" in fails(cdev, USAGE, "serve", "--again", "--port", "0", env=inside)
    assert "no daemon was started" in fails(cdev, OTHER, "serve", "--again", env=inside)
    cdev.configure(port=cdev.port)
    cdev.ok("start")
    box.on_close(lambda: cdev.run("stop"))
    os.kill(cdev.json("status")["pid"], signal.SIGKILL)
    until(lambda: cdev.run("status").returncode != 0, "the daemon to be gone")
    cdev.ok("start", "--again", env=inside)
    pid = cdev.json("status")["pid"]
    variables = open(f"/proc/{pid}/environ").read().split("\0")
    assert not (box.root / "evil.sock").exists() and not any(name.startswith("CLAUDECODE=") for name in variables)


def test_a_start_that_fails_is_not_kept(box, cdev):
    cdev.configure(port=cdev.port)
    cdev.ok("start")
    before = (box.cdev_home / "autostart").read_bytes()
    other = box.root / "l"
    other.mkdir()
    cdev.run("start", env={"CDEV_SOCKET": str(other / "cdev.sock"), "TZ": "Mars/Olympus"})
    assert (box.cdev_home / "autostart").read_bytes() == before
    cdev.ok("stop")
