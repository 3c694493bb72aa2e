"""Turns that a test makes up as it goes: a model that does what each prompt says, and who was asked about it."""
import re

from .fake_model import Turn, say, touch

KINDS = ("say", "touch", "both")


class Play:
    """Prompts are made by `prompt`; the model says `<number>` at the end of each. `files` are those that its calls make."""

    def __init__(self):
        self.kinds, self.calls = {}, {}

    def prompt(self, kind):
        number = len(self.kinds) + 1
        self.kinds[number] = kind
        return number, f"do {number}: {kind}"

    def turns(self, count=5000):
        return [self.turn] * count

    def turn(self, body):
        """Does what it heard since the last turn: prompts, and those that Claude Code put behind results, as `system`."""
        messages = body["messages"]
        start = max(index for index, message in enumerate(messages) if message["role"] == "user" and heard(message))
        prompts = [number for message in messages[start:] for number in heard(message)]
        said = ends(str(messages[start:]))
        words = ""
        for number in prompts:
            if number in said:
                continue
            if self.kinds[number] != "say" and number not in self.calls:
                self.calls[number] = [touch(f"f{number}{letter}") for letter in ("a" if self.kinds[number] == "touch" else "ab")]
                return Turn(text=words, calls=tuple(self.calls[number]))
            words += f"<{number}>"
        return say(words or "nothing")

    @staticmethod
    def file(call):
        return call.input["command"].removeprefix("touch ")


def heard(message):
    """The numbers of the prompts in a message of the client, without those that were interrupted."""
    words = str(message["content"]).rpartition("[Request interrupted")[2]
    return [int(number) for number in re.findall(r"do (\d+): ", words)] if message["role"] != "assistant" else []


def ends(text):
    """The numbers of the prompts whose end the model said."""
    return [int(number) for number in re.findall(r"<(\d+)>", text)]


def decisions(runs):
    """Of each call that somebody could have answered, what was decided."""
    entries, cursor = [], None
    while True:
        page = runs.call("permission/history", limit=200, **({"cursor": cursor} if cursor else {}))
        entries += page["requests"]
        cursor = page["next"]
        if not cursor:
            return {entry["tool_use_id"]: entry for entry in entries}
