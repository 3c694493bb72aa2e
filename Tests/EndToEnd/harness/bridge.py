"""The OpenAgents app for phones: version 0.2.2 of the Agent Client Protocol over a WebSocket. What it is sent is looked at as the
app decodes it: a member that it needs and does not find ends its reading of the whole message."""
import contextlib
import itertools
import json
import threading

import websockets.sync.client
from websockets.exceptions import ConnectionClosed

from .approver import RpcError
from .waiting import Late, await_condition

MODES = {"default_mode", "claude-code", "codex", "orchestrator"}
STATUSES = {"started", "completed", "error"}
KINDS = {"allow_once", "allow_always", "reject_once", "reject_always"}
BLOCKS = {"text": ["text"], "image": ["data", "mimeType"], "audio": ["data", "mimeType"], "resource_link": ["name", "uri"],
          "resource": ["resource"]}


def needs(value, *members):
    """The members that are not there, or are not of their type: (name, type)."""
    return [f"{name} of {json.dumps(value)[:300]}" for name, kind in members if not isinstance(value.get(name), kind)]


def faults_of_block(block):
    if block.get("type") not in BLOCKS:
        return [f"no kind of content: {block}"]
    return needs(block, *((name, (str, dict)) for name in BLOCKS[block["type"]]))


def faults_of_update(update):
    kind = update.get("sessionUpdate")
    if kind in ("user_message_chunk", "agent_message_chunk", "agent_thought_chunk"):
        return needs(update, ("content", dict)) or needs(update["content"], ("content", dict)) or faults_of_block(
            update["content"]["content"])
    if kind == "tool_call":
        call = update["tool_call"]
        return needs(call, ("call_id", str), ("name", str)) + ([] if isinstance(call.get("arguments", {}), dict) else ["arguments"])
    if kind == "tool_call_update":
        call = update["tool_call_update"]
        return needs(call, ("call_id", str)) + ([] if call.get("status") in STATUSES else [f"the status of {call}"])
    if kind == "available_commands_update":
        return [fault for one in update["available_commands"] for fault in needs(one, ("name", str), ("description", str))]
    if kind == "current_mode_update":
        return [] if update.get("current_mode_id") in MODES else [f"no mode: {update}"]
    if kind == "plan":
        return needs(update["plan"], ("entries", list))
    return [f"the app knows no {kind}"]


def faults_of_question(params):
    options = [fault for one in params["options"] for fault in needs(one, ("optionId", str), ("name", str))]
    kinds = [f"no kind: {one}" for one in params["options"] if one.get("kind") not in KINDS]
    return options + kinds + faults_of_update({"sessionUpdate": "tool_call_update", "tool_call_update": params["tool_call"]})


class Phone:
    """`log` holds (who, message), "phone" or "cdev", in their order; `faults` what the app could not decode."""

    def __init__(self, port, token=None, **options):
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self.log, self.faults, self.ended = [], [], False
        self.changed = threading.Condition()
        self._numbers = itertools.count(1)
        self._exit = contextlib.ExitStack()
        self.socket = self._exit.enter_context(websockets.sync.client.connect(
            f"{'wss' if 'ssl' in options else 'ws'}://127.0.0.1:{port}", additional_headers=headers, compression=None, proxy=None, **options))
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        with contextlib.suppress(ConnectionClosed):
            for frame in self.socket:
                with self.changed:
                    # The app looks for these very bytes.
                    if '"jsonrpc":"2.0"' not in frame:
                        self.faults.append(f"not read at all: {frame[:300]}")
                    self._take(json.loads(frame))
                    self.changed.notify_all()
        with self.changed:
            self.ended = True
            self.changed.notify_all()

    def _take(self, message):
        self.log.append(("cdev", message))
        if message.get("method") == "session/update":
            self.faults += needs(message["params"], ("session_id", str)) + faults_of_update(message["params"]["update"])
        if message.get("method") == "session/request_permission":
            self.faults += needs(message["params"], ("session_id", str)) + faults_of_question(message["params"])

    def send(self, message):
        """Sends a value as JSON, and text as it is."""
        with self.changed:
            self.log.append(("phone", message))
        self.socket.send(message if isinstance(message, str) else json.dumps(message, separators=(",", ":")))

    def notify(self, method, **params):
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def begin(self, method, **params):
        """Sends a request, and returns its id: a number, written as a text as the app does."""
        number = str(next(self._numbers))
        self.send({"jsonrpc": "2.0", "method": method, "id": number, "params": params})
        return number

    def call(self, method, **params):
        """Calls a method and returns its result, or raises `RpcError`."""
        number = self.begin(method, **params)

        def found():
            return [one for who, one in self.log if who == "cdev" and "method" not in one and one.get("id") == number]

        reply = self.wait(found, f"a reply to {method}")[0]
        if "error" in reply:
            raise RpcError(reply["error"])
        return reply["result"]

    def initialize(self, **info):
        return self.call("initialize", protocol_version="0.2.2", client_capabilities={}, **(info or {
            "client_info": {"name": "openagents-ios", "title": "OpenAgents iOS", "version": "0.1.0"}}))

    def wait(self, probe, what, timeout=30.0):
        def found():
            value = probe()
            if not value and self.ended:
                raise Late(f"the connection ended before {what}\n{self.story()}")
            return value

        return await_condition(self.changed, found, lambda: f"{what}\n{self.story()}", timeout)

    def updates(self, session, *kinds):
        with self.changed:
            all = [one["params"]["update"] for who, one in self.log if who == "cdev" and one.get("method") == "session/update"
                   and one["params"]["session_id"] == session]
        return [one for one in all if not kinds or one["sessionUpdate"] in kinds]

    def text(self, session, kind="agent_message_chunk"):
        return "".join(one["content"]["content"].get("text", "") for one in self.updates(session, kind))

    def says(self, session, text, kind="agent_message_chunk"):
        self.wait(lambda: text in self.text(session, kind), f"{kind} {text!r}")

    def question(self):
        """The first question that it is asked."""
        def found():
            return [one for who, one in self.log if who == "cdev" and one.get("method") == "session/request_permission"]

        return self.wait(found, "a question")[0]

    def answer(self, question, outcome):
        self.send({"jsonrpc": "2.0", "id": question["id"], "result": {"outcome": outcome}})

    def story(self):
        with self.changed:
            return "\n".join(f"{who}: {(one if isinstance(one, str) else json.dumps(one))[:700]}" for who, one in self.log)

    def close(self):
        self._exit.close()
        self._reader.join(5)
