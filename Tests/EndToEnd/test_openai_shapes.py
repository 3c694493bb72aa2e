"""The other shapes of a turn, with the clients that their makers wrote: Anthropic's Messages and OpenAI's Responses. What all
shapes have in common is tried with chat completions, in `test_openai_chat.py`."""
import threading

import pytest

from harness import http1
from harness.fake_model import say, touch, use, write
from harness.openai_chat import Chat, Messages, Responses
from harness.runs import Runs
from harness.waiting import until

pytestmark = pytest.mark.real_cli

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
SHAPES = pytest.mark.parametrize("shape", [Messages, Responses])


@pytest.fixture
def runs(box, cdev):
    return Runs(box, cdev)


@pytest.fixture
def chat(cdev, runs, model):
    """Starts the daemon before a model that says these turns: `chat(turn, …)`."""
    def begin(*turns, **config):
        made = model(*turns)
        runs.begin(made, **config)
        return Chat(runs, cdev, made)
    return begin


def idle(talk, session):
    until(lambda: not talk.http("GET", f"/v1/chat/completions/{session}/status").json["is_running"], lambda: "the end", 20)


def sent_pictures(talk):
    blocks = [block for message in talk.model.requests[-1]["messages"] for block in message["content"] if isinstance(block, dict)]
    return [block["source"]["media_type"] for block in blocks if block["type"] == "image"]


def test_a_conversation_of_messages(chat):
    gate = threading.Event()
    talk = chat(say("one"), write("first ", gate, "second"), say("a dot"))
    api = Messages(talk)
    asked = {"role": "user", "content": "remember the word heron"}
    whole = api.client.messages.create(model="claude", max_tokens=100, system="be brief as a wren", messages=[asked])
    assert (whole.type, whole.role, whole.content[0].text, whole.stop_reason) == ("message", "assistant", "one", "end_turn")
    assert whole.usage.input_tokens > 0 and whole.usage.output_tokens > 0 and whole.usage.total_cost > 0
    assert whole.id.startswith("msg_") and whole.model == "claude" and whole.project_id == talk.runs.workspace
    assert "be brief as a wren" in str(talk.model.requests[-1]["messages"])
    # Without a session's id: the conversation names it.
    with api.client.messages.stream(model="claude", max_tokens=100, system="be brief as a wren", messages=[
            asked, whole.to_param(), {"role": "user", "content": "and now"}]) as stream:
        told = ""
        for text in stream.text_stream:
            told += text
            if not gate.is_set():
                assert told.strip() == "first"
                gate.set()
        last = stream.get_final_message()
    assert told == last.content[0].text == "first second" and last.session_id == whole.session_id
    assert last.stop_reason == "end_turn" and last.usage.input_tokens > 0 and last.usage.output_tokens > 0
    assert "began elsewhere" not in str(talk.model.requests[-1]["messages"])
    picture = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PIXEL}}
    third = api.ask([{"type": "text", "text": "what is it"}, picture], whole.session_id)
    assert third.content[0].text == "a dot" and third.session_id == whole.session_id and sent_pictures(talk) == ["image/png"]


def test_a_conversation_of_responses(chat, cdev):
    gate = threading.Event()
    talk = chat(say("one"), write("first ", gate, "second"), say("a dot"))
    client = Responses(talk).client
    whole = client.responses.create(model="claude", instructions="be brief as a wren", input="remember the word heron")
    assert (whole.object, whole.status, whole.output_text, whole.error) == ("response", "completed", "one", None)
    assert whole.usage.input_tokens > 0 and whole.usage.total_tokens == whole.usage.input_tokens + whole.usage.output_tokens
    assert whole.usage.input_tokens_details.cached_tokens == 0 and whole.created_at > 1_700_000_000 and whole.model == "claude"
    assert "be brief as a wren" in str(talk.model.requests[-1]["messages"])
    with client.responses.stream(model="claude", previous_response_id=whole.id, input="and now") as stream:
        events, told = [], ""
        for event in stream:
            events.append(event)
            told += event.delta if event.type == "response.output_text.delta" else ""
            if told and not gate.is_set():
                assert told.strip() == "first"
                gate.set()
        last = stream.get_final_response()
    assert told == last.output_text == "first second" and last.session_id == whole.session_id
    assert last.previous_response_id == whole.id and events[0].type == "response.created" and events[-1].type == "response.completed"
    sent = str(talk.model.requests[-1]["messages"])
    assert sent.count("remember the word heron") == 1 and "began elsewhere" not in sent
    cdev.stop()
    cdev.start()
    third = client.responses.create(model="claude", previous_response_id=last.id, input=[{"role": "user", "content": [
        {"type": "input_text", "text": "what is it"}, {"type": "input_image", "detail": "auto", "image_url": f"data:image/png;base64,{PIXEL}"}]}])
    assert third.output_text == "a dot" and third.session_id == whole.session_id, "the next daemon knows it, too"
    assert sent_pictures(talk) == ["image/png"]


@SHAPES
def test_a_question_waits_for_a_phone(box, chat, cdev, shape):
    first, second = touch("x"), touch("y")
    talk = chat(use(first), say("made it"), use(second), say("and that"))
    api, phone, found = shape(talk), cdev.approver("phone"), []

    def answered(call, ask):
        thread = threading.Thread(target=lambda: found.append(ask()))
        thread.start()
        card = phone.card(30, tool_use_id=call.id)
        phone.hear("claude_status", claude_state="waiting")
        assert not found
        phone.respond(card, "allow")
        thread.join(30)
        return found.pop()
    answer = answered(first, lambda: api.ask("make x"))
    assert api.text(answer) == "made it" and (box.project / "x").exists()
    body = api.body("make y", stream=True, session_id=answer.session_id)
    events = answered(second, lambda: talk.http("POST", api.path, body)).body.decode()
    waits = "event: ping\ndata: " if shape is Messages else ": waiting for an approval\n"
    assert waits in events and "and that" in events and (box.project / "y").exists()


@SHAPES
def test_a_turn_runs_once_and_ends_with_its_client(chat, shape):
    """The clients repeat a request by themselves after a time-out, and after a conflict that does not tell them otherwise."""
    gate = threading.Event()
    talk = chat(say("warm"), say("late", gate=gate), say("later", gate=gate))
    api, hasty = shape(talk), shape(talk, max_retries=2, timeout=3)
    session = api.ask().session_id
    with pytest.raises(api.errors.ConflictError) as refusal:
        hasty.ask("just once", session)
    assert api.code(refusal.value) == "already_sent" and refusal.value.response.headers["x-should-retry"] == "false"
    idle(talk, session)
    stream = api.ask("heron", session, stream=True)
    until(lambda: "heron" in str(talk.model.requests[-1]["messages"]), lambda: "the model to be asked", 20)
    with pytest.raises(api.errors.ConflictError) as refusal:
        api.ask("albatross", session)
    assert api.code(refusal.value) == "busy" and refusal.value.response.headers["x-should-retry"] == "false"
    stream.close()
    idle(talk, session)
    assert not gate.is_set() and len(talk.http("GET", "/v1/sessions").json["sessions"]) == 1
    asked = [str(body["messages"][-1]) for body in talk.model.requests if body.get("tools")]
    assert len([words for words in asked if "just once" in words and "heron" not in words]) == 1 and "albatross" not in str(asked)


@SHAPES
def test_what_fails_and_what_is_refused(chat, cdev, runs, shape):
    """With an agent that is not there, so that nothing is begun by mistake."""
    talk = chat(say("never"), claude="/nonexistent/claude")
    api, errors = shape(talk), shape.errors
    for more, kind, code in (
        ({"model": "-x"}, errors.BadRequestError, "bad_request"), ({"text": ""}, errors.BadRequestError, "bad_request"),
        ({"text": [{"role": "user", "content": [{"type": "document"}]}]}, errors.BadRequestError, "bad_request"),
        ({"extra_headers": {"X-OpenWebUI-Task": "title_generation"}}, errors.BadRequestError, "bad_request"),
        ({"model": "gpt-4"}, errors.NotFoundError, "model_not_found"), ({"session": "s_none"}, errors.NotFoundError, "not_found"),
    ):
        with pytest.raises(kind) as refusal:
            api.ask(**more)
        assert api.code(refusal.value) == code, more
    if shape is Responses:
        for id in ("resp_68a1f00", "resp_s_none_p"):
            with pytest.raises(errors.BadRequestError) as refusal:
                api.ask(previous_response_id=id)
            assert (refusal.value.code, refusal.value.param) == ("previous_response_not_found", "previous_response_id")
    with pytest.raises(errors.PermissionDeniedError) as refusal:
        shape(Chat(runs, cdev, rights="approve")).ask()
    assert api.code(refusal.value) == "forbidden" and refusal.value.type == "permission_error"
    with pytest.raises(errors.AuthenticationError) as refusal:
        shape(talk, api_key="cdev_no").ask()
    assert api.code(refusal.value) == "unauthorized" and refusal.value.type == "authentication_error"
    by_key = {"x-api-key": talk.token, "anthropic-version": "2023-06-01"}
    assert http1.ask(cdev.tcp, "POST", api.path, api.body("x", session_id="s_none"), by_key).status == 404
    assert not talk.http("GET", "/v1/sessions").json["sessions"]
    with pytest.raises(errors.InternalServerError) as failure:
        api.ask()
    assert api.code(failure.value) == "agent_ended" and failure.value.response.headers["x-should-retry"] == "false"
    # By whether the session was still taken to start when the prompt came.
    assert code_of_failed_stream(api, errors) in ("agent_ended", "agent_failed") and not talk.model.requests


def code_of_failed_stream(api, errors):
    """The failure is an exception of Anthropic's client and an event of OpenAI's; or the answer, if it comes before the head."""
    try:
        stream = api.ask(stream=True)
    except errors.InternalServerError as error:
        return api.code(error)
    if isinstance(api, Responses):
        last = list(stream)[-1]
        assert last.type == "response.failed" and last.response.status == "failed"
        return last.response.error.code
    with pytest.raises(errors.APIStatusError) as failure:
        list(stream)
    assert failure.value.type == "api_error"
    return failure.value.error_code
