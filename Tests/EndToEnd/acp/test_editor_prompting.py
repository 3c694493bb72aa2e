"""Prompts of an editor: what the model is given, and what the editor is shown while the turn runs."""
import base64
import json
import random
import struct
import threading
import zlib

import pytest

from harness.approver import RpcError
from harness.checks import includes
from harness.editor import diffs, texts
from harness.fake_model import Call, bash, fail, say, think, use, write

pytestmark = pytest.mark.real_cli


def png(side=16, noise=False):
    """A picture; with noise, one that cannot be made smaller."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    row = random.Random(1).randbytes if noise else lambda size: b"\x40\x80\xc0" * (size // 3)
    rows = zlib.compress(b"".join(b"\0" + row(3 * side) for _ in range(side)))
    parts = chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)), chunk(b"IDAT", rows), chunk(b"IEND", b"")
    return base64.b64encode(b"\x89PNG\r\n\x1a\n" + b"".join(parts)).decode()


def last_prompt(answers):
    """The blocks of the last user message that holds more than results of tools."""
    said = [message for message in answers.requests[-1]["messages"] if message["role"] == "user"]
    return said[-1]["content"] if isinstance(said[-1]["content"], list) else [{"type": "text", "text": said[-1]["content"]}]


def test_the_text_comes_as_it_is_said(box, begin):
    more = threading.Event()
    editor = begin(write("one heron ", more, "two herons"))
    talk = editor.new(box.project)
    number = talk.begin("count")
    talk.says("one heron ")
    assert "two" not in talk.text()
    more.set()
    assert talk.ends(number) == "end_turn"
    assert talk.text() == "one heron two herons"
    usage = talk.hears("usage_update")
    assert usage["size"] >= usage["used"] > 0 and usage["cost"]["amount"] > 0 and usage["cost"]["currency"] == "USD"
    # All of it came before the end.
    end = next(index for index, (who, message) in enumerate(editor.log) if who == "cdev" and message.get("id") == number)
    chunks = [index for index, (who, message) in enumerate(editor.log) if who == "cdev" and "agent_message_chunk" in json.dumps(message)]
    assert max(chunks) < end


def test_the_blocks_reach_the_model(box, begin):
    (box.project / "notes.txt").write_text("of no interest\n")
    picture = png()
    editor = begin(say("seen"))
    talk = editor.new(box.project)
    assert talk.turn(
        "look at this",
        {"type": "resource_link", "uri": f"file://{box.project}/notes.txt", "name": "notes.txt"},
        {"type": "resource", "resource": {"uri": "file:///a/heron.py", "mimeType": "text/x-python", "text": "print('a heron')"}},
        {"type": "image", "mimeType": "image/png", "data": picture},
    ) == "end_turn"
    blocks = last_prompt(begin.model)
    text = "\n".join(block["text"] for block in blocks if block["type"] == "text")
    for words in ("look at this", "notes.txt", "/a/heron.py", "print('a heron')"):
        assert words in text, blocks
    (image,) = [block for block in blocks if block["type"] == "image"]
    includes(image["source"], type="base64", media_type="image/png")


def test_a_large_picture_is_taken(box, begin):
    """More than a frame of other clients holds."""
    picture = png(1000, noise=True)
    assert len(picture) > 3_000_000
    talk = begin(say("seen")).new(box.project)
    assert talk.turn("look", {"type": "image", "mimeType": "image/png", "data": picture}) == "end_turn"
    assert "image" in [block["type"] for block in last_prompt(begin.model)] and talk.text() == "seen"


@pytest.mark.parametrize("block", [
    {"type": "audio", "mimeType": "audio/wav", "data": "AAAA"}, {"type": "image", "mimeType": "image/png", "data": "no!"},
    {"type": "text"}, {"type": "nonsense"}, 7])
def test_a_block_that_it_does_not_take_is_told(box, begin, block):
    editor = begin(say("on"))
    talk = editor.new(box.project)
    with pytest.raises(RpcError) as error:
        talk.turn(block)
    assert error.value.code == -32602, error.value
    assert talk.turn("then this") == "end_turn" and talk.text() == "on"


def test_an_empty_prompt_is_told(box, begin):
    talk = begin().new(box.project)
    with pytest.raises(RpcError) as error:
        talk.turn()
    assert error.value.code == -32602, error.value


def test_a_command_is_shown(box, begin):
    call = bash("echo a heron")
    editor = begin(use(call), say("done"))
    talk = editor.new(box.project)
    assert talk.turn("go") == "end_turn"
    told = [update.get("status") for update in talk.updates("tool_call", "tool_call_update") if update["toolCallId"] == call.id]
    assert told == ["pending", "in_progress", "completed"], "begun, whole and so running, and ended"
    tool = includes(talk.tool(call), status="completed", kind="execute", title="echo a heron")
    assert tool["rawInput"]["command"] == "echo a heron" and "a heron" in texts(tool)
    assert talk.text() == "done"
    # The call is told where it happened: behind the prompt, before what was said about it.
    kinds = [update["sessionUpdate"] for update in talk.updates("tool_call", "tool_call_update", "agent_message_chunk")]
    assert kinds[0] == "tool_call" and kinds[-1] == "agent_message_chunk", kinds


def test_a_command_that_fails_is_shown(box, begin):
    call = bash("ls heron")
    talk = begin(use(call), say("done")).new(box.project)
    assert talk.turn("go") == "end_turn"
    tool = includes(talk.tool(call), status="failed", kind="execute")
    assert "heron" in texts(tool)


def test_what_is_read_is_shown(box, begin):
    path = box.project / "a.txt"
    path.write_text("one\ntwo\nthree\n")
    call = Call("Read", {"file_path": str(path), "offset": 2, "limit": 1})
    talk = begin(use(call), say("done")).new(box.project)
    assert talk.turn("go") == "end_turn"
    tool = includes(talk.tool(call), status="completed", kind="read")
    (place,) = tool["locations"]
    assert place == {"path": str(path), "line": 2}
    assert str(path) in tool["title"] or "a.txt" in tool["title"]


@pytest.mark.parametrize("before, old, new, all", [
    ("one\ntwo\nthree\n", "two", "TWO", False), ("one\ntwo\none\n", "one", "1", True), ("  if a:\n    b\n", "    b\n", "    b\n    c\n", False)])
def test_an_edit_is_shown_exactly(box, begin, before, old, new, all):
    path = box.project / "a.txt"
    path.write_text(before)
    seen = Call("Read", {"file_path": str(path)})
    call = Call("Edit", {"file_path": str(path), "old_string": old, "new_string": new, "replace_all": all})
    editor = begin(use(seen), use(call), say("done"))
    editor.answers = "allow_once"
    talk = editor.new(box.project)
    assert talk.turn("go") == "end_turn"
    tool = includes(talk.tool(call), status="completed", kind="edit")
    assert [place["path"] for place in tool["locations"]] and tool["locations"][0]["path"] == str(path)
    assert diffs(tool) and all_of(diffs(tool), before) == path.read_text() == before.replace(old, new), tool
    # Who is asked is shown what it would change.
    asked = editor.question()["params"]["toolCall"]
    shown = diffs(asked) or diffs([update for update in talk.updates("tool_call", "tool_call_update")
                                   if update["toolCallId"] == call.id and diffs(update)][0])
    assert {one["path"] for one in shown} == {str(path)}


def all_of(changes, text):
    """A text after these changes, each of which stands in it."""
    for change in changes:
        assert change["oldText"] and change["oldText"] in text, (change, text)
        text = text.replace(change["oldText"], change["newText"], 1)
    return text


def test_a_file_that_is_made_is_shown(box, begin):
    path = box.project / "new.txt"
    call = Call("Write", {"file_path": str(path), "content": "one\ntwo\n"})
    editor = begin(use(call), say("done"))
    editor.answers = "allow_once"
    talk = editor.new(box.project)
    assert talk.turn("go") == "end_turn"
    tool = includes(talk.tool(call), status="completed", kind="edit")
    (change,) = diffs(tool)
    includes(change, path=str(path), newText="one\ntwo\n")
    assert change.get("oldText") is None and path.read_text() == "one\ntwo\n"


def test_a_file_that_is_written_over_is_shown(box, begin):
    path = box.project / "old.txt"
    path.write_text("one\n")
    seen, call = Call("Read", {"file_path": str(path)}), Call("Write", {"file_path": str(path), "content": "two\n"})
    editor = begin(use(seen), use(call), say("done"))
    editor.answers = "allow_once"
    talk = editor.new(box.project)
    assert talk.turn("go") == "end_turn"
    (change,) = diffs(includes(talk.tool(call), status="completed", kind="edit"))
    includes(change, path=str(path), oldText="one\n", newText="two\n")


def test_what_is_looked_for_is_a_search(box, begin):
    (box.project / "a.txt").write_text("a heron\n")
    call = Call("Grep", {"pattern": "heron", "path": str(box.project)})
    talk = begin(use(call), say("done")).new(box.project)
    assert talk.turn("go") == "end_turn"
    includes(talk.tool(call), kind="search")


def test_several_calls_of_one_step(box, begin):
    calls = [bash(f"echo heron {number}") for number in range(3)]
    talk = begin(use(*calls), say("done")).new(box.project)
    assert talk.turn("go") == "end_turn"
    for number, call in enumerate(calls):
        assert f"heron {number}" in texts(includes(talk.tool(call), status="completed"))


def test_a_large_result_comes(box, begin):
    """Larger than a pipe's buffer, in one line; the client cuts what is longer."""
    call = Call("Read", {"file_path": str(box.project / "large.txt")})
    (box.project / "large.txt").write_text("".join(f"{number} heron\n" for number in range(1500)))
    large = "heron " * 40_000
    talk = begin(use(call), say(large)).new(box.project)
    assert talk.turn("go" + " on" * 100_000) == "end_turn"
    assert "1499 heron" in json.dumps(talk.tool(call)) and talk.text() == large


def test_a_prompt_behind_another_waits(box, begin):
    gate = threading.Event()
    talk = begin(say("one", gate=gate), say("two")).new(box.project)
    first = talk.begin("first")
    second = talk.begin("second")
    gate.set()
    assert talk.ends(first) == "end_turn" and talk.ends(second) == "end_turn"
    assert "one" in talk.text() and "second" in str(begin.model.requests[-1]["messages"])


def test_a_slash_command_is_run(box, begin):
    talk = begin(say("one")).new(box.project)
    talk.turn("go")
    assert talk.turn("/context") == "end_turn"
    assert len(talk.text()) > len("one"), "what it prints is shown"


def test_any_text_is_one_line(box, begin):
    odd = "zwölf Reiher \U0001f426\u2028\u2029\u0085\x7f\t\r\n \\\"{}\ud7ff"
    talk = begin(say(odd)).new(box.project)
    assert talk.turn(odd) == "end_turn" and talk.text() == odd
    assert odd.strip() in "".join(block.get("text", "") for block in last_prompt(begin.model))


def test_a_cleared_conversation_goes_on_under_its_id(box, begin):
    """Claude Code gives it another one."""
    talk = begin(say("one"), say("two")).new(box.project)
    talk.turn("a heron")
    assert talk.turn("/clear") == "end_turn"
    assert talk.turn("on") == "end_turn" and talk.text().endswith("one"), talk.text()
    assert "a heron" not in str(begin.model.requests[-1]["messages"])


def test_what_it_thinks_is_shown_apart(box, begin):
    talk = begin(think("a heron, or a stork?", "a heron")).new(box.project)
    assert talk.turn("go") == "end_turn"
    assert talk.text("agent_thought_chunk") == "a heron, or a stork?" and talk.text() == "a heron"


def test_an_error_of_the_provider_is_seen(box, begin):
    """As an error of the prompt, or in the words of the agent."""
    is_over = threading.Event()
    talk = begin(lambda body: say("on") if is_over.is_set() else fail(400, "too many herons")).new(box.project)
    try:
        assert talk.turn("go") != "cancelled", "nobody cancelled it"
        told = talk.text()
    except RpcError as error:
        told = error.message
    assert "too many herons" in told
    is_over.set()
    assert talk.turn("on") == "end_turn" and talk.text().endswith("on")


def test_who_is_not_logged_in_is_told(box, cdev, begin, editors):
    begin(say("never"))
    cdev.stop()
    del cdev.environment["ANTHROPIC_API_KEY"]
    cdev.start()
    with pytest.raises(RpcError, match="/login|log in") as error:
        editors.open().new(box.project).turn("go")
    assert error.value.code == -32000, error.value


def test_a_refusal_of_the_model_is_no_error(box, begin):
    talk = begin(say("I cannot", stop="refusal"), say("I cannot", stop="refusal"), say("on")).new(box.project)
    assert talk.turn("go") == "refusal" and "flagged" in talk.text()
    assert talk.turn("go on") == "end_turn"
