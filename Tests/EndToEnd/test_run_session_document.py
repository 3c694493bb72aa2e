"""What the specification shows of sessions that the daemon runs, example by example, with the real client. The examples
are in `run_session_document.json`: a call is sent as it is there, and its answer has the members of the example, each of
the same type. `says` are members whose values count, `given` what is the case before, `leads` what the state becomes. In
`<...>` stand the test's own ids."""
import json
import pathlib
import re

import pytest

from harness import shapes
from harness.checks import WHOLE_SECONDS, includes
from harness.fake_model import Call, Conversation, say, touch, use
from harness.runs import Runs
from harness.waiting import await_condition, until

pytestmark = pytest.mark.real_cli

DOCUMENT = json.loads((pathlib.Path(__file__).parent / "run_session_document.json").read_text())
QUESTION = {"question": "Which one?", "header": "Which", "multiSelect": False, "options": [
    {"label": "The first one", "description": "f"}, {"label": "The second one", "description": "s"}]}


class Scene:
    """Each method is something that may be the case."""

    def __init__(self, box, cdev, make_model):
        self.box, self.runs, self.words = box, Runs(box, cdev), {}
        self.call, self.question = touch("x"), Call("AskUserQuestion", {"questions": [QUESTION]})
        self.model = make_model(say("one"), say("two"), conversations=[
            Conversation([use(self.call), say("made")], match="make x"), Conversation([use(self.question), say("chosen")], match="ask me")])

    def prepare(self, *given):
        if "an agent that does not start" in given:
            (self.box.stubs / "claude").unlink()
        self.runs.begin(self.model)
        self.phone = self.runs.driver
        self.words["<workspace>"] = self.runs.workspace
        for one in given:
            getattr(self, one.replace(" ", "_"))()

    def filled(self, value):
        if isinstance(value, dict):
            return {name: self.filled(member) for name, member in value.items()}
        return re.sub("<[a-z ]+>", lambda word: self.words[word[0]], value) if isinstance(value, str) else value

    def nothing(self):
        pass

    def connecting(self):
        """And has said nothing yet."""
        token = self.runs.call("token/create", name="new", rights="drive")["token"]
        self.phone = self.runs.cdev.approver("new", token=token, initialize=False)

    def another_workspace(self):
        path = self.box.root / "other"
        path.mkdir()
        self.words["<other workspace>"] = self.runs.call("workspace/add", path=str(path))["id"]

    def a_session(self):
        self.words["<session>"] = self.runs.start()
        self.words["<conversation>"] = self.runs.session["claude_session_id"]

    def a_turn(self, prompt="say one"):
        self.runs.send(prompt)
        self.runs.becomes("idle")

    def a_session_with_a_turn(self):
        self.a_session()
        self.a_turn()

    def a_conversation_that_is_over(self):
        self.a_session_with_a_turn()
        self.runs.stop()

    def a_permission_to_give(self):
        self.a_session()
        self.runs.send("make x")
        self.phone.hear("claude_permission", 20)
        self.words["<call>"] = self.call.id
        self.runs.becomes("waiting")

    def a_question_to_answer(self):
        self.a_session()
        self.runs.send("ask me")
        self.phone.hear("claude_waiting", 20)
        self.words["<call>"] = self.question.id
        self.runs.becomes("waiting")

    def an_agent_that_does_not_start(self):
        self.a_session()

    def somebody_who_reads_its_lines(self):
        self.phone.call("session/watch", {"session_id": self.words["<session>"], "log": True})


@pytest.fixture
def scene(box, cdev, model):
    return Scene(box, cdev, model)


def name(example):
    return f"{example.get('method', example.get('event'))} {example['about']}".replace(" ", "-")


@pytest.mark.parametrize("example", DOCUMENT["calls"], ids=name)
def test_a_call_is_answered_as_in_its_example(scene, example):
    scene.prepare(*example["given"])
    reply = scene.phone.request(example["method"], scene.filled(example["params"]), number=example["id"])
    assert reply["jsonrpc"] == "2.0" and reply["id"] == example["id"]
    if "error" in example:
        return is_refused(reply, scene.filled(example["error"]))
    got = reply["result"]
    assert shapes.faults(got, example["result"]) == [], got
    includes(got, **scene.filled(example.get("says", {})))
    assert not [key for key, value in scene.filled(example.get("differs", {})).items() if got[key] == value]
    leads(scene, example)


def is_refused(reply, wanted):
    error = reply["error"]
    assert error["code"] == wanted["code"], error
    if wanted.get("is_pattern"):
        assert re.search(wanted["message"], error["message"]), error
    else:
        assert error["message"] == wanted["message"]


def leads(scene, example):
    """What was answered is done too."""
    if "leads" in example:
        until(lambda: scene.runs.state().items() >= example["leads"].items(), lambda: f"{example['leads']}: {scene.runs.state()}", 20)
    if "ran" in example:
        assert (scene.box.project / "x").exists() == example["ran"]
        assert scene.model.result(scene.call)[1] is not example["ran"]
    if "reads" in example:
        assert example["reads"] in scene.model.result(scene.question)[0]


@pytest.mark.parametrize("example", DOCUMENT["events"], ids=name)
def test_an_event_is_as_in_its_example(scene, example):
    scene.prepare(*example["given"])
    wanted = scene.filled({**example["says"], "session_id": "<session>", "workspace_id": "<workspace>"})

    def found():
        heard = scene.phone.heard(example["event"], **wanted)
        return next((event for event in heard if not shapes.faults(event, example["params"])), None)

    event = await_condition(scene.phone.changed, found, lambda: f"{example}; heard\n{scene.phone.story()}")
    assert WHOLE_SECONDS.fullmatch(event["timestamp"])
    for member, value in example.get("json", {}).items():
        assert json.loads(event[member]).items() >= value.items()


def test_each_example_can_fail():
    """One without anything that is looked at would say nothing."""
    for example in DOCUMENT["calls"]:
        assert "error" in example or example["result"] or "leads" in example, example
    for example in DOCUMENT["events"]:
        assert example["params"] and example["says"], example
    assert len({name(example) for example in DOCUMENT["calls"] + DOCUMENT["events"]}) == len(DOCUMENT["calls"] + DOCUMENT["events"])
