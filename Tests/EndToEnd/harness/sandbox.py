"""A private place for one test: its own home, Claude configuration, daemon state, project and temporary directory.

Nothing here may touch the person's own files, so a sandbox refuses to exist inside a home directory, and every process is
started with the environment built here and nothing else.
"""
import contextlib
import json
import os
import pathlib
import pwd
import shutil
import signal
import subprocess
import tempfile

from .waiting import Late, until

SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin"
API_KEY = "dummy-local"


class NotPrivate(RuntimeError):
    """The sandbox would reach into something that belongs to a person."""


class Sandbox:
    def __init__(self, name="s"):
        # A Unix socket's path must stay under 108 bytes, so the root is short whatever TMPDIR says.
        base = os.environ.get("CDEV_E2E_TMP", "/tmp")
        self.root = pathlib.Path(tempfile.mkdtemp(prefix=f"e2e-{name}-", dir=base)).resolve()
        self.home = self.root / "home"
        self.config = self.root / "claude"
        self.cdev_home = self.root / "cdev"
        self.tmp = self.root / "tmp"
        self.stubs = self.root / "bin"
        self.project = self.root / "proj"
        self.notes = []
        self._closers = []
        self._refuse_if_shared()
        for directory in (self.home, self.config, self.tmp, self.stubs, self.project):
            directory.mkdir()
        subprocess.run(["git", "init", "-q", str(self.project)], env=self.env(), check=True)
        self.trust(self.project)

    def _refuse_if_shared(self):
        homes = {pathlib.Path(pwd.getpwuid(os.getuid()).pw_dir).resolve()}
        if os.environ.get("HOME"):
            homes.add(pathlib.Path(os.environ["HOME"]).resolve())
        for home in homes - {pathlib.Path("/")}:
            if self.root == home or home in self.root.parents:
                raise NotPrivate(f"{self.root} lies in {home}: set CDEV_E2E_TMP to a directory outside it")

    @property
    def settings(self):
        return self.config / "settings.json"

    def env(self, **extra):
        """The whole environment of a process in this sandbox. A value of None takes a variable away."""
        env = {
            "PATH": f"{self.stubs}:{SYSTEM_PATH}",
            "HOME": str(self.home),
            "CLAUDE_CONFIG_DIR": str(self.config),
            "CDEV_HOME": str(self.cdev_home),
            "TMPDIR": str(self.tmp),
            "LANG": "C.UTF-8",
            "TERM": "dumb",
            "SHELL": "/bin/bash",
        }
        env.update(extra)
        return {key: str(value) for key, value in env.items() if value is not None}

    def trust(self, project):
        """Writes Claude's state so that no first-run or trust dialog appears."""
        path = self.config / ".claude.json"
        state = json.loads(path.read_text()) if path.exists() else {}
        state.update(
            hasCompletedOnboarding=True,
            theme="dark",
            numStartups=5,
            customApiKeyResponses={"approved": [API_KEY[-20:]], "rejected": []},
        )
        entry = state.setdefault("projects", {}).setdefault(str(pathlib.Path(project).resolve()), {})
        entry.update(hasTrustDialogAccepted=True, hasCompletedProjectOnboarding=True)
        path.write_text(json.dumps(state))

    def stub(self, name, body):
        """A command on the PATH of everything in the sandbox, standing in for one this machine may lack."""
        path = self.stubs / name
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)
        return path

    def note(self, title, text):
        """Kept for the report of a failing test. `text` may be a function, called only then."""
        self.notes.append((title, text))

    def on_close(self, closer):
        self._closers.append(closer)

    def processes(self):
        """Ids of every process that runs in this sandbox, however it came to be."""
        mark = str(self.root).encode() + b"/"
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            if not entry.name.isdigit() or int(entry.name) == os.getpid():
                continue
            try:
                if mark in (entry / "environ").read_bytes():
                    found.append(int(entry.name))
            except OSError:
                continue
        return found

    def close(self):
        for closer in reversed(self._closers):
            try:
                closer()
            except Exception as error:  # one closer's failure must not leave the other processes running
                self.note("while closing", repr(error))
        self._end()
        shutil.rmtree(self.root, ignore_errors=True)

    def _end(self):
        """Nobody is asked to end first: what a program does then is tested where it matters, and takes a second or two."""
        def is_empty():
            left = self.processes()
            for pid in left:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            return not left

        try:
            until(is_empty, "the sandbox to be empty", 5.0)
        except Late as error:
            self.note("left running", f"{error}: {self.processes()}")
