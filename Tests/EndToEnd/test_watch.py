"""`cdev watch`, driven by keys in a real terminal against a real daemon."""
import os
import re
import signal
import subprocess

import pytest

from harness.checks import NO_DAEMON, delivered, fails, held_id, includes
from harness.fake_model import say, touch, use
from harness.pane import Pane
from harness.waiting import until
from harness.watching import Watch

# Every way in which a text could act on the terminal or hide something from its reader.
HOSTILE = (
    "echo start \x1b[2J\x1b[31m\x1b]0;owned\x07\x1b]52;c;aGk=\x07\x1bP1$r\x1b\\ \x9b31m \x90x\x9c \x85 \r\x08\x7f\x00"
    "\u202e\u2066\u200b\ufeff\u00ad end"
)


# The shell waits for a command again, as the last thing on the screen.
PROMPT = r"shell>$"


@pytest.fixture
def holding(cdev):
    """A daemon without hooks that holds everything."""
    return cdev.start(no_approver="hold", permission_timeout_seconds=300)


@pytest.fixture
def session(holding):
    made = holding.session()
    made.start()
    return made


@pytest.fixture
def watch(holding):
    return Watch(holding)


# Answers

def test_a_key_allows_a_call(holding, watch, session):
    watch.shows("0 waiting")
    held = session.bash("touch a")
    watch.shows("│ touch a")
    watch.key("a", "allowed: touch a")
    assert held.decision() == "allow"
    includes(holding.history(session.id)[0], decision="allow", resolved_by="local", scope="once")
    watch.shows("0 waiting")


@pytest.mark.parametrize(("key", "told", "word"), [("d", "deny", "denied"), ("p", "ask", "handed to Claude's prompt")])
def test_a_key_denies_or_hands_over(watch, session, key, told, word):
    held = session.bash("touch a")
    watch.shows("│ touch a")
    watch.key(key, f"{word}: touch a")
    assert held.decision() == told


def test_a_session_is_allowed_by_its_patterns(holding, watch, session):
    held = session.bash("touch a")
    watch.shows("│ touch a")
    watch.key("s", r"(?s)until the session ends.*Bash\(touch:\*\)")
    assert not held.answered()
    watch.key("y", r"for the session Bash\(touch:\*\): touch a")
    assert held.decision() == "allow"
    assert session.bash("touch b").decision() == "allow"
    assert holding.json("rules")["rules"][0]["pattern"] == "Bash(touch:*)"


def test_a_denial_with_a_message(watch, session):
    held = session.bash("touch a")
    watch.shows("│ touch a")
    watch.key("m", "tell Claude:")
    watch.type("not today, add a test")
    watch.shows("add a test")
    watch.key("Enter", "denied: touch a")
    assert "not today, add a test" in held.answer()["hookSpecificOutput"]["permissionDecisionReason"]


def test_a_command_is_edited_in_the_line(watch, session):
    held = session.bash("touch a")
    watch.shows("│ touch a")
    watch.key("e", "run: touch a")
    watch.type("bc")
    watch.shows("run: touch abc")
    watch.key("Enter", r"(?s)- touch a\n\+ touch abc")
    assert not held.answered()
    watch.key("y", "allowed: touch a")
    output = held.answer()["hookSpecificOutput"]
    assert output["updatedInput"] == {"command": "touch abc", "description": "made up"}


def test_a_command_is_edited_in_the_editor(box, holding, session):
    editor = box.stub("change", 'sed -i "s/touch a/touch b/" "$1"')
    watch = Watch(holding, env={"EDITOR": f"{editor} ", "VISUAL": ""})
    held = session.bash("touch a")
    watch.shows("│ touch a")
    watch.key("e", r"(?s)- touch a\n\+ touch b\n")
    watch.key("y", "allowed")
    assert held.answer()["hookSpecificOutput"]["updatedInput"]["command"] == "touch b"
    assert not list(box.tmp.glob("cdev-edit-*"))


def test_an_editor_that_fails_changes_nothing(box, holding, session):
    watch = Watch(holding, env={"EDITOR": "false"})
    held = session.bash("touch a")
    watch.shows("│ touch a")
    watch.key("e", "not edited: nothing done")
    assert not held.answered()
    watch.key("a", "allowed")
    assert "updatedInput" not in held.answer()["hookSpecificOutput"]


def test_a_question_is_answered_by_number(watch, session):
    questions = [
        {"question": "Which color?", "header": "Color", "multiSelect": False,
         "options": [{"label": "Red", "description": "r"}, {"label": "Blue", "description": "b"}]},
        {"question": "Which sizes?", "header": "Sizes", "multiSelect": True,
         "options": [{"label": "S", "description": "s"}, {"label": "L", "description": "l"}]},
    ]
    held = session.call("AskUserQuestion", {"questions": questions}, event="PermissionRequest")
    watch.shows("> Which color")
    watch.key("2", r"2 \[x\] Blue")
    watch.key("1", r"1 \[x\] S")
    watch.key("2", r"2 \[x\] L")
    watch.key("Enter", "allowed")
    answers = held.answer()["hookSpecificOutput"]["decision"]["updatedInput"]["answers"]
    assert answers == {"Which color?": "Blue", "Which sizes?": "S, L"}


def test_a_plan_is_sent_back(watch, session):
    held = session.call("ExitPlanMode", {"plan": "# The plan\n- touch x"}, event="PermissionRequest")
    watch.shows("touch x")
    watch.key("m", "tell Claude:")
    watch.type("add a step")
    watch.shows("add a step")
    watch.key("Enter", "denied")
    assert held.answer()["hookSpecificOutput"]["decision"] == {"behavior": "deny", "message": "add a step"}


def test_a_word_is_typed_where_the_configuration_wants_one(cdev):
    cdev.start(no_approver="hold", permission_timeout_seconds=300, confirm=["Bash(touch)"])
    watch, session = Watch(cdev), cdev.session()
    held = session.bash("touch a")
    watch.shows("to allow it, type: touch")
    watch.key("a", "type it:")
    watch.type("tuch")
    watch.shows("type it: tuch")
    watch.key("Enter", "not taken: ")
    watch.shows("type it:")
    watch.type("touch")
    watch.shows("type it: touch")
    watch.key("Enter", "allowed: touch a")
    assert held.decision() == "allow"


def test_an_edit_is_shown_as_a_difference(watch, session):
    session.call("Edit", {"file_path": "/nowhere/a.py", "old_string": "a\nb", "new_string": "a\nc"})
    watch.shows(r"not compared with the file: .*\n  a\n- b\n\+ c\n")
    styled = watch.styled()
    assert re.search("\x1b\\[[0-9;]*31m- b", styled) and re.search("\x1b\\[[0-9;]*32m\\+ c", styled), styled


# What moves

def test_two_people_answer(holding, watch, session):
    phone = holding.approver()
    held = session.bash("touch a")
    watch.shows("│ touch a")
    phone.respond(phone.card(), "deny")
    assert held.decision() == "deny"
    watch.shows("ENDED: denied by device phone")
    watch.key("a", "has ended, denied by device phone: nothing done")
    watch.shows("0 waiting")


def test_a_card_that_goes_leaves_the_next_one_alone(holding, watch, session):
    first, second = session.bash("touch a"), session.bash("touch b")
    watch.shows("2 waiting")
    watch.selects("touch a")
    # The key is typed in the very moment in which the card goes.
    holding.ok("deny", held_id(holding, first))
    watch.press("a", "a", "a")
    watch.selects("touch b")
    watch.press("a")
    watch.shows("came only now")
    assert not second.answered()
    assert first.decision() == "deny"
    watch.key("a", "allowed: touch b")
    assert second.decision() == "allow"


def test_what_comes_sooner_does_not_move_the_selected_card(holding, watch, session):
    # Claude's own dialog may be answered for an hour, so this one ends late.
    held = session.bash("touch late", event="PermissionRequest")
    watch.shows("│ touch late")
    row = watch.row_of("│ touch late")
    session.bash("touch soon")
    watch.shows("2 waiting")
    watch.shows(r"(?s)touch soon.*▸ .*touch late")
    assert watch.row_of("│ touch late") == row
    watch.key("a", "allowed.*: touch late")
    assert held.decision() == "allow"


def test_keys_that_come_with_the_card_do_nothing(watch, session):
    for _ in range(5):
        watch.press("a")
    held = session.bash("touch a")
    for _ in range(20):
        watch.press("a")
    watch.shows("│ touch a")
    assert not held.answered()


def test_pasted_letters_do_nothing(watch, session):
    held = session.bash("touch a")
    watch.shows("│ touch a")
    watch._tmux("set-buffer", "aaaa")
    watch._tmux("paste-buffer", "-p", "-t", "s")
    watch.shows("pasted text is no answer")
    assert not held.answered()


def test_moving_through_cards(watch, session):
    for name in "abc":
        session.bash(f"touch {name}")
        watch.shows(f"touch {name}")
    names = re.findall(r"touch ([abc])", "\n".join(watch.screen().splitlines()[1:4]))
    watch.press("k", "k")
    watch.selects(f"touch {names[0]}")
    watch.press("j")
    watch.selects(f"touch {names[1]}")
    watch.press("Down")
    watch.selects(f"touch {names[2]}")
    watch.press("k", "Up")
    watch.selects(f"touch {names[0]}")


def test_a_long_command_is_read_to_its_end_before_it_is_allowed(watch, session):
    held = session.bash("echo x\n" * 60 + "touch end")
    watch.shows(r"more below: space")
    watch.key("a", "more lines not shown yet")
    assert not held.answered()
    for _ in range(8):
        watch.press("Space")
    watch.shows("│ touch end")
    watch.key("a", "allowed")
    assert held.decision() == "allow"


def test_a_command_larger_than_a_frame(watch, session):
    held = session.bash("echo " + "x" * 1_200_000 + " end")
    watch.shows("waiting")
    watch.shows("more below")
    watch.press("End")
    watch.shows("x end")
    assert "cut:" not in watch.screen()
    watch.key("d", "denied")
    assert held.decision() == "deny"


def test_many_cards(watch, holding):
    sessions = [holding.session() for _ in range(4)]
    held = [one.bash(f"touch f{number}") for one in sessions for number in range(50)]
    watch.shows("200 waiting", 20)
    watch.key("d", "denied")
    watch.shows("199 waiting")
    until(lambda: sum(one.answered() for one in held) == 1, "one answer")


# The terminal

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


def test_the_bell_rings_for_a_question(holding, session):
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


# The daemon

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


# Without a screen

def test_line_mode_through_a_pipe(holding, session):
    follower = holding.spawn("watch")
    held = session.bash("touch a\n\x1b[31mb")
    first = follower.shows("asks: Bash")
    assert re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ  r_\w+  asks: Bash, until ", first)
    assert follower.shows("│ touch a") == "    │ touch a\n"
    assert follower.shows("[31mb") == "    │ \\u{001B}[31mb\n"
    follower.shows("Claude says: made up")
    holding.ok("deny", held_id(holding, held))
    assert "ended: denied by local: Bash touch a" in follower.shows("ended:")
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
    assert process.wait(10) == 0


def test_a_dumb_terminal_gets_lines(holding, session):
    watch = Pane(holding.box, [holding.programs / "cdev", "watch"], holding.box.env(TERM="dumb"))
    until(lambda: holding.json("status")["approvers"] == 1, "it to be connected")
    session.bash("touch a")
    watch.shows("(?s)asks: Bash.*│ touch a")
    assert b"\x1b" not in watch.raw()
