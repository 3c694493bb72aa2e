"""Frames and ids: what is wrong is answered, and what is sent comes back."""
import json
import re
import socket

import pytest
import websockets.sync.client

from harness import http1
from harness.waiting import PATIENCE, until


FRAMES = [
    ("{", -32700),
    ('{"jsonrpc":"2.0","id":1,"method":"status/health"}}', -32700),
    ("[]", -32600),
    ("7", -32600),
    ('"text"', -32600),
    ('{"id":1,"method":"status/health"}', -32600),
    ('{"jsonrpc":"1.0","id":1,"method":"status/health"}', -32600),
    ('{"jsonrpc":"2.0","id":1}', -32600),
    ('{"jsonrpc":"2.0","id":1,"method":5}', -32600),
    ('{"jsonrpc":"2.0","id":{},"method":"status/health"}', -32600),
    ('{"jsonrpc":"2.0","id":1,"method":"status/health","params":7}', -32600),
    ('{"jsonrpc":"2.0","id":1,"method":"no/such"}', -32601),
    ('{"jsonrpc":"2.0","id":1,"method":"permission/respond"}', -32602),
    ('{"jsonrpc":"2.0","id":1,"method":"permission/pending","params":{"session_id":5}}', -32602),
]


@pytest.mark.parametrize(("frame", "code"), FRAMES)
def test_a_frame_that_is_wrong_is_answered_and_the_next_one_too(phone, frame, code):
    phone.send(frame)
    reply = until(lambda: _first_error(phone), "an error")
    # Parameters of no structure may count as an invalid request or as invalid parameters.
    wanted = (code, -32602) if '"params":7' in frame else (code,)
    assert reply["error"]["code"] in wanted and reply["error"]["message"]
    phone.settle()


def _first_error(phone):
    with phone.changed:
        for replies in phone.replies.values():
            for reply in replies:
                if isinstance(reply, dict) and "error" in reply:
                    return reply
    return None


IDS = ["1", "0", "-7", '"1"', '""', '"é"', "12345678901234567890123", "1.50", "1e2"]


@pytest.mark.parametrize("number", IDS)
def test_an_id_comes_back_as_it_was_sent(bare, number):
    import websockets.sync.client

    with websockets.sync.client.connect(
            f"ws://127.0.0.1:{bare.port}/ws", additional_headers={"Authorization": f"Bearer {bare.token()}"},
            proxy=None) as socket:
        for as_bytes in (False, True):
            text = f'{{"jsonrpc":"2.0","id":{number},"method":"status/health"}}'
            socket.send(text.encode() if as_bytes else text)
            reply = socket.recv(timeout=10 * PATIENCE)
            assert isinstance(reply, bytes) is as_bytes
            reply = reply.decode() if as_bytes else reply
            if number.startswith('"'):
                assert json.loads(reply)["id"] == json.loads(number)
            else:
                assert re.search(r'"id":\s*' + re.escape(number) + r"\s*[,}]", reply), reply


def test_a_batch_is_answered_as_a_batch(phone):
    health = {"jsonrpc": "2.0", "method": "status/health"}
    phone.send([{**health, "id": 1}, health, {**health, "id": "two"}, {"jsonrpc": "2.0", "id": 3, "method": "no/such"}, 4])
    replies = phone.reply("batch")
    assert sorted(str(reply["id"]) for reply in replies) == ["1", "3", "None", "two"]
    codes = {str(reply["id"]): reply.get("error", {}).get("code") for reply in replies}
    assert codes == {"1": None, "two": None, "3": -32601, "None": -32600}


def test_notifications_get_no_reply(phone):
    phone.notify("status/health")
    phone.notify("no/such")
    phone.notify("permission/respond", {"decision": 1})
    phone.send([{"jsonrpc": "2.0", "method": "status/health"}])
    phone.settle()
    assert not any(phone.replies.values())


def test_http_speaks_the_same(bare):
    token = bare.token()
    door, headers = bare.tcp, {"Authorization": f"Bearer {token}"}
    good = http1.ask(door, "POST", "/rpc", {"jsonrpc": "2.0", "id": "a", "method": "status/health"}, headers)
    assert good.status == 200 and good.json["id"] == "a" and good.json["result"]["status"] == "ok"
    batch = http1.ask(door, "POST", "/rpc", [{"jsonrpc": "2.0", "id": 1, "method": "status/health"}], headers)
    assert [reply["id"] for reply in batch.json] == [1]
    note = http1.ask(door, "POST", "/rpc", {"jsonrpc": "2.0", "method": "status/health"}, headers)
    assert note.status in (200, 202, 204) and note.body == b""
    broken = http1.ask(door, "POST", "/rpc", b"{", headers)
    assert broken.json["error"]
