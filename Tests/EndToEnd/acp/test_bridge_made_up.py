"""What PyPI `hypothesis` makes up, sent to the bridge of phones: each request has one answer, and the session goes on."""
import pytest
from hypothesis import given, seed
from hypothesis import strategies as st

from harness.bridge import Phone
from harness.daemon import reserved_port
from harness.fake_model import say
from harness.generated import HOSTILE, bounded, weighted, written

pytestmark = pytest.mark.real_cli

# Of one device in a minute are taken 600.
MOST_OF_TOKEN = 400
LIKELY = {
    # Never a directory, and never a text: nothing begins that would have to be waited for.
    "cwd": st.sampled_from(["/nowhere", "", "a", "/nowhere/../.."]), "mcp_servers": st.just([]), "client_info": st.just({}),
    "prompt": st.sampled_from(["", []]), "mode_id": st.sampled_from(["codex", "claude-code"]), "limit": st.integers(-1, 2000),
    "title": st.just("")}
METHODS = {
    "initialize": ["client_info"], "session/new": ["cwd", "mcp_servers", "mode_id"], "session/prompt": ["session_id", "prompt"],
    "session/cancel": ["session_id"], "session/set_mode": ["session_id", "mode_id"], "tinyvex/history.recentSessions": [],
    "tinyvex/history.sessionTimeline": ["session_id", "limit"], "tinyvex/history.getSessionTitle": ["session_id"],
    "tinyvex/history.setSessionTitle": ["session_id", "title"], "tinyvex/history.clearSessionTitle": ["session_id"]}
ODD = HOSTILE.filter(lambda value: not isinstance(value, str))


def calls(session):
    def of(method):
        members = {name: weighted((3, LIKELY.get(name, st.sampled_from([session, "nobody"]))), (1, ODD)) for name in METHODS[method]}
        # Without a directory a session would begin.
        whole = st.fixed_dictionaries({"cwd": members.pop("cwd")} if "cwd" in members else {}, optional=members)
        return st.tuples(st.just(method), whole if method == "session/new" else weighted((6, whole), (1, ODD)))

    return st.sampled_from(sorted(METHODS)).flatmap(of)


def test_each_has_one_answer_and_the_session_goes_on(box, cdev, runs, model):
    port = reserved_port(box)
    runs.begin(model(say("one")), acp_port=port)
    state = {"count": 0, "phones": 0}

    def connect():
        state["phones"] += 1
        phone = Phone(port, cdev.token(f"app {state['phones']}", "drive"))
        box.on_close(phone.close)
        phone.initialize()
        return phone

    first = connect()
    session = first.call("session/new", cwd=str(box.project))["session_id"]

    @seed(1)
    @bounded(200, 3000)
    @given(calls(session))
    def call(made):
        method, params = made
        if state["count"] % MOST_OF_TOKEN == 0:
            state["phone"] = connect()
        state["count"] += 1
        phone, number = state["phone"], f"n{state['count']}"
        phone.send('{"jsonrpc":"2.0","id":"%s","method":"%s","params":%s}' % (number, method, written(params)))

        def replies():
            return [one for who, one in phone.log if who == "cdev" and "method" not in one and one.get("id") in (number, None)]

        reply = phone.wait(replies, f"a reply to {method}")
        assert len(reply) == 1 and ("result" in reply[0]) != ("error" in reply[0]), reply
        if "error" in reply[0]:
            assert reply[0]["error"]["code"] in (-32700, -32602, -32600, -32002) and reply[0]["error"]["message"], reply
        assert cdev.process.poll() is None, cdev.story()

    call()
    first.call("session/prompt", session_id=session, prompt="go")
    first.says(session, "one")
    assert first.faults == [] and state["phone"].faults == []
