"""`cdev watch` gives the terminal back, however it ends or stops."""
import os
import signal
import subprocess

import pytest

from harness.checks import held_id
from harness.waiting import until
from harness.watching import Watch

# The shell waits for a command again, as the last thing on the screen.
PROMPT = r"shell>$"


def test_quitting_gives_the_screen_back(holding, session):
    watch = Watch(holding, shell=True)
    before = watch.format("#{alternate_on}")
    watch.press("q")
    watch.shows(PROMPT)
    assert (before, watch.format("#{alternate_on}"), watch.format("#{cursor_flag}")) == ("1", "0", "1")
    watch.type("echo typed")
    watch.shows("shell> echo typed")
    assert "waiting" not in watch.screen()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_gives_the_screen_back(holding, number):
    watch = Watch(holding, shell=True)
    os.kill(process_of(watch), number)
    watch.shows(PROMPT)
    assert (watch.format("#{alternate_on}"), watch.format("#{cursor_flag}")) == ("0", "1")
    watch.type("echo typed")
    watch.shows("shell> echo typed")


def process_of(watch):
    """The id of the command that runs in the pane's shell."""
    found = subprocess.run(["pgrep", "-P", str(watch.pid)], capture_output=True, text=True).stdout.split()
    assert len(found) == 1, found
    return int(found[0])


def test_suspended_and_back(holding, session):
    watch = Watch(holding, shell=True)
    held = session.bash("touch a")
    watch.shows("│ touch a")
    assert holding.json("status")["approvers"] == 1
    watch.press("C-z")
    watch.shows("Stopped")
    assert watch.format("#{alternate_on}") == "0"
    until(lambda: holding.json("status")["approvers"] == 0, "a stopped watcher not to count")
    second = session.bash("touch b")
    held_id(holding, second)
    watch.type("fg")
    watch.press("Enter")
    watch.shows("2 waiting")
    assert watch.format("#{alternate_on}") == "1"
    watch.selects("touch a")
    watch.key("a", "allowed: touch a")
    assert held.decision() == "allow"
    watch.press("q")
    watch.shows(PROMPT)


def test_stopped_from_outside(holding, session):
    watch = Watch(holding, shell=True)
    os.kill(process_of(watch), signal.SIGTSTP)
    watch.shows("Stopped")
    watch.type("fg")
    watch.press("Enter")
    watch.shows("0 waiting")
    session.bash("touch a")
    watch.shows("│ touch a")
