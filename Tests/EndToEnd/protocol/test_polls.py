"""Events for a client whose network lets no WebSocket through: ask, wait, ask again."""
import concurrent.futures
import os
import pathlib
import signal
import time

from harness import http1
from harness.checks import bearer, includes
from harness.waiting import PATIENCE, until


def poll(where, sequence, wait=25, token=None, **more):
    message = {"jsonrpc": "2.0", "id": 1, "method": "events/since", "params": {"sequence": sequence, "wait": wait, **more}}
    headers = bearer(token) if token else {}
    return http1.ask(where, "POST", "/rpc", message, headers, timeout=40)


def waiting(where, sequence, **more):
    """A call that waits, on a connection of its own."""
    connection = http1.Connection(where, 40)
    message = {"jsonrpc": "2.0", "id": 1, "method": "events/since", "params": {"sequence": sequence, "wait": 25, **more}}
    connection.request("POST", "/rpc", message)
    return connection


def counted(bare, number):
    until(lambda: bare.local.call("permission/stats")["approvers"] == number, f"{number} approvers")


def test_a_card_reaches_who_polls_and_is_answered_there(bare, token, session):
    sequence = bare.local.call("events/since")["next_sequence"]
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        first = pool.submit(poll, bare.tcp, sequence, token=token)
        counted(bare, 1)
        held = session.bash("touch a")
        result = first.result(10).json["result"]
    events = list(result["events"])
    while not any(event["method"] == "event/pty_permission" for event in events):
        result = poll(bare.tcp, result["next_sequence"], token=token).json["result"]
        events += result["events"]
    card = events[-1]["params"]
    answer = {"jsonrpc": "2.0", "id": 1, "method": "permission/respond",
              "params": {"request_id": card["request_id"], "decision": "allow"}}
    includes(http1.ask(bare.tcp, "POST", "/rpc", answer, bearer(token)).json["result"], success=True)
    assert held.decision() == "allow"


def test_many_wait_and_all_hear_it(bare, phone, session):
    phone.settle()
    sequence = bare.local.call("events/since")["next_sequence"]
    calls = [waiting(bare.socket, sequence) for _ in range(100)]
    counted(bare, 2)
    session.tell("UserPromptSubmit", prompt="hello")
    for call in calls:
        result = call.response().json["result"]
        assert [event["method"] for event in result["events"]] == ["event/claude_hook_prompt"]
        call.close()


def test_what_is_there_is_answered_at_once(bare, phone, session):
    phone.hear("claude_hook_session")
    began = time.monotonic()
    assert poll(bare.socket, 0).json["result"]["events"]
    assert time.monotonic() - began < 5


def test_nothing_in_a_second(bare, phone, session):
    phone.settle()
    sequence = bare.local.call("events/since")["next_sequence"]
    began = time.monotonic()
    result = includes(poll(bare.socket, sequence, wait=1).json["result"], events=[], next_sequence=sequence)
    assert 0.9 <= time.monotonic() - began < 10 and result["gap"] is False


def test_who_leaves_is_forgotten(bare, session):
    sequence = bare.local.call("events/since")["next_sequence"]
    calls = [waiting(bare.socket, sequence, approver=False) for _ in range(20)]
    until(lambda: len(connections(bare)) >= 20, "the calls to have come in")
    for call in calls:
        call.close()
    until(lambda: len(connections(bare)) < 5, "their connections to be closed", 10)


def connections(bare):
    """The daemon's open sockets."""
    directory = pathlib.Path(f"/proc/{bare.process.pid}/fd")
    return [entry for entry in directory.iterdir() if entry.is_symlink() and "socket:" in os.readlink(entry)]


def test_a_stop_answers_who_waits(bare, session):
    sequence = bare.local.call("events/since")["next_sequence"]
    call = waiting(bare.socket, sequence)
    counted(bare, 1)
    began = time.monotonic()
    bare.process.send_signal(signal.SIGTERM)
    assert call.response().json["result"]["events"] == []
    assert bare.process.wait(10 * PATIENCE) == 0
    assert time.monotonic() - began < 5
    call.close()
