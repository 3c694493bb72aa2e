"""`cdev watch`: the transcript of the selected card's session, beside the card and in its place."""
import pytest

from harness.transcripts import Transcript
from harness.watching import Watch


@pytest.fixture
def transcript(holding, session):
    made = Transcript(holding.box, session.id)
    made.prompt("please mend the roof")
    made.says("I look at it first.")
    return made


def test_it_stands_beside_the_card_and_goes_on(holding, session, transcript):
    wide = Watch(holding, columns=140, rows=40)
    held = session.bash("touch a")
    wide.shows(r"▸.*touch a.*left")
    wide.shows(rf"transcript {session.id[:8]} in {holding.box.project.name} ")
    wide.shows(r"> please mend the roof")
    transcript.calls("Bash", command="make nails")
    wide.shows(r"(?s)• Bash  make nails.*no result yet")
    transcript.result("three\nnails")
    wide.shows(r"(?s)• Bash  make nails.*2 lines, 11 bytes in 1.0 s")
    wide.key("a", "allowed")
    assert held.decision() == "allow"
    transcript.says("The roof is mended.")
    wide.shows(r"The roof is mended\.")


def test_the_end_of_a_task_is_nothing_the_user_said(holding, session, transcript):
    transcript.task_ended('Agent "look" finished')
    transcript.says("It is done.")
    wide = Watch(holding, columns=140, rows=40)
    wide.shows(r'Background task ended: Agent "look" finished')
    assert "task-notification" not in wide.screen()
    told = holding.ok("transcript", session.id)
    assert 'Background task ended: Agent "look" finished' in told and "task-notification" not in told


def test_a_subagents_lines_come_behind_a_bar(holding, session, transcript):
    wide = Watch(holding, columns=140, rows=40)
    wide.shows("please mend the roof")
    inner = Transcript(holding.box, session.id, agent="abc")
    inner.calls("Grep", pattern="nail")
    wide.shows(r"(?s)┆ • Grep  nail.*┆ +no result yet")
    inner.result("roof.txt")
    inner.says("There are nails.")
    wide.shows(r"(?s)┆ • Grep  nail.*┆ +8 bytes in 1.0 s.*┆ There are nails\.")


def test_in_a_small_terminal_a_key_shows_it(holding, session, transcript):
    small = Watch(holding, columns=60, rows=15)
    held = session.bash("touch a")
    small.shows("│ touch a")
    small.press("t")
    small.shows(r"(?s)> please mend the roof.*I look at it first")
    for number in range(30):
        transcript.says(f"nail {number} is in")
    small.shows("nail 29 is in")
    small.press("Home")
    small.shows("please mend the roof")
    transcript.says("all nails are in")
    small.shows("more below")
    small.press("End")
    small.shows("all nails are in")
    small.press("Escape")
    small.shows("│ touch a")
    small.key("d", "denied")
    assert held.decision() == "deny"


def test_what_a_transcript_holds_never_reaches_the_terminal(holding, session, transcript):
    wide = Watch(holding, columns=140, rows=40)
    session.bash("touch a")
    transcript.says("hello \x1b[2J\x1b]0;owned\x07\u202e\x9b31m there")
    wide.shows(r"\\u\{001B\}\[2J")
    assert "\x1b]" not in wide.raw().decode() and wide.format("#{pane_title}") != "owned"


def test_it_is_followed_again_after_a_restart(holding, session, transcript):
    wide = Watch(holding, columns=140, rows=40)
    wide.shows("please mend the roof")
    holding.stop()
    wide.shows("OFFLINE")
    transcript.says("meanwhile")
    holding.start(no_approver="hold", permission_timeout_seconds=300)
    wide.shows(r"\d+ waiting")
    wide.shows("meanwhile")
    transcript.says("afterwards")
    wide.shows("afterwards")
