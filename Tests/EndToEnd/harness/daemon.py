"""`cdev`, from a build directory, in a sandbox."""
import json
import os
import pathlib
import signal
import socket
import subprocess
import threading

from . import events, http1
from .approver import Approver, Local
from .hooks import Session
from .waiting import PATIENCE, await_condition, until

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]


def build_directory():
    """Where the programs are: CDEV_BIN_DIR, else the debug build of this tree."""
    return pathlib.Path(os.environ.get("CDEV_BIN_DIR", REPOSITORY / ".build" / "debug")).resolve()


def reserved_port(box):
    """A port that no other process is given by the system until the box closes. A listener that says where it listens, and
    sets SO_REUSEADDR as the daemon and nginx do, gets it all the same, as often as it starts."""
    holder = socket.socket()
    holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    holder.bind(("127.0.0.1", 0))
    box.on_close(holder.close)
    return holder.getsockname()[1]


class Cdev:
    """The command in one sandbox: runs its subcommands, and one `serve` at a time."""

    def __init__(self, box, programs=None):
        self.box = box
        self.programs = pathlib.Path(programs or build_directory())
        self.port = reserved_port(box)
        self.socket = box.cdev_home / "cdev.sock"
        self.process = None
        # What the daemon's environment has besides the sandbox's.
        self.environment = {}
        self._starts = 0
        self._approvers = []
        box.on_close(self.end)
        box.note("daemon", self.story)

    # The command

    def run(self, *words, timeout=20.0, env=None, stdin=None, cwd=None):
        """Runs a subcommand to its end."""
        argv = [str(self.programs / "cdev"), *map(str, words)]
        return subprocess.run(argv, cwd=cwd or self.box.project, env=self.box.env(**(env or {})), input=stdin,
                              stdin=None if stdin is not None else subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=timeout * PATIENCE)

    def ok(self, *words, **options):
        """Runs a subcommand that must succeed, and returns what it printed."""
        done = self.run(*words, **options)
        assert done.returncode == 0, f"{words}: {done.returncode}\n{done.stdout}{done.stderr}"
        return done.stdout

    def json(self, *words, **options):
        value = json.loads(self.ok(*words, "--json", **options))
        assert "version" in value, value
        return value

    def history(self, session_id=None, **options):
        """What was decided, as `cdev log --json` lists it."""
        words = ["--session", session_id] if session_id else []
        return self.json("log", *words, **options)["requests"]

    def spawn(self, *words, env=None):
        """Starts a subcommand that goes on, such as one with `--follow`."""
        process = subprocess.Popen(
            [str(self.programs / "cdev"), *map(str, words)], env=self.box.env(**(env or {})), cwd=self.box.project,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True)
        return Output(process, self.box)

    def configure(self, **values):
        """Writes `config.json`; before `start`, which reads it."""
        self.box.cdev_home.mkdir(mode=0o700, exist_ok=True)
        (self.box.cdev_home / "config.json").write_text(json.dumps(values))

    # The daemon

    def start(self, *options, **config):
        """Starts `serve` and returns once its doors are open."""
        assert self.process is None or self.process.poll() is not None, "it runs already"
        if config.get("notify") and "public_url" not in config:
            # Links that lead to this machine only would not count as a way to answer, unless somebody says so.
            config["public_url"] = f"http://127.0.0.1:{self.port}"
        if config or not (self.box.cdev_home / "config.json").exists():
            # Most tests are about calls that are held before Claude's own dialog, although somebody sits at it.
            config.setdefault("gate", "tool-call")
            # On a busy machine a test may take minutes. Only where it sets the time does the clock end its calls.
            config.setdefault("permission_timeout_seconds", 600)
            self.configure(**{key: value for key, value in config.items() if value is not None})
        self._starts += 1
        log = self.box.root / f"serve-{self._starts}.txt"
        self.output = log
        with open(log, "wb") as sink:
            self.process = subprocess.Popen(
                [str(self.programs / "cdev"), "serve", "--port", str(self.port), *map(str, options)],
                env=self.box.env(**self.environment), cwd=self.box.home, stdin=subprocess.DEVNULL, stdout=sink, stderr=sink,
                start_new_session=True)
        until(self._answers, lambda: f"the daemon to answer\n{self.story()}", 10)
        events.learn(self.local.call)
        return self

    def _answers(self):
        assert self.process.poll() is None, f"serve left with {self.process.returncode}\n{self.story()}"
        try:
            return all(http1.ask(door, "GET", "/health", timeout=2).status == 200 for door in (self.socket, self.tcp))
        except OSError:
            return False

    @property
    def tcp(self):
        return ("127.0.0.1", self.port)

    def stop(self, number=signal.SIGTERM, timeout=10.0):
        """Ends the daemon with a signal and returns its exit status."""
        self.process.send_signal(number)
        return self.process.wait(timeout * PATIENCE)

    def kill(self):
        return self.stop(signal.SIGKILL)

    def end(self):
        if self.process and self.process.poll() is None:
            self.kill()

    def log(self):
        """Everything it has said: to its terminal and to its log file."""
        parts = [path.read_text(errors="replace") for path in sorted(self.box.root.glob("serve-*.txt"))]
        parts += [path.read_text(errors="replace") for path in sorted(self.box.cdev_home.glob("server.log*"))]
        return "\n".join(parts)

    def story(self):
        return self.log()[-4000:]

    # Who talks to it

    def token(self, name="phone", rights=None):
        """As `cdev token create` does, which is tested by itself: without a process for each test."""
        return self.local.call("token/create", {"name": name, **({"rights": rights} if rights else {})})["token"]

    def approver(self, name="phone", token=None, port=None, **options):
        made = Approver(port or self.port, token or self.token(name), name=name, **options)
        self._approvers.append(made)
        self.box.on_close(made.close)
        self.box.note(f"heard by {name}", made.story)
        return made

    def faults_of_events(self):
        """What is wrong with the events that approvers were sent, by the daemon's own document."""
        return [fault for approver in self._approvers for event in list(approver.events) for fault in events.faults(event)]

    @property
    def local(self):
        return Local(self.socket)

    def session(self, **options):
        """A made-up Claude session at the Unix socket."""
        options.setdefault("cwd", self.box.project)
        return Session(self.socket, **options)


class Output:
    """A running subcommand whose lines can be waited for."""

    def __init__(self, process, box):
        self.process, self.lines = process, []
        self.changed = threading.Condition()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        box.on_close(self.end)
        box.note(f"output of {process.args[1:]}", lambda: "".join(self.lines))

    def _read(self):
        for line in self.process.stdout:
            with self.changed:
                self.lines.append(line)
                self.changed.notify_all()

    def shows(self, text, timeout=10.0):
        def find():
            return next((line for line in self.lines if text in line), None)

        return await_condition(self.changed, find, lambda: f"{text!r} in {self.lines}", timeout)

    def end(self, number=signal.SIGTERM):
        if self.process.poll() is None:
            self.process.send_signal(number)
            try:
                self.process.wait(5 * PATIENCE)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait(5 * PATIENCE)
        self._reader.join(2)
        self.process.stdout.close()
        return self.process.returncode
