"""Every method, spoken by a WebSocket client that nobody here wrote."""
import json

import pytest

from harness import http1
from harness.approver import RpcError
from harness.checks import REFUSED, WHOLE_SECONDS, includes, refused


METHODS = [
    "client/presence", "client/session/focus", "config/change", "device/list", "device/revoke", "events/since",
    "file/get", "file/list", "git/branch/delete", "git/branches", "git/checkout", "git/commit", "git/diff",
    "git/discard", "git/fetch", "git/get_status", "git/init", "git/log", "git/merge/abort", "git/pull", "git/push",
    "git/show", "git/stage", "git/stash/apply", "git/stash/drop", "git/stash/list", "git/stash/pop",
    "git/stash/push", "git/status", "git/unstage", "hook/sessions", "initialize", "initialized", "notify/test",
    "pair/approve", "pair/pending", "pair/reject", "pair/start", "permission/history", "permission/pending",
    "permission/preview", "permission/respond", "permission/revoke", "permission/rules", "permission/stats",
    "push/key", "push/subscribe", "push/unsubscribe", "rpc.discover", "session/active", "session/attach", "session/cancel_prompt", "session/check",
    "session/elsewhere", "session/gate", "session/info", "session/input", "session/interrupt", "session/options", "session/respond",
    "session/search", "session/send", "session/set", "session/start", "session/state", "session/stop", "session/unwatch", "session/watch",
    "status/get", "status/health", "token/create", "token/list", "token/revoke", "workspace/add",
    "workspace/discover", "workspace/file/get", "workspace/files/list", "workspace/files/unwatch",
    "workspace/files/watch", "workspace/get", "workspace/git/branch/delete", "workspace/git/branches",
    "workspace/git/checkout", "workspace/git/commit", "workspace/git/diff", "workspace/git/discard",
    "workspace/git/fetch", "workspace/git/get_status", "workspace/git/init", "workspace/git/log",
    "workspace/git/merge/abort", "workspace/git/pull", "workspace/git/push", "workspace/git/show",
    "workspace/git/stage", "workspace/git/stash/apply", "workspace/git/stash/drop", "workspace/git/stash/list",
    "workspace/git/stash/pop", "workspace/git/stash/push", "workspace/git/status", "workspace/git/unstage",
    "workspace/list", "workspace/remove", "workspace/session/activate", "workspace/session/history",
    "workspace/session/messages", "workspace/session/unwatch", "workspace/session/watch", "workspace/status",
    "workspace/subscribe", "workspace/subscribeAll", "workspace/subscriptions", "workspace/unsubscribe",
    "workspace/update",
]


def test_initialize_says_who_answers_and_what_works(phone):
    hello = includes(phone.hello, protocolVersion="1.0")
    assert hello["serverInfo"]["name"] == "cdev" and hello["serverInfo"]["version"]
    assert hello["clientId"]
    names = {method["name"] for method in phone.call("rpc.discover")["methods"]}
    capabilities = hello["capabilities"]
    for name, works in capabilities["git"].items():
        assert works in (False, f"workspace/git/{name}" in names), name
    assert capabilities["workspace"] == {"list": True, "add": False, "discover": False, "subscribe": True}
    assert capabilities["agent"]["sessions"] is True


def test_each_client_has_its_own_id(bare, phone):
    other = bare.approver("tablet")
    assert other.hello["clientId"] != phone.hello["clientId"]


def test_initialize_is_not_required_first(bare):
    eager = bare.approver("eager", initialize=False)
    assert eager.call("status/health")["status"] == "ok"


def test_discover_lists_every_method_once_and_sorted(phone):
    names = [method["name"] for method in phone.call("rpc.discover")["methods"]]
    assert names == METHODS
    assert names == sorted(set(names))


def test_health_over_websocket_and_http(bare, phone):
    assert phone.call("status/health")["uptime_seconds"] >= 0
    for door in (bare.socket, bare.tcp):
        includes(http1.ask(door, "GET", "/health").json, status="ok")


def test_the_status_of_the_daemon(bare, phone, session):
    status = includes(phone.call("status/get"), pid=bare.process.pid, gate="tool-call", approvers=1, store_failure=None)
    assert status["socket"] == str(bare.socket) and status["address"] == f"127.0.0.1:{bare.port}"
    assert status["hooks"]["state"] and status["version"] == phone.hello["serverInfo"]["version"]


def test_the_history_tells_who_decided(phone, session):
    for name, decision in (("a", "allow"), ("b", "deny"), ("c", "ask")):
        held = session.bash(f"touch {name}")
        phone.respond(phone.card(tool_use_id=held.tool_use_id), decision)
        held.answer()
    page = phone.call("permission/history", {"session_id": session.id, "limit": 2})
    assert [entry["decision"] for entry in page["requests"]] == ["ask", "deny"]
    rest = phone.call("permission/history", {"session_id": session.id, "cursor": page["next"]})
    assert [entry["decision"] for entry in rest["requests"]] == ["allow"] and rest["next"] is None
    assert rest["requests"][0]["resolved_by"] == "device phone"
    (denied,) = phone.call("permission/history", {"decision": "deny"})["requests"]
    includes(denied, tool_name="Bash", target="touch b", open=False)
    refused(phone, "permission/history", {"cursor": "nowhere"}, -32602)
    refused(phone, "permission/history", {"query": "é" * 129}, -32602)
    assert phone.call("permission/history", {"query": "é" * 128})["requests"] == []


@pytest.mark.parametrize("method", ["token/create", "token/list", "token/revoke"])
def test_a_device_makes_no_tokens(phone, method):
    assert refused(phone, method, {"name": "phone"}, -32600).data == {"refused": "administer"}


def test_an_agent_that_tries_to_decide_is_shown(bare, phone, session):
    held = session.bash("touch a")
    phone.card()
    assert bare.run("allow", held.tool_use_id, env={"CLAUDECODE": "1"}).returncode == REFUSED
    includes(phone.hear("agent_refused"), method="permission/respond", session_id="", workspace_id="")
    includes(phone.call("permission/stats"), agent_refusals=1)


def test_pending_lists_cards_as_they_were_announced(bare, phone, session):
    first, second = session.bash("touch a"), bare.session().bash("touch b")
    cards = [phone.card(tool_use_id=held.tool_use_id) for held in (first, second)]
    listed = {item["request_id"]: item for item in phone.pending()}
    assert set(listed) == {card["request_id"] for card in cards}
    for card in cards:
        item = listed[card["request_id"]]
        # The session's first card may be told before its workspace is written.
        told = [key for key in item if key in card and (key != "workspace_id" or card[key])]
        assert {key: item[key] for key in told} == {key: card[key] for key in told}
        assert WHOLE_SECONDS.fullmatch(item["created_at"]) and WHOLE_SECONDS.fullmatch(item["deadline"])
    assert phone.call("permission/pending")["count"] == 2
    assert [item["request_id"] for item in phone.pending(session_id=session.id)] == [cards[0]["request_id"]]
    assert bare.local.call("permission/pending", {"request_id": cards[1]["request_id"]})["requests"][0][
        "tool_input"] == cards[1]["tool_input"]
    for card in cards:
        phone.respond(card, "deny")
    assert phone.call("permission/pending") | {"requests": [], "count": 0} == phone.call("permission/pending")


def test_stats_count(phone, session):
    held = session.bash("touch a")
    card = phone.card(tool_use_id=held.tool_use_id)
    includes(phone.call("permission/stats"), active_sessions=1, total_patterns=0, pending_requests=1)
    phone.respond(card, "allow", scope="session")
    includes(phone.call("permission/stats"), active_sessions=1, total_patterns=1, pending_requests=0)


def test_rules_are_listed_and_revoked(phone, session):
    phone.respond(phone.card(tool_use_id=session.bash("touch a").tool_use_id), "allow", scope="session")
    (rule,) = phone.call("permission/rules")["rules"]
    assert rule["session_id"] == session.id and "Bash(touch:*)" in json.dumps(rule)
    assert session.bash("touch b").decision() == "allow"
    phone.call("permission/revoke", {"rule_id": rule["id"]})
    assert phone.call("permission/rules")["rules"] == []
    held = session.bash("touch c")
    phone.respond(phone.card(tool_use_id=held.tool_use_id), "deny")
    assert held.decision() == "deny"
    with pytest.raises(RpcError):
        phone.call("permission/revoke", {"rule_id": rule["id"]})
    refused(phone, "permission/revoke", {}, -32602)


def test_sessions_show_their_life_and_their_tools(bare, phone):
    session = bare.session()
    session.start()
    held = session.bash("touch a")
    card = phone.card(tool_use_id=held.tool_use_id)

    def mine():
        return next((s for s in phone.call("hook/sessions")["sessions"] if s["session_id"] == session.id), None)

    includes(mine(), cwd=session.cwd, state="permission_pending", pending_requests=1)
    phone.respond(card, "allow")
    held.answer()
    includes(mine(), state="tool_running", current_tool="Bash", pending_requests=0)
    session.ran(held)
    includes(mine(), state="active", current_tool=None)
    (run,) = mine()["tool_history"]
    includes(run, tool_name="Bash", tool_use_id=held.tool_use_id, tool_input=held.payload["tool_input"], is_error=False)
    assert WHOLE_SECONDS.fullmatch(run["started_at"]) and WHOLE_SECONDS.fullmatch(run["ended_at"])
    session.tell("SessionEnd", reason="other")
    phone.hear("claude_hook_session_end", session_id=session.id)
    assert mine() is None or mine()["state"] == "ended"


def test_several_sessions_are_told_apart(bare, phone):
    sessions = [bare.session() for _ in range(3)]
    for session in sessions:
        session.start()
    sessions[1].tell("SessionEnd", reason="other")
    living = {s["session_id"] for s in phone.call("hook/sessions")["sessions"] if s["state"] != "ended"}
    assert living == {sessions[0].id, sessions[2].id}
