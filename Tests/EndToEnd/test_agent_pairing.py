"""The agent tries to let itself in, or somebody else, with the very tools it is asking for."""
import json
import shlex

import pytest

from harness import http1
from test_agent_refused import attempt, command  # noqa: F401

pytestmark = pytest.mark.real_cli


def recorded(attempt, method):  # noqa: F811
    """The attempt was told to every approver, and is what `cdev status` shows."""
    assert attempt.phone.hear("agent_refused")["method"] == method
    assert attempt.daemon.local.call("permission/stats")["last_agent_refusal"]["method"] == method


@pytest.mark.parametrize(("words", "method"), [
    (("pair",), "pair/start"), (("pair", "--json", "--rights", "view"), "pair/start"), (("devices",), "device/list"),
    (("devices", "revoke", "phone"), "device/list"),
    (("token", "create", "mine", "--rights", "view"), "token/create"),
])
def test_claude_lets_nobody_in_or_out(attempt, words, method):  # noqa: F811
    said = attempt(command(attempt, *words))
    assert "status=4" in said and "cdev_" not in said
    recorded(attempt, method)
    assert [device["name"] for device in attempt.daemon.json("devices")["devices"]] == ["phone"]
    assert attempt.daemon.local.call("pair/pending")["offers"] == []


@pytest.mark.parametrize("verb", ["approve", "reject"])
def test_claude_confirms_nobody(attempt, verb):  # noqa: F811
    daemon = attempt.daemon
    offer = daemon.local.call("pair/start")
    ticket = http1.ask(daemon.tcp, "POST", "/api/pair/code", {"code": offer["code"]}).json["pairing_token"]
    waiting = http1.ask(daemon.tcp, "POST", "/api/auth/exchange", {"pairing_token": ticket}).json["request_id"]
    assert "status=4" in attempt(command(attempt, "pair", verb, waiting))
    recorded(attempt, f"pair/{verb}")
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
    if door == "socket":
        recorded(attempt, path.split("?")[0])


SUBSCRIPTION = {"endpoint": "https://fcm.googleapis.com/x", "keys": {"p256dh": "BA", "auth": "AA"}}


@pytest.mark.parametrize(("method", "params"), [
    ("push/key", {}), ("push/subscribe", SUBSCRIPTION), ("push/unsubscribe", {}), ("notify/test", {}),
    ("device/revoke", {"device_id": "d_1"}), ("permission/preview", {"request_id": "r_1"}),
    ("pair/reject", {"offer_id": "pair_1"}), ("config/change", {}),
])
def test_claude_gets_at_no_method_by_the_socket(attempt, method, params):  # noqa: F811
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
    said = attempt(f"curl -s --unix-socket {attempt.daemon.socket} -H 'Content-Type: application/json' "
                   f"--data {shlex.quote(body)} http://localhost/rpc")
    answer = json.loads(said)
    assert answer["error"]["code"] == -32600 and answer["error"]["data"]["refused"], answer
    recorded(attempt, method)


def test_claude_does_not_say_what_is_held(attempt):  # noqa: F811
    path = attempt.daemon.box.cdev_home / "config.json"
    before = path.read_bytes() if path.exists() else None
    said = attempt(command(attempt, "install", "--gate", "prompt"))
    assert "status=4" in said
    assert (path.read_bytes() if path.exists() else None) == before
    recorded(attempt, "config/change")
