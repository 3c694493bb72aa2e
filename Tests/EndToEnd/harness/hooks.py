"""Hook calls as the client makes them, sent by the test itself: for what the real client cannot be made to do on demand."""
import concurrent.futures
import itertools
import secrets
import urllib.parse
import uuid

from . import http1

NATIVE = "/hooks/claude"
_numbers = itertools.count(1)


class Session:
    """A made-up Claude session that sends its hooks to one door."""

    def __init__(self, door, cwd, session_id=None, attended=True, headers=()):
        self.door, self.cwd = door, str(cwd)
        self.id = session_id or str(uuid.uuid4())
        self.prompt_id = str(uuid.uuid4())
        self.headers = {
            "Cdev-Attended": "1" if attended else "0",
            "Cdev-Entrypoint": "cli" if attended else "sdk-cli",
            "Cdev-Project": urllib.parse.quote(self.cwd),
            "Cdev-Shell": "/bin/bash",
            **dict(headers),
        }
        self._pool = concurrent.futures.ThreadPoolExecutor(200)

    def payload(self, event, **fields):
        common = {
            "session_id": self.id,
            "transcript_path": f"/nowhere/{self.id}.jsonl",
            "cwd": self.cwd,
            "prompt_id": self.prompt_id,
            "permission_mode": "default",
            "hook_event_name": event,
        }
        return {**common, **fields}

    def tell(self, event, **fields):
        """An event that is answered at once. Returns the decoded answer."""
        return self.post(NATIVE, self.payload(event, **fields))

    def post(self, target, body):
        response = http1.ask(self.door, "POST", target, body, self.headers)
        assert response.status == 200, response
        return response.json

    def start(self, source="startup"):
        return self.tell("SessionStart", source=source, prompt_id=None)

    def call(self, tool, tool_input, event="PreToolUse", target=NATIVE, headers=(), tool_use_id=None, request=None,
             **fields):
        """A blocking call, as the relay makes it. Returns it at once; its answer comes later.

        `request` is the `Cdev-Request` value; False sends none, as a client other than the relay.
        """
        tool_use_id = tool_use_id or f"toolu_test{next(_numbers):08d}"
        fields = {"tool_name": tool, "tool_input": tool_input, **fields}
        if event != "PermissionRequest":
            fields["tool_use_id"] = tool_use_id
        request = secrets.token_hex(16) if request is None else request
        extra = {**self.headers, **({"Cdev-Request": request} if request else {}), **dict(headers)}
        return Held(self, target, self.payload(event, **fields), extra, tool_use_id, request)

    def bash(self, command, **options):
        return self.call("Bash", {"command": command, "description": "made up"}, **options)

    def ran(self, held, response=None, event="PostToolUse"):
        """The tool of an earlier call has run."""
        extra = {"tool_response": response or {"stdout": "ok", "stderr": ""}, "duration_ms": 3}
        if event == "PostToolUseFailure":
            extra = {"error": "Exit code 1", "is_interrupt": False, "duration_ms": 3}
        return self.tell(event, tool_name=held.payload["tool_name"], tool_input=held.payload["tool_input"],
                         tool_use_id=held.tool_use_id, **extra)


class Held:
    """One blocking hook call on its own connection."""

    def __init__(self, session, target, payload, headers, tool_use_id, request):
        self.session, self.payload, self.tool_use_id, self.request = session, payload, tool_use_id, request
        self._connection = http1.Connection(session.door, 90)
        self._connection.request("POST", target, payload, headers)
        self._first = session._pool.submit(self._connection.head)
        self._future = session._pool.submit(self._rest)

    def _rest(self):
        """The final response, its first head having been read apart: that one alone tells whether the call is held."""
        status, headers = self._first.result()
        if status >= 200:
            return http1.Response(status, headers, self._connection.body(status, headers), [])
        response = self._connection.response()
        response.interim.insert(0, http1.Response(status, headers, b"", []))
        return response

    def first_status(self, timeout=10.0):
        """102 once the call is held, or the final status. Only a call with a request number is told of being held."""
        return self._first.result(timeout)[0]

    def answered(self):
        return self._future.done()

    def response(self, timeout=10.0):
        try:
            return self._future.result(timeout)
        finally:
            self._connection.close()

    def answer(self, timeout=10.0):
        response = self.response(timeout)
        assert response.status == 200, response
        return response.json

    def decision(self, timeout=10.0):
        """What the hook was told: allow, deny, ask, or pass for no opinion."""
        return decision_in(self.answer(timeout))

    def hang_up(self):
        """As when the client ends its hook."""
        self._connection.socket.shutdown(2)
        self._connection.close()


def decision_in(answer):
    """The decision in an answer to either blocking event; an answer of any other shape is an error."""
    if answer == {}:
        return "pass"
    output = answer["hookSpecificOutput"]
    if output["hookEventName"] == "PermissionRequest":
        return output["decision"]["behavior"]
    assert output["hookEventName"] == "PreToolUse", answer
    return output["permissionDecision"]

