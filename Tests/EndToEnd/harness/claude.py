"""The real Claude Code command line, without a terminal, in a sandbox, talking to a scripted model."""
import importlib.util
import json
import os
import pathlib
import signal
import subprocess
import threading

from .sandbox import API_KEY
from .waiting import PATIENCE, await_condition


def binary():
    """The client under test: the one the pinned SDK brings, or what CDEV_E2E_CLAUDE names."""
    named = os.environ.get("CDEV_E2E_CLAUDE")
    if named:
        path = pathlib.Path(named)
    else:
        spec = importlib.util.find_spec("claude_agent_sdk")
        if spec is None:
            raise RuntimeError("claude-agent-sdk is not installed: pip install -r Tests/EndToEnd/requirements.txt")
        path = pathlib.Path(spec.origin).parent / "_bundled" / "claude"
    if not os.access(path, os.X_OK):
        raise RuntimeError(f"{path} is no program: set CDEV_E2E_CLAUDE to a Claude Code binary")
    return path.resolve()


def environment(box, model, **extra):
    return box.env(
        **{
            "CLAUDE_CODE_TMPDIR": box.tmp,
            "ANTHROPIC_API_KEY": API_KEY,
            "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{model.port}",
            "DISABLE_AUTOUPDATER": "1",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            # Otherwise some tools are only listed by name and a direct call of them is an input error.
            "ENABLE_TOOL_SEARCH": "false",
            # Without it the client refuses bypassPermissions to root, which continuous integration often is.
            "IS_SANDBOX": "1",
            **extra,
        }
    )


class Headless:
    """One `claude -p` process. With `dialogue`, prompts and control messages are sent as lines while it runs."""

    def __init__(self, box, model, prompt="go", mode="manual", args=(), dialogue=False, cwd=None, env=None):
        argv = [str(binary()), "-p", "--output-format", "stream-json", "--verbose", "--permission-mode", mode]
        argv += ["--input-format", "stream-json"] if dialogue else [prompt]
        self.lines = []
        self.changed = threading.Condition()
        self._errors = box.root / f"stderr-{len(box.notes)}.txt"
        with open(self._errors, "wb") as errors:
            self.process = subprocess.Popen(
                argv + list(args), cwd=cwd or box.project, env=environment(box, model, **(env or {})),
                stdin=subprocess.PIPE if dialogue else subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors,
                start_new_session=True)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        box.on_close(self.end)
        box.note("claude", self.story)
        if dialogue and prompt:
            self.prompt(prompt)

    def _read(self):
        for line in self.process.stdout:
            try:
                value = json.loads(line)
            except ValueError:
                value = {"type": "unparsed", "line": line.decode(errors="replace")}
            with self.changed:
                self.lines.append(value)
                self.changed.notify_all()

    def send(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def prompt(self, text):
        content = {"role": "user", "content": text}
        self.send({"type": "user", "message": content, "parent_tool_use_id": None, "session_id": ""})

    def control(self, number, **request):
        """Sends a control request and waits until the client has acknowledged it."""
        self.send({"type": "control_request", "request_id": str(number), "request": request})
        answer = self.line(
            lambda l: l.get("type") == "control_response" and l["response"].get("request_id") == str(number),
            f"an answer to {request}")
        assert answer["response"]["subtype"] == "success", answer
        return answer

    def line(self, probe, what, timeout=15.0):
        def find():
            return next((line for line in self.lines if probe(line)), None)

        return await_condition(self.changed, find, lambda: f"{what}\n{self.story()}", timeout)

    def turn_ends(self, count=1, timeout=15.0):
        """Waits for the end of the `count`th turn and returns its result line."""
        def ended():
            results = [line for line in self.lines if line.get("type") == "result"]
            return results[count - 1] if len(results) >= count else None

        return await_condition(self.changed, ended, lambda: f"turn {count} to end\n{self.story()}", timeout)

    def finish(self, timeout=20.0):
        """Waits for the process to leave by itself and returns its last result line."""
        if self.process.stdin:
            self.process.stdin.close()
        try:
            self.process.wait(timeout * PATIENCE)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"claude did not finish in {timeout * PATIENCE} s\n{self.story()}") from None
        self._reader.join(5)
        return next((line for line in reversed(self.lines) if line.get("type") == "result"), None)

    @property
    def session_id(self):
        return self.line(lambda l: l.get("type") == "system" and "session_id" in l, "a session id")["session_id"]

    def story(self):
        text = "\n".join(json.dumps(line)[:600] for line in self.lines)
        return f"{text}\n-- stderr --\n{self._errors.read_text(errors='replace')[-2000:]}"

    def end(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(5 * PATIENCE)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait(5 * PATIENCE)
        for stream in (self.process.stdin, self.process.stdout):
            if stream:
                stream.close()
