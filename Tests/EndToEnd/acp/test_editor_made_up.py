"""What PyPI `hypothesis` makes up, sent to `cdev acp` and to /acp: each request has one answer, which is one of the protocol,
and the session goes on."""
import pytest
from hypothesis import given, seed
from hypothesis import strategies as st

from harness.fake_model import say
from harness.generated import HOSTILE, bounded, weighted, written

pytestmark = pytest.mark.real_cli

BLOCKS = st.fixed_dictionaries({}, optional={
    "type": weighted((4, st.sampled_from(["image", "audio", "resource", "resource_link", "video", "Text"])), (1, HOSTILE)),
    "text": HOSTILE, "data": HOSTILE, "mimeType": HOSTILE, "uri": HOSTILE, "name": HOSTILE, "resource": HOSTILE})
LIKELY = {
    # Never a directory, and never a text: nothing begins that would have to be waited for.
    "cwd": st.sampled_from(["/nowhere", "", "a", "/nowhere/../.."]), "mcpServers": st.just([]),
    "prompt": st.lists(weighted((3, BLOCKS), (1, HOSTILE.filter(lambda value: not isinstance(value, dict)))), max_size=3),
    "modeId": st.sampled_from(["nonsense", "", "Plan"]), "configId": st.sampled_from(["mode", "model", "nonsense"]),
    "value": st.sampled_from(["nonsense", ""]), "protocolVersion": st.sampled_from([0, 1, 2, 65535]),
    "clientCapabilities": st.just({}), "cursor": st.sampled_from(["", "0", "nonsense"]), "methodId": st.just("claude-login"),
    "requestId": st.sampled_from([0, 1, "a"])}
METHODS = {
    "initialize": ["protocolVersion", "clientCapabilities"], "authenticate": ["methodId"], "session/new": ["cwd", "mcpServers"],
    "session/load": ["sessionId", "cwd", "mcpServers"], "session/resume": ["sessionId", "cwd", "mcpServers"],
    "session/fork": ["sessionId", "cwd", "mcpServers"], "session/list": ["cwd", "cursor"], "session/prompt": ["sessionId", "prompt"],
    "session/set_mode": ["sessionId", "modeId"], "session/set_config_option": ["sessionId", "configId", "value"],
    "session/close": ["sessionId"], "session/delete": ["sessionId"]}
NOTIFICATIONS = {"session/cancel": ["sessionId"], "$/cancel_request": ["requestId"]}
ENDING = ("session/close", "session/delete")
# With none of which a model or a mode is chosen that there is.
ODD = HOSTILE.filter(lambda value: not isinstance(value, str) or value not in ("", "default"))


def calls(methods, session, spare):
    """What ends a session is sent for another than the one that is to go on."""
    def of(method):
        sessions = st.sampled_from([spare if method in ENDING else session, "nobody"])
        members = {name: weighted((3, LIKELY.get(name, sessions)), (1, ODD)) for name in methods[method]}
        return st.tuples(st.just(method), weighted((6, st.fixed_dictionaries({}, optional=members)), (1, ODD)))

    return st.sampled_from(sorted(methods)).flatmap(of)


NEARLY = {"jsonrpc": weighted((5, st.just("2.0")), (1, HOSTILE)), "id": HOSTILE, "method": weighted((3, st.just("no/such")), (1, HOSTILE)),
          "params": HOSTILE}
ENVELOPES = st.fixed_dictionaries({}, optional={**NEARLY, "result": HOSTILE, "error": HOSTILE, "more": HOSTILE}).map(written)
LINES = weighted(
    (4, ENVELOPES), (1, st.tuples(ENVELOPES, st.integers(0, 100)).map(lambda made: made[0][:made[1]])),
    (1, st.lists(ENVELOPES, max_size=3).map(lambda parts: f"[{','.join(parts)}]")),
    (1, st.sampled_from(["", " ", "\t", "null", "[]", "{}", '"a"', "1e999", "[" * 5000, "\ufeff{}", "\x00", "\x7f"])))


@pytest.mark.parametrize("door", ["pipes", "socket"])
def test_each_has_one_answer_and_the_session_goes_on(box, begin, editors, door):
    editor = begin(say("one"))
    if door == "socket":
        editor = editors.connect()
    talk, spare = editor.new(box.project), editor.new(box.project)

    @seed(1)
    @bounded(150, 3000)
    @given(calls(METHODS, talk.id, spare.id))
    def call(made):
        method, params = made
        number = editor.begin_text(method, written(params))
        reply = editor.reply(number)
        assert "result" in reply or reply["error"]["code"] in (-32600, -32601, -32602, -32002, -32000), reply

    @seed(1)
    @bounded(50, 1000)
    @given(calls(NOTIFICATIONS, talk.id, spare.id))
    def notification(made):
        method, params = made
        editor.send(f'{{"jsonrpc":"2.0","method":"{method}","params":{written(params)}}}')
        editor.settle()

    @seed(1)
    @bounded(150, 3000)
    @given(LINES)
    def line(text):
        editor.send(text.replace("\n", " "))
        editor.settle()

    call()
    notification()
    line()
    assert talk.turn("go") == "end_turn" and talk.text() == "one"
    errors = [message["error"] for who, message in editor.log if who == "cdev" and isinstance(message, dict) and "error" in message]
    assert errors and all(error["message"] and error["code"] != -32603 for error in errors)
