"""What is held and what passes, by mode, tool, line and gate."""
import json

import pytest

from harness.checks import no_card


PASSED = [
    ("bypassPermissions", "Bash", {"command": "touch a"}),
    ("plan", "Bash", {"command": "touch a"}),
    ("dontAsk", "Bash", {"command": "touch a"}),
    ("auto", "Bash", {"command": "touch a"}),
    ("acceptEdits", "Write", {"file_path": "PROJECT/a", "content": "x"}),
    ("default", "Read", {"file_path": "PROJECT/a"}),
    ("default", "TodoWrite", {"todos": []}),
    ("default", "Task", {"prompt": "x"}),
    ("default", "Bash", {"command": "ls -la"}),
    ("default", "Bash", {"command": "git status && cat a | head -3"}),
]


@pytest.mark.parametrize(("mode", "tool", "tool_input"), PASSED)
def test_what_passes_unasked(box, phone, session, mode, tool, tool_input):
    filled = json.loads(json.dumps(tool_input).replace("PROJECT", str(box.project)))
    assert session.call(tool, filled, permission_mode=mode).answer() == {}
    no_card(phone)


HELD = [
    ("acceptEdits", "Write", {"file_path": "/nowhere/a", "content": "x"}),
    ("acceptEdits", "Bash", {"command": "touch a"}),
    ("default", "Bash", {"command": "ls; touch a"}),
    ("default", "Bash", {"command": "echo $(touch a)"}),
    ("default", "Write", {"file_path": "PROJECT/a", "content": "x"}),
    ("default", "Unheard", {}),
]


@pytest.mark.parametrize(("mode", "tool", "tool_input"), HELD)
def test_what_is_held(box, phone, session, mode, tool, tool_input):
    filled = json.loads(json.dumps(tool_input).replace("PROJECT", str(box.project)))
    held = session.call(tool, filled, permission_mode=mode)
    phone.respond(phone.card(tool_use_id=held.tool_use_id), "deny")
    assert held.decision() == "deny"


@pytest.mark.parametrize("mode", ["plan", "dontAsk", "auto", "default", "bypassPermissions"])
def test_the_gate_at_always(cdev, mode):
    cdev.start(gate="always")
    phone = cdev.approver()
    held = cdev.session().bash("ls", permission_mode=mode)
    if mode == "bypassPermissions":
        assert held.decision() == "pass"
    else:
        phone.respond(phone.card(), "allow")
        assert held.decision() == "allow"


def test_a_session_has_a_gate_of_its_own_also_after_a_kill(cdev):
    cdev.start(gate="tool-call")
    phone = cdev.approver()
    session, other = cdev.session(), cdev.session()
    for one in session, other:
        one.start()
    set = phone.call("session/gate", {"session_id": session.id, "gate": "always"})
    assert set == {"success": True, "gate": "always", "gate_own": True}
    assert other.bash("ls", permission_mode="auto").decision() == "pass"
    cdev.kill()
    cdev.start(gate="tool-call")
    phone = cdev.approver("tablet")
    listed = {one["session_id"]: (one["gate"], one["gate_own"]) for one in phone.call("hook/sessions")["sessions"]}
    assert listed == {session.id: ("always", True), other.id: ("tool-call", False)}
    held = session.bash("ls", permission_mode="auto")
    phone.respond(phone.card(), "deny")
    assert held.decision() == "deny"
