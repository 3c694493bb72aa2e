"""The agent tries to let itself in, or somebody else, with the very tools it is asking for."""
import pytest

from harness import http1
from test_agent_refused import attempt, command  # noqa: F401

pytestmark = pytest.mark.real_cli


@pytest.mark.parametrize("words", [
    ("pair",), ("pair", "--json", "--rights", "view"), ("devices",), ("devices", "revoke", "phone"),
    ("token", "create", "mine", "--rights", "view"),
])
def test_claude_lets_nobody_in_or_out(attempt, words):  # noqa: F811
    said = attempt(command(attempt, *words))
    assert "status=4" in said and "cdev_" not in said
    assert [device["name"] for device in attempt.daemon.json("devices")["devices"]] == ["phone"]
    assert attempt.daemon.local.call("pair/pending")["offers"] == []


@pytest.mark.parametrize("verb", ["approve", "reject"])
def test_claude_confirms_nobody(attempt, verb):  # noqa: F811
    daemon = attempt.daemon
    offer = daemon.local.call("pair/start")
    ticket = http1.ask(daemon.tcp, "POST", "/api/pair/code", {"code": offer["code"]}).json["pairing_token"]
    waiting = http1.ask(daemon.tcp, "POST", "/api/auth/exchange", {"pairing_token": ticket}).json["request_id"]
    assert "status=4" in attempt(command(attempt, "pair", verb, waiting))
    requests = daemon.local.call("pair/pending")["requests"]
    assert [request["request_id"] for request in requests] == [waiting]
    assert http1.ask(daemon.tcp, "POST", "/api/auth/exchange", {"pairing_token": ticket}).status == 202


@pytest.mark.parametrize("door", ["socket", "port"])
@pytest.mark.parametrize("path", ["/api/pair/qr", "/api/pair/info?include_token=1", "/api/auth/pairing/pending"])
def test_claude_gets_no_pairing_token_over_http(attempt, door, path):  # noqa: F811
    daemon = attempt.daemon
    where = (f"--unix-socket {daemon.socket} http://localhost" if door == "socket"
             else f"http://127.0.0.1:{daemon.port}")
    said = attempt(f"curl -s -o /dev/null -w 'status=%{{http_code}}' {where}{path}")
    assert "status=403" in said
    assert daemon.local.call("pair/pending")["offers"] == []
