"""The ends of sessions that a scripted agent runs: under a daemon that is killed meanwhile."""
import threading

import pytest

from harness.approver import RpcError
from harness.generated import IS_LONG
from harness.waiting import until

ROUNDS = 200 if IS_LONG else 20
# Seconds from the request to end a session, within which the daemon is killed.
SPREAD = 0.08


def is_stopped(agents):
    """A session that has ended is known until the next daemon starts."""
    try:
        return agents.state()["status"] == "stopped"
    except RpcError as error:
        assert "session not running" in error.message, error.message
        return True


def stops(agents, number):
    """Asks for the end of the session, and kills the daemon meanwhile: each round a little later. True if it was confirmed."""
    killer = threading.Timer(SPREAD * number / ROUNDS, agents.cdev.kill)
    killer.start()
    try:
        return agents.call("session/stop", session_id=agents.session["id"])["success"]
    except Exception:
        # The daemon is gone. It may have come to write that down, or not.
        return False
    finally:
        killer.join()


@pytest.mark.parametrize("steps", [["begin", "end"], ["begin", "begin_other"]], ids=["idle", "at work"])
def test_a_daemon_killed_while_a_session_ends_leaves_none_half_ended(box, agents, steps):
    """A stop that was confirmed stays one; one that was not is a stop, or the session goes on. No process is left behind."""
    agents.begin({"prompts": [steps]})
    for number in range(ROUNDS):
        agents.start()
        agents.prompt()
        agents.driver.hear("claude_session_info", session_id=agents.session["id"])
        if "end" in steps:
            agents.becomes("idle")
        is_confirmed = stops(agents, number)
        agents.restart()
        if not is_confirmed and not is_stopped(agents) and agents.state()["status"] == "running":
            agents.prompt()
            agents.stop()
        until(lambda: is_stopped(agents), lambda: f"round {number}: {agents.state()}\n{agents.cdev.story()}", 20)
        agents.is_gone()
        agents.restart()
        assert is_stopped(agents) and agents.call("session/active")["sessions"] == [], f"round {number}"
        with pytest.raises(RpcError):
            agents.send("again")
        until(lambda: not list((box.cdev_home / "sessions").glob("*")), "its files to be removed")
