"""A workspace with something of everything, and surroundings that no client may see."""
import hashlib
import os
import subprocess

# Stands in every file outside, and nowhere else.
CANARY = "canary-b41d9f"
# Stands in sensitive files inside.
SECRET = "secret-77c0ae"


class Folder:
    """A directory that is added as a workspace: `path` and, once added, `id`."""

    def __init__(self, box, name="space"):
        self.path = box.root / name
        self.outside = box.root / f"{name}-outside"
        self.id = None
        (self.path / "src" / "deep").mkdir(parents=True)
        self.outside.mkdir()
        (self.outside / "f").write_text(CANARY)
        (self.path / "README.md").write_text("# Space\n")
        (self.path / "src" / "main.ts").write_text("import { App } from './app';\n")
        (self.path / "src" / "deep" / "x.txt").write_text("deep\n")
        (self.path / "image.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
        (self.path / ".env").write_text(SECRET)
        (self.path / "notes").symlink_to(".env")
        (self.path / "way-out").symlink_to(self.outside)
        (self.path / "leaf").symlink_to(self.outside / "f")
        (self.path / "src" / "up").symlink_to("../../" + self.outside.name)
        os.mkfifo(self.path / "pipe")
        self.git(box, "init", "-q")
        self.git(box, "add", "README.md", "src")

    def git(self, box, *words):
        subprocess.run(["git", *words], cwd=self.path, env=box.env(), check=True, capture_output=True)

    def add(self, cdev):
        added = cdev.local.call("workspace/add", {"name": "space", "path": str(self.path)})
        self.id = added.get("id") or added["workspace"]["id"]
        return self


class Surroundings:
    """Everything of the sandbox outside the workspace that nobody has a reason to change."""

    def __init__(self, box, space):
        self.places = [space.outside, box.home, box.config, box.project]
        self.before = self.now()

    def now(self):
        files = [file for place in self.places for file in [place, *sorted(place.rglob("*"))]]
        return {str(file): self._state(file) for file in files}

    @staticmethod
    def _state(file):
        facts = file.lstat()
        content = hashlib.sha256(file.read_bytes()).hexdigest() if file.is_file() and not file.is_symlink() else ""
        return facts.st_mode, facts.st_size, facts.st_mtime_ns, content

    def are_untouched(self):
        assert self.now() == self.before
