"""Which requests are the same one, and how many may wait."""



def test_the_relay_asking_again_joins_what_is_held(phone, session):
    first = session.bash("touch a", request="0" * 32, tool_use_id="toolu_same")
    card = phone.card()
    second = session.bash("touch a", request="0" * 32, tool_use_id="toolu_same")
    phone.settle()
    first.hang_up()
    phone.settle()
    assert phone.heard("pty_permission_resolved") == []
    phone.respond(card, "allow")
    assert second.decision() == "allow"
    assert session.bash("touch a", request="0" * 32, tool_use_id="toolu_same").decision() == "allow"
    assert len(phone.heard("pty_permission")) == 1


def test_the_same_request_number_with_another_body_gets_no_answer_of_the_first(phone, session):
    first = session.bash("touch a", request="1" * 32, tool_use_id="toolu_1")
    phone.respond(phone.card(), "allow")
    first.answer()
    second = session.bash("touch b", request="1" * 32, tool_use_id="toolu_1")
    phone.respond(phone.hear("pty_permission", count=2), "deny")
    assert second.decision() == "deny"


def test_without_a_request_number_only_what_is_open_is_joined(phone, session):
    first = session.bash("touch a", request=False, tool_use_id="toolu_1")
    card = phone.card()
    second = session.bash("touch a", request=False, tool_use_id="toolu_1")
    phone.settle()
    phone.respond(card, "allow")
    assert (first.decision(), second.decision()) == ("allow", "allow")
    third = session.bash("touch a", request=False, tool_use_id="toolu_1")
    phone.respond(phone.hear("pty_permission", count=2), "deny")
    assert third.decision() == "deny"


def test_identical_parallel_calls_stay_apart(phone, session):
    first, second = session.bash("touch a"), session.bash("touch a")
    cards = [phone.card(tool_use_id=held.tool_use_id) for held in (first, second)]
    assert cards[0]["request_id"] != cards[1]["request_id"]
    phone.respond(cards[0], "allow")
    assert first.decision() == "allow"
    assert not second.answered()
    phone.respond(cards[1], "deny")
    assert second.decision() == "deny"


def test_the_relay_is_told_at_once_that_it_is_held_and_nobody_else_is(phone, session):
    relayed, plain = session.bash("touch a"), session.bash("touch b", request=False)
    for held in (relayed, plain):
        phone.respond(phone.card(tool_use_id=held.tool_use_id), "deny")
    assert [r.status for r in relayed.response().interim] == [102]
    assert plain.response().interim == []


def test_more_than_a_session_may_hold_passes(phone, bare):
    session = bare.session()
    held = [session.bash(f"touch f{number}") for number in range(64)]
    phone.hear("pty_permission", count=64)
    assert session.bash("touch more").decision() == "pass"
    assert len(phone.pending()) == 64
    result = phone.call("permission/respond", {
        "responses": [{"request_id": card["request_id"], "decision": "deny"} for card in phone.heard("pty_permission")]})
    assert [one.decision() for one in held] == ["deny"] * 64, result
