"""A phone that observes: a workspace with a repository, a remote, and a transcript that the real Claude Code wrote."""
import json
import re

import pytest

from harness import claude as claude_cli
from harness.checks import delivered
from harness.fake_model import FakeModel, bash, say, use
from harness.git_calls import run
from harness.sandbox import Sandbox


@pytest.fixture(scope="session")
def recording():
    """Lines of a conversation of the real client, with the place where it was held: each test reads them in its own."""
    box = Sandbox("r")
    try:
        run(box.project, "commit", "-q", "--allow-empty", "-m", "first")
        run(box.project, "branch", "-M", "main")
        model = FakeModel(use(bash("touch a")), use(bash("touch b")), say("Both are there."))
        box.on_close(model.close)
        made = claude_cli.Headless(box, model, "please make two files", mode="bypassPermissions")
        delivered(made, "Both are there.")
        (file,) = (box.config / "projects").glob("*/*.jsonl")
        return Recording(str(box.project), made.session_id, file.read_text().splitlines())
    finally:
        box.close()


class Recording:
    def __init__(self, project, session_id, lines):
        self.project, self.session_id, self.lines = project, session_id, lines

    def within(self, project):
        """The lines as if it had been held there."""
        return [line.replace(self.project, str(project)) for line in self.lines]


class Transcript:
    """The file of a session, which grows as the real one does: whole lines, each with its line feed."""

    def __init__(self, box, recording, directory):
        self._made_of = (box, recording, directory)
        self.id, self.lines = recording.session_id, recording.within(directory)
        folder = box.config / "projects" / re.sub("[^A-Za-z0-9]", "-", str(directory))
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / f"{self.id}.jsonl"
        self.written = self.said = 0
        # Lines up to the first message.
        self.beginning = 1 + next(number for number, line in enumerate(self.lines) if '"type":"user"' in line)

    def write(self, count=None):
        """Appends so many of the recorded lines, by default all that are left."""
        end = len(self.lines) if count is None else self.written + count
        self.append(*self.lines[self.written:end])
        self.written = min(end, len(self.lines))
        return self

    def append(self, *lines):
        with open(self.path, "a") as file:
            file.write("".join(line + "\n" for line in lines))

    def goes_on(self):
        """Appends a further message in the form of the recorded ones."""
        model = next(json.loads(line) for line in reversed(self.lines) if '"type":"assistant"' in line)
        self.said += 1
        model["uuid"] = f"00000000-0000-4000-8000-{self.said:012d}"
        model["message"] = {**model["message"], "content": [{"type": "text", "text": f"line {self.said}"}]}
        self.append(json.dumps(model, separators=(",", ":")))

    def copy(self, session_id):
        """Of another session, whole."""
        box, recording, directory = self._made_of
        lines = [line.replace(recording.session_id, session_id) for line in recording.lines]
        return Transcript(box, Recording(recording.project, session_id, lines), directory).write()

    def uuids(self):
        """Those of its messages, in the order of the file."""
        found = [json.loads(line) for line in self.path.read_text().splitlines()]
        return [line["uuid"] for line in found if line.get("type") in ("user", "assistant") and "message" in line]


@pytest.fixture
def transcript(box, recording, repository):
    """Not yet written."""
    return Transcript(box, recording, repository.path)


class Repository:
    """A workspace's: three files committed and pushed to a bare `origin`, on `main`."""

    def __init__(self, path):
        self.path, self.remote = path, path.parent / "remote.git"
        run(path.parent, "init", "-q", "--bare", "-b", "main", self.remote)
        run(path, "config", "user.name", "Ann")
        run(path, "config", "user.email", "ann@example.org")
        for name in "README.md", "src/app.ts", "src/utils.ts":
            self.write(name, "one\n")
        self.commit("first")
        run(path, "branch", "-M", "main")
        run(path, "remote", "add", "origin", self.remote)
        run(path, "push", "-q", "-u", "origin", "main")

    def write(self, name, text):
        place = self.path / name
        place.parent.mkdir(exist_ok=True)
        place.write_text(text)

    def stage(self, *names):
        run(self.path, "add", *names)

    def commit(self, message):
        run(self.path, "add", "-A")
        run(self.path, "commit", "-q", "-m", message)

    def branch(self, name, file, text):
        """Another branch with a commit of its own; `main` stays checked out."""
        run(self.path, "checkout", "-q", "-b", name)
        self.write(file, text)
        self.commit("of the branch")
        run(self.path, "checkout", "-q", "main")

    def elsewhere(self, name, text):
        """Somebody else pushes a commit that writes that file."""
        other = self.path.parent / "other"
        run(self.path.parent, "clone", "-q", self.remote, other)
        (other / name).write_text(text)
        run(other, "commit", "-q", "-am", "of somebody else")
        run(other, "push", "-q")


@pytest.fixture
def repository(box):
    return Repository(box.project)


def token_of(cdev, name, rights):
    return cdev.local.call("token/create", {"name": name, "rights": rights})["token"]


@pytest.fixture
def device(bare):
    """Connects devices: `device("phone", "drive")`."""
    return lambda name, rights="approve", **options: bare.approver(name, token=token_of(bare, name, rights), **options)


@pytest.fixture
def workspace(bare, repository):
    """The id of the repository's workspace."""
    return bare.local.call("workspace/add", {"name": "my-project", "path": str(repository.path)})["id"]
