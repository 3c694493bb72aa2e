"""How a device comes in, and everybody who must not."""
import concurrent.futures
import json
import sqlite3

import pytest
import websockets.sync.client

from harness import http1
from harness.checks import bearer, error_of


def post(cdev, path, body, **headers):
    return http1.ask(cdev.tcp, "POST", path, body, headers)


def exchange(cdev, token, name="phone"):
    return post(cdev, "/api/auth/exchange", {"pairing_token": token, "name": name, "platform": "test"})


def refresh(cdev, token):
    return post(cdev, "/api/auth/refresh", {"refresh_token": token})


def start(cdev, **params):
    return cdev.local.call("pair/start", params)


def paired(cdev, name="phone", rights="approve"):
    answer = exchange(cdev, start(cdev, rights=rights)["token"], name)
    assert answer.status == 200, answer
    return answer.json


def stats(cdev, device):
    message = {"jsonrpc": "2.0", "id": 1, "method": "permission/stats"}
    return post(cdev, "/rpc", message, **bearer(device["access_token"]))


def test_a_paired_device_answers_and_goes_with_its_rules(bare):
    device = paired(bare)
    phone = bare.approver("phone", token=device["access_token"])
    session = bare.session()
    session.start()
    call = session.bash("make test")
    phone.respond(phone.card(tool_use_id=call.tool_use_id), "allow", scope="session")
    assert call.decision() == "allow"
    assert session.bash("make test").decision() == "allow"
    rules = bare.json("rules")["rules"]
    assert [rule["granted_by"] for rule in rules] == ["device phone"]
    said = bare.ok("devices", "revoke", "phone")
    assert "phone revoked" in said and rules[0]["pattern"] in said
    assert phone.closed() == 1008
    assert bare.json("rules")["rules"] == []
    error_of(stats(bare, device), 401)
    error_of(refresh(bare, device["refresh_token"]), 401)
    assert bare.history(session.id)[-1]["resolved_by"] == "device phone"


def test_two_browsers_with_one_token(bare):
    token = start(bare)["token"]
    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(lambda _: exchange(bare, token), range(16)))
    assert sorted(answer.status for answer in answers) == [200] + [410] * 15
    assert len(bare.json("devices")["devices"]) == 1


def test_a_typed_code_needs_a_yes(bare):
    offer = start(bare, name="tablet")
    ticket = post(bare, "/api/pair/code", {"code": offer["code"].upper().replace("-", " ")}).json["pairing_token"]
    waiting = exchange(bare, ticket)
    assert waiting.status == 202 and waiting.json["status"] == "pending_approval"
    body = {"request_id": waiting.json["request_id"]}
    for path in ("approve", "reject"):
        error_of(post(bare, f"/api/auth/pairing/{path}", body), 403)
    assert exchange(bare, ticket).status == 202
    assert http1.ask(bare.socket, "POST", "/api/auth/pairing/approve", body).json["success"] is True
    assert exchange(bare, ticket).json["device_name"] == "tablet"
    error_of(exchange(bare, ticket), 410)


def test_guesses_lead_nowhere(bare):
    offer = start(bare)
    statuses = [post(bare, "/api/pair/code", {"code": f"{n:08d}"}).status for n in range(100)]
    assert statuses[:5] == [401] * 5 and set(statuses[5:]) <= {410, 429} and statuses[-1] == 429
    error_of(exchange(bare, offer["token"][:-1] + "!"), 401)
    assert bare.json("devices")["devices"] == []


def test_a_replayed_refresh_token_revokes_the_device(bare, phone):
    first = paired(bare, "tablet")
    second = refresh(bare, first["refresh_token"]).json
    third = refresh(bare, second["refresh_token"]).json
    tablet = bare.approver("tablet", token=third["access_token"])
    error_of(refresh(bare, first["refresh_token"]), 401)
    event = phone.hear("device_revoked")
    assert event["device_id"] == first["device_id"] and "copied" in event["reason"]
    assert tablet.closed() == 1008
    for device in (first, second, third):
        error_of(stats(bare, device), 401)
        error_of(refresh(bare, device["refresh_token"]), 401)
    assert "copied" in bare.log()


def test_a_socket_lives_as_long_as_its_device(bare):
    device = paired(bare)
    phone = bare.approver("phone", token=device["access_token"])
    for _ in range(10):
        device = refresh(bare, device["refresh_token"]).json
    # By now its first access token was pushed out by newer ones.
    assert phone.call("device/list")["devices"][0]["connected"] is True
    post(bare, "/api/auth/revoke", {"refresh_token": device["refresh_token"]})
    assert phone.closed() == 1008


def test_a_view_device_reads_only(bare):
    device = paired(bare, rights="view")
    assert device["rights"] == ["read"]
    with websockets.sync.client.connect(
            f"ws://127.0.0.1:{bare.port}/ws", subprotocols=["cdev", f"cdev.token.{device['access_token']}"],
            proxy=None) as socket:
        socket.send(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize"}))
        assert json.loads(socket.recv(10))["result"]["capabilities"]["permission"]["respond"] is False
        assert bare.json("status")["approvers"] == 0
        session = bare.session()
        session.start()
        assert session.bash("ls").answer() == {}, "nobody is reachable"
    hook = {"session_id": "x", "hook_event_name": "Stop", "cwd": "/"}
    error_of(post(bare, "/hooks/claude", hook, **bearer(device["access_token"])), 403)


@pytest.mark.parametrize("origin", ["https://evil.example", "http://127.0.0.1:3000", "http://localhost", "null"])
def test_pages_of_others_pair_nothing(bare, origin):
    token = start(bare)["token"]
    error_of(post(bare, "/api/auth/exchange", {"pairing_token": token}, Origin=origin), 403)
    assert exchange(bare, token).status == 200


def test_a_rebound_name_pairs_nothing(bare):
    token = start(bare)["token"]
    error_of(post(bare, "/api/auth/exchange", {"pairing_token": token}, Host=f"evil.example:{bare.port}"), 421)
    assert exchange(bare, token).status == 200


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", None])
def test_only_json(bare, kind):
    token = start(bare)["token"]
    error_of(http1.ask(bare.tcp, "POST", "/api/auth/exchange", {"pairing_token": token}, {"Content-Type": kind}), 415)
    error_of(http1.ask(bare.tcp, "POST", "/rpc", {}, {"Content-Type": kind}), 415)
    assert exchange(bare, token).status == 200


def test_no_body_is_large(bare):
    error_of(post(bare, "/api/auth/refresh", {"refresh_token": "x" * 5000}), 413)


def test_no_cookie_is_ever_set(bare):
    device = paired(bare)
    answers = [
        exchange(bare, start(bare)["token"]), refresh(bare, device["refresh_token"]), stats(bare, device),
        http1.ask(bare.tcp, "GET", "/pair"), http1.ask(bare.tcp, "GET", "/api/pair/info"),
    ]
    assert not any("set-cookie" in answer.headers for answer in answers)
    cookie = {"Cookie": f"access_token={device['access_token']}"}
    error_of(post(bare, "/rpc", {"jsonrpc": "2.0", "id": 1, "method": "status/health"}, **cookie), 401)


def test_a_locked_database_lets_nobody_in_and_locks_nobody_out(box, bare):
    device = paired(bare)
    offer = start(bare)
    with sqlite3.connect(box.cdev_home / "cdev.db") as database:
        database.execute("BEGIN EXCLUSIVE")
        error_of(exchange(bare, offer["token"]), 503)
        error_of(refresh(bare, device["refresh_token"]), 503)
        assert stats(bare, device).status == 200
        database.rollback()
    database.close()
    assert refresh(bare, device["refresh_token"]).status == 200
    assert len(bare.json("devices")["devices"]) == 1


def test_the_daemon_remembers_who_was_revoked(bare):
    kept, gone = paired(bare, "kept"), paired(bare, "gone")
    bare.ok("devices", "revoke", gone["device_id"])
    bare.kill()
    bare.start()
    error_of(refresh(bare, gone["refresh_token"]), 401)
    assert refresh(bare, kept["refresh_token"]).status == 200


def test_a_rule_goes_with_its_device_also_after_a_crash(box, bare):
    device = paired(bare)
    phone = bare.approver("phone", token=device["access_token"])
    session = bare.session()
    session.start()
    call = session.bash("make test")
    phone.respond(phone.card(tool_use_id=call.tool_use_id), "allow", scope="session")
    assert call.decision() == "allow"
    bare.kill()
    with sqlite3.connect(box.cdev_home / "cdev.db") as database:
        database.execute("UPDATE devices SET revoked_at = 1")
    database.close()
    bare.start()
    assert bare.json("rules")["rules"] == []
    assert "a rule of a device that is gone was dropped" in bare.log()
