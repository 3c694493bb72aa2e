"""What the agent means to do, as the editor's plan: always the whole list."""
import pytest

from harness import claude as claude_cli
from harness.fake_model import Call, say, use
from harness.waiting import until

pytestmark = pytest.mark.real_cli


@pytest.fixture
def begin(box, cdev, runs, editors, model, monkeypatch):
    """As the usual one, for an agent that has tools for a list: newer models have none by themselves."""
    environment = claude_cli.environment
    monkeypatch.setattr(claude_cli, "environment", lambda *args: environment(*args, **make.variables))

    def make(*turns, **variables):
        make.variables = variables or {"CLAUDE_CODE_ENABLE_TODO_TOOLS": "1"}
        make.model = model(*turns)
        runs.begin(make.model)
        return editors.open()

    return make


def create(subject):
    return Call("TaskCreate", {"subject": subject, "description": "scripted"})


def change(number, **more):
    return Call("TaskUpdate", {"taskId": number, **more})


def plans(talk):
    return [[(entry["content"], entry["status"]) for entry in update["entries"]] for update in talk.updates("plan")]


def plan(talk):
    return plans(talk)[-1] if plans(talk) else None


WORK = (use(create("find the heron"), create("count it")), use(change("1", status="in_progress")),
        use(change("1", subject="find both herons", status="completed"), change("9", status="completed")), say("done"))
WORKED = [("find both herons", "completed"), ("count it", "pending")]


def test_each_change_tells_the_whole_list(box, begin):
    editor = begin(*WORK)
    talk = editor.new(box.project)
    assert talk.turn("go") == "end_turn"
    assert plans(talk) == [
        [("find the heron", "pending")], [("find the heron", "pending"), ("count it", "pending")],
        [("find the heron", "in_progress"), ("count it", "pending")], WORKED]


def test_what_is_deleted_leaves_the_list(box, begin):
    editor = begin(use(create("one"), create("two")), use(change("1", status="deleted")), use(Call("TaskList", {})), say("done"))
    talk = editor.new(box.project)
    assert talk.turn("go") == "end_turn"
    assert plan(talk) == [("two", "pending")] and len(plans(talk)) == 3, "a list that is the same is not told again"


def test_the_older_tool_tells_it_too(box, begin):
    def todos(*states):
        return use(Call("TodoWrite", {"todos": [{"content": name, "status": state, "activeForm": name} for name, state in states]}))

    editor = begin(
        todos(("one", "in_progress"), ("two", "pending")), todos(("one", "completed"), ("two", "in_progress")), say("done"),
        CLAUDE_CODE_ENABLE_TODO_TOOLS="1", CLAUDE_CODE_ENABLE_TASKS="0")
    talk = editor.new(box.project)
    assert talk.turn("go") == "end_turn"
    assert plans(talk) == [[("one", "in_progress"), ("two", "pending")], [("one", "completed"), ("two", "in_progress")]]


@pytest.mark.parametrize("method", ["session/load", "session/resume"])
def test_a_later_editor_is_told_the_last_list(box, begin, editors, method):
    editor = begin(*WORK, use(change("2", status="in_progress")), say("more"))
    talk = editor.new(box.project)
    talk.turn("go")
    editor.close()
    other = editors.open()
    again = other.load(talk, method)
    assert plans(again) == [WORKED], "only the last state"
    assert again.turn("on") == "end_turn"
    assert plan(again) == [("find both herons", "completed"), ("count it", "in_progress")]


def test_a_new_conversation_has_no_list(box, begin):
    editor = begin(use(create("one")), say("done"), say("new"))
    talk = editor.new(box.project)
    talk.turn("go")
    assert plan(talk) == [("one", "pending")]
    talk.turn("/clear")
    until(lambda: plan(talk) == [], lambda: f"an empty list: {plans(talk)}", 20)


def test_an_agent_without_a_list_has_no_plan(box, begin, editors):
    """Its calls of the tools are refused by itself."""
    editor = begin(*WORK, CLAUDE_CODE_ENABLE_TODO_TOOLS="0")
    talk = editor.new(box.project)
    assert talk.turn("go") == "end_turn" and plans(talk) == []
    editor.close()
    assert plans(editors.open().load(talk)) == []
