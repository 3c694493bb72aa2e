"""The document of `rpc.discover`: it is OpenRPC, and every method does what it says of its parameters and its result."""
import json

import pytest
import websockets.sync.client

from harness import events, http1, openrpc, page
from harness.approver import RpcError
from harness.checks import refused
from harness.git_calls import use_git
from harness.waiting import PATIENCE, until
from harness.workspace import Folder

# What a client says of itself is for the log only.
NOT_LOOKED_AT = {("initialize", "protocolVersion")}


# Of one connection, beside its other messages.
MOST_BESIDE = 64


@pytest.fixture
def document(phone):
    return phone.call("rpc.discover")


def test_it_is_openrpc(bare, phone, document):
    assert openrpc.faults(document, openrpc.META) == []
    names = [method["name"] for method in document["methods"]]
    assert names == sorted(set(names))
    known = {f"#/components/schemas/{name}" for name in document["components"]["schemas"]}
    assert set(openrpc.references(document)) == known
    for method in document["methods"]:
        assert [p["name"] for p in method["params"]] == sorted(p["name"] for p in method["params"])
        for parameter in method["params"]:
            default = parameter["schema"].get("default")
            assert default is None or openrpc.faults(default, parameter["schema"]) == []
            assert not (parameter["required"] and default is not None)
    token = {"Authorization": f"Bearer {bare.token('reader')}"}
    assert http1.ask(bare.tcp, "GET", "/api/rpc/discover", headers=token).json == document


def test_every_event_is_described(document):
    names = [notification["name"] for notification in document["x-notifications"]]
    assert names == document["components"]["schemas"]["EventName"]["enum"]
    for notification in document["x-notifications"]:
        openrpc.DRAFT.check_schema(notification["params"])
        assert set(notification) == {"name", "summary", "params"} and notification["params"]["type"] == "object"


def test_an_event_that_is_not_as_described_is_found(bare, phone):
    bare.token("other")
    event = {"method": "event/device_paired", "params": dict(phone.hear("device_paired", name="other"))}
    assert events.faults(event) == []
    event["params"]["more"] = 1
    del event["params"]["name"]
    assert len(events.faults(event)) == 2
    assert events.faults({"method": "event/dance", "params": {}}) != []


def test_a_broken_document_is_found(document):
    document["methods"][0]["parameters"] = []
    del document["methods"][1]["name"]
    document["methods"][2]["result"]["schema"]["type"] = "number or so"
    assert len(openrpc.faults(document, openrpc.META)) == 3


class World:
    """A daemon with something of everything, and its methods, each result of which is compared with its schema."""

    def __init__(self, cdev, phone, session, project):
        self.cdev, self.phone, self.session, self.project = cdev, phone, session, project
        self.document = openrpc.closed(phone.call("rpc.discover"))
        self.results = {method["name"]: method["result"]["schema"] for method in self.document["methods"]}
        self.called = set()

    def call(self, method, params=None, by=None):
        result = (by or self.cdev.local).call(method, params)
        assert openrpc.faults(result, self.results[method], self.document) == [], f"{method} {json.dumps(result)[:2000]}"
        self.called.add(method)
        return result

    def card(self, tool="Bash", tool_input=None):
        """An open request."""
        held = self.session.call(tool, tool_input or {"command": "touch a"})
        return self.phone.card(tool_use_id=held.tool_use_id)

    def answer(self, card, decision, **more):
        return self.call("permission/respond", {"request_id": card["request_id"], "decision": decision, **more})


@pytest.fixture
def world(bare, phone, session):
    return World(bare, phone, session, bare.box.project)


def test_every_method_answers_as_it_says(world):
    greet(world)
    ask_and_answer(world)
    look_back(world)
    read(world)
    let_in_and_out(world)
    look_into(world)
    tell(world)
    look_into_files(world)
    run_a_session(world)
    answer_a_session(world)
    place = world.cdev.box.root / "repository"
    use_git(world, world.call("workspace/add", {"path": str(place), "create_if_missing": True})["id"], place)
    assert world.called == set(world.results)


def greet(world):
    info = {"name": "walker", "version": "1"}
    world.call("initialize", {"protocolVersion": "1.0", "clientInfo": info, "capabilities": {"approver": False}})
    assert world.call("initialized") == {}
    world.call("rpc.discover")
    world.call("status/health")
    world.call("status/get")
    world.call("config/change")


def ask_and_answer(world):
    text = world.project / "a.txt"
    text.write_text("one\ntwo\n")
    edit = world.card("Edit", {"file_path": str(text), "old_string": "two", "new_string": "2\u202e" + "y" * 20_000})
    fails = world.card("Edit", {"file_path": str(text), "old_string": "three", "new_string": "3"})
    text_of_plan = "# A\n\n1. *b* `c` [d](https://e.example)\n\n```sh\nf\n```\n> g\n\n---\n"
    world.session.call("ExitPlanMode", {"plan": text_of_plan}, event="PermissionRequest", permission_mode="plan")
    plan = world.phone.card(tool_name="ExitPlanMode")
    kinds = [world.call("permission/preview", {"request_id": card["request_id"]})["kind"] for card in (edit, fails, plan)]
    assert kinds == ["diff", "text", "plan"]
    hidden = world.card("Bash", {"command": "touch " + "\u200b" * 100})
    assert len(hidden["hidden_characters"]) == 65
    large = world.card("Write", {"file_path": str(text), "content": "x" * 100_000})
    assert world.call("permission/pending")["count"] == 5
    assert world.call("permission/pending", {"offset": 1}, by=world.phone)["count"] == 4
    assert world.call("permission/pending", {"request_id": large["request_id"]}, by=world.phone)["count"] == 1
    world.answer(edit, "allow", updated_input={"file_path": str(text), "old_string": "two", "new_string": "2"})
    world.answer(fails, "deny", message="no")
    world.answer(plan, "ask")
    both = [{"request_id": hidden["request_id"], "decision": "deny"}, {"request_id": "r_none", "decision": "allow"}]
    assert [r["success"] for r in world.call("permission/respond", {"responses": both})["results"]] == [True, False]
    world.answer(large, "deny")
    world.answer(world.card(), "allow", scope="session")


def look_back(world):
    (rule,) = world.call("permission/rules", {"session_id": world.session.id})["rules"]
    world.call("permission/stats")
    held = world.session.bash("touch b")
    assert held.decision() == "allow"
    world.session.ran(held)
    history = world.call("permission/history", {"limit": 2, "decision": "deny", "since": "2020-01-01T00:00:00Z"})
    world.call("permission/history", {"cursor": history["next"], "before": "2100-01-01T00:00:00Z", "query": "touch"})
    world.call("permission/history", {"session_id": world.session.id})
    world.call("hook/sessions", {"session_id": world.session.id})
    world.call("session/elsewhere", {"limit": 1})
    for gate in "always", None:
        world.call("session/gate", {"session_id": world.session.id, "gate": gate})
    events = world.call("events/since", {"sequence": 0, "limit": 1000, "wait": 0, "approver": False})
    assert {e["method"] for e in events["events"]} >= {"event/pty_permission", "event/claude_hook_tool_end"}
    world.call("permission/revoke", {"rule_id": rule["id"]})


def read(world):
    """A transcript as Claude writes one, of a session that is not there."""
    folder = world.cdev.box.config / "projects" / "-p"
    folder.mkdir(parents=True)
    line = {"type": "user", "uuid": "u1", "sessionId": "s1", "timestamp": "2026-11-25T03:06:23.660Z", "cwd": "/p",
            "message": {"role": "user", "content": "some words"}}
    (folder / "s1.jsonl").write_text(json.dumps(line) + "\n")
    assert world.call("workspace/session/history", by=world.phone)["total"] == 1
    assert world.call("workspace/session/messages", {"session_id": "s1"}, by=world.phone)["total"] == 1
    assert world.call("session/search", {"query": "words"}, by=world.phone)["count"] == 1
    assert world.call("workspace/session/watch", {"session_id": "s1"}, by=world.phone)["after"] == 1
    world.call("workspace/session/activate", {"session_id": "s1"}, by=world.phone)
    assert world.call("workspace/session/unwatch", by=world.phone)["session_id"] == "s1"


def let_in_and_out(world):
    offer = world.call("pair/start", {"name": "tablet", "rights": "view"})
    code = {"code": world.call("pair/start")["code"]}
    ticket = http1.ask(world.cdev.tcp, "POST", "/api/pair/code", code).json["pairing_token"]
    http1.ask(world.cdev.tcp, "POST", "/api/auth/exchange", {"pairing_token": ticket, "name": "x", "platform": "y"})
    (waiting,) = world.call("pair/pending")["requests"]
    world.call("pair/approve", {"request_id": waiting["request_id"]})
    world.call("pair/reject", {"request_id": offer["offer_id"]})
    world.call("token/create", {"name": "laptop", "rights": "view"})
    world.call("token/list")
    world.call("token/revoke", {"name": "laptop"})
    devices = world.call("device/list", by=world.phone)["devices"]
    other = world.call("token/create", {"name": "watch"})
    world.call("device/revoke", {"device_id": other["device_id"]})
    assert [device["own"] for device in devices] == [True]


VERSION = 'if [ "$1" = --version ]; then echo "2.1.330 (Claude Code)"; exit; fi\n'


def run_a_session(world):
    """With an agent that says nothing, and leaves when it is told to."""
    world.cdev.box.stub("claude", VERSION + 'while read -r line; do case "$line" in *end_session*) exit 0;; esac; done')
    (workspace, *_) = world.call("workspace/list")["workspaces"]
    started = world.call("session/start", {"workspace_id": workspace["id"], "permission_mode": "plan"})
    named = {"session_id": started["id"]}
    assert (started["claude_state"], started["permission_mode"]) == ("starting", "plan")
    assert world.call("session/send", {**named, "prompt": "go"})["status"] == "sent"
    assert world.call("session/state", named)["is_running"] is False
    assert world.call("session/active", {"workspace_id": workspace["id"]})["count"] == 1
    assert world.call("session/info", named)["prompts"][0]["state"] == "queued"
    assert world.call("session/watch", {**named, "log": True}, by=world.phone)["partial"] == []
    assert world.call("session/unwatch", by=world.phone)["session_id"] == started["id"]
    assert world.call("session/check")["version"] == "2.1.330"
    assert world.call("session/options") == {"models": [], "commands": []}
    waiting = world.call("session/send", {**named, "prompt": "later"})["prompt_id"]
    assert world.call("session/cancel_prompt", {**named, "prompt_id": waiting})["cancelled"] is True
    world.call("session/interrupt", {**named, "cancel_queued": True})
    world.call("session/input", {**named, "key": "escape"})
    world.call("session/set", {**named, "permission_mode": "default", "model": "default", "effort": "default", "title": "t"})
    world.call("session/stop", named)
    until(lambda: world.call("session/state", named)["status"] == "stopped", lambda: "the session to end")


ASKING = r"""while read -r line; do case "$line" in
*initialize*) echo '{"type":"control_response","response":{"subtype":"success","request_id":"cdev-1-1","response":{}}}';;
*'"type":"user"'*) echo '{"type":"control_request","request_id":"q","request":{"subtype":"can_use_tool",
"tool_name":"Bash","input":{"command":"touch x"},"tool_use_id":"toolu_q"}}' | tr -d '\n'; echo;;
*end_session*) exit 0;; esac; done"""


def answer_a_session(world):
    """With an agent that asks about a call."""
    world.cdev.box.stub("claude", VERSION + ASKING)
    (workspace, *_) = world.call("workspace/list")["workspaces"]
    named = {"session_id": world.call("session/start", {"workspace_id": workspace["id"], "prompt": "go"})["id"]}
    world.phone.hear("claude_permission", **named)
    assert world.call("session/respond", {**named, "response": "no", "type": "permission"})["decision"] == "deny"
    world.call("session/stop", named)
    until(lambda: world.call("session/state", named)["status"] == "stopped", lambda: "the session to end")
    named = {"session_id": world.call("session/start", {"workspace_id": workspace["id"]})["id"]}
    until(lambda: world.call("session/state", named)["claude_state"] == "idle", lambda: "the session to be ready")
    assert world.call("session/attach", named)["claude_state"] == "parked"
    world.call("session/stop", named)


def look_into(world):
    phone, project = world.phone, str(world.project)
    (seen,) = world.call("workspace/list", {"include_git": True})["workspaces"]
    assert (seen["path"], seen["origin"], seen["active_session_id"]) == (project, "seen", world.session.id)
    added = world.call("workspace/add", {"path": project, "name": "project", "auto_start": False})
    assert (added["id"], added["origin"], added["name"]) == (seen["id"], "added", "project")
    named = {"workspace_id": added["id"]}
    assert world.call("workspace/get", {"id": added["id"]}, by=phone) == added
    assert world.call("workspace/status", named, by=phone)["has_active_session"] is True
    assert world.call("workspace/update", {**named, "name": "other"})["name"] == "other"
    found = world.call("workspace/discover", {"paths": [str(world.cdev.box.root)]})
    assert [repository["workspace_id"] for repository in found["repositories"]] == [added["id"]]
    world.call("workspace/subscribe", named, by=phone)
    assert world.call("workspace/subscriptions", by=phone)["is_filtering"] is True
    assert world.call("workspace/unsubscribe", named, by=phone)["subscribed"] == []
    world.call("workspace/subscribeAll", by=phone)
    focus = {**named, "session_id": world.session.id}
    assert world.call("client/session/focus", focus, by=phone)["viewer_count"] == 1
    made = world.call("workspace/add", {"path": str(world.cdev.box.root / "new"), "create_if_missing": True})
    assert phone.hear("workspace_added", id=made["id"])["name"] == "new"
    assert world.call("workspace/remove", {"workspace_id": made["id"]})["path"] == made["path"]
    assert phone.hear("workspace_removed", id=made["id"])


def tell(world):
    phone = world.phone
    world.call("client/presence", {"visible": True, "input_seconds": 5}, by=phone)
    world.call("push/key", by=phone)
    keys = {"p256dh": world.call("push/key", by=phone)["key"], "auth": "AAAAAAAAAAAAAAAAAAAAAA"}
    world.call("push/subscribe", {"endpoint": "https://fcm.googleapis.com/fcm/send/x", "keys": keys}, by=phone)
    assert world.call("status/get")["notify"]
    assert world.call("push/unsubscribe", by=phone)["existed"] is True
    world.call("notify/test")


def look_into_files(world):
    """Once the daemon has workspaces."""
    space = Folder(world.cdev.box)
    if "workspace/add" in world.results:
        space.add(world.cdev)
    if "file/get" not in world.results:
        return
    place = {"workspace_id": space.id}
    assert world.call("workspace/files/list", {**place, "directory": "src"})["total_files"] == 2
    assert world.call("file/list", {**place, "limit": 2, "offset": 1}, by=world.phone)["pagination"]["has_more"] is True
    assert world.call("workspace/file/get", {**place, "path": "image.png"})["encoding"] == "base64"
    assert world.call("file/get", {**place, "path": "README.md", "max_size_kb": 1}, by=world.phone)["truncated"] is False
    world.call("workspace/files/watch", {**place, "directory": "src", "seconds": 60}, by=world.phone)
    assert world.call("workspace/files/unwatch", {**place, "directory": "src"}, by=world.phone)["existed"] is True


def test_every_bad_parameter_is_refused_by_its_name(bare, phone, document):
    tried = 0
    for method in document["methods"]:
        good = {p["name"]: _good(p["schema"]) for p in method["params"] if p["required"]}
        for parameter in method["params"]:
            name = parameter["name"]
            if (method["name"], name) in NOT_LOOKED_AT:
                continue
            faults = list(openrpc.bad_values(parameter["schema"]))
            if parameter["required"]:
                faults.append(("missing", None))
            if "minLength" in parameter["schema"]:
                faults.append(("missing", ""))
            for kind, value in faults:
                if " of " in kind and method["name"] == "initialize":
                    continue
                error = _refusal(bare, method["name"], {**good, name: value})
                assert error.code == -32602, f"{method['name']} {name}, {kind}: {error}"
                named = [name, *(kind.split(" of ")[1:])]
                assert any(word in error.message for word in named), f"{method['name']} {name}, {kind}: {error}"
                tried += 1
        refused(bare.local, method["name"], [1], -32602)
    assert tried > 90


def _good(schema):
    """A value that the parser takes."""
    schema = schema.get("oneOf", [schema])[0]
    return {"string": "x", "boolean": True, "array": ["x"], "object": {"p256dh": "AQI", "auth": "AQI"}}[schema["type"]]


def _refusal(cdev, method, params):
    with pytest.raises(RpcError) as error:
        cdev.local.call(method, params)
    return error.value


def test_absent_and_null_are_the_same(bare, phone, document):
    for method in document["methods"]:
        nothing = {parameter["name"]: None for parameter in method["params"]}
        # These want one of several parameters.
        wants_one = method["name"] == "permission/respond" or {"id", "workspace_id"} <= set(nothing)
        # Without a workspace_id they take the only workspace, and there is none yet.
        wants_one = wants_one or method["name"].startswith("file/")
        if nothing and not any(p["required"] for p in method["params"]) and not wants_one:
            bare.local.call(method["name"], nothing)


def test_the_page_is_what_the_document_says(document):
    assert page.written(document) == page.PAGE.read_text(), "run Tests/EndToEnd/publish.py"


def test_so_many_calls_are_beside_the_others_and_then_all_wait(bare, token, session, document):
    """The last message is answered once no more than the limit of those before it can be at work."""
    listing = next(method for method in document["methods"] if method["name"] == "permission/pending")
    assert listing["x-scheduling"] == {"beside": MOST_BESIDE}
    held = [session.bash(f"touch {number}") for number in range(4)]
    assert [call.first_status() for call in held] == [102] * 4
    door = f"ws://127.0.0.1:{bare.port}/ws"
    header = {"Authorization": f"Bearer {token}"}
    with websockets.sync.client.connect(door, additional_headers=header, proxy=None, compression=None) as socket:
        for number in range(200):
            socket.send(json.dumps({"jsonrpc": "2.0", "id": number, "method": "permission/pending"}))
        socket.send(json.dumps({"jsonrpc": "2.0", "id": "last", "method": "status/health"}))
        order = []
        while "last" not in order:
            message = json.loads(socket.recv(timeout=30 * PATIENCE))
            # Events of the held calls may come in between.
            if "id" in message:
                order.append(message["id"])
        assert 200 - MOST_BESIDE < len(order) <= 201
