"""Calls whose allow needs a word typed, and answers that take only a part of what a card offers."""
import pytest

from harness.approver import RpcError
from harness.checks import OTHER, fails, held_id, includes, refused


@pytest.fixture
def bare(cdev):
    return cdev.start(confirm=["Bash(mkdir)", "mcp__lab"])


def test_the_card_asks_for_a_word_and_no_bare_allow_is_taken(phone, session):
    held = session.bash("mkdir d")
    card = phone.card(tool_use_id=held.tool_use_id)
    assert card["confirm"] == {"prompt": "mkdir"} and card["patterns"] == []
    assert [option["key"] for option in card["options"]] == ["allow_once", "deny"]
    for wrong in ({}, {"confirm": "Mkdir"}, {"confirm": ""}, {"scope": "session"}):
        error = refused(phone, "permission/respond", {"request_id": card["request_id"], "decision": "allow", **wrong}, -32602)
        assert error.data["confirm"] == {"prompt": "mkdir"}
    one = {"request_id": card["request_id"], "decision": "allow", "confirm": "mkdir"}
    refused(phone, "permission/respond", {"responses": [one]}, -32602)
    del one["confirm"]
    (answer,) = phone.call("permission/respond", {"responses": [one]})["results"]
    assert answer["success"] is False and answer["error"]["code"] == -32602
    assert not held.answered()
    includes(phone.respond(card, "allow", confirm="mkdir", scope="session"), success=True, scope="once")
    assert held.decision() == "allow"


@pytest.mark.parametrize("line", ["touch a && mkdir d", "touch $(mkdir d)", "sudo mkdir d", "D=1 mkdir d", "(mkdir d)"])
def test_any_command_of_the_line_counts(phone, session, line):
    held = session.bash(line)
    card = phone.card(tool_use_id=held.tool_use_id)
    assert card["confirm"] == {"prompt": "mkdir"}
    phone.respond(card, "deny")
    assert held.decision() == "deny"


def test_other_calls_need_nothing(phone, session):
    held = session.bash("touch mkdirs")
    card = phone.card(tool_use_id=held.tool_use_id)
    assert card["confirm"] is None and card["patterns"]
    phone.respond(card, "allow")
    assert held.decision() == "allow"


def test_a_server_of_tools(phone, session):
    held = session.call("mcp__lab__echo", {"text": "x"})
    card = phone.card(tool_use_id=held.tool_use_id)
    assert card["confirm"] == {"prompt": "mcp__lab__echo"}
    phone.respond(card, "allow", confirm="mcp__lab__echo")
    assert held.decision() == "allow"


def test_a_rule_of_before_settles_nothing_and_a_deny_does(cdev):
    cdev.start()
    token = cdev.token()
    phone, session = cdev.approver(token=token), cdev.session()
    phone.respond(phone.card(tool_use_id=session.bash("mkdir a").tool_use_id), "allow", scope="session")
    assert session.bash("mkdir b").decision() == "allow"
    cdev.stop()
    cdev.start(confirm=["Bash(mkdir)"])
    again = cdev.approver(token=token)
    held = session.bash("mkdir c")
    card = again.card(tool_use_id=held.tool_use_id)
    again.respond(card, "deny", scope="session")
    assert held.decision() == "deny"
    assert session.bash("mkdir d").decision() == "deny"


def test_from_a_terminal(cdev):
    cdev.start(no_approver="hold", confirm=["Bash(mkdir)"])
    held = cdev.session().bash("mkdir d")
    request = held_id(cdev, held)
    assert "--confirm mkdir" in cdev.ok("pending")
    assert "mkdir" in fails(cdev, OTHER, "allow", request)
    fails(cdev, OTHER, "allow", request, "--confirm", "touch")
    assert not held.answered()
    cdev.ok("allow", request, "--confirm", "mkdir")
    assert held.decision() == "allow"


def test_a_list_that_is_none_stops_the_start(cdev):
    cdev.configure(confirm=["Bash(rm -rf)"])
    assert "confirm" in fails(cdev, OTHER, "serve", "--port", "0")


def test_a_part_of_the_patterns(phone, session):
    held = session.bash("touch a && git add b")
    card = phone.card(tool_use_id=held.tool_use_id)
    assert len(card["patterns"]) == 2
    params = {"request_id": card["request_id"], "decision": "allow", "scope": "session"}
    for wrong in ([*card["patterns"], "Bash(ls:*)"], ["Bash(touch)"], "Bash(touch:*)", [1]):
        refused(phone, "permission/respond", {**params, "patterns": wrong}, -32602)
    assert not held.answered()
    chosen = card["patterns"][:1]
    result = includes(phone.respond(card, "allow", scope="session", patterns=chosen), scope="session")
    assert [rule["pattern"] for rule in result["rules"]] == chosen
    assert session.bash("touch b").decision() == "allow"
    other = session.bash("git add c")
    card = phone.card(tool_use_id=other.tool_use_id)
    includes(phone.respond(card, "allow", scope="session", patterns=[]), scope="once", rules=[])
    assert other.decision() == "allow"
    assert len(phone.call("permission/rules")["rules"]) == 1


def test_a_message_that_nobody_would_read_is_refused(phone, session):
    held = session.bash("touch a")
    card = phone.card(tool_use_id=held.tool_use_id)
    for decision in ("allow", "ask"):
        error = refused(phone, "permission/respond",
                        {"request_id": card["request_id"], "decision": decision, "message": "hm"}, -32602)
        assert "deny" in error.message
    phone.respond(card, "deny", message="hm")
    assert held.decision() == "deny"


def test_a_tool_use_id_that_nobody_asks_about(bare, phone, session):
    error = refused(phone, "permission/respond", {"tool_use_id": "toolu_none", "decision": "allow"}, -32602)
    assert "send request_id" in error.message
    held = session.bash("touch a")
    card = phone.card(tool_use_id=held.tool_use_id)
    phone.respond(card, "deny")
    params = {"tool_use_id": held.tool_use_id, "decision": "deny"}
    includes(phone.call("permission/respond", params), success=True)
    late = refused(bare.approver("tablet"), "permission/respond", params, -32602)
    includes(late.data, decision="deny", resolved_by="device phone")
    with pytest.raises(RpcError) as unknown:
        phone.call("permission/respond", {"request_id": "r_none", "decision": "deny"})
    assert unknown.value.code == -32603
