"""`cdev watch`, driven by keys in a real terminal against a real daemon: every answer."""
import re

import pytest

from harness.checks import includes
from harness.watching import Watch


def test_a_key_allows_a_call(holding, watch, session):
    watch.shows("0 waiting")
    held = session.bash("touch a")
    watch.shows("│ touch a")
    watch.key("a", "allowed: touch a")
    assert held.decision() == "allow"
    includes(holding.history(session.id)[0], decision="allow", resolved_by="local", scope="once")
    watch.shows("0 waiting")


@pytest.mark.parametrize(("key", "told", "word"), [("d", "deny", "denied"), ("p", "ask", "to be answered in terminal")])
def test_a_key_denies_or_hands_over(watch, session, key, told, word):
    held = session.bash("touch a")
    watch.shows("│ touch a")
    watch.key(key, f"{word}: touch a")
    assert held.decision() == told


def test_a_session_is_allowed_by_its_patterns(holding, watch, session):
    held = session.bash("touch a")
    watch.shows("│ touch a")
    watch.shows(r"(?s)until the session ends.*Bash\(touch:\*\)")
    watch.key("s", "y allows this and what is listed for the session")
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
    assert held.answer()["hookSpecificOutput"]["decision"] == {"behavior": "deny", "message": "cdev: add a step"}


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
