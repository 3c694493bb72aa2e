"""What is remembered when the disk or the database fails: a deny is delivered anyway, an allow is not."""
import sqlite3

import pytest

from harness.approver import RpcError
from harness.checks import includes
from harness.waiting import until


@pytest.fixture
def held(cdev):
    """A daemon with one held call, its approver and a deny rule of another session."""
    cdev.start()
    phone, session, other = cdev.approver(), cdev.session(), cdev.session()
    denied = other.bash("mkdir d")
    phone.respond(phone.card(tool_use_id=denied.tool_use_id), "deny", scope="session")
    assert denied.decision() == "deny"
    call = session.bash("touch a")
    return phone, call, phone.card(tool_use_id=call.tool_use_id), other


@pytest.fixture
def locked(box, cdev, held):
    """Another process holds the database."""
    database = sqlite3.connect(box.cdev_home / "cdev.db", timeout=10, isolation_level=None, check_same_thread=False)
    until(lambda: _lock(database), "the database to be locked")
    yield held
    try:
        database.execute("ROLLBACK")
    except sqlite3.Error:
        pass
    database.close()


def _lock(database):
    try:
        database.execute("BEGIN EXCLUSIVE")
        return True
    except sqlite3.OperationalError:
        return False


@pytest.mark.long
def test_a_deny_is_delivered_though_it_cannot_be_written(locked):
    phone, call, card, _ = locked
    phone.respond(card, "deny", message="no")
    assert call.decision(30) == "deny"


@pytest.mark.long
def test_an_allow_is_not_delivered_where_it_cannot_be_written(locked):
    phone, call, card, other = locked
    with pytest.raises(RpcError) as error:
        phone.call("permission/respond", {"request_id": card["request_id"], "decision": "allow"}, timeout=30)
    assert error.value.code == -32603
    assert call.decision(30) == "pass"
    assert other.bash("mkdir e").decision(30) == "deny"


@pytest.mark.long
def test_it_recovers(box, cdev, held):
    phone, call, card, _ = held
    database = sqlite3.connect(box.cdev_home / "cdev.db", timeout=10, isolation_level=None)
    until(lambda: _lock(database), "the database to be locked")
    phone.call("permission/respond", {"request_id": card["request_id"], "decision": "deny"}, timeout=30)
    assert call.decision(30) == "deny"
    database.execute("ROLLBACK")
    database.close()

    def works():
        again = cdev.session().bash("touch b")
        try:
            includes(phone.respond(phone.card(tool_use_id=again.tool_use_id), "allow"), success=True)
        except RpcError:
            return False
        return again.decision() == "allow"

    until(works, "an allow to be written again", 30)


def test_a_database_that_is_none(box, cdev):
    cdev.start()
    cdev.token()
    cdev.stop()
    for path in box.cdev_home.glob("cdev.db*"):
        path.unlink()
    (box.cdev_home / "cdev.db").write_bytes(b"this is no database" * 1000)
    done = None
    try:
        cdev.start()
    except AssertionError:
        done = cdev.log()
    if done is None:
        # It lives, says why it remembers nothing, and allows nothing it cannot write down.
        said = cdev.run("status")
        assert "cdev.db" in said.stdout + said.stderr + cdev.log()
    else:
        assert "cdev.db" in done


def test_nothing_is_lost_when_it_is_killed_in_the_middle_of_it(cdev):
    """Held requests and rules are committed before they are announced."""
    cdev.start()
    token = cdev.token()
    phone, session = cdev.approver(token=token), cdev.session()
    ruled = session.bash("touch a")
    phone.respond(phone.card(tool_use_id=ruled.tool_use_id), "allow", scope="session")
    calls = [session.bash(f"mkdir d{number}") for number in range(8)]
    cards = [phone.card(tool_use_id=call.tool_use_id) for call in calls]
    cdev.kill()
    cdev.start()
    again = cdev.approver(token=token)
    assert {card["request_id"] for card in again.pending()} == {card["request_id"] for card in cards}
    assert len(again.call("permission/rules")["rules"]) == 1
    # A relay that comes back with the same request is the same holder.
    rejoined = session.bash("mkdir d0", request=calls[0].request, tool_use_id=calls[0].tool_use_id)
    again.respond(cards[0], "allow")
    assert rejoined.decision() == "allow"
