"""`cdev answer` for forms, and `cdev gate` for one session."""
import json

import pytest

from harness.checks import OTHER, USAGE, fails
from harness.waiting import until
from test_cli_answers import at_a_terminal

FORM = {"questions": [
    {"question": "Which colour?", "header": "Colour", "multiSelect": False,
     "options": [{"label": "Red", "description": "warm"}, {"label": "Blue", "description": "cold"}]},
    {"question": "Which sizes?", "header": "Size", "multiSelect": True,
     "options": [{"label": "S", "description": ""}, {"label": "M", "description": ""}, {"label": "L", "description": ""}]},
]}


@pytest.fixture
def bare(cdev):
    return cdev.start(no_approver="hold")


def form(session):
    return session.call("AskUserQuestion", FORM, event="PermissionRequest")


def request_of(bare, held):
    """The only request."""
    return until(lambda: bare.json("pending")["requests"], "the request to be listed")[0]["request_id"]


def answers(held):
    return held.answer()["hookSpecificOutput"]["decision"]["updatedInput"]["answers"]


@pytest.mark.parametrize(("given", "told"), [
    (("2", "1,3"), {"Which colour?": "Blue", "Which sizes?": "S, L"}),
    (("Green", "=2"), {"Which colour?": "Green", "Which sizes?": "2"}),
])
def test_answers_to_a_form(bare, session, given, told):
    held = form(session)
    request = request_of(bare, held)
    assert "cdev answer" in bare.ok("pending")
    said = bare.ok("answer", request[:8], *given)
    for answer in told.values():
        assert answer in said
    assert answers(held) == told


@pytest.mark.parametrize("given", [(), ("1",), ("3", "1"), ("1", "4"), ("1,2", "1"), ("", "1"), ("1", "2", "3")])
def test_answers_that_do_not_fit_send_nothing(bare, session, given):
    held = form(session)
    fails(bare, USAGE, "answer", request_of(bare, held), *given)
    assert not held.answered()


def test_at_a_terminal_each_question_is_asked(bare, session):
    held = form(session)
    said = at_a_terminal(bare, "7\n1\n2,3", "answer", request_of(bare, held))
    assert "Which colour?" in said and "warm" in said and "one of 1 Red, 2 Blue" in said
    assert answers(held) == {"Which colour?": "Red", "Which sizes?": "M, L"}


def test_a_call_without_questions_is_not_answered(bare, session):
    held = session.bash("touch a")
    fails(bare, USAGE, "answer", request_of(bare, held), "1")
    fails(bare, OTHER, "answer", "r_nothing", "1")
    assert not held.answered()


def has(cdev, method):
    return any(one["name"] == method for one in cdev.local.call("rpc.discover")["methods"])


def test_the_gate_of_one_session(bare, session):
    session.bash("touch a", permission_mode="auto").decision()
    fails(bare, USAGE, "gate", session.id[:8], "sometimes")
    fails(bare, OTHER, "gate", "ffffffff", "always")
    assert session.id[:8] in bare.ok("gate", session.id[:8])
    if not has(bare, "session/gate"):
        assert "older than this command" in fails(bare, OTHER, "gate", session.id[:8], "always")
        return
    assert "always, for this session" in bare.ok("gate", session.id[:8], "always")
    held = session.bash("touch b", permission_mode="auto")
    bare.ok("deny", request_of(bare, held))
    assert held.decision() == "deny"
    assert json.loads(bare.ok("gate", session.id, "--json"))["gate"] == "always"
    assert "for this session" not in bare.ok("gate", session.id[:8], "default")
