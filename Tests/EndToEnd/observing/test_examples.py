"""Every example of the observing methods and events, at a real repository and a transcript of the real Claude Code."""
import pytest

from examples import CALLS, EVENTS, NEW_PATH, PATH, SESSION, WORKSPACE
from harness import shapes
from harness.approver import RpcError
from harness.checks import WHOLE_SECONDS
from harness.waiting import await_condition

pytestmark = pytest.mark.real_cli


class Scene:
    """What an example needs before it: each method is one thing that is the case."""

    def __init__(self, cdev, device, repository, transcript, workspace):
        self.cdev, self.device, self.repository, self.transcript, self.workspace = (
            cdev, device, repository, transcript, workspace)
        self.phone, self.others = device("phone", "drive"), []
        self.place = {"workspace_id": workspace, "session_id": transcript.id}

    def prepare(self, *words):
        for word in words:
            getattr(self, word.replace(" ", "_"))()

    def filled(self, value):
        """With what its words stand for."""
        words = {WORKSPACE: self.workspace, SESSION: self.transcript.id, PATH: str(self.repository.path),
                 NEW_PATH: str(self.cdev.box.home)}
        if isinstance(value, dict):
            return {name: self.filled(member) for name, member in value.items()}
        if isinstance(value, list):
            return [self.filled(element) for element in value]
        return words.get(value, value) if isinstance(value, str) else value

    # Sessions

    def past(self):
        self.transcript.write()

    def running(self):
        """Of another session; one client looks at it."""
        session = self.cdev.session()
        session.start()
        self.phone.call("client/session/focus", {"workspace_id": self.workspace, "session_id": session.id})

    def watched(self):
        self.phone.call("workspace/session/watch", self.place)

    def viewed(self):
        """The past one, by another client."""
        self.others.append(self.device("tablet"))
        self.others[-1].call("client/session/focus", self.place)

    def growing(self):
        self.transcript.write(self.transcript.beginning)
        self.phone.call("workspace/session/watch", {**self.place, "after": 0})
        self.transcript.write()

    def joined(self):
        """The phone looks at it, and then another client too."""
        self.phone.call("client/session/focus", self.place)
        self.viewed()

    def left(self):
        self.others[-1].close()

    # Workspaces

    def subscribed(self):
        self.phone.call("workspace/subscribe", {"workspace_id": self.workspace})

    def looked_into(self):
        self.phone.call("workspace/files/watch", {"workspace_id": self.workspace, "directory": "src"})

    # The repository

    def staged(self):
        self.repository.write("src/app.ts", "two\n")
        self.repository.stage("src/app.ts")

    def changed(self):
        for name in "README.md", "src/app.ts", "src/utils.ts", "new-file.ts":
            self.repository.write(name, "three\n")

    def ahead(self):
        for text in "two\n", "three\n":
            self.repository.write("src/app.ts", text)
            self.repository.commit("next")

    def behind(self):
        self.repository.elsewhere("src/app.ts", "of somebody else\n")

    def diverged(self):
        self.repository.write("src/app.ts", "of ours\n")
        self.repository.commit("ours")

    def branched(self):
        self.repository.branch("feature/new", "src/app.ts", "on the branch\n")

    def in_the_way(self):
        self.repository.write("src/app.ts", "not committed\n")


@pytest.fixture
def scene(bare, device, repository, transcript, workspace):
    return Scene(bare, device, repository, transcript, workspace)


def agrees(got, example, scene):
    wanted = scene.filled(example.says)
    wrong = {name: (got.get(name), value) for name, value in wanted.items() if got.get(name) != value}
    return shapes.faults(got, example.answer) == [] and not wrong


@pytest.mark.parametrize("example", CALLS, ids=str)
def test_a_call_is_answered_as_in_its_example(scene, example):
    scene.prepare(*example.given)
    params = scene.filled(example.params)
    if example.error is not None:
        with pytest.raises(RpcError) as error:
            scene.phone.call(example.method, params)
        assert error.value.code == example.error and error.value.message
        return
    got = scene.phone.call(example.method, params)
    assert shapes.faults(got, example.answer) == [], got
    assert {name: got.get(name) for name in example.says} == scene.filled(example.says), got


@pytest.mark.parametrize("example", EVENTS, ids=str)
def test_an_event_is_as_in_its_example(scene, example):
    scene.prepare(*example.given)

    def matching():
        return next((event for event in scene.phone.heard(example.method) if agrees(event, example, scene)), None)

    got = await_condition(scene.phone.changed, matching, lambda: f"{example}; heard\n{scene.phone.story()}")
    assert isinstance(got["session_id"], str) and WHOLE_SECONDS.fullmatch(got["timestamp"])


def test_what_is_not_as_in_the_example_is_found():
    example = {"a": 1, "at": "2024-12-24T10:30:00Z", "of": [{"x": 0.5}, {"y": ""}]}
    good = {"a": 2, "at": "2026-01-01T00:00:00Z", "of": [{"x": 1}, {"y": "z"}, {"x": 0.1}], "more": None}
    assert shapes.faults(good, example) == []
    for wrong in {"a": True}, {"a": 1.5}, {"at": "2026-01-01T00:00:00.5Z"}, {"of": [{"x": 1}]}, {"of": [{"x": 1}, {"y": ""}, {}]}:
        assert len(shapes.faults({**good, **wrong}, example)) == 1, wrong
    assert shapes.faults({"at": good["at"], "of": []}, example) == [
        "$: no a", "$.of: nothing like {'x': 0.5}", "$.of: nothing like {'y': ''}"]
