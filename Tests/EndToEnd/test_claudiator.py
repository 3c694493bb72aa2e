"""Sessions of other machines: what `claudiator-hook` reports, and the app shows."""
import re

import pytest

from harness import http1
from harness.claudiator import TIME, App, Hook
from harness.waiting import until


@pytest.fixture
def token(bare):
    return bare.token("phone")


@pytest.fixture(params=["/api/v1", "/claudiator/api/v1"])
def hook(bare, token, request):
    return Hook(bare.tcp, token, base=request.param)


@pytest.fixture
def app(bare, token, hook):
    return App(bare.tcp, token, hook.base)


def test_a_session_from_its_begin_to_its_end(hook, app):
    assert app.get("/ping")["status"] == "ok" and app.list("devices") == app.list("sessions") == []
    hook.sent("SessionStart", cwd="/home/me/work")
    hook.sent("UserPromptSubmit", prompt="x" * 201)
    hook.sent("PermissionRequest", tool_name="Bash")
    [session] = app.list("sessions")
    assert session["status"] == "waiting_for_permission" and session["title"] == "x" * 200 + "…"
    assert session["cwd"] == "/home/me/work" and session["device_name"] == "box" and session["platform"] == "linux"
    assert TIME.fullmatch(session["started_at"]) and TIME.fullmatch(session["last_event"])
    for event, status in ("UserPromptSubmit", "active"), ("Stop", "waiting_for_input"), ("SessionEnd", "ended"):
        hook.sent(event)
        assert app.list("sessions")[0]["status"] == status
    [device] = app.list("devices")
    assert device["device_id"] == hook.device["device_id"] and device["active_sessions"] == 0
    assert app.list("sessions", f"/devices/{device['device_id']}/sessions") == app.list("sessions")
    assert app.list("sessions", "/sessions?limit=50&offset=0&exclude_ended=true") == []
    events = app.list("events", "/sessions/s1/events?limit=100")
    assert [event["hook_event_name"] for event in events][::-1] == [
        "SessionStart", "UserPromptSubmit", "PermissionRequest", "UserPromptSubmit", "Stop", "SessionEnd"]
    assert events[3]["tool_name"] == "Bash" and events[3]["message"] is None
    assert app.get("/ping")["data_version"] == 6


def test_the_app_polls_and_acknowledges(bare, hook, app):
    assert app.poll() == []
    hook.sent("UserPromptSubmit", prompt="fix it")
    hook.sent("PermissionRequest", tool_name="Bash", message="touch x")
    hook.sent("Notification", notification_type="permission_prompt", message="Claude needs your permission")
    [card] = app.poll()
    assert (card["title"], card["body"]) == ("fix it", "Permission required: Bash — touch x")
    assert card["notification_type"] == "permission_prompt" and card["acknowledged"] is False
    hook.sent("Stop")
    hook.sent("Stop")
    hook.sent("Stop", session="s2")
    assert [(row["title"], row["body"]) for row in app.poll()] == [
        ("fix it", "Session stopped: No reason given"), ("Session Stopped", "Session stopped: No reason given")]
    assert app.poll() == []
    app.post("/notifications/ack", {"notification_ids": [card["id"], "nobody"]})
    app.post("/notifications/ack", {"ids": [app.shown[1]["id"]]})
    rows = app.list("notifications")
    assert [row["acknowledged"] for row in rows] == [True, True, False]
    assert app.list("notifications", f"/notifications?after={rows[0]['id']}") == rows[1:]
    app.post("/push/register", {"platform": "ios", "push_token": "ab" * 32, "sandbox": True})


def test_states_one_after_another(hook, app):
    hook.sent("PreToolUse")
    assert app.list("sessions")[0]["status"] == "active"
    for event, kind, status in (
            ("Stop", None, "waiting_for_input"), ("PreToolUse", None, "waiting_for_input"),
            ("PermissionRequest", None, "waiting_for_permission"), ("PostToolUse", None, "waiting_for_permission"),
            ("SubagentStart", None, "active"), ("Notification", "permission_prompt", "waiting_for_permission"),
            ("Notification", "idle_prompt", "idle"), ("Notification", "auth_success", "idle"),
            ("notification", "permission_prompt", "idle"), ("SubagentStop", None, "active"), ("SessionEnd", None, "ended"),
            ("PostToolUse", None, "ended"), ("Notification", None, "ended"), ("SessionStart", None, "active"),
            ("SomethingNew", None, "active")):
        hook.sent(event, **({"notification_type": kind} if kind else {}))
        [row] = app.list("sessions")
        assert row["status"] == status, (event, row)
        assert app.list("sessions", "/sessions?exclude_ended=true") == ([] if status == "ended" else [row])


def test_a_session_keeps_its_machine_and_a_machine_its_platform(bare, token, hook, app):
    hook.sent("SessionStart")
    Hook(bare.tcp, token, device="other", name="other", platform="mac", base=hook.base).sent("PreToolUse")
    Hook(bare.tcp, token, name="renamed", platform="windows", base=hook.base).sent("PreToolUse")
    [session] = app.list("sessions")
    assert (session["device_id"], session["device_name"]) == (hook.device["device_id"], "renamed")
    first, other = app.list("devices")
    assert (first["device_name"], first["platform"], other["platform"]) == ("renamed", "linux", "mac")


def test_an_acknowledged_notification_comes_no_sooner_again(hook, app):
    hook.sent("Stop")
    [told] = app.poll()
    app.post("/notifications/ack", {"ids": [told["id"]]})
    hook.sent("Stop")
    assert app.poll() == []


def test_places_in_the_notifications(hook, app):
    for number in range(3):
        hook.sent("Stop", session=f"s{number}")
    first, *rest = app.list("notifications")
    time = first["created_at"]
    for place in (first["id"], first["id"].upper(), time, time.replace("Z", "+00:00"), time.replace(":", "%3A"),
                  time.replace("Z", "%2B00:00"), time.replace("Z", "000Z")):
        assert app.list("notifications", f"/notifications?after={place}") == rest, place
    # The app has seen what went since: it is told everything.
    assert app.list("notifications", "/notifications?after=0b6c0000-0000-4000-8000-000000000000") == [first, *rest]
    assert app.list("notifications", f"/notifications?after={time}&limit=1") == rest[:1]


def test_what_is_known_outlives_the_daemon(bare, hook, app):
    hook.sent("UserPromptSubmit", prompt="fix it")
    hook.sent("Stop")
    before = [app.get(path) for path in ("/ping", "/devices", "/sessions", "/sessions/s1/events", "/notifications")]
    bare.kill()
    bare.start()
    after = [app.get(path) for path in ("/ping", "/devices", "/sessions", "/sessions/s1/events", "/notifications")]
    assert after == before
    hook.sent("Stop")
    assert app.get("/ping") == {**before[0], "data_version": 3, "notification_version": 2}


def test_pages_of_sessions(hook, app):
    for number in range(5):
        hook.sent("SessionEnd" if number == 4 else "SessionStart", session=f"s{number}")
    offset, ids, more = 0, [], True
    while more:
        page = app.get(f"/sessions?limit=2&offset={offset}")
        ids += [row["session_id"] for row in page["sessions"]]
        offset, more = page["next_offset"], page["has_more"]
    # Several may come in one millisecond; what has ended is last.
    assert (sorted(ids[:4]), ids[4:], offset) == (["s0", "s1", "s2", "s3"], ["s4"], 5)


def test_a_hook_of_the_type_http(bare, token, app):
    body = {"session_id": "s1", "hook_event_name": "UserPromptSubmit", "prompt": "go", "transcript_path": "/t",
            "tool_input": {"command": "touch x"}}
    machine = {"X-Claudiator-Device-Id": "d1", "X-Claudiator-Device-Name": "box", "X-Claudiator-Platform": "mac"}
    answer = http1.ask(bare.tcp, "POST", "/api/v1/hooks/http", body, {"Authorization": f"Bearer {token}", **machine})
    assert (answer.status, answer.json) == (200, {"status": "ok"})
    [event] = app.list("events", "/sessions/s1/events")
    assert TIME.fullmatch(event["timestamp"]) and app.list("sessions")[0]["platform"] == "mac"


def test_who_may(bare, token):
    for wrong in None, "Bearer wrong", "Basic x":
        answer = http1.ask(bare.tcp, "GET", "/api/v1/ping", b"", {"Authorization": wrong})
        assert answer.status == 401
        assert answer.json == {"error": "unauthorized", "message": "Invalid or missing API key"}
    viewer = bare.token("viewer", "view")
    assert Hook(bare.tcp, viewer).send("Stop").json == {
        "error": "forbidden", "message": "Insufficient permissions for this endpoint"}
    assert App(bare.tcp, viewer).get("/sessions")["sessions"] == []
    # However many wrong keys came, and whatever the sender says of its address, the right one works.
    for number in range(20):
        http1.ask(bare.tcp, "GET", "/api/v1/ping", b"", {"Authorization": f"Bearer wrong{number}"})
    assert App(bare.tcp, token).get("/ping")["status"] == "ok"


def test_statuses_of_what_cannot_be_read(bare, token, app):
    def ask(body, **headers):
        return http1.ask(bare.tcp, "POST", "/api/v1/events", body,
                         {"Authorization": f"Bearer {token}", "Content-Type": "application/json", **headers})
    assert ask(b"{").status == 400 and ask({}).status == 422
    assert ask({}, **{"Content-Type": "text/plain"}).status == 415
    assert ask(b" " * (2 << 20) + b"{}").status == 413
    assert app.ask("GET", "/sessions?limit=x").status == 400
    assert app.ask("GET", "/nothing").status == 404 and app.ask("DELETE", "/ping").status == 405
    assert all(answer.json["error"] == "bad_request" and answer.json["message"]
               for answer in (ask(b"{"), ask({}), ask(b" " * (2 << 20) + b"{}"), app.ask("GET", "/sessions?limit=x")))


def test_reports_change_nothing_that_is_held(bare, token, hook, app, session):
    """A report of another machine names a session of this one: it neither answers nor ends what waits there."""
    phone = bare.approver("desk")
    held = session.bash("touch x")
    card = phone.card(tool_use_id=held.tool_use_id)
    for event in "PostToolUse", "Stop", "SessionEnd":
        hook.sent(event, session=session.id, tool_name="Bash")
    assert card["request_id"] in [row["request_id"] for row in bare.local.call("permission/pending")["requests"]]
    phone.call("permission/respond", {"request_id": card["request_id"], "decision": "allow"})
    assert held.decision() == "allow"


def test_they_are_shown_as_sessions_of_their_machine(bare, hook, session):
    hook.sent("UserPromptSubmit", session="there-1", cwd="/srv/elsewhere", prompt="look \x1b[31m there")
    hook.sent("PermissionRequest", session="there-1", tool_name="Bash")
    hook.sent("SessionEnd", session="there-2")
    [row] = bare.local.call("session/elsewhere")["sessions"]
    assert (row["session_id"], row["machine"], row["status"]) == ("there-1", "box", "waiting_for_permission")
    listed = bare.json("sessions")["sessions"]
    assert {(one["session_id"], one.get("machine")) for one in listed} == {(session.id, None), ("there-1", "box")}
    table = bare.ok("sessions")
    line = next(line for line in table.splitlines() if "elsewhere" in line)
    assert "box" in line and "waiting there" in line and "\x1b[31m" not in table
    assert bare.local.call("permission/pending")["requests"] == []
    assert bare.local.call("hook/sessions")["sessions"][0]["session_id"] == session.id


# This machine

def test_sessions_of_this_machine_need_no_other_hook(bare, token, session):
    app, phone = App(bare.tcp, token), bare.approver("desk")
    state = lambda: (app.list("sessions") or [{"status": None}])[0]["status"]  # noqa: E731
    session.tell("UserPromptSubmit", prompt="fix it")
    until(lambda: state() == "active", state)
    held = session.bash("touch x")
    card = phone.card(tool_use_id=held.tool_use_id)
    until(lambda: state() == "waiting_for_permission", state)
    # The dialog's own hook, and the agent's word that it waits, are about the same question.
    session.tell("Notification", notification_type="permission_prompt", message="Claude needs your permission")
    phone.call("permission/respond", {"request_id": card["request_id"], "decision": "allow"})
    until(lambda: state() == "active", state)
    session.tell("Notification", notification_type="idle_prompt", message="Claude is waiting")
    until(lambda: state() == "idle", state)
    session.tell("Stop", stop_hook_active=False)
    until(lambda: state() == "waiting_for_input", state)
    told = [(row["notification_type"], row["title"]) for row in app.list("notifications")]
    assert told == [("permission_prompt", "fix it"), ("idle_prompt", "fix it"), ("stop", "fix it")]
    # The same session, reported by its own hook binary too, is not told twice.
    Hook(bare.tcp, token).sent("SessionEnd", session=session.id)
    assert state() == "waiting_for_input" and len(app.list("devices")) == 1
    [machine] = app.list("devices")
    session.tell("SessionEnd", reason="other")
    until(lambda: state() == "ended", state)
    bare.stop()
    bare.start()
    other = bare.session()
    other.start()
    until(lambda: len(app.list("sessions")) == 2, lambda: app.list("sessions"))
    assert [row["device_id"] for row in app.list("devices")] == [machine["device_id"]]


# Keys

def test_keys_are_tokens_made_at_this_machine(bare):
    made = http1.ask(bare.socket, "POST", "/admin/api-keys", {"name": "phone", "scopes": ["read", "write"]})
    assert made.status == 201 and re.fullmatch("claud_[0-9a-f]{32}", made.json["key"]), made
    looker = http1.ask(bare.socket, "POST", "/admin/api-keys", {"name": "looker", "scopes": ["read"]}).json
    Hook(bare.tcp, made.json["key"]).sent("Stop")
    assert len(App(bare.tcp, made.json["key"]).poll()) == len(App(bare.tcp, looker["key"]).poll()) == 1
    assert Hook(bare.tcp, looker["key"]).send("Stop").status == 403
    listed = http1.ask(bare.socket, "GET", "/admin/api-keys").json["keys"]
    assert {(key["name"], *key["scopes"]) for key in listed} == {("phone", "read", "write"), ("looker", "read")}
    for _ in range(2):
        answer = http1.ask(bare.socket, "DELETE", f"/admin/api-keys/{made.json['id']}")
        assert (answer.status, answer.json) == (200, {"status": "ok"})
    assert Hook(bare.tcp, made.json["key"]).send("Stop").status == 401
    assert made.json["key"] not in bare.log()
    # Only a digest is stored.
    for path in bare.box.cdev_home.rglob("*"):
        assert not path.is_file() or made.json["key"].encode() not in path.read_bytes(), path


def test_a_paired_device_is_no_key(bare):
    """It is neither listed nor deleted as one."""
    offered = bare.local.call("pair/start", {"rights": "approve"})["token"]
    device = {"pairing_token": offered, "name": "phone", "platform": "test"}
    paired = http1.ask(bare.tcp, "POST", "/api/auth/exchange", device).json["access_token"]
    key = http1.ask(bare.socket, "POST", "/admin/api-keys", {"name": "hook", "scopes": ["write"]}).json
    assert [row["id"] for row in http1.ask(bare.socket, "GET", "/admin/api-keys").json["keys"]] == [key["id"]]
    [other] = {row["device_id"] for row in bare.local.call("device/list")["devices"]} - {key["id"]}
    assert http1.ask(bare.socket, "DELETE", f"/admin/api-keys/{other}").status == 200
    assert App(bare.tcp, paired).get("/ping")["status"] == "ok"


@pytest.mark.parametrize("key", [None, "approve", "drive"])
def test_keys_are_made_nowhere_else(bare, key):
    token = {"Authorization": f"Bearer {bare.token('phone', key)}"} if key else {}
    for method, path, body in (("POST", "", {"name": "x", "scopes": ["read"]}), ("GET", "", b""), ("DELETE", "/d_1", b"")):
        answer = http1.ask(bare.tcp, method, f"/admin/api-keys{path}", body, token)
        assert answer.status == 403 and answer.json == {
            "error": "forbidden", "message": "Insufficient permissions for this endpoint"}, answer
