"""What a client of the observing methods sends and gets, an example for each: for `test_examples`.

An answer has to have the members of its example, of these types; `says` are members whose values count too, and
`given` names what has to be the case before (see `Scene`). `WORKSPACE`, `SESSION` and `PATH` stand for the test's own.
"""
import dataclasses

WORKSPACE, SESSION, PATH, NEW_PATH = "<workspace>", "<session>", "<path>", "<new path>"
TIME = "2024-12-24T10:30:00Z"


@dataclasses.dataclass
class Example:
    """A call with its answer; or, with `event`, what is sent by itself."""

    method: str
    params: dict = dataclasses.field(default_factory=dict)
    answer: dict = dataclasses.field(default_factory=dict)
    says: dict = dataclasses.field(default_factory=dict)
    given: tuple = ()
    note: str = ""
    error: int | None = None

    def __str__(self):
        return f"{self.method}{' ' if self.note else ''}{self.note}".replace(" ", "-")


RUNNING = {"id": "s", "workspace_id": "w", "status": "running", "started_at": TIME, "last_active": TIME, "viewers": ["c"]}
PAST = {"id": "s", "workspace_id": "w", "status": "historical", "summary": "a", "message_count": 4, "last_updated": TIME}
LISTED = {"id": "w", "name": "n", "path": "/p", "auto_start": False, "created_at": TIME, "sessions": [RUNNING, PAST],
          "active_session_count": 1, "has_active_session": True, "active_session_id": "s"}
QUIET = {"id": "w", "name": "n", "path": "/p", "auto_start": False, "created_at": TIME, "sessions": [],
         "active_session_count": 0, "has_active_session": False}
OF = {"workspace_id": WORKSPACE}
SEEN = {**OF, "session_id": SESSION}
DONE = {"success": True}

CONNECTION = [
    Example("initialize", {"protocolVersion": "1.0", "clientInfo": {"name": "phone", "version": "1.0.0"}}, {
        "protocolVersion": "1.0", "serverInfo": {"name": "cdev", "version": "1"},
        "capabilities": {
            "agent": dict.fromkeys(["run", "stop", "respond", "sessions", "sessionWatch"], True),
            "git": dict.fromkeys(["status", "diff", "stage", "commit", "push", "pull"], True),
            "file": {"get": True, "list": True}},
        "clientId": "c"}, says={"protocolVersion": "1.0"}),
    Example("workspace/git/status", {}, error=-32602, note="without a workspace"),
    Example("workspace/dance", {}, error=-32601),
]

WORKSPACES = [
    Example("workspace/list", {}, {"workspaces": [LISTED]}, given=("running", "past", "viewed")),
    Example("workspace/get", {"id": WORKSPACE}, LISTED, given=("running", "past", "viewed")),
    Example("workspace/get", OF, QUIET, note="by the other name"),
    Example("workspace/add", {"name": "other", "path": NEW_PATH, "auto_start": False}, QUIET, says={"name": "other"}),
    Example("workspace/remove", {"id": WORKSPACE}, DONE),
    Example("workspace/remove", OF, DONE, note="by the other name"),
    Example("workspace/status", OF, {
        "workspace_id": "w", "workspace_name": "n", "path": "/p", "auto_start": False, "created_at": TIME,
        "sessions": [{**RUNNING, "viewers": []}], "active_session_count": 1, "has_active_session": True,
        "git_tracker_state": "healthy", "git_repo_name": "n", "is_git_repo": True, "git_last_error": "",
        "is_being_watched": True, "watched_session_id": "s"},
        says={"git_tracker_state": "healthy", "is_being_watched": True, "watched_session_id": SESSION, "path": PATH},
        given=("running", "past", "watched")),
    Example("workspace/subscribe", OF, {"success": True, "workspace_id": "w", "subscribed": ["w"]},
            says={"subscribed": [WORKSPACE]}),
    Example("workspace/unsubscribe", OF, {"success": True, "workspace_id": "w", "subscribed": []}, says={"subscribed": []},
            given=("subscribed",)),
    Example("workspace/subscriptions", {}, {"workspaces": ["w"], "is_filtering": True, "count": 1}, says={"count": 1},
            given=("subscribed",)),
    Example("workspace/subscribeAll", {}, {"success": True, "is_filtering": False}, says={"is_filtering": False},
            given=("subscribed",)),
]

FILES = [
    Example("workspace/files/list", {**OF, "directory": "", "limit": 500, "offset": 0}, {
        "directory": "",
        "directories": [{"path": "src", "name": "src", "file_count": 2, "total_size_bytes": 8, "last_modified": TIME}],
        "files": [{"path": "a.md", "name": "a.md", "directory": "", "extension": "md", "size_bytes": 4, "modified_at": TIME,
                   "is_binary": False, "is_symlink": False, "is_sensitive": False, "git_tracked": False,
                   "git_ignored": False}],
        "total_files": 1, "total_directories": 2, "pagination": {"limit": 500, "offset": 0, "has_more": False}},
        says={"total_files": 1, "total_directories": 2}),
    Example("workspace/file/get", {**OF, "path": "src/app.ts"},
            {"path": "src/app.ts", "content": "one\n", "encoding": "utf-8", "truncated": False, "size": 4},
            says={"path": "src/app.ts", "content": "one\n", "encoding": "utf-8", "truncated": False, "size": 4}),
]

MESSAGE = {"id": 1, "session_id": "s", "uuid": "u", "timestamp": TIME, "git_branch": "main", "is_context_compaction": False,
           "is_meta": False}
SESSIONS = [
    Example("workspace/session/history", {**OF, "limit": 20}, {
        "sessions": [{"session_id": "s", "summary": "t", "message_count": 6, "last_updated": TIME, "branch": "main"}],
        "total": 1}, says={"total": 1}, given=("past",)),
    Example("workspace/session/messages", {**SEEN, "limit": 50, "offset": 0, "order": "asc"}, {
        "session_id": "s",
        "messages": [{**MESSAGE, "type": "user", "message": {"role": "user", "content": "please"}},
                     {**MESSAGE, "type": "user", "message": {"role": "user", "content": [{"type": "tool_result"}]}},
                     {**MESSAGE, "type": "assistant", "message": {"role": "assistant", "content": [{"type": "text"}]}}],
        "total": 6, "limit": 50, "offset": 0, "has_more": False, "query_time_ms": 0.5},
        says={"session_id": SESSION, "limit": 50, "has_more": False}, given=("past",)),
    Example("workspace/session/watch", SEEN, {"status": "watching", "watching": True, "workspace_id": "w", "session_id": "s"},
            says={"status": "watching", "watching": True, "workspace_id": WORKSPACE, "session_id": SESSION}, given=("past",)),
    Example("workspace/session/unwatch", {},
            {"status": "unwatched", "watching": False, "workspace_id": "w", "session_id": "s"},
            says={"status": "unwatched", "watching": False, "workspace_id": WORKSPACE, "session_id": SESSION},
            given=("past", "watched")),
    Example("workspace/session/activate", SEEN,
            {"success": True, "workspace_id": "w", "session_id": "s", "message": "Session activated"},
            says={"workspace_id": WORKSPACE, "session_id": SESSION}, given=("past",)),
    Example("client/session/focus", SEEN,
            {"workspace_id": "w", "session_id": "s", "other_viewers": ["c"], "viewer_count": 2, "success": True},
            says={"workspace_id": WORKSPACE, "session_id": SESSION, "viewer_count": 2}, given=("past", "viewed")),
]

ENTRY = {"path": "p", "status": "M"}
REFUSED = {"success": False, "error": "why"}
GIT = [
    Example("status", {}, {
        "branch": "main", "upstream": "origin/main", "ahead": 0, "behind": 0,
        "staged": [{**ENTRY, "additions": 1, "deletions": 1}], "unstaged": [ENTRY], "untracked": [ENTRY], "conflicted": [],
        "repo_name": "n", "repo_root": "/p"},
        says={"branch": "main", "upstream": "origin/main", "ahead": 0, "behind": 0, "conflicted": [], "repo_root": PATH},
        given=("staged", "changed")),
    Example("diff", {"path": "src/app.ts"}, {"path": "p", "diff": "diff", "is_staged": False, "is_new": False},
            says={"path": "src/app.ts", "is_staged": False, "is_new": False}, given=("changed",)),
    Example("stage", {"paths": ["src/app.ts", "src/utils.ts"]}, {"success": True, "staged": ["p"]},
            says={"success": True, "staged": ["src/app.ts", "src/utils.ts"]}, given=("changed",)),
    Example("unstage", {"paths": ["src/app.ts"]}, {"success": True, "unstaged": ["p"]},
            says={"success": True, "unstaged": ["src/app.ts"]}, given=("staged",)),
    Example("discard", {"paths": ["src/app.ts"]}, {"success": True, "discarded": ["p"]},
            says={"success": True, "discarded": ["src/app.ts"]}, given=("changed",)),
    Example("commit", {"message": "feat: add a feature", "push": True},
            {"success": True, "sha": "abc", "message": "m", "files_committed": 1, "pushed": True},
            says={"success": True, "message": "Committed and pushed to origin/main", "files_committed": 1, "pushed": True},
            given=("staged",)),
    Example("commit", {"message": "feat: add a feature"}, {"success": True, "sha": "abc", "message": "m", "files_committed": 1},
            says={"success": True, "files_committed": 1, "pushed": False}, given=("staged",), note="without a push"),
    Example("push", {"force": False, "set_upstream": False, "remote": "origin", "branch": "main"},
            {"success": True, "message": "m", "commits_pushed": 2},
            says={"success": True, "message": "Pushed to origin/main", "commits_pushed": 2}, given=("ahead",)),
    Example("pull", {"rebase": False}, {"success": True, "message": "m"},
            says={"success": True, "message": "Pulled from origin/main"}, given=("behind",)),
    Example("pull", {"rebase": False}, {**REFUSED, "conflicted_files": ["p"]},
            says={"success": False, "conflicted_files": ["src/app.ts"]}, given=("behind", "diverged"), note="with conflicts"),
    Example("branches", {}, {
        "current": "main", "upstream": "origin/main", "ahead": 0, "behind": 0,
        "branches": [{"name": "main", "is_current": True, "is_remote": False, "upstream": "origin/main"},
                     {"name": "feature/new", "is_current": False, "is_remote": False}]},
        says={"current": "main", "upstream": "origin/main"}, given=("branched",)),
    Example("checkout", {"branch": "feature/new", "create": False}, {"success": True, "branch": "b", "message": "m"},
            says={"success": True, "branch": "feature/new", "message": "Switched to branch 'feature/new'"},
            given=("branched",)),
    Example("checkout", {"branch": "feature/other", "create": True}, {"success": True, "branch": "b", "message": "m"},
            says={"success": True, "branch": "feature/other"}, note="of a new branch"),
    Example("checkout", {"branch": "feature/new"}, REFUSED, says={"success": False}, given=("branched", "in the way"),
            note="with changes in the way"),
]

# Each under the name of the specification, and under the shorter one.
NAMES = ("workspace/git/", "git/")
REPOSITORIES = [
    dataclasses.replace(example, method=prefix + example.method, params={**OF, **example.params})
    for prefix in NAMES for example in GIT]

CALLS = [*CONNECTION, *WORKSPACES, *FILES, *SESSIONS, *REPOSITORIES]

# Sent by themselves: the members beside `workspace_id`, `session_id` and `timestamp`, which all have.
TEXT = {"type": "text", "text": "t"}
EVENTS = [
    Example("claude_message", answer={"type": "user", "role": "user", "content": [TEXT]}, given=("growing",),
            says=SEEN, note="of a user"),
    Example("claude_message", answer={
        "type": "assistant", "role": "assistant",
        "content": [{"type": "tool_use", "id": "t", "name": "Bash", "input": "{}"}]}, given=("growing",),
        says=SEEN, note="with a call"),
    Example("session_joined", answer={"joining_client_id": "c", "other_viewers": ["c"], "viewer_count": 2}, says=SEEN,
            given=("joined",)),
    Example("session_left", answer={"leaving_client_id": "c", "remaining_viewers": ["c"], "viewer_count": 1}, says=SEEN,
            given=("joined", "left")),
    Example("git_status_changed", answer={
        "branch": "main", "staged_count": 1, "unstaged_count": 0, "untracked_count": 0, "changed_files": ["p"]},
        says=OF, given=("subscribed", "staged")),
    Example("file_changed", answer={"path": "p", "change": "created"}, says=OF, given=("looked into", "changed")),
]
