"""`cdev watch`: text that means harm, sizes, colours and character sets of the terminal."""
import re

import pytest

from harness.waiting import until
from harness.watching import Watch

# Every way in which a text could act on the terminal or hide something from its reader.
HOSTILE = (
    "echo start \x1b[2J\x1b[31m\x1b]0;owned\x07\x1b]52;c;aGk=\x07\x1bP1$r\x1b\\ \x9b31m \x90x\x9c \x85 \r\x08\x7f\x00"
    "\u202e\u2066\u200b\ufeff\u00ad end"
)


def test_what_a_tool_sends_never_reaches_the_terminal(watch, session):
    session.call("mcp__x__y", {HOSTILE: HOSTILE, "list": [HOSTILE]})
    session.bash(HOSTILE)
    session.call("Edit", {"file_path": HOSTILE, "old_string": HOSTILE, "new_string": "x"})
    session.call("WebFetch", {"url": "http://" + HOSTILE, "prompt": HOSTILE})
    watch.shows("4 waiting")
    for _ in range(4):
        watch.shows(r"hidden characters")
        watch.press("s", "Space", "m", "Escape", "j")
    watch.press("?")
    raw = watch.raw().decode()
    ours = re.compile("\x1b\\[[0-9;?]*[HJKhlm]|[\x07\r\n]")
    left = ours.sub("", raw)
    bad = {c for c in left if ord(c) < 0x20 or 0x7F <= ord(c) < 0xA0 or c in "\u202e\u2066\u200b\ufeff\u00ad"}
    assert not bad, (bad, raw[-3000:])
    # The only sequences are those of the frames: none of them sets a title, erases beyond a row or moves elsewhere.
    assert "\x1b]" not in raw and "\x1bP" not in raw and raw.count("\x1b[2J") <= 4
    assert watch.format("#{pane_title}") != "owned"
    assert r"\u{001B}" in watch.screen() or r"\u{001B}" in raw


def test_the_bell_rings_for_a_request(holding, session):
    loud, quiet = Watch(holding), Watch(holding, name="quiet", words=["--quiet"])
    session.bash("touch a")
    loud.shows("│ touch a")
    quiet.shows("│ touch a")
    until(lambda: b"\x07" in loud.raw(), "the bell")
    assert b"\x07" not in quiet.raw()


@pytest.mark.parametrize("size", [(120, 40), (40, 15), (80, 24), (30, 10)])
def test_resizing(watch, session, size):
    held = session.bash("touch " + "word " * 30 + "end")
    watch.shows("│ touch")
    watch.resize(*size)
    # Where the folder's name takes the rows there are, the command is a page further down.
    if "│ touch" not in watch.shows(r"(?s)▸.*(│ touch|more below)"):
        watch.press("Space")
        watch.shows(r"(?s)▸.*(│ touch|│ word)")
    columns, rows = size
    until(lambda: len(watch.screen().splitlines()) == rows, "the last row to be drawn")
    assert all(len(line) <= columns for line in watch.screen().splitlines())
    watch.key("d", "denied")
    assert held.decision() == "deny"


def test_too_small_a_window_takes_no_answers(watch, session):
    held = session.bash("touch a")
    watch.shows("│ touch a")
    watch.resize(20, 6)
    watch.shows("too small")
    watch.press("a")
    watch.resize(80, 24)
    watch.shows("│ touch a")
    assert not held.answered()


def test_no_color(holding, session):
    watch = Watch(holding, env={"NO_COLOR": "1"})
    session.call("Edit", {"file_path": "/nowhere/a.py", "old_string": "a", "new_string": "c"})
    watch.shows(r"- a\n\+ c")
    assert not re.search(rb"\x1b\[(?:\d+;)*(?:3[0-7]|4[0-7]|9[0-7])m", watch.raw())
    assert b"\x1b[0;1;7m" in watch.raw()


def test_a_terminal_that_is_not_utf8_gets_ascii(holding, session):
    watch = Watch(holding, env={"LANG": "C", "LC_ALL": "C"})
    session.bash("touch 日本 é")
    watch.shows(r"\| touch \\u\{65E5\}\\u\{672C\} \\u\{00E9\}")
    assert all(byte < 0x80 for byte in watch.raw())


def test_history_and_rules_are_views(watch, session):
    held = session.bash("touch a")
    watch.shows("│ touch a")
    watch.key("s", "y allows this and what is listed for the session")
    watch.key("y", "allowed")
    assert held.decision() == "allow"
    watch.press("h")
    watch.shows(r"allowed for the session")
    watch.shows(r"touch a")
    watch.press("r")
    watch.shows(r"Bash\(touch:\*\)")
    watch.shows(r"not used yet; cdev rules\s+revoke rule_")
    watch.press("1")
    watch.shows(r"y revokes Bash\(touch:\*\)")
    watch.press("y")
    watch.shows("No rules: nothing is allowed or denied for a session")
    watch.press("Escape")
    watch.shows("Nothing is waiting")


def test_from_120_columns_the_list_stands_beside_the_card(holding, session):
    wide = Watch(holding, columns=130, rows=30)
    held = session.bash("touch a")
    wide.shows(r"▸.*touch a.*left")
    wide.shows("││ touch a")
    wide.key("d", "denied")
    assert held.decision() == "deny"


def test_a_session_whose_mode_asks_nothing_is_named(watch, session):
    assert session.bash("touch a", permission_mode="auto").decision() == "pass"
    session.tell("PreToolUse", tool_name="Bash", tool_input={"command": "touch b"}, tool_use_id="t", permission_mode="auto")
    watch.shows(rf"(?s)session {session.id[:8]} in \S+: Claude Code decides by itself in mode auto.*asks about nothing there")
