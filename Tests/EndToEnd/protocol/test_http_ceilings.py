"""What each ceiling of HTTP answers. A hook never gets an `allow` from an error."""
import contextlib
import json
import select
import socket

import pytest

from harness import http1
from harness.checks import HEALTH, bearer, error_of
from harness.waiting import until


@pytest.mark.parametrize(("method", "target", "status"), [
    ("GET", "/nowhere", 404), ("POST", "/nowhere", 404), ("POST", "/api/hooks", 404),
    ("GET", "/hooks/claude", 405), ("PUT", "/hooks/claude", 405), ("GET", "/rpc", 405), ("POST", "/health", 405),
    ("GET", "/api/hooks/session", 405),
])
def test_a_wrong_path_or_verb(bare, token, method, target, status):
    for door in (bare.tcp, bare.socket):
        error_of(http1.ask(door, method, target, b"{}" if method != "GET" else b"", bearer(token)), status)


@pytest.mark.parametrize("body", [b"{", b"", b"[]", b'"x"', b"{}{}", b'{"a":1,}', b"\xff\xfe", b'{"session_id":"s"'])
def test_a_hook_that_is_not_json(bare, body):
    response = error_of(http1.ask(bare.socket, "POST", "/hooks/claude", body), 400)
    assert response.json["error"]


@pytest.mark.parametrize("change", [
    {"tool_name": 5}, {"tool_name": None}, {"session_id": None}, {"session_id": 7}, {"hook_event_name": None},
    {"hook_event_name": 9}, {"tool_input": "text"}, {"tool_input": ["touch a"]}, {"tool_use_id": 3},
    {"permission_mode": 1},
])
def test_a_hook_of_the_wrong_shape_is_never_allowed(bare, phone, change):
    session = bare.session()
    body = session.payload("PreToolUse", tool_name="Bash", tool_input={"command": "touch a"}, tool_use_id="toolu_1")
    body.update(change)
    with http1.Connection(bare.socket) as connection:
        connection.request("POST", "/hooks/claude", {k: v for k, v in body.items() if v is not None}, session.headers)
        # Answered at once, or held for a person whose word it then gets: anything else is a hang.
        until(lambda: select.select([connection.socket], [], [], 0)[0] or phone.pending(), "an answer or a card")
        for card in phone.pending():
            phone.respond(card, "deny")
        response = connection.response()
    assert b"allow" not in response.body.replace(b"allowed", b""), response


def test_a_body_at_and_over_its_ceiling(bare, phone):
    session = bare.session()
    base = session.payload("PostToolUse", tool_name="Bash", tool_input={}, tool_use_id="toolu_1", tool_response="")
    room = (10 << 20) - len(json.dumps(base))
    fits = json.dumps({**base, "tool_response": "x" * room}).encode()
    assert len(fits) == 10 << 20
    assert http1.ask(bare.socket, "POST", "/hooks/claude", fits).status == 200
    with http1.Connection(bare.socket) as connection:
        connection.send(b"POST /hooks/claude HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: %d\r\n\r\n" % (len(fits) + 1))
        error_of(connection.response(), 413)
    with http1.Connection(bare.socket) as connection:
        connection.send(b"POST /hooks/claude HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n")
        try:
            for _ in range(12):
                connection.send(b"100000\r\n" + b" " * (1 << 20) + b"\r\n")
        except (BrokenPipeError, ConnectionResetError):
            pass
        try:
            error_of(connection.response(), 413)
        except (ConnectionResetError, http1.Closed):
            pass
    assert phone.call("status/health")["status"] == "ok"


def test_headers_over_their_ceiling(bare):
    error_of(http1.ask(bare.tcp, "GET", "/health", headers={"X-Long": "x" * 70_000}), 431)
    many = {f"X-{number}": "1" for number in range(2000)}
    error_of(http1.ask(bare.tcp, "GET", "/health", headers=many), 431)


def test_two_lengths_are_one_too_many(bare):
    with http1.Connection(bare.socket) as connection:
        connection.send(b"POST /rpc HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}")
        error_of(connection.response(), 400)
    with http1.Connection(bare.socket) as connection:
        connection.send(b"POST /rpc HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2\r\n"
                        b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
        error_of(connection.response(), 400)


def test_expect_continue_is_answered(bare):
    body = json.dumps(HEALTH).encode()
    with http1.Connection(bare.socket) as connection:
        connection.send(b"POST /rpc HTTP/1.1\r\nHost: 127.0.0.1\r\nExpect: 100-continue\r\nContent-Length: %d\r\n\r\n"
                        % len(body))
        assert connection.head()[0] == 100
        connection.send(body)
        assert connection.response().json["result"]["status"] == "ok"


def test_json_too_deep(bare, phone):
    deep = b'{"a":' * 100_000 + b"1" + b"}" * 100_000
    error_of(http1.ask(bare.socket, "POST", "/hooks/claude", deep), 400)
    response = http1.ask(bare.socket, "POST", "/rpc", b"[" * 100_000 + b"]" * 100_000)
    assert response.json["error"]
    assert phone.call("status/health")["status"] == "ok"


@pytest.mark.long
def test_a_request_that_does_not_come_to_its_end(bare):
    beginnings = (b"POST /rpc HTTP/1.1\r\nHost: ", b"POST /rpc HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n{")
    with contextlib.ExitStack() as exits:
        # Both wait at the same time.
        connections = [exits.enter_context(http1.Connection(bare.socket, timeout=45)) for _ in beginnings]
        for connection, beginning in zip(connections, beginnings):
            connection.send(beginning)
        for connection in connections:
            error_of(connection.response(), 408)


def test_more_connections_than_files_leave_the_daemon_alive(box, cdev):
    import resource

    cdev.start()
    resource.prlimit(cdev.process.pid, resource.RLIMIT_NOFILE, (128, 128))
    sockets = []
    try:
        for _ in range(200):
            one = socket.socket()
            one.settimeout(2)
            sockets.append(one)
            one.connect(cdev.tcp)
    finally:
        for one in sockets:
            one.close()

    def answers():
        try:
            return http1.ask(cdev.tcp, "GET", "/health", timeout=2).status == 200
        except OSError:
            return False

    until(answers, "the daemon to answer again")
    assert cdev.process.poll() is None
