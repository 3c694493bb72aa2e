"""Answering from a terminal."""
import datetime
import fcntl
import os
import pty
import re
import struct
import subprocess
import termios

import pytest

from harness.checks import OTHER, REFUSED, USAGE, fails, held_id, includes
from harness.waiting import PATIENCE, until


@pytest.fixture
def bare(cdev):
    return cdev.start(no_approver="hold")


@pytest.mark.parametrize(("verb", "told"), [("allow", "allow"), ("deny", "deny"), ("pass", "ask")])
def test_answering(bare, session, verb, told):
    held = session.bash("touch a")
    bare.ok(verb, held_id(bare, held))
    assert held.decision() == told
    (entry,) = bare.history(session.id)
    includes(entry, decision=told, resolved_by="local")


def test_a_denial_with_a_message(bare, session):
    held = session.bash("touch a")
    bare.ok("deny", held_id(bare, held), "--message", "not today")
    assert "not today" in held.answer()["hookSpecificOutput"]["permissionDecisionReason"]


def test_an_answer_for_the_session(bare, session):
    held = session.bash("touch a")
    assert "Bash(touch:*)" in bare.ok("pending")
    bare.ok("allow", held_id(bare, held), "--session")
    assert "not yet" in bare.ok("rules")
    assert session.bash("touch b").decision() == "allow"
    (rule,) = bare.json("rules")["rules"]
    assert "Bash(touch:*)" in bare.ok("rules") and "not yet" not in bare.ok("rules")
    bare.ok("rules", "revoke", rule["id"])
    assert bare.json("rules")["rules"] == []
    denied = session.bash("touch c")
    bare.ok("deny", held_id(bare, denied), "--session")
    assert session.bash("touch d").decision() == "deny"


LONG = "touch a\n" + "\n".join(f"echo line {number} of what would run" for number in range(40)) + "\ntouch b"


def unseen(bare, session, kind):
    """A call that no line shows whole, and what `cdev show` must print of it."""
    if kind == "script":
        return session.bash(LONG), ["touch a", "line 39 of what would run", "touch b"]
    if kind == "edit":
        file = bare.box.project / "notes.txt"
        file.write_text("one\ntwo\nthree\n")
        return session.call("Edit", {"file_path": str(file), "old_string": "two", "new_string": "2"}), ["- two", "+ 2", "notes.txt"]
    if kind == "hidden":  # few characters, of which each takes five or more when shown
        return session.bash("echo a" + "\t" * 60 + "; touch in-the-middle; " + "\u200b" * 60 + "echo b"), ["touch in-the-middle"]
    if kind == "marks":  # one character of many parts
        return session.bash("echo a" + "\u0301" * 300 + "; touch in-the-middle; echo a" + "\u0301" * 300), ["touch in-the-middle"]
    if kind == "rest":
        return session.call("mcp__a__b", {"text": "a" + "\u0301" * 200 + "in-the-middle" + "\u0301" * 200, "last": "z"}), ["in-the-middle"]
    return session.call("mcp__a__b", {"text": "x" * 500, "last": "the end"}), ["the end"]


@pytest.mark.parametrize("kind", ["script", "edit", "tool", "hidden", "marks", "rest"])
def test_nothing_is_allowed_that_was_not_shown_whole(bare, session, kind):
    held, parts = unseen(bare, session, kind)
    request = held_id(bare, held)
    said = fails(bare, REFUSED, "allow", request)
    assert f"cdev show {short(request)}" in said and "--unseen" in said
    assert not held.answered()
    shown = bare.ok("show", request)
    for part in parts:
        assert part in shown
    bare.ok("allow", request, "--unseen")
    assert held.decision() == "allow"


@pytest.mark.parametrize(("typed", "decision"), [("y", "allow"), ("n", None), ("", None)])
def test_at_a_terminal_it_is_shown_and_asked(bare, session, typed, decision):
    held, parts = unseen(bare, session, "script")
    said = at_a_terminal(bare, typed, "allow", held_id(bare, held))
    for part in parts:
        assert part in said
    if decision:
        assert held.decision() == decision
    else:
        assert not held.answered() and "nothing done" in said


def at_a_terminal(bare, typed, *words, env=None, columns=80):
    """The output of a subcommand in a terminal in which this line is typed."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen(
        [str(bare.programs / "cdev"), *words], env=bare.box.env(**(env or {})), stdin=theirs, stdout=theirs, stderr=theirs,
        start_new_session=True)
    os.close(theirs)
    os.write(ours, typed.encode() + b"\n")
    said = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:  # EIO: the process has ended
            break
        if not piece:
            break
        said += piece
    process.wait(20 * PATIENCE)
    os.close(ours)
    return said.decode(errors="replace")


def short(request):
    """An id as people are shown it."""
    return request[:len("r_") + 6]


@pytest.mark.parametrize(("verb", "typed", "decision"), [
    ("allow", "y", "allow"), ("deny", "y", "deny"), ("pass", "y", "ask"), ("allow", "n", None), ("deny", "", None),
])
def test_without_an_id_the_only_request_is_asked_about_at_a_terminal(bare, session, verb, typed, decision):
    held = session.bash("touch only")
    held_id(bare, held)
    assert "touch only" in at_a_terminal(bare, typed, verb)
    if decision:
        assert held.decision() == decision
    else:
        assert not held.answered()


@pytest.mark.parametrize("verb", ["allow", "deny", "pass"])
def test_without_an_id_elsewhere_the_only_request_is_named(bare, session, verb):
    assert "nothing is waiting" in fails(bare, OTHER, verb)
    held = session.bash("touch only")
    request = held_id(bare, held)
    said = fails(bare, USAGE, verb)
    assert short(request) in said and "touch only" in said
    other = session.bash("touch other")
    said = fails(bare, USAGE, verb), held_id(bare, other)
    assert short(request) in said[0] and short(said[1]) in said[0]
    assert not held.answered() and not other.answered()


def test_a_word_is_asked_for_at_a_terminal(cdev):
    cdev.start(no_approver="hold", confirm=["Bash(mkdir)"])
    held = cdev.session().bash("mkdir d")
    said = at_a_terminal(cdev, "mkdir", "allow", held_id(cdev, held))
    assert "type mkdir to allow it" in said
    assert held.decision() == "allow"


def test_times_are_local_and_the_deadline_is_a_number_of_seconds(cdev):
    cdev.start(permission_timeout_seconds=90, no_approver="hold")
    held = cdev.session().bash("touch a")
    request = held_id(cdev, held)
    assert re.search(r"in \S+, \d+ s left", cdev.ok("pending"))
    cdev.ok("deny", request)
    hours = [cdev.ok("log", env={"TZ": zone}).splitlines()[-1].split()[0] for zone in ("UTC0", "XXX-5:30")]
    for shown, zone in zip(hours, (0, 5.5)):
        now = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=zone)
        assert re.fullmatch(r"\d\d:\d\d:\d\d", shown) and shown[:2] in (f"{now:%H}", f"{now - datetime.timedelta(minutes=1):%H}")
    for words in (["log"], ["sessions"], ["token", "list"]):
        assert not re.search(r"\d{4}-\d\d-\d\dT", cdev.ok(*words)), words


def test_at_a_terminal_a_long_call_is_shown_page_by_page(bare, session):
    held, parts = unseen(bare, session, "script")
    paged = at_a_terminal(bare, "", "show", held_id(bare, held), env={"PAGER": "sed s/^/paged:/", "NO_COLOR": "1"})
    assert all(f"paged:│ {part}" in paged for part in parts[:1]) and parts[-1] in paged
    short = session.bash("touch short")
    assert "paged:" not in at_a_terminal(bare, "", "show", held_id(bare, short), env={"PAGER": "sed s/^/paged:/"})
    assert not held.answered()


@pytest.mark.parametrize("words", [("show", "r_nothing"), ("show", "r")])
def test_show_of_nothing_says_so(bare, words):
    assert bare.run(*words).returncode in (OTHER, USAGE)


def test_any_unambiguous_prefix_will_do(bare, session):
    held = session.bash("touch a")
    bare.ok("allow", held_id(bare, held)[:6])
    assert held.decision() == "allow"


def test_an_ambiguous_prefix_answers_nothing(bare, session):
    held = {}
    # Sixteen possible first characters (or more letters): enough requests, and two begin alike.
    for number in range(40):
        one = session.bash(f"touch f{number}")
        request = held_id(bare, one)
        twin = next((other for other in held if other[0] == request[0]), None)
        held[request] = one
        if twin:
            break
    done = bare.run("allow", request[0])
    assert done.returncode in (OTHER, USAGE) and len(done.stderr.strip().splitlines()) == 1
    assert not any(one.answered() for one in held.values())


def test_an_empty_id_answers_nothing(bare, session):
    held = session.bash("touch a")
    held_id(bare, held)
    fails(bare, USAGE, "allow", "")
    fails(bare, USAGE, "rules", "revoke", "")
    assert not held.answered()


def test_more_requests_than_one_answer_holds(bare):
    sessions = [bare.session() for _ in range(3)]
    held = [one.bash(f"touch f{number} " + "x" * 20_000) for one in sessions for number in range(50)]
    until(lambda: bare.local.call("permission/stats")["pending_requests"] == len(held), "all of them to be open")
    listed = bare.json("pending")["requests"]
    assert len(listed) == len(held)
    last = listed[-1]
    bare.ok("deny", last["request_id"][:12])
    assert next(one for one in held if one.tool_use_id == last["tool_use_id"]).decision() == "deny"


@pytest.mark.parametrize("cut", [0, 1, 2, 5])
def test_too_little_of_an_id_answers_nothing(bare, session, cut):
    held = session.bash("touch a")
    fails(bare, USAGE, "allow", held_id(bare, held)[:cut])
    assert not held.answered()


def test_the_end_of_a_long_command_is_shown(bare, session):
    held_id(bare, session.bash("true" + " " * 600 + "; touch b"))
    assert "; touch b" in bare.ok("pending") and "more)" in bare.ok("pending")


@pytest.mark.parametrize("character", ["\u2800", "\u3164", "\u2003", "\U000e0100", "\u202e", "\ue000"])
def test_what_nobody_would_see_is_written_out(bare, session, character):
    held_id(bare, session.bash(f"touch a{character}b"))
    printed = bare.ok("pending")
    assert character not in printed and "a\\u{%04X}b" % ord(character) in printed


def test_an_unknown_id(bare):
    assert "ffffffff" in fails(bare, (OTHER, REFUSED), "allow", "ffffffff")


def test_answering_twice(bare, session):
    held = session.bash("touch a")
    request = held_id(bare, held)
    bare.ok("deny", request)
    assert "den" in fails(bare, (OTHER, REFUSED), "allow", request)
    assert held.decision() == "deny"


def test_a_peer_inside_claude_may_look_but_not_decide(bare, session):
    held = session.bash("touch a")
    request = held_id(bare, held)
    inside = {"CLAUDECODE": "1"}
    follower = bare.spawn("pending", "--follow")
    follower.shows(short(request))
    for words in (("allow", request), ("deny", request), ("pass", request), ("token", "create", "x"), ("token", "list")):
        fails(bare, REFUSED, *words, env=inside)
    follower.shows("refused: process")
    assert bare.run("pending", env=inside).returncode == 0
    assert not held.answered()
    bare.ok("allow", request)
    assert held.decision() == "allow"


def held_by(session):
    """A call that is held, or None where it was answered at once because nobody could."""
    held = session.bash("touch b")
    if held.first_status() == 102:
        return held
    held.answer()
    return None


def test_following_counts_as_an_approver(cdev):
    cdev.start(no_approver="pass")
    session = cdev.session()
    assert session.bash("touch a").decision() == "pass"
    follower = cdev.spawn("pending", "--follow")
    held = until(lambda: held_by(session), "the follower to count as an approver")
    follower.shows("touch b")
    cdev.ok("deny", held_id(cdev, held))
    assert held.decision() == "deny"
    follower.end()
    until(lambda: not held_by(session), "nobody to be reachable")


def test_following_the_log_does_not_count(cdev):
    cdev.start(no_approver="pass")
    follower = cdev.spawn("log", "--follow")
    phone = cdev.approver()
    session = cdev.session()
    held = session.bash("touch a")
    phone.respond(phone.card(), "deny")
    assert held.decision() == "deny"
    follower.shows("by phone")
    phone.close()
    until(lambda: not held_by(session), "nobody to be reachable")


GREEN, RED, YELLOW, BOLD, DIM = (f"\x1b[{code}m" for code in (32, 31, 33, 1, 2))


@pytest.fixture
def colourful(bare, session):
    """A daemon with one request that waits, one rule, two decisions and no hooks."""
    denied = session.bash("touch no")
    bare.ok("deny", held_id(bare, denied))
    allowed = session.bash("touch yes")
    bare.ok("allow", held_id(bare, allowed), "--session")
    session.call("Write", {"file_path": "/etc/hosts", "content": "x"})
    until(lambda: bare.json("pending")["requests"], "a request to wait")
    return bare


SHOWN = {
    "pending": [BOLD + "r_", YELLOW + "it changes a file outside the project"],
    "log": [GREEN + "allowed for the session", RED + "denied"],
    "rules": [DIM + "EFFECT", GREEN + "allow"],
    "sessions": [YELLOW + "waiting"],
    "status": [BOLD + "cdev "],
    "doctor": [GREEN + "✓", RED + "✗"],
    "show": ["\x1b[0;1;33mit changes a file outside the project"],
    "explain": [GREEN + "`npm test …`"],
}


@pytest.mark.parametrize("command", SHOWN)
def test_at_a_terminal_there_are_colours_and_none_elsewhere(colourful, command):
    words = [command, "npm test"] if command == "explain" else [command]
    if command == "show":
        words.append(colourful.json("pending")["requests"][0]["request_id"])
    said = at_a_terminal(colourful, "", *words, env={"TERM": "xterm-256color"})
    for part in SHOWN[command]:
        assert part in said, said
    for env in ({"TERM": "xterm-256color", "NO_COLOR": "1"}, {"TERM": "dumb"}):
        assert "\x1b" not in at_a_terminal(colourful, "", *words, env=env), env
    piped = colourful.run(*words)
    assert "\x1b" not in piped.stdout + piped.stderr


def test_a_table_is_as_wide_as_its_terminal(colourful):
    colourful.token("a phone whose name is nearly as long as a name may be, yes")
    for words in (["sessions"], ["rules"], ["devices"]):
        lines = at_a_terminal(colourful, "", *words, env={"NO_COLOR": "1"}, columns=110).splitlines()
        assert all(len(line) <= 110 for line in lines[1:3]), lines
