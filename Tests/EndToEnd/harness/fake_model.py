"""A scripted stand-in for the Messages API: the model says what the test wrote, the client is the real one.

A conversation is a list of turns. Which turn comes next is counted from the assistant messages in the request itself, so
a request that is repeated or that arrives beside the conversation never moves it on.
"""
import dataclasses
import http.server
import json
import re
import threading
import uuid

from .waiting import await_condition


@dataclasses.dataclass
class Call:
    """One tool call. Its id is made here, so that a test can look for it in events and results. `gate`, an event, is waited for
    between its beginning and its input."""

    name: str
    input: dict
    id: str = dataclasses.field(default_factory=lambda: "toolu_" + uuid.uuid4().hex[:24])
    gate: threading.Event | None = None


@dataclasses.dataclass
class Turn:
    """One answer of the model. `gate`, an event, is waited for before the first byte is sent; `pieces` are those of the text,
    and events that are waited for between them; `thought` comes before it. With a `status` it is an error of the provider."""

    text: str = ""
    calls: tuple = ()
    gate: threading.Event | None = None
    pieces: tuple = ()
    thought: str = ""
    status: int = 200
    stop: str = "end_turn"


def think(thought, text):
    return Turn(text=text, thought=thought)


def fail(status, words):
    return Turn(text=words, status=status)


def say(text, gate=None, stop="end_turn"):
    """The model's `stop_reason` is `stop`."""
    return Turn(text=text, gate=gate, stop=stop)


def write(*pieces):
    """Says it piece by piece; an event among them is waited for."""
    return Turn(text="".join(piece for piece in pieces if isinstance(piece, str)), pieces=pieces)


def use(*calls, gate=None):
    return Turn(calls=calls, gate=gate)


def bash(command, **more):
    return Call("Bash", {"command": command, "description": "scripted", **more})


def touch(name):
    return bash(f"touch {name}")


@dataclasses.dataclass
class Conversation:
    """Turns for requests whose first user text matches `match` (all of them without one).

    A turn may be a function of the request's body, for what only the client knows, such as the path of a plan file.
    """

    turns: list
    match: str | None = None


class FakeModel:
    """Serves on a loopback port until closed. `requests` holds every request for a message, oldest first."""

    def __init__(self, *turns, conversations=()):
        self.conversations = [*conversations, Conversation(list(turns))]
        self.requests = []
        # What it says to a request without tools.
        self.plain = say("ok")
        self.changed = threading.Condition()
        self._open = threading.Event()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.model = self
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def close(self):
        for conversation in self.conversations:
            for turn in conversation.turns:
                for event in [turn.gate, *turn.pieces, *(call.gate for call in turn.calls)] if isinstance(turn, Turn) else []:
                    if isinstance(event, threading.Event):
                        event.set()
        self._server.shutdown()
        self._server.server_close()

    def answer(self, body):
        with self.changed:
            self.requests.append(body)
            self.changed.notify_all()
        if not body.get("tools"):
            return self.plain
        turns = self._conversation(body).turns
        done = _answers_so_far(body["messages"])
        turn = turns[done] if done < len(turns) else Turn("nothing more to do")
        return turn(body) if callable(turn) else turn

    def _conversation(self, body):
        first = next((m for m in body["messages"] if m["role"] == "user"), {})
        for conversation in self.conversations:
            if conversation.match is None or re.search(conversation.match, _text_of(first)):
                return conversation
        raise LookupError("no conversation for this request")

    def results(self):
        """What the client told the model about its calls: id -> (text, is_error)."""
        found = {}
        with self.changed:
            for body in self.requests:
                for message in body.get("messages", []):
                    for block in _blocks(message):
                        if block.get("type") == "tool_result":
                            text = _text_of({"content": block.get("content")})
                            found[block["tool_use_id"]] = (text, bool(block.get("is_error")))
        return found

    def result(self, call, timeout=15.0):
        """The result of one call, as (text, is_error), once the client has reported it."""
        await_condition(
            self.changed, lambda: call.id in self.results(), lambda: f"a result of {call.name} {call.input}", timeout)
        return self.results()[call.id]


def _blocks(message):
    content = message.get("content")
    return [{"type": "text", "text": content}] if isinstance(content, str) else content or []


def _text_of(message):
    return "\n".join(block.get("text", "") for block in _blocks(message) if block.get("type") == "text")


def _answers_so_far(messages):
    """Assistant messages in a row are one answer."""
    roles = [message["role"] for message in messages]
    return sum(1 for index, role in enumerate(roles) if role == "assistant" and roles[index - 1 : index] != ["assistant"])


class _Server(http.server.ThreadingHTTPServer):
    daemon_threads = True


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        self._json({"data": [], "has_more": False})

    do_HEAD = do_GET

    def do_POST(self):
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        path = self.path.split("?")[0]
        try:
            if path == "/v1/messages":
                self._message(json.loads(raw))
            elif path.endswith("/count_tokens"):
                self._json({"input_tokens": len(raw) // 4 + 1})
            else:
                self._json({"type": "error", "error": {"type": "not_found_error", "message": path}}, 404)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def _json(self, value, status=200):
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _message(self, body):
        turn = self.server.model.answer(body)
        if turn.gate:
            turn.gate.wait(60)
        if turn.status != 200:
            error = {"type": "invalid_request_error", "message": turn.text}
            return self._json({"type": "error", "error": error}, turn.status)
        content = [{"type": "thinking", "thinking": turn.thought, "signature": "c2lnbmVk"}] if turn.thought else []
        content += [{"type": "text", "text": turn.text}] if turn.text or not turn.calls else []
        content += [{"type": "tool_use", "id": c.id, "name": c.name, "input": c.input} for c in turn.calls]
        stop = "tool_use" if turn.calls else turn.stop
        usage = {"input_tokens": 10, "output_tokens": 10, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
        message = {
            "id": "msg_" + uuid.uuid4().hex[:24], "type": "message", "role": "assistant",
            "model": body.get("model", "fake"), "content": [], "stop_reason": None, "stop_sequence": None, "usage": usage,
        }
        if not body.get("stream"):
            return self._json({**message, "content": content, "stop_reason": stop})
        gates = {call.id: call.gate for call in turn.calls if call.gate}
        self._stream(message, content, stop, usage, turn.pieces or (turn.text,), gates)

    def _stream(self, message, content, stop, usage, pieces, gates):
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        self.close_connection = True
        self._event("message_start", message=message)
        for index, block in enumerate(content):
            if block["type"] == "text":
                start, deltas = {"type": "text", "text": ""}, [{"type": "text_delta", "text": piece} if isinstance(piece, str) else piece for piece in pieces]
            elif block["type"] == "thinking":
                start = {**block, "thinking": "", "signature": ""}
                deltas = [{"type": "thinking_delta", "thinking": block["thinking"]}, {"type": "signature_delta", "signature": block["signature"]}]
            else:
                start = {**block, "input": {}}
                deltas = [gates[block["id"]]] if block["id"] in gates else []
                deltas.append({"type": "input_json_delta", "partial_json": json.dumps(block["input"])})
            self._event("content_block_start", index=index, content_block=start)
            for delta in deltas:
                if isinstance(delta, threading.Event):
                    self.wfile.flush()
                    delta.wait(60)
                else:
                    self._event("content_block_delta", index=index, delta=delta)
            self._event("content_block_stop", index=index)
        self._event("message_delta", delta={"stop_reason": stop, "stop_sequence": None}, usage=usage)
        self._event("message_stop")
        self.wfile.flush()

    def _event(self, kind, **fields):
        self.wfile.write(f"event: {kind}\ndata: {json.dumps({'type': kind, **fields})}\n\n".encode())
