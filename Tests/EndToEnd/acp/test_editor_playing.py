"""Real turns in an order that PyPI `hypothesis` makes up: prompts, answers, cancellations, settings and loads of two sessions.
Each prompt ends once and behind its words, each answer counts, and nothing is done that nobody allowed."""
import contextlib

import pytest
from hypothesis import given, seed
from hypothesis import strategies as st

from harness.approver import RpcError
from harness.generated import HOSTILE, bounded, weighted, written
from harness.play import KINDS, Play, decisions, ends
from harness.waiting import until

pytestmark = pytest.mark.real_cli

ANSWERS = st.sampled_from(["allow_once", "reject_once", "cancelled", "phone allow", "phone deny"])
STEPS = weighted(
    (6, st.tuples(st.just("prompt"), st.sampled_from(KINDS))), (5, st.tuples(st.just("answer"), ANSWERS)),
    (1, st.tuples(st.just("cancel"), st.none())), (1, st.tuples(st.just("take back"), st.integers(0, 3))),
    (1, st.tuples(st.just("load"), st.none())), (1, st.tuples(st.just("set"), st.sampled_from(["default", "nonsense"]))),
    (1, st.tuples(st.just("junk"), HOSTILE)))
GAMES = st.lists(st.tuples(st.integers(0, 1), STEPS), min_size=2, max_size=10)


class Game:
    def __init__(self, box, cdev, runs, editors, editor, play):
        self.box, self.runs, self.editors, self.editor, self.play = box, runs, editors, editor, play
        self.phone = cdev.approver("phone")
        self.talks = [editor.new(box.project), editor.new(box.project)]
        # Of all games: prompt -> its request and session. Of this one: what was cancelled, and who was answered what.
        self.prompts, self.answered, self.put_away = {}, {}, set()

    def round(self, steps):
        self.open, self.loaded, self.cancelled, self.taken_back = [], [], set(), set()
        for which, (step, value) in steps:
            getattr(self, step.replace(" ", "_"))(self.talks[which], value)
        self.finish()
        self.check()

    def prompt(self, talk, kind):
        number, words = self.play.prompt(kind)
        self.prompts[number] = (talk.begin(words), talk)
        self.open.append(number)

    def questions(self):
        """Those that nobody answered or took back."""
        known = {one["params"]["requestId"] for one in self.editor.of("$/cancel_request")}
        return [one for one in self.editor.of("session/request_permission") if one["id"] not in known and self.key(one) not in self.answered]

    @staticmethod
    def key(question):
        return question["params"]["toolCall"]["toolCallId"]

    def answer(self, talk, kind):
        """The oldest question, if there is one by now. One that the editor puts away is left to the phone."""
        for question in self.questions()[:1]:
            key, (who, _, decision) = self.key(question), kind.rpartition(" ")
            cards = self.phone.heard("pty_permission", tool_use_id=key)
            if (who or key in self.put_away) and cards:
                self.answered[key] = decision if who else "deny"
                # It may have ended meanwhile, with its turn.
                with contextlib.suppress(RpcError):
                    self.phone.respond(cards[-1], self.answered[key])
            elif kind == "cancelled" and key not in self.put_away:
                self.put_away.add(key)
                self.editor.answer(question, kind)
            elif not who and key not in self.put_away:
                self.answered[key] = kind
                self.editor.answer(question, kind)

    def cancel(self, talk, _):
        self.cancelled |= {number for number in self.open if self.prompts[number][1] is talk}
        talk.cancel()

    def take_back(self, talk, index):
        for number in self.open[index:index + 1]:
            self.taken_back.add(number)
            self.editor.notify("$/cancel_request", requestId=self.prompts[number][0])

    def load(self, talk, _):
        self.loaded.append((talk, self.editors.connect().load(talk)))

    def set(self, talk, mode):
        number = self.editor.begin("session/set_mode", sessionId=talk.id, modeId=mode)
        assert ("result" in self.editor.reply(number)) == (mode == "default")

    def junk(self, talk, value):
        self.editor.send(written(value).replace("\n", " "))

    def finish(self):
        """Whatever is still asked is allowed, until all prompts have ended."""
        def done():
            self.answer(None, "allow_once")
            return all(self.editor.replied(self.prompts[number][0]) for number in self.open)

        until(done, lambda: f"all prompts to end: {self.open}\n{self.editor.story()}", 60)

    def check(self):
        for number in self.open:
            reply, talk = self.editor.replied(self.prompts[number][0]), self.prompts[number][1]
            reason = reply.get("result", {}).get("stopReason")
            if number in self.taken_back:
                assert reason in ("end_turn", "cancelled") or reply["error"]["code"] == -32800, reply
            else:
                assert reason == "end_turn" or self.may_be_stopped(number) and reason == "cancelled", (number, reply)
            if reason == "end_turn":
                assert number in ends(self.said_before(talk, reply)), f"{number} ended before its words\n{self.editor.story()}"
        for talk in self.talks:
            said = ends(talk.text())
            assert said == sorted(set(said)) and all(self.prompts[number][1] is talk for number in said), said
        for talk, loaded in self.loaded:
            loaded.editor.wait(lambda: ends(loaded.text()) == ends(talk.text()), lambda: f"{talk.text()}, and not {loaded.text()}")
            loaded.editor.close()
        self.check_calls()

    def may_be_stopped(self, number):
        """Claude Code takes prompts that wait into one turn: who takes one of them back stops the others with it."""
        talk = self.prompts[number][1]
        return number in self.cancelled or any(self.prompts[other][1] is talk for other in self.taken_back)

    def said_before(self, talk, reply):
        with self.editor.changed:
            log = list(self.editor.log)
        place = next(index for index, (_, message) in enumerate(log) if message is reply)
        updates = [one["params"]["update"] for who, one in log[:place]
                   if who == "cdev" and isinstance(one, dict) and one.get("method") == "session/update" and one["params"]["sessionId"] == talk.id]
        return "".join(one["content"].get("text", "") for one in updates if one["sessionUpdate"] == "agent_message_chunk")

    def check_calls(self):
        decided = decisions(self.runs)
        for number in self.open:
            for call in self.play.calls.get(number, ()):
                answer, entry = self.answered.get(call.id), decided.get(call.id)
                is_allowed = entry is not None and entry["decision"] == "allow"
                exists = (self.box.project / self.play.file(call)).exists()
                is_whole = not self.may_be_stopped(number)
                assert is_allowed or not exists, f"nobody allowed {call.id}: {entry}"
                assert not is_allowed or answer in ("allow_once", "allow"), (answer, entry)
                if is_whole and answer in ("allow_once", "allow"):
                    assert exists, f"the answer to {call.id} was lost: {entry}\n{self.editor.story()}"


@pytest.mark.parametrize("door", ["pipes", "socket"])
def test_nothing_is_lost_and_nothing_is_out_of_order(box, cdev, begin, runs, editors, door):
    play = Play()
    editor = begin(*play.turns())
    if door == "socket":
        editor = editors.connect()
    game = Game(box, cdev, runs, editors, editor, play)

    @seed(1)
    @bounded(25, 400)
    @given(GAMES)
    def check(steps):
        game.round(steps)

    check()
    assert len(play.calls) > 10
