"""Bodies that `hypothesis` makes up, read by this dialect: each is read or refused in its form, and none breaks anything."""
import json

import pytest
from hypothesis import given, seed
from hypothesis import strategies as st

from harness import http1
from harness.checks import bearer
from harness.generated import bounded

TURNS = {"/v1/chat/completions", "/v1/messages", "/v1/responses"}
MOST_OF_TOKEN = 500  # of one device in a minute are taken 600

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=30), lambda inner:
    st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4), max_leaves=10)
PART = st.fixed_dictionaries({}, optional={
    "type": st.sampled_from(["text", "image_url", "image", "input_audio", "refusal", "tool_result", "tool_use"]) | VALUES,
    "text": st.text(max_size=20) | VALUES,
    "image_url": st.fixed_dictionaries({"url": st.sampled_from(
        ["data:image/png;base64,QUJD", "data:,", "data:image/png;base64", "http://x/", ""]) | VALUES}) | VALUES,
    "source": st.fixed_dictionaries({"type": st.just("base64") | VALUES, "media_type": st.just("image/png") | VALUES,
                                     "data": st.just("QUJD") | VALUES}) | VALUES, "content": st.text(max_size=20) | VALUES})
MESSAGE = st.fixed_dictionaries({}, optional={
    "type": st.sampled_from(["message", "function_call", "function_call_output", "item_reference"]) | VALUES,
    "role": st.sampled_from(["system", "developer", "user", "assistant", "tool", "function"]) | VALUES,
    "content": st.text(max_size=20) | st.lists(PART, max_size=3) | VALUES})
BODY = st.fixed_dictionaries({}, optional={
    "messages": st.lists(MESSAGE, max_size=5) | VALUES, "input": st.lists(MESSAGE, max_size=5) | VALUES,
    "model": st.sampled_from(["claude", "claude/x", "-x"]) | VALUES,
    "stream_options": st.fixed_dictionaries({"include_usage": VALUES}) | VALUES,
    **{name: VALUES for name in ("stream", "project_id", "session_id", "system_prompt", "n", "response_format", "tool_choice",
                                 "modalities", "title", "path", "name", "mcp", "system", "metadata", "output_config",
                                 "instructions", "text", "background")},
    "previous_response_id": st.sampled_from(["resp_s_1_p", "resp_", "resp_s_"]) | VALUES})


@pytest.mark.parametrize("path", ["/v1/chat/completions/debug", "/v1/projects", "/v1/sessions", "/v1/chat/completions",
                                  "/v1/messages", "/v1/responses"])
def test_every_body_is_read_or_refused(cdev, path):
    """Without a workspace, and with an agent that is not there, so that nothing is begun."""
    cdev.start(claude="/nonexistent/claude")
    state = {"count": 0}

    @seed(1)
    @bounded(100)
    @given(BODY | VALUES)
    def check(body):
        if state["count"] % MOST_OF_TOKEN == 0:
            state["token"] = cdev.local.call("token/create", {"name": f"t{state['count']}", "rights": "drive"})["token"]
        state["count"] += 1
        answer = http1.ask(cdev.tcp, "POST", path, json.dumps(body).encode(), bearer(state["token"]))
        if answer.status != 200 or path in TURNS:
            error = answer.json["error"]
            if path == "/v1/messages":
                assert answer.json["type"] == "error" and set(error) == {"type", "message", "details"}
            else:
                assert set(error) == {"message", "type", "param", "code", "status"} and error["status"] == answer.status
            assert answer.status in (400, 404), answer
        assert cdev.process.poll() is None, cdev.story()

    check()
    assert http1.ask(cdev.tcp, "GET", "/health").json["ok"] is True
