"""Sessions that the daemon runs with a scripted agent in place of Claude Code, a scenario for each workspace."""
import json
import pathlib
import sys
import uuid

from .runs import Runs, with_mark
from .waiting import until

# The steps for a prompt that is run.
GOOD = ["begin", ["say", "done"], "end"]
PROGRAM = pathlib.Path(__file__).parent / "fake_agent.py"


class Agents(Runs):
    """The daemon with one session whose agent plays a scenario, and another whose agent does everything right."""

    def __init__(self, box, cdev):
        self.box, self.cdev = box, cdev
        box.on_close(self.end)
        self.folders = box.root / "agents"
        # The agent of a workspace has the folder with its name.
        self.program = box.stub(
            "agent", f'exec {sys.executable} {PROGRAM} "{self.folders}/$(basename "$PWD")" "$@"')

    def begin(self, *scenarios, program=None, **config):
        """Starts the daemon. A scenario names what is other than in a good one (see `fake_agent`)."""
        self.cdev.start(claude=str(program or self.program), **config)
        self.is_back = False
        self.token = self.call("token/create", name="driver", rights="drive")["token"]
        self.driver = self.cdev.approver("driver", token=self.token)
        self.folder, self.workspace = self.place("odd", scenarios)
        return self

    def restart(self, meanwhile=lambda: None):
        """The daemon is killed, and starts again behind what happens meanwhile."""
        self.cdev.kill()
        meanwhile()
        self.cdev.start()
        self.is_back = True
        self.driver = self.cdev.approver("driver", token=self.token)

    def place(self, name, scenarios=()):
        """A workspace with its scenarios: the agent's folder, and its id."""
        folder = self.folders / name
        folder.mkdir(parents=True)
        (folder / "scenario.json").write_text(json.dumps(list(scenarios) or [{}]))
        (self.box.root / name).mkdir()
        self.box.note(f"heard by the agent {name}", lambda: self.told(folder))
        return folder, self.call("workspace/add", path=str(self.box.root / name))["id"]

    def told(self, folder=None):
        """What the agent was told, as text."""
        file = (folder or self.folder) / "heard.jsonl"
        return file.read_text() if file.exists() else ""

    def heard(self, kind=None):
        """The messages that the agent was sent: all, or those of a type."""
        messages = [json.loads(line) for line in self.told().splitlines()]
        return [message for message in messages if kind is None or message["type"] == kind]

    def prompts_heard(self):
        return [message["uuid"] for message in self.heard("user")]

    def answer_heard(self, request):
        """What the agent was answered to a question or demand of its own, once it was."""
        def found():
            return next((m["response"] for m in self.heard("control_response") if m["response"]["request_id"] == request), None)

        return until(found, lambda: f"an answer to {request}; heard {self.heard()}", 20)

    def awaits(self, name):
        """Waits until the agent waits for this file."""
        until((self.folder / f"{name} is awaited").exists, lambda: f"the agent to wait for {name}; {self.cdev.story()}", 20)

    def let(self, name):
        (self.folder / name).touch()

    def prompt(self, text="go", timeout=15.0):
        """Sends a prompt with an id of its own, and returns the id."""
        number = str(uuid.uuid4())
        params = {"session_id": self.session["id"], "prompt": text, "prompt_id": number}
        self.cdev.local.call("session/send", params, timeout=timeout)
        return number

    def fate(self, number):
        """What the daemon says of a prompt that was sent."""
        return self.send("again", prompt_id=number)

    def ends(self, number, status, timeout=20):
        """Waits for the end of a prompt, which stays as it is and was told once, and returns what was said of it."""
        said = until(lambda: self.ended(number), lambda: f"{number} to end: {self.state()}\n{self.cdev.story()}", timeout)
        assert said["status"] == status, said
        assert self.fate(number) == said
        self.driver.settle()
        heard = self.driver.heard("claude_status", id=self.session["id"])
        has_it = [any(prompt["prompt_id"] == number for prompt in event["prompts"]) for event in heard]
        ends = [before for before, after in zip(has_it, has_it[1:] + [False]) if before and not after]
        # Before the driver came back it may have ended, unseen.
        assert len(ends) == 1 or self.is_back and not ends, heard
        return said

    def cards(self):
        """What the session asks at this moment: the ids of its calls."""
        asked = self.call("permission/pending")["requests"]
        return [card["tool_use_id"] for card in asked if card["session_id"] == self.state()["claude_session_id"]]

    def goes_on(self):
        """The session takes another prompt, and the agent runs it."""
        self.ends(self.prompt(), "completed")
        self.becomes("idle")

    def ended(self, number):
        said = self.fate(number)
        return said["status"] != "sent" and said

    def processes(self):
        """Those that this session has, with what they started."""
        return with_mark(self.session["id"])

    def is_gone(self, timeout=20):
        """The session has no process any more."""
        until(lambda: not self.processes(), lambda: f"no process: {self.processes()} {self.cdev.story()}", timeout)

    def stop(self, timeout=30):
        self.call("session/stop", session_id=self.session["id"])
        until(lambda: self.state()["status"] == "stopped", lambda: f"the child to end: {self.cdev.story()}", timeout)
        self.is_gone()


class Bystanders:
    """A session of a good agent and one of a terminal, which must not notice what happens to another."""

    def __init__(self, agents):
        self.agents = agents
        self.folder, workspace = agents.place("good")
        self.id = agents.driver.call("session/start", {"workspace_id": workspace})["id"]
        self.terminal = agents.cdev.session(cwd=agents.box.project)
        self.terminal.start()
        self.notice_nothing()
        self.process = with_mark(self.id)

    def notice_nothing(self):
        """A prompt of the one is run, and a call of the other is asked about and answered."""
        call, number = self.agents.call, str(uuid.uuid4())
        held = self.terminal.bash("touch x")
        sent = {"session_id": self.id, "prompt": "go", "prompt_id": number}
        assert call("session/send", **sent)["status"] == "sent"
        driver = self.agents.driver
        driver.respond(driver.card(tool_use_id=held.tool_use_id), "allow")
        assert held.decision() == "allow"
        until(lambda: call("session/send", **sent)["status"] == "completed", "the bystander's prompt to be run", 10)
        until(lambda: call("session/state", session_id=self.id)["claude_state"] == "idle", "the bystander to be idle", 10)

    def noticed_nothing(self):
        """And the agent has the process of the beginning, and was told each prompt once."""
        self.notice_nothing()
        assert with_mark(self.id) == self.process
        told = [json.loads(line)["uuid"] for line in self.agents.told(self.folder).splitlines() if '"user"' in line]
        assert len(told) == len(set(told))
