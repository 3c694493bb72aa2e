"""Who has a token comes in; nobody else."""
import hashlib
import json

import pytest
import websockets.sync.client
from websockets.exceptions import InvalidStatus

from harness import http1
from harness.checks import HEALTH, bearer, error_of, refused
from harness.waiting import PATIENCE


@pytest.mark.parametrize("value", [None, "Bearer ", "Bearer wrong", "Basic dXNlcjpwYXNz", "bearer"])
def test_without_a_good_token_nothing_is_answered(bare, token, value):
    headers = {"Authorization": value} if value is not None else {}
    error_of(http1.ask(bare.tcp, "POST", "/rpc", HEALTH, headers), 401)
    with pytest.raises(InvalidStatus) as refused:
        with websockets.sync.client.connect(
                f"ws://127.0.0.1:{bare.port}/ws", additional_headers=headers, proxy=None):
            pass
    assert refused.value.response.status_code == 401


def test_a_token_with_one_character_changed_is_no_token(bare, token):
    changed = token[:-1] + ("a" if token[-1] != "a" else "b")
    error_of(http1.ask(bare.tcp, "POST", "/rpc", HEALTH, bearer(changed)), 401)
    assert http1.ask(bare.tcp, "POST", "/rpc", HEALTH, bearer(token)).status == 200


def test_a_revoked_token_is_no_token_and_its_connection_is_closed(bare, token, phone):
    bare.ok("token", "revoke", "phone")
    error_of(http1.ask(bare.tcp, "POST", "/rpc", HEALTH, bearer(token)), 401)
    assert phone.closed()


def test_health_needs_no_token(bare):
    assert http1.ask(bare.tcp, "GET", "/health").status == 200


def test_a_token_is_kept_as_a_hash_only(box, bare, token):
    """What is good for minutes not even so."""
    invitation, used = (bare.local.call("pair/start")["token"] for _ in range(2))
    body = {"pairing_token": used, "name": "tablet", "platform": "test"}
    device = http1.ask(bare.tcp, "POST", "/api/auth/exchange", body).json
    lasting, passing = [token, device["refresh_token"]], [device["access_token"], invitation, used]
    bare.stop()
    kept = {path: path.read_bytes() for path in box.cdev_home.rglob("*") if path.is_file()}
    for path, content in kept.items():
        assert not any(secret.encode() in content for secret in lasting + passing), path
        assert not any(_hash(secret) in content for secret in passing), path
    assert all(any(_hash(secret) in content for content in kept.values()) for secret in lasting)


def _hash(secret):
    return hashlib.sha256(secret.encode()).digest()


def test_a_token_as_subprotocol_for_browsers(bare, token):
    url = f"ws://127.0.0.1:{bare.port}/ws"
    offered = ["cdev", f"cdev.token.{token}"]
    with websockets.sync.client.connect(url, subprotocols=offered, proxy=None) as browser:
        assert browser.subprotocol == "cdev"
        browser.send(json.dumps(HEALTH))
        assert json.loads(browser.recv(timeout=10 * PATIENCE))["result"]["status"] == "ok"
    with pytest.raises(InvalidStatus) as refused:
        with websockets.sync.client.connect(url, subprotocols=["cdev", "cdev.token.wrong"], proxy=None):
            pass
    assert refused.value.response.status_code == 401


def test_the_unix_socket_is_the_owners_alone(box, bare):
    assert (bare.socket.stat().st_mode & 0o777) == 0o600
    assert (box.cdev_home.stat().st_mode & 0o777) == 0o700
    assert bare.local.call("status/health")["status"] == "ok"
