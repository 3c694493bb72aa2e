"""Peers that do not come from a loopback address, on one of this machine that leads nowhere else."""
import json

import pytest

from harness import http1, tls
from harness.checks import HEALTH, bearer, error_of

EVENT = {"session_id": "s", "hook_event_name": "SessionStart", "cwd": "/tmp"}


@pytest.fixture
def open_daemon(cdev, lan):
    """On every address, with TLS, and nobody paired yet."""
    return cdev.start("--host", "0.0.0.0", tls="local-ca")


@pytest.fixture
def away(open_daemon, lan):
    return (lan, open_daemon.port)


def test_tls_serves_the_address(open_daemon, away):
    trust = tls.trusting(tls.authority(open_daemon))
    assert tls.ask(away, trust, "GET", "/health", name=away[0]).status == 200
    token = open_daemon.token()
    with tls.WebSocket(f"wss://{away[0]}:{away[1]}/ws", trust, additional_headers=bearer(token)) as wire:
        wire.send(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "status/get"}))
        result = json.loads(wire.recv())["result"]
    assert result["base_url"] == f"https://{away[0]}:{away[1]}" and result["beyond_loopback"] is True


def test_plain_http_is_sent_on(open_daemon, away):
    host, port = away
    token = open_daemon.token()
    for method, target, headers in [
            ("GET", "/health?a=b", {}), ("POST", "/rpc", bearer(token)), ("POST", "/hooks/claude", {}),
            ("GET", "/ca.crt", {})]:
        response = http1.ask(away, method, target, HEALTH if method == "POST" else b"", headers)
        assert response.status == 308, response
        assert response.headers["location"] == f"https://{host}:{port}{target}"
    without = http1.ask(away, "GET", "/x", headers={"Host": host})
    assert without.headers["location"] == f"https://{host}:{port}/x"
    upgrade = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
               "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", **bearer(token)}
    assert http1.ask(away, "GET", "/ws", headers=upgrade).status == 308
    assert "a token was sent without encryption" in open_daemon.log()
    assert token not in open_daemon.log()


def test_nobody_is_sent_to_a_host_that_is_not_ours(open_daemon, away):
    response = http1.ask(away, "GET", "/", headers={"Host": "evil.example"})
    assert response.status == 421 and "location" not in response.headers


def test_loopback_stays_plain_but_hooks_need_a_token(open_daemon):
    assert http1.ask(open_daemon.tcp, "GET", "/health").status == 200
    error_of(http1.ask(open_daemon.tcp, "POST", "/hooks/claude", EVENT), 401)
    assert http1.ask(open_daemon.tcp, "POST", "/hooks/claude", EVENT, bearer(open_daemon.token())).status == 200
    assert http1.ask(open_daemon.socket, "POST", "/hooks/claude", EVENT).status == 200


def test_http_hooks_brings_them_back_for_loopback_only(cdev, lan):
    cdev.start("--host", "0.0.0.0", "--insecure", http_hooks=True)
    assert http1.ask(cdev.tcp, "POST", "/hooks/claude", EVENT).status == 200
    error_of(http1.ask((lan, cdev.port), "POST", "/hooks/claude", EVENT), 401)


def test_without_tls_it_has_to_be_said(cdev, lan):
    for address in (lan, "0.0.0.0"):
        done = cdev.run("serve", "--host", address, "--port", cdev.port, timeout=10)
        assert done.returncode == 1 and "--insecure" in done.stderr, done.stderr
    cdev.configure(insecure=True, host="0.0.0.0")
    assert cdev.run("serve", "--port", cdev.port, timeout=10).returncode == 1, "the file cannot say it"


def test_insecure_serves_and_warns(cdev, lan):
    cdev.start("--host", "0.0.0.0", "--insecure")
    assert "--insecure: everybody on the way" in cdev.output.read_text()
    away = (lan, cdev.port)
    error_of(http1.ask(away, "POST", "/rpc", HEALTH), 401)
    assert http1.ask(away, "POST", "/rpc", HEALTH, bearer(cdev.token())).status == 200
    status = cdev.json("status")
    assert status["insecure"] is True and status["base_url"] == f"http://{lan}:{cdev.port}"
    assert "without encryption" in cdev.run("status").stdout
    assert "without encryption" in cdev.run("doctor").stdout
