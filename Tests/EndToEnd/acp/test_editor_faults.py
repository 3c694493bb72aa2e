"""What goes wrong around an editor: the daemon killed, the agent killed or missing, too much of something."""
import os
import signal
import threading

import pytest

from harness.approver import RpcError
from harness.checks import includes
from harness.editor import Talk
from harness.fake_model import bash, say, touch, use, write
from harness.runs import children, only_child
from harness.tui import Terminal
from harness.waiting import file_appears, until

pytestmark = pytest.mark.real_cli


def ends_or_says(editor, number):
    """The stop reason of a prompt, or "told": an error that names the daemon."""
    reply = editor.reply(number, 40)
    if "error" in reply:
        assert "daemon" in reply["error"]["message"], reply
        return "told"
    return reply["result"]["stopReason"]


def prompts_or_is_gone(talk, text):
    try:
        return ends_or_says(talk.editor, talk.begin(text))
    except BrokenPipeError:
        return "gone"


def test_the_daemon_is_killed_between_two_turns(box, cdev, begin, editors):
    editor = begin(say("one"), say("two"), say("three"))
    talk = editor.new(box.project)
    talk.turn("first")
    cdev.kill()
    cdev.start()
    # It is told that the daemon is away until the connection is there again.
    until(lambda: ends_or_says(editor, talk.begin("second")) == "end_turn", "the same connection to go on", 20)
    again = editors.open().load(talk)
    assert again.text("user_message_chunk") == "firstsecond" and again.text() == talk.text() == "onetwo"
    assert again.turn("third") == "end_turn" and "first" in str(begin.model.requests[-1]["messages"])


def test_the_daemon_is_killed_in_the_middle_of_a_turn(box, cdev, begin, editors):
    """The turn goes on all the same, and what is said later is shown in the connection that was there."""
    more = threading.Event()
    editor = begin(write("one heron ", more, "two herons"), say("after"))
    talk = editor.new(box.project)
    number = talk.begin("count")
    talk.says("one heron ")
    cdev.kill()
    cdev.start()
    assert ends_or_says(editor, number) in ("end_turn", "told")
    again = editors.open().load(talk)
    more.set()
    for one in (again, talk):
        one.says("two herons")
        one.editor.settle()
        assert one.text() == "one heron two herons"
    assert again.text("user_message_chunk") == "count"
    assert again.turn("on") == "end_turn"


def test_what_is_done_while_the_daemon_is_away_is_shown(box, cdev, begin):
    """In the connection that was there, once it is there again: what was said, and a call before its question."""
    gate, call = threading.Event(), touch("a")
    editor = begin(say("one", gate=gate), use(call), say("done"))
    talk = editor.new(box.project)
    numbers = talk.begin("first"), talk.begin("second")
    until(lambda: begin.model.requests, "the first to be at work", 20)
    cdev.kill()
    gate.set()
    until(lambda: any(call.id in out.read_text() for out in box.cdev_home.glob("sessions/*/out.*")), "the agent to go on", 20)
    cdev.start()
    for number in numbers:
        ends_or_says(editor, number)
    editor.answer(editor.question(), "allow_once")
    talk.says("done")
    assert talk.text() == "onedone"
    includes(talk.tool_is(call, "completed"), kind="execute", title="touch a")


def test_the_daemon_is_killed_while_a_call_is_asked(box, cdev, begin, editors):
    call = touch("a")
    editor = begin(use(call), say("done"))
    talk = editor.new(box.project)
    number = talk.begin("go")
    asked = editor.question()
    cdev.kill()
    # An answer that nobody can take now.
    try:
        editor.answer(asked, "reject_once")
    except BrokenPipeError:
        pass
    cdev.start()
    how = ends_or_says(editor, number) if not cdev.local.call("permission/pending")["requests"] else "asked"
    other = editors.open()
    again = other.load(talk)
    if how == "asked":
        again_asked = other.question()
        assert again_asked["params"]["toolCall"]["toolCallId"] == call.id
        other.answer(again_asked, "allow_once")
    again.says("done")
    assert (box.project / "a").exists() == (how == "asked")


ROUNDS = 100 if os.environ.get("CDEV_LONG_TESTS") else 8


@pytest.mark.parametrize("round", range(ROUNDS))
def test_the_daemon_is_killed_at_any_moment(box, cdev, begin, editors, round):
    """Later and later: while the agent starts, is prompted, asks, is answered and ends. The prompt has one answer, and is run
    once at most."""
    call = touch("a")
    editor = begin(use(call), say("made"), say("and more"))
    editor.answers = "allow_once"
    talk = editor.new(box.project)
    number = talk.begin("make a")
    killer = threading.Timer((round % 20) * 0.12, cdev.kill)
    killer.start()
    killer.join()
    cdev.start()
    assert ends_or_says(editor, number) in ("told", "end_turn")
    other = editors.open()
    other.answers = "allow_once"
    again = other.load(talk)
    assert again.text("user_message_chunk") in ("", "make a")
    assert again.turn("on") == "end_turn"
    texts = [str(message["content"]) for message in begin.model.requests[-1]["messages"]]
    assert sum("make a" in text for text in texts) <= 1, texts
    assert "make a" in again.text("user_message_chunk") or not any("make a" in text for text in texts), "what was taken is shown"
    assert (box.project / "a").exists() or "made" not in again.text()
    assert len(children(box)) == 1


def test_the_daemon_is_stopped_and_stays_away(box, cdev, begin):
    gate = threading.Event()
    editor = begin(say("one", gate=gate))
    talk = editor.new(box.project)
    number = talk.begin("go")
    until(lambda: begin.model.requests, "it to be at work", 20)
    cdev.stop()
    assert ends_or_says(editor, number) == "told"
    assert prompts_or_is_gone(talk, "more") in ("told", "gone")


def test_the_agent_is_killed_in_the_middle_of_a_turn(box, begin, runs):
    call = bash("touch started; sleep 600")
    editor = begin(use(call), say("after"))
    editor.answers = "allow_once"
    talk = editor.new(box.project)
    number = talk.begin("go")
    file_appears(box.project / "started", 30)
    child = only_child(box)
    os.kill(child, signal.SIGKILL)
    with pytest.raises(RpcError):
        talk.ends(number)
    assert talk.turn("on") == "end_turn" and children(box) != [child]


def test_there_is_no_claude(box, begin):
    """The first who needs it is told."""
    editor = begin()
    (box.stubs / "claude").unlink()
    with pytest.raises(RpcError, match="(?i)claude") as error:
        editor.new(box.project).turn("go")
    assert error.value.code != -32602, "it is not the editor's fault"


def test_a_session_too_many_is_told(box, begin):
    editor = begin(say("one"), max_sessions=1)
    talk = editor.new(box.project)
    with pytest.raises(RpcError, match="1 sessions have a process"):
        editor.new(box.project)
    assert talk.turn("go") == "end_turn"


def test_a_prompt_too_large_is_told(box, begin):
    talk = begin(say("one")).new(box.project)
    with pytest.raises(RpcError) as error:
        talk.turn("x" * (11 << 20))
    assert error.value.code == -32602, error.value
    assert talk.turn("go") == "end_turn" and "xxxx" not in str(begin.model.requests[-1])


def test_a_conversation_in_a_terminal_is_left_alone(box, begin):
    editor = begin(say("first words"), say("second words"))
    terminal = Terminal(box, begin.model)
    terminal.prompt("remember the word heron")
    terminal.shows("first words")
    (entry,) = until(lambda: editor.call("session/list", cwd=str(box.project))["sessions"], "the conversation to be listed", 20)
    talk = Talk(editor, box.project, entry)
    for method in ("session/load", "session/resume"):
        with pytest.raises(RpcError, match="another process works in this conversation"):
            editor.load(talk, method)
    copy = Talk(editor, box.project, editor.call("session/fork", sessionId=talk.id, cwd=str(box.project), mcpServers=[]))
    assert copy.turn("on") == "end_turn" and "heron" in str(begin.model.requests[-1]["messages"])


def test_the_same_session_twice_in_one_connection(box, begin):
    editor = begin(say("one"), say("two"))
    talk = editor.new(box.project)
    talk.turn("go")
    before = len(talk.updates())
    again = editor.load(talk)
    replayed = [update["sessionUpdate"] for update in talk.updates()[before:]]
    assert "user_message_chunk" in replayed and "agent_message_chunk" in replayed
    before = len(talk.text())
    assert again.turn("on") == "end_turn" and talk.text()[before:] == "two", "once"
    assert len(children(box)) == 1


def test_an_editor_that_does_not_read_holds_nobody_up(box, begin, editors, runs):
    """Its process is stopped; another editor, the phone and the agent go on."""
    editor = begin(say("one"), say("x" * 300_000), say("two"))
    talk = editor.new(box.project)
    talk.turn("first")
    other = editors.open()
    same = other.load(talk)
    os.kill(editor.line.process.pid, signal.SIGSTOP)
    assert same.turn("second") == "end_turn" and same.turn("third") == "end_turn"
    os.kill(editor.line.process.pid, signal.SIGCONT)
    talk.says("two")
