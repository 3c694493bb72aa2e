"""Real turns of chats in an order that PyPI `hypothesis` makes up: shapes, streams, answers of a phone, clients that leave, second
requests and bodies that are nothing. Each turn says its words once and in order, each answer counts, nothing else is done."""
import json

import pytest
from hypothesis import given, seed
from hypothesis import strategies as st

from harness import http1
from harness.generated import HOSTILE, bounded, weighted, written
from harness.openai_chat import Chat, Messages, Responses
from harness.play import KINDS, Play, decisions, ends
from harness.runs import Runs
from harness.waiting import until

pytestmark = pytest.mark.real_cli

PATHS = {"chat": "/v1/chat/completions", "messages": Messages.path, "responses": Responses.path}
# What a phone says to each call, or the client does in place of waiting for it.
ANSWERS = st.lists(weighted((3, st.just("allow")), (2, st.just("deny")), (1, st.just("leave"))), min_size=2, max_size=2)
TURN = st.fixed_dictionaries({
    "chat": st.integers(0, 1), "shape": st.sampled_from(sorted(PATHS)), "stream": st.booleans(), "kind": st.sampled_from(KINDS),
    "answers": ANSWERS, "second": st.booleans(), "junk": st.none() | HOSTILE})
GAMES = st.lists(TURN, min_size=1, max_size=4)


def sent(shape, words, stream):
    messages = [{"role": "user", "content": words}]
    more = {"chat": {"messages": messages}, "messages": {"messages": messages, "max_tokens": 100}, "responses": {"input": messages}}
    return json.dumps({"model": "claude", "stream": stream, **more[shape]}).encode()


class Told:
    """What one response said: its text, and whether it began and ended as its shape does."""

    def __init__(self, shape, stream, response):
        self.shape = shape
        if stream:
            lines = response.body.decode().splitlines()
            self.frames = [line.removeprefix("data: ") for line in lines if line.startswith("data: ")]
            getattr(self, f"read_{shape}")([json.loads(frame) for frame in self.frames if frame != "[DONE]"])
        else:
            self.text = {
                "chat": lambda body: body["choices"][0]["message"]["content"], "messages": lambda body: body["content"][0]["text"],
                "responses": lambda body: body["output"][0]["content"][0]["text"]}[shape](response.json)

    def read_chat(self, chunks):
        assert self.frames[-1] == "[DONE]" and self.frames.count("[DONE]") == 1
        choices = [choice for chunk in chunks for choice in chunk["choices"]]
        assert choices[0]["delta"]["role"] == "assistant"
        assert [choice["finish_reason"] for choice in choices] == [None] * (len(choices) - 1) + ["stop"]
        self.text = "".join(choice["delta"].get("content") or "" for choice in choices)

    def read_messages(self, events):
        kinds = [event["type"] for event in events if event["type"] != "ping"]
        assert (kinds[0], kinds[-2:]) == ("message_start", ["message_delta", "message_stop"]), kinds
        open, self.text = None, ""
        for event in events:
            if event["type"] == "content_block_start":
                assert open is None
                open = event["index"]
            elif event["type"] in ("content_block_delta", "content_block_stop"):
                assert event["index"] == open
                self.text += event.get("delta", {}).get("text", "")
                open = None if event["type"] == "content_block_stop" else open
        assert open is None

    def read_responses(self, events):
        assert (events[0]["type"], events[-1]["type"]) == ("response.created", "response.completed")
        assert [event["sequence_number"] for event in events] == list(range(len(events)))
        self.text = "".join(event["delta"] for event in events if event["type"] == "response.output_text.delta")
        assert self.text == events[-1]["response"]["output"][0]["content"][0]["text"]


class Game:
    def __init__(self, box, cdev, runs, talk, play):
        self.box, self.cdev, self.runs, self.talk, self.play = box, cdev, runs, talk, play
        self.phone = cdev.approver("phone")
        self.said = []

    def fields(self, chat):
        return {"Authorization": f"Bearer {self.talk.token}", "Content-Type": "application/json", "X-Conversation-Id": f"c{chat}"}

    def turn(self, turn):
        if turn["junk"] is not None:
            answer = http1.ask(self.cdev.tcp, "POST", PATHS[turn["shape"]], written(turn["junk"]).encode(), self.fields(turn["chat"]))
            assert answer.status == 400, answer
        number, words = self.play.prompt(turn["kind"])
        with http1.Connection(self.cdev.tcp, 60) as connection:
            connection.request("POST", PATHS[turn["shape"]], sent(turn["shape"], words, turn["stream"]), self.fields(turn["chat"]))
            is_left = self.answer(turn, number)
            response = None if is_left else connection.response()
        if is_left:
            until(lambda: not any(one["is_running"] for one in self.sessions()), lambda: f"the end of a turn: {self.sessions()}", 30)
        else:
            assert response.status == 200, response
            assert ends(Told(turn["shape"], turn["stream"], response).text) == [number], response
        self.check(number, turn, is_left)

    def sessions(self):
        return self.talk.http("GET", "/v1/sessions").json["sessions"]

    def answer(self, turn, number):
        """True if the client is to leave in place of waiting for an answer."""
        count = KINDS.index(turn["kind"])
        for index, answer in enumerate(turn["answers"][:count]):
            until(lambda: number in self.play.calls, lambda: f"the calls of {number}", 30)
            card = self.phone.card(30, tool_use_id=self.play.calls[number][index].id)
            if index == 0 and turn["second"]:
                self.second(turn)
            if answer == "leave":
                return True
            self.phone.respond(card, answer)
        return False

    def second(self, turn):
        """A second request while the chat is at work is refused, and told not to be repeated."""
        body = sent(turn["shape"], "albatross", turn["stream"])
        refused = http1.ask(self.cdev.tcp, "POST", PATHS[turn["shape"]], body, self.fields(turn["chat"]))
        assert refused.status == 409 and refused.headers["x-should-retry"] == "false", refused
        assert "albatross" not in str(self.talk.model.requests[-1]["messages"])

    def check(self, number, turn, is_left):
        decided = decisions(self.runs)
        for call, answer in zip(self.play.calls.get(number, ()), turn["answers"]):
            exists = (self.box.project / self.play.file(call)).exists()
            assert exists == (answer == "allow"), (answer, decided.get(call.id))
            if answer == "leave":
                assert decided[call.id]["decision"] != "allow"
                break
            assert decided[call.id]["decision"] == answer
        if not is_left:
            self.said.append(number)


def test_nothing_is_lost_and_nothing_is_out_of_order(box, cdev, model):
    play = Play()
    made = model(*play.turns())
    runs = Runs(box, cdev).begin(made)
    game = Game(box, cdev, runs, Chat(runs, cdev, made), play)

    @seed(1)
    @bounded(30, 400)
    @given(GAMES)
    def check(turns):
        for turn in turns:
            game.turn(turn)

    check()
    assert len(game.said) > 20 and len(play.calls) > 20
