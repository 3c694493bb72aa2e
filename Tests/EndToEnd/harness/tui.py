"""The real Claude Code in its terminal interface."""
import re

from . import claude
from .pane import Pane
from .waiting import Late

# The prompt is ready for typing once its border and its marker are drawn.
READY = r"(?m)^\s*[❯>]"


class Terminal(Pane):
    def __init__(self, box, model, mode="manual", args=(), env=None, columns=150, rows=50):
        variables = claude.environment(box, model, TERM="xterm-256color", **(env or {}))
        super().__init__(box, [claude.binary(), "--permission-mode", mode, *args], variables, columns, rows, "claude")
        self.shows(READY, 20)

    def prompt(self, text="go"):
        """Types a prompt and sends it. The client drops an Enter that comes with the text, so the text is awaited first."""
        self.type(text)
        self.shows(rf"(?m)^\s*[❯>].*{re.escape(text)}")
        self.press("Enter")

    def answer(self, key, dialog="Do you want to proceed"):
        """Answers a dialog. The client drops keys in the moment it draws one, so the key is pressed until it is gone."""
        self.shows(dialog)
        for _ in range(10):
            self.press(key)
            try:
                return self.clears(dialog, 1.0)
            except Late:
                continue
        raise Late(f"{key} did not answer the dialog\n{self.last}")
