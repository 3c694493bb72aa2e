"""`cdev watch` without a screen: a line for each event."""
import re
import subprocess

from harness.checks import held_id
from harness.pane import Pane
from harness.waiting import PATIENCE, until


def test_line_mode_through_a_pipe(holding, session):
    follower = holding.spawn("watch")
    held = session.bash("touch a\n\x1b[31mb")
    first = follower.shows("asks: Bash")
    assert re.match(r"\d\d:\d\d:\d\d  r_\w{6}  asks: Bash, \d+ (s|min) left$", first)
    assert follower.shows("│ touch a") == "    │ touch a\n"
    assert follower.shows("[31mb") == "    │ \\u{001B}[31mb\n"
    follower.shows("Claude says: made up")
    holding.ok("deny", held_id(holding, held))
    assert "ended: denied by somebody at the computer: Bash touch a" in follower.shows("ended:")
    assert "\x1b" not in "".join(follower.lines) and "\x07" not in "".join(follower.lines)


def test_line_mode_outlives_the_daemon(holding, session):
    follower = holding.spawn("watch")
    session.bash("touch a")
    follower.shows("asks: Bash")
    holding.kill()
    follower.shows("offline: ")
    holding.start()
    follower.shows("online again")
    session.bash("touch c")
    follower.shows("│ touch c")


def test_line_mode_counts_as_an_approver(cdev):
    cdev.start(no_approver="pass")
    follower = cdev.spawn("watch")
    until(lambda: cdev.json("status")["approvers"] == 1, "it to count")
    follower.end()
    until(lambda: cdev.json("status")["approvers"] == 0, "it not to count any more")


def test_line_mode_ends_with_its_reader(holding):
    process = subprocess.Popen(
        [str(holding.programs / "cdev"), "watch"], env=holding.box.env(), stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE)
    until(lambda: holding.json("status")["approvers"] == 1, "it to be connected")
    process.stdout.close()
    assert process.wait(10 * PATIENCE) == 0


def test_a_dumb_terminal_gets_lines(holding, session):
    watch = Pane(holding.box, [holding.programs / "cdev", "watch"], holding.box.env(TERM="dumb"))
    until(lambda: holding.json("status")["approvers"] == 1, "it to be connected")
    session.bash("touch a")
    watch.shows("(?s)asks: Bash.*│ touch a")
    assert b"\x1b" not in watch.raw()
