"""A program in a terminal: a private tmux server with its own socket, whose screen can be read and whose keys pressed."""
import re
import shlex
import subprocess

from .sandbox import SYSTEM_PATH
from .waiting import PATIENCE, Late, until


class Pane:
    def __init__(self, box, argv, variables, columns=150, rows=50, name="t"):
        """`argv` runs in the sandbox's project with exactly `variables`."""
        self.directory = box.tmp / f"tmux-{name}"
        self.directory.mkdir()
        self._socket = str(self.directory / "t")
        words = ["exec", "env", "-i", *(f"{key}={value}" for key, value in variables.items()), *map(str, argv)]
        script = self.directory / "run.sh"
        script.write_text(f"cd {shlex.quote(str(box.project))}\n" + " ".join(map(shlex.quote, words)) + "\n")
        self._environment = {"PATH": SYSTEM_PATH, "TERM": "xterm-256color", "LANG": "C.UTF-8", "HOME": str(box.home),
                             "TMPDIR": str(box.tmp)}
        box.on_close(self.close)
        box.note(f"terminal {name}", lambda: self.last)
        self.last = ""
        # What the program writes is kept from its first byte: the pipe is there before it starts.
        self._raw = self.directory / "raw"
        go = self.directory / "go"
        waiting = f"while [ ! -e {shlex.quote(str(go))} ]; do sleep 0.02; done; exec sh {shlex.quote(str(script))}"
        self._tmux("new-session", "-d", "-x", str(columns), "-y", str(rows), "-s", "s", waiting)
        self._tmux("set-option", "-g", "remain-on-exit", "on")
        self._tmux("pipe-pane", "-t", "s", f"cat > {shlex.quote(str(self._raw))}")
        self.pid = int(self._tmux("list-panes", "-t", "s", "-F", "#{pane_pid}").strip())
        go.touch()

    def _tmux(self, *words):
        argv = ["tmux", "-S", self._socket, "-f", "/dev/null", *words]
        return subprocess.run(argv, env=self._environment, capture_output=True, text=True, timeout=10 * PATIENCE).stdout

    def screen(self):
        drawn = self._tmux("capture-pane", "-p", "-t", "s")
        self.last = "\n".join(line.rstrip() for line in drawn.splitlines()).rstrip()
        return self.last

    def styled(self):
        """The screen with the sequences for its colours."""
        return self._tmux("capture-pane", "-p", "-e", "-t", "s")

    def raw(self):
        """Every byte the program has written."""
        return self._raw.read_bytes() if self._raw.exists() else b""

    def shows(self, pattern, timeout=10.0):
        """Waits until the screen matches, and returns it."""
        try:
            until(lambda: re.search(pattern, self.screen()), pattern, timeout, pause=0.05)
        except Late as error:
            raise Late(f"{error}\n--- screen ---\n{self.last}") from None
        return self.last

    def clears(self, pattern, timeout=10.0):
        """Waits until the screen no longer matches."""
        until(lambda: not re.search(pattern, self.screen()), lambda: f"{pattern} to go\n{self.last}", timeout, pause=0.05)

    def type(self, text):
        self._tmux("send-keys", "-t", "s", "-l", text)

    def press(self, *keys):
        for key in keys:
            self._tmux("send-keys", "-t", "s", key)

    def resize(self, columns, rows):
        self._tmux("resize-window", "-t", "s", "-x", str(columns), "-y", str(rows))

    def format(self, text):
        """What tmux says of the pane, such as `#{alternate_on}`."""
        return self._tmux("display-message", "-p", "-t", "s", text).strip()

    def alive(self):
        return self._tmux("list-panes", "-t", "s", "-F", "#{pane_dead}").strip() == "0"

    def close(self):
        self.screen()
        self._tmux("kill-server")
