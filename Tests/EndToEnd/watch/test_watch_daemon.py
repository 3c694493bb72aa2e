"""`cdev watch`: the daemon comes, goes and hangs, and agents try."""
import signal

import pytest

from harness.checks import NO_DAEMON, delivered, fails, held_id
from harness.fake_model import say, touch, use
from harness.waiting import until
from harness.watching import Watch


def test_it_counts_as_an_approver(cdev):
    cdev.start(no_approver="pass")
    session = cdev.session()
    assert session.bash("touch a").decision() == "pass"
    watch = Watch(cdev)
    held = session.bash("touch b")
    assert held.first_status() == 102
    watch.shows("│ touch b")
    watch.press("q")
    until(lambda: not watch.alive(), "it to leave")
    until(lambda: cdev.json("status")["approvers"] == 0, "nobody to be reachable")


@pytest.mark.real_cli
@pytest.mark.parametrize("how", ["kill", "stop"])
def test_the_daemon_goes_and_comes_back(box, daemon, model, claude, how):
    watch = Watch(daemon)
    run = claude(model(use(touch("x")), say("done")))
    watch.shows("│ touch x")
    getattr(daemon, how)()
    watch.shows("OFFLINE, keys are off")
    watch.press("a")
    watch.shows("offline: nothing done")
    assert not (box.project / "x").exists()
    daemon.start()
    watch.shows("1 waiting")
    watch.key("a", "allowed: touch x")
    delivered(run)
    assert (box.project / "x").exists()


def test_a_daemon_that_hangs_does_not_hang_the_watcher(holding, watch, session):
    held = session.bash("touch a")
    watch.shows("│ touch a")
    holding.process.send_signal(signal.SIGSTOP)
    watch.key("a", "sending allow")
    watch.press("q")
    until(lambda: not watch.alive(), "it to leave")
    holding.process.send_signal(signal.SIGCONT)
    assert held.decision() == "allow"


def test_without_a_daemon(cdev):
    assert "cdev is not running" in fails(cdev, NO_DAEMON, "watch")


def test_a_watcher_inside_claude_may_only_look(holding, session):
    watch = Watch(holding, env={"CLAUDECODE": "1"})
    watch.shows("READ ONLY: inside an agent")
    assert holding.json("status")["approvers"] == 0
    held = session.bash("touch a")
    watch.shows("│ touch a")
    watch.key("a", "the daemon does not take its answers")
    watch.key("s", "the daemon does not take its answers")
    assert not held.answered()


def test_an_agents_attempt_is_told(holding, watch, session):
    held = session.bash("touch a")
    request = held_id(holding, held)
    holding.run("allow", request, env={"CLAUDECODE": "1"})
    watch.shows("inside an agent tried permission/respond")
    assert not held.answered()
