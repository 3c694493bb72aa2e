"""An editor: a client of the Agent Client Protocol, on the pipes of `cdev acp` or on the WebSocket at /acp. It keeps every
message of both directions, and looks at each one that it is sent with the models of PyPI `agent-client-protocol`."""
import contextlib
import itertools
import json
import subprocess
import threading

import websockets.sync.client
from acp import schema
from websockets.exceptions import ConnectionClosed

from .approver import RpcError
from .waiting import PATIENCE, Late, await_condition

RESULTS = {
    "initialize": schema.InitializeResponse,
    "authenticate": schema.AuthenticateResponse,
    "session/new": schema.NewSessionResponse,
    "session/load": schema.LoadSessionResponse,
    "session/resume": schema.ResumeSessionResponse,
    "session/fork": schema.ForkSessionResponse,
    "session/list": schema.ListSessionsResponse,
    "session/close": schema.CloseSessionResponse,
    "session/delete": schema.DeleteSessionResponse,
    "session/prompt": schema.PromptResponse,
    "session/set_mode": schema.SetSessionModeResponse,
    "session/set_config_option": schema.SetSessionConfigOptionResponse,
}
REQUESTS = {"session/request_permission": schema.RequestPermissionRequest, "elicitation/create": schema.CreateFormSessionElicitationRequest}
NOTIFICATIONS = {"session/update": schema.SessionNotification, "$/cancel_request": schema.CancelRequestNotification}
ENDED = ("completed", "failed")


def faults_of(model, value):
    """What is wrong with a value. The models put right what they can and drop the rest, so theirs is compared with it."""
    try:
        read = model.model_validate(value)
    except ValueError as error:
        return [f"{error} in {json.dumps(value)[:1000]}"]
    kept = read.model_dump(mode="json", by_alias=True, exclude_unset=True)
    return [] if kept == value else [f"{model.__name__} takes {json.dumps(kept)[:1000]} of {json.dumps(value)[:1000]}"]


class Pipes:
    """`cdev acp`, as an editor starts it."""

    def __init__(self, box, cdev, cwd=None, env=None):
        self.errors = box.root / f"acp-{len(box.notes)}.txt"
        with open(self.errors, "wb") as errors:
            self.process = subprocess.Popen(
                [str(cdev.programs / "cdev"), "acp"], env=box.env(**(env or {})), cwd=cwd or box.home, stdin=subprocess.PIPE,
                stdout=subprocess.PIPE, stderr=errors, start_new_session=True)

    def send(self, text):
        self.process.stdin.write(text.encode() + b"\n")
        self.process.stdin.flush()

    def __iter__(self):
        for line in self.process.stdout:
            yield line.decode(errors="replace")

    def said(self):
        return self.errors.read_text(errors="replace") if self.errors.exists() else ""

    def hang_up(self, timeout=10.0):
        """Ends the input, as an editor does that leaves; returns the exit status."""
        self.process.stdin.close()
        return self.process.wait(timeout * PATIENCE)

    def close(self):
        self.process.kill()
        self.process.wait(10 * PATIENCE)
        with contextlib.suppress(OSError):
            self.process.stdin.close()


class Socket:
    """The WebSocket: over TCP with a token, or over the Unix socket."""

    def __init__(self, cdev, token=None):
        options = {"compression": None, "max_size": None}
        self._exit = contextlib.ExitStack()
        if token is None:
            opening = websockets.sync.client.unix_connect(str(cdev.socket), "ws://localhost/acp", **options)
        else:
            opening = websockets.sync.client.connect(
                f"ws://127.0.0.1:{cdev.port}/acp", additional_headers={"Authorization": f"Bearer {token}"}, proxy=None, **options)
        self.socket = self._exit.enter_context(opening)

    def send(self, text):
        self.socket.send(text)

    def __iter__(self):
        with contextlib.suppress(ConnectionClosed):
            for frame in self.socket:
                yield frame + "\n" if isinstance(frame, str) else repr(frame)

    def said(self):
        return f"closed with {self.socket.close_code}"

    def close(self):
        self._exit.close()


class Editor:
    """`log` holds (who, message), "editor" or "cdev", in their order; `faults` what is wrong with those of cdev."""

    def __init__(self, line):
        self.line, self.log, self.faults, self.ended = line, [], [], False
        # What it answers by itself to each question: the kind of an option, or "cancelled".
        self.answers = None
        self.changed = threading.Condition()
        self._numbers = itertools.count(1)
        self._methods, self._replies, self._sessions, self._calls, self._questions = {}, {}, set(), {}, {}
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    @contextlib.contextmanager
    def together(self):
        """What is sent meanwhile goes out in one write, over pipes."""
        sent, send = [], self.line.send
        self.line.send = sent.append
        try:
            yield
        finally:
            self.line.send = send
        send("\n".join(sent))

    # What cdev sends

    def _read(self):
        for text in self.line:
            try:
                self._take(text)
            except (AttributeError, KeyError, TypeError) as error:
                self.faults.append(f"{error!r} of {text[:1000]}")
        with self.changed:
            self.ended = True
            self.changed.notify_all()

    def _take(self, text):
        try:
            message = json.loads(text)
        except ValueError:
            message = None
        # Several in one only to who sent several in one.
        several = isinstance(message, list) and any(isinstance(sent, str) and sent.startswith("[") for _, sent in self.log)
        with self.changed:
            for one in message if several else [message]:
                self.log.append(("cdev", one if isinstance(one, dict) else text))
                if not text.endswith("\n") or not isinstance(one, dict) or one.get("jsonrpc") != "2.0":
                    self.faults.append(f"no line with a message: {text[:1000]!r}")
                elif "method" not in one:
                    self._reply(one)
                elif "id" in one:
                    self._question(one)
                else:
                    self._notification(one)
            self.changed.notify_all()

    def _look(self, model, value, what):
        if model is None:
            self.faults.append(f"nobody knows {what}")
        else:
            self.faults += [f"{what}: {fault}" for fault in faults_of(model, value)]

    def _reply(self, message):
        number = message.get("id")
        # One that `begin` gave; a test may send others by itself.
        number = number if type(number) in (int, str) and number in self._methods else None
        method = self._methods.get(number)
        if ("result" in message) == ("error" in message) or "id" not in message or number in self._replies:
            self.faults.append(f"no reply, or a second one: {json.dumps(message)[:1000]}")
        if "error" in message:
            self._look(schema.Error, message["error"], f"the error of {method}")
        else:
            self._look(RESULTS.get(method), message.get("result"), f"the result of {method}")
            if method in ("session/new", "session/fork"):
                self._sessions.add(message["result"].get("sessionId"))
        if number is not None:
            self._replies[number] = message

    def _question(self, message):
        self._look(REQUESTS.get(message["method"]), message.get("params"), message["method"])
        if message["id"] in self._questions:
            self.faults.append(f"two requests {message['id']!r}")
        self._questions[message["id"]] = message
        if message["method"] == "session/request_permission":
            self._known(message["params"]["sessionId"], message["params"]["toolCall"]["toolCallId"], "asked for")
            if self.answers:
                # A program that was killed reads nothing more.
                with contextlib.suppress(OSError):
                    self.answer(message, self.answers)

    def _notification(self, message):
        self._look(NOTIFICATIONS.get(message["method"]), message.get("params"), message["method"])
        if message["method"] == "$/cancel_request" and message["params"].get("requestId") not in self._questions:
            self.faults.append(f"nothing is to be taken back: {message}")
        if message["method"] == "session/update":
            self._update(message["params"]["sessionId"], message["params"]["update"])

    def _update(self, session, update):
        if session not in self._sessions:
            self.faults.append(f"an update of {session} before its id: {json.dumps(update)[:300]}")
        if update["sessionUpdate"] == "tool_call":
            if (session, update["toolCallId"]) in self._calls:
                self.faults.append(f"a call begins twice: {json.dumps(update)[:300]}")
            self._calls[session, update["toolCallId"]] = update.get("status")
        if update["sessionUpdate"] == "tool_call_update":
            before = self._known(session, update["toolCallId"], "updated")
            after = update.get("status") or before
            if before in ENDED and after != before:
                self.faults.append(f"a call that has ended goes on: {json.dumps(update)[:300]}")
            self._calls[session, update["toolCallId"]] = after

    def _known(self, session, call, what):
        if (session, call) not in self._calls:
            self.faults.append(f"a call that has not begun is {what}: {call}")
        return self._calls.get((session, call))

    # What it sends

    def send(self, message):
        """Sends a value as JSON, and text as it is."""
        with self.changed:
            self.log.append(("editor", message))
        self.line.send(message if isinstance(message, str) else json.dumps(message))

    def begin_text(self, method, params):
        """Sends a request whose parameters are JSON text."""
        number = next(self._numbers)
        with self.changed:
            self._methods[number] = method
        self.send(f'{{"jsonrpc":"2.0","id":{number},"method":"{method}","params":{params}}}')
        return number

    def begin(self, method, **params):
        """Sends a request and returns its number."""
        number = next(self._numbers)
        with self.changed:
            self._methods[number] = method
            if method in ("session/load", "session/resume"):
                # What is told anew begins anew.
                self._sessions.add(params.get("sessionId"))
                self._calls = {key: status for key, status in self._calls.items() if key[0] != params.get("sessionId")}
        self.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        return number

    def reply(self, number, timeout=30.0):
        """The whole reply to a request."""
        return self.wait(lambda: self.replied(number), f"a reply to {self._methods.get(number)}", timeout)

    def replied(self, number):
        return self._replies.get(number)

    def end(self, number, timeout=30.0):
        """The result of a request that was begun, or `RpcError`."""
        reply = self.reply(number, timeout)
        if "error" in reply:
            raise RpcError(reply["error"])
        return reply["result"]

    def call(self, method, timeout=30.0, **params):
        return self.end(self.begin(method, **params), timeout)

    def notify(self, method, **params):
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def initialize(self, version=1, **capabilities):
        return self.call("initialize", protocolVersion=version, clientInfo={"name": "e2e", "version": "1.0.0"}, clientCapabilities={
            "fs": {"readTextFile": False, "writeTextFile": False}, "terminal": False, **capabilities})

    def new(self, cwd, servers=()):
        return Talk(self, cwd, self.call("session/new", cwd=str(cwd), mcpServers=list(servers)))

    def load(self, talk, method="session/load", servers=()):
        """The same session, as this editor sees it from now on."""
        result = self.call(method, sessionId=talk.id, cwd=str(talk.cwd), mcpServers=list(servers))
        return Talk(self, talk.cwd, {"sessionId": talk.id, **result})

    def answer(self, question, kind):
        """Answers a question with the option of this kind, or `cancelled`."""
        outcome = {"outcome": "cancelled"}
        if kind != "cancelled":
            outcome = {"outcome": "selected", "optionId": option_of(question, kind)["optionId"]}
        self.send({"jsonrpc": "2.0", "id": question["id"], "result": {"outcome": outcome}})

    # What a test waits for

    def wait(self, probe, what, timeout=30.0):
        """Waits until this is true of what was sent so far."""
        def found():
            value = probe()
            if not value and self.ended:
                raise Late(f"the connection ended before {said()}")
            return value

        def said():
            return f"{what() if callable(what) else what}\n{self.story()}"

        return await_condition(self.changed, found, said, timeout)

    def of(self, method):
        """The messages of cdev with this method, oldest first."""
        with self.changed:
            return [message for who, message in self.log if who == "cdev" and isinstance(message, dict) and message.get("method") == method]

    def question(self, count=1, timeout=30.0):
        """The `count`th question that it is asked."""
        return self.wait(lambda: self.of("session/request_permission")[count - 1:count], f"question {count}", timeout)[0]

    def form(self, count=1, timeout=30.0):
        """The `count`th form that it is to show."""
        return self.wait(lambda: self.of("elicitation/create")[count - 1:count], f"form {count}", timeout)[0]

    def fill(self, form, action="accept", **content):
        """Answers a form: its fields by their names, or another action."""
        result = {"action": action, **({"content": content} if action == "accept" else {})}
        self.send({"jsonrpc": "2.0", "id": form["id"], "result": result})

    def taken_back(self, question, timeout=30.0):
        """Waits for the notification that nobody has to answer any more."""
        self.wait(lambda: [one for one in self.of("$/cancel_request") if one["params"]["requestId"] == question["id"]],
                  f"question {question['id']!r} to be taken back", timeout)

    def settle(self):
        """Everything that cdev sent before this call has come when it returns."""
        with contextlib.suppress(RpcError):
            self.call("session/list")

    def story(self):
        with self.changed:
            lines = [f"{who}: {(json.dumps(message) if isinstance(message, dict) else message)[:700]}" for who, message in self.log]
        return "\n".join([*lines, self.line.said()[-2000:]])

    def close(self):
        self.line.close()
        self._reader.join(5)


class Talk:
    """A session, as one editor sees it."""

    def __init__(self, editor, cwd, result):
        self.editor, self.cwd, self.result, self.id = editor, cwd, result, result["sessionId"]

    def begin(self, *blocks):
        """Sends a prompt, of texts and blocks; returns the number of the request."""
        prompt = [{"type": "text", "text": block} if isinstance(block, str) else block for block in blocks]
        return self.editor.begin("session/prompt", sessionId=self.id, prompt=prompt)

    def ends(self, number, timeout=40.0):
        """The stop reason of a prompt."""
        return self.editor.end(number, timeout)["stopReason"]

    def turn(self, *blocks):
        return self.ends(self.begin(*blocks))

    def cancel(self):
        self.editor.notify("session/cancel", sessionId=self.id)

    def updates(self, *kinds):
        """What this editor was told of it, oldest first."""
        all = [message["params"]["update"] for message in self.editor.of("session/update") if message["params"]["sessionId"] == self.id]
        return [update for update in all if not kinds or update["sessionUpdate"] in kinds]

    def hears(self, kind, probe=lambda update: True, timeout=30.0):
        """Waits for an update of this kind of which `probe` is true."""
        return self.editor.wait(lambda: [update for update in self.updates(kind) if probe(update)], f"a {kind} of {self.id}", timeout)[-1]

    def text(self, kind="agent_message_chunk"):
        return "".join(update["content"].get("text", "") for update in self.updates(kind))

    def says(self, text, kind="agent_message_chunk"):
        """Waits until this was said."""
        self.editor.wait(lambda: text in self.text(kind), f"{kind} {text!r}")

    def option(self, category, timeout=30.0):
        """An option of this category, as it was told last; the agent's models are known only when it has started."""
        def told():
            for one in [*reversed(self.updates("config_option_update")), self.result]:
                for option in one["configOptions"]:
                    if option.get("category") == category:
                        return option

        return self.editor.wait(told, f"an option for the {category} of {self.id}", timeout)

    def tool(self, call):
        """A call as the updates so far have made it, or None before it has begun."""
        made = None
        for update in self.updates("tool_call", "tool_call_update"):
            if update["toolCallId"] == call.id:
                made = {**(made or {}), **{key: value for key, value in update.items() if value is not None}}
        return made

    def tool_is(self, call, status, timeout=30.0):
        """Waits until a call has this status, and returns it."""
        def ended():
            found = (self.tool(call) or {}).get("status")
            assert found not in ENDED or found == status, self.tool(call)
            return found == status

        self.editor.wait(ended, lambda: f"{call} to be {status}: {self.tool(call)}", timeout)
        return self.tool(call)


def options(question):
    """Kind to option of a question."""
    return {option["kind"]: option for option in question["params"]["options"]}


def option_of(question, kind):
    return options(question)[kind]


def diffs(tool):
    return [one for one in tool.get("content", []) if one["type"] == "diff"]


def texts(tool):
    return "".join(one["content"].get("text", "") for one in tool.get("content", []) if one["type"] == "content")


class Editors:
    """Those of one test; the daemon need not run."""

    def __init__(self, box, cdev):
        self.box, self.cdev, self.made = box, cdev, []

    def start(self, line):
        editor = Editor(line)
        self.made.append(editor)
        self.box.on_close(editor.close)
        self.box.note(f"editor {len(self.made)}", editor.story)
        return editor

    def open(self, **options):
        """An editor that has started `cdev acp` and has been greeted."""
        editor = self.start(Pipes(self.box, self.cdev, **options))
        editor.hello = editor.initialize()
        return editor

    def connect(self, token=None):
        """One on the WebSocket."""
        editor = self.start(Socket(self.cdev, token))
        editor.hello = editor.initialize()
        return editor

    def faults(self):
        return [f"editor {number}: {fault}" for number, editor in enumerate(self.made, 1) for fault in editor.faults]
