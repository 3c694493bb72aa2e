"""The ends of sessions that a scripted agent runs: under a daemon that is killed meanwhile, and behind a reboot."""
import os
import pathlib
import signal
import sqlite3
import subprocess
import sys
import threading

import pytest

from harness.approver import RpcError
from harness.checks import includes
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


STRANGER = """
import pathlib, signal, sys, time
file = pathlib.Path(sys.argv[1])
for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
    signal.signal(number, lambda number, _: file.open("a").write(f"{number} "))
file.touch()
while True:
    time.sleep(1)
"""


def stranger(box):
    """A process that is none of ours, its start time, and the file to which it writes what signals it gets."""
    told = box.root / "signals"
    process = subprocess.Popen([sys.executable, "-c", STRANGER, told])
    box.on_close(process.kill)
    until(told.exists, "the stranger to begin")
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return process, int(fields[19]), told


def test_behind_a_reboot_a_session_is_parked_and_no_stranger_is_signalled(box, agents):
    """The agent's number and start time are another process's now. The next prompt goes on, in one process."""
    agents.begin({"prompts": [["begin", "hang"]]}, {})
    agents.start()
    number = agents.prompt()
    agents.awaits("never")
    conversation = agents.becomes("running")["claude_session_id"]
    process, start_time, told = stranger(box)

    def reboot():
        os.kill(agents.processes()[0], signal.SIGKILL)
        agents.is_gone()
        with sqlite3.connect(box.cdev_home / "cdev.db") as database:
            database.execute("UPDATE boot SET id = 'an earlier one'")
            changed = database.execute(
                "UPDATE run_sessions SET boot = 'an earlier one', pid = ?, start_time = ?", (process.pid, start_time))
            assert changed.rowcount == 1

    agents.restart(reboot)
    includes(agents.state(), claude_state="parked", is_running=False)
    assert "while cdev did not run" in agents.ends(number, "failed")["error"]
    assert agents.processes() == []
    numbers = [agents.prompt(), agents.prompt()]
    for one in numbers:
        agents.ends(one, "completed")
    assert agents.prompts_heard() == [number, *numbers]
    assert len((agents.folder / "started").read_text().splitlines()) == 2
    (child,) = agents.processes()
    assert f"--resume={conversation}" in pathlib.Path(f"/proc/{child}/cmdline").read_text().split("\0")
    assert agents.state()["claude_session_id"] == conversation
    agents.stop()
    assert process.poll() is None and told.read_text() == ""
