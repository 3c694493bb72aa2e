"""The person who answers: over WebSocket with PyPI `websockets`, and over plain HTTP on the Unix socket."""
import contextlib
import itertools
import json
import threading

import websockets.sync.client
from websockets.exceptions import ConnectionClosed

from . import http1
from .waiting import Late, await_condition


class RpcError(Exception):
    def __init__(self, error):
        super().__init__(f"{error['code']}: {error['message']}")
        self.code, self.message, self.data = error["code"], error["message"], error.get("data")


class Approver:
    """A WebSocket client that keeps every event it was sent, oldest first, and waits for those a test asks about."""

    def __init__(self, port, token, approver=True, name="e2e", initialize=True, **options):
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._exit = contextlib.ExitStack()
        self.socket = self._exit.enter_context(websockets.sync.client.connect(
            f"ws://127.0.0.1:{port}/ws", additional_headers=headers, compression=None, proxy=None, **options))
        self.events, self.replies, self.close_code = [], {}, None
        self.changed = threading.Condition()
        self._ids = itertools.count(1)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.hello = None
        if initialize:
            capabilities = {} if approver else {"capabilities": {"approver": False}}
            info = {"name": name, "version": "1.0.0"}
            self.hello = self.call("initialize", {"protocolVersion": "1.0", "clientInfo": info, **capabilities})
            self.notify("initialized")

    def _read(self):
        try:
            for frame in self.socket:
                self._take(json.loads(frame))
        except ConnectionClosed:
            pass
        with self.changed:
            self.close_code = self.socket.close_code or 1006
            self.changed.notify_all()

    def _take(self, message):
        with self.changed:
            if isinstance(message, dict) and "method" in message:
                self.events.append(message)
            else:
                key = json.dumps(message.get("id")) if isinstance(message, dict) else "batch"
                self.replies.setdefault(key, []).append(message)
            self.changed.notify_all()

    # Asking

    def send(self, message):
        """Sends a value as JSON, and text or bytes as they are."""
        self.socket.send(message if isinstance(message, (str, bytes)) else json.dumps(message))

    def reply(self, key, timeout=10.0):
        """The next reply with this id (or to a batch, with the key "batch")."""
        key = key if key == "batch" else json.dumps(key)

        def arrived():
            if self.close_code and not self.replies.get(key):
                raise Late(f"closed with {self.close_code} before a reply to {key}")
            return self.replies.get(key)

        await_condition(self.changed, arrived, lambda: f"a reply to {key}; have {self.replies}", timeout)
        with self.changed:
            return self.replies[key].pop(0)

    def request(self, method, params=None, number=None, timeout=10.0):
        """Calls a method and returns the whole reply."""
        number = f"e2e-{next(self._ids)}" if number is None else number
        message = {"jsonrpc": "2.0", "id": number, "method": method}
        self.send(message if params is None else {**message, "params": params})
        return self.reply(number, timeout)

    def call(self, method, params=None, timeout=10.0):
        """Calls a method and returns its result, or raises `RpcError`."""
        reply = self.request(method, params, timeout=timeout)
        assert reply["jsonrpc"] == "2.0", reply
        if "error" in reply:
            raise RpcError(reply["error"])
        return reply["result"]

    def notify(self, method, params=None):
        message = {"jsonrpc": "2.0", "method": method}
        self.send(message if params is None else {**message, "params": params})

    def respond(self, card, decision, **more):
        """Answers a card, named by its `request_id`."""
        return self.call("permission/respond", {"request_id": card["request_id"], "decision": decision, **more})

    def pending(self, **params):
        return self.call("permission/pending", params)["requests"]

    # Listening

    def heard(self, kind, **fields):
        """The params of every event of this kind so far whose fields have these values."""
        with self.changed:
            matching = [e["params"] for e in self.events if e["method"] == f"event/{kind}"]
        return [p for p in matching if all(p.get(key) == value for key, value in fields.items())]

    def hear(self, kind, timeout=10.0, count=1, **fields):
        """Waits for the `count`th event of this kind with these fields, and returns its params."""
        def arrived():
            found = self.heard(kind, **fields)
            return found[count - 1] if len(found) >= count else None

        return await_condition(self.changed, arrived, lambda: f"{kind} {fields}; heard\n{self.story()}", timeout)

    def card(self, timeout=10.0, **fields):
        return self.hear("pty_permission", timeout, **fields)

    def resolved(self, card, timeout=10.0, **fields):
        return self.hear("pty_permission_resolved", timeout, request_id=card["request_id"], **fields)

    def settle(self):
        """Everything the daemon sent before this call has been heard when it returns."""
        self.call("status/health")

    def closed(self, timeout=10.0):
        """Waits for the server to close, and returns the close code."""
        await_condition(self.changed, lambda: self.close_code, "the connection to be closed", timeout)
        return self.close_code

    def story(self):
        return "\n".join(json.dumps(event)[:700] for event in self.events)

    def close(self):
        self._exit.close()
        self._reader.join(5)


class Local:
    """JSON-RPC over HTTP on the Unix socket: a process of the same user, without a token."""

    def __init__(self, path):
        self.path = path

    def request(self, method, params=None, number=1, timeout=15.0):
        message = {"jsonrpc": "2.0", "id": number, "method": method}
        return http1.ask(self.path, "POST", "/rpc", message if params is None else {**message, "params": params}, timeout=timeout)

    def call(self, method, params=None, timeout=15.0):
        response = self.request(method, params, timeout=timeout)
        assert response.status == 200, response
        if "error" in response.json:
            raise RpcError(response.json["error"])
        return response.json["result"]
