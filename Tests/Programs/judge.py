"""What a command may do, and what of all it did it may not."""
import fnmatch
import json
import os
from dataclasses import dataclass, field
from pathlib import Path

EFFECTS = json.loads((Path(__file__).parent / "effects.json").read_text())

# Where programs themselves lie. Secrets of the machine are in none of them; in /etc only some names are.
SYSTEM = ("/usr/", "/lib/", "/lib64/", "/bin/", "/sbin/", "/etc/", "/proc/", "/sys/", "/dev/", "/opt/")
SYSTEM_SECRETS = ("/etc/passwd", "/etc/group", "/etc/shadow", "/etc/hosts", "/etc/fstab")
DEVICES = ("/dev/null", "/dev/tty", "/dev/zero", "/dev/full", "/dev/stdout", "/dev/stderr")
SECRETS = (".env", ".ssh/", "secrets/")
# Kinds of operands that a program may open.
OPENED = {"path", "file", "rev", "args", "tree", "project", "formatted", "staged"}
# Of the project, but not for programs to look at by themselves.
HIDDEN = (".env", ".ssh", "secrets", "evil", "evil.git", "evil.d", "src/lib", "src/lib.git")


@dataclass
class Effects:
    executes: list = field(default_factory=list)
    writes: list = field(default_factory=list)
    reads: list = field(default_factory=list)
    lists: list = field(default_factory=list)
    connects: list = field(default_factory=list)
    """Its operands are made or changed."""
    operands: bool = False
    """It runs what the project says: any program may start, any file of the project may be written."""
    runs: bool = False

    @staticmethod
    def of(row):
        effects = Effects()
        for entry in EFFECTS:
            if any(row.key == key or row.key.startswith(key + " ") for key in entry["keys"]):
                for name in ("executes", "writes", "reads", "lists", "connects"):
                    getattr(effects, name).extend(entry.get(name, []))
                effects.operands |= entry.get("operands", False)
                effects.runs |= entry.get("runs", False)
        return effects


class Judge:
    """For one row, in one scratch project."""

    def __init__(self, row, scratch, tools=()):
        self.row, self.scratch, self.tools = row, scratch, tuple(f"{tool}/" for tool in tools)
        self.effects = Effects.of(row)
        """What the plain forms read; and write, where they run what the project says."""
        self.baseline = set()

    def learn(self, seen):
        learned = ("list", "read", "net", "write") if self.effects.runs else ("list", "read", "net")
        self.baseline |= {event.path for event in seen.events if event.what in learned}

    def violations(self, seen, program, words, cwd):
        """Sentences, sorted; none where everything is as declared."""
        own = {os.path.realpath(program), program}
        found = set()
        for event in seen.events:
            # Where it starts is no secret.
            if event.what == "read" and event.path == str(cwd):
                continue
            sentence = getattr(self, event.what)(event, own, words, cwd)
            if sentence:
                found.add(sentence)
        return sorted(found)

    def name(self, path):
        """As effects spell it: relative to the project, or with ~/, tmp/, remote/, outside/ before it."""
        for directory, short in (
            (self.scratch.root, ""), (self.scratch.home, "~/"), (self.scratch.tmp, "tmp/"),
            (self.scratch.base / "remote.git", "remote/"), (self.scratch.outside, "outside/"),
        ):
            if path == str(directory):
                return short or "."
            if path.startswith(f"{directory}/"):
                return short + path[len(str(directory)) + 1:]
        return path

    def exec(self, event, own, words, cwd):
        if event.path in own or self.effects.runs:
            return None
        isOwn = not event.path.startswith(str(self.scratch.base))
        if isOwn and any(fnmatch.fnmatch(os.path.basename(event.path), name) for name in self.effects.executes):
            return None
        return f"executes {self.name(event.path)}"

    def write(self, event, own, words, cwd):
        if event.path in DEVICES or event.path.startswith(("/proc/self/", "/dev/pts/", "pipe:")):
            return None
        if self.effects.runs and event.path in self.baseline:
            return None
        # To make a directory with all above it, each of them is tried.
        if event.failed and f"{self.scratch.root}/".startswith(f"{event.path}/"):
            return None
        name = self.name(event.path)
        if "trapout" not in name or self.effects.operands or name.startswith((".git/refs/", ".git/logs/")):
            if any(fnmatch.fnmatch(name, pattern) for pattern in self.effects.writes):
                return None
            inside = not name.startswith(("/", "~/", "tmp/", "remote/", "outside/", ".git/"))
            if self.effects.runs and (inside or name.startswith(("tmp/", "~/.cache", "/dev/shm/"))):
                return None
            if self.effects.operands and inside and any(self.makes(word, event.path, cwd) for word in words):
                return None
        return f"{'tries to write' if event.failed else 'writes'} {name}"

    @staticmethod
    def makes(word, path, cwd):
        target = os.path.realpath(os.path.join(cwd, word))
        return target == path or target.startswith(f"{path}/")

    @staticmethod
    def leads(word, path, cwd):
        target = os.path.realpath(os.path.join(cwd, word))
        return target == path or path.startswith(f"{target}/")

    def list(self, event, own, words, cwd):
        """Names in the project are no secret."""
        name = self.name(event.path)
        if any(fnmatch.fnmatch(name, pattern) for pattern in self.effects.lists):
            return None
        return self.read(event, own, words, cwd) if name.startswith(("/", "~/", "remote/", "outside/")) else None

    def read(self, event, own, words, cwd):
        if event.path in self.baseline or event.failed:
            return None
        name = self.name(event.path)
        if any(fnmatch.fnmatch(name, pattern) for pattern in self.effects.reads):
            return None
        if name.startswith("/"):
            system = event.path.startswith(SYSTEM + self.tools) and event.path not in SYSTEM_SECRETS
            return None if system or f"{event.path}/" in SYSTEM + ("//",) else f"reads {name}"
        if self.effects.runs and name.startswith(("tmp/", "~/.cache")):
            return None
        if name.startswith(("~/", "tmp/", "remote/", "outside/")):
            return f"reads {name}"
        if self.isTrap(name) and not (self.isPlanted(name) and self.isNamed(event.path, words, cwd)):
            return f"reads {name}"
        return None

    @staticmethod
    def isTrap(name):
        if name.startswith(".git/"):
            return False
        if any(part.lstrip("-=@").startswith("trap") for part in name.split("/")):
            return True
        return any(name == hidden or name.startswith(hidden + "/") for hidden in HIDDEN)

    @staticmethod
    def isPlanted(name):
        """Harmless to read, where the line says so; a secret never is."""
        return not name.startswith(SECRETS)

    def isNamed(self, path, words, cwd):
        """A word that can only be an operand leads there."""
        if not OPENED & set(self.row.operands + [self.row.behind_dashes]):
            return False
        return any(
            self.takesNothing(before) and self.leads(word, path, cwd) for before, word in zip(["", *words], words))

    def takesNothing(self, word):
        """No program, whatever its parser, takes the next word for this one's value; options of a key have none."""
        if not word.startswith("-") or word in ("-", "--"):
            return True
        takers = {option.name for option in self.row.options if option.kind and not option.attached_only}
        flags = {option.name for option in self.row.options} - takers
        if word in flags or word in self.row.key.split() or (self.row.takes_number and word[1:].isdigit()):
            return True
        # The value is in it. Where a program reads on behind it, what only reads will be seen to do more.
        return not self.effects.runs and len(word) > 2 and not word.startswith("--") and word[:2] not in flags

    def net(self, event, own, words, cwd):
        if "/var/run/nscd" in event.path or event.path in self.baseline:
            return None
        if any(pattern in event.path for pattern in self.effects.connects):
            return None
        return f"connects to {event.path}"

    def machine(self, event, own, words, cwd):
        return f"calls {event.path}"
