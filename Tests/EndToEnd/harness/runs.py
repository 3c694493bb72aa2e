"""Sessions that the daemon runs."""
import os
import pathlib
import signal

from . import claude as claude_cli
from .waiting import until


def children(box):
    """The agents: the processes whose input is a FIFO of a run session. What an agent starts has its input for a moment."""
    found = {}
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if os.readlink(process / "fd" / "0").startswith(str(box.cdev_home / "sessions")):
                found[int(process.name)] = parent(process)
        except OSError:
            continue
    return [pid for pid in found if found[pid] not in found]


def parent(process):
    """Behind the program's name, which may hold anything, come the state and the parent."""
    return int((process / "stat").read_text().rpartition(")")[2].split()[1])


def only_child(box):
    return until(lambda: len(found := children(box)) == 1 and found, lambda: f"one child: {children(box)}")[0]


def with_mark(session):
    """The processes that were started for a session, whoever their parent is now."""
    found = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if f"CDEV_RUN={session} ".encode() in (process / "environ").read_bytes():
                found.append(int(process.name))
        except OSError:
            continue
    return found


class Runs:
    """The daemon, and what it runs."""

    def __init__(self, box, cdev):
        self.box, self.cdev = box, cdev
        box.on_close(self.end)
        (box.stubs / "claude").symlink_to(claude_cli.binary())

    def begin(self, model, **config):
        self.cdev.environment = claude_cli.environment(self.box, model)
        self.cdev.start(**config)
        self.driver = self.cdev.approver("driver", token=self.call("token/create", name="driver", rights="drive")["token"])
        self.workspace = self.call("workspace/add", path=str(self.box.project))["id"]
        return self

    def call(self, method, **params):
        return self.cdev.local.call(method, params)

    def start(self, **params):
        self.session = self.driver.call("session/start", {"workspace_id": self.workspace, **params})
        return self.session["id"]

    def send(self, prompt, **params):
        return self.call("session/send", session_id=self.session["id"], prompt=prompt, **params)

    def state(self):
        return self.call("session/state", session_id=self.session["id"])

    def becomes(self, state, timeout=20):
        until(lambda: self.state()["claude_state"] == state, lambda: f"{state}: {self.state()}\n{self.cdev.story()}", timeout)
        return self.state()

    def stop(self):
        self.call("session/stop", session_id=self.session["id"])
        until(lambda: self.state()["status"] == "stopped", lambda: f"the child to end: {self.cdev.story()}", 20)
        assert not children(self.box)

    def end(self):
        for pid in children(self.box):
            os.kill(pid, signal.SIGKILL)
