"""A conversation goes on in another connection: with its history, without it, as a copy; and what is listed and closed."""
import json
import os
import threading
import uuid

import pytest

from harness.approver import RpcError
from harness.checks import delivered, includes
from harness.editor import Talk, texts
from harness.fake_model import Call, bash, say, touch, use, write
from harness.runs import children
from harness.waiting import file_appears, until

pytestmark = pytest.mark.real_cli

MESSAGES = ("user_message_chunk", "agent_message_chunk", "agent_thought_chunk", "tool_call", "tool_call_update")


def test_the_history_comes_before_the_answer(box, begin, editors):
    call = bash("echo a heron")
    editor = begin(use(call), say("one"), say("two"), say("three"))
    talk = editor.new(box.project)
    talk.turn("first words")
    talk.turn("second words")
    editor.close()
    other = editors.open()
    again = other.load(talk)
    # All of it is here by the time the answer is.
    assert again.text("user_message_chunk") == "first wordssecond words" and again.text() == "onetwo"
    tool = includes(again.tool(call), status="completed", kind="execute", title="echo a heron")
    assert "a heron" in texts(tool)
    order = [update["sessionUpdate"] for update in again.updates(*MESSAGES) if update["sessionUpdate"] != "tool_call_update"]
    assert order == ["user_message_chunk", "tool_call", "agent_message_chunk", "user_message_chunk", "agent_message_chunk"], order
    assert again.result["modes"]["currentModeId"] == talk.result["modes"]["currentModeId"] and again.result["configOptions"]
    assert again.turn("third words") == "end_turn" and again.text() == "onetwothree"
    assert "first words" in str(begin.model.requests[-1]["messages"])


@pytest.mark.parametrize("is_stopped", [False, True])
@pytest.mark.parametrize("method", ["session/load", "session/resume"])
def test_its_title_is_told(box, begin, editors, runs, is_stopped, method):
    editor = begin(say("one"))
    talk = editor.new(box.project)
    talk.turn("a heron")
    (session,) = runs.call("session/active")["sessions"]
    runs.driver.call("session/set", {"session_id": session["id"], "title": "Birds"})
    talk.hears("session_info_update", lambda update: update.get("title") == "Birds")
    editor.close()
    if is_stopped:
        runs.call("session/stop", session_id=session["id"])
        until(lambda: not children(box), "the process to end", 20)
    again = editors.open().load(talk, method)
    again.hears("session_info_update", lambda update: update.get("title") == "Birds")


@pytest.mark.parametrize("is_stopped", [False, True])
def test_it_is_loaded_whether_its_process_lives_or_not(box, begin, editors, runs, is_stopped):
    editor = begin(say("one"), say("two"))
    talk = editor.new(box.project)
    talk.turn("a heron")
    (session,) = runs.call("session/active")["sessions"]
    editor.close()
    if is_stopped:
        runs.call("session/stop", session_id=session["id"])
        until(lambda: not children(box), "the process to end", 20)
    again = editors.open().load(talk)
    assert again.text("user_message_chunk") == "a heron" and again.text() == "one"
    assert again.turn("on") == "end_turn" and again.text() == "onetwo"
    assert "a heron" in str(begin.model.requests[-1]["messages"]) and len(children(box)) == 1


def test_a_conversation_of_a_terminal_is_loaded(box, begin, editors, claude):
    call = bash("echo a heron")
    editor = begin(use(call), say("one"), say("two"))
    run = claude(begin.model, "first words", mode="bypassPermissions")
    delivered(run, "one")
    talk = editor.new(box.project)
    talk.id = run.session_id
    again = editor.load(talk)
    assert again.text("user_message_chunk") == "first words" and again.text() == "one"
    includes(again.tool(call), status="completed", kind="execute")
    assert again.turn("on") == "end_turn" and again.text() == "onetwo"


def test_an_editor_that_was_killed_is_asked_again(box, begin, editors):
    call = touch("a")
    editor = begin(use(call), say("done"))
    talk = editor.new(box.project)
    talk.begin("go")
    editor.question()
    editor.close()
    other = editors.open()
    again = other.load(talk)
    assert again.text("user_message_chunk") == "go"
    asked = other.question()
    assert asked["params"]["toolCall"]["toolCallId"] == call.id
    other.answer(asked, "allow_once")
    again.says("done")
    assert (box.project / "a").exists()
    includes(again.tool(call), status="completed")


def test_the_rest_of_a_turn_is_heard_behind_the_history(box, begin, editors):
    """The editor is killed while the agent writes; each word comes once."""
    more = threading.Event()
    editor = begin(write("one heron ", more, "two herons"))
    talk = editor.new(box.project)
    talk.begin("count")
    talk.says("one heron ")
    editor.close()
    other = editors.open()
    again = other.load(talk)
    more.set()
    again.says("two herons")
    other.settle()
    assert again.text("user_message_chunk") == "count" and again.text() == "one heron two herons"


def test_it_is_resumed_without_its_history(box, begin, editors):
    editor = begin(say("one"), say("two"))
    talk = editor.new(box.project)
    talk.turn("a heron")
    editor.close()
    other = editors.open()
    again = other.load(talk, "session/resume")
    other.settle()
    assert again.updates(*MESSAGES) == []
    assert again.turn("on") == "end_turn" and again.text() == "two"
    assert "a heron" in str(begin.model.requests[-1]["messages"])


def test_a_copy_goes_on_by_itself(box, begin):
    editor = begin(say("one"), say("two"), say("three"))
    talk = editor.new(box.project)
    talk.turn("a heron")
    copy = editor.call("session/fork", sessionId=talk.id, cwd=str(box.project), mcpServers=[])
    assert copy["sessionId"] != talk.id
    other = Talk(editor, box.project, copy)
    assert other.turn("of the copy") == "end_turn"
    assert "a heron" in str(begin.model.requests[-1]["messages"])
    assert talk.turn("of the first") == "end_turn"
    assert "of the copy" not in str(begin.model.requests[-1]["messages"])


def test_what_there_is_is_listed(box, begin, editors):
    other_place = box.root / "other"
    other_place.mkdir()
    editor = begin(say("one"), say("one"))
    here, there = editor.new(box.project), editor.new(other_place)
    here.turn("a heron")
    there.turn("a stork")

    def listed(**params):
        return {one["sessionId"]: one for one in editor.call("session/list", **params)["sessions"]}

    until(lambda: listed().keys() == {here.id, there.id}, lambda: f"both: {listed()}", 20)
    assert listed(cwd=str(box.project)).keys() == {here.id} and listed(cwd=str(other_place)).keys() == {there.id}
    assert listed(cwd=str(box.root)) == {}
    assert listed()[here.id]["cwd"] == str(box.project) and listed()[here.id]["updatedAt"]
    until(lambda: "heron" in (listed()[here.id].get("title") or ""), lambda: f"a title: {listed()}", 20)
    editor.close()
    assert {one["sessionId"] for one in editors.open().call("session/list")["sessions"]} == {here.id, there.id}


def test_a_link_to_the_directory_lists_its_sessions(box, begin):
    link, other = box.root / "link", box.root / "dangling"
    link.symlink_to(box.project)
    other.symlink_to(box.root / "nowhere")
    editor = begin(say("one"))
    talk = editor.new(link)
    talk.turn("go")
    for place in (link, f"{link}/", box.project):
        until(lambda: [one["sessionId"] for one in editor.call("session/list", cwd=str(place))["sessions"]] == [talk.id],
              lambda: f"it to be listed at {place}", 20)
    for place in (other, box.root / "nowhere", "relative", ""):
        assert editor.call("session/list", cwd=str(place))["sessions"] == [], place


def test_all_of_many_are_listed(box, begin, claude):
    """Page by page, each once."""
    editor = begin()
    folder = box.config / "projects" / str(box.project).replace("/", "-").replace(".", "-")
    folder.mkdir(parents=True)
    numbers = {str(uuid.uuid4()) for _ in range(130)}
    for index, number in enumerate(sorted(numbers)):
        line = {"type": "user", "message": {"role": "user", "content": f"heron {index}"}, "uuid": str(uuid.uuid4()), "parentUuid": None,
                "isSidechain": False, "sessionId": number, "cwd": str(box.project), "version": "2.1.330", "userType": "external",
                "timestamp": f"2026-11-20T10:{index // 60:02d}:{index % 60:02d}.000Z"}
        (folder / f"{number}.jsonl").write_text(json.dumps(line) + "\n")

    def all():
        found, cursor = [], None
        while True:
            page = editor.call("session/list", cwd=str(box.project), **({"cursor": cursor} if cursor else {}))
            found += [one["sessionId"] for one in page["sessions"]]
            cursor = page.get("nextCursor")
            if not cursor:
                return found

    until(lambda: len(all()) == len(numbers), lambda: f"all of them: {len(all())}", 30)
    assert set(all()) == numbers
    with pytest.raises(RpcError) as error:
        editor.call("session/list", cursor="nonsense")
    assert error.value.code == -32602


def test_it_is_closed(box, begin, runs, editors):
    editor = begin(say("one"), say("two"))
    talk = editor.new(box.project)
    talk.turn("a heron")
    editor.call("session/close", sessionId=talk.id)
    until(lambda: not children(box), "the process to end", 20)
    with pytest.raises(RpcError) as error:
        talk.turn("x")
    assert error.value.code == -32002
    again = editor.load(talk)
    assert again.turn("on") == "end_turn" and "a heron" in str(begin.model.requests[-1]["messages"])


def test_it_is_closed_in_the_middle_of_a_turn(box, begin):
    call = bash("touch started; sleep 600")
    editor = begin(use(call), say("never"))
    editor.answers = "allow_once"
    talk = editor.new(box.project)
    number = talk.begin("go")
    file_appears(box.project / "started", 30)
    editor.call("session/close", sessionId=talk.id)
    assert talk.ends(number) == "cancelled"
    until(lambda: not children(box), "the process to end", 20)


def test_a_session_goes_on_without_its_editor(box, begin, runs):
    """Nothing ends because an editor left, and the phone sees the rest."""
    call = touch("a")
    editor = begin(use(call), say("done"))
    talk = editor.new(box.project)
    talk.begin("go")
    editor.question()
    assert editor.line.hang_up() == 0
    runs.driver.respond(runs.driver.card(tool_use_id=call.id), "allow")
    runs.driver.hear("claude_prompt_end", 30, status="completed")
    assert (box.project / "a").exists()


def lines_of(conversation, cwd, messages):
    """A transcript as Claude Code writes it, of (role, content)."""
    before, made = None, []
    for index, (role, content) in enumerate(messages):
        message = {"role": role, "content": content}
        if role == "assistant":
            message = {**message, "id": f"msg_{index}", "type": "message", "model": "claude-opus-5-5", "stop_reason": None, "usage": {
                "input_tokens": 1, "output_tokens": 1}}
        number = str(uuid.uuid4())
        made.append(json.dumps({
            "type": role, "message": message, "uuid": number, "parentUuid": before, "isSidechain": False, "sessionId": conversation,
            "cwd": str(cwd), "version": "2.1.330", "userType": "external", "entrypoint": "cli",
            "timestamp": f"2026-11-20T{index // 3600:02d}:{index // 60 % 60:02d}:{index % 60:02d}.000Z"}))
        before = number
    return "".join(line + "\n" for line in made)


def written(box, messages):
    """The id of a conversation with these messages."""
    conversation = str(uuid.uuid4())
    folder = box.config / "projects" / str(box.project).replace("/", "-").replace(".", "-").replace("_", "-")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{conversation}.jsonl").write_text(lines_of(conversation, box.project, messages))
    return conversation


def loaded(editor, box, conversation):
    until(lambda: conversation in {one["sessionId"] for one in editor.call("session/list", cwd=str(box.project))["sessions"]},
          "the conversation to be listed", 30)
    return editor.load(Talk(editor, box.project, {"sessionId": conversation}))


def test_all_of_a_long_history_comes(box, begin):
    count = 1700
    messages = [part for index in range(count) for part in (("user", f"<{index}>"), ("assistant", [{"type": "text", "text": f"[{index}]"}]))]
    editor = begin()
    talk = loaded(editor, box, written(box, messages))
    assert talk.text("user_message_chunk") == "".join(f"<{index}>" for index in range(count))
    assert talk.text() == "".join(f"[{index}]" for index in range(count))
    kinds = [update["sessionUpdate"] for update in talk.updates("user_message_chunk", "agent_message_chunk")]
    assert kinds == ["user_message_chunk", "agent_message_chunk"] * count


def test_each_part_of_a_history_comes(box, begin):
    picture = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}
    path = str(box.project / "a.txt")
    editor = begin()
    talk = loaded(editor, box, written(box, [
        ("user", [{"type": "text", "text": "look"}, picture]),
        ("assistant", [{"type": "thinking", "thinking": "a heron?", "signature": "x"}]),
        ("assistant", [{"type": "tool_use", "id": "toolu_1", "name": "Edit", "input": {"file_path": path, "old_string": "a", "new_string": "b"}}]),
        ("user", [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "no such file", "is_error": True}]),
        ("assistant", [{"type": "tool_use", "id": "toolu_2", "name": "Bash", "input": {"command": "ls"}}]),
        ("user", [{"type": "tool_result", "tool_use_id": "toolu_2", "content": [{"type": "text", "text": "a.txt"}]}]),
        # The agent was killed in the middle of this one.
        ("assistant", [{"type": "tool_use", "id": "toolu_3", "name": "Bash", "input": {"command": "sleep 9"}}]),
    ]))
    shown = [update["content"]["type"] for update in talk.updates("user_message_chunk")]
    assert shown == ["text", "image"] and talk.text("agent_thought_chunk") == "a heron?"
    tools = {update["toolCallId"]: talk.tool(Call("", {}, update["toolCallId"])) for update in talk.updates("tool_call")}
    includes(tools["toolu_1"], status="failed", kind="edit")
    includes(tools["toolu_2"], status="completed", kind="execute", title="ls")
    assert tools["toolu_3"]["status"] != "completed" and texts(tools["toolu_2"]) == "a.txt"


def test_several_loads_at_once_are_one_process(box, begin, editors, runs):
    editor = begin(say("one"), say("two"), say("three"))
    talk = editor.new(box.project)
    talk.turn("a heron")
    editor.call("session/close", sessionId=talk.id)
    until(lambda: not children(box), "the process to end", 20)
    others = [editors.open(), editors.open()]
    place = {"sessionId": talk.id, "cwd": str(box.project), "mcpServers": []}
    numbers = [(one, one.begin("session/load", **place)) for one in others]
    for one, number in numbers:
        one.end(number)
    talks = [Talk(one, box.project, {"sessionId": talk.id}) for one in others]
    prompts = [one.begin("on") for one in talks]
    assert [one.ends(number) for one, number in zip(talks, prompts)] == ["end_turn", "end_turn"]
    assert len(children(box)) == 1 and len(runs.call("session/active")["sessions"]) == 1
    for one in talks:
        assert one.text("user_message_chunk").count("a heron") == 1


def test_the_history_is_there_as_soon_as_the_daemon_is(box, cdev, begin, editors):
    """It takes many transcripts in first; who loads one waits for that, and is not shown an empty one."""
    editor = begin(say("one"))
    talk = editor.new(box.project)
    talk.turn("a heron")
    editor.close()
    cdev.kill()
    for index in range(300):
        written(box, [("user", f"stork {index}"), ("assistant", [{"type": "text", "text": "on " * 2000}])])
    cdev.start()
    again = editors.open().load(talk)
    assert again.text("user_message_chunk") == "a heron" and again.text() == "one"


ROUNDS = 60 if os.environ.get("CDEV_LONG_TESTS") else 8


@pytest.mark.parametrize("round", range(ROUNDS))
def test_a_load_at_any_moment_misses_nothing(box, begin, editors, round):
    """The transcript is behind what the agent writes. Each part comes once, whether by the one or by the other."""
    turns = [use(bash("echo heron 0")), use(bash("echo heron 1"), bash("echo heron 2")), use(bash("echo heron 3")), say("done")]
    moment = threading.Event()

    def turn(number):
        def answer(body):
            if number == round % len(turns):
                moment.set()
            return turns[number]

        return answer

    editor = begin(*map(turn, range(len(turns))))
    talk, other = editor.new(box.project), editors.open()
    number = talk.begin("go")
    assert moment.wait(30), "it to be asked"
    again = other.load(talk)
    assert talk.ends(number) == "end_turn"
    again.says("done")
    other.settle()
    assert again.text() == "done" and again.text("user_message_chunk") == "go"
    for update in talk.updates("tool_call"):
        call = Call("", {}, update["toolCallId"])
        includes(again.tool(call) or {}, status="completed", kind="execute", title=talk.tool(call)["title"])
