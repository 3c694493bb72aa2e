"""Which Claude Code a session runs, and in which environment."""
import pytest

from harness import claude as claude_cli
from harness.checks import includes
from harness.fake_model import bash, say, use
from harness.runs import Runs
from harness.waiting import until

pytestmark = pytest.mark.real_cli


@pytest.fixture
def runs(box, cdev):
    return Runs(box, cdev)


def doctor(cdev):
    return cdev.run("doctor").stdout


@pytest.mark.parametrize("environment", ["login", "daemon"])
def test_a_session_has_the_environment_of_the_login_shell(box, cdev, runs, model, environment):
    """With what the profile sets, and without what is the daemon's own."""
    (box.home / ".bash_profile").write_text("echo good morning; export FROM_PROFILE='two\nlines' CDEV_SOCKET=/nowhere\n")
    call = bash("printf '%s|%s' \"$FROM_PROFILE\" \"$CDEV_SOCKET\" > seen")
    runs.begin(model(use(call), say("done")), session_environment=environment)
    cdev.ok("install")
    runs.start(prompt="look")
    runs.driver.respond(runs.driver.card(20, tool_use_id=call.id), "allow")
    runs.becomes("idle")
    assert (box.project / "seen").read_text() == ("two\nlines|" if environment == "login" else "|")
    wanted = "/bin/bash -l" if environment == "login" else "the daemon's environment"
    assert f"sessions run {claude_cli.binary()}" in doctor(cdev) or f"sessions run {box.stubs}/claude" in doctor(cdev)
    assert wanted in doctor(cdev)
    runs.stop()


@pytest.mark.parametrize("shell, why", [
    ("exit 3", "told no environment"), ("echo PATH=/nowhere", "told no environment"), (None, "could not be started")])
def test_a_shell_that_tells_nothing_is_named(box, cdev, runs, model, shell, why):
    path = box.stubs / "odd-shell"
    if shell:
        box.stub("odd-shell", shell)
    answers = model(say("done"))
    environment = {**claude_cli.environment(box, answers), "SHELL": str(path)}
    cdev.environment = environment
    cdev.start()
    includes(runs.call("session/check"), shell=None, problem=None)
    assert why in runs.call("session/check")["notice"]
    assert "login shell" in doctor(cdev) and why in doctor(cdev)
    runs.workspace = runs.call("workspace/add", path=str(box.project))["id"]
    runs.session = runs.call("session/start", workspace_id=runs.workspace)
    runs.becomes("idle")
    runs.stop()


ODD = {
    "old": ("echo '2.1.282 (Claude Code)'", "is Claude Code 2.1.282, and sessions need 2.1.283 or newer: run `claude update`"),
    "another program": ("echo 'v20.1.0'", "does not seem to be Claude Code"),
    "fails": ("echo 'no such library' >&2; exit 127", "ended with status 127 and printed \"no such library\""),
}


@pytest.mark.parametrize("kind", ODD)
def test_a_program_that_cannot_run_a_session_is_refused(box, cdev, runs, model, kind):
    script, words = ODD[kind]
    (box.stubs / "claude").unlink()
    box.stub("claude", script)
    runs.begin(model())
    assert words in runs.call("session/check")["problem"] and words in doctor(cdev)
    runs.start()
    until(lambda: runs.state()["status"] == "stopped", lambda: "the start to fail")
    assert words in runs.state()["error"]
    # It is looked at again, without a restart.
    (box.stubs / "claude").unlink()
    (box.stubs / "claude").symlink_to(claude_cli.binary())
    assert runs.call("session/check")["problem"] is None
    runs.start()
    runs.becomes("idle")
    runs.stop()


def test_the_one_that_was_found_at_the_installation_is_run(box, cdev, runs, model):
    """The daemon may be started where no PATH leads to it."""
    far = box.root / "far"
    far.mkdir()
    (box.stubs / "claude").rename(far / "claude")
    evil = box.root / "evil"
    evil.mkdir()
    (evil / "claude").symlink_to(far / "claude")
    cdev.ok("install", env={"PATH": f"{far}:{box.env()['PATH']}"})
    runs.begin(model(say("done")))
    cdev.ok("install", env={"PATH": f"{evil}:{box.env()['PATH']}", "CLAUDECODE": "1"})
    includes(runs.call("session/check"), program=str(far / "claude"), problem=None)
    runs.start(prompt="go")
    runs.becomes("idle")
    runs.stop()
    # Another one counts once that is gone.
    (far / "claude").rename(box.stubs / "claude")
    includes(runs.call("session/check"), program=str(box.stubs / "claude"), problem=None)
