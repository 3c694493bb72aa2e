"""Sessions in the shape of OpenAI's API, with OpenAI's own client, the real Claude Code and a model that says what the test
wrote."""
import base64
import threading

import openai
import pytest

from harness import http1
from harness.fake_model import fail, say, touch, use, write
from harness.openai_chat import Chat
from harness.runs import Runs
from harness.waiting import PATIENCE, until

pytestmark = pytest.mark.real_cli

PIXEL = ("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")


@pytest.fixture
def runs(box, cdev):
    return Runs(box, cdev)


@pytest.fixture
def chat(cdev, runs, model):
    """Starts the daemon before a model that says these turns: `chat(turn, …)`."""
    def begin(*turns, config=None, **options):
        made = model(*turns)
        runs.begin(made, **(config or {}))
        return Chat(runs, cdev, made, **options)
    return begin


def test_a_whole_completion(chat):
    talk = chat(say("all done"))
    answer = talk.ask("begin")
    choice = answer.choices[0]
    assert (answer.object, choice.message.role, choice.message.content, choice.finish_reason) == (
        "chat.completion", "assistant", "all done", "stop")
    usage = answer.usage
    assert usage.prompt_tokens == usage.input_tokens > 0 and usage.completion_tokens == usage.output_tokens > 0
    assert usage.total_tokens == usage.prompt_tokens + usage.completion_tokens and usage.total_cost > 0
    assert answer.session_id.startswith("s_") and answer.project_id == talk.runs.workspace and answer.model == "claude"


@pytest.mark.parametrize("stream", [False, True])
def test_a_refusal_of_the_model(chat, stream):
    """The client tries once more, with a text of its own."""
    talk = chat(say("I cannot", stop="refusal"), say("I cannot", stop="refusal"), say("all done"))
    answer = talk.ask("begin", stream=stream)
    if stream:
        chunks = [chunk for chunk in answer if chunk.choices]
        session, reason = chunks[0].session_id, chunks[-1].choices[0].finish_reason
        text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks)
    else:
        session, reason, text = answer.session_id, answer.choices[0].finish_reason, answer.choices[0].message.content
    assert reason == "content_filter" and "flagged" in text
    assert talk.ask("on", extra_body={"session_id": session}).choices[0].finish_reason == "stop"


def test_a_failure_of_the_model_says_what_it_is(chat):
    is_over = threading.Event()
    talk = chat(lambda body: say("all done") if is_over.is_set() else fail(400, "too many herons"))
    with pytest.raises(openai.InternalServerError, match="too many herons") as error:
        talk.ask("begin")
    assert error.value.code == "turn_failed" and error.value.response.headers["x-should-retry"] == "false"
    is_over.set()
    assert talk.ask("on").choices[0].message.content == "all done"


def test_a_stream_arrives_while_it_is_written(chat):
    gate = threading.Event()
    talk = chat(write("first ", gate, "second"))
    stream = talk.ask(stream=True, stream_options={"include_usage": True})
    chunks, told = [], ""
    for chunk in stream:
        chunks.append(chunk)
        told += chunk.choices[0].delta.content or "" if chunk.choices else ""
        if told and not gate.is_set():
            assert told.strip() == "first"
            gate.set()
    assert told == "first second"
    assert chunks[0].choices[0].delta.role == "assistant" and chunks[0].session_id == chunks[-1].session_id
    assert {chunk.object for chunk in chunks} == {"chat.completion.chunk"} and len({chunk.id for chunk in chunks}) == 1
    assert [chunk.choices[0].finish_reason for chunk in chunks if chunk.choices][-1] == "stop"
    assert chunks[-1].choices == [] and chunks[-1].usage.prompt_tokens > 0
    assert all(chunk.usage is None for chunk in chunks[:-1])


def test_the_head_and_a_comment_come_before_the_agent_is_up(chat):
    gate = threading.Event()
    talk = chat(say("later", gate=gate))
    with http1.Connection(talk.cdev.tcp) as connection:
        connection.request("POST", "/v1/chat/completions", b'{"stream":true,"messages":[{"role":"user","content":"x"}]}', [
            ("Authorization", f"Bearer {talk.token}"), ("Content-Type", "application/json")])
        status, headers = connection.head()[:2]
        assert status == 200 and headers["content-type"].startswith("text/event-stream")
        size = int(connection._until(b"\r\n"), 16)
        assert connection._take(size).startswith(b": session s_")
        gate.set()


def test_a_session_goes_on(chat):
    talk = chat(say("one"), say("two"), say("three"))
    first = talk.ask("remember the word heron")
    second = talk.ask("and now", extra_body={"session_id": first.session_id})
    assert (second.choices[0].message.content, second.session_id) == ("two", first.session_id)
    sent = str(talk.model.requests[-1]["messages"])
    assert "heron" in sent and sent.count("and now") == 1
    third = talk.client.chat.completions.create(model="claude", extra_body={"session_id": first.session_id}, messages=[
        {"role": "user", "content": "remember the word heron"}, {"role": "assistant", "content": "one"},
        {"role": "user", "content": "and now"}, {"role": "assistant", "content": "two"}, {"role": "user", "content": "last"}])
    assert third.choices[0].message.content == "three"
    assert str(talk.model.requests[-1]["messages"]).count("remember the word heron") == 1, "only what is new is sent"


def history(*texts):
    return [{"role": ("user", "assistant")[place % 2], "content": text} for place, text in enumerate(texts)]


@pytest.mark.parametrize("stream", [False, True])
def test_a_session_is_found_by_its_history(chat, cdev, runs, stream):
    talk = chat(say("one"), say("two"), say("three"), say("four"))

    def ask(*texts):
        answer = talk.client.chat.completions.create(model="claude", messages=history(*texts), stream=stream)
        chunks = list(answer) if stream else [answer]
        return chunks[0].session_id, "".join(talk.texts(chunks)) if stream else answer.choices[0].message.content
    session, told = ask("remember the word heron")
    assert told == "one"
    assert ask("remember the word heron", "one", "and now") == (session, "two")
    assert ask("remember the word heron", "one", "and now", "two", "once more") == (session, "three")
    sent = str(talk.model.requests[-1]["messages"])
    assert sent.count("remember the word heron") == 1 and "began elsewhere" not in sent, "only what is new is sent"
    runs.driver.call("session/send", {"session_id": session, "prompt": "from the phone"})
    runs.driver.hear("claude_usage", 20, count=4, session_id=session)
    until(lambda: not talk.http("GET", f"/v1/chat/completions/{session}/status").json["is_running"], lambda: "its end", 20)
    other, told = ask("remember the word heron", "one", "and now", "two", "once more", "three", "last")
    assert other != session and told == "one" and "began elsewhere" in str(talk.model.requests[-1]["messages"])


@pytest.mark.parametrize("header", ["X-OpenWebUI-Chat-Id", "X-Conversation-Id"])
def test_a_front_ends_chat_is_one_session(chat, cdev, header):
    talk = chat(say("one"), say("two"), say("three"))
    first = talk.ask(extra_headers={header: "chat-1"})
    second = talk.ask(extra_headers={header: "chat-1"})
    assert second.session_id == first.session_id and second.choices[0].message.content == "two"
    assert talk.ask(extra_headers={header: "chat-2"}).session_id != first.session_id
    cdev.stop()
    cdev.start()
    third = talk.ask(extra_headers={header: "chat-1"})
    assert third.session_id == first.session_id, "the next daemon knows it, too"


def test_a_chat_whose_session_was_ended_goes_on_in_its_conversation(chat):
    talk = chat(say("one"), say("two"))
    named = {"extra_headers": {"X-Conversation-Id": "c"}}
    first = talk.ask("remember the word heron", **named)
    assert talk.http("DELETE", f"/v1/sessions/{first.session_id}").status == 200
    until(lambda: talk.http("GET", f"/v1/sessions/{first.session_id}").json["state"] == "ended", lambda: "its end", 20)
    second = talk.ask("more", **named)
    assert second.choices[0].message.content == "two" and second.session_id != first.session_id
    assert "heron" in str(talk.model.requests[-1]["messages"])


def test_what_was_said_elsewhere_is_told(chat):
    talk = chat(say("yes"))
    answer = talk.client.chat.completions.create(model="claude", temperature=0, messages=[
        {"role": "system", "content": "be brief as a wren"}, {"role": "user", "content": "what bird"},
        {"role": "assistant", "content": "a heron"}, {"role": "user", "content": "are you sure"}])
    assert answer.choices[0].message.content == "yes"
    sent = str(talk.model.requests[-1]["messages"])
    assert all(words in sent for words in ("be brief as a wren", "a heron", "are you sure", "began elsewhere"))


def test_a_picture(chat):
    talk = chat(say("a dot"))
    answer = talk.client.chat.completions.create(model="claude", messages=[{"role": "user", "content": [
        {"type": "text", "text": "what is it"}, {"type": "image_url", "image_url": {"url": "data:image/png;base64," + PIXEL}}]}])
    assert answer.choices[0].message.content == "a dot"
    blocks = [block for message in talk.model.requests[-1]["messages"] for block in message["content"] if isinstance(block, dict)]
    (image,) = [block for block in blocks if block["type"] == "image"]
    assert image["source"]["media_type"] == "image/png" and base64.b64decode(image["source"]["data"])


@pytest.mark.parametrize("stream", [False, True])
def test_a_question_waits_for_a_phone(box, chat, cdev, stream):
    call = touch("x")
    talk = chat(use(call), say("made it"))
    phone, found = cdev.approver("phone"), []
    thread = threading.Thread(target=lambda: found.append(
        "".join(talk.texts(talk.ask(stream=True))) if stream else talk.ask().choices[0].message.content))
    thread.start()
    card = phone.card(30, tool_use_id=call.id)
    assert not found and not (box.project / "x").exists()
    phone.respond(card, "allow")
    thread.join(30)
    assert found == ["made it"] and (box.project / "x").exists()


def test_a_stream_says_that_it_waits_for_an_approval(chat, cdev):
    call = touch("x")
    talk = chat(use(call), say("no then"))
    phone, found = cdev.approver("phone"), []
    body = b'{"stream":true,"messages":[{"role":"user","content":"x"}]}'
    thread = threading.Thread(target=lambda: found.append(talk.http("POST", "/v1/chat/completions", body)))
    thread.start()
    card = phone.card(30, tool_use_id=call.id)
    phone.hear("claude_status", claude_state="waiting")
    phone.respond(card, "deny")
    thread.join(30)
    text = found[0].body.decode()
    assert ": waiting for an approval\n\n" in text and "no then" in text and text.endswith("data: [DONE]\n\n")
    assert text.startswith(": session s_")


def test_a_stream_links_the_card_that_it_waits_for(box, chat, cdev):
    call = touch("x")
    talk = chat(use(call), say("made it"), config={"public_url": "https://me.example"})
    phone, found = cdev.approver("phone"), []
    thread = threading.Thread(target=lambda: found.append(
        "".join(talk.texts(talk.ask(stream=True, extra_body={"card_links": True})))))
    thread.start()
    card = phone.card(30, tool_use_id=call.id)
    phone.respond(card, "allow")
    thread.join(30)
    assert f"Waiting for an approval: https://me.example/#request={card['request_id']}\n\n" in found[0] and found[0].endswith("made it")
    with pytest.raises(openai.BadRequestError) as refusal:
        talk.ask(extra_body={"card_links": "yes"})
    assert refusal.value.param == "card_links"


def test_a_client_that_leaves_stops_its_turn(box, chat, cdev):
    call = touch("x")
    talk = chat(use(call), say("never said"), say("after"))
    phone = cdev.approver("phone")
    stream = talk.ask(stream=True)
    card = phone.card(30, tool_use_id=call.id)
    session = talk.http("GET", "/v1/sessions").json["sessions"][0]["id"]
    stream.close()
    phone.resolved(card, 20)
    until(lambda: not talk.http("GET", f"/v1/chat/completions/{session}/status").json["is_running"], lambda: "the end", 20)
    assert not (box.project / "x").exists() and "never said" not in str(talk.model.requests[-1])
    assert talk.ask("more", extra_body={"session_id": session}).session_id == session


def test_a_busy_session_takes_no_second_turn(chat, cdev):
    gate = threading.Event()
    talk = chat(say("one", gate=gate), say("two"))
    found = []
    thread = threading.Thread(target=lambda: found.append(talk.ask("go", extra_headers={"X-Conversation-Id": "c"})))
    thread.start()
    until(lambda: talk.http("GET", "/v1/sessions").json["sessions"], lambda: "a session", 20)
    with pytest.raises(openai.ConflictError) as refusal:
        talk.ask("albatross", extra_headers={"X-Conversation-Id": "c"})
    assert refusal.value.code == "busy" and refusal.value.response.headers["x-should-retry"] == "false"
    assert refusal.value.body["status"] == 409
    gate.set()
    thread.join(30)
    assert found[0].choices[0].message.content == "one" and "albatross" not in str(talk.model.requests)


@pytest.mark.parametrize("stream", [False, True])
def test_a_turn_never_runs_twice(chat, stream):
    """The client repeats a request by itself after its time-out."""
    gate = threading.Event()
    talk = chat(say("late", gate=gate), max_retries=2, timeout=3 * PATIENCE)
    with pytest.raises((openai.APITimeoutError, openai.ConflictError)) as failure:
        if stream:
            talk.texts(talk.ask("just once", stream=True))
        else:
            talk.ask("just once")
    gate.set()
    assert isinstance(failure.value, openai.APITimeoutError if stream else openai.ConflictError)
    assert len(talk.http("GET", "/v1/sessions").json["sessions"]) == 1
    asked = [body for body in talk.model.requests if body.get("tools") and "just once" in str(body["messages"])]
    assert len(asked) == 1


def test_what_has_no_form_here_is_refused(chat):
    talk = chat(say("never"))
    for more, param in (
        ({"n": 2}, "n"), ({"response_format": {"type": "json_object"}}, "response_format"),
        ({"tool_choice": "required"}, "tool_choice"), ({"modalities": ["text", "audio"]}, "modalities"),
        ({"model": "-x"}, "model"), ({"extra_body": {"session_id": 7}}, "session_id"), ({"extra_body": {"stream": 1}}, "stream"),
    ):
        with pytest.raises(openai.BadRequestError) as refusal:
            talk.ask(**more)
        assert (refusal.value.param, refusal.value.code, refusal.value.type) == (param, "bad_request", "invalid_request_error")
    for messages in ([], [{"role": "assistant", "content": "x"}], [{"role": "user", "content": ""}], [{"role": "cat", "content": "x"}],
                     [{"role": "user", "content": 7}], [{"role": "user", "content": [{"type": "input_audio"}]}],
                     [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "http://127.0.0.1/x.png"}}]}],
                     [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:image/png;base64,no!"}}]}]):
        with pytest.raises(openai.BadRequestError):
            talk.client.chat.completions.create(model="claude", messages=messages)
    for more in ({"model": "gpt-4"}, {"model": "claude/nowhere"}, {"extra_body": {"session_id": "s_none"}},
                 {"extra_body": {"project_id": "ws-none"}}):
        with pytest.raises(openai.NotFoundError):
            talk.ask(**more)
    with pytest.raises(openai.BadRequestError):
        talk.ask(extra_headers={"X-OpenWebUI-Task": "title_generation"})
    assert talk.http("POST", "/v1/chat/completions", b"{").status == 400
    assert talk.http("POST", "/v1/chat/completions", b"[]").status == 400
    assert not talk.http("GET", "/v1/sessions").json["sessions"] and not talk.model.requests


def test_who_may(chat, cdev, runs):
    talk = chat(say("never"))
    viewer, approver = (Chat(runs, cdev, rights=rights) for rights in ("view", "approve"))
    for other in (viewer, approver):
        with pytest.raises(openai.PermissionDeniedError) as refusal:
            other.ask()
        assert refusal.value.code == "forbidden" and "drive" in refusal.value.message
    assert viewer.client.models.list().data
    with pytest.raises(openai.AuthenticationError) as refusal:
        openai.OpenAI(base_url=str(talk.client.base_url), api_key="cdev_no").models.list()
    assert refusal.value.code == "unauthorized" and refusal.value.body["status"] == 401
    by_key = http1.ask(cdev.tcp, "GET", "/v1/models", b"", {"x-api-key": talk.token})
    assert by_key.status == 200 and by_key.json["object"] == "list"
    assert not talk.model.requests


def test_an_error_of_the_model_is_an_error(chat, box):
    talk = chat(say("never"), config={"claude": "/nonexistent/claude"})
    with pytest.raises(openai.InternalServerError) as failure:
        talk.ask()
    assert failure.value.code == "agent_ended" and failure.value.response.headers["x-should-retry"] == "false"
    with pytest.raises(openai.APIError) as failure:
        talk.texts(talk.ask(stream=True))
    assert "agent" in failure.value.message


def test_a_daemon_that_is_stopped_stops_no_turn(box, chat, cdev):
    call = touch("x")
    talk = chat(use(call), say("made it"), say("more"))
    phone, failures = cdev.approver("phone"), []
    stream = talk.ask(stream=True)

    def read():
        with pytest.raises(openai.APIError) as failure:
            talk.texts(stream)
        failures.append(failure.value)
    thread = threading.Thread(target=read)
    thread.start()
    phone.card(30, tool_use_id=call.id)
    session = talk.http("GET", "/v1/sessions").json["sessions"][0]["id"]
    cdev.stop()
    thread.join(20)
    assert "the daemon is being stopped" in failures[0].message
    cdev.start()
    phone = cdev.approver("phone 2")
    (card,) = until(phone.pending, lambda: "the card to be there again", 20)
    with pytest.raises(openai.ConflictError):
        talk.ask("again", extra_body={"session_id": session})
    phone.respond(card, "allow")
    until(lambda: not talk.http("GET", f"/v1/chat/completions/{session}/status").json["is_running"], lambda: "its end", 20)
    assert (box.project / "x").exists()
    assert talk.ask("and", extra_body={"session_id": session}).choices[0].message.content == "more"


def test_a_daemon_that_is_killed_loses_no_turn(chat, cdev):
    """The client sends its request again by itself, to the next daemon."""
    gate = threading.Event()
    talk = chat(say("one", gate=gate), say("two"), max_retries=5)
    found = []

    def ask():
        try:
            found.append(talk.ask("just once"))
        except openai.APIError as error:
            found.append(error)
    thread = threading.Thread(target=ask)
    thread.start()
    until(lambda: any(body.get("tools") for body in talk.model.requests), lambda: "the model to be asked", 20)
    cdev.kill()
    cdev.start()
    gate.set()
    thread.join(30)
    assert isinstance(found[0], openai.ConflictError) and found[0].code == "may_have_run"
    sessions = talk.http("GET", "/v1/sessions").json["sessions"]
    assert len(sessions) == 1
    until(lambda: not talk.http("GET", f"/v1/chat/completions/{sessions[0]['id']}/status").json["is_running"], lambda: "its end", 20)
    assert len([body for body in talk.model.requests if body.get("tools")]) == 1


def test_a_phone_and_a_front_end_share_a_session(chat, runs, cdev):
    talk = chat(say("one"), say("two"), say("three"))
    session = talk.ask("remember the word heron").session_id
    driver = runs.driver
    driver.call("session/send", {"session_id": session, "prompt": "from the phone"})
    driver.hear("claude_usage", 20, count=2, session_id=session)
    until(lambda: not talk.http("GET", f"/v1/chat/completions/{session}/status").json["is_running"], lambda: "its end", 20)
    assert talk.ask("and now", extra_body={"session_id": session}).choices[0].message.content == "three"
    sent = str(talk.model.requests[-1]["messages"])
    assert "heron" in sent and "from the phone" in sent and "and now" in sent
