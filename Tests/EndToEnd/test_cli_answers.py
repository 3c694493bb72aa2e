"""Answering from a terminal."""
import pytest

from harness.checks import OTHER, REFUSED, USAGE, fails, held_id, includes
from harness.waiting import until


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
    assert session.bash("touch b").decision() == "allow"
    (rule,) = bare.json("rules")["rules"]
    assert "Bash(touch:*)" in bare.ok("rules")
    bare.ok("rules", "revoke", rule["id"])
    assert bare.json("rules")["rules"] == []
    denied = session.bash("touch c")
    bare.ok("deny", held_id(bare, denied), "--session")
    assert session.bash("touch d").decision() == "deny"


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
    follower.shows(request)
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
    follower.shows("device phone")
    phone.close()
    until(lambda: not held_by(session), "nobody to be reachable")
