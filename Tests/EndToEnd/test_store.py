"""What is remembered when the disk or the database fails: a deny is delivered anyway, an allow is not."""
import json
import os
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
    with pytest.raises(RpcError, match="denied, but that could not be written down"):
        phone.respond(card, "deny", message="no")
    assert call.decision(30) == "deny"
    (resolved,) = phone.heard("pty_permission_resolved", request_id=card["request_id"])
    includes(resolved, decision="deny", confirmed=False)


@pytest.mark.long
def test_an_allow_is_not_delivered_where_it_cannot_be_written(cdev, locked):
    phone, call, card, other = locked
    with pytest.raises(RpcError) as error:
        phone.call("permission/respond", {"request_id": card["request_id"], "decision": "allow"}, timeout=30)
    assert error.value.code == -32603
    assert call.decision(30) == "pass"
    assert other.bash("mkdir e").decision(30) == "deny"
    assert "no allow is given; denies are" in cdev.run("status").stdout


@pytest.mark.long
def test_it_recovers(box, cdev, held):
    phone, call, card, _ = held
    database = sqlite3.connect(box.cdev_home / "cdev.db", timeout=10, isolation_level=None)
    until(lambda: _lock(database), "the database to be locked")
    answer = {"request_id": card["request_id"], "decision": "deny"}
    with pytest.raises(RpcError, match="could not be written down"):
        phone.call("permission/respond", answer, timeout=30)
    assert call.decision(30) == "deny"
    database.execute("ROLLBACK")
    database.close()
    includes(phone.call("permission/respond", answer, timeout=30), success=True, decision="deny")

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
    cdev.token("spare")
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


def _lose(path, how):
    if how == "deleted":
        path.unlink()
    elif how == "cut":
        os.truncate(path, 0)
    else:
        other = path.with_name("other")
        other.write_bytes(b"7" * 70000)
        other.rename(path)


@pytest.mark.parametrize("how", ["cut", "deleted", "replaced"])
@pytest.mark.parametrize("suffix", ["", "-wal", "-shm"])
def test_a_lost_file_is_noticed_and_nothing_in_force_is_lost(box, cdev, suffix, how):
    """Nothing is confirmed into a file that nobody will read: all of it is there for the next daemon."""
    cdev.start()
    token = cdev.token()
    phone, session = cdev.approver(token=token), cdev.session()
    ruled = session.bash("touch a")
    phone.respond(phone.card(tool_use_id=ruled.tool_use_id), "allow", scope="session")
    held, answered = session.bash("mkdir b"), session.bash("mkdir c")
    cards = [phone.card(tool_use_id=call.tool_use_id) for call in (held, answered)]
    # Whoever reads the history waits until all before it is written, so that nothing is left to write. SQLite maps the
    # -shm into memory: a cut in the middle of a write would end the daemon.
    cdev.history(session.id)
    _lose(box.cdev_home / f"cdev.db{suffix}", how)
    # At once, before a look could find it.
    phone.respond(cards[1], "allow")
    assert answered.decision() == "allow"
    said = cdev.run("status").stdout
    assert f"cdev.db{suffix} was {how}" in said, said
    until(lambda: f"cdev.db{suffix} was {how}" in cdev.log(), "the log to say so", 5)
    cdev.kill()
    cdev.start()
    again = cdev.approver(token=token)
    assert [card["request_id"] for card in again.pending()] == [cards[0]["request_id"]]
    assert len(again.call("permission/rules")["rules"]) == 1
    ends = {entry["request_id"]: entry.get("decision") for entry in cdev.history(session.id)}
    assert ends[cards[1]["request_id"]] == "allow"


def test_a_lost_file_is_noticed_while_nothing_is_written(box, cdev):
    cdev.start()
    for path in box.cdev_home.glob("cdev.db*"):
        path.unlink()
    until(lambda: "cdev.db was deleted" in cdev.run("status").stdout, "the status to say so", 5)
    # Said first, made anew then.
    until(lambda: (box.cdev_home / "cdev.db").stat().st_size, "the file to be made anew")


@pytest.fixture
def unwritable(box, cdev):
    """A daemon with a rule and a token beside the phone's, whose database another process holds from now on."""
    cdev.start()
    phone, session = cdev.approver(), cdev.session()
    call = session.bash("touch a")
    rule = phone.respond(phone.card(tool_use_id=call.tool_use_id), "allow", scope="session")["rules"][0]
    cdev.token("tablet")
    database = sqlite3.connect(box.cdev_home / "cdev.db", timeout=10, isolation_level=None)
    until(lambda: _lock(database), "the database to be locked")
    yield phone, session, rule["id"], database
    database.close()


def test_what_cannot_be_written_off_is_out_of_force_and_not_confirmed(cdev, unwritable):
    phone, session, rule, database = unwritable
    for command, what in ((("rules", "revoke", rule), "out of force"), (("token", "revoke", "tablet"), "let in no more")):
        done = cdev.run(*command)
        assert done.returncode == 1 and what in done.stderr and "restart" in done.stderr, done
    assert cdev.local.call("permission/rules")["rules"] == []
    assert [device["name"] for device in cdev.local.call("device/list")["devices"]] == ["phone"]
    call = session.bash("touch b")
    phone.card(tool_use_id=call.tool_use_id)
    database.execute("ROLLBACK")
    # The same commands again say that it is done now.
    cdev.ok("rules", "revoke", rule)
    cdev.ok("token", "revoke", "tablet")
    cdev.kill()
    cdev.start()
    assert cdev.local.call("permission/rules")["rules"] == []
    assert [device["name"] for device in cdev.local.call("device/list")["devices"]] == ["phone"]


def test_events_of_the_version_before_records_are_replayed_as_they_were(cdev):
    """Version 1 kept the notifications that its clients were sent."""
    cdev.start()
    phone, session = cdev.approver(), cdev.session()
    held = session.bash("touch a")
    phone.respond(phone.card(tool_use_id=held.tool_use_id), "deny")
    assert held.decision() == "deny"
    phone.hear("pty_permission_resolved")
    phone.settle()
    sent = [{**event, "params": {**event["params"], "member_of_then": 1}}
            for event in phone.events if "sequence" in event["params"]]
    cdev.stop()
    with sqlite3.connect(cdev.box.cdev_home / "cdev.db") as database:
        rows = [(json.dumps(event), event["params"]["sequence"]) for event in sent]
        database.executemany("UPDATE events SET version = 1, kind = '', session_id = '', text = ? WHERE sequence = ?", rows)
    cdev.start()
    cdev.token("late")
    replay = cdev.local.call("events/since", {"sequence": sent[0]["params"]["sequence"], "limit": 1000})
    assert replay["events"][:len(sent)] == sent and not replay["gap"]
    assert [event["method"] for event in replay["events"][len(sent):]] == ["event/device_paired"]
