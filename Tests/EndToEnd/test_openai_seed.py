"""Each example of the specification that this dialect was made to (seed 004), as its client sends it and reads it."""
import threading

import openai
import pytest

from harness.fake_model import say, touch, use
from harness.openai_chat import Chat
from harness.runs import Runs
from harness.waiting import until

pytestmark = pytest.mark.real_cli
MODEL = "claude-3-5-haiku-20241022"


@pytest.fixture
def runs(box, cdev):
    return Runs(box, cdev)


@pytest.fixture
def chat(cdev, runs, model):
    def begin(*turns):
        made = model(*turns)
        runs.begin(made)
        return Chat(runs, cdev, made)
    return begin


def test_a_completion_in_one_piece(chat):
    talk = chat(say("Here is how to initialize..."))
    answer = talk.http("POST", "/v1/chat/completions", {
        "model": MODEL, "project_id": talk.runs.workspace, "messages": [{"role": "user", "content": "Initialize a Python app"}],
        "stream": False, "system_prompt": "You are a helpful coding assistant."}).json
    assert answer["object"] == "chat.completion" and answer["model"] == MODEL and answer["created"] > 1_700_000_000
    assert answer["choices"][0]["message"] == {"role": "assistant", "content": "Here is how to initialize...", "refusal": None}
    assert answer["choices"][0]["finish_reason"] == "stop" and answer["choices"][0]["index"] == 0
    usage = answer["usage"]
    assert usage["total_tokens"] == usage["input_tokens"] + usage["output_tokens"] and usage["total_cost"] > 0
    assert answer["session_id"] and answer["project_id"] == talk.runs.workspace
    assert "You are a helpful coding assistant." in str(talk.model.requests[-1]["messages"])
    assert talk.model.requests[-1]["model"] == MODEL


def test_a_completion_as_events(chat):
    talk = chat(say("First... Then... Done."))
    answer = talk.http("POST", "/v1/chat/completions", {
        "model": MODEL, "project_id": talk.runs.workspace,
        "messages": [{"role": "user", "content": "Open README.md and summarize it."}], "stream": True})
    assert answer.headers["content-type"].startswith("text/event-stream")
    frames = talk.frames(answer)
    assert frames[-1] == "[DONE]" and frames[0]["choices"][0]["delta"]["role"] == "assistant"
    assert "".join(frame["choices"][0]["delta"].get("content", "") for frame in frames[:-1]) == "First... Then... Done."
    assert frames[-2]["choices"][0]["finish_reason"] == "stop"
    assert {frame["object"] for frame in frames[:-1]} == {"chat.completion.chunk"}


def test_the_tools_of_a_request_are_the_agents(chat):
    talk = chat(say("read"))
    answer = talk.http("POST", "/v1/chat/completions", {
        "model": MODEL, "project_id": talk.runs.workspace, "messages": [{"role": "user", "content": "Read ./src/index.ts"}],
        "stream": True, "mcp": {"enabled_servers": ["fs-local", "bash"], "enabled_tools": ["fs.read", "fs.write", "bash.run"],
                                "priority": ["fs.read", "bash.run"], "audit_log": True}})
    assert talk.frames(answer)[-1] == "[DONE]"


def test_status_and_cancel(chat, cdev, box):
    call = touch("x")
    talk = chat(say("one"), use(call), say("never"))
    session = talk.ask().session_id
    status = talk.http("GET", f"/v1/chat/completions/{session}/status").json
    assert status["session_id"] == session and status["project_id"] == talk.runs.workspace and status["is_running"] is False
    assert status["total_tokens"] > 0 and status["total_cost"] > 0 and status["message_count"] >= 2
    assert status["created_at"].endswith("Z") and status["updated_at"] >= status["created_at"] and status["model"]
    phone, failures = cdev.approver("phone"), []

    def ask():
        with pytest.raises(openai.ConflictError) as failure:
            talk.ask("more", extra_body={"session_id": session})
        failures.append(failure.value)
    thread = threading.Thread(target=ask)
    thread.start()
    card = phone.card(30, tool_use_id=call.id)
    assert talk.http("GET", f"/v1/chat/completions/{session}/status").json["is_running"] is True
    assert talk.http("DELETE", f"/v1/chat/completions/{session}").json["session_id"] == session
    phone.resolved(card, 20)
    thread.join(30)
    assert failures[0].code in ("interrupted", "cancelled") and not (box.project / "x").exists()
    until(lambda: not talk.http("GET", f"/v1/chat/completions/{session}/status").json["is_running"], lambda: "its end", 20)


def test_debug_runs_nothing(chat):
    talk = chat(say("never"))
    body = {"model": "claude", "messages": [{"role": "user", "content": "x"}], "temperature": 0.5, "mcp": {}}
    answer = talk.http("POST", "/v1/chat/completions/debug", body).json
    assert answer["request"] == body and answer["read_as"]["ignored"] == ["temperature", "mcp"] and answer["ok"] is True
    assert talk.http("POST", "/v1/chat/completions/debug", {}).json["error"]["status"] == 400
    assert not talk.model.requests and not talk.http("GET", "/v1/sessions").json["sessions"]


def test_models(chat):
    talk = chat(say("one"), say("two"))
    talk.ask()
    listed = talk.http("GET", "/v1/models").json["data"]
    assert {"claude", "haiku", "claude/proj"} <= {model["id"] for model in listed}
    assert all(model["object"] == "model" and model["owned_by"] and model["created"] >= 0 for model in listed)
    assert talk.client.models.retrieve("claude/proj").id == "claude/proj"
    assert talk.http("GET", "/v1/models/haiku").json["id"] == "haiku"
    with pytest.raises(openai.NotFoundError) as refusal:
        talk.client.models.retrieve("gpt-4")
    assert refusal.value.code == "model_not_found"
    known = talk.http("GET", "/v1/models/capabilities").json["data"]
    assert {model["id"] for model in known} == {model["id"] for model in listed}
    assert all(model["supports_streaming"] is True and model["pricing"] is None and model["name"] for model in known)
    assert talk.ask(model="claude/proj").project_id == talk.runs.workspace


def test_projects(chat, box):
    talk = chat(say("one"))
    other = box.root / "other"
    other.mkdir()
    made = talk.http("POST", "/v1/projects", {"name": "My App", "description": "Demo", "path": str(other)}).json
    assert (made["name"], made["path"]) == ("My App", str(other)) and made["created_at"] and made["updated_at"]
    assert made["name"] == "My App" and made["description"] == "Demo"
    assert [project["id"] for project in talk.http("GET", "/v1/projects").json["projects"]] == [made["id"], talk.runs.workspace]
    first = talk.http("GET", "/v1/projects?limit=1").json
    assert [project["id"] for project in first["projects"]] == [made["id"]] and first["next_cursor"] == made["id"]
    rest = talk.http("GET", f"/v1/projects?limit=1&cursor={made['id']}").json
    assert [project["id"] for project in rest["projects"]] == [talk.runs.workspace] and rest["next_cursor"] is None
    assert talk.http("GET", f"/v1/projects/{made['id']}").json == made
    assert talk.http("DELETE", f"/v1/projects/{made['id']}").json["deleted"] is True and other.is_dir()
    for method, path, body, status in (
        ("GET", f"/v1/projects/{made['id']}", b"", 404), ("DELETE", f"/v1/projects/{made['id']}", b"", 404),
        ("POST", "/v1/projects", {"name": "x"}, 400), ("POST", "/v1/projects", {"path": "relative"}, 400),
        ("POST", "/v1/projects", {"path": str(other), "name": " "}, 400), ("POST", "/v1/projects", b"[", 400),
        ("GET", "/v1/projects?limit=0", b"", 400), ("GET", "/v1/projects?cursor=nothing", b"", 400),
    ):
        refusal = talk.http(method, path, body)
        assert refusal.status == refusal.json["error"]["status"] == status, (path, refusal)


def test_sessions(chat):
    talk = chat(say("one"), say("two"))
    made = talk.http("POST", "/v1/sessions", {
        "project_id": talk.runs.workspace, "model": "claude-3-haiku", "title": "Exploration",
        "system_prompt": "You are a code agent."}).json
    assert made["title"] == "Exploration" and made["project_id"] == talk.runs.workspace and made["model"] == "claude-3-haiku"
    answer = talk.ask(extra_body={"session_id": made["id"]})
    assert answer.session_id == made["id"] and "You are a code agent." in str(talk.model.requests[-1]["messages"])
    assert [session["id"] for session in talk.http("GET", "/v1/sessions").json["sessions"]] == [made["id"]]
    mine = talk.http("GET", f"/v1/sessions?project_id={talk.runs.workspace}").json["sessions"]
    assert mine[0]["title"] == "Exploration"
    assert talk.http("GET", "/v1/sessions?project_id=ws-none").json["sessions"] == []
    stats = talk.http("GET", "/v1/sessions/stats").json
    assert stats["active_sessions"] == 1 and stats["total_tokens"] > 0 and stats["total_messages"] >= 2 and stats["total_cost"] > 0
    assert talk.http("DELETE", f"/v1/sessions/{made['id']}").json["deleted"] is True
    until(lambda: talk.http("GET", "/v1/sessions").json["sessions"] == [], lambda: "its end", 20)
    for method, path in (("GET", "/v1/sessions/s_none"), ("DELETE", "/v1/sessions/s_none"), ("GET", "/v1/sessions/%zz"),
                         ("GET", "/v1/chat/completions/s_none/status"), ("DELETE", "/v1/chat/completions/s_none")):
        refusal = talk.http(method, path)
        assert refusal.status == 404 and refusal.json["error"]["code"] == "not_found", path


def test_health(chat):
    talk = chat(say("one"))
    talk.ask()
    health = talk.http("GET", "/health").json
    assert health["ok"] is True and health["version"] and health["active_sessions"] == 1 and health["uptime_seconds"] >= 0
