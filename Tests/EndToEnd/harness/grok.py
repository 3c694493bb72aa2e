"""The real Grok CLI without a terminal, in a sandbox, talking to a model that plays a script.

It reads the hooks of `~/.claude/settings.json`, whatever CLAUDE_CONFIG_DIR says, so its tests install them there.
"""
import http.server
import json
import os
import pathlib
import signal
import subprocess
import threading

from .waiting import PATIENCE

CONFIG = """
[models]
default = "script"
[model.script]
model = "script"
name = "script"
base_url = "http://127.0.0.1:%d/v1"
api_key = "dummy-local"
context_window = 100000
[features]
telemetry = false
[cli]
auto_update = false
[marketplace]
default_skills_installs_purged = true
"""

# Where Claude Code's settings are for somebody who did not move them.
AT_HOME = {"CLAUDE_CONFIG_DIR": None}


def binary():
    import grok_cli_bin

    path = pathlib.Path(grok_cli_bin.bundled_grok_path())
    if not os.access(path, os.X_OK):
        path.chmod(0o755)
    return path


def line(command, number):
    """A call of Grok's shell tool."""
    return {"id": f"call_{number}", "type": "function", "function": {
        "name": "run_terminal_command", "arguments": json.dumps({"command": command, "description": "scripted"})}}


class Script:
    """Chat completions: one call after another, then a text. Which comes next is counted in the request itself."""

    def __init__(self, *commands):
        self.calls = [line(command, number) for number, command in enumerate(commands)]
        self.results = []
        script = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do_GET(self):
                self.reply("application/json", b'{"data":[]}')

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)))
                self.reply("text/event-stream", script.stream(body))

            def reply(self, kind, data):
                self.send_response(200)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def stream(self, body):
        told = [message["content"] for message in body.get("messages", []) if message["role"] == "tool"]
        if len(told) >= len(self.results):
            self.results = [content if isinstance(content, str) else json.dumps(content) for content in told]
        # It asks for a title too, with one tool.
        wants_calls = len(body.get("tools") or []) > 1 and len(told) < len(self.calls)
        delta = {"role": "assistant", **({"tool_calls": [{"index": 0, **self.calls[len(told)]}]} if wants_calls
                                         else {"content": "done"})}
        chunk = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "script"}
        chunks = [
            {**chunk, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]},
            {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls" if wants_calls else "stop"}]},
            {**chunk, "choices": [], "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}},
        ]
        return "".join(f"data: {json.dumps(part)}\n\n" for part in chunks).encode() + b"data: [DONE]\n\n"

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class Grok:
    """One `grok -p` process."""

    def __init__(self, box, *commands, args=("--always-approve",), env=None):
        self.box, self.script = box, Script(*commands)
        box.on_close(self.script.close)
        own = box.home / ".grok"
        own.mkdir(exist_ok=True)
        (own / "config.toml").write_text(CONFIG % self.script.port)
        self.log = box.root / "grok.txt"
        with open(self.log, "wb") as sink:
            self.process = subprocess.Popen(
                [str(binary()), "-p", "go", *args], cwd=box.project, env=box.env(**{**AT_HOME, **(env or {})}),
                stdin=subprocess.DEVNULL, stdout=sink, stderr=sink, start_new_session=True)
        box.on_close(self.end)
        box.note("grok", self.story)

    def finish(self, timeout=30.0):
        """Waits for its end, and returns what it told the model of its calls, in their order."""
        try:
            self.process.wait(timeout * PATIENCE)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"grok did not finish in {timeout} s\n{self.story()}") from None
        return self.script.results

    def story(self):
        return f"{self.log.read_text(errors='replace')[-2000:]}\ntold to the model: {self.script.results}"

    def end(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait(5 * PATIENCE)
