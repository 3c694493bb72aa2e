"""A client on a WebSocket that looks at every frame it gets: is it JSON-RPC, is an error one that the documents name, and
does it hold anything that this client may not see."""
import contextlib
import itertools
import json
import re

import websockets.sync.client

from . import openrpc, page
from .generated import CRASH, written
from .waiting import PATIENCE
from .workspace import CANARY, SECRET

# Of one device in a minute are taken 600 messages, those of a batch by themselves.
MOST_OF_TOKEN = 400
# Failures of a call that is right in itself, by their words: what it names is not there, or nothing can be done with it.
ORDINARY = re.compile(
    "there is no request|no open request has|no open session has|there is no rule|already responded|"
    "not read, for the answers before it")
CODES = {-int(found) for found in re.findall(r"(?m)^\| −(32\d\d\d) \|", page.PAGE.read_text())}


class Line:
    """A client on a WebSocket; a new one, with a new token, before a device has sent too much."""

    def __init__(self, cdev, rights):
        self.cdev, self.rights, self.sent, self.socket = cdev, rights, MOST_OF_TOKEN, None
        self.numbers, self._exit = itertools.count(1), contextlib.ExitStack()
        self.forbidden = [CANARY] if rights == "drive" else [CANARY, SECRET]
        self.document = openrpc.closed(cdev.local.call("rpc.discover"))
        self.results = {
            method["name"]: openrpc.validator(method["result"]["schema"], self.document)
            for method in self.document["methods"]}
        self.results_of, self.codes = {}, {}

    def connect(self):
        self.close()
        self._exit = contextlib.ExitStack()
        made = self.cdev.local.call("token/create", {"name": f"{self.rights} {next(self.numbers)}", "rights": self.rights})
        self.socket = self._exit.enter_context(websockets.sync.client.connect(
            f"ws://127.0.0.1:{self.cdev.port}/ws", additional_headers={"Authorization": f"Bearer {made['token']}"},
            compression=None, proxy=None, max_size=None, ping_interval=None))
        self.sent = 0

    def close(self):
        self._exit.close()

    def send(self, text, weight=1):
        if self.sent + weight > MOST_OF_TOKEN:
            self.connect()
        self.sent += weight
        self.socket.send(text)

    def answer_to(self, number):
        """Reads up to this answer; all that comes before it is looked at as well."""
        while True:
            frame = self.socket.recv(timeout=10 * PATIENCE)
            text = frame if isinstance(frame, str) else frame.decode()
            for word in self.forbidden:
                assert word not in text, text[:2000]
            message = json.loads(text)
            for one in message if isinstance(message, list) else [message]:
                self._look(one, text)
                if one.get("id") == number and "method" not in one:
                    return one

    def _look(self, one, text):
        assert one["jsonrpc"] == "2.0"
        if "method" in one:
            assert one["method"].startswith("event/") and "id" not in one
            return
        assert ("result" in one) != ("error" in one) and "id" in one
        if "error" not in one:
            return
        code, said = one["error"]["code"], one["error"]["message"]
        self.codes[code] = self.codes.get(code, 0) + 1
        assert code in CODES, text[:2000]
        assert not any(word in said.lower() for word in CRASH), text[:2000]
        assert code != -32603 or ORDINARY.search(said), text[:2000]

    def call(self, method, params):
        """Sends a call, and returns its answer; a result is compared with its schema."""
        number = f"call {next(self.numbers)}"
        text = written({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        self.send(text)
        answer = self.answer_to(number)
        if "result" in answer:
            self.results_of[method] = self.results_of.get(method, 0) + 1
            wrong = openrpc.listed(self.results[method], answer["result"])
            assert wrong == [], f"{text[:1000]} {json.dumps(answer)[:1000]}"
        return answer

    def throw(self, text, weight):
        """Sends what may be no call, and something that is one, which is answered."""
        self.send(text, weight)
        number = f"probe {next(self.numbers)}"
        self.socket.send(json.dumps({"jsonrpc": "2.0", "id": number, "method": "status/health"}))
        self.sent += 1
        assert self.answer_to(number)["result"]["status"] == "ok"
