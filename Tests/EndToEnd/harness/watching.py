"""`cdev watch` in a terminal."""
import re

from .pane import Pane
from .waiting import until

ONLINE = r"\d+ waiting"
# What a key that came too early is answered with; it is then pressed again.
TOO_EARLY = "came only now|several keys at once"


class Watch(Pane):
    def __init__(self, cdev, columns=80, rows=24, env=None, name="watch", words=(), shell=False):
        box = cdev.box
        variables = box.env(TERM="xterm-256color", **(env or {}))
        self.argv = [str(cdev.programs / "cdev"), "watch", *words]
        argv = ["bash", "--norc", "--noprofile", "-i"] if shell else self.argv
        super().__init__(box, argv, {**variables, **({"PS1": "shell> "} if shell else {})}, columns, rows, name)
        if shell:
            self.shows("shell>")
            self.type(" ".join(self.argv))
            self.press("Enter")
        self.shows(ONLINE)

    def key(self, key, effect, timeout=10.0):
        """Presses a key until what it does is seen: one that comes within half a second of a change does nothing."""
        self.press(key)

        def done():
            screen = self.screen()
            if re.search(effect, screen):
                return True
            if re.search(TOO_EARLY, screen):
                self.press(key)
            return False

        until(done, lambda: f"{key} to do {effect}\n--- screen ---\n{self.last}", timeout, pause=0.7)

    def selects(self, text):
        """Waits until the selected row of the list holds this."""
        return self.shows(rf"(?m)^ [▸>] .*{text}")

    def row_of(self, pattern):
        """The number of the first row that matches, from 0."""
        return next(n for n, line in enumerate(self.screen().splitlines()) if re.search(pattern, line))
