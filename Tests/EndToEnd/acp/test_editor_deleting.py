"""A conversation is deleted from the lists; its transcript stays Claude Code's."""
import pytest

from harness.approver import RpcError
from harness.checks import delivered
from harness.editor import Socket
from harness.fake_model import bash, say, use
from harness.runs import children
from harness.tui import Terminal
from harness.waiting import file_appears, until

pytestmark = pytest.mark.real_cli


def listed(editor, **params):
    return {one["sessionId"] for one in editor.call("session/list", **params)["sessions"]}


def transcripts(box):
    return {path.stem for path in (box.config / "projects").glob("*/*.jsonl")}


def is_listed(editor, *talks):
    until(lambda: {talk.id for talk in talks} <= listed(editor), lambda: f"all of them: {listed(editor)}", 20)


def test_it_is_listed_no_more(box, cdev, begin, editors, runs):
    editor = begin(say("a heron"), say("two"))
    assert "delete" in editor.hello["agentCapabilities"]["sessionCapabilities"]
    talk, other = editor.new(box.project), editor.new(box.project)
    talk.turn("one")
    other.turn("one")
    is_listed(editor, talk, other)
    assert editor.call("session/delete", sessionId=talk.id) == {}
    assert listed(editor) == {other.id} == listed(editor, cwd=str(box.project)), "at once"
    assert len(children(box)) == 1, "its process has ended"
    workspace = runs.workspace
    assert [one["session_id"] for one in runs.call("workspace/session/history", workspace_id=workspace)["sessions"]] == [other.id]
    assert {hit["session_id"] for hit in runs.call("session/search", query="heron")["hits"]} == {other.id}
    assert transcripts(box) == {talk.id, other.id}, "the files stay"
    with pytest.raises(RpcError) as error:
        talk.turn("more")
    assert error.value.code == -32002
    # It was durable by the time of the answer.
    cdev.kill()
    cdev.start()
    assert listed(editors.open()) == {other.id}


def test_it_is_deleted_in_the_middle_of_a_turn(box, begin):
    editor = begin(use(bash("touch started; sleep 600")), say("never"))
    editor.answers = "allow_once"
    talk = editor.new(box.project)
    number = talk.begin("go")
    file_appears(box.project / "started", 30)
    assert editor.call("session/delete", sessionId=talk.id) == {}
    assert talk.ends(number) == "cancelled"
    assert not children(box) and listed(editor) == set()


def test_one_that_nobody_has_open_is_deleted(box, begin, editors, claude):
    editor = begin(say("one"))
    run = claude(begin.model, "first words", mode="bypassPermissions")
    delivered(run, "one")
    until(lambda: listed(editor) == {run.session_id}, "it to be listed", 20)
    assert editor.call("session/delete", sessionId=run.session_id) == {}
    assert listed(editor) == set()


def test_an_editor_that_has_it_open_hears_its_end(box, begin, editors):
    editor = begin(say("one"))
    talk, other = editor.new(box.project), editors.open()
    talk.turn("go")
    is_listed(other, talk)
    assert other.call("session/delete", sessionId=talk.id) == {}
    with pytest.raises(RpcError) as error:
        talk.turn("more")
    assert error.value.code == -32002


def test_who_goes_on_in_it_brings_it_back(box, begin):
    editor = begin(say("one"), say("two"))
    talk = editor.new(box.project)
    talk.turn("a heron")
    is_listed(editor, talk)
    editor.call("session/delete", sessionId=talk.id)
    again = editor.load(talk)
    assert again.turn("on") == "end_turn" and "a heron" in str(begin.model.requests[-1]["messages"])
    editor.call("session/close", sessionId=talk.id)
    is_listed(editor, talk)


def test_one_without_a_message_is_deleted(box, begin):
    editor = begin()
    talk = editor.new(box.project)
    assert editor.call("session/delete", sessionId=talk.id) == {}
    assert listed(editor) == set() and not children(box)


@pytest.mark.parametrize("name", ["nobody", "", "../../x", "x" * 10_000, "00000000-0000-4000-8000-000000000000"])
def test_one_that_there_is_not_is_deleted_already(box, begin, name):
    """As the protocol wants it."""
    editor = begin(say("one"))
    talk = editor.new(box.project)
    talk.turn("go")
    is_listed(editor, talk)
    try:
        assert editor.call("session/delete", sessionId=name) == {}
    except RpcError as error:
        # What can be nobody's id.
        assert error.code == -32602 and name in ("", "x" * 10_000)
    assert listed(editor) == {talk.id} and len(children(box)) == 1


@pytest.mark.parametrize("params", [{}, {"sessionId": None}, {"sessionId": 7}, {"sessionId": ["a"]}, {"sessionId": {}}])
def test_bad_input_is_named(begin, params):
    with pytest.raises(RpcError, match="sessionId") as error:
        begin().call("session/delete", **params)
    assert error.value.code == -32602


@pytest.mark.parametrize("rights", ["view", "approve"])
def test_a_device_that_may_not_drive_deletes_nothing(box, cdev, begin, editors, runs, rights):
    editor = begin(say("one"))
    talk = editor.new(box.project)
    talk.turn("go")
    token = runs.call("token/create", name=rights, rights=rights)["token"]
    device = editors.start(Socket(cdev, token))
    with pytest.raises(RpcError, match='needs the right "drive"'):
        device.call("session/delete", sessionId=talk.id)
    is_listed(editor, talk)
    assert len(children(box)) == 1


def test_one_of_a_terminal_comes_back_with_its_next_message(box, begin):
    editor = begin(say("first words"), say("second words"))
    terminal = Terminal(box, begin.model)
    terminal.prompt("remember the word heron")
    terminal.shows("first words")
    (number,) = until(lambda: listed(editor), "the conversation to be listed", 20)
    assert editor.call("session/delete", sessionId=number) == {} and listed(editor) == set()
    terminal.prompt("and go on")
    terminal.shows("second words")
    until(lambda: listed(editor) == {number}, "it to be listed again", 20)
