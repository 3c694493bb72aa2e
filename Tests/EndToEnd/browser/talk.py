"""Made-up transcripts in the form of `workspace/session/messages`, and the workspace they belong to."""
import base64
import datetime
import struct
import zlib

WORKSPACE, SESSION, PAST = "ws-shop", "11111111-2222-4333-8444-555555555555", "99999999-2222-4333-8444-555555555555"
START = datetime.datetime(2026, 11, 25, 9, 0, tzinfo=datetime.timezone.utc)

EDIT = {"file": "file_path", "old": "old_string", "new": "new_string", "everywhere": "replace_all"}
USUAL = {"command": "command", "file": "file_path", "note": "description", "path": "path", "pattern": "pattern", "prompt": "prompt", "query": "query", "selector": "selector", "url": "url"}
TOOLS = {
    "Bash": ("shell_command", {"command": "command", "note": "description", "timeout": "timeout"}, "Run a command"),
    "Edit": ("file_changes", EDIT, "Change a file"),
    "Grep": ("search", {"path": "path", "pattern": "pattern"}, "Search files"),
    "Read": ("read", {"file": "file_path", "line": "offset"}, "Read a file"),
    "Task": ("agent", USUAL, "Start a subagent"),
}

ANSWER = """I looked at `src/pay.js`. The retry ends **too early**:

1. it counts three attempts
2. it waits the same time between them

| attempt | wait |
|---|---|
| 1 | 1 s |
| 2 | 2 s |

```js
for (let attempt = 0; attempt < 5; attempt += 1) {
  await pause(2 ** attempt * 1000);
}
```

> A payment that the bank refused is never sent again. <img src=x onerror=alert(1)> ![logo](https://evil.example/p.png)"""


def at(seconds):
    return (START + datetime.timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")


def png(width=64, height=40):
    """A small picture."""
    rows = b"".join(b"\0" + bytes(value for x in range(width) for value in (40 + x * 3, 120, 90 + y * 3)) for y in range(height))
    chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))  # noqa: E731
    whole = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return base64.b64encode(whole).decode()


class Talk:
    """The lines of one session. Serves pages of them as the daemon does."""

    def __init__(self, session=SESSION):
        self.session, self.lines, self.agents = session, [], {}

    def add(self, role, content, seconds=None, **more):
        number = len(self.lines) + 1
        self.lines.append({
            "id": number, "session_id": self.session, "type": role, "uuid": f"{self.session[:8]}-{number}", "timestamp": at(seconds if seconds is not None else number * 5),
            "git_branch": "main", "message": {"role": role, "content": content}, "is_context_compaction": False, "is_meta": False, **more})
        return self

    def user(self, text, **more):
        return self.add("user", text, **more)

    def says(self, text, **more):
        return self.add("assistant", [{"type": "text", "text": text}], **more)

    def thinks(self, text):
        return self.add("assistant", [{"type": "thinking", "thinking": text, "signature": "x"}])

    def calls(self, name, tool_input, tool_use_id=None):
        self.last = tool_use_id or f"toolu_{len(self.lines)}"
        kind, members, title = TOOLS.get(name, ("other", USUAL, name))
        return self.add("assistant", [{"type": "tool_use", "id": self.last, "name": name, "input": tool_input, "kind": kind, "members": members, "title": title}])

    def gets(self, content, is_error=False, difference=None, **more):
        block = {"type": "tool_result", "tool_use_id": self.last, "content": content, "is_error": is_error}
        return self.add("user", [block | ({"difference": difference} if difference else {})], **more)

    def messages(self, params):
        lines = self.agents[params["agent_id"]].lines if params.get("agent_id") else self.lines
        ordered = lines if params.get("order", "asc") == "asc" else lines[::-1]
        offset, limit = params.get("offset", 0), params.get("limit", 50)
        if params.get("tool_use_id"):
            offset = next((index for index, line in enumerate(ordered) if any(block.get("id") == params["tool_use_id"] for block in line["message"]["content"] if isinstance(block, dict))), len(ordered))
        page = ordered[offset:offset + limit]
        return {"session_id": self.session, "messages": page, "total": len(lines), "limit": limit, "offset": offset, "has_more": offset + len(page) < len(lines), "query_time_ms": 1.5,
                "subagents": [{"agent_id": name, "tool_use_id": talk.caller, "agent_type": "reviewer", "description": "Review the retry", "message_count": len(talk.lines)} for name, talk in self.agents.items()]}


def story():
    """A short session that holds one of everything."""
    talk = Talk()
    talk.user("Payments sometimes fail when the bank is slow.\nRetry them up to five times, and make sure the tests cover it.")
    talk.thinks("The retry is in pay.js. I should read it **first**.")
    talk.calls("Read", {"file_path": "/home/ana/shop-api/src/pay.js"}).gets("1\texport async function pay(order) {\n2\t}\n")
    talk.says(ANSWER)
    talk.calls("Edit", {"file_path": "/home/ana/shop-api/src/pay.js", "old_string": "attempt < 3", "new_string": "attempt < 5"}).gets(
        "The file was updated.", seconds=42, difference={"kind": "diff", "path": "/home/ana/shop-api/src/pay.js", "added": 1, "removed": 1, "more": 0, "hunks": [{"old_start": 4, "new_start": 4, "lines": [
            {"op": " ", "text": "export async function pay(order) {"}, {"op": "-", "text": "  for (let attempt = 0; attempt < 3; attempt += 1) {"},
            {"op": "+", "text": "  for (let attempt = 0; attempt < 5; attempt += 1) {"}, {"op": " ", "text": "    try {"}]}]})
    talk.calls("Bash", {"command": "npm test -- payments", "description": "Run the payment tests"}).gets("Error: 1 of 12 tests failed\n  at retry.test.js:14", is_error=True)
    talk.calls("Task", {"description": "Review the retry", "prompt": "Review it", "subagent_type": "reviewer"}, "toolu_task").gets([{"type": "text", "text": "It is fine."}])
    inner = Talk()
    inner.caller = "toolu_task"
    inner.user("Review it").calls("Grep", {"pattern": "attempt", "path": "src"}).gets("src/pay.js:4").says("The retry counts to **five**.")
    talk.agents["a1"] = inner
    talk.calls("Read", {"file_path": "/home/ana/shop-api/docs/flow.png"}).gets([{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": png()}}])
    talk.user("Caveat: the messages below were made by a command.", is_meta=True)
    talk.user("<command-name>/compact</command-name><command-args></command-args>")
    talk.user("This session is being continued: the retry was added.", is_context_compaction=True)
    talk.says("Now I run the tests once more.")
    return talk


def serve(double, talk, state="active", **session):
    """Gives the double one workspace with that session, and one of the past."""
    known = {"id": talk.session, "workspace_id": WORKSPACE, "status": "running", "started_at": at(0), "last_active": at(90), "viewers": []}
    past = [{"id": f"{number}{PAST[1:]}", "workspace_id": WORKSPACE, "status": "historical", "summary": f"Refactored part {number} of the cart", "message_count": 42 + number, "last_updated": at(-86_400 * (number + 1))} for number in range(5)]
    double.methods |= {
        "workspace/list": lambda _: {"workspaces": [{"id": WORKSPACE, "name": "shop-api", "path": "/home/ana/shop-api", "auto_start": False, "created_at": at(0), "branch": "main",
                                                     "sessions": [known, *past], "active_session_count": 1, "has_active_session": True, "active_session_id": talk.session}]},
        "workspace/session/history": lambda params: {"sessions": [{"session_id": one["id"], **{key: one[key] for key in ("summary", "message_count", "last_updated")}, "branch": "main"} for one in past][:params["limit"]], "total": len(past)},
        "workspace/session/messages": talk.messages,
        "workspace/session/watch": lambda params: {"status": "watching", "watching": True, **params},
        "workspace/session/unwatch": lambda _: {"status": "unwatched", "watching": False, "workspace_id": WORKSPACE, "session_id": talk.session},
        "client/session/focus": lambda params: {**params, "other_viewers": [], "viewer_count": 1, "success": True},
        "hook/sessions": lambda _: {"sessions": [{
            "session_id": talk.session, "state": state, "current_tool": "Bash" if state == "tool_running" else None, "cwd": "/home/ana/shop-api", "root": "/home/ana/shop-api", "last_activity": at(90), "pending_requests": 0,
            "tool_history": [], "agent": "claude", "permission_mode": "default", "title": "Retry failed payments", "last_prompt": "Retry them up to five times", **session}]},
    }
    return double
