"""Web Push: what is encrypted is read by PyPI http-ece, what is signed is verified by PyPI py-vapid.

`pushManager.subscribe` needs a push service, which no test here has: a subscription is made up as a browser would.
"""
import base64
import json
import os
import pathlib
import sqlite3
import stat
import subprocess
import sys
import threading
import time

import http_ece
import py_vapid
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from harness.checks import refused
from harness.approver import RpcError
from harness.daemon import build_directory
from harness.waiting import until


def encode(raw):
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def decode(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Browser:
    """The keys of one subscription."""

    def __init__(self, endpoint="https://fcm.googleapis.com/fcm/send/made-up"):
        self.endpoint, self.auth = endpoint, os.urandom(16)
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.public = self.key.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)

    @property
    def subscription(self):
        return {"endpoint": self.endpoint, "keys": {"p256dh": encode(self.public), "auth": encode(self.auth)}}

    def read(self, body):
        return json.loads(http_ece.decrypt(body, private_key=self.key, auth_secret=self.auth, version="aes128gcm"))


@pytest.fixture
def sent():
    """A message of the daemon's own code to a browser, as it would leave."""
    browser = Browser("https://push.example/send/abc")
    now = int(time.time() * 1000)
    words = [browser.endpoint, encode(browser.public), encode(browser.auth), encode(os.urandom(31) + b"\1"),
             "mailto:me@example.com", str(now)]
    done = subprocess.run([str(build_directory() / "push-probe"), *words], capture_output=True, text=True, check=True)
    message = json.loads(done.stdout)
    message["browser"], message["now"] = browser, now // 1000
    return message


def test_the_body_is_read_by_another_implementation(sent):
    assert sent["browser"].read(decode(sent["body"])) == {
        "title": "work: Bash", "body": "touch ünïcode", "tag": "cdev-r_1", "request_id": "r_1",
        "url": "https://me.example/#request=r_1", "silent": False,
    }
    headers = sent["headers"]
    assert headers["Content-Encoding"] == "aes128gcm" and headers["TTL"] == "60" and headers["Urgency"] == "high"
    assert len(headers["Topic"]) == 32


def test_the_signature_is_verified_by_another_implementation(sent):
    authorization = sent["headers"]["Authorization"]
    assert py_vapid.Vapid02.verify(authorization)
    token = authorization.split("t=")[1].split(",")[0]
    claims = json.loads(decode(token.split(".")[1]))
    assert claims["aud"] == "https://push.example" and claims["sub"] == "mailto:me@example.com"
    assert claims["exp"] - sent["now"] == 43_200
    assert authorization.endswith(f"k={sent['key']}")
    broken = authorization.replace(token, token[:-4] + ("AAAA" if token[-4:] != "AAAA" else "BBBB"))
    try:
        assert not py_vapid.Vapid02.verify(broken)
    except Exception as error:
        assert "ignature" in type(error).__name__ + str(error)


@pytest.fixture
def subscribed(cdev):
    cdev.start()
    phone = cdev.approver("phone")
    phone.browser = Browser()
    assert phone.call("push/subscribe", phone.browser.subscription) == {"success": True}
    return phone


def names(cdev):
    return [entry["channel"] for entry in cdev.local.call("status/get")["notify"]]


def test_the_key_is_one_and_for_us_alone(cdev):
    cdev.start()
    phone = cdev.approver("phone")
    key = phone.call("push/key")["key"]
    assert len(decode(key)) == 65 and phone.call("push/key")["key"] == key
    path = cdev.box.cdev_home / "vapid.key"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    cdev.stop()
    cdev.start()
    assert cdev.approver("tablet").call("push/key")["key"] == key


def test_a_key_that_was_never_written_is_made_anew(cdev):
    """A daemon that died while it made the file may have left it empty."""
    cdev.start()
    path = cdev.box.cdev_home / "vapid.key"
    path.touch(0o600)
    key = cdev.approver("phone").call("push/key")["key"]
    assert len(decode(key)) == 65 and path.stat().st_size > 32
    assert [left.name for left in cdev.box.cdev_home.glob("vapid.key*")] == ["vapid.key"]


def test_a_subscription_counts_as_somebody_to_ask(cdev, subscribed):
    assert names(cdev) == ["push phone"]
    subscribed.close()
    held = cdev.session().bash("touch a")
    assert held.first_status() == 102
    cdev.ok("deny", cdev.local.call("permission/pending")["requests"][0]["request_id"])
    assert held.decision() == "deny"


def test_a_subscription_outlives_a_restart(cdev, subscribed):
    cdev.stop()
    cdev.start()
    assert names(cdev) == ["push phone"]


def test_unsubscribing_and_revoking_end_it(cdev, subscribed):
    assert subscribed.call("push/unsubscribe") == {"success": True, "existed": True}
    assert subscribed.call("push/unsubscribe") == {"success": True, "existed": False}
    assert names(cdev) == []
    subscribed.call("push/subscribe", subscribed.browser.subscription)
    cdev.ok("token", "revoke", "phone")
    until(lambda: names(cdev) == [], "the subscription to go with its device")
    assert cdev.session().bash("touch a").decision() == "pass"
    cdev.stop()
    cdev.start()
    assert names(cdev) == []


def test_an_end_that_cannot_be_written_counts_and_is_not_confirmed(cdev, box, subscribed):
    database = sqlite3.connect(box.cdev_home / "cdev.db", timeout=10, isolation_level=None)
    database.execute("BEGIN EXCLUSIVE")
    try:
        with pytest.raises(RpcError, match="until it is done a restart would bring the subscription back"):
            subscribed.call("push/unsubscribe", timeout=30)
        assert names(cdev) == []
    finally:
        database.execute("ROLLBACK")
        database.close()
    assert subscribed.call("push/unsubscribe") == {"success": True, "existed": True}
    cdev.kill()
    cdev.start()
    assert names(cdev) == []


@pytest.mark.parametrize("endpoint", [
    "https://evil.example/x", "http://fcm.googleapis.com/x", "https://fcm.googleapis.com:8443/x",
    "https://fcm.googleapis.com.evil.example/x", "https://127.0.0.1/x", "https://localhost/x", "x", ""])
def test_an_endpoint_elsewhere_is_refused(cdev, endpoint):
    cdev.start()
    phone = cdev.approver("phone")
    refused(phone, "push/subscribe", Browser(endpoint).subscription, -32602)
    assert names(cdev) == []


@pytest.mark.parametrize("keys", [
    {}, {"p256dh": "AAAA", "auth": "AAAA"}, {"p256dh": encode(b"\4" + bytes(64)), "auth": encode(bytes(16))},
    {"p256dh": "!", "auth": encode(bytes(16))}, [], "x"])
def test_keys_that_are_none_are_refused(cdev, keys):
    cdev.start()
    phone = cdev.approver("phone")
    refused(phone, "push/subscribe", {"endpoint": Browser().endpoint, "keys": keys}, -32602)


def test_a_push_never_goes_to_this_network(cdev, box):
    """A name the user allowed, but which leads to this machine."""
    cdev.start(notify={"push_hosts": ["push.localhost"]})
    phone = cdev.approver("phone")
    phone.call("push/subscribe", Browser("https://push.localhost/x").subscription)
    tests = cdev.local.call("notify/test")["channels"]
    assert tests[0]["delivered"] is False
    assert "private network" in tests[0]["failure"] or "resolve" in tests[0]["failure"]


def test_the_same_subscription_goes_on_and_a_new_one_begins_anew(cdev):
    """A page tells its own each time it connects: that brings nothing back, and forgets nothing that was told."""
    cdev.start(notify={"push_hosts": ["push.localhost"]})
    phone = cdev.approver("phone")
    first, second = (Browser(f"https://push.localhost/{name}") for name in "ab")
    phone.call("push/subscribe", first.subscription)
    assert cdev.local.call("notify/test")["channels"][0]["delivered"] is False
    for browser, reachable in ((first, False), (second, True)):
        phone.call("push/subscribe", browser.subscription)
        (channel,) = cdev.local.call("status/get")["notify"]
        assert channel["reachable"] is reachable


def test_only_a_device_subscribes_and_none_that_only_looks(cdev):
    cdev.start()
    with pytest.raises(RpcError) as error:
        cdev.local.call("push/subscribe", Browser().subscription)
    assert "device" in error.value.message
    token = cdev.json("token", "create", "tv", "--rights", "view")["token"]
    viewer = cdev.approver("tv", token=token)
    for method in ("push/key", "push/subscribe", "push/unsubscribe"):
        with pytest.raises(RpcError) as error:
            viewer.call(method, Browser().subscription if "sub" in method else {})
        assert error.value.data == {"refused": "decide"}
    assert viewer.call("client/presence", {"visible": True}) == {"success": True}


@pytest.mark.parametrize("params", [{}, {"visible": "yes"}, {"visible": True, "input_seconds": -1},
                                    {"visible": True, "input_seconds": 2**63 - 1}])
def test_presence_says_yes_or_no(cdev, params):
    cdev.start()
    refused(cdev.approver("phone"), "client/presence", params, -32602)


@pytest.mark.parametrize("method", ["push/key", "push/subscribe", "push/unsubscribe", "notify/test"])
def test_a_process_inside_claude_code_is_refused(cdev, method):
    cdev.start()
    program = "import sys; from harness import http1; print(http1.ask(sys.argv[1], 'POST', '/rpc', sys.argv[2].encode()).body.decode())"
    call = {"jsonrpc": "2.0", "id": 1, "method": method, "params": Browser().subscription}
    done = subprocess.run(
        [sys.executable, "-c", program, str(cdev.socket), json.dumps(call)], capture_output=True, text=True, check=True,
        env={"CLAUDECODE": "1", "PATH": os.environ["PATH"]}, cwd=pathlib.Path(__file__).parent)
    error = json.loads(done.stdout)["error"]
    assert error["data"]["refused"] in ("decide", "administer"), error
    assert names(cdev) == []
    assert not (cdev.box.cdev_home / "vapid.key").exists()


def test_the_first_key_is_made_once_for_many_who_need_it_at_once(cdev):
    cdev.start(notify={"push_hosts": ["push.localhost"]})
    for number in range(16):
        cdev.approver(f"phone {number}").call("push/subscribe", Browser("https://push.localhost/x").subscription)
    assert not (cdev.box.cdev_home / "vapid.key").exists()
    tests = cdev.local.call("notify/test")["channels"]
    assert len(tests) == 16
    assert [test["failure"] for test in tests if "vapid.key" in test["failure"]] == []


def test_a_device_revoked_while_it_subscribes_is_sent_nothing(cdev, box):
    cdev.start()
    phone = cdev.approver("phone")
    phone.settle()
    database = sqlite3.connect(box.cdev_home / "cdev.db", timeout=10, isolation_level=None)
    database.execute("BEGIN IMMEDIATE")
    revoked = None
    try:
        phone.send({"jsonrpc": "2.0", "id": "s", "method": "push/subscribe", "params": Browser().subscription})
        names(cdev)  # another connection's turn: the subscription waits for the database meanwhile
        revoked = threading.Thread(target=lambda: cdev.run("token", "revoke", "phone"))
        revoked.start()
        until(lambda: "device revoked" in cdev.log(), "the revocation")
    finally:
        database.execute("ROLLBACK")
        database.close()
    revoked.join()
    until(lambda: names(cdev) == [], "nobody to be subscribed")
    cdev.stop()
    cdev.start()
    assert names(cdev) == []
