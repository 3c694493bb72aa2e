#!/usr/bin/env python3
"""A scripted stand-in for Claude Code as the daemon runs it: `fake_agent.py FOLDER [arguments of Claude Code]`.

`FOLDER/scenario.json` is a list with the scenario of each process, whose last one also counts for those behind it. A scenario
has steps for what comes in: `start`, `initialize`, `prompts` (one list for each prompt of this process, the last one also
for those behind it), `interrupt` and `end_session`. A step is a name, or a list of a name and its arguments; the methods
of `Steps` are the names. What comes in is kept in `FOLDER/heard.jsonl`, and a line with the number of each process in
`FOLDER/started`.
"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import time
import uuid

WELL_BEHAVED = {
    "start": [],
    "initialize": ["ready"],
    "prompts": [["begin", ["say", "done"], "end"]],
    "interrupt": ["answer"],
    "end_session": ["answer", ["leave", 0]],
}


class Steps:
    """What an agent can do."""

    def __init__(self, folder, arguments):
        self.folder, self.arguments = pathlib.Path(folder), arguments
        with open(self.folder / "started", "a") as file:
            file.write(f"{os.getpid()}\n")
        number = len((self.folder / "started").read_text().splitlines())
        scenarios = json.loads((self.folder / "scenario.json").read_text())
        self.scenario = {**WELL_BEHAVED, **scenarios[min(number, len(scenarios)) - 1]}
        options = dict(word.split("=", 1) for word in arguments if "=" in word)
        self.conversation = options.get("--session-id") or options["--resume"]
        self.prompt = self.request = None
        self.answers, self.later, self.prompts = {}, [], 0
        self._input = b""

    # Coming in

    def run(self):
        self.do(self.scenario["start"])
        while True:
            self.handle(self.later.pop(0) if self.later else self.receive())

    def receive(self):
        while b"\n" not in self._input:
            read = os.read(0, 1 << 20)
            if not read:
                sys.exit(0)
            self._input += read
        line, self._input = self._input.split(b"\n", 1)
        if not line.strip():
            return {}
        message = json.loads(line)
        with open(self.folder / "heard.jsonl", "a") as file:
            file.write(json.dumps(message) + "\n")
        return message

    def handle(self, message):
        match message.get("type"):
            case "user":
                self.prompt = message
                self.prompts += 1
                steps = self.scenario["prompts"]
                self.do(steps[min(self.prompts, len(steps)) - 1])
            case "control_request":
                self.request = message["request_id"]
                self.do(self.scenario.get(message["request"]["subtype"], ["answer"]))
            case "control_response":
                self.answers[message["response"]["request_id"]] = message["response"]

    def do(self, steps):
        for step in steps:
            name, *arguments = [step] if isinstance(step, str) else step
            getattr(self, name)(*arguments)

    # Steps: what is said in order

    def ready(self):
        self.line({"type": "control_response", "response": {
            "subtype": "success", "request_id": self.request, "response": {"commands": [], "models": [], "pid": os.getpid()}}})

    def answer(self):
        self.line({"type": "control_response", "response": {
            "subtype": "success", "request_id": self.request, "response": {}}})

    def refuse(self, why):
        self.line({"type": "control_response", "response": {"subtype": "error", "request_id": self.request, "error": why}})

    def lifecycle(self, state, prompt=None):
        self.line({"type": "command_lifecycle", "command_uuid": prompt or self.prompt["uuid"], "state": state})

    def state(self, state):
        self.line({"type": "system", "subtype": "session_state_changed", "state": state})

    def turn(self):
        self.line({"type": "system", "subtype": "init", "cwd": os.getcwd(), "model": "fake", "permissionMode": "default",
                   "tools": ["Bash"], "claude_code_version": "2.1.330"})

    def begin(self):
        """Takes the prompt up."""
        self.state("running")
        self.lifecycle("queued")
        self.lifecycle("started")
        self.turn()
        self.line({"type": "user", "message": self.prompt["message"], "isReplay": True, "uuid": self.prompt["uuid"]})

    def say(self, text):
        self.line({"type": "assistant", "parent_tool_use_id": None, "message": {
            "id": "msg_1", "type": "message", "role": "assistant", "model": "fake", "stop_reason": None,
            "content": [{"type": "text", "text": text}], "usage": {"input_tokens": 1, "output_tokens": 1}}})

    def spell(self, count, kinds=("text",)):
        """Says a text in pieces, the numbers from 0 on, of these kinds in turn."""
        for number in range(count):
            kind = kinds[number % len(kinds)]
            name = "text" if kind == "text" else "thinking"
            self.line({"type": "stream_event", "parent_tool_use_id": None, "event": {
                "type": "content_block_delta", "index": 0, "delta": {"type": f"{name}_delta", name: f"{number} "}}})

    def result(self, reason="completed", **more):
        self.line({"type": "result", "subtype": "success", "is_error": False, "result": "done", "num_turns": 1,
                   "terminal_reason": reason, "total_cost_usd": 0.0, **more})

    def end(self):
        """Is done with the prompt."""
        self.result()
        self.lifecycle("completed")
        self.state("idle")

    def ask(self, request, command, call):
        """Asks whether a command may run."""
        self.state("requires_action")
        self.line({"type": "control_request", "request_id": request, "request": {
            "subtype": "can_use_tool", "tool_name": "Bash", "input": {"command": command}, "tool_use_id": call}})

    def take_back(self, request):
        self.line({"type": "control_cancel_request", "request_id": request})

    def demand(self, request, subtype):
        """Asks for something else."""
        self.line({"type": "control_request", "request_id": request, "request": {"subtype": subtype}})

    def answered(self, request):
        """Waits for the answer to a question of its own; what else comes waits."""
        while request not in self.answers:
            message = self.receive()
            self.handle(message) if message.get("type") == "control_response" else self.later.append(message)
        self.state("running")

    # Steps: what no agent should do

    def line(self, value):
        """Prints a line; in a text `$prompt` stands for the id of the prompt."""
        text = json.dumps({"uuid": str(uuid.uuid4()), "session_id": self.conversation, **value})
        self.raw(text.replace("$prompt", self.prompt["uuid"] if self.prompt else "") + "\n")

    def raw(self, text):
        """Prints bytes, each given as the character of its number. Where the disk is full it tries again."""
        left = text.encode("latin-1")
        while left:
            try:
                left = left[os.write(1, left):]
            except OSError:
                (self.folder / "no room").touch()
                time.sleep(0.02)

    def pour(self, megabytes, end=""):
        """Prints as much as that, and the end of a line."""
        for _ in range(megabytes):
            self.raw("x" * (1 << 20))
        self.raw(end)

    def shut(self):
        """Closes its input, and does not end."""
        os.close(0)

    def begin_other(self):
        """Starts a program that goes on without it."""
        subprocess.Popen(["sleep", "600"], start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)

    def complain(self, text, times=1):
        for _ in range(times):
            os.write(2, text.encode())

    def wait(self, name):
        """Waits for a file, and reads nothing meanwhile."""
        (self.folder / f"{name} is awaited").touch()
        while not (self.folder / name).exists():
            time.sleep(0.01)

    def chatter(self, name):
        """Says something until there is a file."""
        (self.folder / f"{name} is awaited").touch()
        while not (self.folder / name).exists():
            self.say("more")
            time.sleep(0.05)

    def hang(self):
        self.wait("never")

    def outlive(self, name):
        """From now on goes on after this signal, and makes a file with its name."""
        signal.signal(getattr(signal, name), lambda *_: (self.folder / name).touch())

    def leave(self, status):
        os._exit(status)

    def die(self):
        os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    if "--version" in sys.argv:
        print("2.1.330 (Claude Code)")
    else:
        Steps(sys.argv[1], sys.argv[2:]).run()
