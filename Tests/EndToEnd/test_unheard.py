"""The daemon is killed while cards are open, and their relays are killed too: whoever answers is told that nobody has heard yet.

All rounds of a test go through one restart, each a call of a session of its own.
"""
import os

import pytest

from harness.approver import RpcError

ROUNDS = 200 if os.environ.get("CDEV_LONG_TESTS") == "1" else 20
RELAY_GRACE = 10


@pytest.fixture
def orphans(cdev):
    """Cards of a daemon that was killed, by call, and an approver of its successor."""
    cdev.start()
    token = cdev.token()
    phone = cdev.approver(token=token)
    calls = [cdev.session().bash(f"touch {number}") for number in range(ROUNDS)]
    cards = [phone.card(tool_use_id=call.tool_use_id) for call in calls]
    cdev.kill()
    cdev.start()
    return list(zip(calls, cards)), cdev.approver(token=token)


def test_an_answer_nobody_hears_is_taken_back(cdev, orphans):
    orphans, phone = orphans
    for number, (call, card) in enumerate(orphans):
        call.hang_up()
        decision = ("allow", "deny", "ask")[number % 3]
        assert phone.respond(card, decision)["sent"] is True, f"round {number}"
        end = phone.resolved(card)
        assert (end["decision"], end["confirmed"], end["corrects"]) == (decision, False, False)
    for call, card in orphans:
        end = phone.resolved(card, timeout=RELAY_GRACE + 5, corrects=True)
        assert (end["decision"], end["resolved_by"]) == ("pass", "lost")
        with pytest.raises(RpcError) as late:
            phone.respond(card, "allow")
        assert late.value.data["resolved_by"] == "lost"


def test_an_answer_that_is_fetched_stands(cdev, orphans):
    orphans, phone = orphans
    for call, card in orphans:
        assert phone.respond(card, "allow")["sent"] is True
    for number, (call, card) in enumerate(orphans):
        session = call.session
        again = session.bash(f"touch {number}", tool_use_id=call.tool_use_id, request=call.request)
        assert again.decision() == "allow"
        assert phone.respond(card, "allow")["sent"] is False, "the relay has it"
    last = cdev.session().bash("touch last")
    phone.card(tool_use_id=last.tool_use_id)
    assert phone.heard("pty_permission_resolved", corrects=True) == []


def test_a_second_restart_forgets_nothing(cdev, orphans):
    orphans, phone = orphans
    call, card = orphans[0]
    assert phone.respond(card, "allow")["sent"] is True
    token = cdev.token("tablet")
    cdev.kill()
    cdev.start()
    tablet = cdev.approver("tablet", token=token)
    end = tablet.resolved(card, timeout=RELAY_GRACE + 5, corrects=True)
    assert (end["decision"], end["resolved_by"]) == ("pass", "lost")
