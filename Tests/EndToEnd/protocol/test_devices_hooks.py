"""Hooks that a device sends over TCP with its token: they are the user's own, but nobody vouches for where they come from."""
import os

import pytest

from harness import http1
from harness.checks import bearer, error_of, includes
from harness.hooks import Session


@pytest.fixture
def device(bare, box):
    """Makes sessions that a device tells of."""
    token = bare.token("elsewhere")
    return lambda cwd=box.project, session_id=None, **headers: Session(
        bare.tcp, cwd, session_id=session_id, headers={**bearer(token), **headers})


def test_its_hooks_are_asked_about_and_get_rules(phone, device):
    there = device()
    there.start()
    held = there.bash("touch a", request=False)
    card = includes(phone.card(tool_use_id=held.tool_use_id), unverified=False)
    phone.respond(card, "allow", scope="session")
    assert held.decision() == "allow"
    assert there.bash("touch b", request=False).decision() == "allow"
    there.tell("SessionEnd", reason="other")
    assert phone.call("permission/rules")["rules"] == []


def test_it_names_no_process_of_an_agent(bare, device):
    """The process above the user's commands would count as an agent for as long as it lives."""
    there = device(**{"Cdev-Claude-Pid": str(os.getpid())})
    there.start()
    there.bash("touch a", request=False).hang_up()
    assert [session["claude_pid"] for session in bare.local.call("hook/sessions")["sessions"]] == [None]
    bare.ok("token", "revoke", "elsewhere")


def test_nothing_of_this_machine_ends(bare, phone, device):
    own = bare.session()
    own.start()
    first = own.bash("touch a")
    phone.respond(phone.card(tool_use_id=first.tool_use_id), "deny", scope="session")
    first.decision()
    held = own.bash("mkdir b")
    card = phone.card(tool_use_id=held.tool_use_id)
    there = device("/etc", own.id)
    there.prompt_id = own.prompt_id
    there.ran(held)
    there.tell("Stop")
    there.tell("UserPromptSubmit", prompt="x")
    there.start("clear")
    there.tell("SessionEnd", reason="clear")
    phone.settle()
    assert [request["request_id"] for request in phone.pending()] == [card["request_id"]]
    assert [rule["effect"] for rule in phone.call("permission/rules")["rules"]] == ["deny"]
    (known,) = bare.local.call("hook/sessions")["sessions"]
    includes(known, session_id=own.id, root=own.cwd, cwd=own.cwd, unverified=False)
    phone.respond(card, "deny")
    assert held.decision() == "deny"
    assert own.bash("touch c").decision() == "deny"


def test_no_rule_of_this_machines_session_settles_its_call(bare, phone, device):
    own = bare.session()
    held = own.bash("touch a")
    phone.respond(phone.card(tool_use_id=held.tool_use_id), "allow", scope="session")
    assert held.decision() == "allow"
    made = device(session_id=own.id).bash("touch b", request=False)
    card = includes(phone.card(tool_use_id=made.tool_use_id), unverified=True)
    phone.respond(card, "deny")
    assert made.decision() == "deny"


def test_a_session_of_this_machine_takes_over_what_a_device_told(bare, box, phone, device):
    there = device(box.root)
    there.start()
    held = there.bash("touch a", request=False)
    phone.respond(phone.card(tool_use_id=held.tool_use_id), "allow", scope="session")
    assert held.decision() == "allow"
    own = bare.session(session_id=there.id)
    again = own.bash("touch b")
    card = includes(phone.card(tool_use_id=again.tool_use_id), unverified=False)
    assert phone.call("permission/rules")["rules"] == []
    assert bare.local.call("hook/sessions")["sessions"][0]["root"] == own.cwd
    phone.respond(card, "deny")
    assert again.decision() == "deny"


@pytest.mark.parametrize("is_restarted", [False, True])
def test_no_file_is_read_where_it_says_that_it_works(bare, box, phone, token, device, is_restarted):
    private = box.root / "private"
    private.mkdir()
    (private / "diary.txt").write_text("a line of the diary\n")
    (box.project / "a.txt").write_text("a line of the project\n")
    bare.local.call("workspace/add", {"path": str(box.project)})
    there = device(private)
    there.start()
    held = there.call("Write", {"file_path": str(private / "diary.txt"), "content": "new"}, request="a" * 32)
    card = includes(phone.card(tool_use_id=held.tool_use_id), unverified=False)
    if is_restarted:
        bare.kill()
        bare.start(no_approver="hold")
        phone = bare.approver("phone", token=token)
    found = includes(phone.call("permission/preview", {"request_id": card["request_id"]}), kind="text", text="new")
    assert "no workspace" in found["reason"] and "diary" not in found["reason"]
    # What lies in a workspace can be read by every device.
    inside = device().call("Write", {"file_path": str(box.project / "a.txt"), "content": "new"}, request=False)
    card = phone.card(tool_use_id=inside.tool_use_id)
    includes(phone.call("permission/preview", {"request_id": card["request_id"]}), kind="diff", removed=1)
    outside = device().call("Write", {"file_path": str(private / "diary.txt"), "content": "new"}, request=False)
    card = phone.card(tool_use_id=outside.tool_use_id)
    includes(phone.call("permission/preview", {"request_id": card["request_id"]}), kind="text", text="new")


def test_it_sends_64_mib_in_a_minute(bare, device):
    there = device()
    large = there.payload("Stop", last_assistant_message="z" * (9 << 20))
    for _ in range(7):
        there.post("/hooks/claude", large)
    error_of(http1.ask(bare.tcp, "POST", "/hooks/claude", large, there.headers), 429)
    there.tell("Stop")
    other = Session(bare.tcp, there.cwd, headers=bearer(bare.token("another")))
    other.post("/hooks/claude", other.payload("Stop", last_assistant_message="z" * (9 << 20)))
